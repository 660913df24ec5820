//! How much larger boxes are than what they enclose, so that rounding never lets a point out.
//!
//! All bounds are derived in docs/notes/batch-bounds.md, to first order in u = 2⁻²⁴; `SECOND_ORDER`
//! has room for the rest, as long as no chain is deeper than `DEEPEST`.

use glam::DVec3;

/// The longest chain of joints. At this length the first-order bound of a turn is 0.018.
pub(super) const DEEPEST: usize = 1 << 14;

/// One rounding in f32.
const U: f64 = 1.0 / (1 << 24) as f64;

const SECOND_ORDER: f64 = 1.02;

/// Products below the normal numbers lose up to 2⁻¹⁵⁰ each, and there are less than a hundred a
/// box.
const UNDERFLOW: f32 = f32::from_bits(1 << 9);

/// For inner boxes: roundings per width of the box (all three together), per distance of the centre
/// of the first child from the origin, and at least.
pub(super) fn inner(share: f64) -> [f32; 3] {
    [up(92.0 * U * share), up(4.0 * U * share), UNDERFLOW]
}

/// How wrong a joint's frame may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doubt {
    /// How many rotations were multiplied.
    pub(super) depth: usize,
    /// At most how far the computed place is from the exact one.
    at: f64,
    /// At most how far the place is from the origin.
    path: f64,
}

impl Doubt {
    /// The pose of the body: one rotation, no step.
    pub(super) const ROOT: Self = Self { depth: 1, at: 0.0, path: 0.0 };

    /// At most how far a computed column of the matrix is from the exact one, in roundings.
    fn turn(&self) -> f64 {
        18.0 * self.depth as f64 + 28.0
    }

    /// For a point at an offset from the joint.
    fn point(&self, offset: DVec3) -> f64 {
        self.at + U * (offset.length() * (self.turn() + 6.2) + 3.0 * self.path)
    }

    /// For a joint at an offset from this one.
    pub(super) fn child(&self, offset: DVec3) -> Self {
        Self { depth: self.depth + 1, at: self.point(offset), path: self.path + offset.length() }
    }

    /// How much is added to each half extent of a box of the link.
    pub(super) fn leaf(&self, center: DVec3, half: DVec3) -> f64 {
        SECOND_ORDER * (self.point(center) + U * (self.turn() + 6.2) * half.length())
            + f64::from(UNDERFLOW)
    }

    /// At most how far the box reaches from the origin.
    pub(super) fn reach(&self, center: DVec3, half: DVec3) -> f64 {
        self.path + center.length() + half.length()
    }
}

/// The least f32 that is no less.
pub(super) fn up(number: f64) -> f32 {
    let near = number as f32;
    if f64::from(near) < number { near.next_up() } else { near }
}
