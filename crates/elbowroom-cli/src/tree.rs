//! `elbowroom tree`: the hierarchies of the five papers, built from files, listed, drawn and
//! compared.
//!
//! Each file becomes a [`Subject`]: a mesh, a body of links and a motion, as far as it holds them.
//! Each [`Kind`] that was asked for is [`built`] over each subject. With two files the kinds are
//! [`compare`]d: all are asked the same questions as the engine, and an answer that differs is an
//! error. What came of it is written for people ([`text`]), for programs ([`json`]), and as a
//! picture ([`picture`], [`solid`]).

mod built;
mod compare;
mod json;
mod kind;
mod picture;
mod solid;
mod subject;
mod text;

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use elbowroom::Pose;
use elbowroom_io::{FileFacts, poses};

use crate::frames::{self, Frames};
use crate::messages::{self, Refusal};
use crate::outcome::Outcome;
use crate::save::{self, Failure, check_free, refusal};
use crate::terminal;
use crate::time_arg::MomentArgs;
use crate::time_limit::{Clock, TimeLimitArgs};
use crate::units::{Length, ReadArgs, parse_length};
use crate::warnings::{self, LeftOutArgs, Warning};
use built::Planted;
use compare::Comparison;
use kind::Named;
use subject::Subject;

const EXAMPLES: &str = "\
Examples:
  elbowroom tree part.stl                    an OBB tree, level by level
  elbowroom tree part.stl --kind rapid,sphere,sbbk -o levels.html
                                             three hierarchies, with a slider
                                             for the level
  elbowroom tree part.stl tool.stl --poses path.json -o chart.svg
                                             which hierarchy suits my models?
                                             All kinds beside the engine
  elbowroom tree panda.urdf hand.xml --kind cab,cab-sum,obb,aabb-centre
                                             boxes of articulated bodies,
                                             refitted for each pose
  elbowroom tree a.bvh b.bvh --kind mobb,umobb,hybrid1,hybrid2
                                             motions in space-time

Exit code: 0 built (and with two files, all answers are those of the engine), 2
bad input or usage, 3 an answer differs from the engine's, something could not
be written, or was not read.";

const MEANING: &str = "\
Kinds:
  of triangles     obbtree (Gottschalk, Lin and Manocha), rapid, and trees of
                   other volumes: aabb, sphere, 14-dop, 18-dop, 24-dop, 26-dop,
                   k-dop (--k); sbbk (Liu, Wang and Yang: spheres, then AABBs,
                   then k-DOPs) and the hybrids it is compared with: hbbcd,
                   s-aabb, s-obb, aabb-kdop; auto chooses layers. sbbk-front and
                   sbbk-front-kept (never raised) continue from the last query
  seen from above  bch (Stüvel and others): bch-union, bch-center, bch-area,
                   bch-covariance, bch-triangles, bch-single
  of links         cab, cab-sum (Schmidl, Walker and Lin), obb, aabb-centre,
                   aabb-corners, aabb-vertices
  of motions       mobb, umobb, hybrid1, hybrid2, one-level, one-level-free
                   (Sung, Chenney and Gleicher)
  all              every kind that fits the files

Columns:
  tightness  the mean thickness of the volumes of a level, τ of the OBBTree
             paper: how far they reach from their contents
  area       the sum of their surface areas (of circles, for bch)
  overlap    the share of the smaller sibling's volume that is in the other one
             too, as a mean over at most 128 pairs on each level
  visited    pairs of nodes whose volumes were tested; exact: tests of two
             triangles, links or samples
  Times are CPU time of one thread, the best of --repeat runs.

With two files, the second is compared at each pose of --poses; bodies of links
at each of --frames. Triangle trees list all pairs of triangles; `engine` is the
packed tree of `check`. A bch answer is a bound: it must never be clear where
the engine finds a contact, and the table counts the pairs that it leaves open.";

/// Build a hierarchy of the five papers from a mesh, a robot or a clip; show its levels, or compare
/// all on two files
#[derive(Debug, clap::Args)]
// Each switch of a command line is a bool of its own.
#[allow(clippy::struct_excessive_bools)]
#[command(after_help = EXAMPLES, after_long_help = format!("{MEANING}\n\n{EXAMPLES}"))]
pub(crate) struct TreeArgs {
    /// A mesh, a robot, a character or a motion; two to compare the kinds on them
    #[arg(value_name = "FILE", required = true, num_args = 1..=2)]
    files: Vec<PathBuf>,

    /// Which hierarchies, with commas between, or `all` [default: the usual one for the file; all
    /// with two files]
    #[arg(long, value_name = "KIND,…", value_delimiter = ',')]
    kind: Vec<String>,

    /// The k of sbbk, aabb-kdop and k-dop: 14, 18, 24 or 26
    #[arg(long, value_name = "K", default_value_t = 18)]
    k: u32,

    /// Circles of bch are cut until their radius is below this [default: 1cm; without a unit, a
    /// 200th of the width]
    #[arg(long, value_name = "LENGTH", value_parser = parse_length)]
    threshold: Option<Length>,

    /// Disks of a motion of one radius [default: to the farthest joint or vertex in each sample]
    #[arg(long, value_name = "LENGTH", value_parser = parse_length)]
    radius: Option<Length>,

    /// The samples of a leaf of mobb and its relatives
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    n_min: u32,

    /// Show this level alone
    #[arg(long, value_name = "N", conflicts_with = "poses")]
    level: Option<u32>,

    /// Move the second mesh or motion: a JSON list of 4x4 poses, one question each
    #[arg(long, value_name = "FILE.json")]
    poses: Option<PathBuf>,

    /// The frames of moving bodies of links, one question each: 40, 10-50 or 10-50x5 [default:
    /// all]
    #[arg(long, value_name = "A-B[xN]", value_parser = frames::parse)]
    frames: Option<Frames>,

    /// Number of runs; the fastest one counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,

    /// Write a picture: .svg, .html with a slider for the level, or .glb; with two files a chart,
    /// .svg or .html
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// Write over a file that is there
    #[arg(long, requires = "output")]
    force: bool,

    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,

    /// Print no table and no notes; --json still prints
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    left_out: LeftOutArgs,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    time: TimeLimitArgs,

    #[command(flatten)]
    read: ReadArgs,
}

impl TreeArgs {
    pub(crate) fn take_units(&mut self) -> Result<(), Refusal> {
        self.read.take(&mut self.files)
    }
}

/// All that is printed.
struct Findings {
    subjects: Vec<Subject>,
    /// By subject, then by kind.
    trees: Vec<Vec<Planted>>,
    /// With two files: one for each sort of kinds.
    comparisons: Vec<Comparison>,
    repeat: u32,
    level: Option<u32>,
    warnings: Vec<Warning>,
    /// Whether all of the files was read, or the rest is allowed to be left out.
    complete: bool,
}

pub(crate) fn run(args: &TreeArgs) -> Outcome {
    match find(args) {
        Ok(findings) => told(args, &findings),
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

/// What is written beside what is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drawing {
    Picture(crate::output::picture::Picture),
    Glb,
}

impl TreeArgs {
    fn drawing(&self) -> Result<Option<(&Path, Drawing)>, Refusal> {
        let Some(path) = &self.output else { return Ok(None) };
        let is_glb = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("glb"));
        let picture = crate::output::picture::Picture::of(path).map(Drawing::Picture);
        let drawing = picture.or(is_glb.then_some(Drawing::Glb));
        let Some(drawing) = drawing else {
            let hint = "let the name of the picture end in .svg, .html or .glb";
            return Err(refusal(path, "is neither an .svg nor an .html nor a .glb", hint));
        };
        if is_glb && self.files.len() == 2 {
            let hint = "write the chart as .svg or .html, or name one file to look at its levels";
            return Err(refusal(path, "cannot hold a chart", hint));
        }
        check_free(path, self.force)?;
        Ok(Some((path, drawing)))
    }

    fn check(&self) -> Result<(), Refusal> {
        let refuse = |problem: &str, hint: &str| {
            Err(Refusal { problems: vec![problem.to_owned()], hint: hint.to_owned() })
        };
        if self.files.len() == 1 && (self.poses.is_some() || self.frames.is_some()) {
            return refuse(
                "--poses and --frames ask about two files, and there is one",
                "name a second file, or leave them out; --frame poses a character",
            );
        }
        if self.files.len() == 2 && self.level.is_some() {
            return refuse(
                "--level shows a level of one file, and there are two",
                "name one file, or leave out --level",
            );
        }
        if self.poses.is_some() && self.frames.is_some() {
            return refuse(
                "--poses moves meshes and motions, --frames moves bodies of links",
                "give one of them",
            );
        }
        Ok(())
    }

    fn pose_list(&self) -> Result<Vec<Pose>, Refusal> {
        let Some(path) = &self.poses else { return Ok(vec![Pose::IDENTITY]) };
        poses::read(path).map_err(|problem| Refusal {
            problems: vec![problem],
            hint: "a list of 4x4 matrices, as for `elbowroom check --poses`".to_owned(),
        })
    }
}

fn find(args: &TreeArgs) -> Result<Findings, Failure> {
    let clock = Clock::start(args.time.limit);
    args.check()?;
    let drawing = args.drawing()?;
    let wanted = Named::parse(&args.kind, args.k)?;
    let poses = args.pose_list()?;
    let subjects =
        subject::read_all(&args.files, &args.read, &args.moment, args.radius.map(Length::metres))?;
    save::check_outputs(drawing.iter().map(|(path, _)| *path))?;
    let facts: Vec<FileFacts> = subjects.iter().map(|it| it.facts.clone()).collect();
    let heeded = args.read.heed(&facts)?;
    let notes = subjects.iter().flat_map(|it| it.notes.iter().map(|n| format!("{}: {n}", it.name)));
    let mut notes: Vec<String> = notes.chain(heeded).collect();
    let warnings = warnings::left_out(&mut notes);
    if !args.quiet {
        warnings::tell(&notes, &warnings);
    }
    let kinds = kind::fitting(wanted, &subjects, poses.len(), args.k)?;
    let options = built::Options {
        threshold: args.threshold.map(Length::metres),
        n_min: args.n_min as usize,
        repeat: args.repeat,
    };
    let mut trees = Vec::new();
    for subject in &subjects {
        let planted = kinds.iter().map(|kind| built::plant(kind, subject, &options));
        trees.push(planted.collect::<Result<Vec<_>, _>>()?);
    }
    if let Some(level) = args.level {
        check_level(level, &trees)?;
    }
    let comparisons = match (subjects.as_slice(), trees.as_slice()) {
        ([a, b], [of_a, of_b]) => {
            let asked = compare::Asked { poses, frames: args.frames, fps: args.moment.fps };
            compare::all([a, b], [of_a, of_b], &asked, args.repeat)?
        }
        _ => Vec::new(),
    };
    clock.end();
    let (repeat, level) = (args.repeat, args.level);
    let complete = warnings::missing(&warnings, args.left_out.allow_left_out).is_none();
    let findings = Findings { subjects, trees, comparisons, repeat, level, warnings, complete };
    if let Some((path, drawing)) = drawing {
        let bytes = match drawing {
            Drawing::Picture(picture) => picture::file(&findings, picture).into_bytes(),
            Drawing::Glb => solid::glb(&findings).map_err(|problem| {
                refusal(path, &problem, "write an .svg or .html, or another --level")
            })?,
        };
        save::write(path, &bytes)?;
    }
    Ok(findings)
}

/// A level that no tree has is refused.
fn check_level(level: u32, trees: &[Vec<Planted>]) -> Result<(), Refusal> {
    let all = || trees.iter().flatten();
    let deepest = all().map(|it| it.levels.deepest()).max().unwrap_or(0);
    if level <= deepest {
        return Ok(());
    }
    let which = if all().count() == 1 { "the tree has" } else { "the deepest tree has" };
    Err(Refusal {
        problems: vec![format!("there is no level {level}: {which} levels 0 to {deepest}")],
        hint: "the root is level 0; leave out --level to see all".to_owned(),
    })
}

fn told(args: &TreeArgs, findings: &Findings) -> Outcome {
    if let Err(error) = write(args, findings) {
        // The work is done and the reader has seen enough.
        if error.kind() != ErrorKind::BrokenPipe {
            messages::error(&format!("the result could not be written: {error}"));
            return Outcome::Incomplete;
        }
    }
    let differences = findings.comparisons.iter().flat_map(|it| &it.differences);
    let mut is_same = true;
    for difference in differences {
        messages::error(difference);
        is_same = false;
    }
    if !is_same {
        messages::hint("this is a fault of elbowroom: please report it with the two files");
    }
    let is_whole = args.left_out.settle(&findings.warnings);
    if is_same && is_whole { Outcome::Clean } else { Outcome::Incomplete }
}

fn write(args: &TreeArgs, findings: &Findings) -> io::Result<()> {
    let mut out = terminal::out();
    if args.json {
        json::write(&mut out, findings)?;
    } else if !args.quiet {
        text::write(&mut out, findings)?;
    }
    out.flush()
}
