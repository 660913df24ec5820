//! How deep two solids are in each other, against closed forms, dense sampling and counting on a
//! lattice.

use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Penetration, is_inside, nearest, penetration, solids};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Aabb, Mesh, Pose};
use elbowroom_make::{capsule, cuboid, cylinder, icosphere, torus};
use elbowroom_testkit::brute::Soup;
use elbowroom_testkit::data;
use elbowroom_testkit::random::Random;
use elbowroom_testkit::solids::amounts::sampled_depth;
use elbowroom_testkit::solids::{Pile, tetrahedra};
use elbowroom_tests::common::mesh;
use glam::{DQuat, DVec3};

const HERE: Pose = Pose::IDENTITY;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).unwrap()
}

fn any_turn(random: &mut Random, shift: DVec3) -> Pose {
    let mut part = || random.uniform(-1.0, 1.0);
    let turn = DQuat::from_xyzw(part(), part(), part(), part() + 1e-3);
    Pose::from_quat(turn, shift).unwrap()
}

fn swapped(mut depth: Penetration) -> Penetration {
    std::mem::swap(&mut depth.a_in_b, &mut depth.b_in_a);
    depth
}

/// Asks in both orders, which must agree to the bit, and checks what always holds.
fn ask(a: &Model, place_a: &Pose, b: &Model, place_b: &Pose) -> Penetration {
    let mut workspace = Workspace::default();
    let found = penetration(a, place_a, b, place_b, None, &mut workspace);
    assert_eq!(swapped(found), penetration(b, place_b, a, place_a, None, &mut workspace));
    assert!(found.lower <= found.upper && found.lower >= 0.0, "{found:?}");
    let exact = solids(a, place_a, b, place_b, &mut workspace);
    assert_eq!(found.is_overlap, exact.both);
    assert_eq!(found.lower > 0.0, exact.both, "{found:?}");
    if !exact.both {
        assert_eq!(found.upper, 0.0);
    }
    let size = |model: &Model| {
        let Aabb { min: low, max: high } = model.mesh().bounds();
        (high - low).length()
    };
    assert!(found.upper - found.lower <= 1.01e-4 * size(a).min(size(b)) + 1e-12, "{found:?}");
    found
}

fn check(found: Penetration, truth: f64, what: &str) {
    assert!(found.certainty.is_exact(), "{what}: {found:?}");
    assert!(
        found.lower <= truth + 1e-12 && truth <= found.upper + 1e-12,
        "{what}: {truth} {found:?}"
    );
}

#[test]
fn boxes_and_round_shapes_in_the_way_they_are_known() {
    let cube = Model::new(cuboid(DVec3::splat(0.5)));
    // Aligned, overlapping by half; touching by a face, an edge, a corner; a copy; one within
    // another.
    check(ask(&cube, &HERE, &cube, &at(0.5, 0.0, 0.0)), 0.5, "half");
    for (x, y, z) in [(1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (1.0, 0.3, 0.2)] {
        check(ask(&cube, &HERE, &cube, &at(x, y, z)), 0.0, "touching");
    }
    let copy = ask(&cube, &HERE, &cube, &HERE);
    assert!(copy.is_same);
    check(copy, 0.5, "copy");
    let small = Model::new(cuboid(DVec3::splat(0.125)));
    // The far side is the deepest; a flush side is not inside at all.
    check(ask(&small, &at(0.25, 0.0, 0.0), &cube, &HERE), 0.375, "within");
    check(ask(&small, &at(0.375, 0.0, 0.0), &cube, &HERE), 0.25, "flush");
    // A plus sign: no corner of either is in the other.
    let long = Model::new(cuboid(DVec3::new(2.0, 0.25, 0.25)));
    let tall = Model::new(cuboid(DVec3::new(0.25, 2.0, 0.375)));
    check(ask(&long, &HERE, &tall, &HERE), 0.25, "plus");
    // What is turned inside out encloses nothing.
    let hole = Model::new(cuboid(DVec3::splat(0.3)).turned_about());
    check(ask(&hole, &HERE, &cube, &HERE), 0.0, "inside out");
    // A round pole pushed into a slab.
    let slab = Model::new(cuboid(DVec3::new(3.0, 1.0, 3.0)));
    let pole = Model::new(cylinder(DVec3::new(0.1, 0.7, 0.2), DVec3::new(0.1, 4.0, 0.2), 0.5, 32));
    check(ask(&slab, &HERE, &pole, &HERE), 0.3, "pole");
}

/// The orders with which errors fall when a mesh is refined by two.
fn falls_with_the_square(errors: &[f64], room: f64, what: &str) {
    for pair in errors.windows(2) {
        assert!(pair[1] < 0.35 * pair[0] + room, "{what}: {errors:?}");
    }
}

#[test]
fn depths_converge_as_meshes_are_refined() {
    let (mut balls, mut poles, mut rings) = (Vec::new(), Vec::new(), Vec::new());
    for fine in [1, 2, 4] {
        let ball = Model::new(icosphere(6 * fine));
        let way = DVec3::new(0.48, 0.6, 0.64) * 1.5;
        let found = ask(&ball, &HERE, &ball, &at(way.x, way.y, way.z));
        balls.push((found.lower - 0.5).abs());
        let pole =
            |ends: [DVec3; 2]| Model::new(capsule(ends[0], ends[1], 0.5, 6 * fine, 12 * fine));
        let (along, across) = (pole([-DVec3::X, DVec3::X]), pole([-DVec3::Y, DVec3::Y]));
        let found = ask(&along, &at(0.1, 0.2, 0.6), &across, &HERE);
        poles.push((found.lower - 0.4).abs());
        // The middle of the tube goes right through the ball.
        let ring = Model::new(torus(2.0, 0.75, 24 * fine, 12 * fine));
        let bead = Model::new(icosphere(4 * fine));
        let found = ask(&ring, &HERE, &bead, &at(2.0, 0.0, 0.0));
        let upper = ask(&ring, &HERE, &bead, &at(2.0, 0.0, 0.0)).upper;
        rings.push((found.lower - 0.75).abs().min((upper - 0.75).abs()));
    }
    // The bounds are so far apart.
    falls_with_the_square(&balls, 4e-4, "balls");
    falls_with_the_square(&poles, 4e-4, "poles");
    falls_with_the_square(&rings, 6e-4, "rings");
    assert!(balls[2] < 5e-3 && poles[2] < 5e-3 && rings[2] < 2e-2, "{balls:?} {poles:?} {rings:?}");
}

/// The deepest of many points of a boundary, and how far from each other they are.
fn sampled(own: &Model, place: &Pose, other: &Model, there: &Pose, steps: u32) -> f64 {
    let mut workspace = Workspace::default();
    let mut deepest = 0.0_f64;
    for index in 0..own.mesh().triangles().len() {
        let [a, b, c] = own.mesh().triangle(index).map(|p| place.apply(p));
        for i in 0..=steps {
            for j in 0..=steps - i {
                let (u, v) = (f64::from(i) / f64::from(steps), f64::from(j) / f64::from(steps));
                let point = a + (b - a) * u + (c - a) * v;
                if is_inside(other, there, point, &mut workspace) {
                    let near = nearest(other, there, point, f64::INFINITY, &mut workspace);
                    deepest = deepest.max(near.map_or(0.0, |near| near.distance));
                }
            }
        }
    }
    deepest
}

#[test]
fn tetrahedra_are_as_deep_as_samples_say() {
    let mut random = Random::new(5);
    let (mut met, mut both) = (0, 0);
    for _ in 0..400 {
        let soup = |random: &mut Random| {
            let corners = tetrahedra::random(random, 6);
            let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3_usize]];
            let triangles = faces.map(|face| face.map(|i| corners[i].map(|x| x as f64)));
            Model::new(mesh(&Soup::from_triangles(&triangles)))
        };
        let (a, b) = (soup(&mut random), soup(&mut random));
        let place = any_turn(&mut random, DVec3::new(0.5, 0.25, 0.125));
        let found = ask(&a, &place, &b, &HERE);
        if !found.is_overlap {
            continue;
        }
        let steps = 24;
        let spacing = 6.0 * 3_f64.sqrt() / f64::from(steps);
        for (side, own, there) in
            [(found.a_in_b, [&a, &b], [&place, &HERE]), (found.b_in_a, [&b, &a], [&HERE, &place])]
        {
            let seen = sampled(own[0], there[0], own[1], there[1], steps);
            assert!(seen <= side.upper + 1e-12, "{seen} {side:?}");
            assert!(side.lower <= seen + spacing, "{seen} {side:?}");
            both += u32::from(seen > 0.0);
        }
        met += 1;
    }
    assert!(met > 25 && both > 45, "{met} {both}");
}

#[test]
fn piles_are_as_deep_as_is_counted() {
    let mut random = Random::new(19);
    let (mut exact, mut estimates, mut same) = (0, 0, 0);
    for round in 0..120 {
        let [a, b] = [(); 2].map(|()| Pile::random(&mut random, 1 + round % 2, 4, false));
        let [first, second] = [&a, &b].map(|pile| Model::new(mesh(&pile.soup(&mut random))));
        let place = if round % 3 == 0 { any_turn(&mut random, DVec3::ONE) } else { HERE };
        let found = ask(&first, &place, &second, &place);
        if !found.is_overlap {
            continue;
        }
        if found.is_same {
            same += 1;
            continue;
        }
        let steps = 8;
        let room = 0.5 * 2_f64.sqrt() / f64::from(steps) + 1e-9;
        let (a_in_b, b_in_a) = (sampled_depth(&a, &b, steps), sampled_depth(&b, &a, steps));
        if !found.certainty.is_exact() {
            estimates += 1;
            continue;
        }
        for (side, seen) in [(found.a_in_b, a_in_b), (found.b_in_a, b_in_a)] {
            assert!(
                seen <= side.upper + 1e-9 && side.lower <= seen + room,
                "{seen} {side:?} {a:?} {b:?}"
            );
        }
        exact += 1;
    }
    assert!(exact > 40, "{exact} {estimates} {same}");
}

#[test]
fn placing_both_alike_changes_nothing() {
    let mut random = Random::new(23);
    let ring = Model::new(torus(1.0, 0.3, 20, 10));
    let ball = Model::new(icosphere(4));
    let mut deep = 0;
    for _ in 0..60 {
        let mut part = || random.uniform(-1.6, 1.6);
        let shift = DVec3::new(part(), 0.4 * part(), part());
        let found = ask(&ring, &HERE, &ball, &at(shift.x, shift.y, shift.z));
        let turn = any_turn(&mut random, DVec3::new(3.0, -2.0, 7.0));
        let moved = Pose::new(turn.rotation(), turn.apply(shift)).unwrap();
        let again = ask(&ring, &turn, &ball, &moved);
        let room = 1e-4 * 4.0 + 1e-9;
        assert!((found.lower - again.lower).abs() < room, "{found:?} {again:?}");
        deep += u32::from(found.lower > 0.05);
    }
    assert!(deep > 20, "{deep}");
}

#[test]
fn proper_penetration_is_never_nothing() {
    let mut random = Random::new(31);
    let models = [
        Model::new(cuboid(DVec3::new(0.5, 0.3, 0.7))),
        Model::new(icosphere(2)),
        Model::new(torus(0.8, 0.25, 9, 6)),
        Model::new(capsule(DVec3::ZERO, DVec3::Y, 0.3, 3, 8)),
    ];
    let (mut deep, mut apart, mut workspace) = (0, 0, Workspace::default());
    for round in 0..3000 {
        let (a, b) = (random.choice(&models), random.choice(&models));
        let mut part = || random.uniform(-1.2, 1.2);
        let shift = DVec3::new(part(), part(), part());
        let place = any_turn(&mut random, shift);
        let found = penetration(a, &HERE, b, &place, Some(1e-3), &mut workspace);
        let truth = solids(a, &HERE, b, &place, &mut workspace).both;
        assert_eq!((found.lower > 0.0, found.upper > 0.0), (truth, truth), "{round}: {found:?}");
        assert!(found.upper - found.lower <= 1.01e-3, "{round}: {found:?}");
        if truth {
            deep += 1;
        } else {
            apart += 1;
        }
    }
    assert!(deep > 1000 && apart > 500, "{deep} {apart}");
}

#[test]
fn complaints_about_others_do_not_hold_here() {
    // A box that just touches another has been told to be 0.33 to 1.84 deep in it.
    let (low, high) =
        (Model::new(cuboid(DVec3::new(2.0, 0.5, 2.0))), Model::new(cuboid(DVec3::splat(0.5))));
    let mut touching = 0;
    for turn in 0..12 {
        let spin = DQuat::from_rotation_y(f64::from(turn) * 0.2);
        let place = Pose::from_quat(spin, DVec3::new(0.3, 1.0, -0.2)).unwrap();
        let found = ask(&high, &place, &low, &HERE);
        assert_eq!((found.lower, found.upper), (0.0, 0.0));
        touching += 1;
    }
    assert_eq!(touching, 12);
    // Meshes that overlap have been told to be 0 deep, and depth to go to 0 as meshes are refined.
    for frequency in [1, 2, 4, 8, 16] {
        let ball = Model::new(icosphere(frequency));
        let found = ask(&ball, &HERE, &ball, &at(1.0, 0.0, 0.0));
        assert!(found.lower > 0.6, "{frequency}: {found:?}");
    }
    // One order has been told 11.8 and the other 198.8: `ask` compares both, here for unlike sizes.
    let (large, small) = (Model::new(cuboid(DVec3::splat(100.0))), Model::new(icosphere(3)));
    let found = ask(&large, &HERE, &small, &at(99.5, 3.0, -4.0));
    assert!(found.lower > 1.3 && found.upper < 1.51, "{found:?}");
}

#[test]
fn any_size_and_any_place_will_do() {
    let ball = icosphere(3);
    let mut seen = 0;
    for scale in [1e-300, 1e-100, 1e-20, 1e20, 1e100, 1e300] {
        let vertices = ball.vertices().iter().map(|&v| v * scale).collect();
        let model = Model::new(Mesh::new(vertices, ball.triangles().to_vec()).unwrap());
        let mut workspace = Workspace::default();
        let found =
            penetration(&model, &HERE, &model, &at(1.2 * scale, 0.0, 0.0), None, &mut workspace);
        assert!(found.lower > 0.0 && found.upper >= found.lower, "{scale}: {found:?}");
        if (1e-100..=1e100).contains(&scale) {
            assert!((found.lower / scale - 0.75).abs() < 0.1, "{scale}: {found:?}");
        }
        seen += 1;
    }
    // Segments and points among the triangles are no harm, not even right through the solid.
    let mut triangles = ball.triangles().to_vec();
    triangles.extend([[0, 1, 1], [2, 2, 2]]);
    let odd = Model::new(Mesh::new(ball.vertices().to_vec(), triangles).unwrap());
    let plain = ask(&Model::new(ball.clone()), &HERE, &Model::new(ball), &at(1.0, 0.2, 0.0));
    assert_eq!(ask(&odd, &HERE, &odd, &at(1.0, 0.2, 0.0)).lower, plain.lower);
    assert_eq!(seen, 6);
    // One of them is beyond all measure: nothing of it is deeper in the other than that is large.
    let vast = Model::new(cuboid(DVec3::splat(1e38)));
    let found =
        penetration(&vast, &HERE, &odd, &at(1e38, 0.0, 0.0), None, &mut Workspace::default());
    assert!(found.is_overlap && found.a_in_b.lower <= 1.0, "{found:?}");
}

#[test]
fn people_are_as_deep_in_each_other_as_samples_say() {
    let Some(shared) = data::shared_dir() else {
        data::skip_note("people_are_as_deep_in_each_other_as_samples_say");
        return;
    };
    let people = data::humans::load(&shared);
    let (mut deep, mut workspace) = (0, Workspace::default());
    let meeting = (0..people.pairs.len()).filter(|&i| people.pairs[i].intersects);
    for i in meeting.step_by(20).take(5) {
        let [a, b] = people.placed(i).each_ref().map(|soup| Model::new(mesh(soup)));
        let found = penetration(&a, &HERE, &b, &HERE, None, &mut workspace);
        assert!(found.upper - found.lower <= 1e-3 && found.lower > 1e-4, "{found:?}");
        // They are open, so that samples are estimates, too; vertices are samples.
        let seen = sampled(&a, &HERE, &b, &HERE, 1).max(sampled(&b, &HERE, &a, &HERE, 1));
        assert!(seen <= found.upper + 1e-3, "{seen} {found:?}");
        deep += 1;
    }
    assert_eq!(deep, 5);
}
