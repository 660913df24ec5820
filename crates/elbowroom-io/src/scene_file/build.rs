//! From what a scene file says to the scene.

mod character;
mod model;

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use elbowroom_motion::body::{Clip, Local, Rig};
use elbowroom_motion::scene::{
    Axes, Object, Repeat, Scene, SceneError, SceneErrorKind, Timing, groups,
};
use glam::DAffine3;

use super::fields::Said;
use super::outline::{Outline, Place, Play, Source, Turn};
use super::{SceneFile, Trouble, resolve};
use crate::document::ReadOptions;
use crate::error::ReadError;
use crate::made::is_made;
use crate::rate::frame_span;
use crate::shot::load::{Loader, Rigs, axes};
use crate::shot::{Doubt, loose_doubt, plays_of, scene_doubts};
use crate::split::Split;

pub(super) use character::find_clip;

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
            |error: ReadError| Trouble::of_file(&source.file.span, &path, error.to_string());
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
}

fn repeat(play: Play) -> Repeat {
    if play.repeats { Repeat::Loop } else { Repeat::Hold }
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
