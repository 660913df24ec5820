//! Which pieces may meet, asked before any two are compared; and what finding took.

use std::fmt;

use super::object::ObjectId;
use super::scene::Scene;
use super::stage::Stage;

/// A broad phase that replaces the boxes around all pieces in a [`Finder`](super::Finder). Every
/// implementation leads to the same meetings, because it gives every pair of pieces that meets.
///
/// The hierarchies over articulated bodies of `elbowroom_papers::cab` are such candidates.
pub trait Candidates: fmt::Debug + Send {
    /// Drops what is known of the last scene, because another one follows.
    fn forget(&mut self);

    /// Takes the pieces of a frame. Pieces no farther apart than `reach` are near.
    fn begin(&mut self, scene: &Scene, stage: &Stage, reach: f64);

    /// Replaces `pairs` by the pairs of an object's pieces with near pieces of later objects, and
    /// with each other if the scene [compares](Scene::compares) the object with itself. The lower
    /// number is first, and the pairs are in order. Returns the number of pairs of boxes tested.
    fn of(&mut self, scene: &Scene, object: ObjectId, pairs: &mut Vec<(u32, u32)>) -> u64;
}

/// What finding took, as counts that follow from the frame alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FindWork {
    /// The number of pairs of boxes tested; `None` with the boxes around all pieces, which do not
    /// count their tests.
    pub box_tests: Option<u64>,
    /// The number of pairs of pieces: of different objects, and of objects that are compared with
    /// themselves.
    pub piece_pairs: u64,
    /// The number of pairs that are left by the boxes and may not touch: their triangles are
    /// compared, or the result of copies is reused.
    pub pairs_left: u64,
    /// The number of pairs of triangles tested. If the scene has several frames, pairs of pieces
    /// that never move are left out. `None` if the number is not known: pieces deform or
    /// consist of several parts, or more was asked than how many pairs meet.
    pub triangle_tests: Option<u64>,
}

/// The number of pairs of pieces.
pub(super) fn piece_pairs(scene: &Scene, stage: &Stage) -> u64 {
    let pairs = |n: usize| n as u64 * n.saturating_sub(1) as u64 / 2;
    let objects: Vec<ObjectId> = stage.pieces().map(|piece| piece.object()).collect();
    let alone = objects.chunk_by(|a, b| a == b).filter(|own| !scene.compares(own[0], own[0]));
    pairs(objects.len()) - alone.map(|own| pairs(own.len())).sum::<u64>()
}
