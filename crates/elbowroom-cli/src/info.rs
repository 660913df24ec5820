//! `elbowroom info`: what is in a file, before anything is done with it.
//!
//! A file becomes a [`report`], the report a text for people or JSON for programs. A file that
//! cannot be read is reported among the others, and only the exit code tells that one was bad.

mod report;
pub(crate) mod rows;
mod text;

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

use elbowroom_io::{ReadOptions, Split};
use serde::Serialize;
use serde_json::Serializer;

use crate::load;
use crate::messages::{self, Refusal};
use crate::outcome::Outcome;
use crate::output::json_format::Shallow;
use crate::split;
use crate::split::SplitArg;
use crate::terminal;
use crate::units::ReadArgs;
use report::FileReport;

const EXAMPLES: &str = "\
Examples:
  elbowroom info walk.glb                    meshes, skins, clips, units
  elbowroom info *.obj                       which of them are closed?
  elbowroom info walk.bvh --units cm         how tall is that skeleton?
  elbowroom info panda.urdf --all            every joint variable and its range
  elbowroom info 'cloth.####.obj'            a numbered sequence
  elbowroom info crowd.csv --json            people, frames and extent, for
                                             programs

Exit code: 0 all files were read, 2 a file is bad or the usage is.";

const MEANING: &str = "\
What the columns mean:
  closed     triangles run along every edge equally often in both directions, so
             the mesh has an inside. `after welding`: only after vertices that
             are equal, bit for bit, are made one; exporters split them along
             seams. `no` counts the edges that have one triangle (open), are run
             along twice in the same direction (flipped) or have more than two
             triangles (branching), after welding
  size       of the part in the rest pose, in metres, along x, y and z of the
             file
  keys/s     the rate of all keys of a clip; `uneven` if there is none
  frames     at that rate, from the first key to the last

JSON:
  One object: schema_version, elbowroom_version, unit (m) and `files`. Each file
  has `path`, `ok`, and either `error` or `format`, `kind` (rigs, frames or
  trajectories), `notes` and:
    rigs          units, up, bounds, rigs: [{name, joints, parts, clips,
                  freedoms, allowed_pairs}]
    frames        frames, fps, first_number, units, part
    trajectories  units, people, samples, first_frame, last_frame, fps, bounds,
                  mean_speed
  `units`, `up` and `fps` of a crowd are {value, source}. Units are metres in a
  unit of the file. A source is `file` (stated there), `given` (with
  --units, --up or FILE@mm for a file that does not state it) or `assumed`.
  Lengths are metres. Fields may be added; none changes its meaning without a
  new schema_version.";

/// Show what is in files: meshes, skins, clips, robots, crowds, units
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{MEANING}\n\n{EXAMPLES}"))]
pub(crate) struct InfoArgs {
    /// Files of any format that elbowroom reads, also compressed (.obj.gz)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,

    /// Show whole tables, however long they are
    #[arg(long)]
    all: bool,

    /// Split each mesh into its shells or its named groups
    #[arg(long, value_enum, value_name = "HOW")]
    split: Option<SplitArg>,

    /// Frames per second of trajectories whose file does not state them
    #[arg(long, value_name = "RATE", value_parser = crate::units::parse_rate)]
    fps: Option<f64>,

    #[command(flatten)]
    read: ReadArgs,
}

impl InfoArgs {
    pub(crate) fn take_units(&mut self) -> Result<(), Refusal> {
        self.read.take(&mut self.files)
    }
}

#[derive(Serialize)]
struct Report {
    schema_version: u32,
    elbowroom_version: &'static str,
    /// Of all lengths.
    unit: &'static str,
    files: Vec<FileReport>,
}

const SCHEMA_VERSION: u32 = 1;

pub(crate) fn run(args: &InfoArgs) -> Outcome {
    let mut reports = Vec::new();
    let (mut bad, mut shown) = (0, 0);
    let mut facts = Vec::new();
    for path in &args.files {
        let split = args.split.map_or(Split::None, |split| split::wanted(Some(split)));
        let loaded = load::load(path, &ReadOptions { split, ..args.read.options() });
        let loaded = loaded.map(|loaded| loaded.with_fps(args.fps));
        facts.extend(loaded.as_ref().ok().map(|loaded| loaded.facts.clone()));
        let report = report::of(path, loaded);
        if let Some(error) = &report.error {
            bad += 1;
            messages::error(error);
        } else if !args.json {
            if let Err(error) = print(|out| text::write(out, &report, shown > 0, args.all)) {
                return failed(&error);
            }
            shown += 1;
        }
        if args.json {
            reports.push(report);
        }
    }
    if args.json {
        let elbowroom_version = env!("CARGO_PKG_VERSION");
        let (schema_version, unit) = (SCHEMA_VERSION, "m");
        let report = Report { schema_version, elbowroom_version, unit, files: reports };
        let written = print(|out| {
            let mut serializer = Serializer::with_formatter(&mut *out, Shallow::default());
            report.serialize(&mut serializer)?;
            writeln!(out)
        });
        if let Err(error) = written {
            return failed(&error);
        }
    }
    // What was given and holds for no file is an error; what is shown is what the files state.
    match args.read.heed(&facts) {
        Ok(notes) => notes.iter().for_each(|note| messages::note(note)),
        Err(refusal) if !facts.is_empty() => {
            messages::refuse(&refusal);
            return Outcome::BadInput;
        }
        Err(_) => {}
    }
    if bad == 0 {
        return Outcome::Clean;
    }
    if args.files.len() > 1 {
        let files = args.files.len();
        messages::hint(&format!("{bad} of {files} files could not be read; the others are shown"));
    }
    Outcome::BadInput
}

fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = terminal::out();
    write(&mut out)?;
    out.flush()
}

/// A reader that closes the pipe has seen enough.
fn failed(error: &io::Error) -> Outcome {
    if error.kind() == ErrorKind::BrokenPipe {
        return Outcome::Clean;
    }
    messages::error(&format!("the result could not be written: {error}"));
    Outcome::Incomplete
}
