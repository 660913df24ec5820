//! A GLB whose lengths are right.

use elbowroom_io::gltf;

use super::sound_rig;

/// Reads a GLB of a text and of bytes.
pub(crate) fn check(json: &[u8], binary: &[u8]) {
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend((28 + json.len() as u32 + binary.len() as u32).to_le_bytes());
    for (content, kind) in [(json, b"JSON"), (binary, b"BIN\0")] {
        glb.extend((content.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(content);
    }
    sound_rig::check(gltf::parse, &glb);
}
