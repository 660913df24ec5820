//! The nearest triangle to one point, on a packed tree, when hundreds of points are asked about and something near is known.
//!
//! [`nearest`](super::super::point::nearest()) puts a point to the kernels for two trees and proves its answer to 2⁻³⁰ of the distance, however small. Here the answer may be
//! off by rounding of the model's size, which is told by whoever asks, and a point in the model's own frame goes straight down: a block's four boxes at once, the nearest first.
//! Boxes are f32, so they only cull, with room for all of their roundings.

use glam::{DVec3, Vec3};

use crate::arch::Block;
use crate::model::Model;
use crate::tree::Packed;
use crate::tree::packed::Below;

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
    while let Some((low, island, block)) = stack.pop() {
        let Some(home) = packed.islands().get(island as usize) else { continue };
        let step = point - home.origin;
        let reach = step.abs().element_sum();
        if reach > LARGEST {
            return Err(TooFar);
        }
        let slack = SLACK * (reach + home.reach);
        let most = square.sqrt() + slack;
        let most = (most * most * (1.0 + 1e-6)) as f32;
        if low > most {
            continue;
        }
        let squares = squares(&packed.blocks[block as usize], step.as_vec3());
        let mut order = [0, 1, 2, 3];
        order.sort_unstable_by(|&i, &j| squares[j].0.total_cmp(&squares[i].0));
        for lane in order {
            let (low, below) = squares[lane];
            if below == Below::NOTHING || low > most {
                continue;
            }
            if let Some(island) = below.as_island() {
                stack.push((0.0, island as u32, packed.islands()[island].root));
            } else if let Some(block) = below.as_block() {
                stack.push((low, island, block as u32));
            }
        }
        // Leaves at once, the nearest first: they lower what is near.
        for lane in order.into_iter().rev() {
            let (low, below) = squares[lane];
            if !below.is_leaf() || f64::from(low) > (square.sqrt() + slack).powi(2) * (1.0 + 1e-6) {
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
                    }
                }
            }
        }
    }
    Ok(best)
}

/// A point that f32 cannot place.
pub(super) struct TooFar;

/// The square distances of a point from the boxes of a block, and what is below them.
fn squares(Block(c): &Block, p: Vec3) -> [(f32, Below); 4] {
    let mut sums = [0.0_f32; 4];
    let mut steps = [[0.0_f32; 4]; 3];
    for lane in 0..4 {
        steps[0][lane] = p.x - c[9][lane];
        steps[1][lane] = p.y - c[10][lane];
        steps[2][lane] = p.z - c[11][lane];
    }
    for axis in 0..3 {
        for lane in 0..4 {
            let along = c[3 * axis][lane] * steps[0][lane]
                + c[3 * axis + 1][lane] * steps[1][lane]
                + c[3 * axis + 2][lane] * steps[2][lane];
            let out = (along.abs() - c[12 + axis][lane]).max(0.0);
            sums[lane] += out * out;
        }
    }
    std::array::from_fn(|lane| (sums[lane], Below(c[15][lane].to_bits())))
}

/// A point of a triangle that is the nearest, to rounding: none is nearer by more than that.
///
/// By the regions of the plane (Ericson, *Real-Time Collision Detection*, 2005, section 5.1.5).
pub(super) fn closest(p: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3 {
        return a + ab * (d1 / (d1 - d3));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 > d6 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    let (e, f) = (d4 - d3, d5 - d6);
    if va <= 0.0 && e >= 0.0 && f >= 0.0 && e + f > 0.0 {
        return b + (c - b) * (e / (e + f));
    }
    let sum = va + vb + vc;
    let (v, w) = (vb / sum, vc / sum);
    // A triangle without area has been seen to by its edges, but for rounding.
    if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
        return a + ab * v + ac * w;
    }
    let corners = [(ap, a), (bp, b), (cp, c)];
    let nearest = corners.into_iter().min_by(|p, q| p.0.length().total_cmp(&q.0.length()));
    nearest.map_or(a, |(_, corner)| corner)
}
