//! What trees are grown from: primitives, how to enclose them, how to cut them, when to stop.

use glam::{DMat3, DVec3};

use super::config::Config;
use super::split;
use crate::internal::geom::mesh::Mesh;
use crate::internal::volume::{Spatial, Volume};

/// Primitives over which a tree of volumes `V` is grown: triangles, but also segments, links or
/// samples of a motion. The rest of the grammar is here too, since what can be cut how depends on
/// what it is.
pub trait Source<V: Volume> {
    /// How many primitives there are; at least one.
    fn count(&self) -> usize;

    /// Encloses some of them, at least one.
    fn fit(&self, members: &[u32]) -> V;

    /// Whether a volume encloses a primitive.
    fn is_within(&self, primitive: u32, volume: &V) -> bool;

    /// Splits a group, which the volume encloses, in two: moves the left side's members to the
    /// front and returns their number. `None` if the group is to be a leaf.
    fn cut(&self, volume: &V, members: &mut [u32]) -> Option<usize>;
}

/// The triangles of a mesh, fitted, cut and stopped as a [`Config`] says.
#[derive(Clone, Copy, Debug)]
pub struct Triangles<'a> {
    mesh: &'a Mesh,
    config: &'a Config,
}

impl<'a> Triangles<'a> {
    /// A source over a mesh. The family that the configuration names is ignored: the tree's own
    /// family is used.
    pub fn new(mesh: &'a Mesh, config: &'a Config) -> Self {
        Self { mesh, config }
    }

    pub(super) fn config(&self) -> &Config {
        self.config
    }

    fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.mesh.triangle(triangle as usize)
    }

    /// The point by which a triangle goes to one side of a cut or the other.
    pub(super) fn center(&self, triangle: u32) -> DVec3 {
        middle(self.corners(triangle))
    }

    /// The lowest and highest coordinates of a triangle along three axes.
    pub(super) fn span(&self, triangle: u32, axes: &DMat3) -> (DVec3, DVec3) {
        let turned = axes.transpose();
        let [p, q, r] = self.corners(triangle).map(|corner| turned * corner);
        (p.min(q).min(r), p.max(q).max(r))
    }

    /// The mean of some triangles' vertices.
    pub(super) fn mean(&self, members: &[u32]) -> DVec3 {
        let share = 1.0 / members.len() as f64;
        members.iter().map(|&i| self.center(i) * share).sum()
    }

    /// The mean of some triangles' surface.
    pub(super) fn area_mean(&self, members: &[u32]) -> DVec3 {
        // Scaled, so that the areas of huge triangles do not overflow nor those of tiny ones
        // vanish.
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
            return self.mean(members);
        }
        let total: f64 = areas.iter().map(|&a| a.max(least)).sum();
        members.iter().zip(areas).map(|(&i, a)| self.center(i) * (a.max(least) / total)).sum()
    }
}

/// A third of the sum, without overflow.
fn middle([p, q, r]: [DVec3; 3]) -> DVec3 {
    p / 3.0 + q / 3.0 + r / 3.0
}

impl<V: Spatial> Source<V> for Triangles<'_> {
    fn count(&self) -> usize {
        self.mesh.triangles().len()
    }

    fn fit(&self, members: &[u32]) -> V {
        // Most nodes are leaves or nearly so; those need no heap.
        if let &[only] = members {
            return V::of_triangles(&[self.corners(only)], self.config.fit);
        }
        let triangles: Vec<[DVec3; 3]> = members.iter().map(|&i| self.corners(i)).collect();
        V::of_triangles(&triangles, self.config.fit)
    }

    fn is_within(&self, primitive: u32, volume: &V) -> bool {
        self.corners(primitive).iter().all(|&corner| volume.contains(corner))
    }

    fn cut(&self, volume: &V, members: &mut [u32]) -> Option<usize> {
        let stops = members.len() <= self.config.leaf.max(1);
        if stops { None } else { split::cut(self, volume, members) }
    }
}
