//! Triangles as they look from above, under circles.

use glam::DVec2;

use super::Cut;
use super::segments::spread;
use crate::geom::circle::smallest_circle;
use crate::tree::Source;
use crate::volume::Cylinder;

/// The triangles of a mesh, flat.
#[derive(Clone)]
pub(super) struct Projected<'a> {
    points: &'a [DVec2],
    triangles: &'a [[u32; 3]],
    /// The points that triangles have, each once.
    used: Vec<DVec2>,
    cut: Option<Cut>,
}

impl<'a> Projected<'a> {
    pub(super) fn new(points: &'a [DVec2], triangles: &'a [[u32; 3]], cut: Cut) -> Self {
        let mut is_used = vec![false; points.len()];
        for &corner in triangles.as_flattened() {
            is_used[corner as usize] = true;
        }
        let used = points.iter().zip(is_used).filter_map(|(&p, used)| used.then_some(p)).collect();
        Self { points, triangles, used, cut: Some(cut) }
    }

    /// All in one circle.
    pub(super) fn uncut(self) -> Self {
        Self { cut: None, ..self }
    }

    fn corners(&self, triangle: u32) -> [DVec2; 3] {
        self.triangles[triangle as usize].map(|corner| self.points[corner as usize])
    }

    fn middle(&self, triangle: u32) -> DVec2 {
        let [p, q, r] = self.corners(triangle);
        p / 3.0 + q / 3.0 + r / 3.0
    }

    fn line(&self, cut: Cut, members: &[u32]) -> (DVec2, f64) {
        let corners = || members.iter().flat_map(|&id| self.corners(id));
        let low = corners().fold(DVec2::INFINITY, DVec2::min);
        let high = corners().fold(DVec2::NEG_INFINITY, DVec2::max);
        let longer = if high.y - low.y > high.x - low.x { DVec2::Y } else { DVec2::X };
        let share = 1.0 / members.len() as f64;
        let mean: DVec2 = members.iter().map(|&id| share * self.middle(id)).sum();
        match cut {
            Cut::Center => (longer, longer.dot(0.5 * low + 0.5 * high)),
            Cut::Centroid => (longer, longer.dot(mean)),
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
            let (center, radius) = smallest_circle(&self.used);
            return Cylinder::infinite(center, radius);
        }
        let corners: Vec<DVec2> = members.iter().flat_map(|&id| self.corners(id)).collect();
        let (center, radius) = smallest_circle(&corners);
        Cylinder::infinite(center, radius)
    }

    fn is_within(&self, primitive: u32, volume: &Cylinder) -> bool {
        self.corners(primitive).iter().all(|p| p.distance(volume.center) <= volume.radius.next_up())
    }

    fn cut(&self, _: &Cylinder, members: &mut [u32]) -> Option<usize> {
        let cut = self.cut.filter(|_| members.len() > 1)?;
        let (axis, at) = self.line(cut, members);
        let is_left = |id: u32| axis.dot(self.middle(id)) < at;
        members.sort_unstable_by_key(|&id| (!is_left(id), id));
        let left = members.iter().filter(|&&id| is_left(id)).count();
        // Copies cannot be told apart.
        let half = members.len() / 2;
        Some(if left > 0 && left < members.len() { left } else { half })
    }
}
