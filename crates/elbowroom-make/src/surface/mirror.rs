//! The other half of a symmetric mesh.

use super::Soup;

/// A half that lies where x is positive, and its mirror image, joined along the vertices with x =
/// 0.
pub(crate) fn mirrored(half: &Soup) -> Soup {
    let mut whole = half.clone();
    let image: Vec<u32> = half
        .vertices
        .iter()
        .enumerate()
        .map(|(own, vertex)| {
            if vertex.x == 0.0 {
                return own as u32;
            }
            let mut vertex = *vertex;
            vertex.x = -vertex.x;
            whole.vertices.push(vertex);
            whole.vertices.len() as u32 - 1
        })
        .collect();
    whole.triangles.extend(half.triangles.iter().map(|&[a, b, c]| {
        // The image of a turn to the left is a turn to the right.
        [image[a as usize], image[c as usize], image[b as usize]]
    }));
    whole
}
