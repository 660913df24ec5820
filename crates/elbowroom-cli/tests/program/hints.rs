//! Every option that a message names is one that the same command takes for the same input.
//!
//! Each kind of input goes through each command, well and badly used. What notes, warnings and
//! hints name is then given: a value may be refused, the option must not be.

use std::collections::BTreeSet;

use crate::desk::{Desk, Run};
use crate::flags::{INPUTS, desk as desk_of_flags};

/// A value for each option that has one.
const VALUES: [(&str, &str); 24] = [
    ("--body", "make:man"),
    ("--clearance", "1"),
    ("--clip", "1"),
    ("--clip-a", "1"),
    ("--clip-b", "1"),
    ("--every", "1"),
    ("--first-frame", "3"),
    ("--fps", "30"),
    ("--frame", "0"),
    ("--frames", "0"),
    ("--level", "0"),
    ("--max-size", "1GiB"),
    ("--method", "circles"),
    ("--poses", "way.json"),
    ("--radius", "0.3"),
    ("--report-unit", "mm"),
    ("--rest", "count"),
    ("--set", "j=0"),
    ("--split", "none"),
    ("--start-a", "1"),
    ("--start-b", "1"),
    ("--top", "0"),
    ("--units", "mm"),
    ("--up", "z"),
];

/// The options that a line names, unless it names the command that has them.
fn options(line: &str) -> Vec<String> {
    // `elbowroom convert --units` is about another command.
    let mut plain = String::new();
    for (at, piece) in line.split('`').enumerate() {
        if at % 2 == 0 || !piece.contains(' ') {
            plain.push_str(piece);
            plain.push(' ');
        }
    }
    let words = plain.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    let is_option = |word: &&str| word.starts_with("--") && word.len() > 3;
    words.filter(is_option).map(|word| word.trim_end_matches('-').to_owned()).collect()
}

/// Whether a run says that it does not take an option.
fn refuses(run: &Run, option: &str) -> bool {
    let lines = run.err.lines().filter(|line| line.starts_with("error: ") && line.contains(option));
    let is_about = |line: &str| {
        ["unexpected argument", "cannot be used", "is for ", "needs ", "are for "]
            .iter()
            .any(|words| line.contains(words))
    };
    run.code == 2 && lines.into_iter().any(is_about)
}

/// Files beside those of the flags.
fn desk() -> Desk {
    let desk = desk_of_flags();
    desk.put("crowd2.toml", "[[crowd]]\ntrajectories = 'bare.csv'\ncharacters = ['make:man']\n");
    desk.put("bare.csv", "id,frame,x,y\n1,0,0,0\n1,20,100,0\n2,0,20,5\n2,20,40,5\n");
    desk.put(
        "clips.toml",
        "fps = 10\n[[character]]\nfile = 'man.glb'\n[[model]]\nfile = 'cube.obj'\n",
    );
    desk.put(
        "short.toml",
        "fps = 0.1\n[[character]]\nfile = 'man.glb'\nclip = 'walk'\n[[model]]\nfile = 'cube.obj'\n",
    );
    desk.put("torn.1.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    desk.put("torn.4.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    desk.put(
        "bones.bvh",
        "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\nOFFSET 0 1.7 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n1 0 0\n",
    );
    desk.put(
        "two.obj",
        "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf 4 5 6\n",
    );
    desk
}

const FILES: [&str; 12] = [
    "cube.obj",
    "two.obj",
    "man.glb",
    "robot.urdf",
    "robot.xml",
    "cloth.##.obj",
    "torn.#.obj",
    "bones.bvh",
    "ways.csv",
    "bare.csv",
    "scene.toml",
    "folded.obj",
];

/// Command lines that say something, each without the options that it could be given besides.
fn runs() -> Vec<Vec<&'static str>> {
    let mut all: Vec<Vec<&str>> = Vec::new();
    let scenes: [&[&str]; 3] = [&["crowd2.toml"], &["clips.toml"], &["short.toml"]];
    let inputs = INPUTS.iter().map(|(_, input)| *input).chain(scenes);
    let asked: [&[&str]; 9] = [
        &[],
        &["--self", "--depth"],
        &["--clearance", "0.1"],
        &["--rest", "ignore"],
        &["--continuous"],
        &["--frames", "900-901"],
        &["--clip", "none such"],
        &["--units", "mm"],
        &["--split", "shells"],
    ];
    for input in inputs {
        // A few frames are enough of what has many.
        let is_long = ["man.glb", "clips.toml", "crowd2.toml"].contains(&input[0]);
        let few: &[&str] = if is_long { &["--frames", "0-1"] } else { &[] };
        for more in asked {
            let few = if more.contains(&"--frames") { &[] } else { few };
            all.push([&["check"], input, few, more].concat());
        }
    }
    for file in FILES {
        all.push(vec!["check", file]);
        all.push(vec!["check", file, "--self", "--solid"]);
        all.push(vec!["check", file, "cube.obj"]);
        all.push(vec!["info", file]);
        all.push(vec!["convert", file, "out.obj", "--force"]);
        all.push(vec!["convert", file, "out.npz", "--force"]);
        all.push(vec!["pose", file, "-o", "out.obj", "--force"]);
        all.push(vec!["clips", file, file]);
        all.push(vec!["clips", file, "man.glb", "--exact"]);
        all.push(vec!["crowd", file, "--levels", "0", "--no-exact"]);
        all.push(vec!["crowd", "ways.csv", "--body", file, "--levels", "0", "--no-exact"]);
        all.push(vec!["tree", file]);
    }
    all
}

#[test]
fn options_that_messages_name_go_with_the_input() {
    let desk = desk();
    let (mut met, mut failed) = (0, BTreeSet::new());
    let mut tried = BTreeSet::new();
    for line in runs() {
        let run = desk.run(&line);
        let told = run.err.lines().chain(run.out.lines());
        let told = told.filter(|text| {
            let is_help = text.contains("Usage:") || text.contains("For more information");
            !is_help && !text.starts_with("error: ")
        });
        for text in told {
            for option in options(text) {
                if line.contains(&option.as_str()) || option == "--help" {
                    continue;
                }
                let value =
                    VALUES.iter().find(|(name, _)| *name == option).map(|(_, value)| *value);
                // Options of what was not asked for are named to be left out.
                let given: Vec<&str> = [option.as_str()].into_iter().chain(value).collect();
                let again = [&line[..], &given].concat();
                if !tried.insert(again.join(" ")) {
                    continue;
                }
                met += 1;
                if refuses(&desk.run(&again), &option) {
                    failed.insert(format!("{}\n    says: {text}", again.join(" ")));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.into_iter().collect::<Vec<_>>().join("\n"));
    assert!(met > 150, "{met}");
}
