//! How near two motions come to each other.
//!
//! The least gap over all pairs of samples that are held at a common moment. Circles that are
//! farther apart than the least gap so far are passed over; a few pairs spread over the common time
//! are measured first, so that there is a least gap to begin with.

use std::ops::ControlFlow;

use super::clock::Lags;
use super::query::{Placed, Workspace, held_together, sides};
use super::reference;
use super::rings::{self, Visitor};
use super::side::Sides;
use super::tracked::Tracked;

/// The nearest approach of two motions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestApproach {
    /// The distance of the disks; negative where they overlap, by how much.
    pub gap: f64,
    /// The samples.
    pub samples: (usize, usize),
    /// The time from which these two samples are held together, in seconds of the common clock,
    /// rounded.
    pub time: f64,
}

/// The least distance of two motions, and its time: the earliest if there are several. `None` if
/// there is no common moment.
///
/// ```
/// use elbowroom::internal::math::planar::Planar;
/// use elbowroom_motion::space_time::{Config, Placed, Sample, Trace, Tracked, Workspace, nearest_approach};
/// use glam::DVec2;
///
/// let walk: Vec<Sample> = (0..64).map(|k| Sample::new(f64::from(k), 0.0, 0.5)).collect();
/// let walk = Tracked::new(Trace::new(&walk, 0.125)?, Config::default())?;
/// let towards = Placed::at_rest(Planar::new(-1.0, 0.0, DVec2::new(40.0, 3.0))?);
/// let nearest = nearest_approach(&walk, &Placed::ORIGIN, &walk, &towards, &mut Workspace::new());
/// let nearest = nearest.expect("they walk at the same time");
/// assert_eq!((nearest.gap, nearest.samples, nearest.time), (2.0, (20, 20), 2.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn nearest_approach(
    a: &Tracked,
    pa: &Placed,
    b: &Tracked,
    pb: &Placed,
    _workspace: &mut Workspace,
) -> Option<NearestApproach> {
    let sides = sides(a, pa, b, pb);
    let mut best = Best { sides: &sides, gap: f64::INFINITY, samples: None };
    match sides.lags() {
        Some(lags) => {
            best.look_around(lags);
            let [a, b] = [&sides.a, &sides.b].map(|side| side.clip.rings());
            let _ =
                rings::visit(a, b, lags, &sides.space(), &mut Nearest { best: &mut best, lags });
        }
        None => best.look_everywhere(),
    }
    let (i, j) = best.samples?;
    let (ca, cb) = (&sides.a.clock, &sides.b.clock);
    let time = ca.at(i as i64).max(cb.at(j as i64));
    Some(NearestApproach { gap: best.gap, samples: (i, j), time })
}

struct Best<'a> {
    sides: &'a Sides<'a>,
    gap: f64,
    samples: Option<(usize, usize)>,
}

impl Best<'_> {
    fn look(&mut self, i: usize, j: usize) {
        let gap = self.sides.gap(i, j);
        let is_earlier = || self.samples.is_none_or(|best| (i, j) < best);
        if gap < self.gap || gap == self.gap && is_earlier() {
            (self.gap, self.samples) = (gap, Some((i, j)));
        }
    }

    /// A few pairs, spread over the common time.
    fn look_around(&mut self, lags: Lags) {
        let (from, to) = (
            lags.low.max(0),
            (self.sides.a.len() as i64).min(self.sides.b.len() as i64 + lags.low),
        );
        for k in 0..8 {
            let i = from + (to - 1 - from).max(0) * k / 7;
            if i < to {
                self.look(i as usize, (i - lags.low) as usize);
            }
        }
    }

    fn look_everywhere(&mut self) {
        let all = 0..self.sides.b.len();
        for i in 0..self.sides.a.len() {
            for j in reference::partners(self.sides, None, i, &all) {
                self.look(i, j);
            }
        }
    }
}

struct Nearest<'a, 'b> {
    best: &'a mut Best<'b>,
    lags: Lags,
}

impl Visitor for Nearest<'_, '_> {
    fn margin(&self) -> f64 {
        self.best.gap
    }

    fn chunk(&mut self, chunk: usize) -> ControlFlow<()> {
        for lag in self.lags.low..=self.lags.high {
            let (from, to) = held_together(self.best.sides, chunk, lag);
            for i in from..to {
                self.best.look(i as usize, (i - lag) as usize);
            }
        }
        ControlFlow::Continue(())
    }
}
