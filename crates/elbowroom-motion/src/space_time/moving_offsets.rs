//! Every start offset at once, for disks that move between samples.
//!
//! While the first motion is on its way from sample i and the second from sample j, a start offset
//! o lets them be there together along a line; over all offsets of the two that is a rectangle, the
//! shares of both steps:
//!
//! ```text
//!     1 ┌───────────┐       D, the vector from disk to disk, and R, the sum of the radii, are linear in the two shares. So
//!       │    ╱    ╱ │       |D| − R is convex, the places where the disks collide are convex, and the
//!       │  ╱ ▓▓▓╱   │       offsets of the lines through them are one interval.
//!       │╱ ▓▓▓╱     │
//!     0 └───────────┘       g(o), the least of |D| − R along the line of o, is known in closed form and convex in o.
//!       0           1
//! ```
//!
//! The interval is found where g passes zero. Most pairs need none of this: disks around all places
//! of a moving disk, and disks that are in all of them, say of nearly every lag that no offset
//! collides or that all do. Both are what held samples are, and are found as theirs are; what is
//! left are a few lags at the ends of each interval.
//!
//! Every offset at which [`collide`](super::collide()) says yes is in the set: an end is moved
//! outward until g, worked out with rounding, exceeds what rounding can lose (`slack`), and beyond
//! it g only grows. At the last place before it g does not, and that is at most a 2⁻⁴⁰th of the
//! window away.

use super::layout::{Layout, PAD, SMALL};
use super::offset_set::{End, OffsetSet};
use super::offsets::{Lagging, Lanes, Way, any_of_sixteen, collect, whole};
use super::side::{Disk, Sides, meet};
use elbowroom::internal::arch;
use elbowroom::internal::arch::SimdLevel;

/// Halvings of a stretch of offsets until its end is known well enough.
const HALVINGS: usize = 40;

pub(super) fn find(
    sides: &Sides<'_>,
    way: Way,
    level: SimdLevel,
    lagging: &mut Lagging,
    set: &mut OffsetSet,
) {
    lagging.a.set_moving(&sides.a);
    lagging.b.set_moving(&sides.b);
    if set.dt_a != set.dt_b || way == Way::Brute {
        every_pair(sides, way, lagging, set);
    } else {
        by_lag(sides, level, lagging, set);
    }
    set.tidy();
}

/// One sampling time: what all places of the disks say, then what any do, then the lags in between.
fn by_lag(sides: &Sides<'_>, level: SimdLevel, lagging: &mut Lagging, set: &mut OffsetSet) {
    let way = Way::Circles;
    arch::run(level, Lanes { touching: true, way, lagging });
    std::mem::swap(&mut lagging.bits, &mut lagging.maybe);
    swap_radii(lagging);
    arch::run(level, Lanes { touching: false, way, lagging });
    swap_radii(lagging);
    collect(lagging, set);
    let (first, _) = lagging.blocks();
    for (word, (&maybe, &sure)) in lagging.maybe.iter().zip(&lagging.bits).enumerate() {
        let mut left = maybe & !sure;
        while left != 0 {
            let lag = (first + word as i64) * SMALL as i64 + i64::from(left.trailing_zeros());
            left &= left - 1;
            along(sides, lagging, lag, set);
        }
    }
}

fn swap_radii(lagging: &mut Lagging) {
    for Layout { radius, sure, .. } in [&mut lagging.a, &mut lagging.b] {
        std::mem::swap(radius, sure);
    }
}

/// The offsets of one lag at which a pair of samples with it collides.
fn along(sides: &Sides<'_>, lagging: &Lagging, lag: i64, set: &mut OffsetSet) {
    let (a, b) = (&lagging.a, &lagging.b);
    let (mut i, end) = (lag.max(0), (a.count as i64).min(b.count as i64 + lag));
    // All pairs of a lag have the same window.
    let window = (End::steps(lag - 1, 0), End::steps(lag + 1, 0));
    let mut open: Option<Stretch> = None;
    while i < end {
        if any_of_sixteen::<true>(a, i, b, i - lag) {
            for k in i..end.min(i + SMALL as i64) {
                let (i, j) = (k as usize, (k - lag) as usize);
                if !meet(around(a, i), around(b, j), true) {
                    continue;
                }
                let pair = Pair::new(sides, i, j);
                let Some(inside) = pair.inside() else { continue };
                open = Some(match open.map(|known| (known, pair.joined(inside, &known))) {
                    None => pair.stretch(inside),
                    Some((_, Ok(joined))) => joined,
                    Some((known, Err(apart))) => {
                        set.runs.push(known.ends(window, (lag, 0)));
                        apart
                    }
                });
            }
        }
        i += SMALL as i64;
    }
    set.runs.extend(open.map(|known| known.ends(window, (lag, 0))));
}

/// Every pair whose disks may meet at all, sample by sample of the first motion.
fn every_pair(sides: &Sides<'_>, way: Way, lagging: &Lagging, set: &mut OffsetSet) {
    let (a, b) = (&lagging.a, &lagging.b);
    for i in 0..a.count {
        let here = around(a, i);
        // Samples of the second motion that collide all the time, one after the other.
        let mut run: Option<(usize, usize)> = None;
        for c in 0..b.small.count {
            let at = PAD + c;
            let (x, y, radius) = (b.small.x[at], b.small.y[at], b.small.outer[at]);
            if way == Way::Circles && !meet(here, Disk { x, y, radius }, true) {
                continue;
            }
            for j in c * SMALL..((c + 1) * SMALL).min(b.count) {
                let there = around(b, j);
                if way == Way::Circles && !meet(here, there, true) {
                    continue;
                }
                let (one, two) = (a.sure[PAD + i], b.sure[PAD + j]);
                if meet(Disk { radius: one, ..here }, Disk { radius: two, ..there }, false) {
                    match &mut run {
                        Some((_, last)) if *last + 1 == j => *last = j,
                        _ => set.runs.extend(run.replace((j, j)).map(|run| whole(i, run))),
                    }
                    continue;
                }
                let pair = Pair::new(sides, i, j);
                let found = pair.inside().map(|inside| pair.stretch(inside));
                let from = (i as i64, j as i64);
                set.runs.extend(found.map(|stretch| stretch.ends(whole(i, (j, j)), from)));
            }
        }
        set.runs.extend(run.map(|run| whole(i, run)));
    }
}

/// The disk around all places of a moving one.
fn around(layout: &Layout, k: usize) -> Disk {
    Disk { x: layout.x[PAD + k], y: layout.y[PAD + k], radius: layout.radius[PAD + k] }
}

/// Offsets at which two samples collide, counted from the one at which both begin together; an end
/// is `None` if they collide up to that end of the window.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    low: Option<f64>,
    high: Option<f64>,
}

/// Two samples that move.
struct Pair {
    a: [Disk; 2],
    b: [Disk; 2],
    /// From the one end of the window to the other: −dt of the second motion, dt of the first.
    window: [f64; 2],
    /// Bounds how much g changes in a second.
    slope: f64,
    /// What g may lose by rounding, of places and of times.
    slack: f64,
}

impl Pair {
    fn new(sides: &Sides<'_>, i: usize, j: usize) -> Self {
        let (dt_a, dt_b) = (sides.a.clock.dt, sides.b.clock.dt);
        let a = [0.0, 1.0].map(|share| sides.a.moving(i, share));
        let b = [0.0, 1.0].map(|share| sides.b.moving(j, share));
        let slope = pace(&a) / dt_a + pace(&b) / dt_b;
        let time = (i + 1) as f64 * dt_a + (j + 1) as f64 * dt_b;
        let slack = 2.0 * (sides.a.slack() + sides.b.slack()) + 32.0 * f64::EPSILON * slope * time;
        Self { a, b, window: [-dt_b, dt_a], slope, slack }
    }

    /// How near the disks come at an offset, less what rounding may have lost: positive where they
    /// are certainly clear.
    fn clear(&self, offset: f64) -> f64 {
        let (dt_a, dt_b) = (self.window[1], -self.window[0]);
        // Both begin, or one is on its way; then one arrives.
        let from = if offset > 0.0 { [offset / dt_a, 0.0] } else { [0.0, -offset / dt_b] };
        let to = if offset > dt_a - dt_b {
            [1.0, (dt_a - offset) / dt_b]
        } else {
            [(offset + dt_b) / dt_a, 1.0]
        };
        let at = |[share_a, share_b]: [f64; 2]| {
            let on_way =
                |[from, to]: [Disk; 2], share: f64| from.towards(to, share.clamp(0.0, 1.0));
            (on_way(self.a, share_a), on_way(self.b, share_b))
        };
        Sides::least_gap(&[at(from), at(to)]) - self.slack
    }

    /// An offset at which they may collide. `None` if there is none.
    fn inside(&self) -> Option<f64> {
        let [low, high] = self.window;
        [0.0, low, high]
            .into_iter()
            .find(|&offset| self.clear(offset) <= 0.0)
            .or_else(|| self.lowest(low, high))
    }

    /// An offset within an interval at which they may collide: the golden section of a convex
    /// function, until it is not positive or cannot become so.
    fn lowest(&self, mut low: f64, mut high: f64) -> Option<f64> {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        let inner =
            |low: f64, high: f64| [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
        let [mut first, mut second] = inner(low, high);
        let (mut at_first, mut at_second) = (self.clear(first), self.clear(second));
        for _ in 0..80 {
            // Neither side is preferred, so that swapped motions give the mirror image.
            let lower = at_first.min(at_second);
            if lower <= 0.0 {
                let [one, other] = [at_first, at_second].map(|at| at == lower);
                return Some(if one && other {
                    0.5 * (first + second)
                } else if one {
                    first
                } else {
                    second
                });
            }
            if lower > self.slope * (high - low) {
                return None;
            }
            if at_first <= at_second {
                high = second;
            }
            if at_second <= at_first {
                low = first;
            }
            [first, second] = inner(low, high);
            (at_first, at_second) = (self.clear(first), self.clear(second));
        }
        None
    }

    /// All offsets at which they may collide, around one of them.
    fn stretch(&self, inside: f64) -> Stretch {
        let [low, high] = self.window.map(|end| self.edge(inside, end));
        Stretch { low, high }
    }

    /// The offset at which they become clear, between an offset at which they may collide and an
    /// end of the window. `None` if they do not.
    fn edge(&self, inside: f64, end: f64) -> Option<f64> {
        if self.clear(end) <= 0.0 {
            return None;
        }
        let (mut within, mut beyond) = (inside, end);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (within + beyond);
            if self.clear(middle) <= 0.0 { within = middle } else { beyond = middle }
        }
        Some(beyond)
    }

    /// What is known of another pair of the same lag together with this one's; this one's alone if
    /// the two are apart.
    fn joined(&self, inside: f64, known: &Stretch) -> Result<Stretch, Stretch> {
        let [start, end] = self.window;
        let (low, high) = (known.low.unwrap_or(start), known.high.unwrap_or(end));
        if inside <= low || inside >= high {
            let found = self.stretch(inside);
            let apart = found.low.unwrap_or(start) >= high || found.high.unwrap_or(end) <= low;
            return if apart { Err(found) } else { Ok(known.union(&found)) };
        }
        // An end that is clear here has nothing of this pair beyond it.
        let further = |known: Option<f64>, end: f64| {
            known.filter(|&edge| self.clear(edge) <= 0.0).map_or(known, |_| self.edge(inside, end))
        };
        Ok(Stretch { low: further(known.low, start), high: further(known.high, end) })
    }
}

impl Stretch {
    fn union(&self, other: &Self) -> Self {
        Self {
            low: self.low.zip(other.low).map(|(a, b)| a.min(b)),
            high: self.high.zip(other.high).map(|(a, b)| a.max(b)),
        }
    }

    /// As ends of a set of offsets, with those of the window and where offsets are counted from.
    fn ends(&self, (low, high): (End, End), (a, b): (i64, i64)) -> (End, End) {
        let end = |secs: Option<f64>, whole: End| secs.map_or(whole, |secs| End { a, b, secs });
        (end(self.low, low), end(self.high, high))
    }
}

/// How far the rim of a disk moves.
fn pace([from, to]: &[Disk; 2]) -> f64 {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    (dx * dx + dy * dy).sqrt() + (to.radius - from.radius).abs()
}
