//! Which objects a file's rig is made of.
//!
//! Formats for artists put a whole shot into one tree of nodes, which is read as one rig. What
//! people call an object is:
//! * a robot (a rig with joint variables, or with pairs that may touch): all of it;
//! * a skinned character: all skins whose joints are the same or hang on one another, and every
//!   mesh that hangs on one of these joints (hair, a sword);
//! * any other node with a mesh, by itself.
//!
//! Joints that are the same or hang on one another may still move several characters: a rider whose
//! hips hang on the horse, two people or animals whose skins list all bones of one armature. Skins
//! that weigh on a joint in common are one body, unless that joint is a root that they share and
//! each is a body without it. Bodies with the limbs of a person, by the names of their joints, are
//! characters of their own, and so are bodies of [`BODY`] joints or more that hang on no other. All
//! else belongs to the body it hangs on: eyes, a ponytail, a cape, an arm. Where no body is a
//! person's and a rigid part holds them together, nothing tells two animals from the hands of one
//! robot: the character stays whole, and [`Group::loose`] says so.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::body::labels::is_robot;
use crate::body::retarget::has_limbs;
use crate::body::{Hold, JointId, Rig, Skin};

/// The joints of the simplest skin that carries a person: four limbs of two joints each.
const BODY: usize = 8;

/// Parts of a rig that are one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The name in the file; may be empty, and need not be unique.
    pub name: String,
    /// The parts, in order.
    pub parts: Vec<u32>,
    /// Whether it has a skin.
    pub is_skinned: bool,
    /// Whether its skeleton is that of another group as well, or hangs on it.
    pub shares_skeleton: bool,
    /// Skins in it that may be several characters: they follow no joint in common, and a rigid part
    /// holds them together.
    pub loose: Vec<String>,
}

/// The objects of a rig, in the order of their first parts.
pub fn groups(rig: &Rig) -> Vec<Group> {
    if rig.parts.is_empty() {
        return Vec::new();
    }
    if is_robot(rig) {
        let parts = (0..rig.parts.len() as u32).collect();
        let name = rig.name.clone();
        return vec![Group {
            name,
            parts,
            is_skinned: false,
            shares_skeleton: false,
            loose: Vec::new(),
        }];
    }
    let tops = tops(rig);
    let mut sets = Sets::default();
    for skin in skins(rig) {
        let mut own = skin.joints().iter().filter_map(|joint| tops[joint.index()]);
        if let Some(first) = own.next() {
            own.for_each(|other| sets.join(first, other));
        }
    }
    let bodies = Bodies::of(rig, |joint| tops[joint].map(|top| sets.find(top)));
    let mut found: Vec<Group> = Vec::new();
    let mut known: HashMap<(bool, usize, Option<usize>), usize> = HashMap::new();
    for (index, part) in rig.parts.iter().enumerate() {
        let joint = match &part.hold {
            Hold::Rigid(joint) => *joint,
            Hold::Skinned(skin) => skin.joints().first().copied().unwrap_or(JointId(0)),
        };
        // A character is known by one of the joints at its top, and by its body if there are
        // several; a node by itself.
        let key = match tops[joint.index()] {
            Some(top) => {
                let character = sets.find(top);
                (true, character, bodies.of_part(&part.hold, character))
            }
            None => (false, joint.index(), None),
        };
        let group = *known.entry(key).or_insert_with(|| {
            let name = match key {
                (true, _, None) => character_name(rig, joint, &tops),
                (true, _, Some(_)) => part.name.clone(),
                (false, node, _) => rig.skeleton.joints()[node].name.clone(),
            };
            let name = if name.is_empty() { part.name.clone() } else { name };
            let shares_skeleton = key.2.is_some();
            let (parts, loose) = (Vec::new(), Vec::new());
            found.push(Group { name, parts, is_skinned: key.0, shares_skeleton, loose });
            found.len() - 1
        });
        found[group].parts.push(index as u32);
    }
    for group in found.iter_mut().filter(|group| group.is_skinned && !group.shares_skeleton) {
        group.loose = bodies.loose(rig, &group.parts);
    }
    found
}

fn skins(rig: &Rig) -> impl Iterator<Item = &Skin> {
    rig.parts.iter().filter_map(|part| match &part.hold {
        Hold::Skinned(skin) => Some(skin),
        Hold::Rigid(_) => None,
    })
}

/// For each joint, the highest joint of a skin that it is or hangs on.
fn tops(rig: &Rig) -> Vec<Option<usize>> {
    let mut is_bone = vec![false; rig.skeleton.len()];
    for skin in skins(rig) {
        skin.joints().iter().for_each(|joint| is_bone[joint.index()] = true);
    }
    let mut tops = vec![None; rig.skeleton.len()];
    for JointId(joint) in rig.skeleton.parents_first() {
        let joint = joint as usize;
        let above = rig.skeleton.joints()[joint].parent.and_then(|parent| tops[parent.index()]);
        tops[joint] = above.or(is_bone[joint].then_some(joint));
    }
    tops
}

/// Skins that are a person each, though their joints hang together.
struct Bodies {
    /// By joint, the body whose skins weigh on it, or on the nearest joint above that has one.
    of_joint: Vec<Option<usize>>,
    /// Joints that skins of several bodies weigh on; they are of none.
    roots: BTreeSet<usize>,
    /// By the first joint of a character.
    of_character: BTreeMap<usize, Company>,
}

/// The bodies of what hangs together.
#[derive(Default)]
struct Company {
    bodies: BTreeSet<usize>,
    /// Whether one of them is a person.
    has_person: bool,
    /// Whether a rigid part hangs on none of them, and holds them together.
    is_held: bool,
}

impl Company {
    /// Whether the bodies are characters of their own.
    fn is_several(&self) -> bool {
        self.bodies.len() > 1 && (self.has_person || !self.is_held)
    }
}

impl Bodies {
    fn of(rig: &Rig, mut character: impl FnMut(usize) -> Option<usize>) -> Self {
        let joints = rig.skeleton.joints();
        let names = |cluster: &BTreeSet<usize>| {
            has_limbs(cluster.iter().map(|&joint| joints[joint].name.as_str()))
        };
        let mut weighed: Vec<BTreeSet<usize>> = skins(rig).map(weighed).collect();
        let roots = shared_roots(rig, &weighed, &names);
        for joints in &mut weighed {
            joints.retain(|joint| !roots.contains(joint));
        }
        let (mut sets, clusters) = clusters(&weighed);
        let persons: BTreeSet<usize> =
            clusters.iter().filter(|(_, joints)| names(joints)).map(|(&set, _)| set).collect();
        let all: BTreeSet<usize> = clusters.values().flatten().copied().collect();
        let mut of_joint = vec![None; joints.len()];
        let mut of_character: BTreeMap<usize, Company> = BTreeMap::new();
        for JointId(joint) in rig.skeleton.parents_first() {
            let joint = joint as usize;
            let above = joints[joint].parent.and_then(|parent| of_joint[parent.index()]);
            let own = all.contains(&joint).then(|| sets.find(joint));
            let own = own.filter(|set| {
                persons.contains(set) || (above.is_none() && clusters[set].len() >= BODY)
            });
            of_joint[joint] = own.or(above);
            if let (Some(body), Some(character)) = (own, character(joint)) {
                let company = of_character.entry(character).or_default();
                company.bodies.insert(body);
                company.has_person |= persons.contains(&body);
            }
        }
        for part in &rig.parts {
            let Hold::Rigid(joint) = &part.hold else { continue };
            if let (None, Some(character)) = (of_joint[joint.index()], character(joint.index())) {
                of_character.entry(character).or_default().is_held = true;
            }
        }
        Self { of_joint, roots, of_character }
    }

    /// Which body of a character a part belongs to; `None` where the character is one.
    fn of_part(&self, hold: &Hold, character: usize) -> Option<usize> {
        let company = self.of_character.get(&character).filter(|company| company.is_several())?;
        self.on(hold).or(company.bodies.first().copied())
    }

    /// The body that a part is, or hangs on.
    fn on(&self, hold: &Hold) -> Option<usize> {
        let joint = match hold {
            Hold::Rigid(joint) => Some(joint.index()),
            Hold::Skinned(skin) => {
                weighed(skin).into_iter().find(|joint| !self.roots.contains(joint))
            }
        };
        joint.and_then(|joint| self.of_joint[joint])
    }

    /// The first skin of each body among the parts of one character, if there are several.
    fn loose(&self, rig: &Rig, parts: &[u32]) -> Vec<String> {
        let mut first: BTreeMap<usize, &str> = BTreeMap::new();
        for part in parts.iter().map(|&part| &rig.parts[part as usize]) {
            if let (Some(body), Hold::Skinned(_)) = (self.on(&part.hold), &part.hold) {
                first.entry(body).or_insert(&part.name);
            }
        }
        if first.len() < 2 { Vec::new() } else { first.into_values().map(str::to_owned).collect() }
    }
}

/// Sets of joints that the same skins weigh on, each under the lowest of them.
fn clusters(weighed: &[BTreeSet<usize>]) -> (Sets, BTreeMap<usize, BTreeSet<usize>>) {
    let mut sets = Sets::default();
    for joints in weighed {
        let first = joints.first().copied().unwrap_or(0);
        for &joint in joints {
            sets.join(first, joint);
        }
    }
    let mut clusters: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for &joint in weighed.iter().flatten() {
        clusters.entry(sets.find(joint)).or_default().insert(joint);
    }
    (sets, clusters)
}

/// Joints that skins of several bodies weigh on: the topmost of its cluster, without which the
/// cluster falls apart into several bodies. The shirt and the trousers of one person are none.
fn shared_roots(
    rig: &Rig,
    weighed: &[BTreeSet<usize>],
    is_person: &dyn Fn(&BTreeSet<usize>) -> bool,
) -> BTreeSet<usize> {
    let (mut sets, all) = clusters(weighed);
    let mut tops: BTreeMap<usize, usize> = BTreeMap::new();
    for JointId(joint) in rig.skeleton.parents_first() {
        let joint = joint as usize;
        let set = sets.find(joint);
        if all.get(&set).is_some_and(|cluster| cluster.contains(&joint)) {
            tops.entry(set).or_insert(joint);
        }
    }
    let mut without: Vec<BTreeSet<usize>> = weighed.to_vec();
    for joints in &mut without {
        if let Some(top) = joints.first().and_then(|&first| tops.get(&sets.find(first))) {
            joints.remove(top);
        }
    }
    // By cluster: how many bodies it falls into, and how many of these are persons.
    let mut pieces: BTreeMap<usize, [usize; 2]> = BTreeMap::new();
    for piece in clusters(&without).1.values() {
        let Some(&first) = piece.first() else { continue };
        let [bodies, persons] = pieces.entry(sets.find(first)).or_default();
        let has_limbs = is_person(piece);
        *bodies += usize::from(has_limbs || piece.len() >= BODY);
        *persons += usize::from(has_limbs);
    }
    let is_several = |set: &usize, [bodies, persons]: [usize; 2]| {
        persons > 1 || (bodies > 1 && (persons > 0 || !is_person(&all[set])))
    };
    let several = pieces.into_iter().filter(|(set, counts)| is_several(set, *counts));
    several.filter_map(|(set, _)| tops.get(&set).copied()).collect()
}

/// The joints on which a vertex of the skin weighs.
fn weighed(skin: &Skin) -> BTreeSet<usize> {
    let all = (0..skin.vertices_len() as u32).flat_map(|vertex| skin.influences(vertex));
    let heavy = all.filter(|influence| influence.weight > 0.0);
    heavy.map(|influence| skin.joints()[influence.joint as usize].index()).collect()
}

/// What holds the skeleton is what artists name; else its first part is.
fn character_name(rig: &Rig, joint: JointId, tops: &[Option<usize>]) -> String {
    let joints = rig.skeleton.joints();
    let top = tops[joint.index()].map_or(joint.index(), |top| top);
    let holder = joints[top].parent.map(|parent| &joints[parent.index()]);
    // The root of a file holds everything, and is named after nothing.
    holder.filter(|holder| holder.parent.is_some()).map(|h| h.name.clone()).unwrap_or_default()
}

/// Disjoint sets of joints, each known by its lowest.
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
