//! A map by type: the scratch memory of queries of higher floors, kept in a workspace.
//!
//! Each question takes its own kind of memory out, so that it can use the rest of the workspace at
//! the same time, and puts it back. A question that is broken off leaves nothing; the next one
//! begins with fresh memory.

use std::any::Any;
use std::fmt;

/// At most one value of each type.
#[derive(Default)]
pub struct TypeMap(Vec<Box<dyn Any + Send + Sync>>);

impl TypeMap {
    /// The value of a type that was put back last, or a fresh one.
    #[expect(clippy::unnecessary_box_returns, reason = "the box is what is kept")]
    pub fn take<T: Any + Default + Send + Sync>(&mut self) -> Box<T> {
        let place = self.0.iter().position(|kept| kept.is::<T>());
        let found = place.map(|place| self.0.swap_remove(place));
        found.and_then(|kept| kept.downcast().ok()).unwrap_or_default()
    }

    /// Keeps a value for the next who takes one of its type.
    pub fn put<T: Any + Send + Sync>(&mut self, value: Box<T>) {
        self.0.push(value);
    }
}

/// What is kept is memory, and a copy has none of its own yet.
impl Clone for TypeMap {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for TypeMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TypeMap({})", self.0.len())
    }
}
