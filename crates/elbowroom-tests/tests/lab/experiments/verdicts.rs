//! Everything that the papers say has a verdict, and no verdict changes unseen.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use elbowroom_lab::{PAPERS, Report, Verdict, rows};
use elbowroom_testkit::data::{shared_dir, skip_note, skipped};

use super::{claims, runs};

#[test]
fn everything_that_the_papers_say_has_a_verdict() {
    let decided: BTreeSet<&str> = claims().map(|claim| claim.id).collect();
    let forgotten: Vec<&str> =
        rows().map(|row| row.id).filter(|id| !decided.contains(id)).collect();
    assert!(forgotten.is_empty(), "no experiment decides {forgotten:?}");
    assert_eq!(rows().count(), 128);
}

#[test]
fn every_experiment_is_of_a_paper_in_the_list() {
    for report in &runs()[0] {
        let experiment = elbowroom_lab::find(report.id).expect("it is in the list");
        assert!(PAPERS.iter().any(|paper| paper.name == experiment.paper), "{}", report.id);
    }
}

/// The list of claims that was made from the papers, where it lies beside the data, names the same.
#[test]
fn the_rows_are_those_of_the_list_of_claims() {
    let name = "the_rows_are_those_of_the_list_of_claims";
    let Some(data) = shared_dir() else { return skip_note(name) };
    let path = data.join("../docs/CLAIMS.md");
    let Ok(list) = std::fs::read_to_string(&path) else { return skipped(name, &path) };
    let is_row = |id: &str| PAPERS.iter().any(|p| id.starts_with(&format!("{}-", p.prefix)));
    let listed: BTreeSet<&str> = list
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(' ').next())
        .filter(|id| is_row(id))
        .collect();
    let ours: BTreeSet<&str> = rows().map(|row| row.id).collect();
    assert_eq!(ours, listed);
}

/// The verdicts on all claims that the clock has no part in, on generated bodies, run small.
fn untimed_verdicts() -> BTreeMap<&'static str, Verdict> {
    claims().filter(|claim| !claim.timed).map(|claim| (claim.id, claim.verdict)).collect()
}

/// Counts do not change by themselves, and so neither does what rests on them. Where a change is
/// meant, run this test with `ELBOWROOM_RENEW=1`, look at the difference of
/// testdata/lab/verdicts.json, and commit it.
#[test]
fn verdicts_are_as_they_were() {
    let path: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "..", "..", "testdata", "lab", "verdicts.json"]
            .iter()
            .collect();
    let now = untimed_verdicts();
    assert!(now.len() >= 90, "only {} verdicts without the clock", now.len());
    if std::env::var_os("ELBOWROOM_RENEW").is_some() {
        let text = serde_json::to_string_pretty(&now).expect("names and verdicts") + "\n";
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        std::fs::write(&path, text).expect("it can be written");
        return;
    }
    let text = std::fs::read_to_string(&path).expect("testdata/lab/verdicts.json is there");
    let before: BTreeMap<&str, Verdict> = serde_json::from_str(&text).expect("names and verdicts");
    let ids: BTreeSet<&str> = before.keys().chain(now.keys()).copied().collect();
    let said = |verdict: Option<&Verdict>| verdict.map_or("absent", |verdict| verdict.name());
    let changed: Vec<String> = ids
        .into_iter()
        .filter(|id| before.get(id) != now.get(id))
        .map(|id| format!("{id}: was {}, is {}", said(before.get(id)), said(now.get(id))))
        .collect();
    assert!(
        changed.is_empty(),
        "{}\nif that is meant, run this test with ELBOWROOM_RENEW=1 and commit the file",
        changed.join("\n")
    );
}

/// What is kept of a run comes back as it was.
#[test]
fn reports_are_read_back() {
    for report in &runs()[0] {
        let text = serde_json::to_string(report).expect("reports become JSON");
        let back: Report = serde_json::from_str(&text).expect("and back");
        assert_eq!(serde_json::to_string(&back).expect("again"), text, "{}", report.id);
        assert_eq!(back.id, report.id);
    }
}
