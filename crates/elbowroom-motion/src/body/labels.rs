//! Which part of a body a triangle belongs to.
//!
//! What hangs on one joint belongs to that joint. A triangle of a skin belongs to the joint that
//! has the most weight over its three corners; of equals, to the one that comes first in the
//! skeleton.
//!
//! Of a robot, a part is a link: everything that hangs on one joint. Of any other rig, a part is a
//! joint of one mesh: shirt and body are two parts on the same joint. Parts are called as their
//! joints, for that is what those who made the rig know; where several skins share the joints, by
//! mesh and joint: `shirt/LeftArm`. No two parts have one name.

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
    /// Of a label for each triangle.
    pub(crate) fn of_all(labels: Vec<u32>) -> Self {
        match labels.first() {
            Some(&first) if labels.iter().all(|&label| label == first) => Self::One(first),
            _ => Self::Each(labels.into()),
        }
    }

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
    list: Vec<String>,
    places: HashMap<String, u32>,
    /// The next number to try behind a name that is taken.
    next: HashMap<String, u32>,
}

impl Names {
    /// The place of a name, which is new or known.
    pub(crate) fn place(&mut self, name: &str) -> u32 {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let place = self.list.len() as u32;
        self.list.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        place
    }

    /// Whether there is such a name.
    fn has(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// A new place for a name, which gets a number behind it if it is taken: `hand`, `hand (2)`.
    fn add(&mut self, name: &str) -> u32 {
        let mut free = name.to_owned();
        while self.has(&free) {
            let number = self.next.entry(name.to_owned()).or_insert(2);
            free = format!("{name} ({number})");
            *number += 1;
        }
        self.place(&free)
    }

    pub(crate) fn into_vec(self) -> Vec<String> {
        self.list
    }
}

/// The parts of a rig's meshes.
#[derive(Debug)]
pub(crate) struct RigLabels {
    /// By mesh, in the order given.
    pub(crate) labels: Vec<Labels>,
    /// The names of the parts.
    pub(crate) names: Vec<String>,
    /// The names of their joints, which several parts may share.
    pub(crate) joints: Vec<String>,
    /// The part of a joint, for a robot.
    pub(crate) of_joint: HashMap<u32, u32>,
}

/// Whether a rig is a robot: it has joint variables, or says which of its joints may touch.
pub(crate) fn is_robot(rig: &Rig) -> bool {
    !rig.freedoms.is_empty() || !rig.allowed.is_empty()
}

/// Labels for the meshes of a rig, in the order given.
pub(crate) fn of_rig(rig: &Rig, meshes: &[u32]) -> RigLabels {
    let mut naming = Naming::new(rig, meshes);
    let labels = meshes.iter().enumerate().map(|(place, &mesh)| {
        let part = &rig.parts[mesh as usize];
        match &part.hold {
            Hold::Rigid(joint) => Labels::One(naming.part(place, *joint)),
            Hold::Skinned(_) => of_skin(part, |joint| naming.part(place, joint)),
        }
    });
    let labels = labels.collect();
    let of_joint = naming.known.into_iter().map(|((_, joint), part)| (joint, part));
    let of_joint = if naming.is_robot { of_joint.collect() } else { HashMap::new() };
    RigLabels { labels, names: naming.names.into_vec(), joints: naming.joints, of_joint }
}

/// Finds a name for each part.
struct Naming<'a> {
    rig: &'a Rig,
    is_robot: bool,
    /// What each mesh is called, unlike the others; and whether the file says so.
    meshes: Vec<(String, bool)>,
    /// Whether several skins share the joints.
    has_skins: bool,
    known: HashMap<(usize, u32), u32>,
    names: Names,
    joints: Vec<String>,
}

impl<'a> Naming<'a> {
    fn new(rig: &'a Rig, meshes: &[u32]) -> Self {
        let parts = meshes.iter().map(|&mesh| &rig.parts[mesh as usize]);
        let skins = parts.clone().filter(|part| matches!(part.hold, Hold::Skinned(_))).count();
        let mut known = Names::default();
        let mut has_name = Vec::with_capacity(meshes.len());
        for (place, part) in parts.enumerate() {
            let is_named = !part.name.is_empty();
            let numbered = format!("mesh {place}");
            known.add(if is_named { &part.name } else { &numbered });
            has_name.push(is_named);
        }
        Self {
            rig,
            is_robot: is_robot(rig),
            meshes: known.into_vec().into_iter().zip(has_name).collect(),
            has_skins: skins > 1,
            known: HashMap::new(),
            names: Names::default(),
            joints: Vec::new(),
        }
    }

    /// The part of a joint of a mesh.
    fn part(&mut self, mesh: usize, joint: JointId) -> u32 {
        let key = (if self.is_robot { 0 } else { mesh }, joint.0);
        if let Some(&part) = self.known.get(&key) {
            return part;
        }
        let (own, is_named) = &self.meshes[mesh];
        let name = &self.rig.skeleton.joints()[joint.index()].name;
        let joint_name = match (name.is_empty(), is_named) {
            (false, _) => name.clone(),
            (true, true) if !self.has_skins => own.clone(),
            (true, _) => format!("joint {}", joint.0),
        };
        let is_taken = self.names.has(&joint_name) && !self.is_robot;
        let part = if (self.has_skins && *own != joint_name) || is_taken {
            self.names.add(&format!("{own}/{joint_name}"))
        } else {
            self.names.add(&joint_name)
        };
        self.joints.push(joint_name);
        self.known.insert(key, part);
        part
    }
}

/// For each triangle of a part, the joint whose region of the body it belongs to: the one that the
/// part hangs on, or that has the most weight over its corners.
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

fn of_skin(part: &Part, mut label: impl FnMut(JointId) -> u32) -> Labels {
    Labels::of_all(joints_of_triangles(part).into_iter().map(&mut label).collect())
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
