//! A small seeded generator whose numbers never change.
//!
//! The generator is splitmix64 (Steele, Lea and Flood, Fast splittable pseudorandom number
//! generators, 2014). The counts of an experiment depend on its stream, which therefore must not
//! depend on the version of any other crate.

use glam::{DMat3, DQuat, DVec3};

/// A seeded stream of random numbers; the same seed gives the same stream for ever.
pub(crate) struct Random {
    counter: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { counter: seed }
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.counter;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in [low, high).
    pub(crate) fn uniform(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// A whole number in 0..count.
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        // The high half of the product: uneven by less than count/2⁶⁴.
        ((u128::from(self.bits()) * u128::from(count)) >> 64) as u64
    }

    /// A whole number in low..=high.
    pub(crate) fn whole(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1).unsigned_abs()).cast_signed()
    }

    /// A point of the cube from low to high.
    pub(crate) fn point(&mut self, low: f64, high: f64) -> DVec3 {
        DVec3::new(self.uniform(low, high), self.uniform(low, high), self.uniform(low, high))
    }

    /// A unit vector, every direction alike.
    pub(crate) fn direction(&mut self) -> DVec3 {
        loop {
            let point = self.point(-1.0, 1.0);
            let square = point.length_squared();
            if (0.01..=1.0).contains(&square) {
                return point / square.sqrt();
            }
        }
    }

    /// A rotation, every one alike.
    pub(crate) fn rotation(&mut self) -> DMat3 {
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
