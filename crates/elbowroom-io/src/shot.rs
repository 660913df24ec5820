//! Files as the objects of a scene.
//!
//! What people call an object is a skinned character with all that hangs on it, a robot, or a node with a mesh of its own (see
//! [`elbowroom::scene::groups`]). All files come to metres and to one axis up, so that they can be compared.
//!
//! A file that moves plays one clip: the one that was asked for, else its first, which a note says where there are several.

pub(crate) mod load;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use elbowroom::body::{Clip, Rig};
use elbowroom::scene::{
    Actor, Content, Motion, Object, Playback, Repeat, Sequence, Whereabouts, groups,
};
use glam::DAffine3;

use crate::document::{Axis, FileFacts, ReadOptions};
use crate::error::ReadError;
use crate::names::{self, Unique};
use crate::sequence::{VertexFrames, is_pattern};
use crate::text::counted;
use load::{Loader, world_from_file};

/// The most clips that a note or an error lists.
const LISTED: usize = 20;

/// The objects of some files.
#[derive(Debug)]
pub struct Shot {
    /// The objects, in the order of the files, in metres with Y up.
    pub objects: Vec<Object>,
    /// The file that each object comes from.
    pub sources: Vec<PathBuf>,
    /// How long the longest motion is; nothing if nothing moves.
    pub seconds: Option<f64>,
    /// Frames in a second, where a file says so or its keys show it; the highest where several do.
    pub fps: Option<f64>,
    /// What was odd about the files and how they were read.
    pub notes: Vec<String>,
    /// The unit and the up axis of each file, and where they are known from.
    pub facts: Vec<FileFacts>,
}

/// Whether a name means vertices over time: a pattern of numbered files, or an archive.
pub(crate) fn is_sequence(path: &Path) -> bool {
    is_pattern(path) || path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npz"))
}

/// Reads files of any kind as the objects of one scene; each plays the clip of that name, or its first.
///
/// # Errors
/// Every file that is bad, or has nothing that can touch; and if no file has a clip of that name.
pub fn read_shot(
    paths: &[PathBuf],
    options: &ReadOptions,
    clip: Option<&str>,
) -> Result<Shot, Vec<ReadError>> {
    let mut reader = Reader {
        loader: Loader::new(Axis::Y, options.clone()),
        clip,
        labels: paths.iter().cloned().zip(names::of_files(paths)).collect(),
        names: Unique::default(),
        clip_was_found: false,
        all_clips: Vec::new(),
        shot: Shot {
            objects: Vec::new(),
            sources: Vec::new(),
            seconds: None,
            fps: None,
            notes: Vec::new(),
            facts: Vec::new(),
        },
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
    if let (Some(clip), Some(path), true) = (clip, paths.first(), errors.is_empty())
        && !reader.clip_was_found
    {
        let message = format!("no clip is called {clip:?}; {}", clip_list(&reader.all_clips));
        errors.push(ReadError::file(path, message));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut shot = reader.shot;
    shot.notes.splice(0..0, reader.loader.notes);
    shot.facts = reader.loader.facts;
    Ok(shot)
}

/// A sentence about which clips there are.
pub(crate) fn clip_list(clips: &[String]) -> String {
    match clips.len() {
        0 => "there are no clips".to_owned(),
        count => {
            let shown = clips.iter().take(LISTED).map(|clip| format!("{clip:?}"));
            let more = if count > LISTED { ", …" } else { "" };
            let shown = shown.collect::<Vec<_>>().join(", ");
            format!("there are {}: {shown}{more}", counted(count, "clip", "clips"))
        }
    }
}

/// Adds file after file.
struct Reader<'a> {
    loader: Loader,
    clip: Option<&'a str>,
    /// What each file is called.
    labels: HashMap<PathBuf, String>,
    names: Unique,
    clip_was_found: bool,
    all_clips: Vec<String>,
    shot: Shot,
}

impl Reader<'_> {
    fn sequence(&mut self, path: &Path, options: &ReadOptions) -> Result<(), ReadError> {
        let frames = VertexFrames::open_with(path, options)?;
        let name = path.display();
        self.shot.notes.extend(frames.notes().iter().map(|note| format!("{name}: {note}")));
        let fps = frames.fps();
        let length = frames.len();
        let mut sequence = Sequence::new(Box::new(frames), fps.unwrap_or(30.0));
        let facts = options.facts_of(path, Axis::Y);
        let assumed = [facts.units.note(), facts.up.note()].into_iter().flatten();
        self.shot.notes.extend(assumed.map(|note| format!("{name}: {note}")));
        sequence.world_from_mesh =
            world_from_file(facts.units.metres_per_unit, facts.up.axis, Axis::Y);
        self.loader.facts.push(facts);
        let seconds = (length - 1) as f64 / sequence.fps;
        self.shot.fps = self.shot.fps.or(fps);
        self.lasts(seconds);
        self.add(self.label(path), path, Content::Vertices(sequence));
        Ok(())
    }

    fn document(&mut self, path: &Path, is_only: bool) -> Result<(), ReadError> {
        let rigs = self.loader.rigs(path, None, None)?;
        let clips = rigs.iter().flat_map(|rig| &rig.clips);
        self.all_clips.extend(clips.map(|clip| clip.name().to_owned()));
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
            let motion = self.motion(rig, path);
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
                self.add(name, path, Content::Actor(actor));
            }
        }
        Ok(())
    }

    /// What a rig plays.
    fn motion(&mut self, rig: &Rig, path: &Path) -> Motion {
        let chosen: Option<&Clip> = match self.clip {
            Some(name) => rig.clips.iter().find(|clip| clip.name() == name),
            None => rig.clips.first(),
        };
        let Some(clip) = chosen else { return Motion::Rest };
        self.clip_was_found = true;
        if self.clip.is_none() && rig.clips.len() > 1 {
            let names: Vec<String> = rig.clips.iter().map(|clip| clip.name().to_owned()).collect();
            let (path, first) = (path.display(), clip.name());
            let list = clip_list(&names);
            self.shot.notes.push(format!(
                "{path}: the first clip is played, {first:?}; choose with --clip, {list}"
            ));
        }
        self.lasts(clip.seconds());
        self.shot.fps = match (self.shot.fps, key_rate(clip)) {
            (Some(known), Some(rate)) => Some(known.max(rate)),
            (known, rate) => known.or(rate),
        };
        Motion::Clip(Playback::new(Arc::new(clip.clone()), Repeat::Hold))
    }

    fn lasts(&mut self, seconds: f64) {
        let known = self.shot.seconds.unwrap_or(0.0);
        self.shot.seconds = Some(known.max(seconds));
    }

    fn label(&self, path: &Path) -> String {
        self.labels.get(path).cloned().unwrap_or_else(|| names::stem(path))
    }

    /// Adds an object, under a name that is made unlike all others.
    fn add(&mut self, name: String, path: &Path, content: Content) {
        let name = if name.is_empty() { "object".to_owned() } else { name };
        let name = self.names.name(name);
        self.shot.objects.push(Object::new(name, content));
        self.shot.sources.push(path.to_owned());
    }
}

/// What stands behind the name of a file in that of a piece of it: `/group` or `#3`.
fn piece_suffix<'n>(path: &Path, name: &'n str) -> Option<&'n str> {
    name.strip_prefix(&*crate::document::stem(path)).filter(|suffix| suffix.starts_with(['/', '#']))
}

/// Keys in a second, where they are as dense as frames: the middle of the gaps of the track with the most keys.
fn key_rate(clip: &Clip) -> Option<f64> {
    let track = clip.tracks().iter().max_by_key(|track| track.times.len())?;
    let gaps = track.times.windows(2).map(|pair| pair[1] - pair[0]);
    let mut gaps: Vec<f64> = gaps.filter(|&gap| gap > 0.0).collect();
    gaps.sort_by(f64::total_cmp);
    let rate = 1.0 / gaps.get(gaps.len() / 2)?;
    // Times went through f32, so a rate is a whole number that is a little off; 29.97 is no whole number.
    let whole = rate.round();
    let rate = if (rate - whole).abs() < 1e-4 * whole { whole } else { rate };
    (12.0..=240.0).contains(&rate).then_some(rate)
}
