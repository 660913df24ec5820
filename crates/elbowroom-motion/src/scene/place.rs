//! Where on them two objects meet: the longest of their regions, and how many there are.

use glam::DVec3;

use super::stage::Piece;
use elbowroom::internal::query;
use elbowroom::internal::query::{QueryOptions, Region, Spot, TrianglePair};
use elbowroom::internal::traverse::Workspace;

/// Where two objects meet, or are nearest if they do not. The point and normal are those of the
/// region with the longest curve; of the largest area where none has a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// A point that both have in common, in the world; in the middle between them if they have
    /// none.
    pub point: DVec3,
    /// A unit vector from the first object towards the second.
    pub normal: DVec3,
    /// The length of that region's curve.
    pub length: f64,
    /// The area in which they lie on each other there.
    pub area: f64,
    /// The number of regions: 0 if the objects do not meet; `None` if too many pairs of triangles
    /// meet to count them.
    pub regions: Option<u64>,
}

impl Place {
    /// Where two pieces meet in some pairs of their triangles. If touching does not count, regions
    /// in which no triangles cross are left out, unless there are no others.
    pub(super) fn of(
        a: Piece<'_>,
        b: Piece<'_>,
        pairs: &[TrianglePair],
        touching: bool,
    ) -> Option<Self> {
        let (place_a, place_b) = (a.placement(), b.placement());
        let mut regions = query::regions_of(a.model(), place_a, b.model(), place_b, pairs);
        if !touching && regions.iter().any(|region| region.crossing > 0) {
            regions.retain(|region| region.crossing > 0);
        }
        let &Region { point, normal, length, area, .. } = regions.first()?;
        Some(Self { point, normal, length, area, regions: Some(regions.len() as u64) })
    }

    /// Where two pieces meet in too many pairs of triangles: one point of all.
    pub(super) fn of_many(a: Piece<'_>, b: Piece<'_>, workspace: &mut Workspace) -> Option<Self> {
        let (a, b) = ((a.model(), a.placement()), (b.model(), b.placement()));
        let options = QueryOptions::default().distance();
        let spot = query::query(a.0, a.1, b.0, b.1, &options, workspace).spot?;
        Some(Self { regions: None, ..Self::between(&spot) })
    }

    /// Where two pieces are nearest that do not meet.
    pub(super) fn between(spot: &Spot) -> Self {
        Self { point: spot.point, normal: spot.normal, length: 0.0, area: 0.0, regions: Some(0) }
    }

    /// Whether nothing meets there.
    pub(super) fn is_nearest(&self) -> bool {
        self.regions == Some(0)
    }

    /// Of two places, the longer one, and the number of both.
    pub(super) fn joined(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        let (Some(p), Some(q)) = (first, second) else { return first.or(second) };
        let size = |place: &Self| (!place.is_nearest(), place.length, place.area);
        let longer = if size(&q) > size(&p) { q } else { p };
        let regions = p.regions.zip(q.regions).map(|(p, q)| p + q);
        Some(Self { regions, ..longer })
    }
}
