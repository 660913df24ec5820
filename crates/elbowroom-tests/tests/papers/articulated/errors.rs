//! What is refused, and in which words.

use std::sync::Arc;

use elbowroom::{Pose, PoseErrorKind};
use elbowroom_motion::body::{Hold, Joint, JointId, Local, Part, Rig, Skeleton, SkeletonErrorKind};
use elbowroom_papers::cab::Allowed;
use elbowroom_papers::cab::{
    ArticulatedBody, ArticulatedBodyErrorKind, CabAxis, CabHierarchy, RefitMethod,
};
use glam::{DAffine3, DVec3};

use super::{bar, link, skeleton};

fn arm() -> (Skeleton, Arc<ArticulatedBody>) {
    let skeleton = skeleton(&[None, Some(0), Some(1)], &[DVec3::X; 3]);
    let links = [0, 2].map(|joint| link(joint, bar(1.0, 0.1, 0.1), Pose::IDENTITY));
    let articulation = ArticulatedBody::new(&skeleton, links.into()).expect("good links");
    (skeleton, Arc::new(articulation))
}

#[test]
fn links_that_cannot_be() {
    let (skeleton, _) = arm();
    let error = ArticulatedBody::new(&skeleton, Vec::new()).unwrap_err();
    assert_eq!(error.kind(), &ArticulatedBodyErrorKind::NoLinks);
    let stray = link(3, bar(1.0, 0.1, 0.1), Pose::IDENTITY);
    let error = ArticulatedBody::new(&skeleton, vec![stray]).unwrap_err();
    assert!(error.to_string().contains("joint 3, but there are only 3"), "{error}");
    let rig = Rig::new("nothing", skeleton);
    assert_eq!(
        ArticulatedBody::of_rig(&rig).unwrap_err().kind(),
        &ArticulatedBodyErrorKind::NoLinks
    );
}

/// Cycles and parents that are not there are refused before there is an articulation.
#[test]
fn skeletons_that_cannot_be() {
    let joint =
        |parent| Joint { name: "j".into(), parent: Some(JointId(parent)), rest: Local::IDENTITY };
    let error = Skeleton::new(vec![joint(1), joint(0)]).unwrap_err();
    assert!(matches!(error.kind(), SkeletonErrorKind::Cycle { .. }));
    let error = Skeleton::new(vec![joint(4)]).unwrap_err();
    assert!(matches!(error.kind(), SkeletonErrorKind::NoSuchParent { .. }));
}

/// Every way refuses the same poses and stays as it was.
#[test]
fn poses_that_cannot_be() {
    let (skeleton, articulation) = arm();
    let mut good = Vec::new();
    skeleton.world(&skeleton.rest_pose(), &mut good);
    let spoiled = |joint: usize, spoil: fn(&mut DAffine3)| {
        let mut pose = good.clone();
        spoil(&mut pose[joint]);
        pose
    };
    for keep in RefitMethod::ALL {
        let mut body = CabHierarchy::new(Arc::clone(&articulation), keep);
        body.update(&good).expect("a good pose");
        let before = body.placements().to_vec();
        let refused = |body: &mut CabHierarchy, pose: &[DAffine3]| {
            let error = body.update_lazily(pose).unwrap_err();
            // Not equal as values, where NaN is in them.
            assert_eq!(body.update(pose).unwrap_err().to_string(), error.to_string());
            assert_eq!(body.placements(), before);
            error
        };
        let error = refused(&mut body, &good[..2]);
        assert_eq!(error.kind(), &ArticulatedBodyErrorKind::PoseLength { given: 2, joints: 3 });
        let error = refused(&mut body, &spoiled(2, |m| m.translation.y = f64::NAN));
        assert!(error.to_string().starts_with("joint 2 (\"joint 2\") of the pose"), "{error}");
        let error = refused(&mut body, &spoiled(0, |m| m.matrix3 *= 1.5));
        let ArticulatedBodyErrorKind::Pose { joint, name, cause } = error.kind() else {
            panic!("{error}");
        };
        assert_eq!((*joint, name.as_str()), (JointId(0), "joint 0"));
        assert!(matches!(cause.kind(), PoseErrorKind::NotRigid { .. }));
        let error = refused(&mut body, &spoiled(2, |m| m.matrix3.x_axis *= -1.0));
        assert!(error.to_string().contains("mirrors"), "{error}");
        // A joint that carries nothing and at which nothing meets may be anything.
        body.update(&spoiled(1, |m| m.matrix3 *= f64::NAN)).expect("nobody looks at joint 1");
    }
}

#[test]
fn allowed_pairs_that_cannot_be() {
    let (_, articulation) = arm();
    // Joint 1 is passed over.
    assert_eq!(articulation.adjacent(), [(0, 1)]);
    let error = Allowed::nothing(&articulation).with(&[(0, 1), (2, 0)]).unwrap_err();
    assert_eq!(error.kind(), &ArticulatedBodyErrorKind::NoSuchLink { pair: (2, 0), links: 2 });
    assert!(error.to_string().contains("links 2 and 0"), "{error}");
}

/// Rigid parts become links; pairs that the rig allows to joints are allowed to their links.
#[test]
fn rigs() {
    let (skeleton, _) = arm();
    let mut rig = Rig::new("arm", skeleton);
    for joint in [0, 1, 2, 2] {
        rig.parts.push(Part::new("part", bar(1.0, 0.1, 0.1), Hold::Rigid(JointId(joint))));
    }
    rig.allowed.push((0, 2));
    let articulation = ArticulatedBody::of_rig(&rig).expect("four rigid parts");
    assert_eq!(articulation.links().len(), 4);
    assert_eq!(articulation.adjacent(), [(0, 1), (1, 2), (1, 3), (2, 3)]);
    let allowed = Allowed::of_rig(&articulation, &rig);
    let all = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    assert_eq!(allowed.pairs().collect::<Vec<_>>(), all);
    let body = CabHierarchy::new(Arc::new(articulation), RefitMethod::Cab(CabAxis::Sum));
    assert_eq!(body.work().boxes_refitted, 7);
}
