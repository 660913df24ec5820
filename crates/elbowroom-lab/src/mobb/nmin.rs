//! §3.1: how many samples a leaf should have; Figure 4: whether a leaf should be tested against
//! boxes below an inner node.

use std::cell::RefCell;

use elbowroom_motion::space_time::{Config, Kind, Trace, Workspace, collide_counted};

use super::clips::{Origin, long};
use super::measure::{Work, counted};
use super::queries::{Draw, Query, grown};
use super::table2::costs;
use crate::rounds::Least;
use crate::{Claim, Context, Report, Table, Verdict};

const SIZES: [usize; 12] = [1, 2, 3, 5, 7, 10, 14, 20, 28, 35, 42, 50];

pub(crate) fn run(context: &Context) -> Report {
    let motions = long(context);
    let (mut tables, mut claims) = (Vec::new(), Vec::new());
    motions.each(context, |origin, traces| {
        let sweep = Sweep::new(context, origin, traces);
        tables.push(sweep.table());
        claims.extend([sweep.best(), sweep.rule(), sweep.leaf()]);
    });
    Report {
        charts: Vec::new(),
        id: "mobb-nmin",
        title: "How many samples a leaf should have".to_owned(),
        what: "The queries of Table 2 on MOBB trees whose leaves have from 1 to 50 samples at most. Times are the thread's own, batches of 100 queries at their least of some \
               rounds. Behind them the same with ten samples, with and without a test of a leaf against the boxes below an inner node; the paper leaves it out."
            .to_owned(),
        tables,
        claims,
        notes: motions.notes,
    }
}

struct Sweep {
    origin: Origin,
    work: Vec<Work>,
    queries: usize,
    /// By place in the sizes; then ten samples with the test below leaves.
    least: Least,
    below: Work,
    /// Nanoseconds of a test of two boxes and of two samples.
    costs: [f64; 3],
}

impl Sweep {
    fn new(context: &Context, origin: Origin, traces: &[Trace]) -> Self {
        let queries = Draw::long(traces).queries(
            traces.len(),
            if context.quick { 1000 } else { 50_000 },
            0x7a_b1e2,
        );
        let paper = Config::paper(Kind::Mobb);
        let below = Config { test_below_leaf: true, ..paper };
        let configs: Vec<Config> =
            SIZES.iter().map(|&n_min| Config { n_min, ..paper }).chain([below]).collect();
        let rounds = if context.quick { 1 } else { 7 };
        let (mut work, least) = measured(traces, &queries, &configs, rounds);
        let below = work.pop().unwrap_or_default();
        let (costs, _) = costs(if context.quick { 3 } else { 51 }, traces, &queries);
        Self { origin, work, queries: queries.len(), least, below, costs }
    }

    fn micros(&self, place: usize) -> f64 {
        1e6 * self.least.secs(place) / self.queries as f64
    }

    fn table(&self) -> Table {
        let title = format!("Samples in a leaf, {}", self.origin.name());
        let mut table = Table::new(
            &title,
            ["at most", "2-D tests a query", "sample tests a query", "time a query (µs)"],
        );
        let a_query = |count: u64| count as f64 / self.queries as f64;
        for (place, (size, work)) in SIZES.iter().zip(&self.work).enumerate() {
            table.row([
                (*size).into(),
                a_query(work.upright).into(),
                a_query(work.samples).into(),
                self.micros(place).into(),
            ]);
        }
        table.row([
            "10, boxes below leaves too".into(),
            a_query(self.below.upright).into(),
            a_query(self.below.samples).into(),
            self.micros(SIZES.len()).into(),
        ]);
        table
    }

    fn fastest(&self) -> usize {
        SIZES[self.least.fastest(SIZES.len())]
    }

    fn best(&self) -> Claim {
        let id = self.origin.id(["MOBB-S3-nmin", "MOBB-S3-cmu-nmin"]);
        let best = self.fastest();
        let near = |place: &usize| {
            self.micros(*place) <= 1.1 * self.micros(self.least.fastest(SIZES.len()))
        };
        let near: Vec<String> =
            (0..SIZES.len()).filter(near).map(|place| SIZES[place].to_string()).collect();
        Claim::timed(
            id,
            "Ten samples a leaf are best; the curve from 1 to 50 has its least within.",
        )
        .paper("10")
        .ours(format!("{best} is fastest; within a tenth of it are {}", near.join(", ")))
        .verdict(match best {
            7..=14 => Verdict::Holds,
            2..=49 => Verdict::HoldsWithAnotherNumber,
            _ => Verdict::DoesNotHold,
        })
    }

    fn rule(&self) -> Claim {
        let id = self.origin.id(["MOBB-S3-rule", "MOBB-S3-cmu-rule"]);
        let [upright, _, sample] = self.costs;
        let asked = 2.0 * upright / sample;
        let ratio = self.fastest() as f64 / asked;
        Claim::timed(id, "It is best when a test of two boxes costs as much as half as many sample tests as a leaf has: n_min = 2·C_box/C_sample.")
            .paper("n_min/2 = 5; but the printed Table 2 implies C_box ≈ 0.8 C_sample")
            .ours(format!("a box test takes {upright:.1} ns, two samples {sample:.2} ns: the rule says {asked:.1}, measured is {}", self.fastest()))
            .verdict(match ratio {
                0.5..=2.0 => Verdict::Holds,
                _ => Verdict::DoesNotHold,
            })
            .why("The step from node to node, which both kinds of tests share, costs more than either: so large leaves gain more than the two tests alone say.")
    }

    fn leaf(&self) -> Claim {
        let id = self.origin.id(["MOBB-S3-leaf", "MOBB-S3-cmu-leaf"]);
        let ten = SIZES.iter().position(|&size| size == 10).unwrap_or(0);
        let ratio = self.least.ratio(SIZES.len(), ten);
        Claim::timed(id, "A test in space of a leaf against an inner node's boxes gives no advantage.")
            .paper("no advantage")
            .ours(format!(
                "with it {ratio:.3} times the time; {:.2} instead of {:.2} box tests and {:.2} instead of {:.2} sample tests a query",
                self.below.upright as f64 / self.queries as f64,
                self.work[ten].upright as f64 / self.queries as f64,
                self.below.samples as f64 / self.queries as f64,
                self.work[ten].samples as f64 / self.queries as f64
            ))
            .verdict(if ratio >= 0.95 { Verdict::Holds } else { Verdict::DoesNotHold })
    }
}

/// The work of each configuration, and its times in turns.
fn measured(
    traces: &[Trace],
    queries: &[Query],
    configs: &[Config],
    rounds: usize,
) -> (Vec<Work>, Least) {
    let trees: Vec<_> = configs.iter().map(|&config| grown(traces, config)).collect();
    let work = trees.iter().map(|motions| counted(motions, queries)).collect();
    let workspace = RefCell::new(Workspace::new());
    let mut methods: Vec<_> = trees
        .iter()
        .map(|motions| {
            let workspace = &workspace;
            move |batch: usize| {
                let to = ((batch + 1) * 100).min(queries.len());
                for q in &queries[batch * 100..to] {
                    let (a, b) = (&motions[q.a], &motions[q.b]);
                    std::hint::black_box(collide_counted(
                        a,
                        &q.pa,
                        b,
                        &q.pb,
                        &mut workspace.borrow_mut(),
                    ));
                }
            }
        })
        .collect();
    let mut methods: Vec<&mut dyn FnMut(usize)> =
        methods.iter_mut().map(|method| method as _).collect();
    (work, Least::run(rounds, queries.len().div_ceil(100), &mut methods))
}
