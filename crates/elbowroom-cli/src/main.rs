//! The program `elbowroom`: who goes through whom, when and where.
//!
//! `main` parses the command line and turns what comes of it into an exit code. Raw flags
//! ([`args`]) become a [`plan`], in which everything has been read and found good; only then does
//! the work begin: of plain meshes, all pairs that are not far apart ([`check`], [`examine`]); of all else, what meets in each frame
//! ([`shot`]). Findings are written by one file per form ([`table`], [`json`]).
//! What is in files ([`info`]), other formats ([`convert`]), single moments ([`pose`]) and things of our own ([`make`]) stand beside
//! it: they [`load`] any file and [`save`] a whole one or none.
//! Motions alone, as disks on the ground, are compared by [`clips`]; a crowd that walks the ways of a file, by disks, circles and meshes, by [`crowd`].
//! The papers' experiments are a room of their own ([`lab`]).
//!
//! Invariants: findings go to stdout and words about them to stderr. Bad input, and more
//! findings than there is room for, leave stdout empty, so that no part of a result can be taken for a clean one. A reader who closes the pipe early is not
//! an error.

mod args;
mod between;
mod bodies;
mod carry;
mod cast;
mod check;
mod clips;
mod convert;
mod crowd;
mod examine;
mod frames;
mod info;
mod json;
mod lab;
mod load;
mod make;
mod meaning;
mod moment;
mod outcome;
mod picture;
mod plan;
mod pose;
mod progress;
mod rate;
mod save;
mod scene;
mod shot;
mod still;
mod table;
mod units;
mod words;

use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Args, CheckArgs, Command};
use cast::Cast;
use check::Findings;
use outcome::Outcome;
use plan::{Form, Plan};
use shot::ShotPlan;
use words::Refusal;

fn main() -> ExitCode {
    match Args::parse().command {
        Command::Check(args) => run_check(&args).into(),
        Command::Info(args) => info::run(&args).into(),
        Command::Convert(args) => convert::run(&args).into(),
        Command::Pose(args) => pose::run(&args).into(),
        Command::Make(args) => make::run(&args).into(),
        Command::Clips(args) => clips::run(&args).into(),
        Command::Crowd(args) => crowd::run(&args).into(),
        Command::Lab(args) => lab::run(&args).into(),
    }
}

fn run_check(args: &CheckArgs) -> Outcome {
    let result = if shot::is_shot(args) { run_shot(args) } else { run_plain(args) };
    let (cast, findings) = match result {
        Ok(done) => done,
        Err((outcome, refusal)) => {
            words::refuse(&refusal);
            return outcome;
        }
    };
    if let Err(error) = write(Form::of(args), &cast, &findings) {
        // The work is done and whoever reads has seen enough: the answer stands.
        if error.kind() != ErrorKind::BrokenPipe {
            words::error(&format!("the result could not be written: {error}"));
            words::hint("what was written is not complete; do not use it");
            return Outcome::Incomplete;
        }
    }
    let is_clean = findings.contacts.is_empty() && !findings.has_passings();
    if is_clean || args.exit_zero { Outcome::Clean } else { Outcome::Contacts }
}

/// What was found, or how it ended without.
type Done = Result<(Cast, Findings), (Outcome, Refusal)>;

fn run_plain(args: &CheckArgs) -> Done {
    let plan = Plan::new(args).map_err(|refusal| (Outcome::BadInput, refusal))?;
    say_notes(args, &plan.notes);
    let findings = check::check(&plan, args.quiet);
    let findings = findings.map_err(|refusal| (Outcome::Incomplete, refusal))?;
    Ok((plan.cast(), findings))
}

fn run_shot(args: &CheckArgs) -> Done {
    let plan = ShotPlan::new(args).map_err(|refusal| (Outcome::BadInput, refusal))?;
    say_notes(args, &plan.notes);
    let findings = shot::check(&plan, args.quiet)?;
    Ok((plan.cast, findings))
}

fn say_notes(args: &CheckArgs, notes: &[String]) {
    if !args.quiet {
        for note in notes {
            words::note(note);
        }
    }
}

fn write(form: Form, cast: &Cast, findings: &Findings) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match form {
        Form::Json => json::write(&mut out, cast, findings)?,
        Form::Table => table::write(&mut out, cast, findings)?,
        Form::Nothing => {}
    }
    out.flush()
}
