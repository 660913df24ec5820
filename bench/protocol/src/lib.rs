//! What the bench and the engines it measures have in common: workload files ([`files`]), and a
//! conversation in lines of text ([`play`]).
//!
//! Every engine is a process of its own, a *player*, so that each is built with the flags,
//! allocator and libraries that suit it, and all read the same bits. It depends on no other crate
//! of ours. The players in C++ have the same in `rivals/player.hpp`.

pub mod files;
pub mod play;
