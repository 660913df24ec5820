//! `elbowroom diff`: what changed between two reports of `elbowroom check --json`.
//!
//! Both are read ([`report`]) and made comparable, or refused: the same question, lengths in the
//! unit of the new one, frames by their time ([`clock`]). Incidents of the same objects that are
//! close in time are one thing ([`compare`]), which is new, worse, better, gone or the same. What
//! the new check did not look at is none of these: it is not examined, and never gone.

mod clock;
mod compare;
mod json;
mod report;
mod text;

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

use crate::messages::{self, Refusal};
use crate::outcome::Outcome;
use crate::terminal;
use compare::{Change, Verdict};
use report::Report;

const EXAMPLES: &str = "\
Examples:
  elbowroom diff monday.json today.json      what is new, worse, better, gone?
  elbowroom diff monday.json today.json --tolerance 5%
                                             smaller changes do not count
  elbowroom diff monday.json today.json --json
                                             for programs

  Both files are what `elbowroom check shot.glb --depth --json > today.json`
  writes.

Exit code: 0 nothing is new or worse, 1 something is, 2 bad input or usage,
3 incomplete: the new check is not complete, or it did not look at everything
that the old one found.";

const MEANING: &str = "\
What an answer means:
  Incidents are compared by who meets and when. Incidents of the same two
  objects (with `--self`: of the same two parts) belong together if no more
  frames lie between them than `--gap` allowed within an incident. Frames are
  compared by their time if both reports have it, else by their number.

  new           the old report has no such incident
  worse         the contact is of a stronger kind (clearance, touching,
                interiors), deeper, or lasts longer, by more than the tolerance
  better        the opposite, and nothing of it is worse
  gone          the new report has no such incident, and the new check looked
                at both objects in all of its frames
  not examined  the new report has no such incident, but did not look: an
                object is missing, frames are outside of its range, left out by
                its step, or could not be read
  same          everything else

  Where depth was not measured, the length of the curve of contact (`--where`)
  or the number of triangle pairs is compared; the number only if both meshes
  have as many triangles as before. Pairs that a scene file allows to touch by
  now count as gone. docs/diff.md has more.";

/// Compare two reports of a check: what is new, worse, better or gone
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{MEANING}\n\n{EXAMPLES}"))]
pub(crate) struct DiffArgs {
    /// The earlier report, as `elbowroom check --json` prints it
    #[arg(value_name = "OLD.json")]
    old: PathBuf,

    /// The later report
    #[arg(value_name = "NEW.json")]
    new: PathBuf,

    /// By how many percent a measure may change and still count as the same
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = parse_percent)]
    tolerance: f64,

    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,

    /// Show the incidents that are the same, too
    #[arg(long, conflicts_with = "json")]
    all: bool,
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    let percent = number.parse::<f64>().ok().filter(|percent| (0.0..=100.0).contains(percent));
    percent.ok_or_else(|| "give percent from 0 to 100, such as 5 or 5%".to_owned())
}

pub(crate) fn run(args: &DiffArgs) -> Outcome {
    match compared(args) {
        Ok(outcome) => outcome,
        Err(refusal) => {
            messages::refuse(&refusal);
            Outcome::BadInput
        }
    }
}

fn compared(args: &DiffArgs) -> Result<Outcome, Refusal> {
    let mut old = Report::read(&args.old)?;
    let new = Report::read(&args.new)?;
    report::check_comparable(&old, &new)?;
    old.convert_lengths(new.metres_per_unit);
    let changes = compare::changes(&old, &new, args.tolerance / 100.0);
    let doubts = doubts(&new, &changes);
    let written = if args.json {
        json::write(terminal::out(), (&old, &new), &changes, &doubts, args.tolerance)
    } else {
        let mut out = terminal::out();
        text::write(&mut out, &new, &changes, args.all).and_then(|()| out.flush())
    };
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        messages::error(&format!("the result could not be written: {error}"));
        return Ok(Outcome::Incomplete);
    }
    if !args.json {
        for doubt in &doubts {
            messages::warning(doubt);
        }
    }
    let is_bad =
        changes.iter().any(|change| matches!(change.verdict, Verdict::New | Verdict::Worse));
    Ok(match (doubts.is_empty(), is_bad) {
        (false, _) => Outcome::Incomplete,
        (true, true) => Outcome::Contacts,
        (true, false) => Outcome::Clean,
    })
}

/// Why the comparison says less than it seems to.
fn doubts(new: &Report, changes: &[Change<'_>]) -> Vec<String> {
    let mut doubts = Vec::new();
    if let Some(why) = new.incomplete() {
        doubts.push(format!("{} is not complete: {why}", new.name()));
    }
    let unseen = changes.iter().filter(|change| change.verdict == Verdict::NotExamined).count();
    if unseen > 0 {
        let incidents = messages::count(unseen as u64, "incident");
        doubts.push(format!("{incidents} of the old report were not examined again"));
    }
    doubts
}

/// What both writers begin with.
const SCHEMA_VERSION: u32 = 1;

/// Writes one JSON value and a line break.
fn print(mut out: impl Write, value: &impl serde::Serialize) -> io::Result<()> {
    use crate::output::json_format::Shallow;
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Shallow::default());
    value.serialize(&mut serializer)?;
    writeln!(out)?;
    out.flush()
}
