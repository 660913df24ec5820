//! How the triangles of one mesh hang together: which of its parts are neighbours on the surface.
//!
//! A *shell* is a set of triangles that hang together by their corners. Corners are the same if
//! they are at the same place in the mesh as it was modelled, bit for bit but for the sign of zero:
//! seams of texture part vertices that are one on the body. Two parts are *neighbours* on a shell
//! if they have a corner of it in common.
//!
//! The rule for a mesh that is compared with itself: two triangles of one shell are left out if
//! they belong to one part or to two neighbours. All others count, also those of one part that lie
//! on two shells: a shirt that is modelled into the mesh of the body.

use std::collections::{HashMap, HashSet};

use crate::body::labels::Labels;
use elbowroom::internal::geom::Parts;
use elbowroom::internal::geom::mesh::Mesh;

/// The shells of a mesh, and the neighbours on each.
#[derive(Debug)]
pub(super) struct Surface {
    shells: Labels,
    /// A shell, and two parts on it, the lower first.
    neighbours: HashSet<(u32, u32, u32)>,
    /// Pairs of parts of which some triangles count; a part and itself among them.
    pub(super) compared: u64,
}

impl Surface {
    pub(super) fn new(mesh: &Mesh, labels: &Labels) -> Self {
        let places = places(mesh);
        let mut joined = Parts::new(places.len());
        for corners in mesh.triangles() {
            let [a, b, c] = corners.map(|corner| places[corner as usize]);
            joined.join(a, b);
            joined.join(a, c);
        }
        let root = |corners: &[u32; 3]| joined.root(places[corners[0] as usize]);
        let shells: Vec<u32> = mesh.triangles().iter().map(root).collect();
        let mut new = Self {
            neighbours: neighbours(mesh, &places, labels, &shells),
            shells: Labels::of_all(shells),
            compared: 0,
        };
        new.compared = new.count(mesh, labels);
        new
    }

    /// Whether two triangles, each with its part, are left out.
    pub(super) fn leaves_out(&self, (i, p): (u32, u32), (j, q): (u32, u32)) -> bool {
        self.are_one((self.shells.of(i), p), (self.shells.of(j), q))
    }

    /// Whether two parts, each on a shell, are one or hang together.
    pub(super) fn are_one(&self, (shell, p): (u32, u32), (other, q): (u32, u32)) -> bool {
        let are_neighbours = || self.neighbours.contains(&(shell, p.min(q), p.max(q)));
        shell == other && (p == q || are_neighbours())
    }

    /// The shell of a triangle.
    pub(super) fn shell(&self, triangle: u32) -> u32 {
        self.shells.of(triangle)
    }

    /// All pairs of parts, but for those whose triangles are all left out: neighbours that lie on
    /// one shell only.
    fn count(&self, mesh: &Mesh, labels: &Labels) -> u64 {
        // The shell of each part; `None` if there are several.
        let mut shell_of: HashMap<u32, Option<u32>> = HashMap::new();
        for triangle in 0..mesh.triangles().len() as u32 {
            let shell = self.shells.of(triangle);
            let known = shell_of.entry(labels.of(triangle)).or_insert(Some(shell));
            *known = known.filter(|&known| known == shell);
        }
        let parts = shell_of.len() as u64;
        let torn = shell_of.values().filter(|shell| shell.is_none()).count() as u64;
        let is_out = |&&(shell, p, q): &&(u32, u32, u32)| {
            shell_of[&p] == Some(shell) && shell_of[&q] == Some(shell)
        };
        let out = self.neighbours.iter().filter(is_out).count() as u64;
        parts * parts.saturating_sub(1) / 2 - out + torn
    }
}

/// The first of all vertices at the place of each.
fn places(mesh: &Mesh) -> Vec<u32> {
    let mut first = HashMap::with_capacity(mesh.vertices().len());
    let bits = |vertex: &glam::DVec3| vertex.to_array().map(|x| (x + 0.0).to_bits());
    let numbered = mesh.vertices().iter().zip(0..);
    numbered.map(|(vertex, number)| *first.entry(bits(vertex)).or_insert(number)).collect()
}

fn neighbours(
    mesh: &Mesh,
    places: &[u32],
    labels: &Labels,
    shells: &[u32],
) -> HashSet<(u32, u32, u32)> {
    let mut neighbours = HashSet::new();
    let Labels::Each(labels) = labels else { return neighbours };
    let mut around: HashMap<u32, Vec<u32>> = HashMap::new();
    for ((corners, &label), &shell) in mesh.triangles().iter().zip(&labels[..]).zip(shells) {
        for corner in corners.map(|corner| places[corner as usize]) {
            let known = around.entry(corner).or_default();
            if !known.contains(&label) {
                let ordered = |&other: &u32| (shell, label.min(other), label.max(other));
                neighbours.extend(known.iter().map(ordered));
                known.push(label);
            }
        }
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use glam::DVec3;

    use super::*;

    /// A strip of squares along x, with a number of triangles whose corners are not shared by
    /// number.
    fn strip(squares: u32, z: f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let mut points = Vec::new();
        for square in 0..squares {
            let x = f64::from(square);
            let at = |x: f64, y: f64| DVec3::new(x, y, z);
            points.extend([at(x, 0.0), at(x + 1.0, 0.0), at(x, 1.0)]);
            points.extend([at(x + 1.0, 0.0), at(x + 1.0, 1.0), at(x, 1.0)]);
        }
        let triangles = (0..2 * squares).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        (points, triangles)
    }

    /// What is left out is what hangs together triangle by triangle, and has one part or two with a
    /// corner in common.
    #[test]
    fn neighbours_are_those_of_brute_force() {
        let (mut points, mut triangles) = strip(8, 0.0);
        let (more, others) = strip(5, 1.0);
        let base = points.len() as u32;
        points.extend(more);
        triangles.extend(others.iter().map(|corners| corners.map(|corner| corner + base)));
        let mesh = Mesh::new(points, triangles).unwrap();
        let count = mesh.triangles().len();
        // Along either strip the parts are 0 0 1 1 2 2 …: part 0 and 2 are neighbours nowhere.
        let labels: Vec<u32> =
            (0..count).map(|i| (if i < 16 { i } else { i - 16 }) as u32 / 4).collect();
        let surface = Surface::new(&mesh, &Labels::Each(labels.clone().into()));
        let share = |i: usize, j: usize| {
            mesh.triangle(i).iter().any(|corner| mesh.triangle(j).contains(corner))
        };
        let (mut out, mut counted, mut pairs) = (0, 0, BTreeSet::new());
        for i in 0..count {
            for j in 0..i {
                let is_one_shell = (i < 16) == (j < 16);
                let (p, q) = (labels[i], labels[j]);
                let of_shell = |label| {
                    (0..count)
                        .filter(move |&k| (k < 16) == (i < 16))
                        .filter(|&k| labels[k] == label)
                        .collect::<Vec<_>>()
                };
                let is_near = of_shell(p).iter().any(|&k| of_shell(q).iter().any(|&l| share(k, l)));
                let expected = is_one_shell && (p == q || is_near);
                assert_eq!(surface.leaves_out((i as u32, p), (j as u32, q)), expected, "{i} {j}");
                if expected {
                    out += 1;
                } else {
                    counted += 1;
                    pairs.insert((p.min(q), p.max(q)));
                }
            }
        }
        assert!(out > 50 && counted > 50, "{out} {counted}");
        assert_eq!(surface.compared, pairs.len() as u64);
    }

    #[test]
    fn a_surface_of_neighbours_has_nothing_to_compare() {
        let (points, triangles) = strip(2, 0.0);
        let mesh = Mesh::new(points, triangles).unwrap();
        let of = |labels: &[u32]| Surface::new(&mesh, &Labels::Each(labels.into())).compared;
        assert_eq!((of(&[0, 0, 1, 1]), of(&[0, 1, 1, 2]), of(&[3, 3, 3, 3])), (0, 1, 0));
        let (points, triangles) = strip(4, 0.0);
        let mesh = Mesh::new(points, triangles).unwrap();
        assert_eq!(Surface::new(&mesh, &Labels::Each([0, 0, 0, 1, 1, 1, 2, 2].into())).compared, 1);
    }
}
