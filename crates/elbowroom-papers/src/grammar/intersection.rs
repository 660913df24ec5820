//! What every structure of the papers answers: what meets, and the work that it took.

use elbowroom::TrianglePair;
use elbowroom::internal::query::Answer;
use elbowroom::internal::traverse::Tally;

/// The answer of one of the papers' structures about two meshes.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Intersection {
    /// The pairs of triangles that meet, in order.
    pub pairs: Vec<TrianglePair>,
    /// The counts of volume tests (Nᵥ, by family) and primitive tests (Nₚ).
    pub tally: Tally,
}

impl Intersection {
    /// Whether the meshes have a point in common.
    pub fn is_contact(&self) -> bool {
        !self.pairs.is_empty()
    }
}

impl From<Answer> for Intersection {
    fn from(answer: Answer) -> Self {
        Self { pairs: answer.pairs, tally: answer.tally }
    }
}
