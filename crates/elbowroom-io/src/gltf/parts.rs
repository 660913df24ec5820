//! The meshes that the nodes of the scene hold, as parts of the rig.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use elbowroom_motion::body::{Hold, JointId, Part};

use crate::error::Fault;
use crate::odd::{LEFT_OUT, Notes};

use super::accessor::Accessors;
use super::nodes::Tree;
use super::primitives::{Shape, shapes};
use super::schema::{Node, named};
use super::weights::part_place;

/// All parts, and which of them a node holds.
pub(super) struct Parts {
    pub(super) parts: Vec<Part>,
    /// The range of parts of each node that has any.
    of_node: HashMap<usize, std::ops::Range<usize>>,
}

impl Parts {
    pub(super) fn read(
        accessors: &Accessors<'_>,
        tree: &mut Tree,
        notes: &mut Notes,
    ) -> Result<Self, Fault> {
        let root = accessors.root;
        let mut found = Self { parts: Vec::new(), of_node: HashMap::new() };
        // A mesh is decoded once for all nodes that hold it.
        let mut decoded: HashMap<(usize, bool), Vec<Shape>> = HashMap::new();
        for (index, node) in root.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh.filter(|_| tree.shown[index]) else {
                continue;
            };
            let place = part_place(index, &tree.joints[index].name);
            named(&root.meshes, mesh, ("mesh", "meshes"), &place)?;
            let key = (mesh, node.skin.is_some());
            let shapes = match decoded.entry(key) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(free) => free.insert(shapes(mesh, key.1, accessors, notes)?),
            };
            let first = found.parts.len();
            found.hold(index, shapes, accessors, tree, notes)?;
            found.of_node.insert(index, first..found.parts.len());
        }
        Ok(found)
    }

    /// The parts that a node holds.
    pub(super) fn of_node(&self, node: usize) -> std::ops::Range<usize> {
        self.of_node.get(&node).cloned().unwrap_or(0..0)
    }

    fn hold(
        &mut self,
        index: usize,
        shapes: &[Shape],
        accessors: &Accessors<'_>,
        tree: &mut Tree,
        notes: &mut Notes,
    ) -> Result<(), Fault> {
        let node = &accessors.root.nodes[index];
        let place = part_place(index, &tree.joints[index].name);
        let instancing = node.extensions.as_ref().and_then(|all| all.instancing.as_ref());
        let holders = match instancing {
            Some(instancing) if node.skin.is_none() => {
                tree.instances(index, &instancing.attributes, accessors)?
            }
            _ => vec![JointId(index as u32)],
        };
        if instancing.is_some() && node.skin.is_some() {
            notes.add(|| {
                format!("{place} is skinned and instanced (EXT_mesh_gpu_instancing): its other instances are {LEFT_OUT}")
            });
        }
        for shape in shapes {
            for &holder in &holders {
                accessors.spend(shape.bytes())?;
                let hold = match (&shape.weights, node.skin) {
                    (Some(weights), Some(skin)) => {
                        Hold::Skinned(weights.skin(skin, accessors, &place, notes)?)
                    }
                    _ => Hold::Rigid(holder),
                };
                if node.skin.is_some() && shape.weights.is_none() {
                    notes.add(|| {
                        format!(
                            "{place} has a skin but its mesh has no weights; it was held rigidly"
                        )
                    });
                }
                let name = tree.joints[holder.index()].name.clone();
                let mut part = Part::new(name, shape.mesh.clone(), hold);
                part.morphs.clone_from(&shape.morphs);
                part.morph_weights = morph_weights(node, shape, accessors, &place)?;
                self.parts.push(part);
            }
        }
        Ok(())
    }
}

/// How far the morphs are in at rest: as the node says, else its mesh, else not at all.
fn morph_weights(
    node: &Node,
    shape: &Shape,
    accessors: &Accessors<'_>,
    place: &str,
) -> Result<Vec<f64>, Fault> {
    let of_mesh = || node.mesh.and_then(|mesh| accessors.root.meshes[mesh].weights.as_ref());
    let count = shape.morphs.len();
    match node.weights.as_ref().or_else(of_mesh) {
        Some(weights) if weights.len() == count => Ok(weights.clone()),
        Some(weights) if count > 0 => Err(Fault::whole(format!(
            "{place} has {} morph weights for {count} morph targets; export the file again",
            weights.len()
        ))),
        _ => Ok(vec![0.0; count]),
    }
}
