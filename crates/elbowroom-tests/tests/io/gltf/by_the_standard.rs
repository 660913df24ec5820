//! Every vertex stands where the standard puts it, by a second reading of the same bytes that
//! shares no code with ours.

use elbowroom_io::glb_out;
use elbowroom_motion::body::Rig;
use glam::DVec3;
use serde_json::json;

use super::common::{Builder, hard_rig, parse};
use super::outside_judges::{extent, posed};
use super::real_files::{glb_files, read_rig};
use super::standard::Asset;

/// The largest distance between our vertices and the standard's, in body heights, and how many were
/// compared: at rest, and in every animation at these fractions of its length.
fn compare(bytes: &[u8], rig: &Rig, fractions: &[f64]) -> (f64, usize) {
    let asset = Asset::new(bytes);
    assert_eq!(asset.animations(), rig.clips.len());
    let mut samples = vec![None];
    for animation in 0..asset.animations() {
        let (start, end) = asset.span(animation);
        samples.extend(fractions.iter().map(|f| Some((animation, start + f * (end - start)))));
    }
    let height = extent(&posed(rig, None, 0.0));
    let (mut worst, mut compared) = (0.0_f64, 0);
    for sample in samples {
        let ours = posed(rig, sample.map(|(clip, _)| clip), sample.map_or(0.0, |(_, time)| time));
        let theirs = asset.vertices(sample);
        assert_eq!(ours.len(), theirs.len());
        for (ours, theirs) in ours.iter().zip(theirs) {
            worst = worst.max((*ours - DVec3::from_array(theirs)).length() / height);
        }
        compared += ours.len();
    }
    (worst, compared)
}

#[test]
fn characters_stand_where_the_standard_puts_them() {
    let Some((_, files)) = glb_files("characters_stand_where_the_standard_puts_them") else {
        return;
    };
    let (mut clips, mut total, mut furthest) = (0, 0, 0.0_f64);
    for path in &files {
        let (rig, _) = read_rig(path);
        // Beyond both ends a clip stands still. Those with scores of clips are long; one time in
        // each says enough.
        let few = rig.clips.len() > 30;
        let fractions: &[f64] = if few { &[0.37] } else { &[-0.5, 0.21, 0.83, 1.5] };
        let (worst, compared) = compare(&std::fs::read(path).unwrap(), &rig, fractions);
        assert!(worst < 1e-12, "{}: {worst:e}", path.display());
        println!("{worst:.1e} of the height, {compared} vertices: {}", path.display());
        clips += rig.clips.len();
        total += compared;
        furthest = furthest.max(worst);
    }
    println!("{furthest:.1e} at most");
    assert_eq!((files.len(), clips, total), (35, 261, 2_977_919));
}

/// Our own people in all their gaits, and a rig with morphs, splines, steps and more than four
/// influences, as they are written.
#[test]
fn what_we_write_stands_where_the_standard_puts_it() {
    let rigs = [elbowroom_make::body::male(), elbowroom_make::body::female(), hard_rig()];
    let mut clips = 0;
    for rig in rigs {
        let bytes = glb_out::to_bytes(std::slice::from_ref(&rig)).unwrap();
        let read = parse(&bytes).unwrap().rigs.remove(0);
        let (worst, compared) =
            compare(&bytes, &read, &[-0.1, 0.0, 0.1, 0.45, 0.5, 0.99, 1.0, 2.0]);
        println!("{worst:.1e} of the height, {compared} vertices: {}", rig.name);
        assert!(worst < 1e-12 && compared > 8, "{}: {worst:e}", rig.name);
        clips += rig.clips.len();
    }
    assert_eq!(clips, 20);
}

/// What the characters do not have: positions and weights as integers, a second set of weights,
/// elements far apart and replaced, a skin whose own node moves, mirrored and stretched joints,
/// quaternions that are not of length one, morphs as integers.
#[test]
fn packed_and_crooked_files_stand_where_the_standard_puts_them() {
    let mut builder = Builder::new();
    let shorts = [0_i16, 0, 0, 32767, 0, 0, 0, 32767, 0, -32768, 5, 16384];
    let padded = shorts.chunks(3).flat_map(|point| [point, &[7]].concat());
    let view = builder.view(padded.flat_map(i16::to_le_bytes).collect::<Vec<_>>());
    builder.json["bufferViews"][view]["byteStride"] = json!(8);
    let position = builder.accessor(json!({
        "bufferView": view, "componentType": 5122, "type": "VEC3", "count": 4, "normalized": true,
    }));
    let indices = builder.view([1, 3]);
    let values = builder.view([5_i8, -4, 3, 100, 0, -128].map(i8::cast_unsigned));
    let target = builder.accessor(json!({
        "componentType": 5120, "type": "VEC3", "count": 4, "normalized": true,
        "sparse": {
            "count": 2,
            "indices": { "bufferView": indices, "componentType": 5121 },
            "values": { "bufferView": values },
        },
    }));
    let corners = builder.u8s("SCALAR", &[0, 1, 2, 2, 1, 3], false);
    let joints = [
        builder.u8s("VEC4", &[0, 1, 2, 0, 1, 0, 2, 9, 2, 2, 1, 0, 0, 0, 0, 1], false),
        builder.u16s("VEC4", &[2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], false),
    ];
    let weights = [
        builder.u8s("VEC4", &[100, 50, 50, 0, 200, 30, 25, 0, 1, 2, 3, 4, 0, 0, 0, 255], true),
        builder.u16s("VEC4", &[14135, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0], true),
    ];
    let binds: Vec<f32> = (0..3_u8)
        .flat_map(|joint| {
            let shift = f32::from(joint);
            [
                [2.0, 0.1, 0.0, 0.0],
                [0.0, 1.0, 0.3, 0.0],
                [0.0, 0.0, -1.0, 0.0],
                [shift, -1.0, 0.5, 1.0],
            ]
        })
        .flatten()
        .collect();
    let binds = builder.f32s("MAT4", &binds);
    let times = builder.f32s("SCALAR", &[0.5, 1.0, 3.0]);
    let turns =
        builder.u16s("VEC4", &[0, 0, 0, 65535, 30000, 0, 0, 65535, 0, 9000, 65535, 0], true);
    let rates = builder.f32s("SCALAR", &[0.0, 0.3, 1.0, -1.0, 0.6, 0.5, 0.0, 1.0, 0.25]);
    builder.json["meshes"] = json!([{
        "weights": [0.5],
        "primitives": [{
            "attributes": {
                "POSITION": position, "JOINTS_0": joints[0], "WEIGHTS_0": weights[0], "JOINTS_1": joints[1], "WEIGHTS_1": weights[1],
            },
            "indices": corners, "targets": [{ "POSITION": target }],
        }],
    }]);
    builder.json["nodes"] = json!([
        { "mesh": 0, "skin": 0, "translation": [9, 9, 9], "scale": [3, 1, 1] },
        { "children": [2, 3], "scale": [-1, 2, 0.5], "rotation": [0.1, 0.2, 0.3, 3.0] },
        { "translation": [0, 1, 0], "rotation": [0, 0, 0.02, 0.01] },
        { "matrix": [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1], "children": [4] },
        { "mesh": 0, "weights": [-0.25], "rotation": [1, 0, 0, 0] },
    ]);
    builder.json["scenes"] = json!([{ "nodes": [3] }, { "nodes": [0, 1] }]);
    builder.json["scene"] = json!(1);
    builder.json["skins"] = json!([{ "joints": [1, 2, 3], "inverseBindMatrices": binds }]);
    let moves = |sampler: usize, node: usize, path: &str| json!({ "sampler": sampler, "target": { "node": node, "path": path } });
    builder.json["animations"] = json!([{
        "channels": [moves(0, 1, "rotation"), moves(1, 2, "rotation"), moves(2, 0, "weights")],
        "samplers": [
            { "input": times, "output": turns },
            { "input": times, "output": turns, "interpolation": "STEP" },
            { "input": times, "output": rates, "interpolation": "CUBICSPLINE" },
        ],
    }]);
    let bytes = builder.glb();
    let read = parse(&bytes).unwrap();
    let fractions = [-1.0, 0.0, 0.1, 0.2, 0.3, 0.9, 1.0, 1.1];
    let (worst, compared) = compare(&bytes, &read.rigs[0], &fractions);
    assert_eq!(compared, 2 * 4 * (1 + fractions.len()));
    assert!(worst < 1e-7, "{worst:e}");
}
