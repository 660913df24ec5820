//! People on a floor, many of them apart: what is asked before the meshes are.

use std::hint::black_box;

use elbowroom::Model;
use elbowroom::descend::Workspace;
use elbowroom::footprint::{
    BoxParts, BoxWork, Boxes, Footprint, FootprintConfig, Look, Nearness, Parts, Work, ask,
    ask_boxes,
};
use elbowroom::query::{Ask, Question};

use super::super::scene::{self, Scene};
use super::super::turns::Turns;
use super::{Asked, Contest, asking};

const NAMES: [&str; 4] =
    ["packed OBB alone", "circles, then packed", "one circle, then packed", "boxes, then packed"];

pub(super) fn contests(quick: bool) -> Vec<Contest> {
    let rounds = if quick { 2 } else { 9 };
    [scene::crowd(quick), scene::queue(quick)]
        .iter()
        .filter_map(|scene| of(scene, rounds))
        .collect()
}

fn of(scene: &Scene, rounds: usize) -> Option<Contest> {
    let models: Vec<Model> = scene.meshes.iter().cloned().map(Model::new).collect();
    let circles = [Parts::Contour, Parts::Whole].map(|parts| -> Vec<Footprint> {
        let config = FootprintConfig { parts, ..FootprintConfig::default() };
        scene.meshes.iter().map(|mesh| Footprint::of_mesh(mesh, &config)).collect()
    });
    let boxes = scene.meshes.iter().map(|mesh| Boxes::of_mesh(mesh, BoxParts::Contour).ok());
    let boxes: Vec<Boxes> = boxes.collect::<Option<_>>()?;
    let (mut work, mut box_work, mut workspace) =
        (Work::default(), BoxWork::default(), Workspace::default());
    let whether = Question { ask: Ask::Whether, ..Question::default() };
    let mut all = |way: usize| -> Vec<bool> {
        let one = |(asked, [at_a, at_b]): (&scene::Asked, &[_; 2])| {
            let ([a, b], look) = (asked.bodies, Look::default());
            let nearness = match way {
                0 => Nearness::MayTouch,
                3 => ask_boxes(&boxes[a], at_a, &boxes[b], at_b, &look, &mut box_work),
                way => {
                    let circles = &circles[way - 1];
                    ask(&circles[a], at_a, &circles[b], at_b, &look, &mut work)
                }
            };
            let (a, b) = (&models[a], &models[b]);
            nearness == Nearness::MayTouch
                && elbowroom::query::ask(a, &asked.at[0], b, &asked.at[1], &whether, &mut workspace)
                    .is_contact()
        };
        scene.asks.iter().zip(&scene.floor).map(one).collect()
    };
    let answers: Vec<Vec<bool>> = (0..NAMES.len()).map(&mut all).collect();
    let same = answers.iter().flat_map(|one| one.iter().zip(&answers[0])).filter(|(a, b)| a == b);
    let equal = [same.count() as u64, (NAMES.len() * scene.asks.len()) as u64];
    let contacts = answers[0].iter().filter(|&&touch| touch).count() as u64;
    let turns = Turns::run(rounds, NAMES.len(), |way| {
        asking(|| {
            black_box(all(way));
        })
    });
    let names = NAMES.to_vec();
    Some(Contest { asked: Asked::Floor, scene: scene.name, names, turns, own: 1, equal, contacts })
}
