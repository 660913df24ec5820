//! Growth with size: building, memory, and questions about near surfaces, from a thousand triangles
//! to a million.
//!
//! Balls of ever finer triangles meet in three ways. One within the other, a triangle's edge
//! squared apart, as far as a flat triangle strays from the ball: everything is near, and tests
//! should grow with the number n of triangles. Side by side, as far apart: near in one point.
//! Through each other: they meet in a curve, which has some √n triangles.

use std::hint::black_box;

use elbowroom::internal::traverse::{Tally, Workspace};
use elbowroom::{Mesh, Pose};
use elbowroom_make::icosphere;

use super::OWN;
use super::structure::{KINDS, Kind, Made, OBB, PACKED, ask_made};
use crate::obbtree::curve::Curve;
use crate::random::Random;
use crate::sbbk::scene::COUNT;
use crate::{Axis, Cell, Chart, Claim, Context, Line, Marks, Report, Table, Verdict};
use elbowroom_papers::grammar::thread_secs;

/// The structures, by their place among all.
const WHICH: [usize; 5] = [PACKED, 1, 2, OBB, 11];
/// How the balls meet.
const WAYS: [&str; 3] = ["within each other", "side by side", "through each other"];
const WITHIN: usize = 0;
const BESIDE: usize = 1;
const THROUGH: usize = 2;
/// Places side by side and through each other.
const PLACES: usize = 6;

pub(crate) fn run(context: &Context) -> Report {
    // 20 f² triangles.
    let frequencies: &[u32] = if context.quick { &[7, 14, 28] } else { &[7, 14, 28, 57, 113, 224] };
    context.progress.ahead(frequencies.len() as u64);
    let mut sizes = Vec::new();
    for &frequency in frequencies {
        context.progress.message(&format!("{} triangles", 20 * frequency * frequency));
        sizes.push(Size::measure(frequency));
        context.progress.inc(1);
    }
    let grown = Grown { sizes };
    Report {
        id: "common-growth",
        title: "Growth with size".to_owned(),
        what: format!(
            "Balls of {} to {} triangles are built, weighed and asked for all pairs that meet: one within the other at a distance of an edge squared, side by side as far apart, and \
             through each other.",
            grown.sizes[0].triangles,
            grown.sizes[grown.sizes.len() - 1].triangles
        ),
        tables: vec![grown.table(), grown.slopes()],
        charts: grown.charts(),
        claims: vec![
            grown.answers(),
            grown.memory(),
            grown.build(),
            grown.through(),
            grown.beside(),
            grown.within(),
        ],
        notes: vec![
            "A slope is the exponent of the power of n that fits best, by least squares in the logarithms. n log n has a slope of about 1.1 here.".to_owned(),
        ],
    }
}

/// One way of meeting: tests, seconds a question, and contacts by question.
#[derive(Clone, Debug, Default)]
struct Met {
    tally: Tally,
    secs: f64,
    contacts: Vec<u64>,
}

/// One structure at one size.
struct One {
    build: f64,
    bytes: f64,
    met: [Met; WAYS.len()],
}

struct Size {
    triangles: usize,
    /// By structure.
    ones: Vec<One>,
}

impl Size {
    fn measure(frequency: u32) -> Self {
        let ball = icosphere(frequency);
        let edge = 1.2 / f64::from(frequency);
        let outer = ball.vertices().iter().map(|&p| p * (1.0 + edge * edge)).collect();
        let outer = ball.with_vertices(outer).expect("as many as before");
        // One after the other: a million triangles under all structures would be gigabytes.
        let ones =
            WHICH.iter().map(|&kind| One::measure(&KINDS[kind], &ball, &outer, edge)).collect();
        Self { triangles: ball.triangles().len(), ones }
    }
}

impl One {
    fn measure(kind: &Kind, ball: &Mesh, outer: &Mesh, edge: f64) -> Self {
        let repeats = (100_000 / ball.triangles().len()).clamp(1, 5);
        let (mut build, mut made) = (f64::INFINITY, None);
        for _ in 0..repeats {
            let start = thread_secs();
            made = Some(kind.make(ball));
            build = build.min(thread_secs() - start);
        }
        let inner = made.unwrap_or_else(|| kind.make(ball));
        let bytes = inner.bytes_per_triangle();
        let around = kind.make(outer);
        let mut random = Random::new(71);
        let mut places = |distance: f64, count: usize| -> Vec<Pose> {
            let mut place = || {
                let way = random.direction() * distance;
                Pose::new(random.rotation(), way).expect("a rotation")
            };
            (0..count).map(|_| place()).collect()
        };
        let met = [
            meet(&inner, &around, &places(0.0, 1)),
            meet(&inner, &inner, &places(2.0 + edge * edge, PLACES)),
            meet(&inner, &inner, &places(1.2, PLACES)),
        ];
        Self { build, bytes, met }
    }
}

fn meet(a: &Made, b: &Made, places: &[Pose]) -> Met {
    let mut workspace = Workspace::default();
    let mut met = Met { secs: f64::INFINITY, ..Met::default() };
    // The first round warms up.
    for round in 0..4 {
        let start = thread_secs();
        for &place in places {
            let at = [Pose::IDENTITY, place];
            let answer = black_box(ask_made([a, b], &at, &COUNT, &mut workspace));
            if round == 0 {
                met.tally += answer.tally;
                met.contacts.push(answer.count());
            }
        }
        if round > 0 {
            met.secs = met.secs.min((thread_secs() - start) / places.len() as f64);
        }
    }
    met
}

struct Grown {
    sizes: Vec<Size>,
}

impl Grown {
    fn curve(&self, structure: usize, of: impl Fn(&One, f64) -> f64) -> Curve {
        let point = |size: &Size| {
            let n = size.triangles as f64;
            (n, of(&size.ones[structure], n))
        };
        Curve { points: self.sizes.iter().map(point).collect() }
    }

    fn slope(&self, structure: usize, of: impl Fn(&One, f64) -> f64) -> f64 {
        self.curve(structure, of).slope().unwrap_or(f64::NAN)
    }

    fn table(&self) -> Table {
        let mut table = Table::new(
            "Balls of ever finer triangles",
            ["triangles", "structure", "bytes a triangle", "time to build, ns a triangle"],
        );
        for way in WAYS {
            table.columns.extend(["N_v", "N_p", "time, µs"].map(|what| format!("{what}, {way}")));
        }
        for size in &self.sizes {
            for (one, &kind) in size.ones.iter().zip(&WHICH) {
                let mut cells: Vec<Cell> = vec![
                    size.triangles.into(),
                    KINDS[kind].name.into(),
                    one.bytes.into(),
                    (1e9 * one.build / size.triangles as f64).into(),
                ];
                for met in &one.met {
                    cells.extend([
                        met.tally.volumes().into(),
                        met.tally.primitives.into(),
                        Cell::Number(1e6 * met.secs),
                    ]);
                }
                table.row(cells);
            }
        }
        table
    }

    fn slopes(&self) -> Table {
        let mut table = Table::new(
            "Slopes: the power of n that fits",
            ["structure", "memory", "time to build"],
        );
        for way in WAYS {
            table.columns.extend(["N_v", "time"].map(|what| format!("{what}, {way}")));
        }
        for (structure, &kind) in WHICH.iter().enumerate() {
            let mut cells: Vec<Cell> = vec![
                KINDS[kind].name.into(),
                self.slope(structure, |one, n| one.bytes * n).into(),
                self.slope(structure, |one, _| one.build).into(),
            ];
            for way in 0..WAYS.len() {
                cells.push(self.tests(structure, way).into());
                cells.push(self.slope(structure, |one, _| one.met[way].secs).into());
            }
            table.row(cells);
        }
        table
    }

    /// The slope of the volume tests. What needs none at any size, because balls around the two
    /// decide it, does not grow.
    fn tests(&self, structure: usize, way: usize) -> f64 {
        let curve = self.curve(structure, |one, _| one.met[way].tally.volumes() as f64);
        if curve.points.iter().all(|&(_, tests)| tests == 0.0) {
            return 0.0;
        }
        curve.slope().unwrap_or(f64::NAN)
    }

    fn charts(&self) -> Vec<Chart> {
        let lines = |of: &dyn Fn(&One, f64) -> f64| {
            let line = |(structure, &kind): (usize, &usize)| {
                let curve = self.curve(structure, of);
                let points = curve.points.iter().map(|&(x, y)| [x, y]).collect();
                Line::ours(KINDS[kind].name, points).slope(curve.slope())
            };
            Marks::Lines(WHICH.iter().enumerate().map(line).collect())
        };
        let chart = |name, title: String, y: &str, marks, timed| Chart {
            name,
            title,
            x: Axis::log("triangles"),
            y: Axis::log(y),
            marks,
            timed,
        };
        let mut charts = vec![
            chart("build", "Building".to_owned(), "time, s", lines(&|one, _| one.build), true),
            chart("memory", "Memory".to_owned(), "bytes", lines(&|one, n| one.bytes * n), false),
        ];
        let names = [
            ["tests-within", "times-within"],
            ["tests-beside", "times-beside"],
            ["tests-through", "times-through"],
        ];
        for (way, [tests, times]) in names.into_iter().enumerate() {
            let title = format!("Balls {}", WAYS[way]);
            let volumes = lines(&|one, _| one.met[way].tally.volumes() as f64);
            charts.push(chart(tests, title.clone(), "volume tests, N_v", volumes, false));
            let secs = lines(&|one, _| one.met[way].secs);
            charts.push(chart(times, title, "time a question, s", secs, true));
        }
        charts
    }

    /// Names with numbers.
    fn shown(of: impl Fn(usize) -> f64) -> String {
        let words: Vec<String> = WHICH
            .iter()
            .enumerate()
            .map(|(structure, &kind)| format!("{} {:.2}", KINDS[kind].name, of(structure)))
            .collect();
        words.join(", ")
    }

    fn answers(&self) -> Claim {
        let (mut equal, mut all, mut contacts) = (0_u64, 0_u64, 0_u64);
        for size in &self.sizes {
            for one in &size.ones {
                for (met, first) in one.met.iter().zip(&size.ones[0].met) {
                    let pairs = met.contacts.iter().zip(&first.contacts);
                    equal += pairs.filter(|(a, b)| a == b).count() as u64;
                    all += met.contacts.len() as u64;
                    contacts += met.contacts.iter().filter(|&&count| count > 0).count() as u64;
                }
            }
        }
        Claim::gate(
            "COMMON-growth-answers",
            "At every size all structures find as many pairs that meet.",
        )
        .paper(OWN)
        .ours(format!("{equal} of {all} answers are the packed tree's; {contacts} find contact"))
        .holds_if(equal == all && contacts > 0 && contacts < all)
    }

    fn memory(&self) -> Claim {
        let slope = |structure: usize| self.slope(structure, |one, n| one.bytes * n);
        Claim::gate("COMMON-growth-memory", "Memory grows with the number of triangles.")
            .paper("slope 1")
            .ours(format!("slopes: {}", Self::shown(slope)))
            .holds_if((0..WHICH.len()).all(|structure| (slope(structure) - 1.0).abs() < 0.03))
    }

    fn build(&self) -> Claim {
        let slope = |structure: usize| self.slope(structure, |one, _| one.build);
        Claim::timed("COMMON-growth-build", "Building takes n log n.")
            .paper("slope 1.1")
            .ours(format!("slopes: {}", Self::shown(slope)))
            .holds_if((0..WHICH.len()).all(|structure| (0.95..1.3).contains(&slope(structure))))
    }

    fn of_way(
        &self,
        id: &'static str,
        claim: &str,
        expected: &str,
        way: usize,
        range: [f64; 2],
    ) -> Claim {
        let is_in = |structure: usize| (range[0]..=range[1]).contains(&self.tests(structure, way));
        let inside = (0..WHICH.len()).filter(|&structure| is_in(structure)).count();
        let verdict = match inside {
            all if all == WHICH.len() => Verdict::Holds,
            0 => Verdict::DoesNotHold,
            _ => Verdict::HoldsWithAnotherNumber,
        };
        Claim { gate: false, ..Claim::gate(id, claim) }
            .paper(expected)
            .ours(format!("slopes of N_v: {}", Self::shown(|structure| self.tests(structure, way))))
            .verdict(verdict)
    }

    fn through(&self) -> Claim {
        self.of_way(
            "COMMON-growth-through",
            "Where surfaces cross in a curve, tests grow as the root of the number of triangles.",
            "slope 0.5",
            THROUGH,
            [0.4, 0.65],
        )
        .why("A curve on a ball of n triangles runs through some √n of them, each with a path of log n boxes above it.")
    }

    fn beside(&self) -> Claim {
        self.of_way(
            "COMMON-growth-beside",
            "Where surfaces are near in one point, tests hardly grow.",
            "slope below 0.3",
            BESIDE,
            [-0.2, 0.3],
        )
        .why("With the gap as an edge squared, as many triangles are within reach of the point at every size; what grows is the number of levels.")
    }

    fn within(&self) -> Claim {
        let last = &self.sizes[self.sizes.len() - 1];
        let tests = |structure: usize| last.ones[structure].met[WITHIN].tally.volumes() as f64;
        let claim = self.of_way(
            "COMMON-growth-within",
            "Where surfaces are near everywhere, tests grow with the number of triangles.",
            "slope 1",
            WITHIN,
            [0.85, 1.15],
        );
        let ours = format!(
            "{}; at {} triangles, tests over those of readable OBB: {}",
            claim.ours,
            last.triangles,
            Self::shown(|structure| tests(structure) / tests(3))
        );
        claim.ours(ours)
    }
}
