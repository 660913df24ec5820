//! Putting the boxes around moved vertices, from the bottom up.
//!
//! A leaf's box is found in f64, where it is exact, and then measured from the origin and rounded
//! outward, once. Boxes above are merged from those below, without rounding. The origin is a vertex
//! in the middle of the mesh at rest, wherever it is now: no vertex is farther from it than the
//! mesh is wide, so f32 is as good 10⁹ m away as at home.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use glam::DVec3;

use super::{DeformableBoxes, DeformableTree, Links};
use crate::internal::arch::{F64x4, F64x4Kernel, SimdLevel, run_f64x4};
use crate::internal::volume::aabb8::{Aabb8, Faces, merged, rounded};

/// Boxes whose numbers are larger are not kept: steps between them may overflow.
const LARGEST: f32 = (1_u128 << 100) as f32;

impl DeformableBoxes {
    /// Puts the boxes around vertices. Every level gives the same bits. Nothing is allocated.
    ///
    /// # Panics
    /// If the tree is another one, or there are not as many vertices as it has.
    pub fn refit(&mut self, tree: &DeformableTree, vertices: &[DVec3], level: SimdLevel) {
        assert_eq!(vertices.len(), tree.vertices, "vertices of another mesh");
        assert_eq!(self.blocks.len(), tree.links.len(), "boxes of another tree");
        if tree.links.is_empty() {
            return;
        }
        self.origin = vertices[tree.middle as usize];
        run_f64x4(level, Refit { tree, vertices, boxes: self });
        let extent = self.wholes[0].into_iter().map(f32::abs).fold(0.0, f32::max);
        self.extent = extent;
        // NaN is no extent either.
        if extent.is_nan() || extent > LARGEST {
            self.give_up(tree);
        }
    }

    /// Boxes around everything, where there is no room for tighter ones.
    #[cold]
    fn give_up(&mut self, tree: &DeformableTree) {
        self.extent = f32::INFINITY;
        for (block, links) in self.blocks.iter_mut().zip(&tree.links) {
            for lane in (0..8).filter(|lane| links.present >> lane & 1 == 1) {
                block.set(lane, &[f32::INFINITY; 6]);
            }
        }
    }
}

struct Refit<'a> {
    tree: &'a DeformableTree,
    vertices: &'a [DVec3],
    boxes: &'a mut DeformableBoxes,
}

impl F64x4Kernel for Refit<'_> {
    #[inline(always)]
    fn run<F: F64x4>(self) {
        let Self { tree, vertices, boxes } = self;
        let DeformableBoxes { blocks, wholes, origin, low, high, .. } = boxes;
        let start = F::three(origin.as_ref());
        let mut bounds = (start, start);
        let each = tree.links.iter().zip(blocks).enumerate().rev();
        for (index, (links, block)) in each {
            let whole = fit::<F>(tree, vertices, (links, start), block, wholes, &mut bounds);
            wholes[index] = whole;
        }
        bounds.0.store_three(low.as_mut());
        bounds.1.store_three(high.as_mut());
    }
}

/// Fits the boxes of a block; gives the one around them.
#[inline(always)]
fn fit<F: F64x4>(
    tree: &DeformableTree,
    vertices: &[DVec3],
    (links, origin): (&Links, F),
    block: &mut Aabb8,
    wholes: &[Faces],
    bounds: &mut (F, F),
) -> Faces {
    let mut whole = [f32::NEG_INFINITY; 6];
    let mut left = links.present;
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        let under = links.under[lane & 7];
        let faces = match under.as_leaf() {
            Some(leaf) => {
                let (low, high) = around::<F>(tree.corners_of(leaf), vertices);
                *bounds = (bounds.0.min(low), bounds.1.max(high));
                rounded(low, high, origin)
            }
            None => wholes[under.0 as usize],
        };
        block.set(lane, &faces);
        whole = merged(&whole, &faces);
    }
    whole
}

/// The lowest and the highest coordinates of some vertices.
#[inline(always)]
fn around<F: F64x4>(corners: &[u32], vertices: &[DVec3]) -> (F, F) {
    let (&first, rest) = corners.split_first().expect("a leaf has triangles");
    let first = F::three(vertices[first as usize].as_ref());
    let (mut low, mut high) = (first, first);
    for &corner in rest {
        let point = F::three(vertices[corner as usize].as_ref());
        (low, high) = (low.min(point), high.max(point));
    }
    (low, high)
}
