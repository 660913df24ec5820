//! The OBB tree by name.

use elbowroom::internal::query::collide;
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Mesh, Model, Pose, with_column};

use crate::grammar::{self, Family, Intersection, LevelBound, Levels, Path, Rule, Stats};

/// How an OBB tree is grown and how two are traversed.
///
/// ```
/// use elbowroom_papers::grammar::Family;
/// use elbowroom_papers::obbtree::Config;
///
/// // The paper's baselines are the same tree with other volumes.
/// let spheres = Config::paper().with_family(Family::Sphere);
/// assert_eq!(spheres.grow.split, Config::paper().grow.split);
/// assert_ne!(Config::rapid().grow.fit, Config::paper().grow.fit);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Shape family, fit, split and stop.
    pub grow: grammar::Config,
    /// Which node of a pair gives way to its children.
    pub rule: Rule,
}

impl Config {
    /// As the paper describes it: boxes along the axes of the convex hull's covariance, cut at the
    /// mean of the vertices across the longest axis, else the next; the larger box gives way.
    pub const fn paper() -> Self {
        Self { grow: grammar::Config::obbtree(), rule: Rule::Larger }
    }

    /// As the authors' program RAPID has it: boxes along the axes of the triangles' covariance, cut
    /// at its mean across the direction of largest spread; a failed cut halves the list.
    pub const fn rapid() -> Self {
        Self { grow: grammar::Config::rapid(), rule: Rule::Larger }
    }

    /// A tree with other volumes: the spheres and aligned boxes that the paper compares
    /// itself with, or k-DOPs.
    #[must_use]
    pub const fn with_family(self, family: Family) -> Self {
        Self { grow: self.grow.with_family(family), ..self }
    }

    /// The tree with another rule of traversal.
    #[must_use]
    pub const fn with_rule(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::paper()
    }
}

/// The OBB tree of Gottschalk, Lin and Manocha (1996): a binary tree of oriented boxes over the
/// triangles of a mesh, which counts its work.
///
/// [`Config::paper`] is the paper's variant and [`Config::rapid`] that of RAPID, the authors'
/// program. Production queries run on [`Model::new`], whose tree has four boxes a node; the answers
/// are the same.
///
/// ```
/// use elbowroom::Pose;
/// use elbowroom_papers::obbtree::{Config, ObbTree};
/// use glam::DVec3;
///
/// let ball = ObbTree::build(elbowroom_make::icosphere(4), &Config::paper());
/// let pose = Pose::from_translation(DVec3::X * 1.9)?;
/// let found = ball.intersect(&pose, &ball, &Pose::IDENTITY);
/// assert!(found.is_contact());
/// println!("{} box tests, {} triangle tests", found.nodes_visited(), found.tally.primitives);
/// # Ok::<(), elbowroom::PoseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ObbTree {
    model: Model,
    rule: Rule,
}

impl ObbTree {
    /// Of a mesh.
    pub fn build(mesh: Mesh, config: &Config) -> Self {
        Self { model: Model::with_config(mesh, &config.grow), rule: config.rule }
    }

    /// Every pair of triangles of two placed trees that meet, with the counts of the traversal.
    pub fn intersect(&self, pose: &Pose, other: &Self, other_pose: &Pose) -> Intersection {
        let path = Path { rule: self.rule, level: None };
        self.intersect_by(path, pose, other, other_pose)
    }

    /// All pairs of triangles that meet, as by [`intersect`](Self::intersect), by a rule of
    /// traversal and down to a level. With a level limit only the triangles of leaves above it are
    /// compared.
    pub fn intersect_by(
        &self,
        path: Path,
        pose: &Pose,
        other: &Self,
        other_pose: &Pose,
    ) -> Intersection {
        let mut workspace = Workspace::default();
        collide(&self.model, pose, &other.model, other_pose, &path.into(), &mut workspace).into()
    }

    /// The tree node by node, to be listed and drawn.
    ///
    /// ```
    /// use elbowroom_papers::obbtree::{Config, ObbTree};
    ///
    /// let ball = ObbTree::build(elbowroom_make::icosphere(4), &Config::paper());
    /// let rows = ball.levels().rows();
    /// assert_eq!((rows[0].nodes, rows[1].nodes), (1, 2));
    /// assert!(rows[4].tightness < rows[0].tightness);
    /// ```
    pub fn levels(&self) -> Levels {
        with_column!(self.model.columns(), column => {
            Levels::of(self.model.tree(), |node| Some(LevelBound::of(&column[node])))
        })
    }

    /// The shape of the tree in numbers: nodes, leaves, levels, bytes.
    pub fn stats(&self) -> Stats {
        self.model.stats()
    }

    /// The model whose queries run on this tree.
    pub fn model(&self) -> &Model {
        &self.model
    }
}
