//! What is true of two soups, triangle by triangle.

use elbowroom::internal::exact::{Gap, PlacedTriangle, gap, relate};
use elbowroom::internal::query::{ClosestPoints, TrianglePair};
use elbowroom::{Mesh, Pose, Relation};
use elbowroom_testkit::brute::{all_pairs, candidates};
use elbowroom_testkit::soups::Pair;
use glam::DVec3;

use elbowroom_tests::common::{mesh, placement, plain};

/// A pair of soups in the library's types.
pub(crate) struct Scene {
    pub(crate) a: Mesh,
    pub(crate) place_a: Pose,
    pub(crate) b: Mesh,
    pub(crate) place_b: Pose,
}

impl Scene {
    pub(crate) fn new(pair: &Pair) -> Self {
        Self {
            a: mesh(&pair.a),
            place_a: placement(&pair.pose_a),
            b: mesh(&pair.b),
            place_b: placement(&pair.pose_b),
        }
    }

    fn triangles(&self, a: u32, b: u32) -> [PlacedTriangle<'_>; 2] {
        [
            PlacedTriangle::new(&self.place_a, self.a.triangle(a as usize)),
            PlacedTriangle::new(&self.place_b, self.b.triangle(b as usize)),
        ]
    }

    /// How far every pair of triangles is apart, in order; zero if they meet.
    pub(crate) fn gaps(&self) -> Vec<ClosestPoints> {
        let mut gaps = Vec::new();
        for a in 0..self.a.triangles().len() as u32 {
            for b in 0..self.b.triangles().len() as u32 {
                let [first, second] = self.triangles(a, b);
                let Gap { distance, points: [point_a, point_b] } =
                    gap(&first, &second).unwrap_or(Gap { distance: 0.0, points: [DVec3::ZERO; 2] });
                gaps.push(ClosestPoints { distance, a, b, point_a, point_b });
            }
        }
        gaps
    }
}

/// All pairs of triangles that meet, in order. Small soups are decided by the rational oracle as
/// well, by code of which the library uses nothing.
pub(crate) fn meeting(pair: &Pair, scene: &Scene) -> Vec<TrianglePair> {
    let mut found = Vec::new();
    for (a, b) in candidates(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b) {
        let [first, second] = scene.triangles(a, b);
        let relation = relate(&first, &second);
        if relation != Relation::Apart {
            found.push(TrianglePair { a, b, relation });
        }
    }
    if pair.a.triangles.len() * pair.b.triangles.len() <= 100 {
        let truth = all_pairs(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b);
        assert_eq!(plain(&found), truth, "the exact kernel and the oracle differ");
    }
    found
}

/// The pairs with the sides exchanged, in order.
pub(crate) fn swapped(pairs: &[TrianglePair]) -> Vec<TrianglePair> {
    let swap = |pair: &TrianglePair| TrianglePair { a: pair.b, b: pair.a, ..*pair };
    let mut swapped: Vec<_> = pairs.iter().map(swap).collect();
    swapped.sort_unstable();
    swapped
}

/// The mesh elsewhere: turned inside out and moved, so that every box changes with a refit.
pub(crate) fn elsewhere(mesh: &Mesh) -> Mesh {
    let vertices = mesh.vertices().iter().map(|&v| DVec3::new(v.z, -v.x, v.y) * 1.5 + 0.25);
    mesh.with_vertices(vertices.collect()).expect("finite")
}
