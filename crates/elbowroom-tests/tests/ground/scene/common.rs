//! Small things to put into scenes.

use std::error::Error;
use std::sync::Arc;

use elbowroom::internal::model::Model;
use elbowroom::{Mesh, Pose};
use elbowroom_motion::body::{
    Clip, Hold, Interpolation, Joint, JointId, Local, Part, Rig, Skeleton, Target, Track,
};
use elbowroom_motion::scene::{Content, Object, Scene, Stage, Timing, Vertices};
use glam::{DQuat, DVec3};

pub(crate) const SECOND: Timing = Timing::new(10.0, 0, 10);

pub(crate) fn cube(half: f64) -> Arc<Model> {
    Arc::new(Model::new(elbowroom_make::cuboid(DVec3::splat(half))))
}

pub(crate) fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).expect("finite")
}

pub(crate) fn still(name: &str, half: f64, place: Pose) -> Object {
    Object::new(name, Content::Still { model: cube(half), place })
}

pub(crate) fn scene(objects: Vec<Object>) -> Scene {
    Scene::new(SECOND, objects, &[]).expect("a good scene")
}

/// An arm of two links along x, whose elbow turns a quarter about z in a second; each link holds a
/// small cube, twice as large in the rig as its mesh if it is `scaled`.
pub(crate) fn arm(scale: f64) -> Rig {
    let joint = |name: &str, parent, x| Joint {
        name: name.into(),
        parent,
        rest: Local {
            translation: DVec3::X * x,
            scale: if parent.is_none() { DVec3::splat(scale) } else { DVec3::ONE },
            ..Local::IDENTITY
        },
    };
    let joints = vec![joint("upper", None, 0.0), joint("lower", Some(JointId(0)), 1.0)];
    let mut rig = Rig::new("arm", Skeleton::new(joints).expect("a tree"));
    for (index, name) in ["upper link", "lower link"].into_iter().enumerate() {
        let mesh = elbowroom_make::cuboid(DVec3::new(0.4, 0.1, 0.1));
        let moved = mesh.vertices().iter().map(|&v| v + DVec3::X * 0.5).collect();
        let mesh = Mesh::new(moved, mesh.triangles().to_vec()).expect("a box");
        rig.parts.push(Part::new(name, mesh, Hold::Rigid(JointId(index as u32))));
    }
    rig.clips.push(bend());
    rig
}

fn bend() -> Clip {
    let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    let track = Track {
        target: Target::Rotation(JointId(1)),
        interpolation: Interpolation::Linear,
        times: vec![0.5, 1.5],
        values: [DQuat::IDENTITY.to_array(), quarter.to_array()].concat(),
    };
    Clip::new("bend".into(), vec![track]).expect("a good clip")
}

/// A triangle that rises by one a frame, for five frames; reading frame 3 of a `broken` one fails.
pub(crate) struct Rising {
    mesh: Mesh,
    broken: bool,
}

impl Rising {
    pub(crate) fn boxed(broken: bool) -> Box<Self> {
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
        Box::new(Self { mesh: Mesh::new(corners, vec![[0, 1, 2]]).expect("a triangle"), broken })
    }
}

impl Vertices for Rising {
    fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    fn frames(&self) -> usize {
        5
    }

    fn read(
        &mut self,
        frame: usize,
        out: &mut Vec<DVec3>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        if self.broken && frame == 3 {
            return Err("cloth.0003.obj: no such file".into());
        }
        out.clear();
        out.extend(self.mesh.vertices().iter().map(|&v| v + DVec3::Z * frame as f64));
        Ok(())
    }
}

/// All points of an object on a stage.
pub(crate) fn points_of(stage: &Stage, object: u32) -> Vec<DVec3> {
    let mut all = Vec::new();
    let mut points = Vec::new();
    for piece in stage.pieces().filter(|piece| piece.object().0 == object) {
        piece.points(&mut points);
        all.extend_from_slice(&points);
    }
    all
}
