//! How results are given: streams, switches, closed pipes, equal bytes.

use std::process::Stdio;

use crate::desk::{Desk, Run};

#[test]
fn help_and_version_are_data() {
    let desk = Desk::new();
    let version = desk.run(&["--version"]);
    assert_eq!(version.code, 0);
    assert_eq!(version.out, format!("elbowroom {}\n", env!("CARGO_PKG_VERSION")));
    let help = desk.run(&["check", "--help"]);
    assert_eq!((help.code, help.err.as_str()), (0, ""));
    for word in ["Examples:", "--poses", "crossing", "touching", "Exit code: 0", "row by row"] {
        assert!(help.out.contains(word), "no {word:?} in {}", help.out);
    }
}

#[test]
fn switches_change_what_is_said_and_not_what_is_found() {
    let desk = Desk::new();
    let short = ["check", "--frames", "90-120"];
    let with = |more: &[&str]| desk.run(&[&short[..], more].concat());
    let quiet = with(&["--quiet"]);
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (1, "", ""));
    let quiet_json = with(&["--quiet", "--json"]);
    let json = with(&["--json"]);
    assert_eq!((quiet_json.code, &quiet_json.out), (1, &json.out));
    assert_eq!(quiet_json.err, "");
    let table = with(&[]);
    let zero = with(&["--exit-zero"]);
    assert_eq!((zero.code, &zero.out), (0, &table.out));
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let desk = Desk::new();
    let arguments = ["check", "--frames", "90-120", "--json", "--triangles"];
    let first = desk.run(&arguments);
    assert!(first.out.len() > 1000);
    assert_eq!(first, desk.run(&arguments));
}

#[test]
fn output_has_no_colour_and_ends_with_a_line_end() {
    let desk = Desk::new();
    for arguments in [&["check", "--frames", "90-120"][..], &["check", "--frames", "100", "--json"]]
    {
        let run = desk.run(arguments);
        assert!(!run.out.contains('\u{1b}') && !run.err.contains('\u{1b}'));
        assert!(run.out.ends_with('\n'));
    }
}

#[test]
fn a_closed_pipe_is_silent() {
    let desk = Desk::new();
    for arguments in [&["check", "--quiet", "--json", "--triangles"][..], &["check"]] {
        let mut command = desk.command(arguments);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        drop(child.stdout.take());
        let run = Run::from(child.wait_with_output().expect("the program ends"));
        assert_eq!(run.code, 1, "{run:?}");
        assert!(!run.err.contains("error") && !run.err.contains("panicked"), "{}", run.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_incomplete_result() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let Ok(full) = full else {
        eprintln!("skipped: there is no /dev/full here");
        return;
    };
    let desk = Desk::new();
    let output = desk.command(&["check", "--json"]).stdout(full).output();
    let run = Run::from(output.expect("the program runs"));
    assert_eq!(run.code, 3);
    assert!(run.err.contains("could not be written"), "{}", run.err);
}

/// The text would be 70 GB long, and the list takes 30 GB of memory.
#[test]
fn a_list_that_is_too_long_is_refused_and_can_be_counted() {
    let desk = Desk::new();
    let faces = "f 1 2 3\n".repeat(60_000);
    desk.put("equal.obj", format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{faces}"));
    let arguments = ["check", "equal.obj", "equal.obj", "--json"];
    let refused = desk.run(&[&arguments[..], &["--triangles"]].concat());
    assert_eq!((refused.code, refused.out.as_str()), (3, ""));
    let problem = "error: equal and equal #2 meet in 3,600,000,000 pairs of triangles";
    assert!(refused.err.contains(problem), "{}", refused.err);
    assert!(refused.err.contains("leave out --triangles"), "{}", refused.err);
    let counted = desk.run(&arguments);
    assert_eq!(counted.code, 1);
    assert_eq!(counted.json()["contacts"][0]["triangle_pairs"], 3_600_000_000_u64);
}

/// 5,000 copies of a file meet in 12 million pairs.
#[test]
fn too_many_contacts_are_refused() {
    let desk = Desk::new();
    desk.put("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let mut arguments = vec!["a.obj"; 5000];
    arguments[0] = "check";
    let run = desk.run(&[&arguments[..], &["--json"]].concat());
    assert_eq!((run.code, run.out.as_str()), (3, ""));
    assert!(run.err.contains("error: there are more than 10,000,000 contacts"), "{}", run.err);
    assert!(run.err.contains("check fewer objects at once"), "{}", run.err);
    let few = desk.run(&[&arguments[..50], &["--json"]].concat());
    assert_eq!(few.json()["contacts"].as_array().map(Vec::len), Some(49 * 48 / 2));
}
