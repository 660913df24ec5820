//! Every block of code of every page is run, or a table says why not.
//!
//! | language | who runs it |
//! |---|---|
//! | `console` | this file: each line after `$`, in the page's order, in one empty folder |
//! | `sh` | this file: each block in a folder of its own, with stand-ins for the reader's files |
//! | `toml` | this file: as a scene file |
//! | `json` | this file: the block is a case of `testdata` |
//! | `rust` | `cargo test --doc`: a crate includes the page |
//! | `python` | `python/tests/test_documents.py`, which lists the page |
//!
//! Blocks that are set in by four columns are formulas and drawings, and hold no command.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::desk::{Desk, Run};
use crate::pages::{pages, resolved, root};
use crate::stand_ins::put_stand_ins;
use crate::words::sources;

/// Commands that no test types, by how they begin, and why. `named.rs` holds that what
/// they name exists.
const NOT_TYPED: &[(&str, &str)] = &[
    ("cargo add", "changes the reader's own project"),
    ("cargo bench", "measures for minutes, in a release build"),
    ("cargo fuzz", "runs until it is stopped"),
    ("cargo install", "installs a program"),
    ("cargo run", "builds for minutes"),
    ("cargo test", "runs tests, of which this is one"),
    ("pip install", "builds the package for minutes; scripts/python does it"),
    ("bench/", "measures for minutes"),
    ("scripts/", "runs this test, among others"),
    ("elbowroom lab report", "takes twenty minutes; lab_report.rs runs it in small"),
    ("elbowroom lab run", "takes minutes; lab.rs runs experiments in small"),
    ("elbowroom crowd crowds/", "reads recordings that are not ours to ship"),
];

/// A fenced block of a page.
pub(crate) struct Block {
    pub(crate) page: String,
    line: usize,
    language: String,
    pub(crate) code: String,
}

impl Block {
    /// Where it is, for a message.
    fn place(&self) -> String {
        format!("{}:{}", self.page, self.line)
    }

    /// The commands, without the prompt.
    pub(crate) fn commands(&self) -> Vec<&str> {
        match self.language.as_str() {
            "console" => self.code.lines().filter_map(|line| line.strip_prefix("$ ")).collect(),
            "sh" => self.code.lines().filter(|line| !line.is_empty()).collect(),
            _ => Vec::new(),
        }
    }
}

/// The pages that people write, without the history.
pub(crate) fn written() -> impl Iterator<Item = (String, String)> {
    let is_written = |path: &str| !path.starts_with("bench/records/") && path != "CHANGELOG.md";
    pages().into_iter().filter(move |(path, _)| is_written(path))
}

/// The fenced blocks of all pages, in their order.
pub(crate) fn blocks() -> Vec<Block> {
    let mut all: Vec<Block> = Vec::new();
    for (page, text) in written() {
        let mut is_inside = false;
        for (line, code) in (1..).zip(text.lines()) {
            if let Some(language) = code.strip_prefix("```") {
                is_inside = !is_inside;
                if is_inside {
                    let language = language.to_owned();
                    all.push(Block { page: page.clone(), line, language, code: String::new() });
                }
            } else if let Some(block) = all.last_mut().filter(|_| is_inside) {
                block.code.push_str(code);
                block.code.push('\n');
            }
        }
    }
    all
}

/// A command without its settings of the environment.
fn without_settings(command: &str) -> &str {
    let mut rest = command;
    while let Some((word, more)) = rest.split_once(' ') {
        let is_setting = word.split_once('=').is_some_and(|(name, _)| {
            name.chars().all(|c| c.is_ascii_uppercase() || c == '_') && !name.is_empty()
        });
        if !is_setting {
            break;
        }
        rest = more;
    }
    rest
}

fn reason(command: &str) -> Option<&'static str> {
    let command = without_settings(command);
    NOT_TYPED.iter().find(|(start, _)| command.starts_with(start)).map(|(start, _)| *start)
}

/// Types a command in a shell which finds the program.
fn typed(desk: &Desk, command: &str) -> Run {
    let program = Path::new(env!("CARGO_BIN_EXE_elbowroom"));
    let folder = program.parent().expect("a program is in a folder").display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.current_dir(desk.path()).env("PATH", path).args(["-c", command]);
    Run::from(shell.output().expect("there is a shell"))
}

/// Types the commands of a block that can be typed, and says how many these were.
fn type_all(desk: &Desk, block: &Block, made: &mut BTreeSet<String>) -> usize {
    let mut count = 0;
    for command in block.commands() {
        if reason(command).is_some() {
            continue;
        }
        // A thing that a page makes twice is there already.
        if command.starts_with("elbowroom make ") && !made.insert(command.to_owned()) {
            continue;
        }
        let run = typed(desk, command);
        // 1 is contacts, which some of these are about.
        let is_well = matches!(run.code, 0 | 1);
        assert!(is_well, "{}: {command}: exit code {}: {}", block.place(), run.code, run.err);
        count += 1;
    }
    count
}

#[test]
#[cfg(unix)]
fn every_console_block_runs_from_an_empty_folder() {
    let (mut count, mut page, mut desk) = (0, String::new(), Desk::new());
    let mut made = BTreeSet::new();
    for block in blocks().iter().filter(|block| block.language == "console") {
        if block.page != page {
            (page, desk) = (block.page.clone(), Desk::new());
            made.clear();
        }
        assert!(!block.commands().is_empty(), "{} has no line after `$ `", block.place());
        count += type_all(&desk, block, &mut made);
    }
    assert!(count >= 40, "only {count} commands");
}

#[test]
#[cfg(unix)]
fn every_sh_block_runs_on_files_of_the_reader() {
    let mut count = 0;
    for block in blocks().iter().filter(|block| block.language == "sh") {
        let desk = Desk::new();
        let commands = block.commands();
        let typed: Vec<&str> =
            commands.into_iter().filter(|command| reason(command).is_none()).collect();
        put_stand_ins(&desk, &typed);
        count += type_all(&desk, block, &mut BTreeSet::new());
    }
    assert!(count >= 20, "only {count} commands");
}

#[test]
fn every_scene_of_a_page_is_read() {
    let mut count = 0;
    for block in blocks().iter().filter(|block| block.language == "toml") {
        let desk = Desk::new();
        desk.put("scene.toml", &block.code);
        let files: Vec<&str> = block.code.split(['\'', '"']).collect();
        put_stand_ins(&desk, &files);
        let run = desk.run(&["check", "scene.toml", "--frames", "0-2", "--json", "--exit-zero"]);
        assert_eq!(run.code, 0, "{}: {}", block.place(), run.err);
        assert_eq!(run.json()["frames_examined"], 3, "{}: {}", block.place(), run.out);
        count += 1;
    }
    assert!(count >= 3, "only {count} scenes");
}

#[test]
fn every_json_block_is_a_case_of_the_suite() {
    let suite: Vec<serde_json::Value> = fs::read_dir(root().join("testdata/conformance"))
        .expect("the suite is there")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .map(|path| fs::read_to_string(path).expect("a case is text"))
        .map(|text| serde_json::from_str(&text).expect("a case is JSON"))
        .collect();
    let mut count = 0;
    for block in blocks().iter().filter(|block| block.language == "json") {
        let shown: serde_json::Value = serde_json::from_str(&block.code).expect("a block is JSON");
        let is_there = suite.iter().any(|file| contains(file, &shown));
        assert!(is_there, "{} is not in testdata/conformance", block.place());
        count += 1;
    }
    assert!(count >= 1, "no block");
}

/// Whether a value is, or is within, another.
fn contains(whole: &serde_json::Value, part: &serde_json::Value) -> bool {
    whole == part
        || match whole {
            serde_json::Value::Array(items) => items.iter().any(|item| contains(item, part)),
            serde_json::Value::Object(fields) => fields.values().any(|item| contains(item, part)),
            _ => false,
        }
}

/// The pages that crates include, and so compile and run.
fn included() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (path, source) in sources("crates") {
        for rest in source.split("include_str!(\"").skip(1) {
            let target = rest.split('"').next().unwrap_or_default();
            if Path::new(target).extension().is_some_and(|ending| ending == "md") {
                found.insert(resolved(&path, target));
            }
        }
    }
    found
}

#[test]
fn every_block_is_run_by_somebody() {
    let included = included();
    let python = fs::read_to_string(root().join("python/tests/test_documents.py"))
        .expect("the tests of Python are there");
    let mut used = BTreeSet::new();
    let all = blocks();
    for block in &all {
        let place = block.place();
        match block.language.as_str() {
            "rust" | "rust,no_run" => {
                assert!(included.contains(&block.page), "{place}: no crate includes the page");
            }
            "python" => {
                let is_listed = python.contains(&format!("\"{}\"", block.page));
                assert!(is_listed, "{place}: python/tests/test_documents.py does not list it");
            }
            "console" | "sh" => {
                assert!(!block.commands().is_empty(), "{place} has no command");
                used.extend(block.commands().into_iter().filter_map(reason));
            }
            "toml" | "json" => (),
            other => panic!("{place}: nothing runs a block called {other:?}"),
        }
    }
    let unused: Vec<_> = NOT_TYPED.iter().filter(|(start, _)| !used.contains(start)).collect();
    assert!(unused.is_empty(), "no page has these: {unused:?}");
    assert!(all.len() > 80, "only {} blocks", all.len());
}

#[test]
fn no_command_hides_in_a_drawing() {
    let starts = ["elbowroom ", "$ ", "cargo ", "scripts/", "bench/", "ELBOWROOM_", "for b in"];
    let mut read = 0;
    for (path, page) in written() {
        for (number, line) in (1..).zip(page.lines()) {
            let Some(drawn) = line.strip_prefix("    ") else { continue };
            let is_command = starts.iter().any(|start| drawn.starts_with(start));
            assert!(!is_command, "{path}:{number}: put it between fences: {drawn}");
            read += 1;
        }
    }
    assert!(read > 50, "only {read} lines");
}
