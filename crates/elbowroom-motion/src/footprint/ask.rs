//! Two footprints on one floor: clear, or perhaps touching.
//!
//! Circles are compared from the roots down, the larger one giving way, in the first body's frame.
//! The first two leaves (or nodes at the level's limit) that are not apart end it. If the contours
//! are clear of each other, one body may still stand [within](super::within) a ring of the other.
//!
//! [`ask_counted`] does just that, pair by pair, and counts. [`ask`] goes by
//! [packed](super::packed) circles and answers the same.

use glam::DVec2;

use super::Footprint;
use super::circles::Circle;
use super::descent::{Descent, Side, Waiting};
use super::packed::Turned;
use super::within::surrounds;
use elbowroom::internal::arch::{SimdLevel, run_f32x8};
use elbowroom::internal::math::planar::Planar;

/// The least limit with which packed circles pay.
const LEAST_LEVEL: u32 = 4;

/// The level of detail for two footprints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Look {
    /// The lowest level that is visited, in either tree; the root is level 0, the single cylinder.
    pub level: Option<u32>,
    /// The distance from which on the bodies count as clear.
    pub margin: f64,
}

/// The verdict of two footprints on the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nearness {
    /// The bodies do not meet, and are farther apart than the margin: certain.
    Clear,
    /// Circles meet, and so may the bodies.
    MayTouch,
}

/// Memory that questions use while they run, and how many circles they compared so far.
#[derive(Clone, Debug, Default)]
pub struct Work {
    pairs: Vec<(u32, u32)>,
    waiting: Vec<Waiting>,
    /// Pairs of circles that were compared one by one.
    pub tests: u64,
    /// Blocks of up to four circles that were compared with such blocks.
    pub batches: u64,
}

/// Whether two bodies on one floor are clear of each other.
pub fn ask(
    a: &Footprint,
    at_a: &Planar,
    b: &Footprint,
    at_b: &Planar,
    look: &Look,
    work: &mut Work,
) -> Nearness {
    ask_on(SimdLevel::best(), a, at_a, b, at_b, look, work)
}

/// The query on a given instruction set: every one gives the same answer and compares the same
/// circles. For tests.
#[doc(hidden)]
pub fn ask_on(
    level: SimdLevel,
    a: &Footprint,
    at_a: &Planar,
    b: &Footprint,
    at_b: &Planar,
    look: &Look,
    work: &mut Work,
) -> Nearness {
    answer(a, at_a, b, at_b, look, |a, b, stance| {
        let limit = look.level.unwrap_or(u32::MAX);
        // A few circles are compared sooner one by one.
        let is_deep = limit >= LEAST_LEVEL;
        let turned = if is_deep { Turned::new(&a.packed, &b.packed, stance) } else { None };
        let Some(turned) = turned else { return meets(a, b, stance, look.level, work) };
        if !stance.is_near(a, b) {
            return false;
        }
        let [a, b] = [a, b].map(|of| Side { nodes: &of.circles.nodes, packed: &of.packed });
        let waiting = &mut work.waiting;
        let (meets, batches) = run_f32x8(level, Descent { a, b, stance, turned, limit, waiting });
        work.batches += batches;
        meets
    })
}

/// The query with every pair of circles compared one after the other and counted: what the paper
/// measures.
pub fn ask_counted(
    a: &Footprint,
    at_a: &Planar,
    b: &Footprint,
    at_b: &Planar,
    look: &Look,
    work: &mut Work,
) -> Nearness {
    answer(a, at_a, b, at_b, look, |a, b, stance| meets(a, b, stance, look.level, work))
}

/// Whether contours meet is for the caller to find out.
#[inline]
fn answer(
    a: &Footprint,
    at_a: &Planar,
    b: &Footprint,
    at_b: &Planar,
    look: &Look,
    meets: impl FnOnce(&Footprint, &Footprint, &Stance) -> bool,
) -> Nearness {
    // These numbers are equal in either order of the bodies.
    let is_in_order = order(at_a) <= order(at_b);
    let (a, at_a, b, at_b) = if is_in_order { (a, at_a, b, at_b) } else { (b, at_b, a, at_a) };
    let stance = Stance::new(a, at_a, b, at_b, look.margin);
    // Circles around whole bodies that are apart leave no room for one within the other.
    let is_within = || {
        stance.is_near(a, b)
            && (surrounds(a, b, |p| stance.back(p), stance.slack)
                || surrounds(b, a, |p| stance.apply(p), stance.slack))
    };
    if meets(a, b, &stance) || is_within() { Nearness::MayTouch } else { Nearness::Clear }
}

/// Something that tells two poses apart.
fn order(at: &Planar) -> [u64; 4] {
    let (cos, sin) = at.turn();
    [at.translation().x, at.translation().y, cos, sin].map(f64::to_bits)
}

/// The second body in the first one's frame.
pub(super) struct Stance {
    pub(super) cos: f64,
    pub(super) sin: f64,
    pub(super) shift: DVec2,
    /// What must be added to two radii for circles to be apart for certain.
    pub(super) allowance: f64,
    /// The part of it that is for rounding.
    pub(super) slack: f64,
}

impl Stance {
    pub(super) fn new(
        a: &Footprint,
        at_a: &Planar,
        b: &Footprint,
        at_b: &Planar,
        margin: f64,
    ) -> Self {
        const U: f64 = f64::EPSILON / 2.0;
        let ((cos_a, sin_a), (cos_b, sin_b)) = (at_a.turn(), at_b.turn());
        let apart = at_b.translation() - at_a.translation();
        let shift =
            DVec2::new(cos_a * apart.x + sin_a * apart.y, cos_a * apart.y - sin_a * apart.x);
        let size = a.packed.reach + b.packed.reach + apart.abs().element_sum() + margin;
        let deviation = at_a.deviation() + at_b.deviation();
        // As for bodies in space: docs/notes/volume-slack.md.
        let slack = size * (256.0 * U + 4.0 * deviation) + f64::MIN_POSITIVE;
        Self {
            cos: cos_a * cos_b + sin_a * sin_b,
            sin: cos_a * sin_b - sin_a * cos_b,
            shift,
            allowance: margin + slack,
            slack,
        }
    }

    /// A point of the second body as the first one sees it.
    #[inline]
    pub(super) fn apply(&self, p: DVec2) -> DVec2 {
        self.shift + DVec2::new(self.cos * p.x - self.sin * p.y, self.sin * p.x + self.cos * p.y)
    }

    /// The other way round.
    pub(super) fn back(&self, p: DVec2) -> DVec2 {
        let p = p - self.shift;
        DVec2::new(self.cos * p.x + self.sin * p.y, self.cos * p.y - self.sin * p.x)
    }

    #[inline]
    pub(super) fn may_meet(&self, a: &Circle, b: &Circle) -> bool {
        self.may_be_near(DVec2::new(a.x, a.y), a.radius, DVec2::new(b.x, b.y), b.radius)
    }

    /// Whether the circles around all are not apart for certain.
    #[inline]
    fn is_near(&self, a: &Footprint, b: &Footprint) -> bool {
        let (a, b) = (&a.packed, &b.packed);
        self.may_be_near(a.center, a.radius, b.center, b.radius)
    }

    /// Whether a circle of the first and one of the second body are not apart for certain.
    #[inline]
    fn may_be_near(&self, p: DVec2, r: f64, q: DVec2, s: f64) -> bool {
        let apart = self.apply(q) - p;
        let reach = r + s + self.allowance;
        // Four roundings of the square are less than the allowance makes of it.
        apart.length_squared() <= reach * reach
    }
}

fn meets(
    a: &Footprint,
    b: &Footprint,
    stance: &Stance,
    level: Option<u32>,
    work: &mut Work,
) -> bool {
    let (first, second) = (&a.circles.nodes[..], &b.circles.nodes[..]);
    let limit = level.unwrap_or(u32::MAX);
    work.pairs.clear();
    work.pairs.push((0, 0));
    while let Some((i, j)) = work.pairs.pop() {
        let (p, q) = (&first[i as usize], &second[j as usize]);
        work.tests += 1;
        if !stance.may_meet(p, q) {
            continue;
        }
        match which_open(p, q, limit) {
            (false, false) => return true,
            (true, false) => work.pairs.extend([(p.child + 1, j), (p.child, j)]),
            (false, true) => work.pairs.extend([(i, q.child + 1), (i, q.child)]),
            (true, true) => {
                let (k, l) = (p.child, q.child);
                work.pairs.extend([(k + 1, l + 1), (k + 1, l), (k, l + 1), (k, l)]);
            }
        }
    }
    false
}

/// Which of two circles give way to their children: the larger one, and of two alike both.
#[inline]
pub(super) fn which_open(p: &Circle, q: &Circle, limit: u32) -> (bool, bool) {
    let opens = |circle: &Circle| circle.child != 0 && u32::from(circle.level) < limit;
    match (opens(p), opens(q)) {
        (true, true) => (p.radius >= q.radius, q.radius >= p.radius),
        open => open,
    }
}
