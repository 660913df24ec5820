//! Fewer nodes and triangles with a tighter lower layer.

use elbowroom::internal::traverse::Workspace;
use elbowroom::{Aabb, Pose};

use super::{Named, Part};
use crate::random::Random;
use crate::sbbk::scene::{aabb, at, layered, sbbk, work};
use crate::{Cell, Claim, Table};

/// Sums over the queries of one model.
struct Row {
    name: &'static str,
    is_turned: bool,
    queries: u64,
    /// Volume and triangle tests with AABB and with SBBK.
    work: [[u64; 2]; 2],
    /// Queries in which SBBK made more volume tests, or more triangle tests.
    more: [u64; 2],
}

pub(super) fn run(models: &[Named], quick: bool) -> Part {
    let mut rows = Vec::new();
    for Named { name, mesh } in models {
        let trees = [aabb(), sbbk()].map(|layering| layered(mesh, &layering));
        let Aabb { min: low, max: high } = trees[0].bounds();
        let size = (high - low).length();
        for is_turned in [false, true] {
            let mut row = Row { name, is_turned, queries: 0, work: [[0; 2]; 2], more: [0; 2] };
            let (mut random, mut workspace) = (Random::new(4), Workspace::default());
            for _ in 0..if quick { 30 } else { 300 } {
                let way = random.direction() * (random.uniform(0.2, 0.9) * size);
                let rotation = random.rotation();
                let there =
                    if is_turned { Pose::new(rotation, way).expect("a rotation") } else { at(way) };
                let tests = [0, 1].map(|tree: usize| {
                    let (tally, _) =
                        work(&trees[tree], &Pose::IDENTITY, &trees[tree], &there, &mut workspace);
                    [tally.volumes(), tally.primitives]
                });
                row.queries += 1;
                for (kind, (boxes, layers)) in tests[0].into_iter().zip(tests[1]).enumerate() {
                    row.work[0][kind] += boxes;
                    row.work[1][kind] += layers;
                    row.more[kind] += u64::from(layers > boxes);
                }
            }
            rows.push(row);
        }
    }
    Part { tables: vec![table(&rows)], claims: vec![claim(&rows)] }
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(
        "AABB and SBBK over one topology, two of a kind",
        [
            "model",
            "turned",
            "queries",
            "N_v AABB",
            "N_v SBBK",
            "N_p AABB",
            "N_p SBBK",
            "N_v more with SBBK",
            "N_p more with SBBK",
        ],
    );
    for row in rows {
        let [[boxes_v, boxes_p], [layers_v, layers_p]] = row.work;
        let mut cells: Vec<Cell> =
            vec![row.name.into(), if row.is_turned { "yes" } else { "no" }.into()];
        cells.extend(
            [row.queries, boxes_v, layers_v, boxes_p, layers_p, row.more[0], row.more[1]]
                .map(Cell::from),
        );
        table.row(cells);
    }
    table
}

fn claim(rows: &[Row]) -> Claim {
    let parallel = rows.iter().filter(|row| !row.is_turned);
    let never = parallel.clone().all(|row| row.more[1] == 0 && row.queries > 0);
    let fewer = parallel.clone().all(|row| row.work[1][0] <= row.work[0][0]);
    let ratio = |kind: usize, is_turned: bool| {
        let of = |tree: usize| {
            rows.iter()
                .filter(|row| row.is_turned == is_turned)
                .map(|row| row.work[tree][kind])
                .sum::<u64>()
        };
        of(1) as f64 / of(0) as f64
    };
    let more_triangles: u64 = parallel.clone().map(|row| row.more[1]).sum();
    let queries: u64 = parallel.clone().map(|row| row.queries).sum();
    let more: u64 = parallel.map(|row| row.more[0]).sum();
    Claim::gate("SBBK-S3-visits", "The tighter lower layer leaves fewer nodes and primitives to test.")
        .paper("no figure")
        .ours(format!(
            "in one frame SBBK/AABB {:.2} of the volume tests and {:.2} of the triangle tests; more triangle tests in {more_triangles} queries and more volume tests in {more} of {queries}; turned, {:.2} and {:.2}",
            ratio(0, false),
            ratio(1, false),
            ratio(0, true),
            ratio(1, true)
        ))
        .holds_if(never && fewer)
        .why("A k-DOP is within the box of its first three slabs. Spheres at the root may let through what boxes part, which costs a few tests.")
}
