//! What two closed triangles have in common, by name.
//!
//! Two triangles that are not in one plane meet in a segment or a point of the line in which their
//! planes cross; in one plane, in a convex polygon, a segment or a point. Here that set is told by
//! its *corners*, and each corner by the smallest part of either triangle that it is in: an edge of
//! the one and the inside of the other, as a rule. So the triangles next to them name the same
//! point in the same way, and pieces are joined by their names, where coordinates would be a matter
//! of rounding.
//!
//! ```text
//!       D = normal of A × normal of B            A reaches from i to j, B from k to l:
//!      ──i=====k=====j────l──→ D                 common is k … j, where
//!                                                k is an edge of B in the inside of A,
//!                                                j is an edge of A in the inside of B
//! ```
//!
//! Which end is which follows from signs alone (Guigue and Devillers, 2003, go the same way).
//! Walked counter-clockwise, A comes from above B's plane to below it at its upper end along D, and
//! for B it is the other way round, as −D is its own direction. If A's edge (or line through a
//! corner) goes from p above to q below, and B's from r above A to s below, then [p q r s] has the
//! sign of the step from the first to the second along D.
//!
//! Invariants: everything follows from exact signs; a corner is named in one way only; the two ends
//! of a segment are different points.

use super::Sign;
use super::Sign::{Negative, Positive, Zero};
use super::chain::{Chain, PlacedTriangle};

/// A corner, an edge or the inside of a triangle, by the set of its corners: bit i for corner i.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part(u8);

impl Part {
    /// The inside.
    pub const INSIDE: Self = Self(0b111);

    /// A corner.
    pub fn corner(i: usize) -> Self {
        Self(1 << i)
    }

    /// The edge between two corners.
    pub fn edge(i: usize, j: usize) -> Self {
        Self(1 << i | 1 << j)
    }

    /// The corners that it is spanned by, one to three.
    pub fn corners(self) -> impl Iterator<Item = usize> {
        (0..3).filter(move |&i| self.0 >> i & 1 == 1)
    }
}

/// A point that two triangles have in common: the smallest part of each that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Corner {
    /// The part of the first triangle.
    pub a: Part,
    /// The part of the second.
    pub b: Part,
}

/// The points that two triangles have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Common {
    /// There are none.
    Nothing,
    /// A point.
    Point(Corner),
    /// A segment, by its ends.
    Segment([Corner; 2]),
    /// A polygon in the plane of both.
    Area(Outline),
    /// One of the triangles is degenerate, and they may have a point in common.
    Degenerate,
}

/// The sides of a convex polygon, in no particular order or direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outline {
    sides: [[Corner; 2]; 6],
    count: usize,
    /// An axis along which the plane does not collapse.
    pub axis: usize,
}

impl Outline {
    /// The sides, three to six.
    pub fn sides(&self) -> &[[Corner; 2]] {
        &self.sides[..self.count]
    }

    fn push(&mut self, side: [Corner; 2]) {
        let [p, q] = side;
        let known = self.sides().iter().any(|&known| known == side || known == [q, p]);
        if !known && self.count < self.sides.len() {
            self.sides[self.count] = side;
            self.count += 1;
        }
    }
}

/// What two placed triangles have in common. Exact, and the same with the arguments swapped but for
/// the order of ends and sides.
///
/// ```
/// use elbowroom::Pose;
/// use elbowroom::internal::exact::{Common, Part, PlacedTriangle, intersection};
/// use glam::DVec3;
///
/// let here = Pose::IDENTITY;
/// let floor = PlacedTriangle::new(&here, [DVec3::ZERO, DVec3::X * 4.0, DVec3::Y * 4.0]);
/// let wedge = [DVec3::new(1.0, 1.0, -1.0), DVec3::new(0.5, 1.0, 1.0), DVec3::new(1.5, 1.0, 1.0)];
/// let wedge = PlacedTriangle::new(&here, wedge);
/// let Common::Segment(ends) = intersection(&floor, &wedge) else { panic!() };
/// assert!(ends.iter().all(|end| end.a == Part::INSIDE));
/// assert!(ends.iter().any(|end| end.b == Part::edge(0, 1)));
/// assert!(ends.iter().any(|end| end.b == Part::edge(0, 2)));
/// ```
pub fn intersection(first: &PlacedTriangle, second: &PlacedTriangle) -> Common {
    let mut chain = Chain::new(first, second);
    let above_b = chain.sides([3, 4, 5], [0, 1, 2]);
    let above_a = chain.sides([0, 1, 2], [3, 4, 5]);
    if is_off(above_b) || is_off(above_a) {
        return Common::Nothing;
    }
    // A sign that is not zero also shows that the other triangle spans a plane.
    if above_b == [Zero; 3] || above_a == [Zero; 3] {
        return flat(&mut chain);
    }
    // B's own direction is against D.
    let (a, b) = (Reach::of(above_b, 0), Reach::of(above_a, 3).turned());
    let mut order = |x: &End, y: &End| chain.orient3([x.line[0], x.line[1], y.line[0], y.line[1]]);
    let steps = Steps {
        lows: order(&a.low, &b.low),
        highs: order(&a.high, &b.high),
        low_to_high: order(&a.low, &b.high),
        high_to_low: order(&a.high, &b.low),
    };
    steps.common(&a, &b)
}

fn is_off(signs: [Sign; 3]) -> bool {
    signs == [Positive; 3] || signs == [Negative; 3]
}

/// One end of what a triangle has in common with the other's plane.
#[derive(Clone, Copy)]
struct End {
    part: Part,
    /// Two corners of the pair, the first not below the plane and the second not above it, whose
    /// line meets the plane in this end only.
    line: [usize; 2],
}

/// What a triangle has in common with the other's plane, along a direction.
struct Reach {
    low: End,
    high: End,
    /// The part of the triangle that is between the ends.
    between: Part,
}

impl Reach {
    /// Of a triangle whose corners are numbered from `first` on in its pair, by their sides of the
    /// other's plane: neither all zero nor all on one side.
    fn of(signs: [Sign; 3], first: usize) -> Self {
        let off = (0..3).find(|&i| signs[i] != Zero).expect("not all on the plane");
        // From corner i on the plane, to one off it.
        let at_corner = |i: usize| {
            let line = if signs[off] == Positive { [off, i] } else { [i, off] };
            End { part: Part::corner(i), line: line.map(|k| first + k) }
        };
        let at_edge = |i: usize, j: usize| {
            let line = if signs[i] == Positive { [i, j] } else { [j, i] };
            End { part: Part::edge(i, j), line: line.map(|k| first + k) }
        };
        // Where a walk around the triangle leaves the upper side, or enters the lower one: the
        // upper end.
        let (mut low, mut high) = (None, None);
        for i in 0..3 {
            let (last, next) = ((i + 2) % 3, (i + 1) % 3);
            match (signs[i], signs[next]) {
                (Positive, Negative) => high = Some(at_edge(i, next)),
                (Negative, Positive) => low = Some(at_edge(i, next)),
                _ => {}
            }
            if signs[i] == Zero {
                if signs[last] == Positive || signs[next] == Negative {
                    high = Some(at_corner(i));
                }
                if signs[last] == Negative || signs[next] == Positive {
                    low = Some(at_corner(i));
                }
            }
        }
        let zeros = (0..3).filter(|&i| signs[i] == Zero).fold(0, |set, i| set | 1 << i);
        let crosses = signs.contains(&Positive) && signs.contains(&Negative);
        let between = if crosses { Part::INSIDE } else { Part(zeros) };
        let [low, high] = [low, high].map(|end| end.expect("the plane is entered and left"));
        Self { low, high, between }
    }

    fn turned(self) -> Self {
        Self { low: self.high, high: self.low, ..self }
    }
}

/// The signs of steps along the common direction from ends of the first to ends of the second.
struct Steps {
    lows: Sign,
    highs: Sign,
    low_to_high: Sign,
    high_to_low: Sign,
}

impl Steps {
    fn common(&self, a: &Reach, b: &Reach) -> Common {
        if self.low_to_high == Negative || self.high_to_low == Positive {
            return Common::Nothing;
        }
        // An end of the one that is inside the other's reach may still be at the other's far end.
        let at = |step: Sign, end: &End, reach: &Reach| {
            if step == Zero { end.part } else { reach.between }
        };
        let low = match self.lows {
            Positive => Corner { a: at(self.high_to_low, &a.high, a), b: b.low.part },
            Zero => Corner { a: a.low.part, b: b.low.part },
            Negative => Corner { a: a.low.part, b: at(self.low_to_high, &b.high, b) },
        };
        let high = match self.highs {
            Negative => Corner { a: at(self.low_to_high, &a.low, a), b: b.high.part },
            Zero => Corner { a: a.high.part, b: b.high.part },
            Positive => Corner { a: a.high.part, b: at(self.high_to_low, &b.low, b) },
        };
        if low == high { Common::Point(low) } else { Common::Segment([low, high]) }
    }
}

/// Two triangles in one plane, or one that is degenerate.
#[cold]
fn flat(chain: &mut Chain) -> Common {
    let (p, q) = ([0, 1, 2], [3, 4, 5]);
    let Some(axis) = (0..3).find(|&axis| chain.orient2(axis, p) != Zero) else {
        return Common::Degenerate;
    };
    if chain.orient2(axis, q) == Zero {
        return Common::Degenerate;
    }
    let nowhere = Corner { a: Part::INSIDE, b: Part::INSIDE };
    let mut outline = Outline { sides: [[nowhere; 2]; 6], count: 0, axis };
    let mut point = None;
    for (own, other) in [(p, q), (q, p)] {
        for i in 0..3 {
            let found = on_edge(chain, axis, (own, [i, (i + 1) % 3]), other);
            let named = |(own_part, other_part)| {
                if own == p {
                    Corner { a: own_part, b: other_part }
                } else {
                    Corner { a: other_part, b: own_part }
                }
            };
            match found.map(|found| found.map(named)) {
                [Some(from), Some(to)] => outline.push([from, to]),
                [Some(only), None] => point = Some(only),
                _ => {}
            }
        }
    }
    match (outline.sides(), point) {
        ([], None) => Common::Nothing,
        ([], Some(point)) => Common::Point(point),
        ([side], _) => Common::Segment(*side),
        _ => Common::Area(outline),
    }
}

/// A part of an edge's own triangle, and one of the other.
type Named = (Part, Part);

/// The ends of what an edge of one triangle has in common with another in the same plane: two, one
/// or none. Every such end is an end of the edge, a corner of the other, or where edges cross.
fn on_edge(
    chain: &mut Chain,
    axis: usize,
    (own, [i, j]): ([usize; 3], [usize; 2]),
    other: [usize; 3],
) -> [Option<Named>; 2] {
    let mut found: [Option<Named>; 2] = [None; 2];
    let mut push = |named: Named| {
        if !found.contains(&Some(named)) {
            let free = usize::from(found[0].is_some());
            found[free] = found[free].or(Some(named));
        }
    };
    let (p, q) = (own[i], own[j]);
    for (end, corner) in [(p, i), (q, j)] {
        if let Some(part) = part_at(chain, axis, end, other) {
            push((Part::corner(corner), part));
        }
    }
    let sides = other.map(|corner| chain.orient2(axis, [p, q, corner]));
    for k in 0..3 {
        let next = (k + 1) % 3;
        let (r, s) = (other[k], other[next]);
        if sides[k] == Zero && is_strictly_between(chain, r, [p, q]) {
            push((Part::edge(i, j), Part::corner(k)));
        }
        let ends = [sides[k], sides[next]];
        let crosses = ends == [Positive, Negative] || ends == [Negative, Positive];
        if crosses {
            let across = [p, q].map(|end| chain.orient2(axis, [r, s, end]));
            if across == [Positive, Negative] || across == [Negative, Positive] {
                push((Part::edge(i, j), Part::edge(k, next)));
            }
        }
    }
    found
}

/// The smallest part of a triangle that a point in its plane is in.
fn part_at(chain: &mut Chain, axis: usize, point: usize, triangle: [usize; 3]) -> Option<Part> {
    let turn = chain.orient2(axis, triangle);
    let mut part = Part::INSIDE.0;
    for i in 0..3 {
        let side = chain.orient2(axis, [triangle[i], triangle[(i + 1) % 3], point]);
        if side == Zero {
            part &= Part::edge(i, (i + 1) % 3).0;
        } else if side != turn {
            return None;
        }
    }
    Some(Part(part))
}

/// Whether a point in the line of two others is between them, and neither of them.
fn is_strictly_between(chain: &mut Chain, point: usize, [p, q]: [usize; 2]) -> bool {
    (0..3).any(|axis| {
        let (from, to) = (chain.compare(axis, [p, point]), chain.compare(axis, [point, q]));
        from != Zero && from == to
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_triangle_that_reaches_a_plane_has_two_ends() {
        let signs = [Negative, Zero, Positive];
        let mut met = 0;
        for [i, j, k] in (0..27).map(|n| [n / 9, n / 3 % 3, n % 3]) {
            if i == j && j == k {
                continue;
            }
            let Reach { low, high, .. } = Reach::of([signs[i], signs[j], signs[k]], 3);
            for End { line, .. } in [low, high] {
                assert!(line[0] != line[1] && line.iter().all(|corner| (3..6).contains(corner)));
            }
            met += 1;
        }
        assert_eq!(met, 24);
    }
}
