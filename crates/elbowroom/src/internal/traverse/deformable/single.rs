//! One deformable tree alone: the leaves that may meet a box or a segment, and those that may be
//! near a point.
//!
//! Questions about one triangle, one ray or one point of a solid are asked by the hundred, each of
//! its own, so that there is nothing to share out to lanes but the eight boxes of a block. Boxes
//! are f32 that contain their vertices as seen from the origin, in exact arithmetic; here they are
//! compared in f64, so that what may be lost is no more than a few roundings of the sizes at hand,
//! for which everything is enlarged.

use std::ops::ControlFlow;

use glam::DVec3;

use super::DeformableSide;
use crate::internal::bvh::deformable::DeformableChild;
use crate::internal::volume::aabb8::Aabb8;
use crate::interrupt::checkpoint;

/// What a sum of a few products may lose, as a part of them: far more than it does.
const ROOM: f64 = 1.0 / (1_u64 << 46) as f64;

/// Shows the leaves in boxes of which a bit is set, until it is broken off.
///
/// Returns `Break` if the visitor ended the search.
pub(crate) fn leaves(
    side: &DeformableSide<'_>,
    stack: &mut Vec<u32>,
    mut may_meet: impl FnMut(&Aabb8) -> u32,
    mut show: impl FnMut(usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    stack.clear();
    stack.push(0);
    while let Some(block) = stack.pop() {
        checkpoint();
        let links = &side.tree.links()[block as usize];
        let mut left = may_meet(&side.boxes.blocks()[block as usize]) & links.present;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let under = links.under[lane & 7];
            match under.as_leaf() {
                Some(leaf) => show(leaf)?,
                None => stack.push(under.0),
            }
        }
    }
    ControlFlow::Continue(())
}

/// The corners of the eight boxes of a block, along an axis: lowest and highest.
#[inline]
fn spans(Aabb8(rows): &Aabb8, axis: usize) -> [[f64; 8]; 2] {
    let (high, low) = (&rows[axis], &rows[axis + 3]);
    [std::array::from_fn(|i| -f64::from(low[i])), std::array::from_fn(|i| f64::from(high[i]))]
}

/// A bit for each lane that is not out.
#[inline]
fn bits(out: [bool; 8]) -> u32 {
    (0..8).fold(0, |bits, lane| bits | u32::from(!out[lane]) << lane)
}

/// A box in the frame of the vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Within {
    low: DVec3,
    high: DVec3,
}

impl Within {
    pub(crate) fn new(side: &DeformableSide<'_>, (low, high): (DVec3, DVec3)) -> Self {
        let origin = side.boxes.origin();
        let (low, high) = (low - origin, high - origin);
        let room = ROOM * (low.abs().max(high.abs()) + origin.abs());
        Self { low: low - room, high: high + room }
    }

    /// A bit for each lane that may meet it.
    #[inline]
    pub(crate) fn may_meet(&self, boxes: &Aabb8) -> u32 {
        let mut out = [false; 8];
        for axis in 0..3 {
            let [low, high] = spans(boxes, axis);
            for lane in 0..8 {
                out[lane] |= low[lane] > self.high[axis];
                out[lane] |= high[lane] < self.low[axis];
            }
        }
        bits(out)
    }
}

/// A segment in the frame of the vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Along {
    middle: DVec3,
    half: DVec3,
    /// How far it may be off, and what boxes of a size may lose.
    room: f64,
}

impl Along {
    /// From one point to another, each of which may be off by some room.
    pub(crate) fn new(side: &DeformableSide<'_>, [from, to]: [DVec3; 2], room: f64) -> Self {
        let origin = side.boxes.origin();
        let (from, to) = (from - origin, to - origin);
        let reach = from.abs().max(to.abs()).element_sum() + origin.abs().element_sum();
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        Self { middle, half, room: room + ROOM * reach }
    }

    /// A bit for each lane that may meet it: no axis of the box and no cross product with the
    /// segment parts them.
    #[inline]
    pub(crate) fn may_meet(&self, boxes: &Aabb8) -> u32 {
        let mut out = [false; 8];
        let (mut step, mut size) = ([[0.0; 8]; 3], [[0.0; 8]; 3]);
        let long = self.half.abs();
        for axis in 0..3 {
            let [low, high] = spans(boxes, axis);
            for lane in 0..8 {
                let (away, half) = (
                    0.5 * (low[lane] + high[lane]) - self.middle[axis],
                    0.5 * (high[lane] - low[lane]) + self.room,
                );
                step[axis][lane] = away;
                size[axis][lane] = half + ROOM * away.abs();
                out[lane] |= away.abs() > size[axis][lane] + long[axis];
            }
        }
        for axis in 0..3 {
            let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
            for lane in 0..8 {
                let (s, t) = (step[j][lane] * self.half[k], step[k][lane] * self.half[j]);
                let most = size[j][lane] * long[k] + size[k][lane] * long[j];
                out[lane] |= (s - t).abs() > most + ROOM * (s.abs() + t.abs());
            }
        }
        bits(out)
    }
}

/// A point in the frame of the vertices, and the leaves that are near it, the nearest first as far
/// as boxes tell.
#[derive(Clone, Debug)]
pub(crate) struct Beside<'a> {
    side: DeformableSide<'a>,
    at: DVec3,
    /// What distances may lose.
    room: f64,
}

/// A block that may hold something near, by its least square distance.
pub(crate) type NearBlock = (f64, u32);

impl<'a> Beside<'a> {
    pub(crate) fn new(side: DeformableSide<'a>, point: DVec3) -> Self {
        let origin = side.boxes.origin();
        let at = point - origin;
        let reach = point.abs() + origin.abs();
        let room = ROOM * (reach.element_sum() + f64::from(side.boxes.extent()));
        Self { side, at, room }
    }

    /// The largest square distance of a box that may hold something within a square distance.
    fn most(&self, square: f64) -> f64 {
        let most = square.sqrt() + self.room;
        most * most * (1.0 + ROOM)
    }

    /// Shows leaves that may hold something within a square distance, which the visitor may lower:
    /// it is told of it and gives it back.
    pub(crate) fn leaves(
        &self,
        mut square: f64,
        stack: &mut Vec<NearBlock>,
        mut show: impl FnMut(usize, f64) -> f64,
    ) {
        stack.clear();
        stack.push((0.0, 0));
        let mut most = self.most(square);
        while let Some((low, block)) = stack.pop() {
            checkpoint();
            if low > most {
                continue;
            }
            let links = &self.side.tree.links()[block as usize];
            let (mut ranks, mut count) = ([(0.0, 0_u32); 8], 0);
            let squares = self.squares(&self.side.boxes.blocks()[block as usize]);
            for lane in (0..8).filter(|lane| links.present >> lane & 1 == 1) {
                // What is not a number may be anywhere.
                let square = if squares[lane] > 0.0 { squares[lane] } else { 0.0 };
                if square <= most {
                    ranks[count] = (square, links.under[lane].0);
                    count += 1;
                }
            }
            let ranks = &mut ranks[..count];
            ranks.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
            // Leaves first, the nearest before the others: they lower what is near.
            for &(low, under) in &*ranks {
                if low > most {
                    break;
                }
                if let Some(leaf) = DeformableChild(under).as_leaf() {
                    square = show(leaf, square);
                    most = self.most(square);
                }
            }
            let blocks =
                ranks.iter().rev().filter(|(_, under)| DeformableChild(*under).as_leaf().is_none());
            stack.extend(blocks.filter(|(low, _)| *low <= most));
        }
    }

    /// The square distances of the boxes of a block.
    #[inline]
    fn squares(&self, boxes: &Aabb8) -> [f64; 8] {
        let mut squares = [0.0; 8];
        for axis in 0..3 {
            let [low, high] = spans(boxes, axis);
            let at = self.at[axis];
            for lane in 0..8 {
                let out = (low[lane] - at).max(at - high[lane]).max(0.0);
                squares[lane] += out * out;
            }
        }
        squares
    }
}

#[cfg(test)]
mod tests {
    use elbowroom_testkit::random::Random;

    use super::*;
    use crate::Mesh;
    use crate::internal::arch::SimdLevel;
    use crate::internal::bvh::deformable::{DeformableBoxes, DeformableTree};

    /// A soup of small triangles, some of them far away.
    fn soup(random: &mut Random, count: u32, far: f64) -> Mesh {
        let mut point = |size: f64| DVec3::from_array([0; 3].map(|_| random.uniform(-size, size)));
        let vertices = (0..count).flat_map(|i| {
            let middle = point(1.0) * if i % 16 == 7 { far } else { 1.0 };
            [0; 3].map(|_| middle + point(0.1))
        });
        let vertices = vertices.collect();
        Mesh::new(vertices, (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap()
    }

    fn bounds(points: [DVec3; 3]) -> (DVec3, DVec3) {
        let [p, q, r] = points;
        (p.min(q).min(r), p.max(q).max(r))
    }

    #[test]
    fn nothing_that_meets_is_passed_over_and_most_of_the_rest_is() {
        let mut random = Random::new(11);
        let (mut shown, mut met, mut all) = ([0; 3], [0; 3], 0);
        for round in 0..240 {
            let mesh = soup(&mut random, 200, if round % 4 == 3 { 1e6 } else { 1.0 });
            let tree = DeformableTree::new(&mesh).unwrap();
            let mut boxes = DeformableBoxes::new(&tree);
            boxes.refit(&tree, mesh.vertices(), SimdLevel::best());
            let side = DeformableSide { tree: &tree, boxes: &boxes, vertices: mesh.vertices() };
            let mut point = || DVec3::from_array([0; 3].map(|_| random.uniform(-1.2, 1.2)));
            let (from, to, wide) = (point(), point(), point().abs() * 0.2);
            let leaf_of = |triangle: usize| tree.leaf_of(triangle as u32);
            let (mut stack, mut near) = (Vec::new(), Vec::new());
            let mut seen = vec![[false; 3]; tree.leaves()];
            let within = Within::new(&side, (from - wide, from + wide));
            let _ = leaves(
                &side,
                &mut stack,
                |boxes| within.may_meet(boxes),
                |leaf| {
                    seen[leaf][0] = true;
                    ControlFlow::Continue(())
                },
            );
            let along = Along::new(&side, [from, to], 0.0);
            let _ = leaves(
                &side,
                &mut stack,
                |boxes| along.may_meet(boxes),
                |leaf| {
                    seen[leaf][1] = true;
                    ControlFlow::Continue(())
                },
            );
            let limit = 0.3_f64;
            Beside::new(side, from).leaves(limit * limit, &mut near, |leaf, square| {
                seen[leaf][2] = true;
                square
            });
            for triangle in 0..200 {
                let corners = mesh.triangle(triangle);
                let (low, high) = bounds(corners);
                let is_within = low.cmple(from + wide).all() && high.cmpge(from - wide).all();
                // Any point of the segment that is in the triangle's box will do.
                let is_along = (0..=1000).any(|i| {
                    let at = from.lerp(to, f64::from(i) / 1000.0);
                    low.cmple(at).all() && high.cmpge(at).all()
                });
                let is_near = corners.iter().any(|corner| corner.distance(from) <= limit);
                for (kind, is_met) in [is_within, is_along, is_near].into_iter().enumerate() {
                    assert!(!is_met || seen[leaf_of(triangle)][kind], "{kind}: {triangle}");
                    met[kind] += usize::from(is_met);
                }
            }
            all += seen.len();
            for kind in 0..3 {
                shown[kind] += seen.iter().filter(|seen| seen[kind]).count();
            }
        }
        println!("{shown:?} of {all} leaves shown, {met:?} triangles met");
        assert!(met.iter().all(|&met| met > 50) && shown.iter().all(|&shown| 3 * shown < 2 * all));
    }
}
