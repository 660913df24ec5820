//! What a check examines: everything was read, what is bad was left out, and the work cannot fail.
//!
//! Whatever is checked is a [`Scene`]: a scene file, any files by themselves, or plain meshes
//! ([`meshes`]), which are one rigid piece each, in their own unit, and of which at most one moves.

mod built_in;
mod meshes;
mod own;
mod timing;

use std::hash::{DefaultHasher, Hash};
use std::path::{Path, PathBuf};

use elbowroom_io::formats::{self, Kind};
use elbowroom_io::{
    Asked, Axis, Doubt, FileFacts, Plays, ReadError, ReadOptions, SceneFile, Shot, Source, Split,
    read_scene_partly, read_shot,
};
use elbowroom_motion::body::{Hold, Part, Rig};
use elbowroom_motion::scene::{Content, Object, ObjectId, Scene, Stage, Timing};

use crate::args::{CheckArgs, Refit, Touching};
use crate::check::refit;
use crate::check::report::{Halt, How, Taker};
use crate::check::{flags, plausible, run};
use crate::measure::{self, Unit};
use crate::messages::Refusal;
use crate::result::cast::{Cast, Entry, Form, NamedFile};
use crate::result::frame::Ended;
use crate::result::options::{self, Wanted};
use crate::result::plan::Plan;
use crate::split;
use crate::warnings::{self, Warning};

/// The number of frames whose points tell a scene from others.
const SIGNED: usize = 5;

/// Whether files are checked as a shot, and not as plain meshes in one unit.
fn is_shot(args: &CheckArgs) -> bool {
    // Meshes of different units are brought to metres, as a shot is.
    !args.files.iter().all(|path| is_plain(path))
        || args.files.is_empty()
        || args.with_itself
        || args.read.differs(&args.files)
}

/// Whether a file is a plain mesh, by its name if it cannot be read. Reading it reports the fault.
fn is_plain(path: &Path) -> bool {
    let kind = formats::find(path).map_or_else(|_| formats::kind_by_name(path), |it| Some(it.kind));
    kind.is_some_and(Kind::is_plain_mesh) && !elbowroom_io::sequence::is_pattern(path)
}

impl Plan {
    /// Reads all that is named on the command line.
    ///
    /// # Errors
    /// Names every file that is bad.
    pub(crate) fn new(args: &CheckArgs) -> Result<Self, Refusal> {
        if is_shot(args) { Self::of_shot(args) } else { meshes::plan(args) }
    }

    fn of_shot(args: &CheckArgs) -> Result<Self, Refusal> {
        let hint = "nothing was examined; `elbowroom check --help` lists the formats";
        let refused = |problems| Refusal { problems, hint: hint.to_owned() };
        if args.poses.is_some() {
            let problem = if args.with_itself && args.files.iter().all(|path| is_plain(path)) {
                "--poses cannot be used with --self"
            } else if !args.files.is_empty() && args.files.iter().all(|path| is_plain(path)) {
                "--poses needs meshes that all have the same unit and up axis"
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
        options::check_between(args)?;
        let good = |path: &PathBuf| NamedFile { path: path.clone(), error: None };
        let mut named: Vec<NamedFile> = args.files.iter().map(good).collect();
        let Read { mut scene, up, sources, plays, mut notes, mut doubts, facts } =
            match args.files.as_slice() {
                [] => built_in::scene(args).map_err(|problem| refused(vec![problem]))?,
                [only] if is_scene_file(only) => from_scene_file(only, args, &mut named)?,
                files => from_files(files, args, &mut named).map_err(refused)?,
            };
        // What is given for a file that could not be read seems to be for none: that file is then
        // what is to be mended.
        let (unit, wanted, heeded) = measured(args, &facts).map_err(|refusal| {
            let unread: Vec<_> = named.iter().filter_map(|file| file.error.clone()).collect();
            if unread.is_empty() { refusal } else { refused(unread) }
        })?;
        notes.extend(heeded);
        if args.with_itself {
            scene = scene.with_itself();
        }
        refit::check(args, &scene)?;
        let own = own::rest(args, &scene)?;
        notes.extend(own::left_out_note(&scene));
        let (timing, frames) = timing::numbered(scene.timing(), args)?;
        let what = (plays.as_slice(), own::is_endless(&scene));
        timing::look(args, (timing, frames), what, &mut notes, &mut doubts);
        let doubts = doubts.into_iter().map(|Doubt { kind, text }| Warning { kind, text });
        let mut warnings: Vec<Warning> = doubts.collect();
        warnings.extend(warnings::left_out(&mut notes));
        let assumed = warnings::assumed(&notes);
        warnings.extend(plausible::of_scene(&scene, &sources, &facts, &unit));
        let outside = args.frames.and_then(|frames| own::outside(&scene, timing, frames));
        let timing = Timing { first: frames.first, last: frames.last, ..timing };
        scene = scene.retimed(timing).map_err(|error| refused(vec![error.to_string()]))?;
        if let ([only], None) = (scene.objects(), own) {
            let problems: Vec<String> = named.into_iter().filter_map(|file| file.error).collect();
            return Err(if problems.is_empty() { alone(only, args) } else { refused(problems) });
        }
        if outside.is_none() {
            flags::check_frames(args, frames.len())?;
        }
        if wanted.is_solid() {
            let (open, turned) = solid_remarks(&scene, frames.first);
            notes.extend(open);
            warnings.extend(turned);
        }
        let continuous = args.continuous;
        let mut cast = Cast {
            touching: args.touching,
            wanted,
            files: named,
            gap: args.gap,
            up,
            frames: frames.len() as u64,
            range: frames.range(),
            warnings,
            assumed,
            allows_left_out: args.left_out.allow_left_out,
            own,
            refit: args.refit.unwrap_or_default(),
            counts: args.counts,
            ..cast(&scene, sources, plays, unit)
        };
        cast.warnings.extend(options::unmeasured_self(&cast, &scene));
        cast.own_left_out = own::left_out(&scene);
        Ok(Self { scene, cast, frames, continuous, notes, outside })
    }

    /// Examines all frames, and gives them to a taker in order.
    ///
    /// # Errors
    /// If more is found than fits into memory, or the taker has ended.
    pub(crate) fn run(&self, how: &How<'_>, taker: &mut Taker<'_>) -> Result<Ended, Halt> {
        run::check(self, how, taker)
    }

    /// Adds what tells this plan from others, besides files and options.
    pub(crate) fn sign(&self, hasher: &mut DefaultHasher) {
        if self.is_plain() {
            for entry in &self.cast.entries {
                (&entry.name, entry.vertices, entry.triangles).hash(hasher);
            }
            return;
        }
        // What a scene file names is not among the files, so the points of some frames are signed.
        let (mut stage, mut points) = (Stage::new(), Vec::new());
        for look in 0..SIGNED {
            let place = (self.frames.len() - 1) * look / (SIGNED - 1);
            let Some(frame) = self.frames.get(place) else { continue };
            match self.scene.at(frame, &mut stage) {
                Ok(()) => {
                    for piece in stage.pieces() {
                        piece.points(&mut points);
                        let bits = points.iter().flat_map(glam::DVec3::to_array);
                        bits.for_each(|number| number.to_bits().hash(hasher));
                    }
                }
                Err(error) => error.to_string().hash(hasher),
            }
        }
        for object in self.scene.objects() {
            object.name.hash(hasher);
        }
    }
}

/// The unit of a check, what is asked for in it, and a line on which files flags hold for.
fn measured(args: &CheckArgs, facts: &[FileFacts]) -> Result<(Unit, Wanted, Vec<String>), Refusal> {
    let heeded = args.read.heed(facts)?;
    if let Some(clearance) = args.clearance {
        measure::check_length("--clearance", clearance, facts)?;
    }
    let unit = Unit::of_shot(args, facts)?;
    Ok((unit, Wanted::new(args, &unit), heeded))
}

/// A scene that was read or made.
struct Read {
    scene: Scene,
    up: Axis,
    /// Where its objects come from.
    sources: Vec<Option<PathBuf>>,
    /// What they play.
    plays: Vec<Option<Plays>>,
    /// What people should know.
    notes: Vec<String>,
    /// The units and axes of the files.
    facts: Vec<FileFacts>,
    /// What may make the result mean something else than it seems to.
    doubts: Vec<Doubt>,
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
                problems: vec![format!(
                    "{option} cannot be used with a scene file, which gives it itself"
                )],
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
    let SceneFile { scene, up, sources, plays, notes, doubts, facts, .. } = file;
    Ok(Read { scene, up, sources, plays, notes, facts, doubts })
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
            "{scene}: a scene file cannot be checked beside other files; name them in it"
        )]);
    }
    let mut options = ReadOptions { split: split::wanted(args.split), ..args.read.options() };
    let like = up_like(files).filter(|_| options.up.is_none());
    options.up = options.up.or(like.map(|_| Axis::Z));
    if args.split.is_some()
        && options.split != Split::None
        && files.iter().any(|path| is_sequence(path))
    {
        return Err(vec!["--split cannot be used with vertices over time".to_owned()]);
    }
    let asked = Asked { clip: args.clip.as_deref(), fps: args.fps };
    let shot = read_shot(files, &options, asked).or_else(|errors| {
        let words =
            |errors: &[ReadError]| errors.iter().map(ToString::to_string).collect::<Vec<_>>();
        for file in &mut *named {
            let error = errors.iter().find(|error| error.path() == file.path);
            file.error = error.map(ToString::to_string);
        }
        let good = named.iter().filter(|file| file.error.is_none()).map(|file| file.path.clone());
        let good: Vec<PathBuf> = good.collect();
        // A file that cannot be found among those that were named, such as one that another names,
        // is missing from all of it.
        if good.is_empty() || good.len() == files.len() {
            return Err(words(&errors));
        }
        // Where the others do not make a shot either, what was wrong at first is what is to be
        // mended first.
        read_shot(&good, &options, asked).map_err(|_| words(&errors))
    })?;
    let Shot { objects, sources, plays, span, fps, mut notes, doubts, facts } = shot;
    if let Some(robot) = like {
        let given = facts.iter().filter(|file| file.up.source == Source::Said);
        let is_own =
            |file: &FileFacts| options.of_file(&file.path).is_some_and(|own| own.up.is_some());
        notes.extend(given.filter(|file| !is_own(file)).map(|file| {
            let (path, robot) = (file.path.display(), robot.display());
            format!(
                "{path}: the file does not state its up axis; Z is assumed, as in {robot}; \
                 give another with --up, or FILE@y for this file"
            )
        }));
    }
    let timing = timing::of_span(span, fps, args)?;
    let scene = Scene::new(timing, objects, &[]).map_err(|error| vec![error.to_string()])?;
    let sources = sources.into_iter().map(Some).collect();
    // Files by themselves are brought to Y up.
    Ok(Read { scene, up: Axis::Y, sources, plays, notes, doubts, facts })
}

/// The robot beside which files that do not state their up axis are taken for Z up, as parts and
/// rooms for robots are. `None` if there is none, or other files state an axis of their own.
fn up_like(files: &[PathBuf]) -> Option<&PathBuf> {
    let kind = |path: &&PathBuf| formats::find(path).ok().map(|found| found.kind);
    let is_robot =
        |path: &&PathBuf| matches!(kind(path), Some(Kind::Robot | Kind::Mjcf | Kind::Urdf));
    let states_another = |path: &&PathBuf| matches!(kind(path), Some(Kind::Gltf | Kind::Fbx));
    files.iter().find(is_robot).filter(|_| !files.iter().any(|path| states_another(&path)))
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

/// Which objects are not closed in a frame. One that cannot be posed is told of when its turn
/// comes.
fn solid_remarks(scene: &Scene, frame: u32) -> (Option<String>, Option<Warning>) {
    let mut stage = Stage::new();
    if scene.at(frame, &mut stage).is_err() {
        return (None, None);
    }
    let mut models: Vec<(&str, Vec<_>)> =
        scene.objects().iter().map(|object| (object.name.as_str(), Vec::new())).collect();
    for piece in stage.pieces() {
        models[piece.object().index()].1.push(piece.model());
    }
    (options::open_note(&models), options::inside_out(&models))
}

/// What an object is. Of the parts of a character some follow several joints, those of a robot one
/// each.
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

fn cast(
    scene: &Scene,
    sources: Vec<Option<PathBuf>>,
    plays: Vec<Option<Plays>>,
    unit: Unit,
) -> Cast {
    let entries = scene.objects().iter().zip(sources).zip(plays).enumerate();
    let entries = entries.map(|(index, ((object, path), plays))| {
        let id = ObjectId(index as u32);
        let (vertices, triangles) = scene.size(id);
        Entry {
            name: object.name.clone(),
            path,
            vertices: vertices as usize,
            triangles: triangles as usize,
            form: form(&object.content),
            parts: scene.parts(id).to_vec(),
            plays,
        }
    });
    let timing = scene.timing();
    let moves = timing.first != timing.last;
    Cast {
        entries: entries.collect(),
        moves,
        fps: Some(timing.fps),
        zero: timing.zero,
        touching: Touching::Count,
        wanted: Wanted::default(),
        frames: 0,
        range: [0, 0, 1],
        gap: 0,
        up: Axis::Y,
        files: Vec::new(),
        unit,
        warnings: Vec::new(),
        assumed: Vec::new(),
        allows_left_out: false,
        own: None,
        own_left_out: 0,
        refit: Refit::Auto,
        counts: false,
    }
}
