//! Which clip may follow which: a motion graph.
//!
//! Clip b may follow clip a if the first pose of b is like the last pose of a. Poses are compared
//! as clouds of joint positions, after the one has been turned about the vertical and moved along
//! the ground so that it lies on the other as well as it can: where people stand and whereto they
//! look does not matter. The best turn of two clouds in the plane has a closed form: with both
//! centred, its cosine and sine are as Σ p·q and Σ p × q. The distance is the root of the mean
//! square of what is left, heights included.
//!
//! Source: Kovar, Gleicher and Pighin, *Motion graphs*, 2002, section 3.1, for the distance;
//! Gleicher, Shin, Kovar and Jepsen, *Snap-together motion*, 2003, for clips that are joined at
//! their ends. We differ in that poses are single frames and not windows of them, with all joints
//! weighted alike.

use std::sync::Arc;

use glam::{DAffine3, DVec2};

use crate::mobb::sequence::Sequence;
use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::body::{Clip, Skeleton};
use elbowroom_motion::space_time::error::{TraceError, TraceErrorKind};
use elbowroom_motion::space_time::from_body::Times;
use elbowroom_motion::space_time::{Config, Taking, Trace, Tracked, Up};

/// A pose as points: the positions of the joints on the ground, and their heights.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloud {
    /// The position of each joint on the ground.
    pub ground: Vec<DVec2>,
    /// The height of each joint.
    pub height: Vec<f64>,
}

impl Cloud {
    /// How the other pose is to be placed so that it lies on this one as well as it can, and the
    /// distance that is left: the root of the mean square over all joints. Poses of different
    /// skeletons are compared as far as both have joints; without any the distance is 0.
    ///
    /// ```
    /// use elbowroom_papers::mobb::graph::Cloud;
    /// use glam::DVec2;
    ///
    /// let here = Cloud { ground: vec![DVec2::ZERO, DVec2::X], height: vec![1.0, 2.0] };
    /// let there = Cloud { ground: vec![DVec2::new(5.0, 5.0), DVec2::new(5.0, 6.0)], height: vec![1.0, 2.0] };
    /// let (at, distance) = here.align(&there);
    /// assert!(distance < 1e-15 && at.apply(there.ground[1]).distance(DVec2::X) < 1e-15);
    /// ```
    pub fn align(&self, other: &Self) -> (Planar, f64) {
        let count = self.ground.len().min(other.ground.len());
        if count == 0 {
            return (Planar::IDENTITY, 0.0);
        }
        let mean =
            |points: &[DVec2]| points[..count].iter().map(|&p| p / count as f64).sum::<DVec2>();
        let (to, from) = (mean(&self.ground), mean(&other.ground));
        let (mut dot, mut cross) = (0.0, 0.0);
        for (p, q) in self.ground.iter().zip(&other.ground) {
            let (p, q) = (*p - to, *q - from);
            dot += q.dot(p);
            cross += q.perp_dot(p);
        }
        let turn = DVec2::new(dot, cross).try_normalize().unwrap_or(DVec2::X);
        let back = DVec2::new(turn.x * from.x - turn.y * from.y, turn.y * from.x + turn.x * from.y);
        // Sums of finite numbers that overflow are no pose; then nothing is moved.
        let at = Planar::new(turn.x, turn.y, to - back).unwrap_or(Planar::IDENTITY);
        let squares: f64 = (0..count)
            .map(|k| {
                let rise = self.height[k] - other.height[k];
                self.ground[k].distance_squared(at.apply(other.ground[k])) + rise * rise
            })
            .sum();
        (at, (squares / count as f64).sqrt())
    }
}

/// A clip with the poses at its ends.
#[derive(Clone, Debug)]
pub struct GraphClip {
    /// The motion.
    pub clip: Arc<Tracked>,
    /// The first pose.
    pub first: Cloud,
    /// The last pose.
    pub last: Cloud,
}

/// A clip that may follow another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The clip that follows.
    pub to: usize,
    /// The place in the frame of the clip before.
    pub at: Planar,
    /// The distance of the two poses.
    pub distance: f64,
    /// Whether it is there only because nothing else follows.
    pub is_forced: bool,
}

/// Clips, and which may follow which.
#[derive(Clone, Debug)]
pub struct Graph {
    clips: Vec<GraphClip>,
    edges: Vec<Vec<Edge>>,
}

impl Graph {
    /// Connects clips whose poses are no farther apart than the threshold. Where nothing follows,
    /// the clip whose first pose is nearest does.
    ///
    /// # Errors
    /// If there are no clips, their sampling times differ, or they have different numbers of
    /// joints.
    pub fn new(clips: Vec<GraphClip>, threshold: f64) -> Result<Self, TraceError> {
        let first = clips.first().ok_or(TraceErrorKind::Empty)?;
        let (expected, joints) = (first.clip.trace().dt(), first.first.ground.len());
        for (clip, each) in clips.iter().enumerate() {
            let dt = each.clip.trace().dt();
            if dt != expected {
                return Err(TraceErrorKind::DifferentSteps { clip, dt, expected }.into());
            }
            for pose in [&each.first, &each.last] {
                if pose.ground.len() != joints || pose.height.len() != joints {
                    let joints_here = pose.ground.len();
                    return Err(TraceErrorKind::DifferentSkeletons {
                        clip,
                        joints: joints_here,
                        expected: joints,
                    }
                    .into());
                }
            }
        }
        let edges = clips.iter().map(|from| following(from, &clips, threshold)).collect();
        Ok(Self { clips, edges })
    }

    /// The clips, as given.
    pub fn clips(&self) -> &[GraphClip] {
        &self.clips
    }

    /// The clips that may follow a clip, in order.
    ///
    /// # Panics
    /// If there is no such clip.
    pub fn following(&self, clip: usize) -> &[Edge] {
        &self.edges[clip]
    }

    /// The number of edges within the threshold.
    pub fn edges(&self) -> usize {
        self.edges.iter().flatten().filter(|edge| !edge.is_forced).count()
    }

    /// The clips along a way through the graph, as one motion: a first clip, then each time the
    /// edge of that number.
    ///
    /// # Errors
    /// If there would be too many samples.
    ///
    /// # Panics
    /// If there is no such clip or edge.
    pub fn sequence(&self, first: usize, way: &[usize]) -> Result<Sequence, TraceError> {
        let mut sequence = Sequence::new();
        let (mut clip, mut at) = (first, Planar::IDENTITY);
        sequence.push(self.clips[clip].clip.clone(), at)?;
        for &edge in way {
            let edge = self.edges[clip][edge];
            (clip, at) = (edge.to, at.after(&edge.at).tidied());
            sequence.push(self.clips[clip].clip.clone(), at)?;
        }
        Ok(sequence)
    }
}

fn following(from: &GraphClip, clips: &[GraphClip], threshold: f64) -> Vec<Edge> {
    let all = clips.iter().enumerate().map(|(to, next)| {
        let (at, distance) = from.last.align(&next.first);
        Edge { to, at, distance, is_forced: false }
    });
    let near: Vec<Edge> = all.clone().filter(|edge| edge.distance <= threshold).collect();
    if near.is_empty() {
        let least = all.min_by(|x, y| x.distance.total_cmp(&y.distance));
        return least.map(|edge| Edge { is_forced: true, ..edge }).into_iter().collect();
    }
    near
}

impl Cloud {
    /// The joints of a posed skeleton: `world_from_joint` of each, as [`Skeleton::world`] gives
    /// them.
    pub fn of_joints(world: &[DAffine3], up: Up, scale: f64) -> Self {
        let points = || world.iter().map(|joint| joint.translation);
        Self {
            ground: points().map(|p| up.ground(p) * scale).collect(),
            height: points().map(|p| up.height(p) * scale).collect(),
        }
    }
}

impl GraphClip {
    /// A clip of a skeleton, with its trace, its trees and the poses of its first and last sample.
    ///
    /// # Errors
    /// As [`Trace::from_clip`] and [`Tracked::new`].
    pub fn from_clip(
        skeleton: &Skeleton,
        clip: &Clip,
        taking: &Taking,
        config: Config,
    ) -> Result<Self, TraceError> {
        let trace = Trace::from_clip(skeleton, clip, taking)?;
        let times = Times::new(clip, taking)?;
        let (mut pose, mut world) = (skeleton.rest_pose(), Vec::new());
        let mut cloud = |frame: usize| {
            clip.sample(times.start + frame as f64 * times.dt, &mut pose);
            skeleton.world(&pose, &mut world);
            Cloud::of_joints(&world, taking.up, taking.scale)
        };
        let (first, last) = (cloud(0), cloud(times.count - 1));
        Ok(Self { clip: Arc::new(Tracked::new(trace, config)?), first, last })
    }
}
