//! Circles around runs of samples, level upon level, in flat columns: what production queries run
//! on.
//!
//! ```text
//!   level 2   (                                                   )     1,024 samples
//!   level 1   (              )(              ) …                          128 samples
//!   level 0   (  )(  )(  )(  )(  )(  )(  )(  ) …                           16 samples
//!   time ──►
//! ```
//!
//! Where two motions have the same sampling time, circle c of one meets in time at most two circles
//! of the other, c + s and c + s + 1, with one s for a whole level. So a level is eight circles
//! against eight, loaded from columns that lie side by side in memory: no index is looked up, and
//! the time test is the choice of what to load. A circle is the same from every side, so that only
//! its centre is placed. Over half a second of a walk it is hardly larger than the disks in it;
//! what is lost further up is cheap.
//!
//! Circles contain their disks in exact arithmetic, rounded outward; where disks move between
//! samples they contain the next one too. Before and behind a column are circles nowhere, whose
//! centres are NaN and meet nothing.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::ops::{ControlFlow, Range};

use super::clock::Lags;
use super::config::BetweenSamples;
use super::trace::Trace;
use elbowroom::internal::volume::TimeSpace;

/// Samples in a circle of level 0.
pub const CHUNK: usize = 16;
/// Circles in one of the next level, and tested at a time.
const BRANCH: usize = 8;
/// Circles nowhere, before the first.
const BEFORE: usize = BRANCH;
/// 16 · 8⁷ samples are more than a trace may have.
const MOST_LEVELS: usize = 8;

/// The circles of one level.
#[derive(Clone, Debug)]
struct Ring {
    x: Vec<f64>,
    y: Vec<f64>,
    radius: Vec<f64>,
    /// The least radius of a disk less how far its centre may be from the circle's: what is nearer
    /// than two of these collides. Nothing where a run is not full.
    inner: Vec<f64>,
    count: usize,
    /// Samples in a circle, as a power of two.
    shift: u32,
}

/// The circles of a motion, level by level.
#[derive(Clone, Debug)]
pub struct Rings {
    levels: Vec<Ring>,
}

impl Rings {
    pub(super) fn new(trace: &Trace, between: BetweenSamples) -> Self {
        let mut levels = Vec::new();
        let mut span = CHUNK;
        loop {
            let ring = Ring::new(trace, between, span);
            let is_top = ring.count <= BRANCH;
            levels.push(ring);
            // Two levels at least: queries over all lags count on them.
            if is_top && levels.len() > 1 {
                return Self { levels };
            }
            span *= BRANCH;
        }
    }

    /// No circles yet; behind [`extend`](Self::extend) they are those of a motion that grew.
    pub fn none() -> Self {
        Self { levels: vec![Ring::of(CHUNK, 0), Ring::of(CHUNK * BRANCH, 0)] }
    }

    /// Extends the circles to a motion that has grown to `samples` samples, of which those from
    /// `new` on are new. Runs of 16 samples are enclosed first; circles above enclose those below.
    /// Gives no bounds of certain collision.
    pub fn extend(&mut self, samples: usize, new: usize, around: impl Fn(Range<usize>) -> Circle) {
        let ground = &mut self.levels[0];
        ground.grow(samples.div_ceil(CHUNK));
        for c in new / CHUNK..ground.count {
            ground.set(c, &around(c * CHUNK..((c + 1) * CHUNK).min(samples)));
        }
        let mut level = 1;
        loop {
            let [.., below] = &self.levels[..level] else { return };
            let (count, is_top) = (below.count.div_ceil(BRANCH), below.count <= BRANCH);
            if level == self.levels.len() {
                // Two levels at least, and no level above one that is eight circles at most.
                if is_top {
                    return;
                }
                self.levels.push(Ring::of(CHUNK << (3 * level), 0));
            }
            let (lower, upper) = self.levels.split_at_mut(level);
            let (below, ring) = (&lower[level - 1], &mut upper[0]);
            // A level that is new is new from the beginning.
            let from = if ring.count == 0 { 0 } else { new >> ring.shift };
            ring.grow(count);
            for c in from..count {
                let circle = below.around(c * BRANCH..((c + 1) * BRANCH).min(below.count));
                ring.set(c, &circle);
            }
            level += 1;
        }
    }

    /// How many circles there are.
    #[allow(clippy::len_without_is_empty, reason = "a motion has circles")]
    pub fn len(&self) -> usize {
        self.levels.iter().map(|ring| ring.count).sum()
    }

    /// The circles of a level, 0 or 1, around runs of 16 or 128 samples.
    pub fn circles(&self, level: usize) -> Around<'_> {
        let ring = &self.levels[level];
        let within = BEFORE..BEFORE + ring.count;
        let [x, y, outer, inner] =
            [&ring.x, &ring.y, &ring.radius, &ring.inner].map(|column| &column[within.clone()]);
        Around { x, y, outer, inner }
    }
}

/// The circles of one level, in the motion's own frame.
pub struct Around<'a> {
    pub x: &'a [f64],
    pub y: &'a [f64],
    pub outer: &'a [f64],
    pub(super) inner: &'a [f64],
}

impl Ring {
    fn new(trace: &Trace, between: BetweenSamples, span: usize) -> Self {
        let mut ring = Self::of(span, trace.len().div_ceil(span));
        for c in 0..ring.count {
            let reach = usize::from(between == BetweenSamples::Linear);
            let is_full = (c + 1) * span <= trace.len();
            let run = c * span..((c + 1) * span + reach).min(trace.len());
            let circle = Circle::around(trace.columns().map(|column| &column[run.clone()]));
            ring.set(c, &circle);
            if is_full {
                ring.inner[BEFORE + c] = circle.inner;
            }
        }
        ring
    }

    /// Circles nowhere.
    fn of(span: usize, count: usize) -> Self {
        let mut ring = Self {
            x: Vec::new(),
            y: Vec::new(),
            radius: Vec::new(),
            inner: Vec::new(),
            count: 0,
            shift: span.trailing_zeros(),
        };
        ring.grow(count);
        ring
    }

    /// More circles, nowhere yet.
    fn grow(&mut self, count: usize) {
        let room = BEFORE + count + 2 * BRANCH;
        self.x.resize(room, f64::NAN);
        self.y.resize(room, f64::NAN);
        self.radius.resize(room, 0.0);
        self.inner.resize(room, f64::NEG_INFINITY);
        self.count = count;
    }

    fn set(&mut self, c: usize, circle: &Circle) {
        let at = BEFORE + c;
        (self.x[at], self.y[at], self.radius[at]) = (circle.x, circle.y, circle.outer);
    }

    /// A circle around some of these.
    fn around(&self, run: Range<usize>) -> Circle {
        let run = BEFORE + run.start..BEFORE + run.end;
        Circle::around([&self.x, &self.y, &self.radius].map(|column| &column[run.clone()]))
    }
}

/// A circle around disks.
pub struct Circle {
    x: f64,
    y: f64,
    outer: f64,
    inner: f64,
}

impl Circle {
    /// Around some disks: about the middle of the box of their centres.
    pub fn around([xs, ys, radii]: [&[f64]; 3]) -> Self {
        let ends = |values: &[f64]| {
            let both = |(low, high): (f64, f64), &v: &f64| (low.min(v), high.max(v));
            values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), both)
        };
        let middle = |(low, high): (f64, f64)| 0.5 * (low + high);
        let (x, y) = (middle(ends(xs)), middle(ends(ys)));
        let (mut spread, mut outer) = (0.0_f64, 0.0_f64);
        for ((px, py), radius) in xs.iter().zip(ys).zip(radii) {
            let (dx, dy) = (px - x, py - y);
            let far = (dx * dx + dy * dy).sqrt();
            spread = spread.max(far);
            outer = outer.max(far + radius);
        }
        // Differences, squares, root and sum lose a few roundings of the coordinates; squares below
        // the normal numbers less than 1e-150.
        let slip = 16.0 * f64::EPSILON * (x.abs() + y.abs() + outer) + 1e-150;
        Self { x, y, outer: outer + slip, inner: (ends(radii).0 - spread) - slip }
    }
}

/// What is done with runs of samples that may meet.
pub trait Visitor {
    /// How much farther apart than touching circles may be and still count as meeting; may fall
    /// during a visit.
    fn margin(&self) -> f64;

    /// A run of 16 samples of the first motion, by its number, that may meet what the second does
    /// at the time. Runs come in order of time.
    fn chunk(&mut self, chunk: usize) -> ControlFlow<()>;

    /// The number of pairs of circles that were tested.
    #[inline(always)]
    fn tested(&mut self, _pairs: u32) {}
}

/// How a level of two motions lies in time: circle c of the first is held together with c + shifts
/// of the second.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    from: i64,
    to: i64,
    shift: i64,
    two: bool,
}

impl Row {
    fn new(a: &Ring, b: &Ring, lags: Lags) -> Self {
        // Shifts of signed numbers round down, as is wanted here.
        let shift = -lags.high >> a.shift;
        let last = ((1 << a.shift) - 1 - lags.low) >> a.shift;
        Self {
            from: 0.max(-last),
            to: (a.count as i64).min(b.count as i64 - shift),
            shift,
            two: last > shift,
        }
    }
}

/// Circles of one level that are still to be visited: those in the mask behind `base`, then
/// `next..end`.
#[derive(Clone, Copy, Default)]
struct Frame {
    level: usize,
    base: i64,
    mask: u32,
    next: i64,
    end: i64,
}

/// Visits the runs of the first motion that may meet the second, from the top level down, in order
/// of time.
#[inline(always)]
pub fn visit(
    a: &Rings,
    b: &Rings,
    lags: Lags,
    space: &TimeSpace,
    visitor: &mut impl Visitor,
) -> ControlFlow<()> {
    let top = a.levels.len().min(b.levels.len()) - 1;
    let mut rows = [Row::default(); MOST_LEVELS];
    for (level, row) in rows.iter_mut().enumerate().take(top + 1) {
        *row = Row::new(&a.levels[level], &b.levels[level], lags);
    }
    let mut stack = [Frame::default(); MOST_LEVELS];
    let mut depth = 0;
    stack[0] = Frame { level: top, next: rows[top].from, end: rows[top].to, ..Frame::default() };
    loop {
        let frame = &mut stack[depth];
        if frame.mask == 0 {
            if frame.next >= frame.end {
                if depth == 0 {
                    return ControlFlow::Continue(());
                }
                depth -= 1;
                continue;
            }
            let (level, left) = (frame.level, frame.end - frame.next);
            frame.base = frame.next;
            frame.next += BRANCH as i64;
            let wanted: u32 = if left >= BRANCH as i64 { 0xff } else { (1 << left) - 1 };
            let row = &rows[level];
            visitor.tested(wanted.count_ones() << u32::from(row.two));
            let [first, second] = [&a.levels[level], &b.levels[level]];
            frame.mask = wanted & meeting(first, second, frame.base, row, space, visitor.margin());
            continue;
        }
        let circle = frame.base + i64::from(frame.mask.trailing_zeros());
        frame.mask &= frame.mask - 1;
        if frame.level == 0 {
            visitor.chunk(circle as usize)?;
        } else {
            let level = frame.level - 1;
            let row = &rows[level];
            let next = row.from.max(circle * BRANCH as i64);
            let end = row.to.min((circle + 1) * BRANCH as i64);
            depth += 1;
            stack[depth] = Frame { level, next, end, ..Frame::default() };
        }
    }
}

/// Which of eight circles may meet one of those that are held at the same time.
#[inline(always)]
fn meeting(a: &Ring, b: &Ring, base: i64, row: &Row, space: &TimeSpace, margin: f64) -> u32 {
    let eight = |values: &'_ [f64], at: i64| -> [f64; BRANCH] {
        let at = (BEFORE as i64 + at) as usize;
        std::array::from_fn(|lane| values[at..at + BRANCH][lane])
    };
    let ours = [&a.x, &a.y, &a.radius].map(|column| eight(column, base));
    let at = base + row.shift;
    let mut hit = [false; BRANCH];
    near(&ours, &[&b.x, &b.y, &b.radius].map(|column| eight(column, at)), space, margin, &mut hit);
    if row.two {
        let next = [&b.x, &b.y, &b.radius].map(|column| eight(column, at + 1));
        near(&ours, &next, space, margin, &mut hit);
    }
    (0..BRANCH).map(|lane| u32::from(hit[lane]) << lane).sum()
}

#[inline(always)]
fn near(
    a: &[[f64; BRANCH]; 3],
    b: &[[f64; BRANCH]; 3],
    space: &TimeSpace,
    margin: f64,
    hit: &mut [bool; BRANCH],
) {
    let slack = space.slack + margin;
    for lane in 0..BRANCH {
        let (x, y) = space.a_from_b.apply_xy(b[0][lane], b[1][lane]);
        let (dx, dy) = (x - a[0][lane], y - a[1][lane]);
        // Less than nothing is met by nothing, but a margin may be that.
        let reach = (a[2][lane] + b[2][lane] + slack).max(0.0);
        hit[lane] |= dx * dx + dy * dy <= reach * reach;
    }
}
