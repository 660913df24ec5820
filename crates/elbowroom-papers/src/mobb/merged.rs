//! The tree of a sequence, merged from the trees of its clips.
//!
//! ```text
//!   level 2   [                                       ]
//!   level 1   [                 ][                    ]     merged: one new box over two
//!   level 0   [ walk  ][ turn   ][ walk  ][ wave      ]     the clips' own trees, where and when they stand
//!              /\   /\  /\   /\   /\   /\  /\       /\      (shared: a box is placed when it is tested)
//! ```
//!
//! A clip that is added makes the boxes above it, one a level, and no others; no sample is read. A
//! box above is of the shape of the clips' roots, and free as soon as one of them is.
//!
//! Tightness. A tree that is built from scratch halves the whole in time and fits every box to its
//! samples. A merged one is cut where clips end, so that a node may hold one short clip and one
//! long one, and its inner boxes hold boxes. So roots are larger, and what is below the clips'
//! roots is the same as in a tree over the clip alone.
//!
//! Source: the future work of Sung, Chenney and Gleicher, *Detecting collisions in graph-driven
//! motion synthesis*, section 6: "combining small trees from the bottom up into larger trees".

use elbowroom::internal::bvh::NodeId;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::volume::{Family, TimeBox, TimeObb, TimeSpace, Volume};
use elbowroom_motion::space_time::{BoxShape, Tracked};

use crate::grammar::Tally;

/// A box of a merged tree, in the frame of the sequence.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// Upright in time: MOBB.
    Upright(TimeBox),
    /// Lying freely in space-time: UMOBB.
    Free(TimeObb),
}

impl Bound {
    /// The box around a placed clip; nothing where its free boxes are of another time scale.
    pub(super) fn of_clip(clip: &Tracked, at: &Planar, start: f64, scale: f64) -> Option<Self> {
        Self::of_node(clip, NodeId::ROOT, at, start, scale)
    }

    /// The box of a node of a placed clip; nothing where only times are compared.
    pub(super) fn of_node(
        clip: &Tracked,
        node: NodeId,
        at: &Planar,
        start: f64,
        scale: f64,
    ) -> Option<Self> {
        let config = clip.config();
        match config.kind.shape_at(clip.tree().level(node))? {
            BoxShape::Upright => Some(Self::Upright(clip.upright()?[node].placed(at, start))),
            BoxShape::Free if config.time_scale != scale => None,
            BoxShape::Free => Some(Self::Free(clip.free()?[node].placed(at, start, scale))),
        }
    }

    /// Around two boxes.
    fn merged(&self, other: &Self, scale: f64) -> Self {
        match (self, other) {
            (Self::Upright(a), Self::Upright(b)) => Self::Upright(a.merged(b)),
            _ => Self::Free(self.free(scale).merged(&other.free(scale))),
        }
    }

    fn free(&self, scale: f64) -> TimeObb {
        match self {
            Self::Upright(flat) => TimeObb::upright(flat, scale),
            Self::Free(free) => *free,
        }
    }

    /// Whether boxes of two sequences may meet, but for the test of the ranges of time.
    pub(super) fn may_cross(&self, other: &Self, space: &TimeSpace, tally: &mut Tally) -> bool {
        if let (Self::Upright(a), Self::Upright(b)) = (self, other) {
            tally.count_volume(Family::TimeBox);
            return a.may_cross(b, space);
        }
        let [a, b] = [self, other].map(|bound| bound.free(space.time_scale));
        let is_flat = a.is_upright && b.is_upright;
        tally.count_volume(if is_flat { Family::TimeBox } else { Family::TimeObb });
        a.may_cross(&b, space)
    }

    /// How large it is: the area of the rectangle times its seconds, or the volume over the time
    /// scale.
    pub fn size(&self, time_scale: f64) -> f64 {
        match self {
            Self::Upright(flat) => flat.area() * (flat.time[1] - flat.time[0]),
            Self::Free(free) => free.volume() / time_scale,
        }
    }
}

/// The boxes above the clips of a [`Sequence`](crate::mobb::Sequence), level by level.
///
/// ```
/// use std::sync::Arc;
///
/// use elbowroom_motion::Planar;
/// use elbowroom_motion::space_time::{Config, Kind, Placed, Sample, Trace, Tracked};
/// use elbowroom_papers::mobb::Sequence;
/// use glam::DVec2;
///
/// let step: Vec<Sample> = (0..30).map(|k| Sample::new(0.05 * f64::from(k), 0.0, 0.4)).collect();
/// let step = Trace::new(&step, 1.0 / 30.0)?;
/// let step = Arc::new(Tracked::new(step, Config::paper(Kind::Mobb))?);
/// let mut walk = Sequence::new();
/// for k in 0..8 {
///     walk.push(step.clone(), Planar::new(1.0, 0.0, DVec2::new(1.5 * f64::from(k), 0.0))?)?;
/// }
/// // Eight clips, each with the tree that it has anyway, under seven new boxes.
/// let levels: Vec<usize> = walk.tree().levels().iter().map(Vec::len).collect();
/// assert_eq!(levels, [8, 4, 2, 1]);
/// let (hit, tally) = walk.collide_counted(&Placed::ORIGIN, &walk, &Placed::ORIGIN);
/// assert!(hit && tally.volumes() > 0 && tally.primitives > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MergedTree {
    /// Level k has a box for every 2ᵏ clips, and the last one for what is left.
    levels: Vec<Vec<Bound>>,
    made: u64,
}

impl MergedTree {
    /// Adds the box around one more clip, and merges those above it again.
    pub(super) fn push(&mut self, whole: Bound, scale: f64) {
        if self.levels.is_empty() {
            self.levels.push(Vec::new());
        }
        self.levels[0].push(whole);
        self.made += 1;
        let mut level = 0;
        while let [.., _, _] = self.levels[level][..] {
            let place = (self.levels[level].len() - 1) / 2;
            let above = match self.levels[level][2 * place..] {
                [left, right] => {
                    self.made += 1;
                    left.merged(&right, scale)
                }
                // The last one of an odd number stands for itself.
                _ => self.levels[level][2 * place],
            };
            level += 1;
            if level == self.levels.len() {
                self.levels.push(Vec::new());
            }
            let row = &mut self.levels[level];
            row.truncate(place);
            row.push(above);
        }
    }

    /// The boxes, from those around single clips to the one around all.
    pub fn levels(&self) -> &[Vec<Bound>] {
        &self.levels
    }

    /// How many boxes were made since the sequence was empty: placed around a clip, or merged from
    /// two.
    pub fn made(&self) -> u64 {
        self.made
    }
}

/// A node: above clips, or within the tree of one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// By level, from 1 on, and place.
    Above(usize, usize),
    /// Of a clip, by its number.
    Within(usize, NodeId),
}

impl MergedTree {
    pub(super) fn root(&self) -> Node {
        self.node(self.levels.len() - 1, 0)
    }

    /// A node by its level and place. What stands for itself is the one below.
    pub(super) fn node(&self, level: usize, place: usize) -> Node {
        let (mut level, mut place) = (level, place);
        while level > 0 && 2 * place + 1 >= self.levels[level - 1].len() {
            (level, place) = (level - 1, 2 * place);
        }
        if level == 0 { Node::Within(place, NodeId::ROOT) } else { Node::Above(level, place) }
    }
}
