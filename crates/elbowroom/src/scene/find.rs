//! Who meets whom on a stage.
//!
//! Boxes around the pieces are compared first ([`Broad`]); pieces whose boxes overlap are compared exactly, triangle by triangle, and what
//! they have in common is summed up by object and by part of the body. Pieces that never move are compared with each other once.
//!
//! Invariants: the meetings are those of comparing every two pieces; they are ordered by their objects, and follow from the stage alone.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::allow::Leave;
use super::object::ObjectId;
use super::place::Place;
use super::scene::Scene;
use super::stage::{Piece, Stage};
use crate::broad::Broad;
use crate::descend::Workspace;
use crate::exact::Relation;
use crate::query::{self, Ask, Neighbours, Question, TrianglePair};

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seek {
    /// Whether triangles that only touch count.
    pub touching: bool,
    /// The most pairs of triangles that are listed in one frame; none unless said.
    pub most_listed: usize,
    /// Whether it is also found out where on them objects meet.
    pub places: bool,
}

impl Default for Seek {
    fn default() -> Self {
        Self { touching: true, most_listed: 0, places: false }
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

/// Two objects that meet, or one that meets itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting {
    /// The object that comes first in the scene.
    pub a: ObjectId,
    /// The other.
    pub b: ObjectId,
    /// How many pairs of triangles touch.
    pub touching: u64,
    /// How many cross.
    pub crossing: u64,
    /// The parts that meet, those with the most pairs of triangles first.
    pub parts: Vec<PartPair>,
    /// The pairs of triangles in order, numbered by object, if they were asked for; cut off where there are too many.
    pub triangles: Vec<TrianglePair>,
    /// Where on them they meet, if it was asked for; nothing for an object that meets itself.
    pub place: Option<Place>,
}

/// What was found on a stage, and how much was examined to find it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Who meets whom, ordered by the first object and then by the second.
    pub meetings: Vec<Meeting>,
    /// How many objects were there.
    pub present: u64,
    /// How many pairs of objects were examined: all that were there, but for those that may touch.
    pub pairs_examined: u64,
    /// Whether there were more pairs of triangles than were to be listed.
    pub is_cut: bool,
}

/// Finds meetings, frame after frame, and remembers what cannot change.
#[derive(Debug)]
pub struct Finder {
    seek: Seek,
    broad: Broad,
    workspace: Workspace,
    /// The scene whose boxes these are.
    of: Option<Arc<()>>,
    /// What pieces that never move have in common.
    still: HashMap<(u32, u32), Common>,
    found: Found,
}

/// What two pieces have in common.
#[derive(Clone, Debug, Default)]
struct Common {
    parts: BTreeMap<(u32, u32), [u64; 2]>,
    triangles: Vec<TrianglePair>,
    place: Option<Place>,
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
            found: Found::default(),
        }
    }

    /// Finds all meetings on a stage that the scene has set. A stage of another scene, or one that was not set, is empty.
    pub fn find(&mut self, scene: &Scene, stage: &Stage) -> &Found {
        self.found = Found::default();
        let is_set = |(token, _): &(Arc<()>, u32)| Arc::ptr_eq(token, &scene.token);
        if !stage.of.as_ref().is_some_and(is_set) {
            return &self.found;
        }
        if !self.of.as_ref().is_some_and(|token| Arc::ptr_eq(token, &scene.token)) {
            *self = Self { of: Some(Arc::clone(&scene.token)), ..Self::new(self.seek) };
        }
        self.set_boxes(stage);
        let mut sums: BTreeMap<(u32, u32), Common> = BTreeMap::new();
        let pairs = self.broad.pairs().to_vec();
        for (a, b) in pairs {
            let (Some(first), Some(second)) = (stage.piece(a), stage.piece(b)) else { continue };
            let key = (first.object().0, second.object().0);
            let leave = scene.leave(key.0 as usize, key.1 as usize);
            if leave != Leave::All {
                let common = self.common(scene, (first, second), leave);
                if !common.parts.is_empty() {
                    sums.entry(key).or_default().add(common, self.seek.most_listed);
                }
            }
        }
        self.find_within(scene, stage, &mut sums);
        self.found.meetings = sums.into_iter().map(|(key, sum)| meeting(key, sum)).collect();
        self.cut();
        self.count(scene, stage);
        &self.found
    }

    fn set_boxes(&mut self, stage: &Stage) {
        for number in 0..stage.len() as u32 {
            // A box that is refused is not finite, and a stage has none such.
            match stage.piece(number).map(|piece| self.broad.set(number, piece.bounds())) {
                Some(Ok(())) => {}
                _ => {
                    self.broad.remove(number);
                }
            }
        }
    }

    /// What two pieces have in common, anew or as it was.
    fn common(&mut self, scene: &Scene, pieces: (Piece<'_>, Piece<'_>), leave: Leave) -> Common {
        let (a, b) = pieces;
        if !(a.is_still() && b.is_still()) {
            return self.compare(scene, a, b, leave);
        }
        let key = (a.number(), b.number());
        if let Some(known) = self.still.get(&key) {
            return known.clone();
        }
        let common = self.compare(scene, a, b, leave);
        self.still.insert(key, common.clone());
        common
    }

    fn compare(&mut self, scene: &Scene, a: Piece<'_>, b: Piece<'_>, leave: Leave) -> Common {
        let mut common = Common::default();
        let Seek { most_listed: most, touching, places } = self.seek;
        let only = (a.only_part(), b.only_part());
        if let (Some(part_a), Some(part_b), 0, false) = (only.0, only.1, most, places) {
            // One part each: pairs need only be counted.
            if leave == Leave::Parts && scene.may_touch(a.object(), part_a, b.object(), part_b) {
                return common;
            }
            let question = Question { ask: Ask::Count, ..Question::default() };
            let (place_a, place_b) = (a.placement(), b.placement());
            let answer =
                query::ask(a.model(), place_a, b.model(), place_b, &question, &mut self.workspace);
            let counted = [if touching { answer.touching } else { 0 }, answer.crossing];
            if counted != [0, 0] {
                common.parts.insert((part_a, part_b), counted);
            }
            return common;
        }
        let mut counted = Vec::new();
        let visitor = |pair: TrianglePair| {
            if common.count(scene, (a, b), pair, (leave, touching, most)) && places {
                counted.push(pair);
            }
            ControlFlow::Continue(())
        };
        let (place_a, place_b) = (a.placement(), b.placement());
        // The visitor never breaks it off.
        let _ = query::visit(a.model(), place_a, b.model(), place_b, &mut self.workspace, visitor);
        if places {
            common.place = Place::of(a, b, &counted);
        }
        common
    }

    /// Pieces of more than one part may meet themselves, and so may an object that is of one part only.
    fn find_within(
        &mut self,
        scene: &Scene,
        stage: &Stage,
        sums: &mut BTreeMap<(u32, u32), Common>,
    ) {
        for piece in stage.pieces() {
            let object = piece.object();
            let is_whole = scene.parts(object).len() == 1;
            let is_one_of_many = piece.only_part().is_some() && !is_whole;
            if !scene.objects()[object.index()].with_itself || is_one_of_many {
                continue;
            }
            let leave = if is_whole { Leave::None } else { Leave::Parts };
            let common = self.within(scene, piece, leave);
            if !common.parts.is_empty() {
                sums.entry((object.0, object.0)).or_default().add(common, self.seek.most_listed);
            }
        }
    }

    /// What a piece has in common with itself, anew or as it was.
    fn within(&mut self, scene: &Scene, piece: Piece<'_>, leave: Leave) -> Common {
        let key = (piece.number(), piece.number());
        if let (Some(known), true) = (self.still.get(&key), piece.is_still()) {
            return known.clone();
        }
        let mut common = Common::default();
        let how = (leave, self.seek.touching, self.seek.most_listed);
        let visitor = |pair: TrianglePair| {
            common.count(scene, (piece, piece), pair, how);
            ControlFlow::Continue(())
        };
        let model = piece.model();
        // The visitor never breaks it off.
        let _ = query::visit_self(model, Neighbours::Decide, &mut self.workspace, visitor);
        if piece.is_still() {
            self.still.insert(key, common.clone());
        }
        common
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
        let own = |&&object: &&usize| scene.objects()[object].with_itself;
        let itself = present.iter().filter(own).count() as u64;
        let n = present.len() as u64;
        let left_out = if scene.has_rules() {
            let after = |(i, &a): (usize, &usize)| {
                present[i + 1..].iter().filter(|&&b| scene.leave(a, b) == Leave::All).count() as u64
            };
            present.iter().enumerate().map(after).sum()
        } else {
            0
        };
        self.found.present = n;
        self.found.pairs_examined = n * n.saturating_sub(1) / 2 - left_out + itself;
    }
}

impl Common {
    /// Counts a pair of triangles of two pieces, unless it may touch; whether it was counted.
    fn count(
        &mut self,
        scene: &Scene,
        (a, b): (Piece<'_>, Piece<'_>),
        pair: TrianglePair,
        (leave, touching, most): (Leave, bool, usize),
    ) -> bool {
        let crosses = pair.relation == Relation::Crossing;
        if !(crosses || touching) {
            return false;
        }
        let parts = (a.part_of(pair.a), b.part_of(pair.b));
        if leave == Leave::Parts && scene.may_touch(a.object(), parts.0, b.object(), parts.1) {
            return false;
        }
        self.parts.entry(parts).or_default()[usize::from(crosses)] += 1;
        if self.triangles.len() < most {
            let (i, j) = (pair.a + a.first_triangle(), pair.b + b.first_triangle());
            self.triangles.push(TrianglePair { a: i, b: j, ..pair });
        }
        true
    }

    fn add(&mut self, other: Self, most: usize) {
        for (parts, [touching, crossing]) in other.parts {
            let sum = self.parts.entry(parts).or_default();
            sum[0] += touching;
            sum[1] += crossing;
        }
        let room = most.saturating_sub(self.triangles.len());
        self.triangles.extend(other.triangles.into_iter().take(room));
        self.place = Place::joined(self.place, other.place);
    }
}

fn meeting((a, b): (u32, u32), sum: Common) -> Meeting {
    let mut parts: Vec<PartPair> = sum
        .parts
        .into_iter()
        .map(|((a, b), [touching, crossing])| PartPair { a, b, touching, crossing })
        .collect();
    // Stable, so that equals stay in the order of the parts.
    parts.sort_by_key(|pair| std::cmp::Reverse(pair.touching + pair.crossing));
    let mut triangles = sum.triangles;
    triangles.sort_unstable();
    Meeting {
        a: ObjectId(a),
        b: ObjectId(b),
        touching: parts.iter().map(|pair| pair.touching).sum(),
        crossing: parts.iter().map(|pair| pair.crossing).sum(),
        parts,
        triangles,
        place: sum.place,
    }
}
