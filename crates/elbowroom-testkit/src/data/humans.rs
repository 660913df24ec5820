//! Two hundred pairs of posed people with the full list of triangle pairs that meet.
//!
//! A is a pose of the man as stored. B is a pose of the woman plus an offset, added and rounded in
//! f32. Both are then widened to f64, and the lists are exact from there.

use super::{mesh, read_json};
use crate::brute::Soup;
use serde::Deserialize;
use std::path::Path;

/// All poses of both people, and which are put together.
#[derive(Clone, Debug)]
pub struct People {
    men: Poses,
    women: Poses,
    /// The pairs with their answers.
    pub pairs: Vec<Pair>,
}

/// Two poses put together.
#[derive(Clone, Debug, Deserialize)]
pub struct Pair {
    /// Which pose of the man.
    pub a: usize,
    /// Which pose of the woman.
    pub b: usize,
    /// What is added to the woman's vertices, in f32.
    #[serde(rename = "offset_f32")]
    pub offset: [f32; 3],
    /// Whether the surfaces meet.
    pub intersects: bool,
    /// All pairs of triangles that meet, sorted.
    pub pairs: Vec<(u32, u32)>,
}

#[derive(Clone, Debug)]
struct Poses {
    triangles: Vec<[u32; 3]>,
    /// Points of all poses, one pose after the other.
    points: Vec<[f64; 3]>,
    per_pose: usize,
}

#[derive(Deserialize)]
struct Listed {
    pairs: Vec<Pair>,
}

const POSES: usize = 200;

/// Reads poses, triangles and pairs.
///
/// # Panics
///
/// If a file is absent or not as expected; the message names it.
pub fn load(shared: &Path) -> People {
    let directory = shared.join("benchmarks/human_pairs");
    let poses = |who: &str| {
        let points = mesh::f32_points(&directory.join(format!("{who}_poses.f32.gz")));
        Poses {
            triangles: mesh::glb_triangles(
                &shared.join(format!("characters/mh_{who}2850_cmu.glb")),
            ),
            per_pose: points.len() / POSES,
            points,
        }
    };
    let listed: Listed = read_json(&directory.join("pairs.json.gz"));
    People { men: poses("male"), women: poses("female"), pairs: listed.pairs }
}

impl People {
    /// Both people of a pair as they stand; the poses are the identity.
    ///
    /// # Panics
    ///
    /// If there is no such pair.
    pub fn placed(&self, pair: usize) -> [Soup; 2] {
        let Pair { a, b, offset, .. } = self.pairs[pair];
        let mut woman = self.women.soup(b);
        for p in &mut woman.vertices {
            // The stored numbers are f32, so narrowing is exact; the sum is rounded to f32 on
            // purpose.
            *p = std::array::from_fn(|k| f64::from(p[k] as f32 + offset[k]));
        }
        [self.men.soup(a), woman]
    }
}

impl Poses {
    fn soup(&self, pose: usize) -> Soup {
        Soup {
            vertices: self.points[pose * self.per_pose..][..self.per_pose].to_vec(),
            triangles: self.triangles.clone(),
        }
    }
}
