//! The tree of pairs above a front.
//!
//! Pairs that gave way are kept, each with the place of those that took its place, so that it is
//! known what is to be raised. Siblings stand side by side, two or four of them; places that become
//! free are used again.

use std::ops::Index;

use elbowroom::internal::bvh::NodeId;

/// What is known of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The slot is free.
    Free,
    /// The pair was not judged yet.
    New,
    /// The last time it was judged it was apart.
    Apart,
    /// The last time it was judged it was not.
    Near,
    /// The pair was opened into others.
    Inner,
}

/// A pair of nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    pub(super) nodes: (NodeId, NodeId),
    /// The pair that gave way to this one; itself for the first.
    pub(super) parent: u32,
    /// The first of those that it gave way to, and how many there are.
    first: u32,
    count: u8,
    /// How many of those are apart, and on the front.
    apart: u8,
    /// For how many traversals it was left alone the last time.
    wait: u8,
    pub(super) state: State,
    /// Whether it is the last of its siblings.
    pub(super) is_last: bool,
    /// How many levels it is below the first.
    pub(super) level: u32,
    /// Not to be raised before this traversal.
    due: u32,
}

impl Kept {
    fn new(nodes: (NodeId, NodeId), parent: u32, level: u32, is_last: bool) -> Self {
        let (first, count, apart, wait, due) = (0, 0, 0, 1, 0);
        Self { nodes, parent, first, count, apart, wait, state: State::New, is_last, level, due }
    }
}

/// All pairs; the first is that of the roots.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    kept: Vec<Kept>,
    /// Free places of two and of four siblings.
    twos: Vec<u32>,
    fours: Vec<u32>,
    on_front: usize,
}

impl Index<u32> for Pairs {
    type Output = Kept;

    #[inline]
    fn index(&self, place: u32) -> &Kept {
        &self.kept[place as usize]
    }
}

impl Pairs {
    /// Only the pair of the roots.
    pub(super) fn restart(&mut self) {
        self.kept.clear();
        self.twos.clear();
        self.fours.clear();
        self.on_front = 1;
        // The first has no siblings, so that it is never the last of them, and nothing above it is
        // raised.
        self.kept.push(Kept::new((NodeId::ROOT, NodeId::ROOT), 0, 0, false));
    }

    pub(super) fn on_front(&self) -> usize {
        self.on_front
    }

    pub(super) fn is_on_front(&self, place: u32) -> bool {
        !matches!(self[place].state, State::Free | State::Inner)
    }

    /// A pair on the front was judged.
    #[inline]
    pub(super) fn set(&mut self, place: u32, state: State) {
        let kept = &mut self.kept[place as usize];
        if kept.state == state {
            return;
        }
        let was_apart = kept.state == State::Apart;
        kept.state = state;
        let parent = kept.parent;
        if place != 0 {
            let parent = &mut self.kept[parent as usize];
            if was_apart {
                parent.apart -= 1;
            } else if state == State::Apart {
                parent.apart += 1;
            }
        }
    }

    /// A pair gives way to others, which stand side by side from the place that is returned.
    pub(super) fn open(&mut self, place: u32, children: &[(NodeId, NodeId)], due: u32) -> u32 {
        let level = self[place].level;
        let free = if children.len() == 2 { &mut self.twos } else { &mut self.fours };
        let first = free.pop().unwrap_or(self.kept.len() as u32);
        let end = first as usize + children.len();
        for (at, &nodes) in (first..).zip(children) {
            // A pair of children is a level deeper in one tree or in both.
            let level = level + children.len() as u32 / 2;
            let kept = Kept::new(nodes, place, level, at as usize + 1 == end);
            match self.kept.get_mut(at as usize) {
                Some(free) => *free = kept,
                None => self.kept.push(kept),
            }
        }
        self.on_front += children.len() - 1;
        let kept = &mut self.kept[place as usize];
        kept.state = State::Inner;
        (kept.first, kept.count, kept.apart, kept.wait, kept.due) =
            (first, children.len() as u8, 0, 1, due);
        first
    }

    /// Whether all that a pair gave way to are apart, and it has been left alone for long enough.
    pub(super) fn may_be_raised(&self, place: u32, now: u32) -> bool {
        let kept = &self[place];
        // Counts of traversals wrap: what is less than half of all of them ahead is to come.
        let is_due = now.wrapping_sub(kept.due) < 1 << 31;
        kept.state == State::Inner && kept.apart == kept.count && is_due
    }

    /// A pair could not be raised.
    pub(super) fn put_off(&mut self, place: u32, now: u32, patience: u8) {
        let kept = &mut self.kept[place as usize];
        kept.due = now.wrapping_add(u32::from(kept.wait));
        kept.wait = kept.wait.saturating_mul(2).min(patience);
    }

    /// A pair takes the place of those that it gave way to.
    pub(super) fn close(&mut self, place: u32) {
        let Kept { first, count, .. } = self[place];
        for at in first..first + u32::from(count) {
            self.kept[at as usize].state = State::Free;
        }
        let free = if count == 2 { &mut self.twos } else { &mut self.fours };
        free.push(first);
        self.on_front -= usize::from(count) - 1;
        self.kept[place as usize].state = State::New;
    }
}
