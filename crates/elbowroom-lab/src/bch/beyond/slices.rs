//! Legs, torso and head apart: a BCH for each slab of heights.
//!
//! A triangle counts in every slab that it reaches into, so that slabs are bounds. Slabs are the same for all who stand on one floor, and only like slabs
//! are compared.

use elbowroom::Mesh;
use elbowroom::footprint::area::union_of_discs;
use elbowroom::footprint::{Footprint, FootprintConfig, Look, Parts, SlideWork, slide};
use glam::DVec2;

use crate::bch::bodies::Bodies;
use crate::bch::sliding::Slides;
use crate::bch::structures::{CONTOUR, FULL_BOXES, KINDS, mean};
use crate::claim::Verdict;
use crate::report::Table;
use crate::{Claim, Context};

/// Where legs end and where the head begins, in metres above the floor.
const CUTS: [f64; 2] = [0.85, 1.45];

pub(super) fn run(bodies: &Bodies, context: &Context) -> (Table, Claim) {
    context.progress.message("slices");
    let (count, every) = if context.quick { (12, 6) } else { (500, 10) };
    let [whole, full] = [CONTOUR, FULL_BOXES].map(|kind| KINDS[kind].make_all(bodies));
    let slides = Slides::new(bodies, &full, count);
    let sliced: Vec<[Option<Footprint>; 3]> =
        bodies.poses.iter().map(|posed| slabs(&posed.mesh, Parts::Contour)).collect();
    let volumes = volumes(bodies, every);
    let mut work = SlideWork::default();
    let mut workspace = elbowroom::descend::Workspace::default();
    let (mut late, mut apart) = (0, Vec::new());
    for (case, &exact) in slides.cases.iter().zip(&slides.exact) {
        let ways = sliced[case.a].iter().zip(&sliced[case.b]).filter_map(|(a, b)| {
            slide(a.as_ref()?, &case.at_a, b.as_ref()?, &case.at_b, DVec2::X, &Look::default(), &mut work)
        });
        let way = ways.fold(f64::INFINITY, f64::min);
        late += usize::from(way > exact + 1e-9);
        apart.push(case.moved(DVec2::X * way.min(exact)).distance(bodies, &mut workspace));
    }
    let (sliced, one) = (mean(apart), mean(slides.distances(&whole, None)));
    let mut table = Table::new(
        "One BCH over all heights, and one each for legs, torso and head",
        ["structure", "mesh distance where they stop, mean, cm", "volume over that of one BCH"],
    );
    table.row(["one BCH".into(), (100.0 * one).into(), 1.0.into()]);
    table.row([format!("cut at {} and {} m", CUTS[0], CUTS[1]).into(), (100.0 * sliced).into(), volumes.into()]);
    let claim = Claim::gate("BCH-S6-slices", "A BCH for each slice of height fits more closely.")
        .paper("future work")
        .ours(format!(
            "volume {volumes:.2} of that of one BCH; bodies stop {:.2} cm apart instead of {:.2} cm; {late} of {count} stop too late",
            100.0 * sliced, 100.0 * one
        ))
        .verdict(match (volumes < 1.0 && sliced < one, late) {
            (true, 0) => Verdict::Holds,
            _ => Verdict::DoesNotHold,
        });
    (table, claim)
}

/// The volume of all slabs over that of the whole, by leaf discs of projected triangles as in Table 1: the mean over some poses.
fn volumes(bodies: &Bodies, every: usize) -> f64 {
    mean(bodies.poses.iter().step_by(every).map(|posed| {
        let config = FootprintConfig { parts: Parts::Triangles, ..FootprintConfig::default() };
        let one = Footprint::of_mesh(&posed.mesh, &config);
        let (low, high) = one.height();
        let parts = slabs(&posed.mesh, Parts::Triangles);
        let cut = parts.iter().zip(bounds()).filter_map(|(slab, (from, to))| {
            Some(covered(slab.as_ref()?) * (to.min(high) - from.max(low)).max(0.0))
        });
        cut.sum::<f64>() / (covered(&one) * (high - low))
    }))
}

fn covered(footprint: &Footprint) -> f64 {
    let tree = footprint.tree();
    let leaves = tree.nodes().filter(|&node| tree.is_leaf(node));
    let discs: Vec<(DVec2, f64)> = leaves
        .map(|node| (footprint.column()[node].center, footprint.column()[node].radius))
        .collect();
    union_of_discs(&discs)
}

fn bounds() -> [(f64, f64); 3] {
    [(f64::NEG_INFINITY, CUTS[0]), (CUTS[0], CUTS[1]), (CUTS[1], f64::INFINITY)]
}

/// Nothing where a body does not reach.
fn slabs(mesh: &Mesh, parts: Parts) -> [Option<Footprint>; 3] {
    let config = FootprintConfig { parts, ..FootprintConfig::default() };
    bounds().map(|(from, to)| {
        let reaches = |triangle: &&[u32; 3]| {
            let z = triangle.map(|corner| mesh.vertices()[corner as usize].z);
            let low = z.into_iter().fold(f64::INFINITY, f64::min);
            let high = z.into_iter().fold(f64::NEG_INFINITY, f64::max);
            low <= to && high >= from
        };
        let inside: Vec<[u32; 3]> = mesh.triangles().iter().filter(reaches).copied().collect();
        (!inside.is_empty()).then(|| Footprint::new(mesh.vertices(), &inside, &config))
    })
}
