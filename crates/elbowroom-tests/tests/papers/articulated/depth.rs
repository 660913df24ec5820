//! How deep links are in each other, against closed forms.

use std::sync::Arc;

use elbowroom::internal::convex::penetration;
use elbowroom::internal::convex::shape::Capsule;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::World;
use elbowroom::{Aabb, Mesh, Pose};
use elbowroom_make::{BoneShape, Bones, bones, icosphere};
use elbowroom_papers::cab::{ArticulatedBody, CabHierarchy, RefitMethod};
use elbowroom_papers::cab::{LinkDepth, LinkQuestion, Workspace, against, between, depth, within};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DVec3};

use super::{BENDS, any_body, any_point, any_turn, bar, link, pose, skeleton};

const DEEP: LinkQuestion =
    LinkQuestion { ask: elbowroom::internal::query::Want::Any, first_only: false, depth: true };

/// One link at the origin.
fn single(mesh: Mesh) -> CabHierarchy {
    let skeleton = skeleton(&[None], &[DVec3::ZERO]);
    let body = ArticulatedBody::new(&skeleton, vec![link(0, mesh, Pose::IDENTITY)]);
    CabHierarchy::new(Arc::new(body.expect("a link")), RefitMethod::AabbCentre)
}

fn put(body: &mut CabHierarchy, place: DAffine3) {
    body.update(&[place]).expect("rigid");
}

fn is_about(found: &LinkDepth, expected: f64, room: f64) -> bool {
    found.lower <= expected + room
        && expected <= found.upper + room
        && found.upper - found.lower <= room
}

/// A bar of 2 × 1 × 1 moves into another along x, wherever both are and however they are turned
/// together.
#[test]
fn bars_are_as_deep_as_they_were_pushed() {
    let mut random = Random::new(91);
    let (mut a, mut b) = (single(bar(2.0, 1.0, 1.0)), single(bar(2.0, 1.0, 1.0)));
    let mut workspace = Workspace::new();
    let mut met = 0;
    for round in 0..300 {
        let pushed = random.uniform(0.01, 0.4);
        let far = [0.0, 1.0, 1e6][round % 3] * any_point(&mut random);
        let whole = DAffine3::from_rotation_translation(any_turn(&mut random), far);
        put(&mut a, whole);
        put(&mut b, whole * DAffine3::from_translation(DVec3::new(2.0 - pushed, 0.1, 0.2)));
        let room = 1e-9 + 1e-15 * far.length();
        let there = depth(&a, 0, &b, 0).expect("solid");
        let back = depth(&b, 0, &a, 0).expect("solid");
        assert!(is_about(&there, pushed, room) && is_about(&back, pushed, room), "{there:?}");
        let along = whole.transform_vector3(DVec3::X);
        assert!(there.direction.abs_diff_eq(along, 1e-6), "{there:?}");
        assert!(back.direction.abs_diff_eq(-along, 1e-6), "{back:?}");
        assert!(!there.of_hulls && !back.of_hulls);
        let [p, q] = there.points;
        assert!((p - q).abs_diff_eq(along * pushed, 1e-6 + room), "{there:?}");
        let found = between(&mut a, &mut b, &DEEP, &mut workspace);
        assert_eq!(found.contacts[0].depth, Some(there));
        let found = between(&mut a, &mut b, &LinkQuestion::default(), &mut workspace);
        assert_eq!(found.contacts[0].depth, None);
        met += 1;
    }
    assert_eq!(met, 300);
}

/// Bones as capsules: as deep as the capsules that they are made after, up to how finely they are
/// cut.
#[test]
fn capsules_are_nearly_as_deep_as_smooth_ones() {
    let limb = skeleton(&[None, Some(0)], &[DVec3::ZERO, DVec3::X]);
    let shape = BoneShape::Capsule;
    let parts = bones(&limb, &[], &Bones { shape, ..Bones::default() });
    let mesh = parts[0].mesh.clone();
    let Aabb { min: low, max: high } = mesh.bounds();
    let radius = 0.5 * (high - low).y;
    let ends = [low.x + radius, high.x - radius].map(|x| DVec3::X * x);
    let (mut a, mut b) = (single(mesh.clone()), single(mesh));
    let mut random = Random::new(92);
    let (mut met, mut worst): (usize, f64) = (0, 0.0);
    for _ in 0..500 {
        let place = DAffine3::from_rotation_translation(
            any_turn(&mut random),
            (high - low) * 0.8 * any_point(&mut random),
        );
        put(&mut a, DAffine3::IDENTITY);
        put(&mut b, place);
        let smooth = |place: &DAffine3| Capsule {
            ends: ends.map(|end| place.transform_point3(end)),
            radius,
        };
        let exact = penetration(&smooth(&DAffine3::IDENTITY), &smooth(&place));
        let found = depth(&a, 0, &b, 0).expect("solid");
        assert!(!found.of_hulls);
        assert!(found.lower <= exact.upper + 1e-9, "{found:?} {exact:?}");
        worst = worst.max((exact.lower - found.upper) / radius);
        met += usize::from(found.lower > 0.0);
    }
    println!("{met} capsules meet, at most {worst:.3} of the radius less deep");
    assert!(met > 100 && worst < 0.5, "{met} {worst}");
}

/// What is hollow, open or dented is asked about by its hull, and a ball inside out is still a
/// ball.
#[test]
fn hulls_stand_for_what_is_not_convex() {
    let convex = |mesh: Mesh| Model::new(mesh).hulled().expect("triangles").is_convex();
    let ball = icosphere(4);
    assert!(convex(ball.clone()) && convex(ball.clone().turned_about()));
    assert!(convex(bar(2.0, 1.0, 1e-3)) && convex(bar(1e-200, 2e-200, 1e-200)));
    let mut dented = ball.vertices().to_vec();
    dented[7] *= 0.8;
    assert!(!convex(ball.with_vertices(dented).expect("finite")));
    let open = ball.triangles()[1..].to_vec();
    assert!(!convex(Mesh::new(ball.vertices().to_vec(), open).expect("a mesh")));

    // A cube in the nook of an L: only the hulls meet.
    let l = {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for (mesh, at) in [(bar(2.0, 0.2, 0.2), DVec3::ZERO), (bar(0.2, 2.0, 0.2), DVec3::Y * 1.2)]
        {
            let first = vertices.len() as u32;
            vertices.extend(mesh.vertices().iter().map(|&v| v + at));
            triangles.extend(mesh.triangles().iter().map(|t| t.map(|v| v + first)));
        }
        single(Mesh::new(vertices, triangles).expect("two bars"))
    };
    let mut dot = single(bar(0.2, 0.2, 0.2));
    put(&mut dot, DAffine3::from_translation(DVec3::new(0.6, 0.6, 0.0)));
    let found = depth(&l, 0, &dot, 0).expect("solid");
    assert!(found.of_hulls && found.lower > 0.1, "{found:?}");
    let (mut l, mut workspace) = (l, Workspace::new());
    assert!(between(&mut l, &mut dot, &DEEP, &mut workspace).is_clear());
}

/// Whatever bodies are like, moving the second link by the depth parts the two, and the answer is
/// nearly the same in both orders.
#[test]
fn any_links_are_parted_by_their_depth() {
    let mut random = Random::new(93);
    let mut workspace = Workspace::new();
    let (mut met, mut own) = (0, 0);
    for round in 0..120 {
        let (bones, body) = any_body(&mut random, 6);
        let mut both = [0, 1].map(|_| {
            let world = pose(&mut random, &bones, BENDS[round % 4], (DVec3::ZERO, 0.5));
            let mut kept = CabHierarchy::new(Arc::clone(&body), RefitMethod::AabbCentre);
            kept.update(&world).expect("rigid");
            kept
        });
        let [a, b] = &mut both;
        let contacts = between(a, b, &DEEP, &mut workspace).contacts.clone();
        for contact in &contacts {
            let found = contact.depth.expect("asked");
            let back = depth(b, contact.b, a, contact.a).expect("solid");
            assert!(found.lower <= back.upper + 1e-8 && back.lower <= found.upper + 1e-8);
            let n = found.direction;
            let [first, second] = [(&*a, contact.a), (&*b, contact.b)].map(|(body, link)| {
                let place = body.placements()[link as usize];
                let mesh = body.articulation().links()[link as usize].model.mesh();
                let all = (0..mesh.triangles().len()).flat_map(|i| mesh.triangle(i));
                all.map(|v| place.apply(v).dot(n)).collect::<Vec<_>>()
            });
            let ends = first.into_iter().fold(f64::NEG_INFINITY, f64::max);
            let begins = second.into_iter().fold(f64::INFINITY, f64::min);
            assert!(ends <= begins + found.upper + 1e-9, "{found:?} {ends} {begins}");
            met += 1;
        }
        let allowed = elbowroom_papers::cab::Allowed::nothing(&body);
        let found = within(a, &allowed, &DEEP, &mut workspace);
        assert!(found.contacts.iter().all(|contact| contact.depth.is_some()));
        own += found.contacts.len();
    }
    println!("{met} contacts of two bodies, {own} within one");
    assert!(met > 150 && own > 400, "{met} {own}");
}

#[test]
fn a_world_is_asked_as_well_and_nothing_is_too_large() {
    let mut world = World::new();
    let ball = Arc::new(Model::new(icosphere(4)));
    let place = Pose::from_translation(DVec3::new(0.0, 0.0, 1.2)).expect("finite");
    world.add(ball, place);
    let mut a = single(bar(1.0, 1.0, 1.0));
    let mut workspace = Workspace::new();
    let found = against(&mut a, &world, &DEEP, &mut workspace);
    let deep = found.contacts[0].depth.expect("asked");
    assert!(deep.lower > 0.2 && deep.upper < 0.31 && !deep.of_hulls, "{deep:?}");

    let mut met = 0;
    for size in [1e-300, 1e-160, 1e-100, 1e100, 1e130, 1e139, 1e150, 1e300] {
        let (a, b) = (single(bar(size, size, size)), single(bar(size, size, size)));
        let found = depth(&a, 0, &b, 0);
        assert_eq!(found.is_some(), size < 1e140);
        if let Some(found) = found {
            assert!(found.lower <= found.upper && found.upper.is_finite(), "{size} {found:?}");
            met += usize::from((found.upper - size).abs() < 1e-9 * size);
        }
    }
    assert!(met >= 4, "{met}");
}
