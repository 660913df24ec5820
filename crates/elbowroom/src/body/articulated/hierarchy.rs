//! One body's boxes, frame after frame.

use std::sync::Arc;

use glam::{DAffine3, DVec3};

use super::boxes::{Column, Frame, Kept, View, meet};
use super::cab;
use super::error::{ArticulationError, ArticulationErrorKind};
use super::keep::{CabAxis, Keep};
use super::leaf::Leaf;
use super::link::Articulation;
use super::merge::{covariance_axes, enclose};
use super::work::Work;
use crate::math::placement::Placement;
use crate::tree::{Fault, NodeId, Tree};
use crate::volume::{Aabb, Obb, Spatial, Volume};

/// The boxes of one body in one frame. Many may share an [`Articulation`].
///
/// A new one has all joints at the world's origin, until the first update. Nothing is allocated after that is made.
///
/// ```
/// use std::sync::Arc;
/// use elbowroom::body::{Articulation, CabAxis, Hierarchy, Hold, Joint, JointId, Keep, Local, Part, Rig, Skeleton};
/// use elbowroom::Mesh;
/// use elbowroom::tree::NodeId;
/// use glam::DVec3;
///
/// let joint = |parent: Option<u32>| Joint {
///     name: String::new(),
///     parent: parent.map(JointId),
///     rest: Local::from_translation(DVec3::X),
/// };
/// let mut rig = Rig::new("arm", Skeleton::new(vec![joint(None), joint(Some(0))])?);
/// let bone = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y * 0.1], vec![[0, 1, 2]])?;
/// rig.parts.push(Part::new("upper", bone.clone(), Hold::Rigid(JointId(0))));
/// rig.parts.push(Part::new("lower", bone, Hold::Rigid(JointId(1))));
///
/// let articulation = Arc::new(Articulation::of_rig(&rig)?);
/// let mut arm = Hierarchy::new(articulation, Keep::Cab(CabAxis::Longest));
/// let mut world_from_joint = Vec::new();
/// rig.skeleton.world(&rig.rest_pose(), &mut world_from_joint);
/// arm.update(&world_from_joint)?;
/// let whole = arm.oriented(NodeId::ROOT).expect("CAB keeps boxes");
/// assert!((whole.half.x - 1.0).abs() < 1e-12);
///
/// world_from_joint[1].matrix3 *= 2.0;
/// assert!(arm.update(&world_from_joint).unwrap_err().to_string().contains("joint 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hierarchy {
    articulation: Arc<Articulation>,
    keep: Keep,
    /// By link.
    placements: Vec<Placement>,
    /// Those of an update that is not yet known to be good.
    coming: Vec<Placement>,
    origin: DVec3,
    /// By node: where its children meet, seen from the origin.
    meets: Vec<Option<DVec3>>,
    pub(super) boxes: Kind,
    /// After a lazy update of oriented boxes: what all links are in.
    gate: Option<Aabb>,
    work: Work,
}

/// The boxes, of whatever kind.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    None,
    Aligned(Column<Aabb>),
    Oriented(Column<Obb>),
}

impl Hierarchy {
    /// Boxes that are kept in a way.
    pub fn new(articulation: Arc<Articulation>, keep: Keep) -> Self {
        let nodes = articulation.tree().len();
        let boxes = match keep {
            Keep::Brute => Kind::None,
            Keep::AabbVertices | Keep::AabbCorners | Keep::AabbCentre => {
                Kind::Aligned(Column::new(nodes))
            }
            Keep::Covariance | Keep::Cab(_) => Kind::Oriented(Column::new(nodes)),
        };
        let links = articulation.links();
        let placements: Vec<Placement> = links.iter().map(|link| link.joint_from_link).collect();
        let meets =
            articulation.tree().nodes().map(|node| articulation.joint(node).map(|_| DVec3::ZERO));
        let mut hierarchy = Self {
            keep,
            coming: Vec::with_capacity(links.len()),
            origin: placements[0].translation(),
            meets: meets.collect(),
            placements,
            boxes,
            gate: None,
            work: Work::default(),
            articulation,
        };
        for meet in hierarchy.meets.iter_mut().flatten() {
            *meet = -hierarchy.origin;
        }
        hierarchy.refit_leaves();
        hierarchy.refit_inner();
        hierarchy
    }

    /// Places all links and refits all boxes.
    ///
    /// # Errors
    /// If the pose has not one matrix a joint, or one that carries links or at which they meet is not finite or
    /// not rigid. The body then stays as it was. Joints that carry nothing are not looked at.
    pub fn update(&mut self, world_from_joint: &[DAffine3]) -> Result<(), ArticulationError> {
        self.place(world_from_joint)?;
        self.refit_leaves();
        self.refit_inner();
        Ok(())
    }

    /// Places all links and refits their boxes now, and those of groups when a question first needs them.
    ///
    /// Boxes along the world's axes are then made from the links below, so that only those are made
    /// that are looked at. Oriented boxes are made from the two below them, and so are all that they hold; before that,
    /// bodies that are well apart are told apart by one box along the axes. Boxes and answers are those of
    /// [`update`](Self::update).
    ///
    /// Source: Larsson and Akenine-Möller, *Collision detection for continuously deforming bodies*, 2001,
    /// refit to a depth and go deeper on demand; here the depth is none.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub fn update_lazily(
        &mut self,
        world_from_joint: &[DAffine3],
    ) -> Result<(), ArticulationError> {
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
                let bounds = leaves.map(|leaf| aligned(&column.volumes[leaf.index()]));
                self.gate = bounds.reduce(|a, b| a.merged(&b));
                self.work.boxes_refitted += 1;
            }
        }
        Ok(())
    }

    /// The links of the body and the tree over them.
    pub fn articulation(&self) -> &Arc<Articulation> {
        &self.articulation
    }

    /// How its boxes are kept.
    pub fn keep(&self) -> Keep {
        self.keep
    }

    /// Where the links stand: `world_from_link`, by link.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The point of the world that boxes are seen from.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// A node's box as an oriented one, seen from the [`origin`](Self::origin); nothing where none are kept, or it was not
    /// needed since a lazy update.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn oriented(&self, node: NodeId) -> Option<Obb> {
        match &self.boxes {
            Kind::None => None,
            Kind::Aligned(column) => fresh(column, node).map(|bounds| bounds.boxed()),
            Kind::Oriented(column) => fresh(column, node),
        }
    }

    /// The work of the last update, and of all refitting since.
    pub fn work(&self) -> Work {
        self.work
    }

    /// Checks that every box holds what is below it: a leaf's the placed vertices, an inner one the corners of both
    /// boxes below it. Boxes that were not needed since a lazy update are passed over.
    ///
    /// # Errors
    /// Names the node and a link that it does not hold.
    pub fn validate(&self) -> Result<(), Fault> {
        let tree = self.articulation.tree();
        for node in tree.nodes() {
            let Some(bounds) = self.oriented(node) else { continue };
            let outside = |link: u32| Fault::Outside { node, primitive: link };
            let Some(children) = tree.children(node) else {
                let link = tree.members(node)[0];
                if !self.holds_link(&bounds, link) {
                    return Err(outside(link));
                }
                continue;
            };
            for child in children {
                let corners = self.oriented(child).map(|inner| inner.corners());
                let is_held = |corner: &DVec3| bounds.contains(*corner) || !corner.is_finite();
                if !corners.is_some_and(|corners| corners.iter().all(is_held)) {
                    return Err(outside(tree.members(child)[0]));
                }
            }
        }
        Ok(())
    }

    fn holds_link(&self, bounds: &Obb, link: u32) -> bool {
        let place = &self.placements[link as usize];
        let shift = place.translation() - self.origin;
        let mesh = self.articulation.links()[link as usize].model.mesh();
        let leaf = &self.articulation.leaves()[link as usize];
        leaf.vertices(mesh).iter().all(|&v| {
            let at = place.rotation() * v + shift;
            bounds.contains(at) || !at.is_finite()
        })
    }

    /// Finds where links and meeting places stand, and takes them over if all are good.
    fn place(&mut self, world_from_joint: &[DAffine3]) -> Result<(), ArticulationError> {
        let joints = self.articulation.joints_len();
        if world_from_joint.len() != joints {
            let given = world_from_joint.len();
            return Err(ArticulationErrorKind::PoseLength { given, joints }.into());
        }
        let refused = |joint, cause| {
            let name = self.articulation.joint_name(joint);
            ArticulationError::from(ArticulationErrorKind::Pose { joint, name, cause })
        };
        self.coming.clear();
        for (joint, joint_from_link) in self.articulation.placed_links() {
            let world_from_link = world_from_joint[joint.index()] * *joint_from_link;
            let placement = Placement::new(world_from_link.matrix3, world_from_link.translation);
            self.coming.push(placement.map_err(|cause| refused(joint, cause))?);
        }
        for joint in self.articulation.tree().nodes().filter_map(|n| self.articulation.joint(n)) {
            let place = world_from_joint[joint.index()].translation;
            Placement::from_translation(place).map_err(|cause| refused(joint, cause))?;
        }
        std::mem::swap(&mut self.placements, &mut self.coming);
        self.origin = self.placements[0].translation();
        for (node, meet) in self.meets.iter_mut().enumerate() {
            if let Some(joint) = self.articulation.joint(NodeId(node as u32)) {
                *meet = Some(world_from_joint[joint.index()].translation - self.origin);
            }
        }
        Ok(())
    }

    /// Refits the boxes of all links, which begins the work of a frame.
    fn refit_leaves(&mut self) {
        self.work = Work::default();
        self.gate = None;
        let Self { articulation, placements, origin, work, .. } = self;
        let links = articulation.links();
        // What fits a link is chosen once a frame.
        macro_rules! leaves {
            ($column:expr, $fit:expr) => {{
                for (index, leaf) in articulation.leaves().iter().enumerate() {
                    let volume = $fit(leaf, index);
                    $column.set(articulation.node_of(index as u32), volume);
                }
                work.boxes_refitted += links.len() as u64;
            }};
        }
        match (&mut self.boxes, self.keep) {
            (Kind::None, _) => {}
            (Kind::Aligned(column), Keep::AabbVertices) => {
                let fit = |leaf: &Leaf, link: usize| {
                    let mesh = links[link].model.mesh();
                    work.vertices_visited += leaf.vertices(mesh).len() as u64;
                    leaf.from_vertices(mesh, &placements[link], *origin)
                };
                let mut fit = fit;
                leaves!(column, fit);
            }
            (Kind::Aligned(column), Keep::AabbCorners) => {
                leaves!(column, |leaf: &Leaf, link: usize| leaf
                    .from_corners(&placements[link], *origin));
                work.vertices_visited += 8 * links.len() as u64;
            }
            (Kind::Aligned(column), _) => {
                leaves!(column, |leaf: &Leaf, link: usize| leaf
                    .from_centre(&placements[link], *origin));
            }
            (Kind::Oriented(column), _) => {
                leaves!(column, |leaf: &Leaf, link: usize| leaf
                    .oriented(&placements[link], *origin));
            }
        }
    }

    /// Refits the boxes of all groups, from the bottom up. How two are merged is chosen once a frame.
    fn refit_inner(&mut self) {
        let tree = self.articulation.tree();
        let meets = &self.meets;
        let meet_of = |node: NodeId, a: &Obb, b: &Obb| meet(meets[node.index()], a, b);
        let inner = match (&mut self.boxes, self.keep) {
            (Kind::None, _) => 0,
            (Kind::Aligned(column), _) => merge_all(tree, column, |_, a, b| a.merged(b)),
            (Kind::Oriented(column), Keep::Cab(CabAxis::Longest)) => {
                merge_all(tree, column, |node, a, b| {
                    enclose(a, b, cab::axes::<false>(a, b, meet_of(node, a, b)))
                })
            }
            (Kind::Oriented(column), Keep::Cab(CabAxis::Sum)) => {
                merge_all(tree, column, |node, a, b| {
                    enclose(a, b, cab::axes::<true>(a, b, meet_of(node, a, b)))
                })
            }
            (Kind::Oriented(column), _) => {
                merge_all(tree, column, |_, a, b| enclose(a, b, covariance_axes(a, b)))
            }
        };
        self.work.boxes_refitted += inner;
    }

    pub(super) fn gate(&self) -> Option<Aabb> {
        self.gate
    }

    /// The boxes apart from the rest, to be looked at and refitted.
    pub(super) fn sides(&mut self) -> Sides<'_> {
        let frame = Frame { articulation: &self.articulation, keep: self.keep, meets: &self.meets };
        let refitted = &mut self.work.boxes_refitted;
        match &mut self.boxes {
            Kind::None => Sides::None,
            Kind::Aligned(column) => Sides::Aligned(View { column, frame, refitted }),
            Kind::Oriented(column) => Sides::Oriented(View { column, frame, refitted }),
        }
    }
}

/// The boxes of a body, of whatever kind.
pub(super) enum Sides<'a> {
    None,
    Aligned(View<'a, Aabb>),
    Oriented(View<'a, Obb>),
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

fn fresh<V: Copy>(column: &Column<V>, node: NodeId) -> Option<V> {
    column.is_fresh[node.index()].then(|| column.volumes[node.index()])
}

/// A box along the world's axes around an oriented one, up to rounding: it only ever parts bodies by more than the slack.
pub(super) fn aligned(b: &Obb) -> Aabb {
    if !b.half.is_finite() {
        return <Aabb as Kept>::EVERYTHING;
    }
    let share = |axis: DVec3, half: f64| axis.abs() * half;
    let radius = share(b.axes.x_axis, b.half.x)
        + share(b.axes.y_axis, b.half.y)
        + share(b.axes.z_axis, b.half.z);
    Aabb { min: b.center - radius, max: b.center + radius }
}
