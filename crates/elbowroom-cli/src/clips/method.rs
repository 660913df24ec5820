//! Which structure answers, and what that took.

use std::io::{self, Write};

use clap::ValueEnum;
use elbowroom_motion::space_time::{BoxShape, Kind, Structure, Tests};

use super::side::Side;
use super::{ClipsArgs, Move};
use crate::messages::{Refusal, grouped};

/// A structure over the samples of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Method {
    /// Circles around runs of 16 samples and more, eight at a time (the default)
    Circles,
    /// MOBB tree: boxes upright in time
    Mobb,
    /// UMOBB tree: boxes that lie freely in space-time
    Umobb,
    /// An upright root, free boxes below
    Hybrid1,
    /// A free root, upright boxes below
    Hybrid2,
    /// One upright box for the whole clip
    OneLevel,
}

impl Method {
    /// As it is typed.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Circles => "circles",
            Self::Mobb => "mobb",
            Self::Umobb => "umobb",
            Self::Hybrid1 => "hybrid1",
            Self::Hybrid2 => "hybrid2",
            Self::OneLevel => "one-level",
        }
    }

    /// The tree that is built; beside circles it is the plain one.
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Circles | Self::Mobb => Kind::Mobb,
            Self::Umobb => Kind::Umobb,
            Self::Hybrid1 => Kind::MobbThenUmobb,
            Self::Hybrid2 => Kind::UmobbThenMobb,
            Self::OneLevel => Kind::OneLevel(BoxShape::Upright),
        }
    }

    pub(super) fn structure(self) -> Structure {
        if self == Self::Circles { Structure::Circles } else { Structure::Tree }
    }
}

/// Refuses what a method has no say over.
pub(super) fn check(args: &ClipsArgs) -> Result<(), Refusal> {
    let name = args.method.name();
    if args.n_min.is_some() && args.method == Method::Circles {
        return Err(Refusal {
            problems: vec!["--n-min is about the leaves of a tree, and circles have none".into()],
            hint: "say which tree: --method mobb, umobb, hybrid1, hybrid2 or one-level".into(),
        });
    }
    if args.offsets && args.between == Move::Linear && args.method != Method::Circles {
        return Err(Refusal {
            problems: vec![format!(
                "the offsets of moving disks (--between linear) are found on circles only, not by --method {name}"
            )],
            hint: "leave out one of --method, --offsets and --between linear".into(),
        });
    }
    Ok(())
}

/// What the answers took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    /// The structure that answered.
    pub(super) method: Method,
    /// Of the structure of either clip.
    pub(super) nodes: [usize; 2],
    pub(super) contacts: Tests,
    /// Nothing for circles, which find all offsets together.
    pub(super) offsets: Option<Tests>,
}

impl Counts {
    pub(super) fn new(method: Method, sides: &[Side; 2], contacts: Tests) -> Self {
        let [dt_a, dt_b] = sides.each_ref().map(|side| side.trace().dt());
        // Circles give way where samples do not lie side by side.
        let is_even = dt_a == dt_b || method != Method::Circles;
        let method = if is_even { method } else { Method::Mobb };
        let nodes = sides.each_ref().map(|Side { motion, .. }| match method {
            Method::Circles => motion.rings().len(),
            // Below the only level of boxes there are times alone.
            _ => motion.tree().len(),
        });
        Self { method, nodes, contacts, offsets: None }
    }

    /// For people.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let [a, b] = self.nodes.map(|nodes| grouped(nodes as u64));
        let what = if self.method == Method::Circles { "circles" } else { "boxes" };
        let tests = |tests: Tests| {
            let (volumes, samples) = (grouped(tests.volumes), grouped(tests.samples));
            format!("{volumes} pairs of {what} and {samples} pairs of samples tested")
        };
        writeln!(out)?;
        let name = self.method.name();
        writeln!(out, "By {name}, of {a} and {b} nodes: {}.", tests(self.contacts))?;
        match self.offsets {
            Some(offsets) => writeln!(out, "For the offsets: {}.", tests(offsets)),
            None => Ok(()),
        }
    }
}
