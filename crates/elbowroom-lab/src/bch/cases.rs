//! Two people on one floor: pairs that collide, pairs that just do not, and pairs of which one
//! walks up to the other.

use elbowroom::Pose;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::query;
use elbowroom::internal::traverse::Workspace;
use glam::{DMat3, DVec2, DVec3};

use super::bodies::Bodies;
use crate::random::Random;

/// Two poses and where they stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) at_a: Planar,
    pub(super) at_b: Planar,
}

impl Case {
    /// Whether the meshes have a point in common.
    pub(super) fn collides(&self, bodies: &Bodies) -> bool {
        let (a, b) = (&bodies.poses[self.a].model, &bodies.poses[self.b].model);
        query::intersects(a, &upright(&self.at_a), b, &upright(&self.at_b))
    }

    /// How far apart the meshes are.
    pub(super) fn distance(&self, bodies: &Bodies, workspace: &mut Workspace) -> f64 {
        let (a, b) = (&bodies.poses[self.a].model, &bodies.poses[self.b].model);
        let (at_a, at_b) = (upright(&self.at_a), upright(&self.at_b));
        let nearest = query::distance(a, &at_a, b, &at_b, f64::INFINITY, workspace);
        nearest.map_or(f64::INFINITY, |nearest| nearest.distance)
    }

    /// The first body moved on.
    pub(super) fn moved(&self, way: DVec2) -> Self {
        let (cos, sin) = self.at_a.turn();
        let at_a = planar(cos, sin, self.at_a.translation() + way);
        Self { at_a, ..*self }
    }
}

/// A pose of a turn that is one.
pub(super) fn planar(cos: f64, sin: f64, at: DVec2) -> Planar {
    Planar::new(cos, sin, at).unwrap_or_default()
}

/// Turned to the left, and where.
pub(crate) fn turned(angle: f64, at: DVec2) -> Planar {
    Planar::from_angle(angle, at).unwrap_or_default()
}

/// The pose in space.
pub(crate) fn upright(at: &Planar) -> Pose {
    let (cos, sin) = at.turn();
    let turn = DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
    Pose::new(turn, at.translation().extend(0.0)).unwrap_or(Pose::IDENTITY)
}

/// Random pairs, of those that are asked for: two poses, a turn and a shift.
pub(super) fn pairs(
    bodies: &Bodies,
    count: usize,
    seed: u64,
    is_wanted: impl Fn(&Case) -> bool,
) -> Vec<Case> {
    let mut random = Random::new(seed);
    let mut cases = Vec::with_capacity(count);
    while cases.len() < count {
        let [a, b] = [0; 2].map(|_| random.below(bodies.len() as u64) as usize);
        let shift = DVec2::new(random.uniform(-0.9, 0.9), random.uniform(-0.9, 0.9));
        let at_b = turned(random.uniform(-3.2, 3.2), shift);
        let case = Case { a, b, at_a: Planar::IDENTITY, at_b };
        if is_wanted(&case) {
            cases.push(case);
        }
    }
    cases
}

/// The paper's start: the first stands in the origin, the second at (2, y), both turned at random,
/// y within half a metre.
pub(super) fn start(bodies: &Bodies, random: &mut Random) -> Case {
    let [a, b] = [0; 2].map(|_| random.below(bodies.len() as u64) as usize);
    let at_a = turned(random.uniform(-3.2, 3.2), DVec2::ZERO);
    let beside = random.uniform(-0.5, 0.5);
    let at_b = turned(random.uniform(-3.2, 3.2), DVec2::new(2.0, beside));
    Case { a, b, at_a, at_b }
}
