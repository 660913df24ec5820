//! What each pair of triangles has in common, its corners numbered so that equal names are equal
//! numbers.

use std::collections::HashMap;

use glam::DVec3;

use crate::internal::exact::{
    Common, Corner, Outline, Part, PlacedTriangle, Relation, Sign, intersection, line_fraction,
    orient3d, plane_fraction, relate,
};
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::query::collide::TrianglePair;
use crate::internal::query::contact::contact;
use crate::interrupt::checkpoint;

/// Two placed models.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    pub a: &'a Model,
    pub pose_a: &'a Pose,
    pub b: &'a Model,
    pub pose_b: &'a Pose,
}

/// What a pair of triangles has in common.
pub(super) struct Piece {
    pub(super) pair: TrianglePair,
    /// The corners by number; at least one.
    pub(super) nodes: Vec<u32>,
    /// The sides, or the one segment that it is, as pairs of corners; none if it is a point.
    pub(super) sides: Vec<[u32; 2]>,
    /// Whether it is a polygon.
    pub(super) is_area: bool,
}

/// A part of a triangle, by the numbers of the welded vertices that span it, in order; what is left
/// is `u32::MAX`.
type PartName = [u32; 3];

/// All pieces of two models.
pub(super) struct Pieces {
    pub(super) list: Vec<Piece>,
    /// Where each numbered corner is, in the world.
    pub(super) points: Vec<DVec3>,
    /// For each corner, one that it hangs together with; itself for one of each region.
    parents: Vec<u32>,
}

impl Pieces {
    pub(super) fn new(sides: &Sides, pairs: &[TrianglePair]) -> Self {
        let mut namer = Namer {
            sides,
            welded: [HashMap::new(), HashMap::new()],
            numbers: HashMap::new(),
            points: Vec::new(),
        };
        let list: Vec<Piece> = pairs.iter().filter_map(|&pair| namer.piece(pair)).collect();
        let parents = (0..namer.points.len() as u32).collect();
        let mut all = Self { list, points: namer.points, parents };
        for place in 0..all.list.len() {
            let first = all.list[place].nodes[0];
            for at in 1..all.list[place].nodes.len() {
                all.join(first, all.list[place].nodes[at]);
            }
        }
        all
    }

    fn root(&mut self, mut node: u32) -> u32 {
        while self.parents[node as usize] != node {
            // Halves the way for the next search.
            let above = self.parents[self.parents[node as usize] as usize];
            self.parents[node as usize] = above;
            node = above;
        }
        node
    }

    /// Puts two corners into one region.
    pub(super) fn join(&mut self, p: u32, q: u32) {
        let (p, q) = (self.root(p), self.root(q));
        // The smaller number is the root, whatever the order.
        self.parents[p.max(q) as usize] = p.min(q);
    }

    /// The number of each corner's region, and how many there are.
    pub(super) fn region_numbers(&mut self) -> (Vec<u32>, usize) {
        let mut numbers = vec![0; self.points.len()];
        let mut count = 0;
        for node in 0..self.points.len() {
            let root = self.root(node as u32) as usize;
            if root == node {
                numbers[node] = count;
                count += 1;
            } else {
                numbers[node] = numbers[root];
            }
        }
        (numbers, count as usize)
    }
}

/// Names corners and finds where they are.
struct Namer<'a> {
    sides: &'a Sides<'a>,
    /// Numbers of vertices by place, of both meshes.
    welded: [HashMap<[u64; 3], u32>; 2],
    numbers: HashMap<[PartName; 2], u32>,
    points: Vec<DVec3>,
}

/// A pair of triangles as it is needed to name and place corners.
struct Placed<'a> {
    pair: TrianglePair,
    corners: [[DVec3; 3]; 2],
    places: [&'a Pose; 2],
    triangles: [PlacedTriangle<'a>; 2],
    vertices: [[u32; 3]; 2],
    /// An axis along which the plane of both does not collapse, where there is one.
    axis: Option<usize>,
}

impl<'a> Namer<'a> {
    fn piece(&mut self, pair: TrianglePair) -> Option<Piece> {
        checkpoint();
        let Sides { a, pose_a, b, pose_b } = *self.sides;
        let corners = [a.mesh().triangle(pair.a as usize), b.mesh().triangle(pair.b as usize)];
        let triangles =
            [PlacedTriangle::new(pose_a, corners[0]), PlacedTriangle::new(pose_b, corners[1])];
        let vertices = [0, 1].map(|side| corners[side].map(|corner| self.weld(side, corner)));
        let places = [pose_a, pose_b];
        let mut placed = Placed { pair, corners, places, triangles, vertices, axis: None };
        let mut piece = Piece { pair, nodes: Vec::new(), sides: Vec::new(), is_area: false };
        match intersection(&triangles[0], &triangles[1]) {
            Common::Nothing => return None,
            Common::Point(corner) => piece.nodes.push(self.number(&placed, corner)),
            Common::Segment(ends) => {
                placed.axis = placed.common_axis();
                piece.nodes = ends.map(|end| self.number(&placed, end)).to_vec();
                piece.sides.push([piece.nodes[0], piece.nodes[1]]);
            }
            Common::Area(outline) => {
                placed.axis = Some(outline.axis);
                self.take_area(&placed, &outline, &mut piece);
            }
            Common::Degenerate => self.take_degenerate(&placed, &mut piece)?,
        }
        Some(piece)
    }

    fn take_area(&mut self, placed: &Placed<'a>, outline: &Outline, piece: &mut Piece) {
        for side in outline.sides() {
            let side = side.map(|end| self.number(placed, end));
            piece.sides.push(side);
            for node in side {
                if !piece.nodes.contains(&node) {
                    piece.nodes.push(node);
                }
            }
        }
        piece.is_area = true;
    }

    /// Of a degenerate triangle, the corners that lie in the other; else only the common points.
    /// `None` if the triangles do not meet.
    fn take_degenerate(&mut self, placed: &Placed<'a>, piece: &mut Piece) -> Option<()> {
        let [first, second] = &placed.triangles;
        if relate(first, second) == Relation::Apart {
            return None;
        }
        for side in 0..2 {
            for i in 0..3 {
                let Some(part) = placed.part_at([side, i]) else { continue };
                let (own, other) = (Part::corner(i), part);
                let corner = if side == 0 {
                    Corner { a: own, b: other }
                } else {
                    Corner { a: other, b: own }
                };
                piece.nodes.push(self.number(placed, corner));
            }
        }
        if piece.nodes.is_empty() {
            let everything = Corner { a: Part::INSIDE, b: Part::INSIDE };
            piece.nodes.push(self.number(placed, everything));
        }
        Some(())
    }

    fn weld(&mut self, side: usize, corner: DVec3) -> u32 {
        // Adding zero turns -0 into 0, and nothing else into anything else.
        let key = corner.to_array().map(|x| (x + 0.0).to_bits());
        let next = self.welded[side].len() as u32;
        *self.welded[side].entry(key).or_insert(next)
    }

    /// The number of a corner.
    fn number(&mut self, placed: &Placed<'a>, corner: Corner) -> u32 {
        let name = [placed.name(0, corner.a), placed.name(1, corner.b)];
        let next = self.points.len() as u32;
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.points.push(placed.point(self.sides, corner));
        }
        number
    }
}

impl Placed<'_> {
    fn name(&self, side: usize, part: Part) -> PartName {
        let mut name = [u32::MAX; 3];
        for (slot, corner) in part.corners().enumerate() {
            name[slot] = self.vertices[side][corner];
        }
        name.sort_unstable();
        // A triangle that names a vertex twice has an edge that is a corner.
        if name[1] == name[2] {
            name[2] = u32::MAX;
        }
        if name[0] == name[1] {
            name[1] = u32::MAX;
        }
        name.sort_unstable();
        name
    }

    /// An axis along which the plane does not collapse, if both are in one plane.
    fn common_axis(&self) -> Option<usize> {
        let [first, second] = &self.triangles;
        let off = |corner: usize| orient3d(first, second, [0, 1, 2, corner]) != Sign::Zero;
        if (3..6).any(off) {
            return None;
        }
        let [p, q, r] = first.points();
        let normal = (q - p).cross(r - p).abs();
        (0..3).max_by(|&i, &j| normal[i].total_cmp(&normal[j]))
    }

    /// The smallest part of the other triangle that a corner of one is in.
    fn part_at(&self, [side, corner]: [usize; 2]) -> Option<Part> {
        let other = 1 - side;
        let point = PlacedTriangle::new(self.places[side], [self.corners[side][corner]; 3]);
        let meets = |i: usize, j: usize, k: usize| {
            let c = self.corners[other];
            let part = PlacedTriangle::new(self.places[other], [c[i], c[j], c[k]]);
            relate(&point, &part) != Relation::Apart
        };
        if let Some(i) = (0..3).find(|&i| meets(i, i, i)) {
            return Some(Part::corner(i));
        }
        if let Some(i) = (0..3).find(|&i| meets(i, (i + 1) % 3, i)) {
            return Some(Part::edge(i, (i + 1) % 3));
        }
        meets(0, 1, 2).then_some(Part::INSIDE)
    }

    /// Where a corner is, in the world.
    fn point(&self, sides: &Sides, corner: Corner) -> DVec3 {
        let parts = [corner.a, corner.b];
        let spanned = parts.map(|part| part.corners().count());
        if let Some(side) = (0..2).find(|&side| spanned[side] == 1) {
            let vertex = parts[side].corners().next().unwrap_or(0);
            return place(self.places[side], self.corners[side][vertex]);
        }
        let pierced =
            (0..2).find(|&side| spanned[side] == 2 && self.goes_through(side, parts[side]));
        match (pierced, self.axis) {
            (Some(side), _) => {
                let other = 1 - side;
                let triangle = self.corners[other].map(|c| (self.places[other], c));
                self.along(side, parts[side], |edge| plane_fraction(edge, triangle))
            }
            (None, Some(axis)) if spanned == [2, 2] => {
                let line = self.ends(1, parts[1]).map(|end| (self.places[1], end));
                self.along(0, parts[0], |edge| line_fraction(edge, line, axis))
            }
            // Somewhere in what a degenerate triangle has in common with another.
            _ => contact(sides.a, sides.pose_a, sides.b, sides.pose_b, self.pair).point,
        }
    }

    /// Whether an edge of one triangle has its ends strictly on different sides of the other's
    /// plane.
    fn goes_through(&self, side: usize, edge: Part) -> bool {
        let [first, second] = &self.triangles;
        let plane = if side == 0 { [3, 4, 5] } else { [0, 1, 2] };
        let mut signs = edge
            .corners()
            .map(|i| orient3d(first, second, [plane[0], plane[1], plane[2], 3 * side + i]));
        match (signs.next(), signs.next()) {
            (Some(from), Some(to)) => from != Sign::Zero && to == from.flipped(),
            _ => false,
        }
    }

    fn ends(&self, side: usize, edge: Part) -> [DVec3; 2] {
        let mut ends = edge.corners().map(|i| self.corners[side][i]);
        let from = ends.next().unwrap_or(self.corners[side][0]);
        [from, ends.next().unwrap_or(from)]
    }

    /// The point of an edge at a fraction of its way.
    fn along(
        &self,
        side: usize,
        edge: Part,
        fraction: impl FnOnce([(&Pose, DVec3); 2]) -> f64,
    ) -> DVec3 {
        let [from, to] = self.ends(side, edge);
        let at = fraction([from, to].map(|end| (self.places[side], end)));
        let way = to - from;
        let point = if way.is_finite() { from + way * at } else { from * (1.0 - at) + to * at };
        place(self.places[side], point)
    }
}

/// A placed point, rounded and kept finite.
fn place(pose: &Pose, point: DVec3) -> DVec3 {
    const SMALL: f64 = 1.0 / 16.0;
    let placed = pose.apply(point);
    if placed.is_finite() {
        return placed;
    }
    let limit = DVec3::splat(f64::MAX);
    let small = pose.rotation() * (point * SMALL) + pose.translation() * SMALL;
    (small / SMALL).clamp(-limit, limit)
}
