//! Rigs out, as GLB: nodes, meshes, morphs, skins and clips, in one file that any viewer opens.
//!
//! Joint i is node i; behind the joints stand nodes for what needs one of its own: skinned parts,
//! which belong at the root (unless an empty root of their name is there, as in a rig that was read
//! from GLB), and rigid parts that share a joint. Numbers of meshes and clips are f32 by the
//! standard, so they are rounded once; the transforms of nodes are text and keep their f64.
//!
//! Source: Khronos, *glTF 2.0 Specification* (2021). What it asks and a rig does not: times are not
//! negative and rise (a clip that starts before 0 is shifted, the first of two keys at one time
//! moves down by the last bit), a joint moves a vertex once, the weights of a vertex add up to one
//! in f32, the joints of a skin have one root (else a node `root` is added).
//!
//! Invariants: the Khronos validator finds no error and no warning; the same rigs give the same
//! bytes.

use elbowroom_motion::body::{Hold, Joint, JointId, Local, Part, Rig, Skeleton};
use glam::{DQuat, DVec3};
use serde_json::{Map, Value, json};

use crate::document::{Axis, Document};
use crate::mesh_out::WriteError;

use bin::Bin;
use clips::animations;
use skins::Skins;

mod bin;
mod clips;
mod meshes;
mod skins;

/// Writes a document, in metres and with Y up as the standard wants them.
///
/// # Errors
/// As [`to_bytes`]; and where a length in metres is too large for a number.
pub fn document_to_bytes(document: &Document) -> Result<Vec<u8>, WriteError> {
    let document = document.clone().to_metres()?.turned(Axis::Y)?;
    to_bytes(&document.rigs)
}

/// Writes rigs into one scene; they are taken to be in metres with Y up.
///
/// # Errors
/// If a rig does not [`validate`](Rig::validate), a number does not fit f32, or the file would be
/// larger than 4 GiB; names the part or clip.
///
/// # Example
/// ```
/// use elbowroom::Mesh;
/// use elbowroom_motion::body::{Hold, Joint, JointId, Local, Part, Rig, Skeleton};
/// use elbowroom_io::{ReadOptions, glb_out, gltf};
/// use glam::DVec3;
///
/// let joint = Joint { name: "hip".into(), parent: None, rest: Local::IDENTITY };
/// let mut rig = Rig::new("one", Skeleton::new(vec![joint])?);
/// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
/// rig.parts.push(Part::new("skirt", mesh, Hold::Rigid(JointId(0))));
///
/// let bytes = glb_out::to_bytes(std::slice::from_ref(&rig))?;
/// let document = gltf::parse(&bytes, None, &ReadOptions::default())?;
/// assert_eq!(document.rigs[0].parts[0].mesh, rig.parts[0].mesh);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_bytes(rigs: &[Rig]) -> Result<Vec<u8>, WriteError> {
    let mut file = File::default();
    for rig in rigs {
        rig.validate().map_err(|error| WriteError(error.to_string()))?;
        file.add(rig)?;
    }
    file.finish(rigs)
}

/// A glTF that is being put together.
#[derive(Default)]
struct File {
    bin: Bin,
    nodes: Vec<Map<String, Value>>,
    /// The nodes that hang on nothing.
    roots: Vec<usize>,
    meshes: Vec<Value>,
    skins: Skins,
    animations: Vec<Value>,
}

impl File {
    fn add(&mut self, rig: &Rig) -> Result<(), WriteError> {
        let first = self.nodes.len();
        self.add_joints(&rig.skeleton);
        if rig.parts.iter().any(|part| many_roots(part, &rig.skeleton)) {
            self.add_root(&rig.skeleton, first);
        }
        let mirrored = crate::winding::mirrored(rig);
        let mut holders = Vec::new();
        for (index, part) in rig.parts.iter().enumerate() {
            let place = format!("part {index} {:?}", part.name);
            let mesh = self.meshes.len();
            self.meshes.push(meshes::mesh(part, mirrored[index], &mut self.bin, &place)?);
            holders.push(self.hold(rig, part, mesh, first)?);
        }
        let animations = animations(rig, first, &holders, &mut self.bin)?;
        self.animations.extend(animations);
        Ok(())
    }

    /// A node for each joint, and the roots of the scene.
    fn add_joints(&mut self, skeleton: &Skeleton) {
        let first = self.nodes.len();
        for joint in skeleton.joints() {
            let mut node = transform(&joint.rest);
            node.insert("name".to_owned(), json!(joint.name));
            self.nodes.push(node);
        }
        for (index, joint) in skeleton.joints().iter().enumerate() {
            match joint.parent {
                Some(parent) => self.hang(first + index, first + parent.index()),
                None => self.roots.push(first + index),
            }
        }
    }

    fn hang(&mut self, node: usize, parent: usize) {
        let children = self.nodes[parent].entry("children").or_insert_with(|| json!([]));
        if let Value::Array(children) = children {
            children.push(json!(node));
        }
    }

    /// One node that all roots of the skeleton hang on.
    fn add_root(&mut self, skeleton: &Skeleton, first: usize) {
        let root = self.nodes.len();
        self.nodes.push(named("root"));
        let own = skeleton.joints().iter().enumerate().filter(|(_, joint)| joint.parent.is_none());
        for (index, _) in own {
            self.hang(first + index, root);
        }
        self.roots.retain(|&node| node < first);
        self.roots.push(root);
    }

    /// Puts a mesh on a node of its own or, where it is the first of a joint, on the joint's; which
    /// one it was.
    fn hold(
        &mut self,
        rig: &Rig,
        part: &Part,
        mesh: usize,
        first: usize,
    ) -> Result<usize, WriteError> {
        let own = self.nodes.len();
        let node = match &part.hold {
            Hold::Rigid(joint) if !self.nodes[first + joint.index()].contains_key("mesh") => {
                first + joint.index()
            }
            Hold::Rigid(joint) => {
                self.nodes.push(named(&part.name));
                self.hang(own, first + joint.index());
                own
            }
            Hold::Skinned(skin) => {
                let joints = skin.joints();
                let skin = self.skins.add(skin, first, &mut self.bin, &rig.name)?;
                let node = self.vacant(rig, part, joints, first).unwrap_or(own);
                if node == own {
                    self.nodes.push(named(&part.name));
                    self.roots.push(own);
                }
                self.nodes[node].insert("skin".to_owned(), json!(skin));
                node
            }
        };
        self.nodes[node].insert("mesh".to_owned(), json!(mesh));
        Ok(node)
    }

    /// The node that a skinned part had in the file it came from: a root of its name that nothing
    /// else needs. Without it a file would get another node for each part whenever it is read
    /// and written.
    fn vacant(&self, rig: &Rig, part: &Part, skinned: &[JointId], first: usize) -> Option<usize> {
        let vacant = |&(index, joint): &(usize, &Joint)| {
            let node = &self.nodes[first + index];
            joint.name == part.name
                && joint.rest == Local::IDENTITY
                && !node.contains_key("mesh")
                && !node.contains_key("children")
                && !skinned.contains(&JointId(index as u32))
                && self.roots.contains(&(first + index))
        };
        let found = rig.skeleton.joints().iter().enumerate().find(vacant)?;
        Some(first + found.0)
    }

    fn finish(self, rigs: &[Rig]) -> Result<Vec<u8>, WriteError> {
        let mut root = Map::new();
        let generator = concat!("elbowroom ", env!("CARGO_PKG_VERSION"));
        root.insert("asset".to_owned(), json!({ "version": "2.0", "generator": generator }));
        let mut scene = Map::new();
        if let Some(rig) = rigs.first().filter(|rig| !rig.name.is_empty()) {
            scene.insert("name".to_owned(), json!(rig.name));
        }
        scene.extend(list("nodes", &self.roots));
        root.insert("scene".to_owned(), json!(0));
        root.insert("scenes".to_owned(), json!([scene]));
        root.extend(list("nodes", &self.nodes));
        root.extend(list("meshes", &self.meshes));
        root.extend(list("skins", self.skins.written()));
        root.extend(list("animations", &self.animations));
        self.bin.finish(root)
    }
}

/// A property, unless the list is empty: the standard has no empty lists.
fn list<T: serde::Serialize>(name: &str, values: &[T]) -> Option<(String, Value)> {
    (!values.is_empty()).then(|| (name.to_owned(), json!(values)))
}

fn named(name: &str) -> Map<String, Value> {
    let mut node = Map::new();
    node.insert("name".to_owned(), json!(name));
    node
}

/// The transform of a node, without what it has anyway.
fn transform(local: &Local) -> Map<String, Value> {
    let mut node = Map::new();
    if local.translation != DVec3::ZERO {
        node.insert("translation".to_owned(), json!(local.translation.to_array()));
    }
    let rotation = unit(local.rotation);
    if rotation != DQuat::IDENTITY {
        node.insert("rotation".to_owned(), json!(rotation.to_array()));
    }
    if local.scale != DVec3::ONE {
        node.insert("scale".to_owned(), json!(local.scale.to_array()));
    }
    node
}

/// A rotation at length one; one that names none turns nothing, as in [`Local`].
///
/// What is at length one as nearly as f32 can be stays as it is, so that a file that is read and
/// written again keeps its numbers.
fn unit(rotation: DQuat) -> DQuat {
    if (rotation.length_squared() - 1.0).abs() <= 4.0 * f64::from(f32::EPSILON) {
        return rotation;
    }
    let largest = rotation.to_array().into_iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    if largest > 0.0 && largest.is_finite() {
        (rotation / largest).normalize()
    } else {
        DQuat::IDENTITY
    }
}

/// Whether the joints of a part's skin hang on more than one root.
fn many_roots(part: &Part, skeleton: &Skeleton) -> bool {
    let Hold::Skinned(skin) = &part.hold else {
        return false;
    };
    let mut root = vec![JointId(0); skeleton.len()];
    for joint in skeleton.parents_first() {
        let parent = skeleton.joints()[joint.index()].parent;
        root[joint.index()] = parent.map_or(joint, |parent| root[parent.index()]);
    }
    let mut roots = skin.joints().iter().map(|joint| root[joint.index()]);
    let first = roots.next();
    roots.any(|other| Some(other) != first)
}
