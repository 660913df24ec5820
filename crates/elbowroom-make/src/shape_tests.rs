//! What all generators promise, asked of each: counts, closedness, orientation, size.

use std::f64::consts::{PI, TAU};

use elbowroom::{Aabb, Mesh};
use glam::DVec3;

use crate::*;

fn volume(mesh: &Mesh) -> f64 {
    let parts = (0..mesh.triangles().len()).map(|i| {
        let [a, b, c] = mesh.triangle(i);
        a.dot(b.cross(c)) / 6.0
    });
    parts.sum()
}

fn smallest_area(mesh: &Mesh) -> f64 {
    let areas = (0..mesh.triangles().len()).map(|i| {
        let [a, b, c] = mesh.triangle(i);
        0.5 * (b - a).cross(c - a).length()
    });
    areas.fold(f64::INFINITY, f64::min)
}

#[test]
fn closed_shapes_are_closed_outward_and_as_large_as_they_should_be() {
    let slanted = [DVec3::new(0.1, 0.2, -0.3), DVec3::new(-0.4, 1.0, 0.5)];
    let rod = (slanted[1] - slanted[0]).length();
    let ball = 4.0 / 3.0 * PI;
    // Name, mesh, triangles, volume of the smooth shape, share of it that facets may cut off.
    let shapes = [
        ("cuboid", cuboid(DVec3::new(1.0, 2.0, 0.5)), 12, 8.0, 1e-15),
        ("icosahedron", icosphere(1), 20, 2.536_150_9, 1e-7),
        ("icosphere 7", icosphere(7), 980, ball, 0.02),
        ("icosphere 40", icosphere(40), 32_000, ball, 0.001),
        ("octahedron", lat_long_sphere(2, 4), 8, 4.0 / 3.0, 1e-15),
        ("sphere", lat_long_sphere(101, 160), 32_000, ball, 0.001),
        ("torus", torus(2.0, 0.5, 60, 30), 3600, TAU * 2.0 * PI * 0.25, 0.02),
        ("wrinkled torus", wrinkled_torus(100, 100), 20_000, TAU * 0.75 * PI * 0.0784, 0.05),
        ("bumpy sphere", bumpy_sphere(7, 0.2, 1), 980, ball, 0.2),
        (
            "capsule",
            capsule(slanted[0], slanted[1], 0.2, 16, 64),
            4096,
            ball * 0.008 + PI * 0.04 * rod,
            0.01,
        ),
    ];
    let mut met = 0;
    for (name, mesh, triangles, smooth, share) in &shapes {
        assert_eq!(mesh.triangles().len(), *triangles, "{name}");
        let seams = mesh.seams();
        assert!(seams.is_closed() && seams.is_manifold(), "{name}: {seams:?}");
        assert!((volume(mesh) / smooth - 1.0).abs() <= *share, "{name}: {}", volume(mesh));
        assert!(smallest_area(mesh) > 1e-6, "{name}: {}", smallest_area(mesh));
        assert_eq!(mesh.welded().vertices().len(), mesh.vertices().len(), "{name}");
        met += 1;
    }
    assert_eq!(met, 10);
}

#[test]
fn capsules_keep_their_distance_from_the_segment_whichever_way_they_point() {
    let directions = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_Y, DVec3::new(1.0, -2.0, 3.0)];
    for to in directions {
        let mesh = capsule(DVec3::ZERO, to, 0.25, 3, 16);
        assert!(mesh.seams().is_closed() && volume(&mesh) > 0.0, "{to}");
        for &vertex in mesh.vertices() {
            let along = (vertex.dot(to) / to.length_squared()).clamp(0.0, 1.0);
            let distance = (vertex - along * to).length();
            assert!((distance - 0.25).abs() < 1e-15, "{to}: {distance}");
        }
    }
}

#[test]
fn the_person_stands_on_the_floor_and_is_the_same_on_both_sides() {
    let person = person();
    assert_eq!(person.triangles().len(), 2880);
    assert!(person.seams().is_closed());
    let Aabb { min: low, max: high } = person.bounds();
    assert!(low.y.abs() < 1e-15 && (high.y - 1.75).abs() < 0.01, "{low} {high}");
    assert_eq!(low.x, -high.x);
    assert!(volume(&person) > 0.06, "{}", volume(&person));
}

#[test]
fn the_landscape_is_open_and_faces_up() {
    let ground = landscape(245, 200, 1);
    assert_eq!(ground.triangles().len(), 98_000);
    let seams = ground.seams();
    assert_eq!((seams.boundary, seams.inconsistent, seams.branching), (2 * 445, 0, 0));
    let up = |i| {
        let [a, b, c] = ground.triangle(i);
        (b - a).cross(c - a).y > 0.0
    };
    assert!((0..98_000).all(up));
    let Aabb { min: low, max: high } = ground.bounds();
    assert!(high.y - low.y > 0.5 && high.x == -low.x && high.z == -low.z, "{low} {high}");
}

#[test]
fn a_seed_is_a_shape() {
    assert_eq!(bumpy_sphere(3, 0.2, 7), bumpy_sphere(3, 0.2, 7));
    assert_ne!(bumpy_sphere(3, 0.2, 7), bumpy_sphere(3, 0.2, 8));
    assert_eq!(landscape(5, 4, 7), landscape(5, 4, 7));
    assert_ne!(landscape(5, 4, 7), landscape(5, 4, 8));
}

#[test]
#[should_panic(expected = "not 2 and 9")]
fn too_few_steps_are_named() {
    torus(1.0, 0.1, 2, 9);
}

#[test]
#[should_panic(expected = "vertices are more than")]
fn too_many_steps_are_refused_before_memory_is_taken() {
    lat_long_sphere(u32::MAX, u32::MAX);
}
