//! A frustum in a model's frame, prepared to look at many boxes.
//!
//! Everything here is rounded, and every decision leaves room for it. A box is outside if along
//! some direction there is a gap between it and the corners: any direction will do, rounded or not,
//! as long as the gap is more than the space's slack. It is inside if it is on the inner side of
//! every facet's plane; there the plane's own tilt counts as well:
//!
//! ```text
//!            h                 the facet's corners are known to within the slack s, so at a
//!   p ●──────────●···········  distance r from p, with h the least height of the facet, its
//!                      r       plane is known to within s·(1 + 4r/h); s·(4 + 4r/h) is allowed for
//! ```

use glam::DVec3;

use crate::obbtree::frustum::{Frustum, View};
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::query::contact::{across, direction};
use elbowroom::internal::volume::{Obb, Rigid};

/// Two directions with a smaller sine between them are tried once.
const ALIKE: f64 = 1e-6;

pub(super) struct Lens {
    corners: [DVec3; 8],
    /// Outward normals, and the directions of edges, without those that are alike.
    normals: Vec<DVec3>,
    edges: Vec<DVec3>,
    planes: Vec<Plane>,
    slack: f64,
}

/// The plane of a facet.
struct Plane {
    /// A corner of the facet.
    corner: DVec3,
    /// Outward, of unit length.
    normal: DVec3,
    /// The least height of the facet.
    height: f64,
}

impl Lens {
    /// In the frame of a model that stands there; `reach` bounds the sum of the coordinates'
    /// magnitudes of everything in it.
    pub(super) fn new(frustum: &Frustum, placement: &Pose, reach: f64) -> Self {
        let own_reach = frustum.corners.iter().map(|p| p.abs().element_sum()).fold(0.0, f64::max);
        let space = Rigid::new(placement, reach, &Pose::IDENTITY, own_reach, 0.0);
        let corners = frustum.corners.map(|p| space.apply(p));
        let (mut normals, mut edges) = (Vec::new(), Vec::new());
        for facet in &frustum.facets {
            let [p, q, r] = facet.map(|i| corners[i]);
            push(&mut normals, plane([p, q, r]).map(|plane| plane.normal));
            for edge in [q - p, r - q, p - r] {
                push(&mut edges, direction(edge));
            }
        }
        let planes = frustum.planes.iter().map(|&facet| {
            let [p, q, r] = frustum.facets[facet].map(|i| corners[i]);
            // A facet without area up to rounding: nothing is surely inside of it.
            plane([p, q, r]).unwrap_or(Plane { corner: p, normal: DVec3::X, height: 0.0 })
        });
        Self { corners, normals, edges, planes: planes.collect(), slack: space.allowance() }
    }

    pub(super) fn view(&self, volume: &Obb) -> View {
        if self.is_outside(volume) {
            View::Outside
        } else if self.planes.iter().all(|plane| plane.holds(volume, self.slack)) {
            View::Inside
        } else {
            View::Crossing
        }
    }

    fn is_outside(&self, volume: &Obb) -> bool {
        let axes = [0, 1, 2].map(|i| volume.axes.col(i));
        let normals = self.normals.iter().copied().chain(axes);
        let crosses = self.edges.iter().flat_map(|&edge| axes.map(|axis| across(edge, axis)));
        normals.chain(crosses.flatten()).any(|axis| self.separates(axis, volume))
    }

    /// Whether there is a gap along a direction; never where a number is beyond f64.
    fn separates(&self, axis: DVec3, volume: &Obb) -> bool {
        let (center, radius) = (axis.dot(volume.center), radius(volume, axis));
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for corner in self.corners {
            let at = axis.dot(corner);
            if at.is_nan() {
                // The place of this corner is unknown; `min` and `max` would ignore it.
                return false;
            }
            low = low.min(at);
            high = high.max(at);
        }
        let room = radius + 2.0 * self.slack;
        // False for NaN.
        low - center > room || center - high > room
    }
}

impl Plane {
    /// Whether a box is surely on the inner side.
    fn holds(&self, volume: &Obb, slack: f64) -> bool {
        let offset = volume.center - self.corner;
        let radius = radius(volume, self.normal);
        let far = offset.length() + volume.half.length();
        let doubt = 2.0 * slack * (2.0 + 2.0 * far / self.height);
        // False for NaN.
        self.normal.dot(offset) + radius + doubt <= 0.0
    }
}

fn plane([p, q, r]: [DVec3; 3]) -> Option<Plane> {
    let edges = [q - p, r - q, p - r];
    let longest = edges.iter().map(|edge| edge.length()).fold(0.0, f64::max);
    let normal = across(direction(q - p)?, direction(r - p)?)?;
    let height = (q - p).cross(r - p).length() / longest;
    (height > 0.0 && height.is_finite()).then_some(Plane { corner: p, normal, height })
}

/// How far a box reaches from its centre along a direction. NaN if a half extent is infinite and
/// the direction is across it.
fn radius(volume: &Obb, axis: DVec3) -> f64 {
    (volume.axes.transpose() * axis).abs().dot(volume.half)
}

fn push(directions: &mut Vec<DVec3>, direction: Option<DVec3>) {
    if let Some(direction) = direction
        && !directions.iter().any(|other| other.cross(direction).length() < ALIKE)
    {
        directions.push(direction);
    }
}
