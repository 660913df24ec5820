//! Pairs that may touch, and objects that may not touch themselves.

use std::sync::Arc;

use elbowroom_motion::scene::{
    Actor, Axes, Content, Finder, Motion, Object, ObjectId, Scene, SceneErrorKind, Seek, Stage,
    Timing, Whereabouts,
};
use glam::{DQuat, DVec3};

use super::common::{arm, at, still};

/// Two arms side by side and a box under them, all meeting.
fn objects() -> Vec<Object> {
    let rig = Arc::new(arm(1.0));
    let beside = |name: &str, y: f64| {
        let whereabouts = Whereabouts::Fixed(Axes::Y_UP.placed(DVec3::Y * y, 0.0, 1.0));
        let actor = Actor { whereabouts, ..Actor::new(Arc::clone(&rig)) };
        Object::new(name, Content::Actor(actor))
    };
    vec![beside("left", 0.0), beside("right", 0.15), still("table/top", 0.5, at(1.0, -0.4, 0.0))]
}

fn met(rules: &[(&str, &str)]) -> (Vec<(u32, u32)>, u64) {
    let rules: Vec<_> = rules.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect();
    let scene = Scene::new(Timing::STILL, objects(), &rules).unwrap();
    let mut stage = Stage::new();
    scene.at(0, &mut stage).unwrap();
    let mut finder = Finder::new(Seek::default());
    let found = finder.find(&scene, &stage);
    (found.meetings.iter().map(|m| (m.a.0, m.b.0)).collect(), found.pairs_examined)
}

/// Rules, the pairs of objects that meet nevertheless, and how many were examined.
type Case = (&'static [(&'static str, &'static str)], &'static [(u32, u32)], u64);

#[test]
fn rules_leave_out_objects_and_parts() {
    let (all, examined) = met(&[]);
    assert_eq!((all, examined), (vec![(0, 1), (0, 2), (1, 2)], 3));
    let cases: [Case; 10] = [
        (&[("left", "right")], &[(0, 2), (1, 2)], 2),
        (&[("right", "left")], &[(0, 2), (1, 2)], 2),
        (&[("*", "table*")], &[(0, 1)], 1),
        (&[("*t", "table/top")], &[(0, 1)], 1),
        (&[("*", "*")], &[], 0),
        // Both parts of each meet both of the other, so one pair of parts leaves the rest.
        (&[("left/upper", "right/upper")], &[(0, 1), (0, 2), (1, 2)], 3),
        // All parts of an object are the object, named by a star or one by one.
        (&[("left/*", "right")], &[(0, 2), (1, 2)], 2),
        (&[("left/upper", "right"), ("right/*", "left/lower")], &[(0, 2), (1, 2)], 2),
        (&[("left/upper", "right/upper"), ("left/lower", "right/lower")], &[(0, 2), (1, 2)], 3),
        (&[("*/upper", "table/top"), ("*/lower", "table/top/table/top")], &[(0, 1)], 1),
    ];
    for (rules, expected, pairs) in cases {
        assert_eq!(met(rules), (expected.to_vec(), pairs), "{rules:?}");
    }
}

#[test]
fn a_rule_for_nothing_is_refused_with_what_is_near() {
    let error = |a: &str| {
        let rules = [(a.to_owned(), "right".to_owned())];
        Scene::new(Timing::STILL, objects(), &rules).unwrap_err()
    };
    assert_eq!(
        error("lift").to_string(),
        "\"lift\" may touch, but nothing is called so; is it \"left\"?"
    );
    assert!(error("left/uper").to_string().contains("is it \"left/upper\"?"));
    let far = error("quite another thing");
    assert!(matches!(far.kind(), SceneErrorKind::NothingAllowed { nearest: None, .. }), "{far}");
}

/// An arm that is bent back onto itself.
fn folded(allowed: Vec<(u32, u32)>, with_itself: bool, rules: &[(String, String)]) -> Vec<u64> {
    let mut rig = arm(1.0);
    rig.allowed = allowed;
    let mut pose = rig.rest_pose();
    pose.locals[1].rotation = DQuat::from_rotation_z(3.1);
    let actor = Actor { motion: Motion::Pose(pose), ..Actor::new(Arc::new(rig)) };
    let mut object = Object::new("arm", Content::Actor(actor));
    object.with_itself = with_itself;
    let scene = Scene::new(Timing::STILL, vec![object], rules).unwrap();
    let mut stage = Stage::new();
    scene.at(0, &mut stage).unwrap();
    let mut finder = Finder::new(Seek::default());
    finder.find(&scene, &stage).meetings.iter().map(|m| m.touching + m.crossing).collect()
}

#[test]
fn an_object_meets_itself_only_if_asked() {
    assert_eq!(folded(vec![], false, &[]), [0; 0]);
    let own = folded(vec![], true, &[]);
    assert!(own.len() == 1 && own[0] > 3, "{own:?}");
    assert_eq!(folded(vec![(1, 0)], true, &[]), [0; 0], "what the robot's file allows");
    let rule = [("arm/upper".to_owned(), "arm/lower".to_owned())];
    assert_eq!(folded(vec![], true, &rule), [0; 0]);
}

#[test]
fn a_skin_meets_itself_where_parts_are_not_neighbours() {
    let man = Arc::new(elbowroom_make::body::male());
    let mut pose = elbowroom_make::body::standing(&man.skeleton).unwrap();
    let met = |pose: &elbowroom_motion::body::SkeletonPose| {
        let actor = Actor { motion: Motion::Pose(pose.clone()), ..Actor::new(Arc::clone(&man)) };
        let mut object = Object::new("man", Content::Actor(actor));
        object.with_itself = true;
        let scene = Scene::new(Timing::STILL, vec![object], &[]).unwrap();
        let mut stage = Stage::new();
        scene.at(0, &mut stage).unwrap();
        let found = Finder::new(Seek::default()).find(&scene, &stage).clone();
        assert_eq!(found.pairs_examined, 1);
        let names = scene.parts(ObjectId(0)).to_vec();
        let parts = found.meetings.iter().flat_map(|m| &m.parts);
        parts
            .map(|p| format!("{} {}", names[p.a as usize], names[p.b as usize]))
            .collect::<Vec<_>>()
    };
    assert_eq!(met(&pose), [""; 0], "someone who stands at ease does not touch himself");
    // The left arm goes through the body.
    let shoulder = man.skeleton.find("LeftArm").unwrap();
    let turn = DQuat::from_rotation_y(-2.2);
    let local = &mut pose.locals[shoulder.index()];
    local.rotation = turn * local.rotation;
    let crossing = met(&pose);
    assert!(crossing.len() > 2, "{crossing:?}");
    let of_the_arm = |pair: &String| {
        ["LeftArm", "LeftForeArm", "LeftHand", "LThumb"].iter().any(|part| pair.contains(part))
    };
    assert!(crossing.iter().all(of_the_arm), "{crossing:?}");
}
