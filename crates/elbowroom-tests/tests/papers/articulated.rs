//! Bodies of links: their boxes against exact arithmetic, their answers against every pair of
//! links, decided in rational arithmetic.

mod answers;
mod axes;
mod degenerate;
mod depth;
mod enclosed;
mod errors;
mod lazy;
mod made;

use std::f64::consts::PI;
use std::sync::Arc;

use elbowroom::internal::model::Model;
use elbowroom::{Mesh, Pose};
use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
use elbowroom_papers::cab::{ArticulatedBody, Link};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DQuat, DVec3};

fn any_point(random: &mut Random) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.uniform(-1.0, 1.0)))
}

fn any_turn(random: &mut Random) -> DQuat {
    loop {
        let [x, y, z, w] = std::array::from_fn(|_| random.uniform(-1.0, 1.0));
        let q = DQuat::from_xyzw(x, y, z, w);
        if (0.01..1.0).contains(&q.length_squared()) {
            return q.normalize();
        }
    }
}

/// A box from the origin along x, so long and so thick; it may be flat, a segment or a point.
fn bar(length: f64, width: f64, thickness: f64) -> Mesh {
    let corner = |i: u32| {
        let side = |bit: u32| f64::from(i >> bit & 1);
        let (y, z) = (side(1) - 0.5, side(2) - 0.5);
        DVec3::new(side(0) * length, y * width, z * thickness)
    };
    let squares: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Mesh::from_polygons((0..8).map(corner).collect(), squares.iter().map(<[u32; 4]>::as_slice))
        .expect("a box is a mesh")
}

fn tetrahedron(random: &mut Random) -> Mesh {
    let corners = (0..4).map(|_| 0.7 * any_point(random)).collect();
    Mesh::new(corners, vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]).expect("a mesh")
}

fn link(joint: u32, mesh: Mesh, joint_from_link: Pose) -> Link {
    let name = format!("link on {joint}");
    Link { joint: JointId(joint), model: Arc::new(Model::new(mesh)), joint_from_link, name }
}

fn skeleton(parents: &[Option<u32>], rests: &[DVec3]) -> Skeleton {
    let joint = |(i, (parent, &rest)): (usize, (&Option<u32>, &DVec3))| Joint {
        name: format!("joint {i}"),
        parent: parent.map(JointId),
        rest: Local::from_translation(rest),
    };
    let joints = parents.iter().zip(rests).enumerate().map(joint).collect();
    Skeleton::new(joints).expect("a forest")
}

/// A body of any shape: chains, branches, several roots, joints that carry nothing or several
/// links; bars, plates, segments, points and tetrahedra.
fn any_body(random: &mut Random, joints: u32) -> (Skeleton, Arc<ArticulatedBody>) {
    let parent = |random: &mut Random, i: u32| match random.below(10) {
        _ if i == 0 => None,
        0 => None,
        1..=5 => Some(i - 1),
        _ => Some(random.below(u64::from(i)) as u32),
    };
    let parents: Vec<_> = (0..joints).map(|i| parent(random, i)).collect();
    let lengths: Vec<f64> = (0..joints)
        .map(|_| if random.one_in(8) { 0.0 } else { random.uniform(0.4, 1.6) })
        .collect();
    let rest = |i: usize| parents[i].map_or(0.0, |p: u32| lengths[p as usize]) * DVec3::X;
    let rests: Vec<DVec3> = (0..joints as usize).map(rest).collect();
    let mut links = Vec::new();
    for (joint, &length) in (0..joints).zip(&lengths) {
        let count = [0, 1, 1, 1, 1, 1, 2][random.below(7) as usize];
        for _ in 0..count {
            let thick = random.uniform(0.05, 0.3);
            let mesh = match random.below(6) {
                0 => bar(length, thick, 0.0),
                1 => bar(length, 0.0, 0.0),
                2 => tetrahedron(random),
                _ => bar(length, thick, random.uniform(0.05, 0.3)),
            };
            let place = if random.one_in(4) {
                Pose::from_quat(any_turn(random), 0.3 * any_point(random)).expect("rigid")
            } else {
                Pose::IDENTITY
            };
            links.push(link(joint, mesh, place));
        }
    }
    if links.is_empty() {
        links.push(link(0, bar(1.0, 0.1, 0.1), Pose::IDENTITY));
    }
    let skeleton = skeleton(&parents, &rests);
    let articulation = ArticulatedBody::new(&skeleton, links).expect("good links");
    (skeleton, Arc::new(articulation))
}

/// What a pose is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bend {
    /// Every joint turned in any way.
    Any,
    /// All limbs straight: the axes of neighbours are parallel.
    Straight,
    /// Every limb folded back on the one before.
    Folded,
    /// A little bent, about where axes count as parallel.
    Slight,
}

const BENDS: [Bend; 4] = [Bend::Any, Bend::Straight, Bend::Folded, Bend::Slight];

/// `world_from_joint` for a pose of a kind; roots stand within a distance of a place.
fn pose(
    random: &mut Random,
    skeleton: &Skeleton,
    bend: Bend,
    (place, spread): (DVec3, f64),
) -> Vec<DAffine3> {
    let mut pose = skeleton.rest_pose();
    for (local, joint) in pose.locals.iter_mut().zip(skeleton.joints()) {
        local.rotation = match bend {
            Bend::Any => any_turn(random),
            Bend::Straight => DQuat::IDENTITY,
            Bend::Folded => DQuat::from_rotation_z(PI),
            Bend::Slight => DQuat::from_rotation_z(random.uniform(0.0, 0.02)),
        };
        if joint.parent.is_none() {
            local.rotation = any_turn(random);
            local.translation = place + spread * any_point(random);
        }
    }
    let mut world = Vec::new();
    skeleton.world(&pose, &mut world);
    world
}
