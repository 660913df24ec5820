//! The binary chunk, the accessors that speak of it, and the GLB around both.

use std::collections::HashMap;

use glam::DVec3;
use serde_json::{Map, Value, json};

use super::WriteError;

/// What a view is for, as the standard numbers it.
#[derive(Clone, Copy)]
pub(super) enum Use {
    Vertices = 34962,
    Indices = 34963,
    /// Anything else, for which there is no number.
    Data = 0,
}

/// Bytes that grow, accessor by accessor.
#[derive(Default)]
pub(super) struct Bin {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    /// The accessors of times that were written: the tracks of a clip mostly share theirs.
    times: HashMap<Vec<u32>, usize>,
}

const F32: u32 = 5126;
const U32: u32 = 5125;
const U16: u32 = 5123;
const U8: u32 = 5121;

impl Bin {
    /// Numbers in elements of one shape; points and times carry their bounds.
    pub(super) fn floats(&mut self, shape: &str, used: Use, values: &[f32], bounds: bool) -> usize {
        let width = match shape {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes = values.iter().flat_map(|value| value.to_le_bytes());
        let mut accessor = self.accessor(shape, F32, values.len() / width, used, bytes);
        if bounds {
            let extreme = |pick: fn(f32, f32) -> f32| -> Vec<f64> {
                let column = |i: usize| values.iter().skip(i).step_by(width).copied().reduce(pick);
                (0..width).map(|i| f64::from(column(i).unwrap_or(0.0))).collect()
            };
            accessor.insert("min".to_owned(), json!(extreme(f32::min)));
            accessor.insert("max".to_owned(), json!(extreme(f32::max)));
        }
        self.push(accessor)
    }

    /// The times of keys, written once however many tracks have them.
    pub(super) fn times(&mut self, times: &[f32]) -> usize {
        let key: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(&accessor) = self.times.get(&key) {
            return accessor;
        }
        let accessor = self.floats("SCALAR", Use::Data, times, true);
        self.times.insert(key, accessor);
        accessor
    }

    /// Corners of triangles, as small as `vertices` allows; the highest number of a type is not
    /// used.
    pub(super) fn indices(&mut self, indices: &[u32], vertices: usize) -> usize {
        let accessor = if u16::try_from(vertices).is_ok() {
            let bytes = indices.iter().flat_map(|&index| (index as u16).to_le_bytes());
            self.accessor("SCALAR", U16, indices.len(), Use::Indices, bytes)
        } else {
            let bytes = indices.iter().flat_map(|index| index.to_le_bytes());
            self.accessor("SCALAR", U32, indices.len(), Use::Indices, bytes)
        };
        self.push(accessor)
    }

    /// Four joints a vertex, out of `joints`.
    pub(super) fn joints(&mut self, values: &[u16], joints: usize) -> usize {
        let count = values.len() / 4;
        let accessor = if joints <= 256 {
            let bytes = values.iter().map(|&joint| joint as u8);
            self.accessor("VEC4", U8, count, Use::Vertices, bytes)
        } else {
            let bytes = values.iter().flat_map(|joint| joint.to_le_bytes());
            self.accessor("VEC4", U16, count, Use::Vertices, bytes)
        };
        self.push(accessor)
    }

    fn accessor(
        &mut self,
        shape: &str,
        component: u32,
        count: usize,
        used: Use,
        bytes: impl Iterator<Item = u8>,
    ) -> Map<String, Value> {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        let mut view = Map::new();
        view.insert("buffer".to_owned(), json!(0));
        view.insert("byteOffset".to_owned(), json!(start));
        view.insert("byteLength".to_owned(), json!(self.bytes.len() - start));
        if !matches!(used, Use::Data) {
            view.insert("target".to_owned(), json!(used as u32));
        }
        // Every number starts at a multiple of its size.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(Value::Object(view));
        let mut accessor = Map::new();
        accessor.insert("bufferView".to_owned(), json!(self.views.len() - 1));
        accessor.insert("componentType".to_owned(), json!(component));
        accessor.insert("count".to_owned(), json!(count));
        accessor.insert("type".to_owned(), json!(shape));
        accessor
    }

    fn push(&mut self, accessor: Map<String, Value>) -> usize {
        self.accessors.push(Value::Object(accessor));
        self.accessors.len() - 1
    }

    /// The GLB of a JSON root, to which the accessors are added.
    pub(super) fn finish(self, mut root: Map<String, Value>) -> Result<Vec<u8>, WriteError> {
        root.extend(super::list("accessors", &self.accessors));
        root.extend(super::list("bufferViews", &self.views));
        if !self.bytes.is_empty() {
            root.insert("buffers".to_owned(), json!([{ "byteLength": self.bytes.len() }]));
        }
        let mut text = Value::Object(root).to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let binary = if self.bytes.is_empty() { 0 } else { 8 + self.bytes.len() };
        let length = u32::try_from(12 + 8 + text.len() + binary)
            .map_err(|_| WriteError("a GLB ends at 4 GiB; write fewer rigs or clips".to_owned()))?;
        let mut out = Vec::with_capacity(length as usize);
        out.extend(b"glTF");
        out.extend(2_u32.to_le_bytes());
        out.extend(length.to_le_bytes());
        out.extend((text.len() as u32).to_le_bytes());
        out.extend(b"JSON");
        out.extend(text);
        if binary > 0 {
            out.extend((self.bytes.len() as u32).to_le_bytes());
            out.extend(b"BIN\0");
            out.extend(self.bytes);
        }
        Ok(out)
    }
}

/// A number as f32, if it fits.
pub(super) fn single(value: f64, place: &str) -> Result<f32, WriteError> {
    let single = value as f32;
    if single.is_finite() {
        return Ok(single);
    }
    Err(WriteError(format!(
        "{place}: {value} is too large for a GLB, whose numbers end near 3.4e38"
    )))
}

/// Vectors as one list of f32.
pub(super) fn singles<'a>(
    vectors: impl IntoIterator<Item = &'a DVec3>,
    place: &str,
) -> Result<Vec<f32>, WriteError> {
    vectors.into_iter().flat_map(DVec3::to_array).map(|value| single(value, place)).collect()
}
