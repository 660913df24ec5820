//! The part of the glTF 2.0 JSON that geometry and motion need, as it is written.
//!
//! Everything else (materials, images, cameras, lights) is passed over unread, so that a slip there
//! cannot spoil a mesh. Numbers are f64: the transforms of nodes are rounded once, from text.
//! Indices are checked where they are used, through [`Root::accessor`] and its kin.

use serde::Deserialize;

use crate::error::Fault;
use crate::text::counted;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    pub(super) asset: Asset,
    #[serde(default)]
    pub(super) extensions_required: Vec<String>,
    /// Anything may stand here; [`super::humanoid`] looks for what avatars say.
    pub(super) extensions: Option<serde_json::Value>,
    pub(super) scene: Option<usize>,
    #[serde(default)]
    pub(super) scenes: Vec<Scene>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(super) skins: Vec<Skin>,
    #[serde(default)]
    pub(super) animations: Vec<Animation>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub(super) buffers: Vec<Buffer>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asset {
    pub(super) version: String,
    pub(super) min_version: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Scene {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) nodes: Vec<usize>,
}

#[derive(Deserialize)]
pub(super) struct Node {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) children: Vec<usize>,
    pub(super) matrix: Option<Box<[f64; 16]>>,
    pub(super) translation: Option<[f64; 3]>,
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    pub(super) weights: Option<Vec<f64>>,
    pub(super) extensions: Option<NodeExtensions>,
}

#[derive(Deserialize)]
pub(super) struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(super) instancing: Option<Instancing>,
    #[serde(rename = "KHR_node_visibility")]
    pub(super) visibility: Option<Visibility>,
    #[serde(rename = "VRMC_node_constraint")]
    constraint: Option<serde::de::IgnoredAny>,
}

impl Node {
    /// Whether an avatar has it follow another node.
    pub(super) fn is_constrained(&self) -> bool {
        self.extensions.as_ref().is_some_and(|extensions| extensions.constraint.is_some())
    }

    /// Whether it is hidden, with all below it.
    pub(super) fn is_hidden(&self) -> bool {
        let visibility = self.extensions.as_ref().and_then(|all| all.visibility.as_ref());
        visibility.is_some_and(|visibility| !visibility.visible)
    }
}

#[derive(Deserialize)]
pub(super) struct Visibility {
    #[serde(default = "yes")]
    pub(super) visible: bool,
}

/// What a node is that does not say whether it is visible.
fn yes() -> bool {
    true
}

#[derive(Deserialize)]
pub(super) struct Instancing {
    pub(super) attributes: InstanceAttributes,
}

#[derive(Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) struct InstanceAttributes {
    pub(super) translation: Option<usize>,
    pub(super) rotation: Option<usize>,
    pub(super) scale: Option<usize>,
}

#[derive(Deserialize)]
pub(super) struct Mesh {
    pub(super) name: Option<String>,
    pub(super) primitives: Vec<Primitive>,
    pub(super) weights: Option<Vec<f64>>,
    /// Anything may stand in extras; [`Mesh::target_name`] looks for the names that exporters put
    /// there.
    pub(super) extras: Option<serde_json::Value>,
}

impl Mesh {
    /// What exporters call morph target `index`, by a convention outside the standard.
    pub(super) fn target_name(&self, index: usize) -> Option<&str> {
        self.extras.as_ref()?.get("targetNames")?.get(index)?.as_str()
    }
}

#[derive(Deserialize)]
pub(super) struct Primitive {
    pub(super) attributes: std::collections::BTreeMap<String, usize>,
    pub(super) indices: Option<usize>,
    #[serde(default = "triangles")]
    pub(super) mode: u32,
    #[serde(default)]
    pub(super) targets: Vec<Target>,
    pub(super) extensions: Option<PrimitiveExtensions>,
}

/// The mode of a primitive that does not say one.
fn triangles() -> u32 {
    4
}

#[derive(Deserialize)]
pub(super) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub(super) draco: Option<Draco>,
}

/// A compressed primitive: the view with its stream, and the number in it of each attribute.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "draco"), expect(dead_code, reason = "it is refused, not read"))]
pub(super) struct Draco {
    pub(super) buffer_view: usize,
    pub(super) attributes: std::collections::BTreeMap<String, u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct Target {
    pub(super) position: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) inverse_bind_matrices: Option<usize>,
    pub(super) joints: Vec<usize>,
}

#[derive(Deserialize)]
pub(super) struct Animation {
    pub(super) name: Option<String>,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Sampler>,
}

#[derive(Deserialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: ChannelTarget,
}

#[derive(Deserialize)]
pub(super) struct ChannelTarget {
    pub(super) node: Option<usize>,
    pub(super) path: String,
    extensions: Option<TargetExtensions>,
}

#[derive(Deserialize)]
struct TargetExtensions {
    #[serde(rename = "KHR_animation_pointer")]
    pointer: Option<Pointer>,
}

#[derive(Deserialize)]
struct Pointer {
    pointer: String,
}

impl ChannelTarget {
    /// What an extension says that is moved instead of a node: a path like `/nodes/2/translation`.
    pub(super) fn pointer(&self) -> Option<&str> {
        Some(self.extensions.as_ref()?.pointer.as_ref()?.pointer.as_str())
    }
}

#[derive(Deserialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
    pub(super) interpolation: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) shape: String,
    pub(super) sparse: Option<Box<Sparse>>,
}

#[derive(Deserialize)]
pub(super) struct Sparse {
    pub(super) count: usize,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
    pub(super) extensions: Option<ViewExtensions>,
}

#[derive(Deserialize)]
pub(super) struct ViewExtensions {
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    pub(super) meshopt: Option<Meshopt>,
}

/// A compressed view: where its stream is, and what it decodes to.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Meshopt {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: usize,
    pub(super) count: usize,
    pub(super) mode: String,
    pub(super) filter: Option<String>,
}

impl BufferView {
    /// How it is compressed, if it is.
    pub(super) fn meshopt(&self) -> Option<&Meshopt> {
        self.extensions.as_ref()?.meshopt.as_ref()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
    extensions: Option<BufferExtensions>,
}

#[derive(Deserialize)]
struct BufferExtensions {
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    meshopt: Option<Fallback>,
}

#[derive(Deserialize)]
struct Fallback {
    #[serde(default)]
    fallback: bool,
}

impl Buffer {
    /// Whether it only says how large its views are once decompressed, and has no bytes.
    pub(super) fn is_stand_in(&self) -> bool {
        let meshopt = self.extensions.as_ref().and_then(|extensions| extensions.meshopt.as_ref());
        self.uri.is_none() && meshopt.is_some_and(|meshopt| meshopt.fallback)
    }
}

/// The element that something of the file names by its number.
///
/// `user` is who names it, for the message: `node 3`.
pub(super) fn named<'a, T>(
    list: &'a [T],
    index: usize,
    (one, many): (&str, &str),
    user: &str,
) -> Result<&'a T, Fault> {
    list.get(index).ok_or_else(|| {
        let held = counted(list.len(), one, many);
        Fault::whole(format!(
            "{user} names {one} {index}, but the file has {held}; export it again"
        ))
    })
}

impl Root {
    pub(super) fn accessor(&self, index: usize, user: &str) -> Result<&Accessor, Fault> {
        named(&self.accessors, index, ("accessor", "accessors"), user)
    }

    pub(super) fn view(&self, index: usize, user: &str) -> Result<&BufferView, Fault> {
        named(&self.buffer_views, index, ("buffer view", "buffer views"), user)
    }

    pub(super) fn node(&self, index: usize, user: &str) -> Result<&Node, Fault> {
        named(&self.nodes, index, ("node", "nodes"), user)
    }
}
