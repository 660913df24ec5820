//! A front is a cut: every pair of leaves is below exactly one of its pairs.

use elbowroom::internal::bvh::Tree;
use elbowroom::internal::model::Model;
use elbowroom_papers::grammar::Front;

/// How many leaves each node has below it, by node.
fn leaves(tree: &Tree) -> Vec<u64> {
    let mut leaves = vec![1; tree.len()];
    for node in tree.nodes().rev() {
        if let Some([left, right]) = tree.children(node) {
            leaves[node.index()] = leaves[left.index()] + leaves[right.index()];
        }
    }
    leaves
}

/// Checks that the pairs of a front cover all pairs of leaves once.
pub(crate) fn check(front: &Front, a: &Model, b: &Model) {
    let (tree_a, tree_b) = (a.tree(), b.tree());
    let (below_a, below_b) = (leaves(tree_a), leaves(tree_b));
    let mut sum = 0;
    let mut runs: Vec<[usize; 4]> = Vec::new();
    for (x, y) in front.pairs() {
        sum += below_a[x.index()] * below_b[y.index()];
        let (run_a, run_b) = (tree_a.run(x), tree_b.run(y));
        runs.push([run_a.start, run_a.end, run_b.start, run_b.end]);
    }
    assert_eq!(sum, below_a[0] * below_b[0], "all pairs of leaves are covered");
    // Rectangles of the two orders: as many as cover all, and no two overlap.
    runs.sort_unstable();
    for (place, [_, end_a, start_b, end_b]) in runs.iter().enumerate() {
        for other in &runs[place + 1..] {
            if other[0] >= *end_a {
                break;
            }
            assert!(other[2] >= *end_b || other[3] <= *start_b, "a pair is covered twice");
        }
    }
}
