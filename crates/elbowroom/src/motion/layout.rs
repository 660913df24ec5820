//! A motion laid out in the world: its samples, and circles around runs of them, placed once for a query that looks at all lags.
//!
//! ```text
//!   samples   ∙∙∙∙∙∙∙∙∙∙∙∙∙∙∙∙ 16 ∙∙∙∙∙∙∙∙∙∙∙∙∙∙∙∙ 16 …     x, y, radius
//!   small     (       outer, inner       )(     …         around 16
//!   large     (                                     …     around 128
//! ```
//!
//! *outer* bounds where any disk of the run reaches: circles that are farther apart than their outer radii have no two disks that collide. *inner* is
//! the least radius less the farthest centre: circles that are nearer than their inner radii together have no two disks that do not. Before and
//! behind every column are numbers that are none, so that a run may be loaded from anywhere near.

use super::side::Side;

/// Samples of a small run, and small runs of a large one times that.
pub(super) const SMALL: usize = 16;
pub(super) const LARGE: usize = 128;
/// What is before and behind a column.
pub(super) const PAD: usize = 2 * SMALL;

/// Circles around runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Circles {
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
    pub(super) outer: Vec<f64>,
    pub(super) inner: Vec<f64>,
    pub(super) count: usize,
}

/// A motion in the world.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
    pub(super) radius: Vec<f64>,
    pub(super) count: usize,
    pub(super) small: Circles,
    pub(super) large: Circles,
}

impl Layout {
    /// Lays out a motion; what was there is gone. Allocates only to grow.
    pub(super) fn set(&mut self, side: &Side<'_>) {
        let [x, y, radius] = side.clip.columns();
        self.count = x.len();
        let room = PAD + self.count.next_multiple_of(SMALL) + PAD;
        for column in [&mut self.x, &mut self.y, &mut self.radius] {
            column.clear();
            column.resize(room, f64::NAN);
        }
        for i in 0..self.count {
            let (px, py) = side.place(x[i], y[i]);
            (self.x[PAD + i], self.y[PAD + i], self.radius[PAD + i]) = (px, py, radius[i]);
        }
        let mut small = std::mem::take(&mut self.small);
        small.set(self, SMALL);
        self.small = small;
        let mut large = std::mem::take(&mut self.large);
        large.set(self, LARGE);
        self.large = large;
    }
}

impl Circles {
    fn set(&mut self, layout: &Layout, span: usize) {
        self.count = layout.count.div_ceil(span);
        let room = PAD + self.count.next_multiple_of(8) + PAD;
        for column in [&mut self.x, &mut self.y, &mut self.outer, &mut self.inner] {
            column.clear();
            column.resize(room, f64::NAN);
        }
        for c in 0..self.count {
            let run = PAD + c * span..PAD + ((c + 1) * span).min(layout.count);
            let is_full = run.len() == span;
            let circle = circle(layout, run);
            self.x[PAD + c] = circle.x;
            self.y[PAD + c] = circle.y;
            self.outer[PAD + c] = circle.outer;
            // A run that is not full does not have all lags.
            self.inner[PAD + c] = if is_full { circle.inner } else { f64::NEG_INFINITY };
        }
    }
}

struct Circle {
    x: f64,
    y: f64,
    outer: f64,
    inner: f64,
}

/// About the middle of the box of the centres; radii rounded so that they are certain.
fn circle(layout: &Layout, run: std::ops::Range<usize>) -> Circle {
    let ends = |values: &[f64]| {
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)))
    };
    let [xs, ys, rs] = [&layout.x, &layout.y, &layout.radius].map(|column| &column[run.clone()]);
    let middle = |(low, high): (f64, f64)| 0.5 * (low + high);
    let (x, y) = (middle(ends(xs)), middle(ends(ys)));
    let (mut spread, mut outer) = (0.0_f64, 0.0_f64);
    for ((px, py), r) in xs.iter().zip(ys).zip(rs) {
        let (dx, dy) = (px - x, py - y);
        let far = (dx * dx + dy * dy).sqrt();
        spread = spread.max(far);
        outer = outer.max(far + r);
    }
    // Roundings of differences, squares, roots and sums here, and of the tests: 64 of all coordinates are more.
    let slack = 64.0 * f64::EPSILON * (x.abs() + y.abs() + outer) + 1e-150;
    Circle { x, y, outer: outer + slack, inner: (ends(rs).0 - spread) - slack }
}
