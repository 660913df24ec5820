//! Where along a segment it first meets a triangle: the exact fraction, rounded.
//!
//! If the segment goes through the triangle's plane, its ends span two tetrahedra with the
//! triangle, and the fraction is the first one's volume in the sum of both. Twice the precision of
//! f64 nearly always tells it to within a few roundings, and knows when it does not: on slivers,
//! say, where the volumes are tiny beside the products they are made of. Then they are computed in
//! integers, and only their ratio is rounded.
//!
//! Within the plane the segment is in the triangle from where it has crossed the last of the sides
//! that its beginning is outside of. A degenerate triangle is a segment or a point itself. All this
//! is rare and always done in integers.
//!
//! Invariants: the fraction is within 4 roundings of the exact one, relative to itself, at any
//! size; and it depends on nothing but the segment and the triangle.

use dashu_int::ops::{BitTest, DivRem};
use dashu_int::{IBig, UBig};
use glam::DVec3;

use super::Sign;
use super::double::{Double, FINE, determinant};
use crate::internal::math::pose::Pose;

/// The fraction of a segment at which it first has a point in common with a placed triangle that it
/// is known to meet; `sides` says exactly on which sides of the triangle its ends are.
pub(crate) fn first_fraction(
    segment: [DVec3; 2],
    (pose, corners): (&Pose, [DVec3; 3]),
    sides: [Sign; 2],
) -> f64 {
    let [a, b, c] = corners.map(|corner| (pose, corner));
    let [from, to] = segment.map(|end| (&Pose::IDENTITY, end));
    let sites = [a, b, c, from, to];
    match sides {
        // In the triangle's plane, or the triangle has none.
        [Sign::Zero, Sign::Zero] => Scene::new(sites).first_within_plane(),
        // In the plane at one end only, so that end it is.
        [Sign::Zero, _] => 0.0,
        [_, Sign::Zero] => 1.0,
        _ => through(sites).unwrap_or_else(|| Scene::new(sites).through()),
    }
}

/// A point of a frame that stands somewhere.
pub(crate) type Site<'a> = (&'a Pose, DVec3);

/// The fraction of a segment at which it goes through the plane of a triangle; its ends are
/// strictly on different sides.
pub(crate) fn plane_fraction([from, to]: [Site; 2], [a, b, c]: [Site; 3]) -> f64 {
    let sites = [a, b, c, from, to];
    through(sites).unwrap_or_else(|| Scene::new(sites).through())
}

/// The fraction of a segment at which it crosses the line of another in the same plane, seen along
/// an axis; its ends are strictly on different sides.
pub(crate) fn line_fraction([from, to]: [Site; 2], [p, q]: [Site; 2], axis: usize) -> f64 {
    let scene = Scene::new([p, q, q, from, to]);
    let [p, q, _] = &scene.corners;
    let way = minus(q, p);
    let height = |point: &[IBig; 3]| cross(&way, &minus(point, p), axis);
    let (above, below) = (height(&scene.from), height(&scene.to));
    let whole = &above - below;
    ratio(above, whole)
}

/// Where the segment goes through the plane, if that can be told to within 4 roundings.
fn through(sites: [Site; 5]) -> Option<f64> {
    let mut size = DVec3::ZERO;
    let placed = sites.map(|(pose, point)| {
        let rotation = pose.rotation();
        [0, 1, 2].map(|axis| {
            let (row, shift) = (rotation.row(axis), pose.translation()[axis]);
            size[axis] = size[axis].max(row.abs().dot(point.abs()) + shift.abs());
            let product = |i: usize| Double::product(row[i], point[i]);
            product(0) + product(1) + product(2) + Double::from(shift)
        })
    });
    let row = |i: usize| [0, 1, 2].map(|axis| placed[i][axis] - placed[0][axis]);
    let (u, v) = (row(1), row(2));
    // Three sums to place each of two points, and their difference: below 30·2⁻¹⁰⁶.
    let error = FINE * size;
    let (above, doubt) = determinant([&u, &v, &row(3)], error);
    let (below, doubt_below) = determinant([&u, &v, &row(4)], error);
    // The fraction is above/(above − below), of different signs, so their errors stay in
    // proportion.
    let is_certain = above.abs() > (1_u64 << 54) as f64 * doubt.max(doubt_below);
    let are_apart = (above > 0.0 && below < 0.0) || (above < 0.0 && below > 0.0);
    (is_certain && are_apart).then(|| above / (above - below))
}

/// The triangle and the segment in integers, each axis to a scale of its own.
struct Scene {
    corners: [[IBig; 3]; 3],
    from: [IBig; 3],
    to: [IBig; 3],
}

impl Scene {
    fn new(sites: [Site; 5]) -> Self {
        let mut points: [[IBig; 3]; 5] = Default::default();
        for axis in 0..3 {
            let terms = sites.map(|site| terms_of(site, axis));
            let present = || terms.iter().flatten().filter(|term| term.0 != 0);
            let lowest = present().map(|term| term.1).min().unwrap_or(0);
            for (point, terms) in points.iter_mut().zip(&terms) {
                point[axis] = terms.iter().filter(|term| term.0 != 0).fold(
                    IBig::ZERO,
                    |sum, &(integer, exponent)| {
                        sum + (IBig::from(integer) << (exponent - lowest).unsigned_abs() as usize)
                    },
                );
            }
        }
        let [a, b, c, from, to] = points;
        Self { corners: [a, b, c], from, to }
    }

    fn through(&self) -> f64 {
        let [a, b, c] = &self.corners;
        let (u, v) = (minus(b, a), minus(c, a));
        let normal = [0, 1, 2].map(|axis| cross(&u, &v, axis));
        let height = |point: &[IBig; 3]| {
            let [x, y, z] = minus(point, a);
            x * &normal[0] + y * &normal[1] + z * &normal[2]
        };
        let (above, below) = (height(&self.from), height(&self.to));
        let whole = &above - below;
        ratio(above, whole)
    }

    fn first_within_plane(&self) -> f64 {
        let [a, b, c] = &self.corners;
        let (u, v) = (minus(b, a), minus(c, a));
        let areas = [0, 1, 2].map(|axis| cross(&u, &v, axis));
        match areas.iter().position(|area| !area.is_zero()) {
            Some(axis) => self.first_in_triangle(axis, areas[axis] < IBig::ZERO),
            None => self.first_on_line(),
        }
    }

    /// In a triangle that does not collapse along the axis; `turned` says whether it is clockwise.
    fn first_in_triangle(&self, axis: usize, turned: bool) -> f64 {
        let mut first = 0.0_f64;
        for i in 0..3 {
            let (p, q) = (&self.corners[i], &self.corners[(i + 1) % 3]);
            let edge = minus(q, p);
            let inside = |point: &[IBig; 3]| {
                let area = cross(&edge, &minus(point, p), axis);
                if turned { -area } else { area }
            };
            let (begin, end) = (inside(&self.from), inside(&self.to));
            if begin < IBig::ZERO {
                let way = &begin - end;
                first = first.max(ratio(begin, way));
            }
        }
        first
    }

    /// On corners that are all in one line, or in one point.
    fn first_on_line(&self) -> f64 {
        let way = minus(&self.to, &self.from);
        for i in 0..3 {
            let p = &self.corners[i];
            let edge = minus(&self.corners[(i + 1) % 3], p);
            for axis in 0..3 {
                let span = cross(&way, &edge, axis);
                if !span.is_zero() {
                    return ratio(cross(&minus(p, &self.from), &edge, axis), span);
                }
            }
        }
        let Some(axis) = way.iter().position(|part| !part.is_zero()) else { return 0.0 };
        let offsets = self.corners.each_ref().map(|p| &p[axis] - &self.from[axis]);
        let fractions = offsets.map(|offset| {
            let is_behind = (offset < IBig::ZERO) != (way[axis] < IBig::ZERO);
            if is_behind { 0.0 } else { ratio(offset, way[axis].clone()) }
        });
        fractions.into_iter().fold(1.0, f64::min)
    }
}

pub(super) fn minus(p: &[IBig; 3], q: &[IBig; 3]) -> [IBig; 3] {
    std::array::from_fn(|axis| &p[axis] - &q[axis])
}

pub(super) fn cross(u: &[IBig; 3], v: &[IBig; 3], axis: usize) -> IBig {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    &u[i] * &v[j] - &u[j] * &v[i]
}

/// The four terms of a placed coordinate, each an integer and a power of two.
pub(super) fn terms_of((pose, point): Site, axis: usize) -> [(i128, i32); 4] {
    let row = pose.rotation().row(axis);
    let product = |i: usize| {
        let ((a, power_a), (b, power_b)) = (split(row[i]), split(point[i]));
        (a * b, power_a + power_b)
    };
    [product(0), product(1), product(2), split(pose.translation()[axis])]
}

/// A finite number as an odd integer, or zero, and a power of two.
fn split(value: f64) -> (i128, i32) {
    let bits = value.to_bits();
    let biased = (bits >> 52 & 0x7ff) as i32;
    let digits = (bits & ((1 << 52) - 1)) | u64::from(biased > 0) << 52;
    let trailing = digits.trailing_zeros() % 64;
    let integer = i128::from(digits >> trailing);
    let power = biased.max(1) - 1075 + trailing.cast_signed();
    (if value < 0.0 { -integer } else { integer }, power)
}

/// The ratio of two integers of one sign, rounded to nearest; at most 1.
pub(super) fn ratio(part: IBig, whole: IBig) -> f64 {
    let (part, whole) = (part.into_parts().1, whole.into_parts().1);
    if part == UBig::ZERO {
        return 0.0;
    }
    if part >= whole {
        return 1.0;
    }
    // So that the quotient has 66 or 67 bits.
    let shift = whole.bit_len() - part.bit_len() + 66;
    let (quotient, rest) = (part << shift).div_rem(whole);
    // What is left over breaks ties, and does no more.
    let quotient =
        u128::try_from(quotient).expect("67 bits at most") | u128::from(rest != UBig::ZERO);
    scaled_down(quotient as f64, shift)
}

/// x / 2^shift; in steps, as such a power need not be an f64.
fn scaled_down(mut x: f64, mut shift: usize) -> f64 {
    while shift > 0 && x > 0.0 {
        let step = shift.min(512);
        x *= f64::from_bits((1023 - step as u64) << 52);
        shift -= step;
    }
    x
}
