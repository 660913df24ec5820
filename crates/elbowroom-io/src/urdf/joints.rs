//! Joints: where a link stands in its parent, and how it moves.

use std::collections::HashMap;

use elbowroom_motion::body::{Freedom, FreedomKind, JointId, Local, Mimic, Rig};
use glam::DVec3;
use roxmltree::Node;

use super::Kind;
use crate::error::Fault;
use crate::limits::MIMIC_NESTING;
use crate::robot::about;
use crate::text::{counted, quote};
use crate::xml;

pub(super) struct UrdfJoint {
    name: String,
    kind: Kind,
    pub(super) parent: usize,
    pub(super) child: usize,
    pub(super) origin: Local,
    axis: DVec3,
    range: Option<(f64, f64)>,
    mimic: Option<(String, f64, f64)>,
    place: usize,
}

pub(super) fn read(
    robot: Node<'_, '_>,
    links: &HashMap<String, usize>,
) -> Result<Vec<UrdfJoint>, Fault> {
    let mut parent_of = HashMap::new();
    let mut joints = Vec::new();
    for node in xml::children(robot, "joint") {
        let joint = joint(node, links)?;
        if let Some(other) = parent_of.insert(joint.child, joint.name.clone()) {
            let message = format!(
                "the child of joint {:?} is the child of {other:?} already; a link hangs on one joint",
                joint.name
            );
            return Err(Fault::at(xml::place(node), message));
        }
        joints.push(joint);
    }
    Ok(joints)
}

fn joint(node: Node<'_, '_>, links: &HashMap<String, usize>) -> Result<UrdfJoint, Fault> {
    let place = xml::place(node);
    let name = xml::required(node, "name")?.to_owned();
    let link = |tag: &'static str| {
        let element = xml::child(node, tag)
            .ok_or_else(|| Fault::at(place, format!("joint {name:?} has no <{tag}>")))?;
        let link = xml::required(element, "link")?;
        links.get(link).copied().ok_or_else(|| {
            Fault::at(
                xml::place(element),
                format!("joint {name:?} names the link {link:?}, which does not exist"),
            )
        })
    };
    let (parent, child) = (link("parent")?, link("child")?);
    let kind = match xml::required(node, "type")? {
        "fixed" => Kind::Fixed,
        "revolute" | "continuous" => Kind::One(FreedomKind::Hinge),
        "prismatic" => Kind::One(FreedomKind::Slide),
        "floating" => Kind::One(FreedomKind::Free),
        "planar" => Kind::Planar,
        other => {
            let message = format!(
                "joint type {} is none of fixed, revolute, continuous, prismatic, floating and planar",
                quote(other.as_bytes())
            );
            return Err(Fault::at(place, message));
        }
    };
    let axis = match xml::child(node, "axis") {
        Some(axis) => xml::exactly::<3>(axis, "xyz")?.map_or(DVec3::X, DVec3::from_array),
        None => DVec3::X,
    };
    // A fixed joint has no use for its axis, and many write 0 0 0.
    let axis = match (axis.try_normalize(), kind) {
        (Some(axis), _) => axis,
        (None, Kind::Fixed | Kind::One(FreedomKind::Free)) => DVec3::X,
        (None, _) => {
            return Err(Fault::at(place, format!("the axis of joint {name:?} has no direction")));
        }
    };
    let limited =
        matches!(kind, Kind::One(FreedomKind::Slide)) || node.attribute("type") == Some("revolute");
    let range = match xml::child(node, "limit").filter(|_| limited) {
        Some(limit) => {
            let (low, high) = (
                xml::number(limit, "lower")?.unwrap_or(0.0),
                xml::number(limit, "upper")?.unwrap_or(0.0),
            );
            if low > high {
                return Err(Fault::at(
                    xml::place(limit),
                    format!("the range of joint {name:?} ends before it begins"),
                ));
            }
            Some((low, high))
        }
        None => None,
    };
    let mimic = match xml::child(node, "mimic") {
        Some(mimic) => {
            let factor = xml::number(mimic, "multiplier")?.unwrap_or(1.0);
            let offset = xml::number(mimic, "offset")?.unwrap_or(0.0);
            Some((xml::required(mimic, "joint")?.to_owned(), factor, offset))
        }
        None => None,
    };
    let origin = origin(node)?;
    Ok(UrdfJoint { name, kind, parent, child, origin, axis, range, mimic, place })
}

/// Moves joints that follow others at an offset to their place while these are at 0, and counts
/// their values from there. Returns a note with their number.
pub(super) fn rest_followers(joints: &mut [UrdfJoint]) -> Option<String> {
    let names = joints.iter().enumerate().map(|(index, joint)| (joint.name.clone(), index));
    let index_of: HashMap<String, usize> = names.collect();
    let rests: Vec<f64> = (0..joints.len()).map(|at| rest_value(joints, &index_of, at)).collect();
    let mut moved = 0;
    for (joint, &value) in joints.iter_mut().zip(&rests) {
        if let Some((.., offset)) = &mut joint.mimic {
            *offset = 0.0;
        }
        let Local { translation, rotation, .. } = joint.origin;
        joint.origin = match joint.kind {
            _ if value == 0.0 => continue,
            Kind::One(FreedomKind::Hinge) => Local::from_rotation_translation(
                (rotation * about(joint.axis, value)).normalize(),
                translation,
            ),
            Kind::One(FreedomKind::Slide) => Local::from_rotation_translation(
                rotation,
                translation + rotation * (joint.axis * value),
            ),
            _ => continue,
        };
        joint.range = joint.range.map(|(low, high)| (low - value, high - value));
        moved += 1;
    }
    (moved > 0).then(|| {
        let joints = counted(moved, "joint follows", "joints follow");
        format!("{joints} another at an offset, and at rest stands there; its value is counted from there")
    })
}

/// The value of a joint while those that it follows are at 0; 0 for one that follows itself, which
/// is refused later.
fn rest_value(joints: &[UrdfJoint], index_of: &HashMap<String, usize>, joint: usize) -> f64 {
    let (mut at, mut share, mut value) = (joint, 1.0, 0.0);
    for _ in 0..=MIMIC_NESTING {
        let Some((of, factor, offset)) = &joints[at].mimic else { return value };
        value += share * offset;
        share *= factor;
        match index_of.get(of) {
            Some(&next) => at = next,
            None => return 0.0,
        }
    }
    0.0
}

/// A sentence on joints whose limits exclude the value at which they rest.
fn beyond_limits(rig: &Rig) -> Option<String> {
    let is_beyond = |freedom: &&Freedom| {
        freedom.mimic.is_none()
            && freedom.range.is_some_and(|(low, high)| !(low..=high).contains(&0.0))
    };
    let beyond: Vec<&Freedom> = rig.freedoms.iter().filter(is_beyond).collect();
    let first = beyond.first()?;
    let (low, high) = first.range?;
    let joints = counted(beyond.len(), "joint rests", "joints rest");
    Some(format!(
        "{joints} outside of the limits, the first is {:?}: its value is 0 and its limits are {low} to {high}; \
         give `values` in a scene file",
        first.name
    ))
}

/// The `<origin xyz rpy>` of an element; `None` if it has none.
pub(super) fn origin(node: Node<'_, '_>) -> Result<Local, Fault> {
    let Some(origin) = xml::child(node, "origin") else { return Ok(Local::IDENTITY) };
    let translation = xml::exactly::<3>(origin, "xyz")?.map_or(DVec3::ZERO, DVec3::from_array);
    let [roll, pitch, yaw] = xml::exactly::<3>(origin, "rpy")?.unwrap_or_default();
    // About the standing axes x, y, z, one after the other.
    let rotation = about(DVec3::Z, yaw) * about(DVec3::Y, pitch) * about(DVec3::X, roll);
    Ok(Local::from_rotation_translation(rotation.normalize(), translation))
}

/// Gives the rig its freedoms, in the order of the file.
pub(super) fn freedoms(
    joints: &[UrdfJoint],
    rig: &mut Rig,
    notes: &mut Vec<String>,
) -> Result<(), Fault> {
    let mut index_of = HashMap::new();
    for joint in joints {
        let freedom = |name: String, kind, axis| Freedom {
            name,
            joint: JointId(joint.child as u32),
            kind,
            axis,
            anchor: DVec3::ZERO,
            range: joint.range,
            mimic: None,
        };
        match joint.kind {
            Kind::Fixed => {}
            Kind::One(kind) => {
                index_of.insert(joint.name.as_str(), rig.freedoms.len());
                rig.freedoms.push(freedom(joint.name.clone(), kind, joint.axis));
                // A robot of nothing but floating joints says it for the first of them.
                if kind == FreedomKind::Free && notes.len() < 20 {
                    notes.push(format!(
                        "the floating joint {:?} takes its place in the frame of its parent, not of its origin",
                        joint.name
                    ));
                }
            }
            Kind::Planar => {
                let u = joint.axis.any_orthonormal_vector();
                let v = joint.axis.cross(u);
                for (end, kind, axis) in [
                    ("u", FreedomKind::Slide, u),
                    ("v", FreedomKind::Slide, v),
                    ("turn", FreedomKind::Hinge, joint.axis),
                ] {
                    rig.freedoms.push(freedom(format!("{} {end}", joint.name), kind, axis));
                }
            }
        }
    }
    for joint in joints {
        let (Some((of, factor, offset)), Some(&own)) =
            (&joint.mimic, index_of.get(joint.name.as_str()))
        else {
            continue;
        };
        let of = *index_of.get(of.as_str()).ok_or_else(|| {
            Fault::at(
                joint.place,
                format!(
                    "joint {:?} follows the joint {of:?}, which does not exist or does not move",
                    joint.name
                ),
            )
        })?;
        rig.freedoms[own].mimic = Some(Mimic { of, factor: *factor, offset: *offset });
    }
    notes.extend(beyond_limits(rig));
    let moving = joints.iter().filter_map(|joint| Some((joint, *index_of.get(&*joint.name)?)));
    moving.filter(|(_, own)| chain(rig, *own) > MIMIC_NESTING).try_for_each(|(joint, _)| {
        let name = &joint.name;
        let message = format!(
            "joint {name:?} follows itself, or more than {MIMIC_NESTING} others in a chain"
        );
        Err(Fault::at(joint.place, message))
    })
}

/// How many freedoms one follows, by way of the first, the second and so on; counted up to the
/// limit.
fn chain(rig: &Rig, freedom: usize) -> usize {
    let next = |&at: &usize| rig.freedoms[at].mimic.map(|mimic| mimic.of);
    std::iter::successors(Some(freedom), next).take(MIMIC_NESTING + 2).count() - 1
}
