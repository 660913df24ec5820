//! The scenes of the tables: two bodies, frame after frame, and which pairs of links are asked about.

use std::sync::Arc;

use elbowroom::body::{Articulation, Hold, Joint, JointId, Local, Part, Rig, Skeleton};
use elbowroom_make::{Chains, HandAndBall, Link, Play, chains, hand_and_ball};
use glam::DAffine3;

/// `world_from_joint` of two bodies.
pub(super) type Frame = [Vec<DAffine3>; 2];

/// Two bodies that move.
pub(super) struct Scene {
    pub(super) bodies: [Arc<Articulation>; 2],
    /// Whether links of one body are asked about, too.
    pub(super) within: bool,
    pub(super) frames: Box<dyn Iterator<Item = Frame>>,
    /// What it is, in a few words.
    pub(super) what: &'static str,
}

impl Scene {
    /// The scene of a table, 1 to 5.
    pub(super) fn of_table(table: usize) -> Self {
        Self::seeded(table, 1)
    }

    pub(super) fn seeded(table: usize, seed: u64) -> Self {
        let chain = |link, aspect, play| Chains { link, aspect, play, seed };
        match table {
            1 => Self::of_chains(
                &chain(Link::Convex, 3.0, Play::Loose),
                "two chains of eight rods, 3:1",
            ),
            2 => Self::of_chains(
                &chain(Link::Convex, 6.0, Play::Loose),
                "two chains of eight rods, 6:1",
            ),
            3 => Self::of_chains(
                &chain(Link::Hull, 6.0, Play::Loose),
                "two chains of eight hulls, 6:1",
            ),
            4 => Self::of_chains(
                &chain(Link::Convex, 6.0, Play::Braided),
                "two braided chains of eight rods, 6:1",
            ),
            _ => Self::of_hand(seed),
        }
    }

    pub(super) fn of_chains(chain: &Chains, what: &'static str) -> Self {
        let (rig, frames) = chains(chain);
        let body = articulation(&rig);
        Self {
            bodies: [Arc::clone(&body), body],
            within: true,
            frames: Box::new(frames.map(|both| both.map(Vec::from))),
            what,
        }
    }

    /// What is around the hand is a body of its own, whose links are joined to nothing.
    fn of_hand(seed: u64) -> Self {
        let (HandAndBall { arm, things }, frames) = hand_and_ball(seed);
        let alone =
            |name: &str| Joint { name: name.to_owned(), parent: None, rest: Local::IDENTITY };
        let joints = things.iter().map(|(name, _)| alone(name)).collect();
        let skeleton = Skeleton::new(joints).expect("roots hang on nothing");
        let mut around = Rig::new("around", skeleton);
        around.parts = (0..)
            .zip(things)
            .map(|(joint, (name, mesh))| Part::new(name, mesh, Hold::Rigid(JointId(joint))))
            .collect();
        Self {
            bodies: [articulation(&arm), articulation(&around)],
            within: false,
            frames: Box::new(frames.map(|frame| [frame.joints.to_vec(), frame.things.to_vec()])),
            what: "a hand of eighteen links, a ball, a table, a wall and a post",
        }
    }

    /// How many pairs of links there are to ask about in a frame.
    pub(super) fn pairs(&self) -> u64 {
        let [a, b] = self.bodies.each_ref().map(|body| body.links().len() as u64);
        let own = |n: u64| n * (n - 1) / 2;
        a * b + if self.within { own(a) + own(b) } else { 0 }
    }
}

fn articulation(rig: &Rig) -> Arc<Articulation> {
    Arc::new(Articulation::of_rig(rig).expect("every part is held rigidly"))
}
