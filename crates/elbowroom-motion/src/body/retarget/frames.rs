//! How bodies stand at rest: which way bones turn, which way the whole faces.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::super::local::{SkeletonPose, unit};
use super::super::skeleton::{JointId, Skeleton};
use super::names::{Bone, Side};
use super::roles::Cast;

/// How high an ankle is, as a part of the leg above it: 0.039 and 0.530 of a man's height are his
/// ankle and hip (Drillis and Contini, Body segment parameters, 1966).
const ANKLE: f64 = 0.039 / (0.530 - 0.039);

const AXES: [DVec3; 6] = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];

/// How each joint is turned in the world, without scales.
pub(super) fn turns(skeleton: &Skeleton, pose: &SkeletonPose, out: &mut Vec<DQuat>) {
    out.clear();
    out.resize(skeleton.len(), DQuat::IDENTITY);
    for id in skeleton.parents_first() {
        let joint = &skeleton.joints()[id.index()];
        let local = pose.locals.get(id.index()).unwrap_or(&joint.rest);
        let parent = joint.parent.map_or(DQuat::IDENTITY, |parent| out[parent.index()]);
        out[id.index()] = unit(parent * unit(local.rotation));
    }
}

/// A skeleton at rest.
pub(super) struct Body {
    pub(super) cast: Cast,
    pub(super) world: Vec<DAffine3>,
    pub(super) turns: Vec<DQuat>,
}

impl Body {
    pub(super) fn new(skeleton: &Skeleton, rest: &SkeletonPose) -> Self {
        let (mut world, mut turns) = (Vec::new(), Vec::new());
        skeleton.world(rest, &mut world);
        self::turns(skeleton, rest, &mut turns);
        Self { cast: Cast::of(skeleton), world, turns }
    }

    pub(super) fn at(&self, joint: JointId) -> DVec3 {
        self.world[joint.index()].translation
    }

    /// From one bone of a side to the next.
    pub(super) fn along(&self, side: Side, from: Bone, to: Bone) -> Option<DVec3> {
        let [from, to] = [from, to].map(|bone| self.cast.get(Some(side), bone));
        Some(self.at(to?) - self.at(from?))
    }

    /// From hip to ankle along the bones; the longer side.
    pub(super) fn leg_length(&self) -> Option<f64> {
        let leg = |side| {
            let thigh = self.along(side, Bone::Thigh, Bone::Shin)?;
            let shin = self.along(side, Bone::Shin, Bone::Foot)?;
            Some(thigh.length() + shin.length())
        };
        let longest = [Side::Left, Side::Right].into_iter().filter_map(leg).reduce(f64::max);
        longest.filter(|&length| length > 0.0 && length.is_finite())
    }

    /// The axis that is nearest to its upward direction.
    pub(super) fn up(&self) -> Option<DVec3> {
        let up = self.axes()?.y_axis;
        AXES.into_iter().max_by(|a, b| a.dot(up).total_cmp(&b.dot(up)))
    }

    /// How high the hips are above the floor on straight legs.
    pub(super) fn standing(&self, up: DVec3, leg_length: f64) -> Option<f64> {
        let height = |side: Option<Side>, bone| Some(self.at(self.cast.get(side, bone)?).dot(up));
        let of_sides = |bone| {
            let [left, right] = [Side::Left, Side::Right].map(|side| height(Some(side), bone));
            left.zip(right).map(|(left, right)| 0.5 * (left + right))
        };
        let ankle = of_sides(Bone::Foot)?;
        // Characters stand on the floor at rest; mocap often hangs below its origin.
        let stands = ankle > 0.0 && ankle < leg_length;
        let ankle = if stands { ankle } else { ANKLE * leg_length };
        Some(height(None, Bone::Hips)? - of_sides(Bone::Thigh)? + leg_length + ankle)
    }

    /// The axes of the body: to its left, up, and forward.
    fn axes(&self) -> Option<DMat3> {
        let pair = |bone| {
            let [left, right] =
                [Side::Left, Side::Right].map(|side| self.cast.get(Some(side), bone));
            Some(self.at(left?) - self.at(right?))
        };
        let left = pair(Bone::Thigh).or_else(|| pair(Bone::UpperArm))?.try_normalize()?;
        let low = self.cast.get(None, Bone::Hips)?;
        let head = self.cast.get(None, Bone::Head);
        let high = head.or(self.cast.neck.first().copied()).or(self.cast.spine.last().copied())?;
        let up = (self.at(high) - self.at(low)).reject_from_normalized(left).try_normalize()?;
        Some(DMat3::from_cols(left, up, left.cross(up)))
    }
}

/// The turn by right angles that makes one body face as the other does.
///
/// By right angles only, because no one leans at rest by convention, but spines do by nature; a
/// turn that took that over would have people walk into the floor.
pub(super) fn facing(source: &Body, target: &Body) -> DMat3 {
    let (Some(from), Some(to)) = (source.axes(), target.axes()) else { return DMat3::IDENTITY };
    let wanted = to * from.transpose();
    let mut best = (f64::NEG_INFINITY, DMat3::IDENTITY);
    for x in AXES {
        for y in AXES.into_iter().filter(|y| y.dot(x) == 0.0) {
            let turn = DMat3::from_cols(x, y, x.cross(y));
            let [a, b, c] = [0, 1, 2].map(|i| turn.col(i).dot(wanted.col(i)));
            if a + b + c > best.0 {
                best = (a + b + c, turn);
            }
        }
    }
    best.1
}
