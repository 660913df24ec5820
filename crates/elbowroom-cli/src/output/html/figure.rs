//! Rigs as the page poses them: a body as bound, and for each joint what it does to what hangs on
//! it.
//!
//! A skinned part is stored as it was bound, and joint j moves it by M = joint now × inverse bind.
//! A part that hangs on one joint is stored as it is at rest, so that its M is joint now × inverse
//! of the joint at rest. Either way M is written as a rotation, a scale and where it takes
//! one point, that of the joint as bound. What shears, mirrors, changes its shape by morphs or is
//! blended in another way has no such form.

use std::collections::HashMap;

use elbowroom_motion::body::{Blend, Hold, JointId, Part, Rig, SkeletonPose};
use glam::{DAffine3, DQuat, DVec3};

use super::quantise::turn_and_scale;
use super::stock::{Held, Stock};

/// The most joints of a body: cards take textures of some thousand matrices a row.
const MOST_JOINTS: usize = 1000;

/// A rig, or some of its parts, that the page can pose.
pub(super) struct Figure {
    pub(super) body: usize,
    movers: Vec<Mover>,
}

/// A joint with something on it.
struct Mover {
    joint: JointId,
    joint_from_bound: DAffine3,
    /// Where the joint is as bound.
    bound: DVec3,
}

/// What a joint does in one pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turned {
    pub(super) rotation: DQuat,
    pub(super) position: DVec3,
    pub(super) scale: f64,
}

impl Figure {
    /// Some parts of a rig; `None` if the page cannot pose them, or there is no room.
    pub(super) fn of(stock: &mut Stock, rig: &Rig, parts: &[u32]) -> Option<Self> {
        let chosen: Vec<&Part> = parts.iter().map(|&part| &rig.parts[part as usize]).collect();
        if !chosen.iter().all(|part| is_plain(part)) {
            return None;
        }
        let size =
            |part: &&Part| 22 * part.mesh.vertices().len() + 12 * part.mesh.triangles().len();
        if !stock.has_room(chosen.iter().map(size).sum()) {
            return None;
        }
        let mut binding = Binding::new(rig);
        chosen.iter().try_for_each(|part| binding.add(part))?;
        binding.figure(stock, rig)
    }

    pub(super) fn joints(&self) -> usize {
        self.movers.len()
    }

    /// What all joints do in a pose; `None` if one of them shears or mirrors.
    pub(super) fn turned(
        &self,
        rig: &Rig,
        pose: &SkeletonPose,
        world: &mut Vec<DAffine3>,
    ) -> Option<Vec<Turned>> {
        rig.skeleton.world(pose, world);
        let turned = |mover: &Mover| {
            let rig_from_bound = world[mover.joint.index()] * mover.joint_from_bound;
            let (rotation, scale) = turn_and_scale(rig_from_bound.matrix3)?;
            let position = rig_from_bound.transform_point3(mover.bound);
            position.is_finite().then_some(Turned { rotation, position, scale })
        };
        self.movers.iter().map(turned).collect()
    }
}

/// Whether joints alone move a part, by weighted sums of matrices.
fn is_plain(part: &Part) -> bool {
    let is_linear = match &part.hold {
        Hold::Rigid(_) => true,
        Hold::Skinned(skin) => skin.blend() == Blend::Linear,
    };
    is_linear && part.morphs.is_empty()
}

/// A body that is being put together.
struct Binding {
    /// Joints at rest, and their places in the order in which parents come first.
    rest: Vec<DAffine3>,
    order: Vec<usize>,
    movers: Vec<Mover>,
    /// Movers by joint and bind.
    known: HashMap<(u32, [u64; 12]), u16>,
    vertices: Vec<DVec3>,
    triangles: Vec<u32>,
    influences: Vec<Vec<(u16, f64)>>,
}

impl Binding {
    fn new(rig: &Rig) -> Self {
        let mut rest = Vec::new();
        rig.skeleton.world(&rig.rest_pose(), &mut rest);
        let mut order = vec![0; rig.skeleton.len()];
        for (place, joint) in rig.skeleton.parents_first().enumerate() {
            order[joint.index()] = place;
        }
        Self {
            rest,
            order,
            movers: Vec::new(),
            known: HashMap::new(),
            vertices: Vec::new(),
            triangles: Vec::new(),
            influences: Vec::new(),
        }
    }

    fn add(&mut self, part: &Part) -> Option<()> {
        let first = self.vertices.len() as u32;
        let mesh = &part.mesh;
        self.triangles.extend(mesh.triangles().iter().flatten().map(|corner| corner + first));
        match &part.hold {
            Hold::Rigid(joint) => {
                let rest = self.rest[joint.index()];
                let mover = self.mover(*joint, rest.inverse())?;
                self.vertices.extend(mesh.vertices().iter().map(|&v| rest.transform_point3(v)));
                self.influences.extend(mesh.vertices().iter().map(|_| vec![(mover, 1.0)]));
            }
            Hold::Skinned(skin) => {
                let joints = skin.joints().iter().zip(skin.inverse_binds());
                let movers: Option<Vec<u16>> =
                    joints.map(|(&joint, &bind)| self.mover(joint, bind)).collect();
                let movers = movers?;
                self.vertices.extend_from_slice(mesh.vertices());
                for vertex in 0..mesh.vertices().len() as u32 {
                    let held = skin.influences(vertex).iter();
                    let mut held: Vec<(u16, f64)> =
                        held.map(|i| (movers[usize::from(i.joint)], f64::from(i.weight))).collect();
                    held.sort_by(|a, b| b.1.total_cmp(&a.1));
                    self.influences.push(held);
                }
            }
        }
        self.vertices.iter().all(|vertex| vertex.is_finite()).then_some(())
    }

    fn mover(&mut self, joint: JointId, joint_from_bound: DAffine3) -> Option<u16> {
        let key = (joint.0, joint_from_bound.to_cols_array().map(f64::to_bits));
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        let bound = joint_from_bound.inverse().translation;
        if !bound.is_finite() || self.movers.len() == MOST_JOINTS {
            return None;
        }
        let place = self.movers.len() as u16;
        self.movers.push(Mover { joint, joint_from_bound, bound });
        self.known.insert(key, place);
        Some(place)
    }

    /// Parents come before their children, so that the first joint is the one that carries all.
    fn figure(mut self, stock: &mut Stock, rig: &Rig) -> Option<Figure> {
        if self.movers.is_empty() {
            return None;
        }
        let mut sorted: Vec<usize> = (0..self.movers.len()).collect();
        sorted.sort_by_key(|&mover| (self.order[self.movers[mover].joint.index()], mover));
        let mut places = vec![0; sorted.len()];
        for (place, &mover) in sorted.iter().enumerate() {
            places[mover] = place as u16;
        }
        for (mover, _) in self.influences.iter_mut().flatten() {
            *mover = places[usize::from(*mover)];
        }
        let mut movers: Vec<Option<Mover>> = self.movers.into_iter().map(Some).collect();
        let movers: Vec<Mover> = sorted.iter().filter_map(|&mover| movers[mover].take()).collect();
        let held = Held {
            parents: parents(rig, &movers),
            rest: movers.iter().map(|mover| mover.bound).collect(),
            influences: self.influences,
        };
        let vertices = self.vertices.iter().copied();
        let body = stock.body(&rig.name, vertices, &self.triangles, Some(&held));
        Some(Figure { body, movers })
    }
}

/// The nearest joint above each that something hangs on, too.
fn parents(rig: &Rig, movers: &[Mover]) -> Vec<i16> {
    let mut first: HashMap<u32, i16> = HashMap::new();
    for (place, mover) in (0_i16..).zip(movers) {
        first.entry(mover.joint.0).or_insert(place);
    }
    let parent = |mover: &Mover| {
        let mut above = rig.skeleton.joints()[mover.joint.index()].parent;
        while let Some(joint) = above {
            if let Some(&place) = first.get(&joint.0) {
                return place;
            }
            above = rig.skeleton.joints()[joint.index()].parent;
        }
        -1
    };
    movers.iter().map(parent).collect()
}
