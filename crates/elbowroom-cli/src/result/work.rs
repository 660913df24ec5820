//! What finding took, with `--counts`.

use elbowroom_motion::scene::FindWork;
use serde::{Deserialize, Serialize};

use crate::args::Refit;
use crate::messages::grouped;

/// What finding took, summed over frames.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct WorkSum {
    pub(crate) box_tests: Option<u64>,
    pub(crate) link_pairs: u64,
    pub(crate) pairs_left: u64,
    pub(crate) triangle_tests: Option<u64>,
}

impl WorkSum {
    /// With one more frame.
    pub(crate) fn plus(sum: Option<Self>, work: FindWork) -> Self {
        let none =
            Self { box_tests: Some(0), link_pairs: 0, pairs_left: 0, triangle_tests: Some(0) };
        let sum = sum.unwrap_or(none);
        let both = |a: Option<u64>, b: Option<u64>| a.zip(b).map(|(a, b)| a + b);
        Self {
            box_tests: both(sum.box_tests, work.box_tests),
            link_pairs: sum.link_pairs + work.piece_pairs,
            pairs_left: sum.pairs_left + work.pairs_left,
            triangle_tests: both(sum.triangle_tests, work.triangle_tests),
        }
    }

    /// For people.
    pub(crate) fn words(&self, refit: Refit) -> String {
        let known = |tests: Option<u64>, what: &str| match tests {
            Some(tests) => format!("{} {what} tests", grouped(tests)),
            None => format!("{what} tests not counted"),
        };
        format!(
            "boxes kept by {}: {} pairs of links, {}, {} pairs left, {}",
            refit.name(),
            grouped(self.link_pairs),
            known(self.box_tests, "box"),
            grouped(self.pairs_left),
            known(self.triangle_tests, "triangle")
        )
    }
}
