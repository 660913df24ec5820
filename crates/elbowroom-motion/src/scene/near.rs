//! Parts of one object that do not meet: how near they are, and whether one is inside another.
//!
//! A *patch* is what one part has of one shell of a piece. Two patches are compared unless they are
//! one part of one shell, or neighbours on it: the rule by which triangles are compared, so that
//! whole patches are. Their distance is exact, and that of two parts is the least of their patches.
//! As solids, patches are closed where they were cut out ([`CutOut`]), and one is in another if its
//! corners are; that is an estimate.
//!
//! An arm is near a hand that hangs on the same forearm, in every pose. So what is as near at rest
//! is known: it is marked, or left out. Nothing is left out that is nearer than it is at rest.

use std::cell::OnceCell;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use glam::DVec3;

use super::allow::Leave;
use super::cast::place_of;
use super::common::Common;
use super::cut_out::CutOut;
use super::find::{Finder, Sums};
use super::judge::{Judged, Met, Verdict};
use super::object::{Content, ObjectId};
use super::overlap::PenetrationSummary;
use super::own::OwnRule;
use super::rest::Rest;
use super::scene::Scene;
use super::stage::{Piece, Stage};
use elbowroom::internal::broad_phase::Broad;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::query::{Certainty, ContactKind, Contacts, Inside, Mode, QueryOptions};
use elbowroom::internal::volume::Aabb;
use elbowroom::interrupt::checkpoint;

/// How much nearer than at rest counts as nearer, as a part of the size of the two.
const NEARER: f64 = 1e-6;

/// What a part has of a shell of a piece.
struct Patch<'a> {
    piece: Piece<'a>,
    part: u32,
    shell: u32,
    bounds: Aabb,
    /// `None` if it is all of the piece.
    cut: OnceCell<Option<CutOut>>,
}

impl<'a> Patch<'a> {
    /// All patches of a piece, in order.
    fn all(piece: Piece<'a>) -> Vec<Self> {
        let mut points = Vec::new();
        piece.points(&mut points);
        let mut ends: BTreeMap<(u32, u32), [DVec3; 2]> = BTreeMap::new();
        for (corners, triangle) in piece.triangles().iter().zip(0..) {
            let key = (piece.part_of(triangle), piece.shell_of(triangle));
            let [low, high] = ends.entry(key).or_insert([DVec3::INFINITY, DVec3::NEG_INFINITY]);
            for corner in corners.map(|corner| points[corner as usize]) {
                (*low, *high) = (low.min(corner), high.max(corner));
            }
        }
        let patch = |((part, shell), ends): ((u32, u32), [DVec3; 2])| {
            let bounds = Aabb::of_points(&ends);
            Self { piece, part, shell, bounds, cut: OnceCell::new() }
        };
        ends.into_iter().map(patch).collect()
    }

    fn cut(&self) -> Option<&CutOut> {
        let (piece, key) = (self.piece, (self.part, self.shell));
        let cut = || piece.cut_triangles(|t| (piece.part_of(t), piece.shell_of(t)) == key);
        self.cut.get_or_init(cut).as_ref()
    }

    fn skin(&self) -> (&Model, &Pose) {
        let whole = (self.piece.model(), self.piece.placement());
        self.cut().map_or(whole, |cut| (cut.skin(), &Pose::IDENTITY))
    }

    fn solid(&self) -> (&Model, &Pose) {
        let whole = (self.piece.model(), self.piece.placement());
        self.cut().map_or(whole, |cut| (cut.solid(), &Pose::IDENTITY))
    }

    fn certainty(&self) -> Certainty {
        self.cut().map_or(Certainty::Exact, CutOut::certainty)
    }

    fn size(&self) -> f64 {
        self.bounds.max.distance(self.bounds.min)
    }
}

/// Two parts that do not meet, and are near each other or one inside the other.
struct Near {
    /// Below zero for solids that have a point in common.
    distance: f64,
    /// What counts as equal distances.
    slack: f64,
    judged: Judged,
}

/// How near parts are at rest: by two pieces of their object, and two parts.
pub(super) type RestNear = HashMap<(u32, u32, u32, u32), f64>;

/// Which two pieces, or a piece and itself, are compared by which rules.
struct Asked<'a> {
    scene: &'a Scene,
    pieces: (Piece<'a>, Piece<'a>),
    leave: Leave,
    rule: Option<OwnRule<'a>>,
    /// Parts that meet.
    met: &'a BTreeSet<(u32, u32)>,
}

impl Asked<'_> {
    fn compares(&self, a: &Patch<'_>, b: &Patch<'_>) -> bool {
        let object = self.pieces.0.object();
        let ordered = (a.part.min(b.part), a.part.max(b.part));
        if self.met.contains(&ordered)
            || (self.leave == Leave::Parts && self.scene.may_touch(object, a.part, object, b.part))
        {
            return false;
        }
        match self.rule {
            None => true,
            Some(OwnRule::Whole) => a.shell != b.shell,
            Some(OwnRule::By(surface)) => !surface.are_one((a.shell, a.part), (b.shell, b.part)),
        }
    }
}

impl Finder {
    /// Adds the parts of two pieces, or of one, that do not meet and are near each other, or one
    /// inside the other.
    pub(super) fn add_near(
        &mut self,
        scene: &Scene,
        pieces: (Piece<'_>, Piece<'_>),
        (leave, rule): (Leave, Option<OwnRule<'_>>),
        met: &BTreeSet<(u32, u32)>,
        sums: &mut Sums,
    ) {
        if self.seek.mode == Mode::Surface && self.seek.reach() <= 0.0 {
            return;
        }
        let found = self.near(&Asked { scene, pieces, leave, rule, met });
        if found.is_empty() {
            return;
        }
        let (a, b) = pieces;
        let (object, first) = (a.object(), scene.first_piece[a.object().index()]);
        let at_rest = self.near_at_rest(scene, object);
        for ((p, q), near) in found {
            let key = (a.number() - first, b.number() - first, p, q);
            let is_known = at_rest.get(&key).is_some_and(|rest| near.distance >= rest - near.slack);
            if is_known && self.seek.rest == Rest::Ignore {
                self.found.rest_left_out += 1;
                continue;
            }
            let judged = if q < p { near.judged.turned() } else { near.judged };
            let mut common = Common::of(judged);
            common.at_rest = u64::from(is_known);
            let key = (object.0, object.0, Some((p.min(q), p.max(q))));
            sums.entry(key).or_default().add(common, self.room());
        }
    }

    /// The nearest patches of each two parts, the first of the first piece.
    fn near(&mut self, asked: &Asked<'_>) -> BTreeMap<(u32, u32), Near> {
        let (a, b) = asked.pieces;
        let mut patches = Patch::all(a);
        let own = patches.len();
        let is_same = a.number() == b.number();
        if !is_same {
            patches.extend(Patch::all(b));
        }
        let mut count: HashMap<u32, usize> = HashMap::new();
        for patch in &patches {
            *count.entry(patch.part).or_default() += 1;
        }
        let mut found: BTreeMap<(u32, u32), Near> = BTreeMap::new();
        for (i, j) in self.near_boxes(&patches) {
            let (one, other) = (&patches[i], &patches[j]);
            let is_across = is_same || (i < own && j >= own);
            if !is_across || !asked.compares(one, other) {
                continue;
            }
            checkpoint();
            let known = found.get(&(one.part, other.part));
            let limit = known.map_or(self.seek.reach(), |known| known.distance);
            let alone = [one, other].map(|patch| count[&patch.part] == 1);
            let near =
                self.inside((one, other), alone).or_else(|| self.nearer((one, other), limit));
            let Some(near) = near else { continue };
            match found.entry((one.part, other.part)) {
                // Of solids in several places, all counts.
                Entry::Occupied(mut known) if known.get().distance < 0.0 => {
                    known.get_mut().judged.add(near.judged);
                }
                Entry::Occupied(mut known) => *known.get_mut() = near,
                Entry::Vacant(place) => {
                    place.insert(near);
                }
            }
        }
        found
    }

    /// Patches whose boxes are no farther apart than the clearance, in order.
    fn near_boxes(&self, patches: &[Patch<'_>]) -> Vec<(usize, usize)> {
        let mut broad = Broad::default();
        for (patch, number) in patches.iter().zip(0..) {
            let largest = patch.bounds.min.abs().max(patch.bounds.max.abs()).max_element();
            // More than corners and distances are rounded.
            let margin = self.seek.reach() * (0.5 + 1e-8) + 1e-12 * largest;
            // A box that is refused is not finite, and a stage has none such.
            let _ = broad.set(number, patch.bounds.grown(margin));
        }
        let pairs = broad.pairs().iter();
        let mut pairs: Vec<_> =
            pairs.map(|&(i, j)| (i.min(j) as usize, i.max(j) as usize)).collect();
        pairs.sort_unstable();
        pairs
    }

    /// Two patches that are no farther apart than a limit, and nearer than that if it is known.
    fn nearer(&mut self, (a, b): (&Patch<'_>, &Patch<'_>), limit: f64) -> Option<Near> {
        if limit <= 0.0 {
            return None;
        }
        let reply = self.reply((a, b), &QueryOptions::KIND.within(limit))?;
        let mut judged = Judged::default();
        judged.take_near((a.piece, b.piece), &reply, Some((a.part, b.part)));
        let distance = if reply.kind? > ContactKind::Clearance { 0.0 } else { reply.distance? };
        Some(Near { distance, slack: NEARER * (a.size() + b.size()), judged })
    }

    fn reply(
        &mut self,
        (a, b): (&Patch<'_>, &Patch<'_>),
        options: &QueryOptions,
    ) -> Option<Contacts> {
        let ((first, here), (second, there)) = (a.skin(), b.skin());
        let reply = query::query(first, here, second, there, options, &mut self.workspace);
        (reply.kind? > ContactKind::Clear).then_some(reply)
    }

    /// Two patches of which one has corners inside the other, as solids. Whether each is all of its
    /// part tells which part is inside the other.
    fn inside(&mut self, (a, b): (&Patch<'_>, &Patch<'_>), alone: [bool; 2]) -> Option<Near> {
        if self.seek.mode == Mode::Surface {
            return None;
        }
        let counts = [self.corners_inside(a, b), self.corners_inside(b, a)];
        if counts.iter().all(|(inside, _)| *inside == 0) {
            return None;
        }
        let is_all = |which: usize| alone[which] && counts[which].0 == counts[which].1;
        let (kind, inside) = match (is_all(0), is_all(1)) {
            (true, false) => (ContactKind::Containment, Some(Inside::First)),
            (false, true) => (ContactKind::Containment, Some(Inside::Second)),
            _ => (ContactKind::Crossing, None),
        };
        let reply = self.reply((a, b), &QueryOptions::KIND.within(f64::INFINITY));
        let mut judged = Judged::default();
        if let Some(reply) = reply {
            judged.take_near((a.piece, b.piece), &reply, Some((a.part, b.part)));
            judged.verdicts.clear();
        }
        let is_crossing = kind == ContactKind::Crossing;
        judged.distance = judged.distance.filter(|_| self.seek.clearance.is_some());
        judged.distance = judged.distance.map(|distance| if is_crossing { 0.0 } else { distance });
        judged.verdicts.push(Verdict::of((a.piece, b.piece), kind, inside, Met::default()));
        judged.certainty = a.certainty().and(b.certainty());
        if self.seek.depth {
            let own = PenetrationSummary::of_models(a.solid(), b.solid(), &mut self.workspace);
            let certainty = own.certainty.and(judged.certainty);
            judged.overlap = Some(PenetrationSummary { certainty, ..own });
        }
        Some(Near { distance: -1.0, slack: 0.0, judged })
    }

    /// How many corners of a patch are inside another, and how many it has.
    fn corners_inside(&mut self, patch: &Patch<'_>, other: &Patch<'_>) -> (usize, usize) {
        let (skin, here) = patch.skin();
        let (solid, there) = other.solid();
        let corners = skin.mesh().vertices();
        let Aabb { min, max } = other.bounds;
        let workspace = &mut self.workspace;
        let is_inside = |corner: &&DVec3| {
            let point = here.apply(**corner);
            point.cmpge(min).all()
                && point.cmple(max).all()
                && query::is_inside(solid, there, point, workspace)
        };
        (corners.iter().filter(is_inside).count(), corners.len())
    }

    /// How near the parts of an object are at rest, as far as that is within the clearance.
    fn near_at_rest(&mut self, scene: &Scene, object: ObjectId) -> Arc<RestNear> {
        if let Some(known) = self.rest_near.get(&object.0) {
            return Arc::clone(known);
        }
        let found = Arc::new(self.find_near_at_rest(scene, object).unwrap_or_default());
        self.rest_near.insert(object.0, Arc::clone(&found));
        found
    }

    fn find_near_at_rest(&mut self, scene: &Scene, object: ObjectId) -> Option<RestNear> {
        let Content::Actor(actor) = &scene.objects()[object.index()].content else { return None };
        if !scene.leaves_rest(object) {
            return None;
        }
        let stage: Stage = scene.rest_stage(object.index(), actor, &place_of(actor))?;
        let pieces: Vec<Piece<'_>> = stage.pieces().collect();
        let (leave, met) = (scene.leave(object.index(), object.index()), BTreeSet::new());
        let mut all = RestNear::new();
        for (at, &a) in pieces.iter().enumerate() {
            for &b in &pieces[at..] {
                let is_same = a.number() == b.number();
                let rule = if is_same { scene.own_rule(a) } else { None };
                if is_same && rule.is_none() {
                    continue;
                }
                let asked = Asked { scene, pieces: (a, b), leave, rule, met: &met };
                let found = self.near(&asked);
                let key = |(p, q)| (a.number(), b.number(), p, q);
                all.extend(found.iter().map(|(&parts, near)| (key(parts), near.distance)));
            }
        }
        Some(all)
    }
}
