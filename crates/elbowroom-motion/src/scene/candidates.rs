//! Which pieces may meet, asked before any two are compared; and what finding took.

use std::fmt;

use super::find::Finder;
use super::object::ObjectId;
use super::refine;
use super::scene::Scene;
use super::stage::Stage;

/// A way to find the pairs of pieces that may meet, in place of the boxes around all pieces that a
/// [`Finder`](super::Finder) keeps by itself. Every way leads to the same meetings: what it gives
/// holds every pair that meets.
///
/// The hierarchies over articulated bodies of `elbowroom_papers::cab` are such ways.
pub trait Candidates: fmt::Debug + Send {
    /// Another scene comes: what is known of the last one no longer holds.
    fn forget(&mut self);

    /// Puts the pairs of pieces that may be no farther apart than `reach` into `pairs`, in place of
    /// what is there, the lower number first, in order. Of one object they are those of pieces that
    /// the scene [compares](Scene::compares) with each other. Gives how many pairs of boxes were tested.
    fn pairs(
        &mut self,
        scene: &Scene,
        stage: &Stage,
        reach: f64,
        pairs: &mut Vec<(u32, u32)>,
    ) -> u64;
}

/// What finding took, as counts that follow from the stage alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FindWork {
    /// Pairs of boxes that were tested; `None` where boxes around all pieces are kept, which are sorted
    /// and not tested pair by pair.
    pub box_tests: Option<u64>,
    /// All pairs of pieces: of different objects, and of objects that are compared with themselves.
    pub piece_pairs: u64,
    /// Those that were left by the boxes, but for such as may touch: they were compared exactly.
    pub pairs_left: u64,
    /// Pairs of triangles that were tested, where a piece moves; `None` if that is not known: pieces
    /// deform or consist of several parts, or more was asked than how many pairs meet.
    pub triangle_tests: Option<u64>,
}

impl Finder {
    /// The pairs of pieces that may meet, in order.
    pub(super) fn near_pairs(&mut self, scene: &Scene, stage: &Stage) -> Vec<(u32, u32)> {
        let mut pairs = std::mem::take(&mut self.pairs);
        let reach = self.seek.clearance.max(0.0);
        if let Some(way) = &mut self.candidates {
            let tests = way.pairs(scene, stage, reach, &mut pairs);
            self.found.work.box_tests = Some(tests);
        } else {
            self.set_boxes(stage);
            pairs.clear();
            pairs.extend_from_slice(self.broad.pairs());
        }
        add_planes(stage, self.seek.clearance, &mut pairs);
        pairs
    }

    fn set_boxes(&mut self, stage: &Stage) {
        // Each grows by half, and by a little more than distances are rounded.
        let margin = self.seek.clearance.max(0.0) * (0.5 + 1e-8);
        for number in 0..stage.len() as u32 {
            let bounds = stage.piece(number).map(|piece| match margin {
                0.0 => piece.bounds(),
                margin => piece.bounds().grown(margin),
            });
            // A box that is refused is not finite, and a stage has none such.
            match bounds.map(|bounds| self.broad.set(number, bounds)) {
                Some(Ok(())) => {}
                _ => {
                    self.broad.remove(number);
                }
            }
        }
    }
}

/// Adds pairs of half-spaces and what is beyond their boxes. Boxes that a half-space is clear of by more than the clearance are
/// left out.
fn add_planes(stage: &Stage, clearance: f64, pairs: &mut Vec<(u32, u32)>) {
    let planes: Vec<_> =
        stage.pieces().filter_map(|p| Some((p.number(), refine::plane(&p)?))).collect();
    if planes.is_empty() {
        return;
    }
    for piece in stage.pieces() {
        let bounds = piece.bounds();
        let (middle, half) = (bounds.min.midpoint(bounds.max), 0.5 * (bounds.max - bounds.min));
        for &(number, (point, normal)) in &planes {
            let lowest = normal.dot(middle - point) - normal.abs().dot(half);
            let slack = 1e-9 * (middle.abs().max(half).max(point.abs()).max_element() + clearance);
            if number != piece.number() && lowest <= clearance.max(0.0) + slack {
                pairs.push((number.min(piece.number()), number.max(piece.number())));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
}

/// How many pairs of pieces there are to be told apart.
pub(super) fn piece_pairs(scene: &Scene, stage: &Stage) -> u64 {
    let pairs = |n: usize| n as u64 * n.saturating_sub(1) as u64 / 2;
    let objects: Vec<ObjectId> = stage.pieces().map(|piece| piece.object()).collect();
    let alone = objects.chunk_by(|a, b| a == b).filter(|own| !scene.compares(own[0], own[0]));
    pairs(objects.len()) - alone.map(|own| pairs(own.len())).sum::<u64>()
}
