//! The glTF reader on any bytes: a rig that validates and poses or an error, never a panic.
//!
//! A fuzzer rarely guesses the lengths of a GLB, so each input is read a second time in an honest
//! container: what stands before the first zero is the JSON, what stands behind it the binary
//! chunk.
#![no_main]

mod honest;
mod sound_rig;

use elbowroom_io::gltf;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sound_rig::check(gltf::parse, bytes);
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (json, binary) = (&bytes[..end], bytes.get(end + 1..).unwrap_or(&[]));
    honest::check(json, binary);
});
