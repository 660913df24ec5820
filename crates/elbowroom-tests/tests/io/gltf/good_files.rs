//! What glTF can say, said in small files: each feature reads as the standard means it.

use std::io::Write as _;
use std::path::Path;

use elbowroom_io::{Axis, FileOptions, ReadOptions, Source, glb_out, gltf, read_document};
use elbowroom_motion::body::{Hold, Interpolation, JointId, Poser, Rig, SkeletonPose, Target};
use elbowroom_testkit::folder::Folder;
use glam::DVec3;
use serde_json::json;

use super::common::{Builder, TRIANGLE, parse};

fn rig(builder: Builder) -> Rig {
    let mut document = parse(&builder.glb()).unwrap_or_else(|error| panic!("{error}"));
    document.rigs.remove(0)
}

fn rest(rig: &Rig, part: usize) -> Vec<DVec3> {
    posed(rig, &rig.rest_pose(), part)
}

fn posed(rig: &Rig, pose: &SkeletonPose, part: usize) -> Vec<DVec3> {
    let mut out = Vec::new();
    rig.posed(pose, part, &mut Poser::new(), &mut out);
    out
}

fn close(points: &[DVec3], expected: &[[f64; 3]]) {
    assert_eq!(points.len(), expected.len());
    for (point, expected) in points.iter().zip(expected) {
        assert!(point.distance(DVec3::from_array(*expected)) < 1e-6, "{points:?} {expected:?}");
    }
}

#[test]
fn nodes_become_joints_in_their_order() {
    // A quaternion means its direction, whatever its length.
    let mut builder = Builder::triangle();
    builder.json["nodes"] = json!([
        { "mesh": 0, "scale": [2, 2, 2] },
        { "name": "hip", "children": [0, 3], "rotation": [0, 0, 0.5, 0.5] },
        { "name": "node_0" },
        { "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1] },
        { "name": "" },
    ]);
    let rig = rig(builder);
    let names: Vec<&str> = rig.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["node_0_", "hip", "node_0", "node_3", "node_4"]);
    assert_eq!(rig.skeleton.joints()[0].parent, Some(JointId(1)));
    close(&rest(&rig, 0), &[[0.0; 3], [0.0, 2.0, 0.0], [-2.0, 0.0, 0.0]]);
    let matrix = rig.skeleton.joints()[3].rest;
    close(&[matrix.translation, matrix.rotation * DVec3::X], &[[5.0, 6.0, 7.0], [0.0, 1.0, 0.0]]);
}

#[test]
fn transforms_are_not_rounded_to_f32() {
    let mut builder = Builder::triangle();
    builder.json["nodes"][0]["translation"] = json!([0.1, 123_456.789, 0]);
    let translation = rig(builder).skeleton.joints()[0].rest.translation;
    assert_eq!(translation, DVec3::new(0.1, 123_456.789, 0.0));
}

#[test]
fn only_the_default_scene_is_shown() {
    let mut builder = Builder::triangle();
    builder.json["nodes"] = json!([{ "mesh": 0 }, { "mesh": 0, "children": [2] }, { "mesh": 0 }]);
    builder.json["scenes"] = json!([{ "nodes": [0] }, { "name": "b", "nodes": [1] }]);
    builder.json["scene"] = json!(1);
    let document = parse(&builder.glb()).unwrap();
    let rig = &document.rigs[0];
    assert_eq!((rig.name.as_str(), rig.skeleton.len(), rig.parts.len()), ("b", 3, 2));
    assert_eq!(
        document.notes,
        ["the file has 2 scenes; only the default one was read, scene 1 \"b\""]
    );
}

#[test]
fn primitives_are_joined_and_other_modes_left_out() {
    let mut builder = Builder::triangle();
    let square = builder.f32s("VEC3", &[0., 0., 0., 1., 0., 0., 0., 1., 0., 1., 1., 0.]);
    let strip = builder.u8s("SCALAR", &[0, 1, 2, 3], false);
    let fan = builder.u16s("SCALAR", &[0, 1, 3, 2], false);
    let with = |indices: usize, mode: u32| json!({ "attributes": { "POSITION": square }, "indices": indices, "mode": mode });
    let list = builder.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    list.extend([with(strip, 5), with(fan, 6), with(strip, 0), with(strip, 3)]);
    let document = parse(&builder.glb()).unwrap();
    let mesh = &document.rigs[0].parts[0].mesh;
    assert_eq!(mesh.vertices().len(), 11);
    assert_eq!(mesh.triangles(), [[0, 1, 2], [3, 4, 5], [4, 6, 5], [8, 10, 7], [10, 9, 7]]);
    assert_eq!(document.notes.len(), 2);
    assert!(document.notes[0].contains("primitive 3 is points and was left out"));
}

#[test]
fn a_mesh_may_be_held_by_several_nodes() {
    let mut builder = Builder::triangle();
    builder.json["nodes"] = json!([
        { "mesh": 0, "translation": [1, 0, 0] }, { "mesh": 0, "translation": [2, 0, 0] },
    ]);
    let rig = rig(builder);
    close(&[rest(&rig, 0)[0], rest(&rig, 1)[0]], &[[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
}

#[test]
fn gpu_instances_become_joints() {
    let mut builder = Builder::triangle();
    let translation = builder.f32s("VEC3", &[5.0, 0.0, 0.0, 6.0, 0.0, 0.0]);
    let attributes = json!({ "TRANSLATION": translation });
    builder.json["nodes"][0]["extensions"] =
        json!({ "EXT_mesh_gpu_instancing": { "attributes": attributes } });
    builder.json["nodes"][0]["scale"] = json!([2, 2, 2]);
    builder.json["extensionsRequired"] = json!(["EXT_mesh_gpu_instancing", "KHR_materials_unlit"]);
    let rig = rig(builder);
    assert_eq!((rig.skeleton.len(), rig.parts.len()), (3, 2));
    assert_eq!(rig.skeleton.joints()[2].name, "n[1]");
    close(&rest(&rig, 1), &[[12.0, 0.0, 0.0], [14.0, 0.0, 0.0], [12.0, 2.0, 0.0]]);
}

#[test]
fn sparse_accessors_replace_elements() {
    for base in [true, false] {
        let mut builder = Builder::triangle();
        let indices = builder.view([2]);
        let values = builder.view([7.0_f32, 8.0, 9.0].iter().flat_map(|value| value.to_le_bytes()));
        let accessor = &mut builder.json["accessors"][0];
        accessor["sparse"] = json!({
            "count": 1,
            "indices": { "bufferView": indices, "componentType": 5121 },
            "values": { "bufferView": values },
        });
        if !base {
            accessor.as_object_mut().unwrap().remove("bufferView");
        }
        let x = f64::from(base);
        close(rig(builder).parts[0].mesh.vertices(), &[[0.0; 3], [x, 0.0, 0.0], [7.0, 8.0, 9.0]]);
    }
}

#[test]
fn positions_may_be_quantised_and_interleaved() {
    let mut builder = Builder::triangle();
    // Three shorts and one of something else, of which one stands before the first.
    let shorts: [i16; 13] = [9, 0, 0, -32768, 9, 0, 32767, 0, 9, 16384, -16384, 0, 9];
    let view = builder.view(shorts.iter().flat_map(|value| value.to_le_bytes()));
    builder.json["bufferViews"][view]["byteStride"] = json!(8);
    let mut accessor = json!({
        "bufferView": view, "byteOffset": 2, "componentType": 5122, "type": "VEC3", "count": 3, "normalized": true,
    });
    let normalised = builder.accessor(accessor.clone());
    accessor["normalized"] = json!(false);
    let plain = builder.accessor(accessor);
    builder.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let primitive = |position| json!({ "attributes": { "POSITION": position } });
    builder.json["meshes"][0]["primitives"] = json!([primitive(normalised), primitive(plain)]);
    let rig = rig(builder);
    let half = 16384.0 / 32767.0;
    close(
        rig.parts[0].mesh.vertices(),
        &[
            [0.0, 0.0, -1.0],
            [0.0, 1.0, 0.0],
            [half, -half, 0.0],
            [0.0, 0.0, -32768.0],
            [0.0, 32767.0, 0.0],
            [16384.0, -16384.0, 0.0],
        ],
    );
}

/// Four joints in a row along x, each a unit on; the triangle's vertices follow them by two sets of
/// weights.
#[test]
fn skins_have_any_number_of_sets_and_integer_weights() {
    let mut builder = Builder::triangle();
    let joints_0 = builder.u16s("VEC4", &[1, 9, 9, 9, 0, 1, 2, 3, 2, 0, 0, 0], false);
    let weights_0 =
        builder.u16s("VEC4", &[65535, 0, 0, 0, 8192, 8192, 8192, 8192, 32768, 0, 0, 0], true);
    let joints_1 = builder.u8s("VEC4", &[0, 0, 0, 0, 3, 3, 3, 3, 3, 0, 0, 0], false);
    let weights_1 = builder.u8s("VEC4", &[0, 0, 0, 0, 32, 32, 32, 31, 127, 0, 0, 0], true);
    builder.json["meshes"][0]["primitives"][0]["attributes"] = json!({
        "POSITION": 0, "JOINTS_0": joints_0, "WEIGHTS_0": weights_0, "JOINTS_1": joints_1, "WEIGHTS_1": weights_1,
    });
    let joint = |child: u32| json!({ "children": [child], "translation": [1, 0, 0] });
    builder.json["nodes"] = json!([
        { "mesh": 0, "skin": 0, "translation": [50, 0, 0] }, joint(2), joint(3), joint(4), { "translation": [1, 0, 0] },
    ]);
    builder.json["skins"] = json!([{ "joints": [1, 2, 3, 4] }]);
    let document = parse(&builder.glb()).unwrap();
    let rig = &document.rigs[0];
    let Hold::Skinned(skin) = &rig.parts[0].hold else { panic!("skinned") };
    let counts: Vec<usize> = (0..3).map(|vertex| skin.influences(vertex).len()).collect();
    assert_eq!(counts, [1, 8, 2]);
    // Joints stand at x = 1, 2, 3, 4 and the inverse binds are the identity; the node's own place
    // does not matter.
    let second =
        (8192.0 * 10.0 / 65535.0 + 127.0 * 4.0 / 255.0) / (4.0 * 8192.0 / 65535.0 + 127.0 / 255.0);
    let third =
        (32768.0 * 3.0 / 65535.0 + 127.0 * 4.0 / 255.0) / (32768.0 / 65535.0 + 127.0 / 255.0);
    close(&rest(rig, 0), &[[2.0, 0.0, 0.0], [1.0 + second, 0.0, 0.0], [third, 1.0, 0.0]]);
    assert_eq!(document.notes.len(), 1);
    assert!(
        document.notes[0].contains("weights of 2 vertices did not add up to one"),
        "{:?}",
        document.notes
    );
}

#[test]
fn odd_weights_are_noted() {
    let mut weights = [0.0; 12];
    weights[..2].copy_from_slice(&[3.0, 1.0]);
    weights[4] = 1.0;
    let mut joints = [0; 12];
    joints[1] = 1;
    joints[8] = 1;
    let document = parse(&Builder::skinned(joints, weights).glb()).unwrap();
    close(&rest(&document.rigs[0], 0), &[[0.0, 0.25, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
    assert_eq!(
        document.notes,
        [
            "node 0 \"body\": 1 vertex has no weight and was held by the first joint that it names",
            "node 0 \"body\": the weights of 1 vertex did not add up to one and were scaled",
        ]
    );
}

#[test]
fn a_skin_needs_weights_in_its_mesh() {
    let mut builder = Builder::skinned([0; 12], [0.25; 12]);
    let bare = json!({ "attributes": { "POSITION": 0 } });
    builder.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(bare);
    let document = parse(&builder.glb()).unwrap();
    let held: Vec<bool> =
        document.rigs[0].parts.iter().map(|part| matches!(part.hold, Hold::Rigid(_))).collect();
    assert_eq!(held, [true, false]);
    assert!(document.notes[0].contains("held rigidly"), "{:?}", document.notes);
}

fn morphing() -> Builder {
    let mut builder = Builder::triangle();
    let up = builder.f32s("VEC3", &[0., 0., 1., 0., 0., 1., 0., 0., 1.]);
    builder.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": up }, {}]);
    builder.json["meshes"][0]["weights"] = json!([0.5, 1]);
    builder.json["meshes"][0]["extras"] = json!({ "targetNames": ["rise"] });
    builder
}

#[test]
fn morphs_have_names_and_weights() {
    let rig = rig(morphing());
    let names: Vec<&str> = rig.parts[0].morphs.iter().map(|morph| morph.name.as_str()).collect();
    assert_eq!(names, ["rise", "morph_1"]);
    assert_eq!(rest(&rig, 0)[0], DVec3::new(0.0, 0.0, 0.5));
}

#[test]
fn animations_step_run_straight_and_bend() {
    let mut builder = morphing();
    let times = builder.f32s("SCALAR", &[1.0, 3.0]);
    let weights = builder.f32s("SCALAR", &[0.0, 0.0, 1.0, 0.0]);
    let steps = builder.f32s("VEC3", &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    // In-tangent, value, out-tangent: from 0 with speed 4 to 2 with speed 0.
    let bends = builder
        .f32s("VEC3", &[0., 0., 0., 0., 0., 0., 4., 0., 0., 0., 0., 0., 2., 0., 0., 0., 0., 0.]);
    let turns = builder.u8s("VEC4", &[0, 0, 0, 255, 0, 0, 255, 0], true);
    let channel = |sampler: u32, path: &str| json!({ "sampler": sampler, "target": { "node": 0, "path": path } });
    builder.json["animations"] = json!([{
        "channels": [
            channel(0, "weights"), channel(1, "scale"), channel(2, "translation"), channel(3, "rotation"),
            { "sampler": 0, "target": { "path": "pointer" } }, channel(0, "colour"),
        ],
        "samplers": [
            { "input": times, "output": weights },
            { "input": times, "output": steps, "interpolation": "STEP" },
            { "input": times, "output": bends, "interpolation": "CUBICSPLINE" },
            { "input": times, "output": turns, "interpolation": "LINEAR" },
        ],
    }]);
    let document = parse(&builder.glb()).unwrap();
    assert_eq!(document.notes.len(), 2, "{:?}", document.notes);
    let rig = &document.rigs[0];
    let clip = &rig.clips[0];
    assert_eq!((clip.name(), clip.start(), clip.seconds()), ("clip_0", 1.0, 2.0));
    let kinds: Vec<Interpolation> = clip.tracks().iter().map(|track| track.interpolation).collect();
    assert_eq!(kinds[1..3], [Interpolation::Step, Interpolation::Cubic]);
    assert_eq!(clip.tracks()[0].target, Target::Weights(0));
    let mut pose = rig.rest_pose();
    clip.sample(2.0, &mut pose);
    assert_eq!(pose.weights[0], [0.5, 0.0]);
    assert_eq!(pose.locals[0].scale, DVec3::ONE);
    // Hermite at the middle: half the way, and an eighth of the tangents' difference times the
    // length.
    close(&[pose.locals[0].translation], &[[2.0, 0.0, 0.0]]);
    close(&[pose.locals[0].rotation * DVec3::X], &[[0.0, 1.0, 0.0]]);
    close(&posed(rig, &pose, 0)[..2], &[[2.0, 0.0, 0.5], [2.0, 1.0, 0.5]]);
}

#[test]
fn buffers_may_lie_in_files_and_in_the_text() {
    let folder = Folder::new("buffers");
    let expected =
        DVec3::from_slice(&TRIANGLE[3..6].iter().map(|&x| f64::from(x)).collect::<Vec<_>>());
    let options = ReadOptions::default();
    let read = |path: &Path| {
        read_document(path, &options).map(|document| document.rigs[0].parts[0].mesh.vertices()[1])
    };

    let inline = folder.file("inline.gltf", Builder::triangle().text(None));
    assert_eq!(read(&inline).unwrap(), expected);
    let bin = Builder::triangle().bin;
    std::fs::create_dir(folder.path().join("a b")).unwrap();
    folder.file("a b/data.bin", [&bin[..], b"padding"].concat());
    let beside = folder.file("beside.gltf", Builder::triangle().text(Some("a%20b/data.bin")));
    assert_eq!(read(&beside).unwrap(), expected);
    let outside = folder.file("a b/outside.gltf", Builder::triangle().text(Some("../up.bin")));
    folder.file("up.bin", &bin);
    assert!(read(&outside).is_err());
    let allowed = ReadOptions { allow_outside: true, ..ReadOptions::default() };
    assert!(read_document(&outside, &allowed).is_ok());
}

#[test]
fn a_packed_file_is_unpacked() {
    let folder = Folder::new("packed");
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(&Builder::moving().glb()).unwrap();
    let path = folder.file("a.GLB.gz", packer.finish().unwrap());
    let document = read_document(&path, &ReadOptions::default()).unwrap();
    assert_eq!(document.rigs[0].clips.len(), 1);
}

#[test]
fn units_and_axes_are_the_standards_and_not_overruled() {
    let document = parse(&Builder::moving().glb()).unwrap();
    assert_eq!((document.units.metres_per_unit, document.units.source), (1.0, Source::File));
    assert_eq!((document.up.axis, document.up.source), (Axis::Y, Source::File));
    let folder = Folder::new("units");
    let path = folder.file("a.glb", Builder::moving().glb());
    let said = ReadOptions { units: Some(0.01), up: Some(Axis::Z), ..ReadOptions::default() };
    let mut document = read_document(&path, &said).unwrap();
    assert_eq!((document.units.metres_per_unit, document.units.source), (1.0, Source::File));
    assert_eq!((document.up.axis, document.up.source), (Axis::Y, Source::File));
    for (units, up, words) in [
        (Some(0.01), None, "states its unit, m, and is not read in cm"),
        (None, Some(Axis::Z), "states that Y points up"),
    ] {
        let of_files = vec![FileOptions { path: path.clone(), units, up }];
        let error = read_document(&path, &ReadOptions { of_files, ..ReadOptions::default() });
        let error = error.map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    (document.units.metres_per_unit, document.up.axis) = (0.01, Axis::Z);
    let changed = document.to_metres().unwrap().turned(Axis::Y).unwrap();
    assert_eq!((changed.units.metres_per_unit, changed.up.axis), (1.0, Axis::Y));
    let rig = &changed.rigs[0];
    let mut pose = rig.rest_pose();
    rig.clips[0].sample(1.0, &mut pose);
    close(&posed(rig, &pose, 0), &[[0.02, 0.0, 0.0], [0.03, 0.0, 0.0], [0.02, 0.0, -0.01]]);
    assert_eq!(rig.skeleton.joints()[0].name, "n", "joints keep their numbers");
}

#[test]
fn a_plain_mesh_is_a_rig_too() {
    let folder = Folder::new("plain");
    let path = folder.file("wall.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let document = read_document(&path, &ReadOptions::default()).unwrap();
    let rig = &document.rigs[0];
    assert_eq!((rig.name.as_str(), rig.skeleton.len(), rig.parts.len()), ("wall", 1, 1));
    assert_eq!(document.units.source, Source::Assumed);
    assert_eq!(document.notes.len(), 2);
    let said = ReadOptions { units: Some(0.001), up: Some(Axis::Z), ..ReadOptions::default() };
    assert!(read_document(&path, &said).unwrap().notes.is_empty());
    for unit in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = ReadOptions { units: Some(unit), ..ReadOptions::default() };
        assert!(read_document(&path, &options).is_err(), "{unit}");
    }
}

#[test]
fn a_file_of_nothing_but_nodes_is_good() {
    let text =
        br#"{"asset": {"version": "2.0"}, "nodes": [{}], "cameras": "nonsense is passed over"}"#;
    let document = gltf::parse(text, None, &ReadOptions::default()).unwrap();
    assert_eq!(document.rigs[0].skeleton.len(), 1);
    assert!(document.rigs[0].parts.is_empty());
}

/// A node that mirrors leaves the outside of its mesh outside, and so does a written file of it.
#[test]
fn mirrored_nodes_keep_their_outside() {
    let mut builder = Builder::triangle();
    builder.json["nodes"] = json!([
        { "name": "plain", "mesh": 0 },
        { "name": "mirrored", "mesh": 0, "scale": [1, 1, -1], "children": [2] },
        { "name": "twice", "mesh": 0, "matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] },
    ]);
    let rig = parse(&builder.glb()).unwrap().rigs.remove(0);
    let corners = |rig: &Rig| -> Vec<[u32; 3]> {
        rig.parts.iter().map(|part| part.mesh.triangles()[0]).collect()
    };
    assert_eq!(corners(&rig), [[0, 1, 2], [0, 2, 1], [0, 1, 2]]);
    let bytes = glb_out::to_bytes(std::slice::from_ref(&rig)).unwrap();
    assert_eq!(corners(&parse(&bytes).unwrap().rigs[0]), corners(&rig));
    // A skin by what its joints do, whatever its own node does.
    for (joint, expected) in [(1, [0, 1, 2]), (-1, [0, 2, 1])] {
        let mut builder = Builder::skinned([0; 12], [0.25; 12]);
        builder.json["nodes"][0]["scale"] = json!([-1, 1, 1]);
        builder.json["nodes"][1]["scale"] = json!([joint, 1, 1]);
        let rig = parse(&builder.glb()).unwrap().rigs.remove(0);
        assert_eq!(corners(&rig), [expected]);
    }
}
