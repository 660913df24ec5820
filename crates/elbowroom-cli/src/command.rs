//! All commands: their command lines, and who runs them.

use clap::{CommandFactory, Parser, Subcommand};

use crate::args::{CheckArgs, ViewArgs};
use crate::messages::Refusal;
use crate::outcome::Outcome;
use crate::{
    check, cite, clips, convert, crowd, diff, info, lab, make, manual, pose, score, tree, view,
};

const START: &str = "\
Start with `elbowroom check`: it needs no files. `elbowroom COMMAND --help` has
examples and the meaning of each answer; `elbowroom COMMAND -h` lists the
options in short.";

const WORDS: &str = "\
Words:
  contact      a pair of objects that meet, in one frame: touching, crossing,
               containment, duplicate
  incident     contacts of one pair of objects, merged over frames
  clearance    a distance; pairs nearer than it are reported
  surface      the triangles of a mesh; `solid` is what a closed mesh encloses
  depth        penetration depth: how far the deepest point of one solid is
               inside the other
  clip         the poses of a character or robot over time
  footprint    a body seen from above, as a tree of circles (bounding cylinder
               hierarchy, BCH)
  docs/glossary.md has all of them, beside the words of textbooks and papers.";

/// Find where meshes, characters, robots and crowds touch or pass through each other, exactly
#[derive(Debug, Parser)]
#[command(name = "elbowroom", version, arg_required_else_help = true)]
#[command(after_help = START, after_long_help = format!("{WORDS}\n\n{START}"))]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(CheckArgs),
    View(Box<ViewArgs>),
    Diff(crate::diff::DiffArgs),
    Info(crate::info::InfoArgs),
    Convert(crate::convert::ConvertArgs),
    Pose(crate::pose::PoseArgs),
    Make(crate::make::MakeArgs),
    Clips(crate::clips::ClipsArgs),
    Crowd(crate::crowd::CrowdArgs),
    Score(Box<crate::score::ScoreArgs>),
    Tree(Box<crate::tree::TreeArgs>),
    Lab(crate::lab::LabArgs),
    Cite(crate::cite::CiteArgs),
    Completions(crate::manual::CompletionsArgs),
    Man(crate::manual::ManArgs),
}

impl Command {
    /// Takes units and axes (`part.stl@mm`) off the names of files.
    ///
    /// # Errors
    /// If it is no unit and no axis, or one file is given in two ways.
    pub(crate) fn take_units(&mut self) -> Result<(), Refusal> {
        match self {
            Self::Check(args) => args.read.take(&mut args.files),
            Self::View(args) => args.check.read.take(&mut args.check.files),
            Self::Info(args) => args.take_units(),
            Self::Convert(args) => args.take_units(),
            Self::Pose(args) => args.take_units(),
            Self::Clips(args) => args.take_units(),
            Self::Crowd(args) => args.take_units(),
            Self::Score(args) => args.take_units(),
            #[cfg(feature = "papers")]
            Self::Tree(args) => args.take_units(),
            #[cfg(not(feature = "papers"))]
            Self::Tree(_) => Ok(()),
            Self::Diff(_) | Self::Make(_) | Self::Lab(_) => Ok(()),
            Self::Cite(_) | Self::Completions(_) | Self::Man(_) => Ok(()),
        }
    }

    /// Runs the command to its end.
    pub(crate) fn run(self) -> Outcome {
        match self {
            Self::Check(args) => check::run(&args),
            Self::Diff(args) => diff::run(&args),
            Self::View(args) => view::run(*args),
            Self::Info(args) => info::run(&args),
            Self::Convert(args) => convert::run(&args),
            Self::Pose(args) => pose::run(&args),
            Self::Make(args) => make::run(&args),
            Self::Clips(args) => clips::run(&args),
            Self::Crowd(args) => crowd::run(&args),
            Self::Score(args) => score::run(&args),
            Self::Tree(args) => tree::run(&args),
            Self::Lab(args) => lab::run(&args),
            Self::Cite(args) => cite::run(&args),
            Self::Completions(args) => manual::completions(&args, Args::command()),
            Self::Man(args) => manual::man(&args, Args::command()),
        }
    }
}
