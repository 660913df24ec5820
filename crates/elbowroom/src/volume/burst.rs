//! Sixteen pairs of oriented boxes at a time.
//!
//! A packed node is a [`Block`]: four boxes, component by component, in f32 around the model's origin. A
//! burst tests four *units*, each one box of one tree against the four boxes of a node of the other. The
//! single box is turned into the frame of the node, and then the fifteen directions of
//! [`separated`] are looked along, in all lanes at once.
//!
//! ```text
//!   component   0 … 8     9 … 11    12 … 14        15
//!               axes      centre    half extents   what is below
//! ```
//!
//! Boxes are in f32 but safe: extents are measured against the axes as they are after rounding, and one slack is
//! added to every sum of radii (`docs/notes/burst-slack.md`). NaN separates nothing.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use glam::{DMat3, DVec3};

use super::sat::{Boxes, separated};
use crate::arch::{Block, Wide};

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

/// How the boxes of one tree are seen from the frame of another, in f32.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    rotation: [[f32; 3]; 3],
    translation: [f32; 3],
    slack: f32,
}

impl Frame {
    /// From f64; `slack` is what every sum of radii is enlarged by.
    pub fn new(rotation: DMat3, translation: DVec3, slack: f64) -> Self {
        Self {
            rotation: [0, 1, 2].map(|i| rotation.row(i).to_array().map(|x| x as f32)),
            translation: translation.to_array().map(|x| x as f32),
            slack: (slack as f32).next_up(),
        }
    }
}

/// Four units: boxes of one tree, each by its block and lane, and nodes of the other.
#[derive(Clone, Copy, Debug)]
pub struct Units<'a> {
    /// The blocks of the single boxes.
    pub singles: [&'a Block; 4],
    /// Where in their blocks they are.
    pub lanes: [u32; 4],
    /// The nodes.
    pub nodes: [&'a Block; 4],
}

/// What a burst found, lane by lane.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<W> {
    /// Where the boxes may meet.
    pub meets: u32,
    /// Where there is a box at all.
    pub present: u32,
    /// Where the single box is the larger one.
    pub single_larger: u32,
    /// How far apart the centres are, squared.
    pub distance: W,
    /// What is below the single box, as bits.
    pub below_single: W,
    /// What is below the box of the node, as bits.
    pub below_node: W,
}

/// Tests as many units, from `first` on, as the lanes hold.
#[inline(always)]
pub fn burst<W: Wide>(units: &Units, first: usize, frame: &Frame) -> Outcome<W> {
    let Units { singles, lanes, nodes } = units;
    let [a0, a1, a2, a3] = W::spread(singles, *lanes, first, 0);
    let [a4, a5, a6, a7] = W::spread(singles, *lanes, first, 1);
    let [a8, c0, c1, c2] = W::spread(singles, *lanes, first, 2);
    let [h0, h1, h2, below_single] = W::spread(singles, *lanes, first, 3);
    let m = Turn::<W>::new(frame);
    let axes = [m.turn([a0, a1, a2]), m.turn([a3, a4, a5]), m.turn([a6, a7, a8])];
    let centre = m.place([c0, c1, c2]);

    let [b0, b1, b2, b3] = W::line(nodes, first, 0);
    let [b4, b5, b6, b7] = W::line(nodes, first, 1);
    let [b8, d0, d1, d2] = W::line(nodes, first, 2);
    let [g0, g1, g2, below_node] = W::line(nodes, first, 3);
    let towards = [d0 - centre[0], d1 - centre[1], d2 - centre[2]];
    let others = [[b0, b1, b2], [b3, b4, b5], [b6, b7, b8]];
    let boxes = Boxes {
        r: [row(axes[0], others), row(axes[1], others), row(axes[2], others)],
        t: [dot(axes[0], towards), dot(axes[1], towards), dot(axes[2], towards)],
        a: [h0, h1, h2],
        b: [g0, g1, g2],
    };
    let apart = W::bits(separated::<W, true>(&boxes, W::splat(frame.slack)));
    let present = W::bits(g0.greater(W::splat(-1.0)));
    Outcome {
        meets: present & !apart,
        present,
        single_larger: W::bits(h0.greater(g0)),
        distance: dot(towards, towards),
        below_single,
        below_node,
    }
}

/// A frame in every lane.
struct Turn<W> {
    rows: [[W; 3]; 3],
    translation: [W; 3],
}

impl<W: Wide> Turn<W> {
    #[inline(always)]
    fn new(frame: &Frame) -> Self {
        let [x, y, z] = &frame.rotation;
        Self { rows: [splat3(x), splat3(y), splat3(z)], translation: splat3(&frame.translation) }
    }

    #[inline(always)]
    fn turn(&self, v: [W; 3]) -> [W; 3] {
        [dot(self.rows[0], v), dot(self.rows[1], v), dot(self.rows[2], v)]
    }

    #[inline(always)]
    fn place(&self, v: [W; 3]) -> [W; 3] {
        let t = self.translation;
        [
            dot_plus(self.rows[0], v, t[0]),
            dot_plus(self.rows[1], v, t[1]),
            dot_plus(self.rows[2], v, t[2]),
        ]
    }
}

#[inline(always)]
fn splat3<W: Wide>(v: &[f32; 3]) -> [W; 3] {
    [W::splat(v[0]), W::splat(v[1]), W::splat(v[2])]
}

#[inline(always)]
fn dot<W: Wide>(a: [W; 3], b: [W; 3]) -> W {
    a[2].times_plus(b[2], a[1].times_plus(b[1], a[0] * b[0]))
}

#[inline(always)]
fn dot_plus<W: Wide>(a: [W; 3], b: [W; 3], sum: W) -> W {
    a[2].times_plus(b[2], a[1].times_plus(b[1], a[0].times_plus(b[0], sum)))
}

#[inline(always)]
fn row<W: Wide>(axis: [W; 3], others: [[W; 3]; 3]) -> [W; 3] {
    [dot(axis, others[0]), dot(axis, others[1]), dot(axis, others[2])]
}
