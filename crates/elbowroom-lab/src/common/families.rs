//! Every family on every scene: tests, time, memory, building, refitting.
//!
//! All structures are asked for all pairs of triangles that meet, on the same scenes, and give the
//! same pairs; what differs is the work. Times are the thread's own and stand as ratios to the
//! packed tree's in the same round. Bodies that stand on a floor are also asked whether they may
//! touch, by what they look like from above.

mod floor;
mod models;

use self::floor::Floor;
use self::models::Built;
use super::OWN;
use super::scene::{self, Scene};
use super::stand::{Counted, measure};
use super::structure::{KINDS, PACKED};
use super::turns::{Secs, Turns};
use crate::report::grouped;
use crate::sbbk::scene::COUNT;
use crate::{Axis, Bar, Cell, Chart, Claim, Context, Marks, Report, Table};

pub(crate) fn run(context: &Context) -> Report {
    let (real, notes) = scene::real(context);
    let mut scenes = scene::all(context.quick);
    scenes.extend(real);
    context.progress.ahead(scenes.len() as u64 + 2);
    let rounds = if context.quick { 1 } else { 9 };
    let mut rows = Vec::new();
    for scene in &scenes {
        context.progress.message(scene.name);
        rows.push(Row::measure(scene, rounds));
        context.progress.inc(1);
    }
    context.progress.message("building and refitting");
    let built = models::measure(context.quick);
    context.progress.inc(1);
    context.progress.message("bodies on a floor");
    let floors: Vec<Floor> =
        scenes.iter().filter_map(|scene| Floor::measure(scene, rounds)).collect();
    context.progress.inc(1);
    Report {
        id: "common-families",
        title: "Every family on every scene".to_owned(),
        what: format!(
            "{} structures meet {} scenes. Trees of one family and SBBK share the topology that boxes along the axes make; trees of oriented boxes are cut as \
             their boxes lie, for each of the fits; the packed tree is what a model has when nothing is said. All are asked for all pairs of triangles that meet.",
            KINDS.len(),
            rows.len()
        ),
        tables: vec![tests(&rows), models::table(&built), floor::table(&floors)],
        charts: charts(&rows, &built),
        claims: vec![
            answers(&rows),
            fewest(&rows),
            fastest(&rows),
            models::memory(&built),
            models::build(&built),
            models::refit(&built),
            floor::claim(&floors),
        ],
        notes: [
            "Times are of questions alone; in scenes that deform, the time to follow the vertices stands beside them.".to_owned(),
            "The packed tree's bytes hold its triangles as well; all other trees read those of the mesh.".to_owned(),
            "The packed tree counts a test for each of its four boxes a node, in batches of sixteen, so one test of it is far cheaper than one of a readable tree.".to_owned(),
        ]
        .into_iter()
        .chain(notes)
        .collect(),
    }
}

/// A scene, all kinds.
struct Row {
    name: &'static str,
    asks: usize,
    triangles: usize,
    is_soft: bool,
    counted: Vec<Counted>,
    turns: Turns,
}

impl Row {
    fn measure(scene: &Scene, rounds: usize) -> Self {
        let (counted, turns) = measure(scene, &KINDS, &COUNT, rounds);
        let (name, asks) = (scene.name, scene.asks.len());
        Self { name, asks, triangles: scene.triangles(), is_soft: scene.is_soft(), counted, turns }
    }

    fn volumes(&self, kind: usize) -> u64 {
        self.counted[kind].tally.volumes()
    }

    /// Questions on which a kind finds what the packed tree does.
    fn equal(&self, kind: usize) -> u64 {
        let pairs = self.counted[kind].pairs.iter().zip(&self.counted[PACKED].pairs);
        pairs.filter(|(a, b)| a == b).count() as u64
    }

    fn ask_ratio(&self, kind: usize) -> f64 {
        self.turns.ratio(kind, PACKED, |secs| secs.ask).median
    }
}

/// The kind with the least of something, but for the packed tree.
fn least(of: impl Fn(usize) -> f64) -> usize {
    let kinds = (0..KINDS.len()).filter(|&kind| kind != PACKED);
    kinds.min_by(|&a, &b| of(a).total_cmp(&of(b))).unwrap_or(PACKED)
}

fn tests(rows: &[Row]) -> Table {
    let mut table = Table::new(
        "Every structure on every scene: all pairs of triangles that meet",
        [
            "scene",
            "structure",
            "questions",
            "contacts",
            "N_v",
            "N_p",
            "time, µs a question",
            "time over packed OBB's, median (range)",
            "time to follow, µs a question",
        ],
    );
    for row in rows {
        for (kind, counted) in row.counted.iter().enumerate() {
            let asks = row.asks as f64;
            let micros = |part: fn(Secs) -> f64| 1e6 * row.turns.of(kind, part).median / asks;
            let follow = row.is_soft.then(|| micros(|secs| secs.follow));
            table.row([
                row.name.into(),
                KINDS[kind].name.into(),
                row.asks.into(),
                counted.contacts().into(),
                row.volumes(kind).into(),
                counted.tally.primitives.into(),
                micros(|secs| secs.ask).into(),
                row.turns.ratio(kind, PACKED, |secs| secs.ask).show(2).into(),
                Cell::from(follow),
            ]);
        }
    }
    table
}

fn answers(rows: &[Row]) -> Claim {
    let asked: u64 = rows.iter().map(|row| (row.asks * KINDS.len()) as u64).sum();
    let equal: u64 = rows.iter().flat_map(|row| (0..KINDS.len()).map(|kind| row.equal(kind))).sum();
    let contacts: u64 = rows.iter().map(|row| row.counted[PACKED].contacts()).sum();
    let clear = rows.iter().map(|row| row.asks as u64).sum::<u64>() - contacts;
    Claim::gate(
        "COMMON-families-answers",
        "Every structure finds the same pairs of triangles, touching and crossing, in every question of every scene.",
    )
    .paper(OWN)
    .ours(format!(
        "{} of {} answers are those of the packed tree; {} questions find contact and {} none, {} triangles in all scenes",
        grouped(equal),
        grouped(asked),
        grouped(contacts),
        grouped(clear),
        grouped(rows.iter().map(|row| row.triangles as u64).sum())
    ))
    .holds_if(equal == asked && contacts >= 10 && clear >= 10)
    .why("Volumes only cull; triangles are decided exactly.")
}

/// Who needs the fewest volume tests of the readable ones.
fn fewest(rows: &[Row]) -> Claim {
    let least = |row: &Row| least(|kind| row.volumes(kind) as f64);
    let is_oriented = |kind: usize| KINDS[kind].name.starts_with("OBB");
    let won = rows.iter().filter(|row| is_oriented(least(row))).count();
    let shown: Vec<String> =
        rows.iter().map(|row| format!("{}: {}", row.name, KINDS[least(row)].name)).collect();
    Claim {
        gate: false,
        ..Claim::gate(
            "COMMON-families-tests",
            "Of the readable trees, those of oriented boxes need the fewest volume tests.",
        )
    }
    .paper(OWN)
    .ours(format!("in {won} of {} scenes ({})", rows.len(), shown.join("; ")))
    .holds_if(2 * won > rows.len())
    .why("Along thirteen directions a 26-DOP fits as tightly as a box along the best three. Spheres side by side are what a tree of spheres has at its roots.")
}

fn fastest(rows: &[Row]) -> Claim {
    let second = |row: &Row| least(|kind| row.ask_ratio(kind));
    let won = rows.iter().filter(|row| row.ask_ratio(second(row)) >= 1.0).count();
    let shown: Vec<String> = rows
        .iter()
        .map(|row| {
            format!("{}: {} {:.1}", row.name, KINDS[second(row)].name, row.ask_ratio(second(row)))
        })
        .collect();
    Claim::timed("COMMON-families-time", "Packed oriented boxes answer soonest on every scene.")
        .paper(OWN)
        .ours(format!(
            "in {won} of {} scenes; the fastest of the others takes, times as long: {}",
            rows.len(),
            shown.join("; ")
        ))
        .holds_if(won == rows.len())
        .why("Spheres side by side are what a tree of spheres has at its roots, so that one test decides. In scenes that deform this leaves out that the packed tree is built anew.")
}

fn charts(rows: &[Row], built: &[Built]) -> Vec<Chart> {
    let groups: Vec<String> = rows.iter().map(|row| row.name.to_owned()).collect();
    let bars = |of: &dyn Fn(&Row, usize) -> f64| Marks::Bars {
        groups: groups.clone(),
        bars: KINDS
            .iter()
            .enumerate()
            .map(|(i, kind)| {
                Bar::ours(kind.name, rows.iter().map(|row| Some(of(row, i))).collect())
            })
            .collect(),
    };
    let mut charts = vec![
        Chart {
            name: "tests",
            title: "Volume tests by scene and structure".to_owned(),
            x: Axis::linear("scene"),
            y: Axis::log("volume tests a question, N_v"),
            marks: bars(&|row, kind| row.volumes(kind) as f64 / row.asks as f64),
            timed: false,
        },
        Chart {
            name: "times",
            title: "Time of questions by scene and structure".to_owned(),
            x: Axis::linear("scene"),
            y: Axis::log("time over the packed tree's"),
            marks: bars(&|row, kind| row.ask_ratio(kind)),
            timed: true,
        },
    ];
    charts.extend(models::charts(built));
    charts
}
