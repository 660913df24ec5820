//! Rigid bodies: whether they touch, all pairs, how far apart they are.

use std::hint::black_box;

use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{ClosestPoints, CollisionRequest, Want, distance};
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::Family;

use super::super::scene::{self, Scene};
use super::super::stand::{Counted, measure};
use super::super::structure::{KINDS, PACKED};
use super::super::turns::Turns;
use super::{Asked, Contest, asking};

pub(super) fn contests(quick: bool) -> Vec<Contest> {
    let rounds = if quick { 1 } else { 7 };
    let scenes = scene::bodies(quick);
    let mut contests = Vec::new();
    for scene in &scenes {
        contests.push(of_kinds(scene, Asked::Whether, rounds));
        contests.push(of_kinds(scene, Asked::Pairs, rounds));
    }
    // Readable trees take long over near surfaces of many triangles.
    let most = if quick { 3 } else { 24 };
    contests.extend(scene::bodies(true).iter().map(|scene| distances(scene, rounds.min(5), most)));
    contests
}

fn of_kinds(scene: &Scene, asked: Asked, rounds: usize) -> Contest {
    let ask = if asked == Asked::Whether { Want::Any } else { Want::All };
    let question = CollisionRequest { want: ask, ..CollisionRequest::default() };
    let (counted, turns) = measure(scene, &KINDS, &question, rounds);
    let names = KINDS.iter().map(|kind| kind.name).collect();
    let is_same = |one: &Counted, question: usize| {
        let [a, b] = [&one.pairs[question], &counted[PACKED].pairs[question]];
        // Where one pair is enough, which one it is may differ.
        if asked == Asked::Whether { (a[0] + a[1] > 0) == (b[0] + b[1] > 0) } else { a == b }
    };
    let equal = counted
        .iter()
        .flat_map(|one| (0..scene.asks.len()).map(move |question| is_same(one, question)));
    let equal =
        [equal.filter(|&same| same).count() as u64, (scene.asks.len() * counted.len()) as u64];
    let contacts = counted[PACKED].contacts();
    Contest { asked, scene: scene.name, names, turns, own: PACKED, equal, contacts }
}

/// The trees that know distances, the packed one first.
const FAMILIES: [(&str, Option<Family>); 5] = [
    ("packed OBB", None),
    ("OBB, surface", Some(Family::Obb)),
    ("AABB", Some(Family::Aabb)),
    ("18-DOP", Some(Family::Kdop18)),
    ("sphere", Some(Family::Sphere)),
];

fn distances(scene: &Scene, rounds: usize, most: usize) -> Contest {
    let models = FAMILIES.map(|(_, family)| -> Vec<Model> {
        let made = |mesh: &elbowroom::Mesh| match family {
            None => Model::new(mesh.clone()),
            Some(family) => {
                Model::with_config(mesh.clone(), &Config::default().with_family(family))
            }
        };
        scene.meshes.iter().map(made).collect()
    });
    let asks = &scene.asks[..scene.asks.len().min(most)];
    let mut workspace = Workspace::default();
    let mut all = |structure: usize| -> Vec<Option<ClosestPoints>> {
        let models = &models[structure];
        let one = |asked: &scene::Asked| {
            let [a, b] = asked.bodies.map(|body| &models[body]);
            distance(a, &asked.at[0], b, &asked.at[1], f64::INFINITY, &mut workspace)
        };
        asks.iter().map(one).collect()
    };
    let answers: Vec<Vec<Option<ClosestPoints>>> = (0..FAMILIES.len()).map(&mut all).collect();
    let same = answers.iter().flat_map(|one| one.iter().zip(&answers[0])).filter(|(a, b)| a == b);
    let equal = [same.count() as u64, (asks.len() * FAMILIES.len()) as u64];
    let is_contact =
        |nearest: &&Option<ClosestPoints>| nearest.is_some_and(|one| one.distance == 0.0);
    let contacts = answers[0].iter().filter(is_contact).count() as u64;
    let turns = Turns::run(rounds, FAMILIES.len(), |structure| {
        asking(|| {
            black_box(all(structure));
        })
    });
    let names = FAMILIES.map(|(name, _)| name).to_vec();
    Contest { asked: Asked::Distance, scene: scene.name, names, turns, own: 0, equal, contacts }
}
