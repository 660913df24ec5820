//! Streams of meshopt in any mode, with any filter: a rig or an error, never a panic.
//!
//! The first five bytes choose the mode, the filter, the stride and the count; the rest is the
//! stream.
#![no_main]

mod honest;
mod sound_rig;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let [mode, filter, stride, high, low, stream @ ..] = bytes else { return };
    let modes = ["ATTRIBUTES", "TRIANGLES", "INDICES"];
    let filters = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"];
    let mode = modes[usize::from(*mode) % 3];
    let filter = filters[usize::from(*filter) % 5];
    let count = u16::from_be_bytes([*high, *low]);
    let (length, stride) = (stream.len(), u32::from(*stride) + 1);
    let view = format!(
        r#"{{"buffer":0,"byteLength":{},"extensions":{{"EXT_meshopt_compression":{{"buffer":0,"byteLength":{length},"byteStride":{stride},"count":{count},"mode":"{mode}","filter":"{filter}"}}}}}}"#,
        stride * u32::from(count)
    );
    // Read as indices where they are some, else as positions of a triangle each.
    let json = if mode == "ATTRIBUTES" {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"buffers":[{{"byteLength":{length}}}],"bufferViews":[{view}],"accessors":[{{"bufferView":0,"componentType":5126,"type":"VEC3","count":{count}}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}]}}"#
        )
    } else {
        let kind = if stride == 2 { 5123 } else { 5125 };
        format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"buffers":[{{"byteLength":{length}}}],"bufferViews":[{view}],"accessors":[{{"componentType":5126,"type":"VEC3","count":{length}}},{{"bufferView":0,"componentType":{kind},"type":"SCALAR","count":{count}}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}]}}"#
        )
    };
    honest::check(json.as_bytes(), stream);
});
