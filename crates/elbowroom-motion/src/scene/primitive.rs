//! The primitive that a piece stands for, in forms that questions can be asked of.
//!
//! The mesh of a curved primitive only encloses it. What is true is decided by other means:
//!
//! * a sphere or capsule is all points within a radius of its *core*, a point or a segment, which
//!   the engine takes as a degenerate triangle: distances are those of the core less the radius;
//! * a half-space is a plane: distances are those of the lowest point of the other shape;
//! * of a cylinder or an ellipsoid there is a second mesh, inside it: what meets that meets the
//!   primitive for certain, and what is clear of the outer mesh is clear of it for certain.
//!
//! Bounds and their proofs: docs/notes/primitives.md.

use std::sync::Arc;

use glam::{DAffine3, DMat3, DVec3};

use crate::body::Primitive;
use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::model::Model;

/// How far a matrix may be from a rotation times a scale for a sphere to stay a sphere. A pose
/// takes as much.
const SIMILARITY: f64 = 1e-9;

/// A primitive in the frame of the mesh that encloses it.
#[derive(Clone, Debug)]
pub(super) struct TrueShape {
    pub(super) kind: TrueKind,
    primitive: Primitive,
    primitive_from_mesh: DAffine3,
    /// The mesh with its vertices pulled into the primitive; `None` if the mesh is exact.
    pub(super) inner: Option<Arc<Model>>,
    /// No point of the mesh is farther than this from the primitive.
    pub(super) bound: f64,
}

/// What a primitive is decided by.
#[derive(Clone, Debug)]
pub(super) enum TrueKind {
    /// A box: its mesh is exact.
    Mesh,
    /// A core and how far it reaches: a sphere or capsule.
    Rounded { core: Arc<Model>, radius: f64 },
    /// Two meshes, one outside and one inside: a cylinder or ellipsoid.
    Between,
    /// The plane of a half-space: a point of it, and the unit normal that points out.
    HalfSpace { point: DVec3, normal: DVec3 },
}

impl TrueShape {
    /// `None` if the mesh does not allow it: a matrix without inverse, numbers beyond f64.
    pub(super) fn new(
        primitive: &Primitive,
        mesh_from_primitive: &DAffine3,
        mesh: &Mesh,
    ) -> Option<Self> {
        let primitive_from_mesh = mesh_from_primitive.inverse();
        if !primitive_from_mesh.is_finite() {
            return None;
        }
        let kind = kind(primitive, mesh_from_primitive)?;
        let is_exact = matches!(kind, TrueKind::Mesh | TrueKind::HalfSpace { .. });
        let (inner, bound) = if is_exact {
            (None, 0.0)
        } else {
            let pull = |&vertex: &DVec3| {
                let own = primitive_from_mesh.transform_point3(vertex);
                mesh_from_primitive.transform_point3(pulled(primitive, own))
            };
            let vertices: Vec<DVec3> = mesh.vertices().iter().map(pull).collect();
            let apart = mesh.vertices().iter().zip(&vertices).map(|(v, w)| v.distance(*w));
            let bound = apart.fold(0.0, f64::max);
            (Some(Arc::new(Model::new(mesh.with_vertices(vertices).ok()?))), bound)
        };
        Some(Self { kind, primitive: *primitive, primitive_from_mesh, inner, bound })
    }

    /// Whether a point, in the frame of the mesh, is in the primitive.
    pub(super) fn contains(&self, point: DVec3) -> bool {
        let p = self.primitive_from_mesh.transform_point3(point);
        match self.primitive {
            Primitive::Sphere { radius } => p.length() <= radius,
            Primitive::Capsule { radius, half_length } => {
                p.distance(nearest_on_axis(p, half_length)) <= radius
            }
            Primitive::Cuboid { half } => p.abs().cmple(half).all(),
            Primitive::Cylinder { radius, half_length } => {
                p.truncate().length() <= radius && p.z.abs() <= half_length
            }
            Primitive::Ellipsoid { half } => (p / half).length() <= 1.0,
            Primitive::HalfSpace => p.z <= 0.0,
        }
    }

    /// The point of the primitive that is farthest along a direction, both in the frame of the
    /// mesh; nothing for what has no end.
    pub(super) fn farthest(&self, direction: DVec3) -> Option<DVec3> {
        let mesh_from_primitive = self.primitive_from_mesh.inverse();
        let d = mesh_from_primitive.matrix3.transpose() * direction;
        let along = |half: f64, d: f64| if d < 0.0 { -half } else { half };
        let own = match self.primitive {
            Primitive::Sphere { radius } => d.normalize_or_zero() * radius,
            Primitive::Capsule { radius, half_length } => {
                DVec3::Z * along(half_length, d.z) + d.normalize_or_zero() * radius
            }
            Primitive::Cuboid { half } => {
                DVec3::new(along(half.x, d.x), along(half.y, d.y), along(half.z, d.z))
            }
            Primitive::Cylinder { radius, half_length } => {
                let across = DVec3::new(d.x, d.y, 0.0).normalize_or_zero();
                across * radius + DVec3::Z * along(half_length, d.z)
            }
            Primitive::Ellipsoid { half } => half * (half * d).normalize_or_zero(),
            Primitive::HalfSpace => return None,
        };
        Some(mesh_from_primitive.transform_point3(own))
    }
}

fn kind(primitive: &Primitive, mesh_from_primitive: &DAffine3) -> Option<TrueKind> {
    let half_core = match *primitive {
        Primitive::Cuboid { .. } => return Some(TrueKind::Mesh),
        Primitive::Cylinder { .. } | Primitive::Ellipsoid { .. } => return Some(TrueKind::Between),
        Primitive::HalfSpace => {
            let across = mesh_from_primitive.matrix3.inverse().transpose();
            let normal = (across * DVec3::Z).try_normalize()?;
            let point = mesh_from_primitive.translation;
            return Some(TrueKind::HalfSpace { point, normal });
        }
        Primitive::Sphere { .. } => 0.0,
        Primitive::Capsule { half_length, .. } => half_length,
    };
    let (Primitive::Sphere { radius } | Primitive::Capsule { radius, .. }) = *primitive else {
        return None;
    };
    // A sphere that is stretched is none any more, but what is between its two meshes.
    let Some(scale) = similarity(&mesh_from_primitive.matrix3) else {
        return Some(TrueKind::Between);
    };
    let end = |z: f64| mesh_from_primitive.transform_point3(DVec3::Z * z);
    let core = if half_core > 0.0 {
        Mesh::new(vec![end(half_core), end(-half_core)], vec![[0, 1, 1]])
    } else {
        Mesh::new(vec![end(0.0)], vec![[0, 0, 0]])
    };
    Some(TrueKind::Rounded { core: Arc::new(Model::new(core.ok()?)), radius: radius * scale })
}

/// The scale of a matrix that keeps the shape of all things.
fn similarity(matrix: &DMat3) -> Option<f64> {
    let scale = matrix.x_axis.length();
    let square = matrix.transpose() * *matrix;
    let off = square - DMat3::from_diagonal(DVec3::splat(scale * scale));
    let largest = off.to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    (largest <= SIMILARITY * scale * scale).then_some(scale)
}

/// The point itself if it is in the primitive, else one of the primitive that is near it.
fn pulled(primitive: &Primitive, p: DVec3) -> DVec3 {
    let onto = |core: DVec3, radius: f64| {
        let out = p - core;
        core + out * (radius / out.length().max(radius))
    };
    match *primitive {
        Primitive::Sphere { radius } => onto(DVec3::ZERO, radius),
        Primitive::Capsule { radius, half_length } => onto(nearest_on_axis(p, half_length), radius),
        Primitive::Cuboid { half } => p.clamp(-half, half),
        Primitive::Cylinder { radius, half_length } => {
            let across = onto(DVec3::Z * p.z, radius);
            DVec3 { z: p.z.clamp(-half_length, half_length), ..across }
        }
        Primitive::Ellipsoid { half } => p / (p / half).length().max(1.0),
        Primitive::HalfSpace => DVec3 { z: p.z.min(0.0), ..p },
    }
}

fn nearest_on_axis(p: DVec3, half_length: f64) -> DVec3 {
    DVec3::Z * p.z.clamp(-half_length, half_length)
}
