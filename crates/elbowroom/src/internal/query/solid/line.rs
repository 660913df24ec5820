//! Segments of the surfaces' edges and intersections, and where triangles cut them: without
//! rounding.
//!
//! A line has an origin and a way; where something is on it is told by a quotient, the multiple of
//! the way from the origin.

use glam::DVec3;

use crate::internal::exact::{Dyadic, Point, Ratio, Sign, Vector};
use crate::internal::math::sort::many_by;

/// A triangle with area.
pub(super) struct Face {
    pub(super) corners: [Vector; 3],
    pub(super) normal: Vector,
    /// A box around it that is certain, as its lower and upper corner.
    bounds: [DVec3; 2],
}

/// A point that is asked about often: as it is, and a box around it that is certain.
pub(super) struct Spot {
    pub(super) point: Point,
    bounds: [DVec3; 2],
}

impl Spot {
    pub(super) fn new(point: Point) -> Self {
        let (rounded, error) = point.approx();
        Self { point, bounds: [rounded - error, rounded + error] }
    }
}

/// Where a point of a triangle is in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Off all edges.
    Inside,
    /// On the edge from this corner to the next.
    Edge(usize),
}

impl Face {
    pub(super) fn new(corners: [Vector; 3]) -> Self {
        let [a, b, c] = &corners;
        let normal = b.minus(a).cross(&c.minus(a));
        let [p, q, r] = corners.each_ref().map(Vector::approx);
        let (low, high) = (p.min(q).min(r), p.max(q).max(r));
        // Far more than the corners can be off.
        let error =
            16.0 * f64::EPSILON * low.abs().max(high.abs()).max_element() + f64::MIN_POSITIVE;
        Self { corners, normal, bounds: [low - error, high + error] }
    }

    /// Three times the centroid, over 3.
    pub(super) fn centroid(&self) -> Point {
        let [a, b, c] = &self.corners;
        Point { at: a.plus(b).plus(c), weight: Dyadic::from(3) }
    }

    /// The place of a point within the triangle. `None` if it is outside, or a corner.
    pub(super) fn place(&self, spot: &Spot) -> Option<Place> {
        let ([low, high], [below, above]) = (self.bounds, spot.bounds);
        if below.cmpgt(high).any() || above.cmplt(low).any() {
            return None;
        }
        let point = &spot.point;
        let steps = self.corners.each_ref().map(|corner| point.from(corner));
        if self.normal.dot(&steps[0]).sign() != Sign::Zero {
            return None;
        }
        let turns: [Sign; 3] = std::array::from_fn(|i| {
            let edge = self.corners[(i + 1) % 3].minus(&self.corners[i]);
            self.normal.dot(&edge.cross(&steps[i])).sign()
        });
        let zeros = turns.iter().filter(|&&turn| turn == Sign::Zero).count();
        match (turns.contains(&Sign::Negative), zeros) {
            (false, 0) => Some(Place::Inside),
            (false, 1) => turns.iter().position(|&turn| turn == Sign::Zero).map(Place::Edge),
            _ => None,
        }
    }
}

/// A segment: the part of a line between two places.
pub(super) struct Line {
    origin: Point,
    pub(super) way: Vector,
    ends: [Ratio; 2],
}

impl Line {
    /// From one point to another.
    pub(super) fn between(from: Vector, to: &Vector) -> Self {
        let way = to.minus(&from);
        Self { origin: Point::from_vector(from), way, ends: [Ratio::ZERO, Ratio::ONE] }
    }

    /// What two triangles that cross have in common.
    pub(super) fn common(first: &Face, second: &Face) -> Option<Self> {
        let way = first.normal.cross(&second.normal);
        let mut points = pierced(first, second);
        points.extend(pierced(second, first));
        let ends = [Ratio::ZERO, Ratio::ZERO];
        let mut line = Self { origin: points.first()?.clone(), way, ends };
        let mut places: Vec<Ratio> = points.iter().map(|point| line.place_of(point)).collect();
        many_by(&mut places, Ratio::compare);
        // Two intervals that overlap: the middle two of their four ends.
        line.ends = [places.get(1)?.clone(), places.get(2)?.clone()];
        Some(line)
    }

    /// The point at a place.
    pub(super) fn at(&self, place: &Ratio) -> Point {
        let Point { at, weight } = &self.origin;
        let step = self.way.times(&(&place.above * weight));
        Point { at: at.times(&place.below).plus(&step), weight: weight * &place.below }
    }

    fn place_of(&self, point: &Point) -> Ratio {
        let Point { at, weight } = &self.origin;
        let step = point.at.times(weight).minus(&at.times(&point.weight));
        let whole = &(weight * &point.weight) * &self.way.dot(&self.way);
        Ratio::new(self.way.dot(&step), whole)
    }

    /// The places that part the segment so that within each part a triangle is there or is not.
    pub(super) fn cut<'f>(&self, faces: impl Iterator<Item = &'f Face>) -> Vec<Ratio> {
        let mut cuts = self.ends.to_vec();
        for face in faces {
            self.cut_by(face, &mut cuts);
        }
        let [low, high] = &self.ends;
        cuts.retain(|cut| cut.compare(low).is_ge() && cut.compare(high).is_le());
        many_by(&mut cuts, Ratio::compare);
        cuts.dedup_by(|a, b| a.compare(b).is_eq());
        cuts
    }

    fn cut_by(&self, face: &Face, cuts: &mut Vec<Ratio>) {
        let Point { at, weight } = &self.origin;
        let steps = face.corners.each_ref().map(|corner| corner.times(weight).minus(at));
        let height = face.normal.dot(&steps[0]);
        let slope = face.normal.dot(&self.way);
        if slope.sign() != Sign::Zero {
            cuts.push(Ratio::new(height, weight * &slope));
            return;
        }
        if height.sign() != Sign::Zero {
            return;
        }
        let across = face.normal.cross(&self.way);
        let whole = weight * &self.way.dot(&self.way);
        let offsets = steps.each_ref().map(|step| across.dot(step));
        let along = steps.each_ref().map(|step| self.way.dot(step));
        for i in 0..3 {
            let j = (i + 1) % 3;
            if offsets[i].sign() == Sign::Zero {
                cuts.push(Ratio::new(along[i].clone(), whole.clone()));
            }
            if offsets[i].sign() == offsets[j].sign().flipped() && offsets[i].sign() != Sign::Zero {
                let above = &(&offsets[i] * &along[j]) - &(&offsets[j] * &along[i]);
                cuts.push(Ratio::new(above, &(&offsets[i] - &offsets[j]) * &whole));
            }
        }
    }
}

/// The points in which a triangle's edges go through another one's plane.
fn pierced(face: &Face, plane: &Face) -> Vec<Point> {
    let heights =
        face.corners.each_ref().map(|corner| plane.normal.dot(&corner.minus(&plane.corners[0])));
    let mut points = Vec::new();
    for i in 0..3 {
        let j = (i + 1) % 3;
        let (a, b) = (heights[i].sign(), heights[j].sign());
        if a == Sign::Zero {
            points.push(Point::from_vector(face.corners[i].clone()));
        } else if a == b.flipped() {
            // Over the difference, made positive.
            let at = face.corners[j].times(&heights[i]).minus(&face.corners[i].times(&heights[j]));
            let weight = &heights[i] - &heights[j];
            points.push(if a == Sign::Positive {
                Point { at, weight }
            } else {
                Point { at: at.negated(), weight: -&weight }
            });
        }
    }
    points
}
