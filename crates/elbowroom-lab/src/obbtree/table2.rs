//! Table 2: separating axes against closest features, linear programming and edges.
//!
//! The paper times four ways to find out whether two boxes overlap. Closest features are found by
//! GJK here (the paper used Lin and Canny's walk), linear programs are solved by Seidel's method as
//! in the paper; both look at boxes as boxes, which the paper's did not. Every method gets the same
//! two boxes in one frame, and all have to give the same answers before they are timed; only the
//! 144 tests of edges against faces see surfaces and miss a box within a box.

mod exact;
mod special;

use std::hint::black_box;

use elbowroom::internal::convex::{BoxShape, gjk};
use elbowroom::internal::volume::ObbPair;
use elbowroom_papers::obbtree::edges::surfaces_meet;
use elbowroom_papers::obbtree::linear::boxes_overlap;

use crate::random::Random;
use crate::report::grouped;
use crate::rounds::{Rounds, Spread};
use crate::{Cell, Claim, Context, Report, Table, Verdict};

/// In the order of the table.
const METHODS: [&str; 4] = ["separating axes", "GJK", "linear programming", "144 edge–face tests"];

/// Each gives its answer on two boxes in one frame: do they meet?
const ANSWERS: [fn(&BoxShape, &BoxShape) -> bool; 4] = [
    |a, b| {
        let turn = a.axes.transpose();
        let t = turn * (b.center - a.center);
        !ObbPair::new(turn * b.axes, t, a.half, b.half).apart(0.0)
    },
    |a, b| gjk::overlap(a, b),
    |a, b| boxes_overlap(a, b, 1).is_some(),
    surfaces_meet,
];

pub(crate) fn run(context: &Context) -> Report {
    let (complete_table, complete) = exact::run(context);
    let (infinite_table, infinite) = special::infinite(context);
    let (parallel_table, parallel) = special::parallel(context);
    let scenes = Scene::all(context);
    let (timed, claims) = compare(context, &scenes);
    let mut claims = Vec::from(claims);
    claims.extend([complete, infinite, parallel]);
    Report {
        charts: Vec::new(),
        id: "obbtree-table2",
        title: "Ways to test two boxes".to_owned(),
        what: "The paper times its test of two boxes against closest features, Seidel's linear programming and \
               144 tests of edges against faces. Here all four get the same boxes, in turns, on one machine; and \
               the fifteen axes are held against exact decisions, boxes without end and boxes that stand alike."
            .to_owned(),
        tables: vec![answers(&scenes), timed, complete_table, infinite_table, parallel_table],
        claims,
        notes: vec![
            "Times are the median over rounds in which the methods took turns. Every method is timed from two \
             boxes in one frame, so the test by axes pays for bringing one into the other's."
                .to_owned(),
        ],
    }
}

/// Pairs of boxes of one kind: apart, overlapping or nested.
struct Scene {
    /// What is true of all its pairs.
    meet: bool,
    pairs: Vec<[BoxShape; 2]>,
}

impl Scene {
    fn all(context: &Context) -> [Self; 3] {
        let count = if context.quick { 1000 } else { 10_000 };
        let mut random = Random::new(60);
        let mut fill = |meet, make: fn(&mut Random) -> [BoxShape; 2]| {
            let mut pairs = Vec::with_capacity(count);
            while pairs.len() < count {
                let pair = make(&mut random);
                // A hundredth of a box away from contact, all methods have to agree.
                if clearly(&pair) == Some(meet) {
                    pairs.push(pair);
                }
            }
            Self { meet, pairs }
        };
        [fill(false, near), fill(true, near), fill(true, nested)]
    }
}

fn any_box(random: &mut Random) -> BoxShape {
    BoxShape {
        center: random.point(-1.5, 1.5),
        axes: random.rotation(),
        half: random.point(0.2, 1.2),
    }
}

/// Two boxes that are near each other.
fn near(random: &mut Random) -> [BoxShape; 2] {
    [any_box(random), any_box(random)]
}

/// The second within the first.
fn nested(random: &mut Random) -> [BoxShape; 2] {
    let outer = BoxShape { half: random.point(2.0, 3.0), ..any_box(random) };
    // The diagonal of the inner one is 0.87 at most, and its centre 0.87 from the outer one's.
    let inner = BoxShape {
        center: outer.center + random.point(-0.5, 0.5),
        axes: random.rotation(),
        half: random.point(0.1, 0.5),
    };
    [outer, inner]
}

/// Whether they meet, if they still do or do not when grown or shrunk by a hundredth.
fn clearly([a, b]: &[BoxShape; 2]) -> Option<bool> {
    let sized = |s: &BoxShape, by: f64| BoxShape { half: s.half * by, ..*s };
    let meet = |by| ANSWERS[0](&sized(a, by), &sized(b, by));
    let (shrunk, grown) = (meet(0.99), meet(1.01));
    (shrunk == grown).then_some(shrunk)
}

/// How many answers of each method are right.
fn answers(scenes: &[Scene]) -> Table {
    let mut table =
        Table::new("Right answers, of as many pairs", ["method", "apart", "overlapping", "nested"]);
    for (name, answer) in METHODS.iter().zip(ANSWERS) {
        let right = scenes.iter().map(|scene| Cell::Count(right(scene, answer)));
        table.row(std::iter::once((*name).into()).chain(right).collect::<Vec<_>>());
    }
    table
}

fn right(scene: &Scene, answer: fn(&BoxShape, &BoxShape) -> bool) -> u64 {
    scene.pairs.iter().filter(|[a, b]| answer(a, b) == scene.meet).count() as u64
}

/// Every method's time on the pairs that are apart and on those that overlap.
struct Times {
    rounds: [Rounds; 2],
    pairs: f64,
}

impl Times {
    fn measure(context: &Context, scenes: &[Scene]) -> Self {
        let count = if context.quick { 5 } else { 25 };
        context.progress.message("timing the four methods");
        let of = |scene: &Scene| {
            let pass = |answer: fn(&BoxShape, &BoxShape) -> bool| {
                // Called through the pointer: no method is spread into the loop, and all pay for
                // the call.
                let answer = black_box(answer);
                move || {
                    let met = scene.pairs.iter().filter(|[a, b]| answer(a, b)).count();
                    black_box(met);
                }
            };
            let [mut axes, mut gjk, mut linear, mut naive] = ANSWERS.map(pass);
            Rounds::run(count, &mut [&mut axes, &mut gjk, &mut linear, &mut naive])
        };
        Self { rounds: [of(&scenes[0]), of(&scenes[1])], pairs: scenes[0].pairs.len() as f64 }
    }

    /// Nanoseconds a pair.
    fn nanoseconds(&self, scene: usize, method: usize) -> f64 {
        self.rounds[scene].secs(method).median * 1e9 / self.pairs
    }

    /// How many times the second's time the first takes, on pairs apart and on overlapping ones.
    fn ratios(&self, first: usize, second: usize) -> [Spread; 2] {
        [0, 1].map(|scene| self.rounds[scene].ratio(first, second))
    }
}

fn compare(context: &Context, scenes: &[Scene]) -> (Table, [Claim; 3]) {
    let times = Times::measure(context, scenes);
    let mut table = Table::new(
        "Table 2, the paper's times on an HP 735/125 beside ours",
        [
            "method",
            "paper's time, µs",
            "time apart, ns",
            "time overlapping, ns",
            "times the axes', apart",
            "times the axes', overlapping",
        ],
    );
    let printed = ["5–7", "45–105", "180–230", "–"];
    for (method, name) in METHODS.into_iter().enumerate() {
        let [apart, overlapping] = times.ratios(method, 0);
        table.row([
            name.into(),
            printed[method].into(),
            times.nanoseconds(0, method).into(),
            times.nanoseconds(1, method).into(),
            apart.median.into(),
            overlapping.median.into(),
        ]);
    }
    (table, [gjk_claim(&times), program_claim(&times), naive_claim(&times, scenes)])
}

fn both(ratios: &[Spread; 2]) -> String {
    format!("{} × on pairs apart, {} × on overlapping ones", ratios[0].show(1), ratios[1].show(1))
}

/// Holds if every ratio is above 1; as printed if all medians are in the printed range.
fn verdict(ratios: &[Spread], printed: std::ops::RangeInclusive<f64>) -> Verdict {
    if ratios.iter().any(|ratio| ratio.median <= 1.0) {
        Verdict::DoesNotHold
    } else if ratios.iter().all(|ratio| printed.contains(&ratio.median)) {
        Verdict::Holds
    } else {
        Verdict::HoldsWithAnotherNumber
    }
}

fn gjk_claim(times: &Times) -> Claim {
    let ratios = times.ratios(1, 0);
    Claim::timed("OBB-T2-gjk", "Separating axes beat closest features on boxes.")
        .paper("6–21 × (45–105 against 5–7 µs)")
        .ours(both(&ratios))
        .verdict(verdict(&ratios, 6.0..=21.0))
        .why("GJK stops here as soon as it sees a plane between the boxes; the paper's walk was for general polytopes.")
}

fn program_claim(times: &Times) -> Claim {
    let (to_axes, to_gjk) = (times.ratios(2, 0), times.ratios(2, 1));
    let slowest = to_gjk.iter().all(|ratio| ratio.median > 1.0);
    let verdict = if slowest { verdict(&to_axes, 26.0..=46.0) } else { Verdict::DoesNotHold };
    Claim::timed(
        "OBB-T2-lp",
        "Separating axes beat Seidel's linear programming, which is the slowest of the three.",
    )
    .paper("26–46 × (180–230 against 5–7 µs)")
    .ours(format!("{}; against GJK {}", both(&to_axes), both(&to_gjk)))
    .verdict(verdict)
    .why(
        "The program is solved in the first box's frame, where that box is the range of the variables and only six \
         half-spaces are left, and the search sets out towards the other box, where it mostly finds a common point \
         at once if there is one; the paper's solver was for general polytopes.",
    )
}

fn naive_claim(times: &Times, scenes: &[Scene]) -> Claim {
    let counted = |scene: &Scene| ANSWERS.map(|answer| right(scene, answer));
    let all = scenes[0].pairs.len() as u64;
    let nested = counted(&scenes[2]);
    let counts_hold = counted(&scenes[0]) == [all; 4]
        && counted(&scenes[1])[..3] == [all; 3]
        && nested == [all, all, all, 0];
    let ratios = [0, 1, 2].map(|method| times.ratios(3, method));
    // On as many pairs apart as overlapping.
    let mixed = |method| times.nanoseconds(0, method) + times.nanoseconds(1, method);
    let faster = (0..3).all(|method| mixed(method) < mixed(3));
    let verdict = match (counts_hold, faster) {
        (false, _) => Verdict::DoesNotHold,
        (true, true) => Verdict::Holds,
        (true, false) => Verdict::HoldsWithAnotherNumber,
    };
    let shown: Vec<String> = METHODS
        .iter()
        .zip(&ratios)
        .map(|(name, ratios)| format!("{name} {}", both(ratios)))
        .collect();
    let mut claim = Claim::gate(
        "OBB-T2-naive",
        "All three are much faster than 144 tests of edges against faces, which also miss nested boxes.",
    )
    .paper("none")
    .ours(format!(
        "the naive test misses {} of {} nested boxes, the others none; its time is that of {}",
        grouped(all - nested[3]),
        grouped(all),
        shown.join("; ")
    ))
    .verdict(verdict)
    .why(
        "What it misses is counted and has to be so; the clock only says by how much it is slower. The \
         verdict is on as many pairs apart as overlapping: on these it stops at the first edge that meets a face, \
         and is not that bad.",
    );
    claim.timed = true;
    claim
}
