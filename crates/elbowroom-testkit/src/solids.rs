//! Solids whose parts are known: blocks on a lattice, counted cube by cube, and tetrahedra, by
//! their half-spaces.
//!
//! A [`Pile`] is a mesh of boxes with whole coordinates, each wound outward or inward, that may
//! overlap, touch or share faces as they like. Around the middle of a unit cube the mesh is wound
//! as often as boxes outward less boxes inward contain it: no geometry is needed for that, only
//! counting. So a pile is full of faces in one plane, edges on edges and corners on faces, and its
//! truth is beyond doubt. A linear map with whole entries keeps both and makes everything slanted.

use crate::brute::Soup;
use crate::random::Random;

pub mod amounts;
pub mod tetrahedra;
pub mod wound;

/// Which of the parts of two solids there are: in both, only in the first, only in the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    /// Something is in both.
    pub both: bool,
    /// Something is in the first only.
    pub only_a: bool,
    /// Something is in the second only.
    pub only_b: bool,
}

impl Regions {
    /// Of the two solids in the other order.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { both: self.both, only_a: self.only_b, only_b: self.only_a }
    }

    fn note(&mut self, in_a: bool, in_b: bool) {
        self.both |= in_a && in_b;
        self.only_a |= in_a && !in_b;
        self.only_b |= in_b && !in_a;
    }
}

/// A box with whole coordinates; low below high on every axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The lower corner.
    pub low: [i64; 3],
    /// The upper corner.
    pub high: [i64; 3],
    /// Wound outward: it adds one to the winding number of what it contains. Else it takes one
    /// away.
    pub outward: bool,
}

impl Block {
    /// Outward.
    pub const fn new(low: [i64; 3], high: [i64; 3]) -> Self {
        Self { low, high, outward: true }
    }

    fn holds(&self, cube: [i64; 3]) -> bool {
        (0..3).all(|k| self.low[k] <= cube[k] && cube[k] < self.high[k])
    }
}

/// Some boxes as one mesh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pile {
    /// The boxes.
    pub blocks: Vec<Block>,
}

impl Pile {
    /// Up to `most` random boxes within the cube from 0 to `size`; some of them inward if that is
    /// wanted.
    pub fn random(random: &mut Random, most: u64, size: i64, some_inward: bool) -> Self {
        let count = 1 + random.below(most);
        let blocks = (0..count).map(|_| {
            let mut block = Block::new([0; 3], [0; 3]);
            for k in 0..3 {
                let [p, q] = [(); 2].map(|()| random.range(0, size - 1));
                (block.low[k], block.high[k]) = (p.min(q), p.max(q) + 1);
            }
            block.outward = !(some_inward && random.one_in(4));
            block
        });
        Self { blocks: blocks.collect() }
    }

    /// All boxes moved.
    #[must_use]
    pub fn moved(&self, by: [i64; 3]) -> Self {
        let shift = |p: [i64; 3]| std::array::from_fn(|k| p[k] + by[k]);
        let moved = |b: &Block| Block { low: shift(b.low), high: shift(b.high), ..*b };
        Self { blocks: self.blocks.iter().map(moved).collect() }
    }

    /// The winding number around the middle of the unit cube with this lower corner.
    pub fn winding(&self, cube: [i64; 3]) -> i32 {
        self.blocks.iter().filter(|b| b.holds(cube)).map(|b| if b.outward { 1 } else { -1 }).sum()
    }

    /// Whether that cube is within: wound around at least once.
    pub fn holds(&self, cube: [i64; 3]) -> bool {
        self.winding(cube) > 0
    }

    /// The mesh. Each face is cut into a random number of rectangles, and each of those into two
    /// triangles by either diagonal; triangles come in random order, and vertices are shared
    /// within a face or not at all.
    pub fn soup(&self, random: &mut Random) -> Soup {
        let mut triangles = Vec::new();
        for block in &self.blocks {
            for axis in 0..3 {
                for top in [false, true] {
                    block_face(block, axis, top, random, &mut triangles);
                }
            }
        }
        random.shuffle(&mut triangles);
        let points: Vec<[[f64; 3]; 3]> =
            triangles.iter().map(|t| t.map(|p: [i64; 3]| p.map(|x| x as f64))).collect();
        Soup::from_triangles(&points)
    }

    fn bounds(&self) -> ([i64; 3], [i64; 3]) {
        let low = |k: usize| self.blocks.iter().map(|b| b.low[k]).min().unwrap_or(0);
        let high = |k: usize| self.blocks.iter().map(|b| b.high[k]).max().unwrap_or(0);
        (std::array::from_fn(low), std::array::from_fn(high))
    }
}

/// One face as triangles that look outward, or inward if the block does.
///
/// Edges must match across faces for the mesh to be closed, so all faces of a block that meet in an
/// edge cut it in the same places: at every whole coordinate, or nowhere.
fn block_face(
    block: &Block,
    axis: usize,
    top: bool,
    random: &mut Random,
    triangles: &mut Vec<[[i64; 3]; 3]>,
) {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    // Even blocks are cut; the choice must be the block's, not the face's.
    let is_cut = (block.low.iter().sum::<i64>() + block.high.iter().sum::<i64>()) % 2 == 0;
    let steps = |k: usize| -> Vec<i64> {
        if is_cut {
            (block.low[k]..=block.high[k]).collect()
        } else {
            vec![block.low[k], block.high[k]]
        }
    };
    let level = if top { block.high[axis] } else { block.low[axis] };
    let point = |u: i64, v: i64| {
        let mut p = [0; 3];
        (p[axis], p[i], p[j]) = (level, u, v);
        p
    };
    for us in steps(i).windows(2) {
        for vs in steps(j).windows(2) {
            let (a, b) = (point(us[0], vs[0]), point(us[1], vs[0]));
            let (c, d) = (point(us[1], vs[1]), point(us[0], vs[1]));
            let halves =
                if random.one_in(2) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            for mut half in halves {
                if top != block.outward {
                    half.swap(1, 2);
                }
                half.rotate_left(random.below(3) as usize);
                triangles.push(half);
            }
        }
    }
}

/// The parts of two piles, cube by cube.
pub fn regions(a: &Pile, b: &Pile) -> Regions {
    let mut regions = Regions::default();
    let ((low_a, high_a), (low_b, high_b)) = (a.bounds(), b.bounds());
    let range = |k: usize| low_a[k].min(low_b[k])..high_a[k].max(high_b[k]);
    for x in range(0) {
        for y in range(1) {
            for z in range(2) {
                regions.note(a.holds([x, y, z]), b.holds([x, y, z]));
            }
        }
    }
    regions
}

/// A soup under a linear map, row by row, that is exact on whole coordinates.
#[must_use]
pub fn mapped(soup: &Soup, map: &[[i64; 3]; 3]) -> Soup {
    let vertices = soup
        .vertices
        .iter()
        .map(|v| map.map(|row| row[0] as f64 * v[0] + row[1] as f64 * v[1] + row[2] as f64 * v[2]));
    Soup { vertices: vertices.collect(), triangles: soup.triangles.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_positions_have_known_parts() {
        let pile = |blocks: &[Block]| Pile { blocks: blocks.to_vec() };
        let unit = |low, high| pile(&[Block::new(low, high)]);
        let large = unit([0; 3], [4; 3]);
        let parts = |both, only_a, only_b| Regions { both, only_a, only_b };
        assert_eq!(regions(&large, &unit([2, 0, 0], [6, 4, 4])), parts(true, true, true));
        assert_eq!(regions(&large, &unit([0; 3], [1; 3])), parts(true, true, false));
        assert_eq!(regions(&large, &unit([4, 0, 0], [5, 4, 4])), parts(false, true, true));
        let halves = pile(&[Block::new([0; 3], [4, 4, 2]), Block::new([0, 0, 1], [4; 3])]);
        assert_eq!(regions(&large, &halves), parts(true, false, false));
        let hollow = pile(&[
            Block::new([0; 3], [4; 3]),
            Block { outward: false, ..Block::new([1; 3], [3; 3]) },
        ]);
        assert_eq!(regions(&hollow, &unit([1; 3], [3; 3])), parts(false, true, true));
    }
}
