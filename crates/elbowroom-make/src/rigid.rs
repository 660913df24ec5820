//! Rigs of rigid links: what chains, hands and helicopters have in common.

use elbowroom::Mesh;
use elbowroom_motion::body::{
    Clip, Freedom, FreedomKind, Hold, Interpolation, Joint, JointId, Local, Part, Rig, Skeleton,
    Target, Track,
};
use glam::{DQuat, DVec3};

/// Keys a second of our clips.
const RATE: f64 = 30.0;

/// A rig that grows link by link.
pub(crate) struct Links {
    name: &'static str,
    joints: Vec<Joint>,
    parts: Vec<Part>,
    freedoms: Vec<Freedom>,
}

impl Links {
    pub(crate) fn new(name: &'static str) -> Self {
        Self { name, joints: Vec::new(), parts: Vec::new(), freedoms: Vec::new() }
    }

    /// Hangs a mesh, in the joint's own frame, on a new joint.
    pub(crate) fn add(
        &mut self,
        name: String,
        parent: Option<u32>,
        rest: Local,
        mesh: Mesh,
    ) -> u32 {
        let joint = self.joints.len() as u32;
        self.parts.push(Part::new(name.clone(), mesh, Hold::Rigid(JointId(joint))));
        self.joints.push(Joint { name, parent: parent.map(JointId), rest });
        joint
    }

    /// Lets a joint move.
    pub(crate) fn free(
        &mut self,
        name: String,
        joint: u32,
        kind: FreedomKind,
        axis: DVec3,
        range: Option<(f64, f64)>,
    ) {
        let joint = JointId(joint);
        let anchor = DVec3::ZERO;
        self.freedoms.push(Freedom { name, joint, kind, axis, anchor, range, mimic: None });
    }

    /// The rig; links on neighbouring joints may touch.
    pub(crate) fn rig(self) -> Rig {
        let allowed = self.joints.iter().enumerate();
        let allowed = allowed.filter_map(|(i, j)| j.parent.map(|parent| (parent.0, i as u32)));
        let allowed = allowed.collect();
        let skeleton = match Skeleton::new(self.joints) {
            Ok(skeleton) => skeleton,
            Err(error) => panic!("links hang on links: {error}"),
        };
        let mut rig = Rig::new(self.name, skeleton);
        rig.parts = self.parts;
        rig.freedoms = self.freedoms;
        rig.allowed = allowed;
        rig
    }
}

/// A clip of turns on top of the rest pose, one function of time for each joint that moves; it
/// loops after a number of seconds.
pub(crate) fn turning(
    rig: &Rig,
    name: &str,
    seconds: f64,
    turns: &[(u32, &dyn Fn(f64) -> DQuat)],
) -> Clip {
    let keys = crate::whole((seconds * RATE).round().max(2.0));
    let times: Vec<f64> = (0..=keys).map(|key| seconds * key as f64 / keys as f64).collect();
    let tracks = turns.iter().map(|&(joint, turn)| {
        let rest = rig.skeleton.joints()[joint as usize].rest.rotation;
        // The last key is the first, to the bit.
        let values = (0..=keys).flat_map(|key| (rest * turn(times[key % keys])).to_array());
        Track {
            target: Target::Rotation(JointId(joint)),
            interpolation: Interpolation::Linear,
            times: times.clone(),
            values: values.collect(),
        }
    });
    match Clip::new(name.to_owned(), tracks.collect()) {
        Ok(clip) => clip,
        Err(error) => panic!("a turning is a sound clip: {error}"),
    }
}

/// A turn by an angle about a unit vector, by one library's sines.
pub(crate) fn about(axis: DVec3, angle: f64) -> DQuat {
    let (sin, cos) = (libm::sin(0.5 * angle), libm::cos(0.5 * angle));
    DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}
