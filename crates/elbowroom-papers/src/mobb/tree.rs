//! MOBB trees by name.

use elbowroom::internal::volume::{Family, Obb, Spatial, TimeBox, TimeObb};
use elbowroom_motion::space_time::{
    BoxShape, Config, Kind, Placed, Trace, TraceError, Tracked, Workspace, collide_counted,
    colliding_samples_counted,
};

use crate::grammar::{Intersection, LevelBound, LevelShape, Levels, Tally};

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
/// let found = tree.intersect(&Placed::ORIGIN, &tree, &Placed::ORIGIN);
/// assert!(found.is_contact() && found.pairs.contains(&[0, 0]) && found.nodes_visited() > 0);
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

    /// Every pair of samples that collide and are held at a common moment, in order of time, with
    /// the counts of the traversal.
    pub fn intersect(
        &self,
        at: &Placed,
        other: &Self,
        other_at: &Placed,
    ) -> Intersection<[u32; 2]> {
        self.intersect_until(false, at, other, other_at)
    }

    /// As [`intersect`](Self::intersect); `first` ends it at the first pair that is found, as the
    /// paper's query ends.
    pub fn intersect_until(
        &self,
        first: bool,
        at: &Placed,
        other: &Self,
        other_at: &Placed,
    ) -> Intersection<[u32; 2]> {
        let mut workspace = Workspace::new();
        let (pairs, tally) =
            colliding_samples_counted(&self.clip, at, &other.clip, other_at, first, &mut workspace);
        Intersection::exact(pairs.into_iter().map(|(i, j)| [i, j]).collect(), tally)
    }

    /// The boxes node by node, in x, y and the time as a length; where only times are compared,
    /// there are none.
    pub fn levels(&self) -> Levels {
        let (clip, config) = (&self.clip, self.clip.config());
        let free = |it: TimeObb, bytes: usize| {
            let shape = Obb { center: it.center, axes: it.axes, half: it.half };
            let family = if it.is_upright { Family::TimeBox } else { Family::TimeObb };
            LevelBound { family, area: shape.area(), bytes, shape: LevelShape::Box(shape) }
        };
        let tree = clip.tree();
        Levels::of(tree, |node| match config.kind.shape_at(tree.level(node))? {
            BoxShape::Free => Some(free(clip.free()?[node], size_of::<TimeObb>())),
            BoxShape::Upright => {
                let upright = TimeObb::upright(&clip.upright()?[node], config.time_scale);
                Some(free(upright, size_of::<TimeBox>()))
            }
        })
    }

    /// The clip, as production queries take it.
    pub fn clip(&self) -> &Tracked {
        &self.clip
    }
}
