//! Every experiment, run small: what has to hold holds, and what is counted is counted the same
//! twice.

mod verdicts;

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::thread;

use elbowroom_lab::{
    Absent, Cell, Chart, Claim, Context, Data, EXPERIMENTS, Marks, NoData, Report, Silent, Still,
    Verdict, Whose, find,
};
use elbowroom_make::body::{Gait, Move};
use elbowroom_motion::body::{Hold, Joint, JointId, Local, Part, Rig, Skeleton};
use glam::DQuat;

/// All experiments, run twice.
fn runs() -> &'static [Vec<Report>; 2] {
    static RUNS: OnceLock<[Vec<Report>; 2]> = OnceLock::new();
    RUNS.get_or_init(|| {
        let run = || -> Vec<Report> {
            let context = Context { quick: true, progress: &Silent, data: &NoData };
            EXPERIMENTS.iter().map(|experiment| experiment.run(&context)).collect()
        };
        thread::scope(|scope| {
            let other = scope.spawn(run);
            [run(), other.join().expect("experiments do not panic")]
        })
    })
}

fn claims() -> impl Iterator<Item = &'static Claim> {
    runs()[0].iter().flat_map(|report| &report.claims)
}

#[test]
fn what_has_to_hold_holds() {
    let failed: Vec<&Claim> = claims().filter(|claim| claim.failed()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    let gates = claims().filter(|claim| claim.gate).count();
    assert!(gates >= 15, "only {gates} claims have to hold");
    for claim in claims() {
        assert!(claim.verdict != Verdict::NotTestable, "{claim:#?}");
        let words = [&claim.claim, &claim.paper, &claim.ours];
        assert!(words.iter().all(|words| !words.is_empty()), "{claim:#?}");
    }
}

#[test]
fn every_claim_has_a_name_of_its_own() {
    let ids: Vec<&str> = claims().map(|claim| claim.id).collect();
    let different: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(different.len(), ids.len(), "{ids:?}");
    for id in ids {
        let parts: Vec<&str> = id.splitn(3, '-').collect();
        let [paper, place, subject] = parts[..] else { panic!("{id} has no three parts") };
        assert!(["OBB", "CAB", "SBBK", "BCH", "MOBB", "COMMON"].contains(&paper), "{id}");
        if paper == "COMMON" {
            // Of no paper: the place is an experiment of ours.
            assert!(find(&format!("common-{place}")).is_some(), "{id}");
        } else {
            let (kind, number) = place.split_at(1);
            // A figure may have parts: 6a.
            let number = number.trim_end_matches(['a', 'b']);
            assert!(["T", "F", "S", "D"].contains(&kind) && number.parse::<u32>().is_ok(), "{id}");
        }
        assert!(
            !subject.is_empty() && subject.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
            "{id}"
        );
    }
}

#[test]
fn experiments_are_found_by_name() {
    assert!(EXPERIMENTS.len() >= 4);
    for (experiment, report) in EXPERIMENTS.iter().zip(&runs()[0]) {
        assert_eq!(experiment.id, report.id);
        assert_eq!(experiment.title, report.title);
        assert_eq!(find(experiment.id).map(|found| found.title), Some(experiment.title));
        assert!(!report.tables.is_empty() && !report.claims.is_empty(), "{}", report.id);
    }
    assert!(find("obbtree-table0").is_none());
}

#[test]
fn tables_are_whole_and_become_json() {
    let mut numbers = 0;
    for table in runs()[0].iter().flat_map(|report| &report.tables) {
        assert!(!table.rows.is_empty(), "{} is empty", table.title);
        for row in &table.rows {
            assert_eq!(row.len(), table.columns.len(), "{}", table.title);
            let is_number = |cell: &&Cell| matches!(cell, Cell::Count(_) | Cell::Number(_));
            numbers += row.iter().filter(is_number).count();
        }
    }
    assert!(numbers > 300, "only {numbers} numbers");
    let json = serde_json::to_value(&runs()[0]).expect("reports become JSON");
    assert_eq!(json.as_array().map(Vec::len), Some(EXPERIMENTS.len()));
    assert_eq!(json[0]["claims"][0]["verdict"], "holds");
}

/// What is wrong with a chart, if anything.
fn fault(chart: &Chart) -> Option<String> {
    let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
    let is_named = !chart.name.is_empty() && !chart.title.is_empty() && !chart.y.label.is_empty();
    match &chart.marks {
        Marks::Lines(lines) => {
            let is_short = |points: &[[f64; 2]], whose| {
                points.len() < if whose == Whose::Ours { 2 } else { 1 }
            };
            let bad = lines.iter().find(|line| {
                is_short(&line.points, line.whose)
                    || line.name.is_empty()
                    || !finite(line.points.as_flattened())
                    || line.slope.is_some_and(|slope| !slope.is_finite())
            });
            (lines.is_empty() || chart.x.label.is_empty() || !is_named || bad.is_some())
                .then(|| format!("{bad:?}"))
        }
        Marks::Bars { groups, bars } => {
            let bad = bars.iter().find(|bar| {
                bar.heights.len() != groups.len()
                    || !finite(&bar.heights.iter().flatten().copied().collect::<Vec<_>>())
                    || bar.heights.iter().all(Option::is_none)
            });
            (groups.is_empty() || bars.is_empty() || !is_named || bad.is_some())
                .then(|| format!("{groups:?} {bad:?}"))
        }
        Marks::Boxes(spreads) => {
            let bad = spreads.iter().find(|spread| !spread.quartiles.is_sorted());
            (spreads.is_empty() || !is_named || bad.is_some()).then(|| format!("{bad:?}"))
        }
        Marks::Map { columns, rows, cells } => {
            let is_whole =
                cells.len() == rows.len() && cells.iter().all(|row| row.len() == columns.len());
            (rows.is_empty() || columns.is_empty() || !is_whole).then(|| format!("{rows:?}"))
        }
    }
}

#[test]
fn every_experiment_is_drawn() {
    let mut kinds = [0; 4];
    for report in &runs()[0] {
        assert!(!report.charts.is_empty(), "{} has no chart", report.id);
        let names: BTreeSet<&str> = report.charts.iter().map(|chart| chart.name).collect();
        assert_eq!(names.len(), report.charts.len(), "{}: {names:?}", report.id);
        for chart in &report.charts {
            let fault = fault(chart);
            assert!(fault.is_none(), "{} {}: {}", report.id, chart.name, fault.unwrap_or_default());
            kinds[match chart.marks {
                Marks::Lines(_) => 0,
                Marks::Bars { .. } => 1,
                Marks::Boxes(_) => 2,
                Marks::Map { .. } => 3,
            }] += 1;
        }
    }
    assert!(kinds[0] >= 35 && kinds[1] >= 45 && kinds[2] >= 3 && kinds[3] >= 1, "{kinds:?}");
}

/// Where a paper prints numbers, they stand beside ours.
#[test]
fn the_papers_numbers_are_drawn() {
    let mut printed = BTreeSet::new();
    for report in &runs()[0] {
        for chart in &report.charts {
            let is_any = match &chart.marks {
                Marks::Lines(lines) => lines.iter().any(|line| line.whose == Whose::Paper),
                Marks::Bars { bars, .. } => bars.iter().any(|bar| bar.whose == Whose::Paper),
                Marks::Boxes(_) | Marks::Map { .. } => false,
            };
            if is_any {
                printed.insert(report.id);
            }
        }
    }
    for id in [
        "obbtree-table1",
        "obbtree-table2",
        "obbtree-memory",
        "cab-table1",
        "cab-table2",
        "cab-table3",
        "cab-table4",
        "cab-table5",
        "cab-tables",
        "sbbk-descent",
        "sbbk-monkeys",
        "bch-fig3",
        "bch-fig6a",
        "bch-table1",
        "mobb-table1",
        "mobb-table2",
    ] {
        assert!(printed.contains(id), "{id}");
    }
}

/// What is left of a report without all that the clock had a part in.
fn untimed(report: &Report) -> Report {
    let mut report = report.clone();
    for table in &mut report.tables {
        let timed: Vec<bool> = table.columns.iter().map(|name| name.contains("time")).collect();
        for row in &mut table.rows {
            for (cell, _) in row.iter_mut().zip(&timed).filter(|(_, timed)| **timed) {
                *cell = Cell::Missing;
            }
        }
    }
    // That there is one is the same in every run.
    for chart in report.charts.iter_mut().filter(|chart| chart.timed) {
        chart.marks = Marks::Lines(Vec::new());
    }
    for claim in report.claims.iter_mut().filter(|claim| claim.timed) {
        claim.ours.clear();
        claim.verdict = Verdict::NotTestable;
    }
    report
}

#[test]
fn counts_are_the_same_in_every_run() {
    let [first, second] = runs();
    for (first, second) in first.iter().zip(second) {
        assert_eq!(untimed(first), untimed(second));
    }
}

#[test]
fn the_clock_opens_no_gate() {
    let mixed = ["OBB-T2-naive", "OBB-S4-build"];
    for claim in claims().filter(|claim| claim.gate && claim.timed) {
        // Of these the counts decide whether they hold, and the clock only how well.
        assert!(mixed.contains(&claim.id), "{claim:#?}");
    }
}

/// Someone who walks in a curve, another for each name; only the skeleton matters.
fn walker(name: &str) -> Rig {
    static SKELETON: OnceLock<Skeleton> = OnceLock::new();
    let skeleton = SKELETON.get_or_init(|| elbowroom_make::body::male().skeleton);
    let number = name.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31) + u32::from(byte));
    let turns = f64::from(number % 1000) / 1000.0 - 0.5;
    let mut gait = Gait::of(skeleton, Move::Walk).expect("one of our own");
    gait.yaw_rate = turns;
    let secs = if name.contains("long") { 42.0 } else { 4.0 };
    let mut rig = Rig::new(name, skeleton.clone());
    rig.clips = vec![gait.travelling(secs)];
    rig
}

/// Generated bodies in the place of real ones.
struct StandIns;

impl Data for StandIns {
    fn rig(&self, name: &str) -> Result<Rig, Absent> {
        let alone = |mesh| {
            let joint = Joint { name: "root".into(), parent: None, rest: Local::IDENTITY };
            let mut rig = Rig::new(name, Skeleton::new(vec![joint]).expect("a root"));
            rig.parts = vec![Part::new("head", mesh, Hold::Rigid(JointId(0)))];
            rig
        };
        match name {
            "meshes/robots/shadow_hand/right_hand.xml" => Ok(elbowroom_make::hand(2)),
            "meshes/suzanne.obj" => Ok(alone(elbowroom_make::monkey_head(2))),
            "meshes/helicopter_AW101.glb" => Ok(elbowroom_make::helicopter(2)),
            "characters/mh_female2850_cmu.glb" => Ok(elbowroom_make::body::female()),
            "characters/mh_male2850_cmu.glb" => Ok(elbowroom_make::body::male()),
            _ if name.starts_with("mocap/") => Ok(walker(name)),
            _ => Err(Absent::new(format!("{name}: nobody asks for that"))),
        }
    }

    /// People who hold their left arms higher and higher.
    fn stills(&self, name: &str) -> Result<Vec<Still>, Absent> {
        assert_eq!(name, "mocap/poses200.json.gz");
        let raised = |k: i32| DQuat::from_rotation_z(-0.1 * f64::from(k));
        Ok((0..12).map(|k| Still { turns: vec![("LeftArm".to_owned(), raised(k))] }).collect())
    }
}

#[test]
fn real_bodies_are_taken_beside_the_generated_ones() {
    let context = Context { quick: true, progress: &Silent, data: &StandIns };
    let mut added = 0;
    for (id, claims, tables) in [
        ("cab-table5", 6, 3),
        ("sbbk-monkeys", 2, 3),
        ("sbbk-helicopter", 2, 2),
        ("bch-fig3", 20, 2),
        ("bch-fig6a", 8, 6),
        ("bch-fig6b", 6, 4),
        ("bch-table1", 6, 6),
        ("mobb-axis", 3, 1),
        ("mobb-nmin", 3, 1),
        ("mobb-table1", 7, 8),
        ("mobb-table2", 4, 4),
        ("mobb-length", 2, 1),
    ] {
        let alone = runs()[0].iter().find(|report| report.id == id).expect("it was run");
        assert!(alone.notes.iter().any(|note| note.contains("counts alone")), "{id}");
        let report = find(id).expect("it is in the list").run(&context);
        assert!(report.failed().next().is_none(), "{id}: {:#?}", report.claims);
        assert!(!report.notes.iter().any(|note| note.contains("counts alone")), "{id}");
        assert_eq!(report.claims.len(), alone.claims.len() + claims, "{id}");
        assert_eq!(report.tables.len(), alone.tables.len() + tables, "{id}");
        // What is generated is as it was.
        let (with, without) = (untimed(&report), untimed(alone));
        assert_eq!(with.tables[..without.tables.len()], without.tables[..]);
        added += claims;
    }
    assert_eq!(added, 69);
}
