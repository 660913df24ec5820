//! One model part: objects, and the items of the build.

use std::collections::HashMap;

use glam::{DAffine3, DVec3};
use roxmltree::Node;

use crate::error::Fault;
use crate::text::quote;
use crate::xml;

pub(super) struct Model {
    pub(super) metres_per_unit: f64,
    pub(super) objects: HashMap<u32, Object>,
    pub(super) items: Vec<Reference>,
}

pub(super) struct Object {
    pub(super) name: Option<String>,
    pub(super) shape: Shape,
}

pub(super) enum Shape {
    Mesh { vertices: Vec<DVec3>, triangles: Vec<[u32; 3]> },
    Assembly(Vec<Reference>),
}

/// An object somewhere, perhaps in another part.
#[derive(Clone)]
pub(super) struct Reference {
    pub(super) object: u32,
    pub(super) transform: DAffine3,
    pub(super) path: Option<String>,
}

/// A fault with the part of the package and the line in it, since the file itself is a zip.
pub(super) fn in_part(part: &str, bytes: &[u8], fault: Fault) -> Fault {
    let error = fault.in_text(bytes);
    match error.line() {
        Some(line) => Fault::whole(format!("{part}:{line}: {}", error.message())),
        None => Fault::whole(format!("{part}: {}", error.message())),
    }
}

/// Reads the XML of a model part.
pub(super) fn read(bytes: &[u8]) -> Result<Model, Fault> {
    let text = xml::text(bytes)?;
    let document = xml::parse(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "model" {
        let message = format!("<model> should stand here, not <{}>", root.tag_name().name());
        return Err(Fault::at(xml::place(root), message));
    }
    check_extensions(root)?;
    let metres_per_unit = unit(root)?;
    let (mut objects, mut order) = (HashMap::new(), Vec::new());
    for node in xml::children(root, "resources").flat_map(|node| xml::children(node, "object")) {
        let id = whole(node, "id")?;
        let object =
            Object { name: node.attribute("name").map(str::to_owned), shape: shape(node)? };
        if objects.insert(id, object).is_some() {
            return Err(Fault::at(xml::place(node), format!("a second object with the id {id}")));
        }
        order.push(id);
    }
    let builds = xml::children(root, "build").flat_map(|node| xml::children(node, "item"));
    let mut items = builds.map(reference).collect::<Result<Vec<_>, _>>()?;
    if items.is_empty() {
        let still = |object| Reference { object, transform: DAffine3::IDENTITY, path: None };
        items = order.into_iter().map(still).collect();
    }
    Ok(Model { metres_per_unit, objects, items })
}

/// Extensions that are read here, or that change no shape, by the beginnings of their namespaces.
const EXTENSIONS: [&str; 4] = [
    "http://schemas.microsoft.com/3dmanufacturing/production/",
    "http://schemas.microsoft.com/3dmanufacturing/material/",
    "http://schemas.microsoft.com/3dmanufacturing/core/",
    "http://schemas.3mf.io/3dmanufacturing/displaymaterial/",
];

/// Refuses a model that cannot be understood without an extension that is not read here. The
/// specification asks for it: beams, slices and boolean operations stand in the place of meshes.
fn check_extensions(root: Node<'_, '_>) -> Result<(), Fault> {
    let required = root.attribute("requiredextensions").unwrap_or_default();
    for prefix in required.split_whitespace() {
        let uri = root.lookup_namespace_uri(Some(prefix)).unwrap_or_default();
        if !EXTENSIONS.iter().any(|known| uri.starts_with(known)) {
            let message = format!(
                "the model requires the extension {} ({}), which is not read: its shapes would be \
                 wrong without it. Export plain meshes",
                quote(prefix.as_bytes()),
                quote(uri.as_bytes())
            );
            return Err(Fault::at(xml::place(root), message));
        }
    }
    Ok(())
}

fn unit(root: Node<'_, '_>) -> Result<f64, Fault> {
    Ok(match root.attribute("unit").unwrap_or("millimeter") {
        "micron" => 1e-6,
        "millimeter" => 1e-3,
        "centimeter" => 1e-2,
        "inch" => 0.0254,
        "foot" => 0.3048,
        "meter" => 1.0,
        other => {
            let message = format!(
                "unit {} is not known; it should be micron, millimeter, centimeter, inch, foot or meter",
                quote(other.as_bytes())
            );
            return Err(Fault::at(xml::place(root), message));
        }
    })
}

fn shape(object: Node<'_, '_>) -> Result<Shape, Fault> {
    if let Some(mesh) = xml::child(object, "mesh") {
        return mesh_shape(mesh);
    }
    let components =
        xml::children(object, "components").flat_map(|n| xml::children(n, "component"));
    Ok(Shape::Assembly(components.map(reference).collect::<Result<_, _>>()?))
}

fn mesh_shape(mesh: Node<'_, '_>) -> Result<Shape, Fault> {
    let mut vertices = Vec::new();
    for node in xml::children(mesh, "vertices").flat_map(|node| xml::children(node, "vertex")) {
        let mut point = DVec3::ZERO;
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            point[axis] = xml::number(node, name)?.ok_or_else(|| {
                Fault::at(xml::place(node), format!("<vertex> without the attribute \"{name}\""))
            })?;
        }
        vertices.push(point);
    }
    let mut triangles = Vec::new();
    for node in xml::children(mesh, "triangles").flat_map(|node| xml::children(node, "triangle")) {
        let corners = [whole(node, "v1")?, whole(node, "v2")?, whole(node, "v3")?];
        if let Some(corner) = corners.iter().find(|&&corner| corner as usize >= vertices.len()) {
            let message =
                format!("corner {corner} names no vertex; the mesh has {}, from 0", vertices.len());
            return Err(Fault::at(xml::place(node), message));
        }
        triangles.push(corners);
    }
    Ok(Shape::Mesh { vertices, triangles })
}

fn reference(node: Node<'_, '_>) -> Result<Reference, Fault> {
    let object = whole(node, "objectid")?;
    // Row by row, for points as rows: the columns of the matrix for points as columns.
    let transform = xml::exactly::<12>(node, "transform")?
        .map_or(DAffine3::IDENTITY, |rows| DAffine3::from_cols_array(&rows));
    let path = node.attributes().find(|attribute| attribute.name() == "path");
    let path = path.map(|attribute| attribute.value().trim_start_matches('/').to_owned());
    Ok(Reference { object, transform, path })
}

fn whole(node: Node<'_, '_>, name: &str) -> Result<u32, Fault> {
    let text = xml::required(node, name)?;
    text.trim().parse().map_err(|_| {
        let message = format!(
            "{} in \"{name}\" of <{}> is not a whole number from 0",
            quote(text.as_bytes()),
            node.tag_name().name()
        );
        Fault::at(xml::place(node), message)
    })
}
