//! The outer shell: bytes to JSON and, in a GLB, the binary chunk.
//!
//! ```text
//! GLB    "glTF" | version: u32 = 2 | length: u32 | chunk …      chunk   length: u32 | kind: u32 | bytes, a multiple of 4
//! ```
//!
//! Invariant: what the JSON can make us allocate is bounded before it is parsed, by its size and
//! the objects in it.

use crate::error::Fault;
use crate::limits;
use crate::text::{byte_order_mark, counted, grouped};

use super::schema::Root;

/// The JSON of a file and the binary chunk behind it.
pub(super) struct Container<'a> {
    pub(super) root: Root,
    pub(super) chunk: Option<&'a [u8]>,
}

const MAGIC: &[u8] = b"glTF";
const JSON: &[u8] = b"JSON";
const BINARY: &[u8] = b"BIN\0";

impl<'a> Container<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Fault> {
        if bytes.is_empty() {
            return Err(Fault::whole("the file is empty; export it again"));
        }
        if bytes.starts_with(MAGIC) {
            let (json, chunk) = chunks(bytes)?;
            return Ok(Self { root: parse_json(json)?, chunk });
        }
        let text = &bytes[byte_order_mark(bytes)..];
        if text.trim_ascii_start().first() != Some(&b'{') {
            return Err(Fault::whole(
                "neither a GLB (its first bytes are not \"glTF\") nor a glTF (its first character is not \"{\"); check what the file is",
            ));
        }
        Ok(Self { root: parse_json(text)?, chunk: None })
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn truncated(bytes: &[u8], what: &str) -> Fault {
    let size = counted(bytes.len(), "byte", "bytes");
    Fault::whole(format!(
        "the GLB ends within {what}, after {size}; it is truncated: copy or export it again"
    ))
}

/// The JSON chunk and the binary one, where there is one.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Fault> {
    let version = u32_at(bytes, 4).ok_or_else(|| truncated(bytes, "its header"))?;
    if version != 2 {
        return Err(Fault::whole(format!(
            "GLB version {version}; only glTF 2.0 can be read, so convert the file"
        )));
    }
    let length = u32_at(bytes, 8).ok_or_else(|| truncated(bytes, "its header"))? as usize;
    let held = bytes.get(..length).ok_or_else(|| {
        let (length, size) = (grouped(length as u64), counted(bytes.len(), "byte", "bytes"));
        Fault::whole(format!(
            "the GLB's header promises {length} bytes but the file holds {size}; it is truncated: copy or export it again"
        ))
    })?;
    let (kind, json, rest) = chunk(held, 12)?;
    if kind != JSON {
        return Err(Fault::whole("the first chunk of the GLB is not JSON; export the file again"));
    }
    if held.len() < rest + 8 {
        return Ok((json, None));
    }
    let (kind, binary, _) = chunk(held, rest)?;
    // Chunks of other kinds are to be passed over, and the binary one can only be the second.
    Ok((json, (kind == BINARY).then_some(binary)))
}

/// The kind and content of the chunk at byte `at`, and where it ends.
fn chunk(bytes: &[u8], at: usize) -> Result<(&[u8], &[u8], usize), Fault> {
    let fault = || truncated(bytes, &format!("the chunk at byte {at}"));
    let length = u32_at(bytes, at).ok_or_else(fault)? as usize;
    let kind = bytes.get(at + 4..at + 8).ok_or_else(fault)?;
    let end = (at + 8).checked_add(length).ok_or_else(fault)?;
    Ok((kind, bytes.get(at + 8..end).ok_or_else(fault)?, end))
}

fn parse_json(text: &[u8]) -> Result<Root, Fault> {
    let objects = text.iter().filter(|&&byte| byte == b'{' || byte == b'[').count();
    if objects > limits::GLTF_OBJECTS {
        let (objects, most) = (grouped(objects as u64), grouped(limits::GLTF_OBJECTS as u64));
        return Err(Fault::whole(format!(
            "the JSON holds {objects} objects and lists, more than the {most} that are read; split the file"
        )));
    }
    serde_json::from_slice(text).map_err(|error| {
        if is_first_version(text) {
            return Fault::whole(
                "glTF version 1.0; only 2.0 can be read, so convert it, as with `gltf-pipeline -i IN -o OUT.glb`",
            );
        }
        if error.to_string().starts_with("recursion limit") {
            let (line, most) = (error.line(), limits::JSON_NESTING);
            return Fault::whole(format!("line {line} of the JSON nests deeper than {most} levels"));
        }
        Fault::whole(format!("the JSON cannot be read: {error}; export the file again"))
    })
}

/// Whether JSON that is no glTF 2.0 is one of version 1.0, in which meshes and nodes stand under
/// names, not in lists.
fn is_first_version(text: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Shape {
        #[serde(default)]
        asset: serde_json::Value,
        #[serde(default)]
        meshes: serde_json::Value,
    }
    serde_json::from_slice::<Shape>(text).is_ok_and(|shape| {
        let version = shape.asset.get("version").map(ToString::to_string).unwrap_or_default();
        version.trim_matches('"').starts_with('1') || shape.meshes.is_object()
    })
}
