//! Checking what moves: any files, or a scene file, frame by frame.
//!
//! A shot is planned like plain meshes are: all is read, and what is bad left out, before the work begins. Frames are then shared out among the
//! cores, for each can be posed without those before; they come out in order, and what comes out does not depend on who did what.

mod built_in;
mod own;
mod run;

use std::path::{Path, PathBuf};

use elbowroom::body::{Hold, Part, Rig};
use elbowroom::scene::{Content, Object, ObjectId, Scene, Stage, Timing};
use elbowroom_io::formats::{self, Kind};
use elbowroom_io::{
    Axis, ReadError, ReadOptions, SceneFile, Shot, Split, read_scene_partly, read_shot,
};

use crate::args::{CheckArgs, Touching};
use crate::cast::{Cast, Entry, Form, NamedFile};
use crate::flags;
use crate::frames::Frames;
use crate::meaning::{self, Wanted};
use crate::split;
use crate::words::Refusal;

pub(crate) use run::check;

/// The most frames that are examined at once: a day at 30 a second and more.
const MOST_FRAMES: f64 = 4_000_000.0;

/// What is to be done.
#[derive(Debug)]
pub(crate) struct ShotPlan {
    pub(crate) scene: Scene,
    pub(crate) cast: Cast,
    pub(crate) frames: Frames,
    pub(crate) touching: Touching,
    pub(crate) wanted: Wanted,
    pub(crate) triangles: bool,
    /// Whether it is looked between frames, too.
    pub(crate) continuous: bool,
    /// What people should know before they read the result.
    pub(crate) notes: Vec<String>,
    /// Why none of the frames that were asked for is one of the shot, if so.
    outside: Option<String>,
}

/// Whether files are checked as a shot: plain meshes have a way of their own, which takes them by the thousand.
pub(crate) fn is_shot(args: &CheckArgs) -> bool {
    !args.files.iter().all(|path| is_plain(path)) || args.files.is_empty() || args.with_itself
}

/// Whether a file is a plain mesh. What cannot be read is told of by whoever reads it, as its name says.
fn is_plain(path: &Path) -> bool {
    let kind = formats::find(path).map_or_else(|_| formats::kind_by_name(path), |it| Some(it.kind));
    kind.is_some_and(Kind::is_plain_mesh) && !elbowroom_io::sequence::is_pattern(path)
}

impl ShotPlan {
    /// Reads all that is named on the command line.
    ///
    /// # Errors
    /// Names every file that is bad.
    pub(crate) fn new(args: &CheckArgs) -> Result<Self, Refusal> {
        let hint = "nothing was examined; `elbowroom check --help` says what is read";
        let refused = |problems| Refusal { problems, hint: hint.to_owned() };
        if args.poses.is_some() {
            let problem = if args.with_itself && args.files.iter().all(|path| is_plain(path)) {
                "--poses does not go with --self"
            } else {
                "--poses moves plain meshes (OBJ, STL, PLY, OFF) only"
            };
            return Err(Refusal {
                problems: vec![problem.to_owned()],
                hint: "describe what moves in a scene file: `poses = \"p.json\"`".to_owned(),
            });
        }
        if args.files.is_empty() {
            flags::check_built_in(args)?;
        }
        // A shot is in metres, whatever its files are in.
        let wanted = Wanted::new(args, 1.0);
        meaning::check_between(args)?;
        let good = |path: &PathBuf| NamedFile { path: path.clone(), error: None };
        let mut named: Vec<NamedFile> = args.files.iter().map(good).collect();
        let Read { mut scene, up, sources, mut notes } = match args.files.as_slice() {
            [] => built_in::scene(args).map_err(|problem| refused(vec![problem]))?,
            [only] if is_scene_file(only) => from_scene_file(only, args, &mut named)?,
            files => from_files(files, args, &mut named).map_err(refused)?,
        };
        if args.with_itself {
            scene = scene.with_itself();
        }
        let own = own::rest(args, &scene)?;
        notes.extend(own::left_out_note(&scene));
        let timing = scene.timing();
        let outside = args.frames.and_then(|frames| own::outside(&scene, frames));
        let frames = args.frames.unwrap_or(Frames::all(timing.first, timing.last));
        if args.frames.is_some() {
            let timing = Timing { first: frames.first, last: frames.last, ..timing };
            scene = scene.retimed(timing).map_err(|error| refused(vec![error.to_string()]))?;
        }
        if let ([only], None) = (scene.objects(), own) {
            let problems: Vec<String> = named.into_iter().filter_map(|file| file.error).collect();
            return Err(if problems.is_empty() { alone(only, args) } else { refused(problems) });
        }
        if outside.is_none() {
            flags::check_frames(args, frames.len())?;
        }
        if wanted.is_solid() {
            notes.extend(open_note(&scene, frames.first));
        }
        let (touching, triangles) = (args.touching, args.triangles);
        let continuous = args.continuous;
        let mut cast = Cast {
            touching,
            wanted,
            files: named,
            gap: args.gap,
            up,
            frames: frames.len() as u64,
            range: frames.range(),
            own,
            ..cast(&scene, sources)
        };
        cast.warnings.extend(meaning::unmeasured_clearance(&cast, args.with_itself));
        Ok(Self { scene, cast, frames, touching, wanted, triangles, continuous, notes, outside })
    }
}

/// A scene that was read or made.
struct Read {
    scene: Scene,
    up: Axis,
    /// Where its objects come from.
    sources: Vec<Option<PathBuf>>,
    /// What people should know.
    notes: Vec<String>,
}

fn is_sequence(path: &Path) -> bool {
    elbowroom_io::sequence::is_pattern(path) || formats::kind_by_name(path) == Some(Kind::Npz)
}

fn is_scene_file(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"))
}

/// Reads what a scene file describes. Files in it that are bad are named beside it, and left out.
fn from_scene_file(
    path: &Path,
    args: &CheckArgs,
    named: &mut Vec<NamedFile>,
) -> Result<Read, Refusal> {
    for (is_said, option, key) in [
        (args.fps.is_some(), "--fps", "fps"),
        (args.clip.is_some(), "--clip", "clip"),
        (args.split.is_some(), "--split", "split"),
    ] {
        if is_said {
            return Err(Refusal {
                problems: vec![format!("{option} says what the scene file says itself")],
                hint: format!("change `{key}` in {}", path.display()),
            });
        }
    }
    let file = read_scene_partly(path, &args.read.options()).map_err(|error| Refusal {
        problems: vec![error.to_string()],
        hint: "nothing was examined; docs/scene-file.md describes scene files".to_owned(),
    })?;
    named.extend(file.left_out.into_iter().map(|left_out| {
        let error = Some(left_out.error.to_string());
        NamedFile { path: left_out.file, error }
    }));
    let SceneFile { scene, up, sources, notes, .. } = file;
    Ok(Read { scene, up, sources, notes })
}

/// Reads files by themselves. What is bad is marked and left out, unless nothing is left.
fn from_files(
    files: &[PathBuf],
    args: &CheckArgs,
    named: &mut [NamedFile],
) -> Result<Read, Vec<String>> {
    if let Some(scene) = files.iter().find(|path| is_scene_file(path)) {
        let scene = scene.display();
        return Err(vec![format!(
            "{scene}: a scene file stands alone; name the other files in it"
        )]);
    }
    let options = ReadOptions { split: split::wanted(args.split), ..args.read.options() };
    if args.split.is_some()
        && options.split != Split::None
        && files.iter().any(|path| is_sequence(path))
    {
        return Err(vec!["--split does not go with vertices over time".to_owned()]);
    }
    let clip = args.clip.as_deref();
    let shot = read_shot(files, &options, clip).or_else(|errors| {
        let words =
            |errors: &[ReadError]| errors.iter().map(ToString::to_string).collect::<Vec<_>>();
        for file in &mut *named {
            let error = errors.iter().find(|error| error.path() == file.path);
            file.error = error.map(ToString::to_string);
        }
        let good = named.iter().filter(|file| file.error.is_none()).map(|file| file.path.clone());
        let good: Vec<PathBuf> = good.collect();
        // A file that cannot be found among those that were named, such as one that another names, is missing from all of it.
        if good.is_empty() || good.len() == files.len() {
            return Err(words(&errors));
        }
        // Where the others do not make a shot either, what was wrong at first is what is to be mended first.
        read_shot(&good, &options, clip).map_err(|_| words(&errors))
    })?;
    let Shot { objects, sources, seconds, fps, notes, .. } = shot;
    let fps = args.fps.or(fps).unwrap_or(30.0);
    // A last frame that is whole but for its rounding counts.
    let last = (seconds.unwrap_or(0.0) * fps + 1e-3).floor();
    if last > MOST_FRAMES && args.frames.is_none() {
        return Err(vec![format!(
            "the longest motion has {last} frames at {fps} a second; say which --frames are meant"
        )]);
    }
    #[expect(clippy::cast_sign_loss, reason = "it is not below 0")]
    let timing = Timing { fps, first: 0, last: last.min(MOST_FRAMES) as u32 };
    let scene = Scene::new(timing, objects, &[]).map_err(|error| vec![error.to_string()])?;
    let sources = sources.into_iter().map(Some).collect();
    // Files by themselves are brought to Y up.
    Ok(Read { scene, up: Axis::Y, sources, notes })
}

/// A single object: how to check it against itself.
fn alone(only: &Object, args: &CheckArgs) -> Refusal {
    let name = PathBuf::from(&only.name);
    let file = args.files.first().unwrap_or(&name);
    let meshes = match &only.content {
        // What --split takes apart.
        Content::Actor(actor)
            if form(&only.content) != Form::Character && is_no_robot(&actor.rig) =>
        {
            actor.rig.parts.iter().map(|part| &part.mesh).collect()
        }
        _ => Vec::new(),
    };
    split::alone(&only.name, file, &meshes)
}

fn is_no_robot(rig: &Rig) -> bool {
    rig.freedoms.is_empty() && rig.allowed.is_empty()
}

/// Which objects are not closed in a frame. One that cannot be posed is told of when its turn comes.
fn open_note(scene: &Scene, frame: u32) -> Option<String> {
    let mut stage = Stage::new();
    scene.at(frame, &mut stage).ok()?;
    let mut models: Vec<(&str, Vec<_>)> =
        scene.objects().iter().map(|object| (object.name.as_str(), Vec::new())).collect();
    for piece in stage.pieces() {
        models[piece.object().index()].1.push(piece.model());
    }
    meaning::open_note(&models)
}

/// What an object is. Of the parts of a character some follow several joints, those of a robot one each.
fn form(content: &Content) -> Form {
    match content {
        Content::Actor(actor) => {
            let is_rigid = |part: &Part| matches!(part.hold, Hold::Rigid(_));
            if actor.rig.parts.iter().all(is_rigid) { Form::Robot } else { Form::Character }
        }
        Content::Vertices(_) => Form::Cache,
        Content::Still { .. } | Content::Moving { .. } => Form::Model,
    }
}

fn cast(scene: &Scene, sources: Vec<Option<PathBuf>>) -> Cast {
    let entries = scene.objects().iter().zip(sources).enumerate();
    let entries = entries.map(|(index, (object, path))| {
        let id = ObjectId(index as u32);
        let (vertices, triangles) = scene.size(id);
        Entry {
            name: object.name.clone(),
            path,
            vertices: vertices as usize,
            triangles: triangles as usize,
            form: form(&object.content),
            parts: scene.parts(id).to_vec(),
        }
    });
    let timing = scene.timing();
    let moves = timing.first != timing.last;
    Cast {
        entries: entries.collect(),
        moves,
        fps: Some(timing.fps),
        touching: Touching::Count,
        wanted: Wanted::default(),
        frames: 0,
        range: [0, 0, 1],
        gap: 0,
        up: Axis::Y,
        files: Vec::new(),
        warnings: Vec::new(),
        own: None,
    }
}
