//! The nearest triangle to one point, on a packed tree, when hundreds of points are asked about and something near is known.
//!
//! [`nearest`](super::super::point::nearest()) puts a point to the kernels for two trees and proves its answer to 2⁻³⁰ of the distance, however small. Here the answer may be
//! off by rounding of the model's size, which is told by whoever asks, and a point in the model's own frame goes straight down: a block's four boxes at once, the nearest first.
//! Boxes are f32, so they only cull, with room for all of their roundings.

use glam::{DVec3, Vec3, Vec4};

use crate::internal::arch::Block;
use crate::internal::bvh::Packed;
use crate::internal::bvh::packed::Below;
use crate::internal::model::Model;
use crate::interrupt::checkpoint;

/// Coordinates, seen from an origin of the tree, for which f32 and squares of f64 are good enough: 2³⁰, and a size of 2⁻⁴⁰.
const LARGEST: f64 = (1_u64 << 30) as f64;
const SMALLEST: f64 = 1.0 / (1_u64 << 40) as f64;

/// What rounding of f32 may do to the distance from a box, as a part of how far the point and the box reach: 2⁻²⁴ for each of some ten
/// operations, with room.
const SLACK: f64 = 1.0 / (1_u64 << 19) as f64;

/// The nearest triangle: its square distance, its number, and the nearest point in the model's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) square: f64,
    pub(super) triangle: u32,
    pub(super) foot: DVec3,
}

/// The tree, if it is one on which points in the model's frame can be looked for.
pub(super) fn tree_of(model: &Model) -> Option<&Packed> {
    let packed = model.packed()?;
    (SMALLEST..LARGEST).contains(&packed.main().reach).then_some(packed)
}

/// The nearest of the triangles that count, within a limit; of several that are equally near, the first.
///
/// # Errors
/// If the point is too far away for f32.
pub(super) fn nearest_below(
    (model, packed): (&Model, &Packed),
    point: DVec3,
    limit: f64,
    counts: impl Fn(u32) -> bool,
    stack: &mut Vec<(f32, u32, u32)>,
) -> Result<Option<Found>, TooFar> {
    let mut best = None::<Found>;
    let mut square = limit * limit;
    stack.clear();
    stack.push((0.0, 0, packed.main().root));
    let mut view = View::of(packed, 0, point)?;
    let mut most = view.most(square);
    while let Some((low, island, block)) = stack.pop() {
        checkpoint();
        if view.island != island {
            view = View::of(packed, island, point)?;
            most = view.most(square);
        }
        if low > most {
            continue;
        }
        let block = &packed.blocks[block as usize];
        let ranks = ranked(squares(block, view.step));
        // Leaves first, the nearest before the others: they lower what is near.
        for rank in ranks {
            let (low, below) = lane_of(rank, block);
            if low > most {
                break;
            }
            if !below.is_leaf() {
                continue;
            }
            for record in below.records() {
                for &triangle in packed.triangles(record).iter().filter(|&&t| counts(t)) {
                    let foot = closest(point, model.mesh().triangle(triangle as usize));
                    let found = point.distance_squared(foot);
                    let is_better = best
                        .is_none_or(|best: Found| (found, triangle) < (best.square, best.triangle));
                    if found <= square && is_better {
                        square = found;
                        best = Some(Found { square, triangle, foot });
                        most = view.most(square);
                    }
                }
            }
        }
        for rank in ranks.into_iter().rev() {
            let (low, below) = lane_of(rank, block);
            if low > most || below == Below::NOTHING {
                continue;
            }
            if let Some(island) = below.as_island() {
                stack.push((0.0, island as u32, packed.islands()[island].root));
            } else if let Some(block) = below.as_block() {
                stack.push((low, island, block as u32));
            }
        }
    }
    Ok(best)
}

/// A point that f32 cannot place.
pub(super) struct TooFar;

/// A point as seen from the origin of an island.
struct View {
    island: u32,
    step: Vec3,
    slack: f64,
}

impl View {
    fn of(packed: &Packed, island: u32, point: DVec3) -> Result<Self, TooFar> {
        let home = &packed.islands()[island as usize];
        let step = point - home.origin;
        let reach = step.abs().element_sum();
        if reach <= LARGEST {
            let slack = SLACK * (reach + home.reach);
            Ok(Self { island, step: step.as_vec3(), slack })
        } else {
            Err(TooFar)
        }
    }

    /// The largest square distance of a box that may hold something within a square distance.
    fn most(&self, square: f64) -> f32 {
        let most = square.sqrt() + self.slack;
        (most * most * (1.0 + 1e-6)) as f32
    }
}

/// The square distances of a point from the boxes of a block.
fn squares(Block(c): &Block, p: Vec3) -> [f32; 4] {
    let row = |i: usize| Vec4::from_array(c[i]);
    let steps = [p.x, p.y, p.z].map(Vec4::splat);
    let steps = [steps[0] - row(9), steps[1] - row(10), steps[2] - row(11)];
    let mut sum = Vec4::ZERO;
    for axis in 0..3 {
        let along =
            row(3 * axis) * steps[0] + row(3 * axis + 1) * steps[1] + row(3 * axis + 2) * steps[2];
        let out = (along.abs() - row(12 + axis)).max(Vec4::ZERO);
        sum += out * out;
    }
    sum.to_array()
}

/// The lanes of a block, the nearest first: the bits of a square, which are in the order of squares, with the lane in the place of
/// the last two. What is not a number comes last.
fn ranked(squares: [f32; 4]) -> [u32; 4] {
    let mut ranks = [0, 1, 2, 3].map(|lane: u32| squares[lane as usize].to_bits() & !3 | lane);
    for (i, j) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
        (ranks[i], ranks[j]) = (ranks[i].min(ranks[j]), ranks[i].max(ranks[j]));
    }
    ranks
}

/// The square, no larger than it was, and what is below.
fn lane_of(rank: u32, Block(c): &Block) -> (f32, Below) {
    (f32::from_bits(rank & !3), Below(c[15][rank as usize & 3].to_bits()))
}

/// A point of a triangle that is the nearest, to rounding: none is nearer by more than that.
pub(super) fn closest(p: DVec3, triangle: [DVec3; 3]) -> DVec3 {
    closest_part(p, triangle).0
}

/// A point of a triangle that is the nearest, and the edges that it is on, by bits: from the first corner to the second, and on.
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
