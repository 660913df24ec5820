//! How a tree is grown: hierarchy = shape family × fit × split × stop.

use crate::internal::volume::{Family, Fit};

/// Where a group of primitives is cut in two, across an axis of its volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Split {
    /// At the mean of the vertices. A primitive goes by its centre; on the cut it goes left.
    Mean,
    /// At the mean of the surface, so that dense vertices do not weigh more. On the cut it goes
    /// right.
    AreaMean,
    /// Half the primitives on each side.
    Median,
    /// At the smallest sum of the surface areas of the two sides' boxes, weighted by their numbers
    /// of primitives, over a number of equal steps on each of the three axes.
    Sah {
        /// Steps on each axis, from 2 to 1,024.
        bins: u32,
    },
}

/// What is done when a cut leaves one side empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failed {
    /// The next longest axis is tried; if none cuts, the group is indivisible and becomes a leaf.
    NextAxis,
    /// The list is cut in its middle, whatever is where.
    Halve,
}

/// How a tree is grown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// The shape of its volumes.
    pub family: Family,
    /// How oriented boxes find their axes.
    pub fit: Fit,
    /// Where a group is cut.
    pub split: Split,
    /// Across the axis of largest spread that the fit found, rather than across the longest.
    pub by_spread: bool,
    /// What is done when a cut fails.
    pub failed: Failed,
    /// The greatest number of primitives in a leaf.
    pub leaf: usize,
}

impl Config {
    /// The OBB tree as its paper describes it (Gottschalk, Lin, Manocha, 1996): boxes from the area
    /// of the convex hull, cut at the mean of the vertices across the longest axis, else the
    /// next, one triangle a leaf.
    pub const fn obbtree() -> Self {
        Self {
            family: Family::Obb,
            fit: Fit::Hull,
            split: Split::Mean,
            by_spread: false,
            failed: Failed::NextAxis,
            leaf: 1,
        }
    }

    /// The OBB tree as its authors' program RAPID makes it: boxes from the area of the triangles,
    /// cut at its mean across the axis of the largest eigenvalue, a failed cut halves the list.
    pub const fn rapid() -> Self {
        Self {
            fit: Fit::Triangles,
            split: Split::AreaMean,
            by_spread: true,
            failed: Failed::Halve,
            ..Self::obbtree()
        }
    }

    /// Replaces the shape family.
    #[must_use]
    pub const fn with_family(self, family: Family) -> Self {
        Self { family, ..self }
    }

    /// Replaces the split rule.
    #[must_use]
    pub const fn with_split(self, split: Split) -> Self {
        Self { split, ..self }
    }

    /// Replaces the way that boxes are fitted.
    #[must_use]
    pub const fn with_fit(self, fit: Fit) -> Self {
        Self { fit, ..self }
    }
}

/// Oriented boxes from the area of the triangles: as good as hulls on most models, and much faster
/// to grow.
impl Default for Config {
    fn default() -> Self {
        Self::obbtree().with_fit(Fit::Triangles)
    }
}
