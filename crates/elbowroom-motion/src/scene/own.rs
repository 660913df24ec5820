//! An object compared with itself: meetings by two parts, the lower one first.
//!
//! Two meshes of an object are compared wherever they are, but for the links of a robot that are
//! joined. Within a mesh the rule is that of its [`Surface`]; an object of one part is compared
//! triangle by triangle. What already meets at rest is known
//! ([`RestPairs`](super::rest::RestPairs)) and told apart or left out.
//!
//! How deep parts of one mesh are in each other is measured shell by shell, and closed where they
//! were cut out ([`CutOut`]). That is an estimate, and says so; parts that are whole meshes are
//! measured as they are. Parts that do not meet are compared in [`near`](super::near).
//!
//! Invariants: each pair of parts is one meeting, whatever its order in the meshes. What is left
//! out as known at rest is counted.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;

use super::allow::Leave;
use super::common::Common;
use super::cut_out::CutOut;
use super::find::{Finder, Seek, Sums};
use super::judge::{Judged, Met, whole_or};
use super::object::ObjectId;
use super::overlap::PenetrationSummary;
use super::place::Place;
use super::rest::{Rest, is_at_rest};
use super::scene::Scene;
use super::stage::{Piece, Stage};
use super::surface::Surface;
use elbowroom::internal::exact::Relation;
use elbowroom::internal::query;
use elbowroom::internal::query::{Certainty, Neighbours, TrianglePair};
use elbowroom::interrupt::{checkpoint, hold};

/// The most pairs of triangles of two pieces that are held to say where they meet, some 25 MB.
/// Beyond, nothing says where.
const MOST_HELD: usize = 1 << 21;

/// What a pair of triangles takes while regions are made of them, and what two parts take.
const IN_REGION: usize = 150;
const GROUP: usize = 400;

/// Which triangles of a piece are left out where it is compared with itself.
#[derive(Clone, Copy)]
pub(super) enum OwnRule<'a> {
    /// None: the object is of one part. As solids, and by their distance, its shells are compared.
    Whole,
    /// Neighbours.
    By(&'a Surface),
}

impl OwnRule<'_> {
    /// Whether two triangles are left out.
    pub(super) fn leaves_out(self, piece: Piece<'_>, (i, j): (u32, u32)) -> bool {
        match self {
            Self::Whole => false,
            Self::By(surface) => surface.leaves_out((i, piece.part_of(i)), (j, piece.part_of(j))),
        }
    }

    /// The parts of two triangles, and whether the second is to be named first: lower parts are,
    /// and of one part lower shells.
    pub(super) fn parts(self, piece: Piece<'_>, (i, j): (u32, u32)) -> ((u32, u32), bool) {
        let shell = |triangle| match self {
            Self::Whole => 0,
            Self::By(surface) => surface.shell(triangle),
        };
        let (p, q) = (piece.part_of(i), piece.part_of(j));
        ((p.min(q), p.max(q)), (q, shell(j)) < (p, shell(i)))
    }
}

impl Scene {
    /// How a piece is compared with itself. `None` if it is not: a mesh that moves as one piece
    /// meets itself alike in every frame.
    pub(super) fn own_rule<'a>(&self, piece: Piece<'a>) -> Option<OwnRule<'a>> {
        let role = &self.roles[piece.object().index()];
        match piece.surface() {
            _ if role.parts.len() == 1 => Some(OwnRule::Whole),
            surface => surface.map(OwnRule::By),
        }
    }
}

/// Pairs of triangles of two parts.
#[derive(Default)]
struct Group {
    common: Common,
    /// The pairs that count, if their places are asked for.
    held: Vec<TrianglePair>,
    /// Whether the second piece has the lower part; all pairs of two parts of two pieces agree.
    turns: bool,
    /// The shells that meet, of a piece and itself.
    shells: BTreeSet<(u32, u32)>,
}

/// What is asked about the pairs of two pieces, or of one.
struct Asked<'a> {
    scene: &'a Scene,
    pieces: (Piece<'a>, Piece<'a>),
    leave: Leave,
    at_rest: &'a [(u32, u32)],
    ignores: bool,
    /// Pairs that were left out because they meet at rest.
    left_out: u64,
    /// The parts that meet, perhaps only in pairs that may or are left out.
    meets: BTreeSet<(u32, u32)>,
    held: usize,
    groups: BTreeMap<(u32, u32), Group>,
}

impl Asked<'_> {
    /// Counts a pair of triangles of two parts. It is turned if the second is to be named first.
    fn count(&mut self, pair: TrianglePair, parts: (u32, u32), turns: bool, finder: &Limits) {
        checkpoint();
        self.meets.insert(parts);
        let crosses = pair.relation == Relation::Crossing;
        let object = self.pieces.0.object();
        let is_allowed =
            self.leave == Leave::Parts && self.scene.may_touch(object, parts.0, object, parts.1);
        let counts = crosses || finder.touching;
        // What only touches joins regions.
        if is_allowed || !(counts || finder.places) {
            return;
        }
        let is_known = is_at_rest(self.at_rest, (pair.a, pair.b));
        if is_known && self.ignores {
            self.left_out += u64::from(counts);
            return;
        }
        let pair = if turns { TrianglePair { a: pair.b, b: pair.a, ..pair } } else { pair };
        hold(self.groups.len(), GROUP);
        let group = self.groups.entry(parts).or_default();
        group.turns = turns;
        if counts {
            let (a, b) = self.pieces;
            if finder.depth && a.number() == b.number() {
                group.shells.insert((a.shell_of(pair.a), b.shell_of(pair.b)));
            }
            group.common.parts.entry(parts).or_default()[usize::from(crosses)] += 1;
            group.common.at_rest += u64::from(is_known);
        }
        if counts && group.common.triangles.len() < finder.most {
            let (a, b) = if turns { (self.pieces.1, self.pieces.0) } else { self.pieces };
            let (i, j) = (pair.a + a.first_triangle(), pair.b + b.first_triangle());
            group.common.triangles.push(TrianglePair { a: i, b: j, ..pair });
        }
        if finder.places && self.held < MOST_HELD {
            self.held += 1;
            hold(self.held, IN_REGION);
            group.held.push(pair);
        }
    }
}

/// What counts, and what is kept of it.
struct Limits {
    touching: bool,
    places: bool,
    depth: bool,
    most: usize,
}

/// What was cut out of pieces in this frame: a part, perhaps on one shell; `None` if that is all.
type Cuts = HashMap<(u32, u32, Option<u32>), Option<CutOut>>;

impl Finder {
    fn limits(&self) -> Limits {
        let seek = &self.seek;
        let Seek { touching, places, depth, .. } = *seek;
        Limits { touching, places, depth, most: self.room() }
    }

    /// Compares two pieces of one object.
    pub(super) fn find_own(
        &mut self,
        scene: &Scene,
        pieces: (Piece<'_>, Piece<'_>),
        leave: Leave,
        sums: &mut Sums,
    ) {
        let (a, b) =
            if pieces.0.number() < pieces.1.number() { pieces } else { (pieces.1, pieces.0) };
        let object = a.object();
        let first = scene.first_piece[object.index()];
        let rest = scene.rest(object.index());
        let at_rest =
            rest.map_or(&[][..], |rest| rest.of((a.number() - first, b.number() - first)));
        if let (Some(i), Some(j)) = (a.only_part(), b.only_part()) {
            if scene.may_touch(object, i, object, j) {
                return;
            }
            self.found.work.pairs_left += 1;
            // What two primitives are to each other, the triangles around them do not say.
            let is_primitive = a.truth().is_some() || b.truth().is_some();
            if at_rest.is_empty() || (is_primitive && self.seek.rest == Rest::Count) {
                let (a, b) = if i <= j { (a, b) } else { (b, a) };
                let mut common = self.common(scene, (a, b), Leave::None);
                let pairs: u64 = common.parts.values().flatten().sum();
                common.at_rest = pairs.min(at_rest.len() as u64);
                if common.judged.is_meeting() {
                    let key = (object.0, object.0, Some((i.min(j), i.max(j))));
                    sums.entry(key).or_default().add(common, self.room());
                }
                return;
            }
        }
        if a.only_part().is_none() || b.only_part().is_none() {
            self.found.work.pairs_left += 1;
        }
        self.tested((a, b), None);
        let known = self.soft_pairs((a, b));
        let mut asked = self.asked(scene, (a, b), leave, at_rest);
        let limits = self.limits();
        let visitor = |pair: TrianglePair| {
            let (p, q) = (a.part_of(pair.a), b.part_of(pair.b));
            asked.count(pair, (p.min(q), p.max(q)), q < p, &limits);
            ControlFlow::Continue(())
        };
        // The visitor never breaks it off.
        let _ = if let Some(pairs) = known {
            pairs.iter().copied().try_for_each(visitor)
        } else {
            let (here, there) = (a.placement(), b.placement());
            query::visit(a.model(), here, b.model(), there, &mut self.workspace, visitor)
        };
        let met = std::mem::take(&mut asked.meets);
        self.add_own(asked, sums);
        self.add_near(scene, (a, b), (leave, None), &met, sums);
    }

    fn asked<'a>(
        &self,
        scene: &'a Scene,
        pieces: (Piece<'a>, Piece<'a>),
        leave: Leave,
        at_rest: &'a [(u32, u32)],
    ) -> Asked<'a> {
        Asked {
            scene,
            pieces,
            leave,
            at_rest,
            ignores: self.seek.rest == Rest::Ignore,
            left_out: 0,
            meets: BTreeSet::new(),
            held: 0,
            groups: BTreeMap::new(),
        }
    }

    /// Pieces that deform may meet themselves, and so may an object that is of one part only.
    pub(super) fn find_within(
        &mut self,
        scene: &Scene,
        stage: &Stage,
        object: ObjectId,
        sums: &mut Sums,
    ) {
        if scene.own_pairs(object) == 0 {
            return;
        }
        for piece in scene.pieces(object).filter_map(|number| stage.piece(number)) {
            let Some(rule) = scene.own_rule(piece) else { continue };
            self.comparing = Some((object, object));
            let known = self.own_still.get(&piece.number()).filter(|_| piece.is_still());
            let own = known.cloned().unwrap_or_else(|| {
                let mut own = Sums::new();
                self.within(scene, piece, rule, &mut own);
                own
            });
            if piece.is_still() {
                self.own_still.insert(piece.number(), own.clone());
            }
            for (key, common) in own {
                sums.entry(key).or_default().add(common, self.room());
            }
        }
    }

    fn within(&mut self, scene: &Scene, piece: Piece<'_>, rule: OwnRule<'_>, sums: &mut Sums) {
        // One part that may touch itself is not compared at all.
        let leave = if matches!(rule, OwnRule::Whole) { Leave::None } else { Leave::Parts };
        let object = piece.object().index();
        let place = piece.number() - scene.first_piece[object];
        let at_rest = scene.rest(object).map_or(&[][..], |rest| rest.of((place, place)));
        let mut asked = self.asked(scene, (piece, piece), leave, at_rest);
        let limits = self.limits();
        let visitor = |pair: TrianglePair| {
            if !rule.leaves_out(piece, (pair.a, pair.b)) {
                let (parts, turns) = rule.parts(piece, (pair.a, pair.b));
                asked.count(pair, parts, turns, &limits);
            }
            ControlFlow::Continue(())
        };
        self.tested((piece, piece), None);
        // The visitor never breaks it off.
        let model = piece.model();
        let _ = query::visit_self(model, Neighbours::Decide, &mut self.workspace, visitor);
        let met = std::mem::take(&mut asked.meets);
        self.add_own(asked, sums);
        self.add_near(scene, (piece, piece), (leave, Some(rule)), &met, sums);
    }

    /// Adds what two pieces, or one and itself, have in common, by parts.
    fn add_own(&mut self, asked: Asked<'_>, sums: &mut Sums) {
        self.found.rest_left_out += asked.left_out;
        let (a, b) = asked.pieces;
        let object = a.object().0;
        let mut cuts = Cuts::new();
        for (parts, mut group) in asked.groups {
            let Some(&counts) = group.common.parts.get(&parts) else { continue };
            let met = Met::of_counts(counts[0], counts[1]);
            let pieces = if group.turns { (b, a) } else { (a, b) };
            let mut judged = Judged::of_parts(pieces, met, &self.seek);
            if !group.held.is_empty() && asked.held < MOST_HELD {
                let (first, second) = pieces;
                judged.set_place(Place::of(first, second, &group.held, self.seek.touching));
            }
            if self.seek.depth {
                let parts = if group.turns { (parts.1, parts.0) } else { parts };
                judged.overlap = self.overlap(pieces, parts, &group.shells, &mut cuts);
            }
            group.common.judged = judged;
            let key = (object, object, Some(parts));
            sums.entry(key).or_default().add(group.common, self.room());
        }
    }

    /// How deep and how much two parts are in each other; of a piece and itself, shell by shell.
    fn overlap(
        &mut self,
        (a, b): (Piece<'_>, Piece<'_>),
        (p, q): (u32, u32),
        shells: &BTreeSet<(u32, u32)>,
        cuts: &mut Cuts,
    ) -> Option<PenetrationSummary> {
        if a.number() != b.number() {
            return Some(self.overlap_of((a, p, None), (b, q, None), cuts));
        }
        let mut sum: Option<PenetrationSummary> = None;
        // A shell of a part would have to be told from itself.
        for &(s, t) in shells.iter().filter(|(s, t)| p != q || s != t) {
            checkpoint();
            let own = self.overlap_of((a, p, Some(s)), (b, q, Some(t)), cuts);
            sum = Some(sum.map_or(own, |sum| sum.joined(own)));
        }
        sum
    }

    fn overlap_of(&mut self, a: Slice<'_>, b: Slice<'_>, cuts: &mut Cuts) -> PenetrationSummary {
        for (piece, part, shell) in [a, b] {
            cuts.entry((piece.number(), part, shell)).or_insert_with(|| {
                let is_on = |triangle| shell.is_none_or(|s| piece.shell_of(triangle) == s);
                piece.cut_triangles(|triangle| piece.part_of(triangle) == part && is_on(triangle))
            });
        }
        let [first, second] = [a, b].map(|(piece, part, shell)| {
            let cut = cuts.get(&(piece.number(), part, shell)).and_then(Option::as_ref);
            (whole_or(piece, cut), cut.map_or(Certainty::Exact, CutOut::certainty))
        });
        let own = PenetrationSummary::of_models(first.0, second.0, &mut self.workspace);
        PenetrationSummary { certainty: own.certainty.and(first.1).and(second.1), ..own }
    }
}

/// A part of a piece, perhaps on one of its shells only.
type Slice<'a> = (Piece<'a>, u32, Option<u32>);
