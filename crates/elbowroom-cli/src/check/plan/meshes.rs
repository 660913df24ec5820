//! Files of plain meshes, which are examined in their own unit, at rest or along a list of poses.
//!
//! Each file is read once: copies of it are objects that share its models.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use elbowroom::Pose;
use elbowroom::internal::model::Model;
use elbowroom_io::names::{self, Unique};
use elbowroom_io::split::{self, Pieces};
use elbowroom_io::{Axis, ReadError, ReadOptions, Split, poses, read_mesh_with};
use elbowroom_motion::scene::{Content, Object, Scene, Timing};

use super::{Plan, cast, solid_remarks};
use crate::args::CheckArgs;
use crate::check::{flags, plausible};
use crate::frames::Frames;
use crate::measure::{self, Unit};
use crate::messages::Refusal;
use crate::result::cast::{Cast, NamedFile};
use crate::result::options::{self, Wanted};
use crate::warnings;

/// The file that poses move.
const MOVER: usize = 1;

/// Reads all that is named on the command line.
///
/// # Errors
/// Names every file that is bad, not only the first.
pub(super) fn plan(args: &CheckArgs) -> Result<Plan, Refusal> {
    flags::check_plain(args)?;
    let options = args.read.options();
    let facts: Vec<_> = args.files.iter().map(|path| options.facts_of(path, Axis::Y)).collect();
    if let Some(clearance) = args.clearance {
        measure::check_length("--clearance", clearance, &facts)?;
    }
    if args.first_frame.is_some() {
        return Err(Refusal {
            problems: vec!["--first-frame numbers the frames of files with motion, and plain meshes have none; frames of --poses count from 0".to_owned()],
            hint: "describe what moves in a scene file: `poses = \"p.json\"`".to_owned(),
        });
    }
    let unit = Unit::of_plain(args, &facts[0])?;
    let wanted = Wanted::new(args, &unit);
    options::check_between(args)?;
    let options = ReadOptions { split: split_of(args)?, ..args.read.options() };
    let Files { models, mut notes, errors } = read(&args.files, &options);
    let (mut objects, sources) = objects(&args.files, &models);
    if let ([path], [Object { name, content: Content::Still { model, .. }, .. }]) =
        (args.files.as_slice(), objects.as_slice())
    {
        return Err(crate::split::alone(name, path, &[model.mesh()]));
    }
    let mut problems = Vec::new();
    let path = args.poses.as_deref().map(|path| {
        poses::read(path).unwrap_or_else(|problem| {
            problems.push(problem);
            Vec::new()
        })
    });
    let files: Vec<NamedFile> = args.files.iter().map(|path| named(path, &errors)).collect();
    // Without the object that moves, or without a second one, there is nothing to examine.
    let moves = path.is_some();
    let is_unmoved = moves && files.get(MOVER).is_some_and(|file| file.error.is_some());
    if is_unmoved || objects.len() < 2 || !problems.is_empty() {
        problems.splice(0..0, errors.iter().map(ToString::to_string));
        return Err(unread(problems));
    }
    let frames = Frames::all(0, path.as_ref().map_or(0, |path| path.len() as u32 - 1));
    if let Some(path) = path {
        let before = files.iter().take(MOVER).filter(|file| file.error.is_none()).count();
        if let Content::Still { model, .. } = &objects[before].content {
            objects[before].content = Content::Moving { model: Arc::clone(model), path };
        }
    }
    let timing = Timing { last: frames.last, ..Timing::STILL };
    let scene =
        Scene::new(timing, objects, &[]).map_err(|error| unread(vec![error.to_string()]))?;
    let mut warnings = plausible::of_meshes(&scene, &sources, &unit);
    warnings.extend(warnings::left_out(&mut notes));
    if wanted.is_solid() {
        let (open, turned) = solid_remarks(&scene, frames.first);
        notes.extend(open);
        warnings.extend(turned);
    }
    let plays = vec![None; sources.len()];
    let mut cast = Cast {
        moves,
        fps: None,
        touching: args.touching,
        wanted,
        files,
        gap: args.gap,
        up: facts[0].up.axis,
        frames: frames.len() as u64,
        range: frames.range(),
        warnings,
        allows_left_out: args.left_out.allow_left_out,
        counts: args.counts,
        ..cast(&scene, sources, plays, unit)
    };
    cast.entries.iter_mut().for_each(|entry| entry.parts.clear());
    Ok(Plan { scene, cast, frames, continuous: args.continuous, notes, outside: None })
}

/// The pieces of each file that could be read: what follows the name of the file in theirs, and
/// their models.
struct Files<'a> {
    models: HashMap<&'a Path, Vec<(String, Arc<Model>)>>,
    notes: Vec<String>,
    /// What could not be read.
    errors: Vec<ReadError>,
}

/// Reads all files, each once, splits them as the options say, and leaves out every one that is
/// bad.
fn read<'a>(paths: &'a [PathBuf], options: &ReadOptions) -> Files<'a> {
    let mut files = Files { models: HashMap::new(), notes: Vec::new(), errors: Vec::new() };
    let mut seen = HashSet::new();
    for path in paths.iter().filter(|path| seen.insert(path.as_path())) {
        let file = match read_mesh_with(path, options) {
            Ok(file) => file,
            Err(error) => {
                files.errors.push(error);
                continue;
            }
        };
        let name = path.display();
        let notes = file.ignored_note().into_iter().chain(file.notes.iter().cloned());
        files.notes.extend(notes.map(|note| format!("{name}: {note}")));
        match split::pieces(file, "", options.split) {
            Ok(Pieces { pieces, note }) => {
                files.notes.extend(note.map(|note| format!("{name}: {note}")));
                let pieces = pieces.into_iter().map(|p| (p.name, Arc::new(Model::new(p.mesh))));
                files.models.insert(path, pieces.collect());
            }
            Err(problem) => files.errors.push(ReadError::file(path, problem)),
        }
    }
    files
}

/// The objects in the order of the command line, at rest, and the file of each.
fn objects(
    paths: &[PathBuf],
    models: &HashMap<&Path, Vec<(String, Arc<Model>)>>,
) -> (Vec<Object>, Vec<Option<PathBuf>>) {
    let mut unique = Unique::default();
    let (mut objects, mut sources) = (Vec::new(), Vec::new());
    for (path, name) in paths.iter().zip(names::of_files(paths)) {
        for (suffix, model) in models.get(path.as_path()).into_iter().flatten() {
            let (model, place) = (Arc::clone(model), Pose::IDENTITY);
            let name = unique.name(format!("{name}{suffix}"));
            objects.push(Object::new(name, Content::Still { model, place }));
            sources.push(Some(path.clone()));
        }
    }
    (objects, sources)
}

/// A file that was named, and what is wrong with it.
fn named(path: &Path, errors: &[ReadError]) -> NamedFile {
    let error = errors.iter().find(|error| error.path() == path).map(ToString::to_string);
    NamedFile { path: path.to_owned(), error }
}

fn unread(problems: Vec<String>) -> Refusal {
    let hint = "nothing was examined; `elbowroom check --help` lists the formats".to_owned();
    Refusal { problems, hint }
}

/// How files are split. Poses move one mesh as a whole.
fn split_of(args: &CheckArgs) -> Result<Split, Refusal> {
    match (&args.poses, args.split) {
        (Some(_), Some(typed)) if crate::split::wanted(Some(typed)) != Split::None => {
            let hint = "leave it out; the mesh that moves is one object, and so are the others";
            Err(crate::split::refused("--poses", hint))
        }
        (Some(_), _) => Ok(Split::None),
        (None, typed) => Ok(crate::split::wanted(typed)),
    }
}
