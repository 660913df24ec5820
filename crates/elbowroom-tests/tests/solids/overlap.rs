//! How much two solids have in common, against counting on a lattice and closed forms.

use std::f64::consts::PI;

use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Overlap, OverlapAreas, overlap};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Mesh, Pose};
use elbowroom_make::{cuboid, cylinder, icosphere, torus};
use elbowroom_testkit::random::Random;
use elbowroom_testkit::solids::amounts::{Amounts, amounts};
use elbowroom_testkit::solids::{Block, Pile, mapped};
use elbowroom_tests::common::mesh;
use glam::{DQuat, DVec3};

/// Keeps volumes, slants everything.
const SLANTED: [[i64; 3]; 3] = [[1, 2, 0], [0, 1, 1], [1, 2, 1]];

fn shifted(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).unwrap()
}

fn turned(random: &mut Random) -> Pose {
    let axis = DVec3::new(random.unit(), random.unit(), 0.1).normalize();
    let shift = DVec3::new(random.unit() * 9.0, -random.unit(), 3.0);
    Pose::from_quat(DQuat::from_axis_angle(axis, random.uniform(-3.0, 3.0)), shift).unwrap()
}

fn swapped(mut overlap: Overlap) -> Overlap {
    std::mem::swap(&mut overlap.a, &mut overlap.b);
    overlap
}

/// Asks in both orders, which must agree to the bit.
fn ask(a: &Model, place_a: &Pose, b: &Model, place_b: &Pose) -> Overlap {
    let mut workspace = Workspace::default();
    let found = overlap(a, place_a, b, place_b, &mut workspace);
    assert_eq!(swapped(found), overlap(b, place_b, a, place_a, &mut workspace));
    found
}

fn is_near(found: f64, truth: f64, error: f64) -> bool {
    (found - truth).abs() <= error + 1e-12 * truth.max(1.0)
}

fn check_areas(found: &OverlapAreas, truth: [u32; 3], what: &dyn std::fmt::Debug) {
    let pairs = [found.inside, found.shared, found.against].into_iter().zip(truth);
    for (found_area, truth) in pairs {
        assert!(is_near(found_area, f64::from(truth), found.error), "{found:?} {truth:?} {what:?}");
    }
    assert!(found.error < 1e-9, "{found:?}");
}

#[test]
fn piles_have_what_is_counted() {
    let mut random = Random::new(41);
    let (mut common, mut shared, mut against, mut twice) = (0, 0, 0, 0);
    for round in 0..150 {
        let some_inward = round % 3 == 0;
        let [a, b] = [(); 2].map(|()| Pile::random(&mut random, 3, 4, some_inward));
        let truth: Amounts = amounts(&a, &b);
        let soups = [a.soup(&mut random), b.soup(&mut random)];
        let [first, second] = soups.each_ref().map(|soup| Model::new(mesh(soup)));
        let place = if round % 2 == 0 { Pose::IDENTITY } else { turned(&mut random) };
        let found = ask(&first, &place, &second, &place);
        let what = (&a, &b);
        assert!(found.certainty.is_exact());
        assert!(
            is_near(found.volume, f64::from(truth.volume), found.volume_error),
            "{found:?} {truth:?} {what:?}"
        );
        assert!(found.volume_error < 1e-9);
        check_areas(&found.a, truth.a, &what);
        check_areas(&found.b, truth.b, &what);
        let slanted = soups.each_ref().map(|soup| Model::new(mesh(&mapped(soup, &SLANTED))));
        let found = ask(&slanted[0], &place, &slanted[1], &place);
        assert!(
            is_near(found.volume, f64::from(truth.volume), found.volume_error),
            "{found:?} {truth:?} {what:?}"
        );
        common += u32::from(truth.volume > 0);
        shared += u32::from(truth.a[1] > 0);
        against += u32::from(truth.a[2] > 0);
        let cubes = (0..64).map(|i| [i & 3, i >> 2 & 3, i >> 4]);
        twice += u32::from(cubes.into_iter().any(|cube| a.winding(cube) > 1));
    }
    assert!(
        common > 60 && shared > 60 && against > 20 && twice > 40,
        "{common} {shared} {against} {twice}"
    );
}

#[test]
fn equal_solids_share_all_and_touching_ones_nothing() {
    let cube = Model::new(cuboid(DVec3::new(1.0, 2.0, 3.0)));
    let here = Pose::IDENTITY;
    let same = ask(&cube, &here, &cube, &here);
    assert!((same.volume - 48.0).abs() < 1e-12 && (same.a.shared - 88.0).abs() < 1e-12, "{same:?}");
    assert_eq!((same.a.inside, same.a.against), (0.0, 0.0));
    let beside = ask(&cube, &here, &cube, &shifted(2.0, 0.0, 0.0));
    assert!(beside.volume == 0.0 && (beside.a.against - 24.0).abs() < 1e-12, "{beside:?}");
    let edge = ask(&cube, &here, &cube, &shifted(2.0, 4.0, 0.0));
    assert_eq!(
        (edge.volume, edge.a),
        (0.0, OverlapAreas { error: edge.a.error, ..OverlapAreas::default() })
    );
    let within = Model::new(cuboid(DVec3::splat(0.5)));
    let inside = ask(&within, &shifted(0.1, 0.2, 0.3), &cube, &here);
    assert!((inside.volume - 1.0).abs() < 1e-12 && (inside.a.inside - 6.0).abs() < 1e-12);
    assert_eq!(inside.b.inside, 0.0);
    // A hole through everything: what is wound inside out encloses nothing.
    let hollow = Model::new(cuboid(DVec3::splat(0.5)).turned_about());
    assert_eq!(ask(&hollow, &here, &cube, &here).volume, 0.0);
}

/// The orders with which errors fall when a mesh is refined by two.
fn orders(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}

#[test]
fn volumes_and_areas_converge_as_meshes_are_refined() {
    // Two unit balls at distance 1: a lens of 5π/12, with caps of π each.
    let (mut volumes, mut areas) = (Vec::new(), Vec::new());
    for frequency in [4, 8, 16, 32] {
        let ball = Model::new(icosphere(frequency));
        let there = DVec3::new(0.36, 0.48, 0.8);
        let found = ask(&ball, &Pose::IDENTITY, &ball, &shifted(there.x, there.y, there.z));
        volumes.push((found.volume - 5.0 * PI / 12.0).abs());
        areas.push((found.a.inside - PI).abs() + (found.b.inside - PI).abs());
        assert!(found.volume_error < 1e-11, "{found:?}");
    }
    for order in orders(&volumes).into_iter().chain(orders(&areas)) {
        assert!(order > 1.6, "{volumes:?} {areas:?}");
    }
    // A round pole across the tube of a torus.
    let mut errors = Vec::new();
    for sectors in [16, 32, 64] {
        let ring = Model::new(torus(2.0, 0.75, 2 * sectors, sectors));
        let pole = Model::new(cylinder(DVec3::NEG_Y * 2.0, DVec3::Y * 2.0, 0.25, 4 * sectors));
        let found = ask(&ring, &Pose::IDENTITY, &pole, &shifted(2.0, 0.0, 0.0));
        errors.push((found.volume - pole_in_ring()).abs());
    }
    for order in orders(&errors) {
        assert!(order > 1.6, "{errors:?}");
    }
}

/// The volume of a round pole of radius 1/4 within a torus of radii 2 and 3/4, centred in its tube
/// and across it: by the midpoint rule.
fn pole_in_ring() -> f64 {
    let n = 2000;
    let step = 0.5 / f64::from(n);
    let mut sum = 0.0;
    for i in 0..n {
        let x = -0.25 + (f64::from(i) + 0.5) * step;
        let width = (0.0625 - x * x).sqrt();
        let m = 64;
        for j in 0..m {
            let y = width * (2.0 * (f64::from(j) + 0.5) / f64::from(m) - 1.0);
            let from_circle = (2.0 + x).hypot(y) - 2.0;
            sum += 2.0 * (0.5625 - from_circle * from_circle).sqrt() * step * 2.0 * width
                / f64::from(m);
        }
    }
    sum
}

#[test]
fn shells_that_overlap_are_one_solid() {
    let two = Pile { blocks: vec![Block::new([0; 3], [4; 3]), Block::new([2, 1, 1], [6, 3, 3])] };
    let mut random = Random::new(3);
    let union = Model::new(mesh(&two.soup(&mut random)));
    let all = Model::new(cuboid(DVec3::splat(100.0)));
    let found = ask(&union, &Pose::IDENTITY, &all, &Pose::IDENTITY);
    assert!((found.volume - 72.0).abs() < 1e-9, "{found:?}");
    assert!((found.a.inside - (96.0 + 16.0)).abs() < 1e-9, "{found:?}");
}

#[test]
fn sizes_and_places_do_not_matter() {
    let ball = icosphere(6);
    let mut seen = 0;
    let unit = {
        let model = Model::new(ball.clone());
        ask(&model, &Pose::IDENTITY, &model, &shifted(0.7, 0.2, 0.1)).volume
    };
    for scale in [1e-90, 1e-30, 1e-6, 1e6, 1e30, 1e90] {
        let vertices = ball.vertices().iter().map(|&v| v * scale).collect();
        let model = Model::new(Mesh::new(vertices, ball.triangles().to_vec()).unwrap());
        let there = shifted(0.7 * scale, 0.2 * scale, 0.1 * scale);
        let found = ask(&model, &Pose::IDENTITY, &model, &there).volume;
        let ratio = found / scale / scale / scale / unit;
        assert!((ratio - 1.0).abs() < 1e-9, "{scale}: {ratio}");
        seen += 1;
    }
    // Far from the origin the error grows, and says so.
    let model = Model::new(ball);
    let far = shifted(1e9, 0.0, 0.0);
    let found = ask(&model, &far, &model, &shifted(1e9 + 0.75, 0.25, 0.125));
    let near = ask(&model, &Pose::IDENTITY, &model, &shifted(0.75, 0.25, 0.125));
    assert!((found.volume - near.volume).abs() < found.volume_error, "{found:?} {near:?}");
    assert!(found.volume_error < 1e-2);
    for scale in [1e-200, 1e200] {
        let vertices = model.mesh().vertices().iter().map(|&v| v * scale).collect();
        let huge = Model::new(Mesh::new(vertices, model.mesh().triangles().to_vec()).unwrap());
        let found = ask(&huge, &Pose::IDENTITY, &huge, &shifted(0.7 * scale, 0.0, 0.0));
        assert!(!found.volume.is_nan() && !found.volume_error.is_nan());
        seen += 1;
    }
    assert_eq!(seen, 8);
}

#[test]
fn open_meshes_are_estimates() {
    let ball = icosphere(12);
    let open = Mesh::new(ball.vertices().to_vec(), ball.triangles()[1..].to_vec()).unwrap();
    let (open, closed) = (Model::new(open), Model::new(ball));
    let there = shifted(0.3, 0.6, 0.5);
    let truth = ask(&closed, &Pose::IDENTITY, &closed, &there);
    let found = ask(&open, &Pose::IDENTITY, &closed, &there);
    assert!(truth.certainty.is_exact() && !found.certainty.is_exact());
    assert!((found.volume - truth.volume).abs() < 0.02 * truth.volume, "{found:?} {truth:?}");
}

/// A lid that leans into a box by next to nothing: its lower face and the upper one of the box are
/// all but coplanar. The volume is that of a wedge, and the bound of its error holds and is not 0.
#[test]
fn the_bound_holds_of_faces_that_are_almost_coplanar() {
    let prism = |low: [f64; 2], high: f64| {
        let at = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
        let ends = [(0.0, low[0]), (1.0, low[1])];
        let points: Vec<DVec3> = ends
            .iter()
            .flat_map(|&(x, z)| [at(x, 0.0, z), at(x, 1.0, z), at(x, 0.0, high), at(x, 1.0, high)])
            .collect();
        let quads =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3]];
        let triangles = quads.iter().flat_map(|&[p, q, r, s]| [[p, q, r], [p, r, s]]).collect();
        Model::new(Mesh::new(points, triangles).unwrap())
    };
    let box_model = prism([0.0; 2], 1.0);
    let (mut workspace, mut met) = (Workspace::default(), 0);
    for power in 10..=52 {
        for (inside, outside) in [(1.0, 1.0), (3.0, 1.0), (1.0, 7.0), (1.0, 0.0)] {
            // Both are exact: a step of the numbers around 1.
            let step = 0.5_f64.powi(power);
            let (h, g) = (1.0 - (1.0 - inside * step), (1.0 + outside * step) - 1.0);
            let lid = prism([1.0 - h, 1.0 + g], 2.0);
            let found = overlap(&lid, &Pose::IDENTITY, &box_model, &Pose::IDENTITY, &mut workspace);
            let volume = h * h / (2.0 * (h + g));
            let off = (found.volume - volume).abs();
            assert!(off <= found.volume_error, "2^-{power}: {found:?} is off by {off:e}");
            assert!(found.volume_error > 0.0 && found.volume_error < 1e-11, "{found:?}");
            met += usize::from(found.volume > 0.0);
        }
    }
    assert!(met > 150, "{met}");
}
