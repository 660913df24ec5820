//! Units that lead to another island, set aside until nothing else waits.
//!
//! A burst looks at two islands in frames of their own. A unit whose node is the root of a third
//! one needs others; it waits here, and all that wait for the same two islands are gone on with
//! together, so that frames are worked out once for many.

use super::packed::Bodies;
use super::relative::Frames;

/// Memory for units that were set aside.
#[derive(Clone, Debug, Default)]
pub(super) struct Aside(Vec<Unit>);

#[derive(Clone, Copy, Debug)]
struct Unit {
    /// The islands of the first tree and of the second.
    islands: [u32; 2],
    from_b: bool,
    single: u32,
    node: u32,
}

impl Aside {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Defers a unit: a box of one of the two current islands, against another island of the other
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
        self.0.push(Unit { islands, from_b, single, node });
    }

    /// Takes all deferred units of two islands, unless these are farther apart than a limit; pushes
    /// each with the tree of its box, its box and its node. Nothing is pushed if there are none.
    pub(super) fn take(
        &mut self,
        bodies: &Bodies,
        limit: f64,
        mut push: impl FnMut(bool, u32, u32),
    ) -> Option<([u32; 2], Frames)> {
        while let Some(&Unit { islands, .. }) = self.0.last() {
            let [i, j] = islands.map(|island| island as usize);
            let frames = bodies.stance.frames(&bodies.a.islands[i], &bodies.b.islands[j], limit);
            self.0.retain(|unit| {
                let is_here = unit.islands == islands;
                if is_here && frames.is_some() {
                    push(unit.from_b, unit.single, unit.node);
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
