//! Motions one after the other, asked about as one.
//!
//! ```text
//!   new        ┌────── ● ──────┐           boxes around boxes, merged bottom-up:
//!           ┌─ ● ─┐         ┌─ ● ─┐        two new nodes for each clip at most
//!   clips   ▲     ▲         ▲     ▲        their trees stay as they are, turned where they stand
//! ```
//!
//! Each clip has a place in the sequence and begins where the hold of the one before ends. The trees of the clips are not touched: a parent is an upright box
//! around the placed boxes of two children, and a pair of clips that may meet is a query with two placements for each side, the clip's and
//! the sequence's. A clip that is added changes the boxes on its way to the root, no others.
//!
//! Source: the future work of Sung, Chenney and Gleicher, *Detecting collisions in graph-driven motion synthesis*, section 6. Answers are those of the
//! [trace of the whole](Sequence::trace), sample by sample; only where disks move between samples, the last one of a clip stands still.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use super::clock::{Clock, Lags};
use super::error::{TraceError, TraceErrorKind};
use super::query::{Placed, Workspace, collide_at};
use super::side::{Side, Sides};
use super::trace::{Sample, Trace};
use super::tracked::Tracked;
use crate::math::planar::Planar;
use crate::volume::{TimeBox, TimeSpace, Volume};

/// A clip in a sequence.
#[derive(Clone, Debug)]
struct Item {
    clip: Arc<Tracked>,
    at: Planar,
}

/// A box, and how far its corners are from its middle.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    bounds: TimeBox,
    radius: f64,
}

impl Bounds {
    fn new(bounds: TimeBox) -> Self {
        Self { bounds, radius: bounds.half.length() * (1.0 + 4.0 * f64::EPSILON) }
    }
}

/// Clips one after the other, each at its place.
///
/// ```
/// use std::sync::Arc;
///
/// use elbowroom::math::planar::Planar;
/// use elbowroom::motion::{Config, Placed, Sample, Sequence, Trace, Tracked, Workspace};
/// use glam::DVec2;
///
/// let step: Vec<Sample> = (0..30).map(|k| Sample::new(0.05 * f64::from(k), 0.0, 0.4)).collect();
/// let step = Arc::new(Tracked::new(Trace::new(&step, 1.0 / 30.0)?, Config::default())?);
/// let mut walk = Sequence::new();
/// for k in 0..40 {
///     walk.push(step.clone(), Planar::new(1.0, 0.0, DVec2::new(1.5 * f64::from(k), 0.0))?)?;
/// }
/// assert_eq!((walk.len(), walk.samples()), (40, 1200));
/// // Somebody stands 30 m ahead, from the beginning of the 19th second for two seconds; then the walker is not yet there.
/// let mut still = Sequence::new();
/// let idle = Trace::new(&[Sample::new(30.0, 0.0, 0.4); 60], 1.0 / 30.0)?;
/// still.push(Arc::new(Tracked::new(idle, Config::default())?), Planar::IDENTITY)?;
/// let mut workspace = Workspace::new();
/// let from = |start| Placed::new(Planar::IDENTITY, start).expect("a number");
/// assert!(walk.collide(&Placed::ORIGIN, &still, &from(19.0), &mut workspace));
/// assert!(!walk.collide(&Placed::ORIGIN, &still, &from(10.0), &mut workspace));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    items: Vec<Item>,
    /// The number of each clip's first sample, and of the next sample that comes.
    firsts: Vec<i64>,
    /// Boxes by level: of the clips, of two neighbours, of four …
    levels: Vec<Vec<Bounds>>,
    samples: usize,
    reach: f64,
}

/// A node of a sequence: level and number.
type Node = (u32, u32);

impl Sequence {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a clip at its place in the sequence. As many boxes are made as there are levels.
    ///
    /// # Errors
    /// If its sampling time is not that of the first clip, or there would be too many samples.
    pub fn push(&mut self, clip: Arc<Tracked>, at: Planar) -> Result<(), TraceError> {
        let (dt, samples) = (clip.trace().dt(), self.samples + clip.trace().len());
        if let Some(expected) = self.dt().filter(|&expected| expected != dt) {
            return Err(
                TraceErrorKind::DifferentSteps { clip: self.items.len(), dt, expected }.into()
            );
        }
        if samples > Trace::MOST_SAMPLES {
            return Err(TraceErrorKind::TooMany { samples }.into());
        }
        let bounds = clip.bounds().placed(&at, self.samples as f64 * dt);
        let corner = |p: glam::DVec2| p.abs().element_sum();
        self.reach = bounds.corners().map(corner).into_iter().fold(self.reach, f64::max);
        self.reach = self.reach.max(clip.reach() + 2.0 * corner(at.translation()));
        self.items.push(Item { clip, at });
        if self.firsts.is_empty() {
            self.firsts.push(0);
        }
        self.firsts.push(samples as i64);
        self.samples = samples;
        self.merge_up(bounds);
        Ok(())
    }

    /// Writes a new last box and all above it.
    fn merge_up(&mut self, bounds: TimeBox) {
        let mut at = self.items.len() - 1;
        let mut bounds = bounds;
        for level in 0.. {
            if level == self.levels.len() {
                self.levels.push(Vec::new());
            }
            let row = &mut self.levels[level];
            row.truncate(at);
            row.push(Bounds::new(bounds));
            if row.len() == 1 {
                self.levels.truncate(level + 1);
                return;
            }
            // An odd one out stands for itself.
            bounds = if at % 2 == 1 { row[at - 1].bounds.merged(&bounds) } else { bounds };
            at /= 2;
        }
    }

    /// How many clips there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// How many samples there are in all.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The sampling time; nothing if there are no clips.
    pub fn dt(&self) -> Option<f64> {
        self.items.first().map(|item| item.clip.trace().dt())
    }

    /// How long it takes.
    pub fn seconds(&self) -> f64 {
        self.dt().map_or(0.0, |dt| dt * self.samples as f64)
    }

    /// A box around all of it; nothing if there are no clips.
    pub fn bounds(&self) -> Option<TimeBox> {
        self.levels.last().and_then(|row| row.first()).map(|node| node.bounds)
    }

    /// The whole as one trace: every sample placed, and rounded, as the sequence has it.
    ///
    /// # Errors
    /// If there are no clips, or a coordinate becomes too large.
    pub fn trace(&self) -> Result<Trace, TraceError> {
        let samples: Vec<Sample> = self
            .items
            .iter()
            .flat_map(|Item { clip, at, .. }| {
                clip.trace().samples().map(|s| Sample { center: at.apply(s.center), ..s })
            })
            .collect();
        Trace::new(&samples, self.dt().unwrap_or(1.0))
    }

    /// Whether two sequences collide.
    pub fn collide(
        &self,
        placed: &Placed,
        other: &Self,
        other_placed: &Placed,
        workspace: &mut Workspace,
    ) -> bool {
        let (Some(dt_a), Some(dt_b)) = (self.dt(), other.dt()) else { return false };
        let clock = |placed: &Placed, dt| Clock { start: placed.start(), dt, first: 0 };
        let pair = Two {
            a: self,
            b: other,
            places: [placed.at(), other_placed.at()],
            clocks: [clock(placed, dt_a), clock(other_placed, dt_b)],
            space: TimeSpace::new(
                (&placed.at(), self.reach, placed.start()),
                (&other_placed.at(), other.reach, other_placed.start()),
                1.0,
            ),
        };
        let lags = pair.clocks[0].lags(&pair.clocks[1]);
        let mut stack = std::mem::take(&mut workspace.nodes);
        stack.clear();
        pair.begin(lags, &mut stack);
        let mut hit = false;
        while let Some((a, b)) = stack.pop() {
            if a.0 == 0 && b.0 == 0 {
                hit = pair.clips_collide(a.1 as usize, b.1 as usize, lags, workspace);
                if hit {
                    break;
                }
            } else if a.0 >= b.0 {
                let below = self.children(a).map(|child| (child, b));
                stack.extend(below.filter(|&(a, b)| pair.may_meet(a, b, lags)));
            } else {
                let below = other.children(b).map(|child| (a, child));
                stack.extend(below.filter(|&(a, b)| pair.may_meet(a, b, lags)));
            }
        }
        workspace.nodes = stack;
        hit
    }

    /// The level at which a query begins: few nodes are sooner walked along than descended to.
    fn top(&self) -> u32 {
        const FEW: usize = 32;
        self.levels.iter().position(|row| row.len() <= FEW).unwrap_or(0) as u32
    }

    fn children(&self, (level, at): Node) -> impl DoubleEndedIterator<Item = Node> + use<> {
        let below = level - 1;
        let count = self.levels[below as usize].len() as u32;
        (2 * at..(2 * at + 2).min(count)).map(move |child| (below, child))
    }

    /// The samples below a node.
    fn run(&self, (level, at): Node) -> Range<i64> {
        let (from, to) = ((at as usize) << level, (at as usize + 1) << level);
        self.firsts[from]..self.firsts[to.min(self.items.len())]
    }

    fn volume(&self, (level, at): Node) -> &Bounds {
        &self.levels[level as usize][at as usize]
    }
}

struct Two<'a> {
    a: &'a Sequence,
    b: &'a Sequence,
    places: [Planar; 2],
    clocks: [Clock; 2],
    space: TimeSpace,
}

impl Two<'_> {
    /// All pairs of nodes of the first levels that are held at a common moment and may meet: along both sequences at once.
    fn begin(&self, lags: Option<Lags>, stack: &mut Vec<(Node, Node)>) {
        let (top_a, top_b) = (self.a.top(), self.b.top());
        let count = |sequence: &Sequence, top: u32| sequence.levels[top as usize].len() as u32;
        let mut from = 0;
        for a in 0..count(self.a, top_a) {
            let run = self.a.run((top_a, a));
            for b in from..count(self.b, top_b) {
                let (first, second) = ((top_a, a), (top_b, b));
                if self.may_meet(first, second, lags) {
                    stack.push((first, second));
                }
                // Nodes of both follow one another: what is over before this one is so before all later ones.
                let other = self.b.run(second);
                match self.order(&run, &other, lags) {
                    Ordering::Greater => from = b + 1,
                    Ordering::Less => break,
                    Ordering::Equal => {}
                }
            }
        }
    }

    /// Whether the first run of samples is over before the second begins, the other way round, or neither.
    fn order(&self, a: &Range<i64>, b: &Range<i64>, lags: Option<Lags>) -> Ordering {
        let (before, after) = if let Some(Lags { low, high }) = lags {
            (a.end - 1 - b.start < low, a.start - (b.end - 1) > high)
        } else {
            let [ca, cb] = &self.clocks;
            (
                ca.compare(a.end, cb, b.start) != Ordering::Greater,
                cb.compare(b.end, ca, a.start) != Ordering::Greater,
            )
        };
        match (before, after) {
            (true, _) => Ordering::Less,
            (_, true) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }

    fn may_meet(&self, a: Node, b: Node, lags: Option<Lags>) -> bool {
        if self.order(&self.a.run(a), &self.b.run(b), lags) != Ordering::Equal {
            return false;
        }
        let (first, second) = (self.a.volume(a), self.b.volume(b));
        let apart = self.space.a_from_b.apply(second.bounds.center) - first.bounds.center;
        let reach = first.radius + second.radius + self.space.slack;
        apart.length_squared() <= reach * reach
            && first.bounds.may_cross(&second.bounds, &self.space)
    }

    fn clips_collide(
        &self,
        a: usize,
        b: usize,
        lags: Option<Lags>,
        workspace: &mut Workspace,
    ) -> bool {
        let (one, two) = (&self.a.items[a], &self.b.items[b]);
        let side = |item: &'_ Item, at: usize, k: usize| -> (Planar, Planar, Clock) {
            let firsts = if k == 0 { &self.a.firsts } else { &self.b.firsts };
            (item.at, self.places[k], Clock { first: firsts[at], ..self.clocks[k] })
        };
        let make = |item, (inner, outer, clock)| Side { clip: item, inner, outer, clock };
        let sides =
            Sides::new(make(&*one.clip, side(one, a, 0)), make(&*two.clip, side(two, b, 1)));
        // Numbers within the clips differ by as much as their first samples do.
        let shift = self.b.firsts[b] - self.a.firsts[a];
        let lags = lags.map(|Lags { low, high }| Lags { low: low + shift, high: high + shift });
        collide_at(&sides, lags, workspace)
    }
}
