//! The program `elbowroom`: who goes through whom, when and where.
//!
//! `main` parses the command line and turns what comes of it into an exit code. Raw flags
//! ([`args`]) become a [`plan`], in which everything has been read and found good; only then does
//! the work begin ([`check`]): of all pairs, those that are not far apart ([`near`]) are examined
//! ([`examine`]). Findings are written by one file per form ([`table`], [`json`]).
//! What is in files ([`info`]), other formats ([`convert`]), single moments ([`pose`]) and things of our own ([`make`]) stand beside
//! it: they [`load`] any file and [`save`] a whole one or none.
//! The papers' experiments are a room of their own ([`lab`]).
//!
//! Invariants: findings go to stdout and words about them to stderr. Bad input, and more
//! findings than there is room for, leave stdout empty, so that no part of a result can be taken for a clean one. A reader who closes the pipe early is not
//! an error.

mod args;
mod carry;
mod check;
mod clips;
mod convert;
mod examine;
mod info;
mod json;
mod lab;
mod load;
mod make;
mod moment;
mod outcome;
mod plan;
mod pose;
mod progress;
mod save;
mod scene;
mod still;
mod table;
mod units;
mod words;

use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Args, CheckArgs, Command};
use check::Findings;
use outcome::Outcome;
use plan::{Form, Plan};

fn main() -> ExitCode {
    match Args::parse().command {
        Command::Check(args) => run_check(&args).into(),
        Command::Info(args) => info::run(&args).into(),
        Command::Convert(args) => convert::run(&args).into(),
        Command::Pose(args) => pose::run(&args).into(),
        Command::Make(args) => make::run(&args).into(),
        Command::Lab(args) => lab::run(&args).into(),
    }
}

fn run_check(args: &CheckArgs) -> Outcome {
    let plan = match Plan::new(args) {
        Ok(plan) => plan,
        Err(refusal) => {
            words::refuse(&refusal);
            return Outcome::BadInput;
        }
    };
    if !args.quiet {
        plan.notes.iter().for_each(|note| words::note(note));
    }
    let findings = match check::check(&plan, args.quiet) {
        Ok(findings) => findings,
        Err(refusal) => {
            words::refuse(&refusal);
            return Outcome::Incomplete;
        }
    };
    if let Err(error) = write(&plan, &findings) {
        // The work is done and whoever reads has seen enough: the answer stands.
        if error.kind() != ErrorKind::BrokenPipe {
            words::error(&format!("the result could not be written: {error}"));
            words::hint("what was written is not complete; do not use it");
            return Outcome::Incomplete;
        }
    }
    if findings.contacts.is_empty() || plan.exit_zero { Outcome::Clean } else { Outcome::Contacts }
}

fn write(plan: &Plan, findings: &Findings) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match plan.form {
        Form::Json => json::write(&mut out, plan, findings)?,
        Form::Table => table::write(&mut out, plan, findings)?,
        Form::Nothing => {}
    }
    out.flush()
}
