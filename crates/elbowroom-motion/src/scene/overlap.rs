//! How deep and how much two objects are in each other.
//!
//! Pieces are measured two by two. The depth of objects is that of their deepest two pieces;
//! volumes and areas are added up, so that what several pieces of one object share with another
//! counts for each of them.

use glam::DVec3;

use super::cut_out::CutOut;
use super::judge::{certainty, whole_or};
use super::stage::Piece;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::query::{Certainty, Overlap, Penetration};
use elbowroom::internal::traverse::Workspace;

/// How deep and how much two objects are in each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PenetrationSummary {
    /// The deepest point of either boundary inside the other: at least so deep.
    pub depth: f64,
    /// At most so deep.
    pub depth_upper: f64,
    /// The deepest point, in the world, and the nearest point of the other's boundary. `None` if
    /// no boundary is inside the other solid.
    pub deepest: Option<[DVec3; 2]>,
    /// The volume of what is in both.
    pub volume: f64,
    /// How far rounding may have moved the volume.
    pub volume_error: f64,
    /// The area of each one's boundary that is inside the other, or on its boundary with the same
    /// side out.
    pub areas: [f64; 2],
    /// Whether all of this is certain.
    pub certainty: Certainty,
    /// Whether the bounds of the depth are farther apart than they should be: its search was given
    /// up. They hold all the same.
    pub is_loose: bool,
}

impl PenetrationSummary {
    /// From what was found out about two solids.
    pub fn new(depth: &Penetration, amount: &Overlap) -> Self {
        let sites = [depth.a_in_b, depth.b_in_a];
        let larger = sites[usize::from(sites[1].lower > sites[0].lower)];
        Self {
            depth: depth.lower,
            depth_upper: depth.upper,
            deepest: larger.site.map(|site| [site.point, site.foot]),
            volume: amount.volume,
            volume_error: amount.volume_error,
            areas: [amount.a, amount.b].map(|areas| areas.inside + areas.shared),
            certainty: depth.certainty.and(amount.certainty),
            is_loose: depth.is_loose,
        }
    }

    /// Whether all of this is certain, and the bounds of the depth are as near to each other as
    /// they should be.
    pub fn is_certain(&self) -> bool {
        self.certainty.is_exact() && !self.is_loose
    }

    /// Of two models.
    pub(super) fn of_models(
        (a, place_a): (&Model, &Pose),
        (b, place_b): (&Model, &Pose),
        workspace: &mut Workspace,
    ) -> Self {
        let depth = query::penetration(a, place_a, b, place_b, None, workspace);
        let amount = query::overlap(a, place_a, b, place_b, workspace);
        Self::new(&depth, &amount)
    }

    /// Of what was cut out of two pieces, or of the pieces.
    pub(super) fn of_cuts(
        (a, b): (Piece<'_>, Piece<'_>),
        cuts: &[Option<CutOut>; 2],
        workspace: &mut Workspace,
    ) -> Self {
        let (first, second) = (whole_or(a, cuts[0].as_ref()), whole_or(b, cuts[1].as_ref()));
        let own = Self::of_models(first, second, workspace);
        Self { certainty: own.certainty.and(certainty(cuts)), ..own }
    }

    /// With what two more pieces of the same objects have in common.
    #[must_use]
    pub(super) fn joined(self, other: Self) -> Self {
        let deeper = if other.depth > self.depth { &other } else { &self };
        Self {
            depth: deeper.depth,
            depth_upper: self.depth_upper.max(other.depth_upper),
            deepest: deeper.deepest,
            volume: self.volume + other.volume,
            volume_error: self.volume_error + other.volume_error,
            areas: [self.areas[0] + other.areas[0], self.areas[1] + other.areas[1]],
            certainty: self.certainty.and(other.certainty),
            is_loose: self.is_loose || other.is_loose,
        }
    }
}
