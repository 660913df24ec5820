//! How deep two links are in each other.
//!
//! A translation parts two convex links, and [`penetration`] finds the smallest. Links that are not
//! convex are asked about by their hulls, and the answer says so: the hulls may be deep in each
//! other where the links barely touch, or do not touch at all.
//!
//! Both links are seen from where the first one stands, so that it does not matter how far from the
//! world's origin they are.

use glam::{DMat3, DVec3};

use crate::cab::hierarchy::CabHierarchy;
use elbowroom::internal::convex::gjk::Support;
use elbowroom::internal::convex::penetration;
use elbowroom::internal::convex::shape::Corners;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::Model;

/// Beyond this, squares on the way might overflow.
const LARGEST: f64 = 1e140;

/// The penetration depth of two links.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkDepth {
    /// No shorter translation parts them. 0 where they are apart or only touch.
    pub lower: f64,
    /// A translation of this length along the direction parts them. 0 where they are apart.
    pub upper: f64,
    /// The direction in which to move the second link, a unit vector.
    pub direction: DVec3,
    /// In the world: the point of the first that is deepest in the second, seen along the
    /// direction, and that of the second in the first.
    pub points: [DVec3; 2],
    /// Whether this is the depth of the hulls, because one of the links is not
    /// [convex](elbowroom::internal::model::Hulled::is_convex).
    pub of_hulls: bool,
}

/// The penetration depth of a link of one body and a link of another, or of the same; also if one
/// is wholly within the other and no triangles touch.
///
/// Nothing, if a link has no triangles or coordinates are beyond 10¹⁴⁰. The hull of a model is made
/// when it is first asked for.
///
/// ```
/// use std::sync::Arc;
/// use elbowroom_papers::cab::depth;
/// use elbowroom_papers::cab::{ArticulatedBody, CabHierarchy, RefitMethod, Link};
/// use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::model::Model;
/// use glam::{DAffine3, DVec3};
///
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let mesh = Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// let skeleton = Skeleton::new(vec![Joint { name: "tip".into(), parent: None, rest: Local::IDENTITY }])?;
/// let model = Arc::new(Model::new(mesh));
/// let link = Link { joint: JointId(0), model, joint_from_link: Pose::IDENTITY, name: "tip".into() };
/// let tip = Arc::new(ArticulatedBody::new(&skeleton, vec![link])?);
///
/// let a = CabHierarchy::new(Arc::clone(&tip), RefitMethod::AabbCentre);
/// let mut b = CabHierarchy::new(tip, RefitMethod::AabbCentre);
/// b.update(&[DAffine3::from_translation(0.75 * DVec3::Z)])?;
/// let found = depth(&a, 0, &b, 0).expect("both have triangles");
/// assert!((found.upper - 0.25 / 3.0_f64.sqrt()).abs() < 1e-9 && !found.of_hulls);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If there is no such link.
pub fn depth(a: &CabHierarchy, link_a: u32, b: &CabHierarchy, link_b: u32) -> Option<LinkDepth> {
    let ((model_a, place_a), (model_b, place_b)) = (a.link_placed(link_a), b.link_placed(link_b));
    depth_of_models(model_a, place_a, model_b, place_b)
}

/// How deep two placed models are in each other.
pub(super) fn depth_of_models(
    model_a: &Model,
    place_a: &Pose,
    model_b: &Model,
    place_b: &Pose,
) -> Option<LinkDepth> {
    let (first, second) = (model_a.hulled()?, model_b.hulled()?);
    let origin = place_a.translation();
    let shift = place_b.translation() - origin;
    let far = model_a.reach().max(model_b.reach()).max(shift.abs().max_element());
    // NaN is too far as well.
    if far.is_nan() || far >= LARGEST {
        return None;
    }
    let stand = |corners, place: &Pose, shift| {
        let turn = place.rotation();
        Standing { corners, turn, back: turn.transpose(), shift }
    };
    let found = penetration(
        &stand(first.corners(), place_a, DVec3::ZERO),
        &stand(second.corners(), place_b, shift),
    );
    Some(LinkDepth {
        lower: found.lower,
        upper: found.upper,
        direction: found.direction,
        points: [found.point_a + origin, found.point_b + origin],
        of_hulls: !(first.is_convex() && second.is_convex()),
    })
}

/// A hull, turned and moved.
struct Standing<'a> {
    corners: &'a Corners,
    turn: DMat3,
    back: DMat3,
    shift: DVec3,
}

impl Support for Standing<'_> {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.turn * self.corners.support(self.back * direction) + self.shift
    }

    fn inner(&self) -> DVec3 {
        self.turn * self.corners.inner() + self.shift
    }
}
