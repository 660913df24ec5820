//! What lies between planes, by its faces: enough geometry to draw k-DOPs and to measure what two
//! volumes share. Nothing is decided by it.

use elbowroom::internal::volume::Obb;
use glam::DVec3;

/// A plane: its unit normal, which looks outward, and how far along it the body reaches.
type Plane = (DVec3, f64);

/// A convex body by its planes, and the face on each that has one.
pub(super) struct Polytope {
    planes: Vec<Plane>,
    faces: Vec<Vec<DVec3>>,
    /// A ball around it.
    middle: DVec3,
    radius: f64,
}

impl Polytope {
    /// Of planes, within a ball. Without a face if the body is empty or flat.
    pub(super) fn between(
        planes: impl IntoIterator<Item = Plane>,
        middle: DVec3,
        radius: f64,
    ) -> Self {
        let mut kept: Vec<Plane> = Vec::new();
        for (normal, at) in planes {
            // Of parallel planes the nearer one counts, so that no face is there twice.
            match kept.iter_mut().find(|(other, _)| other.dot(normal) > 1.0 - 1e-12) {
                Some((_, nearer)) => *nearer = nearer.min(at),
                None => kept.push((normal, at)),
            }
        }
        let faces = (0..kept.len()).map(|index| face_between(&kept, index, middle, radius));
        let faces = faces.filter(|face| face.len() > 2).collect();
        Self { planes: kept, faces, middle, radius }
    }

    pub(super) fn of_box(it: &Obb) -> Self {
        let axes = [it.axes.x_axis, it.axes.y_axis, it.axes.z_axis];
        let sides = axes.into_iter().zip(it.half.to_array()).flat_map(|(axis, half)| {
            let middle = axis.dot(it.center);
            [(axis, middle + half), (-axis, half - middle)]
        });
        Self::between(sides, it.center, it.half.length())
    }

    pub(super) fn into_faces(self) -> Vec<Vec<DVec3>> {
        self.faces
    }

    /// By the divergence theorem, seen from the middle.
    pub(super) fn volume(&self) -> f64 {
        let fan = |face: &Vec<DVec3>| {
            let from = face[0] - self.middle;
            let piece =
                |pair: &[DVec3]| from.dot((pair[0] - face[0]).cross(pair[1] - face[0])) / 6.0;
            face[1..].windows(2).map(piece).sum::<f64>()
        };
        self.faces.iter().map(fan).sum::<f64>().max(0.0)
    }

    /// The volume of what lies in both.
    pub(super) fn shared(&self, other: &Self) -> f64 {
        let planes = self.planes.iter().chain(&other.planes).copied();
        Self::between(planes, self.middle, self.radius).volume()
    }
}

/// The part of a plane, one of several, that is behind all others: a ring that looks outward, empty
/// if the plane bounds nothing. Planes are given by unit normal and offset; what they bound is in a
/// ball.
pub fn face_between(
    planes: &[(DVec3, f64)],
    index: usize,
    middle: DVec3,
    radius: f64,
) -> Vec<DVec3> {
    let (normal, offset) = planes[index];
    let side = normal.any_orthonormal_vector();
    let (across, along) = (side * (3.0 * radius), normal.cross(side) * (3.0 * radius));
    let foot = middle + normal * (offset - normal.dot(middle));
    let mut ring = vec![
        foot - across - along,
        foot + across - along,
        foot + across + along,
        foot - across + along,
    ];
    for &(other, limit) in planes.iter().filter(|plane| plane.0 != normal) {
        ring = cut(&ring, other, limit);
    }
    ring
}

/// The part of a convex ring that is behind a plane.
fn cut(ring: &[DVec3], normal: DVec3, limit: f64) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(ring.len() + 1);
    for (i, &p) in ring.iter().enumerate() {
        let q = ring[(i + 1) % ring.len()];
        let [at_p, at_q] = [p, q].map(|point| normal.dot(point) - limit);
        if at_p <= 0.0 {
            kept.push(p);
        }
        if (at_p <= 0.0) != (at_q <= 0.0) {
            kept.push(p + (q - p) * (at_p / (at_p - at_q)));
        }
    }
    kept
}
