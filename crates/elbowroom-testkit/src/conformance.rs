//! What an answer means, as data that any engine can be held to.
//!
//! A case in `testdata/conformance/*.json` is one or two placed meshes, the answers to every
//! question about them, and in words why they are the answers. The loader makes more of it:
//! [`Variant`]s of a case are scenes that differ in something that must not matter (the order of
//! arguments or triangles, a quarter turn, a place far away), or that changes the answer in a known
//! way (scale). Every question about every scene is a [`Check`]. The definitions of all the words
//! are in `testdata/conformance/README.md`.
//!
//! - [`for_each_check`] hands out plain arrays, a question and its answer.
//! - [`run`] asks an [`Engine`], which may have no answer, and gives a [`Report`].
//! - [`export`] writes the same as lines of JSON, for engines in other languages.
//!
//! Invariants of a loaded suite: names are unique, all numbers finite, all indices in range; a
//! variant that claims to leave the geometry as it is does so to the last bit, or loading fails.

use crate::brute::Soup;
use crate::oracle::PlainPose;
use std::path::{Path, PathBuf};

mod answer;
mod engine;
mod expect;
mod export;
mod format;
mod recipe;
mod vary;

pub use answer::{Answer, Kind, Place, Question, Side};
pub use engine::{Asked, Engine, Failure, Report, answer, run, run_on};
pub use export::export;
pub use vary::Variant;

/// A mesh and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The mesh.
    pub mesh: Soup,
    /// Where it stands.
    pub pose: PlainPose,
}

/// One or two placed meshes, and everything that is asked about them.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The file's name without its extension: the theme.
    pub theme: String,
    /// The name of the case, unique in the suite.
    pub case: String,
    /// How the scene was made from the case.
    pub variant: Variant,
    /// Why the answers are what they are, in words.
    pub why: String,
    /// The first mesh, or the only one.
    pub a: Body,
    /// The second mesh, if there are two.
    pub b: Option<Body>,
    /// The questions with their answers.
    pub questions: Vec<(Question, Answer)>,
}

/// A question about a scene, and its answer.
#[derive(Clone, Copy, Debug)]
pub struct Check<'a> {
    /// The scene, with its other questions.
    pub scene: &'a Scene,
    /// What is asked.
    pub question: &'a Question,
    /// What is right.
    pub expected: &'a Answer,
}

/// All scenes: every case, each followed by its variants, by file and in file order.
///
/// # Panics
///
/// If the directory cannot be read or a case is malformed; the message names file and case.
pub fn load() -> Vec<Scene> {
    load_from(&directory()).unwrap_or_else(|problem| panic!("{problem}"))
}

/// All scenes of a directory of JSON files.
///
/// # Errors
///
/// Names the file, and where there is one the case, that cannot be read.
pub fn load_from(directory: &Path) -> Result<Vec<Scene>, String> {
    let mut scenes: Vec<Scene> = Vec::new();
    for (theme, text) in crate::folder::json_files(directory)? {
        for case in format::parse(&theme, &text)? {
            let name = case.first().map_or("", |scene| scene.case.as_str());
            if scenes.iter().any(|other| other.case == name) {
                return Err(format!("{theme}.json, case \"{name}\": the name is taken"));
            }
            scenes.extend(case);
        }
    }
    Ok(scenes)
}

/// Shows every check of the suite.
///
/// ```
/// use elbowroom_testkit::conformance::{Question, for_each_check};
///
/// let (mut checks, mut distances) = (0, 0);
/// for_each_check(|check| {
///     checks += 1;
///     distances += usize::from(*check.question == Question::Distance);
///     // check.scene.a.mesh.vertices and so on are plain arrays.
/// });
/// assert!(checks > 1000 && distances > 100);
/// ```
///
/// # Panics
///
/// Where [`load`] does.
pub fn for_each_check(mut visit: impl FnMut(Check<'_>)) {
    for scene in &load() {
        for (question, expected) in &scene.questions {
            visit(Check { scene, question, expected });
        }
    }
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/conformance")
}

#[cfg(test)]
mod tests;
