//! The second half of a chunk: the binary tree is collapsed into blocks of four boxes, and these
//! are appended to the packed tree.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use super::{Chunk, Plan, Root, Turn, Workspace};
use crate::internal::arch::F32x8;
use crate::internal::bvh::Packed;
use crate::internal::bvh::build::collapse::{Choice, lanes};
use crate::internal::bvh::build::copies::gather;
use crate::internal::bvh::build::faces::{F64x4, half_area};
use crate::internal::bvh::build::frame::Spread;
use crate::internal::bvh::packed::ChildRef;
use crate::internal::exact::pack_triangle;
use crate::internal::volume::obb_batch::EMPTY;

impl Chunk<'_> {
    pub(super) fn collapse(&mut self) {
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
    pub(super) fn append<O: F32x8>(&mut self) -> Root {
        let first = self.plan();
        let small = std::mem::take(&mut self.workspace.small);
        for eight in small.chunks(8) {
            self.measure::<O>(eight);
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
        self.pack_triangles();
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
    /// as much as a leaf: what `evaluate_pairs` kept of it are directions, not a box.
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
            self.pack_triangles();
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
    fn pack_triangles(&mut self) {
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
