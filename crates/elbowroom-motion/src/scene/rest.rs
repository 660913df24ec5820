//! What of an object already meets at rest.
//!
//! Clothes, hair and shoes are often modelled a little way into the body. Such pairs of triangles
//! are known by looking at the rig once, with every joint as the file has it at rest, by the same
//! rule by which frames are examined. So a contact of a frame can be told from what was there from
//! the beginning, triangle by triangle: two parts that meet at rest in three triangles are still
//! compared in all others.
//!
//! Triangles of two meshes that lie within a millionth of the object's size of each other count as
//! meeting here: a seam between two meshes is in contact in one frame and a rounding apart in the
//! next.
//!
//! Invariant: a pair that is listed meets at rest, but for that millionth. Beyond [`MOST_PAIRS`]
//! none is listed, and so none is left out.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use glam::{DAffine3, DVec3};

use super::actor::Actor;
use super::object::{Content, ObjectId};
use super::own::OwnRule;
use super::scene::Scene;
use super::stage::{Form, Piece, Stage, Staged};
use elbowroom::internal::broad_phase::Broad;
use elbowroom::internal::query;
use elbowroom::internal::query::{CollisionRequest, Neighbours, Want};
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::Aabb;
use elbowroom::interrupt::checkpoint;

/// The most pairs of triangles of an object that are known to meet at rest, some 30 MB.
const MOST_PAIRS: usize = 1 << 22;

/// How near counts as meeting at rest, as a part of the object's size.
const NEAR: f64 = 1e-6;

/// Whether what already meets at rest counts, where an object is compared with itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rest {
    /// The pairs count, and are marked.
    #[default]
    Count,
    /// Pairs of triangles that meet at rest are left out in every frame.
    Ignore,
}

/// Pairs of triangles that meet at rest: for two pieces, by their places in the object, the lower
/// first, all pairs in order.
#[derive(Debug, Default)]
pub(super) struct RestPairs {
    by_pieces: HashMap<(u32, u32), Vec<(u32, u32)>>,
}

impl RestPairs {
    /// The pairs of two pieces, triangles of the lower piece first; of a piece and itself the lower
    /// triangle.
    pub(super) fn of(&self, pieces: (u32, u32)) -> &[(u32, u32)] {
        self.by_pieces.get(&pieces).map_or(&[], Vec::as_slice)
    }
}

/// Whether a pair is listed.
pub(super) fn is_at_rest(pairs: &[(u32, u32)], pair: (u32, u32)) -> bool {
    pairs.binary_search(&pair).is_ok()
}

impl Scene {
    /// The contacts of an object with itself at rest. `None` if it never moves, or has no rest
    /// pose.
    pub(super) fn rest(&self, object: usize) -> Option<&RestPairs> {
        let Content::Actor(actor) = &self.objects[object].content else { return None };
        let role = &self.roles[object];
        if role.cuts.iter().all(|cut| cut.is_still) {
            return None;
        }
        Some(role.own.rest.get_or_init(|| {
            let stage = self.rest_stage(object, actor, &DAffine3::IDENTITY);
            stage.and_then(|stage| find(self, object, &stage)).unwrap_or_default()
        }))
    }

    /// Whether an object has a rest that it moves away from, and is compared with itself.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn leaves_rest(&self, object: ObjectId) -> bool {
        let (role, object) = (&self.roles[object.index()], &self.objects[object.index()]);
        let moves = !role.cuts.iter().all(|cut| cut.is_still);
        object.with_itself && moves && matches!(object.content, Content::Actor(_))
    }

    /// The pieces of one actor at rest, at a place. `None` if it cannot be posed.
    pub(super) fn rest_stage(
        &self,
        object: usize,
        actor: &Actor,
        place: &DAffine3,
    ) -> Option<Stage> {
        let mut stage = Stage::new();
        let staged = |cut: &super::cast::Cut| Staged {
            object: ObjectId(object as u32),
            cut: cut.clone(),
            form: Form::Absent,
            bounds: Aabb::of_points(&[]),
            points: Vec::new(),
            built: OnceLock::new(),
        };
        stage.pieces = self.roles[object].cuts.iter().map(staged).collect();
        let Stage { pieces, poser, .. } = &mut stage;
        poser.set_placed(&actor.rig, &actor.rig.rest_pose(), place);
        pieces.iter_mut().try_for_each(|piece| piece.carry(actor, poser)).ok()?;
        stage.of = Some((Arc::clone(&self.token), 0));
        Some(stage)
    }
}

/// All pairs of an object at rest. `None` if there are too many.
fn find(scene: &Scene, object: usize, stage: &Stage) -> Option<RestPairs> {
    let bounds = stage.pieces().map(|piece| piece.bounds());
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = bounds.fold(start, |(low, high), b| (low.min(b.min), high.max(b.max)));
    let near = NEAR * (high - low).length();
    let (mut broad, mut workspace) = (Broad::default(), Workspace::default());
    for piece in stage.pieces() {
        broad.set(piece.number(), piece.bounds().grown(near)).ok()?;
    }
    let mut found = RestPairs::default();
    let mut room = MOST_PAIRS;
    let mut add = |pieces: (u32, u32), mut pairs: Vec<(u32, u32)>| {
        room = room.checked_sub(pairs.len())?;
        pairs.sort_unstable();
        if !pairs.is_empty() {
            found.by_pieces.insert(pieces, pairs);
        }
        Some(())
    };
    for &(i, j) in broad.pairs() {
        let (Some(a), Some(b)) = (stage.piece(i.min(j)), stage.piece(i.max(j))) else { continue };
        let are_joined = |parts: (u32, u32)| scene.are_joined(object, parts);
        if a.only_part().zip(b.only_part()).is_some_and(are_joined) {
            continue;
        }
        let ((first, here), (second, there)) =
            ((a.model(), a.placement()), (b.model(), b.placement()));
        let question = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
        let count = query::collide(first, here, second, there, &question, &mut workspace).count();
        if count > MOST_PAIRS as u64 {
            return None;
        }
        let pairs = query::all_nearer(first, here, second, there, near, &mut workspace);
        let pairs = pairs.iter().map(|pair| (pair.a, pair.b));
        let counts = |&(i, j): &(u32, u32)| !are_joined((a.part_of(i), b.part_of(j)));
        add((a.number(), b.number()), pairs.filter(counts).collect())?;
    }
    for piece in stage.pieces() {
        if let Some(left_out) = scene.own_rule(piece) {
            add((piece.number(), piece.number()), within(piece, left_out, &mut workspace)?)?;
        }
    }
    Some(found)
}

/// The pairs of a piece and itself. `None` if there are too many.
fn within(
    piece: Piece<'_>,
    rule: OwnRule<'_>,
    workspace: &mut Workspace,
) -> Option<Vec<(u32, u32)>> {
    let mut pairs = Vec::new();
    let flow = query::visit_self(piece.model(), Neighbours::Decide, workspace, |pair| {
        checkpoint();
        if !rule.leaves_out(piece, (pair.a, pair.b)) {
            pairs.push((pair.a, pair.b));
        }
        if pairs.len() > MOST_PAIRS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    flow.is_continue().then_some(pairs)
}
