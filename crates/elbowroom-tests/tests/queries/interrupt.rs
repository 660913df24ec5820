//! Queries that are interrupted anywhere: no answer, and the next one is as if nothing had
//! happened.

use std::ops::ControlFlow;
use std::sync::Arc;

use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::query::{CollisionRequest, Neighbours, QueryOptions, Want};
use elbowroom::internal::traverse::Workspace;
use elbowroom::interrupt::{Interrupt, Interrupted};
use elbowroom::{Mesh, Pose};
use elbowroom_make::icosphere;
use elbowroom_motion::scene::{Content, Finder, Object, Scene, Seek, Stage, Timing};
use elbowroom_testkit::random::Random;
use glam::{DQuat, DVec3};

/// Large triangles, all through each other.
fn soup(triangles: u32, seed: u64) -> Mesh {
    let mut random = Random::new(seed);
    let mut point = || {
        let mut part = || random.uniform(-1.0, 1.0);
        DVec3::new(part(), part(), part())
    };
    let vertices = (0..3 * triangles).map(|_| point()).collect();
    let triangles = (0..triangles).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(vertices, triangles).expect("finite")
}

fn tilted() -> Pose {
    let turn = DQuat::from_xyzw(0.1, 0.2, 0.3, 1.0);
    Pose::from_quat(turn, DVec3::new(0.31, 0.17, 0.05)).expect("a placement")
}

/// Asks with ever more patience, in one workspace, until there is an answer; how often there was
/// none.
fn until_answered<T: PartialEq + std::fmt::Debug>(
    what: &str,
    mut ask: impl FnMut(&mut Workspace) -> T,
) -> u32 {
    let expected = ask(&mut Workspace::default());
    let mut workspace = Workspace::default();
    let (mut interrupted, mut patience) = (0, 0);
    loop {
        match Interrupt::after(patience).run(|| ask(&mut workspace)) {
            Ok(answer) => {
                assert_eq!(answer, expected, "{what} after {interrupted} interrupts");
                return interrupted;
            }
            Err(why) => assert_eq!(why, Interrupted::Raised, "{what}"),
        }
        interrupted += 1;
        patience += 1 + patience / 3;
    }
}

#[test]
fn an_interrupted_query_leaves_nothing_behind() {
    let models = || [Model::new(soup(400, 1)), Model::new(soup(400, 2))];
    let balls = || [Model::new(icosphere(12)), Model::new(icosphere(10))];
    let (here, there) = (Pose::IDENTITY, tilted());
    let far = Pose::from_translation(DVec3::new(2.5, 0.1, 0.2)).expect("finite");
    let [a, b] = models();
    let [c, d] = balls();
    let question = |ask| CollisionRequest { want: ask, ..CollisionRequest::default() };
    let mut counts = Vec::new();
    let mut count = |what, interrupted| counts.push((what, interrupted));
    for (what, ask) in [("all", Want::All), ("count", Want::Count)] {
        let pairs =
            |w: &mut Workspace| query::collide(&a, &here, &b, &there, &question(ask), w).pairs;
        count(what, until_answered(what, pairs));
    }
    let own = |w: &mut Workspace| {
        let mut met = 0_u64;
        let _ = query::visit_self(&a, Neighbours::Decide, w, |_| {
            met += 1;
            ControlFlow::Continue(())
        });
        met
    };
    count("self", until_answered("self", own));
    let near = |w: &mut Workspace| query::all_nearer(&c, &here, &d, &far, 0.6, w);
    count("all nearer", until_answered("all nearer", near));
    let counted = |w: &mut Workspace| {
        query::nearest_counted((&c, &here), (&d, &far), 2.0, &|i, j| i % 3 == 0 && j % 5 == 1, w)
    };
    count("nearest counted", until_answered("nearest counted", counted));
    let everything = |w: &mut Workspace| {
        let [c, d] = balls();
        query::query(&c, &here, &d, &there, &QueryOptions::ALL.solid(), w)
    };
    count("everything of solids", until_answered("everything of solids", everything));
    let depth = |w: &mut Workspace| {
        let [c, d] = balls();
        query::penetration(&c, &here, &d, &there, None, w)
    };
    count("depth", until_answered("depth", depth));
    let amount = |w: &mut Workspace| query::overlap(&a, &here, &b, &there, w);
    count("amount", until_answered("amount", amount));
    let all = query::triangle_pairs(&a, &here, &b, &there);
    let regions = |_: &mut Workspace| query::regions_of(&a, &here, &b, &there, &all).len();
    count("regions", until_answered("regions", regions));
    let points: Vec<DVec3> = (0..200).map(|i| DVec3::splat(f64::from(i) * 0.004)).collect();
    let windings = |w: &mut Workspace| query::windings(&c, &here, &points, w);
    count("windings", until_answered("windings", windings));
    for (what, interrupted) in &counts {
        assert!(*interrupted >= 1, "{what} was never interrupted");
    }
    let all: u32 = counts.iter().map(|(_, interrupted)| interrupted).sum();
    assert!(all >= 40, "{counts:?}");
}

#[test]
fn a_finder_that_was_interrupted_finds_the_same() {
    let model = |seed| Arc::new(Model::new(soup(120, seed)));
    let path = (0..3).map(|i| Pose::from_translation(DVec3::X * f64::from(i) * 0.3));
    let path: Vec<Pose> = path.map(|place| place.expect("finite")).collect();
    let mut objects: Vec<Object> = (0..3)
        .map(|i| {
            let content = Content::Still { model: model(i), place: Pose::IDENTITY };
            Object::new(format!("still {i}"), content)
        })
        .collect();
    objects.push(Object::new("moves", Content::Moving { model: model(9), path }));
    for object in &mut objects {
        object.with_itself = true;
    }
    let scene = Scene::new(Timing::new(30.0, 0, 2), objects, &[]).expect("a scene");
    let seek = Seek { places: true, clearance: Some(0.01), ..Seek::default() };
    let mut stage = Stage::new();
    let (mut finder, mut interrupted) = (Finder::new(seek), 0);
    for frame in 0..3 {
        scene.at(frame, &mut stage).expect("a frame");
        let expected = Finder::new(seek).find(&scene, &stage).clone();
        assert!(expected.meetings.len() >= 9, "{}", expected.meetings.len());
        let mut patience = 0;
        loop {
            match Interrupt::after(patience).run(|| finder.find(&scene, &stage).clone()) {
                Ok(found) => break assert_eq!(found, expected, "frame {frame}"),
                Err(_) => interrupted += 1,
            }
            patience += 1 + patience / 2;
        }
    }
    assert!(interrupted >= 10, "{interrupted}");
}

#[test]
fn lists_that_are_too_long_end_the_query() {
    let [a, b] = [Model::new(soup(700, 1)), Model::new(soup(700, 2))];
    let here = Pose::IDENTITY;
    let met = query::triangle_pairs(&a, &here, &b, &here).len() as u64;
    assert!(met > 50_000, "{met}");
    let mut workspace = Workspace::default();
    let all = CollisionRequest { want: Want::All, ..CollisionRequest::default() };
    let count = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
    let mut room = |bytes: u64, which: u32| {
        Interrupt::with_room(bytes).run(|| {
            let w = &mut workspace;
            match which {
                0 => query::collide(&a, &here, &b, &here, &all, w).count(),
                1 => query::collide(&a, &here, &b, &here, &count, w).count(),
                2 => query::penetration(&a, &here, &b, &here, None, w).is_overlap.into(),
                3 => query::overlap(&a, &here, &b, &here, w).volume.to_bits(),
                _ => query::all_nearer(&a, &here, &b, &here, 0.01, w).len() as u64,
            }
        })
    };
    for which in [0, 2, 3, 4] {
        assert_eq!(room(8 * met, which), Err(Interrupted::Full), "{which}");
    }
    assert_eq!((room(100 * met, 0), room(8, 1)), (Ok(met), Ok(met)));
}
