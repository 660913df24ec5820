//! Section 4: boxes that fit, and trees of them.
//!
//! The paper names three ways to turn a box by statistics, each cured of the illness of the one
//! before: vertices feel what is inside, vertices of the hull feel where the hull is finely cut,
//! the surface of the hull feels neither. It then says how long a tree takes to build and how deep
//! it grows.

mod closed;
mod growth;
mod rank;
mod sampling;
mod split;

use elbowroom::Mesh;
use glam::DVec3;

use crate::{Context, Report};

pub(crate) fn run(context: &Context) -> Report {
    context.progress.ahead(6);
    let mut tables = Vec::new();
    let mut claims = Vec::new();
    for part in
        [sampling::interior, sampling::dense_edge, closed::run, rank::run, growth::run, split::run]
    {
        let (part_tables, claim) = part(context);
        tables.extend(part_tables);
        claims.push(claim);
        context.progress.inc(1);
    }
    Report {
        charts: Vec::new(),
        id: "obbtree-fits",
        title: "Fitting boxes and growing trees".to_owned(),
        what: "The paper argues in words which statistics a box should be turned by, gives a closed form for \
               the best, and states how trees grow. Here each argument is an experiment: dense patches within \
               and on an ellipsoid, the closed form against quadrature and sampling, flat and straight groups, \
               trees from a thousand triangles up, cuts at the mean against cuts at the median."
            .to_owned(),
        tables,
        claims,
        notes: Vec::new(),
    }
}

/// A sheet of 2·cells² triangles; `at` places its vertices.
fn grid(cells: u32, at: impl Fn(u32, u32) -> DVec3) -> Mesh {
    let row = cells + 1;
    let vertices = (0..row * row).map(|k| at(k / row, k % row)).collect();
    let quads = (0..cells * cells).map(|k| k / cells * row + k % cells);
    let triangles = quads.flat_map(|p| [[p, p + row, p + 1], [p + 1, p + row, p + row + 1]]);
    Mesh::new(vertices, triangles.collect()).expect("a grid is a mesh")
}
