//! The words of the program and of the libraries: help texts, commands in pages, doc comments.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::desk::{Desk, Run};
use crate::pages::{oblique, pages, root};

/// Every command and every command of a command, as they are typed.
const COMMANDS: &[&[&str]] = &[
    &[],
    &["check"],
    &["view"],
    &["diff"],
    &["info"],
    &["convert"],
    &["pose"],
    &["make"],
    &["clips"],
    &["crowd"],
    &["score"],
    &["tree"],
    &["lab"],
    &["lab", "list"],
    &["lab", "run"],
    &["lab", "report"],
    &["cite"],
    &["completions"],
    &["man"],
];

/// Libraries whose documentation is public.
const PUBLIC: &[&str] =
    &["elbowroom", "elbowroom-motion", "elbowroom-papers", "elbowroom-io", "elbowroom-make"];

/// The number of lines of comments beyond 100 columns: drawings, lines of examples and docstrings of
/// Python, in which the indentation means something. None may be added.
const WIDE_COMMENTS: usize = 125;

/// Beginnings of a doc comment that mean nothing in a tooltip.
const LEANING: &[&str] = &[
    "the same ",
    "the same,",
    "the same.",
    "as there",
    "as [",
    "likewise",
    "its ",
    "it is ",
    "it does",
    "what it ",
];

/// Files whose public functions are the front of the engine.
const FRONT: &[&str] =
    &["model.rs", "posed.rs", "posed/batch.rs", "posed/points.rs", "moving.rs", "world.rs"];

/// The long help of a command.
fn help(desk: &Desk, command: &[&str]) -> String {
    help_at(desk, command, 100)
}

/// The long help of a command on a terminal of this width.
fn help_at(desk: &Desk, command: &[&str], columns: usize) -> String {
    let mut program = desk.command(&[command, &["--help"]].concat());
    let run = Run::from(program.env("COLUMNS", columns.to_string()).output().expect("it runs"));
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{command:?}");
    run.out
}

/// All Rust files of a crate's sources, by their paths from the root.
pub(crate) fn sources(folder: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).expect("a folder can be listed") {
            let entry = entry.expect("an entry can be read");
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type().expect("an entry has a type").is_dir() {
                folders.push(path);
            } else if Path::new(&path).extension().is_some_and(|ending| ending == "rs") {
                found.insert(path, fs::read_to_string(entry.path()).expect("sources are text"));
            }
        }
    }
    found
}

/// The text of a line of documentation, without its slashes.
fn documented(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
    (!text.starts_with('/')).then(|| text.trim())
}

/// The first paragraph of each doc comment, and the number of its first line.
fn first_paragraphs(source: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let (mut is_inside, mut is_first) = (false, false);
    for (number, line) in (1..).zip(source.lines()) {
        let Some(text) = documented(line) else {
            is_inside = false;
            continue;
        };
        if !is_inside {
            (is_inside, is_first) = (true, true);
            found.push((number, String::new()));
        }
        is_first &= !text.is_empty();
        if let Some((_, paragraph)) = found.last_mut().filter(|_| is_first) {
            paragraph.push_str(text);
            paragraph.push(' ');
        }
    }
    found
}

#[test]
fn help_is_plain_and_not_wide() {
    let desk = Desk::new();
    for command in COMMANDS {
        let text = help(&desk, command);
        assert!(text.contains("Usage: "), "{command:?}");
        assert_eq!(oblique(&text), None, "the help of {command:?}");
        // Options that are those of another command bring no examples with them.
        if let Some((_, examples)) = text.split_once("Examples:\n  ") {
            let own = ["elbowroom"].iter().chain(command.first()).copied().collect::<Vec<_>>();
            let own = own.join(" ");
            assert!(examples.starts_with(&own), "the examples of {command:?} begin: {examples}");
        }
    }
    let all = help(&desk, &[]);
    for command in COMMANDS.iter().filter_map(|command| command.first()) {
        assert!(all.contains(&format!("\n  {command} ")), "{command} is not in {all}");
    }
    assert!(all.contains("docs/glossary.md"), "{all}");
}

/// What is laid out by hand at the end of a help text: examples and explanations.
fn laid_out(text: &str) -> Vec<&str> {
    let last_option = text.rfind("\n      --").max(text.rfind("\n  -")).unwrap_or(0);
    // The parser sets descriptions in by ten columns.
    let is_own = |line: &&str| line.len() - line.trim_start().len() != 10;
    text[last_option..].lines().skip(2).filter(is_own).collect()
}

/// The parser wraps the text of options; what is laid out by hand has to fit as it is.
#[test]
fn help_fits_the_terminal() {
    let (mut read, mut wrapped, desk) = (0, 0, Desk::new());
    for command in COMMANDS {
        let [narrow, wide] = [80, 100].map(|columns| {
            let text = help_at(&desk, command, columns);
            for line in text.lines() {
                // A path has nowhere to break.
                let fits = line.chars().count() <= columns || line.contains("~/");
                assert!(fits, "{command:?} at {columns} columns: {line}");
            }
            text
        });
        assert_eq!(laid_out(&narrow), laid_out(&wide), "{command:?} is laid out for 80 columns");
        read += laid_out(&narrow).len();
        wrapped += usize::from(narrow.lines().count() > wide.lines().count());
    }
    assert!(read > 200, "only {read} lines");
    assert!(wrapped > 8, "only {wrapped} help texts are wrapped to the terminal");
}

/// The commands of a page: lines of blocks, and code within text and tables.
fn commands(page: &str) -> Vec<&str> {
    let lines = page.lines().map(|line| line.trim_start_matches(['$', ' ']));
    let lines = lines.filter(|line| line.starts_with("elbowroom "));
    let inline = page.split('`').skip(1).step_by(2).filter(|code| code.starts_with("elbowroom "));
    lines.chain(inline).collect()
}

/// `blocks.rs` runs what stands in blocks; this also reads the tables of commands.
#[test]
fn commands_in_pages_have_the_options_that_they_name() {
    let desk = Desk::new();
    let (mut helps, mut named) = (BTreeMap::new(), 0);
    for (path, page) in pages() {
        if path.starts_with("bench/records/") || path == "CHANGELOG.md" {
            continue;
        }
        for line in commands(&page) {
            let words: Vec<_> =
                line.split_whitespace().skip(1).take_while(|word| !word.starts_with('#')).collect();
            let command = COMMANDS
                .iter()
                .rev()
                .find(|command| !command.is_empty() && words.starts_with(command));
            let Some(command) = command else { continue };
            let text = helps.entry(*command).or_insert_with(|| help(&desk, command));
            for option in words.iter().filter(|word| word.starts_with("--") && word.len() > 2) {
                let option = option.split('=').next().unwrap_or(option);
                let is_known =
                    [" ", "\n", ","].iter().any(|end| text.contains(&format!("{option}{end}")));
                assert!(is_known, "{path}: {command:?} has no {option}: {line}");
                named += 1;
            }
        }
    }
    assert!(named > 120, "only {named} options are named");
}

#[test]
fn doc_comments_are_plain() {
    let (mut read, mut unclear) = (0, Vec::new());
    for library in PUBLIC {
        for (path, source) in sources(&format!("crates/{library}/src")) {
            for (line, paragraph) in first_paragraphs(&source) {
                let lower = paragraph.to_lowercase();
                let leans = LEANING.iter().find(|start| lower.starts_with(*start)).copied();
                if let Some(phrase) = oblique(&paragraph).or(leans) {
                    unclear.push(format!("{path}:{line}: {phrase:?} in {paragraph}"));
                }
                read += 1;
            }
            assert!(!source.contains("/// Not an error"), "{path} calls an error what is none");
        }
    }
    assert!(
        unclear.is_empty(),
        "say what it is, in a sentence of its own:\n{}",
        unclear.join("\n")
    );
    assert!(read > 5000, "only {read} doc comments");
}

#[test]
fn every_crate_begins_with_an_example_a_tour_and_the_glossary() {
    let libraries = PUBLIC.iter().chain(&["elbowroom-lab"]);
    for library in libraries {
        let path = format!("crates/{library}/src/lib.rs");
        let source = fs::read_to_string(root().join(&path)).expect("sources are text");
        let head: Vec<_> = source.lines().take_while(|line| line.starts_with("//!")).collect();
        let has = |start: &str| head.iter().any(|line| line.starts_with(start));
        assert!(has("//! ```"), "{path} has no example");
        assert!(has("//! |") || *library == "elbowroom-lab", "{path} has no tour");
        let has_words = head.iter().any(|line| line.contains("docs/glossary.md"));
        assert!(has_words, "{path} does not name the glossary");
    }
}

/// The text of each comment of a source, and the number of its first line.
fn comments(source: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut last = None;
    for (number, line) in (1..).zip(source.lines()) {
        let line = line.trim_start();
        let mark = ["///", "//!", "//"].into_iter().find(|mark| line.starts_with(mark));
        if let Some(mark) = mark {
            if last != Some(mark) {
                found.push((number, String::new()));
            }
            let (_, text) = found.last_mut().expect("one was pushed");
            text.push_str(&line[mark.len()..]);
            text.push(' ');
        }
        last = mark;
    }
    found
}

/// Comments have the words of the documentation, in tests and benches too.
#[test]
fn comments_are_plain() {
    let (mut read, mut unclear) = (0, Vec::new());
    for folder in ["crates", "fuzz/fuzz_targets", "bench/src"] {
        for (path, source) in sources(folder) {
            for (line, text) in comments(&source) {
                if let Some(phrase) = oblique(&text) {
                    unclear.push(format!("{path}:{line}: {phrase:?}"));
                }
                read += 1;
            }
        }
    }
    assert!(unclear.is_empty(), "say who does what:\n{}", unclear.join("\n"));
    assert!(read > 12_000, "only {read} comments");
}

#[test]
fn every_function_of_the_front_has_an_example() {
    let mut read = 0;
    for file in FRONT {
        let path = format!("crates/elbowroom/src/{file}");
        let source = fs::read_to_string(root().join(&path)).expect("sources are text");
        let mut has_example = false;
        for (number, line) in (1..).zip(source.lines()) {
            let line = line.trim_start();
            if let Some(text) = documented(line) {
                has_example |= text.starts_with("```");
            } else if line.starts_with("pub fn ") || line.starts_with("pub const fn ") {
                assert!(has_example, "{path}:{number} has no example: {line}");
                read += 1;
            }
            if line.is_empty() || line == "}" {
                has_example = false;
            }
        }
    }
    assert!(read > 60, "only {read} functions");
}

#[test]
fn comments_fit_into_a_hundred_columns() {
    let (mut read, mut wide) = (0, Vec::new());
    for folder in ["crates", "fuzz/fuzz_targets", "bench/src"] {
        for (path, source) in sources(folder) {
            for (number, line) in (1..).zip(source.lines()) {
                let is_comment = line.trim_start().starts_with("//");
                // A table or an address has nowhere to break.
                let may_be_long = line.contains("://") || line.contains("| ");
                if is_comment && !may_be_long && line.chars().count() > 100 {
                    wide.push(format!("{path}:{number}"));
                }
                read += usize::from(is_comment);
            }
        }
    }
    assert!(read > 20_000, "only {read} lines of comments");
    let some = wide.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(wide.len() <= WIDE_COMMENTS, "{} comments are wide:\n{some}", wide.len());
}
