//! Two bodies that move as one piece each.
//!
//! A point that turns leaves its chord by at most ω²r·h²/8 in a part h of the time. So over that
//! part the vertices are taken to move in straight lines, and as near as both may be off counts as
//! contact ([`RigidMotion::off_chord`]). If there is none, the part is over; if there is one,
//! nothing meets before it, and the search goes on from there in a shorter part, in which less is
//! off; until what is off is small against δ. Both the parts and what is off shrink quickly: half
//! the part, a quarter of it off.

use glam::DVec3;

use super::motion::RigidMotion;
use super::swept::SweptMesh;
use super::{CcdOptions, FINEST, Steps, TimeOfImpact, descent};
use crate::internal::exact::Approach;
use crate::internal::model::Model;

/// The first contact of two models that move rigidly. Builds trees for the query; callers with many
/// queries keep the trees and call [`time_of_impact_rigid`].
///
/// ```
/// use elbowroom::internal::query::{CcdOptions, RigidMotion, time_of_impact};
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let wall = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::Y, DVec3::Z], vec![[0, 1, 2]])?);
/// let from = Pose::from_translation(DVec3::new(-3.0, 0.1, 0.1))?;
/// let bullet = RigidMotion::new(from).travelling(DVec3::X * 12.0)?;
/// let still = RigidMotion::new(Pose::IDENTITY);
/// let since = time_of_impact(&wall, &still, &wall, &bullet, &CcdOptions::default());
/// assert!((since.expect("it goes through").time - 0.25).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn time_of_impact(
    a: &Model,
    motion_a: &RigidMotion,
    b: &Model,
    motion_b: &RigidMotion,
    timing: &CcdOptions,
) -> Option<TimeOfImpact> {
    let [mut a, mut b] = [a, b].map(|model| SweptMesh::new(model.mesh().clone()));
    time_of_impact_rigid(&mut a, motion_a, &mut b, motion_b, timing, &mut Steps::default())
}

/// The first contact of two rigid motions, as by [`time_of_impact`], with trees that the caller
/// keeps. The bodies are the meshes that the trees were made of; the positions of the trees'
/// vertices afterwards are unspecified.
///
/// Nothing is found where coordinates grow beyond f64.
pub fn time_of_impact_rigid(
    a: &mut SweptMesh,
    motion_a: &RigidMotion,
    b: &mut SweptMesh,
    motion_b: &RigidMotion,
    timing: &CcdOptions,
    steps: &mut Steps,
) -> Option<TimeOfImpact> {
    let bodies = [Body::new(a, motion_a), Body::new(b, motion_b)];
    let size = bodies[0].size.max(bodies[1].size);
    let lost = bodies[0].lost + bodies[1].lost;
    let delta = (timing.delta.max(FINEST) * size).max(16.0 * lost);
    let off = |part: f64| bodies[0].off(part) + bodies[1].off(part) + lost;
    let fastest = motion_a.angle().max(motion_b.angle());
    let longest = if fastest > LARGEST_TURN { LARGEST_TURN / fastest } else { 1.0 };
    let (mut from, mut part) = (0.0, longest);
    loop {
        let to = if from + part < 1.0 { from + part } else { 1.0 };
        let off = off(to - from);
        bodies[0].carry(a, from, to)?;
        bodies[1].carry(b, from, to)?;
        let offset = timing.clearance.max(0.0) + off;
        let approach = Approach { offset, delta: (0.25 * delta).max(0.5 * off), until: 1.0 };
        let Some(since) = descent::first(a, b, &approach, steps) else {
            if to >= 1.0 {
                return None;
            }
            (from, part) = (to, (2.0 * part).min(longest));
            continue;
        };
        // A rounding earlier.
        let time = (from + (to - from) * since.time - f64::EPSILON).max(from);
        // Where the part begins, chords begin, and nothing is off them.
        let off = if since.time == 0.0 { lost } else { off };
        let separation = since.separation + off;
        if separation <= timing.clearance.max(0.0) + delta || to - from <= SHORTEST {
            return Some(TimeOfImpact { time, separation, ..since });
        }
        (from, part) = (time, 0.5 * (to - from));
    }
}

/// The largest turn, in radians, that is taken at once.
const LARGEST_TURN: f64 = 0.5;

/// A part of the time that is not halved any more: what is off in it is below what f64 resolves,
/// unless a body turns millions of times.
const SHORTEST: f64 = 1.0 / (1_u64 << 40) as f64;

/// A body, and what its motion costs.
struct Body<'a> {
    motion: &'a RigidMotion,
    radius: f64,
    lost: f64,
    size: f64,
}

impl<'a> Body<'a> {
    fn new(swept: &SweptMesh, motion: &'a RigidMotion) -> Self {
        let of = |f: &dyn Fn(DVec3) -> f64| swept.rest.iter().map(|&p| f(p)).fold(0.0, f64::max);
        let radius = of(&|p| motion.radius(p)) * (1.0 + 1e-9);
        let reach = of(&|p| motion.place().apply(p).abs().element_sum());
        let first = swept.rest[0];
        let size = of(&|p| (p - first).abs().max_element());
        Self { motion, radius, lost: motion.lost(reach), size }
    }

    fn off(&self, part: f64) -> f64 {
        self.motion.off_chord(part, self.radius)
    }

    /// Moves the vertices to the beginning and the end of a part of the time. `None` if they are
    /// not finite there.
    fn carry(&self, swept: &mut SweptMesh, from: f64, to: f64) -> Option<()> {
        let mut room = std::mem::take(&mut swept.room);
        for (points, time) in room.iter_mut().zip([from, to]) {
            let turned = self.motion.turned(time);
            points.clear();
            points.extend(swept.rest.iter().map(|&p| self.motion.carry(&turned, p, time)));
        }
        let is_set = swept.set_from(&room);
        swept.room = room;
        is_set
    }
}
