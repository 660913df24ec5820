//! A checked plan: everything has been read and what is bad was left out, and the work cannot fail.

use std::path::Path;

use elbowroom::Pose;
use elbowroom_io::{Axis, ReadError, ReadOptions, Split, poses};

use crate::args::{CheckArgs, Touching};
use crate::check::cast::{Cast, Entry, Form, NamedFile, Warning};
use crate::check::flags;
use crate::check::mesh_files::{self, Object, Scene};
use crate::check::options::{self, Wanted};
use crate::check::plausible;
use crate::measure::{self, Unit};
use crate::messages::Refusal;
use crate::split;

/// The file that poses move.
const MOVER: usize = 1;

/// What is to be done.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The unit of all files, and of results.
    pub(crate) unit: Unit,
    /// The axis that points up in all files.
    pub(crate) up: Axis,
    /// What may make the result mean something else than it seems to.
    pub(crate) warnings: Vec<Warning>,
    /// At least two.
    pub(crate) objects: Vec<Object>,
    /// Which object moves, and where it stands, frame by frame; nothing if all stay at rest in a single frame.
    pub(crate) poses: Option<(usize, Vec<Pose>)>,
    pub(crate) touching: Touching,
    pub(crate) wanted: Wanted,
    /// Whether the triangles of each contact are kept.
    pub(crate) triangles: bool,
    /// Whether it is looked between frames, too.
    pub(crate) continuous: bool,
    /// So many frames without contact do not end an incident.
    pub(crate) gap: u32,
    /// All that were named.
    pub(crate) files: Vec<NamedFile>,
    /// What people should know before they read the result.
    pub(crate) notes: Vec<String>,
}

impl Plan {
    /// Reads all that is named on the command line.
    ///
    /// # Errors
    /// Names every file that is bad, not only the first.
    pub(crate) fn new(args: &CheckArgs) -> Result<Self, Refusal> {
        flags::check_plain(args)?;
        let options = args.read.options();
        let facts: Vec<_> = args.files.iter().map(|path| options.facts_of(path, Axis::Y)).collect();
        if let Some(clearance) = args.clearance {
            measure::check_length("--clearance", clearance, &facts)?;
        }
        if args.first_frame.is_some() {
            return Err(Refusal {
                problems: vec!["--first-frame numbers the frames of a shot, and plain meshes have none; those of --poses count from 0".to_owned()],
                hint: "describe what moves in a scene file: `poses = \"p.json\"`".to_owned(),
            });
        }
        let unit = Unit::of_plain(args, &facts[0])?;
        let wanted = Wanted::new(args, &unit);
        options::check_between(args)?;
        let options = ReadOptions { split: split_of(args)?, ..args.read.options() };
        let Scene { objects, mut notes, errors } = mesh_files::read(&args.files, &options);
        if let ([path], [only]) = (args.files.as_slice(), objects.as_slice()) {
            return Err(split::alone(&only.name, path, &[only.model.mesh()]));
        }
        let mut problems = Vec::new();
        let poses = args.poses.as_deref().map(|path| {
            poses::read(path).unwrap_or_else(|problem| {
                problems.push(problem);
                Vec::new()
            })
        });
        let files: Vec<NamedFile> = args.files.iter().map(|path| named(path, &errors)).collect();
        // Without the one that moves, nothing of what was asked is left; nor without two.
        let moves = poses.is_some() && files.get(MOVER).is_some_and(|file| file.error.is_some());
        if moves || objects.len() < 2 || !problems.is_empty() {
            problems.splice(0..0, errors.iter().map(ToString::to_string));
            return Err(unread(problems));
        }
        let before = files.iter().take(MOVER).filter(|file| file.error.is_none()).count();
        let poses = poses.map(|poses| (before, poses));
        let mut warnings = plausible::of_meshes(&objects, &unit);
        if wanted.is_solid() {
            let models = objects.iter().map(|object| (object.name.as_str(), vec![&*object.model]));
            let models = models.collect::<Vec<_>>();
            notes.extend(options::open_note(&models));
            warnings.extend(options::inside_out(&models));
        }
        Ok(Self {
            unit,
            up: facts[0].up.axis,
            warnings,
            objects,
            poses,
            touching: args.touching,
            wanted,
            triangles: args.triangles,
            continuous: args.continuous,
            gap: args.gap,
            files,
            notes,
        })
    }

    /// What reports need to know.
    pub(crate) fn cast(&self) -> Cast {
        let entries = self.objects.iter().map(|object| Entry {
            name: object.name.clone(),
            path: object.path.clone(),
            vertices: object.model.mesh().vertices().len(),
            triangles: object.model.mesh().triangles().len(),
            form: Form::Model,
            parts: Vec::new(),
            plays: None,
        });
        Cast {
            entries: entries.collect(),
            moves: self.poses.is_some(),
            fps: None,
            zero: 0,
            touching: self.touching,
            wanted: self.wanted,
            frames: self.frames() as u64,
            range: [0, self.frames() as u32 - 1, 1],
            gap: self.gap,
            up: self.up,
            files: self.files.clone(),
            unit: self.unit,
            warnings: self.warnings.clone(),
            own: None,
        }
    }

    /// How many frames there are, at least one.
    pub(crate) fn frames(&self) -> usize {
        self.poses.as_ref().map_or(1, |(_, poses)| poses.len())
    }

    /// Where an object stands in a frame.
    pub(crate) fn placement(&self, object: usize, frame: usize) -> Pose {
        match &self.poses {
            Some((mover, poses)) if object == *mover => poses[frame],
            _ => self.objects[object].rest,
        }
    }

    /// The object that moves, if one does.
    pub(crate) fn mover(&self) -> Option<usize> {
        self.poses.as_ref().map(|(mover, _)| *mover)
    }
}

/// A file that was named, and what is wrong with it.
fn named(path: &Path, errors: &[ReadError]) -> NamedFile {
    let error = errors.iter().find(|error| error.path() == path).map(ToString::to_string);
    NamedFile { path: path.to_owned(), error }
}

fn unread(problems: Vec<String>) -> Refusal {
    let hint = "nothing was examined; `elbowroom check --help` says what is read".to_owned();
    Refusal { problems, hint }
}

/// How files are split. Poses move one mesh as a whole.
fn split_of(args: &CheckArgs) -> Result<Split, Refusal> {
    match (&args.poses, args.split) {
        (Some(_), Some(typed)) if split::wanted(Some(typed)) != Split::None => {
            let hint = "leave it out; the mesh that moves is one object, and so are the others";
            Err(split::refused("--poses", hint))
        }
        (Some(_), _) => Ok(Split::None),
        (None, typed) => Ok(split::wanted(typed)),
    }
}
