//! `elbowroom convert`: from any format that is read to any that is written.
//!
//! Nothing is lost silently: what the new format has no place for is said, each in a note.

mod baked;
pub(crate) mod flags;
mod lost;
mod moving;

use std::path::{Path, PathBuf};

use elbowroom_io::trajectory::Trajectories;
use elbowroom_io::{Axis, Document, MeshFile, MeshOut, glb_out, stl_out, trajectory_out};
use elbowroom_motion::body::Rig;

use crate::bake::Still;
use crate::load::{self, Loaded, What};
use crate::messages::{self, Refusal, count, grouped};
use crate::outcome::Outcome;
use crate::retarget::{Carrier, MotionArgs};
use crate::save::{self, Failure, SaveArgs, Target, check_free, refusal};
use crate::time_arg::MomentArgs;
use crate::units::{ReadArgs, parse_axis};
use crate::warnings::{self, LeftOutArgs};
use flags::Input;

const EXAMPLES: &str = "\
Examples:
  elbowroom convert walk.fbx walk.glb             skeleton, skins and clips
                                                  kept; metres, Y up
  elbowroom convert part.stl part.obj --units mm --metres
  elbowroom convert man.glb man.ply --clip walk --frame 12
  elbowroom convert man.glb man.npz --clip walk   every frame: vertices (T, N,
                                                  3), faces, fps
  elbowroom convert man.glb 'man.####.obj' --clip walk --fps 24
  elbowroom convert man.glb walking.glb --motion walk.bvh
                                             mocap on a character, by the names
                                             of the joints
  elbowroom convert 'cloth.####.obj' cloth.npz --fps 24
  elbowroom convert scene.toml scene.npz          everything in a scene file, as
                                                  `check` examines it
  elbowroom convert crowd.txt crowd.csv --units cm

Exit code: 0 written, 2 bad input or usage (nothing was written), 3 incomplete:
written without something that could touch.";

const MEANING: &str = "\
What is kept:
  .glb             rigs with skins, morphs and clips, in metres with Y up, as
                   the standard requires; numbers of meshes and clips are f32.
                   With --clip, --time or --frame: one pose, without clips
  .obj .ply .off   the mesh in the rest pose or in one pose, bit for bit; OBJ
                   keeps names of parts
  .stl             the mesh as f32, without shared vertices; --ascii keeps f64
                   and the names
  .npz             vertices (T, N, 3) as f64, faces (M, 3) as u32, fps, and
                   first_frame if it is not 0, as numpy.load reads them
  name.####.obj    every frame as a file (also .stl, .ply, .off), numbered on
                   the file's timeline
  .csv             trajectories: id, frame, x, y in metres, the rate in a
                   comment
  Notes name everything that is left out.";

/// Convert a file to another format
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{MEANING}\n\n{EXAMPLES}"))]
pub(crate) struct ConvertArgs {
    /// File of any format that elbowroom reads, or a scene file (TOML)
    #[arg(value_name = "IN")]
    input: PathBuf,

    /// File to write, in the format of its ending
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// Convert lengths to metres
    #[arg(long)]
    metres: bool,

    /// Rotate the output so that this axis points up: x, y or z
    #[arg(long, value_name = "AXIS", value_parser = parse_axis)]
    to_up: Option<Axis>,

    #[command(flatten)]
    motion: MotionArgs,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    left_out: LeftOutArgs,

    #[command(flatten)]
    save: SaveArgs,

    #[command(flatten)]
    read: ReadArgs,
}

impl ConvertArgs {
    pub(crate) fn take_units(&mut self) -> Result<(), Refusal> {
        self.read.take([&mut self.input].into_iter().chain(&mut self.motion.motion))
    }
}

pub(crate) fn run(args: &ConvertArgs) -> Outcome {
    end(convert(args), args.save.quiet, args.left_out)
}

/// What was written, and what people should know about it.
pub(crate) struct Written {
    pub(crate) line: String,
    pub(crate) notes: Vec<String>,
}

/// Says how it went.
pub(crate) fn end(result: Result<Written, Failure>, quiet: bool, left_out: LeftOutArgs) -> Outcome {
    match result {
        Ok(Written { line, mut notes }) => {
            let warnings = warnings::left_out(&mut notes);
            if !quiet {
                warnings::tell(&notes, &warnings);
                messages::say_out(&line);
            }
            if left_out.settle(&warnings) { Outcome::Clean } else { Outcome::Incomplete }
        }
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

fn convert(args: &ConvertArgs) -> Result<Written, Failure> {
    let target = Target::of(&args.output)?;
    if !matches!(target, Target::Numbered(_)) {
        check_free(&args.output, args.save.force)?;
    }
    if args.input.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
        baked::check(args)?;
        flags::check(args, Input::Scene, &target)?;
        return baked::write_scene(args, &target);
    }
    let Loaded { what, .. } = read(&args.input, args)?;
    if !matches!(target, Target::Numbered(_)) {
        save::check_outputs([args.output.as_path()])?;
    }
    match what {
        What::Ways(ways) => {
            flags::check(args, Input::Ways, &target)?;
            write_ways(args, &target, &ways)
        }
        _ if target == Target::Csv => {
            let what = "only trajectories can be written as .csv, and the input has none";
            Err(refusal(
                &args.output,
                what,
                "let the name end in .glb, .obj, .stl, .ply, .off or .npz",
            )
            .into())
        }
        What::Frames(_) if args.motion.motion.is_some() => {
            let what = "has frames, but no joints for a motion";
            Err(refusal(&args.input, what, "name a character").into())
        }
        What::Frames(frames) => {
            flags::check(args, Input::Frames, &target)?;
            moving::write_frames(args, &target, *frames)
        }
        What::Document(document, file) => {
            flags::check(args, Input::Rigs, &target)?;
            write_document(args, &target, document, file.as_deref())
        }
    }
}

fn read(path: &Path, args: &ConvertArgs) -> Result<Loaded, Failure> {
    let loaded = load::load(path, &args.read.options()).map_err(|problem| Refusal {
        problems: vec![problem],
        hint: "nothing was written; `elbowroom convert --help` lists the formats".to_owned(),
    })?;
    // A motion beside it may be what they are given for.
    if args.motion.motion.is_none() {
        args.read.heed(std::slice::from_ref(&loaded.facts))?;
    }
    Ok(loaded.with_fps(args.moment.fps))
}

fn write_ways(
    args: &ConvertArgs,
    target: &Target,
    ways: &Trajectories,
) -> Result<Written, Failure> {
    if *target != Target::Csv {
        let what = "trajectories are points, and a mesh format has no place for them";
        return Err(refusal(&args.output, what, "let the name end in .csv").into());
    }
    save::write(&args.output, &trajectory_out::to_bytes(ways))?;
    let people = grouped(ways.people.len() as u64);
    let samples = count(ways.samples() as u64, "sample");
    let line = format!("{}: {people} people, {samples}, in metres", args.output.display());
    let mut notes = ways.notes.clone();
    if ways.people.iter().any(|person| !person.velocities.is_empty()) {
        notes.push(
            "the velocities are left out; they follow from the positions and the rate".to_owned(),
        );
    }
    Ok(Written { line, notes })
}

fn write_document(
    args: &ConvertArgs,
    target: &Target,
    mut document: Document,
    file: Option<&MeshFile>,
) -> Result<Written, Failure> {
    let mut notes = std::mem::take(&mut document.notes);
    let mut carried = Vec::new();
    let glb = *target == Target::Glb;
    let options = args.read.options();
    if let Some(carrier) = Carrier::new(&args.motion, &options, &document, &mut carried)? {
        let keys = args.moment.fps.filter(|_| glb);
        carrier.clips(&mut document.rigs, &args.moment, keys, &mut carried)?;
    }
    notes.retain(|note| {
        (glb || args.metres || !note.contains("--units"))
            && (glb || args.to_up.is_some() || !note.contains("--up"))
    });
    notes.append(&mut carried);
    if glb && !args.moment.is_asked() {
        return write_rigs(args, &document, notes);
    }
    notes.extend(lost::from_document(&document, target, file));
    let mut still = Still::at_rest(document);
    if args.metres || glb {
        still = still.in_metres()?;
    }
    if let Some(axis) = if glb { Some(Axis::Y) } else { args.to_up } {
        still = still.turned(axis)?;
    }
    if matches!(target, Target::Npz | Target::Numbered(_)) {
        return moving::write_clip(args, target, still, notes);
    }
    let pose = if args.moment.is_asked() {
        if args.motion.motion.is_none() {
            notes.extend(args.moment.choice_notes(&still.document.rigs));
        }
        still.set(&args.moment)?
    } else {
        "rest pose".to_owned()
    };
    if glb {
        return save_still(&args.output, &still, &pose, notes);
    }
    let mut mesh = still.mesh()?;
    if let Some(file) = file {
        let vertices = mesh.vertices().to_vec();
        mesh = MeshOut::from_file(file)
            .with_vertices(vertices)
            .map_err(|e| unfit(&args.output, &e))?;
    }
    let still_line = if file.is_some() { String::new() } else { format!(", {pose}") };
    write_mesh(&args.output, target, &mesh, &args.save, &still_line, notes)
}

/// Why a mesh has no place in a format.
pub(crate) fn unfit(path: &Path, error: &dyn std::error::Error) -> Refusal {
    refusal(path, &error.to_string(), "write another format, or give another unit with --units")
}

fn write_rigs(
    args: &ConvertArgs,
    document: &Document,
    mut notes: Vec<String>,
) -> Result<Written, Failure> {
    notes.extend(lost::in_glb(document));
    let bytes = glb_out::document_to_bytes(document).map_err(|e| unfit(&args.output, &e))?;
    save::write(&args.output, &bytes)?;
    let rigs = &document.rigs;
    let sum = |of: fn(&Rig) -> usize| rigs.iter().map(of).sum::<usize>() as u64;
    let line = format!(
        "{}: {}, {}, {}, {}",
        args.output.display(),
        count(sum(|rig| rig.skeleton.len()), "joint"),
        count(sum(|rig| rig.parts.len()), "part"),
        count(
            sum(|rig| rig.parts.iter().map(|part| part.mesh.triangles().len()).sum()),
            "triangle"
        ),
        count(sum(|rig| rig.clips.len()), "clip"),
    );
    Ok(Written { line, notes })
}

/// Writes rigs that cannot move any more, as GLB.
pub(crate) fn save_still(
    path: &Path,
    still: &Still,
    pose: &str,
    mut notes: Vec<String>,
) -> Result<Written, Failure> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let rig = still.rig(&name)?;
    let vertices = rig.parts.iter().flat_map(|part| part.mesh.vertices());
    notes.extend(lost::rounding("GLB", stl_out::rounding(&vertices.copied().collect::<Vec<_>>())));
    let triangles: usize = rig.parts.iter().map(|part| part.mesh.triangles().len()).sum();
    let bytes = glb_out::to_bytes(&[rig]).map_err(|error| unfit(path, &error))?;
    save::write(path, &bytes)?;
    let triangles = count(triangles as u64, "triangle");
    Ok(Written { line: format!("{}: {triangles}, {pose}", path.display()), notes })
}

/// Writes a plain mesh.
pub(crate) fn write_mesh(
    path: &Path,
    target: &Target,
    mesh: &MeshOut,
    save: &SaveArgs,
    pose: &str,
    mut notes: Vec<String>,
) -> Result<Written, Failure> {
    let Target::Mesh(kind) = target else {
        let what =
            format!("{} holds a sequence of frames, and this is a single pose", target.name());
        return Err(
            refusal(path, &what, "let the name end in .glb, .obj, .stl, .ply or .off").into()
        );
    };
    notes.extend(lost::in_mesh(mesh, *kind, save.ascii));
    let bytes = kind.bytes(mesh, save.encoding()).map_err(|error| unfit(path, &error))?;
    save::write(path, &bytes)?;
    let triangles = count(mesh.triangles().len() as u64, "triangle");
    let vertices = grouped(mesh.vertices().len() as u64);
    let line = format!("{}: {triangles}, {vertices} vertices{pose}", path.display());
    Ok(Written { line, notes })
}
