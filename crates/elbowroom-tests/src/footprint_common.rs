//! People to stand on a floor, and where they stand.

use elbowroom::internal::math::planar::Planar;
use elbowroom::{Mesh, Pose};
use elbowroom_make::body::{female, male};
use elbowroom_motion::body::{Poser, Rig};
use glam::{DMat3, DVec3};

/// This many men and as many women in the middle of what they do, upright along z, around the
/// origin.
pub fn people(each: usize) -> Vec<Mesh> {
    let pose_of = |rig: &Rig, k: usize| {
        let mut pose = rig.rest_pose();
        let clip = &rig.clips[k % rig.clips.len()];
        clip.sample(clip.start() + clip.seconds() * (0.37 * k as f64).fract(), &mut pose);
        let mut points = Vec::new();
        rig.posed(&pose, 0, &mut Poser::default(), &mut points);
        let middle = points.iter().sum::<DVec3>() / points.len() as f64;
        let upright = |p: &DVec3| DVec3::new(p.x - middle.x, middle.z - p.z, p.y);
        let points = points.iter().map(upright).collect();
        rig.parts[0].mesh.with_vertices(points).expect("a pose is finite")
    };
    let rigs = [male(), female()];
    rigs.iter().flat_map(|rig| (0..each).map(move |k| pose_of(rig, k))).collect()
}

/// That pose in space.
pub fn placement(planar: &Planar) -> Pose {
    let (cos, sin) = planar.turn();
    let turn = DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
    Pose::new(turn, planar.translation().extend(0.0)).expect("a turn about z")
}
