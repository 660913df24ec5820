//! Plans of articulated bodies: the boxes that one body at a time has, and all links in them.

use std::sync::Arc;

use elbowroom::internal::bvh::NodeId;
use elbowroom::internal::volume::Spatial;
use elbowroom_make::{Chain, chain, hand};
use elbowroom_motion::body::Rig;
use elbowroom_papers::cab::batch::{BatchWorkspace, Boxes, Plan, Poses, refit};
use elbowroom_papers::cab::{ArticulatedBody, CabAxis, CabHierarchy, RefitMethod};
use glam::{DAffine3, DQuat, DVec3};

/// Frames of a rig's clip as bodies of a batch: how many boxes are those of [`CabHierarchy`], of
/// how many.
fn compared(rig: &Rig) -> [usize; 2] {
    let body = Arc::new(ArticulatedBody::of_rig(rig).expect("links"));
    let plan = Plan::of_articulation(&rig.skeleton, &body).expect("a good plan");
    assert_eq!((plan.nodes(), plan.leaves()), (body.tree().len(), body.links().len()));
    let mut poses = Poses::new(&plan, 100);
    let (turn, at) = (DQuat::from_rotation_y(0.3), DVec3::new(5.0, -1.0, 2.0));
    let mut pose = rig.rest_pose();
    let sample = |frame: usize, pose: &mut _| rig.clips[0].sample(0.07 * frame as f64, pose);
    for frame in 0..100 {
        sample(frame, &mut pose);
        poses.set(&plan, frame, &pose, (turn, at)).expect("joints only turn");
    }
    let mut boxes = Boxes::new();
    refit(&plan, &poses, &mut BatchWorkspace::new(), &mut boxes);
    let mut one = CabHierarchy::new(Arc::clone(&body), RefitMethod::Cab(CabAxis::Longest));
    let (mut world, mut found) = (Vec::new(), [0; 2]);
    for frame in 0..100 {
        sample(frame, &mut pose);
        let placed = DAffine3::from_rotation_translation(turn, at);
        rig.skeleton.world_placed(&pose, &placed, &mut world);
        one.update(&world).expect("rigid");
        for (link, own) in body.links().iter().enumerate() {
            for &vertex in own.model.mesh().vertices() {
                let point = one.placements()[link].apply(vertex);
                assert!(boxes.obb(frame, link).contains(point), "link {link}");
                assert!(boxes.obb(frame, plan.root()).contains(point), "link {link}");
            }
        }
        let inner = body.tree().nodes().rev().filter(|&node| !body.tree().is_leaf(node));
        for (k, node) in inner.enumerate() {
            let ours = boxes.obb(frame, plan.leaves() + k);
            let theirs = one.oriented(node).expect("CAB keeps boxes");
            let size = theirs.half.max_element();
            let off = (ours.half - theirs.half).abs().max_element()
                + (ours.center - one.origin() - theirs.center).length();
            found[0] += usize::from(off < 1e-3 * size);
            found[1] += 1;
        }
        assert!(body.tree().children(NodeId::ROOT).is_some());
    }
    found
}

#[test]
fn articulated_bodies_have_the_boxes_of_one_at_a_time() {
    let chain = compared(&chain(&Chain { aspect: 6.0, ..Chain::default() }));
    let hand = compared(&hand(1));
    println!("chain {chain:?}, hand {hand:?}");
    assert_eq!(chain[1], 700);
    // Choices that are ties may be made otherwise in f32.
    for [same, all] in [chain, hand] {
        assert!(20 * same >= 19 * all, "{same} of {all}");
    }
}
