//! How far solids must be moved to be free of each other: along a direction, and at all.

use elbowroom::internal::model::Model;
use elbowroom::internal::query::{minimum_translation, separation, solids};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Mesh, Pose};
use elbowroom_make::{cuboid, icosphere, torus};
use elbowroom_testkit::random::Random;
use glam::{DQuat, DVec3};

const HERE: Pose = Pose::IDENTITY;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).unwrap()
}

fn joined(parts: &[(DVec3, DVec3)]) -> Model {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for &(low, high) in parts {
        let first = points.len() as u32;
        let part = cuboid((high - low) * 0.5);
        points.extend(part.vertices().iter().map(|&v| v + (low + high) * 0.5));
        triangles.extend(part.triangles().iter().map(|t| t.map(|corner| corner + first)));
    }
    Model::new(Mesh::new(points, triangles).unwrap())
}

#[test]
fn boxes_part_along_axes_by_what_is_left() {
    let cube = Model::new(cuboid(DVec3::ONE));
    let mut workspace = Workspace::default();
    let mut way = |place: &Pose, direction: DVec3| {
        separation(&cube, &HERE, &cube, place, direction, &mut workspace).unwrap()
    };
    let there = at(1.5, 0.1, 0.2);
    for (direction, truth) in [
        (DVec3::NEG_X, 0.5),
        (DVec3::X, 3.5),
        (DVec3::NEG_Y, 1.9),
        (DVec3::new(-3.0, 0.0, 4.0), 0.5 / 0.6),
    ] {
        let found = way(&there, direction);
        assert!(found.lower <= truth + 1e-7 && truth <= found.upper + 1e-7, "{found:?} {truth}");
        assert!(found.upper - found.lower < 1e-7, "{found:?}");
    }
    // In common planes, inside each other, and not at all.
    let flush = way(&at(1.5, 0.0, 0.0), DVec3::NEG_X);
    assert!(
        flush.lower <= 0.5 && flush.upper >= 0.5 && flush.upper - flush.lower < 2e-3,
        "{flush:?}"
    );
    let same = way(&HERE, DVec3::Z);
    assert!(same.lower <= 2.0 && same.upper >= 2.0 && same.upper - same.lower < 2e-3, "{same:?}");
    let free = way(&at(2.0, 0.0, 0.0), DVec3::Y);
    assert_eq!((free.lower, free.upper), (0.0, 0.0));
    assert!(separation(&cube, &HERE, &cube, &HERE, DVec3::ZERO, &mut workspace).is_none());
    assert!(separation(&cube, &HERE, &cube, &HERE, DVec3::NAN, &mut workspace).is_none());
    let small = Model::new(cuboid(DVec3::splat(0.1)));
    let out = separation(&small, &HERE, &cube, &HERE, DVec3::Y, &mut workspace).unwrap();
    assert!(out.lower <= 1.1 && out.upper >= 1.1 && out.upper - out.lower < 1e-4, "{out:?}");
}

#[test]
fn a_solid_is_free_as_soon_as_it_fits() {
    // A rod across a comb: it is free in the first gap, long before it is past the comb.
    let comb = joined(&[
        (DVec3::new(0.0, 0.0, -1.0), DVec3::new(1.0, 4.0, 1.0)),
        (DVec3::new(3.0, 0.0, -1.0), DVec3::new(4.0, 4.0, 1.0)),
    ]);
    let rod = Model::new(cuboid(DVec3::new(0.5, 0.5, 3.0)));
    let mut workspace = Workspace::default();
    let found = separation(&rod, &at(0.25, 2.125, 0.1), &comb, &HERE, DVec3::X, &mut workspace);
    let found = found.unwrap();
    assert!((found.upper - 1.25).abs() < 1e-6 && found.lower > 1.25 - 1e-6, "{found:?}");
    // All sides in common planes, so that nothing crosses, and a gap that is hardly wider than the
    // rod.
    let mut fitting = 0;
    for gap in [1e-1, 1e-2, 1e-3, 1e-4] {
        let comb = joined(&[
            (DVec3::new(0.0, 0.0, -1.0), DVec3::new(1.0, 4.0, 1.0)),
            (DVec3::new(2.0 + gap, 0.0, -1.0), DVec3::new(4.0, 4.0, 1.0)),
        ]);
        let rod = Model::new(cuboid(DVec3::new(0.5, 2.0, 1.0)));
        let found = separation(&rod, &at(0.75, 2.0, 0.0), &comb, &HERE, DVec3::X, &mut workspace);
        let found = found.unwrap();
        assert!(found.lower <= 0.75 && 0.75 <= found.upper, "{gap}: {found:?}");
        assert!(found.upper - found.lower < 1e-4, "{gap}: {found:?}");
        fitting += 1;
    }
    assert_eq!(fitting, 4);
}

#[test]
fn random_directions_are_walked_to_where_solids_are_free() {
    let mut random = Random::new(77);
    let models = [
        Model::new(torus(0.8, 0.25, 10, 7)),
        Model::new(icosphere(2)),
        Model::new(cuboid(DVec3::new(0.2, 0.9, 0.4))),
    ];
    let (mut walked, mut workspace) = (0, Workspace::default());
    for _ in 0..60 {
        let (a, b) = (random.choice(&models), random.choice(&models));
        let mut part = || random.uniform(-1.0, 1.0);
        let turn = DQuat::from_xyzw(part(), part(), part(), part() + 1e-3);
        let place = Pose::from_quat(turn, DVec3::new(part(), part(), part()) * 0.5).unwrap();
        let direction = DVec3::new(part(), part(), part() + 1e-3);
        let way = separation(a, &HERE, b, &place, direction, &mut workspace).unwrap();
        let mut overlaps = |far: f64| {
            let moved = Pose::from_translation(way.direction * far).unwrap();
            solids(a, &moved, b, &place, &mut workspace).both
        };
        assert!(!overlaps(way.upper), "{way:?}");
        for i in 0..12 {
            let far = way.lower * (f64::from(i) + 0.5) / 12.0;
            assert!(way.lower == 0.0 || overlaps(far), "{way:?} {far}");
        }
        walked += u32::from(way.lower > 0.0);
    }
    assert!(walked > 40, "{walked}");
}

#[test]
fn the_smallest_translation_is_between_its_bounds() {
    let mut workspace = Workspace::default();
    let ball = Model::new(icosphere(6));
    let found = minimum_translation(&ball, &HERE, &ball, &at(0.0, 1.5, 0.0), &mut workspace);
    assert!(
        found.is_convex && (found.upper - 0.5).abs() < 0.02 && found.upper - found.lower < 1e-6,
        "{found:?}"
    );
    assert!(found.direction.y < -0.99);
    // A ball in the tube of a ring is out by its radius and the tube's, at least, and hulls would
    // say the same, or more.
    let ring = Model::new(torus(1.0, 0.25, 24, 12));
    let bead = Model::new(cuboid(DVec3::splat(0.1)));
    let found = minimum_translation(&bead, &at(1.0, 0.05, 0.0), &ring, &HERE, &mut workspace);
    assert!(!found.is_convex && found.lower <= found.upper, "{found:?}");
    assert!(found.lower > 0.2 && found.upper < 0.36, "{found:?}");
    // Moved as it says, they are free.
    let moved = DVec3::new(1.0, 0.05, 0.0) + found.direction * (found.upper + 1e-9);
    let free = Pose::from_translation(moved).unwrap();
    assert!(!solids(&bead, &free, &ring, &HERE, &mut workspace).both);
    let apart = minimum_translation(&bead, &HERE, &ring, &HERE, &mut workspace);
    assert_eq!((apart.lower, apart.upper), (0.0, 0.0));
}
