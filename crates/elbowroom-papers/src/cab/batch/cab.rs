//! The box around two boxes that meet at a joint, of sixteen bodies.
//!
//! ```text
//!          ____________
//!         /     E      \         Each child's longest axis, as long as its box and away from the joint: a₁, a₂.
//!     a₁ \             / a₂      Of a₁, a₂ and E = a₁ − a₂ the longest gives the first axis, a₁ × a₂ the second,
//!         \____joint__/          and both the third. The extents come from projecting both boxes.
//! ```
//!
//! Source: Schmidl, Walker and Lin, *CAB: fast update of OBB trees for collision detection between
//! articulated bodies*, 2004. Where a₁ and a₂ are parallel, a₁ × a₂ says nothing; then all axes are
//! those of the child whose second extent is larger, the first child if neither is. How we differ:
//! the paper asks for a₁·a₂ near to 1 and misses limbs that are stretched out, where it is near to
//! −1; we take its magnitude. What is shorter than 2⁻²⁰ of the body counts as parallel too: it has
//! no direction. The second axis is made square to the first once more, because a₁ × a₂ loses half
//! its digits where the angle is small.
//!
//! Ties: of a box's axes the one with the lower number is the longest; of the three vectors E, then
//! a₁, then a₂. The second axis may point either way: a box is the same.

use crate::cab::batch::boxes::BoxStrips;
use crate::cab::batch::place::{Frame, load, store};
use crate::cab::batch::plan::{Join, Long, Plan};
use elbowroom::internal::arch::{F32x16, F32xN};

/// Beyond this cosine two axes are parallel.
pub(super) const PARALLEL: f32 = 1.0 - 1e-5;

/// The inner boxes, from below.
#[inline(always)]
pub(super) fn refit<W: F32xN>(plan: &Plan, frames: &[Frame], boxes: &mut [BoxStrips]) {
    let leaves = plan.stands().len();
    for (k, join) in plan.joins().iter().enumerate() {
        let (below, rest) = boxes.split_at_mut(leaves + k);
        let at = &frames[join.frame as usize].at;
        for first in (0..16).step_by(W::LANES) {
            merge::<W>(plan, join, at, below, &mut rest[0], first);
        }
    }
}

/// A child as the axes need it.
struct Limb<W> {
    /// The longest axis, of unit length.
    axis: [W; 3],
    /// How far the box reaches along it.
    length: W,
    /// That length, negative if the axis points to the joint.
    signed: W,
    /// The second largest extent.
    second: W,
}

#[inline(always)]
fn merge<W: F32xN>(
    plan: &Plan,
    join: &Join,
    at: &[F32x16; 3],
    below: &[BoxStrips],
    out: &mut BoxStrips,
    first: usize,
) {
    let [a, b] = [&below[join.below[0] as usize], &below[join.below[1] as usize]];
    let joint: [W; 3] = load(at, first);
    let limbs = [
        limb(a, join.long[0].as_ref(), joint, first),
        limb(b, join.long[1].as_ref(), joint, first),
    ];
    let axes = axes(plan, [a, b], &limbs, first);
    enclose(plan, [a, b], &axes, out, first);
    for i in 0..3 {
        store(axes[i], &mut out.axes[i], first);
    }
}

#[inline(always)]
fn limb<W: F32xN>(boxes: &BoxStrips, long: Option<&Long>, joint: [W; 3], first: usize) -> Limb<W> {
    let (axis, length, second) = match long {
        Some(long) => (
            load(&boxes.axes[long.axis as usize], first),
            W::splat(long.length),
            W::splat(long.second),
        ),
        None => longest(boxes, first),
    };
    let away = dot(difference(load(&boxes.center, first), joint), axis);
    let zero = W::splat(0.0);
    Limb { axis, length, signed: W::select(zero.greater(away), zero - length, length), second }
}

/// The longest axis of each box, how long it is and the second largest extent.
#[inline(always)]
fn longest<W: F32xN>(boxes: &BoxStrips, first: usize) -> ([W; 3], W, W) {
    let [x, y, z]: [W; 3] = load(&boxes.half, first);
    let is_y = y.greater(x);
    let (large, small) = (W::select(is_y, y, x), W::select(is_y, x, y));
    let is_z = z.greater(large);
    let second = W::select(is_z, large, z.max(small));
    let [a, b, c] = &boxes.axes;
    let axis = choose(is_y, load(b, first), load(a, first));
    let axis = choose(is_z, load(c, first), axis);
    (axis, W::select(is_z, z, large), second)
}

#[inline(always)]
fn axes<W: F32xN>(
    plan: &Plan,
    [a, b]: [&BoxStrips; 2],
    [one, two]: &[Limb<W>; 2],
    first: usize,
) -> [[W; 3]; 3] {
    let (a1, a2) = (scaled(one.axis, one.signed), scaled(two.axis, two.signed));
    let ends = difference(a1, a2);
    let (square, mut most) = (one.length * one.length, dot(ends, ends));
    let is_first = square.greater(most);
    most = square.max(most);
    let square = two.length * two.length;
    let is_second = square.greater(most);
    most = square.max(most);
    let x = choose(is_second, a2, choose(is_first, a1, ends));
    let x = scaled(x, W::splat(1.0).over(most.sqrt()));

    let mut normal = cross(one.axis, two.axis);
    let lean = dot(normal, x);
    for i in 0..3 {
        normal[i] = x[i].times_from(lean, normal[i]);
    }
    let y = scaled(normal, W::splat(1.0).over(dot(normal, normal).sqrt()));
    let mut axes = [x, y, cross(x, y)];

    let point = W::splat(plan.point());
    let parallel = dot(one.axis, two.axis).abs().greater(W::splat(PARALLEL))
        | point.greater(one.length)
        | point.greater(two.length);
    let wider = two.second.greater(one.second);
    for i in 0..3 {
        let child = choose(wider, load(&b.axes[i], first), load(&a.axes[i], first));
        axes[i] = choose(parallel, child, axes[i]);
    }
    axes
}

/// Centre and extents along given axes. Everything is measured from the centre of the first box,
/// which keeps numbers small.
#[inline(always)]
fn enclose<W: F32xN>(
    plan: &Plan,
    [a, b]: [&BoxStrips; 2],
    axes: &[[W; 3]; 3],
    out: &mut BoxStrips,
    first: usize,
) {
    let (near, far) = (reach(axes, a, first), reach(axes, b, first));
    let start: [W; 3] = load(&a.center, first);
    let step = difference(load(&b.center, first), start);
    let mut center = start;
    let mut widths = [step[0]; 3];
    for i in 0..3 {
        let along = dot(axes[i], step);
        let up = near[i].max(far[i] + along);
        let down = near[i].max(far[i] - along);
        widths[i] = up + down;
        let middle = W::splat(0.5) * (up - down);
        for k in 0..3 {
            center[k] = axes[i][k].times_plus(middle, center[k]);
        }
    }
    let [of_width, of_place, least] = plan.roundings();
    let place = start[0].abs() + start[1].abs() + start[2].abs();
    let width = widths[0] + widths[1] + widths[2];
    let slack = place.times_plus(W::splat(of_place), W::splat(least));
    let slack = width.times_plus(W::splat(of_width), slack);
    store(center, &mut out.center, first);
    for i in 0..3 {
        widths[i].times_plus(W::splat(0.5), slack).store(&mut out.half[i], first);
    }
}

/// How far a box reaches from its centre along each of the axes.
#[inline(always)]
fn reach<W: F32xN>(axes: &[[W; 3]; 3], boxes: &BoxStrips, first: usize) -> [W; 3] {
    let mut sum = [W::splat(0.0); 3];
    for k in 0..3 {
        let axis: [W; 3] = load(&boxes.axes[k], first);
        let half = W::load(&boxes.half[k], first);
        for i in 0..3 {
            let share = dot(axes[i], axis).abs();
            sum[i] = if k == 0 { share * half } else { share.times_plus(half, sum[i]) };
        }
    }
    sum
}

#[inline(always)]
fn dot<W: F32xN>(a: [W; 3], b: [W; 3]) -> W {
    a[2].times_plus(b[2], a[1].times_plus(b[1], a[0] * b[0]))
}

#[inline(always)]
fn cross<W: F32xN>(a: [W; 3], b: [W; 3]) -> [W; 3] {
    [
        a[2].times_from(b[1], a[1] * b[2]),
        a[0].times_from(b[2], a[2] * b[0]),
        a[1].times_from(b[0], a[0] * b[1]),
    ]
}

#[inline(always)]
fn difference<W: F32xN>(a: [W; 3], b: [W; 3]) -> [W; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn scaled<W: F32xN>(a: [W; 3], factor: W) -> [W; 3] {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

#[inline(always)]
fn choose<W: F32xN>(mask: W::Mask, yes: [W; 3], no: [W; 3]) -> [W; 3] {
    [W::select(mask, yes[0], no[0]), W::select(mask, yes[1], no[1]), W::select(mask, yes[2], no[2])]
}
