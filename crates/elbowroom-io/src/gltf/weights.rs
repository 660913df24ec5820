//! Which joints a vertex follows: the attributes `JOINTS_n` and `WEIGHTS_n`, four influences each,
//! in any number of sets.
//!
//! Influences of no weight are padding and are left out, whatever joint they name. A vertex without
//! any weight follows the first joint that it names, as viewers do it; a note says so.

use elbowroom_motion::body::{Influence, JointId, Skin};
use glam::{DAffine3, DMat4};

use crate::error::Fault;
use crate::odd::Notes;
use crate::text::{counted, quote};

use super::accessor::{Accessors, Wanted};
use super::primitives::same_count;
use super::schema::{Primitive, named};

/// The influences of all vertices, as [`Skin::new`] wants them.
#[derive(Clone)]
pub(super) struct Weights {
    offsets: Vec<u32>,
    influences: Vec<Influence>,
    /// How many vertices have no weight.
    loose: usize,
}

impl Default for Weights {
    fn default() -> Self {
        Self { offsets: vec![0], influences: Vec::new(), loose: 0 }
    }
}

impl Weights {
    pub(super) fn bytes(&self) -> usize {
        self.offsets.len() * size_of::<u32>() + self.influences.len() * size_of::<Influence>()
    }

    /// Adds the vertices of a primitive.
    pub(super) fn add(
        &mut self,
        primitive: &Primitive,
        vertices: usize,
        accessors: &Accessors<'_>,
        place: &str,
    ) -> Result<(), Fault> {
        let mut sets = Vec::new();
        while let Some(&joints) = primitive.attributes.get(&format!("JOINTS_{}", sets.len())) {
            let set = sets.len();
            let weights =
                *primitive.attributes.get(&format!("WEIGHTS_{set}")).ok_or_else(|| {
                    Fault::whole(format!(
                        "{place} has JOINTS_{set} but no WEIGHTS_{set}; export the file again"
                    ))
                })?;
            let read = |index, wanted, what| {
                let user = format!("{what}_{set} of {place}");
                same_count(accessors.count(index, &user)?, vertices, &user)?;
                accessors.read(index, wanted, &user)
            };
            let joints = read(joints, Wanted::JOINTS, "JOINTS")?;
            sets.push((joints, read(weights, Wanted::WEIGHTS, "WEIGHTS")?));
        }
        accessors.spend(vertices.saturating_mul(sets.len() * 4 * size_of::<Influence>()))?;
        for vertex in 0..vertices {
            self.add_vertex(vertex, &sets);
        }
        Ok(())
    }

    fn add_vertex(&mut self, vertex: usize, sets: &[(Vec<f64>, Vec<f64>)]) {
        let before = self.influences.len();
        let influence = |joint: f64, weight: f64| Influence {
            joint: super::accessor::as_index(joint) as u16,
            weight: weight as f32,
        };
        for (joints, weights) in sets {
            let four = 4 * vertex..4 * vertex + 4;
            for (&joint, &weight) in joints[four.clone()].iter().zip(&weights[four]) {
                if weight != 0.0 {
                    self.influences.push(influence(joint, weight));
                }
            }
        }
        if self.influences.len() == before {
            self.loose += 1;
            self.influences.push(influence(sets[0].0[4 * vertex], 1.0));
        }
        self.offsets.push(self.influences.len() as u32);
    }

    /// Joins the weights with the joints that they speak of.
    pub(super) fn skin(
        &self,
        skin: usize,
        accessors: &Accessors<'_>,
        place: &str,
        notes: &mut Notes,
    ) -> Result<Skin, Fault> {
        let (joints, inverse_binds) = binds(skin, accessors)?;
        let (offsets, influences) = (self.offsets.clone(), self.influences.clone());
        let skin = Skin::new(joints, inverse_binds, offsets, influences)
            .map_err(|error| Fault::whole(format!("{place}, skin {skin}: {error}")))?;
        if self.loose > 0 {
            notes.add(|| {
                let loose = counted(self.loose, "vertex has", "vertices have");
                format!("{place}: {loose} no weight and was held by the first joint that it names")
            });
        }
        let scaled = skin.renormalised();
        if scaled > 0 {
            notes.add(|| {
                let scaled = counted(scaled, "vertex", "vertices");
                format!("{place}: the weights of {scaled} did not add up to one and were scaled")
            });
        }
        Ok(skin)
    }
}

/// The joints of a skin and its inverse bind matrices, which are the identity where the file gives
/// none.
fn binds(index: usize, accessors: &Accessors<'_>) -> Result<(Vec<JointId>, Vec<DAffine3>), Fault> {
    let root = accessors.root;
    let skin = named(&root.skins, index, ("skin", "skins"), "a node")?;
    let user = format!("skin {index}");
    for &joint in &skin.joints {
        root.node(joint, &user)?;
    }
    let joints: Vec<_> = skin.joints.iter().map(|&joint| JointId(joint as u32)).collect();
    let Some(matrices) = skin.inverse_bind_matrices else {
        let identities = vec![DAffine3::IDENTITY; joints.len()];
        return Ok((joints, identities));
    };
    let user = format!("inverse bind matrices of {user}");
    let values = accessors.read(matrices, Wanted::MATRIX, &user)?;
    let (matrices, _) = values.as_chunks::<16>();
    if matrices.len() < joints.len() {
        let (held, wanted) = (
            counted(matrices.len(), "matrix", "matrices"),
            counted(joints.len(), "joint", "joints"),
        );
        return Err(Fault::whole(format!("{user}: {held} for {wanted}; export the file again")));
    }
    accessors.spend(joints.len() * size_of::<DAffine3>())?;
    let affine = |matrix: &[f64; 16]| DAffine3::from_mat4(DMat4::from_cols_array(matrix));
    let inverse_binds = matrices[..joints.len()].iter().map(affine).collect();
    Ok((joints, inverse_binds))
}

/// What a part is called in messages.
pub(super) fn part_place(node: usize, name: &str) -> String {
    format!("node {node} {}", quote(name.as_bytes()))
}
