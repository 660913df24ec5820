//! The methods on the same queries: what they count, and what they take.

use elbowroom::internal::traverse::Tally;
use elbowroom::internal::volume::Family;
use elbowroom_motion::space_time::{
    Config, Kind, Leaf, Trace, Tracked, Workspace, collide, collide_counted,
};
use glam::DVec2;

use super::paper::{MOBB, ONE_LEVEL, Row};
use super::queries::{Query, grown};
use crate::rounds::Least;
use crate::{Cell, Table};

/// Queries between two looks at the clock, which takes longer than one of them.
const BATCH: usize = 100;

/// How a query ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Clear by the times or the boxes of the roots.
    AtRoot,
    /// Clear, but not by the roots.
    Clear,
    Colliding,
}

/// One method's work.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    pub(super) queries: u64,
    pub(super) hits: u64,
    pub(super) upright: u64,
    pub(super) free: u64,
    pub(super) samples: u64,
}

impl Work {
    fn add(&mut self, hit: bool, tally: &Tally) {
        self.queries += 1;
        self.hits += u64::from(hit);
        self.upright += tally.of_family(Family::TimeBox);
        self.free += tally.of_family(Family::TimeObb);
        self.samples += tally.primitives;
    }

    /// Sample tests a query; `None` if there are no queries.
    pub(super) fn mean_samples(&self) -> f64 {
        self.samples as f64 / self.queries.max(1) as f64
    }
}

impl std::ops::Add for Work {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            queries: self.queries + other.queries,
            hits: self.hits + other.hits,
            upright: self.upright + other.upright,
            free: self.free + other.free,
            samples: self.samples + other.samples,
        }
    }
}

/// All methods on the same queries.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    /// In the order of [`Kind::ALL`], then the two with strides.
    pub(super) work: Vec<Work>,
    /// Counts by the outcome of a query, in the order of [`Outcome`].
    pub(super) by_outcome: Vec<[Work; 3]>,
    pub(super) queries: usize,
    /// The six trees in order; then the flat circles that production runs on, then a plain search
    /// in time.
    least: Least,
}

/// Behind the methods of the paper: the upright ones with leaves in strides.
pub(super) const STRIDES: usize = Kind::ALL.len();
pub(super) const ONE_LEVEL_STRIDES: usize = STRIDES + 1;
pub(super) const PRODUCTION: usize = ONE_LEVEL_STRIDES + 1;
pub(super) const PLAIN: usize = PRODUCTION + 1;

/// The names of all methods, in order.
pub(super) fn name(method: usize) -> &'static str {
    match method {
        STRIDES => "MOBB, leaves in strides",
        ONE_LEVEL_STRIDES => "1 level, leaves in strides",
        PRODUCTION => "flat circles",
        PLAIN => "plain search in time",
        of_paper => Kind::ALL[of_paper].name(),
    }
}

impl Measured {
    /// Counts once, and takes the least time of some rounds.
    pub(super) fn of(traces: &[Trace], queries: &[Query], rounds: usize) -> Self {
        let strides = |kind| Config { leaf: Leaf::Stride, ..Config::paper(kind) };
        let configs = Kind::ALL.map(Config::paper).into_iter();
        let configs = configs.chain([MOBB, ONE_LEVEL].map(|method| strides(Kind::ALL[method])));
        let trees: Vec<Vec<Tracked>> = configs.map(|config| grown(traces, config)).collect();
        let outcomes = outcomes(&trees[ONE_LEVEL], queries);
        let by_outcome: Vec<[Work; 3]> =
            trees.iter().map(|motions| counted_apart(motions, queries, &outcomes)).collect();
        let work = by_outcome.iter().map(|&[root, clear, hit]| root + clear + hit).collect();
        let mut workspace = Workspace::new();
        let shared = std::cell::RefCell::new(&mut workspace);
        let mut methods: Vec<Box<dyn FnMut(usize) + '_>> = Vec::new();
        for motions in &trees {
            let shared = &shared;
            methods.push(Box::new(move |batch| {
                for q in of_batch(queries, batch) {
                    let (a, b) = (&motions[q.a], &motions[q.b]);
                    let answer = collide_counted(a, &q.pa, b, &q.pb, &mut shared.borrow_mut());
                    std::hint::black_box(answer);
                }
            }));
        }
        let motions = &trees[MOBB];
        methods.push(Box::new(|batch| {
            for q in of_batch(queries, batch) {
                let (a, b) = (&motions[q.a], &motions[q.b]);
                let answer = collide(a, &q.pa, b, &q.pb, &mut shared.borrow_mut());
                std::hint::black_box(answer);
            }
        }));
        methods.push(Box::new(|batch| {
            for q in of_batch(queries, batch) {
                std::hint::black_box(plain(&traces[q.a], &traces[q.b], q));
            }
        }));
        let mut methods: Vec<&mut dyn FnMut(usize)> =
            methods.iter_mut().map(|method| &mut **method as _).collect();
        let least = Least::run(rounds, queries.len().div_ceil(BATCH), &mut methods);
        Self { work, by_outcome, queries: queries.len(), least }
    }

    /// Tests of upright boxes, free boxes and samples a query.
    pub(super) fn tests(&self, method: usize) -> [f64; 3] {
        let Work { upright, free, samples, .. } = self.work[method];
        [upright, free, samples].map(|count| count as f64 / self.queries as f64)
    }

    /// Microseconds a query.
    pub(super) fn micros(&self, method: usize) -> f64 {
        1e6 * self.least.secs(method) / self.queries as f64
    }

    pub(super) fn ratio(&self, first: usize, second: usize) -> f64 {
        self.least.ratio(first, second)
    }

    /// How many times fewer samples are tested in a tree than with one box.
    pub(super) fn fewer_samples(&self) -> f64 {
        let [one, tree] = [ONE_LEVEL, MOBB].map(|method| self.work[method].samples);
        one as f64 / tree.max(1) as f64
    }

    pub(super) fn share_hit(&self) -> f64 {
        self.work[MOBB].hits as f64 / self.queries as f64
    }

    /// The paper's columns beside ours.
    pub(super) fn table(&self, title: &str, paper: &[Row; 6]) -> Table {
        let mut table = Table::new(
            title,
            [
                "method",
                "2-D, paper",
                "2-D",
                "3-D, paper",
                "3-D",
                "samples, paper",
                "samples",
                "time, paper (µs)",
                "time (µs)",
                "time / MOBB, paper",
                "time / MOBB",
            ],
        );
        for (method, (kind, row)) in Kind::ALL.iter().zip(paper).enumerate() {
            let tests = self.tests(method);
            table.row([
                kind.name().into(),
                row.tests[0].into(),
                tests[0].into(),
                row.tests[1].into(),
                tests[1].into(),
                row.tests[2].into(),
                tests[2].into(),
                row.micros.into(),
                self.micros(method).into(),
                (row.micros / paper[MOBB].micros).into(),
                self.ratio(method, MOBB).into(),
            ]);
        }
        for method in STRIDES..=PLAIN {
            let mut cells = vec![Cell::Missing; 11];
            cells[0] = name(method).into();
            if let Some(tests) = (method < PRODUCTION).then(|| self.tests(method)) {
                (cells[2], cells[4], cells[6]) =
                    (tests[0].into(), tests[1].into(), tests[2].into());
            }
            cells[8] = self.micros(method).into();
            cells[10] = self.ratio(method, MOBB).into();
            table.row(cells);
        }
        table
    }
}

fn of_batch(queries: &[Query], batch: usize) -> &[Query] {
    &queries[batch * BATCH..((batch + 1) * BATCH).min(queries.len())]
}

/// The work of one method.
pub(super) fn counted(motions: &[Tracked], queries: &[Query]) -> Work {
    let (mut work, mut workspace) = (Work::default(), Workspace::new());
    for q in queries {
        let (a, b) = (&motions[q.a], &motions[q.b]);
        let (hit, tally) = collide_counted(a, &q.pa, b, &q.pb, &mut workspace);
        work.add(hit, &tally);
    }
    work
}

/// The work of the queries of each outcome.
fn counted_apart(motions: &[Tracked], queries: &[Query], outcomes: &[Outcome]) -> [Work; 3] {
    let (mut work, mut workspace) = ([Work::default(); 3], Workspace::new());
    for (q, &outcome) in queries.iter().zip(outcomes) {
        let (a, b) = (&motions[q.a], &motions[q.b]);
        let (hit, tally) = collide_counted(a, &q.pa, b, &q.pb, &mut workspace);
        work[outcome as usize].add(hit, &tally);
    }
    work
}

/// How queries end, as a single box and its samples say.
fn outcomes(one_level: &[Tracked], queries: &[Query]) -> Vec<Outcome> {
    let mut workspace = Workspace::new();
    let outcome = |q: &Query| {
        let (a, b) = (&one_level[q.a], &one_level[q.b]);
        match collide_counted(a, &q.pa, b, &q.pb, &mut workspace) {
            (true, _) => Outcome::Colliding,
            (false, tally) if tally.primitives == 0 => Outcome::AtRoot,
            (false, _) => Outcome::Clear,
        }
    };
    queries.iter().map(outcome).collect()
}

/// Whether two motions collide, by looking at all samples that are held together: the lags first,
/// then sample by sample until two collide. Starts that miss the grid by the last bit are not told
/// apart, so that this is for the clock alone.
pub(super) fn plain(a: &Trace, b: &Trace, q: &Query) -> bool {
    let steps = (q.pb.start() - q.pa.start()) / a.dt();
    let (low, high) = (steps.floor() as isize, steps.ceil() as isize);
    let ([ax, ay, ar], [bx, by, br]) = (a.columns(), b.columns());
    let (at_a, at_b) = (q.pa.at(), q.pb.at());
    (low..=high).any(|lag| {
        let from = lag.max(0);
        let to = a.len().cast_signed().min(b.len().cast_signed() + lag);
        (from..to).any(|i| {
            let (i, j) = (i.cast_unsigned(), (i - lag).cast_unsigned());
            let apart = at_a.apply(DVec2::new(ax[i], ay[i])) - at_b.apply(DVec2::new(bx[j], by[j]));
            let reach = ar[i] + br[j];
            apart.length_squared() < reach * reach
        })
    })
}
