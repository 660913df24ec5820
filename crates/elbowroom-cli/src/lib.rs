//! The program `elbowroom`: who goes through whom, when and where.
//!
//! All of it is in this library, and `main.rs` only calls [`run`]: a library compiles while the
//! crates below it are still being built, a program only after.
//!
//! [`run`] parses the command line ([`command`]) and turns the result into an exit code
//! ([`outcome`]). Each command has a module of its own: [`check`] reports contacts, [`diff`]
//! compares two of its reports, [`score`] measures them, [`clips`] and [`crowd`] compare
//! motions on the ground, [`tree`] builds the papers' hierarchies, [`info`] lists what files
//! hold, [`convert`], [`pose`] and [`make`] write files, [`view`] serves a report and [`lab`]
//! repeats the papers' experiments. [`output`] has a file for each report format, and
//! [`result`] what they write of a check. Commands share the modules that [`load`] and [`save`]
//! files, read units and frames, and write [`messages`].
//!
//! `docs/commands.md` in the repository shows what the program does for its users, and
//! `docs/glossary.md` the words.
//!
//! Invariants: results go to stdout and messages to stderr. Bad input, and more results than fit
//! into memory, leave stdout empty. A stream that does not hold everything has no end record, or
//! one that says so; no part of a result can be taken for a clean one. A reader who closes the pipe
//! early is not an error.

mod actors;
mod args;
mod bake;
mod check;
mod cite;
mod clips;
mod command;
mod convert;
mod crowd;
mod diff;
mod frames;
pub mod host;
mod info;
#[cfg(feature = "lab")]
mod lab;
#[cfg(not(feature = "lab"))]
#[path = "no_lab.rs"]
mod lab;
mod load;
mod make;
mod manual;
mod measure;
mod messages;
mod outcome;
mod output;
mod pose;
mod progress;
mod result;
mod retarget;
mod save;
mod score;
mod split;
mod stop;
mod terminal;
mod time_arg;
mod time_limit;
#[cfg(feature = "papers")]
mod tree;
#[cfg(not(feature = "papers"))]
#[path = "no_tree.rs"]
mod tree;
mod units;
mod view;
mod warnings;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use command::Args;
use outcome::Outcome;

/// The whole program.
pub fn run() -> ExitCode {
    // What is read is never written over.
    elbowroom_io::opened::keep();
    let mut command = Args::parse_from(terminal::typed()).command;
    if let Err(refusal) = command.take_units() {
        messages::refuse(&refusal);
        return Outcome::BadInput.into();
    }
    command.run().into()
}

/// The whole program, for a process whose own arguments are not the program's, such as an
/// interpreter that was started to run it.
pub fn run_with(args: Vec<OsString>) -> ExitCode {
    terminal::set_typed(args);
    run()
}
