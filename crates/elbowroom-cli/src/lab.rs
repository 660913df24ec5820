//! `elbowroom lab`: the papers' experiments, listed, run and reported on.
//!
//! The exit code is 0 if every claim that has to hold does, 1 if one does not, 2 if no experiment
//! has the name given, 3 if the result could not be written.

mod args;
mod folder;
mod plot;
mod report;
mod text;

use std::io::{self, BufWriter, ErrorKind, Write};

use elbowroom_lab::{Context, Data, EXPERIMENTS, Experiment, Report, find};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

pub(crate) use self::args::LabArgs;

use self::args::{LabCommand, LabRunArgs};
use self::folder::Folder;
use crate::messages;
use crate::outcome::Outcome;

const SCHEMA_VERSION: u32 = 1;

/// Every experiment, one after the other.
const ALL: &str = "all";

pub(crate) fn run(args: &LabArgs) -> Outcome {
    match &args.command {
        LabCommand::List => written(text::list, Outcome::Clean),
        LabCommand::Run(args) => match chosen(&args.ids) {
            Ok(experiments) => match Folder::find(args.data.as_deref()) {
                Ok(folder) => run_all(&experiments, args, &folder),
                Err(error) => no_folder(&error),
            },
            Err(unknown) => {
                refuse(&unknown);
                Outcome::BadInput
            }
        },
        LabCommand::Report(args) => report::run(args),
    }
}

fn no_folder(error: &str) -> Outcome {
    messages::error(error);
    messages::hint("without --data, only generated bodies are measured");
    Outcome::BadInput
}

/// The experiments of these names, or the names that none has.
fn chosen(ids: &[String]) -> Result<Vec<&'static Experiment>, Vec<String>> {
    if ids.iter().any(|id| id == ALL) {
        return Ok(EXPERIMENTS.iter().collect());
    }
    let unknown: Vec<String> = ids.iter().filter(|id| find(id).is_none()).cloned().collect();
    if unknown.is_empty() {
        Ok(ids.iter().filter_map(|id| find(id)).collect())
    } else {
        Err(unknown)
    }
}

fn refuse(unknown: &[String]) {
    for id in unknown {
        messages::error(&format!("there is no experiment {id:?}"));
        match nearest(id) {
            Some(near) => messages::hint(&format!("did you mean `elbowroom lab run {near}`?")),
            None => messages::hint("`elbowroom lab list` lists them; `all` runs every one"),
        }
    }
}

/// The name that takes the fewest changes, if that is less than half of it.
fn nearest(id: &str) -> Option<&'static str> {
    let ids = EXPERIMENTS.iter().map(|experiment| experiment.id).chain([ALL]);
    let (changes, near) = ids.map(|known| (changes(id, known), known)).min()?;
    (2 * changes < near.len()).then_some(near)
}

/// How many letters must be put in, left out or changed to turn one word into the other
/// (Levenshtein, 1965).
fn changes(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, letter) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &other) in to.iter().enumerate() {
            let changed = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

fn run_all(experiments: &[&Experiment], args: &LabRunArgs, data: &dyn Data) -> Outcome {
    let mut reports = Vec::new();
    for (place, experiment) in experiments.iter().enumerate() {
        let bar = Bar::new(experiment.id);
        let report = experiment.run(&Context { quick: args.quick, progress: &bar, data });
        bar.0.finish_and_clear();
        // For people each report is shown when it is there; programs get one object at the end.
        if !args.json {
            let outcome = written(
                |out| {
                    if place > 0 {
                        writeln!(out)?;
                    }
                    text::report(out, experiment, &report)
                },
                Outcome::Clean,
            );
            if outcome != Outcome::Clean {
                return outcome;
            }
        }
        reports.push(report);
    }
    let failed = reports.iter().flat_map(Report::failed).count();
    let outcome = outcome_of(failed);
    if args.json {
        return written(|out| json(out, args.quick, failed, &reports), outcome);
    }
    if reports.len() > 1 {
        return written(|out| text::summary(out, &reports), outcome);
    }
    outcome
}

/// 1 means that something was found; here, a claim that fails.
fn outcome_of(failed: usize) -> Outcome {
    if failed == 0 { Outcome::Clean } else { Outcome::Contacts }
}

#[derive(Serialize)]
struct Object<'a> {
    schema_version: u32,
    elbowroom_version: &'static str,
    quick: bool,
    /// How many claims that have to hold do not.
    failed: usize,
    reports: &'a [Report],
}

fn json(out: &mut dyn Write, quick: bool, failed: usize, reports: &[Report]) -> io::Result<()> {
    let elbowroom_version = env!("CARGO_PKG_VERSION");
    let object =
        Object { schema_version: SCHEMA_VERSION, elbowroom_version, quick, failed, reports };
    serde_json::to_writer_pretty(&mut *out, &object)?;
    writeln!(out)
}

/// Writes to stdout; a reader who has seen enough changes nothing.
fn written(write: impl FnOnce(&mut dyn Write) -> io::Result<()>, outcome: Outcome) -> Outcome {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            messages::error(&format!("the result could not be written: {error}"));
            messages::hint("what was written is not complete; do not use it");
            Outcome::Incomplete
        }
        _ => outcome,
    }
}

/// A bar on stderr, which shows nothing where that is no terminal.
struct Bar(ProgressBar);

impl Bar {
    fn new(id: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(id);
        Self(bar)
    }
}

impl elbowroom_lab::Progress for Bar {
    fn ahead(&self, steps: u64) {
        self.0.inc_length(steps);
    }

    fn inc(&self, steps: u64) {
        self.0.inc(steps);
    }

    fn message(&self, what: &str) {
        self.0.set_message(what.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use elbowroom_lab::{NoData, Silent, Verdict};

    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_understood() {
        assert_eq!(changes("kitten", "sitting"), 3);
        assert_eq!(changes("", "abc"), 3);
        assert_eq!(nearest("obbtree-tabel1"), Some("obbtree-table1"));
        assert_eq!(nearest("obbtre-table2"), Some("obbtree-table2"));
        assert_eq!(nearest("quicksort"), None);
    }

    /// A claim that rests on counts and does not hold makes the exit code 1; one that the clock
    /// decides does not.
    #[test]
    fn a_failed_gate_fails_the_run() {
        let table1 = find("obbtree-table1").expect("it is in the list");
        let mut report = table1.run(&Context { quick: true, progress: &Silent, data: &NoData });
        assert_eq!(outcome_of(report.failed().count()), Outcome::Clean);
        let claim = &mut report.claims[0];
        assert!(claim.gate && !claim.timed);
        claim.verdict = Verdict::DoesNotHold;
        assert_eq!(outcome_of(report.failed().count()), Outcome::Contacts);
        report.claims[0].gate = false;
        assert_eq!(outcome_of(report.failed().count()), Outcome::Clean);
    }

    #[test]
    fn all_means_all() {
        let chosen = chosen(&["all".to_owned()]).expect("all are known");
        assert_eq!(chosen.len(), EXPERIMENTS.len());
    }
}
