//! Boxes around a posed character from the motions of its joints alone: no vertex is touched.
//!
//! Linear blending puts a vertex at Σ wᵢ Mᵢ v with weights that are not negative and add up to one:
//! within the hull of the rigidly moved copies Mᵢ v. So of some vertices, a *cluster*, those that
//! joint i moves are held by one box in the frame of joint i, found once; in a pose, the box of the
//! cluster is the union of these boxes, each where its joint has taken it.
//!
//! ```text
//!      upper arm's copy     forearm's copy         the cluster's box in the pose
//!        ┌────┐               ╱╲                      ┌─────────┐
//!        │    │              ╱  ╲          →          │  ┌────┐ │
//!        └────┘              ╲  ╱                     │  │ ╱╲ │ │
//!                             ╲╱                      └──┴────┴─┘
//! ```
//!
//! Clusters are the vertices of a part that one joint moves most; those that it moves alone are a
//! cluster by themselves, because they are held most closely.
//!
//! Source: Kavan and Žára, *Fast collision detection for skeletally deformable models*, 2005, which
//! moves spheres; boxes in the joints' frames are ours. Dual quaternions are no convex combination:
//! the blended vertex leaves the hull. What is skinned by them has a box without end here, and only
//! its vertices can tell more.
//!
//! Invariants: every vertex that [`Poser::part`](super::Poser::part) makes of the same
//! `world_from_joint` lies in the box of its cluster, roundings included: with u = 2⁻⁵³ a blended
//! coordinate of n influences takes part in at most n + 12 roundings, and so does our own way to
//! it; the slack is four times that, of the largest numbers on the way.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DAffine3, DMat3, DVec3};

use super::part::{Hold, Part};
use super::rig::Rig;
use super::skeleton::JointId;
use super::skin::{Blend, Skin};
use elbowroom::internal::volume::Aabb;
use elbowroom::internal::volume::aabb::overlap_aabb_aabb;

/// Half a unit in the last place of 1.
const U: f64 = f64::EPSILON / 2.0;

/// Vertices that are held by one box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The part of the rig that they are of.
    pub part: u32,
    /// The joint that moves them most.
    pub joint: JointId,
    /// Where its copies begin, and how many there are; none for what joints cannot bound.
    copies: (u32, u32),
}

/// What one joint makes of a cluster.
#[derive(Clone, Debug, PartialEq)]
struct Copy {
    joint: u32,
    /// In the joint's frame, at rest.
    center: DVec3,
    half: DVec3,
    /// Bounds every sum of magnitudes on the way into the joint's frame.
    size: f64,
    /// For each morph of the part: how far it may move a vertex, in the joint's frame.
    morphs: Vec<DVec3>,
}

/// Boxes around a character.
///
/// ```
/// use elbowroom_motion::body::{Bounds, Poser};
///
/// let man = elbowroom_make::body::male();
/// let (mut pose, mut poser) = (man.rest_pose(), Poser::new());
/// man.clips[0].sample(0.3, &mut pose);
/// poser.set(&man, &pose);
/// let mut bounds = Bounds::new(&man);
/// bounds.pose(poser.world());
/// let mut skin = Vec::new();
/// poser.part(&man, 0, &mut skin);
/// for (point, &cluster) in skin.iter().zip(bounds.clusters_of(0)) {
///     let held = bounds.boxes()[cluster as usize];
///     assert!(held.min.cmple(*point).all() && point.cmple(held.max).all());
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Clones share what does not move.
    plan: Arc<Plan>,
    boxes: Vec<Aabb>,
    whole: Aabb,
}

/// What is known before there is a pose.
#[derive(Debug, Default)]
struct Plan {
    clusters: Vec<Cluster>,
    copies: Vec<Copy>,
    /// By part and vertex.
    of_vertex: Vec<Vec<u32>>,
    /// By part: the default weights of morphs, for poses that give none.
    weights: Vec<Vec<f64>>,
    slack: f64,
}

/// Around nothing.
const EMPTY: Aabb = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

/// Around everything.
const ENDLESS: Aabb = Aabb { min: DVec3::MIN, max: DVec3::MAX };

impl Bounds {
    /// Finds the clusters of all parts, and what each joint has to carry of them.
    ///
    /// # Panics
    /// If the rig does not [`validate`](Rig::validate).
    pub fn new(rig: &Rig) -> Self {
        let weights = rig.parts.iter().map(|part| part.morph_weights.clone()).collect();
        let mut plan = Plan { weights, ..Plan::default() };
        let mut most = 1;
        for (index, part) in rig.parts.iter().enumerate() {
            most = most.max(plan.add(index as u32, part));
        }
        plan.slack = 4.0 * (most as f64 + 12.0) * U;
        let whole = if plan.clusters.is_empty() { EMPTY } else { ENDLESS };
        Self { boxes: vec![ENDLESS; plan.clusters.len()], whole, plan: Arc::new(plan) }
    }

    /// Puts the boxes where the joints are, with morphs as far in as the parts say. Nothing is
    /// allocated.
    ///
    /// # Panics
    /// If there are fewer joints than the rig has.
    pub fn pose(&mut self, world_from_joint: &[DAffine3]) {
        self.pose_morphed(world_from_joint, &[]);
    }

    /// Sets the pose, with morph weights by part, as in a [`SkeletonPose`](super::SkeletonPose);
    /// parts beyond the end have their default weights.
    ///
    /// # Panics
    /// If there are fewer joints than the rig has.
    pub fn pose_morphed(&mut self, world_from_joint: &[DAffine3], weights: &[Vec<f64>]) {
        let plan = &*self.plan;
        self.whole = EMPTY;
        for (cluster, bounds) in plan.clusters.iter().zip(&mut self.boxes) {
            let (first, count) = cluster.copies;
            let copies = &plan.copies[first as usize..(first + count) as usize];
            let part = cluster.part as usize;
            let weights = weights.get(part).unwrap_or(&plan.weights[part]);
            *bounds = if count == 0 { ENDLESS } else { EMPTY };
            for copy in copies {
                let world = &world_from_joint[copy.joint as usize];
                let moved = copy.moved(world, weights, plan.slack);
                bounds.min = bounds.min.min(moved.min);
                bounds.max = bounds.max.max(moved.max);
            }
            self.whole.min = self.whole.min.min(bounds.min);
            self.whole.max = self.whole.max.max(bounds.max);
        }
    }

    /// The clusters, by part and joint.
    pub fn clusters(&self) -> &[Cluster] {
        &self.plan.clusters
    }

    /// The clusters of the vertices of a part, by their places in [`clusters`](Self::clusters).
    ///
    /// # Panics
    /// If there is no such part.
    pub fn clusters_of(&self, part: usize) -> &[u32] {
        &self.plan.of_vertex[part]
    }

    /// The boxes of the clusters in the pose that was set; without end before one was.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    /// A box around all of them.
    pub fn whole(&self) -> &Aabb {
        &self.whole
    }

    /// Whether boxes of two characters in one world meet. If not, nor do their skins.
    pub fn may_meet(&self, other: &Self) -> bool {
        if !overlap_aabb_aabb(&self.whole, &other.whole, 0.0) {
            return false;
        }
        let near = |own: &&Aabb| overlap_aabb_aabb(own, &other.whole, 0.0);
        self.boxes
            .iter()
            .filter(near)
            .any(|own| other.boxes.iter().any(|theirs| overlap_aabb_aabb(own, theirs, 0.0)))
    }
}

impl Plan {
    /// Adds the clusters of a part; gives the most influences that a vertex has.
    fn add(&mut self, index: u32, part: &Part) -> usize {
        let vertices = part.mesh.vertices();
        let mut of_vertex = vec![0; vertices.len()];
        let mut most = 1;
        match &part.hold {
            Hold::Rigid(joint) => {
                let all: Vec<u32> = (0..vertices.len() as u32).collect();
                let copy = Copy::new(part, joint.0, &DAffine3::IDENTITY, &all);
                self.push(index, *joint, vec![copy], &all, &mut of_vertex);
            }
            Hold::Skinned(skin) => {
                let influences = |v: u32| skin.influences(v).iter().filter(|i| i.weight > 0.0);
                let mut groups: BTreeMap<(JointId, bool), Vec<u32>> = BTreeMap::new();
                for vertex in 0..vertices.len() as u32 {
                    let count = influences(vertex).count();
                    most = most.max(count);
                    groups.entry((skin.dominant(vertex), count == 1)).or_default().push(vertex);
                }
                for ((joint, _), group) in groups {
                    let copies = match skin.blend() {
                        Blend::Linear => copies(part, skin, &group),
                        Blend::DualQuaternion => Vec::new(),
                    };
                    self.push(index, joint, copies, &group, &mut of_vertex);
                }
            }
        }
        self.of_vertex.push(of_vertex);
        most
    }

    fn push(
        &mut self,
        part: u32,
        joint: JointId,
        copies: Vec<Copy>,
        group: &[u32],
        of_vertex: &mut [u32],
    ) {
        if group.is_empty() {
            return;
        }
        for &vertex in group {
            of_vertex[vertex as usize] = self.clusters.len() as u32;
        }
        let range = (self.copies.len() as u32, copies.len() as u32);
        self.clusters.push(Cluster { part, joint, copies: range });
        self.copies.extend(copies);
    }
}

/// What each joint has to carry of some vertices of a skin.
fn copies(part: &Part, skin: &Skin, group: &[u32]) -> Vec<Copy> {
    let mut carried: BTreeMap<u16, Vec<u32>> = BTreeMap::new();
    for &vertex in group {
        for influence in skin.influences(vertex).iter().filter(|i| i.weight > 0.0) {
            carried.entry(influence.joint).or_default().push(vertex);
        }
    }
    let copy = |(joint, vertices): (u16, Vec<u32>)| {
        let place = joint as usize;
        Copy::new(part, skin.joints()[place].0, &skin.inverse_binds()[place], &vertices)
    };
    carried.into_iter().map(copy).collect()
}

impl Copy {
    fn new(part: &Part, joint: u32, joint_from_mesh: &DAffine3, vertices: &[u32]) -> Self {
        let stretch = magnitudes(&joint_from_mesh.matrix3);
        let mut bounds = EMPTY;
        let mut size: f64 = 0.0;
        for &vertex in vertices {
            let rest = part.mesh.vertices()[vertex as usize];
            let point = joint_from_mesh.transform_point3(rest);
            bounds.min = bounds.min.min(point);
            bounds.max = bounds.max.max(point);
            let way = stretch * rest.abs() + joint_from_mesh.translation.abs();
            size = size.max(way.max_element());
        }
        let moved = |offsets: &[DVec3]| {
            let offsets = vertices.iter().map(|&v| stretch * offsets[v as usize].abs());
            offsets.fold(DVec3::ZERO, DVec3::max)
        };
        let morphs = part.morphs.iter().map(|morph| moved(&morph.offsets)).collect();
        Self { joint, center: bounds.center(), half: bounds.half(), size, morphs }
    }

    /// The box around the copy where its joint has taken it.
    fn moved(&self, world_from_joint: &DAffine3, weights: &[f64], slack: f64) -> Aabb {
        let DAffine3 { matrix3, translation } = world_from_joint;
        let stretch = magnitudes(matrix3);
        let (mut half, mut size) = (self.half, self.size);
        for (&morph, &weight) in self.morphs.iter().zip(weights) {
            let offset = morph * weight.abs();
            half += offset;
            size += offset.max_element();
        }
        let center = *matrix3 * self.center + *translation;
        let room = stretch * (half + slack * size) + slack * translation.abs();
        // What vanished below the normal numbers.
        let room = room + f64::MIN_POSITIVE;
        let (min, max) = (center - room, center + room);
        // Numbers that are too large bound nothing.
        if min.is_finite() && max.is_finite() { Aabb { min, max } } else { ENDLESS }
    }
}

fn magnitudes(matrix: &DMat3) -> DMat3 {
    DMat3::from_cols(matrix.x_axis.abs(), matrix.y_axis.abs(), matrix.z_axis.abs())
}
