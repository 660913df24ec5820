//! The nearest triangle to one point on a packed tree, when something near is known.
//!
//! As on a tree that is refitted ([`near`](super::near)), with a block's four oriented boxes at
//! once: of long slivers they are far tighter. Boxes are f32, so they only cull, with room for all
//! of their roundings.

use glam::{DVec3, Vec3, Vec4};

use super::near::{Found, closest};
use crate::internal::arch::Block;
use crate::internal::bvh::Packed;
use crate::internal::bvh::packed::ChildRef;
use crate::internal::model::Model;
use crate::interrupt::checkpoint;

/// Coordinates, seen from an origin of the tree, for which f32 is good enough: 2³⁰.
const LARGEST: f64 = (1_u64 << 30) as f64;

/// What rounding of f32 may do to the distance from a box, as a part of how far the point and the
/// box reach: 2⁻²⁴ for each of some ten operations, with room.
const SLACK: f64 = 1.0 / (1_u64 << 19) as f64;

/// The nearest of the triangles that count, within a limit; of several that are equally near, the
/// first.
///
/// # Errors
/// If the point is too far away for f32.
pub(super) fn nearest_packed(
    (model, packed): (&Model, &Packed),
    point: DVec3,
    limit: f64,
    counts: &dyn Fn(u32) -> bool,
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
            if low > most || below == ChildRef::NOTHING {
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

/// The lanes of a block, the nearest first: the bits of a square, which are in the order of
/// squares, with the lane in the place of the last two. What is not a number comes last.
fn ranked(squares: [f32; 4]) -> [u32; 4] {
    let mut ranks = [0, 1, 2, 3].map(|lane: u32| squares[lane as usize].to_bits() & !3 | lane);
    for (i, j) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
        (ranks[i], ranks[j]) = (ranks[i].min(ranks[j]), ranks[i].max(ranks[j]));
    }
    ranks
}

/// The square, no larger than it was, and what is below.
fn lane_of(rank: u32, Block(c): &Block) -> (f32, ChildRef) {
    (f32::from_bits(rank & !3), ChildRef(c[15][rank as usize & 3].to_bits()))
}
