//! Charts as pictures.
//!
//! A picture stands by itself: an SVG of 720 by about 420 pixels that scales, on no ground of its
//! own, and light or dark as the reader's screen is. What was measured here is solid, what the
//! paper prints is dashed or hatched, in the same colour where it is the same thing.
//!
//! Invariants:
//! * The same chart gives the same bytes.
//! * No chart is refused: what has no place, as 0 on a logarithmic axis, is left out.

mod ink;
mod layout;
mod marks;

use elbowroom_lab::{Chart, Marks};

/// The chart as a picture that stands by itself.
pub(crate) fn svg(chart: &Chart) -> String {
    match &chart.marks {
        Marks::Lines(lines) => marks::lines(chart, lines),
        Marks::Bars { groups, bars } => marks::bars(chart, groups, bars),
        Marks::Boxes(spreads) => marks::boxes(chart, spreads),
        Marks::Map { columns, rows, cells } => marks::map(chart, columns, rows, cells),
    }
}

#[cfg(test)]
mod tests;
