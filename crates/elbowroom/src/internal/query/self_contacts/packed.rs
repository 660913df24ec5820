//! The packed tree with itself.
//!
//! What a batch is certain of cannot be neighbours: a corner that both have is on the plane of
//! both, and its sign is never certain. So a crossing that is certain counts as it is, and
//! neighbours are always looked at exactly.

use std::ops::ControlFlow;

use super::{Group, Own, Take};
use crate::internal::arch::SimdLevel;
use crate::internal::bvh::Packed;
use crate::internal::exact::Relation;
use crate::internal::query::packed::bodies_of_one;
use crate::internal::traverse::packed::{Hits, Wanted, descend_self};
use crate::internal::traverse::{Tally, Workspace};

/// Descends, if the model has a packed tree.
pub(super) fn descend(
    own: Own,
    take: &mut dyn Take,
    workspace: &mut Workspace,
) -> Option<(ControlFlow<()>, Tally)> {
    let packed = own.model.packed()?;
    let bodies = bodies_of_one(own.model)?;
    let mut tally = Tally::default();
    let mut decided = Decided { own, packed, take };
    let mut flow = decided.take_copies(&mut tally);
    if flow.is_continue() {
        let stacks = &mut workspace.stacks;
        flow = descend_self(&bodies, SimdLevel::best(), &mut decided, stacks, &mut tally);
    }
    Some((flow, tally))
}

/// Decides what the traversal could not, and passes on what meets.
struct Decided<'a> {
    own: Own<'a>,
    packed: &'a Packed,
    take: &'a mut dyn Take,
}

impl Decided<'_> {
    /// Copies of one triangle share a record, and are not told apart by any traversal.
    fn take_copies(&mut self, tally: &mut Tally) -> ControlFlow<()> {
        let starts = &self.packed.starts;
        for run in starts.windows(2).filter(|run| run[1] - run[0] > 1) {
            let copies = &self.packed.ids[run[0] as usize..run[1] as usize];
            tally.primitives += 1;
            let relation = self.own.relate_copies(copies[0]);
            if relation != Relation::Apart {
                self.take.take(Group::Copies(copies), relation)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Hits for Decided<'_> {
    #[inline]
    fn wanted(&self) -> Wanted {
        self.take.wanted()
    }

    #[inline]
    fn hit(&mut self, a: u32, b: u32, is_certain: bool) -> ControlFlow<()> {
        let (a, b) = (self.packed.triangles(a), self.packed.triangles(b));
        let relation = if is_certain { Relation::Crossing } else { self.own.relate(a[0], b[0]) };
        match relation {
            Relation::Apart => ControlFlow::Continue(()),
            relation => self.take.take(Group::Across(a, b), relation),
        }
    }
}
