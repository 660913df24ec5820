//! Two trees again, from where the last traversal stopped.
//!
//! What moves a little meets the same pairs of nodes as before. A [`Front`] keeps those at which a
//! traversal stopped, because they were apart or because they were leaves, and the next traversal
//! starts there:
//!
//! ```text
//!        from the root           from the front
//!           (A,B)                     ·            every pair of leaves is below exactly one pair of the
//!          /     \                  /   \          front, so that nothing is missed, wherever the objects
//!       (a1,B)  (a2,B)           (a1,B)  ·         are now: what has come together is descended, what has
//!               /    \                  / \        gone apart is raised
//!         (a2,b1)  (a2,b2)       (a2,b1)   (a2,b2)
//! ```
//!
//! Deepest first: what was near last time is tested before what was far, so that a question for one
//! contact ends soon. The order is a bucket queue: the front stands in order of its levels, and
//! what is descended from a pair is deeper than all that is still waiting, so that a stack is
//! enough for it.
//!
//! Raising: where all pairs that one pair gave way to are apart, that one is tested again. If it is
//! apart it takes their place; if not, it is left alone for twice as long as the last time, up to
//! [`PATIENCE`] traversals. So what does not move costs hardly more than the front itself, and
//! objects that have separated are back at one pair after at most as many traversals.
//!
//! Source: Liu, Wang and Yang, *A three-layer hybrid bounding volume hierarchy for collision
//! detection*, 2017, §3.2. There it is a front of the nodes of one tree, it is never raised, and
//! its order is that of a heap. Pairs of nodes and raising are after Li and Chen, *Incremental 3D
//! collision detection with hierarchical data structures*, 1998.
//!
//! Invariants: the pairs are a cut of the tree of pairs, also after a traversal that was broken
//! off. There are never more of them than the limit; below a pair that could not give way because
//! of it, a traversal goes on with a stack, and forgets.

mod kept;
mod queue;

use std::ops::ControlFlow;

use crate::grammar::front::kept::{Kept, Pairs, State};
use crate::grammar::front::queue::Queue;
use elbowroom::internal::bvh::{NodeId, Tree};
use elbowroom::internal::traverse::pair::{Fork, Judge, Path, Walk, below};
use elbowroom::interrupt::checkpoint;

/// The greatest number of traversals after which a pair that could not be raised is tried again.
const PATIENCE: u8 = 32;

/// How many pairs a front has at most unless told otherwise: some megabytes.
const LIMIT: usize = 1 << 17;

/// The pairs of nodes at which the last traversal of two trees stopped, and the next begins.
///
/// A front is of two trees, in this order. It starts again automatically if the trees have other
/// numbers of nodes, or where the [`Path`] is another; where one tree is replaced by another with
/// as many nodes, [`reset`](Self::reset) it.
///
/// ```
/// use std::ops::ControlFlow;
/// use elbowroom_papers::grammar::Front;
/// use elbowroom::internal::traverse::{Judge, Path};
/// use elbowroom::internal::bvh::{NodeId, Tree};
///
/// /// Leaves meet that have the same number, and all that is above them.
/// struct Alike<'a>(&'a Tree, u32);
/// impl Judge for Alike<'_> {
///     fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
///         self.1 += 1;
///         self.0.members(a).iter().any(|leaf| self.0.members(b).contains(leaf))
///     }
///     fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
///         a <= b
///     }
///     fn leaves(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
///         ControlFlow::Continue(())
///     }
///     fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
///         ControlFlow::Continue(())
///     }
/// }
///
/// let tree = Tree::complete(4);
/// let mut front = Front::default();
/// let visits = [0, 0].map(|_| {
///     let mut judge = Alike(&tree, 0);
///     assert!(front.descend(&tree, &tree, Path::default(), &mut judge).is_continue());
///     judge.1
/// });
/// assert!(visits[1] < visits[0] && visits[1] as usize >= front.len());
/// ```
#[derive(Clone, Debug)]
pub struct Front {
    pairs: Pairs,
    queue: Queue,
    /// Pairs that all that they gave way to may have left.
    raised: Vec<u32>,
    /// What is below a pair that may not give way.
    beneath: Vec<(NodeId, NodeId)>,
    limit: usize,
    is_raising: bool,
    of: Option<Of>,
    /// Counts traversals, and wraps.
    now: u32,
}

/// What a front is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Of {
    nodes: [usize; 2],
    path: Path,
}

impl Default for Front {
    fn default() -> Self {
        Self::with_limit(LIMIT)
    }
}

impl Front {
    /// A front with at most a number of pairs, and at least one.
    pub fn with_limit(limit: usize) -> Self {
        Self {
            pairs: Pairs::default(),
            queue: Queue::default(),
            raised: Vec::new(),
            beneath: Vec::new(),
            limit,
            is_raising: true,
            of: None,
            now: 0,
        }
    }

    /// As the paper has it: never raised. It grows, up to the limit, and is there to be compared
    /// with.
    #[must_use]
    pub fn without_raising(self) -> Self {
        Self { is_raising: false, ..self }
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// Whether nothing was descended yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pairs, in the order in which the next traversal will look at them.
    pub fn pairs(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        self.queue.iter().map(|place| self.pairs[place].nodes)
    }

    /// Begins at the roots the next time. What memory it has is kept.
    pub fn reset(&mut self) {
        self.of = None;
    }

    /// Judges pairs of nodes of two trees from the front down, until the judge breaks or nothing is
    /// left. The pairs of leaves that are judged hold all that a traversal from the roots
    /// (`pair`) comes to, and those that meet are the same for every judge whose leaves are
    /// exact.
    ///
    /// Returns `Break` if the judge did. The front stays good.
    pub fn descend(
        &mut self,
        a: &Tree,
        b: &Tree,
        path: Path,
        judge: &mut impl Judge,
    ) -> ControlFlow<()> {
        self.begin(Of { nodes: [a.len(), b.len()], path });
        self.queue.start();
        let mut flow = ControlFlow::Continue(());
        while let Some(place) = self.queue.pop() {
            checkpoint();
            flow = self.visit(a, b, path, judge, place);
            if flow.is_break() {
                break;
            }
        }
        self.queue.finish();
        if flow.is_continue() && self.is_raising {
            self.raise(judge);
        }
        self.raised.clear();
        let pairs = &self.pairs;
        self.queue.sort(|place| pairs[place].level);
        flow
    }

    fn begin(&mut self, of: Of) {
        self.now = self.now.wrapping_add(1);
        if self.of != Some(of) {
            self.of = Some(of);
            self.pairs.restart();
            self.queue.restart();
        }
    }

    /// Judges one pair; it stays on the front, or pairs of children take its place.
    fn visit(
        &mut self,
        a: &Tree,
        b: &Tree,
        path: Path,
        judge: &mut impl Judge,
        place: u32,
    ) -> ControlFlow<()> {
        let (node_a, node_b) = self.pairs[place].nodes;
        if !judge.may_meet(node_a, node_b) {
            self.pairs.set(place, State::Apart);
            self.queue.keep(place);
            let Kept { is_last, parent, .. } = self.pairs[place];
            if is_last {
                self.raised.push(parent);
            }
            return ControlFlow::Continue(());
        }
        self.pairs.set(place, State::Near);
        match path.fork(a, node_a, b, node_b, judge) {
            Fork::Two(children) => self.give_way(a, b, path, judge, place, &children),
            Fork::Four(children) => self.give_way(a, b, path, judge, place, &children),
            Fork::Leaves => {
                self.queue.keep(place);
                judge.leaves(node_a, node_b)
            }
            Fork::Limit => {
                self.queue.keep(place);
                judge.limit(node_a, node_b)
            }
        }
    }

    fn give_way(
        &mut self,
        a: &Tree,
        b: &Tree,
        path: Path,
        judge: &mut impl Judge,
        place: u32,
        children: &[(NodeId, NodeId)],
    ) -> ControlFlow<()> {
        if self.pairs.on_front() + children.len() > self.limit.max(1) + 1 {
            self.queue.keep(place);
            self.beneath.clear();
            self.beneath.extend(children.iter().rev());
            return below(a, b, path, judge, &mut self.beneath);
        }
        // It has just been seen to meet, so that it is not to be raised before the next traversal.
        let due = self.now.wrapping_add(1);
        let first = self.pairs.open(place, children, due);
        self.queue.push(first, children.len() as u32);
        ControlFlow::Continue(())
    }

    /// Tests the pairs whose children are all apart, and those above them.
    fn raise(&mut self, judge: &mut impl Judge) {
        let mut changed = false;
        let mut next = 0;
        while let Some(&place) = self.raised.get(next) {
            next += 1;
            if !self.pairs.may_be_raised(place, self.now) {
                continue;
            }
            let (node_a, node_b) = self.pairs[place].nodes;
            if judge.may_meet(node_a, node_b) {
                self.pairs.put_off(place, self.now, PATIENCE);
                continue;
            }
            self.pairs.close(place);
            self.pairs.set(place, State::Apart);
            self.queue.put(place);
            changed = true;
            if place != 0 {
                self.raised.push(self.pairs[place].parent);
            }
        }
        if changed {
            let pairs = &self.pairs;
            self.queue.retain(|place| pairs.is_on_front(place));
        }
    }
}

impl Walk for Front {
    #[inline]
    fn walk(&mut self, a: &Tree, b: &Tree, path: Path, judge: &mut impl Judge) -> ControlFlow<()> {
        self.descend(a, b, path, judge)
    }
}
