//! The ways to keep the boxes of a body while it moves.

/// The method by which a [`CabHierarchy`](crate::cab::CabHierarchy) encloses links and groups of
/// them. Every method gives the same answers.
///
/// The default is what answered soonest on chains and hands (`elbowroom lab run common-map`): its
/// boxes are looser than CAB's, but cost so little that the tests they let through are paid for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RefitMethod {
    /// No boxes: every pair of links is asked about.
    Brute,
    /// Boxes along the world's axes around all placed vertices of a link: AABB⁺ of the CAB paper.
    AabbVertices,
    /// Boxes along the world's axes around the eight corners of a link's own box: the paper's
    /// AABB*.
    AabbCorners,
    /// CAB's boxes up to rounding, from the middle and the magnitudes of the turned axes: c ±
    /// |R|·e, a fifth of the arithmetic.
    #[default]
    AabbCentre,
    /// Oriented boxes along the axes of the covariance of the children's sixteen corners: the
    /// paper's OBB.
    Covariance,
    /// Oriented boxes along axes that follow from the children's longest ones: the paper's CAB.
    Cab(CabAxis),
}

impl RefitMethod {
    /// Every way.
    pub const ALL: [Self; 7] = [
        Self::Brute,
        Self::AabbVertices,
        Self::AabbCorners,
        Self::AabbCentre,
        Self::Covariance,
        Self::Cab(CabAxis::Longest),
        Self::Cab(CabAxis::Sum),
    ];

    /// The name in tables and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Brute => "brute",
            Self::AabbVertices => "aabb-vertices",
            Self::AabbCorners => "aabb-corners",
            Self::AabbCentre => "aabb-centre",
            Self::Covariance => "obb",
            Self::Cab(CabAxis::Longest) => "cab",
            Self::Cab(CabAxis::Sum) => "cab-sum",
        }
    }

    /// Whether its boxes may stand in any direction.
    pub fn is_oriented(self) -> bool {
        matches!(self, Self::Covariance | Self::Cab(_))
    }
}

/// The first axis of a CAB where the two children point nearly the same way, so that the vector
/// between their ends is the shortest of the three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CabAxis {
    /// The longer child's axis, as in the paper.
    #[default]
    Longest,
    /// The sum of both axes, as its reviewer proposed: slightly larger boxes.
    Sum,
}
