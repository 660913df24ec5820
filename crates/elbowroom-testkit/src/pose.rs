//! Where an object stands, as plain arrays.

/// Where an object stands: the placed point is `r·v + t` in exact arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainPose {
    /// The rotation, row by row.
    pub r: [[f64; 3]; 3],
    /// The translation.
    pub t: [f64; 3],
}

impl PlainPose {
    /// Leaves every point where it is.
    pub const IDENTITY: Self =
        Self { r: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], t: [0.0; 3] };

    /// A translation alone.
    pub const fn at(t: [f64; 3]) -> Self {
        Self { r: Self::IDENTITY.r, t }
    }

    /// The placed point rounded, as `((r0·x + r1·y) + r2·z) + t` with every operation rounded once.
    pub fn rounded(&self, v: &[f64; 3]) -> [f64; 3] {
        std::array::from_fn(|k| {
            let r = &self.r[k];
            ((r[0] * v[0] + r[1] * v[1]) + r[2] * v[2]) + self.t[k]
        })
    }
}
