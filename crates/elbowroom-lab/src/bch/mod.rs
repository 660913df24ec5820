//! Stüvel, Magnenat-Thalmann, Thalmann, Egges and van der Stappen, *Hierarchical structures for
//! collision checking between virtual characters*, Computer Animation and Virtual Worlds 2014.
//!
//! The paper's characters are lost. In their place stand a man and a woman of our own, closed, of
//! the same heights and numbers of triangles, and real ones of `MakeHuman` in captured poses where
//! they are at hand.

mod area;
pub(crate) mod beyond;
pub(crate) mod bodies;
pub(crate) mod cases;
pub(crate) mod fig3;
pub(crate) mod fig6a;
pub(crate) mod fig6b;
mod sliding;
mod structures;
pub(crate) mod table1;
