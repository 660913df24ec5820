//! Sweep: boxes in order of where they begin along one axis.
//!
//! A box can only overlap those that begin before it ends, and these follow it in the order. Along
//! the axis on which the boxes stand the farthest apart, measured in boxes, there are the fewest of
//! them (Cohen, Lin, Manocha and Ponamgi, *I-COLLIDE*, 1995, keep such an order on all three axes
//! from frame to frame; here one axis is sorted again, because a radix sort costs less than what
//! follows it, and the other two are compared eight boxes at a time).
//!
//! n boxes of size s in a cube of size S make about n²·s/S comparisons, at a fraction of a
//! nanosecond each.

use super::columns::{Blur, Columns, Window};
use super::{BoxPair, PAIR, overlap, pair_of};
use crate::internal::math::sort::digits_by_key;
use crate::internal::volume::Aabb;
use crate::interrupt::{checkpoint, hold};

/// Memory that is kept from one sweep to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    items: Vec<(u32, u32)>,
    scratch: Vec<(u32, u32)>,
    columns: Columns,
}

impl Sweep {
    /// Adds the overlapping pairs of the boxes with these numbers, in any order.
    pub(super) fn pairs(
        &mut self,
        boxes: &[Aabb],
        ids: &[u32],
        scene: &Aabb,
        axis: usize,
        pairs: &mut Vec<BoxPair>,
    ) {
        let blur = Blur::new(scene);
        let turned = |id: u32| {
            let mut window = blur.window(&boxes[id as usize]);
            window.low.swap(0, axis);
            window.high.swap(0, axis);
            window
        };
        self.items.clear();
        self.items.extend(ids.iter().map(|&id| (ascending(turned(id).low[0]), id)));
        digits_by_key(&mut self.items, &mut self.scratch, u64::from(u32::MAX), |&(key, _)| {
            u64::from(key)
        });
        self.columns.fill(self.items.iter().map(|&(_, id)| (id, turned(id))));
        for place in 0..self.columns.len() {
            checkpoint();
            let id = self.columns.id(place);
            let window: Window = self.columns.window(place);
            let bounds = &boxes[id as usize];
            self.columns.sweep(place + 1, &window, |other| {
                let other = self.columns.id(other);
                if overlap(bounds, &boxes[other as usize]) {
                    pairs.push(pair_of(id, other));
                    hold(pairs.len(), PAIR);
                }
            });
        }
    }
}

/// An integer that is in the order of the numbers. Zeros of either sign are one number.
fn ascending(x: f32) -> u32 {
    let bits = (x + 0.0).to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

#[cfg(test)]
mod tests {
    use super::ascending;

    #[test]
    fn integers_are_in_the_order_of_the_numbers() {
        let numbers = [-1.0, -0.5, -f32::MIN_POSITIVE, 0.0, 1e-40, 0.25, 1.0];
        assert!(numbers.is_sorted_by(|&a, &b| ascending(a) < ascending(b)));
        assert_eq!(ascending(-0.0), ascending(0.0));
    }
}
