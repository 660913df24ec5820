//! The OBB tree by name.

use elbowroom::internal::query::Question;
use elbowroom::internal::query::ask;
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Mesh, Model, Pose};

use crate::grammar::{Config, Intersection, Path, Stats};

/// The OBB tree of Gottschalk, Lin and Manocha (1996): a binary tree of oriented boxes over the
/// triangles of a mesh, which counts its work.
///
/// The paper's variant fits boxes to convex hulls and splits at the mean ([`ObbTree::build`]); RAPID,
/// the authors' program, fits to vertices ([`ObbTree::rapid`]). Any other family, fit and split is a
/// [`Config`] ([`ObbTree::with_config`]). Production queries run on [`Model::new`], whose tree has four
/// boxes a node; the answers are the same.
///
/// ```
/// use elbowroom::Pose;
/// use elbowroom_papers::obbtree::ObbTree;
/// use glam::DVec3;
///
/// let ball = ObbTree::build(elbowroom_make::icosphere(4));
/// let pose = Pose::from_translation(DVec3::X * 1.9)?;
/// let found = ball.intersect(&pose, &ball, &Pose::IDENTITY);
/// assert!(found.is_contact());
/// println!("{} box tests, {} triangle tests", found.tally.volumes(), found.tally.primitives);
/// # Ok::<(), elbowroom::PoseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ObbTree {
    model: Model,
}

impl ObbTree {
    /// The paper's variant.
    pub fn build(mesh: Mesh) -> Self {
        Self::with_config(mesh, &Config::obbtree())
    }

    /// RAPID's variant.
    pub fn rapid(mesh: Mesh) -> Self {
        Self::with_config(mesh, &Config::rapid())
    }

    /// A tree of any family, fit and split.
    pub fn with_config(mesh: Mesh, config: &Config) -> Self {
        Self { model: Model::with_config(mesh, config) }
    }

    /// Every pair of triangles of two placed trees that meet, with the counts of the traversal.
    pub fn intersect(&self, pose: &Pose, other: &Self, other_pose: &Pose) -> Intersection {
        self.intersect_by(Path::default(), pose, other, other_pose)
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
        let question = Question { path, ..Question::default() };
        let mut workspace = Workspace::default();
        ask(&self.model, pose, &other.model, other_pose, &question, &mut workspace).into()
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
