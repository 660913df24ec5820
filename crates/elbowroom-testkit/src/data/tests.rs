//! The loaders give what the list of the data says, and a few answers are checked by brute force.

use super::{ball, fcl, humans, ompl, shared_dir, skip_note, swarm};
use crate::brute::{Soup, all_pairs};
use crate::oracle::PlainPose;

fn size(soup: &Soup) -> (usize, usize) {
    let last = soup.vertices.len() as u32;
    assert!(soup.triangles.iter().flatten().all(|&v| v < last));
    assert!(soup.vertices.iter().flatten().all(|x| x.is_finite()));
    (soup.vertices.len(), soup.triangles.len())
}

fn meeting(a: &Soup, b: &Soup) -> Vec<(u32, u32)> {
    let pairs = all_pairs(a, &PlainPose::IDENTITY, b, &PlainPose::IDENTITY);
    pairs.into_iter().map(|(i, j, _)| (i, j)).collect()
}

#[test]
fn fcl_models_have_their_sizes_and_answers() {
    let Some(shared) = shared_dir() else {
        return skip_note("fcl_models_have_their_sizes_and_answers");
    };
    let sizes = [
        (3546, 6886, 501),
        (2385, 4766, 51),
        (2664, 5324, 2),
        (2664, 5324, 2),
        (2385, 4766, 2),
        (1340, 2680, 2),
        (1340, 2680, 2),
    ];
    for (name, (vertices, triangles, frames)) in fcl::MODELS.into_iter().zip(sizes) {
        let model = fcl::load(&shared, name);
        let [a, b] = [size(&model.objects[0]), size(&model.objects[1])];
        assert_eq!((a.0 + b.0, a.1 + b.1), (vertices, triangles), "{name}");
        assert_eq!((model.frames.len(), model.answers.len()), (frames, frames), "{name}");
        let [a, b] = model.placed(1);
        assert_eq!(meeting(&a, &b).len(), model.answers[1], "{name}");
    }
}

#[test]
fn ompl_problems_have_their_sizes() {
    let Some(shared) = shared_dir() else {
        return skip_note("ompl_problems_have_their_sizes");
    };
    let sizes = [
        (176, 56, 42),
        (696, 120, 2),
        (176, 56, 37),
        (2016, 2016, 105),
        (5212, 264, 2),
        (626, 40, 213),
    ];
    for (name, (environment, robot, states)) in ompl::PROBLEMS.into_iter().zip(sizes) {
        let problem = ompl::load(&shared, name);
        let found = (size(&problem.environment).1, size(&problem.robot).1, problem.states.len());
        assert_eq!(found, (environment, robot, states), "{name}");
        let start = problem.robot.baked(&problem.states[0].pose);
        assert_eq!(meeting(&problem.environment, &start), [], "{name}");
    }
}

#[test]
fn ball_scenes_have_their_sizes_and_answers() {
    let Some(shared) = shared_dir() else {
        return skip_note("ball_scenes_have_their_sizes_and_answers");
    };
    let sizes = [((5089, 4738), 48), ((1070, 1808), 237)];
    for (name, (target, in_contact)) in ball::SCENES.into_iter().zip(sizes) {
        let scene = ball::load(&shared, name);
        assert_eq!((size(&scene.target), size(&scene.unit_ball)), (target, (642, 1280)));
        assert_eq!(scene.frames.len(), 500);
        let touching: Vec<usize> = (0..500).filter(|&i| scene.frames[i].pairs > 0).collect();
        assert_eq!(touching.len(), in_contact, "{name}");
        let frame = touching[0];
        assert_eq!(
            meeting(&scene.target, &scene.ball(frame)).len(),
            scene.frames[frame].pairs,
            "{name}"
        );
    }
}

#[test]
fn human_pairs_have_their_sizes_and_answers() {
    let Some(shared) = shared_dir() else {
        return skip_note("human_pairs_have_their_sizes_and_answers");
    };
    let people = humans::load(&shared);
    assert_eq!(people.pairs.len(), 200);
    assert_eq!(people.pairs.iter().filter(|p| p.intersects).count(), 89);
    assert!(people.pairs.iter().all(|p| p.intersects != p.pairs.is_empty() && p.pairs.is_sorted()));
    let [a, b] = people.placed(0);
    assert_eq!((size(&a), size(&b)), ((1441, 2849), (1442, 2850)));
    assert_eq!(meeting(&a, &b), people.pairs[0].pairs);
}

#[test]
fn swarm_has_its_sizes_and_answers() {
    let Some(shared) = shared_dir() else {
        return skip_note("swarm_has_its_sizes_and_answers");
    };
    let swarm = swarm::load(&shared);
    assert_eq!(size(&swarm.mesh), (507, 968));
    assert_eq!((swarm.poses.len(), swarm.colliding.len()), (2000, 677));
    assert_eq!(swarm.box_overlaps, 1884);
    let (i, j, count) = swarm.colliding[0];
    assert_eq!(meeting(&swarm.copy(i as usize), &swarm.copy(j as usize)).len(), count);
}
