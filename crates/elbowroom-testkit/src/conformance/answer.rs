//! The questions, and what an answer can be.

use serde::{Deserialize, Serialize};

/// How two placed meshes stand to each other: the strongest word that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// No common point, and farther apart than the clearance asked for.
    Clear,
    /// No common point, but no farther apart than the clearance asked for.
    Clearance,
    /// A common point, interiors disjoint.
    Touching,
    /// Surfaces: two triangles cross. Solids: interiors meet, and neither contains the other.
    Crossing,
    /// Solids only: one is a part of the other.
    Containment,
    /// Surfaces: the same triangles, point for point. Solids: the same solid.
    Duplicate,
}

/// One of two meshes, both or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// None of them.
    Neither,
    /// The first.
    A,
    /// The second.
    B,
    /// Both.
    Both,
}

impl Side {
    /// The answer with the meshes swapped.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
            same => same,
        }
    }
}

/// Where a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// Off the surface, with a winding number above one half.
    Inside,
    /// Off the surface, with a winding number of one half or less.
    Outside,
    /// On the surface.
    On,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Do the surfaces have a common point?
    Meets,
    /// Do the solids, with their surfaces, have a common point?
    SolidsMeet,
    /// Of which kind is the contact of the surfaces, if this clearance is asked for?
    Surface(f64),
    /// Of which kind is the contact of the solids, if this clearance is asked for?
    Solid(f64),
    /// Which solid contains the other one?
    Contains,
    /// Which of two crossing solids goes through the other?
    Through,
    /// Are the meshes closed, so that answers about solids are certain?
    Closed,
    /// How many pairs of triangles have a common point?
    Pairs,
    /// How many pairs of triangles cross?
    CrossingPairs,
    /// Which pairs of triangles have a common point?
    PairList,
    /// The distance of the surfaces.
    Distance,
    /// The distance, negative if one solid lies within the other without touching its surface.
    SignedDistance,
    /// Are the surfaces this near, or nearer?
    Within(f64),
    /// Does the one mesh meet itself?
    MeetsItself,
    /// Which pairs of its triangles meet, other than by the vertex or the edge that they share?
    SelfPairs,
    /// Where is the point, seen from the solid of the one mesh?
    Point([f64; 3]),
}

impl Question {
    /// The name, without what goes with it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Meets => "meets",
            Self::SolidsMeet => "solids_meet",
            Self::Surface(_) => "surface",
            Self::Solid(_) => "solid",
            Self::Contains => "contains",
            Self::Through => "through",
            Self::Closed => "closed",
            Self::Pairs => "pairs",
            Self::CrossingPairs => "crossing_pairs",
            Self::PairList => "pair_list",
            Self::Distance => "distance",
            Self::SignedDistance => "signed_distance",
            Self::Within(_) => "within",
            Self::MeetsItself => "meets_itself",
            Self::SelfPairs => "self_pairs",
            Self::Point(_) => "point",
        }
    }
}

/// An answer, right or given.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Yes or no.
    Yes(bool),
    /// One answer for each mesh.
    Each(Vec<bool>),
    /// A kind of contact.
    Kind(Kind),
    /// One of the meshes, both or none.
    Side(Side),
    /// A number of pairs.
    Count(u64),
    /// Pairs of triangles in order; of one mesh, the smaller number first.
    Pairs(Vec<[u32; 2]>),
    /// A length; what is right may be missed by the tolerance.
    Length {
        /// The length.
        value: f64,
        /// How far off an answer may be.
        tolerance: f64,
    },
    /// Where a point is.
    Place(Place),
}

impl Answer {
    /// A length that an engine gives, which has no tolerance of its own.
    pub fn length(value: f64) -> Self {
        Self::Length { value, tolerance: 0.0 }
    }

    /// Whether what was given is right. A length must be within the tolerance and on the right side
    /// of zero.
    pub fn is_met_by(&self, given: &Self) -> bool {
        match (self, given) {
            (Self::Length { value, tolerance }, Self::Length { value: given, .. }) => {
                let side_is_right = *value == 0.0 || (*value > 0.0) == (*given > 0.0);
                side_is_right && (value - given).abs() <= *tolerance
            }
            _ => self == given,
        }
    }
}
