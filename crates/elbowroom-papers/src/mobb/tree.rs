//! MOBB trees by name.

use elbowroom::internal::volume::{Family, Obb, Spatial, TimeBox, TimeObb};
use elbowroom_motion::space_time::{
    BoxShape, Config, Kind, Partners, Placed, Trace, TraceError, Tracked, Workspace,
    collide_counted, colliding_samples_counted,
};

use crate::grammar::{Intersection, LevelBound, LevelShape, Levels, Tally};

/// What is asked of two trees.
///
/// ```
/// use elbowroom_motion::Planar;
/// use elbowroom_motion::space_time::{Kind, Placed, Sample, Trace};
/// use elbowroom_papers::mobb::{MobbTree, Question};
/// use glam::DVec2;
///
/// // Of four samples the last one is in the way of one that stands.
/// let come: Vec<Sample> = (-3..=0).map(|k| Sample::new(f64::from(k), 0.0, 0.4)).collect();
/// let come = MobbTree::build(Trace::new(&come, 1.0)?, Kind::Mobb)?;
/// let stand = MobbTree::build(Trace::new(&[Sample::new(0.0, 0.0, 0.4)], 1.0)?, Kind::Mobb)?;
/// // Off the grid: it arrives within what is left of the other's hold.
/// let (here, there) = (Placed::ORIGIN, Placed::new(Planar::IDENTITY, 2.5)?);
/// assert!(come.intersect(&here, &stand, &there).is_contact());
/// // As printed, moments at which the first one's samples begin are the ones that are compared.
/// assert!(come.intersect_by(Question::paper(), &here, &stand, &there).is_contact());
/// assert!(stand.intersect_by(Question::paper(), &there, &come, &here).is_clear());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Question {
    /// Whether the first pair that is found ends the search.
    pub first: bool,
    /// Which samples of the second motion one of the first is compared with.
    pub partners: Partners,
}

impl Question {
    /// The paper's, as printed: whether the motions collide, with one partner a sample.
    pub const fn paper() -> Self {
        Self { first: true, partners: Partners::AtItsTime }
    }

    /// Ends at the first pair that is found, of those that count by default.
    pub const fn first() -> Self {
        Self { first: true, partners: Partners::HeldTogether }
    }
}

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
    /// If the time scale is not a positive number, or the tolerance for aligned boxes no sine.
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
        self.intersect_by(Question::default(), at, other, other_at)
    }

    /// Asks as [`intersect`](Self::intersect) does, with the options of a question.
    pub fn intersect_by(
        &self,
        question: Question,
        at: &Placed,
        other: &Self,
        other_at: &Placed,
    ) -> Intersection<[u32; 2]> {
        let Question { first, partners } = question;
        let (here, there) = ((&self.clip, at), (&other.clip, other_at));
        let (pairs, tally) =
            colliding_samples_counted(here, there, first, partners, &mut Workspace::new());
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
