//! `elbowroom score`: how much bodies go through each other, for one clip or a data set.
//!
//! Patterns name clips ([`item`]); each is read as one scene ([`take`]), and all pairs of its
//! bodies are measured in every frame ([`work`]), on all cores ([`run`]). Rows are recorded as they
//! come ([`record`]). What they come to ([`set`]) is a table for people and papers ([`table`]), or
//! one JSON object ([`json`]).
//!
//! Invariants: one bad file leaves a row that says why and does not stop the others. Numbers do not
//! depend on threads or on interruptions.

mod item;
mod json;
mod pattern;
mod record;
mod rows;
mod run;
mod set;
mod table;
mod take;
mod work;

use std::io::{self, ErrorKind, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use elbowroom_io::body_array::read_faces;

use crate::frames::{self, Frames};
use crate::messages::{self, Refusal, count};
use crate::outcome::Outcome;
use crate::output::rows::Cell;
use crate::output::{self, path_beside};
use crate::save::{self, Failure, refusal};
use crate::terminal;
use crate::time_limit::{self, TimeLimit};
use crate::units::{self, Length, ReadArgs};
use crate::warnings::LeftOutArgs;
use item::Item;
use record::Record;
use set::Set;
use table::About;

const EXAMPLES: &str = "\
Examples:
  elbowroom score 'takes/*/P{1,2}.npz'       two bodies a clip: a table
  elbowroom score 'takes/*/P{1,2}.npz' -o ours.parquet
                                             also a row for each clip and each
                                             frame; resumable
  elbowroom score 'generated/*.npz' --against ours.parquet --table latex
                                             beside a reference, for a paper
  elbowroom score pair.npz --faces smplx_faces.npy --cap
                                             (T, P, N, 3) with faces in another
                                             file; mouth and eyes are closed
  elbowroom score grasps.npy --faces hand.obj --with mug.obj --cap
                                             grasps (T, N, 3) on one object
  elbowroom score 'rooms/*.glb' -o rooms.parquet
                                             furniture: which objects collide
  elbowroom score man.glb --self             a body with itself, by its parts
  elbowroom score 'takes/*/P{1,2}.npz' --legacy --pitch 5mm --json
                                             also what papers report instead

Exit code: 0 all clips were scored, 2 bad input or usage, 3 incomplete (a clip
could not be scored and its row says why, or the run was interrupted). Contacts
do not change the exit code.";

const MEANING: &str = "\
What the numbers mean:
  contact    the surfaces have a point in common
  crossing   the interiors of the solids meet: touching does not count
  depth      the farthest point of either boundary inside the other solid, from
             that solid's boundary; at least `depth`, at most `depth_upper`
  volume     of what is in both solids; area_a and area_b of each boundary in
             the other
  distance   of the surfaces if they do not meet

  A solid is the points with a winding number above one half. A mesh that is not
  closed encloses nothing for certain: without `--cap` its answers on solids are
  estimates. Where a closed mesh meets itself, its depth is one. The table says
  in how many frames. Means over all frames and over the frames that cross are
  never mixed. Intervals are of the percentile bootstrap over pairs of bodies,
  with `--seed`. Lengths are in cm, areas in cm2, volumes in cm3. docs/score.md
  defines every number.

Files:
  Arrays are (T, N, 3), (N, 3), or with four axes (T, P, N, 3) if the file
  stands alone, and (B, T, N, 3) if it is one of several bodies of a clip or
  with `--batch`. Any other file that `elbowroom check` reads is read as there:
  each object is a body. A `*`, `?` or `**` in a pattern names clips;
  alternatives in braces are the bodies of one clip. Quote patterns.";

/// Measure how much bodies go through each other: metrics for a clip or a data set
///
/// Examines every pair of bodies of every clip, at every frame, and prints a table.
#[derive(Debug, clap::Args)]
// Each switch of a command line is a bool of its own.
#[allow(clippy::struct_excessive_bools)]
#[command(after_help = EXAMPLES, after_long_help = format!("{MEANING}\n\n{EXAMPLES}"))]
pub(crate) struct ScoreArgs {
    /// Files, or quoted patterns: 'takes/*/P{1,2}.npz'
    #[arg(value_name = "PATTERN", required_unless_present = "pairs")]
    patterns: Vec<String>,

    /// Also score the clips of a CSV table: a column of paths for each body, and perhaps `clip`
    ///
    /// The first line names the columns. Paths are relative to the folder of the table.
    #[arg(long, value_name = "FILE.csv")]
    pairs: Option<PathBuf>,

    /// Faces of arrays, from a mesh, an .npz or an .npy of (M, 3); given twice, of the first and
    /// of the other bodies
    #[arg(long, value_name = "FILE")]
    faces: Vec<PathBuf>,

    /// Also compare with this file in every clip: an object, a scene; can be repeated
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,

    /// Take four axes as (B, T, N, 3) also in a file that stands alone
    #[arg(long)]
    batch: bool,

    /// Close the holes of each mesh in every frame, by a fan to the centroid of each
    #[arg(long)]
    cap: bool,

    /// Also compare each body with itself, by its parts: those of its joints, or of an array
    /// `parts` with a label for each vertex or face
    ///
    /// Parts that have a vertex in common are not compared. Parts are always capped. The row has
    /// the body's name twice.
    #[arg(long = "self")]
    with_itself: bool,

    /// Do not measure the distance of bodies that do not meet, which takes the longest
    #[arg(long)]
    no_distance: bool,

    /// Also compute what papers report instead: vertices inside, non-collision and contact score,
    /// depth to the nearest vertex, volume by surface voxels
    #[arg(long)]
    legacy: bool,

    /// Size of a voxel, for --legacy
    #[arg(long, value_name = "LENGTH", default_value = "1cm", value_parser = units::parse_length, requires = "legacy")]
    pitch: Length,

    /// Play the clip with this name or number, of files that have several
    #[arg(long, value_name = "NAME|N")]
    clip: Option<String>,

    /// Frames to examine in a second [default: every frame]
    #[arg(long, value_name = "RATE", value_parser = frames::parse_fps)]
    fps: Option<f64>,

    /// Frames to examine: 40, 10-50, or 0-999x4 for every fourth
    #[arg(long, value_name = "A-B[xN]", value_parser = frames::parse)]
    frames: Option<Frames>,

    /// Longest gap, in frames without contact, within one incident
    #[arg(long, value_name = "FRAMES", default_value_t = 2)]
    gap: u32,

    /// Print the figures of a reference beside those of these clips: a .parquet that `score -o` has
    /// written
    #[arg(long, value_name = "REF.parquet")]
    against: Option<PathBuf>,

    /// Seed of the bootstrap intervals
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Print the table as Markdown, LaTeX or CSV
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TableFormat::Markdown)]
    table: TableFormat,

    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,

    /// Also write a row for each clip to a .parquet or .csv, and a row for each frame to a second
    /// file beside it (x.frames.parquet)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Go on with a run that was interrupted; the outputs get the same bytes
    ///
    /// The record of progress is FILE.progress, beside the output, until the run is done.
    #[arg(long, requires = "output")]
    resume: bool,

    /// Give up a clip after this time: 30s, 5m, 1h; its row says so
    #[arg(long, value_name = "DURATION", value_parser = time_limit::parse)]
    item_time_limit: Option<TimeLimit>,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,

    /// Print no table and no notes; --json still prints
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    left_out: LeftOutArgs,

    #[command(flatten)]
    read: ReadArgs,
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    /// Markdown
    Markdown,
    /// A LaTeX table with its caption
    Latex,
    /// Comma-separated values, with all digits
    Csv,
}

/// The triangles of arrays without faces, of the first body and of the others.
type Faces = Vec<Vec<[u32; 3]>>;

impl ScoreArgs {
    pub(crate) fn take_units(&mut self) -> Result<(), Refusal> {
        self.read.take(self.faces.iter_mut().chain(&mut self.with))
    }

    /// The options that change numbers, as they are typed.
    fn named(&self) -> String {
        let mut named = vec![format!("gap {}", self.gap), format!("seed {}", self.seed)];
        let switches = [
            (self.cap, "cap"),
            (self.with_itself, "self"),
            (self.no_distance, "no distance"),
            (self.batch, "batch"),
            (self.left_out.allow_left_out, "without what was left out"),
        ];
        named.extend(switches.iter().filter(|(is, _)| *is).map(|(_, name)| (*name).to_owned()));
        if self.legacy {
            let metres = self.pitch.number * self.pitch.unit.unwrap_or(1.0);
            named.push(format!("legacy with a pitch of {} cm", messages::short(100.0 * metres)));
        }
        named.extend(self.fps.map(|fps| format!("{fps} fps")));
        named.extend(self.clip.iter().map(|clip| format!("clip {clip}")));
        named.extend(self.frames.map(|frames| {
            let [first, last, step] = frames.range();
            format!("frames {first}-{last}x{step}")
        }));
        named.join(", ")
    }

    /// What a record is of: the options, and the files as they are.
    fn fingerprint(&self, items: &[Item]) -> String {
        let about = |path: &PathBuf| {
            let about = std::fs::metadata(path).ok();
            let changed = about.as_ref().and_then(|about| about.modified().ok());
            let changed = changed.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
            let nanos = changed.map(|time| time.as_nanos().to_string());
            (path.display().to_string(), about.map(|about| about.len()), nanos)
        };
        let files = |files: &[PathBuf]| files.iter().map(about).collect::<Vec<_>>();
        let clips: Vec<_> =
            items.iter().map(|item| (&item.name, files(&item.files), &item.problem)).collect();
        let others = (files(&self.faces), files(&self.with));
        let read = (self.read.units, self.read.up.map(|up| format!("{up:?}")));
        serde_json::json!({
            "elbowroom": env!("CARGO_PKG_VERSION"),
            "options": self.named(),
            "clips": clips,
            "others": others,
            "read": read,
        })
        .to_string()
    }

    fn faces(&self) -> Result<Faces, Refusal> {
        if self.faces.len() > 2 {
            return Err(Refusal {
                problems: vec!["--faces is given more than twice".to_owned()],
                hint: "give the faces of the first body, and those of all others".to_owned(),
            });
        }
        let options = self.read.options();
        let read = |path: &PathBuf| read_faces(path, &options);
        self.faces.iter().map(read).collect::<Result<_, _>>().map_err(|error| Refusal {
            problems: vec![error.to_string()],
            hint: "save them, as numpy.save(\"faces.npy\", model.faces)".to_owned(),
        })
    }

    /// Refuses outputs that cannot be written, before the work begins.
    fn check_output(&self) -> Result<(), Refusal> {
        let Some(path) = &self.output else { return Ok(()) };
        if !output::is_table(path) {
            let hint = "let the name end in .parquet or .csv";
            return Err(refusal(path, "is no table of rows", hint));
        }
        let frames = output::beside(path, "frames");
        save::check_outputs([path.as_path(), &frames])
    }
}

pub(crate) fn run(args: &ScoreArgs) -> Outcome {
    match score(args) {
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

fn score(args: &ScoreArgs) -> Result<Outcome, Failure> {
    args.check_output()?;
    let reference = args.against.as_deref().map(|path| reference(path, args)).transpose()?;
    let (items, faces) = (item::items(args)?, args.faces()?);
    let (mut record, known) = match &args.output {
        Some(path) => {
            let opened = Record::open(&path_beside(path), &args.fingerprint(&items), args.resume);
            let (record, known) = opened.map_err(|problem| Refusal {
                problems: vec![problem],
                hint: "name another output, or leave out --resume".to_owned(),
            })?;
            (Some(record), known)
        }
        None => (None, Vec::new()),
    };
    let stop = terminal::listen();
    let done = run::all(args, &faces, &items, known, record.as_mut(), &stop);
    let done = done.map_err(Failure::Unwritten)?;
    let rows: Vec<Vec<Cell>> =
        done.items.values().flat_map(|scored| scored.clips.iter().cloned()).collect();
    let mut assumed: Vec<String> =
        done.items.values().flat_map(|scored| scored.assumed.iter().cloned()).collect();
    assumed.sort();
    assumed.dedup();
    let set = Set::new(&rows, args.seed);
    let is_whole = !done.was_stopped && set.failed == 0 && set.frames > 0;
    let outcome = if is_whole { Outcome::Clean } else { Outcome::Incomplete };
    let about = About {
        version: env!("CARGO_PKG_VERSION"),
        options: args.named(),
        assumed,
        reference: args.against.as_ref().map(|path| path.display().to_string()),
        outcome,
    };
    if done.was_stopped {
        let (some, all) = (done.items.len(), count(items.len() as u64, "clip"));
        messages::error(&format!("interrupted after {some} of {all}"));
        if args.output.is_some() {
            messages::hint("the same command with --resume goes on from here");
        }
    } else if let (Some(path), Some(record)) = (&args.output, record) {
        write_rows(path, &about, &set, &rows, &record).map_err(Failure::Unwritten)?;
        record.remove();
    }
    tell(args, &about, &rows, (&set, reference.as_ref()));
    Ok(outcome)
}

/// The figures of a reference.
fn reference(path: &Path, args: &ScoreArgs) -> Result<Set, Refusal> {
    elbowroom_io::opened::note(path);
    let read = output::read_table(path, rows::CLIPS);
    let rows = read.map_err(|error| {
        refusal(path, &error.to_string(), "name a .parquet that `elbowroom score -o` has written")
    })?;
    Ok(Set::new(&rows, args.seed))
}

/// Writes the rows of clips and those of frames.
fn write_rows(
    path: &Path,
    about: &About,
    set: &Set,
    rows: &[Vec<Cell>],
    record: &Record,
) -> Result<(), String> {
    let facts = [
        ("elbowroom.version", about.version.to_owned()),
        ("elbowroom.options", about.options.clone()),
        ("elbowroom.frames_examined", set.frames.to_string()),
        ("elbowroom.failed", set.failed.to_string()),
        ("elbowroom.unit", rows::UNIT.to_owned()),
        ("elbowroom.assumed", about.assumed.join("; ")),
    ];
    let write = || {
        let frames = output::beside(path, "frames");
        output::write_table(&frames, rows::FRAMES, &facts, &mut record.frames()?)?;
        // What was asked for by name comes last: where it is, the rest is.
        let mut clips = rows.iter().cloned().map(Ok);
        output::write_table(path, rows::CLIPS, &facts, &mut clips)
    };
    write().map_err(|error: io::Error| error.to_string())
}

fn tell(args: &ScoreArgs, about: &About, rows: &[Vec<Cell>], sets: (&Set, Option<&Set>)) {
    let (set, against) = sets;
    if !args.quiet {
        for row in rows.iter().filter(|row| row[rows::ERROR] != Cell::Empty) {
            if let (Cell::Text(clip), Cell::Text(why)) = (&row[0], &row[rows::ERROR]) {
                messages::warning(&format!("{clip}: not scored: {why}"));
            }
        }
    }
    let write = || {
        let mut out = terminal::out();
        if args.json {
            json::write(&mut out, args, about, rows, (set, against))?;
        } else if !args.quiet {
            out.write_all(table::text(args.table, set, against, about).as_bytes())?;
        }
        out.flush()
    };
    if let Err(error) = write()
        && error.kind() != ErrorKind::BrokenPipe
    {
        messages::error(&format!("the result could not be written: {error}"));
    }
}
