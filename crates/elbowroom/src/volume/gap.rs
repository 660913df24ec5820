//! How far apart sixteen pairs of oriented boxes are at least.
//!
//! Seen along the three axes of one box, the other is three intervals, and the gaps between the intervals are the parts of a
//! vector that no two points of the boxes are closer than. That is done along the axes of either box, and the longer vector
//! counts. It is the distance where a face, or an edge along an axis, is nearest; it is less for two edges that cross.
//!
//! Everything else is as in [`burst`](super::burst): units of one box against the four of a node, in f32, and one slack on every sum of
//! radii. The bound is short enough also for distances that are rounded (`docs/notes/distance-bounds.md`).

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use super::burst::{Frame, Units, along, dot};
use crate::arch::Wide;

/// What is left of a squared length when all is taken off that axes, squares and sums may have added: 1 − 64u.
const KEPT: f32 = 1.0 - 64.0 / (1_u32 << 24) as f32;

/// What is known of the pairs of boxes of some units, lane by lane.
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

/// Bounds the distances of as many units as the lanes hold, the first ones.
#[inline(always)]
pub fn bounds<W: Wide>(units: &Units, frame: &Frame) -> Bounds<W> {
    let Units { singles, lanes, nodes } = units;
    let axes = [
        W::turned(singles, lanes, 0, &frame.turn),
        W::turned(singles, lanes, 3, &frame.turn),
        W::turned(singles, lanes, 6, &frame.turn),
    ];
    let centre = W::placed(singles, lanes, 9, &frame.turn);
    let [b8, d0, d1, d2] = W::line(nodes, 2);
    let towards = [d0 - centre[0], d1 - centre[1], d2 - centre[2]];
    let t = along(&axes, towards);
    let h = [12, 13, 14].map(|k| W::spread(singles, lanes, k));
    let [g0, g1, g2, below_node] = W::line(nodes, 3);
    let slack = W::splat(frame.slack);
    let [b0, b1, b2, b3] = W::line(nodes, 0);
    let [b4, b5, b6, b7] = W::line(nodes, 1);
    let zero = W::splat(0.0);
    // Column by column: an axis of the node's box, along those of the single one.
    let mut reach = [h[0] + slack, h[1] + slack, h[2] + slack];
    let mut of_node = zero;
    for (axis, half) in [([b0, b1, b2], g0), ([b3, b4, b5], g1), ([b6, b7, b8], g2)] {
        let r = along(&axes, axis);
        let q = [r[0].abs(), r[1].abs(), r[2].abs()];
        for i in 0..3 {
            reach[i] = half.times_plus(q[i], reach[i]);
        }
        let own = h[2].times_plus(q[2], h[1].times_plus(q[1], h[0].times_plus(q[0], half + slack)));
        let gap = (dot(t, r).abs() - own).max(zero);
        of_node = gap.times_plus(gap, of_node);
    }
    let mut of_single = zero;
    for i in 0..3 {
        let gap = (t[i].abs() - reach[i]).max(zero);
        of_single = gap.times_plus(gap, of_single);
    }
    Bounds {
        square: of_single.max(of_node) * W::splat(KEPT),
        present: W::bits(g0.greater(W::splat(-1.0))),
        single_larger: W::bits(h[0].greater(g0)),
        centres: dot(towards, towards),
        below_single: W::spread(singles, lanes, 15),
        below_node,
    }
}
