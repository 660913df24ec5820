//! Whether half-spaces have a common point, by linear programming.
//!
//! Seidel (*Small-dimensional linear programming and convex hulls made easy*, 1991): go through the
//! half-spaces in random order and keep the point that is best so far in some direction. If the
//! next one contains it, nothing changes. If not, the new best point lies on its boundary plane,
//! and is found there among the half-spaces so far, by the same method in two dimensions, and in
//! the end on a line, where intervals decide. Expected time is proportional to the number of
//! half-spaces, because the k-th is only rarely one of the three that the best point rests on.
//!
//! How we differ: the search is confined to a box, which makes every program bounded and gives the
//! first best point for free. Two boxes are compared in the frame of the first, so that its six
//! half-spaces *are* that confinement, and only the six of the other are gone through; and the
//! direction is towards the other's centre, so that the first guess is often right.
//!
//! Half-spaces are closed, and what violates one by less than [`TOLERANCE`] of the size of the
//! confinement passes: in doubt, they meet.

use glam::{DVec2, DVec3};

use elbowroom::internal::convex::BoxShape;
use elbowroom::internal::math::random::Random;

/// What counts as rounding: three reductions of a dozen roundings each, of numbers of size 1 and
/// vectors of unit length, with room for slanted planes.
pub const TOLERANCE: f64 = 1e-13;

/// All points x with `normal · x ≤ offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    /// Points out of it; of unit length.
    pub normal: DVec3,
    /// The distance of the boundary from the origin along the normal.
    pub offset: f64,
}

/// A point that a box `low..=high` has in common with all half-spaces, or none.
///
/// The half-spaces are brought into an order that only the seed decides; any seed gives the same
/// yes or no. `towards` is the direction in which the point shall be extreme.
pub fn common_point(
    half_spaces: &mut [HalfSpace],
    (low, high): (DVec3, DVec3),
    towards: DVec3,
    seed: u64,
) -> Option<DVec3> {
    shuffle(half_spaces, seed);
    let slack = TOLERANCE * low.abs().max(high.abs()).max_element();
    let mut best = DVec3::select(towards.cmpge(DVec3::ZERO), high, low);
    let mut lines = Vec::new();
    for (count, half_space) in half_spaces.iter().enumerate() {
        if half_space.normal.dot(best) - half_space.offset > slack {
            let plane = Plane::new(*half_space);
            lines.clear();
            plane.confine(low, high, slack, &mut lines)?;
            for other in &half_spaces[..count] {
                plane.cut(*other, slack, &mut lines)?;
            }
            let bounds = (plane.flat(low), plane.flat(high));
            best = plane.lifted(in_plane(&lines, bounds, plane.flat_direction(towards), slack)?);
        }
    }
    Some(best)
}

/// A point that two boxes have in common, or none if they are apart.
///
/// ```
/// use elbowroom_papers::obbtree::linear::boxes_overlap;
/// use elbowroom::internal::convex::BoxShape;
/// use glam::{DMat3, DVec3};
///
/// let a = BoxShape { center: DVec3::ZERO, axes: DMat3::IDENTITY, half: DVec3::ONE };
/// let b = BoxShape { center: DVec3::new(1.5, 1.0, 0.0), ..a };
/// let common = boxes_overlap(&a, &b, 1).expect("they overlap");
/// assert!((0.5..=1.0).contains(&common.x));
/// ```
pub fn boxes_overlap(a: &BoxShape, b: &BoxShape, seed: u64) -> Option<DVec3> {
    let center = a.local(b.center);
    let normals = a.axes.transpose() * b.axes;
    let half_space =
        |normal: DVec3, half: f64| HalfSpace { normal, offset: normal.dot(center) + half };
    let mut half_spaces = [
        half_space(normals.x_axis, b.half.x),
        half_space(-normals.x_axis, b.half.x),
        half_space(normals.y_axis, b.half.y),
        half_space(-normals.y_axis, b.half.y),
        half_space(normals.z_axis, b.half.z),
        half_space(-normals.z_axis, b.half.z),
    ];
    let common = common_point(&mut half_spaces, (-a.half, a.half), center, seed)?;
    Some(a.center + a.axes * common)
}

/// Fisher and Yates.
fn shuffle(half_spaces: &mut [HalfSpace], seed: u64) {
    let mut random = Random::new(seed);
    for i in (1..half_spaces.len()).rev() {
        half_spaces.swap(i, random.index(i + 1));
    }
}

/// The boundary of a half-space, with the two coordinates that are kept: the third, along which the
/// normal is largest, follows from them.
struct Plane {
    axis: usize,
    /// The dropped coordinate is `offset - slope · (the kept two)`.
    slope: DVec2,
    offset: f64,
}

/// All points y of a plane with `normal · y ≤ offset`; the normal has unit length.
struct HalfPlane {
    normal: DVec2,
    offset: f64,
}

impl Plane {
    fn new(half_space: HalfSpace) -> Self {
        let sizes = half_space.normal.abs();
        let axis = (0..3).fold(0, |best, axis| if sizes[axis] > sizes[best] { axis } else { best });
        let along = half_space.normal[axis];
        let mut plane = Self { axis, slope: DVec2::ZERO, offset: half_space.offset / along };
        plane.slope = plane.flat(half_space.normal) / along;
        plane
    }

    fn flat(&self, v: DVec3) -> DVec2 {
        DVec2::new(v[(self.axis + 1) % 3], v[(self.axis + 2) % 3])
    }

    /// What is left of a linear function when the dropped coordinate is replaced.
    fn flat_direction(&self, v: DVec3) -> DVec2 {
        self.flat(v) - v[self.axis] * self.slope
    }

    fn lifted(&self, y: DVec2) -> DVec3 {
        let mut x = DVec3::ZERO;
        x[self.axis] = self.offset - self.slope.dot(y);
        x[(self.axis + 1) % 3] = y.x;
        x[(self.axis + 2) % 3] = y.y;
        x
    }

    /// The part of the plane where the dropped coordinate stays in the box; the kept ones are their
    /// own bounds.
    fn confine(
        &self,
        low: DVec3,
        high: DVec3,
        slack: f64,
        lines: &mut Vec<HalfPlane>,
    ) -> Option<()> {
        let normal = DVec3::AXES[self.axis];
        self.cut(HalfSpace { normal, offset: high[self.axis] }, slack, lines)?;
        self.cut(HalfSpace { normal: -normal, offset: -low[self.axis] }, slack, lines)
    }

    /// The part of the plane in another half-space; none if the two are parallel and the plane is
    /// outside.
    fn cut(&self, other: HalfSpace, slack: f64, lines: &mut Vec<HalfPlane>) -> Option<()> {
        let normal = self.flat_direction(other.normal);
        let offset = other.offset - other.normal[self.axis] * self.offset;
        let length = normal.length();
        if length > TOLERANCE {
            lines.push(HalfPlane { normal: normal / length, offset: offset / length });
            Some(())
        } else {
            (offset >= -slack).then_some(())
        }
    }
}

/// Two dimensions: the best point of a rectangle in all half-planes.
fn in_plane(
    lines: &[HalfPlane],
    (low, high): (DVec2, DVec2),
    towards: DVec2,
    slack: f64,
) -> Option<DVec2> {
    let mut best = DVec2::select(towards.cmpge(DVec2::ZERO), high, low);
    for (count, line) in lines.iter().enumerate() {
        if line.normal.dot(best) - line.offset > slack {
            best = on_line(line, &lines[..count], (low, high), towards, slack)?;
        }
    }
    Some(best)
}

/// One dimension: the best point on the boundary of a half-plane within a rectangle and others.
fn on_line(
    line: &HalfPlane,
    others: &[HalfPlane],
    (low, high): (DVec2, DVec2),
    towards: DVec2,
    slack: f64,
) -> Option<DVec2> {
    let start = line.offset * line.normal;
    let along = line.normal.perp();
    let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
    // Keeps `rate · t ≤ room`.
    let mut keep = |rate: f64, room: f64| {
        if rate > TOLERANCE {
            to = to.min(room / rate);
        } else if rate < -TOLERANCE {
            from = from.max(room / rate);
        } else if room < -slack {
            to = f64::NEG_INFINITY;
        }
    };
    for axis in 0..2 {
        keep(along[axis], high[axis] - start[axis]);
        keep(-along[axis], start[axis] - low[axis]);
    }
    for other in others {
        keep(other.normal.dot(along), other.offset - other.normal.dot(start));
    }
    if from > to + slack {
        return None;
    }
    let end = if towards.dot(along) >= 0.0 { to } else { from };
    Some(start + end * along)
}
