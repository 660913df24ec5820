//! How much larger than the hull volumes are, by family and level.

use elbowroom::internal::bvh::{NodeId, Tree};
use elbowroom::internal::volume::{Aabb, Fit, Kdop, Obb, Spatial, Sphere};
use glam::DVec3;

use super::{Named, Part};
use crate::sbbk::scene::{aabb, layered};
use crate::sbbk::solid::{of_hull, volume};
use crate::{Cell, Claim, Table};

const NAMES: [&str; 7] = ["sphere", "AABB", "OBB", "14-DOP", "18-DOP", "24-DOP", "26-DOP"];
const OBB: usize = 2;

pub(super) fn run(models: &[Named], quick: bool) -> Part {
    let levels = if quick { 4 } else { 7 };
    let mut table = Table::new(
        "Volume over that of the hull, mean of the nodes of a level",
        ["model", "level", "nodes"],
    );
    table.columns.extend(NAMES.map(str::to_owned));
    let (mut sums, mut rows) = ([0.0; 7], 0.0);
    for Named { name, mesh } in models {
        let model = layered(mesh, &aabb());
        for level in 0..levels {
            let ratios: Vec<[f64; 7]> = at_level(model.tree(), level)
                .filter_map(|node| ratios(&corners(&model, node)))
                .collect();
            if ratios.is_empty() {
                continue;
            }
            let mean: [f64; 7] = std::array::from_fn(|family| {
                ratios.iter().map(|ratio| ratio[family]).sum::<f64>() / ratios.len() as f64
            });
            let mut row: Vec<Cell> = vec![(*name).into(), level.into(), ratios.len().into()];
            row.extend(mean.map(Cell::Number));
            table.row(row);
            sums.iter_mut().zip(mean).for_each(|(sum, mean)| *sum += mean);
            rows += 1.0;
        }
    }
    Part { tables: vec![table], claims: vec![claim(sums.map(|sum| sum / rows))] }
}

fn at_level(tree: &Tree, level: u32) -> impl Iterator<Item = NodeId> {
    tree.nodes().filter(move |&node| tree.level(node) == level && tree.members(node).len() >= 4)
}

fn corners(model: &elbowroom_papers::sbbk::HybridTree, node: NodeId) -> Vec<[DVec3; 3]> {
    model
        .tree()
        .members(node)
        .iter()
        .map(|&triangle| model.mesh().triangle(triangle as usize))
        .collect()
}

/// Nothing for what is flat.
fn ratios(triangles: &[[DVec3; 3]]) -> Option<[f64; 7]> {
    let points = triangles.as_flattened();
    let hull = of_hull(points);
    let ball = Sphere::of_triangles(triangles, Fit::Hull);
    let boxed = Aabb::of_points(points);
    let turned = Obb::of_triangles(triangles, Fit::Hull);
    let volumes = [
        4.0 / 3.0 * std::f64::consts::PI * ball.radius * ball.radius * ball.radius,
        (boxed.max - boxed.min).element_product(),
        8.0 * turned.half.element_product(),
        of_kdop::<7>(points),
        of_kdop::<9>(points),
        of_kdop::<12>(points),
        of_kdop::<13>(points),
    ];
    // Thinner than a hundredth of its box, a hull is nearly flat, and the ratio says little.
    (hull > 0.01 * volumes[1]).then(|| volumes.map(|volume| volume / hull))
}

fn of_kdop<const N: usize>(points: &[DVec3]) -> f64 {
    let tight = Kdop::<N>::of_points(points);
    let slabs: Vec<_> = Kdop::<N>::DIRECTIONS.into_iter().zip(tight.slabs).collect();
    volume(&slabs)
}

fn claim(means: [f64; 7]) -> Claim {
    let [ball, boxed, turned, dops @ ..] = means;
    let in_order = ball > boxed && boxed > turned;
    let tighter: Vec<&str> =
        (OBB + 1..7).filter(|&family| means[family] < turned).map(|family| NAMES[family]).collect();
    let shown: Vec<String> =
        NAMES.iter().zip(means).map(|(name, mean)| format!("{name} {mean:.2}")).collect();
    Claim { gate: false, ..Claim::gate("SBBK-S2-tight", "Tightness improves from sphere to AABB to OBB to k-DOP, the tightest of all.") }
        .paper("no figure")
        .ours(format!("volume over hull: {}; tighter than the OBB: {}", shown.join(", "), if tighter.is_empty() { "none".to_owned() } else { tighter.join(", ") }))
        .holds_if(in_order && tighter.len() == dops.len())
        .why("How tight a k-DOP is depends on k; an oriented box has only six sides but chooses their directions.")
}
