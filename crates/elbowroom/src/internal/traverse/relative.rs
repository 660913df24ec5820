//! The relative transform of two packed trees, island by island.
//!
//! Boxes are in f32 around the origins of their islands, so that every two islands have a step of
//! their own between them. It is worked out in f64 from the two poses and rounded once; what that
//! loses, and what the boxes lose, is the slack of the two (`docs/notes/obb-batches.md`). The
//! smaller the islands, the smaller it is.

use glam::{DMat3, DVec3};

use crate::internal::bvh::packed::Island;
use crate::internal::exact::TriangleTransform;
use crate::internal::math::pose::Pose;
use crate::internal::volume::obb_batch::{BoxTransform, SLACK};

/// Half the distance from 1 to the next number, in f32 and f64.
const U32: f64 = 1.0 / (1_u64 << 24) as f64;
const U64: f64 = 1.0 / (1_u64 << 53) as f64;

/// The relative transform of two poses, in f64.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativePose {
    turn_a: DMat3,
    turn_b: DMat3,
    /// From the one translation to the other.
    step: DVec3,
    /// The first rotation, undone.
    back: DMat3,
    /// The second rotation, seen from the first.
    turn: DMat3,
    deviation: f64,
}

/// The transforms of the boxes of two islands into each other's frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxTransforms {
    /// The first one's boxes, seen from the second.
    pub a_in_b: BoxTransform,
    /// The second one's boxes, seen from the first.
    pub b_in_a: BoxTransform,
}

impl BoxTransforms {
    /// By the tree that a box is of.
    #[inline]
    pub(super) fn of_either(self) -> [BoxTransform; 2] {
        [self.a_in_b, self.b_in_a]
    }
}

impl RelativePose {
    /// The relative transform of two poses. `None` if their distance is beyond f64, and so beyond
    /// any packed tree.
    #[inline]
    pub fn new(pose_a: &Pose, pose_b: &Pose) -> Option<Self> {
        let step = step(pose_a, pose_b);
        let (turn_a, turn_b) = (pose_a.rotation(), pose_b.rotation());
        let back = turn_a.inverse();
        let deviation = pose_a.deviation() + pose_b.deviation();
        let turn = back * turn_b;
        step.is_finite().then_some(Self { turn_a, turn_b, step, back, turn, deviation })
    }

    /// The relative transform of two poses, and that of two islands. `None` also if their bounding
    /// spheres are farther apart than a limit, which decides most pairs of bodies.
    #[inline]
    pub fn near(
        pose_a: &Pose,
        a: &Island,
        pose_b: &Pose,
        b: &Island,
        limit: f64,
    ) -> Option<(Self, BoxTransforms)> {
        let gap = Gap::new([pose_a.rotation(), pose_b.rotation()], step(pose_a, pose_b), a, b);
        if gap.is_wide(a, b, pose_a.deviation() + pose_b.deviation(), limit) {
            return None;
        }
        let relative = Self::new(pose_a, pose_b)?;
        Some((relative, relative.frames_over(a, b, &gap)))
    }

    /// The relative transform of two islands. `None` if their bounding spheres are farther apart
    /// than a limit.
    #[inline]
    pub fn frames(&self, a: &Island, b: &Island, limit: f64) -> Option<BoxTransforms> {
        let gap = Gap::new([self.turn_a, self.turn_b], self.step, a, b);
        (!gap.is_wide(a, b, self.deviation, limit)).then(|| self.frames_over(a, b, &gap))
    }

    #[inline]
    fn frames_over(&self, a: &Island, b: &Island, &Gap { between, far }: &Gap) -> BoxTransforms {
        let slack = (SLACK * U32 + 12.0 * self.deviation) * (a.reach + b.reach + size(between))
            + 64.0 * U64 * far;
        let between = self.back * between;
        // The way back is the transpose but for the deviations, which the slack knows.
        let turn_back = self.turn.transpose();
        BoxTransforms {
            a_in_b: BoxTransform::new(turn_back, turn_back * -between, slack),
            b_in_a: BoxTransform::new(self.turn, between, slack),
        }
    }

    /// How triangles are seen, given how far both meshes reach from their own origins together.
    #[inline]
    pub fn triangle_transform(&self, reach: f64) -> TriangleTransform {
        TriangleTransform::new(self.turn, self.back * self.step, reach + size(self.step))
    }
}

/// What lies between two islands.
struct Gap {
    /// The step from the one origin to the other.
    between: DVec3,
    /// The magnitudes that it was worked out from.
    far: f64,
}

impl Gap {
    #[inline]
    fn new([turn_a, turn_b]: [DMat3; 2], step: DVec3, a: &Island, b: &Island) -> Self {
        Self {
            between: step + turn_b * b.origin - turn_a * a.origin,
            far: size(a.origin) + size(b.origin) + size(step),
        }
    }

    /// Whether the balls around the islands are farther apart than a limit.
    ///
    /// A matrix that is off by δ moves a corner by at most δ of its distance from the origin, and
    /// 2⁻²⁰ of the radii is far more than that and all roundings are. Squares are compared,
    /// which takes no root: beyond the range of f64 they say no, or are those of balls that are.
    #[inline]
    fn is_wide(&self, a: &Island, b: &Island, deviation: f64, limit: f64) -> bool {
        let reach = (a.radius + b.radius + limit) * (1.0 + 16.0 * U32) + 64.0 * U64 * self.far;
        let kept = 1.0 - 4.0 * deviation;
        self.between.length_squared() * (kept * kept) > reach * reach
    }
}

/// From the one translation to the other.
#[inline]
fn step(pose_a: &Pose, pose_b: &Pose) -> DVec3 {
    pose_b.translation() - pose_a.translation()
}

fn size(v: DVec3) -> f64 {
    v.abs().element_sum()
}
