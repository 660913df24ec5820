//! Refitting the boxes of a body that has moved: from the bottom up, all of them or only those of
//! links.

use glam::{DAffine3, DVec3};

use crate::cab::boxes::{Column, Kept, meet};
use crate::cab::candidates::outward;
use crate::cab::error::{ArticulatedBodyError, ArticulatedBodyErrorKind};
use crate::cab::hierarchy::{CabHierarchy, Kind, LinkPlace, axis_bounds};
use crate::cab::keep::{CabAxis, RefitMethod};
use crate::cab::merge::{covariance_axes, enclose};
use crate::cab::rule;
use crate::cab::work::Work;
use elbowroom::internal::bvh::{NodeId, Tree};
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::volume::{Obb, Volume};
use elbowroom_motion::body::JointId;

impl CabHierarchy {
    /// Places all links and refits all boxes.
    ///
    /// # Errors
    /// If the pose has not one matrix a joint, or one that carries links or at which they meet is
    /// not finite or not rigid. The body then stays as it was. Joints that carry nothing are
    /// not looked at.
    pub fn update(&mut self, world_from_joint: &[DAffine3]) -> Result<(), ArticulatedBodyError> {
        self.place(world_from_joint)?;
        self.refit_leaves();
        self.refit_inner();
        Ok(())
    }

    /// Places all links and refits their boxes now, and those of groups when a question first needs
    /// them.
    ///
    /// Boxes along the world's axes are then made from the links below, so that only those are made
    /// that a query tests. Oriented boxes are made from the two below them, and so are all that
    /// they hold; before that, bodies that are well apart are told apart by one box along the axes.
    /// Boxes and answers are those of [`update`](Self::update).
    ///
    /// Source: Larsson and Akenine-Möller, *Collision detection for continuously deforming bodies*,
    /// 2001, refit to a depth and go deeper on demand; here the depth is none.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub fn update_lazily(
        &mut self,
        world_from_joint: &[DAffine3],
    ) -> Result<(), ArticulatedBodyError> {
        self.place(world_from_joint)?;
        self.refit_leaves();
        let tree = self.articulation.tree();
        let stale = |is_fresh: &mut [bool]| {
            for node in tree.nodes() {
                is_fresh[node.index()] = tree.is_leaf(node);
            }
        };
        match &mut self.boxes {
            Kind::None => {}
            Kind::Aligned(column) => stale(&mut column.is_fresh),
            Kind::Oriented(column) => {
                stale(&mut column.is_fresh);
                let leaves = tree.nodes().filter(|&node| tree.is_leaf(node));
                let bounds = leaves.map(|leaf| axis_bounds(&column.volumes[leaf.index()]));
                self.gate = bounds.reduce(|a, b| a.merged(&b));
                self.work.boxes_refitted += 1;
            }
        }
        Ok(())
    }

    /// Puts links where they are said to be and refits all boxes, whatever the joints do.
    /// `at_joint` says where a joint is, if that is known; else two groups of links meet
    /// between their boxes.
    ///
    /// A link that deforms has the box that it is within, along the world's axes, whatever way
    /// boxes are kept in.
    ///
    /// # Panics
    /// If there are not as many places as links.
    pub fn update_links(
        &mut self,
        places: &[LinkPlace],
        at_joint: impl Fn(JointId) -> Option<DVec3>,
    ) {
        assert_eq!(places.len(), self.placements.len(), "the places of another body");
        let stand = |place: &LinkPlace| match place {
            LinkPlace::Rigid(pose) => *pose,
            LinkPlace::Within(bounds) => {
                Pose::from_translation(bounds.center()).unwrap_or(Pose::IDENTITY)
            }
        };
        self.placements.clear();
        self.placements.extend(places.iter().map(stand));
        self.origin = self.placements[0].translation();
        for (within, place) in self.within.iter_mut().zip(places) {
            *within = match place {
                LinkPlace::Rigid(_) => None,
                LinkPlace::Within(bounds) => Some(outward(bounds, -self.origin)),
            };
        }
        for (node, meet) in self.meets.iter_mut().enumerate() {
            let joint = self.articulation.joint(NodeId(node as u32));
            *meet = joint.and_then(&at_joint).map(|place| place - self.origin);
        }
        self.refit_leaves();
        self.refit_inner();
    }

    /// Finds where links and meeting places stand, and takes them over if all are good.
    fn place(&mut self, world_from_joint: &[DAffine3]) -> Result<(), ArticulatedBodyError> {
        let joints = self.articulation.joints_len();
        if world_from_joint.len() != joints {
            let given = world_from_joint.len();
            return Err(ArticulatedBodyErrorKind::PoseLength { given, joints }.into());
        }
        let refused = |joint, cause| {
            let name = self.articulation.joint_name(joint);
            ArticulatedBodyError::from(ArticulatedBodyErrorKind::Pose { joint, name, cause })
        };
        self.coming.clear();
        for (joint, joint_from_link) in self.articulation.placed_links() {
            let world_from_link = world_from_joint[joint.index()] * *joint_from_link;
            let placement = Pose::new(world_from_link.matrix3, world_from_link.translation);
            self.coming.push(placement.map_err(|cause| refused(joint, cause))?);
        }
        for joint in self.articulation.tree().nodes().filter_map(|n| self.articulation.joint(n)) {
            let place = world_from_joint[joint.index()].translation;
            if !place.is_finite() {
                Pose::from_translation(place).map_err(|cause| refused(joint, cause))?;
            }
        }
        std::mem::swap(&mut self.placements, &mut self.coming);
        self.within.fill(None);
        self.origin = self.placements[0].translation();
        for (node, meet) in self.meets.iter_mut().enumerate() {
            if let Some(joint) = self.articulation.joint(NodeId(node as u32)) {
                *meet = Some(world_from_joint[joint.index()].translation - self.origin);
            }
        }
        Ok(())
    }

    /// Refits the boxes of all links, which begins the work of a frame.
    pub(super) fn refit_leaves(&mut self) {
        self.work = Work::default();
        self.gate = None;
        let Self { articulation, placements, origin, work, within, .. } = self;
        let links = articulation.links();
        // What fits a link is chosen once a frame.
        macro_rules! leaves {
            ($column:expr, $leaf:ident, $link:ident => $fit:expr) => {{
                for ($link, $leaf) in articulation.leaves().iter().enumerate() {
                    let volume = match &within[$link] {
                        Some(bounds) => Kept::of_bounds(bounds),
                        None => $fit,
                    };
                    $column.set(articulation.node_of($link as u32), volume);
                }
                work.boxes_refitted += links.len() as u64;
            }};
        }
        match (&mut self.boxes, self.keep) {
            (Kind::None, _) => {}
            (Kind::Aligned(column), RefitMethod::AabbVertices) => leaves!(column, leaf, link => {
                let mesh = links[link].model.mesh();
                work.vertices_visited += leaf.vertices(mesh).len() as u64;
                leaf.around_vertices(mesh, &placements[link], *origin)
            }),
            (Kind::Aligned(column), RefitMethod::AabbCorners) => {
                leaves!(column, leaf, link => leaf.around_corners(&placements[link], *origin));
                work.vertices_visited += 8 * links.len() as u64;
            }
            (Kind::Aligned(column), _) => {
                leaves!(column, leaf, link => leaf.around_centre(&placements[link], *origin));
            }
            (Kind::Oriented(column), _) => {
                leaves!(column, leaf, link => leaf.oriented(&placements[link], *origin));
            }
        }
    }

    /// Refits the boxes of all groups, from the bottom up. How two are merged is chosen once a
    /// frame.
    pub(super) fn refit_inner(&mut self) {
        let tree = self.articulation.tree();
        let (meets, parallel) = (&self.meets, self.parallel);
        let meet_of = |node: NodeId, a: &Obb, b: &Obb| meet(meets[node.index()], a, b);
        let inner = match (&mut self.boxes, self.keep) {
            (Kind::None, _) => 0,
            (Kind::Aligned(column), _) => merge_all(tree, column, |_, a, b| a.merged(b)),
            (Kind::Oriented(column), RefitMethod::Cab(CabAxis::Longest)) => {
                merge_all(tree, column, |node, a, b| {
                    enclose(a, b, rule::axes::<false>(a, b, meet_of(node, a, b), parallel))
                })
            }
            (Kind::Oriented(column), RefitMethod::Cab(CabAxis::Sum)) => {
                merge_all(tree, column, |node, a, b| {
                    enclose(a, b, rule::axes::<true>(a, b, meet_of(node, a, b), parallel))
                })
            }
            (Kind::Oriented(column), _) => {
                merge_all(tree, column, |_, a, b| enclose(a, b, covariance_axes(a, b)))
            }
        };
        self.work.boxes_refitted += inner;
    }
}

/// Children come after their parents, so that walking backwards is bottom-up.
fn merge_all<V: Kept>(
    tree: &Tree,
    column: &mut Column<V>,
    merge: impl Fn(NodeId, &V, &V) -> V,
) -> u64 {
    let mut merged = 0;
    for node in tree.nodes().rev() {
        if let Some([left, right]) = tree.children(node) {
            let [a, b] = [left, right].map(|child| &column.volumes[child.index()]);
            let volume = merge(node, a, b);
            column.set(node, volume);
            merged += 1;
        }
    }
    merged
}
