//! Bodies: skeletons, clips, skins, rigs and the carrying over of motions, against plain oracles
//! written here.

mod clips;
mod duals;
mod retargets;
mod rigs;
mod skeletons;
mod skins;

use elbowroom::Mesh;
use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
use elbowroom_testkit::random::Random;
use glam::{DQuat, DVec3};

/// Any direction and up to a whole turn.
fn any_rotation(random: &mut Random) -> DQuat {
    loop {
        let [x, y, z, w] = std::array::from_fn(|_| random.uniform(-1.0, 1.0));
        let q = DQuat::from_xyzw(x, y, z, w);
        if (0.01..1.0).contains(&q.length_squared()) {
            return q.normalize();
        }
    }
}

fn any_point(random: &mut Random) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.uniform(-1.0, 1.0)))
}

fn joint(name: &str, parent: Option<u32>, rest: Local) -> Joint {
    Joint { name: name.into(), parent: parent.map(JointId), rest }
}

/// A chain of joints one unit apart along x.
fn chain(joints: u32) -> Skeleton {
    let rest = Local::from_translation(DVec3::X);
    let all = (0..joints).map(|i| joint(&format!("j{i}"), i.checked_sub(1), rest)).collect();
    Skeleton::new(all).expect("a chain is a tree")
}

/// A mesh of points, whatever its triangles.
fn mesh_of(points: Vec<DVec3>) -> Mesh {
    Mesh::new(points, vec![[0, 0, 0]]).expect("a good mesh")
}
