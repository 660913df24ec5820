//! All commands: their command lines, and who runs them.

use clap::{CommandFactory, Parser, Subcommand};

use crate::args::{CheckArgs, ViewArgs};
use crate::messages::Refusal;
use crate::outcome::Outcome;
use crate::{check, clips, convert, crowd, info, lab, make, manual, pose, view};

/// Finds where meshes touch or pass through each other, exactly.
#[derive(Debug, Parser)]
#[command(name = "elbowroom", version, arg_required_else_help = true)]
#[command(after_help = "Start with `elbowroom check`: it needs no files.")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(CheckArgs),
    View(Box<ViewArgs>),
    Info(crate::info::InfoArgs),
    Convert(crate::convert::ConvertArgs),
    Pose(crate::pose::PoseArgs),
    Make(crate::make::MakeArgs),
    Clips(crate::clips::ClipsArgs),
    Crowd(crate::crowd::CrowdArgs),
    Lab(crate::lab::LabArgs),
    Completions(crate::manual::CompletionsArgs),
    Man(crate::manual::ManArgs),
}

impl Command {
    /// Takes what is given behind the names of files (`part.stl@mm`) away from them.
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
            Self::Make(_) | Self::Lab(_) | Self::Completions(_) | Self::Man(_) => Ok(()),
        }
    }

    /// Runs the command to its end.
    pub(crate) fn run(self) -> Outcome {
        match self {
            Self::Check(args) => check::run(&args),
            Self::View(args) => view::run(*args),
            Self::Info(args) => info::run(&args),
            Self::Convert(args) => convert::run(&args),
            Self::Pose(args) => pose::run(&args),
            Self::Make(args) => make::run(&args),
            Self::Clips(args) => clips::run(&args),
            Self::Crowd(args) => crowd::run(&args),
            Self::Lab(args) => lab::run(&args),
            Self::Completions(args) => manual::completions(&args, Args::command()),
            Self::Man(args) => manual::man(&args, Args::command()),
        }
    }
}
