//! Boxes with their edges and corners cut off: k-DOPs.
//!
//! A k-DOP is what lies between k/2 pairs of parallel planes with fixed normals. The normals have
//! the components −1, 0 and 1: the three axes, six diagonals of the faces of a cube, four diagonals
//! of its space. They are not of unit length; slabs are kept in the units of `direction · point`,
//! which for these are sums of coordinates, rounded outward only where a sum is no f64.
//!
//! In one frame two k-DOPs are apart if two slabs are. Turned against each other they share no
//! normals, and the second one gets new bounds: seen from it, a normal u of the first is a sum of
//! three of its own, u = Σ λᵢ·dᵢ with λᵢ ≥ 0, so it reaches at most Σ λᵢ·(its reach along dᵢ) along
//! u. The λᵢ depend on the rotation only and are prepared once a query.
//!
//! ```text
//!      z            by symmetry u = (x, y, z) with x ≥ y ≥ z ≥ 0, and then
//!      |  111       14:  (x−z)·100 + (y−z)·010 + z·111, or (x−y)·100 + (y+z)/2·111 + (y−z)/2·11-1
//!      |  /         26:  (x−y)·100 + (y−z)·110 + z·111
//!      | /  110     18:  (x−y−z)·100 + y·110 + z·101                      if x ≥ y + z
//!      |/__/___x         (x+y−z)/2·110 + (x−y+z)/2·101 + (y+z−x)/2·011    else
//! ```
//!
//! All but the second of 14 are sums of the axes' sums, so they are never looser than the turned
//! box of the axes alone; of the two for 14 the better counts.
//!
//! Source: Klosowski, Held, Mitchell, Sowizral and Zikan, *Efficient collision detection using
//! bounding volume hierarchies of k-DOPs*, 1998, who use 6, 14, 18 and 26. 24 is not among them: it
//! is 26 without the pair ±(1, 1, 1), a set in use in libraries. We differ in how a turned k-DOP is
//! bounded: they turn the corners of the k-DOP, or of a hull, once a node; the cones above need no
//! corners, only 3·k multiplications.

use glam::{DMat3, DVec3};

use super::aabb::area;
use super::round::{descending, sum_down, sum_up};
use super::{Aabb, Family, Fit, Meet, Obb, Rigid, Spatial, Volume};

/// What lies between N pairs of planes: 7, 9, 12 or 13.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kdop<const N: usize> {
    /// The smallest and the largest `direction · point`; the first three are the axes.
    pub slabs: [[f64; 2]; N],
}

/// Axes and space diagonals.
pub type Kdop14 = Kdop<7>;
/// Axes and face diagonals.
pub type Kdop18 = Kdop<9>;
/// Axes, face diagonals and three space diagonals.
pub type Kdop24 = Kdop<12>;
/// Axes, face diagonals and space diagonals.
pub type Kdop26 = Kdop<13>;

const AXES: [DVec3; 3] = DVec3::AXES;

const FACE_DIAGONALS: [DVec3; 6] = [
    DVec3::new(1.0, 1.0, 0.0),
    DVec3::new(1.0, 0.0, 1.0),
    DVec3::new(0.0, 1.0, 1.0),
    DVec3::new(1.0, -1.0, 0.0),
    DVec3::new(1.0, 0.0, -1.0),
    DVec3::new(0.0, 1.0, -1.0),
];

/// The first three are those of 24.
const SPACE_DIAGONALS: [DVec3; 4] = [
    DVec3::new(1.0, 1.0, -1.0),
    DVec3::new(1.0, -1.0, 1.0),
    DVec3::new(-1.0, 1.0, 1.0),
    DVec3::new(1.0, 1.0, 1.0),
];

/// At least the length of a normal: the root of 1, 2 or 3.
const fn length_up(direction: DVec3) -> f64 {
    let squared = direction.x * direction.x + direction.y * direction.y + direction.z * direction.z;
    if squared == 1.0 {
        1.0
    } else if squared == 2.0 {
        1.414_213_562_373_095_4
    } else {
        1.732_050_807_568_877_4
    }
}

impl<const N: usize> Kdop<N> {
    /// The normals.
    pub const DIRECTIONS: [DVec3; N] = {
        assert!(matches!(N, 7 | 9 | 12 | 13), "a k-DOP has 7, 9, 12 or 13 pairs of planes");
        let mut directions = [DVec3::ZERO; N];
        let faces = if N == 7 { 0 } else { 6 };
        let mut i = 0;
        while i < N {
            directions[i] = if i < 3 {
                AXES[i]
            } else if i < 3 + faces {
                FACE_DIAGONALS[i - 3]
            } else {
                SPACE_DIAGONALS[i - 3 - faces]
            };
            i += 1;
        }
        directions
    };

    /// At least the lengths of the normals.
    pub const LENGTHS: [f64; N] = {
        let mut lengths = [0.0; N];
        let mut i = 0;
        while i < N {
            lengths[i] = length_up(Self::DIRECTIONS[i]);
            i += 1;
        }
        lengths
    };

    /// Encloses points; around none it is empty, and merging it changes nothing.
    pub fn of_points(points: &[DVec3]) -> Self {
        let mut slabs = [[f64::INFINITY, f64::NEG_INFINITY]; N];
        for &p in points {
            for (slab, direction) in slabs.iter_mut().zip(Self::DIRECTIONS) {
                let terms = (direction * p).to_array();
                *slab = [slab[0].min(sum_down(terms)), slab[1].max(sum_up(terms))];
            }
        }
        Self { slabs }
    }

    /// The box along the axes.
    pub fn bounds(&self) -> Aabb {
        let side = |i: usize| DVec3::from_array(std::array::from_fn(|axis| self.slabs[axis][i]));
        Aabb { min: side(0), max: side(1) }
    }
}

impl<const N: usize> Volume for Kdop<N> {
    const FAMILY: Family = match N {
        7 => Family::Kdop14,
        9 => Family::Kdop18,
        12 => Family::Kdop24,
        _ => Family::Kdop26,
    };

    fn merged(&self, other: &Self) -> Self {
        let slabs = std::array::from_fn(|i| {
            let (a, b) = (self.slabs[i], other.slabs[i]);
            [a[0].min(b[0]), a[1].max(b[1])]
        });
        Self { slabs }
    }

    fn reach(&self) -> f64 {
        self.bounds().reach()
    }
}

impl<const N: usize> Spatial for Kdop<N> {
    fn of_triangles(triangles: &[[DVec3; 3]], _: Fit) -> Self {
        Self::of_points(triangles.as_flattened())
    }

    fn contains(&self, point: DVec3) -> bool {
        self.slabs.iter().zip(Self::DIRECTIONS).all(|([low, high], direction)| {
            let terms = (direction * point).to_array();
            sum_up(terms) >= *low && sum_down(terms) <= *high
        })
    }

    /// Of its box along the axes.
    fn area(&self) -> f64 {
        area(self.bounds().half())
    }

    fn axes(&self) -> DMat3 {
        self.bounds().axes()
    }

    fn boxed(&self) -> Obb {
        self.bounds().boxed()
    }

    fn farthest(&self) -> f64 {
        self.bounds().farthest()
    }
}

/// Three directions of the second k-DOP, by index, and how much of each: together, a direction of
/// the first. A negative weight means the opposite direction.
type Cone = [(usize, f64); 3];

/// What a query prepares for k-DOPs that are turned against each other.
#[derive(Clone, Debug)]
pub struct KdopSpace<const N: usize> {
    sides: [Side; N],
}

/// A direction of the first k-DOP.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// Where the second object's origin is along it.
    shift: f64,
    /// How much farther than touching counts as apart.
    allowance: f64,
    cone: Cone,
    /// Another way to write the direction; only for 14.
    other: Option<Cone>,
}

impl<const N: usize> From<&Rigid> for KdopSpace<N> {
    fn from(space: &Rigid) -> Self {
        let turn = space.rotation.transpose();
        let sides = std::array::from_fn(|i| {
            let direction = Kdop::<N>::DIRECTIONS[i];
            let seen = turn * direction;
            Side {
                shift: direction.dot(space.translation),
                allowance: space.allowance() * Kdop::<N>::LENGTHS[i],
                cone: cone::<N>(seen),
                other: (N == 7).then(|| second_cone::<N>(seen)),
            }
        });
        Self { sides }
    }
}

/// A vector by the sizes of its components.
struct Sorted {
    /// The magnitudes, largest first.
    sizes: [f64; 3],
    /// The axes they stand on, signed.
    axes: [DVec3; 3],
}

impl Sorted {
    fn new(v: DVec3) -> Self {
        let order = descending(v.abs());
        Self {
            sizes: order.map(|i| v[i].abs()),
            axes: order.map(|i| DVec3::AXES[i] * if v[i] < 0.0 { -1.0 } else { 1.0 }),
        }
    }
}

/// A direction with a weight, whose sign is that of the direction; none if it is not in the set.
fn part<const N: usize>(direction: DVec3, weight: f64) -> Option<(usize, f64)> {
    let same = |d: &DVec3| *d == direction || *d == -direction;
    let index = Kdop::<N>::DIRECTIONS.iter().position(same)?;
    let forward = Kdop::<N>::DIRECTIONS[index] == direction;
    Some((index, if forward { weight } else { -weight }))
}

/// A vector as three of the directions (see the module's head).
fn cone<const N: usize>(v: DVec3) -> Cone {
    let Sorted { sizes: [x, y, z], axes: [a, b, c] } = Sorted::new(v);
    let has_diagonal = part::<N>(a + b + c, z).is_some();
    let parts = if N == 7 {
        [(a, x - z), (b, y - z), (a + b + c, z)]
    } else if has_diagonal {
        [(a, x - y), (a + b, y - z), (a + b + c, z)]
    } else if x >= y + z {
        [(a, x - y - z), (a + b, y), (a + c, z)]
    } else {
        [(a + b, 0.5 * (x + y - z)), (a + c, 0.5 * (x - y + z)), (b + c, 0.5 * (y + z - x))]
    };
    parts.map(|(direction, weight)| known_part::<N>(direction, weight))
}

/// The second way for 14.
fn second_cone<const N: usize>(v: DVec3) -> Cone {
    let Sorted { sizes: [x, y, z], axes: [a, b, c] } = Sorted::new(v);
    let parts = [(a, x - y), (a + b + c, 0.5 * (y + z)), (a + b - c, 0.5 * (y - z))];
    parts.map(|(direction, weight)| known_part::<N>(direction, weight))
}

/// The result of [`part`] for a direction that the set has, as all directions of the cones above
/// are.
fn known_part<const N: usize>(direction: DVec3, weight: f64) -> (usize, f64) {
    part::<N>(direction, weight).unwrap_or_else(|| unreachable!("{N} pairs have no {direction}"))
}

/// Bounds a k-DOP along the direction that a cone makes up.
#[inline]
fn interval<const N: usize>(cone: &Cone, slabs: &[[f64; 2]; N]) -> [f64; 2] {
    let (mut low, mut high) = (0.0, 0.0);
    for &(i, weight) in cone {
        let [a, b] = slabs[i];
        let (from, to) = if weight < 0.0 { (b, a) } else { (a, b) };
        low += weight * from;
        high += weight * to;
    }
    [low, high]
}

impl<const N: usize> Meet for Kdop<N> {
    type Space = KdopSpace<N>;

    #[inline]
    fn may_meet(&self, other: &Self, space: &KdopSpace<N>) -> bool {
        self.slabs.iter().zip(&space.sides).all(|([low, high], side)| {
            let [mut from, mut to] = interval(&side.cone, &other.slabs);
            if let Some(cone) = &side.other {
                let [from_2, to_2] = interval(cone, &other.slabs);
                (from, to) = (from.max(from_2), to.min(to_2));
            }
            // NaN counts as meeting.
            !(from + side.shift - high > side.allowance || low - to - side.shift > side.allowance)
        })
    }
}

#[cfg(test)]
mod tests {
    use elbowroom_testkit::random::Random;

    use super::*;

    #[test]
    fn cones_make_up_the_vector() {
        fn check<const N: usize>(v: DVec3) {
            let mut cones = vec![cone::<N>(v)];
            if N == 7 {
                cones.push(second_cone::<N>(v));
            }
            for cone in cones {
                let parts = cone.map(|(i, weight)| Kdop::<N>::DIRECTIONS[i] * weight);
                let sum = parts[0] + parts[1] + parts[2];
                assert!((sum - v).length() < 1e-15, "{N}: {cone:?} make {sum}, not {v}");
            }
        }
        let mut random = Random::new(41);
        for i in 0..2000 {
            // Also zeros and equal components.
            let component = |random: &mut Random| {
                if i % 2 == 0 {
                    random.uniform(-1.0, 1.0)
                } else {
                    random.range(-2, 2) as f64 * 0.25
                }
            };
            let v = DVec3::from_array(std::array::from_fn(|_| component(&mut random)));
            check::<7>(v);
            check::<9>(v);
            check::<12>(v);
            check::<13>(v);
        }
    }

    #[test]
    fn directions_are_distinct_and_lengths_bounded() {
        let all = Kdop26::DIRECTIONS;
        for (i, d) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other != d && *other != -*d));
            let up = length_up(*d);
            assert!(up * up >= d.length_squared() && up < d.length() * (1.0 + 1e-15));
        }
        assert_eq!(Kdop24::DIRECTIONS, all[..12]);
        assert_eq!(Kdop18::DIRECTIONS, all[..9]);
    }
}
