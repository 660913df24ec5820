//! The deepest point of some simplices in a solid, between bounds: branch and bound.
//!
//! The depth of a point inside is its distance to the nearest boundary triangle, so it is at most
//! the distance to any of them; and where o is outside, d away from the boundary, it is at most |p
//! − o| − d, because on the way from o to p the boundary is crossed. All of these are convex in p,
//! and a few of them bound the depth on a whole simplex by their values at its corners
//! ([`game`](super::game)). The simplex with the largest bound is searched next, at the point where
//! the bound says that the depth may be largest: that gives a depth, and another function for the
//! bound. Where no new function helps, the longest edge is halved.
//!
//! Where the nearest parts of the boundary are flat, the functions are linear and the bound is
//! sharp at once, ridges between them included; elsewhere it closes with the square of the size.
//! With distances alone (depth is 1-Lipschitz) it would close with the size only.
//!
//! Two such searches, of each surface in the other's solid, go on together: the one whose largest
//! bound is larger takes the next step, both do if they are equal, and what is no deeper than the
//! deepest point of either is left alone. So the deeper one is known to the tolerance, and the
//! order of the two says nothing.
//!
//! Source: branch and bound for the Hausdorff distance, as Tang, Lee and Kim, *Interactive
//! Hausdorff distance computation for general polygonal models* (2009), do it with two functions a
//! triangle. The mixtures, and the functions of points outside, are ours.
//!
//! Invariants: what is seeded and may be inside is deeper than `upper` nowhere; `lower` is the
//! depth of a point that was found inside.

use glam::DVec3;

use super::super::point::ClosestPoint;
use super::field::Field;
use super::game::{Bound, MOST, bound, bound_simply};
use super::near::closest_part;
use super::pile::{Function, NONE, Piece, Pile, Seed, Waiting};
use super::{FRAME, Scale};
use crate::internal::traverse::Workspace;
use crate::interrupt::checkpoint;

/// So much work is done, steps for the most part; what is not decided then is between the bounds so
/// far, which are said to be loose.
const BUDGET: usize = 1 << 18;

/// The number of steps after which each further step is chosen with more care. Most searches take
/// some fifty steps. Long ones have wide parts that are all nearly as deep, such as a pin pressed
/// into a hole, and there the direction of the cuts matters.
const CAREFUL: usize = 1 << 10;

/// What a winding number costs, in steps.
const WINDING: usize = 16;

/// A cut that lowers the bound by a smaller part of what is to be gained says nothing.
const LITTLE: f64 = 1e-3;

/// Of solids with more vertices than this no planes beyond them are sought: each takes a look at
/// all.
const MANY_VERTICES: usize = 1 << 13;

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
    pub(super) field: &'a Field<'a>,
    pub(super) scale: &'a Scale,
    /// The corners of the simplices, and the solid's vertices.
    points: [&'a [DVec3]; 2],
    pub(super) pile: &'a mut Pile<N>,
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) deepest: Option<Measured>,
    /// Whether a distance counted to a triangle that may be within the solid in part.
    pub(super) is_doubtful: bool,
    /// How much was done: a step is one, a winding number [`WINDING`].
    work: usize,
}

/// Looks for the deepest point of both; whether the bounds are as near to each other as was asked.
pub(super) fn run<const N: usize>(
    searches: &mut [Search<N>; 2],
    workspace: &mut Workspace,
) -> bool {
    while searches.iter().map(|search| search.work).sum::<usize>() < BUDGET {
        checkpoint();
        let floor = searches[0].lower.max(searches[1].lower);
        let heads = searches.each_mut().map(|search| search.head(floor));
        let most = heads[0].max(heads[1]);
        if most == f64::NEG_INFINITY {
            return true;
        }
        for (search, head) in searches.iter_mut().zip(heads) {
            if head == most {
                search.step(floor, workspace);
            }
        }
    }
    for search in searches {
        let left = search.pile.waiting.peek();
        search.upper = left.map_or(search.upper, |left| search.upper.max(left.most));
    }
    false
}

impl<'a, const N: usize> Search<'a, N> {
    /// Of simplices with their corners among some points, in a solid whose vertices are given.
    pub(super) fn new(
        field: &'a Field<'a>,
        scale: &'a Scale,
        points: [&'a [DVec3]; 2],
        pile: &'a mut Pile<N>,
    ) -> Self {
        pile.clear(points[0].len());
        Self {
            field,
            scale,
            points,
            pile,
            lower: 0.0,
            upper: 0.0,
            deepest: None,
            is_doubtful: false,
            work: 0,
        }
    }

    /// Adds a simplex, with a triangle of the boundary that it meets, if there is one. Its corners'
    /// hints bound it for the beginning.
    pub(super) fn seed(&mut self, seed: Seed<N>) {
        let points = seed.corners.map(|corner| self.points[0][corner as usize]);
        let (mut most, mut longest) = (f64::INFINITY, 0.0_f64);
        for (&corner, point) in seed.corners.iter().zip(points) {
            let far = points.iter().fold(0.0_f64, |far, p| far.max(p.distance_squared(point)));
            longest = longest.max(far);
            // Nowhere deeper than here and the way there.
            most = most.min(self.pile.hints[corner as usize].most + far.sqrt());
        }
        if seed.met != NONE {
            self.doubt(seed.met);
            most = most.min(longest.sqrt());
        }
        let index = self.pile.seeds.len() as u32;
        self.pile.seeds.push(seed);
        self.pile.waiting.push(Waiting { most, is_seed: true, index });
    }

    /// Lets a corner know of a triangle that may be near, unless it knows one.
    pub(super) fn suggest(&mut self, corner: u32, triangle: u32) {
        let near = &mut self.pile.hints[corner as usize].near;
        if *near == NONE {
            *near = triangle;
        }
    }

    /// Finds a triangle near a corner: from the nearest of some it goes on to neighbours, over the
    /// edges that are nearest, until none is nearer.
    pub(super) fn descend(&mut self, corner: u32, starts: [u32; 3]) {
        let point = self.points[0][corner as usize];
        let mut best = (f64::INFINITY, NONE, 0);
        for (i, &start) in starts.iter().enumerate() {
            if start != NONE && !starts[..i].contains(&start) {
                let (square, edges) = self.look_up(start, point);
                if square < best.0 {
                    best = (square, start, edges);
                }
            }
        }
        let shell = self.field.body.shell;
        let mut before = NONE;
        loop {
            let (square, near, edges) = best;
            for side in (0..3).filter(|side| edges >> side & 1 == 1) {
                for &next in shell.on_edge(shell.edges_of[near as usize][side]) {
                    if next != before && next != near {
                        let (found, edges) = self.look_up(next, point);
                        if found < best.0 && self.field.may_bound(next) {
                            best = (found, next, edges);
                        }
                    }
                }
            }
            if best.1 == near {
                self.learn(corner, near, square.sqrt());
                return;
            }
            before = near;
        }
    }

    fn learn(&mut self, corner: u32, near: u32, distance: f64) {
        let hint = &mut self.pile.hints[corner as usize];
        if distance < hint.most {
            (hint.near, hint.most) = (near, distance);
            self.doubt(near);
        }
    }

    /// Notes that a triangle of the boundary was counted on.
    fn doubt(&mut self, triangle: u32) {
        self.is_doubtful = self.is_doubtful || !self.field.bounds(triangle);
    }

    /// The largest bound in the queue; less than all numbers if the queue is empty.
    fn head(&mut self, floor: f64) -> f64 {
        let Some(&Waiting { most, .. }) = self.pile.waiting.peek() else {
            return f64::NEG_INFINITY;
        };
        if self.is_settled(most, floor) {
            self.upper = self.upper.max(most);
            self.pile.waiting.clear();
            return f64::NEG_INFINITY;
        }
        most
    }

    /// Whether a bound leaves nothing to find.
    fn is_settled(&self, most: f64, floor: f64) -> bool {
        most <= floor.max(self.lower) + self.scale.tolerance
    }

    fn step(&mut self, floor: f64, workspace: &mut Workspace) {
        let Some(next) = self.pile.waiting.pop() else { return };
        self.work += 1;
        if next.is_seed {
            let piece = self.open(next.index);
            self.push(piece, floor);
            return;
        }
        let mut piece = self.pile.take(next.index);
        if piece.is_sharp || piece.count == 0 {
            self.look(piece, floor, workspace);
        } else {
            piece.bound = bound(&piece.values, piece.count);
            piece.is_sharp = true;
            self.push(piece, floor);
        }
    }

    /// Queues a piece, with a bound that is quick to compute: most are never visited again.
    fn push(&mut self, mut piece: Piece<N>, floor: f64) {
        if piece.count > 0 && !piece.is_sharp {
            piece.bound.most = bound_simply(&piece.values, piece.count);
        }
        if self.is_settled(piece.bound.most, floor) {
            self.upper = self.upper.max(piece.bound.most);
        } else {
            self.pile.put(piece);
        }
    }

    /// The piece that a seed is, with what its corners know by now; they learn from each other.
    fn open(&mut self, index: u32) -> Piece<N> {
        let seed = self.pile.seeds[index as usize];
        let mut piece = Piece {
            corners: seed.corners.map(|corner| self.points[0][corner as usize]),
            functions: [Function::To(NONE); MOST],
            values: [[0.0; MOST]; N],
            count: 0,
            bound: Bound { most: f64::INFINITY, weights: [1.0 / N as f64; N], least: 0.0 },
            seed: index,
            is_sharp: false,
            is_whole: true,
        };
        let hints = seed.corners.map(|corner| self.pile.hints[corner as usize].near);
        for near in [seed.met].into_iter().chain(hints) {
            let function = Function::To(near);
            if near != NONE && !piece.functions[..piece.count].contains(&function) {
                let place = self.add(&mut piece, function);
                self.doubt(near);
                self.teach(&piece, place, near);
            }
        }
        piece
    }

    /// Lets the corners of a piece know of a triangle.
    fn teach(&mut self, piece: &Piece<N>, place: usize, near: u32) {
        if piece.is_whole {
            let corners = self.pile.seeds[piece.seed as usize].corners;
            for (corner, row) in corners.into_iter().zip(piece.values) {
                self.learn(corner, near, row[place]);
            }
        }
    }

    /// Measures the point where the depth may be largest, and goes on with what that leaves.
    fn look(&mut self, mut piece: Piece<N>, floor: f64, workspace: &mut Workspace) {
        let before = piece.bound.most;
        let point = between(&piece.corners, &piece.bound.weights);
        if let Some(function) = self.measure(&piece, point, workspace)
            && !piece.functions[..piece.count].contains(&function)
        {
            let is_full = piece.count == MOST;
            let place = self.add(&mut piece, function);
            if let Function::To(near) = function {
                self.teach(&piece, place, near);
            }
            if piece.is_sharp && !is_full {
                piece.bound.improve(&piece.values, place, piece.count);
            } else {
                piece.bound = bound(&piece.values, piece.count);
                piece.bound.most = piece.bound.most.min(before);
                piece.is_sharp = true;
            }
            // If that closes a good part of the gap, there may be more to gain in the same way.
            let floor = floor.max(self.lower);
            let (gap, left) = (before - floor, piece.bound.most - floor);
            if left < 0.7 * gap {
                self.push(piece, floor);
                return;
            }
        }
        self.split(piece, floor);
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
            Function::From(..) | Function::Beyond(..) => None,
        });
        let limit = known.fold(f64::INFINITY, f64::min);
        let unit = &self.scale.unit;
        let [_, rounding] = self.scale.precision();
        let limit = unit.leave_length(limit * (1.0 + 1e-8) + 1e-12 + rounding);
        let Seed { triangle, is_cut, .. } = self.pile.seeds[piece.seed as usize];
        let at = unit.leave(point);
        let found = self.field.nearest(at, limit, workspace)?;
        let depth = unit.enter_length(found.distance);
        if is_cut && !self.holds(at, &found, workspace) {
            return Some(self.outside(point, depth, unit.enter(found.point)));
        }
        self.doubt(found.triangle);
        if depth > self.lower {
            self.lower = depth;
            let other = found.triangle;
            self.deepest = Some(Measured { triangle, point: at, other, foot: found.point });
        }
        Some(Function::To(found.triangle))
    }

    /// Whether a point is inside, given where the boundary is nearest.
    fn holds(&mut self, at: DVec3, near: &ClosestPoint, workspace: &mut Workspace) -> bool {
        self.field.holds_at_a_glance(at, near).unwrap_or_else(|| {
            self.work += WINDING;
            self.field.holds(at, near, workspace)
        })
    }

    /// What a point outside says, given how far the boundary is and where. If the plane before it
    /// has all of the solid behind it, what is beyond that plane is done with at once; else it
    /// is what is near the point.
    fn outside(&self, point: DVec3, distance: f64, foot: DVec3) -> Function {
        let vertices = self.points[1];
        let is_sought = self.work >= CAREFUL && vertices.len() <= MANY_VERTICES;
        if let Some(normal) = (point - foot).try_normalize().filter(|_| is_sought) {
            let farthest = vertices.iter().fold(f64::NEG_INFINITY, |m, v| m.max(normal.dot(*v)));
            let [_, rounding] = self.scale.precision();
            let offset = farthest + 4.0 * rounding + FRAME;
            if normal.dot(point) - offset >= 0.5 * distance {
                return Function::Beyond(normal, offset);
            }
        }
        Function::From(point, distance)
    }

    /// Adds a function, in the place of the one that bounds least if there are too many, and tells
    /// the place.
    fn add(&self, piece: &mut Piece<N>, function: Function) -> usize {
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
        place
    }

    /// Halves an edge: the longest, or in a long search the one that gains most.
    fn split(&mut self, mut piece: Piece<N>, floor: f64) {
        let best = if self.work < CAREFUL { None } else { self.best_edge(&piece, floor) };
        let (i, j) = best.unwrap_or_else(|| longest_edge(&piece.corners));
        let middle = 0.5 * piece.corners[i] + 0.5 * piece.corners[j];
        // A piece that f64 cannot halve is as small as it gets.
        if middle == piece.corners[i] || middle == piece.corners[j] {
            self.upper = self.upper.max(piece.bound.most);
            return;
        }
        let row = self.row(&piece, middle);
        (piece.is_sharp, piece.is_whole) = (false, false);
        for corner in [j, i] {
            let mut half = piece;
            half.corners[corner] = middle;
            half.values[corner] = row;
            self.push(half, floor);
        }
    }

    /// The edge whose halving lowers the bound the most. `None` if none lowers it by much.
    ///
    /// Along an edge of the boundary, depth is alike, and across it not: pieces that are long and
    /// narrow cover as much with far fewer.
    fn best_edge(&self, piece: &Piece<N>, floor: f64) -> Option<(usize, usize)> {
        let before = piece.bound.most;
        let mut best = (LITTLE * (before - floor.max(self.lower)), None);
        for (i, j) in edges::<N>() {
            let row = self.row(piece, 0.5 * piece.corners[i] + 0.5 * piece.corners[j]);
            let half = |corner: usize| {
                let mut values = piece.values;
                values[corner] = row;
                bound(&values, piece.count).most
            };
            let gain = before - half(i).max(half(j));
            if gain > best.0 {
                best = (gain, Some((i, j)));
            }
        }
        best.1
    }

    /// The values of a piece's functions at a point.
    fn row(&self, piece: &Piece<N>, point: DVec3) -> [f64; MOST] {
        let mut row = [0.0; MOST];
        for (value, function) in row.iter_mut().zip(&piece.functions[..piece.count]) {
            *value = self.value(function, point);
        }
        row
    }

    /// The square distance of a point from a triangle of the solid, and the edges that are nearest.
    fn look_up(&self, triangle: u32, point: DVec3) -> (f64, u32) {
        let corners = self.field.body.shell.corners[triangle as usize];
        let placed = corners.map(|corner| self.points[1][corner as usize]);
        let (foot, edges) = closest_part(point, placed);
        (foot.distance_squared(point), edges)
    }

    fn value(&self, function: &Function, point: DVec3) -> f64 {
        match *function {
            Function::To(triangle) => self.look_up(triangle, point).0.sqrt(),
            Function::From(outside, distance) => point.distance(outside) - distance,
            Function::Beyond(normal, offset) => offset - normal.dot(point),
        }
    }
}

/// Pairs of corners.
fn edges<const N: usize>() -> impl Iterator<Item = (usize, usize)> {
    (0..N).flat_map(|i| (i + 1..N).map(move |j| (i, j)))
}

fn longest_edge<const N: usize>(corners: &[DVec3; N]) -> (usize, usize) {
    let mut longest = (0.0, (0, 1));
    for (i, j) in edges::<N>() {
        let length = corners[i].distance_squared(corners[j]);
        if length > longest.0 {
            longest = (length, (i, j));
        }
    }
    longest.1
}

fn between<const N: usize>(corners: &[DVec3; N], weights: &[f64; N]) -> DVec3 {
    let mut sum = DVec3::ZERO;
    for (corner, weight) in corners.iter().zip(weights) {
        sum += *corner * *weight;
    }
    sum
}
