//! The deepest point of some simplices in a solid, between bounds: branch and bound.
//!
//! The depth of a point inside is its distance to the nearest boundary triangle, so it is at most the distance to any of them; and where
//! o is outside, d away from the boundary, it is at most |p − o| − d, because on the way from o to p the boundary is crossed. All of these are convex in p,
//! and a few of them bound the depth on a whole simplex by their values at its corners ([`game`](super::game)). The simplex
//! with the largest bound is looked at next, at the point where the bound says that the depth may be largest: that gives a depth,
//! and another function for the bound. Where no new function helps, the longest edge is halved.
//!
//! Where the nearest parts of the boundary are flat, the functions are linear and the bound is sharp at once, ridges between them included; elsewhere it
//! closes with the square of the size. With distances alone (depth is 1-Lipschitz) it would close with the size only.
//!
//! Source: branch and bound for the Hausdorff distance, as Tang, Lee and Kim, *Interactive Hausdorff distance computation for general polygonal
//! models* (2009), do it with two functions a triangle. The mixtures, and the functions of points outside, are ours.
//!
//! Invariants: what is seeded and may be inside is deeper than `upper` nowhere; `lower` is the depth of a point that was found inside.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::field::Field;
use super::game::{Bound, MOST, Values, bound, bound_simply};
use super::near::closest;
use crate::descend::Workspace;
use crate::exact::closest::Unit;

/// So many points are looked at; what is not decided then is between the bounds so far.
const BUDGET: usize = 1 << 15;

/// A function that is nowhere inside less than the depth.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Function {
    /// The distance to a triangle.
    To(u32),
    /// What is left of the way from a point outside after so much of it.
    From(DVec3, f64),
}

/// A simplex that waits.
#[derive(Clone, Debug)]
pub(super) struct Piece<const N: usize> {
    corners: [DVec3; N],
    functions: [Function; MOST],
    values: Values<N>,
    count: usize,
    bound: Bound<N>,
    /// The triangle that it is of.
    triangle: u32,
    /// Whether parts of it may be outside.
    is_cut: bool,
    /// Whether the bound is the best that its functions allow.
    is_sharp: bool,
}

impl<const N: usize> Ord for Piece<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_bound = self.bound.most.total_cmp(&other.bound.most);
        by_bound.then(other.triangle.cmp(&self.triangle))
    }
}

impl<const N: usize> PartialOrd for Piece<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> PartialEq for Piece<N> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<const N: usize> Eq for Piece<N> {}

/// A point whose depth was measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) triangle: u32,
    pub(super) point: DVec3,
    pub(super) other: u32,
    pub(super) foot: DVec3,
}

/// The search: in the unit's frame, but what is measured is told in the world.
pub(super) struct Search<'a, const N: usize> {
    field: &'a Field<'a>,
    unit: &'a Unit,
    tolerance: f64,
    /// How far a placed point may be off.
    rounding: f64,
    heap: &'a mut BinaryHeap<Piece<N>>,
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) deepest: Option<Measured>,
    /// Whether a distance counted to a triangle that may be within the solid in part.
    pub(super) is_doubtful: bool,
}

impl<'a, const N: usize> Search<'a, N> {
    pub(super) fn new(
        field: &'a Field<'a>,
        unit: &'a Unit,
        [tolerance, rounding]: [f64; 2],
        heap: &'a mut BinaryHeap<Piece<N>>,
    ) -> Self {
        heap.clear();
        let (lower, upper) = (0.0, 0.0);
        Self {
            field,
            unit,
            tolerance,
            rounding,
            heap,
            lower,
            upper,
            deepest: None,
            is_doubtful: false,
        }
    }

    /// Adds a simplex of a triangle, with at least one triangle of the boundary that may be near.
    pub(super) fn seed(
        &mut self,
        corners: [DVec3; N],
        triangle: u32,
        is_cut: bool,
        near: impl Iterator<Item = u32>,
    ) {
        let mut piece = Piece {
            corners,
            functions: [Function::To(0); MOST],
            values: [[0.0; MOST]; N],
            count: 0,
            bound: Bound { most: f64::INFINITY, weights: [1.0 / N as f64; N], least: 0.0 },
            triangle,
            is_cut,
            is_sharp: false,
        };
        for other in near {
            self.add(&mut piece, Function::To(other));
        }
        self.push(piece);
    }

    /// Looks for the deepest point.
    pub(super) fn run(&mut self, workspace: &mut Workspace) {
        for _ in 0..2 * BUDGET {
            let Some(piece) = self.heap.pop() else { return };
            if self.is_settled(piece.bound.most) {
                self.upper = self.upper.max(piece.bound.most);
                return;
            }
            if piece.is_sharp || piece.count == 0 {
                self.look(piece, workspace);
            } else {
                self.sharpen(piece);
            }
        }
        if let Some(piece) = self.heap.pop() {
            self.upper = self.upper.max(piece.bound.most);
        }
    }

    /// Whether a bound leaves nothing to find.
    fn is_settled(&self, most: f64) -> bool {
        most <= self.lower + self.tolerance
    }

    /// Lets a piece wait, with a bound that is soon made: most are never looked at again.
    fn push(&mut self, mut piece: Piece<N>) {
        if piece.count > 0 && !piece.is_sharp {
            piece.bound.most = bound_simply(&piece.values, piece.count);
        }
        if self.is_settled(piece.bound.most) {
            self.upper = self.upper.max(piece.bound.most);
        } else {
            self.heap.push(piece);
        }
    }

    /// Works out the best bound and lets the piece wait again.
    fn sharpen(&mut self, mut piece: Piece<N>) {
        piece.bound = bound(&piece.values, piece.count);
        piece.is_sharp = true;
        self.push(piece);
    }

    /// Measures the point where the depth may be largest, and goes on with what that leaves.
    fn look(&mut self, mut piece: Piece<N>, workspace: &mut Workspace) {
        let before = piece.bound.most;
        let point = between(&piece.corners, &piece.bound.weights);
        if let Some(function) = self.measure(&piece, point, workspace)
            && !piece.functions[..piece.count].contains(&function)
        {
            self.add(&mut piece, function);
            piece.bound = bound(&piece.values, piece.count);
            piece.is_sharp = true;
            // If that closes a good part of the gap, there may be more to gain in the same way.
            let (gap, left) = (before - self.lower, piece.bound.most - self.lower);
            if left < 0.7 * gap {
                self.push(piece);
                return;
            }
        }
        self.split(piece);
    }

    /// Measures a point; what bounds the depth on its account.
    fn measure(
        &mut self,
        piece: &Piece<N>,
        point: DVec3,
        workspace: &mut Workspace,
    ) -> Option<Function> {
        let known = piece.functions[..piece.count].iter().filter_map(|function| match function {
            Function::To(_) => Some(self.value(function, point)),
            Function::From(..) => None,
        });
        let limit = known.fold(f64::INFINITY, f64::min);
        let limit = self.unit.leave_length(limit * (1.0 + 1e-8) + 1e-12 + self.rounding);
        let at = self.unit.leave(point);
        let found = self.field.nearest(at, limit, workspace)?;
        let depth = self.unit.enter_length(found.distance);
        if piece.is_cut && !self.field.holds(at, &found, workspace) {
            return Some(Function::From(point, depth));
        }
        self.is_doubtful |= !self.field.bounds(found.triangle);
        if depth > self.lower {
            self.lower = depth;
            let (triangle, other) = (piece.triangle, found.triangle);
            self.deepest = Some(Measured { triangle, point: at, other, foot: found.point });
        }
        Some(Function::To(found.triangle))
    }

    /// Adds a function, in the place of the one that bounds least if there are too many.
    fn add(&self, piece: &mut Piece<N>, function: Function) {
        let place = if piece.count < MOST {
            piece.count += 1;
            piece.count - 1
        } else {
            let least = |k: usize| piece.values.iter().fold(f64::INFINITY, |m, row| m.min(row[k]));
            (0..MOST).max_by(|&k, &l| least(k).total_cmp(&least(l))).unwrap_or(0)
        };
        piece.functions[place] = function;
        for i in 0..N {
            piece.values[i][place] = self.value(&function, piece.corners[i]);
        }
    }

    /// Halves the longest edge.
    fn split(&mut self, piece: Piece<N>) {
        let mut longest = (0.0, 0, 1);
        for i in 0..N {
            for j in i + 1..N {
                let length = piece.corners[i].distance_squared(piece.corners[j]);
                if length > longest.0 {
                    longest = (length, i, j);
                }
            }
        }
        let (_, i, j) = longest;
        let middle = 0.5 * piece.corners[i] + 0.5 * piece.corners[j];
        // A piece that f64 cannot halve is as small as it gets.
        if middle == piece.corners[i] || middle == piece.corners[j] {
            self.upper = self.upper.max(piece.bound.most);
            return;
        }
        let mut row = [0.0; MOST];
        for (value, function) in row.iter_mut().zip(&piece.functions[..piece.count]) {
            *value = self.value(function, middle);
        }
        let second = piece.clone();
        for (mut half, corner) in [(piece, j), (second, i)] {
            half.corners[corner] = middle;
            half.values[corner] = row;
            half.is_sharp = false;
            self.push(half);
        }
    }

    fn value(&self, function: &Function, point: DVec3) -> f64 {
        match *function {
            Function::To(triangle) => {
                let body = &self.field.body;
                let corners = body.model.mesh().triangle(triangle as usize);
                let placed = corners.map(|p| self.unit.enter(body.placement.apply(p)));
                closest(point, placed).distance(point)
            }
            Function::From(outside, distance) => point.distance(outside) - distance,
        }
    }
}

fn between<const N: usize>(corners: &[DVec3; N], weights: &[f64; N]) -> DVec3 {
    let mut sum = DVec3::ZERO;
    for (corner, weight) in corners.iter().zip(weights) {
        sum += *corner * *weight;
    }
    sum
}
