//! The numbers of a region: length, area, point, normal and bounds.
//!
//! All is computed in a frame of the region's own, moved and scaled by powers of two, so that
//! nothing overflows or vanishes; and in an order that follows from the ordered models alone.

use glam::DVec3;

use super::curve::Line;
use super::pieces::{Pieces, Sides};
use super::{Curve, Region};
use crate::internal::exact::Relation;
use crate::internal::exact::closest::{
    Unit, along, closest_on_segment, closest_on_triangle, direction, normal,
};
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::query::contact::contact;

/// Sums of vectors that are this small beside the sum of their lengths have no direction.
const NO_DIRECTION: f64 = 1e-9;

/// Fills in a region from its pieces, of which there is at least one, and its lines.
pub(super) fn fill(
    region: &mut Region,
    sides: &Sides,
    pieces: &Pieces,
    members: &[usize],
    lines: &[Line],
) {
    for pair in members.iter().map(|&member| pieces.list[member].pair) {
        region.triangles_a.push(pair.a);
        region.triangles_b.push(pair.b);
        match pair.relation {
            Relation::Crossing => region.crossing += 1,
            Relation::Touching | Relation::Apart => region.touching += 1,
        }
    }
    for triangles in [&mut region.triangles_a, &mut region.triangles_b] {
        triangles.sort_unstable();
        triangles.dedup();
    }
    let nodes = || members.iter().flat_map(|&m| pieces.list[m].nodes.iter());
    let points = nodes().map(|&node| pieces.points[node as usize]);
    let unit = Unit::around(points.clone());
    (region.low, region.high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for point in points {
        (region.low, region.high) = (region.low.min(point), region.high.max(point));
    }
    let frame = Frame { sides, pieces, members, unit };
    let place = |line: &Line| line.nodes.iter().map(|&n| pieces.points[n as usize]).collect();
    region.curves =
        lines.iter().map(|line| Curve { points: place(line), is_closed: line.is_closed }).collect();
    let segments = frame.segments(lines);
    let polygons = frame.polygons();
    region.length = unit.leave_length(length_of(&segments));
    // In two steps, as a square may not fit.
    region.area = unit.leave_length(unit.leave_length(area_of(&polygons)));
    region.point = unit.leave(frame.point(&segments, &polygons)).clamp(region.low, region.high);
    region.normal = frame.normal();
}

/// A region's pieces, and the frame in which it is measured.
struct Frame<'a> {
    sides: &'a Sides<'a>,
    pieces: &'a Pieces,
    members: &'a [usize],
    unit: Unit,
}

/// A convex polygon: a point within, and its sides in any order.
struct Polygon {
    middle: DVec3,
    sides: Vec<[DVec3; 2]>,
}

impl Polygon {
    fn new(sides: Vec<[DVec3; 2]>) -> Self {
        // Every corner is an end of two sides.
        let sum: DVec3 = sides.iter().flatten().sum();
        Self { middle: sum / (2 * sides.len()) as f64, sides }
    }

    fn triangles(&self) -> impl Iterator<Item = [DVec3; 3]> {
        self.sides.iter().map(|&[p, q]| [self.middle, p, q])
    }

    fn area(&self) -> f64 {
        self.triangles().map(|[o, p, q]| 0.5 * (p - o).cross(q - o).length()).sum()
    }

    /// Area times centroid.
    fn moment(&self) -> DVec3 {
        self.triangles()
            .map(|[o, p, q]| 0.5 * (p - o).cross(q - o).length() * (o + p + q) / 3.0)
            .sum()
    }
}

impl Frame<'_> {
    fn enter(&self, node: u32) -> DVec3 {
        self.unit.enter(self.pieces.points[node as usize])
    }

    fn segments(&self, lines: &[Line]) -> Vec<[DVec3; 2]> {
        let mut segments = Vec::new();
        for line in lines {
            let places: Vec<DVec3> = line.nodes.iter().map(|&node| self.enter(node)).collect();
            segments.extend(places.windows(2).map(|two| [two[0], two[1]]));
            if let (Some(&first), Some(&last), true) =
                (places.first(), places.last(), line.is_closed)
            {
                segments.push([last, first]);
            }
        }
        segments
    }

    fn polygons(&self) -> Vec<Polygon> {
        let areas = self.members.iter().map(|&m| &self.pieces.list[m]).filter(|p| p.is_area);
        let place = |side: &[u32; 2]| side.map(|node| self.enter(node));
        areas.map(|piece| Polygon::new(piece.sides.iter().map(place).collect())).collect()
    }

    /// The point of the area, else of the curve, else of all corners, that is nearest to their
    /// middle.
    fn point(&self, segments: &[[DVec3; 2]], polygons: &[Polygon]) -> DVec3 {
        let area = area_of(polygons);
        if area > 0.0 {
            let middle = polygons.iter().map(Polygon::moment).sum::<DVec3>() / area;
            let within = polygons.iter().flat_map(Polygon::triangles);
            return nearest(middle, within.map(|triangle| closest_on_triangle(middle, triangle)));
        }
        let length = length_of(segments);
        if length > 0.0 {
            let moments = segments.iter().map(|&[p, q]| p.distance(q) * 0.5 * (p + q));
            let middle = moments.sum::<DVec3>() / length;
            let closest =
                |&segment: &[DVec3; 2]| along(segment, closest_on_segment(middle, segment));
            return nearest(middle, segments.iter().map(closest));
        }
        let nodes = self.members.iter().flat_map(|&m| self.pieces.list[m].nodes.iter());
        let places: Vec<DVec3> = nodes.map(|&node| self.enter(node)).collect();
        let middle = places.iter().sum::<DVec3>() / places.len() as f64;
        nearest(middle, places.into_iter())
    }

    /// The mean of the difference of both surfaces' normals: over the area, else along the curve,
    /// else over all pairs; where they cancel out, the first pair's own.
    fn normal(&self) -> DVec3 {
        let Sides { a, pose_a, b, pose_b } = *self.sides;
        let mut sums = [(DVec3::ZERO, 0.0); 3];
        for piece in self.members.iter().map(|&member| &self.pieces.list[member]) {
            let first = normal_of(a, pose_a, piece.pair.a);
            let apart = first - normal_of(b, pose_b, piece.pair.b);
            let sides: Vec<_> =
                piece.sides.iter().map(|s| s.map(|node| self.enter(node))).collect();
            let weights = match sides[..] {
                [] => [0.0, 0.0, 1.0],
                [[p, q]] => [0.0, p.distance(q), 1.0],
                _ => [Polygon::new(sides).area(), 0.0, 1.0],
            };
            for (sum, weight) in sums.iter_mut().zip(weights) {
                sum.0 += weight * apart;
                sum.1 += weight;
            }
        }
        let clear = sums.iter().find(|(sum, weight)| sum.length() > NO_DIRECTION * weight);
        let first = || contact(a, pose_a, b, pose_b, self.pieces.list[self.members[0]].pair);
        clear.and_then(|(sum, _)| direction(*sum)).unwrap_or_else(|| first().normal) + DVec3::ZERO
    }
}

fn length_of(segments: &[[DVec3; 2]]) -> f64 {
    // The sum of nothing would be -0.
    segments.iter().fold(0.0, |sum, [p, q]| sum + p.distance(*q))
}

fn area_of(polygons: &[Polygon]) -> f64 {
    polygons.iter().fold(0.0, |sum, polygon| sum + polygon.area())
}

/// The nearest of some points, the first of equals.
fn nearest(to: DVec3, points: impl Iterator<Item = DVec3>) -> DVec3 {
    let closer = |best: DVec3, p: DVec3| {
        if p.distance_squared(to) < best.distance_squared(to) { p } else { best }
    };
    points.reduce(closer).unwrap_or(to)
}

/// The unit normal of a placed triangle; zero if it has none.
fn normal_of(model: &Model, pose: &Pose, triangle: u32) -> DVec3 {
    let corners = model.mesh().triangle(triangle as usize);
    let unit = Unit::around(corners.iter().copied());
    normal(corners.map(|corner| unit.enter(corner))).map_or(DVec3::ZERO, |n| pose.rotation() * n)
}
