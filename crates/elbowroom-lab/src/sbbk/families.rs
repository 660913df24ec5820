//! §2, §3.1, §5: what families are good for, alone and in layers.
//!
//! The paper ranks families by tightness and by what a test costs, argues from the ranks for a
//! sphere at the root and k-DOPs at the bottom, and leaves choosing the levels to future work. Each
//! of its steps is measured here by itself.

mod cost;
mod hybrids;
mod root;
mod soft;
mod tight;
mod visits;

use elbowroom::Mesh;

use super::scene::helicopter;
use crate::{Claim, Context, Report, Table};

/// What a part of the experiment gives.
struct Part {
    tables: Vec<Table>,
    claims: Vec<Claim>,
}

/// A part of the experiment: of some models, and quick or not.
type Run = fn(&[Named], bool) -> Part;

/// The models.
struct Named {
    name: &'static str,
    mesh: Mesh,
}

pub(crate) fn run(context: &Context) -> Report {
    let mut models = vec![
        Named { name: "head", mesh: elbowroom_make::monkey_head(5) },
        Named { name: "ring", mesh: elbowroom_make::wrinkled_torus(24, 16) },
    ];
    if !context.quick {
        models.push(Named { name: "helicopter", mesh: helicopter().0 });
    }
    let parts: [(&str, Run); 6] = [
        ("tightness", tight::run),
        ("what tests cost", cost::run),
        ("roots", root::run),
        ("visits", visits::run),
        ("refits", soft::run),
        ("hybrids", hybrids::run),
    ];
    context.progress.ahead(parts.len() as u64);
    let (mut tables, mut claims) = (Vec::new(), Vec::new());
    for (name, part) in parts {
        context.progress.message(name);
        let part = part(&models, context.quick);
        tables.extend(part.tables);
        claims.extend(part.claims);
        context.progress.inc(1);
    }
    Report {
        charts: Vec::new(),
        id: "sbbk-families",
        title: "Families of volumes, alone and in layers".to_owned(),
        what: "The paper argues for its layers from how tight families are and what their tests cost. Here both are measured, then what a sphere at the root \
               and k-DOPs at the bottom do, how families follow a soft body, how all its hybrids fare beside single families, and what choosing the layers from \
               the geometry gains. All trees over one model have one topology, cut as boxes along the axes would cut it."
            .to_owned(),
        tables,
        claims,
        notes: vec![
            "Turned: the two models are turned against each other, and volumes of fixed directions are bounded anew pair by pair. In one frame: they are not, \
             as after a refit, and a test is a comparison of intervals."
                .to_owned(),
        ],
    }
}
