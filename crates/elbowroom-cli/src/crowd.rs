//! `elbowroom crowd`: which people of a crowd touch, by disks, by circles of every level, and
//! exactly.
//!
//! Raw flags become [`Ways`] and a [`Cast`], in which everything has been read and found good;
//! everybody becomes a [`Walker`] who faces where they go; then each [`Method`] is asked about each
//! frame ([`run`]), and what they say ([`Findings`]) is written for people ([`text`]), for programs
//! ([`json`], [`csv`]) and as a picture ([`plot`]).

mod cast;
mod circles;
mod csv;
mod density;
mod findings;
mod json;
mod method;
mod plot;
mod run;
mod stand;
mod text;
mod walk;
mod ways;

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use elbowroom_io::FileOptions;
use glam::DVec3;

use crate::frames::{self, Frames};
use crate::messages::{self, Refusal};
use crate::outcome::Outcome;
use crate::output::picture::Picture;
use crate::save::{self, Failure, check_free, refusal};
use crate::terminal;
use crate::time_limit::{Clock, TimeLimitArgs};
use crate::units::{ReadArgs, parse_units};
use crate::warnings::{self, LeftOutArgs, Warning};
use cast::Cast;
use circles::CircleArgs;
use density::Density;
use findings::Findings;
use method::{Level, Method};
use stand::Stand;
use walk::Walker;
use ways::Ways;

const EXAMPLES: &str = "\
Examples:
  elbowroom crowd                            a generated crowd, to see it work
  elbowroom crowd zara01/obsmat.txt          which people on this pavement
                                             touch, and what do disks report
                                             instead?
  elbowroom crowd corridor.txt.gz --frames 500-900x5 -o crowd.html
                                             every fifth of some frames, with a
                                             picture
  elbowroom crowd sim.csv --radius 0.3 --levels 0,3,all --json
                                             another disk, fewer levels, for
                                             programs
  elbowroom crowd sim.csv --body guard.glb --body clerk.glb --clip walk
                                             other bodies, in turn
  elbowroom crowd stadium.csv --no-exact --every 25
                                             a large crowd, from above only
  elbowroom crowd sim.csv --threshold 5cm --split covariance --levels 0,3,all
                                             other cylinders: the same contacts,
                                             other costs
  elbowroom crowd --stand make:man make:woman
                                             how close may these two stand?

Exit code: 0 no contact, 1 contacts, 2 bad input or usage, 3 incomplete.";

const MEANING: &str = "\
What an answer means:
  Each person of the file gets a body that walks along the trajectory. It faces
  the direction of walking, averaged over a second, or the heading of the file.
  A person who hardly moves stands, and keeps the last direction. Feet move as
  far as the person does. Pairs that touch are counted once for each frame in
  which they do. Each method lists such pairs:
    disk R       two disks of this radius around the positions of the file
                 overlap; neither a bound nor exact
    level N      circles around parts of the bodies, seen from above, halved N
                 times; level 0 is one circle around each body. A pair that is
                 not listed does not touch, for certain, also until the next
                 tenth of a second of the clip
    all levels   circles halved down to the smallest
    camera       levels by how large circles look from --camera
    exact        the skins themselves, triangle by triangle; touching counts
  Found, missed and false compare a method with exact; with --no-exact, with its
  closest bound. A position in a file is mostly a head seen from above, and our
  bodies are 1.88 and 1.74 m tall. Bags, held hands and children are not
  recognised: a contact means that these bodies would touch there. docs/crowd.md
  explains each column, and docs/glossary.md the words.";

/// Place bodies on the trajectories of a crowd, and report contacts: by disks, by circles, exactly
#[derive(Debug, clap::Args)]
// Each switch of a command line is a bool of its own.
#[allow(clippy::struct_excessive_bools)]
#[command(after_help = EXAMPLES, after_long_help = format!("{MEANING}\n\n{EXAMPLES}"))]
pub(crate) struct CrowdArgs {
    /// Trajectories: CSV with id, frame, x, y; Jülich's text; UCY's obsmat [default: a generated
    /// crowd]
    ///
    /// Each may be compressed (.gz).
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Body: make:man, make:woman or a character's file with a clip; can be repeated
    ///
    /// Several bodies take turns. By default these are make:man and make:woman.
    #[arg(long = "body", value_name = "BODY")]
    bodies: Vec<String>,

    /// Clip of the walk, by name [default: the first with `walk` in its name, else the first]
    ///
    /// With --stand, the clip whose first pose they hold, in place of the one in which they stand.
    #[arg(long, value_name = "NAME")]
    clip: Option<String>,

    /// Frames per second of the file [default: as the file states]
    #[arg(long, value_name = "RATE", value_parser = frames::parse_fps)]
    fps: Option<f64>,

    /// Frames to examine: 40, 10-50, or 10-50x5 for every fifth [default: all of the file]
    #[arg(long, value_name = "A-B[xN]", value_parser = frames::parse)]
    frames: Option<Frames>,

    /// Examine every N-th frame [default: about ten per second]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,

    /// Radius of another disk, beside 0.25 and 0.40 m: 30cm, or 0.3 in metres; can be repeated
    #[arg(long = "radius", value_name = "LENGTH", value_parser = method::parse_radius, allow_hyphen_values = true)]
    radii: Vec<f64>,

    /// Levels of circles, coarse to fine
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_value = "0,1,2,3,5,9,all", value_parser = method::parse_level)]
    levels: Vec<Level>,

    #[command(flatten)]
    circles: CircleArgs,

    /// Compare no meshes: pairs that are not clear from above are reported as may touch
    #[arg(long)]
    no_exact: bool,

    /// Add a method that is coarser with the distance from a camera at x,y,z in metres, z up
    #[arg(long, value_name = "X,Y,Z", value_parser = method::parse_eye, allow_hyphen_values = true)]
    camera: Option<DVec3>,

    /// Report how close two bodies can stand before they touch, by every method, without a crowd
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["file", "bodies", "frames", "every", "fps", "camera", "output", "force", "units"])]
    stand: Vec<String>,

    /// Unit of a file that does not state its own: m, cm, mm, or a number of metres; or use
    /// FILE@cm
    #[arg(long, value_name = "UNIT", value_parser = parse_units)]
    units: Option<f64>,

    /// What is given behind the name of the file.
    #[arg(skip)]
    of_files: Vec<FileOptions>,

    /// Write a picture (.svg or .html) or a table with a row for each frame (.csv); can be
    /// repeated
    #[arg(short, long, value_name = "OUT")]
    output: Vec<PathBuf>,

    /// Overwrite existing files
    #[arg(long, requires = "output")]
    force: bool,

    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,

    /// Exit with code 0 even if there are contacts
    #[arg(long)]
    exit_zero: bool,

    #[command(flatten)]
    left_out: LeftOutArgs,

    #[command(flatten)]
    time: TimeLimitArgs,

    /// Print no table and no notes; the exit code has the answer, and --json still prints
    #[arg(short, long)]
    quiet: bool,
}

/// A file that is asked for.
#[derive(Clone, Copy, Debug)]
enum Target {
    Picture(Picture),
    Csv,
}

/// Everything there is to tell.
struct Report {
    ways: Ways,
    cast: Cast,
    walkers: Vec<Walker>,
    findings: Findings,
    warnings: Vec<Warning>,
    /// What the file does not say and was assumed.
    assumed: Vec<String>,
    /// Whether all of it was read, or the rest is allowed to be left out.
    is_whole: bool,
    /// Why there was no pair to examine, if so.
    nothing: Option<&'static str>,
}

impl CrowdArgs {
    pub(crate) fn take_units(&mut self) -> Result<(), Refusal> {
        let mut read = ReadArgs::default();
        read.take(&mut self.file)?;
        self.of_files = read.of_files;
        Ok(())
    }

    /// The generated crowd has a rate and a unit.
    fn check_generated(&self) -> Result<(), Refusal> {
        let options = [(self.fps.is_some(), "--fps"), (self.units.is_some(), "--units")];
        let given = options.iter().find(|(is_given, _)| *is_given && self.file.is_none());
        given.map_or(Ok(()), |(_, option)| {
            Err(Refusal {
                problems: vec![format!(
                    "{option} is for a file of trajectories, and none is named"
                )],
                hint: "name a file, or leave it out for the generated crowd".to_owned(),
            })
        })
    }

    /// The files that are asked for, where nothing is in their way.
    fn targets(&self) -> Result<Vec<(&Path, Target)>, Refusal> {
        let target = |path: &PathBuf| {
            let is_csv = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
            let target =
                if is_csv { Some(Target::Csv) } else { Picture::of(path).map(Target::Picture) };
            target.ok_or_else(|| {
                let hint = "let the name end in .svg or .html for a picture, in .csv for a table";
                refusal(path, "is neither an .svg, an .html nor a .csv", hint)
            })
        };
        let mut targets = Vec::new();
        for path in &self.output {
            check_free(path, self.force)?;
            targets.push((path.as_path(), target(path)?));
        }
        Ok(targets)
    }
}

pub(crate) fn run(args: &CrowdArgs) -> Outcome {
    let told = if args.stand.is_empty() {
        find(args).map(|report| ended(write(args, &report), outcome(args, &report)))
    } else {
        stand(args).map(|stand| {
            let is_whole = args.left_out.settle(stand.warnings());
            let outcome = if is_whole { Outcome::Clean } else { Outcome::Incomplete };
            ended(write_stand(args, &stand), outcome)
        })
    };
    match told {
        Ok(outcome) => outcome,
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

/// How it ends, and what is missing in words.
fn outcome(args: &CrowdArgs, report: &Report) -> Outcome {
    if let Some(reason) = report.nothing {
        messages::error(&format!("nothing was examined: {reason}"));
        messages::hint("examine more frames with --every 1, or name a file with two people");
    }
    let is_whole = args.left_out.settle(&report.warnings);
    if report.nothing.is_some() || !is_whole {
        Outcome::Incomplete
    } else if report.findings.contacts.is_empty() || args.exit_zero {
        Outcome::Clean
    } else {
        Outcome::Contacts
    }
}

fn find(args: &CrowdArgs) -> Result<Report, Failure> {
    let clock = Clock::start(args.time.limit);
    let targets = args.targets()?;
    args.circles.check()?;
    args.check_generated()?;
    let ways = Ways::new(args)?;
    let cast = Cast::new(&args.bodies, args.clip.as_deref(), &args.circles)?;
    save::check_outputs(targets.iter().map(|(path, _)| *path))?;
    let gap = walk::longest_gap(&ways.people, ways.fps);
    let pace = (ways.fps, gap);
    let walk = |person| Walker::new(person, &ways.frames, pace);
    let walkers: Vec<Walker> = ways.people.iter().map(walk).collect();
    let density = Density::new(&ways, &walkers)?;
    let gaps = walk::gap_note(&ways.people, &ways.frames, pace);
    let mut notes: Vec<String> =
        ways.notes.iter().cloned().chain(density.note()).chain(gaps).collect();
    let mut of_bodies = cast.notes();
    let mut warnings = warnings::left_out(&mut notes);
    warnings.extend(warnings::left_out(&mut of_bodies));
    let assumed = warnings::assumed(notes.iter().chain(&of_bodies));
    if !args.quiet {
        let of_ways = notes.iter().map(|note| format!("{}: {note}", ways.name));
        let told: Vec<String> = of_ways.chain(of_bodies).collect();
        warnings::tell(&told, &warnings);
    }
    let findings = run::run(&ways, &cast, &walkers, density, Method::all(args), args.quiet)?;
    let is_whole = warnings::missing(&warnings, args.left_out.allow_left_out).is_none();
    let nothing = (findings.pairs_examined == 0).then_some("no examined frame has two people");
    let report = Report { ways, cast, walkers, findings, warnings, assumed, is_whole, nothing };
    clock.end();
    for (path, target) in targets {
        let text = match target {
            Target::Picture(picture) => picture.file(&report.ways.name, plot::svg(&report)),
            Target::Csv => csv::text(&report),
        };
        save::write(path, text.as_bytes())?;
    }
    Ok(report)
}

/// How close two may stand: nothing that could be clean or not.
fn stand(args: &CrowdArgs) -> Result<Stand, Failure> {
    let clock = Clock::start(args.time.limit);
    args.circles.check()?;
    let cast = Cast::new(&args.stand, args.clip.as_deref(), &args.circles)?;
    let mut notes = cast.notes();
    let warnings = warnings::left_out(&mut notes);
    if !args.quiet {
        warnings::tell(&notes, &warnings);
    }
    let asked = (Method::all(args), args.clip.is_some());
    let stand = Stand::new(&cast, &asked, (warnings, args.left_out))?;
    clock.end();
    Ok(stand)
}

/// How it ends once all has been worked out.
fn ended(written: io::Result<()>, outcome: Outcome) -> Outcome {
    match written {
        // The work is done and the reader has seen enough: the answer stands.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            messages::error(&format!("the result could not be written: {error}"));
            messages::hint("what was written is not complete; do not use it");
            Outcome::Incomplete
        }
        _ => outcome,
    }
}

fn write_stand(args: &CrowdArgs, stand: &Stand) -> io::Result<()> {
    let mut out = terminal::out();
    if args.json {
        stand.write_json(&mut out)?;
    } else if !args.quiet {
        stand.write_text(&mut out)?;
    }
    out.flush()
}

fn write(args: &CrowdArgs, report: &Report) -> io::Result<()> {
    let mut out = terminal::out();
    if args.json {
        json::write(&mut out, report)?;
    } else if !args.quiet {
        text::write(&mut out, report)?;
    }
    out.flush()
}
