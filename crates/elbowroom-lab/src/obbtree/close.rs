//! What the paper says in passing about close models: sections 1, 3, 6 and 7.
//!
//! Each part decides one or a few claims and stands in a file of its own: [`gain`] where oriented
//! boxes gain nothing, [`mean`] how many operations a test needs on average, [`degenerate`] points
//! and segments for triangles, [`cascade`] transforms chained down the trees, [`cost`] the equation
//! T = `N_v`·`C_v` + `N_p`·`C_p` and all that the clock decides.
//!
//! Source: Gottschalk, Lin and Manocha, *OBBTree: a hierarchical structure for rapid interference
//! detection*, 1996.

mod cascade;
mod cost;
mod degenerate;
mod gain;
mod mean;

pub(super) use mean::Sums;

use crate::{Claim, Context, Report, Table};

/// What a part of the experiment gives.
struct Part {
    tables: Vec<Table>,
    claims: Vec<Claim>,
}

pub(crate) fn run(context: &Context) -> Report {
    type Run = fn(quick: bool) -> Part;
    let parts: [(&str, Run); 5] = [
        ("no gain", gain::run),
        ("mean operations", mean::run),
        ("degenerate triangles", degenerate::run),
        ("chained transforms", cascade::run),
        ("costs", cost::run),
    ];
    context.progress.ahead(parts.len() as u64);
    let (mut tables, mut claims) = (Vec::new(), Vec::new());
    for (name, part) in parts {
        context.progress.message(name);
        let part = part(context.quick);
        tables.extend(part.tables);
        claims.extend(part.claims);
        context.progress.inc(1);
    }
    Report {
        charts: Vec::new(),
        id: "obbtree-close",
        title: "Close models: where oriented boxes gain, and what their tests cost".to_owned(),
        what: "The paper says in its text where oriented boxes gain nothing, what a test costs, that \
               degenerate triangles are handled, and that chained transforms did no harm. Here each \
               is tried on small scenes made for it, and on the spheres of Figures 5 and 6."
            .to_owned(),
        tables,
        claims,
        notes: vec![
            "Times are of scalar code on the binary trees; the packed trees will bring SIMD.".to_owned(),
            "The scenes of Table 3 are measured with that table.".to_owned(),
        ],
    }
}
