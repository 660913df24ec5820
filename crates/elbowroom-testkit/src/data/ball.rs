//! A ball that flies through a scene in straight lines: 500 frames against a helicopter, 500
//! against a hand.
//!
//! The answer of a frame is the number of triangle pairs that meet, computed exactly. The ball of a
//! frame is the unit ball with every coordinate multiplied by the radius, rounded, and the centre
//! added, rounded.

use super::{mesh, read_json};
use crate::brute::Soup;
use serde::Deserialize;
use std::path::Path;

/// The two scenes: target mesh and frames in `benchmarks/ball`.
pub const SCENES: [&str; 2] = ["helicopter_AW101", "hand_rest"];

/// A target, a ball and the frames of its flight.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What the ball flies through.
    pub target: Soup,
    /// The ball of radius 1 around the origin.
    pub unit_ball: Soup,
    /// The radius of the flying ball.
    pub radius: f64,
    /// The flight.
    pub frames: Vec<Frame>,
}

/// One place of the ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Where the ball is.
    pub centre: [f64; 3],
    /// How many triangle pairs meet.
    pub pairs: usize,
}

impl Scene {
    /// The ball as it is in a frame.
    ///
    /// # Panics
    ///
    /// If there is no such frame.
    pub fn ball(&self, frame: usize) -> Soup {
        let centre = self.frames[frame].centre;
        let place = |v: &[f64; 3]| std::array::from_fn(|k| v[k] * self.radius + centre[k]);
        Soup {
            vertices: self.unit_ball.vertices.iter().map(place).collect(),
            triangles: self.unit_ball.triangles.clone(),
        }
    }
}

#[derive(Deserialize)]
struct Flight {
    radius: f64,
    frames: Vec<(f64, f64, f64, usize)>,
}

/// Reads one of [`SCENES`].
///
/// # Panics
///
/// If a file is absent or not as expected; the message names it.
pub fn load(shared: &Path, scene: &str) -> Scene {
    let directory = shared.join("benchmarks/ball");
    let flight: Flight = read_json(&directory.join(format!("{scene}.json.gz")));
    let frame = |&(x, y, z, pairs): &(f64, f64, f64, usize)| Frame { centre: [x, y, z], pairs };
    Scene {
        target: mesh::ply(&directory.join(format!("{scene}_flat.ply"))),
        unit_ball: mesh::ply(&directory.join("ball_icosphere3.ply")),
        radius: flight.radius,
        frames: flight.frames.iter().map(frame).collect(),
    }
}
