//! `elbowroom clips`: do two motions collide on the ground, when, and at which start offsets.
//!
//! Raw flags become two [`Side`]s, in which everything has been read and found good; then the
//! library is asked ([`Findings`]), and what it says is written for people ([`text`]), for programs
//! ([`json`]) and as a picture ([`plot`]).

mod findings;
mod json;
mod method;
mod plot;
mod side;
mod skins;
mod text;

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use elbowroom_motion::space_time::{BetweenSamples, Config};

use crate::messages::{self, Refusal};
use crate::outcome::Outcome;
use crate::output::picture::Picture;
use crate::save::{self, Failure, check_free, refusal};
use crate::terminal;
use crate::time_limit::{Clock, TimeLimitArgs};
use crate::units::{Length, ReadArgs, parse_length};
use crate::warnings::{self, LeftOutArgs, Warning};
use findings::Findings;
use method::Method;
use side::{Side, Spot};
use skins::Skins;

const EXAMPLES: &str = "\
Examples:
  elbowroom clips a.bvh b.bvh                do two clips collide, when, how
                                             near do they come?
  elbowroom clips a.bvh b.bvh --offsets      at which start offsets of b against
                                             a?
  elbowroom clips walk.glb walk.glb --place-b 2,-2,90 --offsets --from 0 --to 10
                                             how long must B wait to cross
                                             behind A?
  elbowroom clips a.bvh b.bvh --exact --body make:man
                                             do the bodies touch, beyond their
                                             disks?
  elbowroom clips a.bvh b.bvh --radius 0.4 --offsets -o plot.html
                                             personal space of 40 cm; with a
                                             picture
  elbowroom clips a.bvh b.bvh --method umobb --n-min 5 --counts
                                             the same answers by the UMOBB tree,
                                             and what they took

Exit code: 0 the clips do not collide, 1 they collide, 2 bad input or usage, 3
incomplete.";

const MEANING: &str = "\
What an answer means:
  A motion is a disk on the ground, sampled over time. The disk is centred under
  the root joint and reaches to the joint or vertex that is farthest from it,
  seen from above (--reach), or has one radius (--radius). A sample is held
  until the next one, the last one as long as the others. Two motions collide if
  two of their disks overlap that are held at a common moment. So characters
  with skin that meet in a sample are found for certain, and some that only come
  near are found too. With --exact, skins are compared where disks collide,
  first as seen from above, then triangle by triangle; the exit code is then
  that of the skins. A capture has joints and no skin: give it a body with
  --body, or a --radius that reaches beyond the joints. The ground is seen from
  above. If Y is up, its x is the file's z and its y the file's x; if Z is up,
  they are the file's x and y. With --between linear, disks move on straight
  lines from sample to sample instead. An offset is how much later B starts than
  A. The offsets at which the clips collide are open intervals: their ends are
  free. For moving disks the ends are rounded outward, by some 1e-12 s, so an
  offset that is reported as free is free. docs/clips.md has more, and
  docs/glossary.md the words.";

/// Find whether two motion clips collide, when, and at which start offsets
#[derive(Debug, clap::Args)]
// Each switch of a command line is a bool of its own.
#[allow(clippy::struct_excessive_bools)]
#[command(after_help = EXAMPLES, after_long_help = format!("{MEANING}\n\n{EXAMPLES}"))]
pub(crate) struct ClipsArgs {
    /// First motion: .bvh, .glb, .gltf, .fbx, or vertices over time (.npz, name.####.obj)
    #[arg(value_name = "A")]
    a: PathBuf,

    /// Second motion; may be the same file
    #[arg(value_name = "B")]
    b: PathBuf,

    /// Clip of both, by name, part of a name, or number in `elbowroom info`
    ///
    /// By default the clip of each file that it marks as active, else its longest.
    #[arg(long, value_name = "NAME|N")]
    clip: Option<String>,

    /// Clip of A, if it differs from that of B
    #[arg(long, value_name = "NAME|N")]
    clip_a: Option<String>,

    /// Clip of B, if it differs from that of A
    #[arg(long, value_name = "NAME|N")]
    clip_b: Option<String>,

    /// Samples per second, or `own` for the rate of the clips' keys
    #[arg(long, value_name = "RATE", default_value = "30", value_parser = parse_rate)]
    fps: Rate,

    /// Give all disks one radius: 40cm, or 0.4 in metres
    #[arg(long, value_name = "LENGTH", value_parser = parse_length, allow_hyphen_values = true)]
    radius: Option<Length>,

    /// Let each disk reach to the farthest joint or vertex of its sample [default]
    #[arg(long, conflicts_with = "radius")]
    reach: bool,

    /// Place of A on the ground: x,y in metres, and degrees to the left
    #[arg(long, value_name = "X,Y,DEG", value_parser = side::parse_spot, allow_hyphen_values = true)]
    place_a: Option<Spot>,

    /// Place of B on the ground
    #[arg(long, value_name = "X,Y,DEG", value_parser = side::parse_spot, allow_hyphen_values = true)]
    place_b: Option<Spot>,

    /// Start of A, in seconds
    #[arg(long, value_name = "S", default_value = "0", value_parser = parse_secs, allow_hyphen_values = true)]
    start_a: f64,

    /// Start of B, in seconds
    #[arg(long, value_name = "S", default_value = "0", value_parser = parse_secs, allow_hyphen_values = true)]
    start_b: f64,

    /// Report all start offsets of B against A at which they collide
    #[arg(long)]
    offsets: bool,

    /// Report offsets from this one on, in seconds
    #[arg(long, value_name = "S", requires = "offsets", value_parser = parse_secs, allow_hyphen_values = true)]
    from: Option<f64>,

    /// Report offsets up to this one, in seconds
    #[arg(long, value_name = "S", requires = "offsets", value_parser = parse_secs, allow_hyphen_values = true)]
    to: Option<f64>,

    /// Compare the bodies themselves where disks collide
    #[arg(long, conflicts_with = "radius")]
    exact: bool,

    /// Body of a motion that has none: make:man, make:woman or a character's file
    #[arg(long, value_name = "BODY", requires = "exact")]
    body: Option<String>,

    /// Compare bodies from above down to this level before their meshes; the answer does not
    /// change
    #[arg(long, value_name = "N", requires = "exact")]
    level: Option<u32>,

    /// Motion between two samples
    #[arg(long, value_enum, default_value_t = Move::Held, value_name = "WHAT")]
    between: Move,

    /// The structure that the question runs on, and whose boxes the picture shows
    ///
    /// Every method gives the same answers; circles, the default, give them soonest. The others
    /// are the trees of Sung, Chenney and Gleicher. The nearest approach is found on circles
    /// in any case; so are the offsets of moving disks and of clips with different rates, for
    /// which a tree is refused.
    #[arg(long, value_enum, default_value_t = Method::Circles, value_name = "METHOD")]
    method: Method,

    /// The most samples in a leaf of the tree [default: 10, as in the paper]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    n_min: Option<u32>,

    /// Print how many boxes, or circles, and samples were tested, and how many nodes there are
    #[arg(long)]
    counts: bool,

    /// Write a picture: .svg or .html
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// Overwrite an existing picture
    #[arg(long, requires = "output")]
    force: bool,

    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,

    /// Exit with code 0 even if they collide
    #[arg(long)]
    exit_zero: bool,

    #[command(flatten)]
    left_out: LeftOutArgs,

    #[command(flatten)]
    time: TimeLimitArgs,

    /// Print no table and no notes; the exit code has the answer, and --json still prints
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    read: ReadArgs,
}

/// Samples in a second; nothing for those of the clip itself.
#[derive(Clone, Copy, Debug)]
struct Rate(Option<f64>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Move {
    /// A sample is held until the next
    Held,
    /// The disk moves on a straight line to the next sample
    Linear,
}

impl Move {
    fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Linear => "linear",
        }
    }
}

fn parse_rate(text: &str) -> Result<Rate, String> {
    if text == "own" {
        return Ok(Rate(None));
    }
    let fps = crate::frames::parse_fps(text).map_err(|why| format!("{why}; or `own`"))?;
    Ok(Rate(Some(fps)))
}

fn parse_secs(text: &str) -> Result<f64, String> {
    let secs = text.parse().ok().filter(|secs: &f64| secs.abs() <= 1e9);
    secs.ok_or_else(|| "give seconds, such as 2.5 or -1".to_owned())
}

impl ClipsArgs {
    pub(crate) fn take_units(&mut self) -> Result<(), Refusal> {
        self.read.take([&mut self.a, &mut self.b])
    }

    fn config(&self) -> Config {
        let between = match self.between {
            Move::Held => BetweenSamples::Held,
            Move::Linear => BetweenSamples::Linear,
        };
        let paper = Config::paper(self.method.kind());
        let n_min = self.n_min.map_or(paper.n_min, |n_min| n_min as usize);
        Config { between, n_min, ..paper }
    }

    /// The picture that is asked for, where nothing is in its way.
    fn picture(&self) -> Result<Option<(&Path, Picture)>, Refusal> {
        let Some(path) = &self.output else { return Ok(None) };
        let Some(picture) = Picture::of(path) else {
            let hint = "let the name of the picture end in .svg or .html";
            return Err(refusal(path, "is neither an .svg nor an .html", hint));
        };
        check_free(path, self.force)?;
        Ok(Some((path, picture)))
    }

    fn check(&self) -> Result<(), Refusal> {
        if self.exact && self.between == Move::Linear {
            return Err(Refusal {
                problems: vec!["bodies are compared in held samples only".to_owned()],
                hint: "leave out --between linear or --exact; `elbowroom check --continuous` examines the time between frames".to_owned(),
            });
        }
        method::check(self)?;
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from >= to
        {
            return Err(Refusal {
                problems: vec![format!("--from {from} is not before --to {to}")],
                hint: "give a range of offsets in seconds, such as --from 0 --to 10".to_owned(),
            });
        }
        Ok(())
    }
}

pub(crate) fn run(args: &ClipsArgs) -> Outcome {
    match find(args) {
        Ok(report) => told(args, &report),
        Err(Failure::Refused(refusal)) => {
            messages::refuse(&refusal);
            Outcome::BadInput
        }
        Err(Failure::Unwritten(problem)) => {
            messages::error(&problem);
            Outcome::Incomplete
        }
    }
}

/// Everything there is to tell.
struct Report {
    sides: [Side; 2],
    findings: Findings,
    warnings: Vec<Warning>,
    /// What the files do not say and was assumed.
    assumed: Vec<String>,
    /// Why there was no moment to examine, if so.
    nothing: Option<&'static str>,
}

impl Report {
    /// Whether there was something to examine, and all of it was read.
    fn is_complete(&self, args: &ClipsArgs) -> bool {
        let missing = warnings::missing(&self.warnings, args.left_out.allow_left_out);
        self.nothing.is_none() && missing.is_none()
    }
}

fn find(args: &ClipsArgs) -> Result<Report, Failure> {
    let clock = Clock::start(args.time.limit);
    args.check()?;
    let picture = args.picture()?;
    let sides = [Side::a(args)?, Side::b(args)?];
    save::check_outputs(picture.iter().map(|(path, _)| *path))?;
    check_body(args, &sides)?;
    let facts = sides.each_ref().map(|side| side.facts.clone());
    let heeded = args.read.heed(&facts)?;
    let mut notes = side::notes(&sides);
    let mut warnings = warnings::left_out(&mut notes);
    warnings.extend(sides.iter().filter_map(|side| side.sparse.clone()));
    warnings.dedup();
    let assumed = warnings::assumed(&notes);
    if !args.quiet {
        notes.extend(heeded);
        warnings::tell(&notes, &warnings);
    }
    let range = args.offsets.then_some((args.from, args.to));
    let mut findings = Findings::new(&sides, args.method, range)?;
    findings.skins = Skins::new(&sides, args.level).map_err(|problem| Refusal {
        problems: vec![problem],
        hint: "name other bodies or nearer places".to_owned(),
    })?;
    clock.end();
    if let Some((path, picture)) = picture {
        let text = picture.file(&plot::title_of(&sides), plot::svg(&sides, &findings));
        save::write(path, text.as_bytes())?;
    }
    // Of start offsets there is an answer all the same.
    let is_apart = findings.nearest.is_none() && findings.offsets.is_none();
    let nothing = is_apart.then_some(APART);
    Ok(Report { sides, findings, warnings, assumed, nothing })
}

/// A body is for motions that have none.
fn check_body(args: &ClipsArgs, sides: &[Side; 2]) -> Result<(), Refusal> {
    let is_lent = |side: &Side| side.flesh.as_ref().is_some_and(|flesh| flesh.is_lent);
    if args.body.is_none() || sides.iter().any(is_lent) {
        return Ok(());
    }
    Err(Refusal {
        problems: vec!["--body is for motions without a skin, and both have one".to_owned()],
        hint: "leave it out; both are compared with their own skins".to_owned(),
    })
}

/// Why two motions that follow each other are not compared.
const APART: &str = "they never move at the same time";

fn told(args: &ClipsArgs, report: &Report) -> Outcome {
    if let Err(error) = write(args, report) {
        // The work is done and the reader has seen enough: the answer stands.
        if error.kind() != ErrorKind::BrokenPipe {
            messages::error(&format!("the result could not be written: {error}"));
            messages::hint("what was written is not complete; do not use it");
            return Outcome::Incomplete;
        }
    }
    if let Some(reason) = report.nothing {
        messages::error(&format!("nothing was examined: {reason}"));
        messages::hint("give other starts with --start-a and --start-b, or ask for all --offsets");
    }
    let is_all = args.left_out.settle(&report.warnings);
    match report.nothing {
        None if is_all && (report.findings.is_clear() || args.exit_zero) => Outcome::Clean,
        None if is_all => Outcome::Contacts,
        _ => Outcome::Incomplete,
    }
}

fn write(args: &ClipsArgs, report: &Report) -> io::Result<()> {
    let mut out = terminal::out();
    if args.json {
        json::write(&mut out, args, report)?;
    } else if !args.quiet {
        text::write(&mut out, report)?;
        if args.counts {
            report.findings.counts.write(&mut out)?;
        }
    }
    out.flush()
}
