//! Rigid-body motion planning problems of the Open Motion Planning Library: every state of a path
//! is free.
//!
//! The robots' states are translations and quaternions. A quaternion becomes a matrix once, and the
//! matrix is the pose; [`load`] normalises the quaternion first, as it is unit only up to rounding.

use super::{mesh, read_json};
use crate::brute::Soup;
use crate::oracle::PlainPose;
use serde::Deserialize;
use std::path::Path;

/// The six problems below `benchmarks/ompl/ready`.
pub const PROBLEMS: [&str; 6] = ["Easy", "Home", "Twistycool", "alpha-1.5", "bugtrap", "cubicles"];

/// A robot in its surroundings.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What stands still.
    pub environment: Soup,
    /// What moves, around its own origin.
    pub robot: Soup,
    /// Where the robot is at start, at the goal, and along the path: free everywhere.
    pub states: Vec<State>,
}

/// One place of the robot.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// As stored: the rotation, x y z w.
    pub quaternion: [f64; 4],
    /// The translation with the matrix of the normalised quaternion.
    pub pose: PlainPose,
}

#[derive(Deserialize)]
struct Listed {
    start: [f64; 7],
    goal: [f64; 7],
    path: Vec<[f64; 7]>,
}

/// Reads one of [`PROBLEMS`].
///
/// # Panics
///
/// If a file is absent or not as expected; the message names it.
pub fn load(shared: &Path, problem: &str) -> Problem {
    let directory = shared.join("benchmarks/ompl/ready");
    let listed: Listed = read_json(&directory.join(format!("{problem}.json")));
    let soup = |part: &str| {
        let plain = directory.join(format!("{problem}_{part}.stl"));
        let path =
            if plain.exists() { plain } else { directory.join(format!("{problem}_{part}.stl.gz")) };
        mesh::stl(&path)
    };
    let all = [listed.start, listed.goal].into_iter().chain(listed.path);
    Problem { environment: soup("env"), robot: soup("robot"), states: all.map(state).collect() }
}

fn state([x, y, z, qx, qy, qz, qw]: [f64; 7]) -> State {
    let quaternion = [qx, qy, qz, qw];
    State { quaternion, pose: PlainPose { r: rotation(quaternion), t: [x, y, z] } }
}

/// The matrix of a quaternion x y z w, which is normalised first.
pub fn rotation(quaternion: [f64; 4]) -> [[f64; 3]; 3] {
    let norm = quaternion.iter().map(|c| c * c).sum::<f64>().sqrt();
    let [x, y, z, w] = quaternion.map(|c| c / norm);
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}
