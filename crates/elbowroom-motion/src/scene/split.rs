//! Which objects a file's rig is made of.
//!
//! Formats for artists put a whole shot into one tree of nodes, which is read as one rig. What people call an object is:
//! * a robot (a rig with joint variables, or with pairs that may touch): all of it;
//! * a skinned character: all skins whose joints are the same or hang on one another, and every mesh that hangs on one of these joints (hair, a sword);
//! * any other node with a mesh, by itself.

use std::collections::{BTreeMap, HashMap};

use crate::body::labels::is_robot;
use crate::body::{Hold, JointId, Rig};

/// Parts of a rig that are one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The name in the file; may be empty, and need not be unique.
    pub name: String,
    /// The parts, in order.
    pub parts: Vec<u32>,
    /// Whether it has a skin.
    pub is_skinned: bool,
}

/// The objects of a rig, in the order of their first parts.
pub fn groups(rig: &Rig) -> Vec<Group> {
    if rig.parts.is_empty() {
        return Vec::new();
    }
    if is_robot(rig) {
        let parts = (0..rig.parts.len() as u32).collect();
        return vec![Group { name: rig.name.clone(), parts, is_skinned: false }];
    }
    let tops = tops(rig);
    let mut sets = Sets::default();
    for part in &rig.parts {
        if let Hold::Skinned(skin) = &part.hold {
            let mut own = skin.joints().iter().filter_map(|joint| tops[joint.index()]);
            if let Some(first) = own.next() {
                own.for_each(|other| sets.join(first, other));
            }
        }
    }
    let mut found: Vec<Group> = Vec::new();
    let mut known: HashMap<(bool, usize), usize> = HashMap::new();
    for (index, part) in rig.parts.iter().enumerate() {
        let joint = match &part.hold {
            Hold::Rigid(joint) => *joint,
            Hold::Skinned(skin) => skin.joints().first().copied().unwrap_or(JointId(0)),
        };
        // A character is known by one of the joints at its top, a node by itself.
        let key = match tops[joint.index()] {
            Some(top) => (true, sets.find(top)),
            None => (false, joint.index()),
        };
        let group = *known.entry(key).or_insert_with(|| {
            let name = match key {
                (true, _) => character_name(rig, joint, &tops),
                (false, node) => rig.skeleton.joints()[node].name.clone(),
            };
            let name = if name.is_empty() { part.name.clone() } else { name };
            found.push(Group { name, parts: Vec::new(), is_skinned: key.0 });
            found.len() - 1
        });
        found[group].parts.push(index as u32);
    }
    found
}

/// For each joint, the highest joint of a skin that it is or hangs on.
fn tops(rig: &Rig) -> Vec<Option<usize>> {
    let mut is_bone = vec![false; rig.skeleton.len()];
    for part in &rig.parts {
        if let Hold::Skinned(skin) = &part.hold {
            skin.joints().iter().for_each(|joint| is_bone[joint.index()] = true);
        }
    }
    let mut tops = vec![None; rig.skeleton.len()];
    for JointId(joint) in rig.skeleton.parents_first() {
        let joint = joint as usize;
        let above = rig.skeleton.joints()[joint].parent.and_then(|parent| tops[parent.index()]);
        tops[joint] = above.or(is_bone[joint].then_some(joint));
    }
    tops
}

/// What holds the skeleton is what artists name; else its first part is.
fn character_name(rig: &Rig, joint: JointId, tops: &[Option<usize>]) -> String {
    let joints = rig.skeleton.joints();
    let top = tops[joint.index()].map_or(joint.index(), |top| top);
    let holder = joints[top].parent.map(|parent| &joints[parent.index()]);
    // The root of a file holds everything, and is named after nothing.
    holder.filter(|holder| holder.parent.is_some()).map(|h| h.name.clone()).unwrap_or_default()
}

/// Disjoint sets of joints, each known by its lowest; there are a handful at most.
#[derive(Default)]
struct Sets {
    parents: BTreeMap<usize, usize>,
}

impl Sets {
    fn find(&mut self, mut joint: usize) -> usize {
        while let Some(&parent) = self.parents.get(&joint) {
            // Paths are halved, or joints in falling order would take a square of time.
            let above = self.parents.get(&parent).copied();
            if let Some(above) = above {
                self.parents.insert(joint, above);
            }
            joint = above.unwrap_or(parent);
        }
        joint
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.parents.insert(a.max(b), a.min(b));
        }
    }
}
