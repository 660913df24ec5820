//! `elbowroom make`: our own people, crowds, robots, models and solids, as files.
//!
//! Every thing says which options it takes; one that it does not take is refused rather than passed
//! over.

mod crowd;
mod things;

use std::path::PathBuf;

use elbowroom_io::{
    Axis, Document, Source, Units, Up, glb_out, trajectory::Trajectories, trajectory_out,
};
use elbowroom_motion::body::Rig;

use crate::bake::Still;
use crate::convert::{Written, end, unfit, write_mesh};
use crate::messages::{self, Refusal, count, grouped};
use crate::outcome::Outcome;
use crate::save::{self, Failure, SaveArgs, Target, check_free, refusal};
use crate::warnings::LeftOutArgs;
use things::{THINGS, Thing};

pub(crate) use crowd::built_in_ways;

const EXAMPLES: &str = "\
Examples:
  elbowroom make list                             everything that can be made,
                                                  with its options
  elbowroom make man -o man.glb                   1.88 m tall, with nine motions
                                                  as clips
  elbowroom make woman --height 1.62 --girth 1.2 -o woman.glb
  elbowroom make crowd --people 20 --seconds 20 -o crowd.glb
  elbowroom make crowd --people 500 -o crowd.csv  trajectories only
  elbowroom make chain --links 12 --link ring -o chain.glb
  elbowroom make box --size 0.8,0.75,1.2 -o table.obj

Exit code: 0 written, 2 bad usage (nothing was written), 3 incomplete.";

/// Generate a person, a crowd, a robot, a model or a solid, and write it to a file
///
/// Lengths are metres and Y is up. The same options give the same bytes, on every machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MakeArgs {
    /// Thing to make; `list` prints all of them
    #[arg(value_name = "WHAT")]
    what: String,

    /// File to write: .glb, .obj, .stl, .ply or .off; .csv for the trajectories of a crowd
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// Seed of what is random
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Height of a person, from the soles to the top of the head, 0.3 to 3 m
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    height: Option<f64>,

    /// Girth of a person: 1 is average; 0.7 to 1.4
    #[arg(long, value_name = "G", alias = "build", allow_negative_numbers = true)]
    girth: Option<f64>,

    /// Approximate number of triangles of a person's skin: 1500 to 20000
    #[arg(long, value_name = "N")]
    triangles: Option<u32>,

    /// Number of people in a crowd
    #[arg(long, value_name = "N")]
    people: Option<u32>,

    /// Duration of a crowd, in seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seconds: Option<f64>,

    /// Frames per second of a crowd
    #[arg(long, value_name = "RATE", value_parser = crate::units::parse_rate)]
    fps: Option<f64>,

    /// Let the crowd cross a plaza of this radius [default: 15]
    #[arg(long, value_name = "M", conflicts_with = "corridor", allow_negative_numbers = true)]
    plaza: Option<f64>,

    /// Let the crowd walk along a corridor of this length and width
    #[arg(long, value_name = "L,W", value_delimiter = ',')]
    corridor: Option<Vec<f64>>,

    /// Number of links of a chain
    #[arg(long, value_name = "N")]
    links: Option<u32>,

    /// Shape of a link: convex, hull, braid or ring
    #[arg(long, value_name = "SHAPE")]
    link: Option<String>,

    /// Size of a solid along x, y and z, or as `make list` says
    #[arg(long, value_name = "M,…", value_delimiter = ',', allow_hyphen_values = true)]
    size: Option<Vec<f64>>,

    /// Resolution of a solid, as `make list` says
    #[arg(long, value_name = "N")]
    detail: Option<u32>,

    /// Number of cells of a landscape along x and z
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    cells: Option<Vec<u32>>,

    #[command(flatten)]
    save: SaveArgs,
}

/// What was made.
struct Made {
    rigs: Vec<Rig>,
    ways: Option<Trajectories>,
}

impl MakeArgs {
    /// The options that were given, by name.
    fn given(&self) -> Vec<&'static str> {
        let all = [
            ("seed", self.seed.is_some()),
            ("height", self.height.is_some()),
            ("girth", self.girth.is_some()),
            ("triangles", self.triangles.is_some()),
            ("people", self.people.is_some()),
            ("seconds", self.seconds.is_some()),
            ("fps", self.fps.is_some()),
            ("plaza", self.plaza.is_some()),
            ("corridor", self.corridor.is_some()),
            ("links", self.links.is_some()),
            ("link", self.link.is_some()),
            ("size", self.size.is_some()),
            ("detail", self.detail.is_some()),
            ("cells", self.cells.is_some()),
        ];
        all.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect()
    }
}

pub(crate) fn run(args: &MakeArgs) -> Outcome {
    if args.what == "list" {
        messages::say_out(&things::list());
        return Outcome::Clean;
    }
    end(make(args), args.save.quiet, LeftOutArgs::default())
}

fn make(args: &MakeArgs) -> Result<Written, Failure> {
    let thing = find(args)?;
    let Some(output) = &args.output else {
        let hint = format!("like `elbowroom make {} -o {}.glb`", thing.name, thing.name);
        return Err(bad("no output file is given", &hint).into());
    };
    let target = Target::of(output)?;
    if matches!(target, Target::Npz | Target::Numbered(_)) {
        let hint = "write a .glb, and then all frames of a clip with `elbowroom convert`";
        return Err(refusal(output, &format!("{} is not made at once", target.name()), hint).into());
    }
    if target == Target::Csv && thing.name != "crowd" {
        let what = format!("a .csv has trajectories, and a {} has none", thing.name);
        return Err(
            refusal(output, &what, "let the name end in .glb, .obj, .stl, .ply or .off").into()
        );
    }
    check_free(output, args.save.force)?;
    let made = (thing.make)(args, &target)?;
    if let Some(ways) = made.ways {
        save::write(output, &trajectory_out::to_bytes(&ways))?;
        let (people, samples) =
            (grouped(ways.people.len() as u64), count(ways.samples() as u64, "sample"));
        let line = format!("{}: {people} people, {samples}", output.display());
        return Ok(Written { line, notes: Vec::new() });
    }
    let document = document(made.rigs);
    if target == Target::Glb {
        return write_glb(output, &document);
    }
    let clips: usize = document.rigs.iter().map(|rig| rig.clips.len()).sum();
    let mut notes = Vec::new();
    if clips > 0 {
        notes.push(format!(
            "the {} are left out of a mesh in the rest pose; write a .glb to keep them",
            count(clips as u64, "clip")
        ));
    }
    let mesh = Still::at_rest(document).mesh()?;
    write_mesh(output, &target, &mesh, &args.save, "", notes)
}

fn document(rigs: Vec<Rig>) -> Document {
    Document {
        rigs,
        units: Units { metres_per_unit: 1.0, source: Source::File },
        up: Up { axis: Axis::Y, source: Source::File },
        notes: Vec::new(),
    }
}

fn write_glb(output: &std::path::Path, document: &Document) -> Result<Written, Failure> {
    let bytes = glb_out::document_to_bytes(document).map_err(|error| unfit(output, &error))?;
    save::write(output, &bytes)?;
    let parts = || document.rigs.iter().flat_map(|rig| &rig.parts);
    let triangles: usize = parts().map(|part| part.mesh.triangles().len()).sum();
    let clips: Vec<&str> = document
        .rigs
        .iter()
        .flat_map(|rig| &rig.clips)
        .map(elbowroom_motion::body::Clip::name)
        .collect();
    let noun = if clips.len() == 1 { "clip" } else { "clips" };
    let clips =
        if clips.is_empty() { String::new() } else { format!(", {noun} {}", clips.join(", ")) };
    let line = format!("{}: {}{clips}", output.display(), count(triangles as u64, "triangle"));
    let freedoms: usize = document.rigs.iter().map(|rig| rig.freedoms.len()).sum();
    let mut notes = Vec::new();
    if freedoms > 0 {
        let left = count(freedoms as u64, "joint variable");
        notes.push(format!("glTF has no place for {left}; the clips are kept"));
    }
    Ok(Written { line, notes })
}

fn bad(problem: &str, hint: &str) -> Refusal {
    Refusal { problems: vec![problem.to_owned()], hint: hint.to_owned() }
}

/// The thing that is asked for, if it takes the options that are given.
fn find(args: &MakeArgs) -> Result<&'static Thing, Refusal> {
    let Some(thing) = THINGS.iter().find(|thing| thing.name == args.what) else {
        let names: Vec<&str> = THINGS.iter().map(|thing| thing.name).collect();
        let problem = format!("{:?} is not something that elbowroom makes", args.what);
        return Err(bad(&problem, &format!("there are {}", names.join(", "))));
    };
    match args.given().into_iter().find(|name| !thing.options.contains(name)) {
        None => Ok(thing),
        Some(name) => {
            let options: Vec<String> =
                thing.options.iter().map(|option| format!("--{option}")).collect();
            let hint = if options.is_empty() {
                "it takes no options".to_owned()
            } else {
                format!("it takes {}", options.join(", "))
            };
            Err(bad(&format!("--{name} is no option of a {}", thing.name), &hint))
        }
    }
}
