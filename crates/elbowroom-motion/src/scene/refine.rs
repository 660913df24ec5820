//! Contacts of primitives, decided by what they are and not by the meshes that enclose them.
//!
//! A primitive is a solid in either mode: what lies inside it meets it. A mesh is its surface, and
//! what it encloses only if solids are asked for.
//!
//! Invariants: clear is certain. A contact is certain if both shapes are exact (spheres, capsules,
//! boxes, half-spaces, meshes), or if what lies inside them meets; else it is an estimate, with the
//! distance by which the shapes may be smaller.
//!
//! Distances are rounded, by far less than [`ROUNDING`] of the largest number in them; in doubt,
//! shapes touch. Proofs: docs/notes/primitives.md.

use std::cell::Cell;

use glam::DVec3;

use super::find::Seek;
use super::judge::{Judged, Met, Verdict, certainty, lone, whole_or, without};
use super::overlap::PenetrationSummary;
use super::place::Place;
use super::primitive::{TrueKind, TrueShape};
use super::stage::Piece;
use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::query::{
    Certainty, ClosestPoints, ContactKind, Doubt, Inside, Known, Mode,
};
use elbowroom::internal::traverse::Workspace;

/// What a computed distance may be off by, as a part of the largest number that entered it.
const ROUNDING: f64 = 1e-12;

/// Two pieces, at least one of which is a primitive.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pieces: [Piece<'a>; 2],
    may_touch: Option<&'a dyn Fn(u32, u32) -> bool>,
}

/// Which of its two meshes stands for a primitive that is between them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layer {
    Outer,
    Inner,
}

/// A shape that a distance is measured from: all within a radius of a model.
struct Side<'a> {
    model: &'a Model,
    placement: &'a Pose,
    radius: f64,
}

/// How two shapes stand to each other.
#[derive(Clone, Copy, Debug)]
struct Gap {
    /// How far apart their boundaries are; below zero, how far one has to move to part them, at
    /// most.
    distance: f64,
    /// How far apart the cores are.
    core: f64,
    /// The nearest points of their boundaries, the first one's first.
    points: [DVec3; 2],
    /// A unit vector from the first towards the second. `None` if cores meet.
    normal: Option<DVec3>,
    /// What the distance may be off by.
    tolerance: f64,
    /// The parts that are nearest.
    parts: (u32, u32),
    /// Whether one core is within the other shape.
    is_inside: bool,
}

impl Gap {
    fn is_contact(&self) -> bool {
        self.distance <= self.tolerance
    }
}

/// What was decided: what the pieces are to each other, and which parts of them meet.
pub(super) struct Decided {
    pub(super) judged: Judged,
    pub(super) parts: Option<(u32, u32)>,
}

impl Decided {
    fn clear() -> Self {
        Self { judged: Judged::default(), parts: None }
    }
}

impl<'a> Pair<'a> {
    /// `None` if neither is a primitive.
    pub(super) fn of(
        a: Piece<'a>,
        b: Piece<'a>,
        may_touch: Option<&'a dyn Fn(u32, u32) -> bool>,
    ) -> Option<Self> {
        let is_primitive = a.truth().is_some() || b.truth().is_some();
        is_primitive.then_some(Self { pieces: [a, b], may_touch })
    }

    /// The contact of the two, given the triangles of their meshes that meet. `None` if the meshes
    /// decide it.
    pub(super) fn decide(
        &self,
        met: Met,
        seek: &Seek,
        known: Known,
        workspace: &mut Workspace,
    ) -> Option<Decided> {
        let kinds = self.pieces.map(|piece| piece.truth().map(|truth| &truth.kind));
        let gap = match self.pieces.iter().filter(|piece| plane(piece).is_some()).count() {
            2 => return Some(Decided::clear()),
            1 => self.above_plane(),
            _ if !kinds.iter().flatten().any(|kind| is_curved(kind)) => {
                if self.are_boxes() && met.touching && !met.crossing && seek.mode == Mode::Surface {
                    return Some(self.in_line(met, seek, known, workspace));
                }
                // Boxes: their meshes are exact, and say all but what is inside.
                let is_known = met.any || seek.mode == Mode::Solid;
                let gap =
                    if is_known { None } else { self.contained(Layer::Outer, seek, workspace) };
                return gap.map(|gap| self.contact(&gap, true, met, seek, known, workspace));
            }
            _ => self.gap(Layer::Outer, seek.reach(), seek, workspace),
        };
        let Some(gap) = gap else { return Some(Decided::clear()) };
        let is_exact = self.bound() == 0.0;
        let is_certain = |limit: f64, workspace: &mut Workspace| {
            is_exact || self.gap(Layer::Inner, limit, seek, workspace).is_some()
        };
        if gap.is_contact() {
            let certain = is_certain(0.0, workspace);
            return Some(self.contact(&gap, certain, met, seek, known, workspace));
        }
        let mut decided = Decided::clear();
        if gap.distance <= seek.reach() {
            let [a, b] = self.pieces;
            let verdict = Verdict::of((a, b), ContactKind::Clearance, None, Met::default());
            decided.judged.verdicts.push(verdict);
            decided.judged.distance = Some(gap.distance);
            decided.judged.near_parts = Some(gap.parts);
            decided.judged.place = Some(Place { regions: Some(0), ..self.place(&gap) });
            self.mark(&mut decided.judged, is_certain(seek.reach(), workspace));
        }
        Some(decided)
    }

    /// Whether both are boxes, and solids therefore.
    fn are_boxes(&self) -> bool {
        let is_box = |piece: &Piece<'_>| {
            piece.truth().is_some_and(|truth| matches!(truth.kind, TrueKind::Mesh))
        };
        self.pieces.iter().all(is_box)
    }

    /// Boxes whose triangles only touch: where their sides are in line, they may overlap as solids.
    fn in_line(&self, met: Met, seek: &Seek, known: Known, workspace: &mut Workspace) -> Decided {
        let [a, b] = self.pieces;
        let solid = Seek { mode: Mode::Solid, through: false, ..*seek };
        let mut judged = Judged::of_contact((a, b), met, &solid, known, workspace);
        if !judged.is_meeting() {
            return Decided::clear();
        }
        let gap = self.gap(Layer::Outer, 0.0, seek, workspace);
        if let Some(gap) = gap.as_ref().filter(|_| seek.places) {
            judged.place = Some(self.place(gap));
        }
        Decided { judged, parts: gap.map(|gap| gap.parts) }
    }

    /// How far the shapes that are compared may reach beyond the true ones.
    fn bound(&self) -> f64 {
        // The lowest point of any primitive above a plane is known.
        if self.pieces.iter().any(|piece| plane(piece).is_some()) {
            return 0.0;
        }
        let of = |piece: &Piece<'_>| match piece.truth() {
            Some(TrueShape { kind: TrueKind::Between, bound, .. }) => *bound,
            _ => 0.0,
        };
        self.pieces.iter().map(of).sum()
    }

    fn mark(&self, judged: &mut Judged, is_certain: bool) {
        judged.bound = judged.bound.max(self.bound());
        if !is_certain {
            judged.certainty = judged.certainty.and(Certainty::Estimate(Doubt::Enclosure));
        }
    }

    fn side(&self, which: usize, layer: Layer) -> Side<'a> {
        let piece = self.pieces[which];
        let (model, radius) = match piece.truth() {
            Some(TrueShape { kind: TrueKind::Rounded { core, radius }, .. }) => (&**core, *radius),
            Some(TrueShape { kind: TrueKind::Between, inner: Some(inner), .. })
                if layer == Layer::Inner =>
            {
                (&**inner, 0.0)
            }
            _ => (piece.model(), 0.0),
        };
        Side { model, placement: piece.placement(), radius }
    }

    /// The relation of two shapes without half-spaces. `None` if they are farther apart than a
    /// limit.
    fn gap(&self, layer: Layer, limit: f64, seek: &Seek, workspace: &mut Workspace) -> Option<Gap> {
        let sides = [self.side(0, layer), self.side(1, layer)];
        let radii = sides[0].radius + sides[1].radius;
        let reach = (limit.max(0.0) + radii) * (1.0 + 1e-8) + f64::MIN_POSITIVE;
        match self.nearest(&sides, reach, workspace) {
            Some(nearest) if nearest.distance == 0.0 => Some(self.gap_of(&sides, &nearest, false)),
            found => self.contained(layer, seek, workspace).or_else(|| {
                let gap = self.gap_of(&sides, &found?, false);
                (gap.distance <= limit.max(gap.tolerance)).then_some(gap)
            }),
        }
    }

    /// How deep one is within the other, if it is and surfaces do not meet.
    fn contained(&self, layer: Layer, seek: &Seek, workspace: &mut Workspace) -> Option<Gap> {
        if !(self.has_inside(0, 1, seek, workspace) || self.has_inside(1, 0, seek, workspace)) {
            return None;
        }
        let sides = [self.side(0, layer), self.side(1, layer)];
        let nearest = self.nearest(&sides, f64::INFINITY, workspace)?;
        Some(self.gap_of(&sides, &nearest, true))
    }

    fn gap_of(&self, sides: &[Side<'_>; 2], nearest: &ClosestPoints, is_inside: bool) -> Gap {
        let [p, q] = [nearest.point_a, nearest.point_b];
        let core = if nearest.distance > 0.0 { p.distance(q) } else { 0.0 };
        let radii = sides[0].radius + sides[1].radius;
        let out = if is_inside { p - q } else { q - p };
        let normal = if core > 0.0 { out.try_normalize() } else { None };
        let n = normal.unwrap_or(DVec3::ZERO);
        let largest = p.abs().max(q.abs()).max_element().max(radii).max(core);
        let [a, b] = self.pieces;
        Gap {
            distance: if is_inside { -core - radii } else { core - radii },
            core,
            points: [p + n * sides[0].radius, q - n * sides[1].radius],
            normal,
            tolerance: ROUNDING * largest,
            parts: (a.part_of(nearest.a), b.part_of(nearest.b)),
            is_inside,
        }
    }

    /// The nearest triangles that may not touch.
    fn nearest(
        &self,
        [first, second]: &[Side<'_>; 2],
        limit: f64,
        workspace: &mut Workspace,
    ) -> Option<ClosestPoints> {
        let ((a, place_a), (b, place_b)) =
            ((first.model, first.placement), (second.model, second.placement));
        let Some(may_touch) = self.choosing() else {
            return query::distance(a, place_a, b, place_b, limit, workspace);
        };
        let counts = |i, j| !may_touch(self.pieces[0].part_of(i), self.pieces[1].part_of(j));
        let found = query::nearest_counted((a, place_a), (b, place_b), limit, &counts, workspace)?;
        let (lone_a, lone_b) = (lone(a, found.a)?, lone(b, found.b)?);
        let mut closest =
            query::distance(&lone_a, place_a, &lone_b, place_b, f64::INFINITY, workspace)?;
        (closest.a, closest.b) = (found.a, found.b);
        Some(closest)
    }

    /// What may touch, if that differs within a piece.
    fn choosing(&self) -> Option<&'a dyn Fn(u32, u32) -> bool> {
        let is_one = self.pieces.iter().all(|piece| piece.only_part().is_some());
        self.may_touch.filter(|_| !is_one)
    }

    /// Visits the points of a piece that may not touch the other, until one does not touch it.
    /// Returns whether there was one.
    fn any_point(&self, which: usize, is_meant: impl Fn(DVec3) -> bool) -> bool {
        let side = self.side(which, Layer::Inner);
        let mesh = side.model.mesh();
        let place = |&vertex: &DVec3| side.placement.apply(vertex);
        let Some(may_touch) = self.choosing() else {
            return mesh.vertices().iter().map(place).any(is_meant);
        };
        let [piece, other] = [self.pieces[which], self.pieces[1 - which]];
        (0..mesh.triangles().len()).any(|triangle| {
            let (own, part) = (piece.part_of(triangle as u32), other.only_part());
            let is_left = part.is_some_and(|part| match which {
                0 => may_touch(own, part),
                _ => may_touch(part, own),
            });
            !is_left && mesh.triangle(triangle).iter().map(place).any(&is_meant)
        })
    }

    /// Whether something of a piece is within another, which is a solid.
    fn has_inside(
        &self,
        which: usize,
        within: usize,
        seek: &Seek,
        workspace: &mut Workspace,
    ) -> bool {
        let (piece, solid) = (self.pieces[which], self.pieces[within]);
        match solid.truth() {
            // By its core.
            Some(TrueShape {
                kind: TrueKind::Rounded { .. } | TrueKind::HalfSpace { .. }, ..
            }) => false,
            Some(_) => self.any_point(which, |point| self.contains(within, point)),
            // A primitive is connected, so that one of its points speaks for all where surfaces do
            // not meet.
            None if seek.mode == Mode::Solid && piece.truth().is_some() => {
                let side = self.side(which, Layer::Inner);
                let first = side.placement.apply(side.model.mesh().vertices()[0]);
                query::is_inside(solid.model(), solid.placement(), first, workspace)
            }
            None => false,
        }
    }

    /// How a piece stands above the plane of the other.
    fn above_plane(&self) -> Option<Gap> {
        let floor = usize::from(plane(&self.pieces[0]).is_none());
        let (point, normal) = plane(&self.pieces[floor])?;
        let body = self.pieces[1 - floor];
        let height = |p: DVec3| normal.dot(p - point);
        let lowest = if let Some(truth) = body.truth() {
            let direction = body.placement().rotation().transpose() * -normal;
            truth.farthest(direction).map(|p| body.placement().apply(p))
        } else {
            let low = Cell::new(None);
            self.any_point(1 - floor, |p| {
                if low.get().is_none_or(|known| height(p) < height(known)) {
                    low.set(Some(p));
                }
                false
            });
            low.get()
        };
        let lowest = lowest?;
        let (distance, foot) = (height(lowest), lowest - normal * height(lowest));
        let largest = lowest.abs().max(point.abs()).max_element();
        let points = if floor == 0 { [foot, lowest] } else { [lowest, foot] };
        let normal = if floor == 0 { normal } else { -normal };
        let part = |piece: Piece<'_>| piece.only_part().unwrap_or_else(|| piece.part_of(0));
        Some(Gap {
            distance,
            core: distance.abs(),
            points,
            normal: Some(normal),
            tolerance: 4.0 * ROUNDING * largest,
            parts: (part(self.pieces[0]), part(self.pieces[1])),
            is_inside: false,
        })
    }

    fn contact(
        &self,
        gap: &Gap,
        is_certain: bool,
        met: Met,
        seek: &Seek,
        known: Known,
        workspace: &mut Workspace,
    ) -> Decided {
        let [a, b] = self.pieces;
        let meets = met.touching || met.crossing;
        let mut judged = Judged::default();
        if meets {
            let asked = Seek { touching: true, depth: false, ..*seek };
            judged = Judged::of_contact((a, b), met, &asked, known, workspace);
        }
        let engine = judged.verdicts.pop();
        let (kind, inside) = self.kind(gap, engine.as_ref(), workspace);
        if kind == ContactKind::Touching && !seek.touching {
            return Decided::clear();
        }
        judged.verdicts.push(Verdict::of((a, b), kind, inside, met));
        let is_apart = kind == ContactKind::Containment && gap.is_inside;
        let radii: f64 = [0, 1].map(|which| self.side(which, Layer::Outer).radius).iter().sum();
        let distance = if is_apart { (gap.core - radii).max(0.0) } else { 0.0 };
        judged.distance = seek.clearance.is_some().then_some(distance);
        if seek.places {
            judged.place = Some(self.place(gap));
        }
        if seek.depth {
            judged.overlap = Some(self.overlap(gap, seek, workspace));
        }
        self.mark(&mut judged, is_certain);
        Decided { judged, parts: Some(gap.parts) }
    }

    fn kind(
        &self,
        gap: &Gap,
        engine: Option<&Verdict>,
        workspace: &mut Workspace,
    ) -> (ContactKind, Option<Inside>) {
        if let Some(verdict) = engine.filter(|verdict| verdict.kind == ContactKind::Duplicate) {
            return (ContactKind::Duplicate, verdict.inside);
        }
        let inside =
            match (self.is_within(0, 1, gap, workspace), self.is_within(1, 0, gap, workspace)) {
                (true, true) => return (ContactKind::Duplicate, Some(Inside::Each)),
                (true, false) => Some(Inside::First),
                (false, true) => Some(Inside::Second),
                (false, false) => None,
            };
        if inside.is_some() {
            return (ContactKind::Containment, inside);
        }
        let is_by_mesh = self.pieces.iter().all(|piece| {
            !matches!(
                piece.truth().map(|truth| &truth.kind),
                Some(TrueKind::Rounded { .. } | TrueKind::HalfSpace { .. })
            )
        });
        match engine {
            Some(verdict) if is_by_mesh => (verdict.kind, verdict.inside),
            _ if gap.distance < -gap.tolerance => (ContactKind::Crossing, None),
            _ => (ContactKind::Touching, None),
        }
    }

    /// Whether all of a piece is within another.
    fn is_within(&self, which: usize, solid: usize, gap: &Gap, workspace: &mut Workspace) -> bool {
        let (own, other) = (self.side(which, Layer::Outer), self.side(solid, Layer::Inner));
        match self.pieces[solid].truth().map(|truth| &truth.kind) {
            Some(TrueKind::Rounded { radius, .. }) => {
                let reach = radius - own.radius + gap.tolerance;
                let nearest = |p: DVec3, workspace: &mut Workspace| {
                    query::nearest(other.model, other.placement, p, reach, workspace)
                };
                let vertices = own.model.mesh().vertices().iter();
                reach >= 0.0
                    && vertices
                        .map(|&v| own.placement.apply(v))
                        .all(|p| nearest(p, workspace).is_some())
            }
            Some(TrueKind::HalfSpace { point, normal }) => {
                let placement = self.pieces[solid].placement();
                let (point, normal) = (placement.apply(*point), placement.rotation() * *normal);
                let vertices = own.model.mesh().vertices().iter();
                vertices
                    .map(|&v| normal.dot(own.placement.apply(v) - point) + own.radius)
                    .all(|height| height <= gap.tolerance)
            }
            _ if !gap.is_inside => false,
            // What is inside and does not reach the surface is all inside; a mesh may be of several
            // shells.
            Some(_) => {
                gap.core >= own.radius && !self.any_point(which, |p| !self.contains(solid, p))
            }
            None => gap.core >= own.radius && !self.any_point(solid, |p| self.contains(which, p)),
        }
    }

    /// Whether the primitive of a piece contains a point of the world.
    fn contains(&self, which: usize, point: DVec3) -> bool {
        let piece = self.pieces[which];
        let own = point - piece.placement().translation();
        let own = piece.placement().rotation().inverse() * own;
        piece.truth().is_some_and(|truth| truth.contains(own))
    }

    fn place(&self, gap: &Gap) -> Place {
        let point = gap.points[0].midpoint(gap.points[1]);
        let [a, b] = self.pieces.map(|piece| {
            let bounds = piece.bounds();
            bounds.min.midpoint(bounds.max)
        });
        let normal = gap.normal.or_else(|| (b - a).try_normalize()).unwrap_or(DVec3::Z);
        Place { point, normal, length: 0.0, area: 0.0, regions: Some(1) }
    }

    fn overlap(&self, gap: &Gap, seek: &Seek, workspace: &mut Workspace) -> PenetrationSummary {
        let [a, b] = self.pieces;
        // A primitive is of one part, so what may not touch of the other is all that counts.
        let cuts = self.choosing().map_or([None, None], |may_touch| without((a, b), may_touch));
        let slab = self.slab();
        let side = |which: usize, piece| match &slab {
            Some((floor, slab, _)) if *floor == which => (slab, &Pose::IDENTITY),
            _ => whole_or(piece, cuts[which].as_ref()),
        };
        let models = [side(0, a), side(1, b)];
        let mut overlap = PenetrationSummary::of_models(models[0], models[1], workspace);
        overlap.certainty = overlap.certainty.and(certainty(&cuts));
        let truths = self.pieces.iter().filter_map(Piece::truth);
        let bound: f64 = truths.map(|truth| truth.bound).sum();
        self.bound_volume(models, &mut overlap, workspace);
        overlap.volume_error += slab.as_ref().map_or(0.0, |(.., error)| *error);
        let radii = [0, 1].map(|which| self.side(which, Layer::Outer).radius);
        let has_plane = self.pieces.iter().any(|piece| plane(piece).is_some());
        let are_round = radii[0] > 0.0 && radii[1] > 0.0;
        let is_shallow = gap.core > 0.0
            && !gap.is_inside
            && radii[0] + radii[1] > 0.0
            && (!are_round || gap.core >= radii[0].max(radii[1]));
        if has_plane || is_shallow {
            let upper = (-gap.distance).max(0.0);
            let inner = if self.bound() > 0.0 {
                self.gap(Layer::Inner, 0.0, seek, workspace).map_or(0.0, |inner| -inner.distance)
            } else {
                upper
            };
            (overlap.depth, overlap.depth_upper) = (inner.clamp(0.0, upper), upper);
            overlap.deepest = Some(gap.points);
            overlap.is_loose = false;
            if inner < upper {
                overlap.certainty = Certainty::Estimate(Doubt::Enclosure);
            }
        } else if bound > 0.0 {
            overlap.depth = (overlap.depth - bound).max(0.0);
            overlap.depth_upper += bound;
            overlap.certainty = overlap.certainty.and(Certainty::Estimate(Doubt::Enclosure));
        }
        overlap
    }

    /// Which piece is a half-space, as much of it as the other may reach into, and how far rounding
    /// of its corners may move a volume in it.
    fn slab(&self) -> Option<(usize, Model, f64)> {
        let floor = self.pieces.iter().position(|piece| plane(piece).is_some())?;
        let (point, normal) = plane(&self.pieces[floor])?;
        let bounds = self.pieces[1 - floor].bounds();
        let middle = bounds.min.midpoint(bounds.max);
        let reach = 2.0 * bounds.max.distance(bounds.min) + f64::MIN_POSITIVE;
        let (u, v) = normal.any_orthonormal_pair();
        let foot = middle - normal * normal.dot(middle - point);
        let low = (normal.dot(middle - point) - reach).min(-reach);
        let corner = |x: f64, y: f64, z: f64| foot + (u * x + v * y) * reach + normal * z;
        let corners = [
            corner(-1.0, -1.0, low),
            corner(1.0, -1.0, low),
            corner(1.0, 1.0, low),
            corner(-1.0, 1.0, low),
            corner(-1.0, -1.0, 0.0),
            corner(1.0, -1.0, 0.0),
            corner(1.0, 1.0, 0.0),
            corner(-1.0, 1.0, 0.0),
        ];
        // Seen along the normal, u, v and the normal are right-handed.
        let quads =
            [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
        let triangles = quads.iter().flat_map(|&[p, q, r, s]| [[p, q, r], [p, r, s]]).collect();
        let largest = corners.iter().fold(0.0, |most: f64, p| most.max(p.abs().max_element()));
        let error = 16.0 * f64::EPSILON * largest * (2.0 * reach).powi(2);
        let mesh = Mesh::new(corners.to_vec(), triangles).ok()?;
        let turned = if u.cross(v).dot(normal) < 0.0 { flipped(&mesh)? } else { mesh };
        Some((floor, Model::new(turned), error))
    }

    /// The true volume is between those of the meshes outside and inside.
    fn bound_volume(
        &self,
        models: [(&Model, &Pose); 2],
        overlap: &mut PenetrationSummary,
        workspace: &mut Workspace,
    ) {
        let inner = self.pieces.map(|piece| piece.truth().and_then(|truth| truth.inner.as_deref()));
        if inner.iter().all(Option::is_none) {
            return;
        }
        let [(a, place_a), (b, place_b)] = models;
        let (a, b) = (inner[0].unwrap_or(a), inner[1].unwrap_or(b));
        let least = query::overlap(a, place_a, b, place_b, workspace);
        let half = 0.5 * (overlap.volume - least.volume).max(0.0);
        overlap.volume_error += half + least.volume_error;
        overlap.volume -= half;
    }
}

/// A mesh with its sides exchanged.
fn flipped(mesh: &Mesh) -> Option<Mesh> {
    let turned = mesh.triangles().iter().map(|&[p, q, r]| [p, r, q]).collect();
    Mesh::new(mesh.vertices().to_vec(), turned).ok()
}

fn is_curved(kind: &TrueKind) -> bool {
    matches!(kind, TrueKind::Rounded { .. } | TrueKind::Between)
}

/// A point and the normal of the plane of a piece that is a half-space, which reaches farther than
/// its box.
pub(super) fn plane(piece: &Piece<'_>) -> Option<(DVec3, DVec3)> {
    let TrueKind::HalfSpace { point, normal } = piece.truth()?.kind else { return None };
    Some((piece.placement().apply(point), piece.placement().rotation() * normal))
}
