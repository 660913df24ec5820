//! How fast bodies are posed on one core, and how that depends on the mesh, the influences and the
//! instruction set.
//!
//!     cargo bench -p elbowroom --bench skin
//!
//! A column of joints carries a tube of vertices; each hangs on joints next to it, as on real
//! bodies, or on any ("scattered", the worst case for the caches). Every level must give the same
//! bits, and that is checked.

use std::hint::black_box;
use std::time::Instant;

use elbowroom::Mesh;
use elbowroom::internal::arch::SimdLevel;
use elbowroom_motion::body::{
    Blend, Clip, Hold, Influence, Interpolation, Joint, JointId, Local, Part, Poser, Rig, Skeleton,
    SkeletonPose, Skin, Target, Track,
};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DQuat, DVec3};

const JOINTS: u32 = 64;

fn skeleton() -> Skeleton {
    let joint = |i: u32| Joint {
        name: format!("joint {i}"),
        parent: i.checked_sub(1).map(JointId),
        rest: Local::from_translation(DVec3::new(0.0, 0.03, 0.0)),
    };
    Skeleton::new((0..JOINTS).map(joint).collect()).expect("a chain is a tree")
}

fn rig(vertices: u32, influences: u32, scattered: bool, blend: Blend) -> Rig {
    let mut random = Random::new(5);
    let skeleton = skeleton();
    let mut world = Vec::new();
    skeleton.world(&skeleton.rest_pose(), &mut world);
    let binds: Vec<DAffine3> = world.iter().map(DAffine3::inverse).collect();
    let points: Vec<DVec3> = (0..vertices)
        .map(|i| {
            let height = 0.03 * f64::from(JOINTS) * f64::from(i) / f64::from(vertices);
            DVec3::new(random.uniform(-0.2, 0.2), height, random.uniform(-0.2, 0.2))
        })
        .collect();
    let mut list = Vec::new();
    for i in 0..vertices {
        let near = u64::from(i) * u64::from(JOINTS - influences) / u64::from(vertices);
        for k in 0..influences {
            let joint = if scattered {
                random.below(u64::from(JOINTS)) as u16
            } else {
                near as u16 + k as u16
            };
            list.push(Influence { joint, weight: random.uniform(0.05, 1.0) as f32 });
        }
    }
    let offsets = (0..=vertices).map(|i| i * influences).collect();
    let joints = (0..JOINTS).map(JointId).collect();
    let skin = Skin::new(joints, binds, offsets, list).expect("a good skin").with_blend(blend);
    let mesh = Mesh::new(points, vec![[0, 1, 2]]).expect("a good mesh");
    let mut rig = Rig::new("tube", skeleton);
    rig.parts.push(Part::new("tube", mesh, Hold::Skinned(skin)));
    rig.validate().expect("a good rig");
    rig
}

fn bent(rig: &Rig) -> SkeletonPose {
    let mut pose = rig.rest_pose();
    for (i, local) in pose.locals.iter_mut().enumerate() {
        local.rotation = DQuat::from_rotation_x(0.05 * (i as f64 % 5.0 - 2.0));
    }
    pose
}

/// The best of 300 rounds of about a millisecond each, in calls a second: short, so that on a busy
/// machine some are not interrupted.
fn rate(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    call();
    let calls = (1e-3 / start.elapsed().as_secs_f64().max(1e-7)).ceil();
    let best = (0..300)
        .map(|_| {
            let start = Instant::now();
            let mut done = 0.0;
            while done < calls {
                call();
                done += 1.0;
            }
            start.elapsed().as_secs_f64() / calls
        })
        .fold(f64::INFINITY, f64::min);
    1.0 / best
}

fn skinning(name: &str, vertices: u32, rig: &Rig) {
    let pose = bent(rig);
    let mut first: Option<Vec<DVec3>> = None;
    print!("{name:>28} {vertices:>9}");
    // Wider than AVX2 is of no use to skinning, and runs the same code.
    for level in [SimdLevel::Portable, SimdLevel::Avx2] {
        if !level.is_here() {
            print!(" {:>9}", "absent");
            continue;
        }
        let (mut poser, mut out) = (Poser::with_level(level), Vec::new());
        poser.set(rig, &pose);
        let per_second = rate(|| poser.part(black_box(rig), 0, &mut out));
        print!(" {:>9.1}", per_second * f64::from(vertices) / 1e6);
        let bits = first.get_or_insert_with(|| out.clone());
        assert!(*bits == out, "{level:?} gives other bits");
    }
    println!();
}

fn kinematics() {
    let rig = rig(3, 1, false, Blend::Linear);
    let keys = 1000;
    let times: Vec<f64> = (0..keys).map(|i| f64::from(i) / 60.0).collect();
    let mut random = Random::new(6);
    let track = |joint| Track {
        target: Target::Rotation(JointId(joint)),
        interpolation: Interpolation::Linear,
        times: times.clone(),
        values: (0..4 * keys).map(|_| random.uniform(-1.0, 1.0)).collect(),
    };
    let clip = Clip::new("noise".into(), (0..JOINTS).map(track).collect()).expect("a good clip");
    let (mut pose, mut poser, mut time) = (rig.rest_pose(), Poser::new(), 0.0);
    let sampling = rate(|| {
        time = (time + 0.011) % 16.0;
        clip.sample(black_box(time), &mut pose);
    });
    let forward = rate(|| poser.set(&rig, black_box(&pose)));
    let joints = f64::from(JOINTS);
    println!("{:>28} {:>9.1} million a second", "rotations sampled", sampling * joints / 1e6);
    println!("{:>28} {:>9.1} million a second", "joints placed", forward * joints / 1e6);
}

fn main() {
    println!("million vertices a second, one core, {JOINTS} joints");
    println!("{:>28} {:>9} {:>9} {:>9}", "", "vertices", "portable", "avx2");
    for vertices in [1_500, 15_000, 150_000, 1_500_000] {
        skinning("linear, 4 weights", vertices, &rig(vertices, 4, false, Blend::Linear));
    }
    let vertices = 15_000;
    skinning("linear, 4 scattered", vertices, &rig(vertices, 4, true, Blend::Linear));
    for count in [1, 2, 3, 8] {
        let rig = rig(vertices, count, false, Blend::Linear);
        skinning(&format!("linear, {count} weights"), vertices, &rig);
    }
    for count in [1, 4] {
        let rig = rig(vertices, count, false, Blend::DualQuaternion);
        skinning(&format!("dual quaternion, {count} weights"), vertices, &rig);
    }
    kinematics();
}
