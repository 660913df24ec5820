//! Figures 3 and 4 of Liu, Wang and Yang (2017), replayed: 16 visits from the root, 13 from the
//! front.
//!
//! The paper draws one tree, and numbers its nodes as a heap. It is tested here against a single
//! node. T13 is not among the nodes that the paper lists, although T12 is: a node that is not
//! drawn, and not counted here.

use std::ops::ControlFlow;

use elbowroom::internal::bvh::{NodeId, Tree};
use elbowroom::internal::traverse::{Judge, Path, Rule, Workspace, pair};
use elbowroom_papers::grammar::Front;

/// The nodes that stop a traversal, by the paper's numbers, and those that were visited.
struct Drawn {
    stops: Vec<u32>,
    visits: Vec<u32>,
}

impl Drawn {
    fn new(stops: &[u32]) -> Self {
        Self { stops: stops.to_vec(), visits: Vec::new() }
    }

    /// As the paper lists them, which is without T13.
    fn listed(&self) -> Vec<u32> {
        let mut listed: Vec<u32> = self.visits.iter().copied().filter(|&t| t != 13).collect();
        listed.sort_unstable();
        listed
    }
}

impl Judge for Drawn {
    fn may_meet(&mut self, a: NodeId, _: NodeId) -> bool {
        // A complete tree is numbered as a heap, from nought.
        let drawn = a.0 + 1;
        self.visits.push(drawn);
        !self.stops.contains(&drawn)
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

#[test]
fn sixteen_visits_from_the_root_and_thirteen_from_the_front() {
    let (tree, single) = (Tree::complete(5), Tree::complete(1));
    let path = Path { rule: Rule::First, level: None };
    let red = [2, 6, 14, 15];
    let green = [4, 10, 11, 12, 13, 28, 29, 30, 31];

    let mut front = Front::default();
    let mut first = Drawn::new(&red);
    assert!(front.descend(&tree, &single, path, &mut first).is_continue());
    let stopped: Vec<u32> = front.pairs().map(|(node, _)| node.0 + 1).collect();
    assert_eq!(stopped, [14, 15, 6, 2], "deepest first");

    let mut from_root = Drawn::new(&green);
    assert!(pair(&tree, &single, path, &mut from_root, &mut Workspace::default()).is_continue());
    assert_eq!(from_root.listed(), [1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 14, 15, 28, 29, 30, 31]);
    assert_eq!((from_root.listed().len(), from_root.visits.len()), (16, 17));

    let mut from_front = Drawn::new(&green);
    assert!(front.descend(&tree, &single, path, &mut from_front).is_continue());
    assert_eq!(from_front.listed(), [2, 4, 5, 6, 10, 11, 12, 14, 15, 28, 29, 30, 31]);
    assert_eq!((from_front.listed().len(), from_front.visits.len()), (13, 14));
    assert_eq!(from_front.visits[0], 14, "deepest first");

    let mut now: Vec<u32> = front.pairs().map(|(node, _)| node.0 + 1).collect();
    now.sort_unstable();
    assert_eq!(now, green);
}

/// Back to where all is apart at the root: the front is raised to it, however deep it was.
#[test]
fn what_is_apart_at_the_root_is_raised_to_it() {
    let (tree, single) = (Tree::complete(5), Tree::complete(1));
    let path = Path { rule: Rule::First, level: None };
    let mut front = Front::default();
    let mut visits = Vec::new();
    for stops in [&[2, 6, 14, 15][..], &[4, 10, 11, 12, 13, 28, 29, 30, 31]] {
        assert!(front.descend(&tree, &single, path, &mut Drawn::new(stops)).is_continue());
    }
    let everything: Vec<u32> = (1..32).collect();
    for _ in 0..2 {
        let mut judge = Drawn::new(&everything);
        assert!(front.descend(&tree, &single, path, &mut judge).is_continue());
        visits.push(judge.visits.len());
    }
    // Nine on the front, and the eight above them; then the root alone.
    assert_eq!((visits, front.len()), (vec![17, 1], 1));
}
