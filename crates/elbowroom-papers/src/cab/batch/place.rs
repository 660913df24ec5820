//! Forward kinematics of sixteen bodies, and the boxes of their links.
//!
//! A joint turns as its parent does, then by its own rotation: one product of quaternions, which
//! may grow or shrink by rounding but is only asked for its direction. The matrix divides by the
//! square of its length, so that its columns are orthonormal to a few roundings however long the
//! chain is.

use crate::cab::batch::boxes::BoxStrips;
use crate::cab::batch::plan::Plan;
use elbowroom::internal::arch::{F32x16, F32xN};

/// Where a joint stands in sixteen bodies, relative to the origin of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// x, y, z, w, of any length.
    pub(super) turn: [F32x16; 4],
    /// Where its origin is.
    pub(super) at: [F32x16; 3],
    /// The turn as a matrix, column by column.
    pub(super) columns: [[F32x16; 3]; 3],
}

impl Frame {
    pub(super) const ZERO: Self =
        Self { turn: [F32x16::ZERO; 4], at: [F32x16::ZERO; 3], columns: [[F32x16::ZERO; 3]; 3] };
}

/// Frame 0 is the pose of the body; frame k + 1 is that of step k of the plan.
#[inline(always)]
pub(super) fn stand<W: F32xN>(plan: &Plan, pose: &[[F32x16; 4]], frames: &mut [Frame]) {
    for first in (0..16).step_by(W::LANES) {
        let turn: [W; 4] = load_turn(&pose[0], first);
        let zero = W::splat(0.0);
        write(&mut frames[0], turn, [zero; 3], first);
    }
    for (k, step) in plan.steps().iter().enumerate() {
        let (before, rest) = frames.split_at_mut(k + 1);
        let (parent, frame) = (&before[step.parent as usize], &mut rest[0]);
        let own = &pose[step.joint as usize + 1];
        for first in (0..16).step_by(W::LANES) {
            let turn = product::<W>(load_turn(&parent.turn, first), load_turn(own, first));
            let at = placed::<W>(parent, &step.offset, first);
            write(frame, turn, at, first);
        }
    }
}

/// The boxes of the links.
#[inline(always)]
pub(super) fn leaves<W: F32xN>(plan: &Plan, frames: &[Frame], boxes: &mut [BoxStrips]) {
    for (leaf, out) in plan.stands().iter().zip(boxes) {
        let frame = &frames[leaf.frame as usize];
        for first in (0..16).step_by(W::LANES) {
            store(placed::<W>(frame, &leaf.center, first), &mut out.center, first);
            for i in 0..3 {
                let axis = match &leaf.axes {
                    Some(axes) => turned::<W>(frame, &axes[i], first),
                    None => load(&frame.columns[i], first),
                };
                store(axis, &mut out.axes[i], first);
            }
            for i in 0..3 {
                W::splat(leaf.half[i]).store(&mut out.half[i], first);
            }
        }
    }
}

// Written out and without closures, which would not become part of the function with the
// instruction set.

#[inline(always)]
pub(super) fn load<W: F32xN>(strips: &[F32x16; 3], first: usize) -> [W; 3] {
    [W::load(&strips[0], first), W::load(&strips[1], first), W::load(&strips[2], first)]
}

#[inline(always)]
fn load_turn<W: F32xN>(strips: &[F32x16; 4], first: usize) -> [W; 4] {
    let [x, y, z, w] = strips;
    [W::load(x, first), W::load(y, first), W::load(z, first), W::load(w, first)]
}

#[inline(always)]
pub(super) fn store<W: F32xN, const N: usize>(
    from: [W; N],
    strips: &mut [F32x16; N],
    first: usize,
) {
    for i in 0..N {
        from[i].store(&mut strips[i], first);
    }
}

/// A point of the link, the same in all bodies, where it stands.
#[inline(always)]
fn placed<W: F32xN>(frame: &Frame, point: &[f32; 3], first: usize) -> [W; 3] {
    let mut sum: [W; 3] = load(&frame.at, first);
    for k in 0..3 {
        let share = W::splat(point[k]);
        let column: [W; 3] = load(&frame.columns[k], first);
        for i in 0..3 {
            sum[i] = column[i].times_plus(share, sum[i]);
        }
    }
    sum
}

/// A direction of the link, the same in all bodies, as it is turned.
#[inline(always)]
fn turned<W: F32xN>(frame: &Frame, vector: &[f32; 3], first: usize) -> [W; 3] {
    let mut sum = load::<W>(&frame.columns[0], first);
    for i in 0..3 {
        sum[i] = sum[i] * W::splat(vector[0]);
    }
    for k in 1..3 {
        let column = load::<W>(&frame.columns[k], first);
        for i in 0..3 {
            sum[i] = column[i].times_plus(W::splat(vector[k]), sum[i]);
        }
    }
    sum
}

/// First the right rotation, then the left.
#[inline(always)]
fn product<W: F32xN>([ax, ay, az, aw]: [W; 4], [bx, by, bz, bw]: [W; 4]) -> [W; 4] {
    [
        az.times_from(by, ay.times_plus(bz, ax.times_plus(bw, aw * bx))),
        ax.times_from(bz, az.times_plus(bx, ay.times_plus(bw, aw * by))),
        ay.times_from(bx, ax.times_plus(by, az.times_plus(bw, aw * bz))),
        az.times_from(bz, ay.times_from(by, ax.times_from(bx, aw * bw))),
    ]
}

#[inline(always)]
fn write<W: F32xN>(frame: &mut Frame, turn: [W; 4], at: [W; 3], first: usize) {
    store(turn, &mut frame.turn, first);
    store(at, &mut frame.at, first);
    let [x, y, z, w] = turn;
    let square = w.times_plus(w, z.times_plus(z, y.times_plus(y, x * x)));
    let (one, scale) = (W::splat(1.0), W::splat(2.0).over(square));
    let (xs, ys, zs) = (x * scale, y * scale, z * scale);
    let columns = [
        [
            zs.times_from(z, ys.times_from(y, one)),
            zs.times_plus(w, xs * y),
            ys.times_from(w, xs * z),
        ],
        [
            zs.times_from(w, xs * y),
            zs.times_from(z, xs.times_from(x, one)),
            xs.times_plus(w, ys * z),
        ],
        [
            ys.times_plus(w, xs * z),
            xs.times_from(w, ys * z),
            ys.times_from(y, xs.times_from(x, one)),
        ],
    ];
    for k in 0..3 {
        store(columns[k], &mut frame.columns[k], first);
    }
}
