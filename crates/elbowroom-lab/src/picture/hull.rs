//! Convex shapes as faces and edges: what volumes look like.
//!
//! An edge knows the two faces beside it. It is drawn where they meet at an angle, or where one
//! looks towards the eye and the other away: so boxes show their edges, and cylinders their rims
//! and their sides.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use elbowroom::internal::volume::{Aabb, Cylinder, Kdop, Obb, Spatial as _, TimeBox, TimeObb};
use elbowroom_papers::grammar::face_between;
use glam::DVec3;

/// A convex polytope.
#[derive(Clone, Debug, Default)]
pub(super) struct Hull {
    pub(super) corners: Vec<DVec3>,
    /// Counter-clockwise, seen from outside.
    pub(super) faces: Vec<Vec<usize>>,
    pub(super) edges: Vec<Edge>,
}

/// Where two faces meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) ends: [usize; 2],
    pub(super) faces: [usize; 2],
    /// Whether the faces meet at an angle that is seen.
    pub(super) is_sharp: bool,
}

/// Around a circle.
const SECTORS: usize = 48;

impl Hull {
    pub(super) fn new(corners: Vec<DVec3>, faces: Vec<Vec<usize>>) -> Self {
        let mut hull = Self { corners, faces, edges: Vec::new() };
        let mut beside: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        for (face, ring) in hull.faces.iter().enumerate() {
            for (i, &from) in ring.iter().enumerate() {
                beside.insert([from, ring[(i + 1) % ring.len()]], face);
            }
        }
        for (&ends, &face) in &beside {
            let [from, to] = ends;
            if from > to {
                continue;
            }
            if let Some(&other) = beside.get(&[to, from]) {
                let is_sharp = hull.normal(face).dot(hull.normal(other)) < 0.94;
                hull.edges.push(Edge { ends, faces: [face, other], is_sharp });
            }
        }
        hull
    }

    /// An oriented box.
    pub(super) fn of_box(b: &Obb) -> Self {
        let faces =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let mut faces: Vec<Vec<usize>> = faces.map(Vec::from).into();
        if b.axes.determinant() < 0.0 {
            for face in &mut faces {
                face.reverse();
            }
        }
        Self::new(b.corners().to_vec(), faces)
    }

    /// A box along the axes.
    pub(super) fn of_aligned(b: &Aabb) -> Self {
        Self::of_box(&b.boxed())
    }

    /// A polytope of fixed directions.
    pub(super) fn of_kdop<const N: usize>(kdop: &Kdop<N>) -> Self {
        let planes = Kdop::<N>::DIRECTIONS.iter().zip(&kdop.slabs);
        let planes: Vec<(DVec3, f64)> = planes
            .flat_map(|(&along, &[low, high])| {
                let length = along.length();
                [(along / length, high / length), (-along / length, -low / length)]
            })
            .collect();
        let bounds = kdop.bounds();
        Self::of_planes(&planes, bounds.center(), bounds.half().length())
    }

    /// An upright cylinder of finite height, whose axis is along z.
    pub(super) fn of_cylinder(cylinder: &Cylinder) -> Self {
        let ring = |height: f64| {
            (0..SECTORS).map(move |i| {
                let angle = TAU * i as f64 / SECTORS as f64;
                let out = DVec3::new(libm::cos(angle), libm::sin(angle), 0.0);
                cylinder.center.extend(height) + out * cylinder.radius
            })
        };
        Self::prism(ring(cylinder.low).chain(ring(cylinder.high)).collect())
    }

    /// A box over a stretch of time, which is up, at this many metres a second.
    pub(super) fn of_time_box(b: &TimeBox, metres_a_second: f64) -> Self {
        let [low, high] = b.time.map(|time| time * metres_a_second);
        let corners = b.corners();
        let ring = |height: f64| corners.iter().map(move |corner| corner.extend(height));
        Self::prism(ring(low).chain(ring(high)).collect())
    }

    /// A box that leans with the motion.
    pub(super) fn of_time_obb(b: &TimeObb, metres_a_scaled_second: f64) -> Self {
        let scale = DVec3::new(1.0, 1.0, metres_a_scaled_second);
        let flat = Obb { center: b.center, axes: b.axes, half: b.half };
        let mut hull = Self::of_box(&flat);
        hull.corners.iter_mut().for_each(|corner| *corner *= scale);
        hull
    }

    /// A lower and an upper ring.
    fn prism(corners: Vec<DVec3>) -> Self {
        let n = corners.len() / 2;
        let mut faces = vec![(0..n).rev().collect::<Vec<_>>(), (n..2 * n).collect()];
        faces.extend((0..n).map(|i| vec![i, (i + 1) % n, n + (i + 1) % n, n + i]));
        let turn = |face: &[usize]| {
            let [a, b, c] = [face[0], face[1], face[2]].map(|i| corners[i]);
            (b - a).cross(c - a)
        };
        if turn(&faces[1]).z < 0.0 {
            for face in &mut faces {
                face.reverse();
            }
        }
        Self::new(corners, faces)
    }

    /// What is behind all planes, given by unit normal and offset; it is near the middle.
    fn of_planes(planes: &[(DVec3, f64)], middle: DVec3, radius: f64) -> Self {
        let mut corners: Vec<DVec3> = Vec::new();
        let mut faces = Vec::new();
        let least = 1e-7 * radius;
        for index in 0..planes.len() {
            let ring = face_between(planes, index, middle, radius);
            let mut face: Vec<usize> = Vec::new();
            for point in ring {
                let known = corners.iter().position(|corner| corner.distance(point) < least);
                let corner = known.unwrap_or(corners.len());
                if known.is_none() {
                    corners.push(point);
                }
                if face.last() != Some(&corner) && face.first() != Some(&corner) {
                    face.push(corner);
                }
            }
            if face.len() >= 3 {
                faces.push(face);
            }
        }
        Self::new(corners, faces)
    }

    /// Of a face, outward.
    pub(super) fn normal(&self, face: usize) -> DVec3 {
        let ring = &self.faces[face];
        let from = self.corners[ring[0]];
        let fan = ring.windows(2).skip(1);
        fan.map(|pair| (self.corners[pair[0]] - from).cross(self.corners[pair[1]] - from))
            .sum::<DVec3>()
            .normalize_or_zero()
    }

    pub(super) fn middle(&self) -> DVec3 {
        self.corners.iter().sum::<DVec3>() / self.corners.len().max(1) as f64
    }

    /// What the hull has in common with the plane z = height: a convex ring, or nothing.
    pub(super) fn section(&self, height: f64) -> Vec<DVec3> {
        let mut points: Vec<DVec3> = self
            .edges
            .iter()
            .map(|edge| edge.ends.map(|end| self.corners[end]))
            .filter(|[p, q]| (p.z < height) != (q.z < height))
            .map(|[p, q]| p + (q - p) * ((height - p.z) / (q.z - p.z)))
            .collect();
        let middle = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
        let angle = |p: &DVec3| libm::atan2(p.y - middle.y, p.x - middle.x);
        points.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
        points
    }
}
