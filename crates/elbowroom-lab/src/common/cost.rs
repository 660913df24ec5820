//! The cost equation, T = `N_v`·`C_v` + `N_p`·`C_p` + `N_u`·`C_u`, for every family on every scene.
//!
//! What a test costs is measured in isolation: the pairs of volumes and of triangles that a
//! traversal tests are noted and then tested one after the other, without the traversal. The
//! packed tree's costs are those of its kernels on batches that are full and in the cache. A
//! third way does without isolation: the two costs of a family are fitted to the times of all
//! other scenes, and predict that of the one left out. It is the best that one cost for each
//! kind of test can do.
//!
//! Source: Gottschalk, Lin and Manocha, *OBBTree*, 1996, equation 1, after Weghorst, Hooper and
//! Greenberg; the term of updates is Klosowski's (1998).

mod batches;
mod fit;
mod follow;
mod lone;

use self::fit::Costs;
use self::lone::Lone;
use super::OWN;
use super::scene::{self, Scene};
use super::stand::{Counted, Stand};
use super::structure::{KINDS, Kind, OBB, PACKED};
use super::turns::{Secs, Turns};
use crate::report::grouped;
use crate::rounds::Spread;
use crate::sbbk::scene::COUNT;
use crate::{Axis, Cell, Chart, Claim, Context, Line, Marks, Report, Table, Verdict};

/// The structures, by their place among all: the packed tree, then those whose tests can be noted.
const WHICH: [usize; 8] = [PACKED, 1, 2, OBB, 7, 8, 9, 11];
/// How far from the clock a prediction may be that counts as one.
const CLOSE: std::ops::RangeInclusive<f64> = 0.75..=1.25;

pub(crate) fn run(context: &Context) -> Report {
    let scenes = scene::bodies(context.quick);
    context.progress.ahead(scenes.len() as u64 + 2);
    let rounds = if context.quick { 1 } else { 7 };
    let kernels = batches::measure(rounds);
    context.progress.inc(1);
    let mut points = Vec::new();
    for scene in &scenes {
        context.progress.message(scene.name);
        points.extend(measure(scene, rounds));
        context.progress.inc(1);
    }
    context.progress.message("following");
    let followed = follow::measure(&scene::deforming(context.quick), rounds);
    context.progress.inc(1);
    let equation = Equation { points, kernels };
    Report {
        id: "common-cost",
        title: "The cost equation".to_owned(),
        what: "The papers' equation says that a query takes as long as its tests do. Costs are measured in isolation, family by family, and predict the times of all scenes; the same is done with costs \
               that are fitted to the other scenes."
            .to_owned(),
        tables: vec![equation.costs(), equation.table(), follow::table(&followed)],
        charts: equation.charts(),
        claims: vec![
            equation.counts(),
            equation.isolated(),
            equation.own(),
            equation.fitted(),
            equation.packed(),
            equation.rank(),
            follow::claim(&followed),
        ],
        notes: vec![
            "Predicted over measured: 1 is right, below 1 the equation leaves something out. Isolated: one cost for a family, of all scenes together. Own: the scene's own tests. \
             Fitted: from the other scenes' times."
                .to_owned(),
            "Isolated tests of a scene are done one after the other over what the descent had noted, so their volumes come from memory as in the query; kernels of the packed tree run on a few blocks in the cache."
                .to_owned(),
        ],
    }
}

/// One structure on one scene.
struct Point {
    /// By its place in [`WHICH`].
    structure: usize,
    scene: &'static str,
    is_shifted: bool,
    counted: Counted,
    secs: f64,
    /// The tests alone; nothing of the packed tree's.
    lone: Option<Lone>,
}

impl Point {
    fn tests(&self) -> [f64; 2] {
        [self.counted.tally.volumes() as f64, self.counted.tally.primitives as f64]
    }
}

fn kind(structure: usize) -> Kind {
    KINDS[WHICH[structure]]
}

fn measure(scene: &Scene, rounds: usize) -> Vec<Point> {
    let mut stands: Vec<Stand> = WHICH
        .iter()
        .map(|&kind| {
            let made = scene.meshes.iter().map(|mesh| KINDS[kind].make_soft(mesh)).collect();
            Stand::with(scene, KINDS[kind], made)
        })
        .collect();
    let counted: Vec<Counted> = stands.iter_mut().map(|stand| stand.count(&COUNT)).collect();
    let turns = Turns::run(rounds, stands.len(), |structure| stands[structure].time(&COUNT));
    let is_shifted = scene
        .asks
        .iter()
        .all(|asked| asked.at.iter().all(|place| place.rotation() == glam::DMat3::IDENTITY));
    counted
        .into_iter()
        .enumerate()
        .map(|(structure, counted)| Point {
            structure,
            scene: scene.name,
            is_shifted,
            counted,
            secs: turns.of(structure, Secs::both).median,
            lone: Lone::measure(scene, &stands[structure].made),
        })
        .collect()
}

/// All points, and what follows.
struct Equation {
    points: Vec<Point>,
    /// Of the packed tree, in isolation.
    kernels: Costs,
}

/// What each way predicts, over what was measured.
#[derive(Clone, Copy)]
struct Predicted {
    isolated: f64,
    own: Option<f64>,
    fitted: Option<f64>,
}

impl Equation {
    /// The costs of a structure in isolation, all scenes of one kind together; of triangles, all
    /// structures together.
    fn isolated_costs(&self, structure: usize, is_shifted: bool) -> Costs {
        if structure == 0 {
            return self.kernels;
        }
        let alike = |point: &&Point| point.structure == structure && point.is_shifted == is_shifted;
        let volumes = lone::mean(
            self.points
                .iter()
                .filter(alike)
                .filter_map(|point| point.lone.as_ref())
                .map(|lone| lone.volumes),
        );
        let triangles = lone::mean(
            self.points.iter().filter_map(|point| point.lone.as_ref()).map(|lone| lone.triangles),
        );
        Costs { volume: volumes, primitive: triangles }
    }

    fn predicted(&self, point: &Point) -> Predicted {
        let over = |costs: Costs| costs.of(point.tests()) / point.secs;
        let own = point.lone.as_ref().map(|lone| {
            over(Costs {
                volume: lone::mean([lone.volumes]),
                primitive: lone::mean([lone.triangles]),
            })
        });
        let others = self.points.iter().filter(|other| {
            other.structure == point.structure
                && other.is_shifted == point.is_shifted
                && other.scene != point.scene
        });
        let others: Vec<([f64; 2], f64)> =
            others.map(|other| (other.tests(), other.secs)).collect();
        Predicted {
            isolated: over(self.isolated_costs(point.structure, point.is_shifted)),
            own,
            fitted: Costs::fitted(&others).map(over),
        }
    }

    fn costs(&self) -> Table {
        let mut table = Table::new(
            "What one test costs",
            [
                "structure",
                "time of a volume test alone, turned, ns",
                "time of a volume test alone, one frame, ns",
                "time of a triangle test alone, ns",
                "time of a volume test, fitted to all scenes, ns",
                "time of a triangle test, fitted to all scenes, ns",
            ],
        );
        for structure in 0..WHICH.len() {
            let turned = self.isolated_costs(structure, false);
            let shifted = self.isolated_costs(structure, true);
            let all = self
                .points
                .iter()
                .filter(|point| point.structure == structure && !point.is_shifted);
            let all: Vec<([f64; 2], f64)> = all.map(|point| (point.tests(), point.secs)).collect();
            let fitted = Costs::fitted(&all);
            let nanos = |secs: f64| Cell::Number(1e9 * secs);
            table.row([
                kind(structure).name.into(),
                nanos(turned.volume),
                nanos(shifted.volume),
                nanos(turned.primitive),
                fitted.map_or(Cell::Missing, |costs| nanos(costs.volume)),
                fitted.map_or(Cell::Missing, |costs| nanos(costs.primitive)),
            ]);
        }
        table
    }

    fn table(&self) -> Table {
        let mut table = Table::new(
            "Predicted and measured",
            [
                "scene",
                "structure",
                "N_v",
                "N_p",
                "time measured, µs",
                "time predicted over measured, isolated",
                "time predicted over measured, own",
                "time predicted over measured, fitted",
            ],
        );
        for point in &self.points {
            let predicted = self.predicted(point);
            table.row([
                point.scene.into(),
                kind(point.structure).name.into(),
                point.counted.tally.volumes().into(),
                point.counted.tally.primitives.into(),
                (1e6 * point.secs).into(),
                predicted.isolated.into(),
                Cell::from(predicted.own),
                Cell::from(predicted.fitted),
            ]);
        }
        table
    }

    fn charts(&self) -> Vec<Chart> {
        let line = |structure: usize| {
            let mut points: Vec<[f64; 2]> = self
                .points
                .iter()
                .filter(|point| point.structure == structure)
                .map(|point| [1e6 * point.secs, 1e6 * point.secs * self.predicted(point).isolated])
                .collect();
            points.sort_by(|a, b| a[0].total_cmp(&b[0]));
            Line::ours(kind(structure).name, points)
        };
        let spreads = (0..WHICH.len()).filter_map(|structure| {
            let ratios: Vec<f64> =
                self.of(structure).map(|point| self.predicted(point).isolated).collect();
            crate::chart::Spread::of(kind(structure).name, &ratios)
        });
        vec![
            Chart {
                name: "predicted",
                title: "Times predicted from isolated costs, over times measured".to_owned(),
                x: Axis::log("time measured, µs"),
                y: Axis::log("time predicted, µs"),
                marks: Marks::Lines((0..WHICH.len()).map(line).collect()),
                timed: true,
            },
            Chart {
                name: "ratios",
                title: "How well the equation predicts, by structure".to_owned(),
                x: Axis::linear("structure"),
                y: Axis::linear("time predicted over measured"),
                marks: Marks::Boxes(spreads.collect()),
                timed: true,
            },
        ]
    }

    fn of(&self, structure: usize) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(move |point| point.structure == structure)
    }

    fn counts(&self) -> Claim {
        let noted = self.points.iter().filter_map(|point| Some((point, point.lone.as_ref()?)));
        let (mut same, mut all, mut tests) = (0, 0, 0);
        for (point, lone) in noted {
            let tally = &point.counted.tally;
            all += 1;
            same += u64::from(lone.counted == [tally.volumes(), tally.primitives]);
            tests += tally.volumes();
        }
        Claim::gate(
            "COMMON-cost-counts",
            "The tests that are noted and timed alone are those that the query counts.",
        )
        .paper(OWN)
        .ours(format!("in {same} of {all} trees and scenes, {} volume tests", grouped(tests)))
        .holds_if(same == all && all > 0)
    }

    fn judged(id: &'static str, claim: &str, ratios: Vec<f64>) -> Claim {
        let ratios: Vec<f64> = ratios.into_iter().filter(|ratio| ratio.is_finite()).collect();
        let good = ratios.iter().filter(|ratio| CLOSE.contains(*ratio)).count();
        let all = ratios.len();
        let verdict = match good {
            most if most == all => Verdict::Holds,
            some if 2 * some >= all => Verdict::HoldsWithAnotherNumber,
            _ => Verdict::DoesNotHold,
        };
        let spread = if ratios.is_empty() { String::new() } else { Spread::of(ratios).show(2) };
        Claim::timed(id, claim)
            .paper("equation 1 of OBBTree")
            .ours(format!("{good} of {all} within 25 %; predicted over measured {spread}"))
            .verdict(verdict)
    }

    fn readable(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|point| point.structure != 0)
    }

    fn isolated(&self) -> Claim {
        let ratios = self.readable().map(|point| self.predicted(point).isolated).collect();
        Self::judged("COMMON-cost-isolated", "One cost a family, measured in isolation, predicts the time of every readable tree on every scene within 25 %.", ratios)
            .why("A test ends early or late, so its mean cost differs from scene to scene; the descent, its stack and the placing of triangles are not in the equation.")
    }

    fn own(&self) -> Claim {
        let ratios = self.readable().filter_map(|point| self.predicted(point).own).collect();
        Self::judged(
            "COMMON-cost-own",
            "With each scene's own costs the equation predicts the time of every readable tree within 25 %.",
            ratios,
        )
        .why("All tests are in it, each at its own cost on its own data. What is left is the descent: its stack, fetching volumes, placing triangles.")
    }

    fn fitted(&self) -> Claim {
        let ratios = self.points.iter().filter_map(|point| self.predicted(point).fitted).collect();
        Self::judged("COMMON-cost-fitted", "Two costs a structure, fitted to the times of the other scenes, predict the time on a scene within 25 %.", ratios)
            .why("Fitted costs hold the descent as well; what differs between scenes they cannot hold.")
    }

    fn packed(&self) -> Claim {
        let ratios = self.of(0).map(|point| self.predicted(point).isolated).collect();
        Self::judged("COMMON-cost-packed", "The costs of the kernels on full batches in the cache predict the time of the packed tree within 25 %.", ratios)
            .why("The equation knows neither how full batches are nor what a question takes before its first test.")
    }

    /// Whether the equation names the fastest readable tree.
    fn rank(&self) -> Claim {
        let mut scenes: Vec<&'static str> = self.points.iter().map(|point| point.scene).collect();
        scenes.dedup();
        let (mut named, mut near) = (0, 0);
        for scene in &scenes {
            let points: Vec<&Point> =
                self.readable().filter(|point| point.scene == *scene).collect();
            let by = |of: &dyn Fn(&Point) -> f64| {
                points.iter().min_by(|a, b| of(a).total_cmp(&of(b))).copied()
            };
            let fastest = by(&|point| point.secs);
            let foretold = by(&|point| point.secs * self.predicted(point).isolated);
            if let (Some(fastest), Some(foretold)) = (fastest, foretold) {
                named += u64::from(fastest.structure == foretold.structure);
                near += u64::from(foretold.secs <= 1.1 * fastest.secs);
            }
        }
        Claim::timed(
            "COMMON-cost-rank",
            "The equation names the fastest readable tree of a scene, or one within a tenth of it.",
        )
        .paper(OWN)
        .ours(format!(
            "names it in {named} of {} scenes, or one within a tenth in {near}",
            scenes.len()
        ))
        .verdict(match near as usize {
            all if all == scenes.len() => Verdict::Holds,
            most if 2 * most >= scenes.len() => Verdict::HoldsWithAnotherNumber,
            _ => Verdict::DoesNotHold,
        })
    }
}
