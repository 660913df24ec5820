//! A contour in pieces: what circles are put around.
//!
//! Groups are cut by the midpoints of whole segments. A segment that is alone and too long is
//! halved, and its halves again, so that pieces are there from the start: 2ᵏ of equal length for
//! each segment, and a group has either all pieces of its segments or a run of one segment's.
//!
//! The paper cuts through the centroid of the contour's area and does not say what that is for an
//! open chain; here it is the mean along the segments, at every node.

use std::ops::Range;

use glam::DVec2;

use super::{Cut, FootprintConfig};
use elbowroom::internal::bvh::Source;
use elbowroom::internal::geom::Contour;
use elbowroom::internal::geom::circle::smallest_circle;
use elbowroom::internal::math::sort::many_by_key;
use elbowroom::internal::volume::Cylinder;

/// No segment is halved more often.
const MOST_HALVINGS: i32 = 16;

/// The pieces of a contour.
pub(super) struct Segments {
    pieces: Vec<Piece>,
    /// Which pieces are of a segment.
    runs: Vec<Range<u32>>,
    cut: Cut,
    threshold: f64,
    /// What is added to radii.
    margin: f64,
}

struct Piece {
    ends: [DVec2; 2],
    segment: u32,
    /// Of the segment.
    segment_ends: [DVec2; 2],
    middle: DVec2,
    length: f64,
}

impl Segments {
    /// The contour may be off by so much more than its own margin.
    pub(super) fn new(contour: &Contour, config: &FootprintConfig, margin: f64) -> Self {
        // A threshold below the contour's own error would cut what is not known.
        let threshold =
            config.threshold.max(4.0 * (contour.margin() + margin)).max(f64::MIN_POSITIVE);
        let (mut pieces, mut runs) = (Vec::new(), Vec::new());
        for (segment, [p, q]) in contour.segments().enumerate() {
            let length = p.distance(q);
            let halvings = (length / (2.0 * threshold)).log2().ceil().clamp(0.0, 64.0) as i32;
            let count = 1_u32 << halvings.min(MOST_HALVINGS);
            let at = |k: u32| match k {
                0 => p,
                k if k == count => q,
                k => p + (q - p) * (f64::from(k) / f64::from(count)),
            };
            let first = pieces.len() as u32;
            runs.push(first..first + count);
            pieces.extend((0..count).map(|k| Piece {
                ends: [at(k), at(k + 1)],
                segment: segment as u32,
                segment_ends: [p, q],
                middle: 0.5 * (p + q),
                length,
            }));
        }
        // Ends of pieces are rounded by less than the contour's margin is long.
        let margin = 2.0 * contour.margin() + margin;
        Self { pieces, runs, cut: config.cut, threshold, margin }
    }

    /// The segments of a group, each once, by its first piece.
    fn heads<'a>(&'a self, members: &'a [u32]) -> impl Iterator<Item = &'a Piece> {
        let is_head =
            |id: &&u32| self.runs[self.pieces[**id as usize].segment as usize].start == **id;
        members.iter().filter(is_head).map(|&id| &self.pieces[id as usize])
    }

    fn ends(&self, members: &[u32]) -> Vec<DVec2> {
        members.iter().flat_map(|&id| self.pieces[id as usize].ends).collect()
    }
}

impl Source<Cylinder> for Segments {
    fn count(&self) -> usize {
        self.pieces.len()
    }

    fn fit(&self, members: &[u32]) -> Cylinder {
        let (center, radius) = smallest_circle(&self.ends(members));
        Cylinder::infinite(center, (radius + self.margin).next_up())
    }

    fn is_within(&self, primitive: u32, volume: &Cylinder) -> bool {
        let ends = self.pieces[primitive as usize].ends;
        ends.iter().all(|end| end.distance(volume.center) <= volume.radius)
    }

    fn cut(&self, volume: &Cylinder, members: &mut [u32]) -> Option<usize> {
        if volume.radius < self.threshold || members.len() == 1 {
            return None;
        }
        let segment = self.pieces[members[0] as usize].segment;
        if members.iter().all(|&id| self.pieces[id as usize].segment == segment) {
            members.sort_unstable();
            return Some(members.len() / 2);
        }
        let (axis, at) = line(self, members);
        let is_left = |id: u32| axis.dot(self.pieces[id as usize].middle) < at;
        many_by_key(members, |&id| (!is_left(id), id));
        let left = members.iter().filter(|&&id| is_left(id)).count();
        if left > 0 && left < members.len() {
            return Some(left);
        }
        // All on one side: half of the segments, in order.
        members.sort_unstable();
        let half = members.len() / 2;
        let segment = self.pieces[members[half] as usize].segment;
        let start = self.runs[segment as usize].start;
        let at_start = members.partition_point(|&id| id < start);
        let at_end = members.partition_point(|&id| id < self.runs[segment as usize].end);
        Some(if at_start > 0 { at_start } else { at_end })
    }
}

/// The direction across which a group is cut, and where along it.
fn line(segments: &Segments, members: &[u32]) -> (DVec2, f64) {
    let ends = || members.iter().flat_map(|&id| segments.pieces[id as usize].ends);
    let low = ends().fold(DVec2::INFINITY, DVec2::min);
    let high = ends().fold(DVec2::NEG_INFINITY, DVec2::max);
    let longer = if high.y - low.y > high.x - low.x { DVec2::Y } else { DVec2::X };
    let total: f64 = segments.heads(members).map(|piece| piece.length).sum();
    let weight = |piece: &Piece| if total > 0.0 { piece.length / total } else { 1.0 };
    let mean = || segments.heads(members).map(|piece| weight(piece) * piece.middle).sum::<DVec2>();
    match segments.cut {
        Cut::Center => (longer, longer.dot(0.5 * low + 0.5 * high)),
        Cut::Centroid => (longer, longer.dot(mean())),
        Cut::Area => (longer, longer.dot(area_centroid(segments.heads(members), mean()))),
        Cut::Covariance => {
            let mean = mean();
            let points = segments.heads(members).map(|piece| (weight(piece), piece.middle - mean));
            let axis = spread(points);
            (axis, axis.dot(mean))
        }
    }
}

/// The centroid of the area between segments and their mean, which for a closed ring is the ring's.
/// Segments with next to no area have the mean itself.
fn area_centroid<'a>(heads: impl Iterator<Item = &'a Piece>, mean: DVec2) -> DVec2 {
    let (mut area, mut size, mut moment) = (0.0, 0.0, DVec2::ZERO);
    for piece in heads {
        let [p, q] = piece.segment_ends.map(|end| end - mean);
        let part = p.perp_dot(q);
        area += part;
        size += part.abs();
        moment += part * (p + q) / 3.0;
    }
    if area.abs() > 1e-3 * size { mean + moment / area } else { mean }
}

/// The direction in which weighted points spread most.
pub(super) fn spread(points: impl Iterator<Item = (f64, DVec2)>) -> DVec2 {
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (weight, p) in points {
        xx += weight * p.x * p.x;
        xy += weight * p.x * p.y;
        yy += weight * p.y * p.y;
    }
    // Half of the angle of (xx − yy, 2·xy) is the direction.
    let double = DVec2::new(xx - yy, 2.0 * xy);
    match double.try_normalize() {
        Some(double) if double.x > -1.0 => (double + DVec2::X).try_normalize().unwrap_or(DVec2::Y),
        Some(_) => DVec2::Y,
        None => DVec2::X,
    }
}
