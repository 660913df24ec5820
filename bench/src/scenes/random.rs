//! A small seeded generator whose numbers never change.
//!
//! The generator is splitmix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014). The expected
//! answers of a workload depend on its stream, which therefore must not depend on the version of any other crate.

use glam::{DMat3, DQuat, DVec3};

/// A seeded stream of random numbers; the same seed gives the same stream for ever.
pub(super) struct Random {
    counter: u64,
}

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self { counter: seed }
    }

    fn bits(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.counter;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in [low, high).
    pub(super) fn uniform(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// A whole number in low..high.
    pub(super) fn whole(&mut self, low: u32, high: u32) -> u32 {
        // The high half of the product: uneven by less than 2⁻³².
        let span = u128::from(high - low);
        low + ((u128::from(self.bits()) * span) >> 64) as u32
    }

    /// A point of the cube from low to high.
    pub(super) fn point(&mut self, low: f64, high: f64) -> DVec3 {
        DVec3::new(self.uniform(low, high), self.uniform(low, high), self.uniform(low, high))
    }

    /// A point about the origin, thinning out as a bell does (three uniform numbers added), of that deviation.
    pub(super) fn jitter(&mut self, deviation: f64) -> DVec3 {
        // The sum of three from [-1, 1) has variance 1.
        (self.point(-1.0, 1.0) + self.point(-1.0, 1.0) + self.point(-1.0, 1.0)) * deviation
    }

    /// A unit vector, every direction alike.
    pub(super) fn direction(&mut self) -> DVec3 {
        loop {
            let point = self.point(-1.0, 1.0);
            let square = point.length_squared();
            if (0.01..=1.0).contains(&square) {
                return point / square.sqrt();
            }
        }
    }

    /// A rotation, every one alike.
    pub(super) fn rotation(&mut self) -> DMat3 {
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
