//! Do two motions collide, when, and how near do they come?
//!
//! Two motions collide if two of their samples do that are held at a common moment. A sample is
//! held from its time until the next one's, the end not included, so that starts which are a whole
//! number of steps apart match samples one to one and all others match each sample to two. Times
//! are exact, places are rounded in a fixed way: the answer does not depend on the order of the
//! motions, the kind of their trees or the instruction set.
//!
//! Source: Sung, Chenney and Gleicher, *Detecting collisions in graph-driven motion synthesis*,
//! section 3. We differ in that the printed condition lets the two times differ, against its own
//! text; and in that testing only one motion's sample times would make the answer depend
//! on the order.

// A kernel must become part of the function that switches the instruction set on, and does not
// branch.
#![expect(clippy::inline_always, clippy::needless_bitwise_bool)]

use std::ops::ControlFlow;

use super::clock::{Clock, Lags};
use super::error::{TraceError, TraceErrorKind};
use super::offsets::Lagging;
use super::reference;
use super::rings::{self, CHUNK, Visitor};
use super::side::{Side, Sides};
use super::tracked::Tracked;
use elbowroom::internal::arch;
use elbowroom::internal::arch::{F32xN, Kernel, SimdLevel};
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::traverse;
use elbowroom::internal::traverse::Tally;

/// The place and the start of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    at: Planar,
    start: f64,
}

impl Placed {
    /// The place of the capture, starting at time 0.
    pub const ORIGIN: Self = Self { at: Planar::IDENTITY, start: 0.0 };

    /// A place, and a start on the common clock, in seconds.
    ///
    /// # Errors
    /// If the start is not finite, or beyond 1e90 seconds.
    pub fn new(at: Planar, start: f64) -> Result<Self, TraceError> {
        if start.abs() <= 1e90 {
            Ok(Self { at, start })
        } else {
            Err(TraceErrorKind::Start { start }.into())
        }
    }

    /// A place, starting at time 0.
    pub fn at_rest(at: Planar) -> Self {
        Self { at, start: 0.0 }
    }

    /// The place.
    pub fn at(&self) -> Planar {
        self.at
    }

    /// The start.
    pub fn start(&self) -> f64 {
        self.start
    }
}

/// Memory that queries use while they run. One that is kept makes them free of allocation once it
/// is warm.
#[derive(Clone, Debug)]
pub struct Workspace {
    #[doc(hidden)]
    pub level: SimdLevel,
    pub(super) descend: traverse::Workspace,
    pub(super) lagging: Lagging,
    /// Pairs of samples that collide, in order of time.
    pub(super) found: Vec<(u32, u32)>,
}

impl Default for Workspace {
    fn default() -> Self {
        Self::with_level(SimdLevel::best())
    }
}

impl Workspace {
    /// An empty workspace.
    pub fn new() -> Self {
        Self::default()
    }

    /// The query on a narrower instruction set than the machine's. Every instruction set gives the
    /// same answers.
    pub fn with_level(level: SimdLevel) -> Self {
        Self {
            level,
            descend: traverse::Workspace::default(),
            lagging: Lagging::default(),
            found: Vec::new(),
        }
    }
}

pub(super) fn sides<'a>(a: &'a Tracked, pa: &Placed, b: &'a Tracked, pb: &Placed) -> Sides<'a> {
    let side = |clip: &'a Tracked, placed: &Placed| Side {
        clip,
        inner: Planar::IDENTITY,
        outer: placed.at,
        clock: Clock { start: placed.start, dt: clip.trace().dt(), first: 0 },
    };
    Sides::new(side(a, pa), side(b, pb))
}

/// Whether two motions collide.
///
/// ```
/// use elbowroom::internal::math::planar::Planar;
/// use elbowroom_motion::space_time::{Config, Placed, Sample, Trace, Tracked, Workspace, collide};
/// use glam::DVec2;
///
/// // A walk of three seconds along x, and the same along y: the paths cross in (2, 0).
/// let walk: Vec<Sample> = (0..90).map(|k| Sample::new(0.05 * f64::from(k), 0.0, 0.4)).collect();
/// let walk = Tracked::new(Trace::new(&walk, 1.0 / 30.0)?, Config::default())?;
/// let across = Planar::new(0.0, 1.0, DVec2::new(2.0, -2.0))?;
/// let mut workspace = Workspace::new();
/// let at_once = Placed::new(across, 0.0)?;
/// assert!(collide(&walk, &Placed::ORIGIN, &walk, &at_once, &mut workspace));
/// // At another time the place is free.
/// let later = Placed::new(across, 1.5)?;
/// assert!(!collide(&walk, &Placed::ORIGIN, &walk, &later, &mut workspace));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collide(
    a: &Tracked,
    pa: &Placed,
    b: &Tracked,
    pb: &Placed,
    workspace: &mut Workspace,
) -> bool {
    let sides = sides(a, pa, b, pb);
    collide_at(&sides, sides.lags(), workspace)
}

/// The query on the binary trees, traversed as in the paper, with its counts: tests of upright
/// boxes, of free boxes and of samples.
///
/// ```
/// use elbowroom_motion::space_time::{Config, Kind, Placed, Sample, Trace, Tracked, Workspace, collide_counted};
/// use elbowroom::internal::volume::Family;
///
/// let idle = Trace::new(&[Sample::new(0.0, 0.0, 0.4); 100], 1.0 / 30.0)?;
/// let idle = Tracked::new(idle, Config::paper(Kind::Umobb))?;
/// let (hit, tally) =
///     collide_counted(&idle, &Placed::ORIGIN, &idle, &Placed::ORIGIN, &mut Workspace::new());
/// // Who stands still has upright boxes, even in a tree of free ones.
/// assert!(hit && tally.of_family(Family::TimeBox) == 5 && tally.of_family(Family::TimeObb) == 0);
/// assert_eq!(tally.primitives, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collide_counted(
    a: &Tracked,
    pa: &Placed,
    b: &Tracked,
    pb: &Placed,
    workspace: &mut Workspace,
) -> (bool, Tally) {
    let mut tally = Tally::default();
    let mut hit = false;
    reference::descend(&sides(a, pa, b, pb), &mut tally, &mut workspace.descend, |_, _| {
        hit = true;
        ControlFlow::Break(())
    });
    (hit, tally)
}

/// Whether two motions collide, given their lags; no if there are none, because sampling times
/// differ.
pub fn collide_at(sides: &Sides<'_>, lags: Option<Lags>, workspace: &mut Workspace) -> bool {
    if let Some(lags) = lags {
        let together = lags.low < sides.a.len() as i64 && lags.high > -(sides.b.len() as i64);
        return together && arch::run(workspace.level, Collide { sides, lags });
    }
    let mut hit = false;
    reference::descend(sides, &mut Tally::default(), &mut workspace.descend, |_, _| {
        hit = true;
        ControlFlow::Break(())
    });
    hit
}

struct Collide<'a> {
    sides: &'a Sides<'a>,
    lags: Lags,
}

impl Kernel for Collide<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<W: F32xN>(self) -> bool {
        let space = self.sides.space();
        let (a, b) = (self.sides.a.clip.rings(), self.sides.b.clip.rings());
        let lags = self.lags;
        rings::visit(a, b, lags, &space, &mut AnyPair(self)).is_break()
    }
}

struct AnyPair<'a>(Collide<'a>);

impl Visitor for AnyPair<'_> {
    #[inline(always)]
    fn margin(&self) -> f64 {
        0.0
    }

    #[inline(always)]
    fn chunk(&mut self, chunk: usize) -> ControlFlow<()> {
        let Collide { sides, lags } = self.0;
        for lag in lags.low..=lags.high {
            let (from, to) = held_together(sides, chunk, lag);
            if any_meet(sides, from, to, lag) {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// The samples of a run of the first motion that have a partner at this lag.
#[inline(always)]
pub(super) fn held_together(sides: &Sides<'_>, chunk: usize, lag: i64) -> (i64, i64) {
    let from = (chunk * CHUNK) as i64;
    let end = (from + CHUNK as i64).min(sides.a.len() as i64).min(sides.b.len() as i64 + lag);
    (from.max(lag), end)
}

/// Whether one of at most 16 pairs collides: where samples are held all are tested, because that is
/// sooner done than asked.
#[inline(always)]
pub fn any_meet(sides: &Sides<'_>, from: i64, to: i64, lag: i64) -> bool {
    if from >= to {
        return false;
    }
    if sides.is_linear {
        return (from..to).any(|i| sides.meet(i as usize, (i - lag) as usize));
    }
    let (count, i, j) = ((to - from) as usize, from as usize, (from - lag) as usize);
    let run = [(&sides.a, i), (&sides.b, j)]
        .map(|(side, at)| side.clip.columns().map(|column| &column[at..at + count]));
    if sides.a.is_part() || sides.b.is_part() {
        any_of(&run, sides.touching, |x, y| sides.a.place(x, y), |x, y| sides.b.place(x, y))
    } else {
        let (a, b) = (sides.a.outer, sides.b.outer);
        any_of(&run, sides.touching, |x, y| a.apply_xy(x, y), |x, y| b.apply_xy(x, y))
    }
}

#[inline(always)]
fn any_of(
    [[ax, ay, ar], [bx, by, br]]: &[[&[f64]; 3]; 2],
    touching: bool,
    place_a: impl Fn(f64, f64) -> (f64, f64),
    place_b: impl Fn(f64, f64) -> (f64, f64),
) -> bool {
    let mut hit = false;
    for k in 0..ax.len() {
        let ((px, py), (qx, qy)) = (place_a(ax[k], ay[k]), place_b(bx[k], by[k]));
        let (dx, dy, reach) = (px - qx, py - qy, ar[k] + br[k]);
        let (square, limit) = (dx * dx + dy * dy, reach * reach);
        hit |= (square < limit) | (touching & (square == limit));
    }
    hit
}

/// The query by brute force: a search in time, then every pair of samples, on the instructions that
/// [`collide`] uses. For short motions it is often the fastest, and it is the reference for all
/// others.
pub fn collide_brute(
    a: &Tracked,
    pa: &Placed,
    b: &Tracked,
    pb: &Placed,
    workspace: &Workspace,
) -> bool {
    let sides = sides(a, pa, b, pb);
    if let Some(lags) = sides.lags() {
        return arch::run(workspace.level, Search(Collide { sides: &sides, lags }));
    }
    let all = 0..sides.b.len();
    let partners = |i| reference::partners(&sides, None, i, &all);
    (0..sides.a.len()).any(|i| partners(i).any(|j| sides.meet(i, j)))
}

struct Search<'a>(Collide<'a>);

impl Kernel for Search<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<W: F32xN>(self) -> bool {
        let Collide { sides, lags } = self.0;
        let last = (sides.a.len() as i64).min(sides.b.len() as i64 + lags.high);
        let chunks = lags.low.max(0) / CHUNK as i64..=(last - 1).max(-1).div_euclid(CHUNK as i64);
        let mut any = AnyPair(self.0);
        chunks.into_iter().any(|chunk| any.chunk(chunk as usize).is_break())
    }
}
