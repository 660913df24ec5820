//! Triangles as they look from above, under circles.

use std::cell::RefCell;

use glam::DVec2;

use super::Cut;
use super::segments::spread;
use elbowroom::internal::bvh::Source;
use elbowroom::internal::geom::circle::smallest_circle;
use elbowroom::internal::volume::Cylinder;

/// The triangles of a mesh, flat, in one pose or several: moving from pose to pose in straight
/// lines, a triangle stays within the hull of its corners in all of them.
pub(super) struct Projected<'a> {
    poses: &'a [Vec<DVec2>],
    triangles: &'a [[u32; 3]],
    /// The points that triangles have, each once a pose.
    used: Vec<DVec2>,
    /// Of every triangle.
    middles: Vec<DVec2>,
    cut: Option<Cut>,
    margin: f64,
    /// Those on the right of a cut, while it is made.
    right: RefCell<Vec<u32>>,
}

impl<'a> Projected<'a> {
    /// Without a cut, all are in one circle. Points may be off by the margin.
    pub(super) fn new(
        poses: &'a [Vec<DVec2>],
        triangles: &'a [[u32; 3]],
        cut: Option<Cut>,
        margin: f64,
    ) -> Self {
        let mut is_used = vec![false; poses[0].len()];
        for &corner in triangles.as_flattened() {
            is_used[corner as usize] = true;
        }
        let of_pose = |points: &'a Vec<DVec2>| points.iter().zip(&is_used);
        let used = poses.iter().flat_map(of_pose).filter(|(_, used)| **used).map(|(&p, _)| p);
        let used = used.collect();
        let (middles, right) = (Vec::new(), RefCell::default());
        let mut projected = Self { poses, triangles, used, middles, cut, margin, right };
        if cut.is_some() {
            let ids = 0..triangles.len() as u32;
            projected.middles = ids.map(|id| projected.middle(id)).collect();
        }
        projected
    }

    fn corners(&self, triangle: u32) -> impl Iterator<Item = DVec2> {
        let corners = self.triangles[triangle as usize];
        let of_pose = move |points: &'a Vec<DVec2>| corners.map(|corner| points[corner as usize]);
        self.poses.iter().flat_map(of_pose)
    }

    fn middle(&self, triangle: u32) -> DVec2 {
        let share = 1.0 / (3 * self.poses.len()) as f64;
        self.corners(triangle).map(|p| share * p).sum()
    }

    fn around(&self, points: &[DVec2]) -> Cylinder {
        let (center, radius) = smallest_circle(points);
        let radius = if self.margin > 0.0 { (radius + self.margin).next_up() } else { radius };
        Cylinder::infinite(center, radius)
    }

    fn line(&self, cut: Cut, members: &[u32]) -> (DVec2, f64) {
        let corners = || members.iter().flat_map(|&id| self.corners(id));
        let low = corners().fold(DVec2::INFINITY, DVec2::min);
        let high = corners().fold(DVec2::NEG_INFINITY, DVec2::max);
        let longer = if high.y - low.y > high.x - low.x { DVec2::Y } else { DVec2::X };
        let share = 1.0 / members.len() as f64;
        let mean: DVec2 = members.iter().map(|&id| share * self.middles[id as usize]).sum();
        match cut {
            Cut::Center => (longer, longer.dot(0.5 * low + 0.5 * high)),
            Cut::Centroid | Cut::Area => (longer, longer.dot(mean)),
            Cut::Covariance => {
                let axis = spread(corners().map(|p| (share, p - mean)));
                (axis, axis.dot(mean))
            }
        }
    }
}

impl Source<Cylinder> for Projected<'_> {
    fn count(&self) -> usize {
        self.triangles.len()
    }

    fn fit(&self, members: &[u32]) -> Cylinder {
        if members.len() == self.triangles.len() {
            return self.around(&self.used);
        }
        let corners: Vec<DVec2> = members.iter().flat_map(|&id| self.corners(id)).collect();
        self.around(&corners)
    }

    fn is_within(&self, primitive: u32, volume: &Cylinder) -> bool {
        self.corners(primitive).all(|p| p.distance(volume.center) <= volume.radius.next_up())
    }

    fn cut(&self, _: &Cylinder, members: &mut [u32]) -> Option<usize> {
        let cut = self.cut.filter(|_| members.len() > 1)?;
        let (axis, at) = self.line(cut, members);
        // In their order on both sides.
        let mut right = self.right.borrow_mut();
        right.clear();
        let mut left = 0;
        for place in 0..members.len() {
            let id = members[place];
            if axis.dot(self.middles[id as usize]) < at {
                members[left] = id;
                left += 1;
            } else {
                right.push(id);
            }
        }
        members[left..].copy_from_slice(&right);
        // Copies cannot be told apart.
        let half = members.len() / 2;
        Some(if left > 0 && left < members.len() { left } else { half })
    }
}
