//! Closing the holes of a mesh: the mouth and the eyes of a body model, the wrist of a hand, the
//! hems of a garment.
//!
//! An edge with a single triangle on it is on a hole. Such edges are followed from end to end into
//! loops, once, from the triangles alone and with vertices merged that are equal in the first
//! frame. In each frame a loop is closed by a fan to its centroid. The centroid is weighted by the
//! lengths of the edges, so that it stays where it is if an edge is cut into two.
//!
//! Invariants: each fan runs along the edges of its loop the other way round, so that a mesh whose
//! only fault are holes is closed. Edges that are not part of a loop, as where faces disagree on
//! which side is out, are left as they are, and counted.

use std::collections::BTreeMap;

use elbowroom::Mesh;
use glam::DVec3;

/// The loops of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Caps {
    /// Each hole, in the first frame.
    pub loops: Vec<CapLoop>,
    /// Edges with a single triangle that are in no loop, and so stay open.
    pub left_open: usize,
    /// The corners of each loop in order.
    rings: Vec<Vec<u32>>,
}

/// A hole that is closed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CapLoop {
    /// The number of edges around it.
    pub edges: usize,
    /// The length of the loop in the first frame.
    pub length: f64,
    /// The area of the fan in the first frame.
    pub area: f64,
}

impl Caps {
    /// Finds the loops of a mesh.
    ///
    /// ```
    /// use elbowroom::Mesh;
    /// use elbowroom_motion::metrics::Caps;
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let open = Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3]])?;
    /// let caps = Caps::of(&open);
    /// assert_eq!((caps.loops.len(), caps.loops[0].edges, caps.left_open), (1, 3, 0));
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    pub fn of(mesh: &Mesh) -> Self {
        let welded = mesh.welded();
        let (rings, left_open) = rings(&open_edges(&welded));
        // The numbers of a welded mesh are its own: those of the mesh are found by place.
        let mut firsts = BTreeMap::new();
        for (at, vertex) in mesh.vertices().iter().enumerate() {
            firsts.entry(bits(*vertex)).or_insert(at as u32);
        }
        let named = |at: &u32| firsts[&bits(welded.vertices()[*at as usize])];
        let rings: Vec<Vec<u32>> =
            rings.iter().map(|ring| ring.iter().map(named).collect()).collect();
        let loops = rings.iter().map(|ring| size(ring, mesh.vertices())).collect();
        Self { loops, left_open, rings }
    }

    /// The triangles of all fans; the middle of each loop is a vertex behind those of the mesh.
    pub(super) fn triangles(&self, vertices: usize) -> Vec<[u32; 3]> {
        let fan = |(at, ring): (usize, &Vec<u32>)| {
            let middle = (vertices + at) as u32;
            edges(ring).map(move |[from, to]| [to, from, middle]).collect::<Vec<_>>()
        };
        self.rings.iter().enumerate().flat_map(fan).collect()
    }

    /// Adds the middle of each loop behind the vertices of a frame.
    pub(super) fn extend(&self, points: &mut Vec<DVec3>) {
        let middles: Vec<DVec3> = self.rings.iter().map(|ring| centroid(ring, points)).collect();
        points.extend(middles);
    }
}

/// Equal exactly where vertices are merged: the two zeros are one.
fn bits(point: DVec3) -> [u64; 3] {
    (point + DVec3::ZERO).to_array().map(f64::to_bits)
}

/// The edges of one triangle only, in the direction in which it runs along them.
fn open_edges(mesh: &Mesh) -> Vec<[u32; 2]> {
    let mut counts: BTreeMap<[u32; 2], (usize, [u32; 2])> = BTreeMap::new();
    for &[a, b, c] in mesh.triangles() {
        // A triangle on a segment or a point has no edge of its own.
        if a == b || b == c || c == a {
            continue;
        }
        for edge in [[a, b], [b, c], [c, a]] {
            let [from, to] = edge;
            counts.entry([from.min(to), from.max(to)]).or_insert((0, edge)).0 += 1;
        }
    }
    counts.into_values().filter(|(count, _)| *count == 1).map(|(_, edge)| edge).collect()
}

/// Follows edges into loops that pass each vertex once, and counts those that lead nowhere.
fn rings(edges: &[[u32; 2]]) -> (Vec<Vec<u32>>, usize) {
    let mut ways: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &[from, to] in edges.iter().rev() {
        ways.entry(from).or_default().push(to);
    }
    let (mut rings, mut left_open) = (Vec::new(), 0);
    while let Some(start) = ways.iter().find(|(_, to)| !to.is_empty()).map(|(&from, _)| from) {
        let mut path = vec![start];
        while let Some(&end) = path.last() {
            let Some(next) = ways.get_mut(&end).and_then(Vec::pop) else {
                left_open += path.len() - 1;
                break;
            };
            if let Some(begin) = path.iter().position(|&at| at == next) {
                rings.push(path.split_off(begin));
                // What leads to the loop goes on from where the loop was.
                if begin == 0 {
                    break;
                }
                path.push(next);
            } else {
                path.push(next);
            }
        }
    }
    (rings, left_open)
}

fn edges(ring: &[u32]) -> impl Iterator<Item = [u32; 2]> + '_ {
    ring.iter().zip(ring.iter().cycle().skip(1)).map(|(&from, &to)| [from, to])
}

/// The middle of a loop, weighted by the lengths of its edges.
fn centroid(ring: &[u32], points: &[DVec3]) -> DVec3 {
    let origin = points[ring[0] as usize];
    let (mut sum, mut length) = (DVec3::ZERO, 0.0);
    for [from, to] in edges(ring) {
        let (from, to) = (points[from as usize] - origin, points[to as usize] - origin);
        let along = (to - from).length();
        sum += along * (0.5 * from + 0.5 * to);
        length += along;
    }
    let middle = origin + sum / length;
    // Of a loop without a length, and beyond what f64 can add up, any point of it will do.
    if middle.is_finite() { middle } else { origin }
}

fn size(ring: &[u32], points: &[DVec3]) -> CapLoop {
    let middle = centroid(ring, points);
    let mut size = CapLoop { edges: ring.len(), ..CapLoop::default() };
    for [from, to] in edges(ring) {
        let (from, to) = (points[from as usize] - middle, points[to as usize] - middle);
        size.length += (to - from).length();
        size.area += 0.5 * from.cross(to).length();
    }
    size
}

#[cfg(test)]
mod tests {
    use super::rings;

    #[test]
    fn edges_make_simple_loops() {
        let square = [[0, 1], [1, 2], [2, 3], [3, 0]];
        assert_eq!(rings(&square), (vec![vec![0, 1, 2, 3]], 0));
        // Two loops with a vertex in common.
        let (eight, left) = rings(&[[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 2]]);
        let mut sizes: Vec<usize> = eight.iter().map(Vec::len).collect();
        sizes.sort_unstable();
        assert_eq!((sizes, left), (vec![3, 3], 0));
        // A path that ends is no loop.
        assert_eq!(rings(&[[0, 1], [1, 2]]), (vec![], 2));
        let (loops, left) = rings(&[[0, 1], [1, 2], [2, 3], [3, 1]]);
        assert_eq!((loops, left), (vec![vec![1, 2, 3]], 1));
    }
}
