//! Everything as it is in one frame.
//!
//! A stage keeps its memory from frame to frame. The tree of a piece whose vertices are new is
//! built at its first use: in a crowd, most people are near no other.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use glam::DVec3;

use super::cast::Cut;
use super::cut_out::CutOut;
use super::object::ObjectId;
use super::primitive::TrueShape;
use super::scene::Scene;
use super::surface::Surface;
use crate::body::labels::Labels;
use crate::body::{Poser, SkeletonPose};
use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::{MeshTopology, Model};
use elbowroom::internal::volume::Aabb;

/// A scene in one frame. Keep it from frame to frame; any scene may use it.
#[derive(Debug, Default)]
pub struct Stage {
    /// The scene that it was set for, and the frame.
    pub(super) of: Option<(Arc<()>, u32)>,
    pub(super) pieces: Vec<Staged>,
    pub(super) poser: Poser,
    pub(super) pose: SkeletonPose,
}

/// Triangles by the places of their corners, shared by all pieces that have them.
pub(super) type Triangles = Arc<[[u32; 3]]>;

/// A piece on a stage.
#[derive(Debug)]
pub(super) struct Staged {
    pub(super) object: ObjectId,
    pub(super) cut: Cut,
    pub(super) form: Form,
    pub(super) bounds: Aabb,
    /// The vertices, if they are computed in every frame; else kept for their memory.
    pub(super) points: Vec<DVec3>,
    pub(super) built: OnceLock<Model>,
}

/// How a piece stands in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    Absent,
    /// A rigid model at a pose.
    Rigid(Pose),
    /// Points at their places in the world.
    Posed,
}

impl Stage {
    /// An empty stage.
    pub fn new() -> Self {
        Self::default()
    }

    /// The frame that was set last, if that succeeded.
    pub fn frame(&self) -> Option<u32> {
        self.of.as_ref().map(|(_, frame)| *frame)
    }

    /// The pieces of all objects that are present, in order.
    pub fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        (0..self.pieces.len()).filter_map(|number| self.piece(number as u32))
    }

    /// A piece by its number, if its object is present.
    pub fn piece(&self, number: u32) -> Option<Piece<'_>> {
        let staged = self.pieces.get(number as usize)?;
        let is_there = self.of.is_some() && staged.form != Form::Absent;
        is_there.then_some(Piece { number, staged })
    }

    /// The number of pieces, including those that are absent.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether an object is there in this frame.
    pub fn is_present(&self, scene: &Scene, object: ObjectId) -> bool {
        scene.pieces(object).any(|number| self.piece(number).is_some())
    }
}

/// A part of an object's surface that is tested as a whole.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    number: u32,
    staged: &'a Staged,
}

impl<'a> Piece<'a> {
    /// The piece's number, equal in all frames.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The object that it is of.
    pub fn object(&self) -> ObjectId {
        self.staged.object
    }

    /// A box that holds it.
    pub fn bounds(&self) -> Aabb {
        self.staged.bounds
    }

    /// Whether it stands the same in all frames.
    pub fn is_still(&self) -> bool {
        self.staged.cut.is_still
    }

    /// The number of its first triangle within its object.
    pub fn first_triangle(&self) -> u32 {
        self.staged.cut.first_triangle
    }

    /// The part of the rig that it is, for an [`Actor`](super::Actor); else 0.
    pub fn rig_part(&self) -> u32 {
        self.staged.cut.rig_part
    }

    /// The model that it is while it moves as one piece; `None` if it never does.
    pub fn rigid_model(&self) -> Option<&'a Arc<Model>> {
        self.staged.cut.rigid.as_ref().map(|rigid| &rigid.model)
    }

    /// The part of the body that a triangle of this piece belongs to, by its place in
    /// [`Scene::parts`].
    ///
    /// # Panics
    /// If there is no such triangle.
    pub fn part_of(&self, triangle: u32) -> u32 {
        self.staged.cut.labels.of(triangle)
    }

    /// The part of the body that all its triangles belong to, if it is one.
    pub fn only_part(&self) -> Option<u32> {
        match self.staged.cut.labels {
            Labels::One(part) => Some(part),
            Labels::Each(_) => None,
        }
    }

    /// Whether any of its triangles belongs to a part.
    pub(super) fn has_part(&self, part: u32) -> bool {
        match &self.staged.cut.labels {
            Labels::One(own) => *own == part,
            Labels::Each(parts) => parts.contains(&part),
        }
    }

    /// The parts that its triangles belong to, in order.
    pub(super) fn own_parts(&self) -> Vec<u32> {
        match &self.staged.cut.labels {
            Labels::One(part) => vec![*part],
            Labels::Each(parts) => {
                parts.iter().copied().collect::<BTreeSet<_>>().into_iter().collect()
            }
        }
    }

    /// The triangles of some parts alone, at their places. `None` if they are all of the piece.
    pub(super) fn cut_out(&self, is_meant: impl Fn(u32) -> bool) -> Option<CutOut> {
        let parts: BTreeSet<u32> = self.own_parts().into_iter().filter(|&p| is_meant(p)).collect();
        self.cut_triangles(|triangle| parts.contains(&self.part_of(triangle)))
    }

    /// Some triangles alone, at their places. `None` if they are all of the piece.
    pub(super) fn cut_triangles(&self, is_meant: impl Fn(u32) -> bool) -> Option<CutOut> {
        let triangles = self.triangles();
        if (0..triangles.len() as u32).all(&is_meant) {
            return None;
        }
        let mut points = Vec::new();
        self.points(&mut points);
        CutOut::new(&points, triangles, is_meant)
    }

    /// The shell of a triangle, where shells are told apart; else 0.
    pub(super) fn shell_of(&self, triangle: u32) -> u32 {
        self.surface().map_or(0, |surface| surface.shell(triangle))
    }

    /// How its triangles hang together, where it is more than one rigid mesh.
    pub(super) fn surface(&self) -> Option<&'a Surface> {
        self.staged.cut.surface.as_deref()
    }

    /// The pose of its model.
    pub fn placement(&self) -> &'a Pose {
        match &self.staged.form {
            Form::Rigid(placement) => placement,
            _ => &Pose::IDENTITY,
        }
    }

    /// Whether it moves as one piece, so that its model is the same in all such frames.
    pub fn is_rigid(&self) -> bool {
        matches!(self.staged.form, Form::Rigid(_))
    }

    /// The primitive that its model encloses, if it stands for one and moves as one piece.
    pub(super) fn truth(&self) -> Option<&'a TrueShape> {
        match (&self.staged.form, &self.staged.cut.rigid) {
            (Form::Rigid(_), Some(rigid)) => rigid.truth.as_deref(),
            _ => None,
        }
    }

    /// The model: shared if it is rigid, else of this frame and built at the first call.
    ///
    /// # Panics
    /// Never: points that are not finite do not come onto a stage.
    pub fn model(&self) -> &'a Model {
        let Staged { cut, points, built, form, .. } = self.staged;
        match (form, &cut.rigid) {
            (Form::Rigid(_), Some(rigid)) => &rigid.model,
            _ => built.get_or_init(|| {
                let made = match cut.pattern.get() {
                    Some(pattern) => pattern.model(points.clone()),
                    None => Mesh::new(points.clone(), cut.triangles.to_vec()).and_then(|mesh| {
                        let pattern = || Arc::new(MeshTopology::new(mesh));
                        cut.pattern.get_or_init(pattern).model(points.clone())
                    }),
                };
                match made {
                    Ok(model) => model,
                    Err(error) => unreachable!("points on a stage are finite: {error}"),
                }
            }),
        }
    }

    /// The vertices and triangles, if the vertices are computed in every frame.
    pub(super) fn soft(&self) -> Option<(&'a [DVec3], &'a Triangles)> {
        let Staged { cut, points, form, .. } = self.staged;
        (*form == Form::Posed).then_some((points, &cut.triangles))
    }

    /// Whether it can consist of the same triangles as another, point for point; for those whose
    /// vertices are new, the bounds of their triangles tell without a tree.
    pub(super) fn may_be_duplicate(&self, other: &Self) -> bool {
        let bounds = |piece: &Self| {
            let (points, triangles) = piece.soft()?;
            let corners = triangles.iter().flatten().map(|&corner| points[corner as usize]);
            let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            Some(corners.fold(start, |(low, high), point| (low.min(point), high.max(point))))
        };
        self.triangles().len() == other.triangles().len()
            && bounds(self).zip(bounds(other)).is_none_or(|(mine, others)| mine == others)
    }

    /// The triangles, by the places of their corners in [`points`](Self::points).
    pub fn triangles(&self) -> &'a [[u32; 3]] {
        let Staged { cut, form, .. } = self.staged;
        match (form, &cut.rigid) {
            (Form::Rigid(_), Some(rigid)) => rigid.model.mesh().triangles(),
            _ => &cut.triangles,
        }
    }

    /// The world's points of its vertices.
    pub fn points(&self, out: &mut Vec<DVec3>) {
        out.clear();
        match (&self.staged.form, &self.staged.cut.rigid) {
            (Form::Rigid(placement), Some(rigid)) => {
                let vertices = rigid.model.mesh().vertices();
                out.extend(vertices.iter().map(|&vertex| placement.apply(vertex)));
            }
            _ => out.extend_from_slice(&self.staged.points),
        }
    }
}
