use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use clap::Parser;
use tempfile::TempDir;

use super::*;
use crate::command::{Args, Command};

/// How a run is made to end.
#[derive(Clone, Copy, Debug)]
enum End {
    Whole,
    /// Stops after this many frames.
    Stopped(usize),
    /// The reader is gone after this many frames, in the middle of a line.
    Killed(usize),
}

fn args(folder: &Path, arguments: &[&str], outputs: &[&str], resume: bool) -> CheckArgs {
    let mut line = vec!["elbowroom".to_owned(), "check".to_owned()];
    line.extend(
        arguments.iter().map(|argument| argument.replace("DIR", &folder.display().to_string())),
    );
    for output in outputs {
        line.extend(["-o".to_owned(), folder.join("out").join(output).display().to_string()]);
    }
    if resume {
        line.push("--resume".to_owned());
    }
    match Args::try_parse_from(line).expect("a command line").command {
        Command::Check(args) => args,
        other => panic!("{other:?}"),
    }
}

/// Runs once; whether it came to its end.
fn run_once(args: &CheckArgs, plan: &Plan, end: End, always: bool) -> bool {
    let targets = Targets::new(args).expect("targets");
    let cast = &plan.cast;
    let recorder = recorder(args, &targets, plan).expect("these can be resumed");
    let recorder = if always { recorder.always() } else { recorder };
    let record = if args.resume { recorder.read().expect("of this check") } else { None };
    let terms = Terms {
        targets: &targets,
        is_continuous: plan.continuous,
        top: 20,
        recorder: Some(recorder),
        has_page: true,
        record,
    };
    let mut ledger = Ledger::open(cast, terms).expect("files");
    let (stop, mut frames) = (Stop::default(), 0);
    let how = How { from: ledger.steps(), threads: Some(2), quiet: true, stop: &stop };
    let ended = plan.run(&how, &mut |report| {
        ledger.frame(report)?;
        frames += 1;
        match end {
            End::Stopped(after) if frames == after => stop.set(),
            End::Killed(after) if frames == after => return Err(Halt::Closed),
            _ => {}
        }
        Ok(())
    });
    match (ended, end) {
        (Ok(ended), _) => {
            let (_, done) = ledger.end(ended, None).expect("written");
            done.iter().for_each(Recorder::discard);
            ended == Ended::Whole
        }
        (Err(Halt::Closed), End::Killed(_)) => {
            // What had been written, but not to the end.
            drop(ledger);
            false
        }
        (Err(halt), _) => panic!("{halt:?}"),
    }
}

fn run(args: &CheckArgs, end: End, always: bool) -> bool {
    run_once(args, &Plan::new(args).expect("a plan"), end, always)
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let name = |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    entries.map(|entry| (name(&entry), std::fs::read(entry.path()).expect("a file"))).collect()
}

/// Half a line at the end of everything that is streamed.
fn tear(folder: &Path) {
    for name in files(folder).keys().filter(|name| !name.ends_with(".progress")) {
        let file = std::fs::OpenOptions::new().append(true).open(folder.join(name));
        file.expect("a file").write_all(b"{\"type\": \"con").expect("written");
    }
}

fn desk() -> TempDir {
    let desk = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(desk.path().join("out")).expect("a folder");
    let cube = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    std::fs::write(desk.path().join("a.obj"), cube).expect("written");
    std::fs::write(desk.path().join("b.obj"), cube).expect("written");
    let pose = |frame: i32| {
        let x = f64::from(frame % 13) * 0.25 - 1.5;
        format!("[[1,0,0,{x}],[0,1,0,0.1],[0,0,1,0.2],[0,0,0,1]]")
    };
    let poses: Vec<String> = (0..40).map(pose).collect();
    std::fs::write(desk.path().join("p.json"), format!("[{}]", poses.join(","))).expect("written");
    desk
}

/// Interrupted anywhere and resumed: the same files, byte for byte, as without.
#[test]
fn interrupted_and_resumed_is_uninterrupted() {
    let outputs = ["x.ndjson", "x.csv", "x.parquet"];
    let outputs = if cfg!(feature = "parquet") { &outputs[..] } else { &outputs[..2] };
    let cases: [&[&str]; 4] = [
        &["--frames", "10-50x2", "--where"],
        &["--frames", "24-30", "--continuous", "--gap", "0"],
        &["DIR/a.obj", "DIR/b.obj", "--poses", "DIR/p.json", "--continuous"],
        &["DIR/a.obj", "DIR/b.obj", "--poses", "DIR/p.json", "--depth", "--clearance", "0.1"],
    ];
    let (mut interrupted, mut bytes) = (0, 0);
    for (seed, case) in cases.into_iter().enumerate() {
        let mut random = elbowroom_testkit::random::Random::new(seed as u64);
        let desk = desk();
        let out = desk.path().join("out");
        assert!(run(&args(desk.path(), case, outputs, false), End::Whole, true));
        let expected = files(&out);
        assert!(expected.keys().all(|name| !name.ends_with(".progress")), "{:?}", expected.keys());
        bytes += expected.values().map(Vec::len).sum::<usize>();
        for round in 0..4 {
            std::fs::remove_dir_all(&out).expect("a folder");
            std::fs::create_dir(&out).expect("a folder");
            for turn in 0.. {
                let after = 1 + random.below(6) as usize;
                let end = if random.one_in(2) { End::Stopped(after) } else { End::Killed(after) };
                // Somewhere it has to go on for good.
                let end = if turn < 5 { end } else { End::Whole };
                let given = args(desk.path(), case, outputs, turn > 0);
                if run(&given, end, round % 2 == 0) {
                    break;
                }
                if matches!(end, End::Killed(_)) {
                    tear(&out);
                }
                interrupted += 1;
            }
            let found = files(&out);
            let names = |files: &BTreeMap<String, _>| files.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(&found), names(&expected), "{case:?}");
            for (name, text) in &found {
                assert!(*text == expected[name], "{name} of {case:?}");
            }
        }
    }
    assert!(interrupted > 40 && bytes > 20_000, "{interrupted} {bytes}");
}

#[test]
fn a_record_of_another_check_is_refused() {
    let desk = desk();
    let case = ["DIR/a.obj", "DIR/b.obj", "--poses", "DIR/p.json"];
    let given = args(desk.path(), &case, &["x.csv"], false);
    assert!(!run(&given, End::Stopped(3), true));
    let plan = Plan::new(&given).expect("a plan");
    let targets = Targets::new(&given).expect("targets");
    assert!(recorder(&given, &targets, &plan).expect("one").read().is_ok_and(|r| r.is_some()));
    let other = CheckArgs { gap: 7, ..given };
    let refused = recorder(&other, &targets, &plan).expect("one").read().expect_err("another");
    assert!(refused.problems[0].contains("options have changed"), "{refused:?}");
    std::fs::write(desk.path().join("out/x.csv.progress"), "{").expect("written");
    assert!(recorder(&other, &targets, &plan).expect("one").read().is_err());
}
