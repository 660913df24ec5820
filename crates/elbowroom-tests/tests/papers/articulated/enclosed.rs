//! Every box holds what is below it, in exact arithmetic; every frame is orthonormal.

use elbowroom::Pose;
use elbowroom::internal::bvh::NodeId;
use elbowroom::internal::volume::Obb;
use elbowroom_papers::cab::{CabHierarchy, RefitMethod};
use elbowroom_testkit::random::Random;
use glam::{DMat3, DVec3};

use super::{BENDS, any_body, pose};
use elbowroom_tests::dyadic::{minus, placed, point};
use elbowroom_tests::holds::Holds;

/// How far the axes of a box are from orthonormal, in roundings.
fn deviation(axes: DMat3) -> f64 {
    let excess = axes.transpose() * axes - DMat3::IDENTITY;
    let squares: f64 = (0..3).map(|i| excess.col(i).length_squared()).sum();
    squares.sqrt() / (f64::EPSILON / 2.0)
}

/// What was checked: boxes of links, of groups, and the worst frame.
#[derive(Default)]
struct Checked {
    leaves: u32,
    inner: u32,
    worst: f64,
}

fn check(body: &CabHierarchy, checked: &mut Checked) {
    let articulation = body.articulation();
    let tree = articulation.tree();
    let boxes: Vec<Obb> = tree.nodes().map(|n| body.oriented(n).expect("a fresh box")).collect();
    for node in tree.nodes() {
        let bounds = &boxes[node.index()];
        assert!(bounds.half.is_finite() && bounds.half.min_element() >= 0.0);
        checked.worst = checked.worst.max(deviation(bounds.axes));
        assert!(bounds.axes.determinant() > 0.99);
        if let Some(children) = tree.children(node) {
            for child in children {
                let is_held = match (body.aligned(node), body.aligned(child)) {
                    (Some(outer), Some(inner)) => outer.holds_all(&inner),
                    _ => bounds.holds_all(&boxes[child.index()]),
                };
                assert!(is_held, "{:?} {node:?}", body.keep());
            }
            checked.inner += 1;
        } else {
            let link = tree.members(node)[0] as usize;
            let place: &Pose = &body.placements()[link];
            for &vertex in articulation.links()[link].model.mesh().vertices() {
                let at = placed(place.rotation(), place.translation(), vertex);
                let seen = minus(&at, &point(body.origin()));
                let is_held =
                    body.aligned(node).map_or_else(|| bounds.holds(&seen), |b| b.holds(&seen));
                assert!(is_held, "{:?} link {link}", body.keep());
            }
            checked.leaves += 1;
        }
    }
    body.validate().expect("the library sees the same");
}

#[test]
fn every_box_holds_what_is_below() {
    let mut random = Random::new(401);
    let mut checked = Checked::default();
    for round in 0..18 {
        let (skeleton, articulation) = any_body(&mut random, 3 + round % 10);
        // Far from the origin too, where a box around the origin would drown in roundings.
        let place = if round % 5 == 4 { DVec3::new(1e7, -3e6, 2e7) } else { DVec3::ZERO };
        for keep in RefitMethod::ALL.into_iter().filter(|&keep| keep != RefitMethod::Brute) {
            let mut body = CabHierarchy::new(articulation.clone(), keep);
            check(&body, &mut checked);
            for bend in BENDS {
                let world = pose(&mut random, &skeleton, bend, (place, 1.0));
                body.update(&world).expect("a rigid pose");
                check(&body, &mut checked);
            }
        }
    }
    assert!(checked.leaves > 2500 && checked.inner > 2000, "{} {}", checked.leaves, checked.inner);
    assert!(checked.worst < 16.0, "{} roundings", checked.worst);
}

/// As far from rotations as a pose lets in: the boxes have room for it.
#[test]
fn nearly_rigid_poses_are_enclosed_too() {
    let mut random = Random::new(402);
    let mut checked = Checked::default();
    let mut refused = 0;
    for round in 0..20 {
        let (skeleton, articulation) = any_body(&mut random, 4 + round % 6);
        for keep in RefitMethod::ALL.into_iter().filter(|&keep| keep != RefitMethod::Brute) {
            let mut body = CabHierarchy::new(articulation.clone(), keep);
            let mut world = pose(&mut random, &skeleton, super::Bend::Any, (DVec3::ZERO, 1.0));
            for joint in &mut world {
                let shear =
                    DMat3::from_cols_array(&std::array::from_fn(|_| random.uniform(-2e-10, 2e-10)));
                joint.matrix3 *= DMat3::IDENTITY + shear;
            }
            if body.update(&world).is_err() {
                refused += 1;
                continue;
            }
            check(&body, &mut checked);
        }
    }
    assert!(checked.leaves > 300 && refused < 20, "{} {refused}", checked.leaves);
    assert!(checked.worst < 16.0, "{} roundings", checked.worst);
}

/// Boxes around corners hold those around vertices, and both ways to make them agree to rounding.
#[test]
fn corners_are_looser_than_vertices() {
    let mut random = Random::new(403);
    let (mut looser, mut met) = (0, 0);
    for round in 0..40 {
        let (skeleton, articulation) = any_body(&mut random, 3 + round % 8);
        let world = pose(&mut random, &skeleton, super::Bend::Any, (DVec3::ZERO, 1.0));
        let keeps = [RefitMethod::AabbVertices, RefitMethod::AabbCorners, RefitMethod::AabbCentre];
        let [vertices, corners, centre] = keeps.map(|keep| {
            let mut body = CabHierarchy::new(articulation.clone(), keep);
            body.update(&world).expect("a rigid pose");
            body
        });
        for node in articulation.tree().nodes() {
            let [v, c, m] = [&vertices, &corners, &centre]
                .map(|body: &CabHierarchy| body.aligned(node).expect("a fresh box"));
            assert!(c.holds_all(&v), "{node:?}: {c:?} {v:?}");
            assert!((c.min - m.min).abs().max_element() < 1e-13);
            assert!((c.max - m.max).abs().max_element() < 1e-13);
            looser += u32::from((c.half() - v.half()).max_element() > 1e-3);
            met += 1;
        }
        assert_eq!(vertices.oriented(NodeId::ROOT).map(|b| b.axes), Some(DMat3::IDENTITY));
    }
    assert!(met > 300 && looser > 30, "{met} {looser}");
}
