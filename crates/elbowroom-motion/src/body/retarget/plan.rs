//! What is carried over, found once for two skeletons.

use std::collections::HashMap;

use glam::{DMat3, DQuat, DVec3};

use super::super::skeleton::{JointId, Skeleton};
use super::frames::{Body, facing};
use super::names::{Bone, Side};
use super::roles::Role;
use super::{Match, RetargetConfig};
use elbowroom::internal::math::sort::many_by_key;

/// A joint that turns as another does: to `before * turn of the source * after`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Carried {
    pub(super) source: JointId,
    pub(super) target: JointId,
    pub(super) before: DQuat,
    pub(super) after: DQuat,
}

/// A joint that goes along with a limb that it does not hang on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Loose {
    pub(super) joint: JointId,
    pub(super) limb: JointId,
    /// Where it stands in the limb's frame at rest.
    pub(super) in_limb: DVec3,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    /// In the order of the target's joints.
    pub(super) carried: Vec<Carried>,
    pub(super) hips: Option<Match>,
    pub(super) loose: Vec<Loose>,
    /// From the source's world to the target's.
    pub(super) facing: DMat3,
    pub(super) root_scale: f64,
    /// Upward in the target's world; zero where that is not known.
    up: DVec3,
    /// What heights are multiplied by, and then raised by.
    height_scale: f64,
    lift: f64,
}

impl Plan {
    pub(super) fn new(source: &Skeleton, target: &Skeleton, config: &RetargetConfig) -> Self {
        let rest_of = |skeleton: &Skeleton, rest: &Option<_>| {
            let rest = rest.clone().unwrap_or_else(|| skeleton.rest_pose());
            Body::new(skeleton, &rest)
        };
        let from = rest_of(source, &config.source_rest);
        let to = rest_of(target, &config.target_rest);
        let facing = facing(&from, &to);
        let mut pairs = matches(&from, &to);
        many_by_key(&mut pairs, |pair| pair.target);
        let aligned = if config.align_limbs { aligned(&from, &to, facing) } else { HashMap::new() };
        let turn = DQuat::from_mat3(&facing);
        let carried = pairs
            .iter()
            .map(|&Match { source, target }| {
                let align = aligned.get(&target).copied().unwrap_or(DQuat::IDENTITY);
                // A turn since rest, seen from the target's world, on top of the target's rest.
                let since_rest = from.turns[source.index()].conjugate();
                let after = since_rest * turn.conjugate() * align * to.turns[target.index()];
                Carried { source, target, before: turn, after }
            })
            .collect();
        let [hips_from, hips_to] = [&from, &to].map(|body| body.cast.get(None, Bone::Hips));
        let hips = hips_from.zip(hips_to).map(|(source, target)| Match { source, target });
        let legs = from.leg_length().zip(to.leg_length());
        let leg_scale = legs.map(|(from, to)| to / from);
        let lift = legs.and_then(|(from_leg, to_leg)| {
            let up = to.up()?;
            let from = from.standing(facing.transpose() * up, from_leg)?;
            Some((up, to.standing(up, to_leg)? - from * (to_leg / from_leg)))
        });
        let (up, lift) = lift.unwrap_or((DVec3::ZERO, 0.0));
        let root_scale = config.root_scale.or(leg_scale).unwrap_or(1.0);
        let height_scale = leg_scale.unwrap_or(root_scale);
        let loose = loose(target, &to);
        Self { carried, hips, loose, facing, root_scale, up, height_scale, lift }
    }

    /// Where the target's hips are when the source's are here.
    pub(super) fn hips_at(&self, source: DVec3) -> DVec3 {
        let place = self.facing * source;
        let height = place.dot(self.up);
        self.root_scale * (place - height * self.up)
            + (self.height_scale * height + self.lift) * self.up
    }

    /// What a joint of the target follows.
    pub(super) fn carried_by(&self, target: JointId) -> Option<&Carried> {
        let place = self.carried.binary_search_by_key(&target, |carried| carried.target).ok()?;
        Some(&self.carried[place])
    }

    /// The joints whose translations change.
    pub(super) fn moved(&self) -> impl Iterator<Item = JointId> {
        let hips = self.hips.iter().map(|hips| hips.target);
        hips.chain(self.loose.iter().map(|loose| loose.joint))
    }
}

/// Pairs of joints that play the same role; each joint of the target once.
fn matches(from: &Body, to: &Body) -> Vec<Match> {
    let mut pairs: Vec<Match> = to
        .cast
        .roles()
        .into_iter()
        .filter_map(|(role, target)| Some(Match { source: from.cast.playing(role)?, target }))
        .collect();
    for (sources, targets) in [(&from.cast.spine, &to.cast.spine), (&from.cast.neck, &to.cast.neck)]
    {
        let (many, few) = (sources.len(), targets.len());
        for (place, &target) in targets.iter().enumerate().filter(|_| many > 0) {
            // The last follows the last, the others those as far up; rounded up, so that none is
            // below.
            let source = sources[((place + 1) * many).div_ceil(few) - 1];
            pairs.push(Match { source, target });
        }
    }
    many_by_key(&mut pairs, |pair| pair.target);
    pairs.dedup_by_key(|pair| pair.target);
    pairs
}

/// For joints of the target's arms and legs: the turn that makes them point as the source's do at
/// rest.
fn aligned(from: &Body, to: &Body, facing: DMat3) -> HashMap<JointId, DQuat> {
    let mut turns = HashMap::new();
    for side in [Side::Left, Side::Right] {
        let mut align = |bone, next| {
            let own = to.along(side, bone, next)?.try_normalize()?;
            let wanted = facing * from.along(side, bone, next)?.try_normalize()?;
            let turn = DQuat::from_rotation_arc(own, wanted);
            turns.insert(to.cast.get(Some(side), bone)?, turn);
            Some(turn)
        };
        align(Bone::Thigh, Bone::Shin);
        // Feet stay as they stand: both are flat on the floor at rest.
        align(Bone::Shin, Bone::Foot);
        align(Bone::UpperArm, Bone::Forearm);
        // A hand goes with its forearm, and its fingers with it.
        if let Some(turn) = align(Bone::Forearm, Bone::Hand) {
            for (role, joint) in to.cast.roles() {
                if let Role::Bone(Some(of), bone, _) = role
                    && *of == side
                    && (*bone == Bone::Hand || Bone::FINGERS.contains(bone))
                {
                    turns.insert(joint, turn);
                }
            }
        }
    }
    turns
}

/// Hands, feet and thighs of the target that do not hang on what they belong to.
fn loose(target: &Skeleton, to: &Body) -> Vec<Loose> {
    let ends = [(Bone::Hips, Bone::Thigh), (Bone::Forearm, Bone::Hand), (Bone::Shin, Bone::Foot)];
    let sides = [Side::Left, Side::Right];
    let all = sides.into_iter().flat_map(|side| ends.map(|(limb, end)| (side, limb, end)));
    all.filter_map(|(side, limb, end)| {
        let limb = to.cast.get((limb != Bone::Hips).then_some(side), limb)?;
        let joint = to.cast.get(Some(side), end)?;
        let mut at = target.joints()[joint.index()].parent;
        while let Some(above) = at {
            if above == limb {
                return None;
            }
            at = target.joints()[above.index()].parent;
        }
        let in_limb = to.world[limb.index()].inverse().transform_point3(to.at(joint));
        Some(Loose { joint, limb, in_limb })
    })
    .collect()
}
