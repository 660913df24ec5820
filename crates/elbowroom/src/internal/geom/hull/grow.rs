//! The solid case: faces, the rim around what a point sees, and the fan that closes it.
//!
//! The fan may have thousands of faces (think of a drum: every point of one rim sees many faces
//! towards the other), and thousands of points may wait for a place in it. The faces around an apex
//! are a convex cone, though, and a point is found in it as in a convex polygon: by bisection. And
//! the oldest face is processed first, so that the hull grows on all sides at once: with the newest
//! first, one side of the drum is finished while the other is coarse, its faces form huge fans, and
//! each is torn down many times.

use std::collections::VecDeque;
use std::ops::Range;

use glam::DVec3;

use crate::internal::exact::{Sign, bound_among, side_among};
use crate::interrupt::checkpoint;

/// Stands for no face and no point.
const NONE: u32 = u32::MAX;

/// A triangle of the growing hull.
struct Face {
    /// Counter-clockwise from outside.
    corners: [u32; 3],
    /// Beyond the edge from each corner to the next.
    beside: [u32; 3],
    /// The first of the points that wait here, all strictly above: the farthest, as far as
    /// rounding can tell. The others follow in `Solid::after`.
    waiting: u32,
    /// How far that one is, to compare within this face only.
    height: f64,
    removed: bool,
}

/// An edge of the rim: seen from outside the hole, which is what the new face stands on.
struct RimEdge {
    from: u32,
    to: u32,
    /// The face that stays, and which of its edges this is.
    outer: u32,
    slot: usize,
}

struct Solid<'a> {
    points: &'a [DVec3],
    /// The points scaled to unit size, to guess distances with.
    rough: &'a [DVec3],
    /// What decides most signs of any four of them.
    bound: f64,
    faces: Vec<Face>,
    /// Faces that points may wait at, oldest first.
    pending: VecDeque<u32>,
    /// The point that waits at the same face behind a point.
    after: Vec<u32>,
    /// Which edge of the rim starts at a point; only those of the current rim are read.
    edge_from: Vec<u32>,
}

/// The hull of points of which four, not coplanar, are given; d is below the plane abc.
pub(super) fn solid(points: &[DVec3], rough: &[DVec3], first: [usize; 4]) -> Vec<[DVec3; 3]> {
    let low = points.iter().fold(points[0], |low, &p| low.min(p));
    let high = points.iter().fold(points[0], |high, &p| high.max(p));
    let mut solid = Solid {
        points,
        rough,
        bound: bound_among(high - low),
        faces: Vec::new(),
        pending: VecDeque::new(),
        after: vec![NONE; points.len()],
        edge_from: vec![NONE; points.len()],
    };
    solid.start(first.map(|i| i as u32));
    let (mut seen, mut rim) = (Vec::new(), Vec::new());
    while let Some(face) = solid.pending.pop_front() {
        checkpoint();
        if solid.faces[face as usize].removed {
            continue;
        }
        let apex = solid.faces[face as usize].waiting;
        solid.find_rim(apex, face, &mut seen, &mut rim);
        solid.order(&mut rim, apex);
        let fan = solid.close(apex, &rim);
        for &lost in &seen {
            solid.hand_over(lost, apex, &fan);
        }
        solid.queue(fan);
    }
    let kept = solid.faces.iter().filter(|face| !face.removed);
    kept.map(|face| face.corners.map(|corner| points[corner as usize])).collect()
}

impl Solid<'_> {
    fn start(&mut self, [a, b, c, d]: [u32; 4]) {
        let corners = [[a, b, c], [b, a, d], [c, b, d], [a, c, d]];
        // The face beyond each edge, in the order of the list above.
        let beside = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
        for (corners, beside) in corners.into_iter().zip(beside) {
            self.add(corners, beside);
        }
        for point in 0..self.points.len() as u32 {
            if let Some(face) = (0..4).find(|&face| self.sees(point, face)) {
                self.wait(point, face);
            }
        }
        self.queue(0..4);
    }

    fn add(&mut self, corners: [u32; 3], beside: [u32; 3]) {
        self.faces.push(Face { corners, beside, waiting: NONE, height: 0.0, removed: false });
    }

    fn side(&self, points: [u32; 4]) -> Sign {
        side_among(self.bound, points.map(|i| self.points[i as usize]))
    }

    /// Positive where a point is above a face.
    fn height_sign(&self, point: u32, face: u32) -> Sign {
        let [a, b, c] = self.faces[face as usize].corners;
        self.side([a, b, c, point])
    }

    /// Whether a point is strictly above a face.
    fn sees(&self, point: u32, face: u32) -> bool {
        self.height_sign(point, face) == Sign::Positive
    }

    /// The faces that the apex sees, which it removes, starting from one; and the edges around
    /// them.
    fn find_rim(&mut self, apex: u32, first: u32, seen: &mut Vec<u32>, rim: &mut Vec<RimEdge>) {
        seen.clear();
        rim.clear();
        self.faces[first as usize].removed = true;
        seen.push(first);
        let mut next = 0;
        while next < seen.len() {
            let (inner, corners, beside) = {
                let face = &self.faces[seen[next] as usize];
                (seen[next], face.corners, face.beside)
            };
            next += 1;
            for edge in 0..3 {
                let outer = beside[edge];
                if self.faces[outer as usize].removed {
                    continue;
                }
                if self.sees(apex, outer) {
                    self.faces[outer as usize].removed = true;
                    seen.push(outer);
                } else {
                    let back = self.faces[outer as usize].beside;
                    let slot = back.iter().position(|&face| face == inner).unwrap_or(0);
                    rim.push(RimEdge {
                        from: corners[edge],
                        to: corners[(edge + 1) % 3],
                        outer,
                        slot,
                    });
                }
            }
        }
    }

    /// Brings the edges of the rim, which are one simple cycle, into its order, from a corner where
    /// the two faces to come will not be in one plane.
    fn order(&mut self, rim: &mut [RimEdge], apex: u32) {
        for (index, edge) in (0..).zip(rim.iter()) {
            self.edge_from[edge.from as usize] = index;
        }
        for position in 1..rim.len() {
            let next = self.edge_from[rim[position - 1].to as usize] as usize;
            // The edge that was here is needed later: it moves to where the next one was.
            self.edge_from[rim[position].from as usize] = next as u32;
            rim.swap(position, next);
        }
        let bends = |&start: &usize| {
            let before = &rim[(start + rim.len() - 1) % rim.len()];
            self.side([before.from, rim[start].from, apex, rim[start].to]) != Sign::Zero
        };
        let start = (0..rim.len()).find(bends).unwrap_or(0);
        rim.rotate_left(start);
    }

    /// Joins every edge of the rim to the apex.
    fn close(&mut self, apex: u32, rim: &[RimEdge]) -> Range<u32> {
        let first = self.faces.len() as u32;
        let count = rim.len() as u32;
        for (i, edge) in (0..count).zip(rim) {
            let (next, last) = (first + (i + 1) % count, first + (i + count - 1) % count);
            self.add([edge.from, edge.to, apex], [edge.outer, next, last]);
            self.faces[edge.outer as usize].beside[edge.slot] = first + i;
        }
        first..first + count
    }

    /// A face of the fan that a point sees, if it sees any.
    ///
    /// The rim corners r₀, r₁, … lie around the apex p. A point below the first face p·r₀·r₁ and
    /// the last one is between the half-planes from the line p·r₀ through some rᵢ and rᵢ₊₁,
    /// which are in order around that line and together span less than a straight angle,
    /// because the rim bends at r₀. There it can only see the face p·rᵢ·rᵢ₊₁.
    fn place_in_fan(&self, point: u32, fan: &Range<u32>) -> Option<u32> {
        let last = fan.end - 1;
        let (to_first, to_last) =
            (self.height_sign(point, fan.start), self.height_sign(point, last));
        match (to_first, to_last) {
            (Sign::Positive, _) => return Some(fan.start),
            (_, Sign::Positive) => return Some(last),
            // On the line p·r₀ itself, perhaps behind the apex, where nothing is in order.
            (Sign::Zero, Sign::Zero) => return fan.clone().find(|&face| self.sees(point, face)),
            _ => {}
        }
        let [start, _, apex] = self.faces[fan.start as usize].corners;
        let is_passed = |face: u32| {
            let corner = self.faces[face as usize].corners[0];
            match self.side([start, corner, apex, point]) {
                Sign::Negative => true,
                // Level with the last face, half-planes that coincide with it do not count as
                // passed.
                Sign::Zero => to_last != Sign::Zero,
                Sign::Positive => false,
            }
        };
        // The half-plane through r₁ is passed, that through the last corner is not.
        let (mut passed, mut ahead) = (fan.start + 1, last);
        while ahead - passed > 1 {
            let middle = u32::midpoint(passed, ahead);
            if is_passed(middle) {
                passed = middle;
            } else {
                ahead = middle;
            }
        }
        self.sees(point, passed).then_some(passed)
    }

    /// Lets the points that waited at a removed face wait at a face of the fan; those that see none
    /// are inside for good.
    fn hand_over(&mut self, lost: u32, apex: u32, fan: &Range<u32>) {
        let mut point = self.faces[lost as usize].waiting;
        while point != NONE {
            let next = self.after[point as usize];
            if point != apex
                && let Some(face) = self.place_in_fan(point, fan)
            {
                self.wait(point, face);
            }
            point = next;
        }
    }

    fn wait(&mut self, point: u32, face: u32) {
        let height = self.height(point, face);
        let face = &mut self.faces[face as usize];
        if face.waiting == NONE || height > face.height {
            self.after[point as usize] = face.waiting;
            face.waiting = point;
            face.height = height;
        } else {
            let first = face.waiting as usize;
            self.after[point as usize] = self.after[first];
            self.after[first] = point;
        }
    }

    fn height(&self, point: u32, face: u32) -> f64 {
        let [a, b, c] = self.faces[face as usize].corners.map(|i| self.rough[i as usize]);
        (b - a).cross(c - a).dot(self.rough[point as usize] - a)
    }

    fn queue(&mut self, faces: Range<u32>) {
        self.pending.extend(faces.filter(|&face| self.faces[face as usize].waiting != NONE));
    }
}
