//! The glTF reader on any bytes: a rig that validates and poses or an error, never a panic.
//!
//! A fuzzer rarely guesses the lengths of a GLB, so each input is read a second time in an honest
//! container: what stands before the first zero is the JSON, what stands behind it the binary
//! chunk.
#![no_main]

mod sound_rig;

use elbowroom_io::gltf;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sound_rig::check(gltf::parse, bytes);
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (json, binary) = (&bytes[..end], bytes.get(end + 1..).unwrap_or(&[]));
    let mut honest = b"glTF\x02\0\0\0".to_vec();
    honest.extend((28 + json.len() as u32 + binary.len() as u32).to_le_bytes());
    for (content, kind) in [(json, b"JSON"), (binary, b"BIN\0")] {
        honest.extend((content.len() as u32).to_le_bytes());
        honest.extend(kind);
        honest.extend(content);
    }
    sound_rig::check(gltf::parse, &honest);
});
