//! Setting a stage: every object as it is in one frame.
//!
//! A point is made in one order: the pose of the clip at the frame's time over the rest of the rig,
//! forward kinematics from the place of the actor, then either a pose (a model moves as one piece)
//! or new vertices. Nothing of an earlier frame enters.

use std::sync::{Arc, OnceLock, PoisonError};

use glam::DAffine3;

use super::actor::{Actor, Moment, Motion, Whereabouts};
use super::cast::Rigid;
use super::error::{SceneError, SceneErrorKind};
use super::object::{Content, ObjectId, Sequence};
use super::scene::Scene;
use super::stage::{Form, Stage, Staged};
use crate::body::Poser;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::volume::Aabb;

/// Why a frame of an object cannot be posed.
pub(super) type Why = Box<dyn std::error::Error + Send + Sync>;

impl Scene {
    /// Puts everything on a stage as it is in a frame.
    ///
    /// # Errors
    /// If there is no such frame, or names the object that could not be posed: vertices from
    /// outside are not to be had, or a number grew beyond f64. Then nothing is on the stage.
    pub fn at(&self, frame: u32, stage: &mut Stage) -> Result<(), SceneError> {
        let timing = self.timing();
        if !timing.frames().contains(&frame) {
            let (first, last) = (timing.first, timing.last);
            return Err(SceneErrorKind::NoSuchFrame { frame, first, last }.into());
        }
        let known = stage.of.take();
        let is_ours = known.as_ref().is_some_and(|(token, _)| Arc::ptr_eq(token, &self.token));
        if !is_ours {
            self.furnish(stage);
        }
        for index in 0..self.objects.len() {
            self.set(index, frame, stage).map_err(|source| {
                let name = self.objects[index].name.clone();
                SceneError::from(SceneErrorKind::Frame { name, frame, source })
            })?;
        }
        stage.of = Some((Arc::clone(&self.token), frame));
        Ok(())
    }

    /// A stage with the pieces of this scene, all of them absent.
    fn furnish(&self, stage: &mut Stage) {
        stage.pieces.clear();
        for (object, role) in self.roles.iter().enumerate() {
            stage.pieces.extend(role.cuts.iter().map(|cut| Staged {
                object: ObjectId(object as u32),
                cut: cut.clone(),
                form: Form::Absent,
                bounds: Aabb::of_points(&[]),
                points: Vec::new(),
                built: OnceLock::new(),
            }));
        }
    }

    /// Takes all objects off a stage that is for times between frames.
    pub(super) fn clear(&self, stage: &mut Stage) {
        let is_ours = |(token, _): &(Arc<()>, u32)| Arc::ptr_eq(token, &self.token);
        if stage.of.as_ref().is_some_and(is_ours) {
            stage.pieces.iter_mut().for_each(|piece| piece.form = Form::Absent);
        } else {
            self.furnish(stage);
            stage.of = Some((Arc::clone(&self.token), self.timing().first));
        }
    }

    /// From when to when an object that comes and goes is there, in seconds.
    pub(super) fn there(&self, object: ObjectId) -> Option<(f64, f64)> {
        match &self.objects[object.index()].content {
            Content::Actor(Actor { whereabouts: Whereabouts::Walk { path, .. }, .. }) => {
                Some(path.span())
            }
            _ => None,
        }
    }

    /// Puts an object that comes and goes on a stage as it is at a time. What cannot be posed is
    /// absent.
    pub(super) fn set_at(&self, object: ObjectId, secs: f64, stage: &mut Stage) {
        let Content::Actor(actor) = &self.objects[object.index()].content else { return };
        let pieces = self.pieces(object);
        let pieces = pieces.start as usize..pieces.end as usize;
        // A list of poses, one for each frame, holds until the next one.
        let place = self.timing().index_at(secs);
        if set_actor(actor, place, secs, stage, pieces.clone()).is_err() {
            stage.pieces[pieces].iter_mut().for_each(|piece| piece.form = Form::Absent);
        }
    }

    fn set(&self, index: usize, frame: u32, stage: &mut Stage) -> Result<(), Why> {
        let pieces = self.first_piece[index] as usize..self.first_piece[index + 1] as usize;
        // What never moves is set once: it would come out the same.
        let is_set = |piece: &Staged| piece.cut.is_still && piece.form != Form::Absent;
        if stage.pieces[pieces.clone()].iter().all(is_set) {
            return Ok(());
        }
        let (scene_secs, place) = (self.timing().secs(frame), self.timing().index(frame));
        match &self.objects[index].content {
            Content::Still { place, .. } => stage.pieces[pieces.start].place(place),
            Content::Moving { path, .. } => {
                stage.pieces[pieces.start].place(&path[place.min(path.len() - 1)])
            }
            Content::Actor(actor) => set_actor(actor, place, scene_secs, stage, pieces),
            Content::Vertices(sequence) => {
                set_sequence(sequence, scene_secs, &mut stage.pieces[pieces.start])
            }
        }
    }
}

fn set_actor(
    actor: &Actor,
    place_in_list: usize,
    scene_secs: f64,
    stage: &mut Stage,
    pieces: std::ops::Range<usize>,
) -> Result<(), Why> {
    let Stage { pieces: all, poser, pose, .. } = stage;
    let Some(Moment { world_from_rig: place, clip_secs }) = actor.at(scene_secs) else {
        all[pieces].iter_mut().for_each(|piece| piece.form = Form::Absent);
        return Ok(());
    };
    let rig = &*actor.rig;
    match &actor.motion {
        Motion::Pose(said) => poser.set_placed(rig, said, &place),
        Motion::Poses(poses) => {
            poser.set_placed(rig, &poses[place_in_list.min(poses.len() - 1)], &place);
        }
        Motion::Rest | Motion::Clip(_) => {
            pose.locals.clear();
            pose.locals.extend(rig.skeleton.joints().iter().map(|joint| joint.rest));
            pose.weights.resize_with(rig.parts.len(), Vec::new);
            for (weights, part) in pose.weights.iter_mut().zip(&rig.parts) {
                weights.clone_from(&part.morph_weights);
            }
            if let (Motion::Clip(playback), Some(time)) = (&actor.motion, clip_secs) {
                playback.clip.sample(time, pose);
            }
            poser.set_placed(rig, pose, &place);
        }
    }
    all[pieces].iter_mut().try_for_each(|piece| piece.carry(actor, poser))
}

fn set_sequence(sequence: &Sequence, scene_secs: f64, piece: &mut Staged) -> Result<(), Why> {
    let mut source = sequence.source.lock().unwrap_or_else(PoisonError::into_inner);
    let frame = sequence.shown(scene_secs, source.frames());
    let expected = source.mesh().vertices().len();
    source.read(frame, &mut piece.points)?;
    if piece.points.len() != expected {
        let given = piece.points.len();
        return Err(format!("{given} vertices came, but the mesh has {expected}").into());
    }
    if sequence.world_from_mesh != DAffine3::IDENTITY {
        for point in &mut piece.points {
            *point = sequence.world_from_mesh.transform_point3(*point);
        }
    }
    piece.settle()
}

impl Staged {
    /// The model stands here.
    fn place(&mut self, placement: &Pose) -> Result<(), Why> {
        let Some(Rigid { support, .. }) = &self.cut.rigid else {
            return Err("has no model to be placed".into());
        };
        self.bounds = support.placed(placement);
        if !self.bounds.min.is_finite() || !self.bounds.max.is_finite() {
            return Err("it stands so far away that its place is not finite".into());
        }
        self.form = Form::Rigid(*placement);
        Ok(())
    }

    /// Carries a part of a rig to where its joints are.
    pub(super) fn carry(&mut self, actor: &Actor, poser: &mut Poser) -> Result<(), Why> {
        let part = self.cut.rig_part;
        if let Some(placement) = self.as_rigid(actor, poser) {
            return self.place(&placement);
        }
        poser.part(&actor.rig, part as usize, &mut self.points);
        self.settle()
    }

    /// Where the piece stands, if it moves as one piece in this frame.
    fn as_rigid(&self, actor: &Actor, poser: &Poser) -> Option<Pose> {
        let Rigid { unscale, .. } = self.cut.rigid.as_ref()?;
        let part = &actor.rig.parts[self.cut.rig_part as usize];
        let crate::body::Hold::Rigid(joint) = &part.hold else { return None };
        if poser.is_morphed(&actor.rig, self.cut.rig_part as usize) {
            return None;
        }
        let world_from_mesh = poser.world()[joint.index()];
        let mut rotation = world_from_mesh.matrix3;
        rotation.x_axis *= unscale.x;
        rotation.y_axis *= unscale.y;
        rotation.z_axis *= unscale.z;
        Pose::new(rotation, world_from_mesh.translation).ok()
    }

    /// The points are new.
    fn settle(&mut self) -> Result<(), Why> {
        self.form = Form::Absent;
        self.built = OnceLock::new();
        if let Some(vertex) = self.points.iter().position(|point| !point.is_finite()) {
            return Err(format!("vertex {vertex} of a piece is not finite").into());
        }
        self.bounds = Aabb::of_points(&self.points);
        self.form = Form::Posed;
        Ok(())
    }
}
