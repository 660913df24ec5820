//! Table 4: the chains of Table 2, braided.

use super::measure::{CAB, CORNERS, OBB};
use super::tables::{measured, report};
use crate::{Claim, Context, Report, Verdict};

pub(crate) fn run(context: &Context) -> Report {
    let [loose, braided] = [2, 4].map(|table| measured(context, table));
    let leads = [&loose, &braided].map(|measured| measured.total_ratio(OBB, CAB));
    let aligned = braided.total_ratio(CORNERS, OBB);
    let parts = [aligned < 1.0, leads[1] < leads[0], leads[1] > 1.0];
    let verdict = match parts {
        [true, true, true] => Verdict::Holds,
        [_, true, true] => Verdict::HoldsWithAnotherNumber,
        _ => Verdict::DoesNotHold,
    };
    let claim = Claim::timed(
        "CAB-T4-braid",
        "In braided chains the gain is smaller: AABB* overtakes OBB, CAB still leads, and OBB/CAB is below that of loose chains.",
    )
    .paper("AABB* 18.29, OBB 20.74, CAB 13.17 s; OBB/CAB 1.57 against 1.87 in Table 2")
    .ours(format!(
        "AABB*/OBB {aligned:.2}; OBB/CAB {:.2} against {:.2} on the loose chains",
        leads[1], leads[0]
    ))
    .verdict(verdict)
    .why("In the paper AABB* also leads OBB in Table 1, if the swapped digits of its total are put right.");
    let ids = ["cab-table4", "CAB-T4-counts", "CAB-T4-order"];
    report(4, ids, "Two braided chains of convex links, 6:1", &braided, vec![claim])
}
