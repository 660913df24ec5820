//! The scenes of the tables: two bodies, frame after frame, and which pairs of links are asked
//! about.

use std::sync::Arc;

use elbowroom::Mesh;
use elbowroom_make::{Chains, HandAndBall, Link, Play, chains, hand_and_ball, robot_and_ball};
use elbowroom_motion::body::{Hold, Joint, JointId, Local, Part, Rig, Skeleton};
use elbowroom_papers::cab::Allowed;
use elbowroom_papers::cab::ArticulatedBody;
use glam::DAffine3;

use crate::Absent;

/// `world_from_joint` of two bodies.
pub(crate) type Frame = [Vec<DAffine3>; 2];

/// Two bodies that move.
pub(crate) struct Scene {
    pub(crate) bodies: [Arc<ArticulatedBody>; 2],
    /// Of each body whose links are asked about among themselves, too: which pairs are left out.
    pub(super) within: [Option<Allowed>; 2],
    pub(crate) frames: Box<dyn Iterator<Item = Frame>>,
    /// The scene, in a few words.
    pub(super) what: &'static str,
}

impl Scene {
    /// The scene of a table, 1 to 5.
    pub(crate) fn of_table(table: usize) -> Self {
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
        // Neighbours are asked about as well, as in the paper.
        let allowed = Allowed::nothing(&body);
        Self {
            within: [Some(allowed.clone()), Some(allowed)],
            bodies: [Arc::clone(&body), body],
            frames: Box::new(frames.map(|both| both.map(Vec::from))),
            what,
        }
    }

    /// What is around the hand is a body of its own, whose links are joined to nothing.
    fn of_hand(seed: u64) -> Self {
        let (HandAndBall { arm, things }, frames) = hand_and_ball(seed);
        Self {
            bodies: [articulation(&arm), around(things)],
            within: [None, None],
            frames: Box::new(frames.map(|frame| [frame.joints.to_vec(), frame.things.to_vec()])),
            what: "a hand of eighteen links, a ball, a table, a wall and a post",
        }
    }

    /// A robot's hand with the same things around it; and, if asked to, against itself but for the
    /// pairs that its file leaves out.
    pub(super) fn of_robot(hand: &Rig, with_itself: bool) -> Result<Self, Absent> {
        let absent = |why: &str| Absent::new(format!("{}: {why}", hand.name));
        let body = ArticulatedBody::of_rig(hand).map_err(|error| absent(&error.to_string()))?;
        let (things, frames) =
            robot_and_ball(hand, 1).ok_or_else(|| absent("it has no fingers that bend"))?;
        let allowed = with_itself.then(|| Allowed::of_rig(&body, hand));
        Ok(Self {
            bodies: [Arc::new(body), around(things)],
            within: [allowed, None],
            frames: Box::new(frames.map(|frame| [frame.joints, frame.things.to_vec()])),
            what: if with_itself {
                "the shadow hand, against itself and a ball, a table, a wall and a post"
            } else {
                "the shadow hand, a ball, a table, a wall and a post"
            },
        })
    }

    /// How many pairs of links there are to ask about in a frame.
    pub(super) fn pairs(&self) -> u64 {
        let [a, b] = self.bodies.each_ref().map(|body| body.links().len() as u64);
        let own = |n: u64, within: &Option<Allowed>| {
            within.as_ref().map_or(0, |allowed| n * (n - 1) / 2 - allowed.pairs().count() as u64)
        };
        a * b + own(a, &self.within[0]) + own(b, &self.within[1])
    }
}

/// What is around a hand: a body whose links are joined to nothing.
fn around<const N: usize>(things: [(&'static str, Mesh); N]) -> Arc<ArticulatedBody> {
    let alone = |name: &str| Joint { name: name.to_owned(), parent: None, rest: Local::IDENTITY };
    let joints = things.iter().map(|(name, _)| alone(name)).collect();
    let skeleton = Skeleton::new(joints).expect("roots hang on nothing");
    let mut around = Rig::new("around", skeleton);
    around.parts = (0..)
        .zip(things)
        .map(|(joint, (name, mesh))| Part::new(name, mesh, Hold::Rigid(JointId(joint))))
        .collect();
    articulation(&around)
}

fn articulation(rig: &Rig) -> Arc<ArticulatedBody> {
    Arc::new(ArticulatedBody::of_rig(rig).expect("every part is held rigidly"))
}
