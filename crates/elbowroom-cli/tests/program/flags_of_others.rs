//! Every option of `clips`, `crowd` and `convert` with every kind of input: it has an effect, it is
//! about nothing that could change here, or it is refused. None is passed over, and none is missing
//! from the tables.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::desk::{Desk, Run};
use crate::flags::desk as desk_of_flags;

/// A kind of input, and how it is given.
type Input = (&'static str, &'static [&'static str]);

/// An option, and by input: `W` it works and is seen in the result, `S` the result is the same, `R`
/// it is refused.
type Row = (&'static [&'static str], &'static str);

fn desk() -> Desk {
    let desk = desk_of_flags();
    desk.put(
        "a.bvh",
        "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT head\n{\nOFFSET .2 1.6 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 .1 0\n}\n}\n}\nMOTION\nFrames: 3\nFrame Time: 0.1\n0 0 0 0 0 0\n1 0 0 0 0 0\n2 0 0 0 0 0\n",
    );
    desk.put("still.toml", "fps = 10\nframes = 3\n[[model]]\nfile = 'cube.obj'\n");
    desk
}

/// What a run comes to: its code, what it prints but for times, what it writes.
fn seen(desk: &Desk, run: &Run, output: Option<&str>) -> (i32, Option<Value>, Option<Vec<u8>>) {
    let mut report: Option<Value> = serde_json::from_str(&run.out).ok();
    let methods = report.as_mut().and_then(|report| report.get_mut("methods"));
    for method in methods.and_then(Value::as_array_mut).into_iter().flatten() {
        method.as_object_mut().map(|method| method.remove("seconds"));
    }
    (run.code, report, output.and_then(|name| std::fs::read(desk.path().join(name)).ok()))
}

fn check(command: &str, inputs: &[Input], rows: &[Row], general: &[&str]) {
    let desk = desk();
    let mut failed = Vec::new();
    for (column, (name, input)) in inputs.iter().enumerate() {
        let output = input.get(1).filter(|_| command == "convert").copied();
        let base = desk.run(&[&[command], *input].concat());
        assert_ne!(base.code, 2, "{command} {input:?}: {base:?}");
        let base = seen(&desk, &base, output);
        for (option, cells) in rows {
            let _ = std::fs::remove_file(desk.path().join("o.svg"));
            let run = desk.run(&[&[command], *input, option].concat());
            let cell = cells.as_bytes()[column];
            let met = match run.code {
                2 if run.out.is_empty() && run.err.contains("error: ") => b'R',
                2 => b'?',
                _ if seen(&desk, &run, output) == base => b'S',
                _ => b'W',
            };
            if met != cell {
                let (met, cell) = (char::from(met), char::from(cell));
                failed.push(format!("{command} {name} {option:?}: {met}, not {cell}: {}", run.err));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    let help = desk.run(&[command, "--help"]).out;
    let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let words = lines.flat_map(|line| line.split([' ', ',', '[']));
    let all: BTreeSet<&str> =
        words.filter(|word| word.starts_with("--") && word.len() > 2).collect();
    let known: BTreeSet<&str> = rows
        .iter()
        .flat_map(|(option, _)| option.iter().copied())
        .chain(general.iter().copied())
        .collect();
    let missing: Vec<_> = all.difference(&known).collect();
    assert!(all.len() > 15 && missing.is_empty(), "not in the table: {missing:?}");
}

#[rustfmt::skip]
const CLIPS: [Row; 36] = [
    // option                         capture, character, sequence
    (&["--clip", "walk"],             "RWR"),
    (&["--clip-a", "1"],              "RWR"),
    (&["--clip-b", "1"],              "RWR"),
    (&["--fps", "7"],                 "WWW"),
    (&["--radius", "0.7"],            "WWW"),
    (&["--reach"],                    "SSS"),
    (&["--place-a", "1,2,90"],        "WWW"),
    (&["--place-b", "3,0"],           "WWW"),
    (&["--start-a", "0.1"],           "WWW"),
    (&["--start-b", "0.1"],           "WWW"),
    (&["--offsets"],                  "WWW"),
    (&["--offsets", "--from", "0"],   "WWW"),
    (&["--offsets", "--to", "1"],     "WWW"),
    (&["--from", "0"],                "RRR"),
    (&["--to", "1"],                  "RRR"),
    (&["--exact"],                    "RWR"),
    (&["--exact", "--body", "make:man"], "WRR"),
    (&["--body", "make:man"],         "RRR"),
    (&["--exact", "--level", "1"],    "RWR"),
    (&["--level", "1"],               "RRR"),
    (&["--between", "linear"],        "WWW"),
    (&["--between", "linear", "--exact"], "RRR"),
    (&["--method", "umobb"],          "SSS"),
    (&["--n-min", "3"],               "RRR"),
    (&["--method", "umobb", "--n-min", "3"], "SSS"),
    (&["--counts"],                   "WWW"),
    (&["-o", "o.svg"],                "SSS"),
    (&["--output", "o.svg", "--force"], "SSS"),
    (&["--force"],                    "RRR"),
    (&["--exit-zero"],                "WWW"),
    (&["--allow-left-out"],           "SSS"),
    (&["--time-limit", "60s"],        "SSS"),
    (&["--units", "m"],               "WSW"),
    (&["--up", "z"],                  "WRW"),
    (&["--allow-outside"],            "SSS"),
    (&["--max-size", "1GiB"],         "SSS"),
];

#[test]
fn every_option_of_clips_with_every_kind_of_motion() {
    let inputs: [Input; 3] = [
        ("capture", &["a.bvh", "a.bvh", "--json", "-q"]),
        ("character", &["man.glb", "man.glb", "--json", "-q"]),
        ("sequence", &["cloth.##.obj", "cloth.##.obj", "--json", "-q"]),
    ];
    check("clips", &inputs, &CLIPS, &["--json", "--quiet", "--help"]);
    let desk = desk();
    for wrong in ["cube.obj", "robot.urdf", "scene.toml", "ways.csv"] {
        let run = desk.run(&["clips", wrong, "man.glb"]);
        assert!(run.code == 2 && run.err.contains("hint: "), "{wrong}: {run:?}");
    }
}

#[rustfmt::skip]
const CROWD: [Row; 20] = [
    // option                         ways, generated, stand
    (&["--body", "man.glb"],          "WWR"),
    (&["--clip", "walk"],             "SSW"),
    (&["--clip", "none such"],        "RRR"),
    (&["--fps", "5"],                 "WRR"),
    (&["--frames", "0-1"],            "WRR"),
    (&["--every", "2"],               "WWR"),
    (&["--radius", "0.7"],            "WWW"),
    (&["--levels", "1"],              "WWW"),
    (&["--threshold", "20cm"],        "WWW"),
    (&["--split", "covariance"],      "WWW"),
    (&["--parts", "triangles"],       "WWW"),
    (&["--level", "2"],               "RRR"),
    (&["--camera", "0,-9,3"],         "WWR"),
    (&["--units", "cm"],              "WRR"),
    (&["-o", "o.svg"],                "SSR"),
    (&["--output", "o.svg", "--force"], "SSR"),
    (&["--force"],                    "RRR"),
    (&["--exit-zero"],                "WWS"),
    (&["--allow-left-out"],           "SSS"),
    (&["--time-limit", "60s"],        "SSS"),
];

#[test]
fn every_option_of_crowd_with_every_kind_of_crowd() {
    let inputs: [Input; 3] = [
        ("ways", &["ways.csv", "--levels", "0", "--no-exact", "--json", "-q"]),
        ("generated", &["--frames", "60-80x10", "--levels", "0", "--no-exact", "--json", "-q"]),
        (
            "stand",
            &["--stand", "make:man", "make:man", "--levels", "0", "--no-exact", "--json", "-q"],
        ),
    ];
    let general = ["--json", "--quiet", "--help", "--stand", "--no-exact"];
    check("crowd", &inputs, &CROWD, &general);
    let desk = desk();
    for wrong in ["cube.obj", "man.glb", "robot.urdf", "scene.toml", "cloth.##.obj", "a.bvh"] {
        let run = desk.run(&["crowd", wrong]);
        assert!(run.code == 2 && run.err.contains("hint: "), "{wrong}: {run:?}");
    }
}

#[rustfmt::skip]
const CONVERT: [Row; 20] = [
    // option: mesh, character as glb and obj, robot, sequence, scene, crowd, capture
    (&["--metres"],                    "SSSSSSSS"),
    (&["--to-up", "z"],                "WRWSWRRR"),
    (&["--motion", "a.bvh"],           "RWRRRRRW"),
    (&["--motion", "a.bvh", "--frame", "1"], "RWWRRRRR"),
    (&["--motion", "a.bvh", "--root-scale", "2"], "RWRRRRRW"),
    (&["--motion", "a.bvh", "--keep-rest-frame"], "RWRRRRRW"),
    (&["--root-scale", "2"],           "RRRRRRRR"),
    (&["--keep-rest-frame"],           "RRRRRRRR"),
    (&["--clip", "walk"],              "RWWRRRRR"),
    (&["--time", "0.1"],               "RWWRRRRR"),
    (&["--frame", "1"],                "RWWRRRRR"),
    (&["--fps", "7"],                  "RRRRWRWR"),
    (&["--frame", "1", "--fps", "7"],  "RWWRRRRR"),
    (&["--allow-left-out"],            "SSSSSSSS"),
    (&["--ascii"],                     "WRRRRRRR"),
    (&["--units", "mm"],               "SRRRSWWW"),
    (&["--up", "z"],                   "SRRSSWSW"),
    (&["--allow-outside"],             "SSSSSSSS"),
    (&["--max-size", "1GiB"],          "SSSSSSSS"),
    (&["--force", "--quiet"],          "SSSSSSSS"),
];

#[test]
fn every_option_of_convert_with_every_kind_of_file() {
    let inputs: [Input; 8] = [
        ("mesh", &["cube.obj", "o.stl", "--force", "-q"]),
        ("character", &["man.glb", "o.glb", "--force", "-q"]),
        ("character as a mesh", &["man.glb", "o.obj", "--force", "-q"]),
        ("robot", &["robot.urdf", "o.obj", "--force", "-q"]),
        ("sequence", &["cloth.##.obj", "o.npz", "--force", "-q"]),
        ("scene", &["still.toml", "o.npz", "--force", "-q"]),
        ("crowd", &["ways.csv", "o.csv", "--force", "-q"]),
        ("capture", &["a.bvh", "o.glb", "--force", "-q"]),
    ];
    let rows = CONVERT.map(|(option, cells)| match option {
        // A switch is not given twice.
        ["--force", "--quiet"] => (&[][..], cells),
        option => (option, cells),
    });
    check("convert", &inputs, &rows, &["--force", "--quiet", "--help"]);
}
