//! How many tests a traversal makes: as derived, for complete trees in which everything overlaps,
//! and where descending both trees at once is the worse.
//!
//! Liu, Wang and Yang (2017, §3.2) print (2²ⁿ⁻¹ − 1)/3 for descending both, which is never a whole
//! number: 2²ⁿ⁻¹ is 2 more than a multiple of 3.

use std::ops::ControlFlow;

use elbowroom::internal::bvh::{Config, NodeId, Tree};
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, Want, collide};
use elbowroom::internal::traverse::{Judge, Path, Rule, Workspace, pair};
use elbowroom::internal::volume::Family;
use elbowroom::{Mesh, Pose};
use glam::DVec3;

/// Whether the first of two nodes counts as the larger.
type Larger = fn(NodeId, NodeId) -> bool;

/// Says that everything meets, and counts.
struct Everything<'a> {
    tree: &'a Tree,
    larger: Larger,
    tests: u64,
    /// Tests in which at least one node was a leaf.
    with_a_leaf: u64,
    leaves: u64,
}

impl Judge for Everything<'_> {
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        self.tests += 1;
        self.with_a_leaf += u64::from(self.tree.is_leaf(a) || self.tree.is_leaf(b));
        true
    }

    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        (self.larger)(a, b)
    }

    fn leaves(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        self.leaves += 1;
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

fn count(levels: u32, rule: Rule, larger: Larger) -> [u64; 3] {
    let tree = Tree::complete(levels);
    let mut judge = Everything { tree: &tree, larger, tests: 0, with_a_leaf: 0, leaves: 0 };
    let path = Path { rule, level: None };
    assert!(pair(&tree, &tree, path, &mut judge, &mut Workspace::default()).is_continue());
    [judge.tests, judge.with_a_leaf, judge.leaves]
}

#[test]
fn one_at_a_time_makes_as_many_tests_by_every_rule() {
    let rules: [(Rule, Larger); 5] = [
        (Rule::First, |_, _| true),
        (Rule::Larger, |_, _| true),
        (Rule::Larger, |_, _| false),
        (Rule::Larger, |a, b| a <= b),
        (Rule::Larger, |a, b| (a.0 ^ b.0) % 3 == 0),
    ];
    for n in 1..=8_u32 {
        for (place, &(rule, larger)) in rules.iter().enumerate() {
            let [tests, with_a_leaf, leaves] = count(n, rule, larger);
            assert_eq!(tests, (1 << (2 * n - 1)) - 1, "{n} levels, rule {place}");
            assert_eq!(leaves, 1 << (2 * (n - 1)));
            if rule == Rule::First {
                // The paper's own split, with its lost superscript.
                assert_eq!(tests - with_a_leaf, (1 << (n - 1)) - 1);
                assert_eq!(with_a_leaf, ((1 << n) - 1) << (n - 1));
            }
        }
    }
}

#[test]
fn both_at_once_makes_a_third_less() {
    for n in 1..=8_u32 {
        let [tests, with_a_leaf, leaves] = count(n, Rule::Both, |_, _| true);
        assert_eq!(tests, ((1 << (2 * n)) - 1) / 3);
        assert_eq!(with_a_leaf, 1 << (2 * (n - 1)));
        assert_eq!(leaves, with_a_leaf);
        assert_ne!(((1_u64 << (2 * n - 1)) - 1) % 3, 0, "the printed total");
    }
    let ratio =
        count(8, Rule::First, |_, _| true)[0] as f64 / count(8, Rule::Both, |_, _| true)[0] as f64;
    assert!((ratio - 1.5).abs() < 1e-4);
}

/// Two triangles this far from the middle on either side.
fn apart_by(x: f64) -> Model {
    let triangle =
        |at: f64| [[at, 0.0, 0.0], [at, 1.0, 0.0], [at, 0.0, 1.0]].map(DVec3::from_array);
    let vertices = [triangle(-x), triangle(x)].concat();
    let mesh = Mesh::new(vertices, vec![[0, 1, 2], [3, 4, 5]]).expect("sound");
    Model::with_config(mesh, &Config::default().with_family(Family::Aabb))
}

/// The first model's halves stand on both sides of the second: 3 tests where one gives way, 5 where
/// both do.
#[test]
fn both_at_once_is_worse_where_the_children_miss_the_other_root() {
    let (wide, narrow) = (apart_by(2.0), apart_by(1.0));
    let tests = [Rule::First, Rule::Larger, Rule::Both].map(|rule| {
        let question =
            CollisionRequest { want: Want::All, path: Path { rule, level: None }, margin: 0.0 };
        let here = &Pose::IDENTITY;
        let answer = collide(&wide, here, &narrow, here, &question, &mut Workspace::default());
        assert!(!answer.is_contact());
        answer.tally.volumes()
    });
    assert_eq!(tests, [3, 3, 5]);
}
