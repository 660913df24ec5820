//! Fronts on real models with known answers: two thousand Suzannes, and a ball that flies through a
//! helicopter and a hand. What is printed are the figures of the laboratory's `sbbk-monkeys` and
//! `sbbk-helicopter`, on these models.

use std::path::PathBuf;
use std::sync::Arc;

use elbowroom::Pose;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::query::{CollisionRequest, Want};
use elbowroom::internal::traverse::{Tally, Workspace};
use elbowroom::internal::volume::Family;
use elbowroom_papers::grammar::Front;
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::Layers;
use elbowroom_papers::sbbk::{HybridWorld, collide_layered, collide_layered_again};
use elbowroom_testkit::brute::Soup;
use elbowroom_testkit::data;
use elbowroom_tests::common::{mesh, placement};
use glam::DVec3;

fn shared(test: &str) -> Option<PathBuf> {
    let shared = data::shared_dir();
    if shared.is_none() {
        data::skip_note(test);
    }
    shared
}

fn layerings() -> [(&'static str, Layers); 2] {
    let sbbk = Layers::sbbk(18, 1, 4).expect("sound");
    [("AABB", Layers::single(Family::Aabb).expect("sound")), ("SBBK", sbbk)]
}

fn layered(soup: &Soup, layering: &Layers) -> HybridTree {
    HybridTree::new(mesh(soup), layering, &Config::default().with_family(Family::Aabb))
}

#[test]
fn swarm_of_suzannes() {
    let Some(shared) = shared("swarm_of_suzannes") else { return };
    let swarm = data::swarm::load(&shared);
    let expected: Vec<(usize, usize)> =
        swarm.colliding.iter().map(|&(i, j, _)| (i as usize, j as usize)).collect();
    let mut primitives = Vec::new();
    for (name, layering) in layerings() {
        let suzanne = Arc::new(layered(&swarm.mesh, &layering));
        let mut tallies: Vec<[Tally; 3]> = Vec::new();
        for mut world in [HybridWorld::new(), HybridWorld::with_fronts()] {
            let ids: Vec<_> = swarm
                .poses
                .iter()
                .map(|pose| world.add(Arc::clone(&suzanne), placement(pose)))
                .collect();
            let question = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
            // Where they are known, all of them a little aside, and back.
            tallies.push([0.0, 0.01, 0.0].map(|aside: f64| {
                for ((&id, pose), sign) in
                    ids.iter().zip(&swarm.poses).zip([1.0, -1.0].into_iter().cycle())
                {
                    let place = placement(pose);
                    let at = place.translation() + DVec3::new(sign * aside, 0.0, aside);
                    let moved = Pose::new(place.rotation(), at).expect("finite");
                    world.set_pose(id, moved).expect("it is there");
                }
                let step = world.step(&question);
                let found = step.touching.iter().map(|pair| (pair.a.number(), pair.b.number()));
                if aside == 0.0 {
                    assert!(found.eq(expected.iter().copied()), "{name}");
                }
                step.tally
            }));
        }
        let work = |tally: Tally| (tally.volumes(), tally.primitives);
        let [roots, fronts] = [&tallies[0], &tallies[1]];
        println!(
            "{name}: N_v, N_p from the roots {:?}, from fronts {:?}",
            roots.map(work),
            fronts.map(work)
        );
        // Balls are not within each other as boxes are: a front may come to a few leaves that the
        // root's balls part.
        for (root, front) in roots.iter().zip(fronts) {
            assert!(front.primitives.abs_diff(root.primitives) * 100 <= root.primitives, "{name}");
        }
        assert!(fronts[1].volumes() < roots[1].volumes(), "fronts spare visits");
        primitives.push(roots[0].primitives);
    }
    assert!(primitives[1] < primitives[0] && primitives[1] > 1000, "{primitives:?}");
}

#[test]
fn ball_through_helicopter_and_hand() {
    let Some(shared) = shared("ball_through_helicopter_and_hand") else { return };
    let (mut frames, mut contacts) = (0, 0);
    for scene_name in data::ball::SCENES {
        let scene = data::ball::load(&shared, scene_name);
        for (name, layering) in layerings() {
            let target = layered(&scene.target, &layering);
            let mut ball = layered(&scene.ball(0), &layering);
            let (mut front, mut workspace) = (Front::default(), Workspace::default());
            let [mut from_root, mut from_front] = [Tally::default(); 2];
            let (here, question) = (
                Pose::IDENTITY,
                CollisionRequest { want: Want::Count, ..CollisionRequest::default() },
            );
            for (frame, known) in scene.frames.iter().enumerate() {
                ball.refit(mesh(&scene.ball(frame)).vertices()).expect("as many and finite");
                let root = collide_layered(&target, &here, &ball, &here, &question, &mut workspace);
                let again = collide_layered_again(
                    &target,
                    &here,
                    &ball,
                    &here,
                    &question,
                    &mut front,
                    &mut workspace,
                );
                assert_eq!(
                    again.count(),
                    known.pairs as u64,
                    "{scene_name}, {name}, frame {frame}"
                );
                assert_eq!(root.count(), again.count());
                from_root += root.tally;
                from_front += again.tally;
                frames += 1;
                contacts += u32::from(again.is_contact());
            }
            println!(
                "{scene_name}, {name}: N_v from the root {}, from the front {}; N_p {}",
                from_root.volumes(),
                from_front.volumes(),
                from_root.primitives
            );
        }
    }
    assert!(frames == 2000 && contacts > 150, "{frames} frames, {contacts} contacts");
}
