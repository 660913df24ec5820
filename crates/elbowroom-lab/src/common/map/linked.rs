//! Bodies of joined links: boxes that are put around them in every frame, then the links that these
//! leave.

use elbowroom_papers::cab::{CabHierarchy, RefitMethod};
use elbowroom_papers::cab::{LinkQuestion, Workspace, between};

use super::super::turns::{Secs, Turns};
use super::{Asked, Contest};
use crate::cab::scene::{Frame, Scene};
use elbowroom_papers::grammar::thread_secs;

/// The papers' tables that are taken.
const TABLES: [(usize, &str); 4] =
    [(1, "chains, 3:1"), (2, "chains, 6:1"), (4, "chains, braided"), (5, "hand and ball")];

pub(super) fn contests(quick: bool) -> Vec<Contest> {
    let (frames, rounds) = if quick { (30, 1) } else { (600, 7) };
    TABLES.map(|(table, name)| of(name, Scene::of_table(table), frames, rounds)).into()
}

fn of(name: &'static str, scene: Scene, frames: usize, rounds: usize) -> Contest {
    let frames: Vec<Frame> = scene.frames.step_by(5).take(frames).collect();
    let mut bodies = RefitMethod::ALL
        .map(|keep| scene.bodies.each_ref().map(|body| CabHierarchy::new(body.clone(), keep)));
    let mut workspace = Workspace::new();
    let mut hits = vec![Vec::new(); RefitMethod::ALL.len()];
    let mut walk = |way: usize, mut see: Option<&mut Vec<u64>>| {
        let [a, b] = &mut bodies[way];
        let mut secs = Secs::default();
        // Several frames between looks at the clock: a frame takes a microsecond or two.
        for block in frames.chunks(16) {
            let start = thread_secs();
            for [joints_a, joints_b] in block {
                a.update(joints_a).expect("generated poses are rigid");
                b.update(joints_b).expect("generated poses are rigid");
                let found = between(a, b, &LinkQuestion::default(), &mut workspace);
                if let Some(seen) = &mut see {
                    seen.push(found.contacts.len() as u64);
                }
            }
            secs.ask += thread_secs() - start;
        }
        secs
    };
    for (way, hits) in hits.iter_mut().enumerate() {
        walk(way, Some(hits));
    }
    let same = hits.iter().flat_map(|one| one.iter().zip(&hits[0])).filter(|(a, b)| a == b);
    let equal = [same.count() as u64, (hits.len() * frames.len()) as u64];
    let contacts = hits[0].iter().filter(|&&count| count > 0).count() as u64;
    let turns = Turns::run(rounds, RefitMethod::ALL.len(), |way| walk(way, None));
    let own = RefitMethod::ALL.iter().position(|&keep| keep == RefitMethod::default()).unwrap_or(0);
    let names = RefitMethod::ALL.map(RefitMethod::name).to_vec();
    Contest { asked: Asked::Linked, scene: name, names, turns, own, equal, contacts }
}
