//! What the five structures share beyond the engine's trees: the front of a traversal.

mod front;

pub use front::Front;
