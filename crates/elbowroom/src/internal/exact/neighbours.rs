//! Two triangles of one mesh: do they meet other than in what they share?
//!
//! Neighbours always meet, in the corner or edge that they have in common, and that is how it
//! should be. What matters is whether they meet *beyond* it: whether what they have in common is
//! more than the hull of the corners that they share. Corners are shared if they are at the same
//! place, whatever their indices: real characters are cut along seams into copies of one vertex.
//!
//! - *Three corners*: one is a copy of the other, and that counts.
//! - *Two corners p, q*: two planes have no more than the line of pq in common. In one plane, the
//!   two are folded onto each other exactly if their third corners are on the same side of that
//!   line.
//! - *One corner p*: seen from p, two triangles are the cones of their edges a, b and c, d, and
//!   they meet beyond p exactly if the cones have a ray in common, αa + βb = γc + δd with none of
//!   the four below zero. Four vectors in space that span it obey one equation only,
//!
//!   ```text
//!       [bcd]·a − [acd]·b + [abd]·c − [abc]·d = 0        (Cramer)
//!   ```
//!
//!   so there is such a ray exactly if [bcd], −[acd], −[abd] and [abc] do not differ in sign: the
//!   signs that say on which side of one triangle's plane the corners of the other are.
//!
//! What lies in one plane, or is degenerate, is seldom met and decided by [`relate`] on its parts:
//! a triangle is all that lies between p and the edge opposite to it, so two of them have a ray
//! from p in common exactly if the opposite edge of one meets the other triangle. A degenerate
//! triangle with p between its other corners is two segments from p.
//!
//! Nearly all neighbours have nothing in common but what they share, and f64 is certain of it
//! ([`apart`]): so also on a flat face, where no sign in space is certain, and integers would have
//! to prove each of them zero.
//!
//! A degenerate triangle needs no rule of its own: it is the segment or point that it is. So it
//! does not meet the neighbours of which it is an edge or corner, and neither do two that name the
//! same two points.

mod apart;

use glam::DVec3;

use super::Sign::{Negative, Positive, Zero};
use super::chain::PlacedTriangle;
use super::double::{side_near, turn_near};
use super::relate::{Relation, relate};
use crate::internal::math::pose::Pose;

/// What two triangles of one mesh do to each other beyond what they share.
///
/// [`Relation::Apart`] if they have nothing in common but the hull of the corners that they share,
/// which may be none; else what [`relate`] says. Two triangles that share three different corners
/// touch. Exact, and the same with the arguments swapped or the corners in another order.
///
/// ```
/// use elbowroom::internal::exact::{Relation, relate_neighbours};
/// use glam::DVec3;
///
/// let (p, q) = (DVec3::ZERO, DVec3::X);
/// let flat = relate_neighbours([p, q, DVec3::Y], [q, p, DVec3::NEG_Y]);
/// assert_eq!(flat, Relation::Apart);
/// let folded = relate_neighbours([p, q, DVec3::Y], [q, p, DVec3::new(0.3, 0.5, 0.0)]);
/// assert_eq!(folded, Relation::Touching);
/// ```
pub fn relate_neighbours(first: [DVec3; 3], second: [DVec3; 3]) -> Relation {
    match shared(first, second) {
        Shared::Nothing if apart::by_nothing(first, second) => Relation::Apart,
        Shared::Nothing => {
            let here = |corners| PlacedTriangle::new(&Pose::IDENTITY, corners);
            relate(&here(first), &here(second))
        }
        Shared::Corner { p, first, second } => by_corner(p, first, second),
        Shared::Edge { p, q, first, second } => by_edge([p, q], first, second),
        Shared::All => Relation::Touching,
    }
}

/// Whether two triangles have a corner in common, by place.
#[inline]
pub fn share_a_corner(first: [DVec3; 3], second: [DVec3; 3]) -> bool {
    equal_corners(first, second) != 0
}

/// Which corners are at the same place: bit 3i + j for corner i of the first and j of the second.
#[inline]
fn equal_corners(first: [DVec3; 3], second: [DVec3; 3]) -> u32 {
    // One coordinate of all nine pairs without a branch: mostly it tells.
    let mut mask = 0;
    for (i, p) in first.iter().enumerate() {
        for (j, q) in second.iter().enumerate() {
            mask |= u32::from(p.x == q.x) << (3 * i + j);
        }
    }
    let mut left = mask;
    while left != 0 {
        let bit = left.trailing_zeros() as usize;
        left &= left - 1;
        if first[bit / 3] != second[bit % 3] {
            mask &= !(1 << bit);
        }
    }
    mask
}

/// Whether a triangle names three different points.
pub(crate) fn has_three_corners([p, q, r]: [DVec3; 3]) -> bool {
    p != q && q != r && r != p
}

/// The different corners that two triangles have in common, and the others of each.
enum Shared {
    Nothing,
    Corner { p: DVec3, first: [DVec3; 2], second: [DVec3; 2] },
    Edge { p: DVec3, q: DVec3, first: DVec3, second: DVec3 },
    All,
}

/// A corner that is named twice is one corner; what is named again is then among the others.
fn shared(first: [DVec3; 3], second: [DVec3; 3]) -> Shared {
    let equal = equal_corners(first, second);
    if equal == 0 {
        return Shared::Nothing;
    }
    let place = |i: usize| {
        let row = equal >> (3 * i) & 0b111;
        let is_new = row != 0 && !first[..i].contains(&first[i]);
        is_new.then(|| row.trailing_zeros() as usize)
    };
    let others = |t: [DVec3; 3], i: usize| [t[(i + 1) % 3], t[(i + 2) % 3]];
    match [place(0), place(1), place(2)] {
        [None, None, None] => Shared::Nothing,
        [Some(_), Some(_), Some(_)] => Shared::All,
        [Some(j), None, None] => corner(first[0], others(first, 0), others(second, j)),
        [None, Some(j), None] => corner(first[1], others(first, 1), others(second, j)),
        [None, None, Some(j)] => corner(first[2], others(first, 2), others(second, j)),
        [Some(j), Some(k), None] => edge([first[0], first[1]], first[2], second[3 - j - k]),
        [Some(j), None, Some(k)] => edge([first[0], first[2]], first[1], second[3 - j - k]),
        [None, Some(j), Some(k)] => edge([first[1], first[2]], first[0], second[3 - j - k]),
    }
}

fn corner(p: DVec3, first: [DVec3; 2], second: [DVec3; 2]) -> Shared {
    Shared::Corner { p, first, second }
}

fn edge([p, q]: [DVec3; 2], first: DVec3, second: DVec3) -> Shared {
    Shared::Edge { p, q, first, second }
}

fn by_edge([p, q]: [DVec3; 2], a: DVec3, b: DVec3) -> Relation {
    let is_apart = apart::by_edge([q - p, a - p, b - p])
        || side_near([p, q, a, b]) != Zero
        || !is_folded([p, q], a, b);
    if is_apart { Relation::Apart } else { Relation::Touching }
}

/// Whether two points in one plane with a segment are on the same side of its line; for two on the
/// line, whether they are beyond the same end.
#[cold]
fn is_folded([p, q]: [DVec3; 2], a: DVec3, b: DVec3) -> bool {
    for axis in 0..3 {
        let turns = [a, b].map(|third| turn_near(axis, [p, q, third]));
        if turns != [Zero; 2] {
            return turns[0] == turns[1];
        }
    }
    // All in one line, and p and q are different.
    let axis = (0..3).find(|&axis| p[axis] != q[axis]).expect("p and q are different");
    let (low, high) = (p[axis].min(q[axis]), p[axis].max(q[axis]));
    let beyond = |x: f64| (x < low, x > high);
    beyond(a[axis]) == beyond(b[axis]) && beyond(a[axis]) != (false, false)
}

fn by_corner(p: DVec3, [a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Relation {
    if apart::by_corner([a, b, c, d].map(|corner| corner - p)) {
        return Relation::Apart;
    }
    let (abc, abd) = (side_near([p, a, b, c]), side_near([p, a, b, d]));
    if abc == abd && abc != Zero {
        return Relation::Apart;
    }
    let (acd, bcd) = (side_near([p, c, d, a]), side_near([p, c, d, b]));
    if acd == bcd && acd != Zero {
        return Relation::Apart;
    }
    // A sign that is not zero also shows that the other triangle spans a plane.
    if [abc, abd] == [Zero; 2] || [acd, bcd] == [Zero; 2] {
        return flat_by_corner(p, [a, b], [c, d]);
    }
    // [acd] is that of p, c, d and a: moving a to the end is an even permutation of three.
    let signs = [bcd, acd.flipped(), abd.flipped(), abc];
    if signs.contains(&Positive) && signs.contains(&Negative) {
        Relation::Apart
    } else if signs.contains(&Zero) {
        Relation::Touching
    } else {
        Relation::Crossing
    }
}

/// When both lie in one plane or one of them is degenerate: all that they can have in common is in
/// one plane.
#[cold]
fn flat_by_corner(p: DVec3, first: [DVec3; 2], second: [DVec3; 2]) -> Relation {
    let meets = |[u, v]: [DVec3; 2], [w, x]: [DVec3; 2]| {
        let here = |corners| PlacedTriangle::new(&Pose::IDENTITY, corners);
        let apart = |s: [DVec3; 3], t: [DVec3; 3]| relate(&here(s), &here(t)) == Relation::Apart;
        !(apart([u, v, v], [p, w, x]) && apart([w, x, x], [p, u, v]))
    };
    let (first, second) = (far_sides(p, first), far_sides(p, second));
    let any = first.iter().flatten().any(|&s| second.iter().flatten().any(|&t| meets(s, t)));
    if any { Relation::Touching } else { Relation::Apart }
}

/// What of a triangle is opposite to its corner p: an edge that p is not on, or one or two points.
fn far_sides(p: DVec3, [a, b]: [DVec3; 2]) -> [Option<[DVec3; 2]>; 2] {
    let here = |corners| PlacedTriangle::new(&Pose::IDENTITY, corners);
    if relate(&here([a, b, b]), &here([p; 3])) == Relation::Apart {
        return [Some([a, b]), None];
    }
    [a, b].map(|end| (end != p).then_some([end; 2]))
}
