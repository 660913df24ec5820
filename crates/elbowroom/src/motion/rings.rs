//! Circles around runs of samples, level upon level, in flat columns: what production queries run on.
//!
//! ```text
//!   level 2   (                                                   )     1,024 samples
//!   level 1   (              )(              ) …                          128 samples
//!   level 0   (  )(  )(  )(  )(  )(  )(  )(  ) …                           16 samples
//!   time ──►
//! ```
//!
//! Where two motions have the same sampling time, circle c of one meets in time at most two circles of the other, c + s and c + s + 1, with one s
//! for a whole level. So a level is eight circles against eight, loaded from columns that lie side by side in memory: no index is
//! looked up, and the time test is the choice of what to load. A circle is the same from every side, so that only its centre
//! is placed. Over half a second of a walk it is hardly larger than the disks in it; what is lost further up is cheap.
//!
//! Circles contain their disks in exact arithmetic, rounded outward; where disks move between samples they contain the next one too. Before and
//! behind a column are circles nowhere, whose centres are NaN and meet nothing.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::ops::{ControlFlow, Range};

use super::clock::Lags;
use super::config::Between;
use super::trace::Trace;
use crate::volume::TimeSpace;

/// Samples in a circle of level 0.
pub(super) const CHUNK: usize = 16;
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
    count: usize,
    /// Samples in a circle.
    span: i64,
}

/// The circles of a motion, level by level.
#[derive(Clone, Debug)]
pub(super) struct Rings {
    levels: Vec<Ring>,
}

impl Rings {
    pub(super) fn new(trace: &Trace, between: Between) -> Self {
        let mut levels = Vec::new();
        let mut span = CHUNK;
        loop {
            let ring = Ring::new(trace, between, span);
            let is_top = ring.count <= BRANCH;
            levels.push(ring);
            if is_top {
                return Self { levels };
            }
            span *= BRANCH;
        }
    }

    /// The circles around each run of 16 samples: x, y and radius.
    pub(super) fn chunks(&self) -> [&[f64]; 3] {
        let ring = &self.levels[0];
        let within = BEFORE..BEFORE + ring.count;
        [&ring.x[within.clone()], &ring.y[within.clone()], &ring.radius[within]]
    }

    /// A circle around the whole motion: x, y, radius.
    pub(super) fn whole(&self) -> [f64; 3] {
        let top = &self.levels[self.levels.len() - 1];
        let mut whole = [top.x[BEFORE], top.y[BEFORE], top.radius[BEFORE]];
        for c in BEFORE + 1..BEFORE + top.count {
            whole = around(whole, [top.x[c], top.y[c], top.radius[c]]);
        }
        whole
    }
}

/// A circle about the first one's centre that holds both.
fn around(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    let (dx, dy) = (a[0] - b[0], a[1] - b[1]);
    let far = ((dx * dx + dy * dy).sqrt() + b[2]) * (1.0 + 1e-14);
    [a[0], a[1], a[2].max(far)]
}

impl Ring {
    fn new(trace: &Trace, between: Between, span: usize) -> Self {
        let count = trace.len().div_ceil(span);
        let room = BEFORE + count + 2 * BRANCH;
        let mut ring = Self {
            x: vec![f64::NAN; room],
            y: vec![f64::NAN; room],
            radius: vec![0.0; room],
            count,
            span: span as i64,
        };
        for c in 0..count {
            let reach = usize::from(between == Between::Linear);
            let run = c * span..((c + 1) * span + reach).min(trace.len());
            let [x, y, radius] = circle(trace, run);
            (ring.x[BEFORE + c], ring.y[BEFORE + c], ring.radius[BEFORE + c]) = (x, y, radius);
        }
        ring
    }
}

/// A circle around some disks: about the middle of their box.
fn circle(trace: &Trace, run: Range<usize>) -> [f64; 3] {
    let [x, y, radius] = trace.columns();
    let ends = |values: &[f64]| {
        values[run.clone()]
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)))
    };
    let middle = |(low, high): (f64, f64)| 0.5 * (low + high);
    let (cx, cy) = (middle(ends(x)), middle(ends(y)));
    let mut reach = 0.0_f64;
    for i in run.clone() {
        let (dx, dy) = (x[i] - cx, y[i] - cy);
        reach = reach.max((dx * dx + dy * dy).sqrt() + radius[i]);
    }
    // Differences, squares, root and sum lose a few roundings of the coordinates; squares below the normal numbers less than 1e-150.
    let size = cx.abs() + cy.abs() + reach;
    [cx, cy, reach + 16.0 * f64::EPSILON * size + 1e-150]
}

/// What is done with runs of samples that may meet.
pub(super) trait Visitor {
    /// How much farther apart than touching circles may be and still count as meeting; may fall during a visit.
    fn margin(&self) -> f64;

    /// A run of 16 samples of the first motion, by its number, that may meet what the second does at the time. Runs come in order of time.
    fn chunk(&mut self, chunk: usize) -> ControlFlow<()>;
}

/// How a level of two motions lies in time: circle c of the first is held together with c + shifts of the second.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    from: i64,
    to: i64,
    shift: i64,
    two: bool,
}

impl Row {
    fn new(a: &Ring, b: &Ring, lags: Lags) -> Self {
        let shift = (-lags.high).div_euclid(a.span);
        let last = (a.span - 1 - lags.low).div_euclid(a.span);
        Self {
            from: 0.max(-last),
            to: (a.count as i64).min(b.count as i64 - shift),
            shift,
            two: last > shift,
        }
    }
}

/// Circles of one level that are still to be looked at: those in the mask behind `base`, then `next..end`.
#[derive(Clone, Copy, Default)]
struct Frame {
    level: usize,
    base: i64,
    mask: u32,
    next: i64,
    end: i64,
}

/// Visits the runs of the first motion that may meet the second, from the top level down, in order of time.
#[inline(always)]
pub(super) fn visit(
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
            let wanted = if left >= BRANCH as i64 { 0xff } else { (1 << left) - 1 };
            let row = &rows[level];
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
