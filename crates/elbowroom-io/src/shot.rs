//! Files as the objects of a scene.
//!
//! What people call an object is a skinned character with all that hangs on it, a robot, or a node
//! with a mesh of its own (see [`elbowroom_motion::scene::groups`]). All files come to metres and
//! to one axis up, so that they can be compared.
//!
//! A file that moves plays one clip: the one that was asked for, else the
//! [default](crate::clip_choice), which a note says where there are several.
//!
//! All files are on one timeline ([`timeline`]): a clip's time 0 is the shot's time 0, wherever its
//! first key is.

pub(crate) mod load;
mod timeline;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use elbowroom::internal::model::Model;
use elbowroom::{Mesh, Pose};
use elbowroom_motion::body::{Clip, Rig};
use elbowroom_motion::scene::{
    Actor, Content, Group, Motion, Object, Playback, Repeat, Whereabouts, groups,
};
use glam::DAffine3;

use crate::clip_choice::{clip_list, default_clip, find_clip, length, why_default};
use crate::document::{Axis, FileFacts, ReadOptions};
use crate::error::ReadError;
use crate::memory::is_memory;
use crate::names::{self, Unique};
use crate::rate::rate;
use crate::sequence::{VertexFrames, is_pattern};
use load::{Loader, world_from_file};
use timeline::Timeline;

pub use timeline::{Doubt, Plays};
pub(crate) use timeline::{plays_of, scene_doubts};

/// The objects of some files.
#[derive(Debug)]
pub struct Shot {
    /// The objects, in the order of the files, in metres with Y up.
    pub objects: Vec<Object>,
    /// The file that each object comes from.
    pub sources: Vec<PathBuf>,
    /// The motion of each object; `None` for objects at rest.
    pub plays: Vec<Option<Plays>>,
    /// The beginning of the earliest motion and the end of the latest, in seconds of the files'
    /// time; `None` if nothing moves.
    pub span: Option<[f64; 2]>,
    /// Frames in a second: as asked for, else the highest rate that a file gives or its keys show;
    /// `None` if there is none.
    pub fps: Option<f64>,
    /// Notes on what was unusual about the files and how they were read.
    pub notes: Vec<String>,
    /// The unit and the up axis of each file, and where they are known from.
    pub facts: Vec<FileFacts>,
    /// Doubts about what a result means.
    pub doubts: Vec<Doubt>,
}

/// Options for the motions of a shot.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// The clip to play, by name or number as [`crate::clip_choice`] finds it.
    pub clip: Option<&'a str>,
    /// Frames in a second.
    pub fps: Option<f64>,
}

/// Whether a name means vertices over time: a pattern of numbered files, or an archive.
pub(crate) fn is_sequence(path: &Path) -> bool {
    is_memory(path)
        || is_pattern(path)
        || path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npz"))
}

/// Reads files of any kind as the objects of one scene; each plays the clip that is asked for, or
/// its default.
///
/// # Errors
/// Every file that is bad, or has nothing that can touch; and if no file has the clip that is asked
/// for.
pub fn read_shot(
    paths: &[PathBuf],
    options: &ReadOptions,
    asked: Asked<'_>,
) -> Result<Shot, Vec<ReadError>> {
    let mut reader = Reader {
        loader: Loader::new(Axis::Y, options.clone()),
        clip: asked.clip,
        labels: paths.iter().cloned().zip(names::of_files(paths)).collect(),
        names: Unique::default(),
        clip_was_found: false,
        all_clips: Vec::new(),
        timeline: Timeline::new(asked.fps),
        objects: Vec::new(),
        sources: Vec::new(),
        notes: Vec::new(),
    };
    let is_only = paths.len() == 1;
    let mut errors = Vec::new();
    for path in paths {
        let read = if is_sequence(path) {
            reader.sequence(path, options)
        } else {
            reader.document(path, is_only)
        };
        errors.extend(read.err());
    }
    if let (Some(clip), Some(path), true) = (asked.clip, paths.first(), errors.is_empty())
        && !reader.clip_was_found
    {
        let message = format!("no clip is called {clip:?}; {}", clip_list(&reader.all_clips));
        errors.push(ReadError::file(path, message));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(reader.finish())
}

/// Adds file after file.
struct Reader<'a> {
    loader: Loader,
    clip: Option<&'a str>,
    /// What each file is called.
    labels: HashMap<PathBuf, String>,
    names: Unique,
    clip_was_found: bool,
    all_clips: Vec<Clip>,
    timeline: Timeline,
    objects: Vec<Object>,
    sources: Vec<PathBuf>,
    notes: Vec<String>,
}

impl Reader<'_> {
    fn finish(mut self) -> Shot {
        let Loader { mut notes, facts, .. } = self.loader;
        notes.append(&mut self.notes);
        let (span, fps) = self.timeline.settle(&mut self.objects, &mut notes);
        let Timeline { plays, doubts, .. } = self.timeline;
        Shot {
            objects: self.objects,
            sources: self.sources,
            plays,
            span,
            fps,
            notes,
            facts,
            doubts,
        }
    }

    fn sequence(&mut self, path: &Path, options: &ReadOptions) -> Result<(), ReadError> {
        let frames = VertexFrames::open_with(path, options)?;
        let name = path.display();
        self.notes.extend(frames.notes().iter().map(|note| format!("{name}: {note}")));
        let facts = options.facts_of(path, Axis::Y);
        let assumed = [facts.units.note(), facts.up.note()].into_iter().flatten();
        self.notes.extend(assumed.map(|note| format!("{name}: {note}")));
        let parts = options.memory.frames(path).map(|frames| frames.parts.clone());
        if frames.len() == 1 && is_memory(path) {
            return self.at_rest(path, &frames, facts, parts.unwrap_or_default());
        }
        let sequence = self.timeline.sequence(path, frames);
        let sequence = elbowroom_motion::scene::Sequence {
            world_from_mesh: world_from_file(facts.units.metres_per_unit, facts.up.axis, Axis::Y),
            ..sequence
        };
        self.loader.facts.push(facts);
        self.add(self.label(path), path, Content::Vertices(sequence));
        if let (Some(object), Some(parts)) = (self.objects.last_mut(), parts) {
            object.parts = parts;
        }
        Ok(())
    }

    /// A mesh in memory that never moves, in metres with Y up.
    fn at_rest(
        &mut self,
        path: &Path,
        frames: &VertexFrames,
        facts: FileFacts,
        parts: Vec<(String, u32)>,
    ) -> Result<(), ReadError> {
        let turned = world_from_file(facts.units.metres_per_unit, facts.up.axis, Axis::Y);
        let mesh = frames.mesh();
        let vertices = mesh.vertices().iter().map(|&vertex| turned.transform_point3(vertex));
        let mesh = Mesh::new(vertices.collect(), mesh.triangles().to_vec())
            .map_err(|error| ReadError::file(path, error.to_string()))?;
        self.loader.facts.push(facts);
        self.timeline.plays.push(None);
        let model = Arc::new(Model::new(mesh));
        self.add(self.label(path), path, Content::Still { model, place: Pose::IDENTITY });
        if let Some(object) = self.objects.last_mut() {
            object.parts = parts;
        }
        Ok(())
    }

    fn document(&mut self, path: &Path, is_only: bool) -> Result<(), ReadError> {
        let rigs = self.loader.rigs(path, None, None)?;
        self.all_clips.extend(rigs.iter().flat_map(|rig| rig.clips.iter().cloned()));
        let found: Vec<_> = rigs.iter().map(|rig| groups(rig)).collect();
        let count: usize = found.iter().map(Vec::len).sum();
        if count == 0 {
            let what = if rigs.iter().any(|rig| !rig.clips.is_empty()) {
                "holds a motion and no mesh; give it to a character in a scene file (`motion = …`)"
            } else {
                "holds no mesh, so nothing can touch"
            };
            return Err(ReadError::file(path, what));
        }
        for (rig, found) in rigs.iter().zip(found) {
            self.notes.extend(shared_note(path, &found));
            let loose = found.iter().filter_map(|group| loose_doubt(path, group));
            self.timeline.doubts.extend(loose);
            let (motion, plays) = self.motion(rig, path)?;
            for group in found {
                // A robot is one object, and its model has a name.
                let is_robot = !rig.freedoms.is_empty() && !group.name.is_empty();
                let name = match (is_only, count) {
                    (_, 1) if !is_robot => self.label(path),
                    (true, _) | (_, 1) => group.name,
                    (false, _) => match piece_suffix(path, &group.name) {
                        Some(suffix) => format!("{}{suffix}", self.label(path)),
                        None => format!("{}/{}", self.label(path), group.name),
                    },
                };
                let actor = Actor {
                    rig: Arc::clone(rig),
                    parts: Some(group.parts),
                    motion: motion.clone(),
                    whereabouts: Whereabouts::Fixed(DAffine3::IDENTITY),
                };
                self.timeline.plays.push(plays.clone());
                self.add(name, path, Content::Actor(actor));
            }
        }
        Ok(())
    }

    /// What a rig plays: the clip that is asked for, else the default, with what is to be said
    /// about it.
    fn motion(&mut self, rig: &Rig, path: &Path) -> Result<(Motion, Option<Plays>), ReadError> {
        let shown = path.display();
        let asked = match self.clip {
            Some(wanted) => find_clip(&rig.clips, wanted)
                .map_err(|problem| ReadError::file(path, format!("the clip {problem}")))?,
            None => None,
        };
        self.clip_was_found |= asked.is_some();
        let Some(index) = asked.or_else(|| default_clip(&rig.clips)) else {
            return Ok((Motion::Rest, None));
        };
        let clip = &rig.clips[index];
        let (name, long) = (clip.name(), length(clip));
        if asked.is_none() && (rig.clips.len() > 1 || self.clip.is_some()) {
            let why = match self.clip {
                Some(wanted) => format!("because it has no clip {wanted:?}"),
                None => why_default(&rig.clips, index).to_owned(),
            };
            let list = clip_list(&rig.clips);
            let text = format!(
                "{shown}: the clip {name:?} ({long}) is played, {why}; choose with --clip: {list}"
            );
            // Where only one of them moves, there is not much of a choice.
            let moving = rig.clips.iter().filter(|clip| clip.moves()).count();
            if moving > 1 || self.clip.is_some() {
                self.timeline.doubt("clip", text);
            } else {
                self.notes.push(text);
            }
        }
        let is_pose = clip.seconds() == 0.0;
        if is_pose && (asked.is_some() || rig.clips.len() > 1 || clip.tracks().is_empty()) {
            self.timeline.doubt(
                "clip",
                format!(
                    "{shown}: the clip {name:?} is {long}, so nothing moves in it; {}",
                    clip_list(&rig.clips)
                ),
            );
        }
        let fps = rate(clip).map(|rate| rate.fps);
        if !is_pose && fps.is_none() {
            self.timeline.uneven.push(format!("{shown}: the keys of the clip {name:?}"));
        }
        let plays = Plays { clip: Some(name.to_owned()), fps, span: [clip.start(), clip.end()] };
        let playback = Playback::on_timeline(Arc::new(clip.clone()), Repeat::Hold);
        Ok((Motion::Clip(playback), Some(plays)))
    }

    fn label(&self, path: &Path) -> String {
        self.labels.get(path).cloned().unwrap_or_else(|| names::stem(path))
    }

    /// Adds an object, under a name that is made unlike all others.
    fn add(&mut self, name: String, path: &Path, content: Content) {
        let name = if name.is_empty() { "object".to_owned() } else { name };
        let name = self.names.name(name);
        self.objects.push(Object::new(name, content));
        self.sources.push(path.to_owned());
    }
}

/// A sentence on characters that are told apart by their weights alone.
fn shared_note(path: &Path, groups: &[Group]) -> Option<String> {
    let shared = groups.iter().filter(|group| group.shares_skeleton);
    let names: Vec<&str> = shared.map(|group| group.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{}: the skeletons of {} hang together, but their skins follow no joint in common; they are compared as {} objects",
            path.display(),
            names.join(", "),
            names.len()
        )
    })
}

/// What may be several characters and stays one object.
pub(crate) fn loose_doubt(path: &Path, group: &Group) -> Option<Doubt> {
    (!group.loose.is_empty()).then(|| Doubt {
        kind: "objects",
        text: format!(
            "{}: the skins {} follow no joint in common, and are one object, because a rigid part holds them together; \
             they are not compared with each other, --self does it",
            path.display(),
            group.loose.join(", ")
        ),
    })
}

/// What stands behind the name of a file in that of a piece of it: `/group` or `#3`.
fn piece_suffix<'n>(path: &Path, name: &'n str) -> Option<&'n str> {
    name.strip_prefix(&*crate::document::stem(path)).filter(|suffix| suffix.starts_with(['/', '#']))
}
