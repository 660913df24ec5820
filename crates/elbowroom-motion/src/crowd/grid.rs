//! The broad phase of a crowd: who is in which cell of the ground.
//!
//! A cell is a little larger than any two reaches together, so who may touch is in the same cell or
//! in neighbours. Members are kept in the order of their cells, row by row, and then the neighbours
//! of a cell are two runs of that order (the cells before have been compared already):
//!
//! ```text
//!     next row   . # # #      the run of three cells of the next row
//!     this row   . . x #      the rest of the own cell and the next one
//! ```
//!
//! As x moves up, so do the ends of both runs: there is no table of cells, and empty ground costs
//! nothing. Cells are counted from the origin, so the grid does not depend on who is in it.
//!
//! From step to step few change their cell. These are taken out, sorted and merged in, so a step is
//! linear in the members with a very small constant. From nothing it is a radix sort, linear as
//! well.
//!
//! Invariants: [`Grid::order`] is sorted by key; each member that was placed is in it once, after
//! [`Grid::settle`].

use glam::DVec2;

use elbowroom::internal::math::sort::digits_by_key;

/// The key of a cell and the slot of a member in it.
type Item = (u64, u32);

/// The cell of an absent member.
const ABSENT: u64 = u64::MAX;

/// Cells are larger than they need to be by this much: more than the rounding of a place among 2³¹
/// cells, 2⁻²¹ of a cell.
const ROOM: f64 = 1.0 + 1e-6;

/// The number of cells to each side of the origin.
const MOST: f64 = (1_u64 << 30) as f64;

/// The number of the cell at the origin, along each axis.
const MIDDLE: f64 = (1_u64 << 31) as f64;

/// From one row to the next.
const ROW: u64 = 1 << 32;

/// The number of cells beyond which the search does not go row by row.
const FARTHEST: u64 = 256;

/// Members by cell.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    cell: f64,
    /// By slot: where everybody is.
    keys: Vec<u64>,
    /// By slot: whether it is in `moved`.
    is_moved: Vec<bool>,
    moved: Vec<u32>,
    order: Vec<Item>,
    news: Vec<Item>,
    scratch: Vec<Item>,
}

impl Grid {
    /// For members of whom no two may meet farther apart than this.
    pub(super) fn new(apart: f64) -> Self {
        Self {
            cell: (apart * ROOM).max(1e-100),
            keys: Vec::new(),
            is_moved: Vec::new(),
            moved: Vec::new(),
            order: Vec::new(),
            news: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// The largest coordinate that has a cell.
    pub(super) fn most(&self) -> f64 {
        self.cell * MOST
    }

    /// Puts a member somewhere, or nowhere.
    pub(super) fn place(&mut self, slot: u32, at: Option<DVec2>) {
        let key = at.map_or(ABSENT, |at| self.key(at));
        let slot_index = slot as usize;
        if slot_index >= self.keys.len() {
            self.keys.resize(slot_index + 1, ABSENT);
            self.is_moved.resize(slot_index + 1, false);
        }
        if self.keys[slot_index] != key {
            self.keys[slot_index] = key;
            if !std::mem::replace(&mut self.is_moved[slot_index], true) {
                self.moved.push(slot);
            }
        }
    }

    #[expect(clippy::cast_sign_loss, reason = "counted from far below any cell in use")]
    fn key(&self, at: DVec2) -> u64 {
        let [x, y] = at.to_array().map(|c| ((c / self.cell).floor() + MIDDLE) as u64);
        y * ROW + x
    }

    /// Brings the order up to date; returns how many were moved.
    pub(super) fn settle(&mut self) -> usize {
        let moved = self.moved.len();
        if moved == 0 {
            return 0;
        }
        self.news.clear();
        for &slot in &self.moved {
            let key = self.keys[slot as usize];
            if key != ABSENT {
                self.news.push((key, slot));
            }
        }
        digits_by_key(&mut self.news, &mut self.scratch, ABSENT, |item| item.0);
        // Merged into a second array, which then is the order.
        self.scratch.clear();
        let mut news = self.news.iter().copied().peekable();
        for &item in &self.order {
            if self.is_moved[item.1 as usize] {
                continue;
            }
            while let Some(new) = news.next_if(|new| new.0 < item.0) {
                self.scratch.push(new);
            }
            self.scratch.push(item);
        }
        self.scratch.extend(news);
        std::mem::swap(&mut self.order, &mut self.scratch);
        for slot in self.moved.drain(..) {
            self.is_moved[slot as usize] = false;
        }
        moved
    }

    /// The slots of everybody, cell by cell, row by row.
    pub(super) fn order(&self) -> &[Item] {
        &self.order
    }

    /// Calls for each two places of the order whose cells are neighbours, or as many cells apart as
    /// a distance needs.
    pub(super) fn neighbours(
        &self,
        apart: f64,
        mut found: impl FnMut(usize, std::ops::Range<usize>),
    ) {
        let order = &self.order;
        // One, and not two for a rounding, where cells are made for the distance.
        let fits = apart * ROOM <= self.cell;
        let cells = if fits { 1.0 } else { (apart / self.cell * ROOM).ceil() };
        // Not a number is far, too.
        if cells.is_nan() || cells > FARTHEST as f64 {
            (0..order.len()).for_each(|place| found(place, place + 1..order.len()));
            return;
        }
        #[expect(clippy::cast_sign_loss, reason = "at least 1")]
        let cells = cells as u64;
        let mut end = 0;
        for (place, &(key, _)) in order.iter().enumerate() {
            while end < order.len() && order[end].0 <= key + cells {
                end += 1;
            }
            found(place, place + 1..end);
        }
        for row in 1..=cells {
            let (mut start, mut end) = (0, 0);
            for (place, &(key, _)) in order.iter().enumerate() {
                let middle = key + row * ROW;
                while start < order.len() && order[start].0 + cells < middle {
                    start += 1;
                }
                end = end.max(start);
                while end < order.len() && order[end].0 <= middle + cells {
                    end += 1;
                }
                if start < end {
                    found(place, start..end);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom_testkit::random::Random;

    #[test]
    fn neighbours_are_those_of_all_pairs_after_any_moves() {
        let mut random = Random::new(5);
        let mut grid = Grid::new(1.0);
        let mut at: Vec<Option<DVec2>> = vec![None; 60];
        let (mut met, mut far) = (0, 0);
        for round in 0..400 {
            for _ in 0..6 {
                let slot = random.below(60) as usize;
                let size = if round % 3 == 0 { 4.0 } else { 30.0 };
                let place = DVec2::new(random.uniform(-size, size), random.uniform(-size, size));
                at[slot] = (random.below(8) > 0).then_some(place);
                grid.place(slot as u32, at[slot]);
            }
            grid.settle();
            assert!(grid.order().is_sorted_by_key(|item| item.0));
            let apart = [1.0, 0.2, 3.5, 1e4, f64::NAN][round % 5];
            let mut found = Vec::new();
            grid.neighbours(apart, |place, others| {
                let slots = others.map(|other| (grid.order()[place].1, grid.order()[other].1));
                found.extend(slots.map(|(a, b)| (a.min(b), a.max(b))));
            });
            let all = found.len();
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len(), all, "no pair twice");
            for a in 0..60_u32 {
                for b in a + 1..60 {
                    let near = at[a as usize].zip(at[b as usize]);
                    let is_near =
                        near.is_some_and(|(p, q)| apart.is_nan() || p.distance(q) <= apart);
                    let is_found = found.binary_search(&(a, b)).is_ok();
                    assert!(is_found || !is_near, "{a} {b} at {near:?}, {apart}");
                    met += u32::from(is_near);
                    far += u32::from(!is_found);
                }
            }
        }
        assert!(met > 10_000 && far > 10_000, "{met} {far}");
    }
}
