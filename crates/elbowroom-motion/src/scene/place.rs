//! Where on them two objects meet: the longest of their regions, and how many there are.

use glam::DVec3;

use super::stage::Piece;
use elbowroom::internal::query;
use elbowroom::internal::query::{Region, Spot, TrianglePair};

/// Where two objects meet, or are nearest if they do not. The point and normal are those of the region with the longest curve; of the largest area
/// where none has a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// A point that both have in common, in the world; in the middle between them if they have none.
    pub point: DVec3,
    /// A unit vector from the first object towards the second.
    pub normal: DVec3,
    /// The length of that region's curve.
    pub length: f64,
    /// The area in which they lie on each other there.
    pub area: f64,
    /// The number of regions; 0 if the objects do not meet.
    pub regions: u64,
}

impl Place {
    /// Where two pieces meet in some pairs of their triangles.
    pub(super) fn of(a: Piece<'_>, b: Piece<'_>, pairs: &[TrianglePair]) -> Option<Self> {
        let (place_a, place_b) = (a.placement(), b.placement());
        let regions = query::regions_of(a.model(), place_a, b.model(), place_b, pairs);
        let &Region { point, normal, length, area, .. } = regions.first()?;
        Some(Self { point, normal, length, area, regions: regions.len() as u64 })
    }

    /// Where two pieces are nearest that do not meet.
    pub(super) fn between(spot: &Spot) -> Self {
        Self { point: spot.point, normal: spot.normal, length: 0.0, area: 0.0, regions: 0 }
    }

    /// Of two places, the longer one, and the number of both.
    pub(super) fn joined(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        let (Some(p), Some(q)) = (first, second) else { return first.or(second) };
        let size = |place: &Self| (place.regions > 0, place.length, place.area);
        let longer = if size(&q) > size(&p) { q } else { p };
        Some(Self { regions: p.regions + q.regions, ..longer })
    }
}
