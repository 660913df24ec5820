//! What objects are called: short names for people, unlike each other.
//!
//! An object is called by the stem of its file: `shows/x/char/Michelle.glb` is `Michelle`. Where
//! several files of a list have one stem, the shortest of these that tells them apart is taken:
//! the name with its ending (`cup.obj`, `cup.stl`), else with as many of its folders as it needs
//! (`left/arm`, `right/arm`). A file that is named twice is numbered: `cup`, `cup #2`. Paths are
//! told in a field of their own.
//!
//! Joints carry the namespace of the program that made them: `mixamorig:LeftArm`,
//! `Armature|mixamorig:LeftArm`. For people it is left out where the rest says enough.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use crate::sequence::is_pattern;

/// The stem of a file's name: without folders, `.gz`, its ending, and the place of a number in a
/// pattern.
#[must_use]
pub fn stem(path: &Path) -> String {
    if let Some(name) = crate::memory::name(path) {
        return name.to_owned();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let plain = strip_gz(&name);
    let stem = plain.rsplit_once('.').map_or(plain, |(stem, _)| stem);
    let stem = if is_pattern(path) {
        stem.split(['#', '%']).next().unwrap_or(stem).trim_end_matches(['.', '_', '-'])
    } else {
        stem
    };
    if stem.is_empty() { name.into_owned() } else { stem.to_owned() }
}

fn strip_gz(name: &str) -> &str {
    let at = name.len().saturating_sub(3);
    match name.get(at..) {
        Some(ending) if ending.eq_ignore_ascii_case(".gz") => &name[..at],
        _ => name,
    }
}

/// A short name for each file, the same for the same path and unlike that of any other.
#[must_use]
pub fn of_files(paths: &[PathBuf]) -> Vec<String> {
    let mut groups: HashMap<String, Vec<&Path>> = HashMap::new();
    let mut seen = HashSet::new();
    for path in paths.iter().filter(|path| seen.insert(path.as_path())) {
        groups.entry(stem(path)).or_default().push(path);
    }
    let mut names: HashMap<&Path, String> = HashMap::new();
    for group in groups.values() {
        names.extend(group.iter().copied().zip(told_apart(group)));
    }
    paths.iter().map(|path| names[path.as_path()].clone()).collect()
}

/// Names for files of one stem.
fn told_apart(paths: &[&Path]) -> Vec<String> {
    let file_name =
        |path: &Path| strip_gz(&path.file_name().unwrap_or_default().to_string_lossy()).to_owned();
    let deepest = paths.iter().map(|path| path.components().count()).max().unwrap_or(0);
    let mut kinds: Vec<Vec<String>> = vec![
        paths.iter().map(|path| stem(path)).collect(),
        paths.iter().map(|path| file_name(path)).collect(),
    ];
    for name in [stem, file_name] {
        kinds.extend((1..deepest).map(|folders| {
            paths.iter().map(|path| format!("{}{}", within(path, folders), name(path))).collect()
        }));
    }
    let is_apart = |names: &&Vec<String>| names.iter().collect::<HashSet<_>>().len() == names.len();
    let whole = || paths.iter().map(|path| path.display().to_string()).collect();
    kinds.iter().find(is_apart).cloned().unwrap_or_else(whole)
}

/// The last few folders of a path, each with a slash behind it.
fn within(path: &Path, folders: usize) -> String {
    let named = |component: Component<'_>| match component {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        Component::ParentDir => Some("..".to_owned()),
        _ => None,
    };
    let all: Vec<String> =
        path.parent().into_iter().flat_map(Path::components).filter_map(named).collect();
    let last = &all[all.len().saturating_sub(folders)..];
    last.iter().flat_map(|name| [name.as_str(), "/"]).collect()
}

/// Makes names unlike each other, by numbers behind those that are taken: `cup`, `cup #2`.
#[derive(Debug, Default)]
pub struct Unique {
    taken: HashSet<String>,
    /// The next number to try for a name.
    next: HashMap<String, usize>,
}

impl Unique {
    /// The name, with a number if it is taken.
    pub fn name(&mut self, name: String) -> String {
        if self.taken.insert(name.clone()) {
            return name;
        }
        let next = self.next.entry(name.clone()).or_insert(2);
        loop {
            let numbered = format!("{name} #{next}");
            *next += 1;
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

/// The names of the parts of an object without namespaces, wherever they stay unlike each other;
/// in each name the pieces between slashes are taken by themselves.
#[must_use]
pub fn without_namespaces(parts: &[String]) -> Vec<String> {
    let bare = |name: &String| -> String {
        let piece = |piece: &str| {
            let cut = piece.rfind([':', '|']).map_or(0, |at| at + 1);
            if cut < piece.len() { piece[cut..].to_owned() } else { piece.to_owned() }
        };
        name.split('/').map(piece).collect::<Vec<_>>().join("/")
    };
    let short: Vec<String> = parts.iter().map(bare).collect();
    let mut times: HashMap<&str, usize> = HashMap::new();
    for (short, whole) in short.iter().zip(parts) {
        *times.entry(short).or_default() += 1;
        // A name that another has in full is taken.
        *times.entry(whole).or_default() += usize::from(short != whole);
    }
    let choose = |(short, whole): (&String, &String)| {
        if short.is_empty() || times[short.as_str()] > 1 { whole.clone() } else { short.clone() }
    };
    short.iter().zip(parts).map(choose).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(paths: &[&str]) -> Vec<String> {
        of_files(&paths.iter().map(PathBuf::from).collect::<Vec<_>>())
    }

    #[test]
    fn files_are_called_by_their_stems() {
        assert_eq!(names(&["/shows/x/Michelle.glb", "y/prop.v2.obj.gz"]), ["Michelle", "prop.v2"]);
        assert_eq!(
            names(&["x/cloth.####.obj", "cloth_%04d.ply"]),
            ["cloth.####.obj", "cloth_%04d.ply"]
        );
        assert_eq!(names(&["cloth.####.obj", "b.%d.ply", "c.gz"]), ["cloth", "b", "c"]);
        assert_eq!(names(&[".obj", "a"]), [".obj", "a"]);
    }

    #[test]
    fn equal_stems_are_told_apart_by_the_least() {
        assert_eq!(names(&["d/cup.obj", "e/cup.stl", "cup/x.obj"]), ["cup.obj", "cup.stl", "x"]);
        assert_eq!(names(&["a/l/arm.urdf", "a/r/arm.urdf"]), ["l/arm", "r/arm"]);
        assert_eq!(names(&["a/x/arm.stl", "b/x/arm.stl"]), ["a/x/arm", "b/x/arm"]);
        assert_eq!(names(&["arm.stl", "b/arm.stl"]), ["arm", "b/arm"]);
        assert_eq!(
            names(&["a/arm.stl", "a/arm.obj", "b/arm.obj"]),
            ["a/arm.stl", "a/arm.obj", "b/arm.obj"]
        );
        assert_eq!(names(&["/arm.stl", "arm.stl"]), ["/arm.stl", "arm.stl"]);
        // A file that is given twice has one name; a list of objects numbers them.
        assert_eq!(names(&["a/cup.obj", "a/cup.obj"]), ["cup", "cup"]);
    }

    #[test]
    fn taken_names_are_numbered() {
        let mut unique = Unique::default();
        let given = ["a", "a", "b", "a #2", "a", "a #2"].map(str::to_owned);
        let names = given.map(|name| unique.name(name));
        assert_eq!(names, ["a", "a #2", "b", "a #2 #2", "a #3", "a #2 #3"]);
    }

    #[test]
    fn namespaces_go_where_nothing_is_lost() {
        let short = |parts: &[&str]| {
            without_namespaces(&parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(short(&["mixamorig:Hips", "Armature|mixamorig:Spine"]), ["Hips", "Spine"]);
        assert_eq!(short(&["Body/mixamorig:Hips", "a:Hair/a:Head"]), ["Body/Hips", "Hair/Head"]);
        assert_eq!(short(&["l:hand", "r:hand", "l:foot"]), ["l:hand", "r:hand", "foot"]);
        assert_eq!(short(&["a:b", "b"]), ["a:b", "b"]);
        assert_eq!(short(&["a:", ":", ""]), ["a:", ":", ""]);
    }
}
