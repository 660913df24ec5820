//! Biovision files: channels in any order, units, rest poses, and the captures that people use.

use std::collections::HashMap;
use std::io::Read;

use elbowroom_io::{Axis, ReadOptions, Source, biovision, read_document};
use elbowroom_motion::body::{JointId, Target};
use glam::{DMat3, DVec3};
use serde::Deserialize;

use super::common::{data, table};
use super::moments::Moments;

#[test]
fn channels_in_any_order_and_number() {
    let text = "\u{feff}HIERARCHY\r\nROOT Hips{\r\n\tOFFSET 0 1e0 0\r\n\tCHANNELS 4 Zrotation Xposition Yrotation Xrotation\r\n\
        \tJOINT Left Arm\r\n\t{\r\n OFFSET .5 0 0 CHANNELS 3 XROTATION xrotation Yposition\r\n\
        \tEnd Site\r\n{ OFFSET 0 2 0 } } JOINT Left Arm { OFFSET 0 0 1 CHANNELS 0 } }\r\n\
        ROOT Prop { OFFSET 0 0 0 CHANNELS 1 Zposition }\r\n\
        MOTION\r\nFrames:\t2\r\nFrame Time: .5\r\n30 1 20 10 5 6\r\n 7 8 0 0 0 0\r\n0 0 0 9";
    let motion = biovision::read(text.as_bytes(), false).unwrap();
    let joints = motion.rig.skeleton.joints();
    let names: Vec<_> = joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["Hips", "Left Arm", "Left Arm.2", "Prop"]);
    assert_eq!((joints[2].parent, joints[3].parent), (Some(JointId(0)), None));
    assert_eq!(motion.ends, [(JointId(1), DVec3::new(0.0, 2.0, 0.0))]);
    assert_eq!((motion.frames, motion.frame_secs), (2, 0.5));
    assert_eq!(motion.notes.len(), 2, "{:?}", motion.notes);
    let mut pose = motion.rig.rest_pose();
    let clip = &motion.rig.clips[0];
    clip.sample(0.0, &mut pose);
    let degrees = |angle: f64| angle.to_radians();
    let expected = DMat3::from_rotation_z(degrees(30.0))
        * DMat3::from_rotation_y(degrees(20.0))
        * DMat3::from_rotation_x(degrees(10.0));
    assert!(DMat3::from_quat(pose.locals[0].rotation).abs_diff_eq(expected, 1e-15));
    // Added to the offset at a root, in its place elsewhere.
    assert_eq!(pose.locals[0].translation, DVec3::new(1.0, 1.0, 0.0));
    assert_eq!(pose.locals[1].translation, DVec3::new(0.5, 7.0, 0.0));
    assert!(
        DMat3::from_quat(pose.locals[1].rotation)
            .abs_diff_eq(DMat3::from_rotation_x(degrees(11.0)), 1e-15)
    );
    clip.sample(0.5, &mut pose);
    assert_eq!(pose.locals[3].translation, DVec3::new(0.0, 0.0, 9.0));
    assert!(!clip.tracks().iter().any(|track| track.target == Target::Rotation(JointId(2))));
}

#[test]
fn a_skeleton_without_motion() {
    let text = "HIERARCHY\nROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation }\nMOTION\nFrames: 0\nFrame Time: 1\n";
    let motion = biovision::read(text.as_bytes(), true).unwrap();
    assert!(motion.rig.clips.is_empty() && motion.frames == 0);
    // No channels and a billion frames take no time.
    let text = "HIERARCHY\nROOT a { OFFSET 0 0 0 }\nMOTION\nFrames: 1000000000000\nFrame Time: 1\n";
    assert!(biovision::read(text.as_bytes(), false).unwrap().rig.clips.is_empty());
}

/// The rows `… N frames @F fps, J joints` of the list.
fn listed(manifest: &str) -> HashMap<&str, (usize, f64, usize)> {
    manifest
        .lines()
        .filter_map(|line| {
            let mut cells = line.split('|').map(str::trim).skip(1);
            let (file, content) = (cells.next()?, cells.nth(1)?);
            let (_, frames) = content.split_once(" s, ")?;
            let (frames, rest) = frames.split_once(" frames @")?;
            let (fps, rest) = rest.split_once(" fps, ")?;
            let (joints, _) = rest.split_once(" joints")?;
            Some((file, (frames.parse().ok()?, fps.parse().ok()?, joints.parse().ok()?)))
        })
        .collect()
}

#[test]
fn every_capture_of_the_data_folder_loads() {
    let Some(data) = data("every_capture_of_the_data_folder_loads") else { return };
    let manifest = std::fs::read_to_string(data.join("MANIFEST.md")).unwrap();
    let listed = listed(&manifest);
    let options = ReadOptions { skip_rest_frame: true, ..ReadOptions::default() };
    let mut loaded = 0;
    for folder in ["short", "long", "two_person"] {
        for entry in std::fs::read_dir(data.join("mocap").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("mocap/{folder}/{}", path.file_name().unwrap().to_str().unwrap());
            let (frames, fps, joints) = listed[name.as_str()];
            let document = read_document(&path, &options).unwrap_or_else(|error| panic!("{error}"));
            let rig = &document.rigs[0];
            assert_eq!(rig.skeleton.len(), joints, "{name}");
            // The first frame of every one is a rest pose, by the list.
            let track = &rig.clips[0].tracks()[0];
            assert_eq!(track.times.len() + 1, frames, "{name}: {:?}", document.notes);
            // What is left of it stays where it was in time.
            assert!((1.0 / track.times[0] - fps).abs() < 0.01, "{name}");
            assert!((2.0 / track.times[1] - fps).abs() < 0.01, "{name}");
            assert_eq!((document.units.source, document.up.axis), (Source::Assumed, Axis::Y));
            assert!((document.units.metres_per_unit - 0.056_444).abs() < 1e-6, "{name}");
            loaded += 1;
        }
    }
    assert_eq!(loaded, 51 + 14 + 14);
}

/// A capture that begins with its frame `first`.
fn begun_at(text: &str, first: usize) -> String {
    let (head, motion) = text.split_once("Frames:").unwrap();
    let mut lines = motion.lines();
    let frames: usize = lines.next().unwrap().trim().parse().unwrap();
    let time = lines.next().unwrap();
    let rows: Vec<&str> = lines.skip(first).collect();
    format!("{head}Frames: {}\n{time}\n{}\n", frames - first, rows.join("\n"))
}

/// A motion that only begins is no rest pose, not even where a joint jumps by a glitch of the
/// capture.
#[test]
fn what_only_begins_is_no_rest_frame() {
    let Some(data) = data("what_only_begins_is_no_rest_frame") else { return };
    let read = |file: &str, first: usize| {
        let packed = std::fs::read(data.join("mocap").join(file)).unwrap();
        let mut text = String::new();
        flate2::read::GzDecoder::new(packed.as_slice()).read_to_string(&mut text).unwrap();
        biovision::read(begun_at(&text, first).as_bytes(), true).unwrap()
    };
    let starts = [
        ("short/02_01.bvh.gz", 1),
        ("short/35_29.bvh.gz", 3),
        ("short/83_68.bvh.gz", 349),
        ("two_person/23_09.bvh.gz", 295),
    ];
    for (file, first) in starts {
        let motion = read(file, first);
        assert_eq!(motion.rest_frame, None, "{file} from {first}");
        assert_eq!(motion.notes, ["frame 0 is no rest pose put in front, so it was kept"]);
        assert_eq!(motion.rig.clips[0].tracks()[0].times.len(), motion.frames);
    }
    assert!(read("short/02_01.bvh.gz", 0).rest_frame.is_some());
}

#[test]
fn kept_rest_frames_are_noted() {
    let Some(data) = data("kept_rest_frames_are_noted") else { return };
    let path = data.join("mocap/short/02_01.bvh.gz");
    let document = read_document(&path, &ReadOptions::default()).unwrap();
    assert_eq!(document.rigs[0].clips[0].tracks()[0].times.len(), 344);
    assert!(
        document
            .notes
            .iter()
            .any(|note| note.contains("looks like a rest pose put in front; it is kept")),
        "{:?}",
        document.notes
    );
    let pose = |time: f64| {
        let mut pose = document.rigs[0].rest_pose();
        document.rigs[0].clips[0].sample(time, &mut pose);
        pose
    };
    let frame_one = document.rigs[0].clips[0].tracks()[0].times[1];
    let hips = pose(frame_one).locals[0].translation;
    assert!((hips - DVec3::new(10.4194, 16.7048, -30.1003)).length() < 1e-9, "{hips}");
    let document =
        read_document(&path, &ReadOptions { units: Some(0.01), ..ReadOptions::default() }).unwrap();
    assert_eq!((document.units.metres_per_unit, document.units.source), (0.01, Source::Said));
}

/// Where the left toes are in a frame, and the moments of all joints. The table is made by
/// `reference_values.py`.
#[derive(Deserialize)]
struct Placed {
    file: String,
    frame: usize,
    toes: [f64; 3],
    sums: [f64; 9],
}

#[test]
fn joints_stand_where_matrices_put_them() {
    let Some(data) = data("joints_stand_where_matrices_put_them") else { return };
    let mut compared = 0;
    let table: Vec<Placed> = table(include_str!("mocap_values.json"));
    for Placed { file, frame, toes, sums } in &table {
        let document = read_document(&data.join(file), &ReadOptions::default()).unwrap();
        let rig = &document.rigs[0];
        let (mut pose, mut world) = (rig.rest_pose(), Vec::new());
        let time = rig.clips[0].tracks()[0].times[*frame];
        rig.clips[0].sample(time, &mut pose);
        rig.skeleton.world(&pose, &mut world);
        let found = world[rig.skeleton.find("LeftToeBase").unwrap().0 as usize].translation;
        assert!((found - DVec3::from_array(*toes)).length() < 1e-10, "{file} {frame}: {found}");
        let mut moments = Moments::default();
        for joint in &world {
            moments.add_frame(*joint);
        }
        // Squares of some 30 units each.
        assert!(moments.off(sums) < 1e-9, "{file} {frame}: {}", moments.off(sums));
        compared += world.len();
    }
    assert_eq!(compared, 6 * 31);
}
