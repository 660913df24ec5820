//! What a volume looks like: its faces, its edges, how thick and how large it is.

use std::f64::consts::{PI, TAU};

use elbowroom::internal::volume::{Aabb, Cylinder, Kdop, Obb, Spatial, Sphere};
use glam::{DMat3, DVec2, DVec3};

use super::polytope::Polytope;

/// The number of corners of a drawn circle.
const CORNERS: u32 = 24;
/// The number of bands of a drawn ball.
const BANDS: u32 = 8;

/// The shape of a node's volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LevelShape {
    /// A ball.
    Sphere(Sphere),
    /// A box, aligned or not. Of a motion: x, y and the time as a length.
    Box(Obb),
    /// What lies between pairs of planes.
    Slabs(Slabs),
    /// An upright cylinder, as high as its body.
    Cylinder(Cylinder),
}

/// The pairs of planes of a k-DOP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slabs {
    directions: &'static [DVec3],
    slabs: [[f64; 2]; MOST_SLABS],
}

const MOST_SLABS: usize = 13;

/// A volume of points in space that can be listed.
pub trait Listed: Spatial {
    /// The shape of the volume, to be drawn.
    fn shape(&self) -> LevelShape;
}

impl Listed for Sphere {
    fn shape(&self) -> LevelShape {
        LevelShape::Sphere(*self)
    }
}

impl Listed for Aabb {
    fn shape(&self) -> LevelShape {
        LevelShape::Box(self.boxed())
    }
}

impl Listed for Obb {
    fn shape(&self) -> LevelShape {
        LevelShape::Box(*self)
    }
}

impl<const N: usize> Listed for Kdop<N>
where
    Self: Spatial,
{
    fn shape(&self) -> LevelShape {
        let mut slabs = [[0.0; 2]; MOST_SLABS];
        slabs[..N].copy_from_slice(&self.slabs);
        LevelShape::Slabs(Slabs { directions: &Self::DIRECTIONS, slabs })
    }
}

impl Listed for Cylinder {
    fn shape(&self) -> LevelShape {
        LevelShape::Cylinder(*self)
    }
}

impl LevelShape {
    /// A box around it.
    pub fn around(&self) -> Obb {
        match self {
            Self::Sphere(ball) => ball.boxed(),
            Self::Box(it) => *it,
            Self::Slabs(it) => it.bounds().boxed(),
            Self::Cylinder(it) => {
                let half = DVec3::new(it.radius, it.radius, 0.5 * (it.high - it.low));
                let center = it.center.extend(0.5 * (it.low + it.high));
                Obb { center, axes: DMat3::IDENTITY, half }
            }
        }
    }

    /// The smallest width, among the directions that its family knows.
    pub fn thickness(&self) -> f64 {
        match self {
            Self::Sphere(ball) => 2.0 * ball.radius,
            Self::Box(it) => 2.0 * it.half.min_element(),
            Self::Slabs(it) => it
                .pairs()
                .map(|(n, [low, high])| (high - low) / n.length())
                .fold(f64::MAX, f64::min),
            Self::Cylinder(it) => 2.0 * it.radius,
        }
    }

    /// The volume of space that the shape encloses.
    pub fn volume(&self) -> f64 {
        match self {
            Self::Sphere(ball) => 4.0 / 3.0 * PI * ball.radius.powi(3),
            Self::Box(it) => 8.0 * it.half.element_product(),
            Self::Slabs(it) => it.polytope().volume(),
            Self::Cylinder(it) => PI * it.radius * it.radius * (it.high - it.low),
        }
    }

    /// The volume of what lies in both; `None` for two kinds that are not compared.
    pub fn shared(&self, other: &Self) -> Option<f64> {
        match (self, other) {
            (Self::Sphere(a), Self::Sphere(b)) => {
                Some(lens(a.center.distance(b.center), a.radius, b.radius))
            }
            (Self::Cylinder(a), Self::Cylinder(b)) => {
                let height = (a.high.min(b.high) - a.low.max(b.low)).max(0.0);
                Some(height * flat_lens(a.center.distance(b.center), a.radius, b.radius))
            }
            _ => Some(self.flat()?.shared(&other.flat()?)),
        }
    }

    /// The flat faces; `None` if it is round.
    fn flat(&self) -> Option<Polytope> {
        match self {
            Self::Box(it) => Some(Polytope::of_box(it)),
            Self::Slabs(it) => Some(it.polytope()),
            Self::Sphere(_) | Self::Cylinder(_) => None,
        }
    }

    /// The surface as polygons that look outward; round ones in flat pieces.
    pub fn faces(&self) -> Vec<Vec<DVec3>> {
        match self {
            Self::Sphere(ball) => ball_faces(ball),
            Self::Cylinder(it) => {
                let (low, high) = (ring(it, it.low), ring(it, it.high));
                let next = |k: usize| (k + 1) % low.len();
                let side = |k: usize| vec![low[k], low[next(k)], high[next(k)], high[k]];
                let mut faces: Vec<Vec<DVec3>> = (0..low.len()).map(side).collect();
                faces.push(low.iter().rev().copied().collect());
                faces.push(high);
                faces
            }
            Self::Box(_) | Self::Slabs(_) => {
                self.flat().map(Polytope::into_faces).unwrap_or_default()
            }
        }
    }

    /// The edges as lines from point to point; round ones as a few circles.
    pub fn wires(&self) -> Vec<Vec<DVec3>> {
        let closed = |mut ring: Vec<DVec3>| {
            ring.extend(ring.first().copied());
            ring
        };
        match self {
            Self::Sphere(ball) => {
                let [x, y, z] = DVec3::AXES;
                let circle = |(p, q): (DVec3, DVec3)| {
                    let at = |angle: DVec2| ball.center + ball.radius * (angle.x * p + angle.y * q);
                    closed(turns().map(at).collect())
                };
                [(x, y), (y, z), (z, x)].map(circle).to_vec()
            }
            Self::Cylinder(it) => {
                let (low, high) = (ring(it, it.low), ring(it, it.high));
                let posts = (0..low.len()).step_by(low.len() / 4).map(|k| vec![low[k], high[k]]);
                let mut wires: Vec<Vec<DVec3>> = posts.collect();
                wires.extend([closed(low), closed(high)]);
                wires
            }
            Self::Box(it) => {
                // Two rings and four posts: every edge once.
                let [a, b, c, d, e, f, g, h] = it.corners();
                let mut wires = vec![closed(vec![a, b, d, c]), closed(vec![e, f, h, g])];
                wires.extend([[a, e], [b, f], [c, g], [d, h]].map(Vec::from));
                wires
            }
            Self::Slabs(_) => self.faces().into_iter().map(closed).collect(),
        }
    }
}

impl Slabs {
    fn pairs(&self) -> impl Iterator<Item = (DVec3, [f64; 2])> + '_ {
        self.directions.iter().copied().zip(self.slabs)
    }

    fn bounds(&self) -> Aabb {
        let side = |i: usize| DVec3::from_array([0, 1, 2].map(|axis| self.slabs[axis][i]));
        Aabb { min: side(0), max: side(1) }
    }

    fn polytope(&self) -> Polytope {
        let planes = self.pairs().flat_map(|(n, [low, high])| [(n, high), (-n, -low)]);
        let bounds = self.bounds();
        let planes = planes.map(|(n, at)| (n / n.length(), at / n.length()));
        Polytope::between(planes, bounds.center(), bounds.half().length())
    }
}

/// Points of the unit circle, the first on the x axis.
fn turns() -> impl Iterator<Item = DVec2> {
    let angle = |k: u32| TAU * f64::from(k) / f64::from(CORNERS);
    (0..CORNERS).map(angle).map(|a| DVec2::new(libm::cos(a), libm::sin(a)))
}

fn ring(it: &Cylinder, height: f64) -> Vec<DVec3> {
    turns().map(|turn| (it.center + it.radius * turn).extend(height)).collect()
}

fn ball_faces(ball: &Sphere) -> Vec<Vec<DVec3>> {
    let band = |k: u32| {
        let angle = PI * f64::from(k) / f64::from(BANDS);
        let (round, up) = (libm::sin(angle), libm::cos(angle));
        let at = |turn: DVec2| ball.center + ball.radius * (round * turn).extend(-up);
        turns().step_by(2).map(at).collect::<Vec<DVec3>>()
    };
    let bands: Vec<Vec<DVec3>> = (0..=BANDS).map(band).collect();
    let quad = |pair: &[Vec<DVec3>], k: usize| {
        let next = (k + 1) % pair[0].len();
        vec![pair[0][k], pair[0][next], pair[1][next], pair[1][k]]
    };
    bands.windows(2).flat_map(|pair| (0..pair[0].len()).map(move |k| quad(pair, k))).collect()
}

/// The volume of what lies in two balls.
fn lens(distance: f64, a: f64, b: f64) -> f64 {
    if distance >= a + b {
        return 0.0;
    }
    if distance <= (a - b).abs() {
        return 4.0 / 3.0 * PI * a.min(b).powi(3);
    }
    let sum = a + b - distance;
    let rest = distance * distance + 2.0 * distance * (a + b) - 3.0 * (a - b) * (a - b);
    PI * sum * sum * rest / (12.0 * distance)
}

/// The area of what lies in two circles.
fn flat_lens(distance: f64, a: f64, b: f64) -> f64 {
    if distance >= a + b {
        return 0.0;
    }
    if distance <= (a - b).abs() {
        return PI * a.min(b).powi(2);
    }
    let angle = |r: f64, other: f64| {
        let cosine = (distance * distance + r * r - other * other) / (2.0 * distance * r);
        libm::acos(cosine.clamp(-1.0, 1.0))
    };
    let piece = |r: f64, other: f64| {
        let angle = angle(r, other);
        r * r * (angle - libm::sin(angle) * libm::cos(angle))
    };
    piece(a, b) + piece(b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(x: f64, radius: f64) -> LevelShape {
        LevelShape::Sphere(Sphere { center: DVec3::X * x, radius })
    }

    fn post(x: f64, radius: f64) -> LevelShape {
        let center = DVec2::X * x;
        LevelShape::Cylinder(Cylinder { center, radius, low: 0.0, high: 2.0 })
    }

    fn brick(x: f64, half: f64) -> LevelShape {
        let half = DVec3::splat(half);
        LevelShape::Box(Obb { center: DVec3::X * x, axes: DMat3::IDENTITY, half })
    }

    #[test]
    fn what_is_shared_is_between_nothing_and_the_smaller() {
        let mut met = 0;
        for make in [ball, post, brick] {
            let (one, small) = (make(0.0, 1.0), make(0.2, 0.5));
            assert_eq!(one.shared(&make(2.5, 1.0)), Some(0.0));
            let inside = one.shared(&small).unwrap();
            assert!((inside - small.volume()).abs() < 1e-9, "{inside} {}", small.volume());
            let same = one.shared(&one).unwrap();
            assert!((same - one.volume()).abs() < 1e-9, "{same} {}", one.volume());
            let half = one.shared(&make(1.0, 1.0)).unwrap() / one.volume();
            // Of boxes one half; of circles 0.391, of balls 5/16.
            assert!(half > 0.31 && half <= 0.5 + 1e-9, "{half}");
            met += 1;
        }
        assert_eq!((met, ball(0.0, 1.0).shared(&brick(0.0, 1.0))), (3, None));
        let third = ball(0.0, 1.0).shared(&ball(1.0, 1.0)).unwrap() / ball(0.0, 1.0).volume();
        assert!((third - 5.0 / 16.0).abs() < 1e-12);
    }

    /// By the divergence theorem, of faces that look outward.
    fn enclosed(faces: &[Vec<DVec3>]) -> f64 {
        let fan = |face: &Vec<DVec3>| {
            let corners = face[1..].windows(2);
            corners.map(|pair| face[0].dot(pair[0].cross(pair[1])) / 6.0).sum::<f64>()
        };
        faces.iter().map(fan).sum()
    }

    #[test]
    fn faces_enclose_what_the_shape_does() {
        let mesh = elbowroom_make::icosphere(3);
        let points: Vec<DVec3> =
            mesh.vertices().iter().map(|p| p * DVec3::new(1.0, 2.0, 0.5)).collect();
        let flat = [
            Kdop::<7>::of_points(&points).shape(),
            Kdop::<9>::of_points(&points).shape(),
            Kdop::<12>::of_points(&points).shape(),
            Kdop::<13>::of_points(&points).shape(),
            brick(0.3, 0.7),
        ];
        for shape in flat {
            let (drawn, volume) = (enclosed(&shape.faces()), shape.volume());
            assert!((drawn - volume).abs() < 1e-9 * volume, "{drawn} {volume}");
            assert!(shape.wires().len() >= 6);
        }
        // Round ones are drawn from within.
        for shape in [ball(0.3, 0.7), post(0.3, 0.7)] {
            let drawn = enclosed(&shape.faces()) / shape.volume();
            assert!((0.85..1.0).contains(&drawn), "{drawn}");
        }
        // More directions are tighter.
        let volumes = [flat[0], flat[1], flat[3]].map(|shape| shape.volume());
        assert!(volumes[2] < volumes[1] && volumes[2] < volumes[0], "{volumes:?}");
    }
}
