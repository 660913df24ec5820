//! What a query did: T = Nᵥ·Cᵥ + Nₚ·Cₚ.
//!
//! The cost of a query is the number of volume tests times what one costs, plus the same for
//! primitives (Gottschalk, Lin, Manocha, eq. 1, after Weghorst et al.). Counting both, by family,
//! is how a user finds out why a query is slow.

use crate::internal::volume::Family;

/// Tests made, by what was tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    volumes: [u64; Family::COUNT],
    /// Pairs of primitives tested, Nₚ.
    pub primitives: u64,
}

impl Tally {
    /// Pairs of volumes tested, Nᵥ.
    pub fn volumes(&self) -> u64 {
        self.volumes.iter().sum()
    }

    /// Pairs of volumes tested in which the first was of this family.
    pub fn of_family(&self, family: Family) -> u64 {
        self.volumes[family as usize]
    }

    /// Counts tests of pairs of volumes.
    #[inline]
    pub fn count_volumes(&mut self, family: Family, tests: u64) {
        self.volumes[family as usize] += tests;
    }

    /// Counts one test of two volumes.
    #[inline]
    pub fn count_volume(&mut self, family: Family) {
        self.volumes[family as usize] += 1;
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        for (sum, more) in self.volumes.iter_mut().zip(other.volumes) {
            *sum += more;
        }
        self.primitives += other.primitives;
    }
}
