//! Published and computed benchmarks with known answers, where the shared data is present: no
//! differences.
//!
//! The packed tree runs all of them. With `ELBOWROOM_LONG=1` so do readable trees of every family,
//! fit and split, and packed ones made from them; without it those run a part:
//!
//!     ELBOWROOM_LONG=1 cargo test --release -p elbowroom-tests --test exact benchmarks:: --
//! --nocapture

use std::path::PathBuf;

use elbowroom::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, Want, collide, intersects, triangle_pairs};
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::aabb::overlap_aabb_aabb;
use elbowroom_testkit::brute::Soup;
use elbowroom_testkit::data;
use elbowroom_tests::common::{Engine, engines, mesh, placement};

const HERE: Pose = Pose::IDENTITY;

fn shared(test: &str) -> Option<PathBuf> {
    let directory = data::shared_dir();
    if directory.is_none() {
        data::skip_note(test);
    }
    directory
}

fn is_long() -> bool {
    std::env::var_os("ELBOWROOM_LONG").is_some()
}

/// Each engine with the stride at which it runs through a benchmark.
fn trees(stride: usize) -> Vec<(Engine, usize)> {
    let others = if is_long() { 1 } else { stride };
    let strides = std::iter::once(1).chain(std::iter::repeat(others));
    engines().into_iter().zip(strides).collect()
}

fn model(soup: &Soup, engine: &Engine) -> Model {
    engine.model(mesh(soup))
}

fn pairs_of(a: &Model, b: &Model, workspace: &mut Workspace) -> usize {
    let question = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
    collide(a, &HERE, b, &HERE, &question, workspace).count() as usize
}

#[test]
fn fcl_contact_models() {
    let Some(shared) = shared("fcl_contact_models") else { return };
    let mut workspace = Workspace::default();
    let (mut frames, mut pairs) = (0, 0);
    for name in data::fcl::MODELS {
        let scene = data::fcl::load(&shared, name);
        for (index, (engine, stride)) in trees(40).into_iter().enumerate() {
            // The long film's contacts hardly change in its second half: all of it is for a long
            // run of the default tree.
            let is_thinned = scene.frames.len() > 100 && !(is_long() && index == 0);
            let stride = if is_thinned { stride * 10 } else { stride };
            for frame in (0..scene.frames.len()).step_by(stride) {
                let [a, b] = scene.placed(frame).map(|soup| model(&soup, &engine));
                let found = pairs_of(&a, &b, &mut workspace);
                assert_eq!(found, scene.answers[frame], "{name}, frame {frame}, {engine:?}");
                frames += 1;
                pairs += found;
            }
        }
    }
    println!("FCL contact models: {frames} frames, {pairs} pairs of triangles");
    assert!(frames >= 300 && pairs >= 10_000, "{frames} {pairs}");
}

#[test]
fn ompl_paths_are_free() {
    let Some(shared) = shared("ompl_paths_are_free") else { return };
    let mut states = 0;
    for name in data::ompl::PROBLEMS {
        let problem = data::ompl::load(&shared, name);
        for (engine, stride) in trees(20) {
            let environment = model(&problem.environment, &engine);
            let robot = model(&problem.robot, &engine);
            for (index, state) in problem.states.iter().enumerate().step_by(stride) {
                let hit = intersects(&environment, &HERE, &robot, &placement(&state.pose));
                assert!(!hit, "{name}, state {index}, {engine:?}");
                states += 1;
            }
        }
    }
    println!("OMPL paths: {states} states");
    assert!(states >= 800, "{states}");
}

#[test]
fn ball_against_helicopter_and_hand() {
    let Some(shared) = shared("ball_against_helicopter_and_hand") else { return };
    let mut workspace = Workspace::default();
    for name in data::ball::SCENES {
        let scene = data::ball::load(&shared, name);
        let (mut frames, mut in_contact) = (0, 0);
        for (engine, stride) in trees(50) {
            let target = model(&scene.target, &engine);
            for frame in (0..scene.frames.len()).step_by(stride) {
                let ball = model(&scene.ball(frame), &engine);
                let found = pairs_of(&target, &ball, &mut workspace);
                assert_eq!(found, scene.frames[frame].pairs, "{name}, frame {frame}, {engine:?}");
                frames += 1;
                in_contact += u32::from(found > 0);
            }
        }
        println!("{name}: {frames} frames, {in_contact} in contact");
        assert!(frames >= 700 && in_contact >= 48, "{name}: {frames} {in_contact}");
    }
}

#[test]
fn people_with_full_lists() {
    let Some(shared) = shared("people_with_full_lists") else { return };
    let people = data::humans::load(&shared);
    let (mut pairs, mut met) = (0, 0);
    for (engine, stride) in trees(40) {
        for index in (0..people.pairs.len()).step_by(stride) {
            let [a, b] = people.placed(index).map(|soup| model(&soup, &engine));
            let found: Vec<(u32, u32)> =
                triangle_pairs(&a, &HERE, &b, &HERE).iter().map(|pair| (pair.a, pair.b)).collect();
            assert_eq!(found, people.pairs[index].pairs, "pair {index}, {engine:?}");
            assert_eq!(!found.is_empty(), people.pairs[index].intersects);
            pairs += 1;
            met += found.len();
        }
    }
    println!("people: {pairs} pairs, {met} pairs of triangles");
    assert!(pairs >= 300 && met >= 18_000, "{pairs} {met}");
}

/// 2,000 Suzannes: as the answer was computed, on vertices moved and rounded; and, for every tree,
/// as 2,000 poses of one model.
#[test]
fn swarm_of_suzannes() {
    let Some(shared) = shared("swarm_of_suzannes") else { return };
    let swarm = data::swarm::load(&shared);
    let copies: Vec<_> = (0..swarm.poses.len()).map(|i| mesh(&swarm.copy(i))).collect();
    let bounds: Vec<_> = copies.iter().map(elbowroom::Mesh::bounds).collect();
    let mut near = Vec::new();
    for i in 0..copies.len() {
        for j in i + 1..copies.len() {
            if overlap_aabb_aabb(&bounds[i], &bounds[j], 0.0) {
                near.push((i, j));
            }
        }
    }
    assert_eq!((near.len(), swarm.box_overlaps), (1884, 1884));
    let expected: Vec<(usize, usize)> =
        swarm.colliding.iter().map(|&(i, j, _)| (i as usize, j as usize)).collect();
    assert_eq!(expected.len(), 677);

    let moved: Vec<Model> = copies.into_iter().map(Model::new).collect();
    let mut workspace = Workspace::default();
    let mut found = Vec::new();
    for &(i, j) in &near {
        let count = pairs_of(&moved[i], &moved[j], &mut workspace);
        if count > 0 {
            found.push((i as u32, j as u32, count));
        }
    }
    assert_eq!(found, swarm.colliding);

    let placements: Vec<Pose> = swarm.poses.iter().map(placement).collect();
    for engine in engines() {
        let one = model(&swarm.mesh, &engine);
        let touching: Vec<(usize, usize)> = near
            .iter()
            .copied()
            .filter(|&(i, j)| intersects(&one, &placements[i], &one, &placements[j]))
            .collect();
        assert_eq!(touching, expected, "{engine:?}");
    }
}
