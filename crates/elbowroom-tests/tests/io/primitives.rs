//! Primitives against `MuJoCo`: what it says of two of them, `cases.py` has written into
//! `cases.json`.
//!
//! Spheres, capsules, boxes and planes must agree on both sides of contact; cylinders and
//! ellipsoids must never be called clear where the simulator has them in contact, and may be called
//! in contact where they are nearer than the stated bound.

use std::collections::BTreeMap;
use std::sync::Arc;

use elbowroom::internal::query::{ContactKind, Mode};
use elbowroom_io::{ReadOptions, mjcf};
use elbowroom_motion::scene::{
    Actor, Content, Finder, Meeting, Object, PenetrationSummary, Scene, Seek, Stage, Timing,
};
use serde_json::Value;

/// What the simulator's analytic functions are off by at most.
const ANALYTIC: f64 = 1e-9;

/// What its iterations may be off by.
const ITERATED: f64 = 1e-7;

fn cases() -> Value {
    serde_json::from_str(include_str!("primitives/cases.json")).expect("the cases are JSON")
}

fn numbers(value: &Value) -> String {
    let numbers = value.as_array().expect("numbers").iter().map(ToString::to_string);
    numbers.collect::<Vec<_>>().join(" ")
}

fn kind(case: &Value, which: &str) -> String {
    case[which]["kind"].as_str().expect("a kind").to_owned()
}

fn model(case: &Value) -> String {
    let geom = |name: &str| {
        let shape = &case[name];
        let (kind, size) = (kind(case, name), numbers(&shape["size"]));
        let geom = format!(r#"<geom name="{name}" type="{kind}" size="{size}"/>"#);
        if kind == "plane" {
            return geom;
        }
        let (pos, quat) = (numbers(&shape["pos"]), numbers(&shape["quat"]));
        format!(r#"<body name="{name}" pos="{pos}" quat="{quat}"><freejoint/>{geom}</body>"#)
    };
    format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", geom("a"), geom("b"))
}

/// What two objects of a model are to each other.
fn meeting(text: &str, seek: Seek) -> Option<Meeting> {
    let document = mjcf::parse(text.as_bytes(), None, &ReadOptions::default()).expect("a model");
    let objects: Vec<Object> = document
        .rigs
        .into_iter()
        .map(|rig| Object::new(rig.name.clone(), Content::Actor(Actor::new(Arc::new(rig)))))
        .collect();
    assert_eq!(objects.len(), 2);
    let scene = Scene::new(Timing::STILL, objects, &[]).expect("a scene");
    let mut stage = Stage::new();
    scene.at(0, &mut stage).expect("a frame");
    let mut finder = Finder::new(seek);
    let found = finder.find(&scene, &stage);
    assert_eq!(found.pairs_examined, 1);
    found.meetings.first().cloned()
}

fn is_exact(a: &str, b: &str) -> bool {
    let exact = |kind: &str| ["plane", "sphere", "capsule", "box"].contains(&kind);
    a == "plane" || (exact(a) && exact(b))
}

#[test]
fn contact_is_where_the_simulator_has_it() {
    let cases = cases();
    let mut counts: BTreeMap<(bool, bool), u32> = BTreeMap::new();
    let mut estimates = 0;
    for case in cases["pairs"].as_array().expect("pairs") {
        let (a, b) = (kind(case, "a"), kind(case, "b"));
        let distance = case["distance"].as_f64().expect("a distance");
        let text = model(case);
        for mode in [Mode::Surface, Mode::Solid] {
            let found = meeting(&text, Seek { mode, ..Seek::default() });
            let what = format!("{a} {b} {distance} {mode:?}: {found:?}");
            let meets = found.as_ref().is_some_and(|meeting| meeting.kind.is_contact());
            if is_exact(&a, &b) {
                assert!(distance.abs() > ANALYTIC, "{what}");
                assert_eq!(meets, distance < 0.0, "{what}");
                assert!(found.is_none_or(|meeting| meeting.certainty.is_exact()), "{what}");
                *counts.entry((true, meets)).or_default() += 1;
                continue;
            }
            *counts.entry((false, meets)).or_default() += 1;
            let Some(meeting) = found else {
                assert!(distance > -ITERATED, "clear but in contact: {what}");
                continue;
            };
            assert!(meeting.bound > 0.0 && meeting.bound < 0.02 * 0.3, "{what}");
            if meeting.certainty.is_exact() {
                assert!(distance < ITERATED, "certain but clear: {what}");
            } else {
                assert!(distance.abs() <= meeting.bound + ITERATED, "{what}");
                estimates += 1;
            }
        }
    }
    let all: u32 = counts.values().sum();
    assert!(
        all == 2 * (20 * 8 + 30) && counts.len() == 4 && estimates > 40,
        "{counts:?} {estimates}"
    );
}

/// How far it is, and how deep.
#[test]
fn distances_and_depths_are_those_of_the_simulator() {
    let cases = cases();
    let (mut near, mut deep) = (0, 0);
    for case in cases["pairs"].as_array().expect("pairs") {
        let (a, b) = (kind(case, "a"), kind(case, "b"));
        let distance = case["distance"].as_f64().expect("a distance");
        // Deeper, depth is the deepest point here and the shortest way out there.
        if distance < -0.02 {
            continue;
        }
        let seek = Seek { mode: Mode::Solid, clearance: Some(0.1), depth: true, ..Seek::default() };
        let meeting = meeting(&model(case), seek);
        let what = format!("{a} {b} {distance}: {meeting:?}");
        let meeting = meeting.expect("they are near");
        if meeting.kind == ContactKind::Clearance {
            let found = meeting.distance.expect("a distance was asked for");
            let slack = if is_exact(&a, &b) { ANALYTIC } else { ITERATED };
            assert!(
                found <= distance + slack && distance <= found + meeting.bound + slack,
                "{what}"
            );
            assert!(is_exact(&a, &b) == (meeting.bound == 0.0), "{what}");
            near += 1;
        } else if a == "plane" || a == "sphere" || a == "capsule" || b == "capsule" {
            let PenetrationSummary { depth, depth_upper, .. } =
                *meeting.overlap.clone().expect("a depth");
            let slack = if is_exact(&a, &b) { 1e-8 } else { ITERATED };
            let truth = (-distance).max(0.0);
            assert!(depth <= truth + slack && truth <= depth_upper + slack, "{what}");
            if is_exact(&a, &b) {
                assert!(depth_upper - depth < 1e-9, "{what}");
            }
            deep += 1;
        }
    }
    assert!(near >= 60 && deep >= 50, "{near} {deep}");
}

#[test]
fn a_sphere_meets_a_height_field_where_the_simulator_has_it() {
    let cases = cases();
    let field = cases["field"].as_str().expect("a field");
    let mut counts = [0; 2];
    for case in cases["on_field"].as_array().expect("cases") {
        let text = format!(
            r#"<mujoco><asset>{field}</asset><worldbody><geom type="hfield" hfield="f"/>
            <body name="b" pos="{}"><freejoint/><geom size="{}"/></body></worldbody></mujoco>"#,
            numbers(&case["pos"]),
            case["radius"]
        );
        let found = meeting(&text, Seek { mode: Mode::Solid, ..Seek::default() });
        let depth = case["depth"].as_f64();
        assert_eq!(found.is_some(), depth.is_some(), "{case} {found:?}");
        assert!(found.is_none_or(|meeting| meeting.certainty.is_exact()));
        counts[usize::from(depth.is_some())] += 1;
    }
    assert!(counts[0] > 15 && counts[1] > 15, "{counts:?}");
}

/// The case that started it: spheres of 10 cm, half a millimetre inside each other and apart.
#[test]
fn two_spheres_half_a_millimetre_from_contact() {
    for (gap, meets) in [(-5e-4, true), (5e-4, false), (0.0, true)] {
        let text = format!(
            r#"<mujoco><worldbody><body><freejoint/><geom size="0.1"/></body>
            <body pos="{} 0 0"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"#,
            0.2 + gap
        );
        let seek = Seek { mode: Mode::Solid, depth: true, places: true, ..Seek::default() };
        let found = meeting(&text, seek);
        assert_eq!(found.is_some(), meets, "{gap} {found:?}");
        let Some(meeting) = found else { continue };
        let overlap = *meeting.overlap.clone().expect("a depth");
        assert!((overlap.depth + gap).abs() < 1e-12 && overlap.certainty.is_exact(), "{overlap:?}");
        // The lens that two equal spheres share.
        let lens = std::f64::consts::PI * gap * gap * (0.6 + gap) / 12.0;
        assert!(
            (overlap.volume - lens).abs() <= overlap.volume_error + 1e-15,
            "{overlap:?} {lens}"
        );
        let place = meeting.place.clone().expect("a place");
        assert!((place.point - glam::DVec3::X * 0.5 * (0.2 + gap)).length() < 1e-12, "{place:?}");
        assert!((place.normal - glam::DVec3::X).length() < 1e-12, "{place:?}");
        assert_eq!(meeting.parts.len(), 1);
    }
}
