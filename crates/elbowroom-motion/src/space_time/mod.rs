//! Floor 9: motions on the ground, as disks in space-time. No meshes.
//!
//! A character that moves is a disk in the plane, sampled over time: a [`Trace`]. [`Tracked`] is a
//! trace with its trees. Of two motions, each with a place and a start ([`Placed`]), can be asked:
//!
//! - whether they collide: `collide()`; with the paper's counts, `collide_counted`; one against
//!   many, `collide_many`;
//! - when: [`contacts()`], [`first_contact`]; how near they come: [`nearest_approach`];
//! - at which start offsets they collide, all at once: [`offsets()`] gives an [`OffsetSet`];
//! - whether one hits what stands still: `Obstacles`.
//!
//! Clips one after the other are a `Sequence`; which may follow which is a `graph`; a `crowd`
//! wanders on one.
//!
//! Source: Sung, Chenney and Gleicher, *Detecting collisions in graph-driven motion synthesis*.
//! What an answer means is said in [`query`].

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "lags are signed; samples are fewer than 2²⁵ and compared before they are indices"
)]

#[doc(hidden)]
pub mod clock;
mod config;
#[doc(hidden)]
pub mod contacts;
#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod from_body;
mod layout;
mod leaf;
mod moving_offsets;
mod nearest;
mod offset_set;
mod offsets;
mod offsets_by_tree;
mod pairs;
#[doc(hidden)]
pub mod query;
#[doc(hidden)]
pub mod reference;
#[doc(hidden)]
pub mod rings;
#[doc(hidden)]
pub mod side;
#[doc(hidden)]
pub mod trace;
#[doc(hidden)]
pub mod tracked;

pub use config::{BetweenSamples, BoxShape, Config, Kind, Leaf, Partners};
pub use contacts::{
    Contact, Structure, Tests, contacts, contacts_counted, contacts_into, first_contact,
};
pub use elbowroom::internal::volume::time_box::TimeAxis;
pub use error::{TraceError, TraceErrorKind};
pub use from_body::{Reach, Taking, Up};
pub use nearest::{NearestApproach, nearest_approach};
pub use offset_set::{Interval, OffsetSet};
pub use offsets::{offsets, offsets_brute, offsets_into};
pub use offsets_by_tree::offsets_by_tree;
pub use pairs::{colliding_samples, colliding_samples_counted};
pub use query::{Placed, Workspace, collide, collide_brute, collide_counted};
pub use trace::{Sample, Trace};
pub use tracked::{Samples, Tracked};
