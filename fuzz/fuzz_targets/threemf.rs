//! The 3MF reader on any bytes, as a package and as the model in one: a sound mesh or an error,
//! never a panic.
#![no_main]

mod sound;
mod zipped;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sound::check(elbowroom_io::threemf::parse(bytes));
    let package = zipped::zip(&[("3D/3dmodel.model", bytes)]);
    sound::check(elbowroom_io::threemf::parse(&package));
});
