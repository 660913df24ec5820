//! The program `elbowroom`: who goes through whom, when and where.
//!
//! All of it is in this library, and `main.rs` only calls [`run`]: a library is compiled while the code of those below it is still being made, a program only after.
//!
//! [`run`] parses the command line and turns what comes of it into an exit code. A check is a [`job`]: raw flags
//! ([`args`]) become a [`plan`], in which everything has been read and what is bad was left out; only then does
//! the work begin: of plain meshes, all pairs that are not far apart ([`check`], [`examine`]); of all else, what meets in each frame
//! ([`shot`]). What is found ([`finding`]) comes frame by frame in order ([`report`]) into a [`ledger`], which merges contacts to incidents ([`incident`]), streams ([`out`]), and keeps a
//! [`record`] to go on from. What is told at the end ([`account`]) is written by one file per form ([`table`], [`json`], [`page`]).
//! What is in files ([`info`]), other formats ([`convert`]), single moments ([`pose`]) and things of our own ([`make`]) stand beside
//! it: they [`load`] any file and [`save`] a whole one or none.
//! Motions alone, as disks on the ground, are compared by [`clips`]; a crowd that walks the ways of a file, by disks, circles and meshes, by [`crowd`].
//! The papers' experiments are a room of their own ([`lab`]). A report is shown by [`view`].
//!
//! Invariants: findings go to stdout and words about them to stderr. Bad input, and more
//! findings than there is room for, leave stdout empty but for streams, which then have no end, or one that says that it is not all; so no part of a result can be taken for a clean one. A
//! reader who closes the pipe early is not an error.

mod account;
mod args;
mod base64;
mod between;
mod bodies;
mod carry;
mod cast;
mod check;
mod clips;
mod convert;
mod crowd;
mod examine;
mod finding;
mod flags;
mod frames;
mod incident;
mod info;
mod job;
mod json;
#[cfg(feature = "lab")]
mod lab;
#[cfg(not(feature = "lab"))]
#[path = "no_lab.rs"]
mod lab;
mod ledger;
mod load;
mod make;
mod manual;
mod meaning;
mod measure;
mod moment;
mod out;
mod outcome;
mod page;
mod picture;
mod plan;
mod plausible;
mod pose;
mod progress;
mod record;
mod report;
mod save;
mod scene;
mod shallow;
mod shot;
mod split;
mod still;
mod stop;
mod table;
mod time_limit;
mod units;
mod view;
mod words;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Args, Command};

/// The whole program.
pub fn run() -> ExitCode {
    // What is read is never written over.
    elbowroom_io::opened::keep();
    let mut command = Args::parse().command;
    if let Err(refusal) = command.take_units() {
        words::refuse(&refusal);
        return outcome::Outcome::BadInput.into();
    }
    match command {
        Command::Check(args) => job::run(&args).into(),
        Command::View(args) => view::run(*args).into(),
        Command::Info(args) => info::run(&args).into(),
        Command::Convert(args) => convert::run(&args).into(),
        Command::Pose(args) => pose::run(&args).into(),
        Command::Make(args) => make::run(&args).into(),
        Command::Clips(args) => clips::run(&args).into(),
        Command::Crowd(args) => crowd::run(&args).into(),
        Command::Lab(args) => lab::run(&args).into(),
        Command::Completions(args) => manual::completions(&args, Args::command()).into(),
        Command::Man(args) => manual::man(&args, Args::command()).into(),
    }
}
