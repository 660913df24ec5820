//! The biovision reader on any bytes: rigs that validate or an error, never a panic.
#![no_main]

use elbowroom_io::{ReadOptions, biovision};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let options = ReadOptions {
        max_decoded_bytes: 16 << 20,
        skip_rest_frame: true,
        ..ReadOptions::default()
    };
    if let Ok(document) = biovision::parse(bytes, None, &options) {
        for rig in &document.rigs {
            rig.validate().expect("what a reader hands out is sound");
        }
    }
});
