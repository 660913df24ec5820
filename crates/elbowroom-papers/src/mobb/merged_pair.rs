//! Two sequences in a query by their merged trees, with counts.
//!
//! Two nodes are told apart by their times, which are compared by the numbers of samples, exactly;
//! then by their boxes. Then both open, as in the paper; only one with more than twice as many
//! samples opens alone, because clips are not equally long. Leaves are compared sample by sample.

use std::ops::Range;

use crate::grammar::Tally;
use crate::mobb::merged::{Bound, Node};
use crate::mobb::sequence::Sequence;
use crate::mobb::sequence_pair::{Part, Two};
use elbowroom::internal::volume::TimeSpace;
use elbowroom_motion::space_time::clock::Lags;
use elbowroom_motion::space_time::query::Placed;
use elbowroom_motion::space_time::reference::{partners, times_meet};
use elbowroom_motion::space_time::side::Sides;

impl Sequence {
    /// Whether two sequences collide, on their merged trees, and how many boxes and samples were
    /// tested. The answer is that of [`collide`](Self::collide).
    pub fn collide_counted(
        &self,
        placed: &Placed,
        other: &Self,
        other_placed: &Placed,
    ) -> (bool, Tally) {
        let mut tally = Tally::default();
        let Some(two) = Two::new((self, placed), (other, other_placed)) else {
            return (false, tally);
        };
        let lags = two.a.clock.lags(&two.b.clock);
        let space = two.space(two.a.time_scale());
        let is_one_scale = two.a.time_scale() == two.b.time_scale();
        let hit = Descent { two: &two, lags, space, is_one_scale, tally: &mut tally }.collides();
        (hit, tally)
    }
}

impl Part<'_> {
    fn time_scale(&self) -> f64 {
        // A part is of a sequence with a clip.
        self.sequence.items[0].clip.config().time_scale
    }

    /// The samples of a node, counted in the sequence.
    fn run(&self, node: Node) -> Range<usize> {
        let firsts = &self.sequence.firsts;
        let first = |item: usize| firsts[item.min(firsts.len() - 1)] as usize;
        match node {
            Node::Above(level, place) => first(place << level)..first((place + 1) << level),
            Node::Within(item, node) => {
                let run = self.sequence.items[item].clip.tree().run(node);
                first(item) + run.start..first(item) + run.end
            }
        }
    }

    fn children(&self, node: Node) -> Option<[Node; 2]> {
        match node {
            Node::Above(level, place) => {
                Some([0, 1].map(|side| self.sequence.tree.node(level - 1, 2 * place + side)))
            }
            Node::Within(item, node) => {
                let children = self.sequence.items[item].clip.tree().children(node)?;
                Some(children.map(|child| Node::Within(item, child)))
            }
        }
    }

    /// The box of a node in the frame of the sequence; nothing where only times are compared.
    fn bound(&self, node: Node) -> Option<Bound> {
        match node {
            Node::Above(level, place) => Some(self.sequence.tree.levels()[level][place]),
            Node::Within(item, node) => {
                let start = self.sequence.firsts[item] as f64 * self.clock.dt;
                let item = &self.sequence.items[item];
                Bound::of_node(&item.clip, node, &item.at, start, self.time_scale())
            }
        }
    }
}

struct Descent<'a> {
    two: &'a Two<'a>,
    lags: Option<Lags>,
    space: TimeSpace,
    is_one_scale: bool,
    tally: &'a mut Tally,
}

impl Descent<'_> {
    fn collides(&mut self) -> bool {
        let (a, b) = (&self.two.a, &self.two.b);
        let mut stack = vec![(a.sequence.tree.root(), b.sequence.tree.root())];
        while let Some((node_a, node_b)) = stack.pop() {
            if !self.may_meet(node_a, node_b) {
                continue;
            }
            let (count_a, count_b) = (a.run(node_a).len(), b.run(node_b).len());
            match (a.children(node_a), b.children(node_b)) {
                (None, None) => {
                    if self.leaves(node_a, node_b) {
                        return true;
                    }
                }
                (Some(of_a), Some(of_b)) if count_a.max(count_b) <= 2 * count_a.min(count_b) => {
                    stack.extend(of_a.iter().flat_map(|&x| of_b.map(|y| (x, y))));
                }
                (Some(of_a), of_b) if of_b.is_none() || count_a > count_b => {
                    stack.extend(of_a.map(|x| (x, node_b)));
                }
                (_, Some(of_b)) => stack.extend(of_b.map(|y| (node_a, y))),
                (_, None) => {}
            }
        }
        false
    }

    fn may_meet(&mut self, node_a: Node, node_b: Node) -> bool {
        let (a, b) = (&self.two.a, &self.two.b);
        if !times_meet((&a.clock, &a.run(node_a)), (&b.clock, &b.run(node_b)), self.lags) {
            return false;
        }
        match (a.bound(node_a), b.bound(node_b)) {
            (Some(x @ Bound::Upright(_)), Some(y @ Bound::Upright(_))) => {
                x.may_cross(&y, &self.space, self.tally)
            }
            // Free boxes of different time scales cannot be compared.
            (Some(x), Some(y)) if self.is_one_scale => x.may_cross(&y, &self.space, self.tally),
            _ => true,
        }
    }

    /// Compares the samples of two leaves, in the numbers of their clips.
    fn leaves(&mut self, node_a: Node, node_b: Node) -> bool {
        let (Node::Within(item_a, leaf_a), Node::Within(item_b, leaf_b)) = (node_a, node_b) else {
            return false;
        };
        let sides = Sides::new(self.two.a.side(item_a), self.two.b.side(item_b));
        let (run_a, run_b) = (sides.a.clip.tree().run(leaf_a), sides.b.clip.tree().run(leaf_b));
        let lags = sides.lags();
        for i in run_a {
            for j in partners(&sides, lags, i, &run_b) {
                self.tally.primitives += 1;
                if sides.meet(i, j) {
                    return true;
                }
            }
        }
        false
    }
}
