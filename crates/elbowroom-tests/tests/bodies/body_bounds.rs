//! Boxes from joints alone hold every vertex that skinning makes, in whatever pose.

use elbowroom::Mesh;
use elbowroom::internal::volume::Aabb;
use elbowroom::internal::volume::Volume;
use elbowroom_make::body::{female, male};
use elbowroom_motion::body::{
    Blend, Bounds, Hold, Influence, Joint, JointId, Local, Morph, Part, Poser, Rig, Skeleton,
    SkeletonPose, Skin,
};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DQuat, DVec3};

fn rotation(random: &mut Random, most: f64) -> DQuat {
    let mut number = || random.uniform(-1.0, 1.0);
    let axis = DVec3::new(number(), number(), number()).normalize_or(DVec3::X);
    DQuat::from_axis_angle(axis, random.uniform(-most, most))
}

fn place(random: &mut Random, far: f64) -> DAffine3 {
    let mut number = || random.uniform(-far, far);
    let at = DVec3::new(number(), number(), number());
    DAffine3::from_rotation_translation(rotation(random, 3.0), at)
}

/// Checks one pose; how many vertices it has, and how much larger boxes are than they need to be,
/// in the sum of their widths.
fn check(rig: &Rig, bounds: &mut Bounds, pose: &SkeletonPose, world: &DAffine3) -> (usize, f64) {
    let (mut poser, mut points) = (Poser::new(), Vec::new());
    poser.set_placed(rig, pose, world);
    bounds.pose_morphed(poser.world(), &pose.weights);
    let mut tight = vec![Aabb::of_points(&[]); bounds.boxes().len()];
    let mut count = 0;
    for part in 0..rig.parts.len() {
        poser.part(rig, part, &mut points);
        for (point, &cluster) in points.iter().zip(bounds.clusters_of(part)) {
            for held in [&bounds.boxes()[cluster as usize], bounds.whole()] {
                let is_in = held.min.cmple(*point).all() && point.cmple(held.max).all();
                assert!(is_in, "{point} is not in {held:?} of cluster {cluster}");
            }
            let tight = &mut tight[cluster as usize];
            *tight = tight.merged(&Aabb::of_points(&[*point]));
            count += 1;
        }
    }
    let widths = |boxes: &[Aabb]| boxes.iter().map(|b| (b.max - b.min).element_sum()).sum::<f64>();
    (count, widths(bounds.boxes()) / widths(&tight))
}

#[test]
fn people_are_held_closely_in_every_pose() {
    let mut random = Random::new(1);
    let (mut met, mut gait, mut poses) = (0, 0.0, 0.0);
    for rig in [male(), female()] {
        let mut bounds = Bounds::new(&rig);
        assert!((31..80).contains(&bounds.clusters().len()), "{}", bounds.clusters().len());
        for clip in &rig.clips {
            for k in 0..4 {
                let mut pose = rig.rest_pose();
                clip.sample(0.27 * f64::from(k), &mut pose);
                let world = place(&mut random, 50.0);
                let (count, larger) = check(&rig, &mut bounds, &pose, &world);
                met += count;
                gait += larger;
                poses += 1.0;
            }
        }
        // Joints as no one can bend them.
        for round in 0..40 {
            let mut pose = rig.rest_pose();
            for local in &mut pose.locals {
                local.rotation = rotation(&mut random, 3.0) * local.rotation;
                if round % 2 == 0 {
                    local.scale = DVec3::new(random.uniform(-2.0, 2.0), 1.1, 0.7);
                }
            }
            let far = [1.0, 1e3, 1e9, 1e-9][round % 4];
            met += check(&rig, &mut bounds, &pose, &place(&mut random, far)).0;
        }
    }
    assert!(met > 200_000, "{met}");
    // Loose by what blending at joints costs, no more.
    assert!(gait / poses < 1.5, "{}", gait / poses);
}

/// A cloud of points on a chain of joints, all over the place, with a morph.
fn cloud(random: &mut Random, blend: Blend, size: f64) -> Rig {
    let joint = |k: u32| Joint {
        name: format!("j{k}"),
        parent: k.checked_sub(1).map(JointId),
        rest: Local::from_translation(DVec3::new(0.3, 1.0, -0.2) * size),
    };
    let skeleton = Skeleton::new((0..9).map(joint).collect()).expect("a chain");
    let mut world = Vec::new();
    skeleton.world(&skeleton.rest_pose(), &mut world);
    let binds = world.iter().map(DAffine3::inverse).collect();
    let (mut offsets, mut influences) = (vec![0], Vec::new());
    for _ in 0..60 {
        for k in 0..=random.below(9) {
            let weight = if random.one_in(7) && k > 0 { 0.0 } else { random.uniform(0.001, 1.0) };
            influences.push(Influence { joint: random.below(9) as u16, weight: weight as f32 });
        }
        offsets.push(influences.len() as u32);
    }
    let skin = Skin::new((0..9).map(JointId).collect(), binds, offsets, influences);
    let skin = skin.expect("a skin").with_blend(blend);
    let mut point = || DVec3::from_array([0; 3].map(|_: u8| random.uniform(-9.0, 9.0) * size));
    let points: Vec<DVec3> = (0..60).map(|_| point()).collect();
    let offsets = (0..60).map(|_| point()).collect();
    let triangles: Vec<[u32; 3]> = (0..20).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let mesh = Mesh::new(points, triangles).expect("a mesh");
    let mut rig = Rig::new("cloud", skeleton);
    let mut part = Part::new("soft", mesh.clone(), Hold::Skinned(skin));
    part.morphs.push(Morph { name: "grow".into(), offsets });
    part.morph_weights.push(0.25);
    rig.parts.push(part);
    rig.parts.push(Part::new("hard", mesh, Hold::Rigid(JointId(4))));
    rig.validate().expect("a rig");
    rig
}

#[test]
fn anything_that_is_blended_linearly_is_held() {
    let mut random = Random::new(2);
    let mut met = 0;
    for round in 0..200 {
        let size = [1.0, 1e-150, 1e6, 1e150][round % 4];
        let rig = cloud(&mut random, Blend::Linear, size);
        let mut bounds = Bounds::new(&rig);
        let mut pose = rig.rest_pose();
        for local in &mut pose.locals {
            local.rotation = rotation(&mut random, 3.0);
            local.scale = DVec3::from_array([0; 3].map(|_: u8| random.uniform(-3.0, 3.0)));
        }
        pose.weights[0][0] = random.uniform(-4.0, 4.0);
        met += check(&rig, &mut bounds, &pose, &place(&mut random, 5.0 * size)).0;
        // Weights that are not given are the part's own.
        pose.weights.clear();
        met += check(&rig, &mut bounds, &pose, &DAffine3::IDENTITY).0;
    }
    assert_eq!(met, 48_000);
}

#[test]
fn dual_quaternions_and_what_is_too_large_are_held_by_boxes_without_end() {
    let mut random = Random::new(3);
    let rig = cloud(&mut random, Blend::DualQuaternion, 1.0);
    let mut bounds = Bounds::new(&rig);
    check(&rig, &mut bounds, &rig.rest_pose(), &DAffine3::IDENTITY);
    let soft = bounds.clusters_of(0)[0] as usize;
    let hard = bounds.clusters_of(1)[0] as usize;
    assert_eq!(bounds.boxes()[soft].max, DVec3::MAX);
    assert!(bounds.boxes()[hard].max.max_element() < 100.0);
    let rig = cloud(&mut random, Blend::Linear, 1.0);
    let mut bounds = Bounds::new(&rig);
    let mut world = vec![DAffine3::IDENTITY; 9];
    world[4].translation.x = f64::INFINITY;
    bounds.pose(&world);
    assert_eq!(bounds.whole().max, DVec3::MAX);
    // Nothing is anywhere.
    let bare = Rig::new("bare", rig.skeleton.clone());
    let mut none = Bounds::new(&bare);
    none.pose(&world);
    assert!(none.boxes().is_empty() && !none.may_meet(&bounds) && !bounds.may_meet(&none));
}

#[test]
fn who_is_apart_by_boxes_is_apart() {
    let man = male();
    let mut random = Random::new(4);
    let [mut a, mut b] = [Bounds::new(&man), Bounds::new(&man)];
    let (mut apart, mut meet) = (0, 0);
    for _ in 0..300 {
        let posed = [&mut a, &mut b].map(|bounds| {
            let mut pose = man.rest_pose();
            man.clips[random.below(4) as usize].sample(random.uniform(0.0, 1.0), &mut pose);
            let at = DVec3::new(random.uniform(-0.5, 0.5), 0.0, random.uniform(-0.5, 0.5));
            let turn = DQuat::from_rotation_y(random.uniform(-3.0, 3.0));
            let (mut poser, mut points) = (Poser::new(), Vec::new());
            poser.set_placed(&man, &pose, &DAffine3::from_rotation_translation(turn, at));
            poser.part(&man, 0, &mut points);
            bounds.pose(poser.world());
            elbowroom::internal::model::Model::new(
                man.parts[0].mesh.with_vertices(points).expect("finite"),
            )
        });
        let here = elbowroom::Pose::IDENTITY;
        let touches = elbowroom::internal::query::intersects(&posed[0], &here, &posed[1], &here);
        let may_meet = a.may_meet(&b);
        assert!(may_meet || !touches);
        assert_eq!(may_meet, b.may_meet(&a));
        apart += u32::from(!may_meet);
        meet += u32::from(touches);
    }
    assert!(apart > 20 && meet > 50, "{apart} {meet}");
}
