//! Checking what moves: any files, or a scene file, frame by frame.
//!
//! A shot is planned like plain meshes are: all is read, and what is bad left out, before the work begins. Frames are then shared out among the
//! cores, for each can be posed without those before; they come out in order, and what comes out does not depend on who did what.

mod built_in;
mod run;

use std::path::{Path, PathBuf};

use elbowroom::body::{Hold, Part};
use elbowroom::scene::{Content, ObjectId, Scene, Stage, Timing};
use elbowroom_io::{Axis, ReadError, ReadOptions, SceneFile, Shot, read_scene_partly, read_shot};

use crate::args::{CheckArgs, Touching};
use crate::cast::{Cast, Entry, Form, NamedFile, Warning};
use crate::frames::Frames;
use crate::meaning::{self, Wanted};
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
}

/// Whether files are checked as a shot: plain meshes have a way of their own, which takes them by the thousand.
pub(crate) fn is_shot(args: &CheckArgs) -> bool {
    let plain = |path: &PathBuf| {
        let name = path.to_string_lossy().to_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        ["obj", "stl", "ply", "off"].contains(&ending) && !elbowroom_io::sequence::is_pattern(path)
    };
    !args.files.iter().all(plain) || args.files.is_empty() || args.with_itself
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
            return Err(Refusal {
                problems: vec!["--poses moves plain meshes (OBJ, STL, PLY, OFF) only".to_owned()],
                hint: "describe what moves in a scene file: `poses = \"p.json\"`".to_owned(),
            });
        }
        // A shot is in metres, whatever its files are in.
        let wanted = Wanted::new(args, 1.0)?;
        meaning::check_between(args)?;
        let good = |path: &PathBuf| NamedFile { path: path.clone(), error: None };
        let mut named: Vec<NamedFile> = args.files.iter().map(good).collect();
        let Read { mut scene, up, sources, mut notes } = match args.files.as_slice() {
            [] => built_in::scene(args).map_err(|problem| refused(vec![problem]))?,
            [only] if is_scene_file(only) => from_scene_file(only, args, &mut named)?,
            files => from_files(files, args, &mut named).map_err(refused)?,
        };
        let timing = scene.timing();
        let frames = args.frames.unwrap_or(Frames::all(timing.first, timing.last));
        if args.frames.is_some() {
            let timing = Timing { first: frames.first, last: frames.last, ..timing };
            scene = scene.retimed(timing).map_err(|error| refused(vec![error.to_string()]))?;
        }
        if let ([only], false) = (scene.objects(), args.with_itself) {
            let problems: Vec<String> = named.into_iter().filter_map(|file| file.error).collect();
            return Err(if problems.is_empty() { alone(&only.name) } else { refused(problems) });
        }
        if wanted.is_solid() {
            notes.extend(open_note(&scene, frames.first));
        }
        let (touching, triangles) = (args.touching, args.triangles);
        let continuous = args.continuous;
        let cast = Cast {
            touching,
            wanted,
            files: named,
            gap: args.gap,
            up,
            frames: frames.len() as u64,
            range: frames.range(),
            warnings: left_out(&mut notes),
            ..cast(&scene, sources)
        };
        Ok(Self { scene, cast, frames, touching, wanted, triangles, continuous, notes })
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

fn is_scene_file(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"))
}

/// Reads what a scene file describes. Files in it that are bad are named beside it, and left out.
fn from_scene_file(
    path: &Path,
    args: &CheckArgs,
    named: &mut Vec<NamedFile>,
) -> Result<Read, Refusal> {
    for (is_said, option, key) in
        [(args.fps.is_some(), "--fps", "fps"), (args.clip.is_some(), "--clip", "clip")]
    {
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
    let options: ReadOptions = args.read.options();
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
    let Shot { mut objects, sources, seconds, fps, notes, .. } = shot;
    for object in &mut objects {
        object.with_itself = args.with_itself;
    }
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

/// Notes on shapes that are missing from the check are warnings: what is clear without them need not be clear.
fn left_out(notes: &mut Vec<String>) -> Vec<Warning> {
    let missing = notes.extract_if(.., |note| note.contains(elbowroom_io::LEFT_OUT));
    missing.map(|text| Warning { kind: "left-out", text }).collect()
}

fn alone(name: &str) -> Refusal {
    Refusal {
        problems: vec![format!("{name}: is the only object, and it takes two to touch")],
        hint: format!(
            "name what it may touch: `elbowroom check {name} OTHER.obj`, or say --self to compare its own parts"
        ),
    }
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
    }
}
