//! Links: the shapes that can touch.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use elbowroom::Mesh;
use elbowroom_motion::body::{Hold, JointId, Local, Part, Primitive, Rig};
use glam::DVec3;
use roxmltree::Node;

use super::joints::origin;
use crate::document::ReadOptions;
use crate::error::Fault;
use crate::mesh_in::read_mesh_with;
use crate::robot::budget::Budget;
use crate::robot::{beside, solid};
use crate::text::counted;
use crate::xml;

/// The greatest number of links that a note names.
const NAMED: usize = 4;

struct Shapes<'a> {
    folder: Option<&'a Path>,
    options: &'a ReadOptions,
    budget: Budget,
    read: HashMap<PathBuf, Rc<Mesh>>,
}

/// Gives the rig a part for every collision shape; for every visual one where there is no other.
pub(super) fn parts(
    robot: Node<'_, '_>,
    folder: Option<&Path>,
    options: &ReadOptions,
    rig: &mut Rig,
    notes: &mut Vec<String>,
) -> Result<(), Fault> {
    let links = || xml::children(robot, "link");
    let collisions = links().any(|link| xml::child(link, "collision").is_some());
    let tag = if collisions { "collision" } else { "visual" };
    if collisions {
        notes.extend(seen_only(robot));
    }
    let budget = Budget::new(options.max_decoded_bytes);
    let mut shapes = Shapes { folder, options, budget, read: HashMap::new() };
    for (index, link) in links().enumerate() {
        let link_name = link.attribute("name").unwrap_or_default();
        for (number, node) in xml::children(link, tag).enumerate() {
            let name = match (node.attribute("name"), number) {
                (Some(name), _) => name.to_owned(),
                (None, 0) => link_name.to_owned(),
                (None, _) => format!("{link_name} {}", number + 1),
            };
            let (mesh, primitive) = shapes.shape(node)?;
            let mut part = Part::new(name, mesh, Hold::Rigid(JointId(index as u32)));
            part.primitive = primitive;
            rig.parts.push(part);
        }
    }
    if !collisions && !rig.parts.is_empty() {
        notes.push(format!(
            "the robot has no collision shapes; its {} are taken",
            counted(rig.parts.len(), "visual shape", "visual shapes")
        ));
    }
    Ok(())
}

/// A sentence on links that can be seen and have nothing that touches.
fn seen_only(robot: Node<'_, '_>) -> Option<String> {
    let is_seen_only = |link: &Node<'_, '_>| {
        xml::child(*link, "visual").is_some() && xml::child(*link, "collision").is_none()
    };
    let links: Vec<&str> = xml::children(robot, "link")
        .filter(is_seen_only)
        .filter_map(|link| link.attribute("name"))
        .collect();
    let more = if links.len() > NAMED { ", …" } else { "" };
    (!links.is_empty()).then(|| {
        format!(
            "{} visual shapes and no collision shape, and touch nothing: {}{more}",
            counted(links.len(), "link has", "links have"),
            links[..links.len().min(NAMED)].join(", ")
        )
    })
}

impl Shapes<'_> {
    fn shape(&mut self, node: Node<'_, '_>) -> Result<(Mesh, Option<(Local, Primitive)>), Fault> {
        let geometry = xml::child(node, "geometry")
            .ok_or_else(|| Fault::at(xml::place(node), "a shape without <geometry>"))?;
        let shape = geometry
            .children()
            .find(Node::is_element)
            .ok_or_else(|| Fault::at(xml::place(geometry), "<geometry> with nothing in it"))?;
        let pose = origin(node)?;
        let tag = shape.tag_name().name();
        let (mesh, primitive) = if tag == "mesh" {
            (self.mesh(shape, &pose)?, None)
        } else {
            let primitive = primitive(shape, tag)?;
            let mesh = solid::tessellate(&primitive, &pose).ok_or_else(|| {
                Fault::at(
                    xml::place(shape),
                    format!("a <{tag}> whose measures are not all above 0"),
                )
            })?;
            (mesh, Some((pose, primitive)))
        };
        self.budget
            .take(&mesh)
            .map_err(|problem| Fault::at(xml::place(shape), format!("this shape {problem}")))?;
        Ok((mesh, primitive))
    }

    fn mesh(&mut self, node: Node<'_, '_>, pose: &Local) -> Result<Mesh, Fault> {
        let place = xml::place(node);
        let name = xml::required(node, "filename")?;
        let outside = self.options.allow_outside;
        let path = match name.strip_prefix("package://") {
            Some(path) => beside::find_in_package(self.folder, path, self.options),
            None => {
                beside::find(self.folder, name.strip_prefix("file://").unwrap_or(name), outside)
            }
        };
        let path = path.map_err(|problem| Fault::at(place, format!("<mesh> {problem}")))?;
        let mesh = if let Some(mesh) = self.read.get(&path) {
            Rc::clone(mesh)
        } else {
            let file = read_mesh_with(&path, self.options).map_err(|error| {
                Fault::at(place, format!("<mesh> names a file that cannot be read: {error}"))
            })?;
            let mesh = Rc::new(file.mesh);
            self.read.insert(path, Rc::clone(&mesh));
            mesh
        };
        let scale = xml::exactly::<3>(node, "scale")?.map_or(DVec3::ONE, DVec3::from_array);
        solid::placed(mesh.vertices(), mesh.triangles(), pose, scale)
            .ok_or_else(|| Fault::at(place, "this mesh leaves the numbers when it is placed"))
    }
}

fn primitive(node: Node<'_, '_>, tag: &str) -> Result<Primitive, Fault> {
    let needed = |name: &str| {
        xml::number(node, name)?.ok_or_else(|| {
            Fault::at(xml::place(node), format!("<{tag}> without the attribute \"{name}\""))
        })
    };
    Ok(match tag {
        "box" => {
            let size = xml::exactly::<3>(node, "size")?.ok_or_else(|| {
                Fault::at(xml::place(node), "<box> without the attribute \"size\"")
            })?;
            Primitive::Cuboid { half: 0.5 * DVec3::from_array(size) }
        }
        "sphere" => Primitive::Sphere { radius: needed("radius")? },
        "cylinder" => {
            Primitive::Cylinder { radius: needed("radius")?, half_length: 0.5 * needed("length")? }
        }
        "capsule" => {
            Primitive::Capsule { radius: needed("radius")?, half_length: 0.5 * needed("length")? }
        }
        other => {
            let message =
                format!("shape <{other}> is none of mesh, box, sphere, cylinder and capsule");
            return Err(Fault::at(xml::place(node), message));
        }
    })
}
