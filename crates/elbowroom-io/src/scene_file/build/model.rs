//! Models: meshes that stand, move by a list of poses, or are vertices over time.

use std::path::Path;
use std::sync::Arc;

use elbowroom::Mesh;
use elbowroom::Pose;
use elbowroom::internal::model::Model as Solid;
use elbowroom_motion::body::Rig;
use elbowroom_motion::scene::{Actor, Content, Motion, Object, Sequence, Whereabouts, groups};
use glam::DAffine3;

use super::{Builder, entry_name, named, repeat};
use crate::document::{FileFacts, ReadOptions};
use crate::poses;
use crate::scene_file::Trouble;
use crate::scene_file::fields::Said;
use crate::scene_file::outline::{Model, Play};
use crate::sequence::VertexFrames;
use crate::shot::is_sequence;
use crate::shot::load::world_from_file;
use crate::split::Split;

impl Builder<'_> {
    pub(super) fn model(&mut self, model: &Model) -> Result<(), Trouble> {
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
