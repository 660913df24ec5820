//! Convex shapes that are known by their farthest points.
//!
//! What is round has a core: a ball is all that is near to a point, a capsule all that is near to a
//! segment. Cores have corners, and the radius only adds to distances; so round shapes are as easy
//! and as exact as their cores.

use glam::DVec3;

use super::gjk::{Points, Support};
use crate::internal::geom::hull::hull;
use crate::internal::geom::mesh::Mesh;
use crate::internal::math::pose::Pose;

/// All that is at most `radius` from a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// The middle.
    pub center: DVec3,
    /// Not negative.
    pub radius: f64,
}

impl Support for Ball {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.center + outward(direction, self.radius)
    }

    fn inner(&self) -> DVec3 {
        self.center
    }

    fn radius(&self) -> f64 {
        self.radius
    }

    fn core(&self, _: DVec3) -> DVec3 {
        self.center
    }
}

/// All that is at most `radius` from a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// The ends of the segment.
    pub ends: [DVec3; 2],
    /// Not negative.
    pub radius: f64,
}

impl Support for Capsule {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.core(direction) + outward(direction, self.radius)
    }

    fn inner(&self) -> DVec3 {
        0.5 * self.ends[0] + 0.5 * self.ends[1]
    }

    fn radius(&self) -> f64 {
        self.radius
    }

    fn core(&self, direction: DVec3) -> DVec3 {
        Points(&self.ends).support(direction)
    }
}

fn outward(direction: DVec3, radius: f64) -> DVec3 {
    direction.try_normalize().map_or(DVec3::ZERO, |unit| unit * radius)
}

/// The convex hull of points, kept as its corners.
///
/// ```
/// use elbowroom::internal::convex::shape::{Corners, Placed};
/// use elbowroom::internal::convex::penetration;
/// use elbowroom::{Mesh, Pose};
/// use glam::DVec3;
///
/// let points = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// let hull = Corners::of_mesh(&mesh).expect("there are triangles");
/// let above = Pose::from_translation(0.75 * DVec3::Z)?;
/// let found = penetration(&hull, &Placed { shape: &hull, pose: &above });
/// assert!((found.upper - 0.25 / 3.0_f64.sqrt()).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Corners {
    corners: Vec<DVec3>,
    middle: DVec3,
}

impl Corners {
    /// Of finite points; `None` if there are none.
    pub fn of_points(points: &[DVec3]) -> Option<Self> {
        if points.is_empty() {
            return None;
        }
        let corners = hull(points).corners();
        let share = 1.0 / corners.len() as f64;
        let middle = corners.iter().map(|&corner| share * corner).sum();
        Some(Self { corners, middle })
    }

    /// Of the triangles of a mesh; `None` if there are none. What is convex is its own hull.
    pub fn of_mesh(mesh: &Mesh) -> Option<Self> {
        let points: Vec<DVec3> =
            (0..mesh.triangles().len()).flat_map(|triangle| mesh.triangle(triangle)).collect();
        Self::of_points(&points)
    }

    /// The corners, each once.
    pub fn corners(&self) -> &[DVec3] {
        &self.corners
    }
}

impl Support for Corners {
    fn support(&self, direction: DVec3) -> DVec3 {
        Points(&self.corners).support(direction)
    }

    fn inner(&self) -> DVec3 {
        self.middle
    }
}

/// A shape that stands somewhere else.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a, S> {
    /// The shape, in its own frame.
    pub shape: &'a S,
    /// Where it stands.
    pub pose: &'a Pose,
}

impl<S: Support> Support for Placed<'_, S> {
    fn support(&self, direction: DVec3) -> DVec3 {
        let own = self.pose.rotation().transpose() * direction;
        self.pose.apply(self.shape.support(own))
    }

    fn inner(&self) -> DVec3 {
        self.pose.apply(self.shape.inner())
    }

    fn radius(&self) -> f64 {
        self.shape.radius()
    }

    fn core(&self, direction: DVec3) -> DVec3 {
        let own = self.pose.rotation().transpose() * direction;
        self.pose.apply(self.shape.core(own))
    }
}
