//! The files of a clip as one scene: bodies over frames, in metres.
//!
//! Arrays of several bodies become bodies of their own in memory; everything else is read as any
//! shot is. So one path leads from every format to the vertices of a frame.

use std::path::PathBuf;
use std::sync::Arc;

use elbowroom_io::body_array::{BodyArray, OneBody, is_array};
use elbowroom_io::memory::{Frames, is_memory};
use elbowroom_io::rate::{USUAL_FPS, frame_span};
use elbowroom_io::{Asked, LEFT_OUT, ReadOptions, Source, read_shot};
use elbowroom_motion::scene::{Scene, Timing};
use glam::DVec3;

use super::item::Item;
use super::{Faces, ScoreArgs};

/// A clip that was read.
pub(super) struct Take {
    pub(super) name: String,
    pub(super) scene: Scene,
    /// What was assumed of its files.
    pub(super) assumed: Vec<&'static str>,
}

/// Where the bodies of a clip are: files, and what is in memory.
struct Sources {
    name: String,
    paths: Vec<PathBuf>,
    options: ReadOptions,
    /// The frames of the arrays.
    frames: Vec<usize>,
}

/// How the four axes of an array are meant.
#[derive(Clone, Copy, PartialEq)]
enum Axes {
    /// One body, (T, N, 3).
    One,
    /// Bodies at once, (T, P, N, 3).
    People,
    /// Clips of one body, (B, T, N, 3).
    Batch,
}

/// Opens the files of an item, and calls for each of its clips until one cannot be read.
pub(super) fn each(
    args: &ScoreArgs,
    faces: &Faces,
    item: &Item,
    mut call: impl FnMut(Take) -> Result<(), String>,
) -> Result<(), String> {
    if let Some(problem) = &item.problem {
        return Err(problem.clone());
    }
    let options = args.read.options();
    let files: Vec<PathBuf> = item.files.iter().chain(&args.with).cloned().collect();
    let is_lone = item.files.len() < 2 && !args.batch;
    let mut arrays = Vec::new();
    for (at, path) in files.iter().enumerate() {
        if !is_array(path) || is_memory(path) {
            arrays.push(None);
            continue;
        }
        let faces = faces.get(at.min(faces.len().max(1) - 1)).map(|faces| &**faces);
        let array = BodyArray::open(path, faces, &options).map_err(|error| error.to_string())?;
        let axes = match array.axes.len() {
            2 if is_lone => Axes::People,
            2 => Axes::Batch,
            _ => Axes::One,
        };
        arrays.push(Some((Arc::new(array), axes)));
    }
    let clips = batch(&arrays)?;
    for clip in 0..clips.unwrap_or(1) {
        let name = match clips {
            Some(_) => format!("{}#{clip}", item.name),
            None => item.name.clone(),
        };
        let mut sources =
            Sources { name, paths: Vec::new(), options: options.clone(), frames: Vec::new() };
        for (path, array) in files.iter().zip(&arrays) {
            match array {
                None => sources.paths.push(path.clone()),
                Some((array, axes)) => {
                    sources.add(&path.display().to_string(), array, *axes, clip)?;
                }
            }
        }
        call(sources.take(args)?)?;
    }
    Ok(())
}

/// The number of clips in arrays of batches; `None` if there are no such arrays.
fn batch(arrays: &[Option<(Arc<BodyArray>, Axes)>]) -> Result<Option<usize>, String> {
    let batches = arrays.iter().flatten().filter(|(_, axes)| *axes == Axes::Batch);
    let mut counts: Vec<usize> = batches.map(|(array, _)| array.axes[0]).collect();
    counts.dedup();
    match counts[..] {
        [] => Ok(None),
        [count] => Ok(Some(count)),
        [a, b, ..] => {
            Err(format!("arrays of {a} and of {b} clips; give as many clips of each body"))
        }
    }
}

impl Sources {
    /// Adds the bodies of an array that are in a clip.
    fn add(
        &mut self,
        path: &str,
        array: &Arc<BodyArray>,
        axes: Axes,
        clip: usize,
    ) -> Result<(), String> {
        let (people, frames) = match (axes, &array.axes[..]) {
            (Axes::People, &[frames, people]) => (people, frames),
            (_, &[_, frames] | &[frames]) => (1, frames),
            _ => (1, 1),
        };
        let first = if axes == Axes::Batch { clip * frames } else { 0 };
        for person in 0..people {
            let name = if people > 1 { format!("{path}#{person}") } else { path.to_owned() };
            let one = OneBody { array: Arc::clone(array), first: first + person, step: people };
            let mut points: Vec<DVec3> = Vec::new();
            let at = one.first;
            array.read(at, &mut points).map_err(|error| error.to_string())?;
            let mesh =
                array.mesh.with_vertices(points).map_err(|error| format!("{name}: {error}"))?;
            let parts = array.parts.as_deref().map(runs).unwrap_or_default();
            let source = Arc::new(one);
            let held =
                Frames { mesh, count: frames, source, fps: array.fps, first_number: 0, parts };
            self.paths.push(self.options.memory.add(&name, held));
        }
        self.frames.push(frames);
        Ok(())
    }

    /// Reads all as one scene.
    fn take(self, args: &ScoreArgs) -> Result<Take, String> {
        let mut counts: Vec<usize> =
            self.frames.iter().copied().filter(|&count| count > 1).collect();
        counts.sort_unstable();
        counts.dedup();
        if let ([few, many, ..], None) = (&counts[..], args.fps) {
            return Err(format!(
                "bodies of {few} and of {many} frames; cut them to the same frames, or match them \
                 by time with --fps"
            ));
        }
        let asked = Asked { clip: args.clip.as_deref(), fps: args.fps };
        let shot = read_shot(&self.paths, &self.options, asked).map_err(|errors| {
            errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        })?;
        let missing = shot.notes.iter().find(|note| note.contains(LEFT_OUT));
        if let Some(note) = missing.filter(|_| !args.left_out.allow_left_out) {
            return Err(format!("{note}; --allow-left-out scores the rest"));
        }
        let rate = shot.fps.or(args.fps).unwrap_or(USUAL_FPS);
        let [from, to] = shot.span.unwrap_or_default();
        let (first, last) = frame_span(from, to, rate);
        // Frames count from 0 where a motion begins before time 0.
        let zero = if first < 0.0 { -first } else { 0.0 };
        #[expect(clippy::cast_sign_loss, reason = "not below 0, and casts hold at the end")]
        let [first, last] = [first + zero, last + zero].map(|frame| frame as u32);
        let timing = Timing { fps: rate, first, last, zero: zero as i64 };
        let is_assumed = |fact: &elbowroom_io::FileFacts| fact.units.source == Source::Assumed;
        let assumed = if shot.facts.iter().any(is_assumed) {
            vec!["files that do not state their unit are in metres"]
        } else {
            Vec::new()
        };
        let scene = Scene::new(timing, shot.objects, &[]).map_err(|error| error.to_string())?;
        Ok(Take { name: self.name, scene, assumed })
    }
}

/// Labels of faces as runs of parts.
fn runs(labels: &[u32]) -> Vec<(String, u32)> {
    let starts = (0..labels.len()).filter(|&at| at == 0 || labels[at] != labels[at - 1]);
    starts.map(|at| (labels[at].to_string(), at as u32)).collect()
}
