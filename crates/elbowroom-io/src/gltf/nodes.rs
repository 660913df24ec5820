//! The node tree as joints, and which of its nodes the default scene shows.

use std::collections::BTreeSet;

use elbowroom_motion::body::{Joint, JointId, Local};
use glam::{DAffine3, DMat4, DQuat, DVec3};

use crate::error::Fault;
use crate::odd::{LEFT_OUT, Notes};
use crate::text::{counted, quote};

use super::accessor::{Accessors, Wanted};
use super::humanoid;
use super::schema::{InstanceAttributes, Node, Root, named};

/// Joints, one for each node of the file and then one for each further instance.
pub(super) struct Tree {
    /// What the scene is called.
    pub(super) name: String,
    pub(super) joints: Vec<Joint>,
    /// Whether the default scene holds the node.
    pub(super) shown: Vec<bool>,
}

impl Tree {
    pub(super) fn read(accessors: &Accessors<'_>, notes: &mut Notes) -> Result<Self, Fault> {
        let root = accessors.root;
        let parents = parents(root)?;
        let names = names(root);
        let mut joints = Vec::with_capacity(root.nodes.len());
        for (index, (node, name)) in root.nodes.iter().zip(names).enumerate() {
            let rest = rest(node).map_err(|why| {
                Fault::whole(format!("node {index} {}: {why}", quote(name.as_bytes())))
            })?;
            joints.push(Joint { name, parent: parents[index], rest });
        }
        let (name, mut shown) = shown(root, notes)?;
        hide(root, &mut shown, notes);
        humanoid::name_bones(root, &mut joints, notes);
        humanoid::note_movers(root, notes);
        Ok(Self { name, joints, shown })
    }

    /// Adds a joint for each instance of a node's mesh; their ids.
    pub(super) fn instances(
        &mut self,
        node: usize,
        attributes: &InstanceAttributes,
        accessors: &Accessors<'_>,
    ) -> Result<Vec<JointId>, Fault> {
        let read = |index: Option<usize>, wanted, what: &str| {
            let user = format!("{what} of the instances of node {node}");
            index.map(|index| accessors.read(index, wanted, &user)).transpose()
        };
        let translations = read(attributes.translation, Wanted::POINT, "translation")?;
        let rotations = read(attributes.rotation, Wanted::TURN, "rotation")?;
        let scales = read(attributes.scale, Wanted::POINT, "scale")?;
        let counts = [(&translations, 3), (&rotations, 4), (&scales, 3)]
            .map(|(values, width)| values.as_ref().map(|values| values.len() / width));
        let count = counts.iter().flatten().copied().max().unwrap_or(0);
        if counts.iter().flatten().any(|&other| other != count) {
            return Err(Fault::whole(format!(
                "the instances of node {node} have lists of different lengths; export the file again"
            )));
        }
        let vector = |values: &Option<Vec<f64>>, i: usize, default| {
            values.as_ref().map_or(default, |values| DVec3::from_slice(&values[3 * i..]))
        };
        let first = self.joints.len();
        accessors.spend(count.saturating_mul(size_of::<Joint>()))?;
        for i in 0..count {
            let rotation = rotations.as_ref().map(|values| DQuat::from_slice(&values[4 * i..]));
            let rest = Local {
                translation: vector(&translations, i, DVec3::ZERO),
                rotation: rotation.unwrap_or(DQuat::IDENTITY),
                scale: vector(&scales, i, DVec3::ONE),
            };
            let name = format!("{}[{i}]", self.joints[node].name);
            self.joints.push(Joint { name, parent: Some(JointId(node as u32)), rest });
        }
        Ok((first..self.joints.len()).map(|joint| JointId(joint as u32)).collect())
    }
}

/// The parent of each node; a node has one at most.
fn parents(root: &Root) -> Result<Vec<Option<JointId>>, Fault> {
    let mut parents = vec![None; root.nodes.len()];
    for (index, node) in root.nodes.iter().enumerate() {
        for &child in &node.children {
            let user = format!("node {index}");
            root.node(child, &user)?;
            if let Some(JointId(other)) = parents[child].replace(JointId(index as u32)) {
                return Err(Fault::whole(format!(
                    "node {child} is a child of node {other} and of node {index}; a node has one parent, so export the file again"
                )));
            }
        }
    }
    Ok(parents)
}

/// A name for every node: its own, else `node_7`, with underscores behind it while another node is
/// called so.
fn names(root: &Root) -> Vec<String> {
    let taken: std::collections::HashSet<&str> =
        root.nodes.iter().filter_map(|node| node.name.as_deref()).collect();
    let own = |(index, node): (usize, &Node)| {
        let given = node.name.clone().filter(|name| !name.is_empty());
        given.unwrap_or_else(|| {
            let mut name = format!("node_{index}");
            while taken.contains(name.as_str()) {
                name.push('_');
            }
            name
        })
    };
    root.nodes.iter().enumerate().map(own).collect()
}

/// Where a node stands relative to its parent.
fn rest(node: &Node) -> Result<Local, &'static str> {
    if let Some(matrix) = &node.matrix {
        let matrix = DMat4::from_cols_array(matrix);
        return Local::from_affine(DAffine3::from_mat4(matrix))
            .ok_or("its matrix is sheared, which no node of a glTF may be; apply its transform to its mesh");
    }
    let local = Local {
        translation: node.translation.map_or(DVec3::ZERO, DVec3::from_array),
        rotation: node.rotation.map_or(DQuat::IDENTITY, DQuat::from_array),
        scale: node.scale.map_or(DVec3::ONE, DVec3::from_array),
    };
    if local.rotation.length_squared() > 0.0 {
        Ok(local)
    } else {
        Err("its rotation is zero, which names no rotation; export the file again")
    }
}

/// The name of the default scene, and whether it holds each node. Without scenes, all are shown.
fn shown(root: &Root, notes: &mut Notes) -> Result<(String, Vec<bool>), Fault> {
    if root.scenes.is_empty() {
        return Ok((String::new(), vec![true; root.nodes.len()]));
    }
    let default = root.scene.unwrap_or(0);
    let scene = named(&root.scenes, default, ("scene", "scenes"), "the file")?;
    let name = scene.name.clone().unwrap_or_default();
    let mut shown = vec![false; root.nodes.len()];
    enter(root, default, &mut shown)?;
    if root.scenes.len() > 1 {
        let mut all = shown.clone();
        for other in 0..root.scenes.len() {
            // One that is broken shows nothing.
            let _ = enter(root, other, &mut all);
        }
        let missing = meshes(root, &all).difference(&meshes(root, &shown)).count();
        notes.add(|| {
            let scenes = counted(root.scenes.len(), "scene", "scenes");
            let name = quote(name.as_bytes());
            let read = format!(
                "the file has {scenes}; only the default one was read, scene {default} {name}"
            );
            if missing == 0 {
                return read;
            }
            let meshes = counted(missing, "mesh", "meshes");
            let are = if missing == 1 { "is" } else { "are" };
            format!("{read}; {meshes} of the others {are} {LEFT_OUT}")
        });
    }
    Ok((name, shown))
}

/// Takes out what is hidden (`KHR_node_visibility`), and says how many meshes that are.
fn hide(root: &Root, shown: &mut [bool], notes: &mut Notes) {
    let mut hidden = vec![false; root.nodes.len()];
    let first = root.nodes.iter().enumerate().filter(|(_, node)| node.is_hidden());
    let mut open: Vec<usize> = first.map(|(index, _)| index).collect();
    while let Some(index) = open.pop() {
        if !std::mem::replace(&mut hidden[index], true) {
            // The parents of all nodes were checked, so that their children exist.
            open.extend(&root.nodes[index].children);
        }
    }
    let mut meshes = 0;
    for (index, shown) in shown.iter_mut().enumerate() {
        meshes += usize::from(*shown && hidden[index] && root.nodes[index].mesh.is_some());
        *shown &= !hidden[index];
    }
    if meshes > 0 {
        notes.add(|| {
            let nodes = counted(meshes, "node with a mesh is", "nodes with meshes are");
            format!("{nodes} hidden (KHR_node_visibility) and not compared")
        });
    }
}

/// Marks all nodes of a scene.
fn enter(root: &Root, scene: usize, shown: &mut [bool]) -> Result<(), Fault> {
    let mut open = root.scenes[scene].nodes.clone();
    while let Some(index) = open.pop() {
        let node = root.node(index, &format!("scene {scene}"))?;
        // A node is entered once, so that a cycle ends here and is told by the skeleton.
        if !std::mem::replace(&mut shown[index], true) {
            open.extend(&node.children);
        }
    }
    Ok(())
}

/// The meshes of some nodes.
fn meshes(root: &Root, nodes: &[bool]) -> BTreeSet<usize> {
    let meant = root.nodes.iter().zip(nodes).filter(|&(_, &is_meant)| is_meant);
    meant.filter_map(|(node, _)| node.mesh).collect()
}
