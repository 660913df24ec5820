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

use std::array::from_fn;
use std::num::NonZeroU32;
use std::ops::Range;

use super::BuildConfig;
use super::collapse::{Choice, lanes};
use super::copies::{gather, middle_cut};
use super::corners::Corners;
use super::divide::{Cut, FEW, Gathered, Middles, Plane, Sides, divide_few, divide_many, halve};
use super::faces::{F64x4, Faces, NOTHING, Row, half_area};
use super::frame::{Axes, Eigen, Spread, eigenvectors, orthonormal};
use super::small::{self, Stand};
use crate::internal::arch::{F32x8, F32x8Kernel};
use crate::internal::bvh::Packed;
use crate::internal::bvh::packed::ChildRef;
use crate::internal::exact::pack_triangle;
use crate::internal::geom::mesh::Mesh;
use crate::internal::volume::obb_batch::EMPTY;

/// Beyond this level every cut is at the median, so that no input makes a tree deeper than twice
/// its size asks for.
const LEVELS: usize = 24;

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
        self.weigh::<O>();
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
            self.cut::<O>(&eight[..count], level);
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
    fn weigh<O: F32x8>(&mut self) {
        let end = if self.has_pairs() { self.workspace.nodes.len() } else { 0 };
        let mut next = 0;
        while next < end {
            let (eight, count) = self.eight(&mut next, end, |node| node.count == 2);
            self.join::<O>(&eight[..count]);
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
    fn join<O: F32x8>(&mut self, pairs: &[u32]) {
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
                self.close(index, 2);
            } else if alone < f32::INFINITY && !alike[lane] {
                self.branch(index, 1);
            } else {
                // They have no edge to stand on, or are copies, which are not split.
                odd[odds] = index as u32;
                odds += 1;
            }
        }
        if odds > 0 {
            self.cut::<O>(&odd[..odds], 0);
        }
    }

    /// The boxes of up to eight pairs, along their directions, and single triangles, along their
    /// longest edges and normals.
    #[inline(always)]
    fn enclose<O: F32x8>(&mut self, nodes: &[u32]) {
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

    #[inline(always)]
    fn cut<O: F32x8>(&mut self, nodes: &[u32], level: usize) {
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
    fn spread<O: F32x8>(&self, eight: &[u32]) -> (Eigen, [f32; 8]) {
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

    /// There may be better directions than the eigenvectors: those of an edge and a normal for few
    /// triangles, and for a set that is as broad as it is long that of the cut that made it,
    /// which runs along its side.
    #[inline(always)]
    fn choose<O: F32x8>(&self, node: usize, lane: usize, eigen: &mut Eigen) {
        let Workspace { nodes, order, .. } = &*self.workspace;
        let members = &order[nodes[node].members()];
        let chosen = if members.len() <= self.config.few {
            let pick = |k: usize| from_fn(|i| eigen.vectors[k + i][lane]);
            small::best::<O>(self.corners, members, [pick(0), pick(3)])
        } else {
            let from = match &nodes[node].turn {
                Turn::CutFrom(axes) => Some(axes),
                _ => None,
            };
            let Some(better) = eigen.better(lane, from) else { return };
            better
        };
        for (k, &component) in chosen.as_flattened().iter().enumerate() {
            eigen.vectors[k][lane] = component;
        }
    }

    /// Measures a node's box, and the boxes of its members, along its axes; where their middles
    /// are.
    #[inline(always)]
    fn fit<O: F32x8>(&mut self, node: usize, axes: Axes) -> Middles {
        let Workspace { nodes, order, rows, .. } = &mut *self.workspace;
        let node = &mut nodes[node];
        let members = &order[node.members()];
        let faces = Faces::<O>::new(&axes);
        let corners = self.corners;
        let mut gathered = Gathered::<O>::none();
        for (&member, out) in members.iter().zip(rows) {
            let row = faces.row(&corners[member as usize]);
            gathered.add(row);
            *out = row.to_array();
        }
        node.row = gathered.bound();
        node.turn = Turn::Measured(axes);
        Middles::of(&gathered, members.len())
    }

    /// Cuts a node in two, or makes it a leaf.
    #[inline(always)]
    fn part<O: F32x8>(&mut self, index: usize, middles: &Middles, weight: f32, level: usize) {
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

    /// Brings the members that have not a bit to the front, each side in its old order, and says
    /// how many they are.
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
        // A loop: a call takes longer for a few.
        for (to, from) in members[lefts..].iter_mut().zip(&right) {
            *to = *from;
        }
        lefts
    }

    /// Brings the members on the left to the front, each side in its old order, and says how many
    /// they are.
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

    /// Subdivides a group that is too deep, or that no tried plane separates, at the median. If no
    /// plane separates it, it becomes a leaf if there are few distinct triangles; else the group is
    /// divided arbitrarily.
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
        if different <= ChildRef::MOST {
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
        let Node { start, count, turn, .. } = nodes[index];
        let turn = match turn {
            Turn::Measured(axes) => Turn::CutFrom(axes),
            _ => Turn::Unknown,
        };
        nodes[index].child = NonZeroU32::new(nodes.len() as u32);
        let (start, count) = (start as usize, count as usize);
        nodes.push(Node { turn, ..Node::new(start, lefts) });
        nodes.push(Node { turn, ..Node::new(start + lefts, count - lefts) });
    }

    fn collapse(&mut self) {
        let Workspace { nodes, spreads, .. } = &mut *self.workspace;
        let spreads = &spreads[..self.corners.len()];
        let weight: f64 = spreads.iter().map(Spread::weight).sum();
        // A box around one triangle has half the surface of its weight.
        let price = self.config.price * (4.0 * weight / spreads.len() as f64) as f32;
        for index in (0..nodes.len()).rev() {
            let node = &nodes[index];
            let Some(child) = node.child else { continue };
            let area = half_area(&node.row);
            let leaf = if node.count as usize <= self.config.leaf {
                area * node.count as f32 * self.config.test
            } else {
                f32::INFINITY
            };
            let child = child.get() as usize;
            let choice =
                Choice::inner(leaf, area + price, &nodes[child].choice, &nodes[child + 1].choice);
            nodes[index].choice = choice;
        }
    }

    #[inline(always)]
    fn append<O: F32x8>(&mut self) -> Root {
        let first = self.plan();
        let small = std::mem::take(&mut self.workspace.small);
        for eight in small.chunks(8) {
            self.enclose::<O>(eight);
        }
        self.workspace.small = small;
        let plans = std::mem::take(&mut self.workspace.plans);
        for plan in &plans {
            self.fill::<O>(plan);
        }
        self.workspace.plans = plans;
        let below = match first {
            Some(first) => ChildRef::block(first as usize),
            None => self.leaf(0),
        };
        self.record();
        let root = &self.workspace.nodes[0];
        Root { axes: *root.axes(), row: root.row, below, reach: self.reach }
    }

    /// Plans which nodes are in which lanes, and which of them have no boxes yet. Returns the first
    /// block; `None` if everything is one leaf.
    fn plan(&mut self) -> Option<u32> {
        self.workspace.plans.clear();
        self.workspace.small.clear();
        self.measure_later(0);
        if self.workspace.nodes[0].choice.is_leaf() {
            return None;
        }
        let first = self.push_block();
        self.workspace.waiting.push((0, first));
        while let Some((node, block)) = self.workspace.waiting.pop() {
            let nodes = &self.workspace.nodes;
            let at = |node: u32| &nodes[node as usize];
            let children = |node: u32| {
                let first = at(node).child.expect("a node that is no leaf has children").get();
                [first, first + 1]
            };
            let (lanes, count) = lanes(node, |node| at(node).choice, children);
            let mut blocks = [0; 4];
            for lane in 0..count {
                let child = lanes[lane];
                self.measure_later(child);
                if !self.workspace.nodes[child as usize].choice.is_leaf() {
                    blocks[lane] = self.push_block();
                    self.workspace.waiting.push((child, blocks[lane]));
                }
            }
            self.workspace.plans.push(Plan { block, lanes, blocks, count });
        }
        Some(first)
    }

    /// Notes a node whose box will be stored and is not measured yet. A pair that is no leaf counts
    /// as much as a leaf: what `join` kept of it are directions, not a box.
    fn measure_later(&mut self, node: u32) {
        if !matches!(self.workspace.nodes[node as usize].turn, Turn::Measured(_)) {
            self.workspace.small.push(node);
        }
    }

    fn push_block(&mut self) -> u32 {
        self.packed.blocks.push(EMPTY);
        self.packed.blocks.len() as u32 - 1
    }

    #[inline(always)]
    fn fill<O: F32x8>(&mut self, plan: &Plan) {
        let mut four = F64x4::default();
        for lane in 0..plan.count {
            let child = plan.lanes[lane] as usize;
            let below = if self.workspace.nodes[child].choice.is_leaf() {
                self.leaf(child)
            } else {
                ChildRef::block(plan.blocks[lane] as usize)
            };
            let node = &self.workspace.nodes[child];
            four.push(node.axes(), &node.row, below);
        }
        let reach = four.store::<O>(self.unit, &mut self.packed.blocks[plan.block as usize]);
        self.reach = self.reach.max(reach);
    }

    fn leaf(&mut self, node: usize) -> ChildRef {
        let members = &mut self.workspace.order[self.workspace.nodes[node].members()];
        let corners = self.corners;
        let key = |i: usize, members: &[u32]| corners[members[i] as usize].key();
        let alike = (1..members.len()).any(|i| (0..i).any(|j| key(i, members) == key(j, members)));
        if alike {
            gather(self.mesh, members, |member| corners[member as usize]);
        }
        let first = self.packed.records.len() + self.packed.ids.len() - self.recorded;
        let ids = members.iter().map(|&member| corners[member as usize].id());
        if alike {
            let ids: Vec<u32> = ids.collect();
            self.record();
            let count = self.packed.push_records(self.mesh, &ids);
            self.recorded = self.packed.ids.len();
            return ChildRef::leaf(first, count);
        }
        let count = ids.len();
        for id in ids {
            if !self.packed.starts.is_empty() {
                self.packed.starts.push(self.packed.ids.len() as u32 + 1);
            }
            self.packed.ids.push(id);
        }
        ChildRef::leaf(first, count)
    }

    /// Makes the records of the triangles whose numbers came last. All at once, and what names
    /// their vertices is fetched before the vertices are: a large mesh is not in the cache, and
    /// so the processor waits for many of them together.
    fn record(&mut self) {
        let Packed { records, ids, .. } = &mut *self.packed;
        let ids = &ids[self.recorded..];
        let (mesh, triples) = (self.mesh, &mut self.workspace.triples);
        triples.clear();
        triples.extend(ids.iter().map(|&id| mesh.triangles()[id as usize]));
        let vertices = mesh.vertices();
        let at = |corner: u32| vertices[corner as usize];
        records.extend(triples.iter().map(|&[p, q, r]| pack_triangle([at(p), at(q), at(r)])));
        self.recorded += ids.len();
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
