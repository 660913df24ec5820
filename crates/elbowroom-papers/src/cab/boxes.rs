//! The boxes of one body in one frame, by node, and how two of them are told apart.
//!
//! Boxes are in the world's axes, seen from an origin in the body, so that it does not matter how
//! far from the world's origin a body stands. Two bodies differ by the step between their origins.
//!
//! *Apart* must be certain, so a test adds a slack of 256 roundings of all coordinates, as all
//! volume tests do (`docs/notes/volume-slack.md`; the boxes have been padded for their poses, which
//! are no part of it here). Tests of inner boxes add eight times as much. That costs nothing that
//! could be measured, and it makes sure that an inner box never parts what its leaves would not: an
//! inner box reaches at least a quarter as far as a leaf in it, by the bound that is used here, and
//! two boxes that no direction parts by more than a length are at most √3 of it apart (edges nearly
//! parallel aside). So which leaves are compared does not depend on what is above them, and all
//! ways of keeping inner boxes over the same leaves ask the same exact queries.

use glam::DVec3;

use crate::cab::keep::{CabAxis, RefitMethod};
use crate::cab::leaf::U;
use crate::cab::link::ArticulatedBody;
use crate::cab::merge::{covariance_axes, enclose};
use crate::cab::rule;
use elbowroom::internal::bvh::{NodeId, Tree};
use elbowroom::internal::volume::{Aabb, Obb, ObbPair, Spatial, Volume};

/// One box a node, which may wait to be refitted until it is needed.
#[derive(Clone, Debug)]
pub(super) struct Column<V> {
    pub(super) volumes: Vec<V>,
    /// Bounds the sum of the coordinates' magnitudes of a box.
    far: Vec<f64>,
    pub(super) is_fresh: Vec<bool>,
}

impl<V: Kept> Column<V> {
    pub(super) fn new(nodes: usize) -> Self {
        let (volumes, far) = (vec![V::EVERYTHING; nodes], vec![f64::INFINITY; nodes]);
        Self { volumes, far, is_fresh: vec![false; nodes] }
    }

    #[inline]
    pub(super) fn set(&mut self, node: NodeId, volume: V) {
        self.volumes[node.index()] = volume;
        self.far[node.index()] = volume.far();
        self.is_fresh[node.index()] = true;
    }
}

/// A box that is kept for nodes.
pub(super) trait Kept: Volume + Copy {
    /// All of space.
    const EVERYTHING: Self;

    /// Bounds the sum of the coordinates' magnitudes of its points.
    fn far(&self) -> f64;

    /// As a box along the world's axes is kept.
    fn of_bounds(bounds: &Aabb) -> Self;

    /// Refits a node, and of what is below it as much as that takes; how many boxes that was.
    fn refit(column: &mut Column<Self>, frame: &Frame, node: NodeId) -> u64;
}

/// What a frame and a body give to refit a node by.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub(super) articulation: &'a ArticulatedBody,
    pub(super) keep: RefitMethod,
    /// The least cosine of parallel axes.
    pub(super) parallel: f64,
    /// By node: where its children meet, seen from the body's origin.
    pub(super) meets: &'a [Option<DVec3>],
}

impl Kept for Aabb {
    const EVERYTHING: Self = Self { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };

    fn far(&self) -> f64 {
        self.min.abs().max(self.max.abs()).element_sum()
    }

    fn of_bounds(bounds: &Aabb) -> Self {
        *bounds
    }

    /// From the links below: smallest and largest numbers are the same in any order.
    fn refit(column: &mut Column<Self>, frame: &Frame, node: NodeId) -> u64 {
        let articulation = frame.articulation;
        let leaf = |&link: &u32| column.volumes[articulation.node_of(link).index()];
        let members = articulation.tree().members(node).iter().map(leaf);
        let merged = members.reduce(|a, b| a.merged(&b)).unwrap_or(Self::EVERYTHING);
        column.set(node, merged);
        1
    }
}

impl Kept for Obb {
    const EVERYTHING: Self = Self::EVERYTHING;

    fn far(&self) -> f64 {
        // The magnitudes of a unit vector's components add up to √3 at most.
        self.center.abs().element_sum() + 1.7321 * self.half.element_sum()
    }

    fn of_bounds(bounds: &Aabb) -> Self {
        bounds.boxed()
    }

    /// A box is made from those below it, so all of them are refitted.
    fn refit(column: &mut Column<Self>, frame: &Frame, node: NodeId) -> u64 {
        let tree = frame.articulation.tree();
        let Some([left, _]) = tree.children(node) else { return 0 };
        // Nodes below a node stand side by side: two fewer than twice its links, from its left
        // child on.
        let below = left.0..left.0 + 2 * (tree.members(node).len() as u32 - 1);
        let mut refitted = 0;
        for node in below.rev().map(NodeId).chain([node]) {
            if let (Some(children), false) = (tree.children(node), column.is_fresh[node.index()]) {
                let [a, b] = children.map(|child| &column.volumes[child.index()]);
                let meet = meet(frame.meets[node.index()], a, b);
                let axes = match frame.keep {
                    RefitMethod::Cab(CabAxis::Longest) => {
                        rule::axes::<false>(a, b, meet, frame.parallel)
                    }
                    RefitMethod::Cab(CabAxis::Sum) => {
                        rule::axes::<true>(a, b, meet, frame.parallel)
                    }
                    _ => covariance_axes(a, b),
                };
                let merged = enclose(a, b, axes);
                column.set(node, merged);
                refitted += 1;
            }
        }
        refitted
    }
}

/// Where two boxes meet; between their middles, where no joint says.
#[inline]
pub(super) fn meet(joint: Option<DVec3>, a: &Obb, b: &Obb) -> DVec3 {
    joint.unwrap_or_else(|| 0.5 * a.center + 0.5 * b.center)
}

/// The boxes of a body, refitted where that is needed.
pub(super) struct View<'a, V> {
    pub(super) column: &'a mut Column<V>,
    pub(super) frame: Frame<'a>,
    pub(super) refitted: &'a mut u64,
}

impl<'a, V: Kept> View<'a, V> {
    pub(super) fn tree(&self) -> &'a Tree {
        self.frame.articulation.tree()
    }

    #[inline]
    pub(super) fn need(&mut self, node: NodeId) {
        if !self.column.is_fresh[node.index()] {
            *self.refitted += V::refit(self.column, &self.frame, node);
        }
    }

    #[inline]
    pub(super) fn volume(&self, node: NodeId) -> &V {
        &self.column.volumes[node.index()]
    }

    #[inline]
    pub(super) fn far(&self, node: NodeId) -> f64 {
        self.column.far[node.index()]
    }

    pub(super) fn link(&self, leaf: NodeId) -> u32 {
        self.tree().members(leaf)[0]
    }
}

/// What must be added to be certain, for coordinates that add up to a size.
#[inline]
pub(super) fn slack(size: f64, are_leaves: bool) -> f64 {
    let roundings = if are_leaves { 256.0 } else { 8.0 * 256.0 };
    size * (roundings * U) + f64::MIN_POSITIVE
}

/// Boxes of two kinds that can be told apart. The shift is from the first one's origin to the
/// second one's.
pub(super) trait Apart<Other> {
    /// Whether they are farther apart than the slack, for certain. NaN and infinity are not.
    fn is_apart(&self, other: &Other, shift: DVec3, slack: f64) -> bool;
}

impl Apart<Self> for Obb {
    #[inline]
    fn is_apart(&self, other: &Self, shift: DVec3, slack: f64) -> bool {
        let turn = self.axes.transpose();
        let t = turn * ((other.center - self.center) + shift);
        ObbPair::new(turn * other.axes, t, self.half, other.half).apart(slack)
    }
}

impl Apart<Self> for Aabb {
    #[inline]
    fn is_apart(&self, other: &Self, shift: DVec3, slack: f64) -> bool {
        let gap = (other.min - self.max + shift).max(self.min - other.max - shift);
        gap.cmpgt(DVec3::splat(slack)).any()
    }
}

impl Apart<Aabb> for Obb {
    #[inline]
    fn is_apart(&self, other: &Aabb, shift: DVec3, slack: f64) -> bool {
        let turn = self.axes.transpose();
        let t = turn * ((other.center() - self.center) + shift);
        ObbPair::new(turn, t, self.half, other.half()).apart(slack)
    }
}

impl Apart<Obb> for Aabb {
    #[inline]
    fn is_apart(&self, other: &Obb, shift: DVec3, slack: f64) -> bool {
        other.is_apart(self, -shift, slack)
    }
}
