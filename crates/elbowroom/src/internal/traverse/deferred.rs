//! Work items that lead to another island, deferred until no others are queued.
//!
//! A batch tests two islands in frames of their own. An item whose node is the root of a third
//! one needs others; it waits here, and all that wait for the same two islands are gone on with
//! together, so that frames are worked out once for many.

use super::packed::Bodies;
use super::relative::BoxTransforms;

/// The deferred items.
#[derive(Clone, Debug, Default)]
pub(super) struct Deferred(Vec<WorkItem>);

#[derive(Clone, Copy, Debug)]
struct WorkItem {
    /// The islands of the first tree and of the second.
    islands: [u32; 2],
    from_b: bool,
    single: u32,
    node: u32,
}

impl Deferred {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Defers an item: a box of one of the two current islands, against another island of the other
    /// tree.
    pub(super) fn put(
        &mut self,
        bodies: &Bodies,
        mut islands: [u32; 2],
        (from_b, single, island): (bool, u32, usize),
    ) {
        let other = if from_b { bodies.a } else { bodies.b };
        islands[usize::from(!from_b)] = island as u32;
        let node = other.islands[island].root;
        self.0.push(WorkItem { islands, from_b, single, node });
    }

    /// Takes all deferred items of two islands, unless these are farther apart than a limit; pushes
    /// each with the tree of its box, its box and its node. Nothing is pushed if there are none.
    pub(super) fn take(
        &mut self,
        bodies: &Bodies,
        limit: f64,
        mut push: impl FnMut(bool, u32, u32),
    ) -> Option<([u32; 2], BoxTransforms)> {
        while let Some(&WorkItem { islands, .. }) = self.0.last() {
            let [i, j] = islands.map(|island| island as usize);
            let frames = bodies.relative.frames(&bodies.a.islands[i], &bodies.b.islands[j], limit);
            self.0.retain(|item| {
                let is_here = item.islands == islands;
                if is_here && frames.is_some() {
                    push(item.from_b, item.single, item.node);
                }
                !is_here
            });
            if let Some(frames) = frames {
                return Some((islands, frames));
            }
        }
        None
    }
}
