//! What many share: arrays, bodies, clips. What is there already is not stored again.

use std::collections::HashMap;

use glam::DVec3;
use serde::Serialize;

use super::container::Arrays;
use super::quantise::{Box3, grid};

/// A mesh, and the joints that it hangs on.
#[derive(Clone, Serialize)]
pub(super) struct Body {
    pub(super) name: String,
    r#box: Box3,
    positions: String,
    indices: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    skin: Option<Skin>,
}

#[derive(Clone, PartialEq, Serialize)]
pub(super) struct Skin {
    parents: String,
    rest: String,
    influences: usize,
    joints: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<String>,
}

/// What joints do to a mesh.
pub(super) struct Held {
    pub(super) parents: Vec<i16>,
    pub(super) rest: Vec<DVec3>,
    /// The joints of each vertex with their weights, the heaviest first.
    pub(super) influences: Vec<Vec<(u16, f64)>>,
}

/// Poses one after the other.
#[derive(Serialize)]
pub(super) struct Clip {
    pub(super) name: String,
    pub(super) joints: usize,
    pub(super) samples: usize,
    pub(super) wraps: bool,
    pub(super) rotations: String,
    pub(super) positions: String,
    pub(super) r#box: Box3,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scales: Option<String>,
}

/// Joints that hold a vertex at most; the weights of others are left out.
const MOST_INFLUENCES: usize = 4;

/// All that is shared, and how much more may be stored.
pub(super) struct Stock {
    pub(super) arrays: Arrays,
    pub(super) bodies: Vec<Body>,
    pub(super) clips: Vec<Clip>,
    most_bytes: usize,
    /// Where bodies are, by the array of their vertices.
    known: HashMap<String, Vec<usize>>,
}

impl Stock {
    /// An empty stock with room for this many bytes.
    pub(super) fn new(most_bytes: usize) -> Self {
        Self {
            arrays: Arrays::default(),
            bodies: Vec::new(),
            clips: Vec::new(),
            most_bytes,
            known: HashMap::new(),
        }
    }

    /// Whether there is room for this many more bytes.
    pub(super) fn has_room(&self, bytes: usize) -> bool {
        self.arrays.bytes().saturating_add(bytes) <= self.most_bytes
    }

    /// A body; one that looks the same and hangs on the same joints is taken, if there is one.
    pub(super) fn body(
        &mut self,
        name: &str,
        vertices: impl Iterator<Item = DVec3> + Clone,
        triangles: &[u32],
        held: Option<&Held>,
    ) -> usize {
        let own = self.bodies.len();
        let (r#box, numbers) = grid(vertices);
        let positions = self.arrays.add(format!("body/{own}"), &numbers, None);
        let indices = self.indices(own, triangles, numbers.len() / 3);
        let skin = held.map(|held| self.skin(own, held));
        let body = Body { name: name.to_owned(), r#box, positions, indices, skin };
        let alike = self.known.entry(body.positions.clone()).or_default();
        let same = alike.iter().find(|&&other| {
            let other = &self.bodies[other];
            (&other.r#box, &other.indices, &other.skin) == (&body.r#box, &body.indices, &body.skin)
        });
        if let Some(&same) = same {
            return same;
        }
        alike.push(own);
        self.bodies.push(body);
        own
    }

    fn indices(&mut self, own: usize, triangles: &[u32], vertices: usize) -> String {
        let name = format!("body/{own}/indices");
        if vertices <= 1 << 16 {
            let short: Vec<u16> = triangles.iter().map(|&corner| corner as u16).collect();
            self.arrays.add(name, &short, Some(3))
        } else {
            self.arrays.add(name, triangles, Some(3))
        }
    }

    fn skin(&mut self, own: usize, held: &Held) -> Skin {
        let most = held.influences.iter().map(Vec::len).max().unwrap_or(1);
        let influences = most.clamp(1, MOST_INFLUENCES);
        let (mut joints, mut weights) = (Vec::new(), Vec::new());
        for of_vertex in &held.influences {
            for place in 0..influences {
                let (joint, weight) = of_vertex.get(place).copied().unwrap_or((0, 0.0));
                joints.push(joint);
                #[expect(clippy::cast_sign_loss, reason = "weights are not below 0")]
                weights.push((weight * 65_535.0).round() as u16);
            }
        }
        let flat: Vec<f32> =
            held.rest.iter().flat_map(|point| point.as_vec3().to_array()).collect();
        Skin {
            parents: self.arrays.add(format!("body/{own}/parents"), &held.parents, None),
            rest: self.arrays.add(format!("body/{own}/rest"), &flat, None),
            influences,
            joints: self.arrays.add(format!("body/{own}/joints"), &joints, None),
            weights: (influences > 1)
                .then(|| self.arrays.add(format!("body/{own}/weights"), &weights, None)),
        }
    }
}
