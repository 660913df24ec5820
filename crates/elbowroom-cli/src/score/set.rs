//! The figures of a set of clips, from the rows of its clips or of a reference's.

use elbowroom_motion::metrics::set::{Estimate, FIGURES, estimate};

use super::rows::{CLIPS, ERROR, FIRST_FIGURE};
use crate::output::rows::Cell;

/// What a set comes to.
#[derive(Clone, Debug)]
pub(super) struct Set {
    /// The number of rows that were scored: pairs of bodies, by clip.
    pub(super) rows: usize,
    /// The number of frames of all rows.
    pub(super) frames: u64,
    /// The number of frames whose answers on solids are estimates.
    pub(super) estimated: u64,
    /// The number of clips that could not be scored.
    pub(super) failed: usize,
    pub(super) figures: [Estimate; FIGURES.len()],
}

fn value(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Number(value) => Some(*value),
        Cell::Whole(value) => Some(*value as f64),
        _ => None,
    }
}

impl Set {
    pub(super) fn new(rows: &[Vec<Cell>], seed: u64) -> Self {
        let is_failed = |row: &&Vec<Cell>| row[ERROR] != Cell::Empty;
        let scored = || rows.iter().filter(|row| !is_failed(row));
        let place = |name: &str| CLIPS.iter().position(|(known, _)| *known == name);
        let sum = |name: &str| {
            let at = place(name).unwrap_or_default();
            #[expect(clippy::cast_sign_loss, reason = "counts are not below 0")]
            scored().filter_map(|row| value(&row[at])).map(|count| count as u64).sum()
        };
        let figures = std::array::from_fn(|figure| {
            estimate(scored().filter_map(|row| value(&row[FIRST_FIGURE + figure])), seed)
        });
        Self {
            rows: scored().count(),
            frames: sum("frames"),
            estimated: sum("estimated_frames"),
            failed: rows.iter().filter(is_failed).count(),
            figures,
        }
    }

    /// The mean of this set less that of another.
    pub(super) fn less(&self, other: &Self, figure: usize) -> Option<f64> {
        Some(self.figures[figure].mean? - other.figures[figure].mean?)
    }
}
