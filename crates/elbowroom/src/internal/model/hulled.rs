//! The convex hull of a mesh, and whether the mesh fills it.
//!
//! What is convex can be asked how deep it is in something. A closed surface that has all of its
//! vertices on one side of every one of its triangles, the same side for all, is the surface of its
//! hull. Planes of rounded corners are a little off, so a vertex may be beyond a plane by 10⁻⁹ of
//! the largest extent; triangles without a certain plane, lower than that, are passed over. A dent
//! below the tolerance is therefore not seen, and the depth of the hull is that of the mesh up to
//! it.

use glam::DVec3;

use super::Model;
use crate::internal::convex::shape::Corners;
use crate::internal::geom::Aabb;
use crate::internal::geom::mesh::Mesh;
use crate::internal::math::moments::unit_scale;

/// How far a vertex of what is convex may be beyond a plane, in parts of the largest extent.
const TOLERANCE: f64 = 1e-9;

/// The convex hull of a model.
#[derive(Clone, Debug)]
pub struct Hulled {
    corners: Corners,
    is_convex: bool,
}

impl Hulled {
    /// Of the triangles of a model; `None` if there are none.
    pub(super) fn new(model: &Model) -> Option<Self> {
        let corners = Corners::of_mesh(model.mesh())?;
        let is_convex = model.shell().is_closed() && is_outside(model.mesh(), corners.corners());
        Some(Self { corners, is_convex })
    }

    /// The hull.
    pub fn corners(&self) -> &Corners {
        &self.corners
    }

    /// Whether the model is its own hull: it is closed, and no vertex is beyond the plane of a
    /// triangle by more than 10⁻⁹ of the largest extent. Which way round the triangles are does
    /// not matter, if it is the same for all.
    pub fn is_convex(&self) -> bool {
        self.is_convex
    }
}

/// Whether all corners are on one side of every triangle, the same side for all.
fn is_outside(mesh: &Mesh, corners: &[DVec3]) -> bool {
    let Aabb { min: low, max: high } = mesh.bounds();
    // Products neither overflow nor vanish.
    let scale = unit_scale((0.5 * high - 0.5 * low).max_element());
    let middle = 0.5 * low + 0.5 * high;
    let near = |point: DVec3| (point - middle) * scale;
    let room = TOLERANCE * (near(high) - near(low)).max_element();
    let corners: Vec<DVec3> = corners.iter().map(|&corner| near(corner)).collect();
    let (mut all_below, mut all_above) = (true, true);
    for index in 0..mesh.triangles().len() {
        let [p, q, r] = mesh.triangle(index).map(near);
        let across = (q - p).cross(r - p);
        let longest = (q - p).length().max((r - p).length()).max((r - q).length());
        if across.length() <= room * longest {
            continue;
        }
        let normal = across / across.length();
        let ends = corners.iter().map(|&corner| (corner - p).dot(normal));
        let (least, most) =
            ends.fold((0.0, 0.0), |(least, most): (f64, f64), end| (least.min(end), most.max(end)));
        all_below &= most <= room;
        all_above &= least >= -room;
        if !all_below && !all_above {
            return false;
        }
    }
    true
}
