//! From bodies that move to disks on the ground.

use elbowroom::Mesh;
use elbowroom_motion::body::{
    Clip, Hold, Interpolation, Joint, JointId, Local, Part, Rig, Skeleton, Target, Track,
};
use elbowroom_motion::space_time::{Config, Reach, Taking, Trace, TraceErrorKind, Up};
use elbowroom_papers::mobb::graph::{Graph, GraphClip};
use glam::{DVec2, DVec3};

/// A post with an arm of two metres, turned by the second track; it slides along.
fn body() -> (Skeleton, Clip) {
    let joint = |name: &str, parent: Option<u32>, rest| Joint {
        name: name.into(),
        parent: parent.map(JointId),
        rest: Local::from_translation(rest),
    };
    let skeleton = Skeleton::new(vec![
        joint("hips", None, DVec3::Y),
        joint("hand", Some(0), DVec3::new(2.0, 0.5, 0.0)),
    ])
    .unwrap();
    let times: Vec<f64> = (0..=120).map(|k| 5.0 + f64::from(k) / 60.0).collect();
    let slide: Vec<f64> = (0..=120).flat_map(|k| [0.0, 1.0, f64::from(k) / 60.0]).collect();
    let track = |target, times: Vec<f64>, values| Track {
        target,
        interpolation: Interpolation::Linear,
        times,
        values,
    };
    // A quarter turn about z: the arm goes from level to upright.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let turn = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half];
    let clip = Clip::new(
        "slide".into(),
        vec![
            track(Target::Translation(JointId(0)), times, slide),
            track(Target::Rotation(JointId(0)), vec![5.0, 7.0], turn),
        ],
    )
    .unwrap();
    (skeleton, clip)
}

#[test]
fn the_disk_reaches_to_the_farthest_joint() {
    let (skeleton, clip) = body();
    let trace = Trace::from_clip(&skeleton, &clip, &Taking::default()).unwrap();
    assert_eq!((trace.len(), trace.dt()), (61, 1.0 / 30.0));
    for (k, s) in trace.samples().enumerate() {
        let along = k as f64 / 30.0;
        assert!(s.center.distance(DVec2::new(along, 0.0)) < 1e-9, "{k} {s:?}");
        // The arm, two metres and a half one up, turns by 45 degrees a second.
        let angle = along * std::f64::consts::FRAC_PI_4;
        let reach = (2.0 * angle.cos() - 0.5 * angle.sin()).abs();
        assert!((s.radius - reach).abs() < 1e-9, "{k} {s:?} {reach}");
    }
    // As captured: 60 keys a second; the first two left out.
    let own =
        Taking { fps: None, skip: 2, reach: Reach::Fixed(0.3), scale: 2.0, ..Taking::default() };
    let trace = Trace::from_clip(&skeleton, &clip, &own).unwrap();
    assert_eq!(trace.len(), 119);
    assert!((trace.dt() - 1.0 / 60.0).abs() < 1e-12);
    assert!((trace.sample(0).center.x - 2.0 / 30.0).abs() < 1e-9 && trace.sample(7).radius == 0.3);
    // Seen along other axes.
    for (up, center) in [(Up::Z, DVec2::new(0.0, 1.0)), (Up::X, DVec2::new(1.0, 0.0))] {
        let trace =
            Trace::from_clip(&skeleton, &clip, &Taking { up, ..Taking::default() }).unwrap();
        assert!(trace.sample(0).center.distance(center) < 1e-9);
    }
}

#[test]
fn the_disk_reaches_to_the_farthest_vertex() {
    let (skeleton, clip) = body();
    let mut rig = Rig::new("post", skeleton);
    let triangle = vec![DVec3::ZERO, DVec3::new(0.0, 0.0, -3.0), DVec3::Y];
    let mesh = Mesh::new(triangle, vec![[0, 1, 2]]).unwrap();
    rig.parts.push(Part::new("tail", mesh, Hold::Rigid(JointId(0))));
    rig.validate().unwrap();
    let trace = Trace::from_rig(&rig, &clip, &Taking::default()).unwrap();
    assert_eq!(trace.len(), 61);
    assert!(trace.samples().all(|s| (s.radius - 3.0).abs() < 1e-9));
    let fixed = Taking { reach: Reach::Fixed(1.0), ..Taking::default() };
    assert!(Trace::from_rig(&rig, &clip, &fixed).unwrap().samples().all(|s| s.radius == 1.0));
}

#[test]
fn clips_of_a_skeleton_make_a_graph() {
    let (skeleton, clip) = body();
    let still = Clip::new("still".into(), vec![]).unwrap();
    let taking = Taking { reach: Reach::Fixed(0.5), ..Taking::default() };
    let make = |clip| GraphClip::from_clip(&skeleton, clip, &taking, Config::default()).unwrap();
    let graph = Graph::new(vec![make(&clip), make(&still)], 0.1).unwrap();
    // The slide ends with the arm upright, which is like no beginning; the rest pose is like both.
    assert!(graph.following(0).iter().all(|edge| edge.is_forced));
    assert_eq!(graph.following(1).iter().map(|edge| edge.to).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn what_cannot_be_taken_is_refused() {
    let (skeleton, clip) = body();
    let kind =
        |taking: Taking| Trace::from_clip(&skeleton, &clip, &taking).unwrap_err().kind().clone();
    let root = Taking { root: Some(JointId(7)), ..Taking::default() };
    assert_eq!(kind(root), TraceErrorKind::NoSuchJoint { joint: 7, joints: 2 });
    let scale = Taking { scale: f64::NAN, ..Taking::default() };
    assert!(matches!(kind(scale), TraceErrorKind::Positive { name: "scale", .. }));
    let rate = Taking { fps: Some(0.0), ..Taking::default() };
    assert!(matches!(kind(rate), TraceErrorKind::Positive { name: "rate", .. }));
    let radius = Taking { reach: Reach::Fixed(-1.0), ..Taking::default() };
    assert!(matches!(kind(radius), TraceErrorKind::NegativeRadius { sample: 0, .. }));
    let empty = Skeleton::new(vec![]).unwrap();
    assert!(Trace::from_clip(&empty, &clip, &Taking::default()).is_err());
}
