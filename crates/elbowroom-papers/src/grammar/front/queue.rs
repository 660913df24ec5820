//! Places in the order in which they are visited: deepest first.
//!
//! What is kept from one traversal to the next is sorted by counting, once a traversal and only if
//! something changed. What comes up during a traversal is deeper than all that waits, and is put on
//! a stack. Together they are a priority queue in which putting in and taking out cost nothing but
//! themselves.

/// The queue.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    /// The front, in order; those before `next` are done.
    order: Vec<u32>,
    next: usize,
    stack: Vec<u32>,
    /// What stays on the front.
    kept: Vec<u32>,
    is_sorted: bool,
    /// By level.
    starts: Vec<u32>,
}

impl Queue {
    /// Only the first place.
    pub(super) fn restart(&mut self) {
        self.order.clear();
        self.order.push(0);
        self.is_sorted = true;
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        self.order.iter().copied()
    }

    /// A traversal begins.
    pub(super) fn start(&mut self) {
        self.next = 0;
        self.kept.clear();
        self.stack.clear();
    }

    /// The deepest that is left.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<u32> {
        if let Some(place) = self.stack.pop() {
            return Some(place);
        }
        let place = *self.order.get(self.next)?;
        self.next += 1;
        Some(place)
    }

    /// Pushes adjacent places, of which the first is visited first.
    #[inline]
    pub(super) fn push(&mut self, first: u32, count: u32) {
        self.is_sorted = false;
        self.stack.extend((first..first + count).rev());
    }

    /// Keeps a visited place on the front.
    #[inline]
    pub(super) fn keep(&mut self, place: u32) {
        self.kept.push(place);
    }

    /// The traversal is over: what it did not come to stays.
    pub(super) fn finish(&mut self) {
        self.kept.extend(self.stack.drain(..).rev());
        self.kept.extend_from_slice(&self.order[self.next..]);
        std::mem::swap(&mut self.order, &mut self.kept);
    }

    /// A place comes to the front.
    pub(super) fn put(&mut self, place: u32) {
        self.is_sorted = false;
        self.order.push(place);
    }

    /// Leaves only some.
    pub(super) fn retain(&mut self, mut is_left: impl FnMut(u32) -> bool) {
        self.order.retain(|&place| is_left(place));
    }

    /// Brings the deepest to the beginning, where it is not so already; equals stay in their order.
    pub(super) fn sort(&mut self, level_of: impl Fn(u32) -> u32) {
        if std::mem::replace(&mut self.is_sorted, true) {
            return;
        }
        let Self { order, kept, starts, .. } = self;
        starts.clear();
        for &place in &*order {
            let level = level_of(place) as usize;
            if starts.len() <= level {
                starts.resize(level + 1, 0);
            }
            starts[level] += 1;
        }
        let mut start = 0;
        for count in starts.iter_mut().rev() {
            start += std::mem::replace(count, start);
        }
        kept.clear();
        kept.resize(order.len(), 0);
        for &place in &*order {
            let at = &mut starts[level_of(place) as usize];
            kept[*at as usize] = place;
            *at += 1;
        }
        std::mem::swap(order, kept);
    }
}
