//! Meshes that are compressed with meshopt or Draco, against what is not compressed and against the
//! decoders of their makers; nodes that are hidden; avatars.

use elbowroom::Mesh;
use elbowroom_io::{ReadOptions, gltf};
use elbowroom_testkit::random::Random;
use serde_json::{Value, json};

use super::common::{Builder, parse};

/// What other encoders and decoders made: `compressed.mjs` of elbowroom-io.
fn values() -> Value {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../elbowroom-io/testdata/compressed_values.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn decoded(text: &Value) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> =
        text.as_str().unwrap().bytes().filter(|&byte| byte != b'=').map(digit).collect();
    let mut out = Vec::new();
    for group in digits.chunks(4) {
        let bits = group.iter().fold(0_u32, |bits, &six| bits << 6 | u32::from(six));
        let bits = bits << (6 * (4 - group.len()));
        out.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    out
}

/// FNV-1a of 64 bits.
fn hash(bytes: impl Iterator<Item = u8>) -> String {
    let start = 0xcbf2_9ce4_8422_2325_u64;
    let all = bytes.fold(start, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    format!("{all:x}")
}

fn hashes(mesh: &Mesh) -> [String; 2] {
    let points = mesh.vertices().iter().flat_map(glam::DVec3::to_array);
    let corners = mesh.triangles().iter().flatten();
    [
        hash(points.flat_map(|x| (x as f32).to_le_bytes())),
        hash(corners.flat_map(|corner| corner.to_le_bytes())),
    ]
}

/// A GLB of a compressed torus: positions in a view of one stream, indices in one of another.
fn meshopt(positions: &Value, indices: &Value, extension: &str) -> Builder {
    let mut builder = Builder::new();
    let compressed = |builder: &mut Builder, stream: &Value, offset: u64| {
        let view = builder.view(decoded(&stream["encoded"]));
        let plain = builder.json["bufferViews"][view].take();
        let length = stream["count"].as_u64().unwrap() * stream["stride"].as_u64().unwrap();
        builder.json["bufferViews"][view] = json!({
            "buffer": 1, "byteOffset": offset, "byteLength": length,
            "extensions": { extension: {
                "buffer": 0, "byteOffset": plain["byteOffset"], "byteLength": plain["byteLength"],
                "byteStride": stream["stride"], "count": stream["count"],
                "mode": stream["mode"], "filter": stream["filter"],
            }},
        });
        (view, length)
    };
    let (view, length) = compressed(&mut builder, positions, 0);
    let position = builder.accessor(json!({
        "bufferView": view, "componentType": 5126, "type": "VEC3", "count": positions["count"],
    }));
    let (view, more) = compressed(&mut builder, indices, length);
    let index = builder.accessor(json!({
        "bufferView": view, "componentType": 5125, "type": "SCALAR", "count": indices["count"],
    }));
    builder.json["buffers"] = json!([
        {},
        { "byteLength": length + more, "extensions": { extension: { "fallback": true } } },
    ]);
    builder.json["extensionsRequired"] = json!([extension]);
    builder.json["nodes"] = json!([{ "name": "torus", "mesh": 0 }]);
    builder.json["meshes"] =
        json!([{ "primitives": [{ "attributes": { "POSITION": position }, "indices": index }] }]);
    builder
}

#[test]
fn meshopt_views_are_read_as_what_they_decode_to() {
    let values = values();
    let named = |start: &str| -> Vec<Value> {
        let streams = values["meshopt"].as_array().unwrap().iter();
        streams.filter(|s| s["name"].as_str().unwrap().starts_with(start)).cloned().collect()
    };
    let of_indices: Vec<Value> =
        [named("triangles of a torus, 4"), named("indices of a torus, 4")].concat();
    let mut meshes = Vec::new();
    for extension in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        for positions in named("floats, version") {
            for indices in &of_indices {
                let document = parse(&meshopt(&positions, indices, extension).glb()).unwrap();
                meshes.push(document.rigs[0].parts[0].mesh.clone());
            }
        }
    }
    assert_eq!(meshes.len(), 20);
    let [points, _] = hashes(&meshes[0]);
    assert_eq!(Value::from(points), named("floats, version 0")[0]["decoded"]);
    for mesh in &meshes {
        assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (117, 234));
        assert!(mesh.seams().is_closed());
        // Triangles may begin at another of their corners.
        let key = |mesh: &Mesh| {
            let mut all: Vec<_> = (0..mesh.triangles().len())
                .map(|i| {
                    let mut corners = mesh.triangles()[i];
                    let low = (0..3).min_by_key(|&at| corners[at]).unwrap();
                    corners.rotate_left(low);
                    corners
                })
                .collect();
            all.sort_unstable();
            all
        };
        assert_eq!(key(mesh), key(&meshes[0]));
        assert_eq!(mesh.vertices(), meshes[0].vertices());
    }
}

#[test]
fn meshopt_views_that_promise_too_much_are_refused() {
    let values = values();
    let streams = values["meshopt"].as_array().unwrap();
    let builder = || meshopt(&streams[0], &streams[25], "EXT_meshopt_compression");
    let at = "/bufferViews/0/extensions/EXT_meshopt_compression";
    for (name, value, words) in [
        ("count", json!(1_u64 << 50), "decodes to more than 2 GiB"),
        ("count", json!(1 << 20), "meshopt stream is truncated"),
        ("byteLength", json!(1 << 30), "reaches beyond buffer 0"),
        ("byteLength", json!(40), "meshopt stream is truncated"),
        ("buffer", json!(7), "names buffer 7"),
        ("mode", json!("LZ"), "in the mode \"LZ\""),
        ("filter", json!("QUATERNION"), "with the filter \"QUATERNION\""),
    ] {
        let mut builder = builder();
        builder.json.pointer_mut(at).unwrap()[name] = value;
        let error = parse(&builder.glb()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

/// A GLB of a primitive that is compressed with Draco.
#[cfg(feature = "draco")]
fn draco(stream: &Value) -> Builder {
    let mut builder = Builder::new();
    let view = builder.view(decoded(&stream["encoded"]));
    let mut accessor = |component: u32, shape: &str, count: u64| {
        builder.accessor(json!({ "componentType": component, "type": shape, "count": count }))
    };
    let points = stream["points"].as_u64().unwrap();
    let position = accessor(5126, "VEC3", points);
    let joints = accessor(5121, "VEC4", points);
    let weights = accessor(5126, "VEC4", points);
    let index = accessor(5125, "SCALAR", 702);
    builder.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    builder.json["nodes"] =
        json!([{ "name": "torus", "mesh": 0, "skin": 0 }, { "name": "a" }, { "name": "b" }]);
    builder.json["skins"] = json!([{ "joints": [1, 2] }]);
    builder.json["meshes"] = json!([{ "primitives": [{
        "attributes": { "POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights },
        "indices": index,
        "extensions": { "KHR_draco_mesh_compression": {
            "bufferView": view, "attributes": stream["ids"],
        }},
    }] }]);
    builder
}

#[cfg(feature = "draco")]
#[test]
fn draco_primitives_are_read_as_their_own_decoder_has_them() {
    use elbowroom_motion::body::Hold;

    let values = values();
    let mut met = 0;
    for stream in values["draco"].as_array().unwrap() {
        let document = parse(&draco(stream).glb()).unwrap();
        let part = &document.rigs[0].parts[0];
        let [points, corners] = hashes(&part.mesh);
        let name = &stream["name"];
        assert_eq!(
            (&json!(points), &json!(corners)),
            (&stream["positions"], &stream["corners"]),
            "{name}"
        );
        let Hold::Skinned(skin) = &part.hold else { panic!("{name}") };
        let mut of_joint = [0; 2];
        for vertex in 0..skin.vertices_len() as u32 {
            let [influence] = skin.influences(vertex) else { panic!("{name}") };
            of_joint[usize::from(influence.joint)] += 1;
        }
        assert_eq!(of_joint, [59, 58], "{name}");
        met += 1;
    }
    assert_eq!(met, 4);
}

#[cfg(feature = "draco")]
#[test]
fn draco_primitives_that_are_damaged_are_refused() {
    let values = values();
    let streams = values["draco"].as_array().unwrap();
    let primitive = "/meshes/0/primitives/0";
    let refused = |pointer: &str, name: &str, value: Value, words: &str| {
        let mut builder = draco(&streams[1]);
        builder.json.pointer_mut(pointer).unwrap()[name] = value;
        let error = parse(&builder.glb()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let extension = format!("{primitive}/extensions/KHR_draco_mesh_compression");
    refused("/accessors/0", "count", json!(100), "has 117 points, and the accessor of POSITION");
    refused("/accessors/1", "componentType", json!(5123), "has a JOINTS_0 of another type");
    refused(
        "/accessors/3",
        "count",
        json!(3),
        "has 234 triangles, and the primitive has 3 indices",
    );
    refused(&format!("{extension}/attributes"), "POSITION", json!(9), "has no attribute 9");
    refused(&extension, "bufferView", json!(5), "names buffer view 5");
    refused(primitive, "mode", json!(6), "which Draco does not have");
    refused("/bufferViews/0", "byteLength", json!(99), "cannot be decoded");
    // Little is allowed: the stream is refused before it is decoded.
    let options = ReadOptions { max_decoded_bytes: 20_000, ..ReadOptions::default() };
    let error = gltf::parse(&draco(&streams[1]).glb(), None, &options).unwrap_err().to_string();
    assert!(error.contains("cannot be decoded"), "{error}");
    // Spoilt streams give a mesh or an error.
    let mut random = Random::new(5);
    let (mut read, mut bad) = (0, 0);
    for stream in streams {
        let builder = draco(stream);
        for _ in 0..500 {
            let mut spoilt = builder.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(spoilt.bin.len() as u64) as usize;
                spoilt.bin[at] = random.below(256) as u8;
            }
            match parse(&spoilt.glb()) {
                Ok(_) => read += 1,
                Err(_) => bad += 1,
            }
        }
    }
    assert!(read > 100 && bad > 100, "{read} {bad}");
}

#[test]
fn hidden_nodes_are_not_compared_and_that_is_said() {
    let mut builder = Builder::triangle();
    builder.json["extensionsRequired"] =
        json!(["KHR_node_visibility", "MSFT_lod", "KHR_texture_basisu"]);
    let hidden = json!({ "KHR_node_visibility": { "visible": false } });
    builder.json["nodes"] = json!([
        { "name": "shown", "mesh": 0 },
        { "name": "off", "children": [2, 3], "extensions": hidden },
        { "name": "below", "mesh": 0 },
        { "name": "on", "mesh": 0, "extensions": { "KHR_node_visibility": { "visible": true } } },
        { "name": "said", "mesh": 0, "extensions": { "KHR_node_visibility": {} } },
    ]);
    let document = parse(&builder.glb()).unwrap();
    let names: Vec<&str> = document.rigs[0].parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["shown", "said"]);
    let note = &document.notes[0];
    assert!(note.contains("2 nodes with meshes are hidden (KHR_node_visibility)"), "{note}");
}

#[test]
fn avatars_name_their_bones() {
    let bones = [
        json!({ "VRMC_vrm": { "humanoid": { "humanBones": {
            "hips": { "node": 1 }, "leftUpperArm": { "node": 2 }, "head": { "node": 99 },
        } } }, "VRMC_springBone": { "springs": [{}] } }),
        json!({ "VRM": { "humanoid": { "humanBones": [
            { "bone": "hips", "node": 1 }, { "bone": "leftUpperArm", "node": 2 }, { "bone": 5 },
        ] }, "secondaryAnimation": { "boneGroups": [{}] } } }),
    ];
    for extensions in bones {
        let mut builder =
            Builder::skinned([0; 12], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        builder.json["extensions"] = extensions;
        let document = parse(&builder.glb()).unwrap();
        let joints = document.rigs[0].skeleton.joints().iter();
        let names: Vec<&str> = joints.map(|joint| joint.name.as_str()).collect();
        assert_eq!(names, ["body", "hips", "leftUpperArm"]);
        assert!(document.notes[0].contains("2 joints are called after the bones"));
        assert!(document.notes[1].contains("on springs") && document.notes[1].contains("assumed"));
    }
    // A name that another node has is not taken from it.
    let mut builder = Builder::triangle();
    builder.json["nodes"] = json!([{ "name": "hips", "mesh": 0 }, { "name": "pelvis" }]);
    builder.json["extensions"] =
        json!({ "VRMC_vrm": { "humanoid": { "humanBones": { "hips": { "node": 1 } } } } });
    let document = parse(&builder.glb()).unwrap();
    assert_eq!(document.rigs[0].skeleton.joints()[1].name, "pelvis");
}

/// The posed vertices of the faces of a file, in the middle of its first clip.
fn posed(path: &std::path::Path) -> Vec<glam::DVec3> {
    let document = elbowroom_io::read_document(path, &ReadOptions::default());
    let document = document.unwrap_or_else(|error| panic!("{error}"));
    let rig = &document.rigs[0];
    let mut pose = rig.rest_pose();
    if let Some(clip) = rig.clips.first() {
        clip.sample(clip.start() + 0.5 * clip.seconds(), &mut pose);
    }
    let (mut poser, mut points, mut all) =
        (elbowroom_motion::body::Poser::new(), Vec::new(), Vec::new());
    for part in 0..rig.parts.len() {
        rig.posed(&pose, part, &mut poser, &mut points);
        let mesh = &rig.parts[part].mesh;
        let used: std::collections::BTreeSet<u32> =
            mesh.triangles().iter().flatten().copied().collect();
        all.extend(used.into_iter().map(|vertex| points[vertex as usize]));
    }
    all
}

/// Files that glTF Transform compressed (`compress.mjs` of elbowroom-io), in the folder that
/// `ELBOWROOM_COMPRESSED` names: they pose as the files that they were made from, within what
/// quantisation moves.
#[cfg(feature = "draco")]
#[test]
fn files_of_gltf_transform_pose_as_before() {
    let Some(folder) = std::env::var_os("ELBOWROOM_COMPRESSED").map(std::path::PathBuf::from)
    else {
        let missing =
            std::path::Path::new("files of compress.mjs, which ELBOWROOM_COMPRESSED names");
        let test = "files_of_gltf_transform_pose_as_before";
        return elbowroom_testkit::data::skipped(test, missing);
    };
    let one_way = |from: &[glam::DVec3], to: &[glam::DVec3]| -> f64 {
        let nearest = |p: &glam::DVec3| {
            to.iter().map(|q| p.distance_squared(*q)).fold(f64::INFINITY, f64::min).sqrt()
        };
        from.iter().map(nearest).fold(0.0, f64::max)
    };
    let mut compared = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let [stem, way, "glb"] = name.split('.').collect::<Vec<_>>()[..] else { continue };
        let (plain, packed) = (posed(&folder.join(format!("{stem}.glb"))), posed(&path));
        let low = plain.iter().copied().fold(glam::DVec3::INFINITY, glam::DVec3::min);
        let high = plain.iter().copied().fold(glam::DVec3::NEG_INFINITY, glam::DVec3::max);
        let off = one_way(&plain, &packed).max(one_way(&packed, &plain)) / low.distance(high);
        println!("{stem:24} {way:20} {:6} {:6} vertices {off:9.2e}", plain.len(), packed.len());
        assert!(off < 5e-3, "{name} {off}");
        compared += 1;
    }
    assert!(compared >= 4, "{compared}");
}
