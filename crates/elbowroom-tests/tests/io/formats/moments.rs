//! Many places in a few numbers.

use glam::{DAffine3, DVec3};

/// The point, off all axes, that is fixed to everything beside its origin.
pub(crate) const OFF: DVec3 = DVec3::new(0.1, 0.2, 0.3);

/// Sums of p, p·p and p.xyz·p.yzx over points, which do not depend on their order.
#[derive(Default)]
pub(crate) struct Moments {
    pub(crate) sums: [f64; 9],
    pub(crate) count: usize,
}

impl Moments {
    pub(crate) fn add(&mut self, p: DVec3) {
        let next = DVec3::new(p.y, p.z, p.x);
        let terms = [p, p * p, p * next].map(|v| v.to_array());
        for (sum, term) in self.sums.iter_mut().zip(terms.as_flattened()) {
            *sum += term;
        }
        self.count += 1;
    }

    pub(crate) fn add_frame(&mut self, frame: DAffine3) {
        self.add(frame.translation);
        self.add(frame.transform_point3(OFF));
    }

    /// The largest difference to a table, a point.
    pub(crate) fn off(&self, table: &[f64; 9]) -> f64 {
        let worst = self.sums.iter().zip(table).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        worst / self.count.max(1) as f64
    }
}
