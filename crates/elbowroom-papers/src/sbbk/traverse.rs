//! Two layered trees, with no look at a family in the loop.
//!
//! A pair of nodes belongs to a pair of layers. Each of these has a stack of its own, and a loop
//! that knows both families when it is compiled; what it pushes goes to its own stack or to one
//! farther down, since layers never ascend. The stack that is farthest down goes first, so that a
//! traversal that may stop early gets to leaves soon; one that waits above is processed one or two
//! hundred pairs at a time, and the families are looked up once for all of them.
//!
//! ```text
//!   sphere/sphere → sphere/AABB → AABB/AABB → AABB/18-DOP → 18-DOP/18-DOP → leaves
//! ```
//!
//! The pairs are those of [`pair`](elbowroom::internal::traverse::pair), in another order.

use std::ops::ControlFlow;

use crate::sbbk::{Layer, Spaces};
use crate::sbbk::{LayerColumns, by_columns};
use elbowroom::internal::bvh::{NodeId, Tree};
use elbowroom::internal::traverse::pair::{Path, Rule, Workspace};
use elbowroom::internal::traverse::tally::Tally;
use elbowroom::internal::volume::{Family, Volume};
use elbowroom::interrupt;

/// Decides about pairs of leaves; about volumes there is nothing to decide.
pub trait LeafJudge {
    /// Two leaves that may meet.
    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()>;

    /// Two nodes that may meet, not both leaves, below which the path's level limit forbids to
    /// look.
    fn limit(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()>;
}

/// A tree and its layers.
#[derive(Clone, Copy, Debug)]
pub struct LayeredTree<'a> {
    /// The topology.
    pub tree: &'a Tree,
    /// The volumes of its nodes.
    pub layers: &'a LayerColumns,
}

/// Pairs of nodes of two layered trees, tested one by one and in any order: for fronts and counts,
/// whereas [`layered`] goes by layers.
#[derive(Clone, Copy, Debug)]
pub struct LayeredPairs<'a> {
    /// The first tree.
    pub a: LayeredTree<'a>,
    /// The second.
    pub b: LayeredTree<'a>,
    /// The relative transforms.
    pub spaces: &'a Spaces,
}

impl LayeredPairs<'_> {
    /// The family of a node of the first tree.
    #[inline]
    pub fn family(&self, a: NodeId) -> Family {
        self.a.layers.layering().runs()[self.a.layers.place(a).layer as usize].0
    }

    /// False only if what is below two nodes certainly does not meet.
    pub fn may_meet(&self, a: NodeId, b: NodeId) -> bool {
        let (at_a, at_b) = (self.a.layers.place(a), self.b.layers.place(b));
        let column_a = &self.a.layers.columns()[at_a.layer as usize];
        let column_b = &self.b.layers.columns()[at_b.layer as usize];
        by_columns!(column_a, column_b, (x, y) => {
            let (x, y) = (&x.as_slice()[at_a.slot as usize], &y.as_slice()[at_b.slot as usize]);
            self.spaces.may_meet(x, y)
        })
    }

    /// Whether the first node is the larger one.
    pub fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.a.layers.reach_of(a) >= self.b.layers.reach_of(b)
    }
}

/// The number of pairs of one stack that are visited before a deeper one continues.
const TURN: usize = 256;

/// Waiting pairs, by the layers of both.
pub(super) type LayerStacks = Vec<Vec<(NodeId, NodeId)>>;

/// Goes through pairs of nodes of two layered trees from the roots down, until the judge breaks or
/// nothing is left. Counts the tests by the first one's family.
///
/// Returns `Break` if the judge did.
pub fn layered(
    (a, b): (LayeredTree<'_>, LayeredTree<'_>),
    spaces: &Spaces,
    path: Path,
    judge: &mut impl LeafJudge,
    tally: &mut Tally,
    workspace: &mut Workspace,
) -> ControlFlow<()> {
    let mut kept = workspace.kept.take::<LayerStacks>();
    let flow = from_roots((a, b), spaces, path, judge, tally, &mut kept);
    workspace.kept.put(kept);
    flow
}

/// The loop over the stacks.
fn from_roots(
    (a, b): (LayeredTree<'_>, LayeredTree<'_>),
    spaces: &Spaces,
    path: Path,
    judge: &mut impl LeafJudge,
    tally: &mut Tally,
    stacks: &mut LayerStacks,
) -> ControlFlow<()> {
    let width = b.layers.columns().len();
    let count = a.layers.columns().len() * width;
    stacks.iter_mut().for_each(Vec::clear);
    stacks.resize_with(count.max(stacks.len()), Vec::new);
    let mut descent = Descent { a, b, width, path, judge, tally };
    descent.push(stacks, NodeId::ROOT, NodeId::ROOT);
    while let Some(top) = stacks[..count].iter().rposition(|stack| !stack.is_empty()) {
        interrupt::look();
        let (column_a, column_b) =
            (&a.layers.columns()[top / width], &b.layers.columns()[top % width]);
        by_columns!(column_a, column_b, (x, y) => {
            descent.turn(spaces, (x.as_slice(), y.as_slice()), top, stacks)?;
        });
    }
    ControlFlow::Continue(())
}

/// What a traversal knows while it runs.
struct Descent<'a, J> {
    a: LayeredTree<'a>,
    b: LayeredTree<'a>,
    /// How many layers the second tree has.
    width: usize,
    path: Path,
    judge: &'a mut J,
    tally: &'a mut Tally,
}

impl<J: LeafJudge> Descent<'_, J> {
    /// Puts a pair on the stack of its layers.
    #[inline]
    fn push(&self, stacks: &mut LayerStacks, a: NodeId, b: NodeId) {
        let (layer_a, layer_b) = (self.a.layers.place(a).layer, self.b.layers.place(b).layer);
        stacks[layer_a as usize * self.width + layer_b as usize].push((a, b));
    }

    /// Looks at the pairs of one stack, until it is empty or it is another one's turn.
    // One function for each two families: together they would be too much for a compiler.
    #[inline(never)]
    fn turn<A: Layer<B>, B: Volume>(
        &mut self,
        spaces: &Spaces,
        columns: (&[A], &[B]),
        top: usize,
        stacks: &mut LayerStacks,
    ) -> ControlFlow<()> {
        if spaces.is_shifted() {
            let space = spaces.of_shifted::<A, B>();
            self.turn_by(columns, top, stacks, |a, b| a.may_meet_shifted(b, space))
        } else {
            let space = spaces.of_turned::<A, B>();
            self.turn_by(columns, top, stacks, |a, b| a.may_meet(b, space))
        }
    }

    fn turn_by<A: Volume, B: Volume>(
        &mut self,
        (column_a, column_b): (&[A], &[B]),
        top: usize,
        stacks: &mut LayerStacks,
        may_meet: impl Fn(&A, &B) -> bool,
    ) -> ControlFlow<()> {
        for _ in 0..TURN {
            let Some((a, b)) = stacks[top].pop() else { break };
            let volume_a = &column_a[self.a.layers.place(a).slot as usize];
            let volume_b = &column_b[self.b.layers.place(b).slot as usize];
            self.tally.count_volume(A::FAMILY);
            if may_meet(volume_a, volume_b) {
                self.give_way(stacks, (a, b), volume_a.reach() >= volume_b.reach())?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Pushes the pairs that a pair gives way to: one function, whatever the families.
    #[inline(never)]
    fn give_way(
        &mut self,
        stacks: &mut LayerStacks,
        (a, b): (NodeId, NodeId),
        is_first_larger: bool,
    ) -> ControlFlow<()> {
        let Path { rule, level } = self.path;
        let within = |tree: &Tree, node| level.is_none_or(|limit| tree.level(node) < limit);
        let children_a = self.a.tree.children(a).filter(|_| within(self.a.tree, a));
        let children_b = self.b.tree.children(b).filter(|_| within(self.b.tree, b));
        // The last pushed is popped first: left children before right ones.
        match (children_a, children_b) {
            (Some([a1, a2]), Some([b1, b2])) if rule == Rule::Both => {
                for (a, b) in [(a2, b2), (a2, b1), (a1, b2), (a1, b1)] {
                    self.push(stacks, a, b);
                }
            }
            (Some([a1, a2]), other)
                if other.is_none() || rule == Rule::First || is_first_larger =>
            {
                self.push(stacks, a2, b);
                self.push(stacks, a1, b);
            }
            (_, Some([b1, b2])) => {
                self.push(stacks, a, b2);
                self.push(stacks, a, b1);
            }
            _ if self.a.tree.is_leaf(a) && self.b.tree.is_leaf(b) => self.judge.leaves(a, b)?,
            _ => self.judge.limit(a, b)?,
        }
        ControlFlow::Continue(())
    }
}
