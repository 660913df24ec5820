//! Contact-mechanics models of the Flexible Collision Library (Pan, Chitta, Manocha: FCL, 2012):
//! two objects in motion.
//!
//! The files give each rotation with six decimals, too few for a pose. So the vertices of both
//! objects are placed and rounded once for each frame ([`PlainPose::rounded`]), and the poses are
//! the identity. The answers are numbers of intersecting triangle pairs, computed with python-fcl
//! and in agreement with the published slides.

use super::{read_json, read_text};
use crate::brute::Soup;
use crate::oracle::PlainPose;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The seven models, by path below `benchmarks/fcl`, without `.gz`.
pub const MODELS: [&str; 7] = [
    "manyframes/Model_1.xml",
    "newdata/Model_1_Scenario_3.xml",
    "scenario-1-2-3/Model_1_Scenario_1.txt",
    "scenario-1-2-3/Model_1_Scenario_2.txt",
    "scenario-1-2-3/Model_1_Scenario_3.txt",
    "scenario-1-2-3/Model_2_Scenario_1.txt",
    "scenario-1-2-3/Model_2_Scenario_2.txt",
];

/// Two objects and how they move.
#[derive(Clone, Debug)]
pub struct Model {
    /// Both objects at rest.
    pub objects: [Soup; 2],
    /// For each frame where both objects stand; the rotations have six decimals only.
    pub frames: Vec<[PlainPose; 2]>,
    /// For each frame the number of triangle pairs that meet.
    pub answers: Vec<usize>,
}

impl Model {
    /// Both objects of a frame, placed and rounded once.
    ///
    /// # Panics
    ///
    /// If there is no such frame.
    pub fn placed(&self, frame: usize) -> [Soup; 2] {
        std::array::from_fn(|k| self.objects[k].baked(&self.frames[frame][k]))
    }
}

#[derive(Deserialize)]
struct Answers {
    pairs_per_frame: BTreeMap<String, Vec<usize>>,
}

/// Reads one of [`MODELS`].
///
/// # Panics
///
/// If a file is absent or not as expected; the message names it.
pub fn load(shared: &Path, model: &str) -> Model {
    let directory = shared.join("benchmarks/fcl");
    let mut answers: Answers = read_json(&directory.join("answers_python_fcl.json"));
    let plain = directory.join(model);
    let path = if plain.exists() { plain } else { directory.join(format!("{model}.gz")) };
    let text = read_text(&path);
    let Some(answers) = answers.pairs_per_frame.remove(model) else {
        panic!("{model}: no answers");
    };
    parse(&text, answers).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()))
}

fn parse(text: &str, answers: Vec<usize>) -> Result<Model, String> {
    let mut objects: Vec<Soup> = Vec::new();
    let mut frames = Vec::new();
    // The format is a handful of flat tags: no nesting, no text, no escapes.
    for tag in text.split('<').skip(1) {
        let name = tag.split(|c: char| c.is_whitespace() || c == '>').next().unwrap_or_default();
        let bad = || format!("cannot read <{}", tag.trim_end());
        match name {
            "OBJECT" => objects.push(Soup::default()),
            "GRID" => {
                let soup = objects.last_mut().ok_or_else(bad)?;
                let id = numbers::<1>(tag, "id").ok_or_else(bad)?[0];
                if id != soup.vertices.len() as f64 + 1.0 {
                    return Err(format!(
                        "vertices are not numbered one by one: <{}",
                        tag.trim_end()
                    ));
                }
                let [[x], [y], [z]] =
                    ["x", "y", "z"].map(|k| numbers::<1>(tag, k).unwrap_or([f64::NAN]));
                soup.vertices.push([x, y, z]);
            }
            "TRIA" => {
                let corners =
                    ["g1", "g2", "g3"].map(|k| numbers::<1>(tag, k).map_or(0.0, |n| n[0]));
                let soup = objects.last_mut().ok_or_else(bad)?;
                if corners.iter().any(|&v| v < 1.0 || v > soup.vertices.len() as f64) {
                    return Err(bad());
                }
                soup.triangles.push(corners.map(|v| index(v) - 1));
            }
            "FRAME" => {
                frames.push([frame(tag, 1).ok_or_else(bad)?, frame(tag, 2).ok_or_else(bad)?]);
            }
            _ => {}
        }
    }
    let count = objects.len();
    let objects = objects.try_into().map_err(|_| format!("{count} objects instead of two"))?;
    if frames.len() != answers.len() {
        return Err(format!("{} frames, but {} answers", frames.len(), answers.len()));
    }
    Ok(Model { objects, frames, answers })
}

fn frame(tag: &str, object: u32) -> Option<PlainPose> {
    let cosines: [f64; 9] = numbers(tag, &format!("obj{object}_dc"))?;
    Some(PlainPose {
        r: std::array::from_fn(|i| std::array::from_fn(|j| cosines[3 * i + j])),
        t: numbers(tag, &format!("obj{object}_pos"))?,
    })
}

/// The numbers of the attribute `key`; blanks may stand before and after `=`.
fn numbers<const N: usize>(tag: &str, key: &str) -> Option<[f64; N]> {
    let at = tag.match_indices(key).find_map(|(at, _)| {
        let before = tag[..at].chars().next_back()?;
        let rest = tag[at + key.len()..].trim_start().strip_prefix('=')?;
        before.is_whitespace().then_some(rest)
    })?;
    let value = at.split('"').nth(1)?;
    let parsed: Option<Vec<f64>> = value.split_whitespace().map(|w| w.parse().ok()).collect();
    parsed?.try_into().ok()
}

/// A small whole number that was read as a float and checked to lie in range.
#[expect(clippy::cast_sign_loss, reason = "the caller has checked that it is at least 1")]
fn index(value: f64) -> u32 {
    value as u32
}
