//! Ctrl-C, `kill` and `kill -9` from outside, and going on afterwards.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::desk::{Desk, Run};

/// The built-in people at a rate at which it takes a while.
const LONG: [&str; 7] = ["check", "-q", "--fps", "60", "-o", "x.ndjson", "--threads=2"];

fn begin(desk: &Desk, arguments: &[&str]) -> Child {
    let mut command = desk.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs")
}

/// Waits until an output has this many bytes under the name that it grows under, or the program is
/// done.
fn wait_for(child: &mut Child, path: &Path, bytes: u64) {
    let start = Instant::now();
    let name = path.file_name().expect("a name").to_string_lossy();
    let is_part = |entry: &std::fs::DirEntry| {
        entry.file_name().to_string_lossy().starts_with(&format!(".{name}."))
    };
    let length = || {
        let entries = std::fs::read_dir(path.parent().expect("a folder")).expect("a folder");
        let parts = entries.flatten().filter(is_part);
        parts.filter_map(|part| part.metadata().ok()).map(|about| about.len()).max().unwrap_or(0)
    };
    while length() < bytes && child.try_wait().is_ok_and(|status| status.is_none()) {
        assert!(start.elapsed() < Duration::from_secs(100), "nothing is written");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn send(child: &Child, signal: &str) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()), "{signal}");
}

fn last_line(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).expect("a file");
    serde_json::from_str(text.lines().last().expect("a line")).expect("JSON")
}

#[test]
fn what_was_found_is_kept_and_gone_on_with() {
    let whole = Desk::new();
    let run = whole.run(&LONG);
    assert_eq!(run.code, 1, "{run:?}");
    let expected = std::fs::read(whole.path().join("x.ndjson")).expect("a file");
    let desk = Desk::new();
    let path = desk.path().join("x.ndjson");
    let (mut stopped, mut resume) = (0, Vec::new());
    for (signal, part) in [("-INT", 4), ("-KILL", 3), ("-TERM", 2)] {
        let mut child = begin(&desk, &[&LONG[..], &resume].concat());
        wait_for(&mut child, &path, expected.len() as u64 / part);
        send(&child, signal);
        let output = child.wait_with_output().expect("the program ends");
        resume = vec!["--resume"];
        if output.status.code().is_none() {
            assert_eq!(signal, "-KILL");
            stopped += 1;
            continue;
        }
        let run = Run::from(output);
        // A machine that is fast enough may have been done before.
        if run.code == 3 {
            assert!(run.err.contains("interrupted after frame"), "{}", run.err);
            assert!(run.err.contains("--resume"), "{}", run.err);
            let end = last_line(&path);
            assert_eq!((&end["type"], &end["complete"]), (&"end".into(), &false.into()));
            assert!(end["interrupted_after"].as_i64().is_some_and(|frame| frame < 480));
            stopped += 1;
        }
    }
    assert!(stopped > 0, "nothing was interrupted");
    let run = desk.run(&[&LONG[..], &["--resume"]].concat());
    assert_eq!(run.code, 1, "{run:?}");
    assert!(std::fs::read(&path).expect("a file") == expected, "not the same bytes");
    assert!(!desk.path().join("x.ndjson.progress").exists());
}

#[test]
fn a_reader_who_has_seen_enough_ends_the_stream() {
    let desk = Desk::new();
    let mut child = begin(&desk, &["check", "-q", "--fps", "2000", "--ndjson"]);
    drop(child.stdout.take());
    let run = Run::from(child.wait_with_output().expect("the program ends"));
    assert_eq!((run.code, run.err.as_str()), (3, ""));
}
