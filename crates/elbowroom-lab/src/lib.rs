//! The papers' experiments, rebuilt, with a verdict on every claim.
//!
//! An [`Experiment`] is one table, figure or section of a paper. Run, it gives a [`Report`]: tables
//! of what was measured, and for each [`Claim`] of the paper what it printed, what comes out here,
//! and whether that bears it out.
//!
//! ```
//! use elbowroom_lab::{Context, NoData, Silent, Verdict, find};
//!
//! let table1 = find("obbtree-table1").expect("it is in the list");
//! let report = table1.run(&Context { quick: true, progress: &Silent, data: &NoData });
//! assert!(report.failed().next().is_none());
//! assert_eq!(report.claims[0].verdict, Verdict::Holds);
//! ```
//!
//! [`EXPERIMENTS`] lists the experiments, and `elbowroom lab list` prints them. In the repository,
//! `docs/lab` has the verdicts of a full run, and `docs/glossary.md` maps the words of the field
//! and of the papers to ours.
//!
//! Invariants:
//! * Nothing is printed and no file is read: real bodies come through [`Data`], and what is absent
//!   is said.
//! * Every count is the same in every run, on every system: what is random is seeded. Times stand
//!   in columns that are called times, and in claims that are marked as timed.
//! * A claim that the clock decides is never a gate.

mod bch;
mod cab;
mod chart;
mod claim;
mod common;
mod data;
mod draw;
mod dynamics;
mod mobb;
mod name;
mod obbtree;
mod paper;
mod picture;
mod registry;
mod report;
mod rounds;
mod sbbk;

use elbowroom::internal::math::random;

pub use chart::{Axis, Bar, Chart, Line, Marks, Spread, Whose};
pub use claim::{Claim, Verdict};
pub use data::{Absent, Data, NoData, Still};
pub use paper::{PAPERS, Paper, Row, rows};
pub use picture::{Picture, SKETCHES, Sketch};
pub use registry::{EXPERIMENTS, Experiment, find};
pub use report::{Cell, Report, Table};

/// What an experiment is given.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// A smaller run, which decides the same claims in seconds.
    pub quick: bool,
    /// Hears how far the experiment has come.
    pub progress: &'a dyn Progress,
    /// Gives real bodies to experiments that can do with them.
    pub data: &'a dyn Data,
}

/// Hears how far an experiment has come.
pub trait Progress {
    /// Adds to the steps that are ahead.
    fn ahead(&self, steps: u64);

    /// Adds to the steps that are done.
    fn inc(&self, steps: u64);

    /// What is being done now, in a few words.
    fn message(&self, what: &str);
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn ahead(&self, _: u64) {}

    fn inc(&self, _: u64) {}

    fn message(&self, _: &str) {}
}
