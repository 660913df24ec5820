//! A trace with its trees: what is built once and asked often.
//!
//! The readable tree halves the samples in time until few are left; on it the paper's counts are
//! measured. Beside it are [rings](super::rings): circles around runs of samples, in flat columns,
//! which production queries run on. Both give the same answers.

use glam::DVec2;

use super::config::{BetweenSamples, BoxShape, Config, Leaf};
use super::error::TraceError;
use super::leaf;
use super::rings::Rings;
use super::trace::{Sample, Trace};
use elbowroom::internal::bvh::{Column, NodeId, Source, Tree, cut_up};
use elbowroom::internal::volume::time_space::Disks;
use elbowroom::internal::volume::{TimeBox, TimeObb};

/// A motion, ready to be asked about.
///
/// ```
/// use elbowroom_motion::space_time::{Config, Sample, Trace, Tracked};
///
/// let circle = |k: u32| (0.1 * f64::from(k)).sin_cos();
/// let samples: Vec<Sample> =
///     (0..100).map(circle).map(|(y, x)| Sample::new(5.0 * x, 5.0 * y, 0.5)).collect();
/// let clip = Tracked::new(Trace::new(&samples, 1.0 / 30.0)?, Config::default())?;
/// // 100 samples are halved four times, until at most ten are left.
/// assert_eq!(clip.tree().len(), 31);
/// # Ok::<(), elbowroom_motion::space_time::TraceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tracked {
    trace: Trace,
    config: Config,
    tree: Tree,
    upright: Option<Column<TimeBox>>,
    free: Option<Column<TimeObb>>,
    rings: Rings,
    /// How far the rim of a disk moves from one sample to the next at most, for each leaf; empty
    /// if leaves are compared sample by sample.
    paces: Vec<f64>,
    reach: f64,
}

impl Tracked {
    /// Grows the trees over a trace.
    ///
    /// # Errors
    /// If the time scale is not a positive number.
    pub fn new(trace: Trace, config: Config) -> Result<Self, TraceError> {
        config.check()?;
        let n_min = config.n_min.max(1);
        // The order stays that of time; the earlier half is the larger one where the number is odd.
        let tree = cut_up(trace.len(), |_, members| {
            (members.len() > n_min).then(|| members.len().div_ceil(2))
        });
        let source = Samples { trace: &trace, config: &config };
        let upright = config.kind.has(BoxShape::Upright).then(|| Column::fitted(&tree, &source));
        let free = config.kind.has(BoxShape::Free).then(|| Column::fitted(&tree, &source));
        let rings = Rings::new(&trace, config.between);
        let paces = match config.leaf {
            Leaf::Every => Vec::new(),
            Leaf::Stride => leaf::paces(&trace, &tree, config.between),
        };
        let reach =
            trace.samples().map(|s| s.center.abs().element_sum() + s.radius).fold(0.0, f64::max);
        Ok(Self { trace, config, tree, upright, free, rings, paces, reach })
    }

    /// The samples.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The readable tree: topology over the samples, in order.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The upright boxes of the tree's nodes, where the kind has any.
    pub fn upright(&self) -> Option<&Column<TimeBox>> {
        self.upright.as_ref()
    }

    /// The free boxes of the tree's nodes, where the kind has any.
    pub fn free(&self) -> Option<&Column<TimeObb>> {
        self.free.as_ref()
    }

    /// A box around the whole motion, upright in time.
    pub fn bounds(&self) -> TimeBox {
        match &self.upright {
            Some(column) => column[NodeId::ROOT],
            None => {
                Samples { trace: &self.trace, config: &self.config }.upright(0, self.trace.len())
            }
        }
    }

    /// Bounds the sum of the coordinates' magnitudes and the radius of every sample.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    #[doc(hidden)]
    pub fn rings(&self) -> &Rings {
        &self.rings
    }

    /// How far the rim of a disk moves from one sample of a leaf to the next at most, where that is
    /// known.
    pub(super) fn pace(&self, leaf: NodeId) -> Option<f64> {
        self.paces.get(leaf.0 as usize).copied()
    }

    /// The columns of x, y, radius.
    pub(super) fn columns(&self) -> [&[f64]; 3] {
        self.trace.columns()
    }

    #[doc(hidden)]
    pub fn is_linear(&self) -> bool {
        self.config.between == BetweenSamples::Linear
    }
}

/// The samples of a trace as primitives.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// How boxes are fitted.
    pub config: &'a Config,
}

impl Samples<'_> {
    /// A run of samples, and where the last one moves to.
    fn disks(&self, first: usize, count: usize) -> Disks<'_> {
        let [x, y, radius] = self.trace.columns();
        let end = first + count;
        let moves = self.config.between == BetweenSamples::Linear && end < x.len();
        Disks {
            x: &x[first..end],
            y: &y[first..end],
            radius: &radius[first..end],
            first,
            dt: self.trace.dt(),
            towards: moves.then(|| [x[end], y[end], radius[end]]),
        }
    }

    fn upright(&self, first: usize, count: usize) -> TimeBox {
        TimeBox::of_disks(&self.disks(first, count), self.config.axis)
    }

    fn hold(&self, sample: u32) -> (DVec2, f64, [f64; 2]) {
        let Sample { center, radius } = self.trace.sample(sample as usize);
        let time = [sample, sample + 1].map(|k| f64::from(k) * self.trace.dt());
        (center, radius, time)
    }
}

/// Members of a node are a run, in order: nothing else is ever cut.
fn run(members: &[u32]) -> (usize, usize) {
    (members[0] as usize, members.len())
}

impl Source<TimeBox> for Samples<'_> {
    fn count(&self) -> usize {
        self.trace.len()
    }

    fn fit(&self, members: &[u32]) -> TimeBox {
        let (first, count) = run(members);
        self.upright(first, count)
    }

    fn is_within(&self, primitive: u32, volume: &TimeBox) -> bool {
        let (center, radius, time) = self.hold(primitive);
        volume.contains(center, radius, time)
    }

    fn cut(&self, _: &TimeBox, members: &mut [u32]) -> Option<usize> {
        (members.len() > self.config.n_min.max(1)).then(|| members.len().div_ceil(2))
    }
}

impl Source<TimeObb> for Samples<'_> {
    fn count(&self) -> usize {
        self.trace.len()
    }

    fn fit(&self, members: &[u32]) -> TimeObb {
        let (first, count) = run(members);
        let Config { axis, time_scale, aligned, .. } = *self.config;
        TimeObb::of_disks(&self.disks(first, count), axis, time_scale, aligned)
    }

    fn is_within(&self, primitive: u32, volume: &TimeObb) -> bool {
        let (center, radius, time) = self.hold(primitive);
        volume.contains(center, radius, time, self.config.time_scale)
    }

    fn cut(&self, _: &TimeObb, members: &mut [u32]) -> Option<usize> {
        (members.len() > self.config.n_min.max(1)).then(|| members.len().div_ceil(2))
    }
}
