//! Motions one after the other, asked about as one.
//!
//! ```text
//!   new        (                    )(           …     circles around circles, merged bottom-up:
//!              (    )(    )(    )(    )(    )( …       some six new ones for a clip of two seconds
//!   clips      (    )(    )( )(    )(    )(  )( …      their own stay as they are, turned where they stand
//! ```
//!
//! Each clip has a place in the sequence and begins where the hold of the one before ends. Over all
//! of them lie [circles](elbowroom_motion::space_time::rings) as over a single motion, around runs
//! of 16 samples wherever clips begin and end, each merged from the two or three circles of clips
//! that have some of the run. So a query runs as if the sequence were one motion, and only the
//! samples of a run are looked up in their clips. A clip that is added changes the circles above
//! it, to the root, and no others.
//!
//! Beside the circles lies the [merged tree](MergedTree): the clips' own trees under boxes that are
//! merged from them, which [`collide_counted`](Sequence::collide_counted) descends as the paper
//! descends two clips.
//!
//! Source: the future work of Sung, Chenney and Gleicher, *Detecting collisions in graph-driven
//! motion synthesis*, section 6. Answers are those of the [trace of the whole](Sequence::trace),
//! sample by sample; only where disks move between samples, the last one of a clip stands still.

use std::ops::Range;
use std::sync::Arc;

use crate::mobb::merged::{Bound, MergedTree};
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::volume::{TimeBox, Volume};
use elbowroom_motion::space_time::error::{TraceError, TraceErrorKind};
use elbowroom_motion::space_time::rings::{CHUNK, Circle, Rings};
use elbowroom_motion::space_time::trace::{Sample, Trace};
use elbowroom_motion::space_time::tracked::Tracked;

/// A clip in a sequence.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) clip: Arc<Tracked>,
    pub(super) at: Planar,
    /// A box around it, in the sequence.
    pub(super) bounds: TimeBox,
    /// Bounds how far a placed circle is from where its placed samples want it.
    slack: f64,
}

/// Clips one after the other, each at its place.
///
/// ```
/// use std::sync::Arc;
///
/// use elbowroom::internal::math::planar::Planar;
/// use elbowroom_papers::mobb::Sequence;
/// use elbowroom_motion::space_time::{Config, Placed, Sample, Trace, Tracked, Workspace};
/// use glam::DVec2;
///
/// let step: Vec<Sample> = (0..30).map(|k| Sample::new(0.05 * f64::from(k), 0.0, 0.4)).collect();
/// let step = Arc::new(Tracked::new(Trace::new(&step, 1.0 / 30.0)?, Config::default())?);
/// let mut walk = Sequence::new();
/// for k in 0..40 {
///     walk.push(step.clone(), Planar::new(1.0, 0.0, DVec2::new(1.5 * f64::from(k), 0.0))?)?;
/// }
/// assert_eq!((walk.len(), walk.samples()), (40, 1200));
/// // A person stands 30 m ahead, from the beginning of the 19th second for two seconds; then the walker is not yet there.
/// let mut still = Sequence::new();
/// let idle = Trace::new(&[Sample::new(30.0, 0.0, 0.4); 60], 1.0 / 30.0)?;
/// still.push(Arc::new(Tracked::new(idle, Config::default())?), Planar::IDENTITY)?;
/// let mut workspace = Workspace::new();
/// let from = |start| Placed::new(Planar::IDENTITY, start).expect("a number");
/// assert!(walk.collide(&Placed::ORIGIN, &still, &from(19.0), &mut workspace));
/// assert!(!walk.collide(&Placed::ORIGIN, &still, &from(10.0), &mut workspace));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sequence {
    pub(super) items: Vec<Item>,
    /// The number of each clip's first sample, and of the next sample that comes.
    pub(super) firsts: Vec<i64>,
    pub(super) rings: Rings,
    /// The clip of the first sample of each run of 16.
    pub(super) clip_of: Vec<u32>,
    samples: usize,
    pub(super) reach: f64,
    pub(super) tree: MergedTree,
}

impl Default for Sequence {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            firsts: vec![0],
            rings: Rings::none(),
            clip_of: Vec::new(),
            samples: 0,
            reach: 0.0,
            tree: MergedTree::default(),
        }
    }
}

impl Sequence {
    /// An empty sequence.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a clip at its place in the sequence. As many circles are made as it has runs of 16
    /// samples, and a few above.
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
        // Turned, a point's coordinates may add up to half as much again.
        let shift = at.translation().abs().element_sum();
        let reach = 2.0 * (clip.reach() + shift);
        let slack = reach * (32.0 * f64::EPSILON + 4.0 * at.deviation()) + 1e-150;
        self.reach = self.reach.max(reach);
        let number = self.items.len() as u32;
        let scale =
            self.items.first().map_or(clip.config(), |first| first.clip.config()).time_scale;
        let start = self.samples as f64 * dt;
        let whole = Bound::of_clip(&clip, &at, start, scale);
        self.tree.push(whole.unwrap_or(Bound::Upright(bounds)), scale);
        self.items.push(Item { clip, at, bounds, slack });
        self.firsts.push(samples as i64);
        self.clip_of.resize(samples.div_ceil(CHUNK), number);
        let new = std::mem::replace(&mut self.samples, samples);
        let Self { items, firsts, rings, clip_of, .. } = self;
        rings.extend(samples, new, |run| around(items, firsts, clip_of[run.start / CHUNK], run));
        Ok(())
    }

    /// The number of clips.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The number of samples of all clips.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The sampling time. `None` if there are no clips.
    pub fn dt(&self) -> Option<f64> {
        self.items.first().map(|item| item.clip.trace().dt())
    }

    /// The duration.
    pub fn seconds(&self) -> f64 {
        self.dt().map_or(0.0, |dt| dt * self.samples as f64)
    }

    /// A box around the whole sequence, merged from boxes around the clips. `None` if there are no
    /// clips.
    pub fn bounds(&self) -> Option<TimeBox> {
        let mut row: Vec<TimeBox> = self.items.iter().map(|item| item.bounds).collect();
        while row.len() > 1 {
            // An odd one out stands for itself.
            let merged = |two: &[TimeBox]| if let [a, b] = two { a.merged(b) } else { two[0] };
            row = row.chunks(2).map(merged).collect();
        }
        row.pop()
    }

    /// The tree over its clips, merged from theirs.
    pub fn tree(&self) -> &MergedTree {
        &self.tree
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
}

/// A circle around a run of at most 16 samples, which begins in a clip and may go on in the next
/// ones: around the clips' own circles that have some of them. Where a clip moves between samples,
/// its circles hold where the last one moves to.
fn around(items: &[Item], firsts: &[i64], clip: u32, run: Range<usize>) -> Circle {
    // Each has another sample of the run.
    let mut circles = [[0.0; CHUNK]; 3];
    let (mut count, mut number) = (0, clip as usize);
    while number < items.len() && (firsts[number] as usize) < run.end {
        let Item { clip, at, slack, .. } = &items[number];
        let first = firsts[number] as usize;
        let own = clip.rings().circles(0);
        let from = (run.start.max(first) - first) / CHUNK;
        let to = ((run.end - first).div_ceil(CHUNK)).min(own.x.len());
        for c in from..to {
            let (x, y) = at.apply_xy(own.x[c], own.y[c]);
            (circles[0][count], circles[1][count]) = (x, y);
            circles[2][count] = own.outer[c] + slack;
            count += 1;
        }
        number += 1;
    }
    Circle::around(circles.each_ref().map(|column| &column[..count]))
}
