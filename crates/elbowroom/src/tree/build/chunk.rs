//! A subtree of some hundred triangles, small enough for the cache.
//!
//! A binary tree is grown level by level, so that the eigenvectors of eight nodes are found together; then it is
//! collapsed into blocks, which are appended to the packed tree. Triangles stay where they are, and only their
//! numbers are moved.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::array::from_fn;
use std::ops::Range;

use super::BuildConfig;
use super::collapse::{Choice, lanes};
use super::copies::{gather, middle_cut};
use super::corners::Corners;
use super::divide::{Cut, FEW, Gathered, Middles, Plane, Sides, divide_few, divide_many, halve};
use super::faces::{Faces, Four, NOTHING, Row, half_area};
use super::frame::{Axes, Eigen, Spread, eigenvectors, orthonormal};
use super::small::{self, Edges};
use crate::arch::{Oct, OctKernel};
use crate::geom::mesh::Mesh;
use crate::tree::Packed;
use crate::tree::packed::Below;
use crate::volume::burst::EMPTY;

/// Beyond this level every cut is at the median, so that no input makes a tree deeper than twice its size asks for.
const LEVELS: usize = 24;

/// A node of the binary tree.
#[derive(Clone, Copy)]
struct Node {
    start: u32,
    count: u32,
    /// Its first child, and the second comes next; zero for a leaf.
    child: u32,
    /// Its parent's until it has some of its own.
    axes: Axes,
    row: Row,
    choice: Choice,
}

/// What is used again from chunk to chunk.
#[derive(Default)]
pub(super) struct Workspace {
    nodes: Vec<Node>,
    order: Vec<u32>,
    right: Vec<u32>,
    spreads: Vec<Spread>,
    edges: Vec<Edges>,
    /// The boxes of the members of the node at hand, in their order.
    rows: Vec<Row>,
    waiting: Vec<(u32, u32)>,
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
}

/// The box around a chunk, and what is below it.
pub(super) struct Root {
    pub(super) axes: Axes,
    pub(super) row: Row,
    pub(super) below: Below,
    /// How far the boxes below reach.
    pub(super) reach: f64,
}

impl OctKernel for Chunk<'_> {
    type Output = Root;

    #[inline(always)]
    fn run<O: Oct>(mut self) -> Root {
        self.begin::<O>();
        self.grow::<O>();
        self.collapse();
        self.append::<O>()
    }
}

impl Chunk<'_> {
    #[inline(always)]
    fn begin<O: Oct>(&mut self) {
        let Workspace { nodes, order, right, spreads, edges, rows, .. } = &mut *self.workspace;
        nodes.clear();
        order.clear();
        order.extend(0..self.corners.len() as u32);
        spreads.resize(spreads.len().max(self.corners.len()), Spread::NONE);
        // A loop: what is called by an iterator need not become part of the function that switches the instruction set on.
        for (corners, spread) in self.corners.iter().zip(spreads) {
            *spread = Spread::of::<O>(corners);
        }
        edges.clear();
        small::edges::<O>(self.corners, edges);
        rows.resize(rows.len().max(self.corners.len()), NOTHING);
        right.resize(rows.len(), 0);
        nodes.push(Node::new(0, self.corners.len()));
    }

    /// Level by level, eight nodes at a time. A triangle by itself needs no eigenvectors: so that lanes are kept for who does, those come last.
    #[inline(always)]
    fn grow<O: Oct>(&mut self) {
        let (mut next, mut level) = (0, 0);
        let mut end = 1;
        while next < end {
            let mut eight = [0; 8];
            let mut count = 0;
            while next < end && count < 8 {
                eight[count] = next as u32;
                count += usize::from(self.workspace.nodes[next].count > 1);
                next += 1;
            }
            self.cut::<O>(&eight[..count], level);
            if next == end {
                end = self.workspace.nodes.len();
                level += 1;
            }
        }
        next = 0;
        while next < end {
            let mut eight = [0; 8];
            let mut count = 0;
            while next < end && count < 8 {
                eight[count] = next as u32;
                count += usize::from(self.workspace.nodes[next].count == 1);
                next += 1;
            }
            self.enclose::<O>(&eight[..count]);
        }
    }

    /// Boxes of up to eight single triangles, along their longest edges and normals.
    #[inline(always)]
    fn enclose<O: Oct>(&mut self, nodes: &[u32]) {
        let mut directions = [[0.0; 8]; 6];
        let Workspace { nodes: all, order, edges, .. } = &mut *self.workspace;
        for (lane, &node) in nodes.iter().enumerate() {
            let [edge, _, normal] = &edges[order[all[node as usize].start as usize] as usize];
            for k in 0..3 {
                directions[k][lane] = edge[k];
                directions[3 + k][lane] = normal[k];
            }
        }
        let axes = orthonormal(&directions);
        for (lane, &node) in nodes.iter().enumerate() {
            let node = &mut all[node as usize];
            node.axes = from_fn(|k| axes[k][lane]);
            let member = order[node.start as usize];
            node.row = Faces::<O>::new(&node.axes).row(&self.corners[member as usize]).to_array();
            node.choice = Choice::leaf(half_area(&node.row) * self.config.test);
        }
    }

    #[inline(always)]
    fn cut<O: Oct>(&mut self, nodes: &[u32], level: usize) {
        let (mut eigen, weights) = self.spread::<O>(nodes);
        for (lane, &node) in nodes.iter().enumerate() {
            self.choose::<O>(node as usize, lane, &mut eigen);
        }
        let directions = eigen.vectors;
        let axes = orthonormal(&directions);
        for (lane, &node) in nodes.iter().enumerate() {
            let mut own = [0.0; 9];
            for k in 0..9 {
                own[k] = axes[k][lane];
            }
            let middles = self.fit::<O>(node as usize, own);
            self.part::<O>(node as usize, &middles, weights[lane], level);
        }
    }

    /// Two eigenvectors of up to eight nodes, and their weights.
    #[inline(always)]
    fn spread<O: Oct>(&self, eight: &[u32]) -> (Eigen, [f32; 8]) {
        let Workspace { nodes, order, spreads, .. } = &*self.workspace;
        let mut covariances = [[0.0; 8]; 6];
        let mut weights = [0.0; 8];
        for (lane, &node) in eight.iter().enumerate() {
            let members = &order[nodes[node as usize].members()];
            let sum = Spread::sum::<O>(members.iter().map(|&member| &spreads[member as usize]));
            weights[lane] = sum.weight() as f32;
            for (k, entry) in sum.covariance::<O>().into_iter().enumerate() {
                covariances[k][lane] = entry;
            }
        }
        (eigenvectors::<O>(&covariances), weights)
    }

    /// There may be better directions than the eigenvectors: those of an edge and a normal for few triangles, and for a set that is as broad as it is
    /// long that of the cut that made it, which runs along its side.
    #[inline(always)]
    fn choose<O: Oct>(&self, node: usize, lane: usize, eigen: &mut Eigen) {
        let Workspace { nodes, order, edges, .. } = &*self.workspace;
        let members = &order[nodes[node].members()];
        let chosen = if members.len() <= self.config.few {
            let pick = |k: usize| from_fn(|i| eigen.vectors[k + i][lane]);
            small::best::<O>(self.corners, edges, members, [pick(0), pick(3)])
        } else {
            let from = if node > 0 { Some(&nodes[node].axes) } else { None };
            let Some(better) = eigen.better(lane, from) else { return };
            better
        };
        for (k, &component) in chosen.as_flattened().iter().enumerate() {
            eigen.vectors[k][lane] = component;
        }
    }

    /// Measures a node's box, and the boxes of its members, along its axes; where their middles are.
    #[inline(always)]
    fn fit<O: Oct>(&mut self, node: usize, axes: Axes) -> Middles {
        let Workspace { nodes, order, rows, .. } = &mut *self.workspace;
        let node = &mut nodes[node];
        let members = &order[node.members()];
        node.axes = axes;
        let faces = Faces::<O>::new(&node.axes);
        let corners = self.corners;
        let mut gathered = Gathered::<O>::none();
        for (&member, out) in members.iter().zip(rows) {
            let row = faces.row(&corners[member as usize]);
            gathered.add(row);
            *out = row.to_array();
        }
        node.row = gathered.bound();
        Middles::of(&gathered, members.len())
    }

    /// Cuts a node in two, or makes it a leaf.
    #[inline(always)]
    fn part<O: Oct>(&mut self, index: usize, middles: &Middles, weight: f32, level: usize) {
        let node = &self.workspace.nodes[index];
        let (count, bound) = (node.count as usize, node.row);
        let alone = half_area(&bound) * count as f32;
        if count <= self.config.leaf && alone <= self.config.join * weight {
            return self.close(index, count);
        }
        let rows = &self.workspace.rows[..count];
        let mut sides = [0; FEW];
        let preference = self.config.preference;
        let cut = if level >= LEVELS {
            None
        } else if count <= FEW {
            divide_few::<O>(rows, (&bound, middles), preference, &mut sides)
        } else {
            divide_many::<O>(rows, (&bound, middles), preference).map(Cut::Plane)
        };
        let lefts = match cut {
            Some(Cut::Bit(bit)) => self.move_few(index, &sides, bit),
            Some(Cut::Plane(plane)) => self.move_members(index, plane),
            None => 0,
        };
        if 0 < lefts && lefts < count {
            self.branch(index, lefts);
        } else {
            self.part_alike(index);
        }
    }

    /// Brings the members that have not a bit to the front, each side in its old order, and says how many they are.
    #[inline(always)]
    fn move_few(&mut self, index: usize, sides: &Sides, bit: u32) -> usize {
        let Workspace { nodes, order, .. } = &mut *self.workspace;
        let members = &mut order[nodes[index].members()];
        let mut right = [0; FEW];
        let (mut lefts, mut rights) = (0, 0);
        for i in 0..members.len().min(FEW) {
            let (member, is_right) = (members[i], sides[i] >> bit & 1);
            // Both, so that there is no branch to guess.
            members[lefts] = member;
            right[rights & (FEW - 1)] = member;
            lefts += usize::from(is_right ^ 1);
            rights += usize::from(is_right);
        }
        // A loop: a call takes longer for so few.
        for (to, from) in members[lefts..].iter_mut().zip(&right) {
            *to = *from;
        }
        lefts
    }

    /// Brings the members on the left to the front, each side in its old order, and says how many they are.
    #[inline(always)]
    fn move_members(&mut self, index: usize, plane: Plane) -> usize {
        let Workspace { nodes, order, right, rows, .. } = &mut *self.workspace;
        let members = &mut order[nodes[index].members()];
        let right = right.as_mut_slice();
        let (mut lefts, mut rights) = (0, 0);
        for (i, row) in rows[..members.len()].iter().enumerate() {
            let (member, is_right) = (members[i], plane.is_right(row));
            // Both, so that there is no branch to guess.
            members[lefts] = member;
            right[rights] = member;
            lefts += usize::from(!is_right);
            rights += usize::from(is_right);
        }
        members[lefts..].copy_from_slice(&right[..rights]);
        lefts
    }

    /// What lies too deep, or was not parted by what was looked at, is cut at the median. What no plane parts is a
    /// leaf if there are few different ones, else some go here and some there.
    #[cold]
    fn part_alike(&mut self, index: usize) {
        let count = self.workspace.nodes[index].count as usize;
        if let Some(plane) = halve(&self.workspace.rows[..count]) {
            let lefts = self.move_members(index, plane);
            return self.branch(index, lefts);
        }
        let corners = self.corners;
        let Workspace { nodes, order, .. } = &mut *self.workspace;
        let members = &mut order[nodes[index].members()];
        let at = |member: u32| corners[member as usize];
        let different = gather(self.mesh, members, at);
        if different <= Below::MOST {
            self.close(index, different);
        } else {
            let lefts = middle_cut(self.mesh, members, at);
            self.branch(index, lefts);
        }
    }

    fn close(&mut self, index: usize, different: usize) {
        let node = &mut self.workspace.nodes[index];
        let cost = half_area(&node.row) * different as f32 * self.config.test;
        node.choice = Choice::leaf(cost);
    }

    fn branch(&mut self, index: usize, lefts: usize) {
        let nodes = &mut self.workspace.nodes;
        let Node { start, count, axes, .. } = nodes[index];
        nodes[index].child = nodes.len() as u32;
        let (start, count) = (start as usize, count as usize);
        nodes.push(Node { axes, ..Node::new(start, lefts) });
        nodes.push(Node { axes, ..Node::new(start + lefts, count - lefts) });
    }

    fn collapse(&mut self) {
        let Workspace { nodes, spreads, .. } = &mut *self.workspace;
        let spreads = &spreads[..self.corners.len()];
        let weight: f64 = spreads.iter().map(Spread::weight).sum();
        // A box around one triangle has half the surface of its weight.
        let price = self.config.price * (4.0 * weight / spreads.len() as f64) as f32;
        for index in (0..nodes.len()).rev() {
            let node = &nodes[index];
            if node.child == 0 {
                continue;
            }
            let area = half_area(&node.row);
            let leaf = if node.count as usize <= self.config.leaf {
                area * node.count as f32 * self.config.test
            } else {
                f32::INFINITY
            };
            let child = node.child as usize;
            let choice =
                Choice::inner(leaf, area + price, &nodes[child].choice, &nodes[child + 1].choice);
            nodes[index].choice = choice;
        }
    }

    #[inline(always)]
    fn append<O: Oct>(&mut self) -> Root {
        let root = self.workspace.nodes[0];
        if root.choice.is_leaf() {
            let below = self.leaf(&root);
            return Root { axes: root.axes, row: root.row, below, reach: 0.0 };
        }
        let first = self.push_block();
        let mut waiting = std::mem::take(&mut self.workspace.waiting);
        waiting.push((0, first));
        while let Some((node, block)) = waiting.pop() {
            self.fill::<O>(node, block, &mut waiting);
        }
        self.workspace.waiting = waiting;
        let below = Below::block(first as usize);
        Root { axes: root.axes, row: root.row, below, reach: self.reach }
    }

    fn push_block(&mut self) -> u32 {
        self.packed.blocks.push(EMPTY);
        self.packed.blocks.len() as u32 - 1
    }

    #[inline(always)]
    fn fill<O: Oct>(&mut self, node: u32, block: u32, waiting: &mut Vec<(u32, u32)>) {
        let nodes = &self.workspace.nodes;
        let at = |node: u32| &nodes[node as usize];
        let children = |node: u32| [at(node).child, at(node).child + 1];
        let (found, count) = lanes(node, |node| at(node).choice, children);
        let mut four = Four::default();
        for &child in &found[..count] {
            let node = self.workspace.nodes[child as usize];
            let below = if node.choice.is_leaf() {
                self.leaf(&node)
            } else {
                let below = self.push_block();
                waiting.push((child, below));
                Below::block(below as usize)
            };
            four.push(&node.axes, &node.row, below);
        }
        let reach = four.store::<O>(self.unit, &mut self.packed.blocks[block as usize]);
        self.reach = self.reach.max(reach);
    }

    fn leaf(&mut self, node: &Node) -> Below {
        let members = &mut self.workspace.order[node.members()];
        let corners = self.corners;
        let key = |i: usize, members: &[u32]| corners[members[i] as usize].key();
        let alike = (1..members.len()).any(|i| (0..i).any(|j| key(i, members) == key(j, members)));
        if alike {
            gather(self.mesh, members, |member| corners[member as usize]);
        }
        let first = self.packed.records.len();
        let ids = members.iter().map(|&member| corners[member as usize].id());
        let count = self.packed.push_leaf(self.mesh, ids, alike);
        Below::leaf(first, count)
    }
}

impl Node {
    fn new(start: usize, count: usize) -> Self {
        Self {
            start: start as u32,
            count: count as u32,
            child: 0,
            axes: [0.0; 9],
            row: NOTHING,
            choice: Choice::leaf(0.0),
        }
    }

    #[inline(always)]
    fn members(&self) -> Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }
}
