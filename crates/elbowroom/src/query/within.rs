//! Where a model meets itself.
//!
//! Every pair of different triangles of one mesh that have a point in common, found by a descent of its tree
//! against itself. Neighbours always meet, in the corner or edge that they share; the caller says
//! whether pairs that share a vertex are wanted.

use std::ops::{ControlFlow, Range};

use super::collide::TrianglePair;
use crate::descend::{Judge, Rule, SelfJudge, Tally, Workspace, within};
use crate::exact::{PlacedTriangle, Relation, relate};
use crate::math::placement::Placement;
use crate::model::{Model, with_column};
use crate::tree::{Column, NodeId};
use crate::volume::{Meet, Rigid};

/// Which pairs of one mesh's triangles count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Neighbours {
    /// Triangles that share a vertex, by index, are passed over.
    #[default]
    Skip,
    /// They count as any other pair.
    Count,
}

/// All pairs of different triangles of a model that meet, the smaller number first, in order; and the
/// work that was done.
pub fn collide_self(
    model: &Model,
    neighbours: Neighbours,
    workspace: &mut Workspace,
) -> (Vec<TrianglePair>, Tally) {
    let space = Rigid::common(model.reach(), model.reach(), 0.0);
    with_column!(model.columns(), column => run(model, column, neighbours, &space, workspace))
}

fn run<V: Meet>(
    model: &Model,
    column: &Column<V>,
    neighbours: Neighbours,
    space: &Rigid,
    workspace: &mut Workspace,
) -> (Vec<TrianglePair>, Tally) {
    let mut judge = Own {
        model,
        column,
        neighbours,
        space: space.into(),
        pairs: Vec::new(),
        tally: Tally::default(),
    };
    // The judge never breaks.
    let _ = within(model.tree(), Rule::Larger, &mut judge, workspace);
    judge.pairs.sort_unstable();
    (judge.pairs, judge.tally)
}

struct Own<'a, V: Meet> {
    model: &'a Model,
    column: &'a Column<V>,
    neighbours: Neighbours,
    space: V::Space,
    pairs: Vec<TrianglePair>,
    tally: Tally,
}

impl<V: Meet> Own<'_, V> {
    /// Copies of one triangle meet each other, all of them in the same way.
    fn test_copies(&mut self, run: Range<usize>) {
        if run.len() == 1 {
            return;
        }
        let relation = self.relate(run.start, run.start + 1);
        if !self.all_passed_over(run.clone(), 0..0) {
            for place in run.clone() {
                self.found(place..place + 1, place + 1..run.end, relation);
            }
        }
    }

    /// One test speaks for all copies of two triangles.
    fn test_runs(&mut self, first: Range<usize>, second: Range<usize>) {
        let lone = first.len() == 1 && second.len() == 1;
        if lone && self.is_passed_over(first.start, second.start) {
            return;
        }
        let relation = self.relate(first.start, second.start);
        if relation != Relation::Apart && !self.all_passed_over(first.clone(), second.clone()) {
            self.found(first, second, relation);
        }
    }

    fn relate(&mut self, i: usize, j: usize) -> Relation {
        self.tally.primitives += 1;
        let order = self.model.tree().order();
        let placed = |place: usize| {
            let corners = self.model.mesh().triangle(order[place] as usize);
            PlacedTriangle::new(&Placement::IDENTITY, corners)
        };
        relate(&placed(i), &placed(j))
    }

    /// Whether the triangles at two places of the order share a vertex and that is not wanted.
    fn is_passed_over(&self, i: usize, j: usize) -> bool {
        let (order, triangles) = (self.model.tree().order(), self.model.mesh().triangles());
        let [first, second] = [i, j].map(|place| triangles[order[place] as usize]);
        self.neighbours == Neighbours::Skip && first.iter().any(|v| second.contains(v))
    }

    /// Copies usually name the same vertices, so that none of a million times a million pairs is wanted.
    fn all_passed_over(&self, first: Range<usize>, second: Range<usize>) -> bool {
        let (order, triangles) = (self.model.tree().order(), self.model.mesh().triangles());
        let names = |place: usize| {
            let mut corners = triangles[order[place] as usize];
            corners.sort_unstable();
            corners
        };
        let head = names(first.start);
        self.neighbours == Neighbours::Skip && first.chain(second).all(|place| names(place) == head)
    }

    fn found(&mut self, first: Range<usize>, second: Range<usize>, relation: Relation) {
        for i in first {
            for j in second.clone() {
                if !self.is_passed_over(i, j) {
                    let order = self.model.tree().order();
                    let (i, j) = (order[i], order[j]);
                    self.pairs.push(TrianglePair { a: i.min(j), b: i.max(j), relation });
                }
            }
        }
    }
}

impl<V: Meet> Judge for Own<'_, V> {
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        self.tally.count_volume(V::FAMILY);
        self.column[a].may_meet(&self.column[b], &self.space)
    }

    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.column[a].reach() >= self.column[b].reach()
    }

    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()> {
        let tree = self.model.tree();
        for first in self.model.runs().within(tree.run(a)) {
            for second in self.model.runs().within(tree.run(b)) {
                self.test_runs(first.clone(), second);
            }
        }
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        unreachable!("no level limit was set")
    }
}

impl<V: Meet> SelfJudge for Own<'_, V> {
    fn leaf(&mut self, leaf: NodeId) -> ControlFlow<()> {
        let runs: Vec<_> = self.model.runs().within(self.model.tree().run(leaf)).collect();
        for (place, first) in runs.iter().enumerate() {
            self.test_copies(first.clone());
            for second in &runs[place + 1..] {
                self.test_runs(first.clone(), second.clone());
            }
        }
        ControlFlow::Continue(())
    }
}
