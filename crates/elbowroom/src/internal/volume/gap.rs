//! How far apart sixteen pairs of oriented boxes are at least.
//!
//! Seen along the three axes of one box, the other is three intervals, and the gaps between the
//! intervals are the parts of a vector that no two points of the boxes are closer than. That is
//! done along the axes of either box, and the longer vector counts. It is the distance where a
//! face, or an edge along an axis, is nearest; it is less for two edges that cross. There, and for
//! boxes that are far apart for their size, the gap along the step from centre to centre is often
//! longer, and it costs little more.
//!
//! Everything else is as in [`batch`](super::obb_batch): items of one box against the four of a
//! node, in f32, and one slack on every sum of radii. The bound is short enough also for distances
//! that are rounded (`docs/notes/distance-bounds.md`).

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use super::obb_batch::{BoxTransform, WorkItems, along, dot};
use crate::internal::arch::{F32xN, TransformLanes};

/// What is left of a squared length when all is taken off that axes, squares and sums may have
/// added: 1 − 64u.
const KEPT: f32 = 1.0 - 64.0 / (1_u32 << 24) as f32;

/// What is known of the pairs of boxes of some items, lane by lane.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<W> {
    /// At most the square of the distance of any two points of the boxes.
    pub square: W,
    /// Where there is a box at all.
    pub present: u32,
    /// Where the single box is the larger one.
    pub single_larger: u32,
    /// How far apart the centres are, squared.
    pub centres: W,
    /// What is below the single box, as bits.
    pub below_single: W,
    /// What is below the box of the node, as bits.
    pub below_node: W,
}

/// Bounds the distances of as many items as the lanes hold, the first ones.
#[inline(always)]
pub fn bounds<W: F32xN>(items: &WorkItems, frame: &BoxTransform) -> Bounds<W> {
    let WorkItems { singles, lanes, nodes } = items;
    let single = &W::pick(singles, lanes);
    let turn = &TransformLanes::new([&frame.turn; 4]);
    let axes = [W::turned(single, 0, turn), W::turned(single, 3, turn), W::turned(single, 6, turn)];
    let centre = W::placed(single, 9, turn);
    let [b8, d0, d1, d2] = W::line(nodes, 2);
    let towards = [d0 - centre[0], d1 - centre[1], d2 - centre[2]];
    let t = along(&axes, towards);
    let h0 = W::spread(single, 12);
    let h1 = W::spread(single, 13);
    let h2 = W::spread(single, 14);
    let h = [h0, h1, h2];
    let [g0, g1, g2, below_node] = W::line(nodes, 3);
    let slack = W::splat(frame.slack);
    // Column by column: an axis of the node's box, along those of the single one.
    let reach = [h0 + slack, h1 + slack, h2 + slack];
    let centres = dot(towards, towards);
    let left = h1.times_from(t[1].abs(), h0.times_from(t[0].abs(), centres));
    let left = h2.times_from(t[2].abs(), left);
    let mut gaps = Gaps { reach, square: W::splat(0.0), left };
    let [b0, b1, b2, b3] = W::line(nodes, 0);
    gaps.column(along(&axes, [b0, b1, b2]), g0, h, t, slack);
    let [b4, b5, b6, b7] = W::line(nodes, 1);
    gaps.column(along(&axes, [b3, b4, b5]), g1, h, t, slack);
    gaps.column(along(&axes, [b6, b7, b8]), g2, h, t, slack);
    let zero = W::splat(0.0);
    let x = (t[0].abs() - gaps.reach[0]).max(zero);
    let y = (t[1].abs() - gaps.reach[1]).max(zero);
    let z = (t[2].abs() - gaps.reach[2]).max(zero);
    let of_single = dot([x, y, z], [x, y, z]);
    let of_node = gaps.square;
    // Also zero if the centres are equal.
    let gap = (gaps.left.over(centres.sqrt()) - slack).max(zero);
    Bounds {
        square: of_single.max(of_node).max(gap * gap) * W::splat(KEPT),
        present: W::bits(g0.greater(W::splat(-1.0))),
        single_larger: W::bits(h0.greater(g0)),
        centres,
        below_single: W::spread(single, 15),
        below_node,
    }
}

/// How far the boxes reach together along the axes of the single one, the square of the gaps along
/// those of the node's, and the square of the step between the centres, less that step times what
/// the boxes reach along it.
struct Gaps<W> {
    reach: [W; 3],
    square: W,
    left: W,
}

impl<W: F32xN> Gaps<W> {
    /// An axis of the node's box, along those of the single one, with its half extent.
    #[inline(always)]
    fn column(&mut self, r: [W; 3], half: W, h: [W; 3], t: [W; 3], slack: W) {
        let q = [r[0].abs(), r[1].abs(), r[2].abs()];
        self.reach[0] = half.times_plus(q[0], self.reach[0]);
        self.reach[1] = half.times_plus(q[1], self.reach[1]);
        self.reach[2] = half.times_plus(q[2], self.reach[2]);
        let own = h[2].times_plus(q[2], h[1].times_plus(q[1], h[0].times_plus(q[0], half + slack)));
        let along = dot(t, r).abs();
        self.left = half.times_from(along, self.left);
        let gap = (along - own).max(W::splat(0.0));
        self.square = gap.times_plus(gap, self.square);
    }
}
