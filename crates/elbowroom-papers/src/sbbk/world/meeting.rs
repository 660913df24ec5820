//! Two bodies whose boxes overlap, for as long as they do.
//!
//! The meetings of the last step and the pairs of this one are two ordered lists, which are walked
//! side by side: a meeting that goes on keeps its front and its answer, one that is over leaves its
//! memory to one that begins.

use crate::grammar::Front;
use crate::sbbk::world::Body;
use crate::sbbk::{collide_layered, collide_layered_again};
use elbowroom::internal::broad_phase::BoxPair;
use elbowroom::internal::query::{CollisionRequest, CollisionResult};
use elbowroom::internal::traverse::Workspace;

/// Two bodies whose boxes overlap.
#[derive(Clone, Debug)]
pub(super) struct Meeting {
    pub(super) pair: BoxPair,
    /// Of their models.
    names: [u64; 2],
    front: Option<Front>,
    /// The step in which they were last asked about; 0 for never.
    pub(super) asked: u64,
    pub(super) answer: CollisionResult,
}

/// All of them, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Meetings {
    /// The most pairs of nodes of a front; without a limit, there are no fronts.
    limit: Option<usize>,
    question: Option<CollisionRequest>,
    now: Vec<Meeting>,
    before: Vec<Meeting>,
    spare: Vec<Front>,
    #[cfg(not(feature = "parallel"))]
    workspace: Workspace,
}

impl Meetings {
    pub(super) fn new(limit: Option<usize>) -> Self {
        Self { limit, ..Self::default() }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Meeting> {
        self.now.iter()
    }

    pub(super) fn fronts(&self) -> impl Iterator<Item = &Front> {
        self.now.iter().filter_map(|meeting| meeting.front.as_ref())
    }

    /// Goes on with the meetings of these pairs, and with no others.
    pub(super) fn keep(&mut self, pairs: &[BoxPair], name_of: impl Fn(u32) -> u64) {
        let Self { limit, now, before, spare, .. } = self;
        std::mem::swap(now, before);
        let mut known = before.drain(..).peekable();
        now.clear();
        for &pair in pairs {
            while let Some(over) = known.next_if(|meeting| meeting.pair < pair) {
                spare.extend(over.front);
            }
            let names = [name_of(pair.0), name_of(pair.1)];
            match known.next_if(|meeting| meeting.pair == pair) {
                Some(meeting) if meeting.names == names => now.push(meeting),
                other => {
                    spare.extend(other.and_then(|over| over.front));
                    let front = limit.map(|limit| {
                        let mut front = spare.pop().unwrap_or_else(|| Front::with_limit(limit));
                        front.reset();
                        front
                    });
                    now.push(Meeting {
                        pair,
                        names,
                        front,
                        asked: 0,
                        answer: CollisionResult::default(),
                    });
                }
            }
        }
        spare.extend(known.filter_map(|over| over.front));
    }

    /// Asks about all in which something has changed since they were last asked about.
    pub(super) fn ask<'a>(
        &mut self,
        question: &CollisionRequest,
        step: u64,
        body: impl Fn(u32) -> Option<&'a Body> + Sync,
    ) {
        let is_new = self.question.replace(*question) != Some(*question);
        let one = |meeting: &mut Meeting, workspace: &mut Workspace| {
            // Only bodies have boxes, so that both are there.
            let (Some(a), Some(b)) = (body(meeting.pair.0), body(meeting.pair.1)) else { return };
            if is_new || a.changed.max(b.changed) > meeting.asked {
                meeting.ask(a, b, question, workspace);
                meeting.asked = step;
            }
        };
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            let meetings = self.now.par_iter_mut().with_min_len(16);
            meetings
                .for_each_init(Workspace::default, |workspace, meeting| one(meeting, workspace));
        }
        #[cfg(not(feature = "parallel"))]
        for meeting in &mut self.now {
            one(meeting, &mut self.workspace);
        }
    }
}

impl Meeting {
    fn ask(&mut self, a: &Body, b: &Body, question: &CollisionRequest, workspace: &mut Workspace) {
        let (model_a, pose_a, model_b, pose_b) = (&*a.model, &a.placement, &*b.model, &b.placement);
        self.answer = match &mut self.front {
            None => collide_layered(model_a, pose_a, model_b, pose_b, question, workspace),
            Some(front) => {
                collide_layered_again(model_a, pose_a, model_b, pose_b, question, front, workspace)
            }
        };
    }
}
