//! The camera of a picture: its direction, and how the scene is fitted into a window.
//!
//! A camera has a direction; a [`Lens`] is a camera that was brought so near that some points just
//! fill a window. Several windows may be fitted to the same points, so that their scenes compare.

use glam::{DVec2, DVec3};

use super::canvas::{FINE, Seen, Window};

/// From where one looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    /// Unit vectors to the right, up and towards the eye.
    axes: [DVec3; 3],
    /// The eye's distance from the middle over the radius of what is seen; none is infinitely far.
    distance: Option<f64>,
}

impl Camera {
    /// Where y is up: turned to the right of +z and raised, in degrees.
    pub(super) fn y_up(turn: f64, raised: f64) -> Self {
        let ([sin, cos], [high, flat]) = (sine(turn), sine(raised));
        Self::towards(DVec3::new(sin * flat, high, cos * flat), DVec3::Y)
    }

    /// Where z is up: turned to the right of −y and raised, in degrees.
    pub(super) fn z_up(turn: f64, raised: f64) -> Self {
        let ([sin, cos], [high, flat]) = (sine(turn), sine(raised));
        Self::towards(DVec3::new(sin * flat, -cos * flat, high), DVec3::Z)
    }

    /// From above on the xy plane, y upward, as on a map.
    pub(super) fn map() -> Self {
        Self { axes: [DVec3::X, DVec3::Y, DVec3::Z], distance: None }
    }

    fn towards(eye: DVec3, up: DVec3) -> Self {
        let right = up.cross(eye).normalize();
        Self { axes: [right, eye.cross(right), eye], distance: Some(5.0) }
    }
}

/// Sine and cosine of an angle in degrees.
pub(super) fn sine(degrees: f64) -> [f64; 2] {
    let angle = degrees.to_radians();
    [libm::sin(angle), libm::cos(angle)]
}

/// A camera in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lens {
    axes: [DVec3; 3],
    /// The middle of what is seen, and how large that is.
    pivot: DVec3,
    radius: f64,
    eye: Option<f64>,
    scale: f64,
    shift: DVec2,
    pub(super) window: Window,
}

impl Lens {
    /// So that some points just fill a window, but for a margin, in pixels.
    pub(super) fn fitted(
        camera: &Camera,
        points: impl IntoIterator<Item = DVec3> + Clone,
        window: Window,
        margin: f64,
    ) -> Self {
        let (low, high) = points
            .clone()
            .into_iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
        let (pivot, radius) = (0.5 * (low + high), 0.5 * (high - low).length().max(1e-12));
        let mut lens = Self {
            axes: camera.axes,
            pivot,
            radius,
            eye: camera.distance.map(|distance| distance * radius),
            scale: 1.0,
            shift: DVec2::ZERO,
            window,
        };
        let (mut least, mut most) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for point in points {
            let at = lens.see(point).at;
            least = least.min(at);
            most = most.max(at);
        }
        let room = DVec2::new(window.width as f64, window.height as f64) - 2.0 * margin;
        let size = (most - least).max(DVec2::splat(1e-12));
        lens.scale = (room / size).min_element() * FINE as f64;
        let middle = DVec2::new(window.x as f64, window.y as f64) + 0.5 * room + margin;
        lens.shift = middle * FINE as f64 - 0.5 * lens.scale * (least + most);
        lens
    }

    /// Where a point is on the picture.
    pub(super) fn see(&self, point: DVec3) -> Seen {
        let [right, up, toward] = self.axes;
        let p = point - self.pivot;
        let (at, z) = (DVec2::new(p.dot(right), -p.dot(up)), p.dot(toward));
        let (at, near) = match self.eye {
            None => (at, z / self.radius),
            // Nothing is behind the eye or nearer to it than a small part of the way.
            Some(eye) => {
                let far = (eye - z).max(0.02 * eye) / self.radius;
                (at / far, 1.0 / far)
            }
        };
        Seen { at: self.shift + self.scale * at, near }
    }

    /// Where a point is seen, drawn a little nearer, so that what lies on a surface is before it.
    pub(super) fn see_before(&self, point: DVec3) -> Seen {
        let before = point + self.towards_eye(point) * (0.004 * self.radius);
        Seen { near: self.see(before).near, ..self.see(point) }
    }

    /// A unit vector from a point to the eye.
    pub(super) fn towards_eye(&self, point: DVec3) -> DVec3 {
        let toward = self.axes[2];
        match self.eye {
            None => toward,
            Some(eye) => (self.pivot + toward * eye - point).normalize_or(toward),
        }
    }

    /// How far the eye is from a point, if it is anywhere.
    pub(super) fn distance(&self, point: DVec3) -> Option<f64> {
        self.eye.map(|eye| (self.pivot + self.axes[2] * eye - point).length())
    }

    /// Where the light comes from: from above on the left, in front.
    pub(super) fn lamp(&self) -> DVec3 {
        let [right, up, toward] = self.axes;
        (up * 0.62 - right * 0.38 + toward * 0.7).normalize()
    }

    pub(super) fn up(&self) -> DVec3 {
        self.axes[1]
    }
}
