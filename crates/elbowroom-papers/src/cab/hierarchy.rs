//! One body's boxes, frame after frame.

mod levels;
mod update;
mod validate;

use std::sync::Arc;

use glam::DVec3;

use crate::cab::boxes::{Column, Frame, Kept, View};
use crate::cab::config::Config;
use crate::cab::keep::RefitMethod;
use crate::cab::link::ArticulatedBody;
use crate::cab::work::Work;
use elbowroom::internal::bvh::NodeId;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::volume::{Aabb, Obb, Spatial};

/// The boxes of one body in one frame. Many may share an [`ArticulatedBody`].
///
/// A new one has all joints at the world's origin, until the first update. Nothing is allocated
/// after that is made.
///
/// ```
/// use std::sync::Arc;
/// use elbowroom_papers::cab::{ArticulatedBody, CabAxis, CabHierarchy, RefitMethod};
/// use elbowroom_motion::body::{Hold, Joint, JointId, Local, Part, Rig, Skeleton};
/// use elbowroom::Mesh;
/// use elbowroom::internal::bvh::NodeId;
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
/// let articulation = Arc::new(ArticulatedBody::of_rig(&rig)?);
/// let mut arm = CabHierarchy::new(articulation, RefitMethod::Cab(CabAxis::Longest));
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
pub struct CabHierarchy {
    articulation: Arc<ArticulatedBody>,
    keep: RefitMethod,
    /// The least cosine of parallel axes.
    parallel: f64,
    /// By link.
    placements: Vec<Pose>,
    /// Those of an update that is not yet known to be good.
    coming: Vec<Pose>,
    origin: DVec3,
    /// By link: what it is within, seen from the origin, where it deforms.
    within: Vec<Option<Aabb>>,
    /// By node: where its children meet, seen from the origin.
    meets: Vec<Option<DVec3>>,
    pub(super) boxes: Kind,
    /// After a lazy update of oriented boxes: what all links are in.
    gate: Option<Aabb>,
    work: Work,
}

/// Where a link is in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LinkPlace {
    /// The link is rigid and has this pose.
    Rigid(Pose),
    /// The link deforms, and all of it is within this box of the world.
    Within(Aabb),
}

/// The boxes, of whatever kind.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    None,
    Aligned(Column<Aabb>),
    Oriented(Column<Obb>),
}

impl CabHierarchy {
    /// Boxes that are kept as configured.
    pub fn build(articulation: Arc<ArticulatedBody>, config: &Config) -> Self {
        let keep = config.method;
        let nodes = articulation.tree().len();
        let boxes = match keep {
            RefitMethod::Brute => Kind::None,
            RefitMethod::AabbVertices | RefitMethod::AabbCorners | RefitMethod::AabbCentre => {
                Kind::Aligned(Column::new(nodes))
            }
            RefitMethod::Covariance | RefitMethod::Cab(_) => Kind::Oriented(Column::new(nodes)),
        };
        let links = articulation.links();
        let placements: Vec<Pose> = links.iter().map(|link| link.joint_from_link).collect();
        let meets =
            articulation.tree().nodes().map(|node| articulation.joint(node).map(|_| DVec3::ZERO));
        let mut hierarchy = Self {
            keep,
            parallel: 1.0 - config.parallel_tolerance,
            coming: Vec::with_capacity(links.len()),
            within: vec![None; links.len()],
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

    /// Boxes that are kept in a way, with the paper's tolerance.
    pub fn new(articulation: Arc<ArticulatedBody>, keep: RefitMethod) -> Self {
        Self::build(articulation, &Config { method: keep, ..Config::paper() })
    }

    /// The links of the body and the tree over them.
    pub fn articulation(&self) -> &Arc<ArticulatedBody> {
        &self.articulation
    }

    /// The method that updates its boxes.
    pub fn keep(&self) -> RefitMethod {
        self.keep
    }

    /// The poses of the links: `world_from_link`, by link.
    pub fn placements(&self) -> &[Pose] {
        &self.placements
    }

    /// The point of the world that boxes are seen from.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// A node's box as an oriented one, seen from the [`origin`](Self::origin); `None` if none are
    /// kept, or it was not needed since a lazy update.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn oriented(&self, node: NodeId) -> Option<Obb> {
        match &self.boxes {
            Kind::None => None,
            Kind::Aligned(_) => self.aligned(node).map(|bounds| bounds.boxed()),
            Kind::Oriented(column) => fresh(column, node),
        }
    }

    /// A node's box along the world's axes, seen from the [`origin`](Self::origin); `None` if no
    /// such boxes are kept, or it was not needed since a lazy update.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn aligned(&self, node: NodeId) -> Option<Aabb> {
        match &self.boxes {
            Kind::Aligned(column) => fresh(column, node),
            _ => None,
        }
    }

    /// The work of the last update, and of all refitting since.
    pub fn work(&self) -> Work {
        self.work
    }

    /// A link's model and where it stands.
    pub(super) fn link_placed(&self, link: u32) -> (&Model, &Pose) {
        let link = link as usize;
        (&self.articulation.links()[link].model, &self.placements[link])
    }

    pub(super) fn gate(&self) -> Option<Aabb> {
        self.gate
    }

    /// The boxes alone, to read and to refit.
    pub(super) fn sides(&mut self) -> Sides<'_> {
        let frame = Frame {
            articulation: &self.articulation,
            keep: self.keep,
            parallel: self.parallel,
            meets: &self.meets,
        };
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

fn fresh<V: Copy>(column: &Column<V>, node: NodeId) -> Option<V> {
    column.is_fresh[node.index()].then(|| column.volumes[node.index()])
}

/// A box along the world's axes around an oriented one, up to rounding: it only ever parts bodies
/// by more than the slack.
pub(super) fn axis_bounds(b: &Obb) -> Aabb {
    if !b.half.is_finite() {
        return <Aabb as Kept>::EVERYTHING;
    }
    let share = |axis: DVec3, half: f64| axis.abs() * half;
    let radius = share(b.axes.x_axis, b.half.x)
        + share(b.axes.y_axis, b.half.y)
        + share(b.axes.z_axis, b.half.z);
    Aabb { min: b.center - radius, max: b.center + radius }
}
