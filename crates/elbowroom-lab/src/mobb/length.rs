//! §6: the longer the motions, the more the tree gains; for short ones a plain search may do.

use elbowroom_motion::space_time::Trace;

use super::clips::{self, Motions, Origin, walks, whole};
use super::measure::{Measured, PLAIN, PRODUCTION};
use super::paper::{MOBB, ONE_LEVEL};
use super::queries::{Draw, SHARE, all_centred, shift_for};
use crate::{Claim, Context, Report, Table, Verdict};

/// Seconds of motions.
const LENGTHS: [f64; 8] = [2.0, 5.0, 10.0, 20.0, 42.0, 120.0, 600.0, 3600.0];
/// Up to ten minutes the paper's claim is asked about; to an hour the cost is shown.
const CLAIMED: usize = 7;

pub(crate) fn run(context: &Context) -> Report {
    let lengths = if context.quick { &LENGTHS[..5] } else { &LENGTHS[..] };
    let Motions { origins, notes } = clips::short(context);
    context.progress.ahead((lengths.len() * origins.len()) as u64);
    let (mut tables, mut claims) = (Vec::new(), Vec::new());
    for (origin, steps) in &origins {
        let rows: Vec<Row> = lengths
            .iter()
            .map(|&secs| {
                context.progress.message(&format!("{}, {secs} s", origin.name()));
                let row = Row::new(context, secs, &walks(steps, 14, secs, 0x1e26));
                context.progress.inc(1);
                row
            })
            .collect();
        tables.push(table(*origin, &rows));
        claims.extend([longer(*origin, &rows), short(*origin, &rows)]);
    }
    Report {
        charts: Vec::new(),
        id: "mobb-length",
        title: "Cost against the length of the motions".to_owned(),
        what: "Seeded walks of the short motions, from two seconds to an hour, 14 of each length, and random queries as in Table 2: delays up to 1.2 times the length, shifts \
               such that 5 % collide. The plain search works out which samples are held together and compares them one by one until two collide."
            .to_owned(),
        tables,
        claims,
        notes,
    }
}

struct Row {
    secs: f64,
    shift: f64,
    measured: Measured,
}

impl Row {
    fn new(context: &Context, secs: f64, traces: &[Trace]) -> Self {
        let traces = all_centred(traces);
        let delay = secs / 0.83;
        let shift = shift_for(&traces, delay, SHARE);
        let draw = Draw { shift, delay, on_grid: false };
        let most = if context.quick { 500 } else { 20_000 };
        // An hour of samples compared one by one takes a tenth of a millisecond.
        let count = most.min(whole(4e6 / secs)).max(200);
        let queries = draw.queries(traces.len(), count, 0x1e27);
        let measured = Measured::of(&traces, &queries, if context.quick { 1 } else { 5 });
        Self { secs, shift, measured }
    }

    fn gain(&self) -> f64 {
        self.measured.ratio(ONE_LEVEL, MOBB)
    }

    /// How many times as long as the plain search a tree takes, the quicker of ours.
    fn plain_over_tree(&self) -> f64 {
        self.measured.ratio(PLAIN, MOBB)
    }
}

fn table(origin: Origin, rows: &[Row]) -> Table {
    let mut table = Table::new(
        &format!("A query by the length of both motions, {}", origin.name()),
        [
            "seconds",
            "largest shift (m)",
            "sample tests, 1 level",
            "sample tests, MOBB",
            "1 level time (µs)",
            "MOBB time (µs)",
            "flat circles time (µs)",
            "plain search time (µs)",
            "1 level / MOBB time",
            "plain / MOBB time",
            "plain / flat time",
        ],
    );
    for row in rows {
        let m = &row.measured;
        table.row([
            row.secs.into(),
            row.shift.into(),
            m.tests(ONE_LEVEL)[2].into(),
            m.tests(MOBB)[2].into(),
            m.micros(ONE_LEVEL).into(),
            m.micros(MOBB).into(),
            m.micros(PRODUCTION).into(),
            m.micros(PLAIN).into(),
            row.gain().into(),
            row.plain_over_tree().into(),
            m.ratio(PLAIN, PRODUCTION).into(),
        ]);
    }
    table
}

fn longer(origin: Origin, rows: &[Row]) -> Claim {
    let id = origin.id(["MOBB-S6-length", "MOBB-S6-cmu-length"]);
    let rows = &rows[..rows.len().min(CLAIMED)];
    let gains: Vec<f64> = rows.iter().map(Row::gain).collect();
    let rising = gains.windows(2).filter(|pair| pair[1] > pair[0]).count();
    let (first, last) = (gains[0], gains[gains.len() - 1]);
    let shown: Vec<String> =
        rows.iter().map(|row| format!("{:.1} at {} s", row.gain(), row.secs)).collect();
    Claim::timed(id, "The longer the motions, the more the tree gains over one box.")
        .paper("2 times at 2 s, 11.6 times at 42 s")
        .ours(shown.join(", "))
        .verdict(match (rising + 1 >= gains.len(), last > 2.0 * first) {
            (true, true) => Verdict::Holds,
            (_, true) => Verdict::HoldsWithAnotherNumber,
            _ => Verdict::DoesNotHold,
        })
}

fn short(origin: Origin, rows: &[Row]) -> Claim {
    let id = origin.id(["MOBB-S6-short", "MOBB-S6-cmu-short"]);
    let shown = |ratio: fn(&Row) -> f64| {
        let shown: Vec<String> =
            rows.iter().take(5).map(|row| format!("{:.2} at {} s", ratio(row), row.secs)).collect();
        shown.join(", ")
    };
    let crossing = rows.iter().find(|row| row.plain_over_tree() > 1.0).map(|row| row.secs);
    let shortest = rows[0].plain_over_tree();
    Claim::timed(id, "For short motions a search in time with direct comparison is likely fastest.")
        .paper("in words; its own Table 1 has the tree twice as fast as one box and a search")
        .ours(format!(
            "time plain/MOBB {}; the tree wins from {} on; plain/flat circles {}",
            shown(Row::plain_over_tree),
            crossing.map_or("nowhere".to_owned(), |secs| format!("{secs} s")),
            shown(|row| row.measured.ratio(PLAIN, PRODUCTION))
        ))
        .verdict(if shortest < 1.0 { Verdict::Holds } else { Verdict::DoesNotHold })
        .why(
            "It is so in the crowd of Table 1, where half of the queries share no moment and many collide; at random places the boxes part most motions, \
             even those of two seconds. Flat circles are faster than both.",
        )
}
