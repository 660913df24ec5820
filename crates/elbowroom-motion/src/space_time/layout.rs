//! A motion laid out in the world: its samples, and circles around runs of them, placed once for a
//! query that looks at all lags.
//!
//! ```text
//!   samples   ∙∙∙∙∙∙∙∙∙∙∙∙∙∙∙∙ 16 ∙∙∙∙∙∙∙∙∙∙∙∙∙∙∙∙ 16 …     x, y, radius
//!   small     (       outer, inner       )(     …         around 16
//!   large     (                                     …     around 128
//! ```
//!
//! *outer* bounds where any disk of the run reaches: circles that are farther apart than their
//! outer radii have no two disks that collide. *inner* is the least radius less the farthest
//! centre: circles that are nearer than their inner radii together have no two disks that do not.
//! Before and behind every column are numbers that are none, so that a run may be loaded from
//! anywhere near.

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
    /// Of moving disks: the radius of what each of them covers all the time; none where that is
    /// nothing.
    pub(super) sure: Vec<f64>,
    pub(super) count: usize,
    pub(super) small: Circles,
    pub(super) large: Circles,
}

impl Layout {
    /// Lays out a motion; what was there is gone. Allocates only to grow.
    pub(super) fn set(&mut self, side: &Side<'_>) {
        self.begin(side);
        let [x, y, radius] = side.clip.columns();
        for i in 0..self.count {
            let (px, py) = side.place(x[i], y[i]);
            (self.x[PAD + i], self.y[PAD + i], self.radius[PAD + i]) = (px, py, radius[i]);
        }
    }

    /// Sets the layout for disks that move to the next sample: disks around each of them in all its
    /// places, and disks that are in each of them all the time.
    pub(super) fn set_moving(&mut self, side: &Side<'_>) {
        self.begin(side);
        self.sure.clear();
        self.sure.resize(self.x.len(), f64::NAN);
        let slack = side.slack();
        for i in 0..self.count {
            let [from, to] = [0.0, 1.0].map(|share| side.moving(i, share));
            let (dx, dy) = (0.5 * (to.x - from.x), 0.5 * (to.y - from.y));
            let way = (dx * dx + dy * dy).sqrt();
            (self.x[PAD + i], self.y[PAD + i]) = (from.x + dx, from.y + dy);
            self.radius[PAD + i] = from.radius.max(to.radius) + way + slack;
            let sure = from.radius.min(to.radius) - way - slack;
            if sure > 0.0 {
                self.sure[PAD + i] = sure;
            }
        }
    }

    fn begin(&mut self, side: &Side<'_>) {
        self.count = side.len();
        let room = PAD + self.count.next_multiple_of(SMALL) + PAD;
        for column in [&mut self.x, &mut self.y, &mut self.radius] {
            column.clear();
            column.resize(room, f64::NAN);
        }
        for (level, circles) in [&mut self.small, &mut self.large].into_iter().enumerate() {
            circles.set(side, level);
        }
    }
}

impl Circles {
    /// Only the centres are placed: a circle looks the same however it is turned.
    fn set(&mut self, side: &Side<'_>, level: usize) {
        let around = side.clip.rings().circles(level);
        self.count = around.x.len();
        let room = PAD + self.count.next_multiple_of(8) + PAD;
        for column in [&mut self.x, &mut self.y, &mut self.outer, &mut self.inner] {
            column.clear();
            column.resize(room, f64::NAN);
        }
        let slack = side.slack();
        for c in 0..self.count {
            (self.x[PAD + c], self.y[PAD + c]) = side.place(around.x[c], around.y[c]);
            self.outer[PAD + c] = around.outer[c] + slack;
            self.inner[PAD + c] = around.inner[c] - slack;
        }
    }
}
