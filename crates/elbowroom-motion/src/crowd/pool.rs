//! Characters that are skinned step by step, for a crowd that does not keep their meshes.
//!
//! Those who may touch in a step borrow a character of their performer, are posed and, where boxes
//! around clusters meet, skinned. The next step borrows the same ones, so there are as many as were
//! ever needed at once.

use super::Skinned;
use super::crowd::{Crowd, Slot};
use super::step::each;
use crate::body::SkeletonPose;

/// Borrowed characters.
#[derive(Debug, Default)]
pub(super) struct Pool<'a> {
    /// By performer.
    bodies: Vec<Vec<Body<'a>>>,
    /// Who needs one: performer and slot.
    plan: Vec<(u32, u32)>,
    /// By slot: which body of its performer it has.
    of_slot: Vec<u32>,
    pose: SkeletonPose,
}

/// A character and who has it.
#[derive(Debug)]
pub(super) struct Body<'a> {
    pub(super) character: Skinned<'a>,
    slot: u32,
    is_wanted: bool,
}

impl<'a> Pool<'a> {
    /// Poses everybody of the list.
    pub(super) fn pose(
        &mut self,
        crowd: &Crowd<'a>,
        slots: impl Iterator<Item = u32>,
        parallel: bool,
    ) {
        self.plan.clear();
        let of = |slot: u32| crowd.slots[slot as usize].member.performer;
        self.plan.extend(slots.map(|slot| (of(slot), slot)));
        self.plan.sort_unstable();
        self.plan.dedup();
        self.bodies.resize_with(crowd.roles.len(), Vec::new);
        self.of_slot.resize(crowd.slots.len(), 0);
        for run in self.plan.chunk_by(|a, b| a.0 == b.0) {
            let performer = run[0].0 as usize;
            let role = &crowd.roles[performer];
            let Some(prototype) = role.prototype() else { continue };
            let bodies = &mut self.bodies[performer];
            while bodies.len() < run.len() {
                bodies.push(Body { character: prototype.clone(), slot: 0, is_wanted: false });
            }
            for (place, (body, &(_, slot))) in bodies.iter_mut().zip(run).enumerate() {
                (body.slot, body.is_wanted) = (slot, false);
                self.of_slot[slot as usize] = place as u32;
            }
            each(&mut bodies[..run.len()], parallel, &mut self.pose, |pose, body| {
                let Slot { sample, ref member, .. } = crowd.slots[body.slot as usize];
                pose.locals.clone_from(&role.rest.locals);
                pose.weights.clone_from(&role.rest.weights);
                role.performer.pose(sample as usize, pose);
                let world = role.performer.world_from_rig(sample as usize, &member.at);
                body.character.pose(pose, &world);
            });
        }
    }

    /// The body of a member that was posed.
    pub(super) fn body(&self, crowd: &Crowd<'a>, slot: u32) -> Option<&Body<'a>> {
        let performer = crowd.slots[slot as usize].member.performer as usize;
        self.bodies.get(performer)?.get(*self.of_slot.get(slot as usize)? as usize)
    }

    /// Marks a member whose skin is needed.
    pub(super) fn want(&mut self, crowd: &Crowd<'a>, slot: u32) {
        let performer = crowd.slots[slot as usize].member.performer as usize;
        let place = self.of_slot[slot as usize] as usize;
        if let Some(body) = self.bodies[performer].get_mut(place) {
            body.is_wanted = true;
        }
    }

    /// Skins all marked members; returns their number.
    pub(super) fn skin(&mut self, parallel: bool) -> u64 {
        let mut count = 0;
        for run in self.plan.chunk_by(|a, b| a.0 == b.0) {
            let bodies = &mut self.bodies[run[0].0 as usize];
            let bodies = &mut bodies[..run.len()];
            count += bodies.iter().filter(|body| body.is_wanted).count() as u64;
            each(bodies, parallel, &mut (), |(), body| {
                if body.is_wanted {
                    // What a trace was taken of is finite; what is not is not looked at.
                    body.is_wanted = body.character.skin().is_ok();
                }
            });
        }
        count
    }

    /// The character of a member that was skinned.
    pub(super) fn skinned(&self, crowd: &Crowd<'a>, slot: u32) -> Option<&Skinned<'a>> {
        self.body(crowd, slot).filter(|body| body.is_wanted).map(|body| &body.character)
    }
}
