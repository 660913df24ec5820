//! Does a deformable tree keep what it promises? Tests ask after every refit.

use std::fmt;

use glam::DVec3;

use super::{DeformableBoxes, DeformableChild, DeformableTree, MOST};
use crate::internal::volume::aabb8::Faces;

/// A promise that is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeformableFault {
    /// The leaves are no permutation of the mesh's triangles, or one is empty or too large.
    Order,
    /// A block makes no tree.
    Block(usize),
    /// A box does not contain a vertex below it.
    Outside {
        /// The block.
        block: usize,
        /// The vertex.
        vertex: u32,
    },
}

impl fmt::Display for DeformableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order => write!(f, "the leaves are not a permutation of the mesh's triangles"),
            Self::Block(block) => write!(f, "block {block} makes no tree"),
            Self::Outside { block, vertex } => {
                write!(f, "a box of block {block} does not contain vertex {vertex} below it")
            }
        }
    }
}

impl std::error::Error for DeformableFault {}

impl DeformableTree {
    /// Checks the topology.
    ///
    /// # Errors
    /// The first fault.
    pub fn validate(&self) -> Result<(), DeformableFault> {
        let mut seen = vec![false; self.of_mesh.len()];
        for leaf in 0..self.leaves.len() {
            let (numbers, triangles) = (self.numbers_of(leaf), self.triangles_of(leaf));
            for (&number, triangle) in numbers.iter().zip(triangles) {
                let is_known = self.of_mesh.get(number as usize) == Some(triangle);
                if !is_known || std::mem::replace(&mut seen[number as usize], true) {
                    return Err(DeformableFault::Order);
                }
            }
            if numbers.is_empty() || numbers.len() > MOST {
                return Err(DeformableFault::Order);
            }
        }
        if seen.contains(&false) {
            return Err(DeformableFault::Order);
        }
        self.validate_links()
    }

    fn validate_links(&self) -> Result<(), DeformableFault> {
        let (mut blocks, mut leaves) = (vec![0; self.links.len()], vec![0; self.leaves.len()]);
        for (index, links) in self.links.iter().enumerate() {
            for (lane, &under) in links.under.iter().enumerate() {
                let (present, leaf) = (links.present >> lane & 1, links.leaves >> lane & 1);
                let is_sound = match (under, under.as_leaf()) {
                    (DeformableChild::NOTHING, _) => present == 0 && leaf == 0,
                    (_, Some(place)) => {
                        leaves[place] += 1;
                        present == 1 && leaf == 1
                    }
                    (DeformableChild(block), None) => {
                        blocks[block as usize] += 1;
                        present == 1 && leaf == 0 && block as usize > index
                    }
                };
                if !is_sound {
                    return Err(DeformableFault::Block(index));
                }
            }
        }
        // The first is the root.
        let is_once = |(place, &count): (usize, &u32)| count == u32::from(place > 0);
        match blocks.iter().enumerate().position(|at| !is_once(at)) {
            Some(block) => Err(DeformableFault::Block(block)),
            None if leaves.iter().any(|&count| count != 1) => Err(DeformableFault::Order),
            None => Ok(()),
        }
    }
}

impl DeformableBoxes {
    /// Checks that every box contains what is below it.
    ///
    /// # Errors
    /// The first fault.
    pub fn validate(
        &self,
        tree: &DeformableTree,
        vertices: &[DVec3],
    ) -> Result<(), DeformableFault> {
        let mut below: Vec<Vec<u32>> = vec![Vec::new(); tree.links.len()];
        for (index, links) in tree.links.iter().enumerate().rev() {
            for lane in (0..8).filter(|lane| links.present >> lane & 1 == 1) {
                let under = links.under[lane];
                let corners = match under.as_leaf() {
                    Some(leaf) => tree.corners_of(leaf).to_vec(),
                    None => std::mem::take(&mut below[under.0 as usize]),
                };
                let faces = self.blocks[index].faces(lane);
                for &vertex in &corners {
                    if !self.contains(&faces, vertices[vertex as usize]) {
                        return Err(DeformableFault::Outside { block: index, vertex });
                    }
                }
                below[index].extend(corners);
            }
        }
        Ok(())
    }

    /// Without rounding: the box less its origin is compared in two parts.
    fn contains(&self, faces: &Faces, point: DVec3) -> bool {
        (0..3).all(|axis| {
            let (high, low) = (f64::from(faces[axis]), f64::from(faces[axis + 3]));
            is_at_most(point[axis], self.origin[axis], high)
                && is_at_most(-point[axis], -self.origin[axis], low)
        })
    }
}

/// Whether x ≤ y + z, exactly.
fn is_at_most(x: f64, y: f64, z: f64) -> bool {
    if z.is_infinite() {
        return z > 0.0;
    }
    // What the sum loses is known exactly (Knuth).
    let sum = y + z;
    let (z_part, y_part) = (sum - y, sum - (sum - y));
    let lost = (y - y_part) + (z - z_part);
    x < sum || (x == sum && lost >= 0.0)
}
