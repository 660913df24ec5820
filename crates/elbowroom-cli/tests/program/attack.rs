//! Cases of `scripts/attack` that were findings, or are of a kind that was: each ends as the
//! program promises (docs/robustness.md), with its inputs as they were.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::desk::{Desk, Run};

/// `case.json` in a folder of testdata/attack; the other files there are what it reads.
#[derive(Deserialize)]
struct Case {
    why: String,
    arguments: Vec<String>,
    /// The exit codes that are right.
    codes: Vec<i32>,
}

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/attack");
    let entries = fs::read_dir(&root).expect("testdata/attack");
    let mut folders: Vec<_> = entries.map(|entry| entry.expect("a folder").path()).collect();
    folders.sort();
    folders
}

/// Files of a case: their names and bytes.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("a file").file_name());
    let names = names.map(|name| name.into_string().expect("UTF-8")).filter(|n| n != "case.json");
    names.map(|name| (name.clone(), fs::read(folder.join(name)).expect("a file"))).collect()
}

/// Replays a case. `Run` is already sure that no signal ended it and that its output is UTF-8.
fn replay(folder: &Path) -> Run {
    let text = fs::read_to_string(folder.join("case.json")).expect("case.json");
    let case: Case = serde_json::from_str(&text).expect("a case");
    let desk = Desk::new();
    let inputs = files(folder);
    for (name, bytes) in &inputs {
        desk.put(name, bytes);
    }
    let arguments: Vec<_> = case.arguments.iter().map(String::as_str).collect();
    let run = desk.run(&arguments);
    let about = format!("{}: {} gives {run:?}", folder.display(), case.why);
    assert!(case.codes.contains(&run.code), "{about}");
    assert!(!run.err.contains("panicked"), "{about}");
    assert!(run.code != 2 || run.err.contains("error: "), "{about}");
    let is_control = |c: char| c.is_control() && c != '\n' && c != '\t';
    assert!(!run.out.contains(is_control) && !run.err.contains(is_control), "{about}");
    if arguments.contains(&"--json") && run.code < 2 {
        run.json();
    }
    for (name, bytes) in &inputs {
        let now = fs::read(desk.path().join(name)).expect("an input");
        assert!(now == *bytes, "{name} was changed: {about}");
    }
    let left = fs::read_dir(desk.path()).expect("a folder");
    let is_draft = |name: &std::ffi::OsString| name.to_string_lossy().ends_with(".part");
    assert!(!left.map(|entry| entry.expect("a file").file_name()).any(|n| is_draft(&n)), "{about}");
    run
}

#[test]
fn cases_of_the_attack_end_as_promised() {
    let mut met = [0; 4];
    for folder in folders() {
        met[usize::try_from(replay(&folder).code).expect("0 to 3")] += 1;
    }
    // Most are refused at the door; some are examined.
    assert!(met[2] >= 12 && met[0] + met[1] >= 2, "{met:?}");
}

/// The page of a resumed check names the command without `--resume`: its bytes are those of a check
/// that was never interrupted, as `--help` promises.
#[test]
fn a_resumed_page_has_the_same_bytes() {
    let desk = Desk::new();
    let command = ["check", "-q", "--frames", "100-102", "-o", "x.html"];
    let page = |run: Run| {
        assert_eq!(run.code, 1, "{run:?}");
        fs::read(desk.path().join("x.html")).expect("a page")
    };
    let whole = page(desk.run(&command));
    let resumed = page(desk.run(&[&command[..], &["--resume"]].concat()));
    assert!(whole == resumed, "not the same bytes");
}
