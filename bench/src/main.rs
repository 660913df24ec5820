//! elbowroom and its rivals, on the same bits, in one run.
//!
//! Definitions are data (`definitions/`). Every engine is a process that reads the same workload
//! files and answers the same questions ([`engine`]); they take turns, round by round ([`rounds`]),
//! their answers are compared ([`verdict`]), and what comes out is a table of ratios ([`table`])
//! and a record ([`record`]). Rivals are installed and built on the way ([`rivals`]); one that
//! cannot be had is absent, which is no error.

mod definition;
mod engine;
mod engines;
mod machine;
mod record;
mod rivals;
mod rounds;
mod run;
mod scenes;
mod small;
mod spread;
mod table;
mod verdict;

use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measures elbowroom against its rivals.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: What,
}

#[derive(Subcommand)]
enum What {
    /// Run the definitions, print the table of ratios and write a record.
    Run(run::Options),
    /// Write the bench's own workloads into a directory, for other programs.
    Make {
        /// Where to.
        directory: PathBuf,
    },
    /// Print what the expected part of a definition would be for every workload of a directory.
    Digest {
        /// The directory.
        directory: PathBuf,
    },
    /// Play a workload with an engine of ours; the bench starts this itself.
    #[command(hide = true)]
    Play { engine: String, directory: PathBuf, workload: String },
    /// Run a small fixed scene this many times, for instruction counts.
    #[command(hide = true)]
    Small { scene: small::Scene, repeats: u32 },
}

/// Why the bench cannot go on.
#[derive(Debug)]
pub(crate) struct Failure {
    text: String,
}

impl Failure {
    fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        What::Run(options) => run::run(&options),
        What::Make { directory } => run::make_all(&directory).map(|()| true),
        What::Digest { directory } => run::digest_all(&directory).map(|()| true),
        What::Play { engine, directory, workload } => {
            engines::run(&engine, &directory, &workload).map(|()| true)
        }
        What::Small { scene, repeats } => small::run(scene, repeats).map(|()| true),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        // Ours gave a wrong answer.
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("bench: {failure}");
            ExitCode::from(2)
        }
    }
}
