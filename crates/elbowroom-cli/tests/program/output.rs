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
    let quiet = desk.run(&["check", "--quiet"]);
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (1, "", ""));
    let quiet_json = desk.run(&["check", "--quiet", "--json"]);
    let json = desk.run(&["check", "--json"]);
    assert_eq!((quiet_json.code, &quiet_json.out), (1, &json.out));
    assert_eq!(quiet_json.err, "");
    let table = desk.run(&["check"]);
    let zero = desk.run(&["check", "--exit-zero"]);
    assert_eq!((zero.code, &zero.out), (0, &table.out));
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let desk = Desk::new();
    let arguments = ["check", "--json", "--triangles"];
    let first = desk.run(&arguments);
    assert!(first.out.len() > 1000);
    assert_eq!(first, desk.run(&arguments));
}

#[test]
fn output_has_no_colour_and_ends_with_a_line_end() {
    let desk = Desk::new();
    for arguments in [&["check"][..], &["check", "--json"]] {
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
