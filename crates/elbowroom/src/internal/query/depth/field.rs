//! How deep a point is in a solid: how far from its boundary, if it is inside.
//!
//! The boundary of a solid is where its triangles have it on one side only. A triangle within the
//! solid, as of two shells that overlap, is not of the boundary and is passed over. Of triangles
//! that meet others of their own mesh, parts may be within: they are taken for the boundary, and
//! told, so that the answer can be called an estimate.

use std::ops::ControlFlow;
use std::sync::Arc;

use glam::DVec3;

use super::super::distance::ClosestPoints;
use super::super::near::{Glimpse, Seek, Shape, Side, seek};
use super::super::point::ClosestPoint;
use super::super::solid::{Body, Own};
use super::super::winding::{is_inside, is_likely_inside};
use super::near::{Tree, nearest_below, tree_of};
use crate::internal::bvh::Packed;
use crate::internal::exact::Gap;
use crate::internal::geom::Aabb;
use crate::internal::math::pose::Pose;
use crate::internal::model::Partners;
use crate::internal::traverse::Workspace;

/// A placed solid as a function of points.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    pub(crate) body: Body<'a>,
    /// Of closed meshes.
    own: Option<Own<'a>>,
    /// In which points are looked for.
    tree: Option<Tree<'a>>,
}

impl<'a> Field<'a> {
    pub(crate) fn new(body: Body<'a>) -> Self {
        let own = body.shell.is_closed().then(|| Own::new(&body));
        Self { body, own, tree: tree_of(body.model) }
    }

    /// Whether a triangle may be of the boundary. One without area is not, even if it runs right
    /// through the solid.
    pub(crate) fn may_bound(&self, triangle: u32) -> bool {
        !self.body.shell.flat[triangle as usize]
            && self.own.is_none_or(|own| own.seen(triangle).is_all())
    }

    /// Whether a triangle is of the boundary with all of its area, for certain.
    pub(crate) fn bounds(&self, triangle: u32) -> bool {
        self.own.is_some_and(|own| own.is_boundary(triangle))
    }

    /// Whether a triangle bounds with all of its area, and no other lies in its place; taken for
    /// granted of open meshes.
    pub(crate) fn is_single(&self, triangle: u32) -> bool {
        self.own.is_none_or(|own| own.is_boundary(triangle))
    }

    /// The winding numbers of the solid behind and before one of its triangles, if they are the
    /// same all over it.
    pub(crate) fn single_numbers(&self, triangle: u32) -> Option<[i32; 2]> {
        let Some(own) = self.own else { return Some([1, 0]) };
        own.before(triangle).map(|before| [before + 1, before])
    }

    /// The winding numbers on both sides of a triangle near a corner, if a quick test finds them.
    pub(crate) fn numbers_at(&self, triangle: u32, corner: u32) -> Option<[i32; 2]> {
        let Some(own) = self.own else { return Some([1, 0]) };
        let before = own.before(triangle).or_else(|| own.before_at(triangle, corner))?;
        Some([before + 1, before])
    }

    /// The triangles that a triangle meets in more than what they share, of a closed mesh.
    pub(crate) fn partners(&self, triangle: u32) -> Option<Arc<Partners>> {
        self.own.map(|own| own.partners(triangle))
    }

    /// Whether the surface meets itself in a triangle, or may.
    pub(crate) fn meets_itself(&self, triangle: u32) -> bool {
        self.own.is_none_or(|own| own.meets_others(triangle))
    }

    /// Where the boundary is nearest to a point of the world, if it is within a limit.
    pub(crate) fn nearest(
        &self,
        point: DVec3,
        limit: f64,
        workspace: &mut Workspace,
    ) -> Option<ClosestPoint> {
        // Of nearly all triangles it is so that they bound: whether it is so of one is asked when
        // it is the nearest.
        let is_flat = |triangle: u32| self.body.shell.flat[triangle as usize];
        let found = self.nearest_of(point, limit, &|triangle| !is_flat(triangle), workspace)?;
        if self.may_bound(found.triangle) {
            return Some(found);
        }
        self.nearest_of(point, limit, &|triangle| self.may_bound(triangle), workspace)
    }

    /// The nearest of the triangles that count.
    fn nearest_of(
        &self,
        point: DVec3,
        limit: f64,
        counts: &dyn Fn(u32) -> bool,
        workspace: &mut Workspace,
    ) -> Option<ClosestPoint> {
        let Body { model, pose, .. } = self.body;
        if let Some(tree) = self.tree {
            // Placed points and distances are rounded here; the search has room for that.
            let step = pose.rotation().transpose() * (point - pose.translation());
            if let Ok(found) = nearest_below((model, tree), step, limit, counts, workspace) {
                return found.map(|found| ClosestPoint {
                    distance: found.square.sqrt(),
                    triangle: found.triangle,
                    point: pose.apply(found.foot),
                });
            }
        }
        let mut tree = workspace.point.take().unwrap_or_else(|| Packed::of_point(point));
        tree.move_to(point);
        let own = Side { pose: &Pose::IDENTITY, shape: Shape::Point(point, &tree) };
        let mut least = Bounding { counts, point, upper: limit, best: None };
        seek([own, Side::new(model, pose)], &mut least, workspace);
        workspace.point = Some(tree);
        let found = least.best?;
        Some(ClosestPoint { distance: found.distance, triangle: found.b, point: found.point_b })
    }

    /// Whether a point of the world is within, given where the boundary is nearest; by estimate if
    /// the mesh is open.
    ///
    /// On the way to the nearest point no triangle is crossed. So if that is well within a triangle
    /// or an edge, the side of it says all; else a winding number does.
    pub(crate) fn holds(
        &self,
        point: DVec3,
        near: &ClosestPoint,
        workspace: &mut Workspace,
    ) -> bool {
        let Body { model, pose, shell } = self.body;
        if let Some(holds) = self.holds_at_a_glance(point, near) {
            return holds;
        }
        if !shell.is_closed() {
            return is_likely_inside(model, pose, point, workspace);
        }
        is_inside(model, pose, point, workspace)
    }

    /// Whether the solid holds a point, without a winding number. `None` if that does not decide
    /// it.
    pub(crate) fn holds_at_a_glance(&self, point: DVec3, near: &ClosestPoint) -> Option<bool> {
        if self.is_beyond(point) {
            return Some(false);
        }
        self.side(point, near).map(|is_before| !is_before)
    }

    /// Whether a point is outside the bounds, by far more than rounding.
    fn is_beyond(&self, point: DVec3) -> bool {
        let Body { model, pose, .. } = self.body;
        let own = pose.rotation().transpose() * (point - pose.translation());
        let room = DVec3::splat(1e-9 * (own.abs().element_sum() + model.reach()));
        let Aabb { min: low, max: high } = model.bounds();
        own.cmplt(low - room).any() || own.cmpgt(high + room).any()
    }

    /// Whether a point is before the triangle that is nearest, if that says all.
    fn side(&self, point: DVec3, near: &ClosestPoint) -> Option<bool> {
        let Body { model, shell, .. } = self.body;
        let is_known = match self.own {
            Some(own) => own.is_boundary(near.triangle),
            None => shell.seams().inconsistent == 0,
        };
        let is_far = near.distance > 1e-9 * (point.abs().max_element() + model.reach());
        let normal = self.normal_at(near).filter(|_| is_known && is_far)?;
        let height = (point - near.point).dot(normal);
        (height.abs() > WELL * near.distance).then_some(height > 0.0)
    }

    /// The normal where a boundary is nearest: of the triangle, or of both triangles on an edge,
    /// half of each (Bærentzen and Aanæs, *Signed distance computation using the angle weighted
    /// pseudonormal*, 2005). Nothing near a corner, and where it is not sure.
    fn normal_at(&self, near: &ClosestPoint) -> Option<DVec3> {
        if self.body.shell.flat[near.triangle as usize] {
            return None;
        }
        let [a, b, c] = self.body.placed(near.triangle).points();
        let (ab, ac, foot) = (b - a, c - a, near.point - a);
        let normal = ab.cross(ac);
        let square = normal.length_squared();
        let (v, w) = (foot.cross(ac).dot(normal) / square, ab.cross(foot).dot(normal) / square);
        // The weights of the corners, each opposite to the edge that begins at the next one.
        let weights = [1.0 - v - w, v, w];
        let unit = normal.try_normalize()?;
        let mut low = (0..3).filter(|&i| weights[i] <= WELL || weights[i].is_nan());
        let Some(edge) = low.next() else { return Some(unit) };
        if low.next().is_some() || weights[edge].is_nan() {
            return None;
        }
        let shell = self.body.shell;
        let edge = shell.edges_of[near.triangle as usize][(edge + 1) % 3];
        let &[p, q] = shell.on_edge(edge) else { return None };
        let other = if p == near.triangle { q } else { p };
        if self.own.is_some_and(|own| !own.is_boundary(other)) {
            return None;
        }
        let [a, b, c] = self.body.placed(other).points();
        Some(unit + (b - a).cross(c - a).try_normalize()?)
    }
}

/// As a part of a triangle or of a distance: far beyond what rounding does.
const WELL: f64 = 1e-5;

/// Seeks the nearest triangle of those that count.
struct Bounding<'a> {
    counts: &'a dyn Fn(u32) -> bool,
    point: DVec3,
    upper: f64,
    best: Option<ClosestPoints>,
}

impl Seek for Bounding<'_> {
    fn limit(&self) -> f64 {
        self.upper
    }

    fn glimpse(&mut self, _: f64, _: f64) -> Glimpse {
        // Which triangles it is about is only told with their gap.
        Glimpse::Now
    }

    fn found(&mut self, a: &[u32], b: &[u32], gap: Option<Gap>) -> ControlFlow<()> {
        let met = Gap { distance: 0.0, points: [self.point; 2] };
        let Gap { distance, points: [point_a, point_b] } = gap.unwrap_or(met);
        let bounding = b.iter().copied().filter(|&triangle| (self.counts)(triangle));
        if let Some(b) = bounding.min()
            && distance <= self.upper
            && self.best.is_none_or(|best| (distance, b) < (best.distance, best.b))
        {
            self.upper = distance;
            self.best = Some(ClosestPoints { distance, a: a[0], b, point_a, point_b });
        }
        ControlFlow::Continue(())
    }
}
