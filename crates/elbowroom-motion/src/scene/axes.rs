//! Which way is up, and which way people look.

use glam::{DAffine3, DMat3, DVec3};

/// The axis that points up, and the one in which an object without rotation looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    up: DVec3,
    front: DVec3,
}

impl Axes {
    /// X up; people look along +z.
    pub const X_UP: Self = Self { up: DVec3::X, front: DVec3::Z };
    /// Y up; people look along +z, as in glTF.
    pub const Y_UP: Self = Self { up: DVec3::Y, front: DVec3::Z };
    /// Z up; people look along −y, as what was turned from Y up to Z up does.
    pub const Z_UP: Self = Self { up: DVec3::Z, front: DVec3::NEG_Y };

    /// The axis that points up.
    pub fn up(&self) -> DVec3 {
        self.up
    }

    /// The direction in which an object without rotation looks.
    pub fn front(&self) -> DVec3 {
        self.front
    }

    /// The direction of the left hand of an object without rotation.
    pub fn left(&self) -> DVec3 {
        self.up.cross(self.front)
    }

    /// A turn to the left, seen from above; in radians.
    pub fn turned(&self, heading: f64) -> DMat3 {
        self.facing(libm::cos(heading), libm::sin(heading))
    }

    /// The transform of an object at a position, turned to the left and scaled.
    pub fn placed(&self, position: DVec3, heading: f64, scale: f64) -> DAffine3 {
        DAffine3 { matrix3: self.turned(heading) * scale, translation: position }
    }

    /// The heading of a direction; what points straight up or down has none and gives 0.
    pub fn heading(&self, direction: DVec3) -> f64 {
        libm::atan2(direction.dot(self.left()), direction.dot(self.front))
    }

    /// The turn of which these are the cosine and the sine. Entries are these numbers and their
    /// opposites, zeros and ones, so that nothing is rounded here.
    fn facing(&self, cos: f64, sin: f64) -> DMat3 {
        let left = self.left();
        let image = |axis: DVec3| {
            let (u, f, l) = (axis.dot(self.up), axis.dot(self.front), axis.dot(left));
            self.up * u + self.front * (f * cos - l * sin) + left * (f * sin + l * cos)
        };
        DMat3::from_cols(image(DVec3::X), image(DVec3::Y), image(DVec3::Z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn a_turn_takes_the_front_to_the_left() {
        for axes in [Axes::X_UP, Axes::Y_UP, Axes::Z_UP] {
            let quarter = axes.turned(FRAC_PI_2);
            assert!((quarter * axes.front()).distance(axes.left()) < 1e-15, "{axes:?}");
            assert_eq!(quarter * axes.up(), axes.up());
            assert!((quarter.determinant() - 1.0).abs() < 1e-15);
            assert_eq!(axes.turned(0.0), DMat3::IDENTITY);
            for heading in [-3.0, -1.0, 0.5, 3.0] {
                let back = axes.heading(axes.turned(heading) * axes.front());
                assert!((back - heading).abs() < 1e-14, "{axes:?} {heading} {back}");
            }
            assert_eq!(axes.heading(axes.up()), 0.0);
        }
    }
}
