//! Objects that are the same: one model that stands in one place several times.
//!
//! A command line or a scene may name a file 100,000 times. Copies meet others as the first of them
//! does, so that what is found of one pair of them holds for all.

use std::collections::HashMap;

use super::object::ObjectId;
use super::scene::Scene;
use super::stage::Stage;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::Model;

/// Which objects are the same model at rest in the same place, of one piece and one part.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// For each object the first such object, which may be itself.
    original: Vec<u32>,
    /// Whether another object has this one as its original.
    is_copied: Vec<bool>,
}

/// A model, which part of its object it is, and where it stands.
type Key = (*const Model, u32, [u64; 12]);

impl Copies {
    /// Of the objects that are on a stage; another is like nothing else.
    pub(super) fn new(scene: &Scene, stage: &Stage) -> Self {
        let count = scene.objects().len();
        let mut first: HashMap<Key, u32> = HashMap::new();
        let mut is_copied = vec![false; count];
        let objects = (0..count as u32).map(|own| {
            let Some(key) = key(scene, stage, ObjectId(own)) else { return own };
            let original = *first.entry(key).or_insert(own);
            is_copied[original as usize] |= original != own;
            original
        });
        Self { original: objects.collect(), is_copied }
    }

    /// The first objects that are the same as two, and whether another one is the same as either.
    pub(super) fn of(&self, a: usize, b: usize) -> ((u32, u32), bool) {
        let key = (self.original[a], self.original[b]);
        (key, self.is_copied[key.0 as usize] || self.is_copied[key.1 as usize])
    }
}

/// What copies of an object have in common; `None` if it moves, or has pieces or parts.
fn key(scene: &Scene, stage: &Stage, object: ObjectId) -> Option<Key> {
    let mut pieces = scene.pieces(object);
    let piece = stage.piece(pieces.next()?).filter(|piece| piece.is_still() && piece.is_rigid())?;
    let part = piece.only_part().filter(|_| pieces.next().is_none())?;
    Some((std::ptr::from_ref(piece.model()), part, bits(piece.placement())))
}

fn bits(place: &Pose) -> [u64; 12] {
    let mut bits = [0; 12];
    let numbers = place.rotation().to_cols_array().into_iter();
    let numbers = numbers.chain(place.translation().to_array());
    bits.iter_mut().zip(numbers).for_each(|(bits, number)| *bits = number.to_bits());
    bits
}
