//! Simple solids as meshes.
//!
//! A ball, capsule, cylinder or ellipsoid is given as triangles whose vertices lie on its true surface; between them the true surface
//! stands out by at most [`TESSELLATION_ERROR`] of the largest radius. The solid itself goes along with the mesh, for whoever can do
//! better. A box is exact.

use elbowroom::Mesh;
use elbowroom::body::{Local, Primitive};
use elbowroom_make as make;
use glam::DVec3;

/// How far the true surface of a round solid stands out from its mesh at most, as a part of its largest radius: 2 %.
pub const TESSELLATION_ERROR: f64 = 0.02;

/// Sectors around a capsule or cylinder: 1 − cos 7.5° = 0.9 %.
const SECTORS: u32 = 24;

/// Bands from the pole of a capsule to its rim, 15° each.
const CAP_BANDS: u32 = 6;

/// Of an icosphere, 500 triangles.
const FREQUENCY: u32 = 5;

/// The half width that stands for endless where a plane has no size.
pub(crate) const ENDLESS: f64 = 100.0;

/// The mesh of a solid that is placed in the frame of the mesh; `None` where a measure is not positive and finite.
pub(crate) fn tessellate(solid: &Primitive, frame_from_solid: &Local) -> Option<Mesh> {
    let fine = |value: f64| value.is_finite() && value > 0.0;
    let mesh = match *solid {
        Primitive::Sphere { radius } | Primitive::Capsule { radius, half_length: 0.0 }
            if fine(radius) =>
        {
            make::ellipsoid(DVec3::splat(radius), FREQUENCY)
        }
        Primitive::Ellipsoid { half } if half.to_array().into_iter().all(fine) => {
            make::ellipsoid(half, FREQUENCY)
        }
        Primitive::Cuboid { half } if half.to_array().into_iter().all(fine) => make::cuboid(half),
        Primitive::Cylinder { radius, half_length } if fine(radius) && fine(half_length) => {
            let top = DVec3::Z * half_length;
            make::cylinder(top, -top, radius, SECTORS)
        }
        Primitive::Capsule { radius, half_length } if fine(radius) && fine(half_length) => {
            let top = DVec3::Z * half_length;
            make::capsule(top, -top, radius, CAP_BANDS, SECTORS)
        }
        _ => return None,
    };
    placed(mesh.vertices(), mesh.triangles(), frame_from_solid, DVec3::ONE)
}

/// A rectangle in the plane of x and y, seen from above.
pub(crate) fn rectangle(half_x: f64, half_y: f64, frame_from_plane: &Local) -> Option<Mesh> {
    let corner = |x: f64, y: f64| DVec3::new(x * half_x, y * half_y, 0.0);
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    placed(&corners, &[[0, 1, 2], [0, 2, 3]], frame_from_plane, DVec3::ONE)
}

/// A mesh that is scaled, then placed; one that is mirrored has its triangles turned about, so that outside stays outside.
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

    /// How far a point is from the true surface of a solid, outside positive.
    fn depth(solid: &Primitive, p: DVec3) -> f64 {
        match *solid {
            Primitive::Sphere { radius } => radius - p.length(),
            Primitive::Capsule { radius, half_length } => {
                radius - (p - DVec3::Z * p.z.clamp(-half_length, half_length)).length()
            }
            Primitive::Cylinder { radius, half_length } => {
                (radius - p.truncate().length()).min(half_length - p.z.abs())
            }
            // Along the ray from the centre, which is no less than the distance.
            Primitive::Ellipsoid { half } => p.length() * (1.0 / (p / half).length() - 1.0),
            Primitive::Cuboid { half } => (half - p.abs()).min_element(),
        }
    }

    #[test]
    fn the_stated_error_holds() {
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
                    let depth = depth(&solid, a + (b - a) * u + (c - a) * v);
                    assert!(depth > -1e-12, "{solid:?} {depth}");
                    worst = worst.max(depth);
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
