//! What pages name is there: experiments, benches, tests, examples, files and folders.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::blocks::written;
use crate::desk::Desk;
use crate::pages::{pages, root};

/// The word after each `option` in a page.
fn named<'a>(page: &'a str, option: &str) -> Vec<&'a str> {
    let words: Vec<&str> = page.split_whitespace().collect();
    let after = words.windows(2).filter(|pair| pair[0].trim_start_matches('`') == option);
    after.map(|pair| pair[1].trim_matches(['`', ',', '.', ';', ':', ')', '|'])).collect()
}

#[test]
fn experiments_benches_and_tests_that_pages_name_exist() {
    let list = Desk::new().run(&["lab", "list"]);
    let experiments: BTreeSet<&str> =
        list.out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let mut met = 0;
    for (path, page) in written() {
        for (option, folder) in
            [("--bench", "benches"), ("--test", "tests"), ("--example", "examples")]
        {
            for name in named(&page, option) {
                // Placeholders are capitals.
                if name.chars().all(|c| c.is_ascii_uppercase()) {
                    continue;
                }
                let is_there = fs::read_dir(root().join("crates"))
                    .expect("crates are there")
                    .map(|entry| entry.expect("they can be listed").path().join(folder))
                    .any(|folder| {
                        folder.join(name).exists() || folder.join(format!("{name}.rs")).exists()
                    });
                assert!(is_there, "{path}: no crate has {option} {name}");
                met += 1;
            }
        }
        for rest in page.split("elbowroom lab run ").skip(1) {
            let names = rest.split(['\n', '`', '#']).next().unwrap_or_default();
            for name in names.split_whitespace().take_while(|name| name.contains('-')) {
                if name.starts_with('-') {
                    break;
                }
                assert!(experiments.contains(name), "{path}: no experiment is called {name}");
                met += 1;
            }
        }
    }
    assert!(met > 80, "only {met} names");
}

/// Folders of the repository with which a path in a page may begin.
const FOLDERS: &[&str] = &[
    "bench/",
    "crates/",
    "docs/",
    "fuzz/",
    "internal/",
    "python/",
    "scripts/",
    "testdata/",
    "tests/",
    "viewer/",
];

/// Folders that are not in the repository, or are not ours.
const PASSED_OVER: &[&str] = &["target", "node_modules", "__pycache__"];

/// All files and folders of the repository, by their paths from the root, with `/` before each.
fn tree() -> Vec<String> {
    let (mut found, mut folders) = (Vec::new(), vec![String::new()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder[..])).expect("a folder can be listed") {
            let entry = entry.expect("an entry can be read");
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            found.push(format!("/{path}"));
            let is_folder = entry.file_type().expect("an entry has a type").is_dir();
            if is_folder && !name.starts_with('.') && !PASSED_OVER.contains(&name.as_str()) {
                folders.push(path);
            }
        }
    }
    found
}

/// The paths of files and folders of the repository that a page names in code.
fn paths(page: &str) -> impl Iterator<Item = &str> {
    // Capitals stand for what the reader chooses.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    page.split('`').skip(1).step_by(2).filter(move |code| {
        let is_path = code.contains('/')
            && code.chars().all(is_plain)
            && !code.starts_with(['.', '/'])
            && !code.contains("TARGET");
        let is_ours = FOLDERS.iter().any(|folder| code.starts_with(folder))
            || Path::new(code).extension().is_some_and(|ending| ending == "rs");
        is_path && is_ours
    })
}

#[test]
fn files_and_folders_that_pages_name_exist() {
    let tree = tree();
    let (mut met, mut gone) = (0, Vec::new());
    for (path, page) in written() {
        for name in paths(&page) {
            let whole = format!("/{}", name.trim_end_matches('/'));
            let is_there = tree
                .iter()
                .any(|file| file.ends_with(&whole) || file.ends_with(&format!("{whole}.rs")));
            if !is_there {
                gone.push(format!("{path}: {name}"));
            }
            met += 1;
        }
    }
    assert!(gone.is_empty(), "not in the repository:\n{}", gone.join("\n"));
    assert!(met > 80, "only {met} paths");
}

#[test]
fn the_page_on_architecture_is_short_and_names_every_crate_and_floor() {
    let page = &pages()["ARCHITECTURE.md"];
    assert!(page.lines().count() <= 150, "{} lines: two pages are enough", page.lines().count());
    let mut met = 0;
    for folder in ["crates", "crates/elbowroom/src/internal"] {
        for entry in fs::read_dir(root().join(folder)).expect("a folder can be listed") {
            let entry = entry.expect("an entry can be read");
            if !entry.file_type().expect("an entry has a type").is_dir() {
                continue;
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            let named = if folder == "crates" { name } else { format!("internal/{name}") };
            assert!(page.contains(&named), "ARCHITECTURE.md does not name {named}");
            met += 1;
        }
    }
    assert!(met >= 20, "only {met} crates and floors");
}

/// Words by which people search for a library like this one.
const SEARCHED: &[&str] = &[
    "SIMD",
    "BVH",
    "OBB tree",
    "broad phase",
    "narrow phase",
    "penetration depth",
    "continuous collision detection",
    "time of impact",
    "self-collision",
    "skinned mesh",
    "crowd",
    "motion capture",
];

#[test]
fn the_front_page_has_the_words_that_people_search_for() {
    let page = &pages()["README.md"];
    let text = page.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    for words in SEARCHED {
        assert!(text.contains(&words.to_lowercase()), "README.md lacks {words:?}");
    }
    for part in [
        "## The program",
        "## Rust",
        "## Python",
        "## What an answer means",
        "## Measured",
        "## The five papers",
        "## What it does not do",
        "## Read on",
    ] {
        assert!(page.contains(part), "README.md lacks {part:?}");
    }
}
