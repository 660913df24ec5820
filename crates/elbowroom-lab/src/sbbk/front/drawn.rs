//! The tree of Figures 3 and 4.

use std::ops::ControlFlow;

use elbowroom::internal::bvh::{NodeId, Tree};
use elbowroom::internal::traverse::{Judge, Path, Rule, Workspace, pair};
use elbowroom_papers::grammar::Front;

use crate::Table;

/// The nodes that stop a descent, numbered as a heap from 1, and how many were visited.
struct Drawn<'a> {
    stops: &'a [u32],
    visits: u64,
}

impl Judge for Drawn<'_> {
    fn may_meet(&mut self, a: NodeId, _: NodeId) -> bool {
        let number = a.0 + 1;
        self.visits += u64::from(number != 13);
        !self.stops.contains(&number)
    }

    fn is_first_larger(&self, _: NodeId, _: NodeId) -> bool {
        true
    }

    fn leaves(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The visits from the root and from the front.
pub(super) fn run() -> (Table, [u64; 2]) {
    const RED: [u32; 4] = [2, 6, 14, 15];
    const GREEN: [u32; 9] = [4, 10, 11, 12, 13, 28, 29, 30, 31];
    let (tree, single) = (Tree::complete(5), Tree::complete(1));
    let path = Path { rule: Rule::First, level: None };
    let mut front = Front::default();
    let mut from_front = |stops| {
        let mut judge = Drawn { stops, visits: 0 };
        // Nothing breaks the descent.
        let _ = front.descend(&tree, &single, path, &mut judge);
        (judge.visits, front.len())
    };
    let (first, red) = from_front(&RED);
    let (again, green) = from_front(&GREEN);
    let mut judge = Drawn { stops: &GREEN, visits: 0 };
    let _ = pair(&tree, &single, path, &mut judge, &mut Workspace::default());
    let mut table = Table::new(
        "The drawn tree (T13 is not counted, as in the paper)",
        ["moment", "from", "visits", "stopped at"],
    );
    table.row(["t1".into(), "root".into(), first.into(), red.into()]);
    table.row(["t2".into(), "root".into(), judge.visits.into(), green.into()]);
    table.row(["t2".into(), "front of t1".into(), again.into(), green.into()]);
    (table, [judge.visits, again])
}
