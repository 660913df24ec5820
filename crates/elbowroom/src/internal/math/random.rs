//! A small seeded generator whose numbers never change.
//!
//! The generator is splitmix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number
//! generators*, 2014). Generated meshes, the counts of experiments and the expected answers of
//! benches depend on its stream, which therefore must not depend on the version of any other crate.
//!
//! `elbowroom-testkit` has a generator of its own, because it shares nothing with what it judges.

use glam::{DMat3, DQuat, DVec3};

/// A seeded stream of random numbers; the same seed gives the same stream for ever.
#[derive(Clone, Debug)]
pub struct Random {
    counter: u64,
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { counter: seed }
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.counter;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in [low, high).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// A whole number in 0..count.
    pub fn below(&mut self, count: u64) -> u64 {
        // The high half of the product: uneven by less than count/2⁶⁴.
        ((u128::from(self.bits()) * u128::from(count)) >> 64) as u64
    }

    /// A place in a list of some length, which must not be empty.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// A whole number in low..=high.
    pub fn whole(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1).unsigned_abs()).cast_signed()
    }

    /// A point of the cube from low to high.
    pub fn point(&mut self, low: f64, high: f64) -> DVec3 {
        DVec3::new(self.uniform(low, high), self.uniform(low, high), self.uniform(low, high))
    }

    /// A unit vector, uniform over all directions.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let point = self.point(-1.0, 1.0);
            let square = point.length_squared();
            if (0.01..=1.0).contains(&square) {
                return point / square.sqrt();
            }
        }
    }

    /// A rotation, uniform over all rotations.
    pub fn rotation(&mut self) -> DMat3 {
        // A direction in four dimensions, by the same rejection from the cube.
        loop {
            let [x, y, z, w] = [0; 4].map(|_| self.uniform(-1.0, 1.0));
            let square = x * x + y * y + z * z + w * w;
            if (0.01..=1.0).contains(&square) {
                let s = 1.0 / square.sqrt();
                return DMat3::from_quat(DQuat::from_xyzw(x * s, y * s, z * s, w * s));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_stream_never_changes() {
        // The first numbers of seed 0, as the generator's authors give them.
        let mut random = Random::new(0);
        let first = [random.bits(), random.bits()];
        assert_eq!(first, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn uniform_numbers_fill_their_range() {
        let mut random = Random::new(1);
        let mut met = [0; 4];
        for _ in 0..1000 {
            let x = random.uniform(-2.0, 2.0);
            assert!((-2.0..2.0).contains(&x));
            met[[-1.0, 0.0, 1.0].iter().filter(|&&edge| x >= edge).count()] += 1;
        }
        assert!(met.iter().all(|&n| n > 200), "{met:?}");
    }

    #[test]
    fn whole_numbers_reach_both_ends() {
        let mut random = Random::new(2);
        let mut met = [0; 5];
        for _ in 0..1000 {
            let x = random.whole(-2, 2);
            met[usize::try_from(x + 2).expect("not below the range")] += 1;
            assert!(random.index(3) < 3);
        }
        assert!(met.iter().all(|&n| n > 150), "{met:?}");
    }

    #[test]
    fn directions_and_rotations_are_of_unit_size() {
        let mut random = Random::new(3);
        for _ in 0..100 {
            assert!((random.direction().length() - 1.0).abs() < 1e-15);
            let turn = random.rotation();
            assert!((turn.determinant() - 1.0).abs() < 1e-14);
            assert!((turn * turn.transpose()).abs_diff_eq(glam::DMat3::IDENTITY, 1e-14));
        }
    }
}
