//! Every way a glTF can be bad: the message names the place and what is wrong.

use std::io::Write as _;

use elbowroom_io::{ReadOptions, gltf, read_document};
use elbowroom_testkit::folder::Folder;
use serde_json::{Value, json};

use super::common::{Builder, glb, parse};

/// Checks that the bytes are refused with words that contain all of `expected`.
fn refused(bytes: &[u8], expected: &[&str]) {
    let error = parse(bytes).expect_err(expected[0]).to_string();
    for words in expected {
        assert!(error.contains(words), "{error:?} does not say {words:?}");
    }
    assert!(error.len() < 500, "{error}");
}

/// A builder with one thing changed, by its path in the JSON.
fn with(mut builder: Builder, pointer: &str, value: Value) -> Builder {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = builder.json.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer}"));
    match parent {
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        other => other[key] = value,
    }
    builder
}

#[test]
fn containers_that_are_cut_or_wrong() {
    let good = Builder::skinned([0; 12], [0.25; 12]).glb();
    assert!(parse(&good).is_ok());
    // Whatever is cut off is missed.
    for length in 0..good.len() {
        let error = parse(&good[..length]).expect_err("truncated").to_string();
        let said = ["truncated", "empty", "neither a GLB"].iter().any(|word| error.contains(word));
        assert!(said, "{length}: {error}");
    }
    let mut version = good.clone();
    version[4] = 1;
    refused(&version, &["GLB version 1", "convert"]);
    let mut kind = good.clone();
    kind[16] = b'X';
    refused(&kind, &["first chunk", "not JSON"]);
    let mut long = good;
    long[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    refused(&long, &["ends within the chunk at byte 12"]);
    refused(b"solid cube", &["neither a GLB", "nor a glTF"]);
    refused(
        &glb(b"{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [{]}", b""),
        &["JSON", "line 1 column 42"],
    );
    refused(b"{\"asset\": {\"version\": \"1.0\"}}", &["glTF version \"1.0\"", "convert"]);
    refused(b"{}", &["missing field `asset`"]);
}

#[test]
fn json_that_would_eat_memory_or_stack() {
    let deep = format!("{}{}", "[".repeat(900_000), "]".repeat(900_000));
    let file = |rest: &str| format!("{{\"asset\": {{\"version\": \"2.0\"}}, {rest}}}");
    // What is passed over may be as deep as it likes; what is kept may not.
    assert!(parse(file(&format!("\"extras\": {deep}")).as_bytes()).is_ok());
    let kept = file(&format!("\"meshes\": [{{\"primitives\": [], \"extras\": {deep}}}]"));
    refused(kept.as_bytes(), &["nests deeper than 128 levels"]);
    let many = file(&format!("\"nodes\": [{}{{}}]", "{},".repeat(2_000_000)));
    refused(many.as_bytes(), &["2,000,004 objects", "split the file"]);
}

#[test]
fn references_to_nothing() {
    let cases = [
        ("/nodes/0/mesh", json!(7), "node 0 \"n\" names mesh 7, but the file has 1 mesh"),
        ("/nodes/0/children", json!([9]), "node 0 names node 9, but the file has 1 node"),
        (
            "/meshes/0/primitives/0/attributes/POSITION",
            json!(99),
            "names accessor 99, but the file has",
        ),
        (
            "/meshes/0/primitives/0/indices",
            json!(99),
            "indices of mesh 0 \"\", primitive 0 names accessor 99",
        ),
        ("/accessors/0/bufferView", json!(99), "names buffer view 99"),
        (
            "/bufferViews/0/buffer",
            json!(3),
            "buffer view 0 names buffer 3, but the file has 1 buffer",
        ),
        ("/scene", json!(3), "the file names scene 3"),
        ("/scenes/0/nodes", json!([3]), "scene 0 names node 3"),
        (
            "/animations/0/channels/0/sampler",
            json!(5),
            "channel 0 of animation 0 \"slide\" names sampler 5",
        ),
        ("/animations/0/channels/0/target/node", json!(5), "names node 5"),
        ("/animations/0/samplers/0/input", json!(50), "times of channel 0"),
    ];
    for (pointer, value, expected) in cases {
        let mut builder = Builder::moving();
        builder.json["scenes"] = json!([{ "nodes": [0] }]);
        refused(&with(builder, pointer, value).glb(), &[expected]);
    }
    let skinned = || Builder::skinned([0; 12], [0.25; 12]);
    refused(&with(skinned(), "/nodes/0/skin", json!(4)).glb(), &["names skin 4"]);
    refused(&with(skinned(), "/skins/0/joints", json!([1, 77])).glb(), &["skin 0 names node 77"]);
}

#[test]
fn trees_that_are_none() {
    let with_nodes = |nodes: Value| with(Builder::triangle(), "/nodes", nodes).glb();
    refused(
        &with_nodes(json!([{ "children": [1] }, { "children": [0] }])),
        &["the node tree", "node_0"],
    );
    refused(&with_nodes(json!([{ "name": "ouroboros", "children": [0] }])), &["ouroboros"]);
    refused(
        &with_nodes(json!([{ "children": [2] }, { "children": [2] }, {}])),
        &["node 2 is a child of node 0 and of node 1"],
    );
    refused(
        &with_nodes(json!([{ "matrix": [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }])),
        &["node 0 \"node_0\"", "sheared"],
    );
    refused(&with_nodes(json!([{ "rotation": [0, 0, 0, 0] }])), &["rotation is zero"]);
}

#[test]
fn accessors_that_promise_too_much() {
    let accessor = |key: &str, value: Value| {
        with(Builder::triangle(), &format!("/accessors/0/{key}"), value).glb()
    };
    refused(
        &accessor("count", json!(4)),
        &["accessor 0", "wants 4 elements", "beyond the 36 bytes of buffer view 0"],
    );
    refused(&accessor("count", json!(0)), &["has no elements"]);
    refused(
        &accessor("count", json!(1_000_000_000)),
        &["promises 1,000,000,000 elements", "36 bytes of data"],
    );
    refused(&accessor("count", json!(u64::MAX)), &["promises 18,446,744,073,709,551,615 elements"]);
    refused(&accessor("count", json!(-1)), &["JSON"]);
    refused(&accessor("byteOffset", json!(4)), &["from byte 4 on"]);
    refused(&accessor("byteOffset", json!(u64::MAX)), &["accessor 0"]);
    refused(&accessor("componentType", json!(5130)), &["component type 5130"]);
    refused(&accessor("componentType", json!(5125)), &["component type 5125"]);
    refused(&accessor("type", json!("VEC2")), &["is \"VEC2\"", "must be VEC3"]);
    let view = |key: &str, value: Value| {
        with(Builder::triangle(), &format!("/bufferViews/0/{key}"), value).glb()
    };
    refused(
        &view("byteLength", json!(1000)),
        &["buffer view 0 reaches beyond buffer 0, which has 36 bytes"],
    );
    refused(&view("byteOffset", json!(u64::MAX)), &["buffer view 0 reaches beyond"]);
    refused(&view("byteStride", json!(8)), &["8 bytes apart", "take 12"]);
    refused(&view("byteStride", json!(u64::MAX / 2)), &["wants 3 elements"]);
    refused(&view("byteStride", json!(16)), &["wants 3 elements"]);
    let buffer = |value: Value| with(Builder::triangle(), "/buffers/0/byteLength", value).glb();
    refused(
        &buffer(json!(1_000_000_000_000_u64)),
        &["buffer 0 states 1,000,000,000,000 bytes but holds 36"],
    );
}

#[test]
fn a_billion_vertices_in_a_kilobyte() {
    // No view at all: the standard says that all elements are zero.
    let mut builder = Builder::triangle();
    builder.json["accessors"][0] =
        json!({ "componentType": 5126, "type": "VEC3", "count": 1_000_000_000 });
    let bytes = builder.glb();
    assert!(bytes.len() < 1024);
    refused(&bytes, &["promises 1,000,000,000 elements", "36 bytes of data"]);
    // One mesh, held by many nodes.
    let mut builder = Builder::triangle();
    builder.json["nodes"] = vec![json!({ "mesh": 0 }); 10_000].into();
    let options = ReadOptions { max_decoded_bytes: 1 << 20, ..ReadOptions::default() };
    let error = gltf::parse(&builder.glb(), None, &options).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("more than 1 MiB; allow it"), "{error}");
}

#[test]
fn sparse_parts_that_do_not_fit() {
    let sparse = |count: u64, index: u8, component: u32| {
        let mut builder = Builder::triangle();
        let indices = builder.view([index]);
        let values = builder.view([0; 12]);
        builder.json["accessors"][0]["sparse"] = json!({
            "count": count,
            "indices": { "bufferView": indices, "componentType": component },
            "values": { "bufferView": values },
        });
        builder.glb()
    };
    assert!(parse(&sparse(1, 2, 5121)).is_ok());
    refused(&sparse(1, 3, 5121), &["sparse part of accessor 0", "replaces element 3 of 3"]);
    refused(&sparse(4, 0, 5121), &["replaces 4 of 3 elements"]);
    refused(&sparse(2, 0, 5121), &["wants 2 elements"]);
    refused(&sparse(0, 0, 5121), &["no elements"]);
    refused(&sparse(1, 0, 5126), &["component type 5126"]);
}

#[test]
fn numbers_that_are_none() {
    let mut builder = Builder::triangle();
    builder.bin[16..20].copy_from_slice(&f32::NAN.to_le_bytes());
    refused(&builder.glb(), &["accessor 0", "component 1 of element 1 is NaN"]);
    let mut builder = Builder::triangle();
    let indices = builder.u8s("SCALAR", &[0, 1, 3], false);
    builder.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    refused(&builder.glb(), &["index 2 is 3, but the primitive has 3 vertices"]);
    let mode = with(Builder::triangle(), "/meshes/0/primitives/0/mode", json!(9));
    refused(&mode.glb(), &["the mode 9"]);
    let huge = br#"{"asset": {"version": "2.0"}, "nodes": [{"translation": [0, 1e999, 0]}]}"#;
    refused(huge, &["JSON", "number out of range"]);
}

#[test]
fn weights_and_joints_that_cannot_be() {
    let weights = |at: usize, weight: f32| {
        let mut weights = [0.25; 12];
        weights[at] = weight;
        Builder::skinned([0; 12], weights).glb()
    };
    refused(&weights(5, -0.25), &["node 0 \"body\", skin 0", "vertex 1", "-0.25"]);
    refused(&weights(5, f32::INFINITY), &["WEIGHTS_0", "element 1 is inf"]);
    let mut joints = [0; 12];
    joints[8] = 2;
    refused(&Builder::skinned(joints, [0.25; 12]).glb(), &["skin 0", "vertex 2", "joint 2"]);
    let mut lonely = Builder::skinned([0; 12], [0.25; 12]);
    let attributes = &mut lonely.json["meshes"][0]["primitives"][0]["attributes"];
    attributes.as_object_mut().unwrap().remove("WEIGHTS_0");
    refused(&lonely.glb(), &["JOINTS_0 but no WEIGHTS_0"]);
    let mut short = Builder::skinned([0; 12], [0.25; 12]);
    let two = short.f32s("VEC4", &[0.25; 8]);
    short.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(two);
    refused(&short.glb(), &["WEIGHTS_0", "2 elements for 3 vertices"]);
    let mut binds = Builder::skinned([0; 12], [0.25; 12]);
    let one = binds.f32s("MAT4", &[0.0; 16]);
    binds.json["skins"][0]["inverseBindMatrices"] = json!(one);
    refused(&binds.glb(), &["inverse bind matrices of skin 0", "1 matrix for 2 joints"]);
}

#[test]
fn morphs_that_do_not_fit() {
    let mut builder = Builder::triangle();
    let short = builder.f32s("VEC3", &[0.0; 6]);
    builder.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": short }]);
    refused(&builder.glb(), &["morph target 0", "2 elements for 3 vertices"]);
    let mut builder = Builder::triangle();
    let primitives = builder.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.push(json!({ "attributes": { "POSITION": 0 }, "targets": [{}] }));
    refused(&builder.glb(), &["primitive 1 has 1 morph target but the one before it has 0"]);
    let mut builder = Builder::triangle();
    builder.json["meshes"][0]["primitives"][0]["targets"] = json!([{}]);
    builder.json["meshes"][0]["weights"] = json!([0, 0]);
    refused(&builder.glb(), &["2 morph weights for 1 morph targets"]);
}

#[test]
fn animations_that_cannot_run() {
    let mut backwards = Builder::moving();
    let times = backwards.f32s("SCALAR", &[1.0, 0.0]);
    backwards.json["animations"][0]["samplers"][0]["input"] = json!(times);
    refused(&backwards.glb(), &["animation 0 \"slide\"", "key 1", "before the key before it"]);
    let mut uneven = Builder::moving();
    let times = uneven.f32s("SCALAR", &[0.0, 1.0, 2.0]);
    uneven.json["animations"][0]["samplers"][0]["input"] = json!(times);
    refused(&uneven.glb(), &["6 values for 3 keys"]);
    let odd = with(Builder::moving(), "/animations/0/samplers/0/interpolation", json!("BOUNCE"));
    refused(&odd.glb(), &["\"BOUNCE\", which does not exist"]);
}

#[test]
fn extensions_that_are_not_read_are_named() {
    let requires =
        |name: &str| with(Builder::triangle(), "/extensionsRequired", json!([name])).glb();
    refused(
        &requires("ACME_tesseract"),
        &["requires the extension \"ACME_tesseract\"", "export it without"],
    );
    // Compressed, but not as its extension has it.
    let mut draco = Builder::triangle();
    draco.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    draco.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({ "KHR_draco_mesh_compression": { "bufferView": 0, "attributes": {} } });
    refused(&draco.glb(), &["Draco"]);
    let mut meshopt = Builder::triangle();
    meshopt.json["bufferViews"][0]["extensions"] =
        json!({ "EXT_meshopt_compression": { "buffer": 0 } });
    refused(&meshopt.glb(), &["byteLength"]);
}

#[test]
fn buffers_elsewhere() {
    let folder = Folder::new("elsewhere");
    let read = |uri: &str| {
        let path = folder.file("a.gltf", Builder::triangle().text(Some(uri)));
        read_document(&path, &ReadOptions::default()).unwrap_err().to_string()
    };
    for outside in [
        "../a.bin",
        "/etc/passwd",
        "x/../../a.bin",
        "%2e%2e/a.bin",
        "https://example.org/a.bin",
        "..\\a.bin",
    ] {
        let error = read(outside);
        assert!(
            error.contains("a.gltf: buffer 0 names")
                && error.contains("not a file below the folder"),
            "{error}"
        );
    }
    assert!(
        read("gone.bin")
            .contains("buffer 0 names \"gone.bin\", which cannot be read: no such file")
    );
    folder.file("short.bin", [0; 35]);
    assert!(read("short.bin").contains("states 36 bytes but holds 35"));
    assert!(read("data:application/octet-stream;base64,A%20A").contains("is not base64"));
    assert!(read("data:,hello").contains("is not base64"));
    refused(Builder::triangle().text(Some("a.bin")).as_bytes(), &["read the glTF by its path"]);
    let no_uri = Builder::triangle();
    let mut json = no_uri.json.clone();
    json["buffers"][0]["byteLength"] = json!(36);
    refused(json.to_string().as_bytes(), &["neither a URI nor a binary chunk"]);
}

#[test]
fn a_compressed_file_that_decompresses_to_too_much() {
    let folder = Folder::new("bomb");
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&vec![0; 4 << 20]).unwrap();
    let path = folder.file("a.glb.gz", packer.finish().unwrap());
    let options = ReadOptions { max_decoded_bytes: 2 << 20, ..ReadOptions::default() };
    let error = read_document(&path, &options).unwrap_err().to_string();
    assert!(error.contains("decompresses to more than 2 MiB;"), "{error}");
}

#[test]
fn an_error_names_the_file() {
    let folder = Folder::new("named");
    let path = folder.file("a.glb", b"glTF");
    let error = read_document(&path, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.path(), path);
    assert!(error.to_string().contains("a.glb: the GLB ends within its header"), "{error}");
    let error = read_document(&folder.path().join("a.xyz"), &ReadOptions::default())
        .unwrap_err()
        .to_string();
    assert!(error.contains("a.xyz"), "{error}");
}
