//! How often a surface is wound around a point, by what a ray from there runs into.
//!
//! A ray that leaves a triangle on the side of its normal has come out of one more layer: the
//! winding number is the number of triangles that the ray runs through with their normals, less
//! those against. That is exact if the ray meets no edge: a ray that does is told, and the caller
//! takes another. Points on the surface are fine as well: triangles through the beginning of the
//! ray are passed over, so that the number is that of the side to which the ray goes.
//!
//! Triangles are decided by four determinants in f64 where those are above their bounds, else
//! without rounding. The bound: with all coordinates seen from the ray's beginning at most L and
//! off by at most δ, and a direction of size g that is off by 4u, a product of three is off by
//! 3·(4Lδ + 2δ²)·g + 12u·L²·g and evaluating it costs less than 60u·L²·g; 32 and 256 have room for
//! the rest.

use std::ops::ControlFlow;

use glam::DVec3;

use super::body::Body;
use crate::internal::bvh::{Column, NodeId, Tree};
use crate::internal::exact::{PlacedTriangle, Point, Relation, Sign, Vector, relate};
use crate::internal::geom::Aabb;
use crate::internal::math::pose::Pose;
use crate::internal::model::with_column;
use crate::internal::traverse::deformable::DeformableSide;
use crate::internal::traverse::deformable::single::{Along, leaves};
use crate::internal::traverse::{Look, Seen, Workspace, single};
use crate::internal::volume::{Fit, Meet, Obb, Rigid, Spatial};

const U: f64 = 1.0 / (1_u64 << 53) as f64;
/// Extents at which products of three are far from the ends of f64's range.
const TRUSTED: std::ops::RangeInclusive<f64> = 1e-90..=1e90;

/// A ray from a point that need not be an f64.
pub(crate) struct Probe {
    origin: Point,
    way: Vector,
    /// Both rounded, and how far the first may be off.
    from: DVec3,
    error: f64,
    toward: DVec3,
}

/// What a probe ran into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// The winding number, if the probe grazes nothing.
    pub(crate) number: i32,
    /// Whether it runs into an edge, or along a triangle, so that the number means nothing.
    pub(crate) grazes: bool,
    /// Whether a triangle goes through its beginning.
    pub(crate) begins_on: bool,
}

/// What a probe does to a triangle.
enum Pass {
    Misses,
    Crosses(Sign),
    Grazes,
    Begins,
}

impl Probe {
    pub(crate) fn new(origin: Point, way: &Vector) -> Self {
        let (from, error) = origin.approx();
        let way = way.balanced();
        let toward = way.approx();
        Self { origin, way, from, error, toward }
    }

    /// From a finite point that is an f64.
    pub(crate) fn at(from: DVec3, way: &Vector) -> Self {
        let origin = Point::from_vector(Vector::of(from));
        Self { from, error: 0.0, ..Self::new(origin, way) }
    }

    /// Follows the ray to its end.
    pub(crate) fn follow(&self, body: &Body, workspace: &mut Workspace) -> Found {
        let Some(to) = self.end(body) else { return Found::default() };
        // A body that deforms has a tree that is refitted; one that stays is worth a tighter one.
        let found = if body.model.is_shaped() {
            self.follow_boxes(body, to, workspace)
        } else {
            self.follow_tree(body, to, workspace)
        };
        found.unwrap_or_else(|| {
            // Beyond what volumes can tell: every triangle is tested.
            let mut found = Found::default();
            for triangle in 0..body.model.mesh().triangles().len() as u32 {
                self.meet(body, triangle, &mut found);
            }
            found
        })
    }

    /// Descends the boxes of the refitted tree. `None` if they cannot decide.
    fn follow_boxes(&self, body: &Body, to: DVec3, workspace: &mut Workspace) -> Option<Found> {
        let side = body.model.deformable_bvh()?.side()?;
        let along = self.along(body, &side, to)?;
        let mut found = Found::default();
        let show = |leaf| {
            for &triangle in side.tree.numbers_of(leaf) {
                self.meet(body, triangle, &mut found);
            }
            if found.grazes { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        // Breaks when the number means nothing, which `found` says.
        let _ = leaves(&side, &mut workspace.blocks, |boxes| along.may_meet(boxes), show);
        Some(found)
    }

    /// Descends the model's own tree. `None` if it cannot decide.
    fn follow_tree(&self, body: &Body, to: DVec3, workspace: &mut Workspace) -> Option<Found> {
        let (model, pose) = (body.model, body.pose);
        let reach = self.from.abs().max(to.abs()).element_sum();
        let margin = 4.0 * self.error + 64.0 * U * reach;
        let space = Rigid::new(pose, model.reach(), &Pose::IDENTITY, reach, margin);
        if !(to.is_finite() && space.slack.is_finite() && space.translation.is_finite()) {
            return None;
        }
        let thin = Obb::of_triangles(&[[self.from, to, to]], Fit::Vertices);
        let (tree, found) = (model.tree(), Found::default());
        with_column!(model.columns(), column => {
            let mut look = Through { probe: self, body, tree, column, thin, space, found };
            // Breaks when the number means nothing, which `found` says.
            let _ = single(tree, &mut look, workspace);
            Some(look.found)
        })
    }

    /// The ray up to a point, in the body's own frame. `None` if it has no exact form there.
    fn along(&self, body: &Body, side: &DeformableSide, to: DVec3) -> Option<Along> {
        let Body { model, pose, .. } = *body;
        let reach = self.from.abs().max(to.abs()).element_sum();
        let room = 4.0 * self.error + 64.0 * U * reach;
        if !(to.is_finite() && room.is_finite()) {
            return None;
        }
        if *pose == Pose::IDENTITY {
            return Some(Along::new(side, [self.from, to], room));
        }
        let away = pose.translation();
        let enter = |point: DVec3| pose.rotation().transpose() * (point - away);
        // A matrix that is not quite a rotation, and roundings.
        let turned = 4.0 * Pose::TOLERANCE * (reach + away.abs().element_sum() + model.reach());
        let ends = [self.from, to].map(enter);
        let is_known = ends.iter().all(|end| end.is_finite()) && turned.is_finite();
        is_known.then(|| Along::new(side, ends, room + turned))
    }

    /// A point of the ray, rounded, behind which there is nothing. None if the ray begins where
    /// nothing is around it: outside a ball around the surface.
    fn end(&self, body: &Body) -> Option<DVec3> {
        let Aabb { min: low, max: high } = body.model.bounds();
        let middle = body.pose.apply(low * 0.5 + high * 0.5);
        // Sums and largest coordinates, because squares of the smallest and largest numbers are
        // lost.
        let radius = (high * 0.5 - low * 0.5).element_sum();
        let step = (self.from - middle).abs();
        let doubt = 16.0 * (self.error + U * body.model.reach() + U * middle.abs().element_sum());
        if step.max_element() > radius * (1.0 + 1e-6) + doubt {
            return None;
        }
        let length = (step.element_sum() + radius) * 1.125 + doubt;
        Some(self.from + self.toward * (length / self.toward.length()))
    }

    fn meet(&self, body: &Body, triangle: u32, found: &mut Found) {
        let placed = body.placed(triangle);
        if body.shell.flat[triangle as usize] {
            // It encloses nothing, but it is there. A point that was made by cutting is not asked
            // where it is.
            let point = PlacedTriangle::new(&Pose::IDENTITY, [self.from; 3]);
            found.begins_on |= self.error == 0.0 && relate(&placed, &point) != Relation::Apart;
            return;
        }
        match self.judge(&placed).unwrap_or_else(|| self.judge_exactly(body, triangle)) {
            Pass::Misses => {}
            Pass::Crosses(Sign::Negative) => found.number -= 1,
            Pass::Crosses(_) => found.number += 1,
            Pass::Grazes => found.grazes = true,
            Pass::Begins => found.begins_on = true,
        }
    }

    /// By f64, if that is certain.
    fn judge(&self, placed: &PlacedTriangle) -> Option<Pass> {
        let [a, b, c] = placed.points().map(|corner| corner - self.from);
        let size = a.abs().max(b.abs()).max(c.abs()).max_element();
        let doubt = placed.rounding().max_element() + self.error + 2.0 * U * size;
        let size = size + doubt;
        if !TRUSTED.contains(&size) {
            return None;
        }
        let bound = 2.0 * (32.0 * size * doubt + 256.0 * U * size * size);
        let turns = [a.cross(b), b.cross(c), c.cross(a)].map(|area| self.toward.dot(area));
        let some_above = turns.iter().any(|&turn| turn > bound);
        let some_below = turns.iter().any(|&turn| turn < -bound);
        if some_above && some_below {
            return Some(Pass::Misses);
        }
        if !turns.iter().all(|turn| turn.abs() > bound) {
            return None;
        }
        let height = a.dot(b.cross(c));
        if height.abs() <= 2.0 * size * (32.0 * size * doubt + 256.0 * U * size * size) {
            return None;
        }
        let ahead = (height > 0.0) == some_above;
        Some(if ahead { Pass::Crosses(Sign::of(turns[0])) } else { Pass::Misses })
    }

    #[cold]
    fn judge_exactly(&self, body: &Body, triangle: u32) -> Pass {
        let [a, b, c] = body.corners(triangle).map(|corner| self.origin.from(&corner).negated());
        let areas = [a.cross(&b), b.cross(&c), c.cross(&a)];
        let height = a.dot(&areas[1]).sign();
        let normal = areas[0].plus(&areas[1]).plus(&areas[2]);
        if height == Sign::Zero {
            // The areas are multiples of the normal now, and say where the beginning is in the
            // triangle's plane.
            if areas.iter().all(|area| area.dot(&normal).sign() != Sign::Negative) {
                return Pass::Begins;
            }
            // From elsewhere in the plane, the ray leaves it at once, or stays in it.
            let stays = normal.dot(&self.way).sign() == Sign::Zero;
            return if stays { Pass::Grazes } else { Pass::Misses };
        }
        let turns = areas.each_ref().map(|area| area.dot(&self.way).sign());
        if turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative) {
            return Pass::Misses;
        }
        let Some(&slope) = turns.iter().find(|&&turn| turn != Sign::Zero) else {
            // The triangle is seen from its edge only, and the ray is not in its plane.
            return Pass::Misses;
        };
        match (slope == height, turns.contains(&Sign::Zero)) {
            (false, _) => Pass::Misses,
            (true, false) => Pass::Crosses(slope),
            (true, true) => Pass::Grazes,
        }
    }
}

struct Through<'a, V> {
    probe: &'a Probe,
    body: &'a Body<'a>,
    tree: &'a Tree,
    column: &'a Column<V>,
    thin: Obb,
    space: Rigid,
    found: Found,
}

impl<V: Spatial> Look for Through<'_, V> {
    fn look(&mut self, node: NodeId) -> Seen {
        let met = self.column[node].boxed().may_meet(&self.thin, &self.space);
        if met { Seen::Perhaps } else { Seen::Nothing }
    }

    fn everything(&mut self, _: NodeId) -> ControlFlow<()> {
        unreachable!("a ray never meets everything")
    }

    fn leaf(&mut self, leaf: NodeId) -> ControlFlow<()> {
        for &triangle in self.tree.members(leaf) {
            self.probe.meet(self.body, triangle, &mut self.found);
        }
        let stop = self.found.grazes;
        if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
