//! Time, memory and interrupts within one frame: `--time-limit`, SIGTERM and lists that are too
//! long end a heavy frame, with exit code 3 and a word on what to do.

use std::fmt::Write;

use elbowroom_testkit::random::Random;
use serde_json::json;

use crate::desk::Desk;
#[cfg(unix)]
use crate::desk::Run;

/// Large triangles, all through each other: what takes minutes to examine.
fn soup(triangles: u32, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::new();
    for _ in 0..3 * triangles {
        let [x, y, z] = [0; 3].map(|_| random.uniform(-1.0, 1.0));
        writeln!(text, "v {x:.6} {y:.6} {z:.6}").expect("strings take what is written");
    }
    for i in 0..triangles {
        let first = 3 * i + 1;
        writeln!(text, "f {first} {} {}", first + 1, first + 2)
            .expect("strings take what is written");
    }
    text
}

fn desk(triangles: u32) -> Desk {
    let desk = Desk::new();
    desk.put("a.obj", soup(triangles, 1));
    desk.put("b.obj", soup(triangles, 2));
    desk
}

#[test]
fn a_time_limit_ends_a_heavy_frame() {
    // 1.3 billion pairs of triangles meet.
    let desk = desk(60_000);
    let both = ["a.obj", "b.obj"];
    let cases: [(&[&str], &[&str]); 7] = [
        (&both, &[]),
        (&both, &["--solid"]),
        (&both, &["--depth"]),
        (&both, &["--where"]),
        (&both, &["--triangles"]),
        (&both, &["--self"]),
        (&both[..1], &["--self", "--clearance", "0.1"]),
    ];
    for (files, options) in cases {
        let limit = ["check", "--json", "--time-limit", "1500ms"];
        let run = desk.run(&[&limit, files, options].concat());
        assert_eq!(run.code, 3, "{options:?}: {run:?}");
        // What it is about depends on how long reading takes; memory may be the first to end.
        let is_told = ["time limit of 1.5 s was reached", "than can be held", "can be listed"];
        assert!(is_told.iter().any(|word| run.err.contains(word)), "{options:?}: {}", run.err);
        if run.err.contains("before the first frame") {
            let found = run.json();
            assert_eq!(
                (&found["complete"], &found["interrupted_after"]),
                (&json!(false), &json!(-1))
            );
            assert_eq!((&found["frames_examined"], &found["contacts"]), (&json!(0), &json!([])));
        }
    }
}

#[test]
fn a_time_limit_that_is_not_reached_changes_nothing() {
    let desk = desk(40);
    let plain = desk.run(&["check", "a.obj", "b.obj", "--json"]);
    let limited = desk.run(&["check", "a.obj", "b.obj", "--json", "--time-limit", "1h"]);
    assert_eq!((plain.code, &plain), (1, &limited));
    for bad in ["0", "-1s", "soon", "5 days", "", "nan"] {
        let run = desk.run(&["check", "a.obj", "b.obj", "--time-limit", bad]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{bad}: {run:?}");
    }
}

#[test]
fn a_time_limit_also_counts_while_files_are_read() {
    let desk = desk(30_000);
    let run = desk.run(&["check", "a.obj", "b.obj", "-o", "x.json", "--time-limit", "1ms"]);
    assert_eq!((run.code, run.out.as_str()), (3, ""), "{run:?}");
    assert!(run.err.contains("before there was a result"), "{}", run.err);
    assert!(!desk.path().join("x.json").exists());
    let run = desk.run(&["crowd", "--stand", "make:man", "make:woman", "--time-limit", "1ms"]);
    assert_eq!((run.code, run.out.as_str()), (3, ""), "{run:?}");
}

/// Frame after frame the same two soups, at first far apart: what was cut short is done again.
#[test]
fn what_was_cut_short_is_resumed_to_the_same_bytes() {
    let poses: Vec<String> = [9.0, 8.0, 0.1, 0.2, 9.0]
        .map(|x: f64| format!("[[1,0,0,{x}],[0,1,0,0],[0,0,1,0],[0,0,0,1]]"))
        .to_vec();
    let poses = format!("[{}]", poses.join(","));
    let arguments = ["check", "-q", "a.obj", "b.obj", "--poses", "p.json", "-o", "x.csv"];
    let whole = desk(4000);
    whole.put("p.json", &poses);
    assert_eq!(whole.run(&arguments).code, 1);
    let expected = std::fs::read(whole.path().join("x.csv")).expect("a file");
    let desk = desk(4000);
    desk.put("p.json", &poses);
    let mut resume: &[&str] = &[];
    for limit in ["50ms", "100ms", "200ms", "1h"] {
        let run = desk.run(&[&arguments[..], resume, &["--time-limit", limit]].concat());
        assert!([1, 3].contains(&run.code), "{run:?}");
        if desk.path().join("x.csv.progress").exists() {
            resume = &["--resume"];
        }
    }
    assert!(std::fs::read(desk.path().join("x.csv")).expect("a file") == expected);
}

/// Whether a program catches a signal, as the system says.
#[cfg(target_os = "linux")]
fn listens_to(id: u32, signal: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    caught.is_some_and(|bits| bits >> (signal - 1) & 1 == 1)
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_a_heavy_frame() {
    let desk = desk(60_000);
    for options in [&["--solid"][..], &["--self"], &["--where", "--clearance", "0.1"]] {
        let mut command = desk.command(&[&["check", "a.obj", "b.obj"], options].concat());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        while !listens_to(child.id(), 15) {
            assert!(child.try_wait().is_ok_and(|ended| ended.is_none()), "it ended by itself");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let id = child.id().to_string();
        let sent = std::process::Command::new("kill").args(["-TERM", &id]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        let run = Run::from(child.wait_with_output().expect("the program ends"));
        assert_eq!(run.code, 3, "{options:?}: {run:?}");
        assert!(run.err.contains("interrupted before the first frame"), "{}", run.err);
    }
}

/// Runs the program with this many kilobytes of memory.
#[cfg(target_os = "linux")]
fn run_within(desk: &Desk, kilobytes: u32, arguments: &str) -> Run {
    let program = env!("CARGO_BIN_EXE_elbowroom");
    let line = format!("ulimit -v {kilobytes}; exec '{program}' {arguments}");
    let mut shell = std::process::Command::new("sh");
    shell.current_dir(desk.path()).args(["-c", &line]);
    Run::from(shell.output().expect("a shell"))
}

#[cfg(target_os = "linux")]
#[test]
fn what_would_not_fit_into_memory_is_refused() {
    let desk = desk(16_000);
    // 71 million pairs of triangles meet; as many as they like of copies in one place.
    let mut copies = String::from("fps = 30\nframes = [0, 1]\n");
    for copy in 0..7000 {
        write!(copies, "[[model]]\nname = 'c{copy}'\nfile = 'make:cube'\n").expect("written");
    }
    desk.put("copies.toml", copies);
    let cases = [
        ("check a.obj b.obj --depth", "a and b meet in more pairs"),
        ("check a.obj b.obj --solid --self --depth --threads 2", "in more pairs"),
        ("check a.obj --self --where --triangles --json", "in more pairs than"),
        ("check copies.toml", "more than 10,000,000 contacts"),
    ];
    for (arguments, expected) in cases {
        let run = run_within(&desk, 3 << 20, arguments);
        assert_eq!(run.code, 3, "{arguments}: {run:?}");
        assert!(run.err.contains(expected), "{arguments}: {}", run.err);
        assert!(run.err.contains("hint:"), "{arguments}: {}", run.err);
    }
    // Pairs are not listed, and copies share what is found of one of them.
    let run = run_within(&desk, 1 << 20, "check copies.toml --touching ignore");
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("24,496,500 pairs"), "{}", run.out);
}
