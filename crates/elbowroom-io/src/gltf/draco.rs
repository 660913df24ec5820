//! Primitives that are compressed with Draco (`KHR_draco_mesh_compression`).
//!
//! Source: the specification of the extension. The stream is decoded by the library `draco-core`,
//! under limits on faces, points and bytes. What it holds takes the place of the numbers of the
//! primitive's accessors, which stand in no view: their component types and counts must be those of
//! the stream, as the extension asks.
//!
//! Invariant: a stream counts towards the budget before it is decoded, by what it may decode to.

use std::collections::HashMap;

use draco_core::draco_types::DataType;
use draco_core::geometry_attribute::PointAttribute;
use draco_core::geometry_indices::{FaceIndex, PointIndex};
use draco_core::{DecodeLimits, DecoderBuffer, Mesh, MeshDecoder};

use crate::error::Fault;
use crate::text::{counted, grouped};

use super::accessor::{Accessors, component};
use super::schema::{Accessor, Draco, Primitive};

/// The bytes of memory that the library takes for a face while it decodes, at most.
const FACE_BYTES: u64 = 256;

/// Decodes the stream of a primitive and gives its accessors their numbers.
pub(super) fn supply(
    draco: &Draco,
    primitive: &Primitive,
    accessors: &Accessors<'_>,
    place: &str,
) -> Result<(), Fault> {
    let wrong = |problem: String| {
        Fault::whole(format!("{place}: its Draco stream {problem}; export it again"))
    };
    if primitive.mode == 6 {
        return Err(wrong("is for a fan of triangles, which Draco does not have".to_owned()));
    }
    let stream = accessors.bytes(draco.buffer_view, place)?;
    let left = accessors.left();
    let limits = DecodeLimits::default()
        .with_max_faces(left / FACE_BYTES)
        .with_max_points(left / FACE_BYTES)
        .with_max_decoded_bytes(left / 4);
    let mut mesh = Mesh::new();
    let mut buffer = DecoderBuffer::new(stream).with_limits(limits);
    MeshDecoder::new()
        .decode(&mut buffer, &mut mesh)
        .map_err(|error| wrong(format!("cannot be decoded ({error})")))?;
    let (faces, points) = (mesh.num_faces(), mesh.num_points());
    accessors.spend(faces.saturating_mul(3 * size_of::<f64>()))?;
    let mut numbers = HashMap::new();
    if let Some(index) = primitive.indices {
        let count = accessors.count(index, place)?;
        if count != 3 * faces {
            let (count, faces) = (grouped(count as u64), counted(faces, "triangle", "triangles"));
            return Err(wrong(format!("has {faces}, and the primitive has {count} indices")));
        }
        let corner = |face: usize| mesh.face(FaceIndex(face as u32));
        let corners = (0..faces).flat_map(corner);
        numbers.insert(index, corners.map(|point| f64::from(point.0)).collect());
    }
    for (name, &id) in &draco.attributes {
        // What geometry needs is few of them.
        let is_needed =
            ["POSITION", "JOINTS_", "WEIGHTS_"].iter().any(|start| name.starts_with(start));
        let Some(&index) = primitive.attributes.get(name).filter(|_| is_needed) else { continue };
        let accessor = accessors.root.accessor(index, place)?;
        let attribute = mesh
            .attribute_by_unique_id(id)
            .ok_or_else(|| wrong(format!("has no attribute {id}, which is to be its {name}")))?;
        if accessor.count != points {
            let (count, points) =
                (grouped(accessor.count as u64), counted(points, "point", "points"));
            return Err(wrong(format!(
                "has {points}, and the accessor of {name} has {count} elements"
            )));
        }
        let width = usize::from(attribute.num_components());
        accessors.spend(points.saturating_mul(width * size_of::<f64>()))?;
        let values = values(attribute, accessor, points)
            .ok_or_else(|| wrong(format!("has a {name} of another type than its accessor")))?;
        numbers.insert(index, values);
    }
    accessors.supply(numbers);
    Ok(())
}

/// The numbers of an attribute, point by point; `None` if they are not as the accessor says.
fn values(attribute: &PointAttribute, accessor: &Accessor, points: usize) -> Option<Vec<f64>> {
    let kind = match attribute.data_type() {
        DataType::Int8 => 5120,
        DataType::Uint8 => 5121,
        DataType::Int16 => 5122,
        DataType::Uint16 => 5123,
        DataType::Uint32 => 5125,
        DataType::Float32 => 5126,
        _ => return None,
    };
    let widths = [("SCALAR", 1), ("VEC2", 2), ("VEC3", 3), ("VEC4", 4)];
    let width = widths.iter().find(|(shape, _)| *shape == accessor.shape)?.1;
    if accessor.component_type != kind || usize::from(attribute.num_components()) != width {
        return None;
    }
    let component = component(kind, accessor.normalized)?;
    let stride = usize::try_from(attribute.byte_stride()).ok()?;
    let bytes = attribute.buffer().data();
    let mut values = Vec::with_capacity(points * width);
    for point in 0..points {
        let start =
            (attribute.mapped_index(PointIndex(point as u32)).0 as usize).checked_mul(stride)?;
        let element = bytes.get(start..)?.get(..width * component.size)?;
        values.extend(element.chunks_exact(component.size).map(component.decode));
    }
    Some(values)
}
