//! A small seeded generator whose numbers never change.
//!
//! The generator is splitmix64 (Steele, Lea and Flood, Fast splittable pseudorandom number
//! generators, 2014). The stream of a seed is part of the meaning of a generated mesh, so it must not
//! depend on the version of any other crate.

/// A seeded stream of random numbers; the same seed gives the same stream for ever.
pub(crate) struct Random {
    counter: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
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
    pub(crate) fn uniform(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
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
}
