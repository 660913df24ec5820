//! Where a model meets itself.
//!
//! Every pair of different triangles of one mesh that have a point in common, found by a descent of its tree
//! against itself. Neighbours always meet, in the corner or edge that they share; the caller says
//! whether pairs that share a vertex are wanted.

use std::ops::ControlFlow;

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
    fn test(&mut self, i: u32, j: u32) {
        let mesh = self.model.mesh();
        let (first, second) = (mesh.triangles()[i as usize], mesh.triangles()[j as usize]);
        if self.neighbours == Neighbours::Skip && first.iter().any(|v| second.contains(v)) {
            return;
        }
        self.tally.primitives += 1;
        let placed = |triangle: u32| {
            PlacedTriangle::new(&Placement::IDENTITY, mesh.triangle(triangle as usize))
        };
        let relation = relate(&placed(i), &placed(j));
        if relation != Relation::Apart {
            self.pairs.push(TrianglePair { a: i.min(j), b: i.max(j), relation });
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
        let model = self.model;
        for &i in model.tree().members(a) {
            for &j in model.tree().members(b) {
                self.test(i, j);
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
        let model = self.model;
        let members = model.tree().members(leaf);
        for (place, &i) in members.iter().enumerate() {
            for &j in &members[place + 1..] {
                self.test(i, j);
            }
        }
        ControlFlow::Continue(())
    }
}
