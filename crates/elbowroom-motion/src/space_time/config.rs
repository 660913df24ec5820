//! How a trace is made into a tree: shape family × fit × split × stop.

use super::error::{TraceError, positive, sine};
use elbowroom::internal::volume::time_box::TimeAxis;

/// The shape of boxes: upright in time, or oriented freely in space-time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoxShape {
    /// [`TimeBox`](elbowroom::internal::volume::TimeBox), MOBB.
    Upright,
    /// [`TimeObb`](elbowroom::internal::volume::TimeObb), UMOBB.
    Free,
}

/// The kind of tree, as the paper compares them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Upright boxes all the way down.
    Mobb,
    /// Free boxes all the way down.
    Umobb,
    /// An upright root, free boxes below: *Hybrid 1*.
    MobbThenUmobb,
    /// A free root, upright boxes below: *Hybrid 2*.
    UmobbThenMobb,
    /// One box for the whole motion; below it only times are compared.
    OneLevel(BoxShape),
}

impl Kind {
    /// The six methods of the paper, in its order.
    pub const ALL: [Self; 6] = [
        Self::OneLevel(BoxShape::Upright),
        Self::OneLevel(BoxShape::Free),
        Self::Mobb,
        Self::Umobb,
        Self::MobbThenUmobb,
        Self::UmobbThenMobb,
    ];

    /// The name in tables, that of the paper.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mobb => "MOBB",
            Self::Umobb => "UMOBB",
            Self::MobbThenUmobb => "Hybrid 1",
            Self::UmobbThenMobb => "Hybrid 2",
            Self::OneLevel(BoxShape::Upright) => "MOBB 1 level",
            Self::OneLevel(BoxShape::Free) => "UMOBB 1 level",
        }
    }

    /// The shape of the boxes of a level; `None` if only times are compared.
    #[inline]
    pub fn shape_at(self, level: u32) -> Option<BoxShape> {
        match (self, level) {
            (Self::OneLevel(shape), 0) => Some(shape),
            (Self::OneLevel(_), _) => None,
            (Self::Mobb, _) | (Self::MobbThenUmobb, 0) | (Self::UmobbThenMobb, 1..) => {
                Some(BoxShape::Upright)
            }
            (Self::Umobb, _) | (Self::UmobbThenMobb, 0) | (Self::MobbThenUmobb, 1..) => {
                Some(BoxShape::Free)
            }
        }
    }

    /// Whether a level has boxes of this shape, in a tree of any depth.
    pub(super) fn has(self, shape: BoxShape) -> bool {
        (0..2).any(|level| self.shape_at(level) == Some(shape))
    }
}

/// The motion between two samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BetweenSamples {
    /// A sample stands still until the next, as in the paper.
    #[default]
    Held,
    /// The disk moves on a straight line to the next sample, its radius changes evenly, and the
    /// last one stands still.
    Linear,
}

/// How the samples of two leaves are compared. The answers are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// All that are held at a common moment, one after the other, as in the paper.
    Every,
    /// The middle ones first; those that cannot have come near from there are left out. Only for
    /// motions of one sampling time, and if both say so.
    #[default]
    Stride,
}

/// Which samples of the second motion one of the first is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Partners {
    /// All that are held while it is: off the grid two, and the same pairs from both sides.
    #[default]
    HeldTogether,
    /// One, as the paper prints it: the sample from the time closest to but not after its own. So
    /// moments at which samples of the second begin are not looked at, and off the grid the answer
    /// may be another one if the motions change places.
    AtItsTime,
}

/// The configuration of a tree over a trace, and of its answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// The kind of tree.
    pub kind: Kind,
    /// The rule for the first axis of a box.
    pub axis: TimeAxis,
    /// The greatest number of samples in a leaf; 0 counts as 1.
    pub n_min: usize,
    /// Metres that stand for one second, for free boxes.
    pub time_scale: f64,
    /// Free boxes of which an axis leans away from that of time by an angle with at most this sine
    /// are made upright, and tested as such. The paper has aligned boxes and prints no
    /// tolerance; here it is 0: boxes of motions without displacement alone.
    pub aligned: f64,
    /// The motion between two samples.
    pub between: BetweenSamples,
    /// Whether disks that only touch collide. The paper says no; it is yes only if both motions
    /// say so.
    pub touching: bool,
    /// Whether a leaf is tested against the boxes below an inner node as well, and not only
    /// against their times. The paper does not.
    pub test_below_leaf: bool,
    /// How the samples of two leaves are compared.
    pub leaf: Leaf,
}

impl Config {
    /// The paper's configuration: boxes along the chord, ten samples in a leaf, samples held.
    pub const fn paper(kind: Kind) -> Self {
        Self {
            kind,
            axis: TimeAxis::Chord,
            n_min: 10,
            time_scale: 1.0,
            aligned: 0.0,
            between: BetweenSamples::Held,
            touching: false,
            test_below_leaf: false,
            leaf: Leaf::Every,
        }
    }

    pub(super) fn check(&self) -> Result<(), TraceError> {
        sine("tolerance for aligned boxes", self.aligned)?;
        positive("time scale", self.time_scale)
    }
}

impl Default for Config {
    /// As the paper has it, but for leaves in strides: the same answers with fewer tests.
    fn default() -> Self {
        Self { leaf: Leaf::Stride, ..Self::paper(Kind::Mobb) }
    }
}
