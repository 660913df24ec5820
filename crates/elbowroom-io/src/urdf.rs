//! URDF, the robots of the Robot Operating System: links, and joints between them.
//!
//! Every link becomes a joint of a skeleton, placed by the `origin` of the URDF joint that leads to
//! it; every `collision` shape a part; every joint that moves a freedom. `mimic` joints follow.
//! Links that are joined may touch; which other pairs may, a semantic file (SRDF) says with
//! `disable_collisions`: one of the same name beside the robot is read along, and
//! [`disabled_pairs`] reads any other.
//!
//! `package://name/rest` is looked for in the folders with packages that the caller names, then as
//! `rest` and as `name/rest` in the folder of the file and the four above it. Other names are taken
//! from the folder of the file and may not lead out of it unless the caller allows so.
//!
//! Source: the URDF and SRDF specifications of ros.org. We differ: capsules are read, as several
//! tools write them; a robot without any `collision` is taken by its `visual` shapes, and a note
//! says so; a planar joint becomes two slides and a hinge. Where a `mimic` joint has an offset, the
//! robot rests as it stands when all values are 0; the value of that joint is counted from there.
//!
//! Why not a library: urdf-rs 0.10 says no line, and brings two more parsers of XML along.
//!
//! Invariants: one root or several, but no link with two parents and no cycle; what is decoded is
//! bounded.

mod joints;
mod links;

use std::collections::HashMap;
use std::path::Path;

use elbowroom_motion::body::{FreedomKind, Joint, JointId, Local, Rig, Skeleton};
use roxmltree::Node;

use crate::bytes::read_bytes;
use crate::document::{Axis, Document, ReadOptions, Source, Units, Up};
use crate::error::{Fault, ParseError};
use crate::limits::{self, ROBOT_THINGS, ROBOT_XML_BYTES};
use crate::robot::adjacent::{self, Link};
use crate::text::counted;
use crate::xml;

/// Reads the bytes of a URDF file that lies in `folder`.
///
/// # Errors
/// Names the line and what is wrong; so too for a mesh that is missing or damaged.
///
/// # Example
/// ```
/// use elbowroom_io::{ReadOptions, urdf};
///
/// let text = br#"<robot name="r"><link name="base"/>
///   <link name="arm"><collision><geometry><box size="1 2 3"/></geometry></collision></link>
///   <joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
///     <limit lower="-1" upper="1"/></joint></robot>"#;
/// let document = urdf::parse(text, None, &ReadOptions::default()).unwrap();
/// assert_eq!(document.rigs[0].freedoms[0].range, Some((-1.0, 1.0)));
/// ```
pub fn parse(
    bytes: &[u8],
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Document, ParseError> {
    read(bytes, folder, options).map_err(|fault| fault.in_text(bytes))
}

/// The pairs of links that a semantic file (SRDF) lets touch, as pairs of joints of the rig, lower
/// first; and how many of the pairs name links that the rig has not.
///
/// # Errors
/// Names the line and what is wrong.
pub fn disabled_pairs(srdf: &[u8], rig: &Rig) -> Result<(Vec<(u32, u32)>, usize), ParseError> {
    let read = || {
        let text = xml::text(srdf)?;
        let document = xml::parse(text)?;
        let (mut pairs, mut unknown) = (Vec::new(), 0);
        // The first joint of a name counts; one search for each of many pairs would take a square
        // of time.
        let mut joints: HashMap<&str, u32> = HashMap::new();
        for (index, joint) in rig.skeleton.joints().iter().enumerate() {
            joints.entry(&joint.name).or_insert(index as u32);
        }
        for node in xml::children(document.root_element(), "disable_collisions") {
            let links = [xml::required(node, "link1")?, xml::required(node, "link2")?];
            match links.map(|link| joints.get(link)) {
                [Some(&a), Some(&b)] => pairs.push((a.min(b), a.max(b))),
                _ => unknown += 1,
            }
        }
        Ok((pairs, unknown))
    };
    read().map_err(|fault: Fault| fault.in_text(srdf))
}

fn read(bytes: &[u8], folder: Option<&Path>, options: &ReadOptions) -> Result<Document, Fault> {
    if bytes.len() > ROBOT_XML_BYTES {
        let most = limits::size(ROBOT_XML_BYTES as u64);
        return Err(Fault::whole(format!("is larger than {most}, which no robot is")));
    }
    let text = xml::text(bytes)?;
    let document = xml::parse(text)?;
    let robot = document.root_element();
    if robot.tag_name().name() != "robot" {
        let message = format!("<robot> should stand here, not <{}>", robot.tag_name().name());
        return Err(Fault::at(xml::place(robot), message));
    }
    check_expanded(robot)?;
    check_count(robot)?;
    let mut notes = Vec::new();
    let names = link_names(robot)?;
    let mut joints = joints::read(robot, &names)?;
    notes.extend(joints::rest_followers(&mut joints));
    let mut skeleton: Vec<Joint> = xml::children(robot, "link")
        .map(|link| Joint {
            name: link.attribute("name").unwrap_or_default().to_owned(),
            parent: None,
            rest: Local::IDENTITY,
        })
        .collect();
    for joint in &joints {
        let link = &mut skeleton[joint.child];
        (link.parent, link.rest) = (Some(JointId(joint.parent as u32)), joint.origin);
    }
    let skeleton = Skeleton::new(skeleton).map_err(|error| Fault::whole(error.to_string()))?;
    let name = robot.attribute("name").unwrap_or("robot");
    let mut rig = Rig::new(name, skeleton);
    joints::freedoms(&joints, &mut rig, &mut notes)?;
    links::parts(robot, folder, options, &mut rig, &mut notes)?;
    allow_joined(&mut rig, &mut notes);
    if let Some(folder) = folder {
        allow_semantic(folder, name, options, &mut rig, &mut notes)?;
    }
    rig.validate().map_err(|error| Fault::whole(error.to_string()))?;
    Ok(Document {
        rigs: vec![rig],
        units: Units { metres_per_unit: 1.0, source: Source::File },
        up: Up { axis: Axis::Z, source: Source::File },
        notes,
    })
}

/// Refuses the macros that most robots are written with: only their expansion is a robot.
fn check_expanded(robot: Node<'_, '_>) -> Result<(), Fault> {
    let is_macro = |node: &Node<'_, '_>| {
        node.tag_name().namespace().is_some_and(|space| space.contains("xacro"))
    };
    match robot.children().find(is_macro) {
        None => Ok(()),
        Some(node) => {
            let message = format!(
                "<xacro:{}> is a macro; expand the file first: xacro FILE > robot.urdf",
                node.tag_name().name()
            );
            Err(Fault::at(xml::place(node), message))
        }
    }
}

/// Refuses a robot of more links, joints and shapes than any has.
fn check_count(robot: Node<'_, '_>) -> Result<(), Fault> {
    let is_shape = |node: &Node<'_, '_>| matches!(node.tag_name().name(), "collision" | "visual");
    let own = |node: Node<'_, '_>| 1 + node.children().filter(is_shape).count();
    let mut things = 0;
    for node in robot.children().filter(Node::is_element) {
        things += own(node);
        if things > ROBOT_THINGS {
            let message =
                format!("more than {ROBOT_THINGS} links, joints and shapes; split the robot");
            return Err(Fault::at(xml::place(node), message));
        }
    }
    Ok(())
}

fn link_names(robot: Node<'_, '_>) -> Result<HashMap<String, usize>, Fault> {
    let mut names = HashMap::new();
    for (index, link) in xml::children(robot, "link").enumerate() {
        let name = xml::required(link, "name")?;
        if names.insert(name.to_owned(), index).is_some() {
            return Err(Fault::at(xml::place(link), format!("a second link {name:?}")));
        }
    }
    if names.is_empty() {
        return Err(Fault::at(xml::place(robot), "a robot without links"));
    }
    Ok(names)
}

/// Links that are joined overlap at their joint by design.
fn allow_joined(rig: &mut Rig, notes: &mut Vec<String>) {
    let count = rig.skeleton.len();
    let (mut moves, mut has_parts) = (vec![false; count], vec![false; count]);
    rig.freedoms.iter().for_each(|freedom| moves[freedom.joint.0 as usize] = true);
    for part in &rig.parts {
        if let elbowroom_motion::body::Hold::Rigid(JointId(joint)) = part.hold {
            has_parts[joint as usize] = true;
        }
    }
    // Parents first, as the pairing needs it; the file may have any order.
    let order: Vec<JointId> = rig.skeleton.parents_first().collect();
    let mut rank = vec![0; count];
    order.iter().enumerate().for_each(|(at, joint)| rank[joint.0 as usize] = at);
    let links: Vec<Link> = order
        .iter()
        .map(|&JointId(joint)| Link {
            parent: rig.skeleton.joints()[joint as usize]
                .parent
                .map(|parent| rank[parent.0 as usize]),
            moves: moves[joint as usize],
            has_parts: has_parts[joint as usize],
            is_world: false,
        })
        .collect();
    let Some(pairs) = adjacent::pairs(&links) else {
        notes.push(
            "too many links are fixed to each other; their pairs are not allowed to touch"
                .to_owned(),
        );
        return;
    };
    for (a, b) in pairs {
        let (a, b) = (order[a as usize].0, order[b as usize].0);
        rig.allowed.push((a.min(b), a.max(b)));
    }
    rig.allowed.sort_unstable();
    rig.allowed.dedup();
}

/// Reads `name.srdf` beside the robot, where it is there.
fn allow_semantic(
    folder: &Path,
    name: &str,
    options: &ReadOptions,
    rig: &mut Rig,
    notes: &mut Vec<String>,
) -> Result<(), Fault> {
    let plain_name =
        name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' '));
    let path = folder.join(format!("{name}.srdf"));
    if !plain_name || !path.is_file() {
        return Ok(());
    }
    let bytes = read_bytes(&path, options).map_err(|error| Fault::whole(error.to_string()))?;
    let (pairs, unknown) = disabled_pairs(&bytes, rig)
        .map_err(|error| Fault::whole(format!("{}: {error}", path.display())))?;
    let also = if unknown > 0 {
        format!("; {unknown} more name links that are not there")
    } else {
        String::new()
    };
    notes.push(format!(
        "{} may touch by {name}.srdf{also}",
        counted(pairs.len(), "pair of links", "pairs of links")
    ));
    rig.allowed.extend(pairs);
    rig.allowed.sort_unstable();
    rig.allowed.dedup();
    Ok(())
}

/// How a joint of the file moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Fixed,
    One(FreedomKind),
    Planar,
}
