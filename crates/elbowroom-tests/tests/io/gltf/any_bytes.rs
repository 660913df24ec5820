//! Whatever the bytes are: a rig that is sound, or an error that says something; never a panic, and
//! never more memory than was allowed.

use elbowroom_io::{Document, ParseError, ReadOptions, gltf};
use elbowroom_motion::body::Poser;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

use super::common::{Builder, glb, hard_rig};
use crate::formats::any_bytes::count;

/// Whether the bytes were accepted; what is accepted must hold together.
fn sound(result: Result<Document, ParseError>) -> bool {
    let document = match result {
        Ok(document) => document,
        Err(error) => {
            assert!(!error.message().is_empty() && error.message().len() < 600, "{error}");
            return false;
        }
    };
    assert!(document.notes.len() <= 60);
    for rig in &document.rigs {
        rig.validate().expect("a reader validates");
        let (mut poser, mut pose, mut out) = (Poser::new(), rig.rest_pose(), Vec::new());
        for clip in &rig.clips {
            clip.sample(clip.start() + 0.4 * clip.seconds(), &mut pose);
        }
        for part in 0..rig.parts.len() {
            rig.posed(&pose, part, &mut poser, &mut out);
            assert_eq!(out.len(), rig.parts[part].mesh.vertices().len());
        }
    }
    true
}

fn read(bytes: &[u8]) -> bool {
    let options = ReadOptions { max_decoded_bytes: 16 << 20, ..ReadOptions::default() };
    sound(gltf::parse(bytes, None, &options))
}

/// Files that read well, each to be spoilt.
fn good_files() -> Vec<Vec<u8>> {
    let hard = elbowroom_io::glb_out::to_bytes(&[hard_rig()]).unwrap();
    vec![hard, Builder::skinned([0; 12], [0.25; 12]).glb(), Builder::moving().glb()]
}

#[test]
fn the_files_to_spoil_are_good() {
    assert!(good_files().iter().all(|file| read(file)));
}

#[test]
fn spoilt_bytes() {
    let inputs = (select(good_files()), vec((any::<Index>(), any::<u8>()), 1..6));
    let accepted = count(3000, &inputs, |(mut bytes, changes)| {
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        read(&bytes)
    });
    assert!((100..2500).contains(&accepted), "{accepted}");
}

/// Replaces the value at a place, counted through the whole tree.
fn replace(value: &mut Value, place: &mut usize, by: &Value) {
    if *place == 0 {
        value.clone_from(by);
    }
    // Wraps behind the place that was looked for, and never comes round.
    *place = place.wrapping_sub(1);
    match value {
        Value::Array(list) => list.iter_mut().for_each(|value| replace(value, place, by)),
        Value::Object(map) => map.values_mut().for_each(|value| replace(value, place, by)),
        _ => {}
    }
}

fn size(value: &Value) -> usize {
    let inner: usize = match value {
        Value::Array(list) => list.iter().map(size).sum(),
        Value::Object(map) => map.values().map(size).sum(),
        _ => 0,
    };
    1 + inner
}

/// Values that hurt where they do not belong.
fn painful() -> impl Strategy<Value = Value> {
    let numbers = [0, 1, 2, 3, 5, 7, 255, 5120, 5121, 5122, 5123, 5125, 5126, 1 << 31, u64::MAX];
    prop_oneof![
        select(numbers.to_vec()).prop_map(Value::from),
        (-4_i64..40).prop_map(Value::from),
        select(vec![1e300, -1.5, 0.0, 1e-300]).prop_map(Value::from),
        select(vec![
            "VEC3",
            "VEC4",
            "SCALAR",
            "MAT4",
            "STEP",
            "CUBICSPLINE",
            "weights",
            "rotation",
            "data:;base64,AAAA",
            "../x"
        ])
        .prop_map(Value::from),
        Just(Value::Null),
        Just(serde_json::json!([])),
        Just(serde_json::json!({})),
        vec(0_u32..9, 1..5).prop_map(Value::from),
    ]
}

#[test]
fn spoilt_json() {
    let parts = |file: &Vec<u8>| {
        let length = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
        let json: Value = serde_json::from_slice(&file[20..20 + length]).unwrap();
        (json, file[28 + length..].to_vec())
    };
    let files: Vec<(Value, Vec<u8>)> = good_files().iter().map(parts).collect();
    let inputs = (select(files), vec((any::<Index>(), painful()), 1..4));
    let accepted = count(6000, &inputs, |((mut json, bin), changes)| {
        for (at, by) in changes {
            let mut place = at.index(size(&json));
            replace(&mut json, &mut place, &by);
        }
        read(&glb(json.to_string().as_bytes(), &bin))
    });
    assert!((100..5000).contains(&accepted), "{accepted}");
}

#[test]
fn arbitrary_bytes_in_a_container() {
    let inputs = (vec(any::<u8>(), 0..200), vec(any::<u8>(), 0..50), any::<bool>());
    let accepted = count(2000, &inputs, |(json, bin, wrapped)| {
        read(&if wrapped { glb(&json, &bin) } else { json })
    });
    assert_eq!(accepted, 0, "noise is no scene");
}
