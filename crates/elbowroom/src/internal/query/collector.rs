//! Collects the pairs of triangles that a traversal finds, as far as they are asked for.

use std::borrow::BorrowMut;
use std::ops::ControlFlow;

use super::collide::{CollisionResult, Verdict, Want};
use crate::internal::exact::Relation;
use crate::interrupt::hold_more;

/// The bytes of a pair while it is collected: packed, and then as a pair.
const HELD: usize = 20;

/// Counts and lists pairs of triangles.
pub(super) struct Collector<V> {
    pub(super) want: Want,
    /// The verdict and the counts; its own list of pairs is left empty.
    pub(super) answer: CollisionResult,
    /// The pairs, as the caller packs them: a vector or a reference to one.
    pub(super) found: V,
}

impl<V> Collector<V> {
    pub(super) fn new(want: Want, found: V) -> Self {
        Self { want, answer: CollisionResult::default(), found }
    }

    /// Adds a group of pairs that all have the same relation, given as rows and the number of pairs
    /// in all rows. Breaks as soon as the question is answered.
    #[inline]
    pub(super) fn add<P, R: IntoIterator<Item = P>>(
        &mut self,
        relation: Relation,
        count: u64,
        rows: impl Iterator<Item = R>,
    ) -> ControlFlow<()>
    where
        V: BorrowMut<Vec<P>>,
    {
        let (counted, flow) = match self.want {
            Want::Any => (0, ControlFlow::Break(())),
            Want::First => (1, ControlFlow::Break(())),
            Want::Count | Want::All => (count, ControlFlow::Continue(())),
        };
        self.answer.verdict = Verdict::Contact;
        if relation == Relation::Crossing {
            self.answer.crossing += counted;
        } else {
            self.answer.touching += counted;
        }
        let found = self.found.borrow_mut();
        match self.want {
            Want::Any | Want::Count => {}
            Want::First => found.extend(rows.flatten().next()),
            Want::All => {
                for row in rows {
                    let before = found.len();
                    found.extend(row);
                    hold_more(found.len(), found.len() - before, HELD);
                }
            }
        }
        flow
    }
}
