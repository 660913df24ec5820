//! The OFF reader on any bytes: a sound mesh or an error, never a panic.
#![no_main]

mod sound;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sound::check(elbowroom_io::off::parse(bytes)));
