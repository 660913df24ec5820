//! What keeping boxes and asking took, as counts.

use elbowroom::internal::traverse::Tally;

/// Counts of work. Times are for the caller to take, around an update, the candidates and the exact
/// part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Boxes written, those of links among them.
    pub boxes_refitted: u64,
    /// Vertices placed to fit a box to them.
    pub vertices_visited: u64,
    /// Pairs of boxes tested.
    pub box_tests: u64,
    /// Exact queries about two links: #coll of the CAB paper.
    pub calls: u64,
    /// Exact queries that found nothing: its #false.
    pub false_alarms: u64,
    /// Exact queries that found a contact.
    pub hits: u64,
    /// The counts of the exact queries inside the links.
    pub exact: Tally,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.boxes_refitted += other.boxes_refitted;
        self.vertices_visited += other.vertices_visited;
        self.box_tests += other.box_tests;
        self.calls += other.calls;
        self.false_alarms += other.false_alarms;
        self.hits += other.hits;
        self.exact += other.exact;
    }
}
