//! From a rig and a pose to points of the world, frame after frame, without allocating.
//!
//! Each point is made in one order of operations: the morphs in their order are added to the vertex
//! at rest; then it is carried by its joint, or blended. A rig that stands somewhere has its roots
//! carried there, so that its vertices are rounded where they are and not a second time.

use glam::{DAffine3, DVec3};

use super::dual;
use super::linear::{self, Columns};
use super::local::SkeletonPose;
use super::part::{Hold, Part};
use super::rig::Rig;
use super::skin::{Blend, Skin};
use elbowroom::internal::arch::SimdLevel;

/// The memory that posing needs; keep one for each thread.
///
/// ```
/// use elbowroom_motion::body::{Joint, Local, Poser, Rig, Skeleton};
/// use glam::{DAffine3, DVec3};
///
/// let root = Joint { name: "root".into(), parent: None, rest: Local::IDENTITY };
/// let rig = Rig::new("post", Skeleton::new(vec![root])?);
/// let mut poser = Poser::new();
/// poser.set_placed(&rig, &rig.rest_pose(), &DAffine3::from_translation(DVec3::X));
/// assert_eq!(poser.world()[0].translation, DVec3::X);
/// # Ok::<(), elbowroom_motion::body::SkeletonError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Poser {
    level: SimdLevel,
    /// `world_from_joint` of the pose that was set.
    world: Vec<DAffine3>,
    /// Morph weights of the pose that was set.
    weights: Vec<Vec<f64>>,
    morphed: Vec<DVec3>,
    matrices: Vec<Columns>,
    dual: dual::Workspace,
}

impl Default for Poser {
    fn default() -> Self {
        Self::with_level(SimdLevel::best())
    }
}

impl Poser {
    /// A poser without a pose.
    pub fn new() -> Self {
        Self::default()
    }

    /// Poses on a narrower instruction set than the machine's. Every instruction set gives the same
    /// bits.
    pub fn with_level(level: SimdLevel) -> Self {
        Self {
            level,
            world: Vec::new(),
            weights: Vec::new(),
            morphed: Vec::new(),
            matrices: Vec::new(),
            dual: dual::Workspace::default(),
        }
    }

    /// Finds where the joints of a rig stand in a pose.
    pub fn set(&mut self, rig: &Rig, pose: &SkeletonPose) {
        self.set_placed(rig, pose, &DAffine3::IDENTITY);
    }

    /// Sets the pose of a rig that has a place in the world.
    pub fn set_placed(&mut self, rig: &Rig, pose: &SkeletonPose, world_from_rig: &DAffine3) {
        rig.skeleton.world_placed(pose, world_from_rig, &mut self.world);
        self.weights.clone_from(&pose.weights);
    }

    /// `world_from_joint` for every joint of what was set.
    pub fn world(&self) -> &[DAffine3] {
        &self.world
    }

    /// Whether morphs change the shape of a part in the pose that was set.
    ///
    /// # Panics
    /// If there is no such part.
    pub fn is_morphed(&self, rig: &Rig, part: usize) -> bool {
        let weights = self.weights.get(part).unwrap_or(&rig.parts[part].morph_weights);
        let moving = rig.parts[part].morphs.iter().zip(weights);
        moving.into_iter().any(|(_, &weight)| weight != 0.0)
    }

    /// The vertices of a part in the pose that was set: morphed, then skinned or carried rigidly.
    ///
    /// # Panics
    /// If there is no such part, or another rig was set, or the rig does not
    /// [`validate`](Rig::validate).
    pub fn part(&mut self, rig: &Rig, part: usize, out: &mut Vec<DVec3>) {
        // What is there already is written over, every vertex once; there is no need to clear it.
        out.resize(rig.parts[part].mesh.vertices().len(), DVec3::ZERO);
        self.part_into(rig, part, out);
    }

    /// Poses the vertices of a part into a slice with one point for each vertex.
    ///
    /// # Panics
    /// As [`part`](Self::part), or if there are not as many points.
    pub fn part_into(&mut self, rig: &Rig, part: usize, out: &mut [DVec3]) {
        let weights = self.weights.get(part);
        let part = &rig.parts[part];
        let weights = weights.unwrap_or(&part.morph_weights);
        let mut room = std::mem::take(&mut self.morphed);
        let rest = morphed(part, weights, &mut room);
        assert_eq!(rest.len(), out.len(), "as many points as vertices");
        match &part.hold {
            Hold::Rigid(joint) => {
                let world_from_mesh = self.world[joint.index()];
                for (out, &point) in out.iter_mut().zip(rest) {
                    *out = world_from_mesh.transform_point3(point);
                }
            }
            Hold::Skinned(skin) => self.skinned(skin, rest, out),
        }
        self.morphed = room;
    }

    fn skinned(&mut self, skin: &Skin, rest: &[DVec3], out: &mut [DVec3]) {
        assert_eq!(skin.vertices_len(), rest.len(), "a skin and its mesh have as many vertices");
        match skin.blend() {
            Blend::Linear => {
                self.matrices.clear();
                self.matrices.extend(
                    linear::world_from_mesh(skin, &self.world)
                        .map(|m| Columns::new(&m.matrix3, m.translation)),
                );
                linear::blend(self.level, skin.runs(), &self.matrices, rest, out);
            }
            Blend::DualQuaternion => self.dual.blend(self.level, skin, &self.world, rest, out),
        }
    }
}

/// The vertices of a part with its morphs added; those at weight zero are left out.
fn morphed<'a>(part: &'a Part, weights: &[f64], room: &'a mut Vec<DVec3>) -> &'a [DVec3] {
    let moves = |&(_, &weight): &(_, &f64)| weight != 0.0;
    let mut moving = part.morphs.iter().zip(weights).filter(moves).peekable();
    if moving.peek().is_none() {
        return part.mesh.vertices();
    }
    room.clear();
    room.extend_from_slice(part.mesh.vertices());
    for (morph, &weight) in moving {
        for (point, &offset) in room.iter_mut().zip(&morph.offsets) {
            *point += weight * offset;
        }
    }
    room
}
