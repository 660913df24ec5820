//! Which part of a body a triangle belongs to.
//!
//! What hangs on one joint belongs to that joint. A triangle of a skin belongs to the joint that has the most weight over its three corners;
//! of equals, to the one that comes first in the skeleton. Parts are called as their joints, for that is what those who
//! made the rig know; joints of one name are one part.

use std::collections::HashMap;
use std::sync::Arc;

use super::part::{Hold, Part};
use super::rig::Rig;
use super::skeleton::JointId;
use super::skin::Skin;

/// The parts of the triangles of a piece, as places in the list of the object's parts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Labels {
    /// All are of one part.
    One(u32),
    /// By triangle.
    Each(Arc<[u32]>),
}

impl Labels {
    /// The part of a triangle.
    pub(crate) fn of(&self, triangle: u32) -> u32 {
        match self {
            Self::One(part) => *part,
            Self::Each(parts) => parts[triangle as usize],
        }
    }
}

/// Names, each of them once.
#[derive(Debug, Default)]
pub(crate) struct Names {
    names: Vec<String>,
    places: HashMap<String, u32>,
}

impl Names {
    /// The place of a name, which is new or known.
    pub(crate) fn place(&mut self, name: &str) -> u32 {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let place = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        place
    }

    pub(crate) fn into_vec(self) -> Vec<String> {
        self.names
    }
}

/// Labels for the parts of a rig, in the order given, and what their joints are called.
pub(crate) fn of_rig(rig: &Rig, parts: &[u32]) -> (Vec<Labels>, RigNames) {
    let mut names = RigNames { names: Names::default(), of_joint: HashMap::new() };
    let labels = parts
        .iter()
        .map(|&part| {
            let part = &rig.parts[part as usize];
            match &part.hold {
                Hold::Rigid(joint) => Labels::One(names.of(rig, part, *joint)),
                Hold::Skinned(_) => of_skin(rig, part, &mut names),
            }
        })
        .collect();
    (labels, names)
}

/// The names of a rig's parts, by joint.
#[derive(Debug)]
pub(crate) struct RigNames {
    pub(crate) names: Names,
    pub(crate) of_joint: HashMap<u32, u32>,
}

impl RigNames {
    fn of(&mut self, rig: &Rig, part: &Part, joint: JointId) -> u32 {
        if let Some(&place) = self.of_joint.get(&joint.0) {
            return place;
        }
        let name = &rig.skeleton.joints()[joint.index()].name;
        let place = match (name.is_empty(), part.name.is_empty()) {
            (false, _) => self.names.place(name),
            (true, false) => self.names.place(&part.name),
            (true, true) => self.names.place(&format!("joint {}", joint.0)),
        };
        self.of_joint.insert(joint.0, place);
        place
    }
}

/// For each triangle of a part, the joint whose region of the body it belongs to: the one that the part hangs on, or that has the most weight over its
/// corners.
///
/// # Panics
/// If the part's skin has fewer vertices than its mesh.
pub fn joints_of_triangles(part: &Part) -> Vec<JointId> {
    let triangles = part.mesh.triangles();
    match &part.hold {
        Hold::Rigid(joint) => vec![*joint; triangles.len()],
        Hold::Skinned(skin) => {
            let mut weights = Vec::new();
            triangles.iter().map(|&corners| heaviest(skin, corners, &mut weights)).collect()
        }
    }
}

fn of_skin(rig: &Rig, part: &Part, names: &mut RigNames) -> Labels {
    let joints = joints_of_triangles(part);
    let labels: Vec<u32> = joints.into_iter().map(|joint| names.of(rig, part, joint)).collect();
    match labels.first() {
        Some(&first) if labels.iter().all(|&label| label == first) => Labels::One(first),
        _ => Labels::Each(labels.into()),
    }
}

/// The joint that has the most weight over the corners of a triangle.
fn heaviest(skin: &Skin, corners: [u32; 3], weights: &mut Vec<(JointId, f64)>) -> JointId {
    weights.clear();
    for influence in corners.iter().flat_map(|&corner| skin.influences(corner)) {
        let joint = skin.joints()[influence.joint as usize];
        let weight = f64::from(influence.weight);
        match weights.iter_mut().find(|(known, _)| *known == joint) {
            Some((_, sum)) => *sum += weight,
            None => weights.push((joint, weight)),
        }
    }
    let heavier = |a: &(JointId, f64), b: &(JointId, f64)| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0));
    weights.iter().copied().max_by(heavier).map_or(JointId(0), |(joint, _)| joint)
}
