//! The Markdown pages of the repository: links lead somewhere, lines fit, words are plain.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Folders that hold no pages of ours.
const NOT_OURS: &[&str] = &["target", "node_modules", "corpus", "artifacts"];

/// Pages that the program or the bench writes.
const GENERATED: &[&str] = &["bench/records/", "docs/lab/"];

/// Phrases that make a reader guess.
const OBLIQUE: &[&str] = &[
    "so many",
    "so few",
    "as there.",
    "anew",
    "goes about it",
    "go about it",
    "is looked at",
    "are looked at",
    "nothing if",
    "nobody",
    "somebody",
    "whoever",
    "a word for it",
    "what waits",
    "no say in",
    "at its word",
    "file of ways",
];

/// The first phrase of a text that makes a reader guess.
pub(crate) fn oblique(text: &str) -> Option<&'static str> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    let is_in = |phrase: &str| {
        words.match_indices(phrase).any(|(at, _)| {
            !is_letter(words[..at].chars().next_back())
                && !is_letter(words[at + phrase.len()..].chars().next())
        })
    };
    OBLIQUE.iter().find(|phrase| is_in(phrase)).copied()
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All pages by their paths from the root, with `/` between folders.
pub(crate) fn pages() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).expect("a folder can be listed") {
            let entry = entry.expect("an entry can be read");
            let name = entry.file_name().into_string().expect("names are UTF-8");
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            if entry.file_type().expect("an entry has a type").is_dir() {
                if !name.starts_with('.') && !NOT_OURS.contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if Path::new(&name).extension().is_some_and(|ending| ending == "md") {
                found.insert(path, fs::read_to_string(entry.path()).expect("a page is text"));
            }
        }
    }
    found
}

/// The pages that people write, by their paths from the root.
fn written() -> Vec<(String, String)> {
    let is_written = |path: &str| !GENERATED.iter().any(|folder| path.starts_with(folder));
    pages().into_iter().filter(|(path, _)| is_written(path)).collect()
}

/// The lines of a page that are not code, by their numbers.
fn prose(page: &str) -> Vec<(usize, &str)> {
    let (mut lines, mut is_code, mut was_blank) = (Vec::new(), false, true);
    for (number, line) in (1..).zip(page.lines()) {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !(is_code || was_blank && line.starts_with("    ")) {
            lines.push((number, line));
        }
        // Code that is set in by four columns goes on until a line that is not.
        was_blank = line.trim().is_empty() || (was_blank && line.starts_with("    "));
    }
    lines
}

/// Where the links of a page lead, without those in code.
fn targets(page: &str) -> Vec<String> {
    let text = prose(page).iter().map(|(_, line)| *line).collect::<Vec<_>>().join("\n");
    let outside_of_code: String = text.split('`').step_by(2).collect();
    let ends = outside_of_code.split("](").skip(1);
    ends.filter_map(|rest| rest.split([')', ' ', '\n']).next()).map(str::to_owned).collect()
}

/// What a link to a heading has behind its #, as code hosts make it.
fn slug(heading: &str) -> String {
    let kept =
        heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(page: &str) -> BTreeSet<String> {
    let headings = prose(page).into_iter().filter_map(|(_, line)| line.strip_prefix('#'));
    let mut all: BTreeSet<_> = headings.map(|line| slug(line.trim_start_matches('#'))).collect();
    let named = page.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next());
    all.extend(named.map(str::to_owned));
    all
}

/// The path of a link's target from the root.
pub(crate) fn resolved(page: &str, target: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in Path::new(page).parent().expect("a page is in a folder").join(target).components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::Normal(name) => {
                parts.push(name.to_str().expect("links are UTF-8").to_owned());
            }
            _ => (),
        }
    }
    parts.join("/")
}

#[test]
fn every_relative_link_leads_somewhere() {
    let pages = pages();
    let (mut followed, mut dead) = (0, Vec::new());
    for (path, page) in &pages {
        for target in targets(page) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            followed += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let to = if file.is_empty() { path.clone() } else { resolved(path, file) };
            let has_anchor = anchor.is_empty()
                || pages.get(&to).is_none_or(|page| anchors(page).contains(anchor));
            if !root().join(&to).exists() || !has_anchor {
                dead.push(format!("{path}: {target}"));
            }
        }
    }
    assert!(dead.is_empty(), "links that lead nowhere:\n{}", dead.join("\n"));
    assert!(pages.len() > 40 && followed > 200, "only {followed} links on {} pages", pages.len());
}

#[test]
fn the_front_page_is_short() {
    let page = &pages()["README.md"];
    assert!(page.lines().count() <= 150, "README.md has {} lines", page.lines().count());
    assert!(page.lines().all(|line| line.chars().count() <= 300), "a line of README.md is long");
    assert_eq!(page.matches("```rust").count(), 1, "one example in Rust, which is a test");
}

#[test]
fn lines_fit_into_a_hundred_columns() {
    let mut read = 0;
    for (path, page) in written() {
        for (number, line) in prose(&page) {
            let may_be_long =
                line.starts_with('|') || line.starts_with('!') || line.contains("://");
            let columns = line.chars().count();
            assert!(may_be_long || columns <= 100, "{path}:{number} has {columns} columns");
            read += 1;
        }
    }
    assert!(read > 3000, "only {read} lines");
}

#[test]
fn words_are_plain() {
    let mut read = 0;
    // What was said of earlier versions stays as it was.
    for (path, page) in written().iter().filter(|(path, _)| path != "CHANGELOG.md") {
        assert_eq!(oblique(page), None, "{path}: say what happens, to what");
        read += 1;
    }
    assert!(read > 60, "only {read} pages");
}

#[test]
fn every_page_of_docs_says_for_whom_it_is_and_is_listed() {
    let pages = pages();
    let index = &pages["docs/README.md"];
    let listed: BTreeSet<_> = targets(index)
        .iter()
        .map(|target| resolved("docs/README.md", target.split('#').next().unwrap_or_default()))
        .collect();
    let own =
        pages.iter().filter(|(path, _)| path.starts_with("docs/") && *path != "docs/lab/README.md");
    for (path, page) in own {
        let mut lines = page.lines().filter(|line| !line.trim().is_empty());
        let (title, first) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let says = title.starts_with("# For ") || first.starts_with("For ");
        assert!(says, "{path} begins with {first:?} and not with whom it is for");
        assert!(path == "docs/README.md" || listed.contains(path), "docs/README.md lacks {path}");
    }
    assert!(listed.len() > 40, "docs/README.md lists {} pages", listed.len());
}
