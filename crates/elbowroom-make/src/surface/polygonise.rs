//! The surface of a solid, cut out of a grid of tetrahedra.
//!
//! Each cube of the grid is six tetrahedra around one diagonal, the same in every cube, so that faces of
//! neighbours match (Freudenthal, 1942). A tetrahedron whose corners differ in sign is cut by one or two triangles with their
//! corners on its edges; edges are shared, so the surface is a closed manifold whatever the field is, with a
//! boundary only where it leaves the grid. Blocks of the grid that are far from the surface are not sampled: the field at
//! their centre speaks for them.
//!
//! The grid starts at the plane x = 0: what lies there is the boundary, with x exactly 0.

use std::collections::HashMap;

use glam::DVec3;

use super::Soup;
use super::field::Solid;

/// Points along each side of a block that is sampled or passed over as one.
const BLOCK: usize = 4;
/// How much faster than the true distance the field may grow: limbs measure within their sections, whose half-widths differ by
/// up to this factor where it matters.
const STEEPEST: f64 = 3.0;

/// A grid of cubes.
pub(crate) struct Grid {
    low: DVec3,
    step: f64,
    size: [usize; 3],
}

impl Grid {
    /// A grid over the half of a solid where x is positive.
    pub(crate) fn half_around(solid: &Solid, step: f64) -> Self {
        let (low, high) = solid.bounds();
        // Two cells of air on every side but that of the plane, and fillets swell no more than that.
        let low = DVec3::new(0.0, low.y - 2.3 * step, low.z - 2.5 * step);
        let cells = (high + 2.5 * step - low) / step;
        Self { low, step, size: cells.to_array().map(|n| crate::whole(n.ceil()) + 1) }
    }

    fn point(&self, [i, j, k]: [usize; 3]) -> DVec3 {
        self.low + DVec3::new(i as f64, j as f64, k as f64) * self.step
    }

    fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        (i * self.size[1] + j) * self.size[2] + k
    }

    fn samples(&self, solid: &Solid) -> Vec<f64> {
        let [columns, rows, layers] = self.size;
        let mut values = vec![0.0; columns * rows * layers];
        let reach = 0.5 * (BLOCK - 1) as f64 * self.step;
        for block in each(self.size.map(|n| n.div_ceil(BLOCK))) {
            let first = block.map(|i| i * BLOCK);
            let centre = solid.distance(self.point(first) + reach);
            let is_far = centre.abs() > STEEPEST * reach * 3.0_f64.sqrt();
            for within in each([BLOCK; 3]) {
                let at: [usize; 3] = std::array::from_fn(|axis| first[axis] + within[axis]);
                if (0..3).all(|axis| at[axis] < self.size[axis]) {
                    values[self.index(at)] = if is_far { centre } else { self.sample(solid, at) };
                }
            }
        }
        values
    }

    /// The field, or air on the outermost points: nothing leaves the grid but through the plane.
    fn sample(&self, solid: &Solid, at: [usize; 3]) -> f64 {
        let is_outermost =
            (0..3).any(|axis| at[axis] + 1 == self.size[axis] || (axis > 0 && at[axis] == 0));
        if is_outermost { self.step } else { solid.distance(self.point(at)) }
    }
}

#[cfg(test)]
impl Grid {
    /// Asserts that every value has the sign of the field; how many points were passed over, and how many sampled.
    pub(super) fn signs_agree(&self, solid: &Solid) -> (usize, usize) {
        let values = self.samples(solid);
        let mut counts = (0, 0);
        for at in each(self.size) {
            let (value, true_value) = (values[self.index(at)], self.sample(solid, at));
            assert_eq!(value < 0.0, true_value < 0.0, "{at:?}: {value} for {true_value}");
            if value == true_value {
                counts.1 += 1;
            } else {
                counts.0 += 1;
            }
        }
        counts
    }
}

fn each([columns, rows, layers]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..columns).flat_map(move |i| (0..rows).flat_map(move |j| (0..layers).map(move |k| [i, j, k])))
}

/// The corners of a cube in the order in which the six tetrahedra walk from the first to the last.
const WALKS: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

/// The part of a solid's surface that is in the grid, counter-clockwise seen from outside.
pub(crate) fn polygonise(solid: &Solid, grid: &Grid) -> Soup {
    let values = grid.samples(solid);
    let mut cut = Cut {
        grid,
        values: &values,
        on_edge: HashMap::new(),
        soup: Soup { vertices: Vec::new(), triangles: Vec::new() },
    };
    for cell in each(grid.size.map(|n| n - 1)) {
        // Bit 0 of a corner's number is its step along x, bit 1 along y, bit 2 along z.
        let corners: [[usize; 3]; 8] =
            std::array::from_fn(|c| std::array::from_fn(|axis| cell[axis] + (c >> axis & 1)));
        let inside = corners.iter().filter(|&&c| values[grid.index(c)] < 0.0).count();
        if inside > 0 && inside < 8 {
            for walk in WALKS {
                cut.tetrahedron(walk.map(|c| corners[c]));
            }
        }
    }
    cut.soup
}

struct Cut<'a> {
    grid: &'a Grid,
    values: &'a [f64],
    on_edge: HashMap<[usize; 2], u32>,
    soup: Soup,
}

impl Cut<'_> {
    fn tetrahedron(&mut self, corners: [[usize; 3]; 4]) {
        let is_inside = corners.map(|c| self.values[self.grid.index(c)] < 0.0);
        let pick = |wanted: bool| (0..4).filter(move |&c| is_inside[c] == wanted);
        let mut sorted: Vec<[usize; 3]> =
            pick(true).chain(pick(false)).map(|c| corners[c]).collect();
        let order: Vec<usize> = pick(true).chain(pick(false)).collect();
        // The walks turn the same way in every cube; an odd exchange of corners turns the tetrahedron inside out.
        if is_odd(&order) {
            let last = if pick(true).count() == 3 { [0, 1] } else { [2, 3] };
            sorted.swap(last[0], last[1]);
        }
        let [a, b, c, d] = [sorted[0], sorted[1], sorted[2], sorted[3]];
        match pick(true).count() {
            1 => self.triangle([[a, b], [a, c], [a, d]]),
            3 => self.triangle([[a, d], [b, d], [c, d]]),
            2 => {
                self.triangle([[a, c], [a, d], [b, d]]);
                self.triangle([[a, c], [b, d], [b, c]]);
            }
            _ => {}
        }
    }

    fn triangle(&mut self, edges: [[[usize; 3]; 2]; 3]) {
        let corners = edges.map(|edge| self.vertex(edge));
        self.soup.triangles.push(corners);
    }

    fn vertex(&mut self, ends: [[usize; 3]; 2]) -> u32 {
        let [a, b] = ends.map(|end| self.grid.index(end));
        let key = [a.min(b), a.max(b)];
        let (grid, values, vertices) = (self.grid, self.values, &mut self.soup.vertices);
        *self.on_edge.entry(key).or_insert_with(|| {
            let [from, to] = if a < b { ends } else { [ends[1], ends[0]] };
            let (low, high) = (values[key[0]], values[key[1]]);
            // Never at an end, or the triangles around it would have no area.
            let share = (low / (low - high)).clamp(0.05, 0.95);
            let (from, to) = (grid.point(from), grid.point(to));
            vertices.push(from + (to - from) * share);
            vertices.len() as u32 - 1
        })
    }
}

fn is_odd(order: &[usize]) -> bool {
    let swaps = |i: usize| order[i + 1..].iter().filter(|&&later| later < order[i]).count();
    (0..order.len()).map(swaps).sum::<usize>() % 2 == 1
}
