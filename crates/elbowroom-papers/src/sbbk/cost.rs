//! What a query on layered trees costs, from what it counts: T = Σ Nᵥ·Cᵥ + Nₚ·Cₚ.
//!
//! The costs are nanoseconds, fitted by `cargo bench -p elbowroom --bench refit`, section *fitted*,
//! to the times of whole queries: trees of one family and hybrids, of four bodies each, entangled,
//! by least squares. So a cost is that of the test with all that goes on around it: the stack, and
//! the volume that comes from memory. The times of those queries follow from the costs to within 6
//! %. Only their ratios matter to a choice, and these hardly differ between machines of one kind; a
//! caller may measure and give others.

use elbowroom::internal::traverse::Tally;
use elbowroom::internal::volume::Family;

/// Nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// One test of two volumes that are turned against each other, by [`Family`] in the order of
    /// [`Family::ALL`].
    pub turned: [f64; Family::ALL.len()],
    /// One test of two volumes whose frames are parallel.
    pub shifted: [f64; Family::ALL.len()],
    /// One test of two triangles.
    pub primitive: f64,
    /// Putting one volume around what has moved.
    pub refit: [f64; Family::ALL.len()],
}

impl Costs {
    /// As measured on an AMD EPYC (Zen 3, AVX2) by an optimised build, in time of the thread's own,
    /// since the machine was busy with other things: the middle of two runs. Oriented boxes,
    /// which take the same test in either case, are taken to cost the same.
    pub const MEASURED: Self = Self {
        turned: [26.0, 64.5, 64.5, 85.5, 67.0, 81.0, 85.0, f64::INFINITY],
        shifted: [22.0, 25.5, 64.5, 34.5, 36.0, 39.5, 41.5, f64::INFINITY],
        primitive: 115.0,
        refit: [41.0, 3.7, 680.0, 12.5, 14.0, 19.0, 21.5, f64::INFINITY],
    };

    /// The cost of the tests of a tally, by the family of the first volume.
    pub fn of(&self, tally: &Tally, is_shifted: bool) -> f64 {
        let of_family = |family| match tally.of_family(family) {
            // Nothing, also of what costs infinitely much.
            0 => 0.0,
            tests => tests as f64 * self.test(family, is_shifted),
        };
        Family::ALL.into_iter().map(of_family).sum::<f64>()
            + tally.primitives as f64 * self.primitive
    }

    /// One test of two volumes of a family.
    pub fn test(&self, family: Family, is_shifted: bool) -> f64 {
        let costs = if is_shifted { &self.shifted } else { &self.turned };
        // Families of motions are no layers of a mesh.
        costs.get(family as usize).copied().unwrap_or(f64::INFINITY)
    }
}

impl Default for Costs {
    fn default() -> Self {
        Self::MEASURED
    }
}
