//! What several test files use.

use std::io::Write;
use std::path::PathBuf;

/// The data folder, or a note that a test was skipped.
pub(crate) fn data(test: &str) -> Option<PathBuf> {
    let folder = elbowroom_testkit::data::shared_dir();
    if folder.is_none() {
        elbowroom_testkit::data::skip_note(test);
    }
    folder
}

/// A zip of these files, packed or plain.
pub(crate) fn zip(files: &[(&str, &[u8])], packed: bool) -> Vec<u8> {
    let method =
        if packed { zip::CompressionMethod::Deflated } else { zip::CompressionMethod::Stored };
    let options = zip::write::SimpleFileOptions::default().compression_method(method);
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, options).expect("a file in a zip");
        writer.write_all(bytes).expect("bytes in a zip");
    }
    writer.finish().expect("a zip").into_inner()
}

/// A 3MF package around this XML.
pub(crate) fn package(model: &str) -> Vec<u8> {
    zip(&[("3D/3dmodel.model", model.as_bytes())], true)
}

/// An array as `NumPy` saves it.
pub(crate) fn npy(descr: &str, fortran: bool, shape: &[usize], data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let mut text = format!(
        "{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({}{comma}), }}",
        shape.join(", ")
    );
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(text.len()).expect("a short header").to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(data);
    bytes
}

/// The rows of a table beside the tests.
pub(crate) fn table<T: serde::de::DeserializeOwned>(json: &str) -> Vec<T> {
    serde_json::from_str(json).expect("a table is JSON")
}
