//! How nodes are split: eight at a time along eigenvectors of their triangles, at the plane that
//! costs least; and which of them become leaves.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::array::from_fn;
use std::num::NonZeroU32;

use super::{Chunk, Node, Turn, Workspace};
use crate::internal::arch::F32x8;
use crate::internal::bvh::build::collapse::Choice;
use crate::internal::bvh::build::copies::{gather, middle_cut};
use crate::internal::bvh::build::divide::{
    Cut, FEW, Gathered, Middles, Plane, Sides, divide_few, divide_many, halve,
};
use crate::internal::bvh::build::faces::{Faces, half_area};
use crate::internal::bvh::build::frame::{Axes, Eigen, Spread, eigenvectors, orthonormal};
use crate::internal::bvh::build::small;
use crate::internal::bvh::packed::ChildRef;

/// Beyond this level every cut is at the median, so that no input makes a tree deeper than twice
/// its size asks for.
const LEVELS: usize = 24;

impl Chunk<'_> {
    #[inline(always)]
    pub(super) fn split<O: F32x8>(&mut self, nodes: &[u32], level: usize) {
        let (mut eigen, weights) = self.spread::<O>(nodes);
        for (lane, &node) in nodes.iter().enumerate() {
            self.choose_axes::<O>(node as usize, lane, &mut eigen);
        }
        let directions = eigen.vectors;
        let axes = orthonormal(&directions);
        for (lane, &node) in nodes.iter().enumerate() {
            let mut own = [0.0; 9];
            for k in 0..9 {
                own[k] = axes[k][lane];
            }
            let middles = self.measure_members::<O>(node as usize, own);
            self.split_node::<O>(node as usize, &middles, weights[lane], level);
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
    fn choose_axes<O: F32x8>(&self, node: usize, lane: usize, eigen: &mut Eigen) {
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
    fn measure_members<O: F32x8>(&mut self, node: usize, axes: Axes) -> Middles {
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

    /// Splits a node in two, or makes it a leaf.
    #[inline(always)]
    fn split_node<O: F32x8>(&mut self, index: usize, middles: &Middles, weight: f32, level: usize) {
        let node = &self.workspace.nodes[index];
        let (count, bound) = (node.count as usize, node.row);
        let alone = half_area(&bound) * count as f32;
        if count <= self.config.leaf && alone <= self.config.join * weight {
            return self.make_leaf(index, count);
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
            self.make_inner(index, lefts);
        } else {
            self.split_equal(index);
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
    fn split_equal(&mut self, index: usize) {
        let count = self.workspace.nodes[index].count as usize;
        if let Some(plane) = halve(&self.workspace.rows[..count]) {
            let lefts = self.move_members(index, plane);
            return self.make_inner(index, lefts);
        }
        let corners = self.corners;
        let Workspace { nodes, order, .. } = &mut *self.workspace;
        let members = &mut order[nodes[index].members()];
        let at = |member: u32| corners[member as usize];
        let different = gather(self.mesh, members, at);
        if different <= ChildRef::MOST {
            self.make_leaf(index, different);
        } else {
            let lefts = middle_cut(self.mesh, members, at);
            self.make_inner(index, lefts);
        }
    }

    pub(super) fn make_leaf(&mut self, index: usize, different: usize) {
        let node = &mut self.workspace.nodes[index];
        let cost = half_area(&node.row) * different as f32 * self.config.test;
        node.choice = Choice::leaf(cost);
    }

    pub(super) fn make_inner(&mut self, index: usize, lefts: usize) {
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
}
