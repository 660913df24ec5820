//! Every experiment, run small: what has to hold holds, and what is counted is counted the same twice.

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::thread;

use elbowroom::body::{Hold, Joint, JointId, Local, Part, Rig, Skeleton};
use elbowroom_lab::{
    Absent, Cell, Claim, Context, Data, EXPERIMENTS, NoData, Report, Silent, Verdict, find,
};
use elbowroom_make::body::{Gait, Move};

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
        assert!(["OBB", "CAB", "SBBK", "BCH", "MOBB"].contains(&paper), "{id}");
        let (kind, number) = place.split_at(1);
        // A figure may have parts: 6a.
        let number = number.trim_end_matches(['a', 'b']);
        assert!(["T", "F", "S", "D"].contains(&kind) && number.parse::<u32>().is_ok(), "{id}");
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
}

#[test]
fn real_bodies_are_taken_beside_the_generated_ones() {
    let context = Context { quick: true, progress: &Silent, data: &StandIns };
    let mut added = 0;
    for (id, claims, tables) in [
        ("cab-table5", 6, 3),
        ("sbbk-monkeys", 2, 3),
        ("sbbk-helicopter", 2, 2),
        ("bch-fig3", 10, 1),
        ("bch-fig6a", 4, 3),
        ("bch-fig6b", 3, 2),
        ("bch-table1", 3, 3),
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
    assert_eq!(added, 49);
}

/// Every claim of the paper on bounding cylinders has its verdict.
#[test]
fn all_claims_about_cylinders_are_decided() {
    let ids: BTreeSet<&str> = claims().map(|claim| claim.id).collect();
    for id in [
        "BCH-S3-partition",
        "BCH-S3-single",
        "BCH-S3-binary",
        "BCH-F3-build",
        "BCH-F3-contour",
        "BCH-F3-projected",
        "BCH-F3-turnover",
        "BCH-F3-overlap",
        "BCH-F3-centre",
        "BCH-S3-hypothesis",
        "BCH-S4-degenerate",
        "BCH-S4-cache",
        "BCH-S4-worst",
        "BCH-F6a-order",
        "BCH-F6a-threshold",
        "BCH-F6b-depth",
        "BCH-S5-limit",
        "BCH-S4-obb-lod",
        "BCH-T1-radii",
        "BCH-S5-radius",
        "BCH-T1-volume",
        "BCH-T1-spread",
        "BCH-S7-fixed",
        "BCH-S7-detail",
        "BCH-S6-covariance",
        "BCH-S6-clip",
        "BCH-S6-slices",
    ] {
        assert!(ids.contains(id), "{id}");
    }
}

/// Every claim of the paper on motion clips has its verdict.
#[test]
fn all_claims_about_motions_are_decided() {
    let ids: BTreeSet<&str> = claims().map(|claim| claim.id).collect();
    for id in [
        "MOBB-S3-exact",
        "MOBB-F1-crossing",
        "MOBB-S3-axis",
        "MOBB-S3-nmin",
        "MOBB-S3-rule",
        "MOBB-S3-leaf",
        "MOBB-S4-tighter",
        "MOBB-S5-deeper",
        "MOBB-S4-extent",
        "MOBB-T1-root",
        "MOBB-T1-shallow",
        "MOBB-T1-gain",
        "MOBB-T1-alike",
        "MOBB-T1-counts",
        "MOBB-T2-gain",
        "MOBB-T2-best",
        "MOBB-T2-counts",
        "MOBB-T2-cost",
        "MOBB-T12-aligned",
        "MOBB-S6-length",
        "MOBB-S6-short",
        "MOBB-S6-merge",
    ] {
        assert!(ids.contains(id), "{id}");
    }
}

/// Every claim of the paper on OBB trees has its verdict.
#[test]
fn all_claims_about_oriented_boxes_are_decided() {
    let ids: BTreeSet<&str> = claims().map(|claim| claim.id).collect();
    for id in [
        "OBB-T1-counts",
        "OBB-T1-zero",
        "OBB-S5-worst",
        "OBB-S1-mean",
        "OBB-S5-complete",
        "OBB-S5-infinite",
        "OBB-S7-parallel",
        "OBB-T2-gjk",
        "OBB-T2-lp",
        "OBB-T2-naive",
        "OBB-S4-interior",
        "OBB-S4-dense-edge",
        "OBB-S4-closed",
        "OBB-S4-rank",
        "OBB-S4-build",
        "OBB-S4-median",
        "OBB-S6-quadratic",
        "OBB-S6-linear",
        "OBB-S6-orientation",
        "OBB-S6-cover",
        "OBB-F5-slope-obb",
        "OBB-F5-slope-aabb",
        "OBB-F5-level",
        "OBB-F5-same",
        "OBB-F5-prims",
        "OBB-F6-gap",
        "OBB-F9-torus",
        "OBB-S6-no-gain",
        "OBB-S3-far",
        "OBB-S3-cost",
        "OBB-S7-costs",
        "OBB-S7-win",
        "OBB-S7-sphere-tree",
        "OBB-S7-degenerate",
        "OBB-S7-cascade",
        "OBB-S7-memory",
        "OBB-S7-quaternion",
        "OBB-S7-share",
        "OBB-T3-pipes",
        "OBB-T3-torus",
        "OBB-T3-thin",
        "OBB-F7-torpedo",
        "OBB-S8-extend",
    ] {
        assert!(ids.contains(id), "{id}");
    }
}

/// Every claim of the paper on boxes for joined links has its verdict.
#[test]
fn all_claims_about_joined_boxes_are_decided() {
    let ids: BTreeSet<&str> = claims().map(|claim| claim.id).collect();
    for id in [
        "CAB-S3-bound",
        "CAB-S3-axis",
        "CAB-S3-sum",
        "CAB-S3-elongated",
        "CAB-T15-truth",
        "CAB-T15-same",
        "CAB-T15-brute",
        "CAB-T15-filter",
        "CAB-T15-update",
        "CAB-T15-aabb",
        "CAB-T15-looser",
        "CAB-T15-total",
        "CAB-T15-order",
        "CAB-T12-ratio",
        "CAB-T3-nonconvex",
        "CAB-T4-braid",
        "CAB-S2-lazy",
        "CAB-T5-hand",
        "CAB-S4-realtime",
    ] {
        assert!(ids.contains(id), "{id}");
    }
}

/// Every claim of the paper on layered trees has its verdict.
#[test]
fn all_claims_about_layers_are_decided() {
    let ids: BTreeSet<&str> = claims().map(|claim| claim.id).collect();
    for id in [
        "SBBK-S2-tight",
        "SBBK-S2-cost",
        "SBBK-S3-root",
        "SBBK-S3-visits",
        "SBBK-S3-soft",
        "SBBK-S3-hybrids",
        "SBBK-S3-single",
        "SBBK-S3-both",
        "SBBK-S3-always",
        "SBBK-F34-front",
        "SBBK-F34-jump",
        "SBBK-S3-queue",
        "SBBK-F67-accuracy",
        "SBBK-T1-fps",
        "SBBK-T2-monkeys",
        "SBBK-D1-growth",
        "SBBK-S5-auto",
    ] {
        assert!(ids.contains(id), "{id}");
    }
}
