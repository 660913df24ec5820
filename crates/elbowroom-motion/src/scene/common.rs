//! What two pieces have in common: pairs of triangles, counted by parts, listed, and put together
//! to a place, as far as the caller asks.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::allow::Leave;
use super::find::{Finder, Seek};
use super::judge::{Judged, Met};
use super::place::Place;
use super::refine::{Decided, Pair};
use super::scene::Scene;
use super::stage::Piece;
use elbowroom::internal::exact::Relation;
use elbowroom::internal::query;
use elbowroom::internal::query::{
    CollisionRequest, CollisionResult, Known, Mode, TrianglePair, Want,
};
use elbowroom::interrupt::{checkpoint, hold};

/// The most pairs of triangles of two pieces that deform that are held at once, some 100 MB.
/// Beyond, copies of triangles make as many as one likes.
const MOST_HELD: u64 = 1 << 23;

/// The most pairs of triangles that are put together to regions. They take some 500 bytes each
/// while that is done. Of more pairs, a place is one point and says nothing of regions.
const MOST_IN_REGIONS: usize = 2_000_000;

/// What two parts take.
const PARTS: usize = 50;

/// What two pieces have in common.
#[derive(Clone, Debug, Default)]
pub(super) struct Common {
    pub(super) parts: BTreeMap<(u32, u32), [u64; 2]>,
    pub(super) triangles: Vec<TrianglePair>,
    /// How many pairs of triangles already meet at rest.
    pub(super) at_rest: u64,
    /// The parts of two pieces that meet, and may not, where others may.
    meeting: BTreeSet<(u32, u32)>,
    /// Where two pieces meet.
    place: Option<Place>,
    pub(super) judged: Judged,
}

/// Pairs of triangles that count, as they are visited.
struct Visit<'a> {
    scene: &'a Scene,
    pieces: (Piece<'a>, Piece<'a>),
    leave: Leave,
    touching: bool,
    /// Whether pairs that only touch are kept although they do not count: they join regions.
    keeps_all: bool,
    /// The most pairs that are kept, to be listed or put together.
    most: usize,
    kept: Vec<TrianglePair>,
    /// Whether there are more.
    is_more: bool,
    met: Met,
    /// The parts that meet, if others may.
    meeting: BTreeSet<(u32, u32)>,
}

impl Finder {
    /// What two pieces have in common.
    pub(super) fn compare(
        &mut self,
        scene: &Scene,
        a: Piece<'_>,
        b: Piece<'_>,
        leave: Leave,
    ) -> Common {
        let mut common = Common::default();
        let is_allowed = |i, j| scene.may_touch(a.object(), i, b.object(), j);
        let lone = a.only_part().zip(b.only_part());
        if leave == Leave::Parts && lone.is_some_and(|(i, j)| is_allowed(i, j)) {
            return common;
        }
        let is_counted = self.most_kept() == 0
            && (self.seek.mode == Mode::Surface || a.is_rigid() || b.is_rigid());
        let known = if lone.is_some() && is_counted { None } else { self.soft_pairs((a, b)) };
        let met = match lone {
            Some(parts) if is_counted => self.count_pairs((a, b), parts, &mut common),
            Some(parts) => self.keep_pairs(scene, (a, b), parts, known.as_deref(), &mut common),
            None => self.visit_pairs(scene, (a, b), leave, known.as_deref(), &mut common),
        };
        // Of two parts that may not touch, all triangles count.
        let may_touch: Option<&dyn Fn(u32, u32) -> bool> =
            if leave == Leave::Parts && lone.is_none() { Some(&is_allowed) } else { None };
        let (seek, known) = (&self.seek, known.as_deref());
        if let Some(pair) = Pair::of(a, b, may_touch)
            && let Some(decided) = pair.decide(met, seek, known, &mut self.workspace)
        {
            return common.decided(decided);
        }
        let met = (met, &common.meeting);
        common.judged = Judged::of((a, b), met, seek, may_touch, known, &mut self.workspace);
        common.judged.set_place(common.place);
        common
    }

    /// The most pairs of triangles of two pieces that are kept: none if they need only be counted.
    fn most_kept(&self) -> usize {
        let in_regions = if self.seek.places { MOST_IN_REGIONS } else { 0 };
        in_regions.max(self.room())
    }

    /// Pieces of one part each, of which pairs need only be counted.
    fn count_pairs(
        &mut self,
        (a, b): (Piece<'_>, Piece<'_>),
        parts: (u32, u32),
        common: &mut Common,
    ) -> Met {
        let question = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
        let soft = self.ask_soft((a, b), Want::Count);
        let answer = soft.unwrap_or_else(|| {
            let (place_a, place_b) = (a.placement(), b.placement());
            let workspace = &mut self.workspace;
            let answer =
                query::collide(a.model(), place_a, b.model(), place_b, &question, workspace);
            self.tested((a, b), Some(&answer));
            answer
        });
        let touching = if self.seek.touching { answer.touching } else { 0 };
        if touching + answer.crossing > 0 {
            common.parts.insert(parts, [touching, answer.crossing]);
        }
        Met::of_counts(answer.touching, answer.crossing)
    }

    /// Pieces of one part each, of which pairs are kept. If there are more than can be kept, those
    /// that are not are only counted, for they may be billions.
    fn keep_pairs(
        &mut self,
        scene: &Scene,
        (a, b): (Piece<'_>, Piece<'_>),
        parts: (u32, u32),
        known: Known,
        common: &mut Common,
    ) -> Met {
        let mut visit = self.begin_visit(scene, (a, b), Leave::None);
        self.visit(known, &mut visit, |visit, pair| {
            visit.take(pair);
            if visit.is_more { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let Visit { kept, is_more, mut met, .. } = visit;
        if is_more {
            met = self.count_pairs((a, b), parts, common);
        } else if !kept.is_empty() {
            let crossing = kept.iter().filter(|pair| pair.relation == Relation::Crossing).count();
            let touching = if self.seek.touching { kept.len() - crossing } else { 0 };
            if touching + crossing > 0 {
                common.parts.insert(parts, [touching as u64, crossing as u64]);
            }
        }
        self.use_kept((a, b), (kept, is_more), met, common);
        met
    }

    fn visit_pairs(
        &mut self,
        scene: &Scene,
        (a, b): (Piece<'_>, Piece<'_>),
        leave: Leave,
        known: Known,
        common: &mut Common,
    ) -> Met {
        let mut visit = self.begin_visit(scene, (a, b), leave);
        self.visit(known, &mut visit, |visit, pair| {
            if let Some(parts) = visit.take(pair) {
                let crosses = pair.relation == Relation::Crossing;
                common.parts.entry(parts).or_default()[usize::from(crosses)] += 1;
                hold(common.parts.len(), PARTS);
            }
            ControlFlow::Continue(())
        });
        let Visit { kept, is_more, met, meeting, .. } = visit;
        common.meeting = meeting;
        self.use_kept((a, b), (kept, is_more), met, common);
        met
    }

    fn begin_visit<'a>(
        &self,
        scene: &'a Scene,
        pieces: (Piece<'a>, Piece<'a>),
        leave: Leave,
    ) -> Visit<'a> {
        Visit {
            scene,
            pieces,
            leave,
            touching: self.seek.touching,
            keeps_all: self.seek.places,
            most: self.most_kept(),
            kept: Vec::new(),
            is_more: false,
            met: Met::default(),
            meeting: BTreeSet::new(),
        }
    }

    fn visit<'a>(
        &mut self,
        known: Known,
        visit: &mut Visit<'a>,
        mut take: impl FnMut(&mut Visit<'a>, TrianglePair) -> ControlFlow<()>,
    ) {
        let (a, b) = visit.pieces;
        let visitor = |pair: TrianglePair| take(visit, pair);
        // The caller that breaks it off knows.
        let _ = if let Some(pairs) = known {
            // A traversal looks at interrupts by itself, a list does not.
            pairs.iter().copied().inspect(|_| checkpoint()).try_for_each(visitor)
        } else {
            self.tested((a, b), None);
            let (place_a, place_b) = (a.placement(), b.placement());
            query::visit(a.model(), place_a, b.model(), place_b, &mut self.workspace, visitor)
        };
    }

    /// Lists pairs that were kept, and finds out where they are.
    fn use_kept(
        &mut self,
        (a, b): (Piece<'_>, Piece<'_>),
        (mut kept, is_more): (Vec<TrianglePair>, bool),
        met: Met,
        common: &mut Common,
    ) {
        let Seek { mode, touching, places, .. } = self.seek;
        // Regions are asked of models, which are built for that alone.
        if places && (met.crossing || (met.touching && (touching || mode == Mode::Solid))) {
            common.place = if is_more || kept.len() > MOST_IN_REGIONS {
                Place::of_many(a, b, &mut self.workspace)
            } else {
                Place::of(a, b, &kept, touching)
            };
        }
        if !touching {
            kept.retain(|pair| pair.relation == Relation::Crossing);
        }
        let numbered = |pair: TrianglePair| {
            let (i, j) = (pair.a + a.first_triangle(), pair.b + b.first_triangle());
            TrianglePair { a: i, b: j, ..pair }
        };
        common.triangles = kept;
        common.triangles.truncate(self.room());
        common.triangles.shrink_to_fit();
        common.triangles.iter_mut().for_each(|pair| *pair = numbered(*pair));
    }

    /// How many pairs two pieces have in common, or which, by trees that are kept where both
    /// deform.
    fn ask_soft(&mut self, (a, b): (Piece<'_>, Piece<'_>), ask: Want) -> Option<CollisionResult> {
        if a.is_rigid() || b.is_rigid() {
            return None;
        }
        // The number of tests depends on the frame in which the trees were built.
        self.tested((a, b), None);
        let (first, second) = self.soft.pair(a, b)?;
        Some(query::collide_deformable(first, second, ask, &mut self.workspace))
    }

    /// Adds the triangle tests of two pieces to the work, which is unknown from then on if they are
    /// not given. Only counts of surfaces have a number that follows from the frame alone: lists
    /// depend on the room that is left for them. Pieces that never move are compared in one of many
    /// frames, and which one depends on the threads, so their tests count in single frames alone.
    pub(super) fn tested(
        &mut self,
        (a, b): (Piece<'_>, Piece<'_>),
        answer: Option<&CollisionResult>,
    ) {
        if a.is_still() && b.is_still() && !self.is_single {
            return;
        }
        let Seek { most_listed, places, mode, .. } = self.seek;
        let answer = answer.filter(|_| most_listed == 0 && !places && mode == Mode::Surface);
        let sum = &mut self.found.work.triangle_tests;
        *sum = sum.zip(answer).map(|(sum, answer)| sum + answer.tally.primitives);
    }

    /// All pairs of two pieces that deform, unless there may be too many to hold at once.
    pub(super) fn soft_pairs(
        &mut self,
        (a, b): (Piece<'_>, Piece<'_>),
    ) -> Option<Vec<TrianglePair>> {
        let most = (a.triangles().len() as u64).saturating_mul(b.triangles().len() as u64);
        if most > MOST_HELD && self.ask_soft((a, b), Want::Count)?.count() > MOST_HELD {
            return None;
        }
        self.ask_soft((a, b), Want::All).map(|answer| answer.pairs)
    }
}

impl Visit<'_> {
    /// Takes a pair of triangles; the parts it counts for, if it counts.
    fn take(&mut self, pair: TrianglePair) -> Option<(u32, u32)> {
        let (a, b) = self.pieces;
        self.met.any = true;
        let crosses = pair.relation == Relation::Crossing;
        let (i, j) = (a.part_of(pair.a), b.part_of(pair.b));
        if self.leave == Leave::Parts && self.scene.may_touch(a.object(), i, b.object(), j) {
            return None;
        }
        if self.leave == Leave::Parts {
            self.meeting.insert((i, j));
            hold(self.meeting.len(), PARTS);
        }
        self.met.crossing |= crosses;
        self.met.touching |= !crosses;
        let counts = crosses || self.touching;
        if counts || self.keeps_all {
            self.is_more |= self.kept.len() >= self.most;
            if !self.is_more {
                self.kept.push(pair);
            }
        }
        counts.then_some((i, j))
    }
}

impl Common {
    /// What is known without triangles.
    pub(super) fn of(judged: Judged) -> Self {
        Self { judged, ..Self::default() }
    }

    /// What holds of primitives, whatever their meshes say.
    fn decided(mut self, decided: Decided) -> Self {
        let Decided { judged, parts } = decided;
        let Some(parts) = parts.filter(|_| judged.is_meeting()) else {
            return Self { judged, ..Self::default() };
        };
        self.parts.entry(parts).or_default();
        self.judged = judged;
        if let (Some(own), Some(place)) = (self.place, &mut self.judged.place) {
            *place = Place { point: place.point, normal: place.normal, ..own };
        }
        self
    }

    pub(super) fn add(&mut self, other: Self, most: usize) {
        self.at_rest += other.at_rest;
        for (parts, [touching, crossing]) in other.parts {
            let sum = self.parts.entry(parts).or_default();
            sum[0] += touching;
            sum[1] += crossing;
        }
        let room = most.saturating_sub(self.triangles.len());
        self.triangles.extend(other.triangles.into_iter().take(room));
        self.judged.add(other.judged);
    }
}
