//! One suite of cases as data, which every engine runs.
//!
//! A case in `testdata/cases/*.json` is two small meshes, two poses and the full list of triangle
//! pairs that touch or cross. A mesh is written out (`vertices`, `triangles`) or made: `box`
//! (corner bit 0, 1, 2 set = x, y, z at `max`; faces −x, +x, −y, +y, −z, +z, two triangles each,
//! outward), `grid` (cells spanned by `u` and `v`, two triangles each, `u` fastest), `strip` (a row
//! of triangles zigzagging between `origin` and `origin + across`). A pose is `r` (nine numbers,
//! row by row) and `t`, each optional.
//!
//! Invariants of a loaded suite: names are unique, all numbers finite, all indices in range,
//! rotations within 1e-9, expected lists sorted and without duplicates.

use crate::brute::Soup;
use crate::oracle::{PlainPose, Relation};
use std::path::{Path, PathBuf};

pub(crate) mod format;

/// Two triangles and how they relate: index in a, index in b, relation.
pub type Pair = (u32, u32, Relation);

/// Two placed meshes and everything that is to be found between them.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file's name without its extension: the theme.
    pub theme: String,
    /// A name unique in the suite.
    pub name: String,
    /// What the case shows, in one sentence.
    pub shows: String,
    /// The first mesh.
    pub a: Soup,
    /// Where the first mesh stands.
    pub pose_a: PlainPose,
    /// The second mesh.
    pub b: Soup,
    /// Where the second mesh stands.
    pub pose_b: PlainPose,
    /// All pairs that touch or cross, sorted.
    pub expected: Vec<Pair>,
}

/// What a run met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cases run.
    pub cases: usize,
    /// Triangle pairs in them, apart or not.
    pub pairs: usize,
    /// Pairs expected to touch.
    pub touching: usize,
    /// Pairs expected to cross.
    pub crossing: usize,
}

/// All cases, by file and in file order.
///
/// # Panics
///
/// If the directory cannot be read or a case is malformed; the message names file and case.
pub fn load() -> Vec<Case> {
    load_from(&directory()).unwrap_or_else(|problem| panic!("{problem}"))
}

/// All cases in a directory of JSON files.
///
/// # Errors
///
/// Names the file, and where there is one the case, that cannot be read.
pub fn load_from(directory: &Path) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    for (theme, text) in crate::folder::json_files(directory)? {
        for case in format::parse(&theme, &text)? {
            if cases.iter().any(|other| other.name == case.name) {
                return Err(format!("{theme}.json, case \"{}\": the name is taken", case.name));
            }
            cases.push(case);
        }
    }
    Ok(cases)
}

/// Runs all cases through an engine, which returns the pairs it finds in any order.
///
/// # Panics
///
/// If an engine's answer differs from what is expected; the message names every failing case and
/// the pairs that are missing or too many. Also where [`load`] panics.
pub fn run(engine: impl FnMut(&Case) -> Vec<Pair>) -> Tally {
    let (tally, failures) = compare(&load(), engine);
    assert!(
        failures.is_empty(),
        "{} of {} cases fail:\n{}",
        failures.len(),
        tally.cases,
        failures.join("\n")
    );
    tally
}

/// Runs the given cases; one line for each that fails.
pub fn compare(cases: &[Case], mut engine: impl FnMut(&Case) -> Vec<Pair>) -> (Tally, Vec<String>) {
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    for case in cases {
        let count = |kind| case.expected.iter().filter(|pair| pair.2 == kind).count();
        tally.cases += 1;
        tally.pairs += case.a.triangles.len() * case.b.triangles.len();
        tally.touching += count(Relation::Touching);
        tally.crossing += count(Relation::Crossing);
        let mut found = engine(case);
        found.sort_unstable();
        if found != case.expected {
            failures.push(difference(case, &found));
        }
    }
    (tally, failures)
}

fn difference(case: &Case, found: &[Pair]) -> String {
    let missing: Vec<&Pair> = case.expected.iter().filter(|pair| !found.contains(pair)).collect();
    let excess: Vec<&Pair> = found.iter().filter(|pair| !case.expected.contains(pair)).collect();
    let twice: Vec<&Pair> = found.windows(2).filter(|w| w[0] == w[1]).map(|w| &w[0]).collect();
    format!(
        "{} / {} ({}): missing {missing:?}, too many {excess:?}, reported twice {twice:?}",
        case.theme, case.name, case.shows
    )
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases")
}

#[cfg(test)]
mod tests;
