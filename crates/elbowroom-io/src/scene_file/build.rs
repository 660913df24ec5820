//! From what a scene file says to the scene.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use elbowroom::Mesh;
use elbowroom::Pose;
use elbowroom::internal::model::Model as Solid;
use elbowroom_motion::body::{Clip, Local, Retarget, RetargetConfig, Rig};
use elbowroom_motion::scene::{
    Actor, Axes, Content, Motion, Object, Playback, Repeat, Scene, SceneError, SceneErrorKind,
    Sequence, Timing, Whereabouts, groups,
};
use glam::DAffine3;

use super::fields::Said;
use super::outline::{Act, Character, Model, MotionFile, Outline, Place, Play, Source, Turn};
use super::{SceneFile, Trouble, resolve};
use crate::clip_choice::{self, clip_list, default_clip, why_default};
use crate::document::{FileFacts, ReadOptions};
use crate::poses;
use crate::rate::{frame_span, rate_or_usual};
use crate::retarget;
use crate::sequence::VertexFrames;
use crate::shot::load::{Loader, Rigs, axes, is_made, world_from_file};
use crate::shot::{Doubt, is_sequence, loose_doubt, plays_of, scene_doubts};
use crate::split::Split;

/// The most frames that a scene has unless its file says how many: over a day at 30 a second.
const MOST_FRAMES: f64 = 4_000_000.0;

/// Reads all that an outline names, or leaves out what cannot be read, and says what that is.
pub(super) fn scene(
    outline: &Outline,
    path: &Path,
    options: &ReadOptions,
    partly: bool,
) -> Result<(SceneFile, Vec<Trouble>), Trouble> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut builder = Builder {
        outline,
        folder,
        axes: axes(outline.up),
        loader: Loader::new(outline.up, ReadOptions { split: Split::Whole, ..options.clone() }),
        motions: HashMap::new(),
        spans: HashMap::new(),
        objects: Vec::new(),
        sources: Vec::new(),
        doubts: Vec::new(),
        lasts: None,
    };
    let mut left_out = Vec::new();
    let mut keep = |added: Result<(), Trouble>| match added {
        Err(trouble) if partly && trouble.file.is_some() => {
            left_out.push(trouble);
            Ok(())
        }
        added => added,
    };
    outline.models.iter().try_for_each(|model| keep(builder.model(model)))?;
    outline.characters.iter().try_for_each(|character| keep(builder.character(character)))?;
    outline.crowds.iter().try_for_each(|crowd| keep(builder.crowd(crowd)))?;
    if builder.objects.is_empty() && !left_out.is_empty() {
        return Err(left_out.swap_remove(0));
    }
    Ok((builder.finish(!left_out.is_empty())?, left_out))
}

/// The greatest number of objects that a warning names.
const NAMED: usize = 4;

/// A retargeted clip is known by its file, the clip's name, what it was made for, and how.
type MotionKey = (PathBuf, String, *const Rig, Option<u64>, bool);

pub(super) struct Builder<'a> {
    pub(super) outline: &'a Outline,
    pub(super) folder: &'a Path,
    pub(super) axes: Axes,
    pub(super) loader: Loader,
    motions: HashMap<MotionKey, Arc<Clip>>,
    /// Where each object is described.
    spans: HashMap<String, Range<usize>>,
    objects: Vec<Object>,
    sources: Vec<Option<PathBuf>>,
    doubts: Vec<Doubt>,
    /// When the earliest motion begins and the latest ends, in seconds of the scene.
    lasts: Option<[f64; 2]>,
}

impl Builder<'_> {
    /// The frames in a second.
    pub(super) fn fps(&self) -> f64 {
        self.outline.fps.unwrap_or(30.0)
    }

    /// The scene. Where something was left out, so are the pairs that name nothing else.
    fn finish(self, is_part: bool) -> Result<SceneFile, Trouble> {
        let fps = self.fps();
        let (first, last) = self.outline.frames.map_or_else(|| self.all_frames(fps), Ok)?;
        let pair = |[a, b]: &[Said<String>; 2]| (a.value.clone(), b.value.clone());
        let mut allowed: Vec<_> = self.outline.allow.iter().map(pair).collect();
        if is_part {
            allowed.retain(|(a, b)| self.is_anybody(a) && self.is_anybody(b));
        }
        let timing = Timing::new(fps, first, last);
        match Scene::new(timing, self.objects, &allowed) {
            Ok(scene) => {
                let plays = plays_of(scene.objects());
                let mut doubts = self.doubts;
                doubts.extend(scene_doubts(self.outline.fps, fps, &plays, scene.objects()));
                let (sources, up, left_out) = (self.sources, self.outline.up, Vec::new());
                let Loader { notes, facts, .. } = self.loader;
                Ok(SceneFile { scene, up, sources, plays, notes, facts, doubts, left_out })
            }
            Err(error) => Err(place_of(&error, self.outline, &self.spans)),
        }
    }

    /// Whether a pattern can name an object that is there, or a part of one.
    fn is_anybody(&self, pattern: &str) -> bool {
        let starts = pattern.match_indices('/').map(|(at, _)| &pattern[..at]);
        let fits = |start: &str| match (start.strip_suffix('*'), start.strip_prefix('*')) {
            (Some(first), _) => self.objects.iter().any(|object| object.name.starts_with(first)),
            (_, Some(last)) => self.objects.iter().any(|object| object.name.ends_with(last)),
            _ => self.objects.iter().any(|object| object.name == start),
        };
        starts.chain([pattern]).any(fits)
    }

    /// From the frame in which the earliest motion begins, but not before time 0, to the end of the
    /// latest.
    fn all_frames(&self, fps: f64) -> Result<(u32, u32), Trouble> {
        let [from, to] = self.lasts.unwrap_or_default().map(|secs| secs.max(0.0));
        let (first, last) = frame_span(from, to, fps);
        if last - first > MOST_FRAMES || last > f64::from(u32::MAX - 1) {
            let message =
                format!("the longest motion ends after {to:.0} s; give the `frames` to examine");
            return Err(Trouble::new(&(0..0), message));
        }
        #[expect(clippy::cast_sign_loss, reason = "they are not below 0")]
        Ok((first as u32, last as u32))
    }

    /// Something moves from one second of the scene to another.
    pub(super) fn lasts(&mut self, from: f64, to: f64) {
        let [first, last] = self.lasts.unwrap_or([from, to]);
        self.lasts = Some([first.min(from), last.max(to)]);
    }

    /// Adds an object that is described at a place.
    pub(super) fn add(
        &mut self,
        mut object: Object,
        path: &Path,
        with_itself: bool,
        span: &Range<usize>,
    ) -> Result<(), Trouble> {
        if self.spans.insert(object.name.clone(), span.clone()).is_some() {
            let name = &object.name;
            let message = format!("the name {name:?} is taken; give another `name`");
            return Err(Trouble::new(span, message));
        }
        object.with_itself = with_itself;
        let is_file = !path.to_str().is_some_and(is_made);
        self.objects.push(object);
        self.sources.push(is_file.then(|| path.to_owned()));
        Ok(())
    }

    /// Says what is taken as one object and would be several on the command line: these are not
    /// compared.
    fn doubt_whole(&mut self, name: &str, path: &Path, rig: &Rig, with_itself: bool) {
        if with_itself {
            return;
        }
        let groups = groups(rig);
        self.doubts.extend(groups.iter().filter_map(|group| loose_doubt(path, group)));
        if groups.len() < 2 {
            return;
        }
        let first: Vec<&str> = groups.iter().take(NAMED).map(|group| group.name.as_str()).collect();
        let more = if groups.len() > NAMED { ", …" } else { "" };
        let text = format!(
            "{name}: is one object here, though {} holds {} ({}{more}), which are not compared with each other; \
             `self = true` in its entry compares them",
            path.display(),
            groups.len(),
            first.join(", ")
        );
        self.doubts.push(Doubt { kind: "objects", text });
    }

    /// The file of a source.
    pub(super) fn path(&self, file: &Said<String>) -> Result<PathBuf, Trouble> {
        resolve::file(self.folder, file, self.loader.options().allow_outside)
    }

    pub(super) fn rigs(&mut self, source: &Source) -> Result<(PathBuf, Rigs), Trouble> {
        let path = self.path(&source.file)?;
        let rigs = self.loader.rigs(&path, source.units, source.up);
        let unread =
            |error: crate::ReadError| Trouble::of_file(&source.file.span, &path, error.to_string());
        let rigs = rigs.map_err(unread)?;
        if rigs.iter().all(|rig| rig.parts.is_empty()) {
            let message = format!("{} holds no mesh, so nothing can touch", path.display());
            return Err(Trouble::new(&source.file.span, message));
        }
        Ok((path, rigs))
    }

    /// Where an entry puts its file; positions are in the unit of the scene file.
    pub(super) fn world_from_rig(&self, place: &Place) -> DAffine3 {
        let position = place.position * self.outline.units;
        match place.turn {
            Turn::Heading(heading) => self.axes.placed(position, heading, place.scale),
            Turn::Rotation(rotation) => {
                let turn = Local::from_rotation_translation(rotation, position).affine();
                DAffine3 { matrix3: turn.matrix3 * place.scale, ..turn }
            }
        }
    }

    fn model(&mut self, model: &Model) -> Result<(), Trouble> {
        let name = entry_name(model.name.as_ref(), &model.source.file);
        let path = self.path(&model.source.file)?;
        let split = model.split.as_ref().filter(|split| split.value != Split::None);
        if let (Some(split), true) = (split, is_sequence(&path) || model.poses.is_some()) {
            let message = "`split` is for models that do not move; leave it out";
            return Err(Trouble::new(&split.span, message));
        }
        if let (Some(poses), true) = (&model.poses, is_sequence(&path)) {
            let message =
                "`poses` moves what is rigid, and vertices over time are not; leave it out";
            return Err(Trouble::new(&poses.span, message));
        }
        if is_sequence(&path) {
            return self.sequence(model, &name, &path);
        }
        if let Some(split) = split {
            return self.pieces(model, &name, split.value);
        }
        check_still(model)?;
        if model.split.is_some() {
            self.loader.take_whole();
        }
        let found = self.rigs(&model.source);
        self.loader.note_whole();
        let (path, rigs) = found?;
        if let Some(clip) = rigs.iter().find_map(|rig| rig.clips.first()) {
            self.loader.notes.push(format!(
                "{}: stands still, because [[model]] plays no clip; [[character]] plays {:?}",
                path.display(),
                clip.name()
            ));
        }
        let whereabouts = Whereabouts::Fixed(self.world_from_rig(&model.place));
        if let Some(file) = &model.poses {
            let object = self.posed(model, file, &rigs, &name)?;
            return self.add(object, &path, model.with_itself, &model.span);
        }
        for (name, rig) in named(&name, &rigs) {
            self.doubt_whole(&name, &path, rig, model.with_itself);
            let whereabouts = whereabouts.clone();
            let actor = Actor { whereabouts, ..Actor::new(Arc::clone(rig)) };
            let object = Object::new(name, Content::Actor(actor));
            self.add(object, &path, model.with_itself, &model.span)?;
        }
        Ok(())
    }

    /// The pieces of a model, each an object by itself: `name/group` or `name#3`.
    fn pieces(&mut self, model: &Model, name: &str, split: Split) -> Result<(), Trouble> {
        let source = &model.source;
        let path = self.path(&source.file)?;
        let rigs = self.loader.split_rigs(&path, source.units, source.up, split);
        let rigs =
            rigs.map_err(|error| Trouble::of_file(&source.file.span, &path, error.to_string()))?;
        let whereabouts = Whereabouts::Fixed(self.world_from_rig(&model.place));
        let stem = crate::document::stem(&path);
        let found: Vec<_> = rigs
            .iter()
            .flat_map(|rig| groups(rig).into_iter().map(move |group| (rig, group)))
            .collect();
        if found.is_empty() {
            let message = format!("{} holds no mesh, so nothing can touch", path.display());
            return Err(Trouble::new(&source.file.span, message));
        }
        for (rig, group) in &found {
            let suffix = group.name.strip_prefix(&*stem).filter(|s| s.starts_with(['/', '#']));
            let piece = match suffix {
                _ if found.len() == 1 => name.to_owned(),
                Some(suffix) => format!("{name}{suffix}"),
                None => format!("{name}/{}", group.name),
            };
            let actor = Actor {
                rig: Arc::clone(rig),
                parts: Some(group.parts.clone()),
                motion: Motion::Rest,
                whereabouts: whereabouts.clone(),
            };
            self.add(
                Object::new(piece, Content::Actor(actor)),
                &path,
                model.with_itself,
                &model.span,
            )?;
        }
        Ok(())
    }

    /// A model that a list of poses moves. Its place is where it is before the poses move it.
    fn posed(
        &mut self,
        model: &Model,
        file: &Said<String>,
        rigs: &[Arc<Rig>],
        name: &str,
    ) -> Result<Object, Trouble> {
        let at = |message: String| Trouble::new(&file.span, message);
        let list = self.path(file)?;
        let unread = |message: String| Trouble::of_file(&file.span, &list, message);
        let poses = poses::read(&list).map_err(unread)?;
        let mesh = joined(rigs, &self.world_from_rig(&model.place));
        let mesh = mesh.map_err(|message| Trouble::new(&model.span, message))?;
        let units = self.outline.units;
        let metres = |pose: Pose| {
            Pose::new(pose.rotation(), pose.translation() * units).map_err(|e| at(e.to_string()))
        };
        let path = poses.into_iter().map(metres).collect::<Result<Vec<_>, _>>()?;
        self.lasts(0.0, (path.len() - 1) as f64 / self.fps());
        let content = Content::Moving { model: Arc::new(Solid::new(mesh)), path };
        Ok(Object::new(name, content))
    }

    fn sequence(&mut self, model: &Model, name: &str, path: &Path) -> Result<(), Trouble> {
        let file = &model.source.file;
        let frames = VertexFrames::open_with(path, self.loader.options());
        let frames =
            frames.map_err(|error| Trouble::of_file(&file.span, path, error.to_string()))?;
        let shown = path.display();
        self.loader.notes.extend(frames.notes().iter().map(|note| format!("{shown}: {note}")));
        let length = frames.span_len();
        let given = model.fps.or(frames.fps());
        let fps = given.unwrap_or_else(|| self.fps());
        if given.is_none() && length > 1 {
            self.loader.notes.push(format!(
                "{shown}: the file gives no frame rate; {fps} per second is assumed as for the scene, give \
                 another with `fps` in its entry"
            ));
        }
        let facts = self.sequence_facts(model, path);
        // Frames are at their numbers, as on the command line, unless the entry says when the first
        // is shown.
        let number = frames.first_number() as f64;
        let mut sequence = Sequence::new(Box::new(frames), fps * model.play.speed);
        let start = model.play.start.unwrap_or(number / sequence.fps);
        sequence.start_secs = start;
        sequence.repeat = repeat(model.play);
        sequence.world_from_mesh = self.world_from_rig(&model.place)
            * world_from_file(facts.units.metres_per_unit, facts.up.axis, self.outline.up);
        self.loader.facts.push(facts);
        if length > 1 {
            self.lasts(start, start + (length - 1) as f64 / sequence.fps);
        }
        let object = Object::new(name, Content::Vertices(sequence));
        self.add(object, path, model.with_itself, &model.span)
    }

    /// The unit and up axis of vertices over time: as the entry gives them, else as the caller
    /// does.
    fn sequence_facts(&mut self, model: &Model, path: &Path) -> FileFacts {
        let given = self.loader.options();
        let options = ReadOptions {
            units: model.source.units.or(given.units),
            up: model.source.up.or(given.up),
            of_files: Vec::new(),
            ..given.clone()
        };
        let facts = options.facts_of(path, self.outline.up);
        let shown = path.display();
        self.loader.notes.extend(facts.units.note().map(|note| format!("{shown}: {note}")));
        facts
    }

    fn character(&mut self, character: &Character) -> Result<(), Trouble> {
        let name = entry_name(character.name.as_ref(), &character.source.file);
        let (path, rigs) = self.rigs(&character.source)?;
        let whereabouts = Whereabouts::Fixed(self.world_from_rig(&character.place));
        for (name, rig) in named(&name, &rigs) {
            self.doubt_whole(&name, &path, rig, character.with_itself);
            let motion = self.motion(character, rig)?;
            let actor = Actor {
                rig: Arc::clone(rig),
                parts: None,
                motion,
                whereabouts: whereabouts.clone(),
            };
            let object = Object::new(name, Content::Actor(actor));
            self.add(object, &path, character.with_itself, &character.span)?;
        }
        Ok(())
    }

    fn motion(&mut self, character: &Character, rig: &Arc<Rig>) -> Result<Motion, Trouble> {
        let clip = match &character.act {
            Act::Unsaid => match &rig.clips[..] {
                [] => return Ok(Motion::Rest),
                [only] => Arc::new(only.clone()),
                clips => {
                    let mut moving = clips.iter().filter(|clip| clip.moves());
                    let list = clip_list(clips);
                    // An empty take beside the motion is no choice.
                    let (Some(only), None) = (moving.next(), moving.next()) else {
                        let message = format!("give the `clip` to play, or \"\" for none; {list}");
                        return Err(Trouble::new(&character.source.file.span, message));
                    };
                    let (file, name) = (&character.source.file.value, only.name());
                    self.loader.notes.push(format!(
                        "{file}: the clip {name:?} is played, the only one that moves; {list}"
                    ));
                    Arc::new(only.clone())
                }
            },
            Act::Clip(name) if name.value.is_empty() => return Ok(Motion::Rest),
            Act::Clip(name) => Arc::new(find_clip(rig, name)?.clone()),
            Act::Motion(motion) => self.retargeted(motion, rig)?,
            Act::Values(values) => {
                let Play { start, speed, repeats } = character.play;
                if start.is_some() || speed != 1.0 || repeats {
                    let message = "`start`, `speed` and `loop` are for clips; `values` has a list for each frame from frame 0";
                    return Err(Trouble::new(&values.span, message));
                }
                let pose = |row: &Vec<f64>| rig.pose_of(row);
                let poses = values.value.iter().map(pose).collect::<Result<Vec<_>, _>>();
                let poses = poses.map_err(|error| Trouble::new(&values.span, error.to_string()))?;
                self.lasts(0.0, (poses.len() - 1) as f64 / self.fps());
                return Ok(Motion::Poses(poses));
            }
        };
        // Time 0 of the clip is at `start`, wherever its first key is.
        let Play { start, speed, .. } = character.play;
        let start = start.unwrap_or(0.0);
        let [first_key, last_key] = [clip.start(), clip.end()].map(|secs| start + secs / speed);
        if last_key > first_key {
            self.lasts(first_key, last_key);
        }
        let repeat = repeat(character.play);
        Ok(Motion::Clip(Playback { clip, start_secs: first_key, speed, repeat }))
    }

    /// A motion of another file, carried over to a rig.
    fn retargeted(&mut self, motion: &MotionFile, rig: &Arc<Rig>) -> Result<Arc<Clip>, Trouble> {
        let at = |error: &dyn std::error::Error| Trouble::new(&motion.file.span, error.to_string());
        let path = self.path(&motion.file)?;
        let name = motion.clip.as_ref().map(|clip| clip.value.clone()).unwrap_or_default();
        let scale = motion.root_scale.map(f64::to_bits);
        let key = (path.clone(), name, Arc::as_ptr(rig), scale, motion.keep_rest_frame);
        if let Some(known) = self.motions.get(&key) {
            return Ok(Arc::clone(known));
        }
        let unread =
            |error: crate::ReadError| Trouble::of_file(&motion.file.span, &path, error.to_string());
        let rigs = self.loader.motions(&path, !motion.keep_rest_frame).map_err(unread)?;
        let mover = rigs.iter().find(|rig| !rig.clips.is_empty()).ok_or_else(|| {
            Trouble::new(&motion.file.span, format!("{} holds no motion", path.display()))
        })?;
        let clip = if let Some(name) = &motion.clip {
            find_clip(mover, name)?
        } else {
            let index = default_clip(&mover.clips).unwrap_or(0);
            if mover.clips.len() > 1 {
                let (name, why) = (mover.clips[index].name(), why_default(&mover.clips, index));
                let (shown, list) = (path.display(), clip_list(&mover.clips));
                self.loader
                    .notes
                    .push(format!("{shown}: the clip {name:?} is played, {why}; {list}"));
            }
            &mover.clips[index]
        };
        let config = RetargetConfig { root_scale: motion.root_scale, ..RetargetConfig::default() };
        let retarget =
            Retarget::new(&mover.skeleton, &rig.skeleton, &config).map_err(|e| at(&e))?;
        let given = motion.root_scale.is_some();
        self.loader.notes.push(format!(
            "{}: {}",
            path.display(),
            retarget::note(&retarget, &rig.name, given, "`root_scale = 1`")
        ));
        let clip = Arc::new(retarget.clip(clip, rate_or_usual(clip)).map_err(|e| at(&e))?);
        self.motions.insert(key, Arc::clone(&clip));
        Ok(clip)
    }
}

/// What stands, or moves by a list of poses, has no time of its own.
fn check_still(model: &Model) -> Result<(), Trouble> {
    let Play { start, speed, repeats } = model.play;
    let is_said = model.fps.is_some() || start.is_some() || speed != 1.0 || repeats;
    if is_said {
        let message = "`fps`, `start`, `speed` and `loop` are for vertices over time (cloth.####.obj, NPZ); this file has none, so leave them out";
        return Err(Trouble::new(&model.span, message));
    }
    Ok(())
}

fn repeat(play: Play) -> Repeat {
    if play.repeats { Repeat::Loop } else { Repeat::Hold }
}

pub(super) fn find_clip<'r>(rig: &'r Rig, name: &Said<String>) -> Result<&'r Clip, Trouble> {
    let found = clip_choice::find_clip(&rig.clips, &name.value);
    let found = found.map_err(|problem| Trouble::new(&name.span, format!("the clip {problem}")))?;
    found.map(|index| &rig.clips[index]).ok_or_else(|| {
        let message = format!("no clip is called {:?}; {}", name.value, clip_list(&rig.clips));
        Trouble::new(&name.span, message)
    })
}

/// The name of an entry: as it says, else that of its file without folder and ending.
pub(super) fn entry_name(name: Option<&Said<String>>, file: &Said<String>) -> String {
    if let Some(name) = name {
        return name.value.clone();
    }
    let bare = file.value.strip_prefix("make:").unwrap_or(&file.value);
    let last = bare.rsplit(['/', '\\']).next().unwrap_or(bare);
    let stem = last.split('.').next().unwrap_or(last);
    if stem.is_empty() { last.to_owned() } else { stem.to_owned() }
}

/// The rigs of an entry, each with its name: that of the entry where there is one rig, else with
/// the rig's behind it.
fn named<'r>(name: &str, rigs: &'r [Arc<Rig>]) -> Vec<(String, &'r Arc<Rig>)> {
    let meshed: Vec<&Arc<Rig>> = rigs.iter().filter(|rig| !rig.parts.is_empty()).collect();
    match meshed[..] {
        [only] => vec![(name.to_owned(), only)],
        _ => meshed.into_iter().map(|rig| (format!("{name}:{}", rig.name), rig)).collect(),
    }
}

/// All that rigs hold, at rest, as one mesh.
fn joined(rigs: &[Arc<Rig>], place: &DAffine3) -> Result<Mesh, String> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let (mut poser, mut points) = (elbowroom_motion::body::Poser::new(), Vec::new());
    for rig in rigs {
        poser.set_placed(rig, &rig.rest_pose(), place);
        for (index, part) in rig.parts.iter().enumerate() {
            poser.part(rig, index, &mut points);
            let base = u32::try_from(vertices.len()).map_err(|_| "has too many vertices")?;
            triangles
                .extend(part.mesh.triangles().iter().map(|t| t.map(|c| c.saturating_add(base))));
            vertices.extend_from_slice(&points);
        }
    }
    Mesh::new(vertices, triangles).map_err(|error| error.to_string())
}

/// Where the scene file says what the scene refuses.
fn place_of(
    error: &SceneError,
    outline: &Outline,
    spans: &HashMap<String, Range<usize>>,
) -> Trouble {
    let whole = 0..0;
    let span = match error.kind() {
        SceneErrorKind::NothingAllowed { pattern, .. } => {
            let sides = outline.allow.iter().flatten();
            sides.filter(|said| said.value == *pattern).map(|said| &said.span).next()
        }
        SceneErrorKind::Object { name, .. } | SceneErrorKind::SameName { name } => spans.get(name),
        _ => None,
    };
    Trouble::new(span.unwrap_or(&whole), error.to_string())
}
