//! From the whole mesh down to chunks.
//!
//! Some hundred triangles of a set, taken at even but not equal steps, say which way its box should stand and where it is
//! cut; then one pass over all of them measures the box and parts them. The triangles themselves are moved, so that
//! each pass reads and writes memory in order.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::ops::Range;

use super::BuildConfig;
use super::collapse::Choice;
use super::copies::{gather, middle_cut};
use super::corners::Corners;
use super::divide::{Plane, divide_many, halve};
use super::faces::{Faces, NOTHING, Row, half_area, middle};
use super::frame::{Axes, Spread, eigenvectors, orthonormal};
use crate::arch::{Oct, OctKernel};
use crate::geom::mesh::Mesh;
use crate::tree::packed::Below;

/// So many stand for all.
const SAMPLES: usize = 256;
/// Beyond this level every cut is at the median.
const LEVELS: usize = 48;

/// A node of the binary tree above the chunks.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) axes: Axes,
    pub(super) row: Row,
    pub(super) below: Under,
    pub(super) choice: Choice,
}

/// What is under a node.
#[derive(Clone, Copy)]
pub(super) enum Under {
    /// A node; another comes next.
    Nodes(u32),
    /// A chunk.
    Chunk(u32),
}

/// Where the triangles of a chunk are.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) range: Range<usize>,
    /// In the spare copy.
    pub(super) is_spare: bool,
}

struct Task {
    place: Place,
    node: usize,
    level: usize,
}

/// Parts all triangles into chunks.
pub(super) struct Top<'a> {
    pub(super) mesh: &'a Mesh,
    pub(super) config: &'a BuildConfig,
    pub(super) corners: &'a mut [Corners],
    pub(super) spare: &'a mut [Corners],
}

impl OctKernel for Top<'_> {
    type Output = (Vec<Node>, Vec<Place>);

    #[inline(always)]
    fn run<O: Oct>(mut self) -> Self::Output {
        let (mut nodes, mut chunks) = (vec![Node::NEW], Vec::new());
        let all = Place { range: 0..self.corners.len(), is_spare: false };
        let mut waiting = vec![Task { place: all, node: 0, level: 0 }];
        let mut rows = vec![NOTHING; SAMPLES];
        while let Some(mut task) = waiting.pop() {
            let parted = if task.place.range.len() <= self.config.chunk {
                None
            } else {
                self.part::<O>(&mut task, &mut nodes, &mut rows)
            };
            let Some(lefts) = parted else {
                nodes[task.node].below = Under::Chunk(chunks.len() as u32);
                chunks.push(task.place);
                continue;
            };
            let child = nodes.len();
            nodes[task.node].below = Under::Nodes(child as u32);
            nodes.extend([Node::NEW; 2]);
            let Place { range, is_spare } = task.place;
            let middle = range.start + lefts;
            for (range, node) in [(middle..range.end, child + 1), (range.start..middle, child)] {
                let place = Place { range, is_spare };
                waiting.push(Task { place, node, level: task.level + 1 });
            }
        }
        collapse(&mut nodes);
        (nodes, chunks)
    }
}

impl Top<'_> {
    /// Parts the triangles of a task, and says how many are on the left; nothing if they are alike.
    #[inline(always)]
    fn part<O: Oct>(
        &mut self,
        task: &mut Task,
        nodes: &mut [Node],
        rows: &mut [Row],
    ) -> Option<usize> {
        let range = task.place.range.clone();
        let (from, to) = if task.place.is_spare {
            (&self.spare[range.clone()], &mut self.corners[range])
        } else {
            (&self.corners[range.clone()], &mut self.spare[range])
        };
        let axes = axes::<O>(from);
        let faces = Faces::<O>::new(&axes);
        let plane = sampled_plane(from, &faces, rows, self.config, task.level);
        // Without a plane all go right, and it is tried in another way.
        let plane = plane.unwrap_or(Plane { axis: 0, at: f32::NEG_INFINITY });
        let (bound, lefts) = pass(from, to, &faces, plane);
        let node = &mut nodes[task.node];
        (node.axes, node.row) = (axes, bound);
        task.place.is_spare = !task.place.is_spare;
        if 0 < lefts && lefts < to.len() {
            return Some(lefts);
        }
        self.part_alike::<O>(task, &faces)
    }

    /// What the samples did not part: at the median of all, and if they all are alike, some here and some there.
    #[cold]
    fn part_alike<O: Oct>(&mut self, task: &mut Task, faces: &Faces<O>) -> Option<usize> {
        let range = task.place.range.clone();
        let (from, to) = if task.place.is_spare {
            (&mut self.spare[range.clone()], &mut self.corners[range])
        } else {
            (&mut self.corners[range.clone()], &mut self.spare[range])
        };
        let rows: Vec<Row> = from.iter().map(|corners| faces.row(corners).to_array()).collect();
        if let Some(plane) = halve(&rows) {
            task.place.is_spare = !task.place.is_spare;
            return Some(pass(from, to, faces, plane).1);
        }
        let different = gather(self.mesh, from, |corners| corners);
        (different > Below::MOST).then(|| middle_cut(self.mesh, from, |corners| corners))
    }
}

/// The samples' numbers: even steps, each with a place of its own in its step, so that no pattern is missed.
#[inline(always)]
fn samples(count: usize) -> impl Iterator<Item = usize> {
    let taken = count.min(SAMPLES);
    (0..taken).map(move |i| {
        let (begin, end) = (i * count / taken, (i + 1) * count / taken);
        let shift = (i as u32).wrapping_mul(0x9E37_79B1) >> 16;
        begin + (((end - begin) * shift as usize) >> 16)
    })
}

#[inline(always)]
fn axes<O: Oct>(corners: &[Corners]) -> Axes {
    let mut sum = Spread::NONE;
    for i in samples(corners.len()) {
        sum.add(&Spread::of(&corners[i]));
    }
    let vectors = eigenvectors::<O>(&sum.covariance().map(|entry| [entry; 8]));
    orthonormal(&vectors).map(|components| components[0])
}

#[inline(always)]
fn sampled_plane<O: Oct>(
    corners: &[Corners],
    faces: &Faces<O>,
    rows: &mut [Row],
    config: &BuildConfig,
    level: usize,
) -> Option<Plane> {
    let mut bound = O::load(&NOTHING);
    for (row, i) in rows.iter_mut().zip(samples(corners.len())) {
        let one = faces.row(&corners[i]);
        bound = bound.max(one);
        *row = one.to_array();
    }
    let rows = &rows[..corners.len().min(SAMPLES)];
    if level >= LEVELS {
        return halve(rows);
    }
    divide_many::<O>(rows, &bound.to_array(), config.preference)
}

/// Measures the box around all, and moves those on the left to the front and those on the right to the back.
#[inline(always)]
fn pass<O: Oct>(
    from: &[Corners],
    to: &mut [Corners],
    faces: &Faces<O>,
    plane: Plane,
) -> (Row, usize) {
    let mut bound = O::load(&NOTHING);
    let mut lefts = 0;
    for (i, corners) in from.iter().enumerate() {
        let row = faces.row(corners);
        bound = bound.max(row);
        let is_right = middle(row).to_array()[plane.axis] > plane.at;
        // Those on the right so far are the rest of i. No branch: half of them would be guessed wrong.
        let across = usize::from(is_right).wrapping_neg() & (from.len() - 1 - i);
        to[lefts + across] = *corners;
        lefts += usize::from(!is_right);
    }
    (bound.to_array(), lefts)
}

fn collapse(nodes: &mut [Node]) {
    for index in (0..nodes.len()).rev() {
        if let Under::Nodes(child) = nodes[index].below {
            let sides = [child as usize, child as usize + 1].map(|side| nodes[side].choice);
            let area = half_area(&nodes[index].row);
            nodes[index].choice = Choice::inner(f32::INFINITY, area, &sides[0], &sides[1]);
        }
    }
}

impl Node {
    const NEW: Self =
        Self { axes: [0.0; 9], row: NOTHING, below: Under::Chunk(0), choice: Choice::NONE };
}
