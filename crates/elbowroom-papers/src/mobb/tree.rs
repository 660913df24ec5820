//! MOBB trees by name.

use elbowroom_motion::space_time::{
    Config, Kind, Placed, Trace, TraceError, Tracked, Workspace, collide_counted,
};

use crate::grammar::Tally;

/// The tree of a motion clip in space-time of Sung, Chenney and Gleicher: boxes over the disks of a
/// moving character, halved in time. [`Kind`] chooses MOBB, UMOBB, both hybrids or one level.
///
/// ```
/// use elbowroom_motion::space_time::{Kind, Placed, Sample, Trace};
/// use elbowroom_papers::mobb::MobbTree;
///
/// let walk: Vec<Sample> =
///     (0..90).map(|k| Sample::new(0.05 * f64::from(k), 0.0, 0.3)).collect();
/// let tree = MobbTree::build(Trace::new(&walk, 1.0 / 30.0)?, Kind::Mobb)?;
/// let (collides, tally) = tree.collide(&Placed::ORIGIN, &tree, &Placed::ORIGIN);
/// assert!(collides && tally.volumes() > 0);
/// # Ok::<(), elbowroom_motion::space_time::TraceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MobbTree {
    clip: Tracked,
}

impl MobbTree {
    /// The paper's tree: boxes along the chord, ten samples a leaf.
    ///
    /// # Errors
    /// As [`with_config`](Self::with_config).
    pub fn build(trace: Trace, kind: Kind) -> Result<Self, TraceError> {
        Self::with_config(trace, Config::paper(kind))
    }

    /// A tree of any configuration.
    ///
    /// # Errors
    /// If the time scale is not a positive number.
    pub fn with_config(trace: Trace, config: Config) -> Result<Self, TraceError> {
        Ok(Self { clip: Tracked::new(trace, config)? })
    }

    /// Whether two placed clips collide, and how many boxes and samples were tested.
    pub fn collide(&self, at: &Placed, other: &Self, other_at: &Placed) -> (bool, Tally) {
        collide_counted(&self.clip, at, &other.clip, other_at, &mut Workspace::new())
    }

    /// The clip, as production queries take it.
    pub fn clip(&self) -> &Tracked {
        &self.clip
    }
}
