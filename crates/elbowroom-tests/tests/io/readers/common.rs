//! What several test files use: a writer of binary STL.

/// A binary STL with these corners and this count in its header.
pub(crate) fn binary_stl(count: u32, triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes[..5].copy_from_slice(b"solid");
    bytes.extend(count.to_le_bytes());
    for triangle in triangles {
        bytes.extend([0; 12]);
        bytes.extend(triangle.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend([7, 7]);
    }
    bytes
}
