//! Cutting a group of primitives in two.
//!
//! A cut brings the left side's members to the front of the group and returns how many they are, or
//! `None` if the group is indivisible.

use glam::{DMat3, DVec3};

use super::config::{Failed, Split};
use super::source::Triangles;
use crate::internal::math::sort::few_by;
use crate::internal::volume::Spatial;

/// More steps on an axis than this find nothing better, and take memory.
const MOST_BINS: u32 = 1024;

pub(super) fn cut<V: Spatial>(
    source: &Triangles,
    volume: &V,
    members: &mut [u32],
) -> Option<usize> {
    let config = source.config();
    let axes = if V::FAMILY.is_round() { longest_first(source, members) } else { volume.axes() };
    let found = match config.split {
        Split::Sah { bins } => {
            cut_by_area(source, &axes, bins.clamp(2, MOST_BINS) as usize, members)
        }
        split => {
            let first = if config.by_spread { volume.principal() } else { axes.x_axis };
            let others = [axes.y_axis, axes.z_axis];
            let tries = match config.failed {
                Failed::NextAxis => 3,
                Failed::Halve => 1,
            };
            [first, others[0], others[1]]
                .iter()
                .take(tries)
                .find_map(|&axis| cut_across(source, split, axis, members))
        }
    };
    match config.failed {
        Failed::Halve => found.or_else(|| (members.len() > 1).then_some(members.len() / 2)),
        Failed::NextAxis => found,
    }
}

/// The coordinate axes by how far the members reach along them: for volumes that do not tell.
fn longest_first(source: &Triangles, members: &[u32]) -> DMat3 {
    let empty = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = members.iter().fold(empty, |(low, high), &i| {
        let (lowest, highest) = source.span(i, &DMat3::IDENTITY);
        (low.min(lowest), high.max(highest))
    });
    let reach = high - low;
    let mut order = [0, 1, 2];
    few_by(&mut order, |&i, &j| reach[j].total_cmp(&reach[i]));
    DMat3::from_cols_array_2d(&order.map(|axis| DMat3::IDENTITY.col(axis).to_array()))
}

fn cut_across(source: &Triangles, split: Split, axis: DVec3, members: &mut [u32]) -> Option<usize> {
    let place = |i: u32| source.center(i).dot(axis);
    let count = match split {
        Split::Mean => {
            let at = source.mean(members).dot(axis);
            partition(members, |i| place(i) <= at)
        }
        Split::AreaMean => {
            let at = source.area_mean(members).dot(axis);
            partition(members, |i| place(i) < at)
        }
        Split::Median => {
            let first = place(members[0]);
            if members.iter().all(|&i| place(i) == first) {
                return None;
            }
            let half = members.len().div_ceil(2);
            // Ties by number, so that the tree does not depend on the order of the members.
            members.select_nth_unstable_by(half - 1, |&i, &j| {
                place(i).total_cmp(&place(j)).then(i.cmp(&j))
            });
            half
        }
        Split::Sah { .. } => unreachable!("cut by area, not across one axis"),
    };
    (0 < count && count < members.len()).then_some(count)
}

/// Brings those for which `is_left` holds to the front, each side in its old order.
fn partition(members: &mut [u32], is_left: impl Fn(u32) -> bool) -> usize {
    let mut right = Vec::new();
    let mut left = 0;
    for place in 0..members.len() {
        let member = members[place];
        if is_left(member) {
            members[left] = member;
            left += 1;
        } else {
            right.push(member);
        }
    }
    members[left..].copy_from_slice(&right);
    left
}

/// What lies in one step of an axis: how many primitives, and the box around them in the frame of
/// the axes.
#[derive(Clone, Copy)]
struct Bin {
    count: usize,
    low: DVec3,
    high: DVec3,
}

impl Bin {
    const EMPTY: Self = Self { count: 0, low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    fn with(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    fn cost(&self) -> f64 {
        if self.count == 0 {
            return 0.0;
        }
        let side = self.high - self.low;
        let area = side.x * side.y + side.y * side.z + side.z * side.x;
        area * self.count as f64
    }
}

/// The surface area heuristic (Goldsmith and Salmon, 1987) on bins (Wald, 2007), in the frame of
/// the group's own volume.
fn cut_by_area(
    source: &Triangles,
    axes: &DMat3,
    bins: usize,
    members: &mut [u32],
) -> Option<usize> {
    let turned = axes.transpose();
    let centers: Vec<DVec3> = members.iter().map(|&i| turned * source.center(i)).collect();
    let low = centers.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = centers.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    let width = high - low;
    let bin_of = |axis: usize, center: DVec3| {
        let share = (center[axis] - low[axis]) / width[axis];
        #[allow(clippy::cast_sign_loss, reason = "the share is from 0 to 1")]
        let step = (share * bins as f64) as usize;
        step.min(bins - 1)
    };
    let mut best: Option<(f64, usize, usize)> = None;
    for axis in 0..3 {
        if !(width[axis] > 0.0 && width[axis].is_finite()) {
            continue;
        }
        let mut filled = vec![Bin::EMPTY; bins];
        for (&member, &center) in members.iter().zip(&centers) {
            let (low, high) = source.span(member, axes);
            let bin = &mut filled[bin_of(axis, center)];
            *bin = bin.with(Bin { count: 1, low, high });
        }
        let mut right = vec![Bin::EMPTY; bins + 1];
        for i in (0..bins).rev() {
            right[i] = right[i + 1].with(filled[i]);
        }
        let mut left = Bin::EMPTY;
        for i in 0..bins - 1 {
            left = left.with(filled[i]);
            let cost = left.cost() + right[i + 1].cost();
            let cuts = left.count > 0 && right[i + 1].count > 0;
            if cuts && best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, axis, i));
            }
        }
    }
    let (_, axis, last) = best?;
    Some(partition(members, |i| bin_of(axis, turned * source.center(i)) <= last))
}
