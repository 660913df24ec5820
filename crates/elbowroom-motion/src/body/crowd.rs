//! Many characters at once.
//!
//! Each has its own memory, so that nothing is shared and the result does not depend on who does
//! the work: one thread or many, the bits are the same. Threads are never used unless they are
//! asked for.

use glam::{DAffine3, DVec3};

use super::local::SkeletonPose;
use super::poser::Poser;
use super::rig::Rig;

/// A rig in a pose at a place. Rigs and poses may be shared.
#[derive(Clone, Copy, Debug)]
pub struct Character<'a> {
    /// The character.
    pub rig: &'a Rig,
    /// The pose.
    pub pose: &'a SkeletonPose,
    /// The place in the world.
    pub world_from_rig: DAffine3,
}

/// The vertices of a character, and the memory that made them. Keep it from frame to frame: a warm
/// one allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct PosedCharacter {
    parts: Vec<Vec<DVec3>>,
    poser: Poser,
}

impl PosedCharacter {
    /// The vertices of each part of the rig.
    pub fn parts(&self) -> &[Vec<DVec3>] {
        &self.parts
    }

    /// `world_from_joint` of each joint.
    pub fn world(&self) -> &[DAffine3] {
        self.poser.world()
    }

    /// Poses a character.
    ///
    /// # Panics
    /// If the rig does not [`validate`](Rig::validate).
    pub fn set(&mut self, character: &Character<'_>) {
        let Character { rig, pose, world_from_rig } = character;
        self.poser.set_placed(rig, pose, world_from_rig);
        self.parts.resize_with(rig.parts.len(), Vec::new);
        for (index, points) in self.parts.iter_mut().enumerate() {
            self.poser.part(rig, index, points);
        }
    }
}

/// Poses all characters, in order. `out` gets one entry for each character.
///
/// # Panics
/// If a rig does not [`validate`](Rig::validate).
pub fn pose_all(characters: &[Character<'_>], out: &mut Vec<PosedCharacter>) {
    out.resize_with(characters.len(), PosedCharacter::default);
    for (character, posed) in characters.iter().zip(out) {
        posed.set(character);
    }
}

/// Poses all characters on the threads of the current rayon pool; gives what [`pose_all`] gives,
/// bit for bit.
///
/// # Panics
/// If a rig does not [`validate`](Rig::validate).
#[cfg(feature = "parallel")]
pub fn pose_all_parallel(characters: &[Character<'_>], out: &mut Vec<PosedCharacter>) {
    use rayon::prelude::*;

    out.resize_with(characters.len(), PosedCharacter::default);
    characters.par_iter().zip(out).for_each(|(character, posed)| posed.set(character));
}
