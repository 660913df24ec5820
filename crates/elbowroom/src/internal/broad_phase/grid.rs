//! Grid: boxes sorted by the cell in which their lower corner lies.
//!
//! A cell is a little larger than any box in it. So two boxes that overlap have their corners in
//! the same cell or in neighbours, and in an order by rows of cells, three neighbours in a row are
//! one run:
//!
//! ```text
//!      z             z + 1          the runs that follow a corner in cell x:
//!   . . . .         . . . .         its own cell and the next, three cells of the next row, and
//!   . # # #  y + 1  . # # #         three rows of the next layer; what comes before it has been
//!   . . x #  y      . # # #         compared already
//!   . . . .  y − 1  . # # #
//! ```
//!
//! As x moves up in the order, so do the ends of all runs: there is no table of cells, empty cells
//! cost nothing, and the grid may be as fine as 2²⁰ cells a side. (The usual grid is a table or a
//! hash of cells: Teschner et al., *Optimized Spatial Hashing*, 2003.)
//!
//! Boxes of very different sizes stand in several grids, each with cells four times smaller than
//! the one before (after Ericson, *Real-Time Collision Detection*, 2005, section 7.2). For each
//! grid the boxes of all finer ones are sorted by its cells too, and look up all nine runs around
//! them. A grid of a few boxes is no grid: each of the others is compared with all of them.
//!
//! With n boxes and g grids in use, time is about g·n plus the boxes in neighbouring cells, memory
//! n. Where the boxes are 2²⁰ times smaller than the scene and crowded, cells are crowded, and time
//! is quadratic there.

use glam::DVec3;

use super::columns::{Blur, Columns};
use super::{BoxPair, PAIR, overlap, pair_of};
use crate::internal::math::sort::digits_by_key;
use crate::internal::volume::Aabb;
use crate::interrupt::{checkpoint, hold};

/// The ratio of the cell sizes of two consecutive grids. No record compares other values.
const STEP: f64 = 4.0;

/// The number of steps from the coarsest grid to the finest: sizes may differ by 4¹¹.
const MOST_GRIDS: usize = 12;

/// Up to this number, boxes are compared with all others instead of entering a grid. No record
/// compares other values.
const FEW: usize = 24;

/// How many cells a side has at most.
const MOST_CELLS: f64 = (1 << 20) as f64;

/// Cells are larger than boxes by this much, which is far more than what rounding can do to a place
/// in the grid: some 2⁻⁵⁰ of at most 2²⁰ cells.
const ROOM: f64 = 1.0 + 1e-6;

/// The key of a cell and a box in it.
type Item = (u64, u32);

/// Memory that is kept from one time to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    levels: Vec<u8>,
    own: Vec<Item>,
    finer: Vec<Item>,
    scratch: Vec<Item>,
    columns: Columns,
}

/// A grid's cells, numbered row by row. Around them is a layer of cells that are never used, so
/// that no neighbour of a used one is in another row.
#[derive(Clone, Copy, Debug)]
struct Cells {
    /// Half the origin, and one over half a cell: halves so that no difference overflows.
    origin: DVec3,
    scale: f64,
    row: u64,
    layer: u64,
    largest: u64,
}

impl Cells {
    /// With cells for boxes of which half the longest side is at most `half`.
    fn new(scene: &Aabb, half: f64) -> Self {
        let half = half.max(extent(scene) / MOST_CELLS) * ROOM;
        let mut cells = Self {
            origin: 0.5 * scene.min,
            scale: half.max(f64::MIN_POSITIVE).recip(),
            row: 0,
            layer: 0,
            largest: 0,
        };
        let [x, y, z] = cells.place(scene.max);
        cells.row = x + 2;
        cells.layer = cells.row * (y + 2);
        cells.largest = cells.layer * (z + 2);
        cells
    }

    /// The cell of a point of the scene, on each axis; from 1 on.
    #[expect(clippy::cast_sign_loss, reason = "no point of the scene is below its origin")]
    #[inline]
    fn place(&self, point: DVec3) -> [u64; 3] {
        ((0.5 * point - self.origin) * self.scale).to_array().map(|x| x as u64 + 1)
    }

    #[inline]
    fn key(&self, point: DVec3) -> u64 {
        let [x, y, z] = self.place(point);
        z * self.layer + y * self.row + x
    }
}

impl Grid {
    /// Adds the overlapping pairs of the boxes with these numbers, in any order.
    pub(super) fn pairs(
        &mut self,
        boxes: &[Aabb],
        ids: &[u32],
        scene: &Aabb,
        pairs: &mut Vec<BoxPair>,
    ) {
        let blur = Blur::new(scene);
        let sizes = sizes(ids.iter().map(|&id| &boxes[id as usize]));
        let mut counts = [0; MOST_GRIDS];
        self.levels.clear();
        for &id in ids {
            let level = level_of(&boxes[id as usize], &sizes);
            counts[level] += 1;
            self.levels.push(level as u8);
        }
        for level in (0..MOST_GRIDS).filter(|&level| counts[level] > 0) {
            // In the coarsest grid first, because most levels are empty: what is left is finer.
            let has_finer = counts[level + 1..].iter().any(|&count| count > 0);
            let is_few = counts[level] <= FEW;
            let cells = Cells::new(scene, sizes[level]);
            let item = |id: u32| {
                let key = if is_few { 0 } else { cells.key(boxes[id as usize].min) };
                (key, id)
            };
            let numbered = || self.levels.iter().map(|&l| usize::from(l)).zip(ids.iter().copied());
            self.own.clear();
            self.own.extend(numbered().filter(|&(l, _)| l == level).map(|(_, id)| item(id)));
            self.finer.clear();
            if has_finer {
                self.finer.extend(numbered().filter(|&(l, _)| l > level).map(|(_, id)| item(id)));
            }
            if !is_few {
                digits_by_key(&mut self.own, &mut self.scratch, cells.largest, |item| item.0);
                digits_by_key(&mut self.finer, &mut self.scratch, cells.largest, |item| item.0);
            }
            self.columns
                .fill(self.own.iter().map(|&(_, id)| (id, blur.window(&boxes[id as usize]))));
            let mut report = Report { boxes, columns: &self.columns, pairs: &mut *pairs };
            if is_few {
                report.few(&self.finer, &blur);
            } else {
                report.within(&self.own, &cells);
                report.between(&self.finer, &self.own, &cells, &blur);
            }
        }
    }
}

/// How large boxes are at most in each grid, as half their longest side.
fn sizes<'a>(boxes: impl Iterator<Item = &'a Aabb>) -> [f64; MOST_GRIDS] {
    let mut sizes = [boxes.map(extent).fold(0.0, f64::max); MOST_GRIDS];
    for level in 1..MOST_GRIDS {
        sizes[level] = sizes[level - 1] / STEP;
    }
    sizes
}

fn level_of(bounds: &Aabb, sizes: &[f64; MOST_GRIDS]) -> usize {
    let extent = extent(bounds);
    sizes[1..].iter().take_while(|&&size| extent <= size).count()
}

/// How many grids some boxes would stand in, not counting those of a few.
pub(super) fn grids_for<'a>(boxes: impl Iterator<Item = &'a Aabb> + Clone) -> usize {
    let sizes = sizes(boxes.clone());
    let mut counts = [0; MOST_GRIDS];
    for bounds in boxes {
        counts[level_of(bounds, &sizes)] += 1;
    }
    counts.iter().filter(|&&count| count > FEW).count()
}

/// Half the longest side.
fn extent(bounds: &Aabb) -> f64 {
    bounds.half().max_element()
}

/// Compares boxes with those in the columns and reports the pairs.
struct Report<'a> {
    boxes: &'a [Aabb],
    columns: &'a Columns,
    pairs: &'a mut Vec<BoxPair>,
}

impl Report<'_> {
    #[inline]
    fn found(&mut self, id: u32, place: usize) {
        let other = self.columns.id(place);
        if overlap(&self.boxes[id as usize], &self.boxes[other as usize]) {
            self.pairs.push(pair_of(id, other));
            hold(self.pairs.len(), PAIR);
        }
    }

    /// All in the columns with each other and with the finer ones.
    fn few(&mut self, finer: &[Item], blur: &Blur) {
        let columns = self.columns;
        for place in 0..columns.len() {
            checkpoint();
            let id = columns.id(place);
            columns.scan(place + 1..columns.len(), &columns.window(place), |other| {
                self.found(id, other);
            });
        }
        for &(_, id) in finer {
            let window = blur.window(&self.boxes[id as usize]);
            columns.scan(0..columns.len(), &window, |place| self.found(id, place));
        }
    }

    /// The boxes in the columns with each other.
    fn within(&mut self, own: &[Item], cells: &Cells) {
        let columns = self.columns;
        // Where each run starts, relative to a cell, and how far it goes.
        let mut runs = [
            Run::new(cells.row),
            Run::new(cells.layer - cells.row),
            Run::new(cells.layer),
            Run::new(cells.layer + cells.row),
        ];
        let mut end = 0;
        for (place, &(key, id)) in own.iter().enumerate() {
            checkpoint();
            let window = columns.window(place);
            while end < own.len() && own[end].0 <= key + 1 {
                end += 1;
            }
            columns.scan(place + 1..end, &window, |other| self.found(id, other));
            for run in &mut runs {
                run.advance(key + run.offset, own);
                columns.scan(run.start..run.end, &window, |other| self.found(id, other));
            }
        }
    }

    /// Boxes of finer grids with those in the columns.
    fn between(&mut self, finer: &[Item], own: &[Item], cells: &Cells, blur: &Blur) {
        let columns = self.columns;
        // From one layer and one row before to one layer and one row after.
        let mut runs: [Run; 9] = std::array::from_fn(|i| {
            Run::new(cells.layer * (i / 3) as u64 + cells.row * (i % 3) as u64)
        });
        let before = cells.layer + cells.row;
        for &(key, id) in finer {
            checkpoint();
            let window = blur.window(&self.boxes[id as usize]);
            for run in &mut runs {
                run.advance(key + run.offset - before, own);
                columns.scan(run.start..run.end, &window, |other| self.found(id, other));
            }
        }
    }
}

/// The boxes of three cells in a row.
#[derive(Clone, Copy)]
struct Run {
    offset: u64,
    start: usize,
    end: usize,
}

impl Run {
    fn new(offset: u64) -> Self {
        Self { offset, start: 0, end: 0 }
    }

    /// Moves up to the cells around one.
    #[inline]
    fn advance(&mut self, middle: u64, items: &[Item]) {
        while self.start < items.len() && items[self.start].0 + 1 < middle {
            self.start += 1;
        }
        self.end = self.end.max(self.start);
        while self.end < items.len() && items[self.end].0 <= middle + 1 {
            self.end += 1;
        }
    }
}
