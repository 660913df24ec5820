//! People on a floor, many of them apart: what is asked before the meshes are.

use std::hint::black_box;

use super::super::floor::{Above, Floored};
use super::super::scene::{self, Scene};
use super::super::turns::Turns;
use super::{Asked, Contest, asking};

const WAYS: [(&str, Option<Above>); 4] = [
    ("packed OBB alone", None),
    ("circles, then packed", Some(Above::Contour)),
    ("one circle, then packed", Some(Above::Whole)),
    ("boxes, then packed", Some(Above::Boxes)),
];
/// What the library does.
const OWN: usize = 1;

pub(super) fn contests(quick: bool) -> Vec<Contest> {
    let rounds = if quick { 1 } else { 9 };
    let scenes = [scene::crowd(quick), scene::queue(quick)];
    scenes.iter().filter_map(|scene| of(scene, rounds)).collect()
}

fn of(scene: &Scene, rounds: usize) -> Option<Contest> {
    let mut bodies = Floored::new(scene)?;
    let questions = scene.asks.len();
    let mut all = |way: usize| -> Vec<bool> {
        let is_left = |bodies: &mut Floored, question: usize| {
            WAYS[way].1.is_none_or(|above| bodies.may_touch(above, question))
        };
        let one = |question| is_left(&mut bodies, question) && bodies.touch(question);
        (0..questions).map(one).collect()
    };
    let answers: Vec<Vec<bool>> = (0..WAYS.len()).map(&mut all).collect();
    let same = answers.iter().flat_map(|one| one.iter().zip(&answers[0])).filter(|(a, b)| a == b);
    let equal = [same.count() as u64, (WAYS.len() * questions) as u64];
    let contacts = answers[0].iter().filter(|&&touch| touch).count() as u64;
    let turns = Turns::run(rounds, WAYS.len(), |way| {
        asking(|| {
            black_box(all(way));
        })
    });
    let names = WAYS.map(|(name, _)| name).to_vec();
    Some(Contest {
        asked: Asked::Floor,
        scene: scene.name,
        names,
        turns,
        own: OWN,
        equal,
        contacts,
    })
}
