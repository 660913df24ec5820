//! Primitives as meshes.
//!
//! The mesh of a sphere, capsule, cylinder or ellipsoid *encloses* it: no point of the solid is
//! outside, and no vertex stands out by more than [`TESSELLATION_ERROR`] of the largest radius. So
//! nothing that meets the solid is missed by its mesh. The solid goes along with the mesh, and a
//! scene decides by the solid. A box is exact. Proofs: docs/notes/primitives.md.

use elbowroom::Mesh;
use elbowroom_make as make;
use elbowroom_motion::body::{Local, Primitive};
use glam::DVec3;

/// How far the mesh of a round solid stands out from it at most, as a part of its largest radius: 2
/// %.
pub const TESSELLATION_ERROR: f64 = 0.02;

/// Sectors around a capsule. Its contacts are decided by its core, so that a coarse mesh will do.
const CAPSULE_SECTORS: u32 = 24;

/// Bands from the pole of a capsule to its rim, 15° each.
const CAP_BANDS: u32 = 6;

/// Of a sphere, 500 triangles; its contacts are decided by its core, too.
const SPHERE_FREQUENCY: u32 = 5;

/// Of an ellipsoid, 2,000 triangles: they stand out by 0.4 %, and contacts within that are
/// estimates.
const ELLIPSOID_FREQUENCY: u32 = 10;

/// Sectors around a cylinder: 1 / cos 2.8° stands out by 0.12 %, and contacts within that are
/// estimates.
const CYLINDER_SECTORS: u32 = 64;

/// What roundings of vertices may take away from an enclosure, and is added before.
const ROUNDING: f64 = 1.0 + 1e-10;

/// The half width that stands for endless where a plane has no size.
const ENDLESS: f64 = 100.0;

/// How thick the slab is that is drawn for a half-space.
const SLAB: f64 = 10.0;

/// The mesh that encloses a solid that is placed in the frame of the mesh; `None` where a measure
/// is not positive and finite.
pub(crate) fn tessellate(solid: &Primitive, frame_from_solid: &Local) -> Option<Mesh> {
    let fine = |value: f64| value.is_finite() && value > 0.0;
    let mesh = match *solid {
        Primitive::Sphere { radius } | Primitive::Capsule { radius, half_length: 0.0 }
            if fine(radius) =>
        {
            ellipsoid(DVec3::splat(radius), SPHERE_FREQUENCY)
        }
        Primitive::Ellipsoid { half } if half.to_array().into_iter().all(fine) => {
            ellipsoid(half, ELLIPSOID_FREQUENCY)
        }
        Primitive::Cuboid { half } if half.to_array().into_iter().all(fine) => make::cuboid(half),
        Primitive::Cylinder { radius, half_length } if fine(radius) && fine(half_length) => {
            let top = DVec3::Z * half_length;
            let out = ROUNDING / libm::cos(std::f64::consts::PI / f64::from(CYLINDER_SECTORS));
            make::cylinder(top * ROUNDING, -top * ROUNDING, radius * out, CYLINDER_SECTORS)
        }
        Primitive::Capsule { radius, half_length } if fine(radius) && fine(half_length) => {
            let top = DVec3::Z * half_length;
            let unit = make::capsule(DVec3::Z, DVec3::NEG_Z, 1.0, CAP_BANDS, CAPSULE_SECTORS);
            let out = ROUNDING / least_height(&unit, DVec3::Z);
            make::capsule(top, -top, radius * out, CAP_BANDS, CAPSULE_SECTORS)
        }
        _ => return None,
    };
    placed(mesh.vertices(), mesh.triangles(), frame_from_solid, DVec3::ONE)
}

fn ellipsoid(half: DVec3, frequency: u32) -> Mesh {
    let out = ROUNDING / least_height(&make::icosphere(frequency), DVec3::ZERO);
    make::ellipsoid(half * out, frequency)
}

/// How far the planes of a mesh's triangles are at least from the segment between a point and its
/// opposite, whichever end is farther out.
fn least_height(mesh: &Mesh, end: DVec3) -> f64 {
    let height = |triangle: usize| {
        let [a, b, c] = mesh.triangle(triangle);
        let normal = (b - a).cross(c - a).normalize();
        normal.dot(a) - normal.dot(end).abs()
    };
    (0..mesh.triangles().len()).map(height).fold(f64::INFINITY, f64::min)
}

/// The half-space below a plane, drawn as a slab of the plane's size; 0 is without end.
pub(crate) fn half_space(half_x: f64, half_y: f64, frame_from_plane: &Local) -> Option<Mesh> {
    let size = |half: f64| if half > 0.0 { half } else { ENDLESS };
    let slab = make::cuboid(DVec3::new(size(half_x), size(half_y), 0.5 * SLAB));
    // The upper face is where the plane is, to the bit.
    let below = |&v: &DVec3| DVec3 { z: if v.z > 0.0 { 0.0 } else { -SLAB }, ..v };
    let vertices: Vec<DVec3> = slab.vertices().iter().map(below).collect();
    placed(&vertices, slab.triangles(), frame_from_plane, DVec3::ONE)
}

/// A mesh that is scaled, then placed; one that is mirrored has its triangles turned about, so that
/// outside stays outside.
///
/// `None` where a coordinate leaves the numbers.
pub(crate) fn placed(
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    frame_from_mesh: &Local,
    scale: DVec3,
) -> Option<Mesh> {
    let affine = frame_from_mesh.affine();
    let still = *frame_from_mesh == Local::IDENTITY && scale == DVec3::ONE;
    let place = |&v: &DVec3| if still { v } else { affine.transform_point3(v * scale) };
    let mirrored = scale.x * scale.y * scale.z < 0.0;
    let turn = |&[a, b, c]: &[u32; 3]| if mirrored { [a, c, b] } else { [a, b, c] };
    Mesh::new(vertices.iter().map(place).collect(), triangles.iter().map(turn).collect()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How far a point is outside the true surface of a solid, at most.
    fn outside(solid: &Primitive, p: DVec3) -> f64 {
        match *solid {
            Primitive::Sphere { radius } => p.length() - radius,
            Primitive::Capsule { radius, half_length } => {
                (p - DVec3::Z * p.z.clamp(-half_length, half_length)).length() - radius
            }
            Primitive::Cylinder { radius, half_length } => {
                (p.truncate().length() - radius).max(p.z.abs() - half_length)
            }
            // Along the ray from the centre, which is no less than the distance.
            Primitive::Ellipsoid { half } => p.length() * (1.0 - 1.0 / (p / half).length()),
            Primitive::Cuboid { half } => (p.abs() - half).max_element(),
            Primitive::HalfSpace => p.z,
        }
    }

    #[test]
    fn a_mesh_encloses_its_solid_within_the_stated_error() {
        let solids = [
            (Primitive::Sphere { radius: 0.5 }, 0.5),
            (Primitive::Capsule { radius: 0.2, half_length: 0.7 }, 0.2),
            (Primitive::Cylinder { radius: 0.4, half_length: 0.1 }, 0.4),
            (Primitive::Ellipsoid { half: DVec3::new(0.03, 0.04, 0.02) }, 0.04),
            (Primitive::Cuboid { half: DVec3::new(1.0, 2.0, 3.0) }, 3.0),
        ];
        let mut sampled = 0;
        for (solid, size) in solids {
            let mesh = tessellate(&solid, &Local::IDENTITY).unwrap();
            assert!(mesh.seams().is_closed());
            let mut worst = 0.0_f64;
            for i in 0..mesh.triangles().len() {
                let [a, b, c] = mesh.triangle(i);
                for (u, v) in
                    [(0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (1.0 / 3.0, 1.0 / 3.0), (0.1, 0.8)]
                {
                    let outside = outside(&solid, a + (b - a) * u + (c - a) * v);
                    assert!(outside > -1e-12, "{solid:?} {outside}");
                    worst = worst.max(outside);
                    sampled += 1;
                }
            }
            assert!(worst <= TESSELLATION_ERROR * size, "{solid:?} {worst}");
        }
        assert!(sampled > 5000, "{sampled}");
    }

    #[test]
    fn a_mirrored_mesh_keeps_its_outside() {
        let volume = |mesh: &Mesh| -> f64 {
            let six: f64 = (0..mesh.triangles().len())
                .map(|i| mesh.triangle(i))
                .map(|[a, b, c]| a.dot(b.cross(c)))
                .sum();
            six / 6.0
        };
        let cube = make::cuboid(DVec3::ONE);
        let scale = DVec3::new(-2.0, 1.0, 1.0);
        let mirrored = placed(cube.vertices(), cube.triangles(), &Local::IDENTITY, scale).unwrap();
        assert_eq!((volume(&cube), volume(&mirrored)), (8.0, 16.0));
    }
}
