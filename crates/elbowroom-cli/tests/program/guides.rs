//! The pages in docs/guides: what they tell people to type is typed here, in their order, in an
//! empty folder.
//!
//! Blocks called `console` run as they are; those called `sh` name files that only the reader has.

use std::fs;
use std::path::{Path, PathBuf};

use crate::desk::Desk;

/// Where the guides are.
fn guides() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides")
}

/// The commands of a page, by their words.
pub(crate) fn commands(page: &str) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let mut runs = false;
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("```") {
            runs = name == "console";
        } else if let Some(words) = line.strip_prefix("$ elbowroom ").filter(|_| runs) {
            all.push(words.split_whitespace().map(str::to_owned).collect());
        }
    }
    all
}

#[test]
fn every_command_of_the_guides_runs() {
    let mut typed = 0;
    let mut pages: Vec<_> = fs::read_dir(guides())
        .expect("docs/guides is there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    pages.sort();
    for path in &pages {
        let page = fs::read_to_string(path).expect("a page is text");
        let desk = Desk::new();
        for words in commands(&page) {
            let run = desk.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
            // 1 is contacts, which some of these are about.
            let is_well = matches!(run.code, 0 | 1);
            assert!(is_well, "{}: {words:?}: exit code {}: {}", path.display(), run.code, run.err);
            typed += 1;
        }
    }
    assert_eq!(pages.len(), 5, "a page for each group of users");
    assert!(typed >= 20, "only {typed} commands");
}
