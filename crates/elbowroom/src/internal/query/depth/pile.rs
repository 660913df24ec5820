//! The queue of the search for the deepest point: simplices as they were seeded, and pieces that
//! were measured.
//!
//! Most seeds are never more than a bound: so only bounds and numbers are sorted, and a piece,
//! which is some hundred numbers, is made when its seed comes to the top, stays where it is, and
//! leaves its place to another. Memory that is used again.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use glam::DVec3;

use super::game::{Bound, MOST, Values};

/// No triangle.
pub(super) const NONE: u32 = u32::MAX;

/// A function that is nowhere inside less than the depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Function {
    /// The distance to a triangle.
    To(u32),
    /// What is left of the way from a point outside after so much of it.
    From(DVec3, f64),
    /// How far it is along a unit vector to a plane beyond which nothing of the solid is.
    Beyond(DVec3, f64),
}

/// A simplex, by its corners.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed<const N: usize> {
    pub(super) corners: [u32; N],
    /// The triangle that it is.
    pub(super) triangle: u32,
    /// A triangle of the boundary that it meets, or none.
    pub(super) met: u32,
    /// Whether parts of it may be outside.
    pub(super) is_cut: bool,
}

/// A triangle of the boundary near a corner, and how near it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hint {
    pub(super) near: u32,
    pub(super) most: f64,
}

/// A part of a seed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<const N: usize> {
    pub(super) corners: [DVec3; N],
    pub(super) functions: [Function; MOST],
    pub(super) values: Values<N>,
    pub(super) count: usize,
    pub(super) bound: Bound<N>,
    pub(super) seed: u32,
    /// Whether the bound is the best that its functions allow.
    pub(super) is_sharp: bool,
    /// Whether it is all of the seed.
    pub(super) is_whole: bool,
}

/// What is deeper than a bound nowhere: a seed or a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) most: f64,
    pub(super) is_seed: bool,
    pub(super) index: u32,
}

/// By the bound; of equals a piece before a seed, and the first of either.
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        let rest = |waiting: &Self| Reverse((waiting.is_seed, waiting.index));
        self.most.total_cmp(&other.most).then_with(|| rest(self).cmp(&rest(other)))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}

/// All that waits, with the hints of the corners.
#[derive(Clone, Debug)]
pub(super) struct Pile<const N: usize> {
    pub(super) waiting: BinaryHeap<Waiting>,
    pub(super) seeds: Vec<Seed<N>>,
    pub(super) hints: Vec<Hint>,
    pieces: Vec<Piece<N>>,
    free: Vec<u32>,
}

impl<const N: usize> Default for Pile<N> {
    fn default() -> Self {
        Self {
            waiting: BinaryHeap::new(),
            seeds: Vec::new(),
            hints: Vec::new(),
            pieces: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<const N: usize> Pile<N> {
    /// Resets the queue, for a number of corners.
    pub(super) fn clear(&mut self, corners: usize) {
        self.waiting.clear();
        self.seeds.clear();
        self.pieces.clear();
        self.free.clear();
        self.hints.clear();
        self.hints.resize(corners, Hint { near: NONE, most: f64::INFINITY });
    }

    /// Lets a piece wait.
    pub(super) fn put(&mut self, piece: Piece<N>) {
        let most = piece.bound.most;
        let index = if let Some(index) = self.free.pop() {
            self.pieces[index as usize] = piece;
            index
        } else {
            self.pieces.push(piece);
            self.pieces.len() as u32 - 1
        };
        self.waiting.push(Waiting { most, is_seed: false, index });
    }

    /// Takes a piece that has waited.
    pub(super) fn take(&mut self, index: u32) -> Piece<N> {
        self.free.push(index);
        self.pieces[index as usize]
    }
}
