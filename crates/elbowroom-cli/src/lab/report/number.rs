//! Cells and durations as text.

use elbowroom_lab::Cell;

use crate::messages::grouped;
use crate::output::picture::figure;

/// What stands in a cell.
pub(super) fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(n) => grouped(*n),
        Cell::Number(x) => figure(*x),
        Cell::Missing => "–".to_owned(),
    }
}

/// A stretch of time in words.
pub(super) fn duration(secs: f64) -> String {
    if secs < 90.0 { format!("{} s", figure(secs)) } else { format!("{} min", figure(secs / 60.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_in_seconds_or_minutes() {
        assert_eq!(
            [duration(0.02), duration(75.2), duration(150.0)],
            ["0.02 s", "75.2 s", "2.5 min"]
        );
    }
}
