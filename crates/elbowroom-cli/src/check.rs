//! `elbowroom check` from the command line to the exit code: plan, work, outputs.

pub(crate) mod converter;
pub(crate) mod flags;
pub(crate) mod ledger;
pub(crate) mod plan;
pub(crate) mod plausible;
pub(crate) mod record;
pub(crate) mod refit;
pub(crate) mod report;
mod run;

use std::io::{self, ErrorKind, Write};
use std::num::NonZero;

use crate::args::CheckArgs;
use crate::check::converter::Converter;
use crate::check::ledger::{Ledger, Terms};
use crate::check::record::Recorder;
use crate::check::report::{Halt, How};
use crate::messages::{self, Refusal, count};
use crate::outcome::Outcome;
use crate::output::html;
use crate::output::json;
use crate::output::table;
use crate::output::{Form, Kind, Targets};
use crate::result::cast::Cast;
use crate::result::frame::Ended;
use crate::result::plan::Plan;
use crate::result::totals::{Account, Unreadable};
use crate::save;
use crate::stop::Stop;
use crate::terminal;
use crate::time_limit::Clock;
use crate::warnings;

/// Problems that the table names; the JSON has all.
const TOLD: usize = 3;

/// Does what the command line says.
pub(crate) fn run(args: &CheckArgs) -> Outcome {
    try_run(args, None).unwrap_or_else(Halt::told)
}

/// Does what the command line says, and makes a page to show; none if there is no result.
pub(crate) fn run_to_show(args: &CheckArgs) -> (Option<Vec<u8>>, Outcome) {
    let mut page = Vec::new();
    let outcome = try_run(args, Some(&mut page)).unwrap_or_else(Halt::told);
    ((!page.is_empty()).then_some(page), outcome)
}

fn try_run(args: &CheckArgs, shown: Option<&mut Vec<u8>>) -> Result<Outcome, Halt> {
    let clock = Clock::start(args.time.limit);
    let targets = Targets::new(args).map_err(Halt::bad)?;
    work(args, &targets, &clock, &Plan::new(args).map_err(Halt::bad)?, shown)
}

fn work(
    args: &CheckArgs,
    targets: &Targets,
    clock: &Clock,
    plan: &Plan,
    shown: Option<&mut Vec<u8>>,
) -> Result<Outcome, Halt> {
    // By now every file that will be read is known.
    targets.check_places().map_err(Halt::bad)?;
    let is_own_wanted = shown.is_none() && html::own::is_wanted(args);
    let is_html = |(kind, _): &(Kind, _)| *kind == Kind::Html;
    let has_page = is_own_wanted || shown.is_some() || targets.files.iter().any(is_html);
    let (account, done, stop) = find(args, targets, clock, plan, has_page)?;
    let cast = &plan.cast;
    let page = if has_page {
        let mut page = Vec::new();
        let made = write_page(&mut page, &account, plan);
        made.map_err(|error| Halt::Unwritten(format!("the page: {error}")))?;
        page
    } else {
        Vec::new()
    };
    write_whole(targets, cast, &account, &page)?;
    done.iter().for_each(Recorder::discard);
    print(targets.form, cast, &account, args.top)?;
    if is_own_wanted {
        html::own::write(&page);
    }
    if let Some(shown) = shown {
        *shown = page;
    }
    say_what_is_missing(args, targets, cast, (&account, &stop));
    Ok(outcome(args, cast, &account))
}

/// What is found, for a caller in the same process that keeps it.
pub(crate) fn for_host(args: &CheckArgs) -> Result<(Plan, Account, Outcome), Halt> {
    let clock = Clock::start(args.time.limit);
    let targets = Targets::new(args).map_err(Halt::bad)?;
    let plan = Plan::new(args).map_err(Halt::bad)?;
    let (account, _, stop) = find(args, &targets, &clock, &plan, true)?;
    say_what_is_missing(args, &targets, &plan.cast, (&account, &stop));
    let outcome = outcome(args, &plan.cast, &account);
    Ok((plan, account, outcome))
}

/// Examines what is planned, and hands it to all that is written meanwhile.
fn find(
    args: &CheckArgs,
    targets: &Targets,
    clock: &Clock,
    plan: &Plan,
    has_page: bool,
) -> Result<(Account, Option<Recorder>, Stop), Halt> {
    let cast = &plan.cast;
    if !args.quiet {
        plan.notes.iter().for_each(|note| messages::note(note));
        cast.warnings.iter().for_each(|warning| messages::warning(&warning.text));
    }
    let errors: Vec<&str> = cast.files.iter().filter_map(|file| file.error.as_deref()).collect();
    tell("error", &errors, |error| (*error).to_owned());
    let recorder = recorder(args, targets, plan);
    let record = match &recorder {
        Some(recorder) if args.resume => recorder.read().map_err(Halt::bad)?,
        Some(recorder) => recorder.check_place().map(|()| None).map_err(Halt::bad)?,
        None => None,
    };
    if !args.resume {
        targets.sweep();
    }
    if args.resume && record.is_none() && !args.quiet {
        messages::note("nothing to resume; starting at the first frame");
    }
    // From here on there is something that may be gone on with.
    let stop = terminal::listen();
    clock.watch(&stop);
    let (is_continuous, top) = (plan.continuous, args.top);
    let terms = Terms { targets, is_continuous, top, recorder, has_page, record };
    let mut ledger = Ledger::open(cast, terms)?;
    let how = How {
        from: ledger.steps(),
        threads: args.threads.map(NonZero::get),
        quiet: args.quiet,
        stop: &stop,
    };
    let mut converter = Converter::new(&cast.unit);
    let ended = match plan.run(&how, &mut |report| ledger.frame(converter.frame(report))) {
        Ok(ended) => ended,
        Err(halt @ Halt::Refused(..)) => return Err(refused(ledger, targets, halt)),
        Err(halt) => return Err(halt),
    };
    clock.end();
    if let Some(unreadable) = ledger.nothing_readable() {
        let problems = unreadable.iter().take(TOLD).map(|frame| frame.error.clone()).collect();
        let hint = "nothing could be examined; repair the files".to_owned();
        ledger.discard();
        return Err(Halt::bad(Refusal { problems, hint }));
    }
    let nothing = (ended == Ended::Whole && ledger.is_empty()).then(|| plan.nothing_examined());
    let (account, done) = ledger.end(ended, nothing)?;
    Ok((account, done, stop))
}

/// What becomes of the outputs where the work cannot go on: they hold what was found before, marked
/// as incomplete; of nothing there is nothing.
fn refused(ledger: Ledger<'_>, targets: &Targets, halt: Halt) -> Halt {
    if ledger.steps() == 0 || targets.files.is_empty() {
        ledger.discard();
        return halt;
    }
    match ledger.end(Ended::Interrupted, None) {
        Ok(_) => {
            messages::note(
                "the output files hold what was found before that, and are marked as incomplete",
            );
            halt
        }
        Err(unwritten) => unwritten,
    }
}

/// Puts on record how far the work has come, if it can be gone on with.
fn recorder(args: &CheckArgs, targets: &Targets, plan: &Plan) -> Option<Recorder> {
    let (_, first) = targets.files.first().filter(|_| targets.is_resumable())?;
    let fingerprint = record::fingerprint(args, |hasher| plan.sign(hasher));
    Some(Recorder::new(first, fingerprint))
}

/// Files that are written at the end.
fn write_whole(targets: &Targets, cast: &Cast, account: &Account, page: &[u8]) -> Result<(), Halt> {
    for (kind, path) in &targets.files {
        let written = match kind {
            Kind::Json => {
                let mut text = Vec::new();
                json::write(&mut text, cast, account)
                    .map_err(|error| Halt::Unwritten(format!("{}: {error}", path.display())))?;
                save::write(path, &text)
            }
            Kind::Html => save::write(path, page),
            Kind::Ndjson | Kind::Csv | Kind::Parquet => continue,
        };
        written.map_err(|failure| Halt::Unwritten(failure.text()))?;
    }
    Ok(())
}

fn write_page(text: &mut Vec<u8>, account: &Account, plan: &Plan) -> io::Result<()> {
    let (command, shot) = (command_line(), html::container(plan, &account.incidents));
    let notes = (command.as_str(), plan.notes.as_slice());
    html::write(text, &plan.cast, account, notes, shot.as_deref())
}

/// What was typed, quoted where a shell would have to be told.
fn command_line() -> String {
    if let Some(words) = terminal::request() {
        return words;
    }
    let quoted = |word: String| {
        let is_plain = |c: char| c.is_alphanumeric() || "-_=./,:#@+".contains(c);
        if !word.is_empty() && word.chars().all(is_plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    // A page of a run that went on is that of one that was never stopped.
    let words = terminal::typed().into_iter().skip(1).filter(|word| word != "--resume");
    let words = words.map(|word| quoted(word.to_string_lossy().into_owned()));
    std::iter::once("elbowroom".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

fn print(form: Form, cast: &Cast, account: &Account, top: usize) -> Result<(), Halt> {
    let mut out = terminal::out();
    let written = match form {
        Form::Json => json::write(&mut out, cast, account),
        Form::Table => table::write(&mut out, cast, account, top),
        Form::Ndjson | Form::Nothing => Ok(()),
    };
    match written.and_then(|()| out.flush()) {
        // The work is done and the reader has seen enough: the answer stands.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Halt::Unwritten(format!("the result could not be written: {error}")))
        }
        _ => Ok(()),
    }
}

fn say_what_is_missing(
    args: &CheckArgs,
    targets: &Targets,
    cast: &Cast,
    (account, stop): (&Account, &Stop),
) {
    let told = |frame: &Unreadable| frame.error.clone();
    tell("error", &account.counts.unreadable, told);
    if let Some(reason) = &account.nothing {
        messages::error(&format!("nothing was examined: {reason}"));
    }
    if cast.missing().is_some() {
        warnings::say_missing(&cast.warnings);
    }
    if !account.was_interrupted() {
        return;
    }
    let frames = count(cast.frames, "frame");
    let after = match account.counts.last_frame {
        Some(frame) => format!("after frame {frame}"),
        None => "before the first frame".to_owned(),
    };
    let steps = account.counts.steps;
    let why = match args.time.limit.filter(|_| stop.is_by_clock()) {
        Some(limit) => format!("the time limit of {limit} was reached"),
        None => "interrupted".to_owned(),
    };
    messages::error(&format!("{why} {after}: {steps} of {frames} were examined"));
    if targets.is_resumable() {
        messages::hint("the same command with --resume continues from there");
    } else if !args.quiet {
        messages::hint(
            "only with -o x.ndjson, x.csv, x.parquet or x.html could --resume continue from there",
        );
    }
}

/// Tells of the first few.
fn tell<T>(what: &str, all: &[T], words: impl Fn(&T) -> String) {
    for one in all.iter().take(TOLD) {
        messages::say(what, &words(one));
    }
    if let more @ 1.. = all.len().saturating_sub(TOLD) {
        messages::say(what, &format!("{more} more could not be read"));
    }
}

fn outcome(args: &CheckArgs, cast: &Cast, account: &Account) -> Outcome {
    if !account.is_complete(cast) {
        return Outcome::Incomplete;
    }
    if account.is_clean() || args.exit_zero { Outcome::Clean } else { Outcome::Contacts }
}

#[cfg(test)]
mod tests;
