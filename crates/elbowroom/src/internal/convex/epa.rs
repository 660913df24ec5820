//! How deep two convex shapes are in each other: the smallest translation that parts them.
//!
//! All differences of a point of A and a point of B form a convex set D, and the shapes overlap
//! where D contains the origin. Moving B by d moves D by −d; so the smallest translation that parts
//! them leads from the origin to the nearest point of the surface of D. That is found by blowing up
//! a polytope inside D:
//!
//! ```text
//!     ______             take the face of the polytope that is nearest to the origin,
//!    /  __  \            look along its normal n for the farthest point w of D,
//!   |  /  \  |  D        put w into the polytope, and so on,
//!   | / ·  \ |           until w is no farther than the face.
//!   |/______\|
//!    \______/
//! ```
//!
//! Source: van den Bergen, *Proximity queries and penetration depth computation on 3D game
//! objects*, 2001. How we differ:
//!
//! - The answer is a lower and an upper bound, each of which holds by itself. Any direction n
//!   bounds the depth from above, by how far D reaches along it. The polytope bounds it from below,
//!   whether or not rounding has made it a little concave: a face counts with the least n · p of
//!   its three corners, and no point of it is nearer than that.
//! - Round shapes go by their cores ([`Support::core`]): the depth is that of the cores and the
//!   radii; where cores are apart, the radii less their distance. So balls and capsules do not have
//!   to be approached by polytopes.
//! - It begins with any tetrahedron in D, and the origin may be outside: faces count with their
//!   sign, and the one that the origin is farthest beyond comes first. If there is no tetrahedron,
//!   D is flat to rounding, the depth is nothing, and the normal of D is a way out.
//! - When rounding does not let the polytope grow, or after `MOST` corners, the bounds are what
//!   they are.
//!
//! Bounds are certain up to roundings of the shapes' own farthest points, which are allowed for
//! with 64 roundings of the largest coordinate. The two are usually within 10⁻¹⁰ of the size of D;
//! shapes that are smooth but do not say so by a core may end farther apart.
//!
//! Coordinates must be finite and have squares that f64 can hold: 10⁻¹⁵⁰ to 10¹⁵⁰.

mod polytope;

use glam::DVec3;

use super::gjk::{Support, distance};
use super::simplex::{combine, nearest};
use crate::internal::math::moments::unit_scale;
use polytope::{Corner, MOST, Polytope};

/// When the depth is known to this part of the size of D, the search is over.
const RELATIVE_GAP: f64 = 1e-10;

/// What a farthest point, placed and subtracted, may be off, with what GJK takes for touching:
/// roundings of the largest coordinate.
const ROUNDINGS: f64 = 64.0 * f64::EPSILON / 2.0;

/// The answer of [`penetration`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvexPenetration {
    /// No shorter translation parts the shapes. 0 where they are apart or only touch.
    pub lower: f64,
    /// A translation of this length along the direction parts them: then they touch at most. 0
    /// where they are apart.
    pub upper: f64,
    /// Where to move the second shape, a unit vector.
    pub direction: DVec3,
    /// The point of the first shape that is deepest in the second, seen along the direction; the
    /// nearest one where they are apart.
    pub point_a: DVec3,
    /// The core of the second shape.
    pub point_b: DVec3,
    /// How many times the shapes were asked for a farthest point, after it was known that they
    /// meet.
    pub iterations: u32,
}

/// How deep two convex shapes are in each other.
///
/// ```
/// use elbowroom::internal::convex::penetration;
/// use elbowroom::internal::convex::shape::{Ball, Capsule};
/// use glam::DVec3;
///
/// let ball = Ball { center: DVec3::new(0.0, 1.5, 0.0), radius: 1.0 };
/// let capsule = Capsule { ends: [-DVec3::X, DVec3::X], radius: 1.0 };
/// let found = penetration(&ball, &capsule);
/// assert!((found.upper - 0.5).abs() < 1e-12 && found.lower > 0.5 - 1e-12);
/// assert!(found.direction.abs_diff_eq(-DVec3::Y, 1e-12));
/// ```
pub fn penetration(a: &impl Support, b: &impl Support) -> ConvexPenetration {
    let radii = [a.radius(), b.radius()];
    let near = distance(&Core(a), &Core(b));
    let ends = [near.point_a, near.point_b];
    let mut probe = Probe::new(a, b);
    if near.distance > 0.0 && probe.parts(ends, near.distance) {
        return probe.answer(-near.distance, radii, ends);
    }
    let Some(mut polytope) = probe.begin() else {
        return probe.answer(-near.distance, radii, ends);
    };
    while probe.grow(&mut polytope) {}
    let face = polytope.nearest();
    let lower = polytope.offset(face) / probe.scale;
    if lower < 0.0 {
        return probe.answer(-near.distance, radii, ends);
    }
    probe.answer(lower, radii, deepest(&polytope, face))
}

/// The points of both shapes that make up the point of the surface that is nearest to the origin:
/// on this face, or on another in its plane.
fn deepest(polytope: &Polytope, face: usize) -> [DVec3; 2] {
    let mut best = ([DVec3::ZERO; 2], f64::INFINITY);
    for corners in polytope.in_plane_of(face) {
        let weights = nearest(&corners.map(|corner| corner.at));
        let sum = |pick: fn(&Corner) -> DVec3| combine(corners.iter().map(pick), weights);
        let squared = sum(|corner| corner.at).length_squared();
        if squared < best.1 {
            best = ([sum(|corner| corner.a), sum(|corner| corner.b)], squared);
        }
    }
    best.0
}

/// The core of a shape as a shape.
struct Core<'a, S>(&'a S);

impl<S: Support> Support for Core<'_, S> {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.0.core(direction)
    }

    fn inner(&self) -> DVec3 {
        self.0.inner()
    }
}

/// Asks both cores, and keeps the least of what they answer.
struct Probe<'a, A, B> {
    a: &'a A,
    b: &'a B,
    /// The largest coordinate seen.
    size: f64,
    /// Brings D to about unit size: a power of two, so that nothing is rounded.
    scale: f64,
    /// How far the cores reach into each other at most, and in which direction.
    upper: f64,
    direction: DVec3,
    asked: u32,
}

impl<'a, A: Support, B: Support> Probe<'a, A, B> {
    fn new(a: &'a A, b: &'a B) -> Self {
        let upper = f64::INFINITY;
        Self { a, b, size: 0.0, scale: 1.0, upper, direction: DVec3::X, asked: 0 }
    }

    /// The point of D that is farthest along a unit vector.
    fn ask(&mut self, direction: DVec3) -> Corner {
        let (a, b) = (self.a.core(direction), self.b.core(-direction));
        self.asked += 1;
        self.size = self.size.max(a.abs().max(b.abs()).max_element());
        let at = a - b;
        let reach = at.dot(direction);
        if reach < self.upper {
            (self.upper, self.direction) = (reach, direction);
        }
        Corner { a, b, at: at * self.scale }
    }

    /// Whether the plane between two points that GJK gave as nearest really separates the cores by
    /// their distance. Close to contact, rounding may stop GJK too early, so its result is checked.
    fn parts(&mut self, [a, b]: [DVec3; 2], apart: f64) -> bool {
        let Some(direction) = (b - a).try_normalize() else { return false };
        self.ask(direction);
        self.upper + apart <= 1e-9 * apart + ROUNDINGS * self.size
    }

    /// What D may be off by, at its own scale.
    fn rounding(&self) -> f64 {
        ROUNDINGS * self.size * self.scale
    }

    /// A tetrahedron in D; none if D is flat, and then the probe has asked along its normal.
    fn begin(&mut self) -> Option<Polytope> {
        let mut ends = DVec3::AXES.map(|axis| [self.ask(axis), self.ask(-axis)]);
        let size = ends
            .as_flattened()
            .iter()
            .fold(0.0, |size: f64, end| size.max(end.at.abs().max_element()));
        self.scale = unit_scale(size);
        for end in ends.as_flattened_mut() {
            end.at *= self.scale;
        }
        let length = |pair: &[Corner; 2]| (pair[0].at - pair[1].at).length();
        let [p, q] = ends.into_iter().max_by(|x, y| length(x).total_cmp(&length(y)))?;
        let along = self.direction_if(p.at - q.at)?;
        let side = along.any_orthonormal_vector();
        let other = along.cross(side);
        let off_line = |corner: &Corner| (corner.at - p.at).cross(along).length();
        let r = self.farthest([side, -side, other, -other], off_line)?;
        let normal = (q.at - p.at).cross(r.at - p.at).try_normalize()?;
        let off_plane = |corner: &Corner| (corner.at - p.at).dot(normal).abs();
        let s = self.farthest([normal, -normal], off_plane)?;
        Polytope::new([p, q, r, s])
    }

    /// The direction of a vector that is longer than rounding.
    fn direction_if(&self, vector: DVec3) -> Option<DVec3> {
        (vector.length() > 4.0 * self.rounding()).then(|| vector.try_normalize())?
    }

    /// Of what is farthest along some directions, that which is most off; none if nothing is beyond
    /// rounding.
    fn farthest<const N: usize>(
        &mut self,
        directions: [DVec3; N],
        off: impl Fn(&Corner) -> f64,
    ) -> Option<Corner> {
        let found = directions.map(|direction| self.ask(direction));
        let best = found.into_iter().max_by(|x, y| off(x).total_cmp(&off(y)))?;
        (off(&best) > 4.0 * self.rounding()).then_some(best)
    }

    /// One more corner; says whether to go on.
    fn grow(&mut self, polytope: &mut Polytope) -> bool {
        if polytope.len() == MOST {
            return false;
        }
        let face = polytope.nearest();
        let normal = polytope.normal(face);
        let corner = self.ask(normal);
        let reach = corner.at.dot(normal);
        if reach - polytope.offset(face) <= RELATIVE_GAP + self.rounding() {
            // Several faces may be as near; the points will be those of this one.
            (self.upper, self.direction) = (reach / self.scale, normal);
            return false;
        }
        polytope.add(corner, face, self.rounding())
    }

    fn answer(&self, lower: f64, radii: [f64; 2], [a, b]: [DVec3; 2]) -> ConvexPenetration {
        let radius = radii[0] + radii[1];
        let lost = ROUNDINGS * (self.size + radius);
        let upper = radius + self.upper;
        let upper = if upper + lost < 0.0 { 0.0 } else { upper.max(0.0) + lost };
        ConvexPenetration {
            lower: (radius + lower - lost).clamp(0.0, upper),
            upper,
            direction: self.direction,
            point_a: a + self.direction * radii[0],
            point_b: b - self.direction * radii[1],
            iterations: self.asked,
        }
    }
}
