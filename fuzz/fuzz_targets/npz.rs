//! The NPZ reader on any bytes, as an archive and as the arrays in one: frames of finite vertices
//! or an error, never a panic.
#![no_main]

mod zipped;

/// An array with any shape and data.
fn array(descr: &str, shape: &[u8], data: &[u8]) -> Vec<u8> {
    let sizes: Vec<String> = shape.iter().map(|size| (size % 6).to_string()).collect();
    let order = if shape.first().is_some_and(|first| first % 2 == 0) { "True" } else { "False" };
    let text = format!(
        "{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({}, 3), }}\n",
        sizes.join(", ")
    );
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(data);
    bytes
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = elbowroom_io::npz::check(bytes);
    let _ = elbowroom_io::npz::check(&zipped::zip(&[("v.npy", bytes), ("f.npy", bytes)]));
    if let Some((shape, data)) = bytes.split_first_chunk::<3>() {
        let frame = 36 * usize::from(shape[0] % 6) * usize::from(shape[1] % 6) / 3;
        let vertices = array("<f4", &shape[..2], &data[..frame.min(data.len())]);
        let faces = array(
            "|u1",
            &shape[2..],
            &data[data.len() - (3 * usize::from(shape[2] % 6)).min(data.len())..],
        );
        let _ = elbowroom_io::npz::check(&zipped::zip(&[("v.npy", &vertices), ("f.npy", &faces)]));
    }
});
