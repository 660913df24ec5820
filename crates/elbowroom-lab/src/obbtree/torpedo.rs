//! Figure 7: a torpedo that rests among rollers.
//!
//! The torpedo is lowered onto its pivot, turns among the rollers, slides along them, is turned
//! about the pivot and lifted by its nose. At rest it lies against sixteen hollow rollers at once,
//! so that boxes all along the hull are near boxes of the rollers.
//!
//! Source: Gottschalk, Lin and Manocha, *OBBTree*, 1996, section 7.2 and Figure 7. The models are
//! lost: `elbowroom-make` draws a torpedo and a pivot of the same sizes. The paper shows one
//! position and speaks of a moving torpedo; the motion is our own.

use std::f64::consts::TAU;
use std::hint::black_box;

use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::query::{CollisionRequest, Want};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Aabb, Mesh, Pose};
use elbowroom_make::{torpedo, torpedo_pivot};
use glam::{DMat3, DVec3};

use super::grown::Work;
use super::table3::{Asks, Scene, Trees, truth};
use crate::report::grouped;
use crate::rounds::Least;
use crate::{Axis, Bar, Cell, Chart, Claim, Context, Line, Marks, Report, Table, Verdict};

/// How deep the torpedo sinks into the rollers, in metres.
const SINKS: f64 = 1e-3;
/// The first roller, about which it is lifted.
const TAIL_ROLLER: DVec3 = DVec3::new(-2.25, 0.0, 0.0);

/// A part of the motion: where the torpedo is at a share of it.
type Phase = (&'static str, fn(f64) -> (DMat3, DVec3));

/// At rest it turns about itself: that phase is the figure's.
const RESTS: usize = 1;
const PHASES: [Phase; 5] = [
    ("is lowered", |share| (DMat3::IDENTITY, DVec3::Y * (0.03 * (1.0 - share) - SINKS * share))),
    ("rests and turns", |share| (about([1, 2], TAU * share), DVec3::NEG_Y * SINKS)),
    ("slides", |share| (DMat3::IDENTITY, DVec3::new(0.16 * share, -SINKS, 0.0))),
    ("turns about the pivot", |share| (about([2, 0], 0.004 * share), DVec3::NEG_Y * SINKS)),
    ("is lifted by its nose", |share| {
        let lift = about([0, 1], 0.01 * share);
        (lift, TAIL_ROLLER - lift * TAIL_ROLLER - DVec3::Y * SINKS)
    }),
];

/// A turn from one axis towards another, by one library's sines.
fn about([from, to]: [usize; 2], angle: f64) -> DMat3 {
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let mut turn = [[0.0; 3]; 3];
    turn[3 - from - to][3 - from - to] = 1.0;
    turn[from][from] = cos;
    turn[from][to] = sin;
    turn[to][to] = cos;
    turn[to][from] = -sin;
    DMat3::from_cols_array_2d(&turn)
}

pub(crate) fn run(context: &Context) -> Report {
    context.progress.ahead(2);
    context.progress.message("torpedo");
    let (pivot, hull) = (torpedo_pivot(), torpedo());
    let mut motion = Motion::new(&pivot, &hull, context.quick);
    context.progress.inc(1);
    context.progress.message("pipes, for comparison");
    let beside = Beside::new(&mut motion, context.quick);
    context.progress.inc(1);
    Report {
        id: "obbtree-torpedo",
        title: "A torpedo that rests among rollers".to_owned(),
        what: format!(
            "The paper moves a torpedo of 4,780 triangles on a pivot of 44,921 and calls 100 ms a typical query. Here both are drawn anew, with \
             {} and {} triangles: a hull of 5.8 m and sixteen rollers, hollow as the hull is round. The torpedo is lowered onto them until it \
             sinks in by a millimetre, turns, slides, is turned about the pivot and lifted.",
            grouped(hull.triangles().len() as u64),
            grouped(pivot.triangles().len() as u64)
        ),
        tables: vec![motion.table(), beside.counts(&motion), beside.times()],
        charts: vec![motion.chart("contacts"), motion.chart("box tests"), beside.chart()],
        claims: vec![exact_claim(&motion), torpedo_claim(&motion, &beside), time_claim(&beside)],
        notes: vec![
            "A closed surface has an even number of triangles, so the pivot has one less than the paper's.".to_owned(),
            "The paper's 100 ms and its 4.2 ms for the pipes are from different machines.".to_owned(),
        ],
    }
}

/// A step of the motion.
struct Step {
    phase: usize,
    place: Pose,
    pairs: Vec<(u32, u32)>,
    work: Work,
}

/// The torpedo along its way.
struct Motion<'a> {
    hull: &'a Mesh,
    models: [Model; 2],
    trees: Trees<'a, elbowroom::internal::volume::Obb>,
    steps: Vec<Step>,
    /// At rest: tests of AABB and sphere trees, and how many steps were looked at.
    others: [Work; 2],
    looked: usize,
    /// Steps that rational arithmetic looked at.
    checked: usize,
    differences: usize,
}

impl<'a> Motion<'a> {
    fn new(pivot: &'a Mesh, hull: &'a Mesh, quick: bool) -> Self {
        let each = if quick { 4 } else { 120 };
        let models = [pivot, hull].map(|mesh| Model::new(mesh.clone()));
        let mut trees = Trees::obb(pivot, hull);
        let mut workspace = Workspace::default();
        let (mut steps, mut differences, mut found) = (Vec::new(), 0, Vec::new());
        for (phase, (_, at)) in PHASES.iter().enumerate() {
            for i in 0..each {
                let (turn, shift) = at(f64::from(i) / f64::from(each));
                let place = Pose::new(turn, shift).expect("a rotation");
                let here = Pose::IDENTITY;
                let [ground, thing] = &models;
                let answer = query::collide(
                    ground,
                    &here,
                    thing,
                    &place,
                    &CollisionRequest::default(),
                    &mut workspace,
                );
                let pairs: Vec<_> = answer.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
                let work = trees.ask(&place, &mut found);
                differences += usize::from(found != pairs);
                steps.push(Step { phase, place, pairs, work });
            }
        }
        let mut motion = Self {
            hull,
            models,
            trees,
            steps,
            others: [Work::default(); 2],
            looked: 0,
            checked: 0,
            differences,
        };
        motion.ask_others(pivot, if quick { 1 } else { 10 });
        motion.check(pivot, if quick { 1 } else { 4 });
        motion
    }

    /// Steps at rest, spread over their phase.
    fn ask_others(&mut self, pivot: &Mesh, count: usize) {
        let mut aabb = Trees::aabb(pivot, self.hull);
        let mut sphere = Trees::sphere(pivot, self.hull);
        let others: [&mut dyn Asks; 2] = [&mut aabb, &mut sphere];
        let rests: Vec<&Step> = self.steps.iter().filter(|step| step.phase == RESTS).collect();
        let rests = || rests.iter().step_by(rests.len() / count);
        self.looked = rests().count();
        let mut found = Vec::new();
        for (sum, trees) in self.others.iter_mut().zip(others) {
            for step in rests() {
                *sum = sum.plus(trees.ask(&step.place, &mut found));
                self.differences += usize::from(found != step.pairs);
            }
        }
    }

    /// Checks this many steps with contacts by rational arithmetic, from the last.
    fn check(&mut self, pivot: &Mesh, count: usize) {
        let steps: Vec<&Step> = self.steps.iter().filter(|step| !step.pairs.is_empty()).collect();
        for step in steps.iter().rev().step_by(steps.len() / count) {
            self.checked += 1;
            self.differences += usize::from(truth(pivot, self.hull, &step.place) != step.pairs);
        }
    }

    fn of_phase(&self, phase: usize) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |step| step.phase == phase)
    }

    /// The share of the hull's length between its first and its last contact.
    fn spread(&self, step: &Step) -> f64 {
        let middle = |&(_, triangle): &(u32, u32)| {
            let [a, b, c] = self.hull.triangle(triangle as usize);
            (a + b + c).x / 3.0
        };
        let low = step.pairs.iter().map(middle).fold(f64::INFINITY, f64::min);
        let high = step.pairs.iter().map(middle).fold(f64::NEG_INFINITY, f64::max);
        let Aabb { min: start, max: end } = self.hull.bounds();
        (high - low).max(0.0) / (end.x - start.x)
    }

    /// Contacts, box tests, triangle tests and spread of a step, means over a phase.
    fn means(&self, phase: usize) -> [f64; 4] {
        let steps = self.of_phase(phase).count() as f64;
        let mean = |of: &dyn Fn(&Step) -> f64| self.of_phase(phase).map(of).sum::<f64>() / steps;
        [
            mean(&|step| step.pairs.len() as f64),
            mean(&|step| step.work.volumes as f64),
            mean(&|step| step.work.primitives as f64),
            mean(&|step| self.spread(step)),
        ]
    }

    fn table(&self) -> Table {
        let mut table = Table::new(
            "The torpedo along its way",
            [
                "the torpedo",
                "steps",
                "contacts a step",
                "box tests a step",
                "triangle tests a step",
                "length between contacts",
            ],
        );
        for (phase, (name, _)) in PHASES.iter().enumerate() {
            let [contacts, volumes, primitives, spread] = self.means(phase);
            table.row([
                Cell::from(*name),
                self.of_phase(phase).count().into(),
                contacts.into(),
                volumes.into(),
                primitives.into(),
                spread.into(),
            ]);
        }
        table
    }

    fn chart(&self, what: &str) -> Chart {
        let is_contacts = what == "contacts";
        let lines = PHASES.iter().enumerate().map(|(phase, (name, _))| {
            let steps = self.steps.iter().enumerate().filter(|(_, step)| step.phase == phase);
            let points = steps.map(|(i, step)| {
                let count = if is_contacts { step.pairs.len() as u64 } else { step.work.volumes };
                [i as f64, count as f64]
            });
            Line::ours(*name, points.collect())
        });
        Chart {
            name: if is_contacts { "contacts" } else { "box-tests" },
            title: format!("The torpedo along its way: {what}"),
            x: Axis::linear("step"),
            y: Axis::linear(&format!("{what} of the step")),
            marks: Marks::Lines(lines.collect()),
            timed: false,
        }
    }
}

/// The torpedo at rest beside the pipes of Table 3.
struct Beside {
    /// Box tests of a step, of the pipes.
    pipes: f64,
    /// Seconds of a query: torpedo and pipes, with the packed tree and with the OBB tree.
    packed: [f64; 2],
    obb: [f64; 2],
}

impl Beside {
    fn new(motion: &mut Motion, quick: bool) -> Self {
        let scene = Scene::pipes(quick);
        let path = scene.run();
        let mut trees = scene.trees();
        let every = path.steps.len() / if quick { 10 } else { 100 };
        let places: Vec<&Pose> = path.steps.iter().step_by(every).map(|step| &step.place).collect();
        let mut found = Vec::new();
        let tests: u64 = places.iter().map(|place| trees.ask(place, &mut found).volumes).sum();
        let rests: Vec<Pose> = motion.of_phase(RESTS).map(|step| step.place).collect();
        let count = places.len();
        let question = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
        let (mut workspace, mut other) = (Workspace::default(), Workspace::default());
        let ask = |models: &[Model; 2], place: &Pose, workspace: &mut Workspace| {
            let [ground, thing] = models;
            black_box(query::collide(ground, &Pose::IDENTITY, thing, place, &question, workspace));
        };
        let Motion { models, trees: of_torpedo, .. } = motion;
        let rest = |step: usize| &rests[step % rests.len()];
        let mut again = Vec::new();
        let taken = Least::run(
            if quick { 2 } else { 5 },
            count,
            &mut [
                &mut |step| ask(models, rest(step), &mut workspace),
                &mut |step| ask(&path.models, places[step], &mut other),
                &mut |step| {
                    black_box(of_torpedo.ask(rest(step), &mut again));
                },
                &mut |step| {
                    black_box(trees.ask(places[step], &mut found));
                },
            ],
        );
        let mean = |contestant: usize| taken.secs(contestant) / count as f64;
        Self {
            pipes: tests as f64 / count as f64,
            packed: [mean(0), mean(1)],
            obb: [mean(2), mean(3)],
        }
    }

    fn counts(&self, motion: &Motion) -> Table {
        let mut table = Table::new(
            "The torpedo at rest: box and triangle tests",
            [
                "tree",
                "box tests a step",
                "triangle tests a step",
                "box tests, times the pipes' (OBB)",
            ],
        );
        let [_, volumes, primitives, _] = motion.means(RESTS);
        let steps = motion.looked as f64;
        let [aabb, sphere] =
            motion.others.map(|work| [work.volumes, work.primitives].map(|n| n as f64 / steps));
        for (name, [volumes, primitives]) in
            [("obb", [volumes, primitives]), ("aabb", aabb), ("sphere", sphere)]
        {
            table.row([
                Cell::from(name),
                volumes.into(),
                primitives.into(),
                (volumes / self.pipes).into(),
            ]);
        }
        table
    }

    fn times(&self) -> Table {
        let mut table = Table::new(
            "The torpedo at rest, by the clock",
            ["tree", "time of a query, µs", "time of a query of the pipes, µs", "ratio of times"],
        );
        let rows = [("packed", self.packed), ("obb", self.obb), ("paper", [0.1, 4.2e-3])];
        for (name, [torpedo, pipes]) in rows {
            table.row([
                Cell::from(name),
                (1e6 * torpedo).into(),
                (1e6 * pipes).into(),
                (torpedo / pipes).into(),
            ]);
        }
        table
    }

    fn chart(&self) -> Chart {
        let ratio = |[torpedo, pipes]: [f64; 2]| vec![Some(torpedo / pipes)];
        Chart {
            name: "torpedo-over-pipes",
            title: "A query of the torpedo at rest, in queries of the pipes".to_owned(),
            x: Axis::linear("scenes compared"),
            y: Axis::linear("time of the torpedo's query over the pipes' mean"),
            marks: Marks::Bars {
                groups: vec!["torpedo/pipes".to_owned()],
                bars: vec![
                    Bar::ours("packed tree", ratio(self.packed)),
                    Bar::ours("OBB tree", ratio(self.obb)),
                    Bar::paper("paper, two machines", ratio([0.1, 4.2e-3])),
                ],
            },
            timed: true,
        }
    }
}

fn exact_claim(motion: &Motion) -> Claim {
    let contacts: usize = motion.steps.iter().map(|step| step.pairs.len()).sum();
    Claim::gate("OBB-F7-exact", "All contacts of the torpedo are found.")
        .paper("no figure")
        .ours(format!(
            "{} differences between packed, OBB, AABB and sphere trees over {} steps with {} contacts, and rational arithmetic at {} of them",
            motion.differences,
            motion.steps.len(),
            grouped(contacts as u64),
            motion.checked
        ))
        .holds_if(motion.differences == 0 && motion.checked > 0 && contacts > 1000)
}

fn torpedo_claim(motion: &Motion, beside: &Beside) -> Claim {
    let [contacts, volumes, ..] = motion.means(RESTS);
    let least =
        motion.of_phase(RESTS).map(|step| motion.spread(step)).fold(f64::INFINITY, f64::min);
    let times = volumes / beside.pipes;
    let verdict = match least > 0.8 {
        true if times > 2.0 => Verdict::Holds,
        true if times > 1.0 => Verdict::HoldsWithAnotherNumber,
        _ => Verdict::DoesNotHold,
    };
    Claim::gate("OBB-F7-torpedo", "Many contacts along a resting part make the hardest query.")
        .paper("\"multiple contacts along the length\"; 100 ms (another machine), 24 × the pipes' mean")
        .ours(format!(
            "{contacts:.0} contacts at rest over {:.0} % of the length or more; {volumes:.0} box tests, {times:.1} × the pipes' mean",
            100.0 * least
        ))
        .verdict(verdict)
        .why("More than 80 % of the length and a multiple of the pipes' box tests wanted.")
}

fn time_claim(beside: &Beside) -> Claim {
    let [packed, obb] = [beside.packed, beside.obb].map(|[torpedo, pipes]| torpedo / pipes);
    Claim::timed("OBB-F7-time", "A query of the torpedo at rest takes many times one of the pipes.")
        .paper("100 ms/4.2 ms = 24, on two machines")
        .ours(format!(
            "{packed:.1} × (packed, {:.3} ms), {obb:.1} × (OBB tree, {:.3} ms)",
            1e3 * beside.packed[0],
            1e3 * beside.obb[0]
        ))
        .holds_if(packed > 2.0 && obb > 2.0)
}
