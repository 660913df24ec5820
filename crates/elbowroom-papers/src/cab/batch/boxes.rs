//! What a refit gives: boxes, sixteen bodies side by side.

use glam::{DMat3, DVec3};

use crate::cab::batch::BLOCK;
use crate::cab::batch::plan::Plan;
use crate::cab::batch::poses::Poses;
use elbowroom::internal::arch::F32x16;
use elbowroom::internal::volume::Obb;

/// The box of one node in sixteen bodies: the points p with |axis · (p − origin − center)| ≤ half
/// for each axis, where the origin is each body's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxStrips {
    /// x, y and z of the centres, seen from the origins.
    pub center: [F32x16; 3],
    /// The three axes, x, y and z of each, right-handed and orthonormal to rounding.
    pub axes: [[F32x16; 3]; 3],
    /// Half the extents along the axes.
    pub half: [F32x16; 3],
}

impl BoxStrips {
    pub(super) const ZERO: Self =
        Self { center: [F32x16::ZERO; 3], axes: [[F32x16::ZERO; 3]; 3], half: [F32x16::ZERO; 3] };
}

/// Sixteen bodies, fewer at the end: their boxes, node by node.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    first: usize,
    origins: &'a [DVec3],
    boxes: &'a [BoxStrips],
}

impl<'a> Block<'a> {
    pub(super) fn new(first: usize, origins: &'a [DVec3], boxes: &'a [BoxStrips]) -> Self {
        Self { first, origins, boxes }
    }

    /// The number of the first body; the others follow it.
    pub fn first(&self) -> usize {
        self.first
    }

    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.origins.len()
    }

    /// Never: there is a body in every block.
    pub fn is_empty(&self) -> bool {
        self.origins.is_empty()
    }

    /// The origin of each body's coordinates.
    pub fn origins(&self) -> &'a [DVec3] {
        self.origins
    }

    /// The boxes by node: leaves as they were given, then merges, the root last. Lanes beyond the
    /// bodies mean nothing.
    pub fn boxes(&self) -> &'a [BoxStrips] {
        self.boxes
    }

    /// One box in the world. It contains the box in f32: what the sum of origin and centre loses is
    /// added.
    ///
    /// # Panics
    /// If there is no such node or body.
    pub fn obb(&self, node: usize, lane: usize) -> Obb {
        let (boxes, origin) = (&self.boxes[node], self.origins[lane]);
        let read = |strips: &[F32x16; 3]| {
            DVec3::from_array(std::array::from_fn(|i| f64::from(strips[i].0[lane])))
        };
        let center = origin + read(&boxes.center);
        let axes =
            DMat3::from_cols(read(&boxes.axes[0]), read(&boxes.axes[1]), read(&boxes.axes[2]));
        let lost = f64::EPSILON * center.abs().element_sum();
        let half = read(&boxes.half) + DVec3::splat(lost);
        Obb { center, axes, half: half.map(f64::next_up) }
    }
}

/// The boxes of all bodies, written out block by block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Boxes {
    nodes: usize,
    origins: Vec<DVec3>,
    strips: Vec<BoxStrips>,
}

impl Boxes {
    /// No boxes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of bodies.
    pub fn bodies(&self) -> usize {
        self.origins.len()
    }

    /// Sixteen bodies after the other.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Block<'_>> {
        let boxes = self.strips.chunks_exact(self.nodes.max(1));
        let origins = self.origins.chunks(BLOCK);
        boxes
            .zip(origins)
            .enumerate()
            .map(|(i, (boxes, origins))| Block::new(BLOCK * i, origins, boxes))
    }

    /// One box of one body in the world.
    ///
    /// # Panics
    /// If there is no such body or node.
    pub fn obb(&self, body: usize, node: usize) -> Obb {
        let (block, lane) = (body / BLOCK, body % BLOCK);
        let origins = &self.origins[BLOCK * block..];
        let boxes = &self.strips[block * self.nodes..][..self.nodes];
        Block::new(BLOCK * block, &origins[..origins.len().min(BLOCK)], boxes).obb(node, lane)
    }

    pub(super) fn fit(&mut self, plan: &Plan, poses: &Poses) {
        self.nodes = plan.nodes();
        self.origins.clear();
        self.origins.extend_from_slice(poses.origins());
        self.strips.resize(poses.blocks() * self.nodes, BoxStrips::ZERO);
    }

    pub(super) fn blocks_mut(&mut self) -> &mut [BoxStrips] {
        &mut self.strips
    }
}
