//! The gaits: loops, feet, opposition of arms and legs.

use elbowroom_make::body::{Gait, Move};
use elbowroom_motion::body::{Clip, Hold, Rig, SkeletonPose};
use glam::{DAffine3, DQuat, DVec3, Vec3Swizzles as _};

use super::{both, posed};

fn gait(rig: &Rig, motion: Move) -> Gait {
    Gait::of(&rig.skeleton, motion).expect("our own skeleton")
}

fn at(rig: &Rig, gait: &Gait, time: f64) -> SkeletonPose {
    let mut pose = rig.rest_pose();
    let period = gait.clip.seconds();
    gait.clip.sample(time - period * (time / period).floor(), &mut pose);
    pose
}

fn joint(rig: &Rig, pose: &SkeletonPose, name: &str) -> DVec3 {
    let mut world = Vec::new();
    rig.skeleton.world(pose, &mut world);
    world[rig.skeleton.find(name).expect(name).index()].translation
}

/// Vertices of the left foot.
fn left_foot(rig: &Rig) -> Vec<usize> {
    let Hold::Skinned(skin) = &rig.parts[0].hold else { panic!("no skin") };
    let names = ["LeftFoot", "LeftToeBase"];
    let joints = names.map(|name| rig.skeleton.find(name).expect(name));
    let count = rig.parts[0].mesh.vertices().len();
    (0..count).filter(|&v| joints.contains(&skin.dominant(v as u32))).collect()
}

#[test]
fn rigs_carry_all_clips_and_they_end_as_they_begin() {
    for rig in both() {
        let names: Vec<&str> = rig.clips.iter().map(Clip::name).collect();
        assert_eq!(names, Move::ALL.map(Move::name));
        for clip in &rig.clips {
            let [mut first, mut last] = [rig.rest_pose(), rig.rest_pose()];
            clip.sample(0.0, &mut first);
            clip.sample(clip.seconds(), &mut last);
            for (a, b) in first.locals.iter().zip(&last.locals) {
                assert_eq!(a.translation, b.translation, "{}", clip.name());
                assert!(a.rotation.dot(b.rotation).abs() > 1.0 - 1e-12, "{}", clip.name());
            }
        }
    }
}

#[test]
fn nothing_jumps_from_key_to_key() {
    for rig in both() {
        for motion in Move::ALL {
            let gait = gait(rig, motion);
            let mut fastest: f64 = 0.0;
            let mut last = posed(rig, &at(rig, &gait, 0.0));
            for frame in 1..=60 {
                let time = gait.clip.seconds() * f64::from(frame) / 60.0;
                let next = posed(rig, &at(rig, &gait, time));
                let most = next.iter().zip(&last).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
                fastest = fastest.max(most / (gait.clip.seconds() / 60.0));
                last = next;
            }
            assert!(fastest < 6.0, "{motion:?}: {fastest} m/s");
        }
    }
}

#[test]
fn soles_stay_above_the_floor_and_feet_on_it_stand_still() {
    let mut met = 0;
    for rig in both() {
        let foot = left_foot(rig);
        for motion in Move::ALL {
            let gait = gait(rig, motion);
            let in_world = |time: f64| -> Vec<DVec3> {
                let (place, heading) = gait.travelled(time);
                let turn = DQuat::from_rotation_y(heading);
                let world_from_body = DAffine3::from_rotation_translation(turn, place);
                let points = posed(rig, &at(rig, &gait, time));
                foot.iter().map(|&v| world_from_body.transform_point3(points[v])).collect()
            };
            let step = gait.clip.seconds() / 90.0;
            let mut last = in_world(0.0);
            let (mut lowest, mut slide, mut still, mut highest): (f64, f64, u32, f64) =
                (0.0, 0.0, 0, 0.0);
            for frame in 1..=90 {
                let next = in_world(step * f64::from(frame));
                let low = next.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
                (lowest, highest) = (lowest.min(low), highest.max(low));
                // The left foot lands at the start and stays for more than half of the period.
                let near = last.iter().zip(&next).filter(|(a, b)| a.y.max(b.y) < 0.004);
                for (a, b) in near.filter(|_| frame <= 50) {
                    slide = slide.max((b.xz() - a.xz()).length() / step);
                    still += 1;
                }
                last = next;
            }
            println!("{} {motion:?}: {lowest:.4} to {highest:.4} m, {slide:.3} m/s", rig.name);
            assert!(lowest > -0.01, "{motion:?}: a sole is {lowest} m below the floor");
            assert!(slide < 0.2, "{motion:?}: a foot slides at {slide} m/s");
            assert!(still > 500, "{motion:?}: vertices stand {still} times only");
            let steps = gait.velocity != DVec3::ZERO || gait.yaw_rate != 0.0;
            assert!((highest > 0.02) == steps, "{motion:?}: a foot is lifted by {highest} m");
            met += 1;
        }
    }
    assert_eq!(met, 18);
}

#[test]
fn walkers_land_on_the_heel_and_swing_arms_against_legs() {
    for rig in both() {
        let walk = gait(rig, Move::Walk);
        // The left heel lands at the start of the period.
        let landing = at(rig, &walk, 0.0);
        let [foot, toe] = ["LeftFoot", "LeftToeBase"].map(|name| joint(rig, &landing, name));
        let flat = at(rig, &walk, 0.25 * walk.clip.seconds());
        let [flat_foot, flat_toe] = ["LeftFoot", "LeftToeBase"].map(|name| joint(rig, &flat, name));
        assert!(toe.y - foot.y > flat_toe.y - flat_foot.y + 0.03, "toes are up as the heel lands");

        let mut opposed = 0;
        for frame in 0..60 {
            let pose = at(rig, &walk, walk.clip.seconds() * f64::from(frame) / 60.0);
            let ahead =
                |left: &str, right: &str| joint(rig, &pose, left).z - joint(rig, &pose, right).z;
            let (legs, arms) = (ahead("LeftFoot", "RightFoot"), ahead("LeftHand", "RightHand"));
            opposed += u32::from(legs * arms < 0.0);
            let hips = ahead("LeftUpLeg", "RightUpLeg") * ahead("LeftArm", "RightArm");
            assert!(hips < 1e-4, "the pelvis turns against the chest: {hips}");
        }
        assert!(opposed > 50, "{opposed} of 60");
        // Knees bend backward only: the knee is ahead of the line from hip to ankle.
        for frame in 0..60 {
            let pose = at(rig, &walk, walk.clip.seconds() * f64::from(frame) / 60.0);
            let [hip, knee, ankle] =
                ["LeftUpLeg", "LeftLeg", "LeftFoot"].map(|name| joint(rig, &pose, name));
            let share = (hip.y - knee.y) / (hip.y - ankle.y);
            assert!(knee.z > hip.z + share * (ankle.z - hip.z) - 0.01, "frame {frame}");
        }
    }
}

#[test]
fn a_travelling_walk_covers_its_way() {
    for rig in both() {
        let walk = gait(rig, Move::Walk);
        let clip = walk.travelling(10.0);
        let [mut first, mut last] = [rig.rest_pose(), rig.rest_pose()];
        clip.sample(0.0, &mut first);
        clip.sample(10.0, &mut last);
        let way = last.locals[0].translation.z - first.locals[0].translation.z;
        assert!((way - 10.0 * walk.velocity.z).abs() < 0.1, "{way}");
        let turn = gait(rig, Move::TurnLeft).travelled(1.0).1;
        assert!(turn > 1.0 && gait(rig, Move::TurnRight).travelled(1.0).1 == -turn);
        let (aside, _) = gait(rig, Move::StepLeft).travelled(2.0);
        assert!(aside.x > 0.5 && aside.z == 0.0, "left is where x grows: {aside}");
    }
}
