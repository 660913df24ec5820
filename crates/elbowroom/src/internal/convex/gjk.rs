//! How far two convex shapes are apart.
//!
//! All differences of a point of A and a point of B form a convex set, and the distance is that of
//! this set from the origin. A simplex of at most four of its points creeps towards the origin:
//! take the point v of the simplex that is nearest, look from there towards the origin for the
//! farthest point w of the set, add it, drop the corners that are no longer needed. When w is no
//! nearer than v, v is the answer (Gilbert, Johnson and Keerthi, *A fast procedure for computing
//! the distance between complex objects in three-dimensional space*, 1988). The nearest point of
//! the simplex comes from signed volumes (the `simplex` module names the source).
//!
//! How we differ: three tests end the loop, each enough for it alone in exact arithmetic, all
//! needed in rounded: the gap between v and the plane through w is below 10⁻¹² of the distance; w
//! is a corner of the simplex already; the new v is no nearer than the old one, which is then kept.
//! So the distance falls strictly from round to round and nothing can cycle; `MOST_ROUNDS` is only
//! reached by smooth shapes.
//!
//! The last two may end it too early where shapes are thin and close: v is the small difference of
//! large numbers, and points in a slightly wrong direction. Then the plane through w does not part
//! the shapes, though v is not zero, and neither answer is certain. So the search is not believed:
//! planes through the corners are tried, which do not go by v (the `doubt` module), and without one
//! that parts them the shapes meet. Where shapes overlap by more than rounding no plane parts them,
//! so they are never called apart.
//!
//! Sizes and distances must have squares that f64 can hold: 10⁻¹⁵⁰ to 10¹⁵⁰.

mod doubt;

use glam::DVec3;

use super::BoxShape;
use super::simplex::{combine, nearest};

/// Boxes need four or five, rarely ten; a smooth shape gains a digit in every few.
const MOST_ROUNDS: u32 = 100;

/// When the distance is known to this part of itself, the search is over.
const RELATIVE_GAP: f64 = 1e-12;

/// Nearer to the origin than this part of the size of the points involved is touching: 45
/// roundings.
const ROUNDING: f64 = 45.0 * f64::EPSILON / 2.0;

/// A convex, bounded, closed shape, known by its farthest points.
pub trait Support {
    /// A point of the shape that is farthest in a direction, which need not have unit length.
    fn support(&self, direction: DVec3) -> DVec3;

    /// Some point of the shape; the search starts there, and starts well if it is in the middle.
    fn inner(&self) -> DVec3 {
        self.support(DVec3::X)
    }

    /// A round shape is all that is at most this far from its core.
    fn radius(&self) -> f64 {
        0.0
    }

    /// A point of the core that is farthest in a direction: of the shape itself, where nothing is
    /// round.
    fn core(&self, direction: DVec3) -> DVec3 {
        self.support(direction)
    }
}

impl Support for BoxShape {
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        let along = DVec3::new(
            self.axes.x_axis.dot(direction),
            self.axes.y_axis.dot(direction),
            self.axes.z_axis.dot(direction),
        );
        let towards = |axis: usize| self.half[axis].copysign(along[axis]);
        self.center + self.axes * DVec3::new(towards(0), towards(1), towards(2))
    }

    #[inline]
    fn inner(&self) -> DVec3 {
        self.center
    }
}

/// The convex hull of one or more points: of a [`Hull`](crate::internal::geom::hull::Hull), its
/// corners will do.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a>(pub &'a [DVec3]);

impl Support for Points<'_> {
    /// # Panics
    /// If there are no points.
    fn support(&self, direction: DVec3) -> DVec3 {
        let mut best = (self.0[0], self.0[0].dot(direction));
        for &point in &self.0[1..] {
            let along = point.dot(direction);
            if along > best.1 {
                best = (point, along);
            }
        }
        best.0
    }
}

/// The answer of [`distance`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gjk {
    /// How far the shapes are apart; 0 where they meet.
    pub distance: f64,
    /// The nearest point of the first shape, or a common point where they meet.
    pub point_a: DVec3,
    /// The nearest point of the second shape, or the common point again.
    pub point_b: DVec3,
    /// How many times the shapes were asked for a farthest point.
    pub iterations: u32,
}

/// How far two convex shapes are apart, and where they are nearest.
///
/// ```
/// use elbowroom::internal::convex::gjk::{Points, distance};
/// use glam::DVec3;
///
/// let edge = [DVec3::new(-1.0, 0.0, 2.0), DVec3::new(1.0, 0.0, 2.0)];
/// let corner = [DVec3::ZERO, -DVec3::Z, DVec3::Y - DVec3::Z];
/// assert_eq!(distance(&Points(&edge), &Points(&corner)).distance, 2.0);
/// ```
pub fn distance(a: &impl Support, b: &impl Support) -> Gjk {
    let mut search = Search::new(a, b);
    while search.step(a, b, false) {}
    let (point_a, point_b) = search.points();
    let distance = if search.meets { 0.0 } else { search.nearest.length() };
    Gjk { distance, point_a, point_b, iterations: search.iterations }
}

/// Whether two convex shapes meet, touching included: as [`distance`], but it ends as soon as a
/// plane between them is seen.
pub fn overlap(a: &impl Support, b: &impl Support) -> bool {
    let mut search = Search::new(a, b);
    while search.step(a, b, true) {}
    search.meets
}

/// A point of the set of differences, and where it comes from.
#[derive(Clone, Copy, Default)]
struct Difference {
    a: DVec3,
    b: DVec3,
}

impl Difference {
    fn value(&self) -> DVec3 {
        self.a - self.b
    }

    /// The farthest point against a direction.
    fn against(a: &impl Support, b: &impl Support, direction: DVec3) -> Self {
        Self { a: a.support(-direction), b: b.support(direction) }
    }

    /// What its rounding is to be measured by.
    fn size(&self) -> f64 {
        self.a.abs().max(self.b.abs()).max_element()
    }
}

struct Search {
    corners: [Difference; 4],
    len: usize,
    weights: [f64; 4],
    /// The nearest point of the simplex.
    nearest: DVec3,
    meets: bool,
    iterations: u32,
}

impl Search {
    fn new(a: &impl Support, b: &impl Support) -> Self {
        let first = Difference { a: a.inner(), b: b.inner() };
        let mut corners = [Difference::default(); 4];
        corners[0] = first;
        let nearest = first.value();
        Self {
            corners,
            len: 1,
            weights: [1.0, 0.0, 0.0, 0.0],
            nearest,
            meets: nearest == DVec3::ZERO,
            iterations: 0,
        }
    }

    /// One more farthest point; says whether to go on.
    fn step(&mut self, a: &impl Support, b: &impl Support, only_overlap: bool) -> bool {
        if self.meets || self.iterations == MOST_ROUNDS {
            return false;
        }
        self.iterations += 1;
        let v = self.nearest;
        let next = Difference::against(a, b, v);
        let w = next.value();
        let (squared, along) = (v.length_squared(), v.dot(w));
        let is_parted = along > ROUNDING * squared.sqrt() * next.size();
        if only_overlap && is_parted {
            return false;
        }
        let known = self.corners[..self.len].iter().any(|corner| corner.value() == w);
        if !known && squared - along > RELATIVE_GAP * squared && self.add(next) {
            return true;
        }
        if !self.meets && !is_parted {
            let corners = self.corners[..self.len].iter().map(Difference::value).chain([w]);
            self.meets = !doubt::is_parted(a, b, corners);
        }
        false
    }

    /// Adds a corner and keeps those that make up the nearest point; says whether it came nearer
    /// without reaching the origin.
    fn add(&mut self, next: Difference) -> bool {
        let mut corners = self.corners;
        corners[self.len] = next;
        let count = self.len + 1;
        let values = corners.map(|corner| corner.value());
        let weights = nearest(&values[..count]);
        let point = combine(values.into_iter(), weights);
        let inside = weights.iter().all(|&weight| weight > 0.0);
        if !inside && point.length_squared() >= self.nearest.length_squared() {
            return false;
        }
        self.len = 0;
        self.weights = [0.0; 4];
        let mut size: f64 = 0.0;
        for (corner, weight) in corners.into_iter().zip(weights).filter(|&(_, weight)| weight > 0.0)
        {
            self.corners[self.len] = corner;
            self.weights[self.len] = weight;
            self.len += 1;
            size = size.max(corner.size());
        }
        self.nearest = point;
        self.meets = inside || point.length() <= ROUNDING * size;
        !self.meets
    }

    fn points(&self) -> (DVec3, DVec3) {
        let of =
            |pick: fn(&Difference) -> DVec3| combine(self.corners.iter().map(pick), self.weights);
        (of(|corner| corner.a), of(|corner| corner.b))
    }
}
