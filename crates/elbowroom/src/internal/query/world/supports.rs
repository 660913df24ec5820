//! How far models reach, worked out once for all bodies that share a model.
//!
//! Invariant: a body holds its model and its support, and a model does not change as long as both
//! are held. So as long as there is a support, the address by which it is known is still that
//! model's.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use crate::internal::broad_phase::Support;

/// By the address of the model.
#[derive(Clone, Debug, Default)]
pub struct Supports {
    known: HashMap<usize, Weak<Support>>,
}

impl Supports {
    /// The support of a model, given the number of its bodies.
    pub fn of<M>(
        &mut self,
        model: &Arc<M>,
        bodies: usize,
        make: impl FnOnce(&M) -> Support,
    ) -> Arc<Support> {
        let address = Arc::as_ptr(model).addr();
        if let Some(known) = self.known.get(&address).and_then(Weak::upgrade) {
            return known;
        }
        // Those of models that have gone would pile up.
        if self.known.len() > 2 * bodies + 64 {
            self.known.retain(|_, support| support.strong_count() > 0);
        }
        let support = Arc::new(make(model));
        self.known.insert(address, Arc::downgrade(&support));
        support
    }
}
