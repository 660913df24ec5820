//! Benchmarks with known answers on layered trees, where the shared data is present: no
//! differences.
//!
//! With `ELBOWROOM_LONG=1` every layering runs all of them; without it, a part:
//!
//!     ELBOWROOM_LONG=1 cargo test --release -p elbowroom-tests --test papers layers_known:: --
//! --nocapture

use std::path::PathBuf;

use elbowroom::Pose;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::query::{CollisionRequest, Want};
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::Family;
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::Layers;
use elbowroom_papers::sbbk::{collide_layered, intersects_layered, triangle_pairs_layered};
use elbowroom_testkit::brute::Soup;
use elbowroom_testkit::data;
use elbowroom_tests::common::{mesh, placement};

const HERE: Pose = Pose::IDENTITY;

fn shared(test: &str) -> Option<PathBuf> {
    let directory = data::shared_dir();
    if directory.is_none() {
        data::skip_note(test);
    }
    directory
}

/// How far apart the cases are that are run.
fn stride(short: usize) -> usize {
    if std::env::var_os("ELBOWROOM_LONG").is_some() { 1 } else { short }
}

fn layerings() -> Vec<Layers> {
    let mut layerings = vec![
        Layers::hbbcd(1, 4),
        Layers::s_aabb(1),
        Layers::s_obb(2),
        Layers::single(Family::Aabb),
        Layers::single(Family::Sphere),
        Layers::single(Family::Obb),
        Layers::new([(Family::Kdop26, 0), (Family::Obb, 2), (Family::Kdop14, 5)]),
    ];
    for k in [14, 18, 24, 26] {
        layerings.push(Layers::sbbk(k, 1, 5));
        layerings.push(Layers::aabb_kdop(k, 4));
    }
    layerings.into_iter().map(|layering| layering.expect("good layers")).collect()
}

fn grown(soup: &Soup, layering: &Layers) -> HybridTree {
    HybridTree::new(mesh(soup), layering, &Config::default())
}

fn count(a: &HybridTree, b: &HybridTree, workspace: &mut Workspace) -> usize {
    let question = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
    collide_layered(a, &HERE, b, &HERE, &question, workspace).count() as usize
}

#[test]
fn fcl_contact_models() {
    let Some(shared) = shared("fcl_contact_models") else { return };
    let mut workspace = Workspace::default();
    let (mut frames, mut pairs) = (0, 0);
    for name in data::fcl::MODELS {
        let scene = data::fcl::load(&shared, name);
        let step = stride(1 + scene.frames.len() / 2);
        for layering in layerings() {
            for frame in (0..scene.frames.len()).step_by(step) {
                let [a, b] = scene.placed(frame).map(|soup| grown(&soup, &layering));
                let found = count(&a, &b, &mut workspace);
                assert_eq!(found, scene.answers[frame], "{name}, frame {frame}, {layering}");
                frames += 1;
                pairs += found;
            }
        }
    }
    println!("FCL contact models: {frames} frames, {pairs} pairs of triangles");
    assert!(frames >= 60 && pairs >= 1000, "{frames} {pairs}");
}

/// The ball is refitted from frame to frame, as a soft one would be.
#[test]
fn ball_against_helicopter_and_hand() {
    let Some(shared) = shared("ball_against_helicopter_and_hand") else { return };
    let mut workspace = Workspace::default();
    for name in data::ball::SCENES {
        let scene = data::ball::load(&shared, name);
        let (mut frames, mut in_contact) = (0, 0);
        for layering in layerings() {
            let target = grown(&scene.target, &layering);
            let mut ball = grown(&scene.ball(0), &layering);
            for frame in (0..scene.frames.len()).step_by(stride(37)) {
                let moved = mesh(&scene.ball(frame));
                ball.refit(moved.vertices()).expect("as many and finite");
                let found = count(&target, &ball, &mut workspace);
                assert_eq!(found, scene.frames[frame].pairs, "{name}, frame {frame}, {layering}");
                frames += 1;
                in_contact += u32::from(found > 0);
            }
        }
        println!("{name}: {frames} frames, {in_contact} in contact");
        assert!(frames >= 100 && in_contact >= 10, "{name}: {frames} {in_contact}");
    }
}

#[test]
fn people_with_full_lists() {
    let Some(shared) = shared("people_with_full_lists") else { return };
    let people = data::humans::load(&shared);
    let (mut pairs, mut triangle_pairs) = (0, 0);
    for (i, layering) in layerings().iter().enumerate() {
        for index in (i..people.pairs.len()).step_by(stride(60)) {
            let [a, b] = people.placed(index).map(|soup| grown(&soup, layering));
            let found = triangle_pairs_layered(&a, &HERE, &b, &HERE);
            let found: Vec<(u32, u32)> = found.iter().map(|pair| (pair.a, pair.b)).collect();
            assert_eq!(found, people.pairs[index].pairs, "pair {index}, {layering}");
            pairs += 1;
            triangle_pairs += found.len();
        }
    }
    println!("people: {pairs} pairs, {triangle_pairs} pairs of triangles");
    assert!(pairs >= 30 && triangle_pairs >= 1000, "{pairs} {triangle_pairs}");
}

/// 2,000 Suzannes as poses of one model: who touches whom does not depend on the layers.
#[test]
fn swarm_of_suzannes() {
    let Some(shared) = shared("swarm_of_suzannes") else { return };
    let swarm = data::swarm::load(&shared);
    let placements: Vec<Pose> = swarm.poses.iter().map(placement).collect();
    let mut touching = 0;
    for layering in layerings() {
        let one = grown(&swarm.mesh, &layering);
        for &(i, j, _) in swarm.colliding.iter().step_by(stride(3)) {
            let (i, j) = (i as usize, j as usize);
            assert!(intersects_layered(&one, &placements[i], &one, &placements[j]), "{layering}");
            // The next one is somewhere else, mostly.
            let apart = (j + 1) % placements.len();
            let is_listed = swarm.colliding.iter().any(|&(a, b, _)| {
                let found = [a as usize, b as usize];
                found == [i, apart] || found == [apart, i]
            });
            if apart != i {
                let touches = intersects_layered(&one, &placements[i], &one, &placements[apart]);
                assert_eq!(touches, is_listed, "{i} {apart}, {layering}");
            }
            touching += 1;
        }
    }
    assert!(touching >= 15 * 225, "{touching}");
}
