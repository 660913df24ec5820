//! The separating axis test of oriented boxes, sixteen pairs to a SIMD batch.
//!
//! A packed node is a [`Block`]: four boxes, component by component, in f32 around the model's
//! origin. A batch tests four *items*, each one box of one tree against the four boxes of a node of
//! the other, whichever of the two trees that is. The single box is turned into the frame of the
//! node, and then the fifteen directions of [`separated`](super::sat::separated) are looked along,
//! in all lanes at once.
//!
//! ```text
//!   component   0 … 8     9 … 11    12 … 14        15
//!               axes      centre    half extents   what is below
//! ```
//!
//! Boxes are in f32 but safe: extents are measured against the axes as they are after rounding, and
//! one slack is added to every sum of radii (`docs/notes/obb-batches.md`). NaN separates nothing.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use glam::{DMat3, DVec3};

use super::sat::ObbColumns;
use crate::internal::arch::{Block, F32xN, TransformF32, TransformLanes};

/// Four lanes in which nothing is: apart from everything.
pub const EMPTY: Block = {
    let mut block = [[0.0; 4]; 16];
    block[0] = [1.0; 4];
    block[4] = [1.0; 4];
    block[8] = [1.0; 4];
    // Half extents so far below zero that the first face of this box always separates.
    block[12] = [-1e30; 4];
    block[13] = [-1e30; 4];
    block[14] = [-1e30; 4];
    block[15] = [f32::from_bits(u32::MAX); 4];
    Block(block)
};

/// What is to be added to every sum of radii, in units of f32's rounding (2⁻²⁴) times the sum of
/// the sizes of both trees and the step between them.
pub const SLACK: f64 = 64.0;

/// How the boxes of one tree are seen from the frame of another, in f32.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxTransform {
    pub(super) turn: TransformF32,
    pub(super) slack: f32,
}

impl BoxTransform {
    /// From f64; `slack` is what every sum of radii is enlarged by.
    pub fn new(rotation: DMat3, translation: DVec3, slack: f64) -> Self {
        let four = |v: DVec3| [v.x as f32, v.y as f32, v.z as f32, 0.0];
        let columns = [four(rotation.x_axis), four(rotation.y_axis), four(rotation.z_axis)];
        Self {
            turn: TransformF32 { columns, translation: four(translation) },
            slack: (slack as f32).next_up(),
        }
    }

    /// How far one origin is from the other.
    pub(crate) fn step(&self) -> f32 {
        let [x, y, z, _] = self.turn.translation;
        (x * x + y * y + z * z).sqrt()
    }

    /// What every sum of radii is enlarged by.
    pub fn slack(&self) -> f32 {
        self.slack
    }
}

/// Up to four items: boxes of one tree, each by its block and lane, and nodes of the other.
#[derive(Clone, Copy, Debug)]
pub struct WorkItems<'a> {
    /// The blocks of the single boxes.
    pub singles: [&'a Block; 4],
    /// Where in their blocks they are.
    pub lanes: [u32; 4],
    /// The nodes.
    pub nodes: [&'a Block; 4],
}

/// What a batch found, lane by lane.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<W: F32xN> {
    /// Where the boxes do not meet, or there is none.
    pub apart: W::Mask,
    /// Where there is a box at all: where its first half extent is above −1. [`EMPTY`] is far
    /// below that, and a NaN would count as absent; builders and readers of packed trees let
    /// none in.
    pub present: W::Mask,
    /// Where the single box is the larger one.
    pub single_larger: W::Mask,
    /// From one centre to the other.
    pub towards: [W; 3],
    /// What is below the single box, as bits.
    pub below_single: W,
    /// What is below the box of the node, as bits.
    pub below_node: W,
}

impl<W: F32xN> Outcome<W> {
    /// How far apart the centres are, squared.
    #[inline(always)]
    pub fn distance(&self) -> W {
        dot(self.towards, self.towards)
    }
}

/// Tests as many items as the lanes hold, the first ones, each in the frame that its single box is
/// seen in. All frames have the first one's slack.
///
/// It can look after the six faces whether all lanes are apart already; what is found is the same.
#[inline(always)]
pub fn separate_batch<W: F32xN>(
    items: &WorkItems,
    frames: [&BoxTransform; 4],
    looks: bool,
) -> Outcome<W> {
    let WorkItems { singles, lanes, nodes } = items;
    let single = &W::pick(singles, lanes);
    let [a, b, c, d] = frames;
    let turn = &TransformLanes::new([&a.turn, &b.turn, &c.turn, &d.turn]);
    let slack = W::splat(a.slack);
    let axes = [W::turned(single, 0, turn), W::turned(single, 3, turn), W::turned(single, 6, turn)];
    let centre = W::placed(single, 9, turn);

    let [b8, d0, d1, d2] = W::line(nodes, 2);
    let towards = [d0 - centre[0], d1 - centre[1], d2 - centre[2]];
    let t = along(&axes, towards);
    // Column by column, so that little is held at a time.
    let [b0, b1, b2, b3] = W::line(nodes, 0);
    let mut x = along(&axes, [b0, b1, b2]);
    W::set_down(&mut x);
    let [b4, b5, b6, b7] = W::line(nodes, 1);
    let mut y = along(&axes, [b3, b4, b5]);
    W::set_down(&mut y);
    let mut z = along(&axes, [b6, b7, b8]);
    W::set_down(&mut z);
    let [g0, g1, g2, below_node] = W::line(nodes, 3);
    let h0 = W::spread(single, 12);
    let h1 = W::spread(single, 13);
    let h2 = W::spread(single, 14);
    let below_single = W::spread(single, 15);
    let (r, a, b) = ([&mut x, &mut y, &mut z], [h0, h1, h2], [g0, g1, g2]);
    let mut pair = ObbColumns { r, t, a, b, slack };
    Outcome {
        apart: pair.separated::<true>(looks),
        present: g0.greater(W::splat(-1.0)),
        single_larger: h0.greater(g0),
        towards,
        below_single,
        below_node,
    }
}

#[inline(always)]
pub(super) fn dot<W: F32xN>(a: [W; 3], b: [W; 3]) -> W {
    a[2].times_plus(b[2], a[1].times_plus(b[1], a[0] * b[0]))
}

/// How far a vector reaches along each axis.
#[inline(always)]
pub(super) fn along<W: F32xN>(axes: &[[W; 3]; 3], vector: [W; 3]) -> [W; 3] {
    [dot(axes[0], vector), dot(axes[1], vector), dot(axes[2], vector)]
}
