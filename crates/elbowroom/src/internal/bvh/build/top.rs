//! From the whole mesh down to chunks.
//!
//! Some hundred triangles of a set, taken at even but not equal steps, say which way its box should
//! stand, where it is cut, and where its sides are cut again; then one pass over all of them
//! measures the boxes and tells the four parts apart, and another moves the triangles, so that
//! memory is read and written in order.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::ops::Range;

use super::BuildConfig;
use super::collapse::Choice;
use super::copies::{gather, middle_cut};
use super::corners::Corners;
use super::divide::{Plane, divide_many, halve, measured};
use super::faces::{Faces, NOTHING, Row, half_area, middle, sides};
use super::frame::{Axes, Spread, eigenvectors, orthonormal};
use crate::internal::arch::{F32x8, F32x8Kernel};
use crate::internal::bvh::packed::{ChildRef, Island};
use crate::internal::geom::mesh::Mesh;

/// The sample size that represents all triangles. No record compares other values.
const SAMPLES: usize = 512;
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
    /// The node, if they are to be an island of their own.
    pub(super) island: Option<usize>,
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
    /// Whether there may be sets that are to be islands.
    pub(super) has_islands: bool,
    pub(super) corners: &'a mut [Corners],
    pub(super) spare: &'a mut [Corners],
}

/// What is used again from node to node.
#[derive(Default)]
struct Workspace {
    rows: Vec<Row>,
    /// Those of the left side, then those of the right.
    sorted: Vec<Row>,
    /// Which of the four parts each triangle belongs to.
    parts: Vec<u8>,
}

/// The four parts of a set, two on each side: how many triangles they have, and their boxes.
struct Parts {
    counts: [usize; 4],
    rows: [Row; 4],
}

impl F32x8Kernel for Top<'_> {
    type Output = (Vec<Node>, Vec<Place>);

    #[inline(always)]
    fn run<O: F32x8>(mut self) -> Self::Output {
        let (mut nodes, mut chunks) = (vec![Node::NEW], Vec::new());
        let mut workspace = Workspace::default();
        let all = Place { range: 0..self.corners.len(), is_spare: false, island: None };
        let mut waiting = vec![Task { place: all, node: 0, level: 0 }];
        while let Some(mut task) = waiting.pop() {
            let parts = if self.is_chunk(&task.place) {
                None
            } else {
                self.part::<O>(&mut task, &mut nodes, &mut workspace)
            };
            if self.is_island(&task, &nodes) {
                nodes[task.node].below = Under::Chunk(chunks.len() as u32);
                chunks.push(Place { island: Some(task.node), ..task.place });
            } else if let Some(parts) = parts {
                self.branch::<O>(&task, &parts, &mut nodes, &mut waiting);
            } else {
                nodes[task.node].below = Under::Chunk(chunks.len() as u32);
                chunks.push(task.place);
            }
        }
        collapse(&mut nodes);
        (nodes, chunks)
    }
}

impl Top<'_> {
    /// Whether a set is small enough to be built in one piece. One with fine triangles in it is cut
    /// on until they are an island.
    #[inline(always)]
    fn is_chunk(&self, place: &Place) -> bool {
        let count = place.range.len();
        count <= self.config.chunk
            && !(self.has_islands && count > Island::LEAST && self.is_fine(place))
    }

    /// Whether enough of a set's triangles are fine for an island.
    #[cold]
    fn is_fine(&self, place: &Place) -> bool {
        let copy = if place.is_spare { &*self.spare } else { &*self.corners };
        let all = &copy[place.range.clone()];
        all.iter().filter(|corners| corners.is_fine()).count() >= Island::LEAST
    }

    /// Whether the set of a task that has been measured is to be an island: it is not all, and its
    /// box is small.
    #[inline(always)]
    fn is_island(&self, task: &Task, nodes: &[Node]) -> bool {
        let [x, y, z] = sides(&nodes[task.node].row);
        // A box that was not measured is around nothing, and its sides are below zero.
        let size = 0.5 * x.max(y).max(z);
        self.has_islands
            && task.node != 0
            && (0.0..Island::SMALLER as f32).contains(&size)
            && task.place.range.len() >= Island::LEAST
    }

    /// Splits the triangles of a task. `None` if they are alike.
    #[inline(always)]
    fn part<O: F32x8>(
        &mut self,
        task: &mut Task,
        nodes: &mut [Node],
        workspace: &mut Workspace,
    ) -> Option<Parts> {
        let config = self.config;
        let (from, to) = self.copies(&task.place);
        let axes = axes::<O>(from);
        let faces = Faces::<O>::new(&axes);
        let planes = sampled_planes(from, &faces, workspace, config, task.level);
        let parts = pass(from, to, &faces, &planes, &mut workspace.parts);
        let node = &mut nodes[task.node];
        (node.axes, node.row) = (axes, around::<O>(&parts.rows));
        task.place.is_spare = !task.place.is_spare;
        if parts.counts[0] + parts.counts[1] > 0 && parts.counts[2] + parts.counts[3] > 0 {
            return Some(parts);
        }
        self.part_alike::<O>(task, &faces, workspace)
    }

    /// What the samples did not part: at the median of all, and if they all are alike, some here
    /// and some there.
    #[cold]
    fn part_alike<O: F32x8>(
        &mut self,
        task: &mut Task,
        faces: &Faces<O>,
        workspace: &mut Workspace,
    ) -> Option<Parts> {
        let mesh = self.mesh;
        let (from, to) = self.copies(&task.place);
        let rows: Vec<Row> = from.iter().map(|corners| faces.row(corners).to_array()).collect();
        if let Some(plane) = halve(&rows) {
            let planes = [plane, Plane::NONE, Plane::NONE];
            let parts = pass(from, to, faces, &planes, &mut workspace.parts);
            task.place.is_spare = !task.place.is_spare;
            return Some(parts);
        }
        to.copy_from_slice(from);
        task.place.is_spare = !task.place.is_spare;
        let different = gather(mesh, to, |corners| corners);
        if different <= ChildRef::MOST {
            return None;
        }
        let lefts = middle_cut(mesh, to, |corners| corners);
        Some(Parts { counts: [lefts, 0, to.len() - lefts, 0], rows: [rows[0]; 4] })
    }

    /// Where the triangles of a task are, and where they may be moved.
    #[inline(always)]
    fn copies(&mut self, place: &Place) -> (&[Corners], &mut [Corners]) {
        let range = place.range.clone();
        if place.is_spare {
            (&self.spare[range.clone()], &mut self.corners[range])
        } else {
            (&self.corners[range.clone()], &mut self.spare[range])
        }
    }

    /// The box of some triangles along axes of their own.
    #[inline(always)]
    fn boxed<O: F32x8>(&self, range: Range<usize>, is_spare: bool) -> (Axes, Row) {
        let copy = if is_spare { &*self.spare } else { &*self.corners };
        let corners = &copy[range];
        let axes = axes::<O>(corners);
        let faces = Faces::<O>::new(&axes);
        let mut bound = O::load(&NOTHING);
        for corners in corners {
            bound = bound.max(faces.row(corners));
        }
        (axes, bound.to_array())
    }

    /// Adds the two sides, and under a large side its two parts. A side that is split here has the
    /// axes of the node, or its own if its box is smaller along them; what is not will get its own.
    #[inline(always)]
    fn branch<O: F32x8>(
        &self,
        task: &Task,
        parts: &Parts,
        nodes: &mut Vec<Node>,
        waiting: &mut Vec<Task>,
    ) {
        let Parts { counts, rows } = parts;
        let start = task.place.range.start;
        let is_spare = task.place.is_spare;
        let child = nodes.len();
        let axes = nodes[task.node].axes;
        nodes[task.node].below = Under::Nodes(child as u32);
        nodes.extend([Node::NEW; 2]);
        let middle = start + counts[0] + counts[1];
        // The last is on top, so that chunks come in the order of their triangles.
        for (side, begin) in [(1, middle), (0, start)] {
            let [left, right] = [counts[2 * side], counts[2 * side + 1]];
            let node = child + side;
            let level = task.level + 1;
            if left == 0 || right == 0 || left + right <= self.config.chunk || self.has_islands {
                let place = Place { range: begin..begin + left + right, is_spare, island: None };
                waiting.push(Task { place, node, level });
                continue;
            }
            let below = nodes.len();
            let row = around::<O>(&rows[2 * side..2 * side + 2]);
            let own = self.boxed::<O>(begin..begin + left + right, is_spare);
            let is_smaller = half_area(&own.1) < half_area(&row);
            (nodes[node].axes, nodes[node].row) = if is_smaller { own } else { (axes, row) };
            nodes[node].below = Under::Nodes(below as u32);
            nodes.extend([Node::NEW; 2]);
            let (cut, end) = (begin + left, begin + left + right);
            for (range, node) in [(cut..end, below + 1), (begin..cut, below)] {
                let place = Place { range, is_spare, island: None };
                waiting.push(Task { place, node, level: level + 1 });
            }
        }
    }
}

/// The box around boxes.
#[inline(always)]
fn around<O: F32x8>(rows: &[Row]) -> Row {
    let mut bound = O::load(&NOTHING);
    for row in rows {
        bound = bound.max(O::load(row));
    }
    bound.to_array()
}

/// The samples' numbers: even steps, each with a place of its own in its step, so that no pattern
/// is missed.
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
fn axes<O: F32x8>(corners: &[Corners]) -> Axes {
    // A loop: what is called by an iterator need not become part of the function that switches the
    // instruction set on.
    let mut spreads = Vec::with_capacity(SAMPLES);
    for i in samples(corners.len()) {
        spreads.push(Spread::of::<O>(&corners[i]));
    }
    let sum = Spread::sum::<O>(spreads.iter());
    let mut eigen = eigenvectors::<O>(&sum.covariance::<O>().map(|entry| [entry; 8]));
    if let Some(better) = eigen.better(0, None) {
        for (k, &component) in better.as_flattened().iter().enumerate() {
            eigen.vectors[k] = [component; 8];
        }
    }
    orthonormal(&eigen.vectors).map(|components| components[0])
}

/// The plane that cuts a set, and those that cut its two sides if they are large.
#[inline(always)]
fn sampled_planes<O: F32x8>(
    corners: &[Corners],
    faces: &Faces<O>,
    workspace: &mut Workspace,
    config: &BuildConfig,
    level: usize,
) -> [Plane; 3] {
    workspace.rows.clear();
    for i in samples(corners.len()) {
        workspace.rows.push(faces.row(&corners[i]).to_array());
    }
    let count = workspace.rows.len();
    let mut planes = [Plane::NONE; 3];
    let mut lefts = 0;
    // First all, then those on the left, then those on the right.
    for i in 0..3 {
        let Workspace { rows, sorted, .. } = &mut *workspace;
        let part = match i {
            0 => &rows[..],
            1 => &sorted[..lefts],
            _ => &sorted[lefts..],
        };
        // As many as stand for a chunk are not cut, unless they are all there is.
        if i == 0 || part.len() * corners.len() > config.chunk * count {
            let plane = if level >= LEVELS {
                halve(part)
            } else {
                let (bound, middles) = measured::<O>(part);
                divide_many::<O>(part, (&bound, &middles), config.preference)
            };
            planes[i] = plane.unwrap_or(Plane::NONE);
        }
        if i == 0 {
            lefts = sort_sides(rows, planes[0], sorted);
        }
    }
    planes
}

/// Those on the left in front, each side in its old order, and how many they are.
fn sort_sides(rows: &[Row], plane: Plane, sorted: &mut Vec<Row>) -> usize {
    sorted.clear();
    sorted.extend(rows.iter().filter(|row| !plane.is_right(row)));
    let lefts = sorted.len();
    sorted.extend(rows.iter().filter(|row| plane.is_right(row)));
    lefts
}

/// Measures the four parts, and moves them one after the other.
#[inline(always)]
fn pass<O: F32x8>(
    from: &[Corners],
    to: &mut [Corners],
    faces: &Faces<O>,
    planes: &[Plane; 3],
    parts: &mut Vec<u8>,
) -> Parts {
    parts.resize(parts.len().max(from.len()), 0);
    let (across, left, right) =
        (planes[0].lanes::<O>(), planes[1].lanes::<O>(), planes[2].lanes::<O>());
    // Twice, in turns: the next triangle is likely of the same part, and need not wait for this
    // one's box to be stored.
    let mut rows = [[NOTHING; 4]; 2];
    let (mut rights, mut ones, mut threes) = (0, 0, 0);
    for (i, (corners, part)) in from.iter().zip(&mut *parts).enumerate() {
        let row = faces.row(corners);
        let at = middle(row);
        let side = usize::from(O::bits(at.greater(across)) != 0);
        let in_left = usize::from(O::bits(at.greater(left)) != 0);
        let in_right = usize::from(O::bits(at.greater(right)) != 0);
        let own = 2 * side + if side == 0 { in_left } else { in_right };
        let bound = &mut rows[i % 2][own];
        *bound = O::load(bound).max(row).to_array();
        rights += side;
        ones += usize::from(own == 1);
        threes += usize::from(own == 3);
        *part = own as u8;
    }
    let counts = [from.len() - rights - ones, ones, rights - threes, threes];
    let [even, odd] = rows;
    let mut rows = [NOTHING; 4];
    for own in 0..4 {
        rows[own] = around::<O>(&[even[own], odd[own]]);
    }
    let mut next = [0, counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]];
    for (corners, &part) in from.iter().zip(&*parts) {
        let next = &mut next[part as usize & 3];
        to[*next] = *corners;
        *next += 1;
    }
    Parts { counts, rows }
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
