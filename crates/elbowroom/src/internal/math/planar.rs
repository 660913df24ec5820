//! Where something stands on the ground: a turn and a shift in the plane.
//!
//! The turn is a pair of numbers, cosine and sine, and the pair is the truth: what an angle becomes
//! is decided once, on the way in. Unlike a [`Pose`](super::pose::Pose), whose placed point is
//! exact, a planar pose defines its placed point by the rounded expression of [`Planar::apply`],
//! the same on every path. Disks that stand for people are rough; what matters is that every
//! structure gives one answer.
//!
//! Invariants: finite; cosine and sine within [`Planar::TOLERANCE`] of a turn; the shift at most
//! [`Planar::MOST`], so that squares of distances never overflow.

use glam::DVec2;

/// A pose in the plane: the point `p` stands at `turn · p + translation`.
///
/// ```
/// use elbowroom::internal::math::planar::Planar;
/// use glam::DVec2;
///
/// let quarter = Planar::new(0.0, 1.0, DVec2::new(10.0, 0.0))?;
/// assert_eq!(quarter.apply(DVec2::X), DVec2::new(10.0, 1.0));
/// let there = Planar::from_angle(0.3, DVec2::new(1.0, 2.0))?;
/// assert!(there.inverse().after(&there).translation().length() < 1e-15);
/// assert!(Planar::new(2.0, 0.0, DVec2::ZERO).is_err());
/// # Ok::<(), elbowroom::internal::math::planar::PlanarError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planar {
    cos: f64,
    sin: f64,
    translation: DVec2,
}

impl Planar {
    /// Nothing moves.
    pub const IDENTITY: Self = Self { cos: 1.0, sin: 0.0, translation: DVec2::ZERO };

    /// How far the length of (cosine, sine) may be from 1, as for a `Pose`.
    pub const TOLERANCE: f64 = 1e-9;

    /// The largest coordinate of a shift.
    pub const MOST: f64 = 1e90;

    /// Checks that the numbers are finite, of a size that can be squared, and that the pair is a
    /// turn.
    ///
    /// # Errors
    /// Names the number that is not finite or too large, or how far the pair is from a turn.
    pub fn new(cos: f64, sin: f64, translation: DVec2) -> Result<Self, PlanarError> {
        let named = [("cosine", cos), ("sine", sin), ("x", translation.x), ("y", translation.y)];
        for (name, value) in named {
            if value.is_nan() || value.abs() > Self::MOST {
                return Err(PlanarErrorKind::Size { name, value }.into());
            }
        }
        let placed = Self { cos, sin, translation };
        let distance = placed.deviation();
        if distance > Self::TOLERANCE {
            return Err(PlanarErrorKind::NotATurn { distance }.into());
        }
        Ok(placed)
    }

    /// The angle, in radians to the left, becomes a cosine and a sine here, once.
    ///
    /// # Errors
    /// As [`Planar::new`].
    pub fn from_angle(angle: f64, translation: DVec2) -> Result<Self, PlanarError> {
        if !angle.is_finite() {
            return Err(PlanarErrorKind::Size { name: "angle", value: angle }.into());
        }
        Self::new(libm::cos(angle), libm::sin(angle), translation)
    }

    /// Cosine and sine of the turn.
    pub fn turn(&self) -> (f64, f64) {
        (self.cos, self.sin)
    }

    /// The shift, applied after the turn.
    pub fn translation(&self) -> DVec2 {
        self.translation
    }

    /// How far the length of (cosine, sine) is from 1, to rounding.
    pub fn deviation(&self) -> f64 {
        0.5 * (self.cos * self.cos + self.sin * self.sin - 1.0).abs()
    }

    /// The placed point: `(cos·x − sin·y) + tx` and `(sin·x + cos·y) + ty`, each operation rounded
    /// once, in this order, so that every path gives the same bits.
    #[inline]
    pub fn apply(&self, point: DVec2) -> DVec2 {
        let (x, y) = self.apply_xy(point.x, point.y);
        DVec2::new(x, y)
    }

    /// [`apply`](Self::apply) for loops over plain columns.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "part of kernels that run on vector instructions")]
    pub fn apply_xy(&self, x: f64, y: f64) -> (f64, f64) {
        (
            (self.cos * x - self.sin * y) + self.translation.x,
            (self.sin * x + self.cos * y) + self.translation.y,
        )
    }

    /// The pose that does the other one first and then this one, to rounding.
    #[must_use]
    pub fn after(&self, first: &Self) -> Self {
        Self {
            cos: self.cos * first.cos - self.sin * first.sin,
            sin: self.sin * first.cos + self.cos * first.sin,
            translation: self.apply(first.translation),
        }
    }

    /// The pose with cosine and sine rescaled to length 1, so that the roundings of many poses do
    /// not add up.
    #[must_use]
    pub fn tidied(&self) -> Self {
        let length = (self.cos * self.cos + self.sin * self.sin).sqrt();
        Self { cos: self.cos / length, sin: self.sin / length, ..*self }
    }

    /// The pose back, to rounding.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let back = Self { sin: -self.sin, translation: DVec2::ZERO, ..*self };
        Self { translation: -back.apply(self.translation), ..back }
    }
}

impl Default for Planar {
    fn default() -> Self {
        Self::IDENTITY
    }
}

crate::declare_error! {
    /// Why a planar pose was refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct PlanarError;

    /// What was wrong with a planar pose.
    #[derive(Clone, Debug, PartialEq)]
    pub enum PlanarErrorKind {
        /// A number is NaN, infinite or larger than [`Planar::MOST`].
        #[error(
            "the {name} of the planar pose is {value}: it must be finite and at most {:.0e}",
            Planar::MOST
        )]
        Size {
            /// Which: cosine, sine, angle, x or y.
            name: &'static str,
            /// The number.
            value: f64,
        },
        /// Cosine and sine scale.
        #[error(
            "cosine and sine are {distance:.1e} away from a turn (at most {:.0e} is allowed): \
             bake scale into the samples, and give both with all their digits",
            Planar::TOLERANCE
        )]
        NotATurn {
            /// How far their length is from 1.
            distance: f64,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_turn_is_refused() {
        let kind = |cos, sin, x, y| match Planar::new(cos, sin, DVec2::new(x, y)) {
            Ok(_) => None,
            Err(error) => Some(error.kind().clone()),
        };
        assert_eq!(kind(0.6, 0.8, 1.0, -1.0), None);
        assert!(matches!(kind(0.6, 0.801, 0.0, 0.0), Some(PlanarErrorKind::NotATurn { .. })));
        assert!(matches!(
            kind(f64::NAN, 0.0, 0.0, 0.0),
            Some(PlanarErrorKind::Size { name: "cosine", .. })
        ));
        assert!(matches!(kind(1.0, 0.0, 0.0, 1e91), Some(PlanarErrorKind::Size { name: "y", .. })));
        let error = Planar::from_angle(f64::INFINITY, DVec2::ZERO).unwrap_err();
        assert!(error.to_string().contains("angle"), "{error}");
    }

    #[test]
    fn one_after_the_other() {
        let a = Planar::from_angle(1.0, DVec2::new(3.0, -1.0)).unwrap();
        let b = Planar::from_angle(-0.4, DVec2::new(0.5, 7.0)).unwrap();
        let p = DVec2::new(2.0, 5.0);
        assert!(a.after(&b).apply(p).distance(a.apply(b.apply(p))) < 1e-14);
        assert!(a.inverse().apply(a.apply(p)).distance(p) < 1e-14);
    }
}
