//! glTF 2.0, as `.gltf` with its buffers or packed as `.glb`: node trees, meshes, skins, morphs and
//! animations.
//!
//! A file becomes one rig. Its skeleton is the whole node tree, and joint i is node i, so that
//! skins and animations need no renumbering; each instance of `EXT_mesh_gpu_instancing` adds a
//! joint behind the nodes. Each node of the default scene that has a mesh becomes a part: the
//! triangles of its primitives, joined, with their vertices as they are. As the standard asks, a
//! skinned mesh goes where its joints are, whatever its own node says; triangles that a node
//! mirrors are turned about. Materials, images, cameras and lights are passed over.
//!
//! Source: Khronos, *glTF 2.0 Specification* (2021), and the extensions `KHR_mesh_quantization`,
//! `EXT_mesh_gpu_instancing`, `EXT_meshopt_compression`, `KHR_meshopt_compression`,
//! `KHR_draco_mesh_compression`, `KHR_node_visibility`, and VRM 0 and 1. We differ: what is
//! harmless is read and noted (weights that do not add up to one, leftover corners), where the
//! standard calls it an error.
//!
//! Why not a library: `gltf` 1.4.1 rounds node transforms to f32, asserts on quantised positions
//! instead of refusing, and panics on some files that it has not validated, while its validation
//! refuses required extensions that we can read or ignore. What is left of it is the JSON
//! schema, of which geometry needs a quarter.
//!
//! Invariants: see [`crate`]; in addition all decoded numbers stay within
//! [`ReadOptions::max_decoded_bytes`].

use std::path::Path;

use elbowroom_motion::body::{Rig, Skeleton};

use crate::document::{Axis, Document, ReadOptions, Source, Units, Up};
use crate::error::{Fault, ParseError};
use crate::odd::Notes;
use crate::text::quote;
use crate::winding;

use accessor::Accessors;
use container::Container;
use schema::Root;

mod accessor;
mod buffers;
mod clips;
mod container;
#[cfg(feature = "draco")]
mod draco;
#[cfg(not(feature = "draco"))]
#[path = "gltf/no_draco.rs"]
mod draco;
mod humanoid;
mod meshopt;
mod nodes;
mod parts;
mod primitives;
mod schema;
mod weights;

/// Reads the bytes of a glTF or GLB file. Buffers in other files are looked for below `folder`.
///
/// # Errors
/// Says what is wrong, in which mesh, node, accessor or animation, and what to do.
///
/// # Example
/// ```
/// use elbowroom_io::{ReadOptions, gltf};
///
/// let text = br#"{
///     "asset": {"version": "2.0"}, "nodes": [{"name": "hip", "children": [1]}, {"name": "knee"}]
/// }"#;
/// let document = gltf::parse(text, None, &ReadOptions::default()).unwrap();
/// assert!(document.rigs[0].skeleton.find("knee").is_some());
/// ```
pub fn parse(
    bytes: &[u8],
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Document, ParseError> {
    read(bytes, folder, options).map_err(|fault| fault.in_text(&[]))
}

fn read(bytes: &[u8], folder: Option<&Path>, options: &ReadOptions) -> Result<Document, Fault> {
    let Container { root, chunk } = Container::read(bytes)?;
    check_version(&root)?;
    check_extensions(&root)?;
    let buffers = buffers::load(&root, chunk, folder, options)?;
    let accessors = Accessors::new(&root, buffers, options.max_decoded_bytes);
    let mut notes = Notes::default();
    let mut tree = nodes::Tree::read(&accessors, &mut notes)?;
    let parts = parts::Parts::read(&accessors, &mut tree, &mut notes)?;
    let clips = clips::read(&accessors, &parts, &mut notes)?;
    let skeleton = Skeleton::new(tree.joints)
        .map_err(|error| Fault::whole(format!("the node tree: {error}")))?;
    let mut rig = Rig::new(tree.name, skeleton);
    rig.parts = parts.parts;
    rig.clips = clips;
    rig.validate().map_err(|error| Fault::whole(error.to_string()))?;
    winding::keep_outside(&mut rig);
    Ok(Document {
        rigs: vec![rig],
        units: Units { metres_per_unit: 1.0, source: Source::File },
        up: Up { axis: Axis::Y, source: Source::File },
        notes: notes.0,
    })
}

fn check_version(root: &Root) -> Result<(), Fault> {
    let wanted = root.asset.min_version.as_ref().unwrap_or(&root.asset.version);
    if wanted == "2.0" || (root.asset.min_version.is_none() && wanted.starts_with("2.")) {
        return Ok(());
    }
    let version = quote(wanted.as_bytes());
    Err(Fault::whole(format!("glTF version {version}; only 2.0 can be read, so convert the file")))
}

/// The extensions that change geometry and are read, or of which a note says what is not.
const READ: [&str; 7] = [
    "KHR_mesh_quantization",
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_node_visibility",
    "KHR_animation_pointer",
    "VRM",
];

/// How the names begin of extensions that say nothing about geometry: levels of detail stand beside
/// the mesh that is read, and what an avatar says is noted.
const LOOKS: [&str; 15] = [
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_xmp",
    "KHR_audio",
    "EXT_texture_",
    "EXT_lights_",
    "EXT_mesh_features",
    "EXT_structural_metadata",
    "MSFT_texture_",
    "MSFT_lod",
    "ADOBE_materials_",
    "VRMC_",
];

fn check_extensions(root: &Root) -> Result<(), Fault> {
    let unknown = root.extensions_required.iter().find(|name| {
        let is_draco = *name == "KHR_draco_mesh_compression";
        !is_draco
            && !READ.contains(&name.as_str())
            && !LOOKS.iter().any(|start| name.starts_with(start))
    });
    let Some(name) = unknown else { return Ok(()) };
    let name = quote(name.as_bytes());
    Err(Fault::whole(format!(
        "the file requires the extension {name}, which is not known here; export it without"
    )))
}
