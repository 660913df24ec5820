//! Table 1: sixteen convex links, three times as long as wide.

use super::tables::{measured, report};
use crate::{Context, Report};

pub(crate) fn run(context: &Context) -> Report {
    let measured = measured(context, 1);
    let ids = ["cab-table1", "CAB-T1-counts", "CAB-T1-order"];
    report(1, ids, "Two chains of convex links, 3:1", &measured, Vec::new())
}
