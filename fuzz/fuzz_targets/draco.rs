//! Streams of Draco as the one primitive of a glTF: a rig or an error, never a panic.
//!
//! The first two bytes are how many points the accessors promise, the next two how many indices.
#![no_main]

mod honest;
mod sound_rig;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let [a, b, c, d, stream @ ..] = bytes else { return };
    let points = u16::from_be_bytes([*a, *b]).max(1);
    let corners = u16::from_be_bytes([*c, *d]).max(1);
    let length = stream.len();
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"buffers":[{{"byteLength":{length}}}],"bufferViews":[{{"buffer":0,"byteLength":{length}}}],"accessors":[{{"componentType":5126,"type":"VEC3","count":{points}}},{{"componentType":5125,"type":"SCALAR","count":{corners}}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"extensions":{{"KHR_draco_mesh_compression":{{"bufferView":0,"attributes":{{"POSITION":0}}}}}}}}]}}]}}"#
    );
    honest::check(json.as_bytes(), stream);
});
