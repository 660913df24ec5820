//! People: a man and a woman, whole and able to walk.
//!
//! A person is one closed skin of some 2,850 triangles on the 31 joints of the CMU motion capture
//! files, with clips of our own: see [`Gait`]. The skin is the surface of a smooth solid, which is
//! drawn by cross-sections (`figure`), cut up and thinned out (`surface`), and tied to the joints
//! (`weights`).
//!
//! ```
//! use elbowroom_make::body::{Build, male};
//!
//! let man = male();
//! let elbowroom::Aabb { min: low, max: high } = man.parts[0].mesh.bounds();
//! assert!((high.y - low.y - 1.88).abs() < 1e-3);
//! assert!(man.parts[0].mesh.seams().is_manifold());
//! let stout = Build { girth: 1.3, height: 1.7, ..Build::FEMALE };
//! # assert!(stout.is_sound());
//! ```
//!
//! Invariants: the mesh stands on y = 0 as long as it is not moved, looks along +z, and is the same
//! on both sides to the last bit. All rotations of the skeleton's rest are the identity, so mocap
//! of the CMU files can be put on it joint by joint.
//!
//! The mesh is drawn in a pose of its own, arms half down and legs straight, because skin looks
//! best near the pose in which it is drawn. The rest pose is that of the mocap files, arms level
//! and legs apart; [`standing`] gives neither, but a person who stands at ease.

mod bones;
mod figure;
mod flesh;
mod gait;
mod weights;

pub use gait::{Gait, Move};

use elbowroom_motion::body::{Hold, JointId, Part, Rig, Skeleton, SkeletonPose, Skin};
use glam::DVec3;

use crate::surface::{Recipe, Soup, skin_of};

/// The sex whose measures are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sex {
    /// A man, 1.88 m by default.
    #[default]
    Male,
    /// A woman, 1.74 m by default.
    Female,
}

/// The build of a person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Build {
    /// The sex whose measures are taken.
    pub sex: Sex,
    /// The height from the soles to the top of the head, in metres.
    pub height: f64,
    /// The girth: 1 is average, 0.85 slim, 1.4 very stout.
    pub girth: f64,
    /// Triangles of the skin, about.
    pub triangles: u32,
}

impl Default for Build {
    fn default() -> Self {
        Self::MALE
    }
}

impl Build {
    /// A man of 1.88 m.
    pub const MALE: Self = Self { sex: Sex::Male, height: 1.88, girth: 1.0, triangles: 2850 };
    /// A woman of 1.74 m.
    pub const FEMALE: Self = Self { sex: Sex::Female, height: 1.74, girth: 1.0, triangles: 2850 };

    /// Whether a person can be made of these numbers: 0.3 to 3 m tall, girth 0.7 to 1.4, 1,500 to
    /// 20,000 triangles.
    pub fn is_sound(&self) -> bool {
        (0.3..=3.0).contains(&self.height)
            && (0.7..=1.4).contains(&self.girth)
            && (1500..=20_000).contains(&self.triangles)
    }

    /// A person of this build.
    ///
    /// # Panics
    /// If the build is not sound.
    pub fn rig(&self) -> Rig {
        assert!(self.is_sound(), "nobody is built like {self:?}");
        let figure = figure::figure(self.sex);
        let flesh = flesh::flesh(figure, self.girth);
        let soup = skin(figure, &flesh, self.triangles as usize);
        let (offsets, influences) =
            weights::weights(figure, &flesh, &soup.vertices, &soup.triangles);
        let (scale, low) = self.fit(&soup);
        let grown = |p: DVec3| (p - DVec3::new(0.0, low, 0.0)) * scale;
        let places: Vec<DVec3> = bones::bind_places(figure).into_iter().map(grown).collect();
        let (skeleton, bind) = bones::skeleton(&places);
        let mut world = Vec::new();
        skeleton.world(&bind, &mut world);
        let joints = (0..bones::COUNT as u32).map(JointId).collect();
        let inverse_binds = world.iter().map(glam::DAffine3::inverse).collect();
        let skin = match Skin::new(joints, inverse_binds, offsets, influences) {
            Ok(skin) => skin,
            Err(error) => panic!("every vertex of a person hangs on joints: {error}"),
        };
        let mesh = crate::mesh(soup.vertices.into_iter().map(grown).collect(), soup.triangles);
        let name = match self.sex {
            Sex::Male => "man",
            Sex::Female => "woman",
        };
        let mut rig = Rig::new(name, skeleton);
        rig.parts.push(Part::new("skin", mesh, Hold::Skinned(skin)));
        rig.clips = gait::clips(&rig.skeleton);
        rig
    }

    /// The factor that makes a skin as tall as wanted, and its lowest height.
    fn fit(&self, soup: &Soup) -> (f64, f64) {
        let heights = || soup.vertices.iter().map(|vertex| vertex.y);
        let low = heights().fold(f64::INFINITY, f64::min);
        let high = heights().fold(f64::NEG_INFINITY, f64::max);
        (self.height / (high - low), low)
    }
}

/// A man of 1.88 m, with all clips.
pub fn male() -> Rig {
    Build::MALE.rig()
}

/// A woman of 1.74 m, with all clips.
pub fn female() -> Rig {
    Build::FEMALE.rig()
}

/// One of our people standing at ease, arms down; none for a skeleton with other joints.
pub fn standing(skeleton: &Skeleton) -> Option<SkeletonPose> {
    gait::standing(skeleton)
}

/// The surface of a figure, in the figure's own size.
fn skin(figure: &figure::Figure, flesh: &flesh::Flesh, triangles: usize) -> Soup {
    let [along, _, _] = flesh::arm_frame();
    let shoulder = DVec3::from(figure.shoulder);
    let wrist = figure.arm[0] + figure.arm[1];
    let jaw = figure.back[3][1] - 0.06;
    let ankle = figure.leg[2][1];
    // A face and a hand are read from smaller features than a back is.
    let importance = |p: DVec3| {
        if p.y > jaw {
            if p.z > 0.02 { 12.0 } else { 4.0 }
        } else if (p - shoulder).dot(along) > wrist - 0.02 && p.x > shoulder.x {
            10.0
        } else if p.y < ankle {
            4.0
        } else {
            1.0
        }
    };
    skin_of(&flesh.solid, &Recipe { step: 0.0075, triangles, importance: &importance, hold: 0.003 })
}
