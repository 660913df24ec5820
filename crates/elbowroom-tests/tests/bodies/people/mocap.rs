//! CMU mocap on our joints, name by name.

use std::f64::consts::PI;
use std::io::Read;
use std::path::Path;

use elbowroom_make::body::male;
use elbowroom_testkit::data::{shared_dir, skip_note};
use glam::{DQuat, DVec3};

use super::{both, posed};

/// A mocap file: the joints with their parents in order, and rotations Z, Y, X in degrees by frame;
/// the root's place first.
struct Film {
    joints: Vec<(String, Option<String>)>,
    frames: Vec<Vec<f64>>,
}

fn read(path: &Path) -> Film {
    let packed = std::fs::File::open(path).unwrap();
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(packed).read_to_string(&mut text).unwrap();
    let (head, motion) = text.split_once("MOTION").unwrap();
    let mut joints = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut last = String::new();
    for line in head.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("ROOT" | "JOINT") => {
                words.next().unwrap().clone_into(&mut last);
                joints.push((last.clone(), open.last().cloned()));
            }
            Some("{") => open.push(last.clone()),
            Some("}") => drop(open.pop()),
            _ => {}
        }
    }
    let numbers = |line: &str| line.split_whitespace().map(|n| n.parse().unwrap()).collect();
    let frames =
        motion.lines().filter(|line| line.starts_with(|c: char| "-.0123456789".contains(c)));
    Film { joints, frames: frames.map(numbers).collect() }
}

#[test]
fn joints_have_the_names_parents_and_order_of_the_mocap_files() {
    let Some(data) = shared_dir() else { return skip_note("joints_have_the_names") };
    let film = read(&data.join("mocap/short/07_01.bvh.gz"));
    let skeleton = &male().skeleton;
    let ours: Vec<(String, Option<String>)> = skeleton
        .joints()
        .iter()
        .map(|joint| {
            let parent = joint.parent.map(|p| skeleton.joints()[p.index()].name.clone());
            (joint.name.clone(), parent)
        })
        .collect();
    assert_eq!(ours, film.joints);
    assert_eq!(ours.len(), 31);
}

#[test]
fn mocap_walks_on_our_people() {
    let Some(data) = shared_dir() else { return skip_note("mocap_walks_on_our_people") };
    let mut met = 0;
    for name in ["short/07_01", "short/16_15", "short/69_17", "two_person/18_08"] {
        let film = read(&data.join(format!("mocap/{name}.bvh.gz")));
        for rig in both() {
            // The first frame is the pose of a tailor's dummy.
            for frame in film.frames[1..].iter().step_by(40) {
                let mut pose = rig.rest_pose();
                for (joint, angles) in frame[3..].chunks_exact(3).enumerate() {
                    let [z, y, x] = [angles[0], angles[1], angles[2]].map(|a| a * PI / 180.0);
                    pose.locals[joint].rotation = DQuat::from_rotation_z(z)
                        * DQuat::from_rotation_y(y)
                        * DQuat::from_rotation_x(x);
                }
                let points = posed(rig, &pose);
                let (low, high) =
                    points.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| {
                        (l.min(*p), h.max(*p))
                    });
                let height = rig.parts[0].mesh.bounds().max.y;
                // They are all upright: no taller than they stand, no lower than half a crouch.
                let tall = (high.y - low.y) / height;
                assert!((0.85..1.03).contains(&tall), "{name}: {tall}");
                met += 1;
            }
        }
    }
    assert!(met > 100, "{met} poses");
}
