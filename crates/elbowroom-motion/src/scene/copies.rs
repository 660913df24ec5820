//! Objects that are the same: one model that stands in one place several times.
//!
//! A command line or a scene may name a file 100,000 times. Copies meet others as the first of them
//! does, so that what is found of one pair of them holds for all.

use std::collections::HashMap;
use std::sync::Arc;

use super::object::Content;
use super::scene::Scene;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::Model;

/// Which objects are the same model at rest in the same place, without parts of their own.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// For each object the first such object, which may be itself.
    original: Vec<u32>,
    /// Whether another object has this one as its original.
    is_copied: Vec<bool>,
}

impl Copies {
    pub(super) fn new(scene: &Scene) -> Self {
        let mut first: HashMap<(*const Model, [u64; 12]), u32> = HashMap::new();
        let mut is_copied = vec![false; scene.objects().len()];
        let objects = scene.objects().iter().zip(0..);
        let original = objects.map(|(object, own)| match &object.content {
            Content::Still { model, place } if object.parts.is_empty() => {
                let original = *first.entry((Arc::as_ptr(model), bits(place))).or_insert(own);
                is_copied[original as usize] |= original != own;
                original
            }
            // What moves is like nothing else.
            _ => own,
        });
        Self { original: original.collect(), is_copied }
    }

    /// The first objects that are the same as two, and whether another one is the same as either.
    pub(super) fn of(&self, a: usize, b: usize) -> ((u32, u32), bool) {
        let key = (self.original[a], self.original[b]);
        (key, self.is_copied[key.0 as usize] || self.is_copied[key.1 as usize])
    }
}

fn bits(place: &Pose) -> [u64; 12] {
    let mut bits = [0; 12];
    let numbers = place.rotation().to_cols_array().into_iter();
    let numbers = numbers.chain(place.translation().to_array());
    bits.iter_mut().zip(numbers).for_each(|(bits, number)| *bits = number.to_bits());
    bits
}
