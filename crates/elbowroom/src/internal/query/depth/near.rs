//! The nearest triangle to one point, when hundreds of points are asked about and something near is
//! known.
//!
//! [`nearest`](super::super::point::nearest()) puts a point to the kernels for two trees and proves
//! its answer to 2⁻³⁰ of the distance, however small. Here the answer may be off by rounding of the
//! model's size, which the caller gives, and a point in the model's own frame goes straight down: a
//! block's boxes at once, the nearest first. A body that deforms has the tree that is refitted
//! ([`Beside`]) and needs no other; a rigid one its [packed tree](super::near_packed). The answer
//! is the same.

use glam::DVec3;

use super::near_packed::{TooFar, nearest_packed};
use crate::internal::bvh::Packed;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;
use crate::internal::traverse::deformable::DeformableSide;
use crate::internal::traverse::deformable::single::{Beside, NearBlock};

/// Reaches of models for which squares of f64 are good enough: 2³⁰ and 2⁻⁴⁰.
const LARGEST: f64 = (1_u64 << 30) as f64;
const SMALLEST: f64 = 1.0 / (1_u64 << 40) as f64;

/// The nearest triangle: its square distance, its number, and the nearest point in the model's
/// frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) square: f64,
    pub(super) triangle: u32,
    pub(super) foot: DVec3,
}

/// A tree in which points in the model's own frame can be looked for.
#[derive(Clone, Copy)]
pub(super) enum Tree<'a> {
    Soft(DeformableSide<'a>),
    Packed(&'a Packed),
}

/// The tree that a model has, if it is one in which points can be looked for.
pub(super) fn tree_of(model: &Model) -> Option<Tree<'_>> {
    let is_fit = |reach: f64| (SMALLEST..LARGEST).contains(&reach);
    if model.is_shaped() {
        return model.deformable_bvh().filter(|_| is_fit(model.reach()))?.side().map(Tree::Soft);
    }
    model.packed().filter(|packed| is_fit(packed.main().reach)).map(Tree::Packed)
}

/// The nearest of the triangles that count, within a limit; of several that are equally near, the
/// first.
///
/// # Errors
/// If the point is too far away for the tree.
pub(super) fn nearest_below(
    (model, tree): (&Model, Tree<'_>),
    point: DVec3,
    limit: f64,
    counts: &dyn Fn(u32) -> bool,
    workspace: &mut Workspace,
) -> Result<Option<Found>, TooFar> {
    match tree {
        Tree::Soft(side) => {
            let stack = &mut workspace.near_blocks;
            Ok(nearest_soft((model, side), point, limit, counts, stack))
        }
        Tree::Packed(packed) => {
            nearest_packed((model, packed), point, limit, counts, &mut workspace.nearby)
        }
    }
}

fn nearest_soft(
    (model, side): (&Model, DeformableSide<'_>),
    point: DVec3,
    limit: f64,
    counts: &dyn Fn(u32) -> bool,
    stack: &mut Vec<NearBlock>,
) -> Option<Found> {
    let mut best = None::<Found>;
    Beside::new(side, point).leaves(limit * limit, stack, |leaf, mut square| {
        for &triangle in side.tree.numbers_of(leaf) {
            let foot = closest(point, model.mesh().triangle(triangle as usize));
            let found = point.distance_squared(foot);
            let is_better =
                best.is_none_or(|best: Found| (found, triangle) < (best.square, best.triangle));
            if found <= square && is_better && counts(triangle) {
                square = found;
                best = Some(Found { square, triangle, foot });
            }
        }
        square
    });
    best
}

/// A point of a triangle that is the nearest, to rounding: none is nearer by more than that.
pub(super) fn closest(p: DVec3, triangle: [DVec3; 3]) -> DVec3 {
    closest_part(p, triangle).0
}

/// A point of a triangle that is the nearest, and the edges that it is on, by bits: from the first
/// corner to the second, and on.
///
/// By the regions of the plane (Ericson, *Real-Time Collision Detection*, 2005, section 5.1.5).
#[inline]
pub(super) fn closest_part(p: DVec3, [a, b, c]: [DVec3; 3]) -> (DVec3, u32) {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, 0b101);
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, 0b011);
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, 0b110);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3 {
        return (a + ab * (d1 / (d1 - d3)), 0b001);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 > d6 {
        return (a + ac * (d2 / (d2 - d6)), 0b100);
    }
    let va = d3 * d6 - d5 * d4;
    let (e, f) = (d4 - d3, d5 - d6);
    if va <= 0.0 && e >= 0.0 && f >= 0.0 && e + f > 0.0 {
        return (b + (c - b) * (e / (e + f)), 0b010);
    }
    let sum = va + vb + vc;
    let (v, w) = (vb / sum, vc / sum);
    // A triangle without area has been seen to by its edges, but for rounding.
    if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
        return (a + ab * v + ac * w, 0);
    }
    let corners = [(ap, a), (bp, b), (cp, c)];
    let nearest = corners.into_iter().min_by(|p, q| p.0.length().total_cmp(&q.0.length()));
    (nearest.map_or(a, |(_, corner)| corner), 0b111)
}
