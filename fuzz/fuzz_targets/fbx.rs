//! The FBX reader on any bytes: a rig that validates and poses or an error, never a panic.
#![no_main]

mod sound_rig;

use elbowroom_io::fbx;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sound_rig::check(fbx::parse, bytes));
