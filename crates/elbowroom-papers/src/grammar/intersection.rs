//! What every structure of the papers answers: whether they meet, what meets, and the work that it
//! took.

use elbowroom::TrianglePair;
use elbowroom::internal::query::{CollisionResult, Verdict};
use elbowroom::internal::traverse::Tally;

/// The answer of one of the papers' structures about two objects. A `Pair` is what meets: two
/// triangles ([`TrianglePair`]), or the numbers of two links, or of two samples.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Intersection<Pair = TrianglePair> {
    /// *Clear* and *contact* are certain; *may touch* is the answer of a traversal that was
    /// limited, and of structures that bound what they hold.
    pub verdict: Verdict,
    /// The pairs of primitives that meet, in order. Empty where a structure tells none.
    pub pairs: Vec<Pair>,
    /// The counts of volume tests (Nᵥ, by family) and primitive tests (Nₚ).
    pub tally: Tally,
}

impl<Pair> Intersection<Pair> {
    /// An answer of its parts.
    pub fn new(verdict: Verdict, pairs: Vec<Pair>, tally: Tally) -> Self {
        Self { verdict, pairs, tally }
    }

    /// An exact answer: contact if a pair meets, clear otherwise.
    pub fn exact(pairs: Vec<Pair>, tally: Tally) -> Self {
        let verdict = if pairs.is_empty() { Verdict::Clear } else { Verdict::Contact };
        Self { verdict, pairs, tally }
    }

    /// Whether the two certainly have a point in common.
    pub fn is_contact(&self) -> bool {
        self.verdict == Verdict::Contact
    }

    /// Whether the two certainly have no point in common.
    pub fn is_clear(&self) -> bool {
        self.verdict == Verdict::Clear
    }

    /// How many pairs of nodes were visited: each is one test of two volumes.
    pub fn nodes_visited(&self) -> u64 {
        self.tally.volumes()
    }
}

impl<Pair> Default for Intersection<Pair> {
    fn default() -> Self {
        Self { verdict: Verdict::Clear, pairs: Vec::new(), tally: Tally::default() }
    }
}

impl From<CollisionResult> for Intersection {
    fn from(answer: CollisionResult) -> Self {
        Self { verdict: answer.verdict, pairs: answer.pairs, tally: answer.tally }
    }
}
