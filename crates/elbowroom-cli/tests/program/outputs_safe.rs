//! Outputs never destroy anything: what was read is not written over, an earlier result stays until
//! the new one is whole, and left-overs of killed runs are in no one's way.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use glam::DVec3;

use crate::desk::{Desk, Run, obj, shift};

/// Every file of a folder, and what a link leads to.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let name = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let bytes = |entry: &fs::DirEntry| fs::read(entry.path()).unwrap_or_default();
    entries.map(|entry| (name(&entry), bytes(&entry))).collect()
}

const CUBE: f64 = 0.5;

/// A scene that names a mesh, poses and trajectories; a robot with a mesh and an include, a glTF
/// with a buffer, numbered meshes. Endings are those of outputs wherever the formats allow it.
fn desk() -> Desk {
    let desk = Desk::new();
    let cube = obj(&elbowroom_make::cuboid(DVec3::splat(CUBE)));
    for name in ["a.obj", "b.obj", "n.0000.obj", "n.0001.obj"] {
        desk.put(name, &cube);
    }
    desk.put("way.json", format!("[{},{}]", shift(0.25, 0.0, 0.0), shift(3.0, 0.0, 0.0)));
    let ways = "id,frame,x,y\n1,0,0,0\n1,10,1,0\n2,0,0,2\n2,10,1,2\n";
    for name in ["ways.csv", "x.incidents.csv", "x.between.csv", "y.csv.progress.csv"] {
        desk.put(name, ways);
    }
    let crowd = |ways: &str| {
        format!(
            "frames = 2\n[[crowd]]\nname = 'p'\ntrajectories = '{ways}'\ncharacters = ['make:man']\n"
        )
    };
    desk.put("crowd.toml", crowd("ways.csv"));
    desk.put("incidents.toml", crowd("x.incidents.csv"));
    desk.put("between.toml", crowd("x.between.csv"));
    let model =
        |file: &str, more: &str| format!("[[model]]\nname = '{file}'\nfile = '{file}'\n{more}");
    let scene = model("a.obj", "") + &model("b.obj", "poses = 'way.json'\n");
    desk.put("scene.toml", scene);
    desk.put("robot.xml", "<mujoco><include file='inc.csv'/></mujoco>");
    desk.put(
        "inc.csv",
        "<mujocoinclude><worldbody><body name='p'><geom type='box' size='1 1 1'/></body>\
         <body name='q' pos='1 0 0'><geom type='box' size='1 1 1'/></body></worldbody></mujocoinclude>",
    );
    // One triangle: 36 bytes of places, 6 of indices.
    let places = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].map(f32::to_le_bytes).concat();
    let buffer = [places, [0_u16, 1, 2].map(u16::to_le_bytes).concat()].concat();
    desk.put("buffer.json", buffer);
    desk.put("t.gltf", GLTF);
    desk
}

const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"buffers":[{"uri":"buffer.json","byteLength":42}],
"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],
"max":[1,1,0]},{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}]}"#;

#[test]
fn what_is_read_is_never_written_over() {
    let desk = desk();
    let cases: &[&[&str]] = &[
        &["check", "a.obj", "b.obj", "-o", "./way.json", "--poses", "way.json"],
        &["check", "scene.toml", "-o", "way.json"],
        &["check", "crowd.toml", "-o", "ways.csv"],
        &["check", "crowd.toml", "-o", "ways.csv", "-o", "fine.html"],
        &["check", "incidents.toml", "-o", "x.csv"],
        &["check", "between.toml", "-o", "x.csv", "--continuous"],
        &["check", "robot.xml", "a.obj", "-o", "inc.csv"],
        &["check", "t.gltf", "a.obj", "-o", "buffer.json"],
        &["view", "crowd.toml", "-o", "ways.csv", "--no-open"],
        &["convert", "scene.toml", "a.obj", "--frame", "0", "--force"],
        &["convert", "a.obj", "./a.obj", "--force"],
        &["convert", "n.####.obj", "n.####.obj", "--force"],
        &["convert", "n.####.obj", "n.0001.obj", "--force"],
        &["convert", "ways.csv", "ways.csv", "--force"],
        &["pose", "a.obj", "-o", "a.obj", "--force"],
    ];
    let before = files(desk.path());
    for case in cases {
        let run = desk.run(case);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{case:?}: {run:?}");
        let is_said = run.err.contains("is an input") || run.err.contains("as the input");
        assert!(
            is_said && run.err.contains("hint: name another output file"),
            "{case:?}: {}",
            run.err
        );
        assert!(files(desk.path()) == before, "{case:?}");
    }
    // Without these outputs all of it works: the refusals above are for the outputs alone.
    let fine: [&[&str]; 5] = [
        &["scene.toml"],
        &["crowd.toml"],
        &["between.toml"],
        &["robot.xml", "a.obj"],
        &["t.gltf", "a.obj"],
    ];
    for files in fine {
        let run = desk.run(&[&["check", "-o", "fine.csv"], files].concat());
        assert!(run.code < 2, "{files:?}: {run:?}");
    }
}

#[cfg(unix)]
#[test]
fn links_to_what_is_read_are_what_is_read() {
    use std::os::unix::fs::symlink;
    let desk = desk();
    let run = desk.run(&["make", "man", "-o", "man.glb"]);
    assert_eq!(run.code, 0, "{run:?}");
    for (name, file) in [("sym", "a.obj"), ("man", "man.glb"), ("way", "ways.csv")] {
        for ending in ["csv", "html", "svg", "obj", "json"] {
            let (link, file) = (format!("{name}.{ending}"), desk.path().join(file));
            if !desk.path().join(&link).exists() {
                symlink(&file, desk.path().join(&link)).expect("a link");
                fs::hard_link(&file, desk.path().join(format!("hard-{link}"))).expect("a link");
            }
        }
    }
    let before = files(desk.path());
    let cases: &[&[&str]] = &[
        &["check", "a.obj", "b.obj", "-o", "sym.csv"],
        &["check", "a.obj", "b.obj", "-o", "hard-sym.csv"],
        &["check", "scene.toml", "-o", "sym.html"],
        &["check", "scene.toml", "-o", "hard-sym.json"],
        &["convert", "a.obj", "sym.obj", "--force"],
        &["convert", "scene.toml", "sym.obj", "--frame", "0", "--force"],
        &["pose", "a.obj", "-o", "hard-sym.obj", "--force"],
        &["clips", "man.glb", "man.glb", "-o", "man.svg", "--force"],
        &["crowd", "ways.csv", "-o", "way.html", "--force"],
        &["crowd", "ways.csv", "-o", "hard-way.csv", "--force"],
    ];
    for case in cases {
        let run = desk.run(case);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{case:?}: {run:?}");
        assert!(run.err.contains("as the input"), "{case:?}: {}", run.err);
        assert!(files(desk.path()) == before, "{case:?}");
    }
}

#[test]
fn two_outputs_are_two_files() {
    let desk = desk();
    let before = files(desk.path());
    let cases: &[(&[&str], &str)] = &[
        (&["-o", "r.csv", "-o", "r.csv"], "is named twice"),
        (&["-o", "r.csv", "-o", "./r.csv"], "would be written for r.csv and for ./r.csv"),
        (
            &["-o", "r.csv", "-o", "r.incidents.csv"],
            "would be written for r.csv and for r.incidents.csv",
        ),
        (
            &["-o", "r.between.csv", "-o", "r.csv", "--continuous"],
            "would be written for r.between.csv",
        ),
    ];
    for (outputs, words) in cases {
        let run = desk.run(&[&["check", "scene.toml"], *outputs].concat());
        assert_eq!(run.code, 2, "{outputs:?}: {run:?}");
        assert!(run.err.contains(words), "{outputs:?}: {}", run.err);
    }
    assert!(files(desk.path()) == before);
    desk.put("r.csv.progress", "my notes");
    let run = desk.run(&["check", "scene.toml", "-o", "r.csv"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("r.csv.progress: would be replaced by the record"), "{}", run.err);
    assert_eq!(fs::read(desk.path().join("r.csv.progress")).expect("a file"), b"my notes");
}

/// Where nothing can be written, that is said before the work begins, by the name that was given.
#[test]
fn places_that_cannot_be_written_to() {
    let desk = desk();
    let mut cases = vec![("none/r.html", "the folder none does not exist; make it first")];
    // No user, not even the administrator, can make files there.
    if cfg!(target_os = "linux") {
        cases.push(("/proc/r.html", "/proc/r.html: could not be written"));
    }
    for (output, words) in cases {
        for command in [&["check", "scene.toml", "-o"][..], &["crowd", "ways.csv", "-o"]] {
            let run = desk.run(&[command, &[output]].concat());
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{output}: {run:?}");
            let err = run.err.replace("\nhint: ", "; ");
            assert!(err.contains(words), "{output}: {err}");
            assert!(!err.contains("progress") && !err.contains(".part"), "{err}");
        }
    }
    let before = desk.run(&["convert", "a.obj", "none/b.obj"]);
    assert_eq!(before.code, 2, "{before:?}");
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay_and_pipes_are_refused() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let desk = desk();
    let path = |name: &str| desk.path().join(name);
    let mode = |name: &str| fs::metadata(path(name)).expect("a file").permissions().mode() & 0o777;
    for name in ["r.csv", "r.html", "real.json"] {
        desk.put(name, "before");
        fs::set_permissions(path(name), fs::Permissions::from_mode(0o640)).expect("a mode");
    }
    fs::create_dir(path("folder")).expect("a folder");
    fs::rename(path("real.json"), path("folder/real.json")).expect("moved");
    symlink("folder/real.json", path("link.json")).expect("a link");
    let run = desk.run(&["check", "scene.toml", "-o", "r.csv", "-o", "r.html", "-o", "link.json"]);
    assert_eq!(run.code, 1, "{run:?}");
    for name in ["r.csv", "r.html", "folder/real.json"] {
        assert_eq!(mode(name), 0o640, "{name}");
        assert_ne!(fs::read(path(name)).expect("a file"), b"before", "{name}");
    }
    assert!(fs::symlink_metadata(path("link.json")).expect("a link").is_symlink());
    assert_eq!(files(&path("folder")).len(), 1, "no draft is left");

    symlink("nowhere.html", path("dangling.html")).expect("a link");
    desk.put("mine.html", "mine");
    fs::set_permissions(path("mine.html"), fs::Permissions::from_mode(0o444)).expect("a mode");
    let made = std::process::Command::new("mkfifo").arg(path("pipe.ndjson")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let cases = [
        ("dangling.html", "is a link that leads to no file"),
        ("mine.html", "is read-only"),
        ("pipe.ndjson", "is a pipe or a device"),
    ];
    for (name, words) in cases {
        let run = desk.run(&["check", "scene.toml", "-o", name]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{name}: {run:?}");
        assert!(run.err.contains(words) && run.err.contains("hint: "), "{name}: {}", run.err);
    }
    assert!(!path("nowhere.html").exists());
}

/// Kills a run while it writes, in a folder where an earlier result lies.
#[cfg(unix)]
#[test]
fn a_killed_run_destroys_and_blocks_nothing() {
    let desk = desk();
    let long = ["check", "-q", "--fps", "240", "-o", "r.ndjson", "-o", "r.html"];
    desk.put("r.ndjson", "an earlier result");
    let mut command = desk.command(&long);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
    let start = std::time::Instant::now();
    let is_writing = || files(desk.path()).keys().any(|name| name.starts_with(".r.ndjson."));
    while !is_writing() && child.try_wait().is_ok_and(|status| status.is_none()) {
        assert!(start.elapsed().as_secs() < 100, "nothing is written");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().expect("ended");
    assert_eq!(child.wait().expect("ended").code(), None, "it was done before it was killed");
    assert_eq!(fs::read(desk.path().join("r.ndjson")).expect("a file"), b"an earlier result");
    // A left-over of a run of the same number, as containers give them again and again.
    for number in 1..50 {
        desk.put(&format!(".r.ndjson.{number}.part"), "left over");
    }
    let run = desk.run(&["check", "-q", "--frames", "90-92", "-o", "r.ndjson", "-o", "r.html"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let text = fs::read_to_string(desk.path().join("r.ndjson")).expect("a file");
    assert!(text.lines().last().is_some_and(|line| line.contains("\"complete\":true")), "{text}");
}

/// A limit on the size of files stands for a full disk: what was there stays, the name that was
/// given is said, and once there is room the run goes on to the same bytes.
#[cfg(unix)]
#[test]
fn a_full_disk_destroys_nothing() {
    let desk = desk();
    let mut met = 0;
    for output in ["r.html", "r.ndjson", "r.csv", "r.json"] {
        let arguments = ["check", "-q", "--frames", "60-130", "-o", output];
        let run = desk.run(&arguments);
        assert_eq!(run.code, 1, "{run:?}");
        let whole = files(desk.path());
        // Of 1,024 bytes each.
        let blocks = whole[output].len() * 3 / 4096;
        desk.put(output, "before");
        let before = files(desk.path());
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut command = std::process::Command::new("bash");
        command.current_dir(desk.path()).args(["-c", &limited, env!("CARGO_BIN_EXE_elbowroom")]);
        let run = Run::from(command.args(arguments).output().expect("it runs"));
        assert_eq!(run.code, 3, "{output}: {run:?}");
        assert!(run.err.contains(&format!("{output}: ")), "{output}: {}", run.err);
        assert!(!run.err.contains(".part") && !run.err.contains(".progress"), "{}", run.err);
        let mut after = files(desk.path());
        after.retain(|name, _| !name.starts_with('.') && !name.ends_with(".progress"));
        assert!(after == before, "{output}");
        if output == "r.json" {
            continue;
        }
        let run = desk.run(&[&arguments[..], &["--resume"]].concat());
        assert_eq!((run.code, run.err.as_str()), (1, ""), "{output}");
        assert!(files(desk.path()) == whole, "{output}: not the same bytes");
        met += 1;
    }
    assert_eq!(met, 3);
}

/// A name that is no Unicode is a name.
#[cfg(target_os = "linux")]
#[test]
fn names_of_any_bytes_are_written() {
    use std::os::unix::ffi::OsStrExt;
    let desk = desk();
    let name = std::ffi::OsStr::from_bytes(b"r\xff.csv");
    let mut command = desk.command(&["check", "scene.toml", "-o"]);
    let run = Run::from(command.arg(name).output().expect("it runs"));
    assert_eq!(run.code, 1, "{run:?}");
    assert!(fs::read(desk.path().join(name)).expect("a file").starts_with(b"frame,"));
}

/// Where a frame is more than there is room for, what was found before it is not lost.
#[test]
fn what_was_found_before_a_refusal_is_there() {
    let desk = desk();
    let faces = "f 1 2 3\n".repeat(60_000);
    desk.put("equal.obj", format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{faces}"));
    desk.put("then.json", format!("[{},{}]", shift(9.0, 0.0, 0.0), shift(0.0, 0.0, 0.0)));
    desk.put("first.json", format!("[{},{}]", shift(0.0, 0.0, 0.0), shift(9.0, 0.0, 0.0)));
    let check = ["check", "equal.obj", "equal.obj", "--triangles", "-o", "x.ndjson", "--poses"];
    let run = desk.run(&[&check[..], &["first.json"]].concat());
    assert_eq!(run.code, 3, "{run:?}");
    let left = files(desk.path()).into_keys().filter(|name| name.contains("x.ndjson"));
    assert_eq!(left.collect::<Vec<_>>(), Vec::<String>::new());
    let run = desk.run(&[&check[..], &["then.json"]].concat());
    assert_eq!(run.code, 3, "{run:?}");
    assert!(run.err.contains("pairs of triangles"), "{}", run.err);
    assert!(run.err.contains("note: the output files hold what was found before"), "{}", run.err);
    let text = fs::read_to_string(desk.path().join("x.ndjson")).expect("a file");
    let end = text.lines().last().expect("a line");
    assert!(end.contains("\"complete\":false") && end.contains("\"frames_examined\":1"), "{end}");
}

/// Of two runs that write one output at once, one whole result is there in the end.
#[test]
fn two_writers_do_not_mix() {
    let desk = desk();
    let outputs = ["x.ndjson", "x.csv", "x.html"];
    let arguments = |frames: &'static str| {
        let mut all = vec!["check", "-q", "--frames", frames];
        all.extend(outputs.iter().flat_map(|output| ["-o", *output]));
        all
    };
    let ranges = ["60-110", "80-125"];
    let alone = ranges.map(|range| {
        assert_eq!(desk.run(&arguments(range)).code, 1);
        files(desk.path())
    });
    for _ in 0..3 {
        let children = ranges.map(|range| {
            let mut command = desk.command(&arguments(range));
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs")
        });
        for child in children {
            let run = Run::from(child.wait_with_output().expect("it ends"));
            assert_eq!((run.code, run.err.as_str()), (1, ""));
        }
        let after = files(desk.path());
        assert_eq!(after.len(), alone[0].len(), "{:?}", after.keys());
        for output in outputs {
            let is_whole = alone.iter().any(|alone| alone[output] == after[output]);
            assert!(is_whole, "{output} is a mixture");
        }
    }
}
