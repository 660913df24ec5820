//! What two pieces are to each other, and what follows for their objects.
//!
//! Pieces are judged two by two, by [`query`](elbowroom::internal::query()): what they are as
//! surfaces or as solids, how near they are. Objects are more than their pieces, so the strongest
//! word about two pieces does not always hold for the whole:
//!
//! * one object is a part of another if each of its pieces is a part of one piece of the other;
//! * two are duplicates if each piece of either is a duplicate of a piece of the other;
//! * pieces that are parts or duplicates of each other while their objects are not have interiors
//!   in common: the objects cross (duplicate surfaces touch);
//! * else the strongest kind of any two pieces is that of the objects.
//!
//! Where some parts of two pieces may touch, the others are cut out ([`CutOut`]), and are judged
//! two by two. What is said of such a part as a solid is an estimate.
//!
//! Invariant: what is said does not depend on the order in which pieces are compared.

use std::collections::{BTreeSet, HashSet};

use super::cut_out::CutOut;
use super::find::{Key, Seek};
use super::object::ObjectId;
use super::overlap::PenetrationSummary;
use super::place::Place;
use super::scene::Scene;
use super::stage::{Piece, Stage};
use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::query::{
    Certainty, ContactKind, Contacts, Inside, Known, Mode, QueryOptions, Through,
};
use elbowroom::internal::traverse::Workspace;
use elbowroom::interrupt::hold;

/// What two pieces are to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Verdict {
    /// The pieces' numbers.
    pub(super) pieces: (u32, u32),
    pub(super) kind: ContactKind,
    pub(super) inside: Option<Inside>,
    /// What their objects are to each other if they are not wholly what these pieces are.
    partly: ContactKind,
}

/// What is known of two objects besides their triangles.
#[derive(Clone, Debug, Default)]
pub(super) struct Judged {
    pub(super) verdicts: Vec<Verdict>,
    pub(super) through: Through,
    pub(super) certainty: Certainty,
    /// How far apart the surfaces are, without a sign.
    pub(super) distance: Option<f64>,
    pub(super) place: Option<Place>,
    pub(super) overlap: Option<PenetrationSummary>,
    /// The parts that are nearest, of pieces that do not meet, where that is known.
    pub(super) near_parts: Option<(u32, u32)>,
    /// How far the meshes of primitives may reach beyond them, where that matters.
    pub(super) bound: f64,
}

/// What two objects are to each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub(super) kind: ContactKind,
    pub(super) inside: Option<Inside>,
    pub(super) distance: Option<f64>,
    pub(super) place: Option<Place>,
}

/// Which pairs of triangles of two pieces meet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Met {
    /// Some do, perhaps only such as may.
    pub(super) any: bool,
    /// Some of those that may not touch do.
    pub(super) touching: bool,
    /// Some of those that may not touch cross.
    pub(super) crossing: bool,
}

impl Met {
    /// By the numbers of pairs that touch and cross, none of which may.
    pub(super) fn of_counts(touching: u64, crossing: u64) -> Self {
        let (touching, crossing) = (touching > 0, crossing > 0);
        Self { any: touching || crossing, touching, crossing }
    }

    fn kind(self) -> ContactKind {
        if self.crossing { ContactKind::Crossing } else { ContactKind::Touching }
    }
}

impl Judged {
    /// Two pieces whose triangles meet, or do not; nothing is known if that is no contact. Which
    /// triangles do may be known.
    ///
    /// Triangles of parts that `may_touch` say nothing; what meets of the others is in `parts`.
    pub(super) fn of(
        (a, b): (Piece<'_>, Piece<'_>),
        (met, parts): (Met, &BTreeSet<(u32, u32)>),
        seek: &Seek,
        may_touch: Option<&dyn Fn(u32, u32) -> bool>,
        known: Known,
        workspace: &mut Workspace,
    ) -> Self {
        if may_touch.is_some() && (met.touching || met.crossing) {
            return Self::of_some_parts((a, b), (met, parts), seek, workspace);
        }
        let mut judged = Self::of_kind((a, b), met, seek, may_touch, known, workspace);
        if seek.depth && judged.verdicts.iter().any(|verdict| verdict.kind.is_contact()) {
            let cuts = may_touch.map_or([None, None], |may| without((a, b), may));
            judged.overlap = Some(PenetrationSummary::of_cuts((a, b), &cuts, workspace));
        }
        judged
    }

    /// Two pieces of which some parts may touch, and others meet.
    fn of_some_parts(
        (a, b): (Piece<'_>, Piece<'_>),
        (met, parts): (Met, &BTreeSet<(u32, u32)>),
        seek: &Seek,
        workspace: &mut Workspace,
    ) -> Self {
        let mut judged = Self::default();
        let (mut kind, is_solid) = (met.kind(), asks_solids(met, seek));
        let is_asked = is_solid && (!met.crossing || seek.depth || seek.through);
        for &(p, q) in parts.iter().filter(|_| is_asked) {
            let cuts = [a.cut_out(|own| own == p), b.cut_out(|own| own == q)];
            let (first, second) = (whole_or(a, cuts[0].as_ref()), whole_or(b, cuts[1].as_ref()));
            let as_cut = certainty(&cuts);
            if !met.crossing {
                let solid = QueryOptions::KIND.solid();
                let reply = query::query(first.0, first.1, second.0, second.1, &solid, workspace);
                // A part inside another is not yet an object inside another.
                kind = kind.max(reply.kind.unwrap_or_default().min(ContactKind::Crossing));
                judged.certainty = judged.certainty.and(reply.certainty).and(as_cut);
            }
            if seek.through {
                let through = query::through_known(first, second, None, workspace);
                judged.through.a_through_b |= through.a_through_b;
                judged.through.b_through_a |= through.b_through_a;
                judged.through.certainty =
                    judged.through.certainty.and(through.certainty).and(as_cut);
            }
            if seek.depth {
                let own = PenetrationSummary::of_cuts((a, b), &cuts, workspace);
                judged.overlap = Some(judged.overlap.map_or(own, |sum| sum.joined(own)));
            }
        }
        if seek.through && kind == ContactKind::Crossing {
            judged.certainty = judged.certainty.and(judged.through.certainty);
        } else {
            judged.through = Through::default();
        }
        let counts = kind == ContactKind::Crossing || seek.touching;
        if !counts {
            return Self::default();
        }
        judged.distance = seek.clearance.is_some().then_some(0.0);
        judged.verdicts.push(Verdict::of((a, b), kind, None, met));
        judged
    }

    fn of_kind(
        (a, b): (Piece<'_>, Piece<'_>),
        met: Met,
        seek: &Seek,
        may_touch: Option<&dyn Fn(u32, u32) -> bool>,
        known: Known,
        workspace: &mut Workspace,
    ) -> Self {
        if met.touching || met.crossing {
            return Self::of_contact((a, b), met, seek, known, workspace);
        }
        let mut judged = Self::default();
        if seek.mode == Mode::Surface && seek.reach() <= 0.0 {
            return judged;
        }
        let Some(may_touch) = may_touch else {
            let query = QueryOptions::KIND.mode(seek.mode).within(seek.reach());
            judged.take((a, b), &ask((a, b), known, &query, workspace));
            return judged;
        };
        if seek.mode == Mode::Solid && !met.any {
            judged.take((a, b), &ask((a, b), known, &QueryOptions::KIND.solid(), workspace));
        }
        if judged.verdicts.is_empty() && seek.reach() > 0.0 {
            judged.take_nearest((a, b), seek.reach(), may_touch, workspace);
        }
        judged
    }

    pub(super) fn of_contact(
        (a, b): (Piece<'_>, Piece<'_>),
        met: Met,
        seek: &Seek,
        known: Known,
        workspace: &mut Workspace,
    ) -> Self {
        let mut judged = Self::default();
        let mut verdict = Verdict::of((a, b), met.kind(), None, met);
        let (place_a, place_b) = (a.placement(), b.placement());
        if asks_solids(met, seek) {
            let reply = ask((a, b), known, &QueryOptions::KIND.solid(), workspace);
            judged.certainty = reply.certainty;
            verdict = Verdict::of((a, b), reply.kind.unwrap_or_default(), reply.inside, met);
        } else if a.may_be_duplicate(&b)
            && query::is_duplicate(a.model(), place_a, b.model(), place_b, workspace)
        {
            verdict = Verdict::of((a, b), ContactKind::Duplicate, None, met);
        }
        let counts = verdict.kind > ContactKind::Touching;
        if !(seek.touching || counts) {
            return Self::default();
        }
        if seek.through && verdict.kind == ContactKind::Crossing {
            let (a, b) = ((a.model(), place_a), (b.model(), place_b));
            judged.through = query::through_known(a, b, known, workspace);
            judged.certainty = judged.certainty.and(judged.through.certainty);
        }
        judged.distance = seek.clearance.is_some().then_some(0.0);
        judged.verdicts.push(verdict);
        judged
    }

    /// Two parts of one object whose triangles meet, as surfaces.
    pub(super) fn of_parts(pieces: (Piece<'_>, Piece<'_>), met: Met, seek: &Seek) -> Self {
        let verdict = Verdict::of(pieces, met.kind(), None, met);
        let distance = seek.clearance.is_some().then_some(0.0);
        Self { verdicts: vec![verdict], distance, ..Self::default() }
    }

    /// The verdict with the two pieces exchanged.
    pub(super) fn turned(mut self) -> Self {
        for verdict in &mut self.verdicts {
            verdict.pieces = (verdict.pieces.1, verdict.pieces.0);
            verdict.inside = verdict.inside.map(|inside| match inside {
                Inside::First => Inside::Second,
                Inside::Second => Inside::First,
                Inside::Each => Inside::Each,
            });
        }
        std::mem::swap(&mut self.through.a_through_b, &mut self.through.b_through_a);
        if let Some(place) = &mut self.place {
            place.normal = -place.normal;
        }
        self.near_parts = self.near_parts.map(|(p, q)| (q, p));
        self
    }

    /// What was found out about pieces whose surfaces do not meet.
    fn take(&mut self, (a, b): (Piece<'_>, Piece<'_>), reply: &Contacts) {
        let parts = reply.closest.map(|near| (a.part_of(near.a), b.part_of(near.b)));
        self.take_near((a, b), reply, parts);
    }

    /// Takes an answer about what was cut out of the pieces: patches of some parts.
    pub(super) fn take_near(
        &mut self,
        pieces: (Piece<'_>, Piece<'_>),
        reply: &Contacts,
        parts: Option<(u32, u32)>,
    ) {
        let kind = reply.kind.unwrap_or_default();
        if kind > ContactKind::Clear {
            self.verdicts.push(Verdict::of(pieces, kind, reply.inside, Met::default()));
            self.certainty = reply.certainty;
            self.distance = reply.distance.map(f64::abs);
            self.place = reply.spot.map(|spot| Place::between(&spot));
            self.near_parts = parts;
        }
    }

    /// The nearest triangles of parts that are to keep their distance.
    fn take_nearest(
        &mut self,
        (a, b): (Piece<'_>, Piece<'_>),
        clearance: f64,
        may_touch: &dyn Fn(u32, u32) -> bool,
        workspace: &mut Workspace,
    ) {
        let (place_a, place_b) = (a.placement(), b.placement());
        let (model_a, model_b) = (a.model(), b.model());
        let counts = |i, j| !may_touch(a.part_of(i), b.part_of(j));
        let both = ((model_a, place_a), (model_b, place_b));
        let nearest = query::nearest_counted(both.0, both.1, clearance, &counts, workspace);
        let Some(nearest) = nearest else { return };
        let (Some(lone_a), Some(lone_b)) = (lone(model_a, nearest.a), lone(model_b, nearest.b))
        else {
            return;
        };
        let query = QueryOptions::KIND.within(clearance);
        let reply = query::query(&lone_a, place_a, &lone_b, place_b, &query, workspace);
        self.take((a, b), &reply);
        self.near_parts = Some((a.part_of(nearest.a), b.part_of(nearest.b)));
    }

    /// Where the pieces meet, if that is known from their triangles.
    pub(super) fn set_place(&mut self, place: Option<Place>) {
        self.place = place.or(self.place);
    }

    /// Whether anything was found.
    pub(super) fn is_meeting(&self) -> bool {
        !self.verdicts.is_empty()
    }

    /// With what is known of two more pieces.
    pub(super) fn add(&mut self, other: Self) {
        self.place = match (self.place, other.place) {
            // Where nothing meets, the nearest place is meant.
            (Some(own), Some(new)) if own.is_nearest() && new.is_nearest() => {
                Some(if is_less(other.distance, self.distance) { new } else { own })
            }
            _ => Place::joined(self.place, other.place),
        };
        if is_less(other.distance, self.distance) {
            self.distance = other.distance;
            self.near_parts = other.near_parts;
        }
        self.through.a_through_b |= other.through.a_through_b;
        self.through.b_through_a |= other.through.b_through_a;
        self.through.certainty = self.through.certainty.and(other.through.certainty);
        self.certainty = self.certainty.and(other.certainty);
        self.bound = self.bound.max(other.bound);
        self.overlap = match (self.overlap, other.overlap) {
            (Some(own), Some(new)) => Some(own.joined(new)),
            (own, new) => own.or(new),
        };
        self.verdicts.extend(other.verdicts);
        hold(self.verdicts.len(), size_of::<Verdict>());
    }

    /// What follows for two objects, or two parts of one.
    pub(super) fn told(&self, scene: &Scene, stage: &Stage, key: Key) -> Told {
        let (kind, inside) = self.whole(scene, stage, key);
        let sign = if kind == ContactKind::Containment { -1.0 } else { 1.0 };
        // Zero has no sign here.
        let distance = self.distance.map(|d| if d > 0.0 { sign * d } else { 0.0 });
        Told { kind, inside, distance, place: self.place }
    }

    fn whole(
        &self,
        scene: &Scene,
        stage: &Stage,
        (a, b, own): Key,
    ) -> (ContactKind, Option<Inside>) {
        let partly = self.verdicts.iter().map(|verdict| verdict.partly).max().unwrap_or_default();
        let strongest = self.verdicts.iter().map(|verdict| verdict.kind).max().unwrap_or_default();
        if strongest < ContactKind::Containment {
            return (partly, None);
        }
        let all = |object: u32, part: Option<u32>, pieces: HashSet<u32>| {
            let mut numbers = scene.pieces(ObjectId(object));
            let is_other = |piece: Piece<'_>| part.is_some_and(|part| !piece.has_part(part));
            numbers
                .all(|number| pieces.contains(&number) || stage.piece(number).is_none_or(is_other))
        };
        let (p, q) = (own.map(|own| own.0), own.map(|own| own.1));
        let pieces = |is_meant: &dyn Fn(&&Verdict) -> bool, which: fn((u32, u32)) -> u32| {
            self.verdicts.iter().filter(is_meant).map(|verdict| which(verdict.pieces)).collect()
        };
        let is_duplicate = |verdict: &&Verdict| verdict.kind == ContactKind::Duplicate;
        // Of surfaces nothing is inside, so that only solids are parts of each other.
        let is_first = |v: &&Verdict| matches!(v.inside, Some(Inside::First | Inside::Each));
        let is_second = |v: &&Verdict| matches!(v.inside, Some(Inside::Second | Inside::Each));
        let (first, second) = (|pair: (u32, u32)| pair.0, |pair: (u32, u32)| pair.1);
        if all(a, p, pieces(&is_duplicate, first)) && all(b, q, pieces(&is_duplicate, second)) {
            return (ContactKind::Duplicate, None);
        }
        match (all(a, p, pieces(&is_first, first)), all(b, q, pieces(&is_second, second))) {
            (true, true) => (ContactKind::Duplicate, None),
            (true, false) => (ContactKind::Containment, Some(Inside::First)),
            (false, true) => (ContactKind::Containment, Some(Inside::Second)),
            (false, false) => (partly, None),
        }
    }
}

impl Verdict {
    pub(super) fn of(
        (a, b): (Piece<'_>, Piece<'_>),
        kind: ContactKind,
        inside: Option<Inside>,
        met: Met,
    ) -> Self {
        let partly = match inside {
            _ if kind < ContactKind::Containment => kind,
            Some(_) => ContactKind::Crossing,
            None => met.kind(),
        };
        Self { pieces: (a.number(), b.number()), kind, inside, partly }
    }
}

fn ask(
    (a, b): (Piece<'_>, Piece<'_>),
    known: Known,
    query: &QueryOptions,
    workspace: &mut Workspace,
) -> Contacts {
    let (a, b) = ((a.model(), a.placement()), (b.model(), b.placement()));
    query::query_known(a, b, known, query, workspace)
}

/// Whether two pieces that meet are compared as solids. Surfaces in line only touch, also where
/// what they enclose overlaps: if touching is left out, that still counts.
fn asks_solids(met: Met, seek: &Seek) -> bool {
    seek.mode == Mode::Solid || !(met.crossing || seek.touching)
}

/// The parts of two pieces that may not touch all of the other; of each `None` if those are all.
pub(super) fn without(
    (a, b): (Piece<'_>, Piece<'_>),
    may_touch: &dyn Fn(u32, u32) -> bool,
) -> [Option<CutOut>; 2] {
    let (of_a, of_b) = (a.own_parts(), b.own_parts());
    [
        a.cut_out(|p| of_b.iter().any(|&q| !may_touch(p, q))),
        b.cut_out(|q| of_a.iter().any(|&p| !may_touch(p, q))),
    ]
}

/// What was cut out of a piece, as a solid, or the piece.
pub(super) fn whole_or<'a>(piece: Piece<'a>, cut: Option<&'a CutOut>) -> (&'a Model, &'a Pose) {
    cut.map_or((piece.model(), piece.placement()), |cut| (cut.solid(), &Pose::IDENTITY))
}

/// Whether nothing had to be closed that was cut out.
pub(super) fn certainty(cuts: &[Option<CutOut>; 2]) -> Certainty {
    let each = cuts.iter().flatten().map(CutOut::certainty);
    each.fold(Certainty::Exact, Certainty::and)
}

/// Whether one distance is known to be less than another, which may not be known.
fn is_less(one: Option<f64>, other: Option<f64>) -> bool {
    one.is_some_and(|one| other.is_none_or(|other| one < other))
}

/// One triangle by itself.
pub(super) fn lone(model: &Model, triangle: u32) -> Option<Model> {
    let corners = model.mesh().triangle(triangle as usize).to_vec();
    Mesh::new(corners, vec![[0, 1, 2]]).ok().map(Model::new)
}
