//! Whatever the bytes are: something sound, or an error that says something; never a panic, and
//! never long.

use std::cell::Cell;

use elbowroom_io::{
    MeshFile, ParseError, ReadOptions, biovision, mjcf, npz, off, ply, threemf, trajectory, urdf,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestRunner;

use super::common::{npy, package, zip};

fn said(error: &ParseError, bytes: &[u8]) {
    assert!(!error.message().is_empty());
    assert!(error.message().len() < 1000, "{error}");
    assert!(error.line().is_none_or(|line| line <= bytes.len() + 1));
    assert!(error.byte().is_none_or(|byte| byte <= bytes.len()));
}

fn mesh(result: Result<MeshFile, ParseError>, bytes: &[u8]) -> bool {
    match result {
        Ok(file) => {
            let vertices = file.mesh.vertices();
            assert!(vertices.iter().all(|p| p.is_finite()));
            assert!(
                file.mesh
                    .triangles()
                    .iter()
                    .flatten()
                    .all(|&corner| (corner as usize) < vertices.len())
            );
            assert!(file.faces > 0 && file.faces <= file.mesh.triangles().len());
            true
        }
        Err(error) => {
            said(&error, bytes);
            false
        }
    }
}

fn document(result: Result<elbowroom_io::Document, ParseError>, bytes: &[u8]) -> bool {
    match result {
        Ok(document) => {
            for rig in &document.rigs {
                rig.validate().expect("what a reader hands out is sound");
            }
            true
        }
        Err(error) => {
            said(&error, bytes);
            false
        }
    }
}

/// The formats, by the places of their good files.
fn read(format: usize, bytes: &[u8]) -> bool {
    let options =
        ReadOptions { max_decoded_bytes: 8 << 20, skip_rest_frame: true, ..ReadOptions::default() };
    match format {
        0 | 1 => mesh(ply::parse(bytes), bytes),
        2 => mesh(off::parse(bytes), bytes),
        3 => mesh(threemf::parse(bytes), bytes),
        4 => document(biovision::parse(bytes, None, &options), bytes),
        5 => document(mjcf::parse(bytes, None, &options), bytes),
        6 => document(urdf::parse(bytes, None, &options), bytes),
        7 => {
            trajectory::parse(bytes).map_err(|error| said(&error, bytes)).is_ok_and(|crowd| {
                assert!(crowd.people.iter().all(|person| person.frames.is_sorted()
                    && person.frames.len() == person.positions.len()));
                true
            })
        }
        _ => npz::check(bytes).map_err(|error| said(&error, bytes)).is_ok(),
    }
}

const FORMATS: usize = 9;

fn good(format: usize) -> Vec<u8> {
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let text = match format {
        0 => ply.to_owned(),
        1 => {
            let mut bytes = ply.split("0 0 0").next().expect("a header").replace("ascii", "binary_little_endian").into_bytes();
            bytes.extend([0; 36]);
            bytes.push(3);
            bytes.extend([0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
            return bytes;
        }
        2 => "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n".to_owned(),
        3 => {
            return package(r#"<model unit="inch"><resources><object id="1"><mesh><vertices><vertex x="0" y="0" z="0"/></vertices><triangles><triangle v1="0" v2="0" v3="0"/></triangles></mesh></object><object id="2"><components><component objectid="1"/></components></object></resources><build><item objectid="2"/></build></model>"#);
        }
        4 => "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 4 Xposition Zrotation Yrotation Xrotation\nJOINT b { OFFSET 0 1 0\nCHANNELS 1 Zrotation\nEnd Site\n{\nOFFSET 0 1 0\n} }\n}\nMOTION\nFrames: 3\nFrame Time: 0.1\n0 0 0 0 1\n1 90 3 4 2\n1 91 3 4 5\n".to_owned(),
        5 => "<mujoco><compiler angle=\"radian\"/><default><geom size=\"0.1 0.1\"/><default class=\"c\"><joint axis=\"1 0 0\"/></default></default><worldbody><geom type=\"plane\" size=\"1 1 1\"/><replicate count=\"3\" offset=\"1 0 0\" euler=\"0 0 1\" sep=\"-\"><frame pos=\"1 2 3\"><body name=\"b\" childclass=\"c\"><freejoint/><geom type=\"capsule\" fromto=\"0 0 0 1 1 1\"/><body zaxis=\"1 1 1\"><joint range=\"-1 1\" ref=\"0.5\"/><geom/></body></body></frame></replicate></worldbody><keyframe><key qpos=\"0 0 0 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 1 0 0 0 0\"/></keyframe></mujoco>".to_owned(),
        6 => "<robot name=\"r\"><link name=\"a\"><collision><origin xyz=\"0 0 1\" rpy=\"1 0 0\"/><geometry><box size=\"1 2 3\"/></geometry></collision></link><link name=\"b\"><collision><geometry><cylinder radius=\"1\" length=\"2\"/></geometry></collision></link><link name=\"c\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><limit lower=\"-1\" upper=\"1\"/></joint><joint name=\"k\" type=\"prismatic\"><parent link=\"b\"/><child link=\"c\"/><mimic joint=\"j\" multiplier=\"2\"/></joint></robot>".to_owned(),
        7 => "# framerate: 25\n# id frame x/m y/m z/m\n1 0 1.5 2 1.7\n1 1 1.6 2 1.7\n2 1 0 0 1.8\n".to_owned(),
        _ => {
            let vertices = npy("<f4", false, &[2, 3, 3], &[0; 72]);
            let faces = npy("|u1", false, &[1, 3], &[0, 1, 2]);
            return zip(&[("vertices.npy", &vertices), ("faces.npy", &faces)], false);
        }
    };
    text.into_bytes()
}

/// Runs `check` on some inputs and says for how many it was true.
pub(crate) fn count<S: Strategy>(
    cases: u32,
    inputs: &S,
    check: impl Fn(S::Value) -> bool,
) -> usize {
    let held = Cell::new(0);
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) };
    let run = TestRunner::new(config).run(inputs, |input| {
        held.set(held.get() + usize::from(check(input)));
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    held.get()
}

#[test]
fn the_files_to_spoil_are_good() {
    for format in 0..FORMATS {
        assert!(read(format, &good(format)), "{format}");
    }
}

#[test]
fn spoilt_files() {
    for format in 0..FORMATS {
        let start = good(format);
        let change = (
            any::<Index>(),
            prop_oneof![any::<u8>(), select(b"0123456789 -.e<>\"{}#,\n".to_vec())],
        );
        let inputs = (vec(change, 0..5), option::weighted(0.3, any::<Index>()));
        let accepted = count(1500, &inputs, |(changes, cut)| {
            let mut bytes = start.clone();
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if let Some(cut) = cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            read(format, &bytes)
        });
        // Some stay good, most do not.
        assert!((50..1400).contains(&accepted), "{format}: {accepted}");
    }
}

/// Words moved about, doubled and replaced by ones that mean something.
#[test]
fn shuffled_words() {
    let spare = [
        "0",
        "-1",
        "1e308",
        "nan",
        "18446744073709551616",
        "{",
        "}",
        "#",
        "\"",
        "<a>",
        "ROOT",
        "CHANNELS",
        "list",
        "element",
        "OFF",
    ];
    for format in [0, 2, 4, 5, 6, 7] {
        let start = String::from_utf8(good(format)).expect("text");
        let words: Vec<String> =
            start.split_inclusive([' ', '\n', '>']).map(str::to_owned).collect();
        let word =
            prop_oneof![3 => select(words.clone()), 1 => select(spare.map(str::to_owned).to_vec())];
        let inputs = vec((any::<Index>(), word), 0..4);
        let accepted = count(800, &inputs, |changes| {
            let mut words = words.clone();
            for (at, word) in changes {
                let at = at.index(words.len());
                words[at] = word;
            }
            read(format, words.concat().as_bytes())
        });
        assert!((50..800).contains(&accepted), "{format}: {accepted}");
    }
}

#[test]
fn arbitrary_bytes() {
    let accepted = count(1000, &vec(any::<u8>(), 0..300), |bytes| {
        (0..FORMATS).any(|format| read(format, &bytes))
    });
    assert_eq!(accepted, 0, "noise is nothing");
}
