//! What trees are grown from.

use glam::{DMat3, DVec3};

use crate::geom::mesh::Mesh;
use crate::volume::{Fit, Volume};

/// Primitives that a tree of volumes `V` can be grown over: triangles, but also segments, links or
/// samples of a motion.
pub trait Source<V: Volume> {
    /// How many there are; at least one.
    fn count(&self) -> usize;

    /// The point by which a primitive goes to one side of a cut or the other.
    fn center(&self, primitive: u32) -> DVec3;

    /// The lowest and highest coordinates of a primitive along three axes.
    fn span(&self, primitive: u32, axes: &DMat3) -> (DVec3, DVec3);

    /// The mean of some primitives' vertices.
    fn mean(&self, members: &[u32]) -> DVec3;

    /// The mean of some primitives' surface.
    fn area_mean(&self, members: &[u32]) -> DVec3;

    /// Encloses some primitives.
    fn fit(&self, members: &[u32]) -> V;

    /// Whether a volume encloses a primitive.
    fn is_within(&self, primitive: u32, volume: &V) -> bool;
}

/// The triangles of a mesh.
#[derive(Clone, Copy, Debug)]
pub struct Triangles<'a> {
    mesh: &'a Mesh,
    fit: Fit,
}

impl<'a> Triangles<'a> {
    /// Oriented boxes will be fitted in this way.
    pub fn new(mesh: &'a Mesh, fit: Fit) -> Self {
        Self { mesh, fit }
    }

    fn corners(&self, primitive: u32) -> [DVec3; 3] {
        self.mesh.triangle(primitive as usize)
    }
}

/// A third of the sum, without overflow.
fn middle([p, q, r]: [DVec3; 3]) -> DVec3 {
    p / 3.0 + q / 3.0 + r / 3.0
}

impl<V: Volume> Source<V> for Triangles<'_> {
    fn count(&self) -> usize {
        self.mesh.triangles().len()
    }

    fn center(&self, primitive: u32) -> DVec3 {
        middle(self.corners(primitive))
    }

    fn span(&self, primitive: u32, axes: &DMat3) -> (DVec3, DVec3) {
        let turned = axes.transpose();
        let [p, q, r] = self.corners(primitive).map(|corner| turned * corner);
        (p.min(q).min(r), p.max(q).max(r))
    }

    fn mean(&self, members: &[u32]) -> DVec3 {
        let share = 1.0 / members.len() as f64;
        members.iter().map(|&i| middle(self.corners(i)) * share).sum()
    }

    fn area_mean(&self, members: &[u32]) -> DVec3 {
        // Scaled, so that the areas of huge triangles do not overflow nor those of tiny ones vanish.
        let size = members
            .iter()
            .map(|&i| {
                let [p, q, r] = self.corners(i).map(|p| p * 0.25);
                (q - p).abs().max((r - p).abs()).max_element()
            })
            .fold(0.0, f64::max);
        let area = |i: u32| {
            let [p, q, r] = self.corners(i).map(|p| p * 0.25);
            ((q - p) / size).cross((r - p) / size).length()
        };
        let areas: Vec<f64> = members.iter().map(|&i| area(i)).collect();
        // A triangle without area weighs as the smallest that has some.
        let least = areas.iter().copied().filter(|&a| a > 0.0).fold(f64::INFINITY, f64::min);
        if least == f64::INFINITY {
            return Source::<V>::mean(self, members);
        }
        let total: f64 = areas.iter().map(|&a| a.max(least)).sum();
        members
            .iter()
            .zip(areas)
            .map(|(&i, a)| middle(self.corners(i)) * (a.max(least) / total))
            .sum()
    }

    fn fit(&self, members: &[u32]) -> V {
        // Most nodes are leaves or nearly so; those need no heap.
        if let &[only] = members {
            return V::of_triangles(&[self.corners(only)], self.fit);
        }
        let triangles: Vec<[DVec3; 3]> = members.iter().map(|&i| self.corners(i)).collect();
        V::of_triangles(&triangles, self.fit)
    }

    fn is_within(&self, primitive: u32, volume: &V) -> bool {
        self.corners(primitive).iter().all(|&corner| volume.contains(corner))
    }
}
