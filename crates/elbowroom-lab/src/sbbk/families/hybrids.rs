//! Hybrids against single families, and layers chosen from the geometry.

use std::hint::black_box;

use elbowroom::internal::model::Model;
use elbowroom::internal::query::collide;
use elbowroom::internal::traverse::{Tally, Workspace};
use elbowroom::internal::volume::Family;
use elbowroom::{Aabb, Pose};
use elbowroom_papers::sbbk::Layers;
use elbowroom_papers::sbbk::{Costs, HybridTree, Purpose, RIGID, choose, sample_placements};

use super::{Named, Part};
use crate::random::Random;
use crate::rounds::Least;
use crate::sbbk::scene::{COUNT, aabb, at, layered, sbbk, sound, work};
use crate::{Cell, Claim, Table, Verdict};

/// Single families first, then hybrids; the chosen one comes last.
fn layerings() -> Vec<(&'static str, Layers)> {
    let made = [
        ("sphere", Layers::single(Family::Sphere)),
        ("AABB", Layers::single(Family::Aabb)),
        ("OBB", Layers::single(Family::Obb)),
        ("18-DOP", Layers::single(Family::Kdop18)),
        ("S-AABB", Layers::s_aabb(1)),
        ("S-OBB", Layers::s_obb(1)),
        ("AABB-18-DOP", Layers::aabb_kdop(18, 4)),
        ("HBBCD", Layers::hbbcd(1, 4)),
    ];
    let mut all: Vec<_> =
        made.into_iter().map(|(name, layering)| (name, sound(layering))).collect();
    all.push(("SBBK", sbbk()));
    all
}

const SINGLE: usize = 4;

/// A model against itself, turned or not.
struct Scene {
    name: String,
    is_turned: bool,
    places: Vec<Pose>,
    /// By layering, the chosen one last.
    tallies: Vec<Tally>,
    least: Least,
    /// Time over that of the best single family and, of the chosen one, over that of the best by
    /// hand.
    ratios: Vec<f64>,
    chosen: Layers,
    packed: Packed,
}

/// How the engine's packed trees of oriented boxes fare in a scene.
struct Packed {
    tally: Tally,
    /// Time over that of the fastest layered tree, the chosen one among them.
    ratio: f64,
}

pub(super) fn run(models: &[Named], quick: bool) -> Part {
    let mut scenes = Vec::new();
    for Named { name, mesh } in models {
        let base = layered(mesh, &aabb());
        for is_turned in [false, true] {
            scenes.push(Scene::measure(name, &base, is_turned, quick));
        }
    }
    let tables = vec![table(&scenes), table_of_choices(&scenes)];
    Part { tables, claims: vec![hybrids(&scenes), auto(&scenes)] }
}

impl Scene {
    fn measure(name: &str, base: &HybridTree, is_turned: bool, quick: bool) -> Self {
        let samples = sample_placements(base, base, if quick { 12 } else { 40 }, is_turned);
        let purpose = Purpose {
            placements: &samples,
            refits: 0.0,
            costs: Costs::default(),
            families: &RIGID,
        };
        let choice = choose(base, base, &purpose).expect("there are placements");
        // Other places than those for which layers were chosen, of the same kind.
        let mut random = Random::new(12);
        let Aabb { min: low, max: high } = base.bounds();
        let apart = (high - low).length();
        let middle = 0.5 * (low + high);
        let places: Vec<Pose> = (0..if quick { 16 } else { 60 })
            .map(|_| {
                let way = random.direction() * (random.uniform(0.15, 0.75) * apart);
                let rotation = random.rotation();
                if is_turned {
                    Pose::new(rotation, middle + way - rotation * middle).expect("a rotation")
                } else {
                    at(way)
                }
            })
            .collect();
        let mut trees: Vec<HybridTree> =
            layerings().iter().map(|(_, layering)| base.with_layering(layering)).collect();
        trees.push(base.with_layering(&choice.layering));
        let mut workspace = Workspace::default();
        let tallies = trees.iter().map(|tree| {
            let mut sum = Tally::default();
            for there in &places {
                sum += work(tree, &Pose::IDENTITY, tree, there, &mut workspace).0;
            }
            sum
        });
        let tallies: Vec<Tally> = tallies.collect();
        let packed = Model::new(base.mesh().clone());
        let mut packed_tally = Tally::default();
        for there in &places {
            let here = Pose::IDENTITY;
            packed_tally += collide(&packed, &here, &packed, there, &COUNT, &mut workspace).tally;
        }
        let least = time(&trees, &packed, &places, if quick { 5 } else { 11 });
        let best = least.fastest(SINGLE);
        let last = trees.len() - 1;
        let mut ratios: Vec<f64> = (0..last).map(|tree| least.ratio(tree, best)).collect();
        ratios.push(least.ratio(last, least.fastest(last)));
        let ratio = least.ratio(trees.len(), least.fastest(trees.len()));
        let packed = Packed { tally: packed_tally, ratio };
        let name = format!("{name}{}", if is_turned { ", turned" } else { "" });
        Self { name, is_turned, places, tallies, least, ratios, chosen: choice.layering, packed }
    }

    /// What the tests cost by the library's own table, in µs a query.
    fn cost(&self, tree: usize) -> f64 {
        Costs::default().of(&self.tallies[tree], !self.is_turned) / (1e3 * self.places.len() as f64)
    }
}

/// The packed tree comes last.
fn time(trees: &[HybridTree], packed: &Model, places: &[Pose], rounds: usize) -> Least {
    let mut runs: Vec<_> = trees
        .iter()
        .map(|tree| {
            let mut workspace = Workspace::default();
            move |place: usize| {
                let there = &places[place];
                black_box(work(tree, &Pose::IDENTITY, tree, there, &mut workspace));
            }
        })
        .collect();
    let mut contestants: Vec<&mut dyn FnMut(usize)> =
        runs.iter_mut().map(|run| run as &mut dyn FnMut(usize)).collect();
    let mut workspace = Workspace::default();
    let mut by_packed = |place: usize| {
        let there = &places[place];
        black_box(collide(packed, &Pose::IDENTITY, packed, there, &COUNT, &mut workspace));
    };
    contestants.push(&mut by_packed);
    Least::run(rounds, places.len(), &mut contestants)
}

fn table(scenes: &[Scene]) -> Table {
    let mut table = Table::new(
        "A model against itself: tests and times by layers",
        ["scene", "layers", "N_v", "N_p", "time, µs a query", "time over the best single family's"],
    );
    for scene in scenes {
        for (tree, (name, _)) in layerings().iter().enumerate() {
            let micros = 1e6 * scene.least.secs(tree) / scene.places.len() as f64;
            let tally = &scene.tallies[tree];
            let cells: [Cell; 6] = [
                scene.name.as_str().into(),
                (*name).into(),
                tally.volumes().into(),
                tally.primitives.into(),
                micros.into(),
                scene.ratios[tree].into(),
            ];
            table.row(cells);
        }
        let tally = &scene.packed.tally;
        let (packed, best) = (scene.tallies.len(), scene.least.fastest(SINGLE));
        let cells: [Cell; 6] = [
            scene.name.as_str().into(),
            "packed OBB".into(),
            tally.volumes().into(),
            tally.primitives.into(),
            (1e6 * scene.least.secs(packed) / scene.places.len() as f64).into(),
            scene.least.ratio(packed, best).into(),
        ];
        table.row(cells);
    }
    table
}

fn table_of_choices(scenes: &[Scene]) -> Table {
    let mut table = Table::new(
        "Layers chosen from the geometry, at places that were not looked at",
        [
            "scene",
            "chosen",
            "µs a query by the table of costs",
            "least by hand",
            "time, µs a query",
            "time over the fastest by hand",
        ],
    );
    for scene in scenes {
        let last = scene.tallies.len() - 1;
        let least = (0..last).map(|tree| scene.cost(tree)).fold(f64::MAX, f64::min);
        let cells: [Cell; 6] = [
            scene.name.as_str().into(),
            scene.chosen.to_string().into(),
            scene.cost(last).into(),
            least.into(),
            (1e6 * scene.least.secs(last) / scene.places.len() as f64).into(),
            scene.ratios[last].into(),
        ];
        table.row(cells);
    }
    table
}

fn hybrids(scenes: &[Scene]) -> Claim {
    let names: Vec<&str> = layerings().iter().map(|(name, _)| *name).collect();
    let mut wins = 0;
    let mut told = Vec::new();
    for scene in scenes {
        let best = (SINGLE..names.len())
            .min_by(|&a, &b| scene.ratios[a].total_cmp(&scene.ratios[b]))
            .unwrap_or(SINGLE);
        let single = scene.least.fastest(SINGLE);
        wins += usize::from(scene.ratios[best] < 0.99);
        told.push(format!(
            "{}: {} {:.2} × {}",
            scene.name, names[best], scene.ratios[best], names[single]
        ));
    }
    let verdict = match wins {
        all if all == scenes.len() => Verdict::Holds,
        0 => Verdict::DoesNotHold,
        _ => Verdict::HoldsWithAnotherNumber,
    };
    let (low, high) = scenes
        .iter()
        .map(|scene| scene.packed.ratio)
        .fold((f64::MAX, 0.0_f64), |(low, high), ratio| (low.min(ratio), high.max(ratio)));
    Claim::timed("SBBK-S3-hybrids", "HybridTree trees beat single-family trees.")
        .paper("no figure")
        .ours(format!(
            "best hybrid over best single family, in time: {}; the engine's packed OBB trees take {low:.2}–{high:.2} of the time of the fastest layered tree",
            told.join("; ")
        ))
        .verdict(verdict)
        .why("The upper levels hold few of a query's tests, so that what stands there can gain little where two models are near; the family of the lower levels decides.")
}

fn auto(scenes: &[Scene]) -> Claim {
    let last = |scene: &Scene| scene.tallies.len() - 1;
    let by_cost = |scene: &Scene| {
        let least = (0..last(scene)).map(|tree| scene.cost(tree)).fold(f64::MAX, f64::min);
        scene.cost(last(scene)) / least
    };
    let by_time = |scene: &Scene| scene.ratios[last(scene)];
    let range = |of: &dyn Fn(&Scene) -> f64| {
        let (low, high) =
            scenes.iter().map(of).fold((f64::MAX, 0.0_f64), |(l, h), r| (l.min(r), h.max(r)));
        (format!("{low:.2}–{high:.2}"), high)
    };
    let ((costs, _), (times, slowest)) = (range(&by_cost), range(&by_time));
    let verdict = match slowest {
        within if within <= 1.03 => Verdict::Holds,
        near if near <= 1.1 => Verdict::HoldsWithAnotherNumber,
        _ => Verdict::DoesNotHold,
    };
    Claim::timed("SBBK-S5-auto", "Choosing the layers by geometry would be faster still.")
        .paper("future work")
        .ours(format!("chosen layers over the best by hand: {costs} by the table of costs, {times} in time, at places that the choice has not seen"))
        .verdict(verdict)
        .why("The choice is as good as the table of costs, which was measured on another scene, and as the places that stood for all others.")
}
