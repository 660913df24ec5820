//! Triangles that were cut out of a mesh: open where they were cut, and closed there by caps.
//!
//! A part of a skin is open at its joints: an arm at the shoulder and at the wrist. Distances are
//! those of its skin. As a solid it is closed by caps: a fan over each hole from the middle of its
//! edge. Without them the winding number in the middle of a short wide part, such as a chest,
//! is far below one half, and what is stuck in it has no depth. A cap is not where the body ends,
//! so that what is said of such a solid is an estimate, by the number of edges that were closed.
//!
//! Invariant: with its caps every edge is run along equally often in both directions.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};

use glam::DVec3;

use elbowroom::internal::geom::Parts;
use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Certainty, Doubt};

/// Some triangles of a piece, at their places in the world.
#[derive(Debug)]
pub(super) struct CutOut {
    skin: Mesh,
    /// With caps; `None` if it is closed without them.
    capped: Option<Mesh>,
    /// The number of its boundary edges.
    edges: usize,
    models: [OnceCell<Model>; 2],
}

impl CutOut {
    /// Of the triangles of a mesh that are meant; `None` if none is.
    pub(super) fn new(
        points: &[DVec3],
        triangles: &[[u32; 3]],
        is_meant: impl Fn(u32) -> bool,
    ) -> Option<Self> {
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut kept = Vec::new();
        let mut number = |corner: u32| {
            *numbers.entry(corner).or_insert_with(|| {
                kept.push(points[corner as usize]);
                kept.len() as u32 - 1
            })
        };
        let own = triangles.iter().zip(0..).filter(|&(_, triangle)| is_meant(triangle));
        let own: Vec<[u32; 3]> = own.map(|(corners, _)| corners.map(&mut number)).collect();
        let boundary = boundary(&kept, &own);
        let capped = (!boundary.is_empty()).then(|| capped(&kept, &own, &boundary));
        let edges = boundary.iter().map(|(_, runs)| runs.unsigned_abs() as usize).sum();
        let capped = match capped {
            Some((points, triangles)) => Some(Mesh::new(points, triangles).ok()?),
            None => None,
        };
        let skin = Mesh::new(kept, own).ok()?;
        Some(Self { skin, capped, edges, models: Default::default() })
    }

    /// The triangles alone.
    pub(super) fn skin(&self) -> &Model {
        self.models[0].get_or_init(|| Model::new(self.skin.clone()))
    }

    /// What they enclose with their caps.
    pub(super) fn solid(&self) -> &Model {
        match &self.capped {
            None => self.skin(),
            Some(capped) => self.models[1].get_or_init(|| Model::new(capped.clone())),
        }
    }

    /// Whether it is closed without caps.
    pub(super) fn certainty(&self) -> Certainty {
        match self.edges {
            0 => Certainty::Exact,
            edges => Certainty::Estimate(Doubt::Boundary(edges)),
        }
    }
}

/// An edge, its lower corner first, and how often triangles run up along it more than down.
type Edge = ((u32, u32), i32);

/// The first of all points at the place of each, bit for bit but for the sign of zero.
fn welded(points: &[DVec3]) -> Vec<u32> {
    let mut first = HashMap::with_capacity(points.len());
    let bits = |point: &DVec3| point.to_array().map(|x| (x + 0.0).to_bits());
    points.iter().zip(0..).map(|(point, at)| *first.entry(bits(point)).or_insert(at)).collect()
}

fn boundary(points: &[DVec3], triangles: &[[u32; 3]]) -> Vec<Edge> {
    let places = welded(points);
    let mut runs: BTreeMap<(u32, u32), i32> = BTreeMap::new();
    for corners in triangles {
        let [p, q, r] = corners.map(|corner| places[corner as usize]);
        for (from, to) in [(p, q), (q, r), (r, p)] {
            let step = if from < to { 1 } else { -1 };
            if from != to {
                *runs.entry((from.min(to), from.max(to))).or_default() += step;
            }
        }
    }
    runs.into_iter().filter(|(_, runs)| *runs != 0).collect()
}

/// With a fan for each hole. The edges of a hole run in rings, so that a fan from any point closes
/// it.
fn capped(
    points: &[DVec3],
    triangles: &[[u32; 3]],
    boundary: &[Edge],
) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let (mut points, mut triangles) = (points.to_vec(), triangles.to_vec());
    let mut holes = Parts::new(points.len());
    for &((p, q), _) in boundary {
        holes.join(p, q);
    }
    // Each corner of a hole counts as often as edges end there.
    let mut sums: BTreeMap<u32, (DVec3, f64)> = BTreeMap::new();
    for &((p, q), _) in boundary {
        let (sum, count) = sums.entry(holes.root(p)).or_default();
        *sum += points[p as usize] + points[q as usize];
        *count += 2.0;
    }
    let mut middles: HashMap<u32, u32> = HashMap::new();
    for (hole, (sum, count)) in sums {
        middles.insert(hole, points.len() as u32);
        points.push(sum / count);
    }
    for &((p, q), runs) in boundary {
        let middle = middles[&holes.root(p)];
        let cap = if runs > 0 { [q, p, middle] } else { [p, q, middle] };
        triangles.extend((0..runs.unsigned_abs()).map(|_| cap));
    }
    (points, triangles)
}

#[cfg(test)]
mod tests {
    use elbowroom::internal::math::pose::Pose;
    use elbowroom::internal::query;
    use elbowroom::internal::traverse::Workspace;

    use super::*;

    /// A tube along z of 1 by 1 by a height, without ends, its corners given twice.
    fn tube(height: f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let ring = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for side in 0..4 {
            let ((x, y), (u, v)) = (ring[side], ring[(side + 1) % 4]);
            let first = points.len() as u32;
            points.extend([DVec3::new(x, y, 0.0), DVec3::new(u, v, 0.0)]);
            points.extend([DVec3::new(u, v, height), DVec3::new(x, y, height)]);
            triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t: [u32; 3]| t.map(|c| c + first)));
        }
        (points, triangles)
    }

    /// A wide ring encloses nothing without its caps, and its volume with them.
    #[test]
    fn caps_close_what_was_cut() {
        let (points, triangles) = tube(0.3);
        let cut = CutOut::new(&points, &triangles, |_| true).expect("a mesh");
        assert_eq!(cut.certainty(), Certainty::Estimate(Doubt::Boundary(8)));
        let mut workspace = Workspace::default();
        let mut inside = |model: &Model, x: f64, z: f64| {
            let point = DVec3::new(x, 0.5, z);
            query::is_inside(model, &Pose::IDENTITY, point, &mut workspace)
        };
        assert!(!inside(cut.skin(), 0.5, 0.15) && inside(cut.solid(), 0.5, 0.15));
        assert!(!inside(cut.solid(), 0.5, 0.31) && !inside(cut.solid(), 1.1, 0.15));
        assert!(cut.solid().shell().seams().is_closed());
        assert_eq!(cut.solid().mesh().triangles().len(), 16);
        // Two sides of it are one hole, and closed as well; all of a closed mesh needs no cap.
        let some = CutOut::new(&points, &triangles, |triangle| triangle < 4).expect("a mesh");
        assert!(some.solid().shell().seams().is_closed());
        let solid = cut.solid().mesh();
        let whole = CutOut::new(solid.vertices(), solid.triangles(), |_| true).expect("a mesh");
        assert_eq!((whole.certainty(), whole.edges), (Certainty::Exact, 0));
        assert_eq!(whole.solid().mesh().triangles().len(), 16);
    }
}
