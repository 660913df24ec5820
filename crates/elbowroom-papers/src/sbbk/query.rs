//! Do two layered models meet, where, and in how many pairs of triangles?
//!
//! The same questions and answers as in `collide.rs`. Where the two are not turned against each
//! other, as deforming bodies are that are refitted where they stand, boxes and k-DOPs are compared
//! along the directions that they have in common; where they are turned, the second one's volumes
//! get new bounds in the first one's frame, pair by pair as they are visited.
//!
//! That is the choice for rigid bodies, and not to refit them where they stand, for two reasons. A
//! refit rounds the vertices, and then the question is another one; and it looks at all of them,
//! whatever is visited. In time alone it is often the better one all the same, since tests in one
//! frame are cheap. Bench `refit`, section *rotation*, optimised, µs per query with new bounds and
//! refitted:
//!
//! ```text
//!   triangles      320          2,000         8,000          32,000
//!   SBBK        100    52     249   172     505   500     1,079   1,860
//!   AABB        192    69     485   190     994   417     2,057   1,042
//! ```
//!
//! A caller to whom rounded vertices are as good may refit bodies of up to some thousand triangles,
//! and trees of boxes of any of these sizes.

use std::ops::ControlFlow;

use crate::sbbk::HybridTree;
use crate::sbbk::Spaces;
use crate::sbbk::{LayeredPairs, LeafJudge, layered};
use elbowroom::internal::bvh::{NodeId, Tree};
use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::Runs;
use elbowroom::internal::query::collide::Surface;
use elbowroom::internal::query::collide::{
    CollisionRequest, CollisionResult, Cull, LeafContacts, Sides, TrianglePair, Want,
};
use elbowroom::internal::traverse::{Tally, Workspace};
use elbowroom::internal::volume::Family;

/// Every pair of triangles of two layered models that meet, touching included, ordered by the first
/// mesh's triangle and then by the second's.
pub fn triangle_pairs_layered(
    a: &HybridTree,
    pose_a: &Pose,
    b: &HybridTree,
    pose_b: &Pose,
) -> Vec<TrianglePair> {
    let mut workspace = Workspace::default();
    collide_layered(a, pose_a, b, pose_b, &CollisionRequest::default(), &mut workspace).pairs
}

/// Whether two layered models have a point in common.
pub fn intersects_layered(a: &HybridTree, pose_a: &Pose, b: &HybridTree, pose_b: &Pose) -> bool {
    let question = CollisionRequest { want: Want::Any, ..CollisionRequest::default() };
    collide_layered(a, pose_a, b, pose_b, &question, &mut Workspace::default()).is_contact()
}

/// Asks about two layered models. With a workspace that is kept, nothing is allocated but the
/// pairs. The answer's tally counts tests by the family of the first one's volume.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom_papers::sbbk::HybridTree;
/// use elbowroom_papers::sbbk::collide_layered;
/// use elbowroom::internal::query::CollisionRequest;
/// use elbowroom_papers::sbbk::Layers;
/// use elbowroom::internal::bvh::Config;
/// use elbowroom::internal::volume::Family;
/// use elbowroom::{Mesh, Pose};
/// use glam::DVec3;
///
/// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z], vec![[0, 1, 2], [0, 1, 3]])?;
/// let model = HybridTree::new(mesh, &Layers::sbbk(18, 1, 2)?, &Config::default());
/// let far = Pose::from_translation(DVec3::X * 9.0)?;
/// let (question, mut workspace) = (CollisionRequest::default(), Workspace::default());
/// let answer = collide_layered(&model, &Pose::IDENTITY, &model, &far, &question, &mut workspace);
/// assert!(!answer.is_contact());
/// assert_eq!((answer.tally.of_family(Family::Sphere), answer.tally.volumes()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collide_layered(
    a: &HybridTree,
    pose_a: &Pose,
    b: &HybridTree,
    pose_b: &Pose,
    question: &CollisionRequest,
    workspace: &mut Workspace,
) -> CollisionResult {
    let spaces = spaces(a, pose_a, b, pose_b, question.margin);
    let mut contacts = LeafContacts::new(Sides { a, pose_a, b, pose_b }, question.want, ());
    let mut tally = Tally::default();
    // A traversal that was broken off has found what was asked for.
    let _ = layered(
        (a.layered_tree(), b.layered_tree()),
        &spaces,
        question.path,
        &mut contacts,
        &mut tally,
        workspace,
    );
    let mut answer = contacts.finish();
    answer.tally += tally;
    answer
}

/// Where two layered models stand.
pub(super) fn spaces(
    a: &HybridTree,
    pose_a: &Pose,
    b: &HybridTree,
    pose_b: &Pose,
    margin: f64,
) -> Spaces {
    // The larger of NaN and zero is zero.
    Spaces::new(pose_a, a.reach(), pose_b, b.reach(), margin.max(0.0))
}

impl LeafJudge for LeafContacts<'_, HybridTree, ()> {
    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()> {
        self.decide(a, b)
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        self.undecided()
    }
}

impl Cull for LayeredPairs<'_> {
    #[inline]
    fn family(&self, a: NodeId) -> Family {
        LayeredPairs::family(self, a)
    }

    #[inline]
    fn may_meet(&self, a: NodeId, b: NodeId) -> bool {
        LayeredPairs::may_meet(self, a, b)
    }

    #[inline]
    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        LayeredPairs::is_first_larger(self, a, b)
    }
}

impl Surface for HybridTree {
    fn mesh(&self) -> &Mesh {
        self.mesh()
    }

    fn tree(&self) -> &Tree {
        self.tree()
    }

    fn runs(&self) -> &Runs {
        self.runs()
    }
}
