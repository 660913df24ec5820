//! The PLY reader, text and binary, on any bytes: a sound mesh or an error, never a panic.
//!
//! A fuzzer rarely writes a header, so each input is read a second time as the tables behind one.
#![no_main]

mod sound;

const HEADER: &str = "element vertex 3\nproperty float x\nproperty float y\nproperty double z\nproperty list uchar ushort extra\nelement face 2\nproperty list char int vertex_indices\nelement tristrips 1\nproperty list uint short vertex_index\nend_header\n";

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sound::check(elbowroom_io::ply::parse(bytes));
    for format in ["ascii", "binary_little_endian", "binary_big_endian"] {
        let mut file = format!("ply\nformat {format} 1.0\n{HEADER}").into_bytes();
        file.extend_from_slice(bytes);
        sound::check(elbowroom_io::ply::parse(&file));
    }
});
