//! Copies of one triangle, tested as one.
//!
//! Triangles with equal corners cannot be told apart by any cut, so a thousand copies end in one
//! leaf, and two such leaves would be a million tests with one answer. In each leaf, copies are
//! brought side by side; a test of the first of them speaks for the whole run.

use std::ops::Range;

use glam::DVec3;

use crate::internal::bvh::{NodeId, Tree};
use crate::internal::geom::mesh::Mesh;
use crate::internal::math::sort::{few_by, many_by_key};

/// For each place in a tree's order: how many copies of the triangle there follow, itself included,
/// if it is the first of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runs {
    /// Empty when no leaf holds copies, as is usual.
    lengths: Vec<u32>,
}

impl Runs {
    /// Brings copies side by side in every leaf of the tree.
    pub(super) fn new(mesh: &Mesh, tree: &mut Tree) -> Self {
        let mut lengths = Vec::new();
        let leaves: Vec<NodeId> = tree
            .nodes()
            .filter(|&node| tree.is_leaf(node) && tree.members(node).len() > 1)
            .collect();
        for leaf in leaves {
            let run = tree.run(leaf);
            let members = tree.members_mut(leaf);
            many_by_key(members, |&triangle| (key(mesh, triangle), triangle));
            for place in copies(mesh, members) {
                if lengths.is_empty() {
                    lengths = vec![1; tree.order().len()];
                }
                lengths[run.start + place.start] = place.len() as u32;
            }
        }
        Self { lengths }
    }

    /// None at all.
    pub const fn none() -> Self {
        Self { lengths: Vec::new() }
    }

    /// Whether what was a copy when the tree was grown still is one, after vertices have moved.
    pub fn hold(&self, mesh: &Mesh, tree: &Tree) -> bool {
        let mut place = 0;
        while place < self.lengths.len() {
            let run = place..place + self.length(place);
            let first = key(mesh, tree.order()[place]);
            if !tree.order()[run.clone()][1..].iter().all(|&copy| key(mesh, copy) == first) {
                return false;
            }
            place = run.end;
        }
        true
    }

    /// How many copies there are of the triangle at a place that begins a run.
    #[inline]
    pub fn length(&self, place: usize) -> usize {
        self.lengths.get(place).map_or(1, |&length| length as usize)
    }
}

impl Runs {
    /// The runs of copies, most of them of one triangle only, in a leaf's run of the order.
    pub(crate) fn within(&self, leaf: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let mut place = leaf.start;
        std::iter::from_fn(move || {
            let first = place;
            place += self.length(first);
            (first < leaf.end).then_some(first..place)
        })
    }
}

/// Equal for triangles with the same corners in any order.
fn key(mesh: &Mesh, triangle: u32) -> [[u64; 3]; 3] {
    let bits = |corner: DVec3| corner.to_array().map(|x| (x + 0.0).to_bits());
    let mut corners = mesh.triangle(triangle as usize).map(bits);
    few_by(&mut corners, Ord::cmp);
    corners
}

/// The runs of two or more copies in a sorted leaf.
fn copies(mesh: &Mesh, members: &[u32]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for end in 1..=members.len() {
        if end == members.len() || key(mesh, members[end]) != key(mesh, members[start]) {
            if end - start > 1 {
                found.push(start..end);
            }
            start = end;
        }
    }
    found
}
