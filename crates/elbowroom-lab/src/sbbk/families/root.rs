//! What a sphere at the root does for pairs that are far apart.

use std::hint::black_box;

use elbowroom::Pose;
use elbowroom::internal::query::{CollisionRequest, Verdict as Told};
use elbowroom::internal::traverse::{Path, Rule, Workspace};
use elbowroom::internal::volume::Family;
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::Layers;
use elbowroom_papers::sbbk::collide_layered;

use super::{Named, Part};
use crate::random::Random;
use crate::rounds::Least;
use crate::sbbk::scene::{COUNT, layered, sbbk, sound};
use crate::{Cell, Claim, Table};

/// Sphere, AABB, k-DOP and OBB at the root; below it all are as alike as can be.
fn layerings() -> [(&'static str, Layers); 4] {
    [
        ("sphere (SBBK)", sbbk()),
        ("AABB", sound(Layers::aabb_kdop(18, 4))),
        (
            "18-DOP",
            sound(Layers::new([(Family::Kdop18, 0), (Family::Aabb, 1), (Family::Kdop18, 4)])),
        ),
        ("OBB", sound(Layers::new([(Family::Obb, 0), (Family::Aabb, 1), (Family::Kdop18, 4)]))),
    ]
}

pub(super) fn run(models: &[Named], quick: bool) -> Part {
    let mut random = Random::new(8);
    // Three quarters are farther apart than they are wide.
    let places: Vec<Pose> = (0..if quick { 200 } else { 2000 })
        .map(|_| {
            let way = random.direction() * random.uniform(1.0, 8.0);
            Pose::new(random.rotation(), way).expect("a rotation")
        })
        .collect();
    let trees = layerings().map(|(_, layering)| layered(&models[0].mesh, &layering));
    let rejected = [0, 1, 2, 3].map(|tree: usize| apart_at_the_root(&trees[tree], &places));
    let least = time(&trees, &places, if quick { 5 } else { 9 });
    let mut table = Table::new(
        "Heads in a sparse scene, turned: what the root tells apart",
        ["root", "pairs", "apart at the root", "time, µs a query", "time over that with a sphere"],
    );
    for (place, (name, _)) in layerings().into_iter().enumerate() {
        let micros = 1e6 * least.secs(place) / places.len() as f64;
        let cells: [Cell; 5] = [
            name.into(),
            places.len().into(),
            rejected[place].into(),
            micros.into(),
            least.ratio(place, 0).into(),
        ];
        table.row(cells);
    }
    Part { tables: vec![table], claims: vec![claim(rejected, places.len(), &least)] }
}

fn apart_at_the_root(tree: &HybridTree, places: &[Pose]) -> usize {
    let question = CollisionRequest { path: Path { rule: Rule::Larger, level: Some(0) }, ..COUNT };
    let (here, mut workspace) = (Pose::IDENTITY, Workspace::default());
    let is_apart = |there: &&Pose| {
        let answer = collide_layered(tree, &here, tree, there, &question, &mut workspace);
        answer.verdict == Told::Clear
    };
    places.iter().filter(is_apart).count()
}

/// Most queries end at the roots, too soon for a clock: this many are timed together.
const CHUNK: usize = 50;

fn time(trees: &[HybridTree; 4], places: &[Pose], rounds: usize) -> Least {
    let mut asking = [0, 1, 2, 3].map(|tree: usize| {
        let (tree, mut workspace) = (&trees[tree], Workspace::default());
        move |chunk: usize| {
            for there in places.iter().skip(chunk * CHUNK).take(CHUNK) {
                let here = Pose::IDENTITY;
                black_box(collide_layered(tree, &here, tree, there, &COUNT, &mut workspace));
            }
        }
    });
    let [sphere, boxed, dop, turned] = &mut asking;
    let steps = places.len().div_ceil(CHUNK);
    Least::run(rounds, steps, &mut [sphere, boxed, dop, turned])
}

fn claim(rejected: [usize; 4], pairs: usize, least: &Least) -> Claim {
    let [sphere, boxed, dop, turned] = rejected;
    let share = 100.0 * sphere as f64 / pairs as f64;
    let [with_dop, with_turned] = [2, 3].map(|root| least.ratio(root, 0));
    Claim::timed("SBBK-S3-root", "A sphere at the root throws out most far pairs at the least cost.")
        .paper("no figure")
        .ours(format!(
            "{share:.0} % of {pairs} pairs are apart at the spheres: {sphere}, {boxed} at AABBs, {dop} at 18-DOPs, {turned} at OBBs; time with an 18-DOP root \
             {with_dop:.2} of that with a sphere, with an OBB root {with_turned:.2}"
        ))
        .holds_if(share > 50.0 && with_dop > 1.0 && with_turned > 1.0)
        .why("An 18-DOP at the root parts more pairs, but a root is one test of a query: it matters to the pairs that end there, and little to the others.")
}
