//! The rule itself: sections 2 and 3 of the paper.
//!
//! Each part decides one claim and stands in a file of its own: [`bound`] that boxes hold what they
//! should, [`axis`] which axis is taken and how near it is to the principal one, [`sum`] the
//! reviewer's axis, [`elongated`] what shapes and joints the rule is good for, [`lazy`] refitting
//! on demand. The elbow of [`elbow`] is two boxes that begin at one joint.

mod axis;
mod bound;
mod elbow;
mod elongated;
mod lazy;
mod sum;

use crate::{Claim, Context, Report, Table};

/// What a part of the experiment gives.
struct Part {
    tables: Vec<Table>,
    claims: Vec<Claim>,
}

pub(crate) fn run(context: &Context) -> Report {
    type Run = fn(&Context) -> Part;
    let parts: [(&str, Run); 5] = [
        ("boxes hold what is below", bound::run),
        ("which axis", axis::run),
        ("the sum of both axes", sum::run),
        ("elongated links", elongated::run),
        ("lazy refitting", lazy::run),
    ];
    context.progress.ahead(parts.len() as u64);
    let (mut tables, mut claims) = (Vec::new(), Vec::new());
    for (name, part) in parts {
        context.progress.message(name);
        let part = part(context);
        tables.extend(part.tables);
        claims.extend(part.claims);
        context.progress.inc(1);
    }
    Report {
        charts: Vec::new(),
        id: "cab-rule",
        title: "The rule for two joined boxes".to_owned(),
        what: "The paper takes the axes of a parent box from the longest axes of its two children, and says why that is nearly the principal \
               axis, what a reviewer's variant does, which links it needs, and that refitting on demand gains nothing in a braid. Here each is \
               tried on elbows of two boxes and on the chains of the tables."
            .to_owned(),
        tables,
        claims,
        notes: vec![
            "The printed test for parallel axes asks whether their cosine is above 1 − 10⁻⁵. The axes of a straight limb point away from the \
             joint, so their cosine is −1, and the rule would divide nothing by nothing; here its magnitude is asked."
                .to_owned(),
        ],
    }
}
