//! Two thousand copies of Suzanne, and which of them meet.
//!
//! Every copy has a 3×4 matrix. Its vertices are placed as `((m0·x + m1·y) + m2·z) + m3` for each
//! row, every operation rounded once ([`PlainPose::rounded`]); the answers are exact from there.

use super::{mesh, read_json};
use crate::brute::Soup;
use crate::oracle::PlainPose;
use serde::Deserialize;
use std::path::Path;

/// The mesh, its copies and the answers.
#[derive(Clone, Debug)]
pub struct Swarm {
    /// One Suzanne; polygons are fans from their first corner.
    pub mesh: Soup,
    /// Where the copies stand. Bake them ([`Swarm::copy`]) for the published answer.
    pub poses: Vec<PlainPose>,
    /// How many pairs of copies have overlapping boxes.
    pub box_overlaps: usize,
    /// Copies that meet, and the number of triangle pairs: i, j, count, with i < j.
    pub colliding: Vec<(u32, u32, usize)>,
}

impl Swarm {
    /// One copy, placed and rounded once.
    ///
    /// # Panics
    ///
    /// If there is no such copy.
    pub fn copy(&self, index: usize) -> Soup {
        self.mesh.baked(&self.poses[index])
    }
}

#[derive(Deserialize)]
struct Listed {
    matrices: Vec<[f64; 12]>,
    aabb_overlaps: usize,
    colliding_pairs: Vec<(u32, u32, usize)>,
}

/// Reads the swarm.
///
/// # Panics
///
/// If a file is absent or not as expected; the message names it.
pub fn load(shared: &Path) -> Swarm {
    let listed: Listed = read_json(&shared.join("benchmarks/swarm/suzanne2000.json.gz"));
    let pose = |m: &[f64; 12]| PlainPose {
        r: std::array::from_fn(|i| std::array::from_fn(|j| m[4 * i + j])),
        t: std::array::from_fn(|i| m[4 * i + 3]),
    };
    Swarm {
        mesh: mesh::obj(&shared.join("meshes/suzanne.obj")),
        poses: listed.matrices.iter().map(pose).collect(),
        box_overlaps: listed.aabb_overlaps,
        colliding: listed.colliding_pairs,
    }
}
