//! Which colour, line and marker stands for what.

use super::Frame;
use super::svg::{Anchor, LETTERS, Svg};

const ROW: f64 = 17.0;
/// From the left end of an entry to its name, and from there to the next entry.
const NAME: f64 = 30.0;
const GAP: f64 = 16.0;

/// What one class of a chart stands for.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// A line is drawn in the class `{class}-line`, a marker in `{class}-mark`.
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) swatch: Swatch,
}

/// How an entry is shown before its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Swatch {
    Area,
    Line,
    /// A line with a marker of this shape on it.
    Marked(u8),
}

/// Entries in as many rows as they need.
#[derive(Clone, Debug)]
pub(crate) struct Legend {
    /// Where an entry begins, and in which row.
    entries: Vec<(Entry, f64, usize)>,
}

impl Legend {
    pub(crate) fn new(entries: Vec<Entry>, width: f64) -> Self {
        let (mut x, mut row) = (0.0, 0);
        let place = |entry: Entry| {
            let name = NAME + LETTERS.width(&entry.name);
            if x > 0.0 && x + name > width {
                (x, row) = (0.0, row + 1);
            }
            let here = x;
            x += name + GAP;
            (entry, here, row)
        };
        Self { entries: entries.into_iter().map(place).collect() }
    }

    pub(crate) fn rows(&self) -> usize {
        self.entries.last().map_or(0, |(_, _, row)| row + 1)
    }

    pub(crate) fn height(&self) -> f64 {
        ROW * self.rows() as f64
    }

    /// Draws it with its upper left corner at a point.
    pub(crate) fn draw(&self, svg: &mut Svg, (left, top): (f64, f64)) {
        for (Entry { class, name, swatch }, x, row) in &self.entries {
            let (x, y) = (left + x, top + ROW * (*row as f64 + 0.5));
            if *swatch == Swatch::Area {
                svg.rect(class, Frame { x: x + 6.0, y: y - 5.0, width: 16.0, height: 10.0 });
            } else {
                svg.line(&format!("{class}-line"), (x, y), (x + 24.0, y));
            }
            if let Swatch::Marked(shape) = swatch {
                svg.marker(&format!("{class}-mark"), *shape, (x + 12.0, y));
            }
            svg.text("label", x + NAME, y + 4.0, Anchor::Start, name);
        }
    }
}
