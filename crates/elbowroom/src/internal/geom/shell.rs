//! A mesh as the boundary of something: its surface with the seams sewn up.
//!
//! Vertices that are equal bit for bit become one; triangles without area bound nothing and are set
//! aside. What is left has edges, each with the triangles on it, and falls into components: parts
//! that hang together by their vertices.
//!
//! Triangles without area still count for the [`Seams`]: a sliver that closes a crack between two
//! edges in one line is what makes such a mesh closed, and each edge is then run through equally
//! often both ways.

use std::collections::HashMap;

use super::mesh::Mesh;
use super::seams::Seams;
use crate::internal::exact::{Sign, turn};

/// The surface of a mesh, sewn up.
///
/// ```
/// use elbowroom::Mesh;
/// use elbowroom::internal::geom::Shell;
/// use glam::DVec3;
///
/// // Two triangles that name the ends of their common edge by numbers of their own.
/// let points = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Y, DVec3::X, DVec3::Z];
/// let mesh = Mesh::new(points, vec![[0, 1, 2], [3, 4, 5]])?;
/// let shell = Shell::new(&mesh);
/// assert_eq!((mesh.seams().boundary, shell.seams().boundary), (6, 4));
/// assert_eq!((shell.components(), shell.is_closed()), (1, false));
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shell {
    /// The first of all vertices that are equal to each.
    firsts: Vec<u32>,
    /// The corners of each triangle, as the first of all equal vertices.
    pub(crate) corners: Vec<[u32; 3]>,
    /// Whether a triangle is without area.
    pub(crate) flat: Vec<bool>,
    /// The ends of each edge of a triangle with area, the smaller first.
    pub(crate) edges: Vec<[u32; 2]>,
    /// The edges of each triangle: from its first corner to its second, and on. Meaningless if it
    /// has no area.
    pub(crate) edges_of: Vec<[u32; 3]>,
    /// The triangles on each edge, and where each edge's begin.
    on_edges: Vec<u32>,
    starts: Vec<u32>,
    seams: Seams,
    /// The smallest vertex of each component.
    pub(crate) heads: Vec<u32>,
}

impl Shell {
    /// Sews up a mesh.
    pub fn new(mesh: &Mesh) -> Self {
        let firsts = firsts(mesh);
        let sew = |corner: u32| firsts[corner as usize];
        let corners: Vec<[u32; 3]> = mesh.triangles().iter().map(|t| t.map(sew)).collect();
        let flat: Vec<bool> =
            (0..corners.len()).map(|i| is_flat(mesh, i) || names_twice(corners[i])).collect();
        let mut edges = Vec::new();
        let mut index_of = HashMap::with_capacity(corners.len() * 3 / 2);
        let mut edges_of = vec![[0; 3]; corners.len()];
        let mut counts = Vec::new();
        for (triangle, &[a, b, c]) in corners.iter().enumerate() {
            if flat[triangle] {
                continue;
            }
            for (side, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
                let ends = [from.min(to), from.max(to)];
                let edge = *index_of.entry(ends).or_insert_with(|| {
                    edges.push(ends);
                    counts.push(0_u32);
                    edges.len() as u32 - 1
                });
                counts[edge as usize] += 1;
                edges_of[triangle][side] = edge;
            }
        }
        let (on_edges, starts) = gather(&counts, &flat, &edges_of);
        let seams = Seams::of(&corners);
        let heads = Vec::new();
        let mut shell =
            Self { firsts, corners, flat, edges, edges_of, on_edges, starts, seams, heads };
        shell.heads = shell.find_heads(mesh.vertices().len());
        shell
    }

    /// Whether a mesh of the same triangles, with other vertices, is sewn up to the same: the same
    /// vertices are equal, and the same triangles are without area.
    pub(crate) fn is_of(&self, mesh: &Mesh) -> bool {
        let is_sewn = |(vertex, &first): (u32, &u32)| {
            vertex == first || place(mesh, vertex) == place(mesh, first)
        };
        let is_flat = |(triangle, &is_known): (usize, &bool)| {
            is_known == (is_flat(mesh, triangle) || names_twice(self.corners[triangle]))
        };
        let firsts = || (0..).zip(&self.firsts);
        self.firsts.len() == mesh.vertices().len()
            && firsts().all(is_sewn)
            && are_apart(mesh, firsts().filter(|(vertex, first)| vertex == *first).map(|p| p.0))
            && self.flat.iter().enumerate().all(is_flat)
    }

    /// How the triangles hang together once equal vertices are one.
    pub fn seams(&self) -> &Seams {
        &self.seams
    }

    /// Whether the surface encloses what it encloses for certain: winding numbers off it are whole.
    pub fn is_closed(&self) -> bool {
        self.seams.is_closed()
    }

    /// Into how many parts the surface falls; triangles without area are none.
    pub fn components(&self) -> usize {
        self.heads.len()
    }

    /// The triangles on an edge.
    pub(crate) fn on_edge(&self, edge: u32) -> &[u32] {
        let edge = edge as usize;
        &self.on_edges[self.starts[edge] as usize..self.starts[edge + 1] as usize]
    }

    /// The triangles that have area.
    pub(crate) fn faces(&self) -> impl Iterator<Item = u32> {
        (0..self.corners.len() as u32).filter(|&triangle| !self.flat[triangle as usize])
    }

    /// All vertices, joined over all edges.
    pub(crate) fn joined(&self, vertices: usize) -> Parts {
        let mut parts = Parts::new(vertices);
        for &[a, b] in &self.edges {
            parts.join(a, b);
        }
        parts
    }

    fn find_heads(&self, vertices: usize) -> Vec<u32> {
        let mut parts = self.joined(vertices);
        let mut heads: Vec<u32> = self.edges.iter().map(|&[a, _]| parts.root(a)).collect();
        heads.sort_unstable();
        heads.dedup();
        heads
    }
}

/// The first of all vertices that are equal to each.
fn firsts(mesh: &Mesh) -> Vec<u32> {
    let mut first = HashMap::with_capacity(mesh.vertices().len());
    let vertices = 0..mesh.vertices().len() as u32;
    vertices.map(|vertex| *first.entry(place(mesh, vertex)).or_insert(vertex)).collect()
}

/// The greatest number of places of a table that are probed for one vertex. Beyond it lists are
/// sorted instead, because vertices may be made so that all hash to one place.
const LONGEST: usize = 64;

/// Whether no two of some vertices are equal. Asked in every frame of a body, so in a table of its
/// own: its places need no order, and it has no keys.
fn are_apart(mesh: &Mesh, vertices: impl Iterator<Item = u32> + Clone) -> bool {
    let size = (2 * mesh.vertices().len()).next_power_of_two();
    let mut table = vec![u32::MAX; size];
    for vertex in vertices.clone() {
        let own = place(mesh, vertex);
        let start = mixed(own) as usize;
        let chain = (0..LONGEST).map(|step| (start + step) & (size - 1));
        let mut is_placed = false;
        for at in chain {
            if table[at] == u32::MAX {
                (table[at], is_placed) = (vertex, true);
                break;
            }
            if place(mesh, table[at]) == own {
                return false;
            }
        }
        if !is_placed {
            return are_apart_in_order(mesh, vertices);
        }
    }
    true
}

#[cold]
fn are_apart_in_order(mesh: &Mesh, vertices: impl Iterator<Item = u32>) -> bool {
    let mut places: Vec<[u64; 3]> = vertices.map(|vertex| place(mesh, vertex)).collect();
    places.sort_unstable();
    places.windows(2).all(|two| two[0] != two[1])
}

/// A number of which all bits depend on all of a place's.
fn mixed([x, y, z]: [u64; 3]) -> u64 {
    // Odd, and far from having few ones: the golden ratio, and two of splitmix64.
    let sum = x
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(y.wrapping_mul(0xBF58_476D_1CE4_E5B9).rotate_left(21))
        .wrapping_add(z.wrapping_mul(0x94D0_49BB_1331_11EB).rotate_left(42));
    let sum = (sum ^ sum >> 32).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    sum ^ sum >> 29
}

/// The bits of a vertex, with one kind of zero.
fn place(mesh: &Mesh, vertex: u32) -> [u64; 3] {
    mesh.vertices()[vertex as usize].to_array().map(|x| (x + 0.0).to_bits())
}

fn names_twice([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}

fn is_flat(mesh: &Mesh, triangle: usize) -> bool {
    let points = mesh.triangle(triangle);
    (0..3).all(|axis| turn(axis, points) == Sign::Zero)
}

/// The triangles on each edge, edge by edge, in ascending order.
fn gather(counts: &[u32], flat: &[bool], edges_of: &[[u32; 3]]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = Vec::with_capacity(counts.len() + 1);
    let mut sum = 0;
    starts.push(0);
    starts.extend(counts.iter().map(|count| {
        sum += count;
        sum
    }));
    let mut next = starts.clone();
    let mut on_edges = vec![0; sum as usize];
    for (triangle, edges) in edges_of.iter().enumerate().filter(|&(triangle, _)| !flat[triangle]) {
        for &edge in edges {
            on_edges[next[edge as usize] as usize] = triangle as u32;
            next[edge as usize] += 1;
        }
    }
    (on_edges, starts)
}

/// Things that are joined two by two into parts (Galler and Fischer, *An improved equivalence
/// algorithm*, 1964).
#[derive(Clone, Debug)]
pub struct Parts {
    above: Vec<u32>,
}

impl Parts {
    pub fn new(count: usize) -> Self {
        Self { above: (0..count as u32).collect() }
    }

    /// Resets the set to a number of separate elements.
    pub(crate) fn reset(&mut self, count: usize) {
        self.above.clear();
        self.above.extend(0..count as u32);
    }

    /// What stands for the part: the smallest member.
    pub fn root(&mut self, mut member: u32) -> u32 {
        while self.above[member as usize] != member {
            let next = self.above[self.above[member as usize] as usize];
            self.above[member as usize] = next;
            member = next;
        }
        member
    }

    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.above[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn seams_are_sewn_and_parts_are_counted() {
        let p = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3_usize]];
        let mut points: Vec<DVec3> = faces.iter().flatten().map(|&corner| p[corner]).collect();
        points.extend(points.clone().iter().map(|q| *q + DVec3::splat(5.0)));
        let triangles = (0..8).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).chain([[0, 1, 1]]).collect();
        let mesh = Mesh::new(points, triangles).unwrap();
        assert!(!mesh.seams().is_closed());
        let shell = Shell::new(&mesh);
        assert!(shell.is_closed());
        assert_eq!((shell.components(), shell.edges.len(), shell.faces().count()), (2, 12, 8));
        assert!((0..12).all(|edge| shell.on_edge(edge).len() == 2));
        assert_eq!(shell.on_edge(0), [0, 3], "{:?}", shell.edges[0]);
    }
}
