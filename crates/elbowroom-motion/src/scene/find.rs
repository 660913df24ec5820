//! Who meets whom on a stage.
//!
//! Boxes around the pieces are compared first ([`Broad`]), grown by the clearance if one is asked for; pieces whose boxes overlap are compared
//! exactly, triangle by triangle, and what they have in common is summed up by object and by part of the body. What they are to each other is
//! judged then ([`Judged`]). Pieces that never move are compared with each other once.
//!
//! Invariants: the meetings are those of comparing every two pieces; they are ordered by their objects, and follow from the stage alone.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::allow::Leave;
use super::judge::{Judged, Met, Told};
use super::object::ObjectId;
use super::overlap::PenetrationSummary;
use super::place::Place;
use super::refine::{self, Decided, Pair};
use super::rest::Rest;
use super::scene::Scene;
use super::soft::Trees;
use super::stage::{Piece, Stage};
use elbowroom::internal::broad_phase::Broad;
use elbowroom::internal::exact::Relation;
use elbowroom::internal::math::sort::many_by_key;
use elbowroom::internal::query;
use elbowroom::internal::query::{
    Answer, Certainty, ContactKind, Inside, Known, Mode, Question, Through, TrianglePair, Want,
};
use elbowroom::internal::traverse::Workspace;
use elbowroom::interrupt::{checkpoint, hold};

/// The most pairs of triangles of two pieces that are held at once, some 100 MB. Beyond, copies of triangles make as many as one likes.
const MOST_HELD: u64 = 1 << 23;

/// The most pairs of pieces that never move whose relation is remembered; others are compared in every frame.
const MOST_STILL: usize = 1 << 20;

/// What two objects that meet, or two of their parts, take at least.
const MET: usize = 200;
const PARTS: usize = 50;

/// What a pair of triangles takes while regions are made of them.
const IN_REGION: usize = 150;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that may be sought")]
pub struct Seek {
    /// What meshes stand for. Parts of one mesh are always compared as surfaces are.
    pub mode: Mode,
    /// How near is too near: with more than zero, objects that do not meet, but are as near as this, are meetings, too. Of parts of one mesh
    /// it is not asked.
    pub clearance: f64,
    /// Whether what only touches counts: of triangles, and of objects as they are meant.
    pub touching: bool,
    /// The most pairs of triangles that are listed in one frame; none unless said.
    pub most_listed: usize,
    /// Whether it is also found out where on them objects meet.
    pub places: bool,
    /// Whether it is also found out which object goes right through the other.
    pub through: bool,
    /// Whether it is also measured how deep and how much objects are in each other, as solids.
    pub depth: bool,
    /// Whether what already meets at rest counts, where an object is compared with itself.
    pub rest: Rest,
}

impl Default for Seek {
    fn default() -> Self {
        Self {
            mode: Mode::Surface,
            clearance: 0.0,
            touching: true,
            most_listed: 0,
            places: false,
            through: false,
            depth: false,
            rest: Rest::Count,
        }
    }
}

/// Two parts of two objects that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartPair {
    /// The part of the first object, by its place in [`Scene::parts`].
    pub a: u32,
    /// The part of the second.
    pub b: u32,
    /// How many pairs of their triangles touch.
    pub touching: u64,
    /// How many cross.
    pub crossing: u64,
}

/// Two objects that meet or are too near each other; or two parts of one, or one part that meets itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting {
    /// The object that comes first in the scene.
    pub a: ObjectId,
    /// The other.
    pub b: ObjectId,
    /// What they are to each other. An object of several pieces is a part or a duplicate of another if all its pieces are; if only some
    /// are, the objects cross as solids, and touch or cross as surfaces.
    pub kind: ContactKind,
    /// Which is a part of the other, if one is.
    pub inside: Option<Inside>,
    /// Which goes right through the other, if that was asked for and they cross.
    pub through: Through,
    /// Whether this is exact: it is for surfaces, and for solids whose meshes are closed. Of a cylinder or ellipsoid only its
    /// enclosing mesh may meet; that is an estimate.
    pub certainty: Certainty,
    /// How far the shapes that were compared may reach beyond the true ones: more than 0 for cylinders and ellipsoids.
    pub bound: f64,
    /// How far apart their surfaces are, with a minus sign if one is within the other; nothing beyond the clearance.
    pub distance: Option<f64>,
    /// How many pairs of triangles touch.
    pub touching: u64,
    /// How many cross.
    pub crossing: u64,
    /// The parts that meet, those with the most pairs of triangles first; of objects that are only near each other, the two that are nearest. Where an
    /// object meets itself, one pair, the lower part first.
    pub parts: Vec<PartPair>,
    /// How many of the pairs of triangles already meet at rest, where an object meets itself.
    pub at_rest: u64,
    /// The pairs of triangles in order, numbered by object, if they were asked for; cut off where there are too many.
    pub triangles: Vec<TrianglePair>,
    /// Where on them they meet, if it was asked for, or where they are nearest, if that is known.
    pub place: Option<Place>,
    /// How deep and how much they are in each other, if it was asked for and they have a point in common; nothing for one part and itself.
    pub overlap: Option<PenetrationSummary>,
}

/// What was found on a stage, and how much was examined to find it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Who meets whom, ordered by the first object and then by the second.
    pub meetings: Vec<Meeting>,
    /// How many objects were there.
    pub present: u64,
    /// How many pairs of objects were examined: all that were there, but for those that may touch; and objects that are compared with themselves.
    pub pairs_examined: u64,
    /// How many pairs of parts were examined of objects that are compared with themselves.
    pub part_pairs_examined: u64,
    /// How many pairs of triangles were left out because they already meet at rest.
    pub rest_left_out: u64,
    /// Whether there were more pairs of triangles than were to be listed.
    pub is_cut: bool,
}

/// Finds meetings, frame after frame, and remembers what cannot change.
#[derive(Debug)]
pub struct Finder {
    pub(super) seek: Seek,
    broad: Broad,
    pub(super) workspace: Workspace,
    /// The scene whose boxes these are.
    of: Option<Arc<()>>,
    /// What pieces that never move have in common.
    still: HashMap<(u32, u32), Common>,
    /// What a piece that never moves has in common with itself.
    pub(super) own_still: HashMap<u32, Sums>,
    /// Trees of pieces that deform.
    soft: Trees,
    pub(super) found: Found,
    /// The objects that are being compared.
    pub(super) comparing: Option<(ObjectId, ObjectId)>,
    /// Whether a search has begun and not ended: it was interrupted if another begins.
    is_searching: bool,
}

/// Who meets whom: two objects, and of one object two of its parts, the lower first.
pub(super) type Key = (u32, u32, Option<(u32, u32)>);

/// What was found of each.
pub(super) type Sums = BTreeMap<Key, Common>;

/// What two pieces have in common.
#[derive(Clone, Debug, Default)]
pub(super) struct Common {
    pub(super) parts: BTreeMap<(u32, u32), [u64; 2]>,
    pub(super) triangles: Vec<TrianglePair>,
    /// How many pairs of triangles already meet at rest.
    pub(super) at_rest: u64,
    /// Where two pieces meet.
    place: Option<Place>,
    pub(super) judged: Judged,
}

/// Which pairs of triangles count, and how many are listed.
#[derive(Clone, Copy)]
struct Counting {
    leave: Leave,
    touching: bool,
    most: usize,
}

impl Finder {
    /// Knows nothing yet.
    pub fn new(seek: Seek) -> Self {
        Self {
            seek,
            broad: Broad::default(),
            workspace: Workspace::default(),
            of: None,
            still: HashMap::new(),
            own_still: HashMap::new(),
            soft: Trees::default(),
            found: Found::default(),
            comparing: None,
            is_searching: false,
        }
    }

    /// The objects that were being compared when a search was interrupted.
    pub fn interrupted_at(&self) -> Option<(ObjectId, ObjectId)> {
        self.comparing.filter(|_| self.is_searching)
    }

    /// Finds all meetings on a stage that the scene has set. A stage of another scene, or one that was not set, is empty.
    pub fn find(&mut self, scene: &Scene, stage: &Stage) -> &Found {
        self.found = Found::default();
        let is_set = |(token, _): &(Arc<()>, u32)| Arc::ptr_eq(token, &scene.token);
        if !stage.of.as_ref().is_some_and(is_set) {
            return &self.found;
        }
        let is_same = self.of.as_ref().is_some_and(|token| Arc::ptr_eq(token, &scene.token));
        // A search that was interrupted has left its memory in some state between.
        if !is_same || self.is_searching {
            *self = Self { of: Some(Arc::clone(&scene.token)), ..Self::new(self.seek) };
        }
        self.is_searching = true;
        self.set_boxes(stage);
        self.soft.begin();
        let mut sums = Sums::new();
        let mut pairs = self.broad.pairs().to_vec();
        add_planes(stage, self.seek.clearance, &mut pairs);
        for (a, b) in pairs {
            checkpoint();
            let (Some(first), Some(second)) = (stage.piece(a), stage.piece(b)) else { continue };
            let key = (first.object().0, second.object().0);
            self.comparing = Some((first.object(), second.object()));
            let leave = scene.leave(key.0 as usize, key.1 as usize);
            if leave == Leave::All {
                continue;
            }
            if key.0 == key.1 {
                self.find_own(scene, (first, second), leave, &mut sums);
            } else {
                let common = self.common(scene, (first, second), leave);
                if common.judged.is_meeting() {
                    let key = (key.0, key.1, None);
                    sums.entry(key).or_default().add(common, self.seek.most_listed);
                    hold(sums.len(), MET);
                }
            }
        }
        self.find_within(scene, stage, &mut sums);
        let meeting = |(key, sum)| meeting(scene, stage, key, sum);
        self.found.meetings = sums.into_iter().map(meeting).collect();
        self.cut();
        self.count(scene, stage);
        self.is_searching = false;
        &self.found
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

    /// The contact of two pieces, computed now or cached.
    pub(super) fn common(
        &mut self,
        scene: &Scene,
        pieces: (Piece<'_>, Piece<'_>),
        leave: Leave,
    ) -> Common {
        let (a, b) = pieces;
        if !(a.is_still() && b.is_still()) {
            return self.compare(scene, a, b, leave);
        }
        let key = (a.number(), b.number());
        if let Some(known) = self.still.get(&key) {
            return known.clone();
        }
        let common = self.compare(scene, a, b, leave);
        let timing = scene.timing();
        // In a single frame no query follows.
        if timing.first < timing.last && self.still.len() < MOST_STILL {
            self.still.insert(key, common.clone());
        }
        common
    }

    fn compare(&mut self, scene: &Scene, a: Piece<'_>, b: Piece<'_>, leave: Leave) -> Common {
        let mut common = Common::default();
        let is_allowed = |i, j| scene.may_touch(a.object(), i, b.object(), j);
        let are_counted =
            self.seek.most_listed == 0 && !self.seek.places && self.seek.mode == Mode::Surface;
        let mut known = None;
        let met = match (a.only_part(), b.only_part()) {
            (Some(i), Some(j)) if leave == Leave::Parts && is_allowed(i, j) => return common,
            (Some(i), Some(j)) if are_counted => self.count_pairs((a, b), (i, j), &mut common),
            _ => {
                known = self.soft_pairs((a, b));
                self.visit_pairs(scene, (a, b), leave, known.as_deref(), &mut common)
            }
        };
        // Of two parts that may not touch, all triangles count.
        let are_lone = a.only_part().is_some() && b.only_part().is_some();
        let may_touch: Option<&dyn Fn(u32, u32) -> bool> =
            if leave == Leave::Parts && !are_lone { Some(&is_allowed) } else { None };
        let (seek, known) = (&self.seek, known.as_deref());
        if let Some(pair) = Pair::of(a, b, may_touch)
            && let Some(decided) = pair.decide(met, seek, known, &mut self.workspace)
        {
            return common.decided(decided);
        }
        common.judged = Judged::of((a, b), met, seek, may_touch, known, &mut self.workspace);
        common.judged.set_place(common.place);
        common
    }

    /// Pieces of one part each, of which pairs need only be counted.
    fn count_pairs(
        &mut self,
        (a, b): (Piece<'_>, Piece<'_>),
        parts: (u32, u32),
        common: &mut Common,
    ) -> Met {
        let question = Question { ask: Want::Count, ..Question::default() };
        let soft = self.ask_soft((a, b), Want::Count);
        let answer = soft.unwrap_or_else(|| {
            let (place_a, place_b) = (a.placement(), b.placement());
            query::ask(a.model(), place_a, b.model(), place_b, &question, &mut self.workspace)
        });
        let touching = if self.seek.touching { answer.touching } else { 0 };
        if touching + answer.crossing > 0 {
            common.parts.insert(parts, [touching, answer.crossing]);
        }
        Met::of_counts(answer.touching, answer.crossing)
    }

    /// How many pairs two pieces have in common, or which, by trees that are kept where both deform.
    fn ask_soft(&mut self, (a, b): (Piece<'_>, Piece<'_>), ask: Want) -> Option<Answer> {
        let (first, second) = self.soft.pair(a, b)?;
        Some(query::ask_soft(first, second, ask, &mut self.workspace))
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

    fn visit_pairs(
        &mut self,
        scene: &Scene,
        (a, b): (Piece<'_>, Piece<'_>),
        leave: Leave,
        known: Known,
        common: &mut Common,
    ) -> Met {
        let Seek { most_listed: most, touching, places, .. } = self.seek;
        let (mut met, mut counted) = (Met::default(), Vec::new());
        let how = Counting { leave, touching, most };
        let visitor = |pair: TrianglePair| {
            if common.count(scene, (a, b), pair, how, &mut met) && places {
                counted.push(pair);
                hold(counted.len(), IN_REGION);
            }
            ControlFlow::Continue(())
        };
        // The visitor never breaks it off.
        let _ = if let Some(pairs) = known {
            // A descent looks at interrupts by itself, a list does not.
            pairs.iter().copied().inspect(|_| checkpoint()).try_for_each(visitor)
        } else {
            let (place_a, place_b) = (a.placement(), b.placement());
            query::visit(a.model(), place_a, b.model(), place_b, &mut self.workspace, visitor)
        };
        // Regions are asked of models, which are built for that alone.
        if !counted.is_empty() {
            common.place = Place::of(a, b, &counted);
        }
        met
    }

    /// Leaves no more pairs of triangles than are to be listed.
    fn cut(&mut self) {
        let mut room = self.seek.most_listed;
        let Found { meetings, is_cut, .. } = &mut self.found;
        if room == 0 {
            return;
        }
        for meeting in meetings {
            *is_cut |= (meeting.triangles.len() as u64) < meeting.touching + meeting.crossing
                || meeting.triangles.len() > room;
            meeting.triangles.truncate(room);
            room -= meeting.triangles.len();
        }
    }

    fn count(&mut self, scene: &Scene, stage: &Stage) {
        let objects = 0..scene.objects().len() as u32;
        let present: Vec<usize> = objects
            .filter(|&object| stage.is_present(scene, ObjectId(object)))
            .map(|object| object as usize)
            .collect();
        let own = present.iter().map(|&object| scene.own_pairs(ObjectId(object as u32)));
        self.found.part_pairs_examined = own.clone().sum();
        let itself = own.filter(|&pairs| pairs > 0).count() as u64;
        let n = present.len() as u64;
        let left_out = scene.pairs_left_out(&present);
        self.found.present = n;
        self.found.pairs_examined = n * n.saturating_sub(1) / 2 - left_out + itself;
    }
}

impl Common {
    /// What is known without triangles.
    pub(super) fn of(judged: Judged) -> Self {
        Self { judged, ..Self::default() }
    }

    /// Counts a pair of triangles of two pieces, unless it may touch; whether it was counted.
    fn count(
        &mut self,
        scene: &Scene,
        (a, b): (Piece<'_>, Piece<'_>),
        pair: TrianglePair,
        how: Counting,
        met: &mut Met,
    ) -> bool {
        met.any = true;
        let crosses = pair.relation == Relation::Crossing;
        let parts = (a.part_of(pair.a), b.part_of(pair.b));
        if how.leave == Leave::Parts && scene.may_touch(a.object(), parts.0, b.object(), parts.1) {
            return false;
        }
        met.crossing |= crosses;
        met.touching |= !crosses;
        if !(crosses || how.touching) {
            return false;
        }
        self.parts.entry(parts).or_default()[usize::from(crosses)] += 1;
        hold(self.parts.len(), PARTS);
        if self.triangles.len() < how.most {
            let (i, j) = (pair.a + a.first_triangle(), pair.b + b.first_triangle());
            self.triangles.push(TrianglePair { a: i, b: j, ..pair });
        }
        true
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

fn meeting(scene: &Scene, stage: &Stage, key: Key, sum: Common) -> Meeting {
    let (a, b, own) = key;
    let mut parts: Vec<PartPair> = sum
        .parts
        .into_iter()
        .map(|((a, b), [touching, crossing])| PartPair { a, b, touching, crossing })
        .collect();
    // Of parts that are only near, no triangles meet.
    if let (true, Some((a, b))) = (parts.is_empty(), own.or(sum.judged.near_parts)) {
        parts.push(PartPair { a, b, touching: 0, crossing: 0 });
    }
    // Stable, so that equals stay in the order of the parts.
    many_by_key(&mut parts, |pair| std::cmp::Reverse(pair.touching + pair.crossing));
    let mut triangles = sum.triangles;
    triangles.sort_unstable();
    let Told { kind, inside, distance, place } = sum.judged.told(scene, stage, key);
    Meeting {
        a: ObjectId(a),
        b: ObjectId(b),
        kind,
        inside,
        through: sum.judged.through,
        certainty: sum.judged.certainty,
        bound: sum.judged.bound,
        distance,
        touching: parts.iter().map(|pair| pair.touching).sum(),
        crossing: parts.iter().map(|pair| pair.crossing).sum(),
        parts,
        at_rest: sum.at_rest,
        triangles,
        place,
        overlap: sum.judged.overlap,
    }
}
