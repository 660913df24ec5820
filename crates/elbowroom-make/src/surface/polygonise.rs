//! The surface of a solid, cut out of a grid of tetrahedra.
//!
//! Each cube of the grid is six tetrahedra around one diagonal, the same in every cube, so that
//! faces of neighbours match (Freudenthal, 1942). A tetrahedron whose corners differ in sign is cut
//! by one or two triangles with their corners on its edges; edges are shared, so the surface is a
//! closed manifold whatever the field is, with a boundary only where it leaves the grid. Blocks of
//! the grid that are far from the surface are not sampled: the field at their centre speaks for
//! them. Blocks that are near are made of smaller ones of which the same holds, but only for signs:
//! where the surface is cut, the field itself says how far along an edge.
//!
//! The grid starts at the plane x = 0: what lies there is the boundary, with x exactly 0.

use glam::DVec3;

use super::Soup;
use super::field::Solid;

/// Points along each side of a block that is sampled or passed over as one.
const BLOCK: usize = 4;
/// Points along each side of a smaller block.
const SMALL: usize = 2;
/// How much faster than the true distance the field may grow: limbs measure within their sections,
/// whose half-widths differ by up to this factor where it matters.
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
        // Two cells of air on every side but that of the plane, and fillets swell no more than
        // that.
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

    fn samples(&self, solid: &Solid) -> Samples {
        let [columns, rows, layers] = self.size;
        let count = columns * rows * layers;
        let mut samples = Samples { values: vec![0.0; count], is_rough: vec![false; count] };
        for block in each(self.size.map(|n| n.div_ceil(BLOCK))) {
            let first = block.map(|i| i * BLOCK);
            let (centre, is_far) = self.glance(solid, first, BLOCK);
            if is_far {
                for at in self.points(first, BLOCK) {
                    samples.values[self.index(at)] = centre;
                }
                continue;
            }
            for small in each([BLOCK / SMALL; 3]) {
                let first = std::array::from_fn(|axis| first[axis] + SMALL * small[axis]);
                self.sample_small(solid, first, &mut samples);
            }
        }
        samples
    }

    /// A smaller block: sampled, or passed over with a mark.
    fn sample_small(&self, solid: &Solid, first: [usize; 3], samples: &mut Samples) {
        let (centre, is_far) = self.glance(solid, first, SMALL);
        for at in self.points(first, SMALL) {
            let is_rough = is_far && !self.is_outermost(at);
            let index = self.index(at);
            samples.is_rough[index] = is_rough;
            samples.values[index] = if is_rough { centre } else { self.sample(solid, at) };
        }
    }

    /// The field at the centre of a block, and whether that speaks for the signs of all its points.
    fn glance(&self, solid: &Solid, first: [usize; 3], side: usize) -> (f64, bool) {
        let reach = 0.5 * (side - 1) as f64 * self.step;
        let centre = solid.distance(self.point(first) + reach);
        (centre, centre.abs() > STEEPEST * reach * 3.0_f64.sqrt())
    }

    /// The points of a block that are in the grid.
    fn points(&self, first: [usize; 3], side: usize) -> impl Iterator<Item = [usize; 3]> {
        let size = self.size;
        let at = move |within: [usize; 3]| std::array::from_fn(|axis| first[axis] + within[axis]);
        each([side; 3]).map(at).filter(move |at: &[usize; 3]| (0..3).all(|i| at[i] < size[i]))
    }

    fn is_outermost(&self, at: [usize; 3]) -> bool {
        (0..3).any(|axis| at[axis] + 1 == self.size[axis] || (axis > 0 && at[axis] == 0))
    }

    /// The field, or air on the outermost points: nothing leaves the grid but through the plane.
    fn sample(&self, solid: &Solid, at: [usize; 3]) -> f64 {
        if self.is_outermost(at) { self.step } else { solid.distance(self.point(at)) }
    }
}

/// The field on a grid.
struct Samples {
    values: Vec<f64>,
    /// Where only the sign is right, though the surface may be near.
    is_rough: Vec<bool>,
}

#[cfg(test)]
impl Grid {
    /// Asserts that every value has the sign of the field; how many points were passed over, and
    /// how many sampled.
    pub(super) fn signs_agree(&self, solid: &Solid) -> (usize, usize) {
        let values = self.samples(solid).values;
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
    let samples = grid.samples(solid);
    let is_inside: Vec<bool> = samples.values.iter().map(|&value| value < 0.0).collect();
    let on_edge = vec![0; 8 * is_inside.len()];
    let soup = Soup { vertices: Vec::new(), triangles: Vec::new() };
    let mut cut = Cut { grid, solid, samples, is_inside, on_edge, soup };
    let [columns, rows, layers] = grid.size;
    for [i, j, _] in each([columns - 1, rows - 1, 1]) {
        // Four points at a time: those above one cell are those below the next.
        let lines =
            [[i, j], [i + 1, j], [i, j + 1], [i + 1, j + 1]].map(|[i, j]| grid.index([i, j, 0]));
        let mut below = 0;
        for k in 0..layers {
            let above = lines.iter().filter(|&&line| cut.is_inside[line + k]).count();
            if k > 0 && (1..8).contains(&(below + above)) {
                cut.cell([i, j, k - 1]);
            }
            below = above;
        }
    }
    cut.soup
}

struct Cut<'a> {
    grid: &'a Grid,
    solid: &'a Solid,
    samples: Samples,
    is_inside: Vec<bool>,
    /// One more than the vertex on an edge, or 0: by the edge's lower end and the steps from there
    /// to the other.
    on_edge: Vec<u32>,
    soup: Soup,
}

impl Cut<'_> {
    fn cell(&mut self, cell: [usize; 3]) {
        // Bit 0 of a corner's number is its step along x, bit 1 along y, bit 2 along z.
        let corners: [[usize; 3]; 8] =
            std::array::from_fn(|c| std::array::from_fn(|axis| cell[axis] + (c >> axis & 1)));
        for walk in WALKS {
            self.tetrahedron(walk.map(|c| corners[c]));
        }
    }

    fn tetrahedron(&mut self, corners: [[usize; 3]; 4]) {
        let is_inside = corners.map(|c| self.is_inside[self.grid.index(c)]);
        let inside = is_inside.iter().filter(|&&is_inside| is_inside).count();
        if inside == 0 || inside == 4 {
            return;
        }
        let mut order = [0, 1, 2, 3];
        // Stable: those inside come first, else the order stays.
        order.sort_by_key(|&c| !is_inside[c]);
        let mut sorted = order.map(|c| corners[c]);
        // The walks turn the same way in every cube; an odd exchange of corners turns the
        // tetrahedron inside out.
        if is_odd(order) {
            let last = if inside == 3 { [0, 1] } else { [2, 3] };
            sorted.swap(last[0], last[1]);
        }
        let [a, b, c, d] = sorted;
        match inside {
            1 => self.triangle([[a, b], [a, c], [a, d]]),
            3 => self.triangle([[a, d], [b, d], [c, d]]),
            _ => {
                self.triangle([[a, c], [a, d], [b, d]]);
                self.triangle([[a, c], [b, d], [b, c]]);
            }
        }
    }

    fn triangle(&mut self, edges: [[[usize; 3]; 2]; 3]) {
        let corners = edges.map(|edge| self.vertex(edge));
        self.soup.triangles.push(corners);
    }

    fn vertex(&mut self, ends: [[usize; 3]; 2]) -> u32 {
        // All edges go up or stay along every axis from the end that comes first.
        let [from, to] = if self.grid.index(ends[0]) < self.grid.index(ends[1]) {
            ends
        } else {
            [ends[1], ends[0]]
        };
        let way: usize = (0..3).map(|axis| (to[axis] - from[axis]) << axis).sum();
        let edge = 8 * self.grid.index(from) + way;
        if self.on_edge[edge] == 0 {
            let (low, high) = (self.value(from), self.value(to));
            // Never at an end, or the triangles around it would have no area.
            let share = (low / (low - high)).clamp(0.05, 0.95);
            let (from, to) = (self.grid.point(from), self.grid.point(to));
            self.soup.vertices.push(from + (to - from) * share);
            self.on_edge[edge] = self.soup.vertices.len() as u32;
        }
        self.on_edge[edge] - 1
    }

    /// The field at a point, which is worked out now if it was passed over.
    fn value(&mut self, at: [usize; 3]) -> f64 {
        let index = self.grid.index(at);
        if std::mem::take(&mut self.samples.is_rough[index]) {
            self.samples.values[index] = self.grid.sample(self.solid, at);
        }
        self.samples.values[index]
    }
}

fn is_odd(order: [usize; 4]) -> bool {
    let swaps = |i: usize| order[i + 1..].iter().filter(|&&later| later < order[i]).count();
    (0..order.len()).map(swaps).sum::<usize>() % 2 == 1
}
