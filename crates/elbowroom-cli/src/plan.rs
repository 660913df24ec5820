//! A checked plan: everything has been read and found good, and the work cannot fail.

use std::path::PathBuf;

use elbowroom::Placement;
use elbowroom_io::poses;

use crate::args::{CheckArgs, Touching};
use crate::between;
use crate::cast::{Cast, Entry};
use crate::meaning::{self, Wanted};
use crate::scene::{self, Object, Scene};
use crate::words::Refusal;

/// The object that poses move.
const MOVER: usize = 1;

/// What is to be done.
#[derive(Debug)]
pub(crate) struct Plan {
    /// At least two.
    pub(crate) objects: Vec<Object>,
    /// Where the second object stands, frame by frame; nothing if all stay at rest in a single frame.
    pub(crate) poses: Option<Vec<Placement>>,
    pub(crate) touching: Touching,
    pub(crate) wanted: Wanted,
    /// Whether the triangles of each contact are kept.
    pub(crate) triangles: bool,
    /// Whether it is looked between frames, too.
    pub(crate) continuous: bool,
    /// What people should know before they read the result.
    pub(crate) notes: Vec<String>,
}

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Table,
    Json,
    Nothing,
}

impl Form {
    /// What was asked for.
    pub(crate) fn of(args: &CheckArgs) -> Self {
        match (args.json, args.quiet) {
            (true, _) => Self::Json,
            (false, true) => Self::Nothing,
            (false, false) => Self::Table,
        }
    }
}

impl Plan {
    /// Reads all that is named on the command line.
    ///
    /// # Errors
    /// Names every file that is bad, not only the first.
    pub(crate) fn new(args: &CheckArgs) -> Result<Self, Refusal> {
        if let [only] = args.files.as_slice() {
            return Err(one_file(only));
        }
        let wanted = Wanted::new(args, args.read.units.unwrap_or(1.0))?;
        between::check_args(args)?;
        let mut problems = Vec::new();
        let mut scene = read_scene(&args.files, &mut problems);
        let poses = args.poses.as_deref().map(|path| {
            poses::read(path).unwrap_or_else(|problem| {
                problems.push(problem);
                Vec::new()
            })
        });
        if !problems.is_empty() {
            let hint =
                "nothing was examined; `elbowroom check --help` says what is read".to_owned();
            return Err(Refusal { problems, hint });
        }
        if wanted.is_solid() {
            let objects = scene.objects.iter();
            let models = objects.map(|object| (object.name.as_str(), vec![&*object.model]));
            let note = meaning::open_note(&models.collect::<Vec<_>>());
            scene.notes.extend(note);
        }
        Ok(Self {
            objects: scene.objects,
            poses,
            touching: args.touching,
            wanted,
            triangles: args.triangles,
            continuous: args.continuous,
            notes: scene.notes,
        })
    }

    /// What reports need to know.
    pub(crate) fn cast(self) -> Cast {
        let entries = self.objects.into_iter().map(|object| Entry {
            name: object.name,
            path: object.path,
            vertices: object.model.mesh().vertices().len(),
            triangles: object.model.mesh().triangles().len(),
            parts: Vec::new(),
        });
        let (moves, touching, wanted) = (self.poses.is_some(), self.touching, self.wanted);
        Cast { entries: entries.collect(), moves, fps: None, touching, wanted }
    }

    /// How many frames there are, at least one.
    pub(crate) fn frames(&self) -> usize {
        self.poses.as_ref().map_or(1, Vec::len)
    }

    /// Where an object stands in a frame.
    pub(crate) fn placement(&self, object: usize, frame: usize) -> Placement {
        match &self.poses {
            Some(poses) if object == MOVER => poses[frame],
            _ => self.objects[object].rest,
        }
    }

    /// The object that moves, if one does.
    pub(crate) fn mover(&self) -> Option<usize> {
        self.poses.as_ref().map(|_| MOVER)
    }
}

fn read_scene(files: &[PathBuf], problems: &mut Vec<String>) -> Scene {
    scene::read(files).unwrap_or_else(|errors| {
        problems.extend(errors.iter().map(ToString::to_string));
        Scene { objects: Vec::new(), notes: Vec::new() }
    })
}

fn one_file(only: &std::path::Path) -> Refusal {
    let only = only.display();
    Refusal {
        problems: vec![format!("{only}: is the only file given, and it takes two to touch")],
        hint: format!("name what it may touch: `elbowroom check {only} OTHER.obj`"),
    }
}
