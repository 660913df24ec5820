//! Cloth between two frames of a simulation: `benchmarks/scalable_ccd` (Belgrod and others, 2023).
//!
//! Each scene is one PLY file a frame, with every body in it; both frames have the same triangles.
//! The files differ in how they write numbers: little-endian double or big-endian float.

use std::path::Path;

use super::read;
use crate::brute::Soup;

/// The folder of a scene, and its two frames.
pub const SCENES: [(&str, [&str; 2]); 3] = [
    ("cloth-funnel", ["227.ply.gz", "228.ply.gz"]),
    ("cloth-ball", ["cloth_ball92.ply.gz", "cloth_ball93.ply.gz"]),
    ("armadillo-rollers", ["326.ply.gz", "327.ply.gz"]),
];

/// The two frames of a scene.
///
/// # Panics
///
/// If a file is not as expected, or the frames differ in their triangles.
pub fn load(shared: &Path, scene: usize) -> [Soup; 2] {
    let (folder, files) = SCENES[scene];
    let folder = shared.join("benchmarks/scalable_ccd").join(folder).join("frames");
    let frames = files.map(|file| ply(&folder.join(file)));
    assert_eq!(frames[0].triangles, frames[1].triangles, "{}", folder.display());
    frames
}

/// The triangles of each connected body, by shared indices, the largest first.
pub fn bodies(soup: &Soup) -> Vec<Vec<u32>> {
    let mut parents: Vec<u32> = (0..soup.vertices.len() as u32).collect();
    for corners in &soup.triangles {
        let roots = corners.map(|corner| root(&mut parents, corner));
        for other in roots {
            parents[other as usize] = roots[0];
        }
    }
    let mut bodies: Vec<Vec<u32>> = vec![Vec::new(); soup.vertices.len()];
    for (index, corners) in soup.triangles.iter().enumerate() {
        bodies[root(&mut parents, corners[0]) as usize].push(index as u32);
    }
    bodies.retain(|body| !body.is_empty());
    bodies.sort_by_key(|body| std::cmp::Reverse(body.len()));
    bodies
}

fn root(parents: &mut [u32], mut vertex: u32) -> u32 {
    while parents[vertex as usize] != vertex {
        let above = parents[parents[vertex as usize] as usize];
        parents[vertex as usize] = above;
        vertex = above;
    }
    vertex
}

pub(super) fn ply(path: &Path) -> Soup {
    const END: &[u8] = b"end_header\n";
    let content = read(path);
    let end = content.windows(END.len()).position(|w| w == END);
    let body = end.unwrap_or_else(|| panic!("{}: no end_header", path.display())) + END.len();
    let header = String::from_utf8_lossy(&content[..body]);
    let count = |element: &str| -> usize {
        let line = header.lines().find_map(|l| l.strip_prefix(element));
        let number = line.and_then(|rest| rest.trim().parse().ok());
        number.unwrap_or_else(|| panic!("{}: no \"{element}\"", path.display()))
    };
    let is_big = header.contains("format binary_big_endian");
    let is_double = header.contains("property double x");
    let mut rest = &content[body..];
    let mut take = |bytes: usize| {
        let (number, after) = rest.split_at(bytes);
        rest = after;
        // Little-endian, whatever it was.
        let mut number = number.to_vec();
        if is_big {
            number.reverse();
        }
        number.resize(8, 0);
        u64::from_le_bytes(std::array::from_fn(|i| number[i]))
    };
    let colours = header.matches("property uchar ").count();
    let vertices: Vec<[f64; 3]> = (0..count("element vertex "))
        .map(|_| {
            let point = std::array::from_fn(|_| {
                if is_double {
                    f64::from_bits(take(8))
                } else {
                    f64::from(f32::from_bits(take(4) as u32))
                }
            });
            (0..colours).for_each(|_| _ = take(1));
            point
        })
        .collect();
    let triangles = (0..count("element face "))
        .map(|_| {
            assert_eq!(take(1), 3, "{}: a face that is no triangle", path.display());
            std::array::from_fn(|_| take(4) as u32)
        })
        .collect();
    Soup { vertices, triangles }
}
