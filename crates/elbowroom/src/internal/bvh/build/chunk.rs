//! A subtree of some hundred triangles, small enough for the cache.
//!
//! A binary tree is grown level by level, so that the eigenvectors of eight nodes are found
//! together; then it is collapsed into blocks, which are appended to the packed tree. Triangles
//! stay where they are, and only their numbers are moved.
//!
//! Up to half of all nodes are pairs, and most of these end within a larger leaf. So no more is
//! worked out of a pair than which way it would stand and what it would cost, and of a single
//! triangle only its cost; boxes are measured for those that are in a lane of a block.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

mod append;
mod split;

use std::num::NonZeroU32;
use std::ops::Range;

use super::BuildConfig;
use super::collapse::Choice;
use super::corners::Corners;
use super::faces::{Faces, NOTHING, Row, half_area};
use super::frame::{Axes, Spread, orthonormal};
use super::small::{self, Stand};
use crate::internal::arch::{F32x8, F32x8Kernel};
use crate::internal::bvh::Packed;
use crate::internal::bvh::packed::ChildRef;
use crate::internal::geom::mesh::Mesh;

/// A node of the binary tree.
#[derive(Clone, Copy)]
struct Node {
    start: u32,
    count: u32,
    /// The first child, and the second comes next; `None` for a leaf. No child is node 0, the root.
    child: Option<NonZeroU32>,
    turn: Turn,
    /// The spans of its members along the axes of `turn`. Of a pair that is not measured yet,
    /// along its directions: good for its cost, not for a box.
    row: Row,
    choice: Choice,
}

/// Which way the box of a node stands, by how much of it has been worked out.
#[derive(Clone, Copy)]
enum Turn {
    /// Nothing yet, and there is no box to learn it from: of the root, and of the triangles of a
    /// pair.
    Unknown,
    /// Nothing yet but the axes of the box that the node was cut from.
    CutFrom(Axes),
    /// Two directions that the box of a pair is to stand along, one after the other.
    Directions([f32; 6]),
    /// The axes of the box, which is around all members. Boxes of pairs and of single triangles are
    /// measured last, and only of nodes that stand in a lane.
    Measured(Axes),
}

/// What is used again from chunk to chunk.
#[derive(Default)]
pub(super) struct Workspace {
    nodes: Vec<Node>,
    order: Vec<u32>,
    right: Vec<u32>,
    spreads: Vec<Spread>,
    /// The boxes of the members of the node at hand, in their order.
    rows: Vec<Row>,
    waiting: Vec<(u32, u32)>,
    plans: Vec<Plan>,
    /// Nodes in lanes whose boxes are not measured yet: pairs, leaves or not, and single
    /// triangles.
    small: Vec<u32>,
    /// Which vertices triangles have whose records are made.
    triples: Vec<[u32; 3]>,
}

/// A block that is to be filled: the nodes in its lanes, and their blocks if they are no leaves.
#[derive(Clone, Copy)]
struct Plan {
    block: u32,
    lanes: [u32; 4],
    blocks: [u32; 4],
    count: usize,
}

/// Builds the subtree of some triangles and appends it.
pub(super) struct Chunk<'a> {
    pub(super) mesh: &'a Mesh,
    pub(super) config: &'a BuildConfig,
    pub(super) corners: &'a [Corners],
    pub(super) unit: f64,
    pub(super) workspace: &'a mut Workspace,
    pub(super) packed: &'a mut Packed,
    /// How far the boxes reach that are there so far.
    pub(super) reach: f64,
    /// How many triangles of the packed tree have records.
    pub(super) recorded: usize,
}

/// The box around a chunk, and what is below it.
pub(super) struct Root {
    pub(super) axes: Axes,
    pub(super) row: Row,
    pub(super) below: ChildRef,
    /// How far the boxes below reach.
    pub(super) reach: f64,
}

impl F32x8Kernel for Chunk<'_> {
    type Output = Root;

    #[inline(always)]
    fn run<O: F32x8>(mut self) -> Root {
        self.begin::<O>();
        self.grow::<O>();
        self.evaluate_small::<O>();
        self.collapse();
        self.append::<O>()
    }
}

impl Chunk<'_> {
    #[inline(always)]
    fn begin<O: F32x8>(&mut self) {
        let Workspace { nodes, order, right, spreads, rows, .. } = &mut *self.workspace;
        nodes.clear();
        order.clear();
        order.extend(0..self.corners.len() as u32);
        spreads.resize(spreads.len().max(self.corners.len()), Spread::NONE);
        // A loop: what is called by an iterator need not become part of the function that switches
        // the instruction set on.
        for (corners, spread) in self.corners.iter().zip(spreads) {
            *spread = Spread::of::<O>(corners);
        }
        rows.resize(rows.len().max(self.corners.len()), NOTHING);
        right.resize(rows.len(), 0);
        nodes.push(Node::new(0, self.corners.len()));
    }

    /// Level by level, eight nodes at a time: all that have more than two triangles, or more than
    /// one.
    #[inline(always)]
    fn grow<O: F32x8>(&mut self) {
        let most = if self.has_pairs() { 2 } else { 1 };
        let (mut next, mut level) = (0, 0);
        let mut end = 1;
        while next < end {
            let (eight, count) = self.eight(&mut next, end, |node| node.count > most);
            self.split::<O>(&eight[..count], level);
            if next == end {
                end = self.workspace.nodes.len();
                level += 1;
            }
        }
    }

    /// The next eight nodes, or fewer before the end, that are wanted.
    #[inline(always)]
    fn eight(
        &self,
        next: &mut usize,
        end: usize,
        is_wanted: impl Fn(&Node) -> bool,
    ) -> ([u32; 8], usize) {
        let (mut eight, mut count) = ([0; 8], 0);
        let nodes = &self.workspace.nodes[..end];
        while *next < end && count < 8 {
            eight[count] = *next as u32;
            count += usize::from(is_wanted(&nodes[*next]));
            *next += 1;
        }
        (eight, count)
    }

    /// Whether pairs are a matter of edges and normals, and may be leaves.
    fn has_pairs(&self) -> bool {
        self.config.leaf >= 2 && self.config.few >= 2
    }

    /// What pairs and single triangles cost. That of a triangle by itself is known without its box:
    /// a flat one, along its longest edge, is as large as its weight.
    #[inline(always)]
    fn evaluate_small<O: F32x8>(&mut self) {
        let end = if self.has_pairs() { self.workspace.nodes.len() } else { 0 };
        let mut next = 0;
        while next < end {
            let (eight, count) = self.eight(&mut next, end, |node| node.count == 2);
            self.evaluate_pairs::<O>(&eight[..count]);
        }
        let Workspace { nodes, order, spreads, .. } = &mut *self.workspace;
        for node in nodes.iter_mut() {
            if node.count == 1 {
                let weight = spreads[order[node.start as usize] as usize].weight();
                node.choice = Choice::leaf(weight as f32 * self.config.test);
            }
        }
    }

    /// Which way up to eight pairs stand, and whether each is a leaf or is split.
    #[inline(always)]
    fn evaluate_pairs<O: F32x8>(&mut self, pairs: &[u32]) {
        let Workspace { nodes, order, spreads, .. } = &mut *self.workspace;
        let mut columns = [[[0.0; 8]; 9]; 2];
        let (mut weights, mut alike) = ([0.0; 8], [false; 8]);
        for (lane, &node) in pairs.iter().enumerate() {
            let start = nodes[node as usize].start as usize;
            let members = [order[start] as usize, order[start + 1] as usize];
            weights[lane] = (spreads[members[0]].weight() + spreads[members[1]].weight()) as f32;
            let [first, second] = [&self.corners[members[0]], &self.corners[members[1]]];
            alike[lane] = first.key() == second.key();
            small::put(first, lane, &mut columns[0]);
            small::put(second, lane, &mut columns[1]);
        }
        let Stand { directions, row } = small::stand::<O>(&columns);
        let (mut odd, mut odds) = ([0; 8], 0);
        for (lane, &node) in pairs.iter().enumerate() {
            let index = node as usize;
            let node = &mut self.workspace.nodes[index];
            let mut own = [0.0; 6];
            for k in 0..6 {
                own[k] = directions[k][lane];
            }
            node.turn = Turn::Directions(own);
            for k in 0..3 {
                node.row[k] = row[k][lane];
                node.row[4 + k] = row[3 + k][lane];
            }
            let alone = 2.0 * half_area(&node.row);
            if alone <= self.config.join * weights[lane] {
                self.make_leaf(index, 2);
            } else if alone < f32::INFINITY && !alike[lane] {
                self.make_inner(index, 1);
            } else {
                // They have no edge to stand on, or are copies, which are not split.
                odd[odds] = index as u32;
                odds += 1;
            }
        }
        if odds > 0 {
            self.split::<O>(&odd[..odds], 0);
        }
    }

    /// The boxes of up to eight pairs, along their directions, and single triangles, along their
    /// longest edges and normals.
    #[inline(always)]
    fn measure<O: F32x8>(&mut self, nodes: &[u32]) {
        let mut columns = [[0.0; 8]; 9];
        let Workspace { nodes: all, order, .. } = &mut *self.workspace;
        for (lane, &node) in nodes.iter().enumerate() {
            let first = order[all[node as usize].start as usize];
            small::put(&self.corners[first as usize], lane, &mut columns);
        }
        let mut directions = small::edge_and_normal::<O>(&columns);
        for (lane, &node) in nodes.iter().enumerate() {
            if let Turn::Directions(own) = &all[node as usize].turn {
                for k in 0..6 {
                    directions[k][lane] = own[k];
                }
            }
        }
        let axes = orthonormal(&directions);
        for (lane, &node) in nodes.iter().enumerate() {
            let node = &mut all[node as usize];
            let mut own = [0.0; 9];
            for k in 0..9 {
                own[k] = axes[k][lane];
            }
            let faces = Faces::<O>::new(&own);
            // A single triangle twice.
            let (first, last) = (node.start as usize, (node.start + node.count - 1) as usize);
            let [first, last] =
                [&self.corners[order[first] as usize], &self.corners[order[last] as usize]];
            node.row = faces.row(first).max(faces.row(last)).to_array();
            node.turn = Turn::Measured(own);
        }
    }
}

impl Node {
    fn new(start: usize, count: usize) -> Self {
        Self {
            start: start as u32,
            count: count as u32,
            child: None,
            turn: Turn::Unknown,
            row: NOTHING,
            choice: Choice::leaf(0.0),
        }
    }

    /// The axes of a box that is stored. One that is not measured may hold too little, and a
    /// contact would be missed: so this fails closed.
    #[inline(always)]
    fn axes(&self) -> &Axes {
        match &self.turn {
            Turn::Measured(axes) => axes,
            _ => panic!("a box that is stored is measured"),
        }
    }

    #[inline(always)]
    fn members(&self) -> Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }
}
