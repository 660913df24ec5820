//! Figure 6: one sphere next to another.
//!
//! Two equal spheres that nearly touch are near each other only around one point. The paper has no
//! formula for this and shows curves: the fewer tests of oriented boxes become ever fewer in
//! proportion as the gap shrinks, until both curves level off.
//!
//! Source: Gottschalk, Lin and Manocha, *OBBTree*, 1996, section 6, second experiment. Which way
//! the spheres lie from each other is not said, and it matters: along an axis of the roots' boxes
//! one test tells them apart. So the counts here are sums over several random directions, the
//! second sphere turned at random. The gap is that between the meshes, not between the spheres they
//! are cut from.

use elbowroom::{Mesh, Pose};
use elbowroom_make::lat_long_sphere;
use glam::{DMat3, DVec3};

use super::curve::Curve;
use super::grown::{KINDS, Work};
use crate::random::Random;
use crate::{Cell, Claim, Context, Report, Table};

/// Half decades, until nothing changes any more.
const GAPS: [f64; 12] = [1.0, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7];

/// How many random poses the counts are summed over.
const WAYS: usize = 8;

/// Where the kinds stand in [`KINDS`].
const HULL: usize = 0;
const AABB: usize = 2;

pub(crate) fn run(context: &Context) -> Report {
    let ball = if context.quick { lat_long_sphere(51, 80) } else { lat_long_sphere(101, 160) };
    let mut random = Random::new(6);
    let ways: [_; WAYS] = std::array::from_fn(|_| (random.direction(), random.rotation()));
    let mut places = Vec::with_capacity((GAPS.len() + 1) * WAYS);
    for gap in GAPS {
        places.extend(ways.iter().map(|&(way, turn)| beside(&ball, way, turn, gap)));
    }
    places.push(beside(&ball, DVec3::X, DMat3::IDENTITY, 1e-3));
    context.progress.ahead(KINDS.len() as u64);
    let work = KINDS.iter().map(|kind| {
        context.progress.message(kind.name);
        let work = kind.work(&ball, std::slice::from_ref(&ball), &places).concat();
        context.progress.inc(1);
        work
    });
    let figure = Figure::new(&work.collect::<Vec<_>>());
    Report {
        charts: Vec::new(),
        id: "obbtree-fig6",
        title: "Point close proximity: spheres side by side".to_owned(),
        what: format!(
            "The paper puts two spheres of one size next to each other, ε apart, and counts box tests \
             with OBB trees and AABB trees. Here each has {} triangles, the counts are sums over {WAYS} \
             random directions, and the sweep goes on until both curves are level.",
            ball.triangles().len()
        ),
        tables: vec![figure.table()],
        claims: vec![figure.claim()],
        notes: vec![format!(
            "Side by side along x and not turned, ε = 1e-3, the trees need {} box tests: \
             there the roots' boxes lie along the gap. That cannot be the paper's figure.",
            figure.aligned
        )],
    }
}

/// Where the second sphere stands when it is turned and as far off along `way` as leaves the gap
/// between the two planes across `way` that touch the meshes.
fn beside(ball: &Mesh, way: DVec3, turn: DMat3, gap: f64) -> Pose {
    let farthest = ball.vertices().iter().map(|v| v.dot(way)).fold(f64::MIN, f64::max);
    let nearest = ball.vertices().iter().map(|&v| (turn * v).dot(way)).fold(f64::MAX, f64::min);
    Pose::new(turn, way * (farthest - nearest + gap)).expect("a rotation")
}

/// The counts.
struct Figure {
    /// `[kind][gap]`, summed over the poses.
    work: Vec<Vec<Work>>,
    /// Of the pose along an axis, kind by kind.
    aligned: String,
}

impl Figure {
    fn new(all: &[Vec<Work>]) -> Self {
        let sum = |works: &[Work]| Work {
            volumes: works.iter().map(|work| work.volumes).sum(),
            primitives: works.iter().map(|work| work.primitives).sum(),
        };
        let work = |kind: &Vec<Work>| kind.chunks_exact(WAYS).map(sum).collect();
        let aligned = |(kind, name): (&Vec<Work>, &str)| {
            kind.last().map_or_else(String::new, |last| format!("{} ({name})", last.volumes))
        };
        let names = KINDS.iter().map(|kind| kind.name);
        let words: Vec<String> = all.iter().zip(names).map(aligned).collect();
        Self { work: all.iter().map(work).collect(), aligned: words.join(", ") }
    }

    fn curve(&self, kind: usize) -> Curve {
        let counts: Vec<u64> = self.work[kind].iter().map(|work| work.volumes).collect();
        Curve::of_counts(&GAPS, &counts)
    }

    /// `N_v(AABB) / N_v(OBB)` over the gaps.
    fn ratios(&self) -> Vec<f64> {
        let (obb, aabb) = (self.curve(HULL), self.curve(AABB));
        aabb.points.iter().zip(&obb.points).map(|(a, o)| a.1 / o.1).collect()
    }

    fn table(&self) -> Table {
        let mut table = Table::new("Tests over the gap", ["ε"]);
        let names = |n: &'static str| KINDS.iter().map(move |kind| format!("{n} {}", kind.name));
        table.columns.extend(names("N_v").chain(names("N_p")));
        table.columns.push("N_v aabb/obb".to_owned());
        for (i, (gap, ratio)) in GAPS.into_iter().zip(self.ratios()).enumerate() {
            let mut row = vec![Cell::Number(gap)];
            row.extend(self.work.iter().map(|kind| Cell::Count(kind[i].volumes)));
            row.extend(self.work.iter().map(|kind| Cell::Count(kind[i].primitives)));
            row.push(ratio.into());
            table.row(row);
        }
        table
    }

    /// How many steps of the sweep begin where the AABB curve is not yet at half its level.
    fn rising(&self) -> usize {
        let aabb = self.curve(AABB);
        aabb.points.iter().take_while(|p| 2.0 * p.1 < aabb.level()).count()
    }

    fn claim(&self) -> Claim {
        let (ratios, rising) = (self.ratios(), self.rising());
        let grows = rising >= 2 && ratios[..=rising].is_sorted_by(|before, after| before < after);
        let flat = [HULL, AABB].map(|kind| self.curve(kind).last_ratio());
        let words: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.1}")).collect();
        Claim::gate(
            "OBB-F6-gap",
            "Next to each other, the advantage of oriented boxes grows as the gap shrinks, until both \
             level off.",
        )
        .paper("curves only")
        .ours(format!(
            "AABB/OBB {}: grows down to ε = {:.0e}, where the AABB curve passes half its level; last step \
             × {:.3} (OBB), {:.3} (AABB)",
            words.join(", "),
            GAPS[rising.min(GAPS.len() - 1)],
            flat[0],
            flat[1]
        ))
        .holds_if(grows && flat.iter().all(|ratio| *ratio < 1.05))
        .why(
            "Once the AABB curve is level the ratio falls again, since the OBB curve goes on rising to its \
             own, lower level.",
        )
    }
}
