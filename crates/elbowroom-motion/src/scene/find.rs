//! Who meets whom on a stage.
//!
//! Each object asks for the pieces after its own that are near them ([`Broad`]), by boxes that are
//! grown by the clearance if one is asked for; all others are certainly clear. So pairs are never
//! written down: 100,000 copies of one mesh make 5 billion. Other [`Candidates`] may answer in
//! place of these boxes. Pieces whose boxes overlap are compared
//! exactly, triangle by triangle, and what they have in common is summed up by object and by part
//! of the body. What they are to each other is judged then ([`Judged`](super::judge::Judged)).
//! Pieces that never move are compared with each other once, and [`Copies`] share what is found.
//!
//! Invariants: the meetings are those of comparing every two pieces; they are ordered by their
//! objects, and follow from the stage alone. A pair counts as examined however it was told apart.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::allow::Leave;
use super::candidates::{Candidates, FindWork, piece_pairs};
use super::common::Common;
use super::contact::{ContactSummary, Meeting, PartPair};
use super::copies::Copies;
use super::judge::Told;
use super::near::RestNear;
use super::object::ObjectId;
use super::refine;
use super::rest::Rest;
use super::scene::Scene;
use super::soft::Trees;
use super::stage::{Piece, Stage};
use elbowroom::internal::broad_phase::{Broad, Method};
use elbowroom::internal::math::sort::many_by_key;
use elbowroom::internal::query::Mode;
use elbowroom::internal::traverse::Workspace;
use elbowroom::interrupt::{checkpoint, hold};

/// The most pairs of pieces that never move whose relation is remembered; others are compared in
/// every frame.
const MOST_STILL: usize = 1 << 20;

/// What two objects that meet take at least.
const MET: usize = 200;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that may be sought")]
pub struct Seek {
    /// What meshes stand for. Parts of one mesh are closed where they are cut out of it, so that
    /// what is said of them as solids is an estimate.
    pub mode: Mode,
    /// How near is too near: objects that do not meet, but are as near as this, are meetings, too,
    /// unless it is zero. With `None`, no distance is told.
    pub clearance: Option<f64>,
    /// Whether what only touches counts: of triangles, and of objects as they are meant.
    pub touching: bool,
    /// Whether the parts that meet are told.
    pub parts: bool,
    /// The most meetings of one frame; the search ends where there are more.
    pub most_meetings: usize,
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
            clearance: None,
            touching: true,
            parts: true,
            most_meetings: usize::MAX,
            most_listed: 0,
            places: false,
            through: false,
            depth: false,
            rest: Rest::Count,
        }
    }
}

impl Seek {
    /// How near is too near; zero if only contact counts.
    pub(super) fn reach(&self) -> f64 {
        self.clearance.unwrap_or_default().max(0.0)
    }
}

/// What was found on a stage, and how much was examined to find it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Who meets whom, ordered by the first object and then by the second.
    pub meetings: Vec<Meeting>,
    /// How many objects were there.
    pub present: u64,
    /// How many pairs of objects were examined: all that were there, but for those that may touch;
    /// and objects that are compared with themselves.
    pub pairs_examined: u64,
    /// How many pairs of parts were examined of objects that are compared with themselves.
    pub part_pairs_examined: u64,
    /// How many pairs of triangles were left out because they already meet at rest, and how many
    /// pairs of parts that are no nearer than at rest.
    pub rest_left_out: u64,
    /// The first objects that meet in more pairs of triangles than could still be listed, if any
    /// do.
    pub cut: Option<(ObjectId, ObjectId)>,
    /// Whether there are more meetings than were to be found. Then nothing else holds.
    pub is_full: bool,
    /// What finding took.
    pub work: FindWork,
}

/// Finds meetings, frame after frame, and remembers what cannot change.
#[derive(Debug)]
pub struct Finder {
    pub(super) seek: Seek,
    broad: Broad,
    /// What finds near pieces in place of the boxes.
    candidates: Option<Box<dyn Candidates>>,
    /// The pairs that `candidates` gives for one object: pairs of pieces in order.
    given: Vec<(u32, u32)>,
    pub(super) workspace: Workspace,
    /// The scene whose boxes these are.
    of: Option<Arc<()>>,
    copies: Copies,
    /// What objects of one piece each have in common, by the first copies of them: of those that
    /// never move, for good, and of others in this frame.
    still: HashMap<(u32, u32), Option<Arc<ContactSummary>>>,
    moving: HashMap<(u32, u32), Option<Arc<ContactSummary>>>,
    /// What other pieces that never move have in common.
    still_pieces: HashMap<(u32, u32), Common>,
    /// What a piece that never moves has in common with itself.
    pub(super) own_still: HashMap<u32, Sums>,
    /// How near parts of objects are at rest.
    pub(super) rest_near: HashMap<u32, Arc<RestNear>>,
    /// Trees of pieces that deform.
    pub(super) soft: Trees,
    pub(super) found: Found,
    /// How many pairs of triangles are listed, for good and in all.
    listed: [usize; 2],
    /// How many meetings of this frame are shared with none.
    unshared: usize,
    near: Vec<u32>,
    /// How many objects were compared with those after them, for a progress display.
    done: Arc<AtomicU64>,
    /// Whether the scene has one frame only.
    pub(super) is_single: bool,
    /// The objects that are being compared.
    pub(super) comparing: Option<(ObjectId, ObjectId)>,
    /// Whether a search has begun and not ended: it was interrupted if another begins.
    is_searching: bool,
}

/// Who meets whom: two objects, and of one object two of its parts, the lower first.
pub(super) type Key = (u32, u32, Option<(u32, u32)>);

/// What was found of each.
pub(super) type Sums = BTreeMap<Key, Common>;

impl Finder {
    /// Knows nothing yet.
    pub fn new(seek: Seek) -> Self {
        Self {
            seek,
            broad: Broad::new(Method::Tree),
            candidates: None,
            given: Vec::new(),
            workspace: Workspace::default(),
            of: None,
            copies: Copies::default(),
            still: HashMap::new(),
            moving: HashMap::new(),
            still_pieces: HashMap::new(),
            own_still: HashMap::new(),
            rest_near: HashMap::new(),
            soft: Trees::default(),
            found: Found::default(),
            listed: [0; 2],
            unshared: 0,
            near: Vec::new(),
            done: Arc::default(),
            is_single: false,
            comparing: None,
            is_searching: false,
        }
    }

    /// Counts the objects that were compared with those after them, frame by frame, for a display
    /// of progress.
    #[must_use]
    pub fn counting(self, done: Arc<AtomicU64>) -> Self {
        Self { done, ..self }
    }

    /// Finds near pieces by other candidates than the boxes of all pieces. The meetings are the
    /// same.
    #[must_use]
    pub fn with_candidates(self, candidates: Box<dyn Candidates>) -> Self {
        Self { candidates: Some(candidates), ..self }
    }

    /// The objects that were being compared when a search was interrupted.
    pub fn interrupted_at(&self) -> Option<(ObjectId, ObjectId)> {
        self.comparing.filter(|_| self.is_searching)
    }

    /// Finds all meetings on a stage that the scene has set. A stage of another scene, or one that
    /// was not set, is empty.
    pub fn find(&mut self, scene: &Scene, stage: &Stage) -> Found {
        let Some(planes) = self.begin(scene, stage) else { return Found::default() };
        for object in 0..scene.objects().len() as u32 {
            self.find_of(scene, stage, ObjectId(object), 0..stage.len() as u32, &planes);
            self.done.fetch_add(1, Ordering::Relaxed);
            if self.found.is_full {
                break;
            }
        }
        self.count(scene, stage);
        self.end()
    }

    /// Finds the meetings of two objects, or of one with itself, as [`find`](Self::find) finds them
    /// among all; nothing is counted.
    pub fn find_pair(
        &mut self,
        scene: &Scene,
        stage: &Stage,
        (a, b): (ObjectId, ObjectId),
    ) -> Vec<Meeting> {
        let Some(planes) = self.begin(scene, stage) else { return Vec::new() };
        self.find_of(scene, stage, a.min(b), scene.pieces(a.max(b)), &planes);
        self.end().meetings
    }

    /// Half-spaces and what is near them, if the stage is one of this scene.
    fn begin(&mut self, scene: &Scene, stage: &Stage) -> Option<Vec<(u32, u32)>> {
        let is_set = |(token, _): &(Arc<()>, u32)| Arc::ptr_eq(token, &scene.token);
        if !stage.of.as_ref().is_some_and(is_set) {
            return None;
        }
        let is_same = self.of.as_ref().is_some_and(|token| Arc::ptr_eq(token, &scene.token));
        // A search that was interrupted has left its memory in some state between.
        if !is_same || self.is_searching {
            let (of, copies) = (Some(Arc::clone(&scene.token)), Copies::new(scene, stage));
            let mut candidates = self.candidates.take();
            if let Some(candidates) = &mut candidates {
                candidates.forget();
            }
            let new = Self::new(self.seek).counting(Arc::clone(&self.done));
            *self = Self { candidates, of, copies, ..new };
        }
        self.is_searching = true;
        let box_tests = self.candidates.as_ref().map(|_| 0);
        let work = FindWork { box_tests, triangle_tests: Some(0), ..FindWork::default() };
        self.found = Found { work, ..Found::default() };
        self.is_single = !is_asked_again(scene);
        self.moving.clear();
        (self.listed[1], self.unshared) = (self.listed[0], 0);
        match &mut self.candidates {
            Some(candidates) => candidates.begin(scene, stage, self.seek.reach()),
            None => self.set_boxes(stage),
        }
        self.soft.begin();
        Some(planes(stage, self.seek.reach()))
    }

    fn end(&mut self) -> Found {
        self.is_searching = false;
        std::mem::take(&mut self.found)
    }

    fn set_boxes(&mut self, stage: &Stage) {
        // Each grows by half, and by a little more than distances are rounded.
        let margin = self.seek.reach() * (0.5 + 1e-8);
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
        self.broad.refresh();
    }

    /// The meetings of an object with itself and those after it, as far as their pieces are among
    /// some.
    fn find_of(
        &mut self,
        scene: &Scene,
        stage: &Stage,
        object: ObjectId,
        among: Range<u32>,
        planes: &[(u32, u32)],
    ) {
        let (first, mut sums) = (self.found.meetings.len(), Sums::new());
        if let Some(candidates) = &mut self.candidates {
            let tests = candidates.of(scene, object, &mut self.given);
            self.found.work.box_tests = self.found.work.box_tests.map(|sum| sum + tests);
        }
        for piece in scene.pieces(object).filter_map(|number| stage.piece(number)) {
            let mut near = std::mem::take(&mut self.near);
            self.list_near(piece, &among, planes, &mut near);
            for other in near.iter().filter_map(|&number| stage.piece(number)) {
                checkpoint();
                self.find_two(scene, stage, (piece, other), &mut sums);
            }
            self.near = near;
        }
        if among.contains(&scene.pieces(object).start) {
            self.find_within(scene, stage, object, &mut sums);
        }
        for (key, sum) in sums {
            let mut contact = self.summary(scene, stage, key, sum);
            self.list(&mut contact, (ObjectId(key.0), ObjectId(key.1)), false);
            self.unshared += 1;
            hold(self.unshared, MET);
            self.add(stage, (ObjectId(key.0), ObjectId(key.1)), Arc::new(contact));
        }
        // Stable, so that parts of one object stay in order.
        many_by_key(&mut self.found.meetings[first..], |meeting| meeting.b);
    }

    /// The pieces after one, among some, that are candidates because their boxes overlap that of
    /// it, or that a half-space is not clear of; in order.
    fn list_near(
        &self,
        piece: Piece<'_>,
        among: &Range<u32>,
        planes: &[(u32, u32)],
        near: &mut Vec<u32>,
    ) {
        let (number, from) = (piece.number(), among.start.max(piece.number() + 1));
        near.clear();
        if self.candidates.is_some() {
            near.extend(partners(&self.given, number, from));
        } else if let Some(bounds) = self.broad.get(number) {
            self.broad.near_from(from, bounds, near);
        }
        let boxes = near.len();
        near.extend(partners(planes, number, from));
        if near.len() > boxes {
            near.sort_unstable();
            near.dedup();
        }
        near.truncate(near.partition_point(|&b| b < among.end));
    }

    fn find_two(
        &mut self,
        scene: &Scene,
        stage: &Stage,
        (first, second): (Piece<'_>, Piece<'_>),
        sums: &mut Sums,
    ) {
        let (a, b) = (first.object(), second.object());
        let leave = scene.leave(a.index(), b.index());
        if leave == Leave::All || self.found.is_full {
            return;
        }
        self.comparing = Some((a, b));
        if a == b {
            self.find_own(scene, (first, second), leave, sums);
            return;
        }
        self.found.work.pairs_left += u64::from(!may_touch(scene, (first, second), leave));
        if scene.pieces(a).len() == 1 && scene.pieces(b).len() == 1 {
            if let Some(contact) = self.lone(scene, stage, (first, second), leave) {
                self.add(stage, (a, b), contact);
            }
        } else {
            let common = self.common(scene, (first, second), leave);
            if common.judged.is_meeting() {
                let room = self.room();
                sums.entry((a.0, b.0, None)).or_default().add(common, room);
                hold(sums.len(), MET);
            }
        }
    }

    fn add(&mut self, stage: &Stage, (a, b): (ObjectId, ObjectId), contact: Arc<ContactSummary>) {
        self.found.is_full |= self.found.meetings.len() >= self.seek.most_meetings;
        if !self.found.is_full {
            let frame = stage.frame().unwrap_or_default();
            self.found.meetings.push(Meeting { frame, a, b, contact });
        }
    }

    /// How two objects of one piece each meet, if they do: found now, or known of them or of copies
    /// of them.
    fn lone(
        &mut self,
        scene: &Scene,
        stage: &Stage,
        (a, b): (Piece<'_>, Piece<'_>),
        leave: Leave,
    ) -> Option<Arc<ContactSummary>> {
        // Copies are of one part each, but rules may name one of them.
        if may_touch(scene, (a, b), leave) {
            return None;
        }
        let are_still = a.is_still() && b.is_still();
        let (key, is_copied) = self.copies.of(a.object().index(), b.object().index());
        let known = if are_still { &self.still } else { &self.moving };
        if let Some(known) = known.get(&key) {
            return known.clone();
        }
        let common = self.compare(scene, a, b, leave);
        let is_again = are_still && is_asked_again(scene) && self.still.len() < MOST_STILL;
        let found = common.judged.is_meeting().then(|| {
            let (first, second) = (a.object(), b.object());
            let mut contact = self.summary(scene, stage, (first.0, second.0, None), common);
            self.list(&mut contact, (first, second), is_again);
            Arc::new(contact)
        });
        let known = if are_still { &mut self.still } else { &mut self.moving };
        // Of clear pairs there may be more than memory for them.
        if is_again || (is_copied && (found.is_some() || known.len() < MOST_STILL)) {
            known.insert(key, found.clone());
        }
        found
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
        if let Some(known) = self.still_pieces.get(&key) {
            return known.clone();
        }
        let common = self.compare(scene, a, b, leave);
        if is_asked_again(scene) && self.still_pieces.len() < MOST_STILL {
            self.still_pieces.insert(key, common.clone());
        }
        common
    }

    /// How many more pairs of triangles may be listed.
    pub(super) fn room(&self) -> usize {
        self.seek.most_listed.saturating_sub(self.listed[1])
    }

    /// Leaves no more pairs of triangles than may be listed; those of objects that never move take
    /// room for good.
    fn list(&mut self, contact: &mut ContactSummary, pair: (ObjectId, ObjectId), is_kept: bool) {
        if self.seek.most_listed == 0 {
            return;
        }
        contact.triangles.truncate(self.room());
        let listed = contact.triangles.len();
        if (listed as u64) < contact.triangle_pairs() {
            self.found.cut.get_or_insert(pair);
        }
        self.listed[1] += listed;
        self.listed[0] += if is_kept { listed } else { 0 };
    }

    /// What follows from what the pieces of two objects have in common.
    fn summary(&self, scene: &Scene, stage: &Stage, key: Key, sum: Common) -> ContactSummary {
        let mut parts: Vec<PartPair> = sum
            .parts
            .into_iter()
            .map(|((a, b), [touching, crossing])| PartPair { a, b, touching, crossing })
            .collect();
        // Of parts that are only near, no triangles meet.
        if let (true, Some((a, b))) = (parts.is_empty(), key.2.or(sum.judged.near_parts)) {
            parts.push(PartPair { a, b, touching: 0, crossing: 0 });
        }
        // Stable, so that equals stay in the order of the parts.
        many_by_key(&mut parts, |pair| std::cmp::Reverse(pair.touching + pair.crossing));
        let touching = parts.iter().map(|pair| pair.touching).sum();
        let crossing = parts.iter().map(|pair| pair.crossing).sum();
        if !self.seek.parts {
            parts.clear();
        }
        let mut triangles = sum.triangles;
        triangles.sort_unstable();
        let Told { kind, inside, distance, place } = sum.judged.told(scene, stage, key);
        ContactSummary {
            kind,
            inside,
            through: sum.judged.through,
            certainty: sum.judged.certainty,
            bound: sum.judged.bound,
            distance,
            touching,
            crossing,
            parts,
            at_rest: sum.at_rest,
            triangles,
            place: place.map(Box::new),
            overlap: sum.judged.overlap.map(Box::new),
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
        self.found.work.piece_pairs = piece_pairs(scene, stage);
        self.found.present = n;
        self.found.pairs_examined = n * n.saturating_sub(1) / 2 - left_out + itself;
    }
}

/// Whether there is another frame: in a single frame no query follows.
fn is_asked_again(scene: &Scene) -> bool {
    scene.timing().first < scene.timing().last
}

/// Whether two pieces are of one part each, and these may touch.
fn may_touch(scene: &Scene, (a, b): (Piece<'_>, Piece<'_>), leave: Leave) -> bool {
    let parts = a.only_part().zip(b.only_part()).filter(|_| leave == Leave::Parts);
    parts.is_some_and(|(i, j)| scene.may_touch(a.object(), i, b.object(), j))
}

/// The second pieces of the pairs of one, from a piece on. The pairs are in order.
fn partners(pairs: &[(u32, u32)], piece: u32, from: u32) -> impl Iterator<Item = u32> {
    let first = pairs.partition_point(|&(a, _)| a < piece);
    let own = pairs[first..].iter().take_while(move |&&(a, _)| a == piece);
    own.map(|&(_, b)| b).filter(move |&b| b >= from)
}

/// Half-spaces and what is beyond their boxes, as pairs of pieces in order. Boxes that a half-space
/// is clear of by more than the clearance are left out.
fn planes(stage: &Stage, clearance: f64) -> Vec<(u32, u32)> {
    let planes: Vec<_> =
        stage.pieces().filter_map(|p| Some((p.number(), refine::plane(&p)?))).collect();
    let mut pairs = Vec::new();
    if planes.is_empty() {
        return pairs;
    }
    for piece in stage.pieces() {
        let bounds = piece.bounds();
        let (middle, half) = (bounds.min.midpoint(bounds.max), 0.5 * (bounds.max - bounds.min));
        for &(number, (point, normal)) in &planes {
            let lowest = normal.dot(middle - point) - normal.abs().dot(half);
            let slack = 1e-9 * (middle.abs().max(half).max(point.abs()).max_element() + clearance);
            if number != piece.number() && lowest <= clearance + slack {
                pairs.push((number.min(piece.number()), number.max(piece.number())));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}
