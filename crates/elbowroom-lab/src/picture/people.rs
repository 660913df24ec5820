//! People to be drawn, z up, the root joint over the origin: the real ones where they are at hand,
//! else generated ones.

use elbowroom::Mesh;
use elbowroom_make::body::{Gait, Move};
use elbowroom_motion::body::{Retarget, RetargetConfig, Rig, SkeletonPose};

use crate::Context;
use crate::bch::bodies::{CAPTURED_BODIES, people, posed_mesh};

/// A captured walk.
const CAPTURE: &str = "mocap/short/07_01.bvh.gz";

/// A woman and a man, who walk.
pub(super) struct People {
    rigs: [Rig; 2],
    capture: Option<Rig>,
}

impl People {
    pub(super) fn new(context: &Context) -> Self {
        Self::real(context).unwrap_or_else(Self::generated)
    }

    pub(super) fn generated() -> Self {
        Self { rigs: people().clone(), capture: None }
    }

    fn real(context: &Context) -> Option<Self> {
        let capture = context.data.rig(CAPTURE).ok()?;
        let [woman, man] = CAPTURED_BODIES.map(|name| context.data.rig(name).ok());
        Some(Self { rigs: [woman?, man?], capture: Some(capture) })
    }

    /// Whose bodies they are.
    pub(super) fn whose(&self) -> &'static str {
        if self.capture.is_some() {
            "MakeHuman bodies in a captured walk"
        } else {
            "Generated bodies"
        }
    }

    /// The woman, 0, or the man, 1, at a share of what they do. Captures know only walking.
    pub(super) fn posed(&self, who: usize, motion: Move, share: f64) -> Mesh {
        let rig = &self.rigs[who];
        let pose = self.captured(rig, share).or_else(|| Self::by_rule(rig, motion, share));
        let pose = pose.unwrap_or_else(|| rig.rest_pose());
        posed_mesh(rig, &pose).expect("a posed body is a mesh")
    }

    fn captured(&self, rig: &Rig, share: f64) -> Option<SkeletonPose> {
        let capture = self.capture.as_ref()?;
        let clip = capture.clips.first()?;
        let config = RetargetConfig::default();
        let retarget = Retarget::new(&capture.skeleton, &rig.skeleton, &config).ok()?;
        let mut pose = capture.rest_pose();
        clip.sample(clip.start() + (0.1 + 0.8 * share) * clip.seconds(), &mut pose);
        Some(retarget.pose(&pose))
    }

    fn by_rule(rig: &Rig, motion: Move, share: f64) -> Option<SkeletonPose> {
        let gait = Gait::of(&rig.skeleton, motion)?;
        let mut pose = rig.rest_pose();
        gait.clip.sample(gait.clip.start() + share * gait.clip.seconds(), &mut pose);
        Some(pose)
    }
}
