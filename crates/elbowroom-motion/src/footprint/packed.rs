//! The circles of a footprint, eight to a line of the cache, for speed: sixteen pairs are compared
//! at a time.
//!
//! ```text
//!         0           block of 0:  [ 3 4 5 6 ]     every other level of the binary tree is left out;
//!       1   2         block of 4:  [ 7 8 · · ]     a leaf there stands for itself
//!      3 4 5 6
//!        7 8          x, y, radius and what is below, 16 bits each
//! ```
//!
//! Bodies in poses that were not asked about lately cost what is fetched from memory, more than
//! what is calculated. So centres and radii are counts of a *step*, some 2⁻¹⁵ of the body's radius,
//! and rounded outward.
//!
//! Packed circles only cull. Each holds the f64 circles of *all* nodes below it, not only what
//! these are put around. So whatever they tell apart, no f64 circles below overlap. Two nodes at
//! which a traversal would end are *candidates*, and a replay asks what the binary loop would have
//! said on the way to them: the answers are the same, pair by pair and level by level. Most
//! candidates need no replay: a node's *core* is the part of its circle, around its centre, that
//! lies in the circles of all nodes above it. Where two cores have a point in common, so have all
//! circles on the way down.
//!
//! Invariants: a pair that is told apart would be by the f64 test, whose slack is in ours twice
//! (proof: docs/notes/footprints.md). No step is fused: the same on every machine.

#![expect(
    clippy::cast_sign_loss,
    reason = "counts are not negative, and casts end at the last number"
)]

use glam::DVec2;

use super::ask::Stance;
use super::circles::{Circle, Circles};

/// Levels of the binary tree in a block.
const LEVELS: u16 = 2;

/// Circles of a block.
pub(super) const LANES: usize = 1 << LEVELS;

/// Radii of bodies that are packed: their squares are numbers.
const RANGE: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// Steps from the centre of a body to its rim.
const STEPS: f64 = 32_000.0;

/// How many nodes are worth packing: of fewer, the loop has seen all before a traversal has begun;
/// of more, as trees of triangles have, it asks less of the cache than blocks do where bodies are
/// clear.
const WORTHWHILE: std::ops::Range<usize> = 8..4096;

/// What is added to the steps of a centre, so that none is negative.
const MIDDLE: f64 = 32_768.0;

/// Tells a node of the binary tree from a block.
pub(super) const NODE: u16 = 1 << 15;

/// Four circles, or fewer.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) x: [u16; LANES],
    pub(super) y: [u16; LANES],
    pub(super) radius: [u16; LANES],
    /// The block below, or a leaf's node with the bit `NODE`; 0 if there is no circle.
    pub(super) below: [u16; LANES],
}

/// Whose circles a block holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owner {
    pub(super) node: u32,
    /// The lowest level in the block.
    pub(super) lowest: u16,
}

/// All blocks, that of the root first. What every question reads takes one line.
#[repr(C)]
#[derive(Clone, Debug)]
pub(super) struct Packed {
    /// The whole circle.
    pub(super) center: DVec2,
    pub(super) radius: f64,
    /// The farthest that circles reach from the origin, by the sum of coordinates.
    pub(super) reach: f64,
    step: f64,
    /// None if the body is too large or small, or packing is not worthwhile.
    pub(super) blocks: Box<[Block]>,
    pub(super) owners: Box<[Owner]>,
}

impl Packed {
    pub(super) fn new(circles: &mut Circles) -> Self {
        let nodes = &mut circles.nodes;
        let reach = nodes.iter().map(|node| node.x.abs() + node.y.abs() + node.radius);
        let reach = reach.fold(0.0, f64::max);
        let (center, radius) = (DVec2::new(nodes[0].x, nodes[0].y), nodes[0].radius);
        let none = Self { center, radius, reach, step: 1.0, blocks: [].into(), owners: [].into() };
        if !RANGE.contains(&radius) || !WORTHWHILE.contains(&nodes.len()) {
            return none;
        }
        let (reaches, cores) = around(nodes);
        let step = reaches[0] / STEPS;
        for (node, core) in nodes.iter_mut().zip(cores) {
            // As far as 16 bits count; of negative numbers 0.
            node.core = (core / step - 1e-6).floor() as u16;
        }
        let (mut blocks, mut owners): (Vec<Block>, Vec<Owner>) = (Vec::new(), Vec::new());
        let mut open = vec![(0_u32, (0, 0))];
        while let Some((node, (block, lane))) = open.pop() {
            let index = blocks.len();
            if index > 0 {
                let block: &mut Block = &mut blocks[block];
                block.below[lane] = index as u16;
            }
            let (members, count) = frontier(nodes, node, nodes[node as usize].level + LEVELS);
            let mut block =
                Block { x: [0; LANES], y: [0; LANES], radius: [0; LANES], below: [0; LANES] };
            for (lane, &member) in members[..count].iter().enumerate() {
                let circle = &nodes[member as usize];
                let local = (DVec2::new(circle.x, circle.y) - center) / step;
                let rounded = local.round();
                let radius = reaches[member as usize] / step + local.distance(rounded) + 1e-6;
                block.x[lane] = (rounded.x + MIDDLE) as u16;
                block.y[lane] = (rounded.y + MIDDLE) as u16;
                block.radius[lane] = radius.ceil() as u16;
                block.below[lane] = NODE | member as u16;
                if circle.child != 0 {
                    open.push((member, (index, lane)));
                }
            }
            let levels = members[..count].iter().map(|&member| nodes[member as usize].level);
            owners.push(Owner { node, lowest: levels.fold(0, u16::max) });
            blocks.push(block);
        }
        let (blocks, owners) = (blocks.into_boxed_slice(), owners.into_boxed_slice());
        Self { step, blocks, owners, ..none }
    }
}

/// The nodes that a node gives way to at a level at most two below its own, leaves above it among
/// them: up to four.
pub(super) fn frontier(nodes: &[Circle], node: u32, level: u16) -> ([u32; LANES], usize) {
    let (mut members, mut count, mut lane) = ([node; LANES], 1, 0);
    while lane < count {
        let circle = &nodes[members[lane] as usize];
        if circle.child == 0 || circle.level >= level {
            lane += 1;
            continue;
        }
        members[lane] = circle.child;
        members[count] = circle.child + 1;
        count += 1;
    }
    (members, count)
}

/// By node: how far from its centre the circles below it reach, and how far its core does; below
/// zero if it has none. Both rounded to the safe side.
fn around(nodes: &[Circle]) -> (Vec<f64>, Vec<f64>) {
    const UP: f64 = 1.0 + 4.0 * f64::EPSILON;
    let mut reaches: Vec<f64> = nodes.iter().map(|node| node.radius).collect();
    let mut cores = vec![0.0; nodes.len()];
    let mut above: Vec<u32> = Vec::new();
    let mut open = vec![0_u32];
    while let Some(index) = open.pop() {
        let node = &nodes[index as usize];
        above.truncate(usize::from(node.level));
        let mut core = node.radius;
        for &parent in &above {
            let higher = &nodes[parent as usize];
            let apart = DVec2::new(higher.x - node.x, higher.y - node.y).length() * UP;
            let reach = &mut reaches[parent as usize];
            *reach = reach.max((apart + node.radius) * UP);
            core = core.min(higher.radius - apart);
        }
        cores[index as usize] = core;
        above.push(index);
        if node.child != 0 {
            open.extend([node.child + 1, node.child]);
        }
    }
    (reaches, cores)
}

/// The second body in the first one's frame, in f32 and in the first one's steps.
pub(super) struct Turned {
    /// Cosine and sine, times the second one's step.
    pub(super) cos: f32,
    pub(super) sin: f32,
    pub(super) x: f32,
    pub(super) y: f32,
    /// The second one's step.
    pub(super) step: f32,
    /// What must be added to two radii.
    pub(super) slack: f32,
    /// Both steps as they are.
    pub(super) steps: [f64; 2],
}

impl Turned {
    /// `None` if sizes are too different for f32, or a body is not packed.
    #[inline]
    pub(super) fn new(a: &Packed, b: &Packed, stance: &Stance) -> Option<Self> {
        // 32 roundings of f32 for each unit of size.
        const SLACK: f64 = 32.0 / (1 << 24) as f64;
        let per_step = 1.0 / a.step;
        let ratio = b.step * per_step;
        let (cos, sin) = (stance.cos * ratio, stance.sin * ratio);
        let shift = (stance.apply(b.center) - a.center) * per_step;
        let x = shift.x + MIDDLE - (cos - sin) * MIDDLE;
        let y = shift.y + MIDDLE - (sin + cos) * MIDDLE;
        let size = shift.abs().element_sum() + 4.0 * MIDDLE * (1.0 + ratio);
        let slack = (stance.allowance + stance.slack) * per_step + SLACK * size;
        // Squares stay far from the ends of f32. False for what is no number.
        let is_packed = !a.blocks.is_empty() && !b.blocks.is_empty();
        let is_fit = is_packed && (1e-6..1e6).contains(&ratio) && size < 1e12 && slack < 1e12;
        is_fit.then(|| Self {
            cos: cos as f32,
            sin: sin as f32,
            x: x as f32,
            y: y as f32,
            step: ratio as f32,
            // The last rounding of the radii is among the 32.
            slack: (slack as f32).next_up(),
            steps: [a.step, b.step],
        })
    }
}
