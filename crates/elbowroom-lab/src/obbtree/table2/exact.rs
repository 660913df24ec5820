//! Fifteen axes against an exact decision that knows nothing of axes.
//!
//! If two boxes have a point in common, their intersection has a corner. Three faces meet there, so
//! two of them are of one box, and the corner lies on an edge of that box. So the boxes meet if and
//! only if some edge of one meets the other box, which clipping the edge at three slabs decides.
//! This is a proof apart from the theorem of the fifteen axes, and holds for flat boxes as well.
//!
//! A rotation by an integer quaternion of norm n is a matrix of integers over n, and with extents
//! and places on a grid everything can be decided in integers. The kernel of the box test, written
//! once over lanes, runs on fractions here, without any rounding; its answer must be that of the
//! edges. Then it runs in f64 with its error bound, where *apart* must be right and *may meet* may
//! be wrong within that bound only.

use std::ops::{Add, Mul, Sub};

use elbowroom::internal::arch::Lane;
use elbowroom::internal::convex::{BoxShape, gjk};
use elbowroom::internal::volume::{Meet, Obb, ObbPair, Rigid, separated};
use elbowroom_papers::obbtree::linear::boxes_overlap;
use glam::{DMat3, DVec3};

use crate::random::Random;
use crate::report::grouped;
use crate::{Cell, Claim, Context, Table};

/// Places are on a grid of 1/(n·2⁴⁴): finer than the error bound of the f64 test, which is 2⁻⁴⁰ or
/// so here.
const FINE: i128 = 1 << 44;

/// A fraction. Only denominators 1 and n occur, so nothing has to be reduced. With `LEVEL` the
/// comparison asks whether two are equal and not zero: on an axis where two boxes meet with their
/// ends.
#[derive(Clone, Copy, Debug)]
struct Fraction<const LEVEL: bool> {
    over: i128,
    under: i128,
}

impl<const LEVEL: bool> Fraction<LEVEL> {
    fn whole(over: i128) -> Self {
        Self { over, under: 1 }
    }

    /// Both over one denominator.
    fn alike(self, other: Self) -> (i128, i128, i128) {
        if self.under == other.under {
            (self.over, other.over, self.under)
        } else {
            (self.over * other.under, other.over * self.under, self.under * other.under)
        }
    }
}

impl<const LEVEL: bool> Add for Fraction<LEVEL> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (a, b, under) = self.alike(other);
        Self { over: a + b, under }
    }
}

impl<const LEVEL: bool> Sub for Fraction<LEVEL> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        let (a, b, under) = self.alike(other);
        Self { over: a - b, under }
    }
}

impl<const LEVEL: bool> Mul for Fraction<LEVEL> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self { over: self.over * other.over, under: self.under * other.under }
    }
}

impl<const LEVEL: bool> Lane for Fraction<LEVEL> {
    type Mask = bool;

    fn abs(self) -> Self {
        Self { over: self.over.abs(), ..self }
    }

    fn greater(self, other: Self) -> bool {
        let (a, b, _) = self.alike(other);
        if LEVEL { a == b && a != 0 } else { a > b }
    }

    fn all(mask: bool) -> bool {
        mask
    }
}

/// Two boxes in integers, seen from the first one's centre along its axes.
#[derive(Clone, Debug)]
struct Pair {
    /// The second one's axes are the columns of `turn / n`.
    turn: [[i128; 3]; 3],
    n: i128,
    /// The second centre, in units of 1/(n·2⁴⁴).
    at: [i128; 3],
    /// Half extents, in units of 1.
    a: [i128; 3],
    b: [i128; 3],
}

impl Pair {
    /// What an extent is in the units of places.
    fn fine(&self, half: [i128; 3]) -> [i128; 3] {
        half.map(|h| h * self.n * FINE)
    }

    /// How far a place that is given along the second box's axes, in units of 1, is along the first
    /// one's.
    fn turned(&self, v: [i128; 3]) -> [i128; 3] {
        std::array::from_fn(|i| (0..3).map(|j| self.turn[i][j] * v[j]).sum())
    }

    /// Whether they have a point in common, by the edges.
    fn meet(&self) -> bool {
        let corner = |half: [i128; 3], bits: usize| {
            std::array::from_fn(|i| if bits >> i & 1 == 1 { half[i] } else { -half[i] })
        };
        let (fine_a, fine_b) = (self.fine(self.a), self.fine(self.b));
        // The second one's corners in the first one's frame.
        let seen_b = |bits| {
            let offset = self.turned(corner(self.b, bits));
            std::array::from_fn(|i| self.at[i] + offset[i] * FINE)
        };
        // The first one's corners in the second one's frame, n times finer.
        let seen_a = |bits| -> [i128; 3] {
            let from = corner(fine_a, bits);
            std::array::from_fn(|j| (0..3).map(|i| self.turn[i][j] * (from[i] - self.at[i])).sum())
        };
        let finer_b = fine_b.map(|h| h * self.n);
        EDGES.iter().any(|&[p, q]| {
            edge_meets(seen_b(p), seen_b(q), fine_a) || edge_meets(seen_a(p), seen_a(q), finer_b)
        })
    }

    /// Whether one of the fifteen axes shows more than this gap, in units of places; exactly.
    fn separated(&self, gap: i128) -> bool {
        self.axes::<false>(gap)
    }

    /// Whether they meet with their ends on one of the fifteen axes: those that meet so only touch.
    fn is_level(&self) -> bool {
        self.axes::<true>(0)
    }

    fn axes<const LEVEL: bool>(&self, gap: i128) -> bool {
        let whole = |v: [i128; 3]| v.map(Fraction::<LEVEL>::whole);
        let boxes = ObbPair {
            r: self.turn.map(|row| row.map(|over| Fraction { over, under: self.n })),
            t: whole(self.at),
            a: whole(self.fine(self.a)),
            b: whole(self.fine(self.b)),
        };
        separated::<_, true>(&boxes, Fraction::whole(gap))
    }

    /// The boxes in f64, which rounds the axes and the place.
    fn rounded(&self) -> [BoxShape; 2] {
        let vector = |v: [i128; 3]| DVec3::from_array(v.map(|x| x as f64));
        let rows = self.turn.map(|row| row.map(|over| over as f64 / self.n as f64));
        let axes = DMat3::from_cols_array_2d(&rows).transpose();
        let center = vector(self.at) / (self.n * FINE) as f64;
        [
            BoxShape { center: DVec3::ZERO, axes: DMat3::IDENTITY, half: vector(self.a) },
            BoxShape { center, axes, half: vector(self.b) },
        ]
    }
}

/// Corners that differ in one bit.
const EDGES: [[usize; 2]; 12] = [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
    [0, 2],
    [1, 3],
    [4, 6],
    [5, 7],
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
];

/// Whether a segment has a point within ±half on each axis.
///
/// On the segment p + s(q − p) with s in 0..=1 each slab leaves an interval of s; a bound is a
/// fraction with a positive denominator.
fn edge_meets(p: [i128; 3], q: [i128; 3], half: [i128; 3]) -> bool {
    let (mut low, mut high) = ((0, 1), (1, 1));
    for i in 0..3 {
        let step = q[i] - p[i];
        if step == 0 {
            if p[i].abs() > half[i] {
                return false;
            }
            continue;
        }
        // Turned round so that s grows into the slab.
        let at = if step > 0 { p[i] } else { -p[i] };
        let step = step.abs();
        let (enter, leave) = ((-half[i] - at, step), (half[i] - at, step));
        if less(low, enter) {
            low = enter;
        }
        if less(leave, high) {
            high = leave;
        }
    }
    !less(high, low)
}

fn less((a, b): (i128, i128), (c, d): (i128, i128)) -> bool {
    a * d < c * b
}

/// How pairs are made.
#[derive(Clone, Copy)]
enum Kind {
    Random,
    Parallel,
    Flat,
    Nested,
    CornerOnFace,
    EdgeOnEdge,
    WithinRounding,
}

const KINDS: [(Kind, &str); 7] = [
    (Kind::Random, "random"),
    (Kind::Parallel, "axes parallel, whole numbers"),
    (Kind::Flat, "rectangles, segments, points"),
    (Kind::Nested, "one within the other"),
    (Kind::CornerOnFace, "corner on face"),
    (Kind::EdgeOnEdge, "edge across edge"),
    (Kind::WithinRounding, "within 10⁻¹¹ of touching"),
];

impl Kind {
    fn pair(self, random: &mut Random) -> Pair {
        let (turn, n) = match self {
            Self::Parallel => rotation(random, 1),
            _ => rotation(random, 3),
        };
        let [a, b] = [0; 2].map(|_| half(random, 1));
        let mut pair = Pair { turn, n, at: [0; 3], a, b };
        match self {
            Self::Random | Self::Flat | Self::Parallel => {
                if matches!(self, Self::Flat) {
                    pair.a = half(random, 0);
                    pair.b = half(random, 0);
                }
                let grid = if matches!(self, Self::Parallel) { n * FINE } else { FINE };
                let most = if grid == FINE { 8 * n as i64 } else { 8 };
                pair.at = std::array::from_fn(|_| i128::from(random.whole(-most, most)) * grid);
            }
            Self::Nested => {
                pair.a = [0; 3].map(|_| i128::from(random.whole(8, 12)));
                // So near the middle that even the corner of 4·√3 stays within 8.
                pair.at = [0; 3].map(|_| i128::from(random.whole(-1, 1)) * n * FINE);
            }
            Self::CornerOnFace => pair.at = pair.corner_on_face(random),
            Self::EdgeOnEdge => pair.at = pair.edge_on_edge(random),
            Self::WithinRounding => {
                let touching = if random.below(2) == 0 {
                    pair.corner_on_face(random)
                } else {
                    pair.edge_on_edge(random)
                };
                let most = 170 * n as i64;
                pair.at = touching.map(|x| x + i128::from(random.whole(-most, most)));
            }
        }
        pair
    }
}

impl Pair {
    /// Places for the second box that put one of its corners on a face of the first, that corner
    /// which is lowest above it.
    fn corner_on_face(&self, random: &mut Random) -> [i128; 3] {
        let (axis, side) = (random.below(3) as usize, if random.below(2) == 0 { 1 } else { -1 });
        let lowest: [i128; 3] =
            std::array::from_fn(
                |j| {
                    if self.turn[axis][j] * side > 0 { -self.b[j] } else { self.b[j] }
                },
            );
        let offset = self.turned(lowest);
        std::array::from_fn(|i| {
            let on_face = if i == axis { side * self.a[i] } else { on(random, self.a[i]) };
            (on_face * self.n - offset[i]) * FINE
        })
    }

    /// Places for the second box that put a point of an edge of it on a point of an edge of the
    /// first.
    fn edge_on_edge(&self, random: &mut Random) -> [i128; 3] {
        let mut on_edge = |half: [i128; 3]| -> [i128; 3] {
            let along = random.below(3) as usize;
            std::array::from_fn(|i| match random.below(2) {
                _ if i == along => on(random, half[i]),
                0 => half[i],
                _ => -half[i],
            })
        };
        let (first, second) = (on_edge(self.a), on_edge(self.b));
        let offset = self.turned(second);
        std::array::from_fn(|i| (first[i] * self.n - offset[i]) * FINE)
    }
}

/// A whole number from −half to half.
fn on(random: &mut Random, half: i128) -> i128 {
    i128::from(random.whole(-(half as i64), half as i64))
}

fn half(random: &mut Random, least: i64) -> [i128; 3] {
    [0; 3].map(|_| i128::from(random.whole(least, 4)))
}

/// The rotation by a quaternion of integers up to `most`, as integers over the norm. With `most` 1
/// it only exchanges the axes.
fn rotation(random: &mut Random, most: i64) -> ([[i128; 3]; 3], i128) {
    loop {
        let [x, y, z, w] = [0; 4].map(|_| i128::from(random.whole(-most, most)));
        let n = x * x + y * y + z * z + w * w;
        // Norm 3 would turn the axes to where no axis was.
        if n == 0 || (most == 1 && n == 3) {
            continue;
        }
        let turn = [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (z * x + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (z * x - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ];
        return (turn, n);
    }
}

/// What came of the pairs of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Outcome {
    pairs: u64,
    apart: u64,
    touching: u64,
    /// The exact kernel does not say what the edges say.
    disagree: u64,
    /// The f64 test says *apart* and that is wrong.
    wrong_apart: u64,
    /// The f64 test says *may meet*, and they are apart.
    unsure: u64,
    /// … by more than twice its error bound.
    far_unsure: u64,
    /// GJK is wrong.
    closest: u64,
    /// Linear programming is wrong.
    program: u64,
}

impl Outcome {
    /// Counts a pair; unless it is within rounding of touching, the two general methods must be
    /// right too.
    fn meet(&mut self, pair: &Pair, is_clear: bool) {
        let exact = pair.meet();
        self.pairs += 1;
        self.apart += u64::from(!exact);
        self.touching += u64::from(exact && pair.is_level());
        self.disagree += u64::from(pair.separated(0) == exact);
        let [a, b] = pair.rounded();
        if is_clear {
            self.closest += u64::from(gjk::overlap(&a, &b) != exact);
            self.program += u64::from(boxes_overlap(&a, &b, self.pairs).is_some() != exact);
        }
        let [a, b] = [a, b].map(|s| Obb { center: s.center, axes: s.axes, half: s.half });
        let reach = |b: &Obb| b.center.abs().element_sum() + 2.0 * b.half.element_sum();
        let space = Rigid::common(reach(&a), reach(&b), 0.0);
        match (a.may_meet(&b, &space), exact) {
            (false, true) => self.wrong_apart += 1,
            (true, false) => {
                self.unsure += 1;
                let bound = (2.0 * space.allowance() * (pair.n * FINE) as f64).ceil() as i128;
                self.far_unsure += u64::from(pair.separated(bound));
            }
            _ => {}
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            pairs: self.pairs + other.pairs,
            apart: self.apart + other.apart,
            touching: self.touching + other.touching,
            disagree: self.disagree + other.disagree,
            wrong_apart: self.wrong_apart + other.wrong_apart,
            unsure: self.unsure + other.unsure,
            far_unsure: self.far_unsure + other.far_unsure,
            closest: self.closest + other.closest,
            program: self.program + other.program,
        }
    }

    fn row(&self, name: &str) -> Vec<Cell> {
        let overlap = self.pairs - self.apart - self.touching;
        let counts = [
            self.pairs,
            self.apart,
            self.touching,
            overlap,
            self.disagree,
            self.wrong_apart,
            self.unsure,
            self.closest,
            self.program,
        ];
        std::iter::once(name.into()).chain(counts.map(Cell::Count)).collect()
    }
}

pub(super) fn run(context: &Context) -> (Table, Claim) {
    let each = if context.quick { 15_000 } else { 150_000 };
    context.progress.ahead(KINDS.len() as u64);
    let mut table = Table::new(
        "Fifteen axes against an exact decision by edges",
        [
            "pairs of boxes",
            "pairs",
            "apart",
            "only touch",
            "overlap",
            "exact axes disagree",
            "f64: wrongly apart",
            "f64: not sure",
            "GJK wrong",
            "LP wrong",
        ],
    );
    let mut all = Outcome::default();
    for (seed, (kind, name)) in (10..).zip(KINDS) {
        context.progress.message(name);
        let mut random = Random::new(seed);
        let mut outcome = Outcome::default();
        for _ in 0..each {
            outcome.meet(&kind.pair(&mut random), !matches!(kind, Kind::WithinRounding));
        }
        table.row(outcome.row(name));
        all = all.plus(outcome);
        context.progress.inc(1);
    }
    table.row(all.row("all"));
    (table, claim(&all))
}

fn claim(all: &Outcome) -> Claim {
    let Outcome { pairs, touching, disagree, wrong_apart, unsure, far_unsure, .. } = all;
    let [shown_pairs, shown_touching, shown_unsure] = [*pairs, *touching, *unsure].map(grouped);
    // A run that met no contact would have decided nothing.
    let met = all.apart > pairs / 10 && *touching > pairs / 20 && *unsure > 0;
    Claim::gate("OBB-S5-complete", "Fifteen axes decide completely whether two boxes overlap.")
        .paper("exact, by a theorem")
        .ours(format!(
            "{disagree} disagreements in exact arithmetic on {shown_pairs} pairs, {shown_touching} of them only touching; in \
             f64, {wrong_apart} wrongly called apart, and {shown_unsure} that are apart by less than the error bound \
             not told apart ({far_unsure} by more than twice the bound)"
        ))
        .holds_if(met && *disagree == 0 && *wrong_apart == 0 && *far_unsure == 0)
        .why(
            "The yardstick is not another set of axes: boxes meet if and only if an edge of one meets the \
             other, and that is decided in integers.",
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_clipped_closed() {
        let half = [2, 2, 2];
        assert!(edge_meets([2, 0, 0], [5, 0, 0], half));
        assert!(!edge_meets([3, 0, 0], [5, 0, 0], half));
        assert!(edge_meets([0, 4, 0], [4, 0, 0], half), "through the corner line");
        assert!(!edge_meets([0, 5, 0], [5, 0, 0], half));
        assert!(edge_meets([0, 0, 0], [1, 1, 1], half), "within");
        assert!(edge_meets([9, -9, 0], [-9, 9, 0], [0, 0, 0]), "a point on it");
    }

    #[test]
    fn rotations_are_rotations() {
        let mut random = Random::new(5);
        for _ in 0..100 {
            let (m, n) = rotation(&mut random, 3);
            for i in 0..3 {
                for j in 0..3 {
                    let dot: i128 = (0..3).map(|k| m[k][i] * m[k][j]).sum();
                    assert_eq!(dot, if i == j { n * n } else { 0 });
                }
            }
        }
    }
}
