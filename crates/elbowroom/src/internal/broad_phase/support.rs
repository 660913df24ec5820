//! The box of a placed object, nearly the smallest, in constant time.
//!
//! Along an axis of the world, an object ends where its points reach the farthest in the direction
//! of that axis, seen from the object: the *support function* h(d) = max d·p, at the rows of the
//! pose's matrix. To look at all points is exact and slow; to turn the object's own box is fast,
//! and the turned box's box is up to √3 times too long. Support functions are sublinear: h(λd + μe)
//! ≤ λ·h(d) + μ·h(e) for λ, μ ≥ 0 (Rockafellar, *Convex Analysis*, 1970, section 13). So, with h
//! known at the corners of a grid on the faces of a cube, what is interpolated between them is a
//! bound from above, and the finer the grid the better:
//!
//! ```text
//!      +---+---+---+---+
//!      |   |   | /d|   |      the cell of d, cut in two triangles: d is a sum of three corners
//!      +---+---+---+---+      with weights that are not negative
//!      |   |   |   |   |
//!      +---+---+---+---+      5 × 5 corners a face, 98 in all
//! ```
//!
//! For a ball the bound is at most 6 % too large. The corners are (±1, ±½ or 0 or ±1, …), exactly
//! f64.
//!
//! Invariants: the box holds every point of the object, placed in exact arithmetic; it is finite.
//! Where a placed point is beyond all f64, the box ends at the largest. Boxes that should overlap
//! still do, because cutting off what is beyond a limit keeps the order.

use glam::DVec3;

use crate::internal::geom::mesh::Mesh;
use crate::internal::math::pose::Pose;
use crate::internal::math::sort::many_by;
use crate::internal::volume::Aabb;

/// Cells along a side of a face.
const CELLS: usize = 4;
const CORNERS: usize = CELLS + 1;
const HALF: i8 = 2;

/// Half of the corners: of two opposite ones, only one.
const DIRECTIONS: usize = 49;

/// How far the points of an object reach in 98 directions.
///
/// ```
/// use elbowroom::internal::broad_phase::Support;
/// use elbowroom::{Mesh, Pose};
/// use glam::{DQuat, DVec3};
///
/// // A cross, whose own box is far too large for it when it is turned.
/// let ends = vec![DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z];
/// let cross = Support::of_mesh(&Mesh::new(ends, vec![[0, 1, 2], [3, 4, 5]])?);
/// let turned = Pose::from_quat(DQuat::from_rotation_z(0.785), DVec3::ZERO)?;
/// assert!((0.707..0.73).contains(&cross.placed(&turned).max.x));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Support {
    /// By face (x, y, z) and corner: how far in its direction, and in the opposite one.
    heights: Box<[[[f64; 2]; CORNERS * CORNERS]; 3]>,
    /// Bounds the sum of the magnitudes of any point's coordinates.
    reach: f64,
}

impl Support {
    /// Of the triangles of a mesh.
    pub fn of_mesh(mesh: &Mesh) -> Self {
        let mut used = vec![false; mesh.vertices().len()];
        for &corner in mesh.triangles().as_flattened() {
            used[corner as usize] = true;
        }
        let points = mesh.vertices().iter().zip(used).filter(|(_, used)| *used);
        Self::of_points(points.map(|(&point, _)| point))
    }

    /// Of finite points; of none it is that of the origin.
    pub fn of_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        let directions = Directions::new();
        let mut low = [f64::INFINITY; DIRECTIONS];
        let mut high = [f64::NEG_INFINITY; DIRECTIONS];
        let mut size = DVec3::ZERO;
        let [x, y, z] = &directions.coordinates;
        for p in points {
            debug_assert!(p.is_finite(), "{p} is not finite");
            size = size.max(p.abs());
            for i in 0..DIRECTIONS {
                let height = x[i] * p.x + y[i] * p.y + z[i] * p.z;
                low[i] = if height < low[i] { height } else { low[i] };
                high[i] = if height > high[i] { height } else { high[i] };
            }
        }
        if low[0] > high[0] {
            (low, high) = ([0.0; DIRECTIONS], [0.0; DIRECTIONS]);
        }
        let mut heights = Box::new([[[0.0; 2]; CORNERS * CORNERS]; 3]);
        for (face, corner, direction) in corners() {
            heights[face][corner] = match directions.find(direction) {
                (place, true) => [high[place], -low[place]],
                (place, false) => [-low[place], high[place]],
            };
        }
        Self { heights, reach: size.element_sum() }
    }

    /// A box that holds the object where a pose puts it.
    pub fn placed(&self, pose: &Pose) -> Aabb {
        // In units of the last place of the reach: 3 for the heights, 9 for weights that do not
        // quite add up to the direction, 5 for the weighted sum, 2 for the last sums. The
        // rest is room, and the last summand covers what is lost below the normal numbers.
        const SLACK: f64 = 32.0 / (1_u64 << 53) as f64;
        const UNDERFLOW: f64 = f64::MIN_POSITIVE * 64.0 * f64::EPSILON;
        let rotation = pose.rotation();
        let mut bounds = Aabb { min: DVec3::ZERO, max: DVec3::ZERO };
        for axis in 0..3 {
            let (row, shift) = (rotation.row(axis), pose.translation()[axis]);
            let slack = SLACK * (self.reach + shift.abs()) + UNDERFLOW;
            let [up, down] = self.heights(row);
            bounds.max[axis] = finite(up + shift + slack);
            bounds.min[axis] = -finite(down - shift + slack);
        }
        bounds
    }

    /// The support function, interpolated: in a direction and in its opposite.
    #[expect(clippy::cast_sign_loss, reason = "places are from 0 on, or rounded to just below it")]
    #[inline]
    fn heights(&self, d: DVec3) -> [f64; 2] {
        let sizes = d.abs();
        let axis =
            if sizes.x >= sizes.y.max(sizes.z) { 0 } else { 1 + usize::from(sizes.z > sizes.y) };
        let per_unit = d[axis].recip();
        // The cell and the place in it, from 0 to 1, on the face of the positive axis.
        let cell = |x: f64| {
            let place = (x * per_unit + 1.0) * (0.5 * CELLS as f64);
            let cell = (place as u32).min(CELLS as u32 - 1);
            (cell as usize, (place - f64::from(cell)).clamp(0.0, 1.0))
        };
        let ((i, u), (j, v)) = (cell(d[(axis + 1) % 3]), cell(d[(axis + 2) % 3]));
        let heights = &self.heights[axis];
        let first = j * CORNERS + i;
        let (next, larger, smaller) =
            if u > v { (first + 1, u, v) } else { (first + CORNERS, v, u) };
        let [along, against] = [0, 1].map(|side| {
            sizes[axis]
                * ((1.0 - larger) * heights[first][side]
                    + (larger - smaller) * heights[next][side]
                    + smaller * heights[first + CORNERS + 1][side])
        });
        if d[axis] < 0.0 { [against, along] } else { [along, against] }
    }
}

/// Cut off at the largest number; what is not a number was too large on its way.
fn finite(x: f64) -> f64 {
    if x.is_nan() { f64::MAX } else { x.clamp(-f64::MAX, f64::MAX) }
}

/// Face, place on it and direction, in halves, of every corner of three faces. Those on the edges
/// of the cube come up on several faces.
fn corners() -> impl Iterator<Item = (usize, usize, [i8; 3])> {
    (0..3 * CORNERS * CORNERS).map(|i| {
        let (axis, corner) = (i / (CORNERS * CORNERS), i % (CORNERS * CORNERS));
        let mut direction = [HALF; 3];
        direction[(axis + 1) % 3] = (corner % CORNERS) as i8 - HALF;
        direction[(axis + 2) % 3] = (corner / CORNERS) as i8 - HALF;
        (axis, corner, direction)
    })
}

/// One of each two opposite directions, as columns, in halves.
struct Directions {
    steps: Vec<[i8; 3]>,
    coordinates: [[f64; DIRECTIONS]; 3],
}

impl Directions {
    fn new() -> Self {
        let mut steps: Vec<_> = corners().map(|(_, _, d)| d.max(opposite(d))).collect();
        many_by(&mut steps, Ord::cmp);
        steps.dedup();
        let coordinate = |axis: usize, i: usize| f64::from(steps[i][axis]) / f64::from(HALF);
        let coordinates = [0, 1, 2].map(|axis| std::array::from_fn(|i| coordinate(axis, i)));
        Self { steps, coordinates }
    }

    /// The place of a direction, or of its opposite, and whether it is the former.
    fn find(&self, direction: [i8; 3]) -> (usize, bool) {
        let stored = direction.max(opposite(direction));
        (self.steps.partition_point(|&d| d < stored), stored == direction)
    }
}

fn opposite(direction: [i8; 3]) -> [i8; 3] {
    direction.map(|x| -x)
}

#[cfg(test)]
mod tests;
