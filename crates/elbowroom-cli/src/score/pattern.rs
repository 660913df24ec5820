//! Which files a pattern names: `Inter-X/*/P{1,2}.npz`.
//!
//! A `*` stands for any part of a name, `?` for one character, `**` for any folders. What the
//! wildcards stand for names the clip. Alternatives in braces are the bodies of one clip, in their
//! order: files whose wildcards stand for the same belong together.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::item::Item;

/// The clips that a pattern names, in order.
pub(super) fn items(pattern: &str) -> Result<Vec<Item>, String> {
    let alternatives = braces(pattern);
    if let [alone] = &alternatives[..] {
        let found = matches(alone)?;
        let item =
            |(_, path): (Vec<String>, PathBuf)| Item::new(&path.display(), vec![path.clone()]);
        return found.into_iter().map(|found| Ok(item(found))).collect();
    }
    let mut clips: BTreeMap<Vec<String>, Vec<Option<PathBuf>>> = BTreeMap::new();
    for (place, alternative) in alternatives.iter().enumerate() {
        for (wild, path) in matches(alternative)? {
            clips.entry(wild).or_insert_with(|| vec![None; alternatives.len()])[place] = Some(path);
        }
    }
    let item = |(wild, paths): (Vec<String>, Vec<Option<PathBuf>>)| {
        let name = if wild.is_empty() { pattern.to_owned() } else { wild.join("/") };
        let missing = paths.iter().position(Option::is_none);
        let mut item = Item::new(&name, paths.into_iter().flatten().collect());
        item.problem = missing.map(|at| {
            format!(
                "no file for {} of this clip; bodies of a clip need a file each",
                alternatives[at]
            )
        });
        item
    };
    Ok(clips.into_iter().map(item).collect())
}

/// A text for each choice of alternatives, the first braces first.
fn braces(pattern: &str) -> Vec<String> {
    let found = pattern.find('{').and_then(|open| {
        let close = open + pattern[open..].find('}')?;
        pattern[open..close].contains(',').then_some((open, close))
    });
    let Some((open, close)) = found else { return vec![pattern.to_owned()] };
    let (before, after) = (&pattern[..open], &pattern[close + 1..]);
    let each = pattern[open + 1..close].split(',');
    each.flat_map(|one| braces(&format!("{before}{one}{after}"))).collect()
}

fn is_wild(name: &str) -> bool {
    name.contains(['*', '?'])
}

/// The files that a pattern without braces names, with what its wildcards stand for.
fn matches(pattern: &str) -> Result<Vec<(Vec<String>, PathBuf)>, String> {
    let mut found = vec![(Vec::new(), PathBuf::new())];
    let absolute = pattern.starts_with('/');
    if absolute {
        found[0].1.push("/");
    }
    for name in pattern.split('/').filter(|name| !name.is_empty()) {
        let mut next = Vec::new();
        for (wild, folder) in found {
            if name == "**" {
                below(&folder, &wild, &mut next)?;
            } else if is_wild(name) {
                for entry in names(&folder)? {
                    if let Some(parts) = stands_for(name, &entry) {
                        let wild = wild.iter().cloned().chain(parts).collect();
                        next.push((wild, folder.join(&entry)));
                    }
                }
            } else {
                next.push((wild, folder.join(name)));
            }
        }
        found = next;
    }
    // Behind a wildcard a name is one of several, and need not be everywhere. Patterns of numbered
    // files and models that are made have no file of their name.
    if is_wild(pattern) {
        found.retain(|(_, path)| path.exists() || elbowroom_io::sequence::is_pattern(path));
    }
    found.retain(|(_, path)| !path.is_dir());
    found.sort();
    Ok(found)
}

fn names(folder: &Path) -> Result<Vec<String>, String> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if !here.is_dir() {
        return Ok(Vec::new());
    }
    let unreadable = |error| format!("{}: the folder cannot be read: {error}", here.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(here).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        names.extend(name.to_str().filter(|name| !name.starts_with('.')).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

/// A folder and all below it; links are not followed, so that it ends.
fn below(
    folder: &Path,
    wild: &[String],
    out: &mut Vec<(Vec<String>, PathBuf)>,
) -> Result<(), String> {
    let mut left = vec![(wild.to_vec(), folder.to_owned())];
    while let Some((wild, folder)) = left.pop() {
        for name in names(&folder)? {
            let path = folder.join(&name);
            if fs::symlink_metadata(&path).is_ok_and(|about| about.is_dir()) {
                left.push((wild.iter().cloned().chain([name]).collect(), path));
            }
        }
        out.push((wild, folder));
    }
    Ok(())
}

/// What the wildcards of a pattern stand for in a name, if it fits.
fn stands_for(pattern: &str, name: &str) -> Option<Vec<String>> {
    let mut left = pattern.chars();
    match left.next() {
        None => name.is_empty().then(Vec::new),
        Some('*') => {
            let ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
            ends.rev().find_map(|end| {
                let mut rest = stands_for(left.as_str(), &name[end..])?;
                rest.insert(0, name[..end].to_owned());
                Some(rest)
            })
        }
        Some('?') => {
            let first = name.chars().next()?;
            let mut rest = stands_for(left.as_str(), &name[first.len_utf8()..])?;
            rest.insert(0, first.to_string());
            Some(rest)
        }
        Some(plain) => stands_for(left.as_str(), name.strip_prefix(plain)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_bodies_and_wildcards_are_clips() {
        assert_eq!(braces("a/{x,y}/P{1,2}"), ["a/x/P1", "a/x/P2", "a/y/P1", "a/y/P2"]);
        assert_eq!(braces("a{1}.npz"), ["a{1}.npz"]);
        assert_eq!(stands_for("G*T?.npz", "G001T07.npz"), None);
        let parts = stands_for("G*T?.npz", "G001T7.npz");
        assert_eq!(parts, Some(vec!["001".to_owned(), "7".to_owned()]));
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["b/P1.npz", "b/P2.npz", "a/P1.npz", "a/x/P1.npz"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, "").expect("written");
        }
        let of = |pattern: &str| {
            items(&format!("{}/{pattern}", folder.path().display())).expect("readable")
        };
        let pairs = of("*/P{1,2}.npz");
        let names: Vec<_> = pairs.iter().map(|item| (&*item.name, item.files.len())).collect();
        assert_eq!(names, [("a", 1), ("b", 2)]);
        let problem = pairs[0].problem.as_deref().expect("one is missing");
        assert!(problem.contains("P2.npz") && pairs[1].problem.is_none(), "{problem}");
        assert_eq!(of("**/P1.npz").len(), 3);
        assert_eq!(of("*/P1.npz").len(), 2);
        assert_eq!(of("*/Q1.npz").len(), 0);
        // What has no wildcard is told of when it is read.
        assert_eq!(of("c.npz").len(), 1);
    }
}
