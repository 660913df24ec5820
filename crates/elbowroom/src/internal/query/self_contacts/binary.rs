//! The binary tree with itself: the reference, and what answers where there is no packed tree.

use std::ops::{ControlFlow, Range};

use super::{Group, Own, Take};
use crate::internal::bvh::{Column, NodeId};
use crate::internal::exact::Relation;
use crate::internal::model::with_column;
use crate::internal::traverse::{Judge, Rule, SelfJudge, Tally, Workspace, within};
use crate::internal::volume::{Meet, Rigid};

pub(super) fn descend(
    own: Own,
    take: &mut dyn Take,
    workspace: &mut Workspace,
) -> (ControlFlow<()>, Tally) {
    let reach = own.model.reach();
    let space = Rigid::common(reach, reach, 0.0);
    with_column!(own.model.columns(), column => run(own, take, column, &space, workspace))
}

fn run<V: Meet>(
    own: Own,
    take: &mut dyn Take,
    column: &Column<V>,
    space: &Rigid,
    workspace: &mut Workspace,
) -> (ControlFlow<()>, Tally) {
    let mut leaves = Leaves { own, take, column, space: space.into(), tally: Tally::default() };
    let flow = within(own.model.tree(), Rule::Larger, &mut leaves, workspace);
    (flow, leaves.tally)
}

struct Leaves<'a, V: Meet> {
    own: Own<'a>,
    take: &'a mut dyn Take,
    column: &'a Column<V>,
    space: V::Space,
    tally: Tally,
}

impl<'a, V: Meet> Leaves<'a, V> {
    /// The triangles at some places of the tree's order.
    fn triangles(&self, run: Range<usize>) -> &'a [u32] {
        &self.own.model.tree().order()[run]
    }

    fn test_copies(&mut self, run: Range<usize>) -> ControlFlow<()> {
        let copies = self.triangles(run);
        if copies.len() == 1 {
            return ControlFlow::Continue(());
        }
        self.tally.primitives += 1;
        match self.own.relate_copies(copies[0]) {
            Relation::Apart => ControlFlow::Continue(()),
            relation => self.take.take(Group::Copies(copies), relation),
        }
    }

    /// One test speaks for all copies of two triangles.
    fn test_runs(&mut self, first: Range<usize>, second: Range<usize>) -> ControlFlow<()> {
        let (first, second) = (self.triangles(first), self.triangles(second));
        self.tally.primitives += 1;
        match self.own.relate(first[0], second[0]) {
            Relation::Apart => ControlFlow::Continue(()),
            relation => self.take.take(Group::Across(first, second), relation),
        }
    }
}

impl<V: Meet> Judge for Leaves<'_, V> {
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        self.tally.count_volume(V::FAMILY);
        self.column[a].may_meet(&self.column[b], &self.space)
    }

    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.column[a].reach() >= self.column[b].reach()
    }

    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()> {
        let Own { model, .. } = self.own;
        for first in model.runs().within(model.tree().run(a)) {
            for second in model.runs().within(model.tree().run(b)) {
                self.test_runs(first.clone(), second)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        unreachable!("no level limit was set")
    }
}

impl<V: Meet> SelfJudge for Leaves<'_, V> {
    fn leaf(&mut self, leaf: NodeId) -> ControlFlow<()> {
        let Own { model, .. } = self.own;
        for first in model.runs().within(model.tree().run(leaf)) {
            self.test_copies(first.clone())?;
            for second in model.runs().within(first.end..model.tree().run(leaf).end) {
                self.test_runs(first.clone(), second)?;
            }
        }
        ControlFlow::Continue(())
    }
}
