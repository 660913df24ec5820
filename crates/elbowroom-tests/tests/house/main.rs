//! The order of crates and of the folders inside them: each uses only what is below it.
//!
//! The order itself is data, in [`plan`]. [`rust`] reads which modules a source file names.
//! Test modules are left out: a test may compare a floor with what stands on it.

mod manifests;
mod plan;
mod rust;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use plan::{HOUSES, House};
use rust::{Source, read};

/// The folder of all crates.
fn crates() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().expect("the package is in the folder of all crates").to_path_buf()
}

/// What one look at a house met.
#[derive(Default)]
struct Report {
    /// Files that were read, without those of tests.
    files: usize,
    /// Paths that lead from a room to itself or to another.
    paths: usize,
    /// Paths that lead from one room to another.
    doors: usize,
    /// The rooms that were seen.
    rooms: BTreeSet<String>,
    /// What is wrong, in words.
    faults: Vec<String>,
}

impl Report {
    /// Checks one file; `module` is its path from the crate's root.
    fn look(&mut self, house: &House, module: &[String], source: &Source) {
        self.files += 1;
        let Some(from) = house.room(module) else {
            // What is above all floors: the crate's root, and its front.
            return;
        };
        self.rooms.insert(from.to_owned());
        let place = module.join("::");
        let Some(floor) = house.floor(from) else {
            let fault = format!("{place}: no floor has a room `{from}`; give it one in plan.rs");
            self.faults.push(fault);
            return;
        };
        for path in &source.paths {
            let named = path.names.join("::");
            let place = format!("{} line {}: `crate::{named}`", place, path.line);
            match house.room(&path.names).and_then(|to| Some((to, house.floor(to)?))) {
                None => self.faults.push(format!("{place} is on no floor")),
                Some((to, _)) if to == from => self.paths += 1,
                Some((to, target)) => {
                    self.paths += 1;
                    self.doors += 1;
                    if target >= floor {
                        self.faults.push(format!("{place}: `{from}` is not above `{to}`"));
                    }
                }
            }
        }
    }
}

/// Checks all files of a crate.
fn look(house: &House) -> Report {
    let mut files = Vec::new();
    let root = crates().join(house.package).join("src");
    collect(&root, &mut Vec::new(), &mut files);
    files.sort();
    let mut sources = Vec::new();
    let mut tests: Vec<Vec<String>> = Vec::new();
    for (module, file) in files {
        let text = fs::read_to_string(&file).expect("a readable source file");
        let source = read(&text, &module);
        tests.extend(source.tests.iter().map(|name| {
            let mut test = module.clone();
            test.push(name.clone());
            test
        }));
        sources.push((module, source));
    }
    let mut report = Report::default();
    for (module, source) in &sources {
        if !tests.iter().any(|test| module.starts_with(test)) {
            report.look(house, module, source);
        }
    }
    report
}

/// All Rust files below a folder, each with the path of its module.
fn collect(folder: &Path, module: &mut Vec<String>, files: &mut Vec<(Vec<String>, PathBuf)>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry of a folder").path();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            module.push(stem);
            collect(&path, module, files);
            module.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let mut own = module.clone();
            // These are named after the folder.
            if !["lib", "main", "mod"].contains(&stem.as_str()) {
                own.push(stem);
            }
            files.push((own, path));
        }
    }
}

#[test]
fn nothing_climbs() {
    for house in HOUSES {
        let report = look(house);
        let package = house.package;
        assert!(report.faults.is_empty(), "{package}:\n{}", report.faults.join("\n"));
        let planned: BTreeSet<String> = house.files().map(str::to_owned).collect();
        assert_eq!(report.rooms, planned, "{package}: the plan names what is there");
        let (files, doors) = (report.files, report.doors);
        println!("{package}: {files} files, {} paths, {doors} between rooms", report.paths);
        assert!(files >= house.least.files, "{package}: only {files} files were read");
        assert!(doors >= house.least.doors, "{package}: only {doors} paths between rooms");
    }
}

/// A house of three floors for the tests below.
const INVENTED: House = House {
    package: "invented",
    below: "internal",
    floors: &[&["log"], &["ground", "cellar"], &["attic"]],
    outside: &["log"],
    without_files: &[],
    least: plan::Least { files: 0, doors: 0 },
};

/// The faults of one invented file.
fn faults(module: &str, text: &str) -> Vec<String> {
    let module: Vec<String> = module.split("::").map(str::to_owned).collect();
    let mut report = Report::default();
    report.look(&INVENTED, &module, &read(text, &module));
    report.faults
}

#[test]
fn a_climb_is_found() {
    let fault = faults("internal::ground::stone", "use crate::internal::attic::Box;");
    assert_eq!(fault.len(), 1);
    assert_eq!(
        fault[0],
        "internal::ground::stone line 1: `crate::internal::attic::Box`: `ground` is not above `attic`"
    );
    for text in [
        "fn f() { crate::internal::attic::open(); }",
        "use crate::{log, internal::{ground::Stone, attic::{Box, Chest as C}}};",
        "use super::super::attic;",
        "mod inner { use super::super::super::attic; }",
        "macro_rules! m { () => { $crate::internal::attic::open() } }",
        "#[cfg(not(test))] use crate::internal::attic::Box;",
        "const QUOTE: char = '\"'; use crate::internal::attic::Box;",
        "fn f<'a>(x: &'a str) -> crate::internal::attic::Box<'a> { g(x) }",
    ] {
        let count = if text.contains("Chest") { 2 } else { 1 };
        assert_eq!(faults("internal::ground::stone", text).len(), count, "{text}");
    }
}

#[test]
fn a_neighbour_of_the_same_floor_is_no_floor_to_stand_on() {
    assert_eq!(faults("internal::ground", "use crate::internal::cellar::Barrel;").len(), 1);
}

#[test]
fn the_front_is_out_of_reach() {
    for text in ["use crate::Model;", "use crate::front::Model;", "use crate::internal;"] {
        assert_eq!(faults("internal::attic", text).len(), 1, "{text}");
    }
    // The front may use every room.
    assert!(faults("front", "use crate::internal::{attic, ground};").is_empty());
    // What stands outside is a room like the others.
    assert!(faults("internal::ground", "use crate::log::note;").is_empty());
    assert_eq!(faults("log", "use crate::internal::ground::Stone;").len(), 1);
}

#[test]
fn a_room_without_a_floor_is_named() {
    assert_eq!(faults("internal::tower", "").len(), 1);
}

#[test]
fn what_is_no_code_is_no_door() {
    for text in [
        "//! `crate::internal::attic`",
        "/* use crate::internal::attic::Box; /* nested */ crate::internal::attic */",
        "const TEXT: &str = \"crate::internal::attic\\\"\";",
        "const TEXT: &str = r#\"crate::internal::attic\"#;",
        "pub(crate) fn f() {}",
        "#[cfg(test)] mod tests { use crate::internal::attic::Box; }",
        "#[cfg(test)]\n#[path = \"x.rs\"] use crate::internal::attic::Box;",
        "use super::stone::Pebble; use self::grain::Sand;",
    ] {
        assert!(faults("internal::ground::stone", text).is_empty(), "{text}");
    }
}

#[test]
fn crates_depend_on_those_below() {
    let seen = manifests::check(&crates());
    assert!(seen.faults.is_empty(), "{}", seen.faults.join("\n"));
    println!("{} manifests, {} dependencies on our own crates", seen.manifests, seen.own);
    assert!(seen.manifests >= 9 && seen.own >= 20, "{} {}", seen.manifests, seen.own);
}
