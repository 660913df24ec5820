//! The bones of an avatar (VRM): which node is which bone of a person.
//!
//! Source: the specifications of VRM 0 (`VRM`) and VRM 1 (`VRMC_vrm`). The nodes of avatars have
//! any names; the joints here are called after the bones, `leftUpperArm`, so that parts and motion
//! of other skeletons find them.

use std::collections::HashSet;

use elbowroom_motion::body::Joint;
use serde_json::Value;

use crate::odd::Notes;
use crate::text::counted;

use super::schema::{Node, Root};

/// Calls the joints of an avatar after its bones. Names that another node has stay its own.
pub(super) fn name_bones(root: &Root, joints: &mut [Joint], notes: &mut Notes) {
    let Some(extensions) = &root.extensions else { return };
    let bones = bones(extensions);
    let mut taken: HashSet<String> = joints.iter().map(|joint| joint.name.clone()).collect();
    let mut named = 0;
    for (bone, node) in bones {
        let Some(joint) = joints.get_mut(node) else { continue };
        if joint.name == bone || taken.insert(bone.to_owned()) {
            bone.clone_into(&mut joint.name);
            named += 1;
        }
    }
    if named > 0 {
        notes.add(|| {
            let joints = counted(named, "joint is", "joints are");
            format!("an avatar (VRM): {joints} called after the bones of a person")
        });
    }
}

/// The bones and their nodes.
fn bones(extensions: &Value) -> Vec<(&str, usize)> {
    let node = |of: &Value| usize::try_from(of.get("node")?.as_u64()?).ok();
    let humanoid = |name: &str| extensions.get(name)?.get("humanoid")?.get("humanBones");
    match (humanoid("VRMC_vrm"), humanoid("VRM")) {
        (Some(Value::Object(bones)), _) => {
            bones.iter().filter_map(|(bone, of)| Some((bone.as_str(), node(of)?))).collect()
        }
        (_, Some(Value::Array(bones))) => {
            bones.iter().filter_map(|of| Some((of.get("bone")?.as_str()?, node(of)?))).collect()
        }
        _ => Vec::new(),
    }
}

/// Extensions that move nodes while an avatar plays: what they do is not in the file.
const MOVERS: [(&str, &str); 3] = [
    ("VRMC_springBone", "hair and clothes on springs"),
    ("VRMC_node_constraint", "nodes that follow others"),
    ("secondaryAnimation", "hair and clothes on springs"),
];

/// Says what moves an avatar and is not played.
pub(super) fn note_movers(root: &Root, notes: &mut Notes) {
    let Some(extensions) = &root.extensions else { return };
    let old = extensions.get("VRM");
    let springs = |of: &Value| {
        let groups = of.get("boneGroups").or_else(|| of.get("springs"));
        groups.and_then(Value::as_array).is_some_and(|groups| !groups.is_empty())
    };
    for (name, what) in MOVERS {
        let found = extensions.get(name).or_else(|| old?.get(name));
        let is_on_node = root.nodes.iter().any(Node::is_constrained);
        let moves =
            if name == "VRMC_node_constraint" { is_on_node } else { found.is_some_and(springs) };
        if moves {
            notes.add(|| format!("{what} ({name}) are assumed to stay as the pose has them"));
        }
    }
}
