//! All pairs of triangles of two placed meshes that meet.
//!
//! Each triangle's bounds, rounded outward, are swept along the axis on which the two meshes reach
//! farthest; pairs whose bounds overlap are decided exactly.

use glam::DVec3;

use crate::exact::{PlacedTriangle, Relation, relate};
use crate::geom::mesh::Mesh;
use crate::math::placement::Placement;

/// Two triangles that have a point in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrianglePair {
    /// The triangle of the first mesh.
    pub a: u32,
    /// The triangle of the second mesh.
    pub b: u32,
    /// Whether they touch or cross; never [`Relation::Apart`].
    pub relation: Relation,
}

/// Every pair of triangles that meet, touching included, ordered by the first mesh's triangle and then
/// by the second's.
pub fn collide(a: &Mesh, place_a: &Placement, b: &Mesh, place_b: &Placement) -> Vec<TrianglePair> {
    let a = Spread::new(a, place_a);
    let b = Spread::new(b, place_b);
    let axis = a.longest_axis_with(&b);
    let (order_a, order_b) = (a.order(axis), b.order(axis));
    let mut pairs = Vec::new();
    let mut start = 0;
    for &i in &order_a {
        let (low, high) = a.bounds[i as usize];
        // A triangle of b that ends before everything still to come begins is never met again, but it
        // may end before one that starts later in the list only; so only a prefix can be dropped.
        while start < order_b.len() && b.bounds[order_b[start] as usize].1[axis] < low[axis] {
            start += 1;
        }
        for &j in &order_b[start..] {
            let (other_low, other_high) = b.bounds[j as usize];
            if other_low[axis] > high[axis] {
                break;
            }
            if low.cmple(other_high).all() && other_low.cmple(high).all() {
                let relation = relate(&a.triangles[i as usize], &b.triangles[j as usize]);
                if relation != Relation::Apart {
                    pairs.push(TrianglePair { a: i, b: j, relation });
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// The placed triangles of a mesh and their bounds.
struct Spread<'a> {
    triangles: Vec<PlacedTriangle<'a>>,
    bounds: Vec<(DVec3, DVec3)>,
}

impl<'a> Spread<'a> {
    fn new(mesh: &Mesh, placement: &'a Placement) -> Self {
        let triangles: Vec<_> = (0..mesh.triangles().len())
            .map(|i| PlacedTriangle::new(placement, mesh.triangle(i)))
            .collect();
        let bounds = triangles.iter().map(PlacedTriangle::bounds).collect();
        Self { triangles, bounds }
    }

    /// The triangles by where they begin along an axis.
    fn order(&self, axis: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.bounds.len() as u32).collect();
        let begin = |&i: &u32| self.bounds[i as usize].0[axis];
        order.sort_by(|i, j| begin(i).total_cmp(&begin(j)));
        order
    }

    fn longest_axis_with(&self, other: &Self) -> usize {
        let all = || self.bounds.iter().chain(&other.bounds);
        let low = all().fold(DVec3::INFINITY, |low, bounds| low.min(bounds.0));
        let high = all().fold(DVec3::NEG_INFINITY, |high, bounds| high.max(bounds.1));
        let reach = high - low;
        (0..3).fold(0, |best, axis| if reach[axis] > reach[best] { axis } else { best })
    }
}
