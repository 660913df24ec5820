//! Section 8: where else oriented boxes should help.
//!
//! The paper closes with what the box test could be extended to: view frusta, and curves and
//! surfaces. Both are in the library. Here the frustum culls a torus under trees of oriented and of
//! aligned boxes, and the answers are compared with a look at every triangle; Bézier curves and
//! patches that nearly touch are told apart with boxes of both kinds.
//!
//! Source: Gottschalk, Lin and Manocha, *OBBTree*, 1996, section 8. It names no scenes; these are
//! our own.

use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::Family;
use elbowroom::{Mesh, Pose};
use elbowroom_make::wrinkled_torus;
use elbowroom_papers::obbtree::{
    BezierPatch, Closeness, Frustum, PatchQuestion, View, cull, meet_patches,
};
use glam::DVec3;

use crate::random::Random;
use crate::{Axis, Chart, Claim, Context, Line, Marks, Report, Table};

const FAMILIES: [Family; 2] = [Family::Obb, Family::Aabb];
const GAPS: [f64; 4] = [0.1, 0.03, 0.01, 0.003];
/// How finely curves and surfaces are divided.
const TOLERANCE: f64 = 1e-3;

pub(crate) fn run(context: &Context) -> Report {
    context.progress.ahead(2);
    context.progress.message("frusta");
    let views = Views::new(if context.quick { 10 } else { 200 });
    context.progress.inc(1);
    context.progress.message("curves and patches");
    let near = Near::new();
    context.progress.inc(1);
    Report {
        id: "obbtree-extend",
        title: "View frusta, curves and surfaces".to_owned(),
        what: "The paper expects that the box test extends to view frusta and to curves and surfaces, and that oriented boxes help there. \
               Here random frusta look at a wrinkled torus of 20,000 triangles, and Bézier curves and patches are told apart across \
               small gaps, with oriented and with aligned boxes."
            .to_owned(),
        tables: vec![views.table(), near.table()],
        charts: vec![near.chart()],
        claims: vec![claim(&views, &near)],
        notes: Vec::new(),
    }
}

/// What frusta saw.
struct Views {
    count: usize,
    inside: usize,
    crossing: usize,
    differences: usize,
    /// Nodes and triangles looked at, by family.
    looks: [[u64; 2]; 2],
}

impl Views {
    fn new(count: usize) -> Self {
        let mesh = wrinkled_torus(100, 100);
        let models = FAMILIES
            .map(|family| Model::with_config(mesh.clone(), &Config::default().with_family(family)));
        let mut random = Random::new(8);
        let mut seen = Self { count, inside: 0, crossing: 0, differences: 0, looks: [[0; 2]; 2] };
        let mut workspace = Workspace::default();
        for _ in 0..count {
            let frustum = any_frustum(&mut random);
            let place = Pose::new(random.rotation(), random.point(-0.5, 0.5)).expect("a rotation");
            let [inside, crossing] = one_by_one(&mesh, &place, &frustum);
            for (model, looks) in models.iter().zip(&mut seen.looks) {
                let culled = cull(model, &place, &frustum, &mut workspace);
                looks[0] += culled.tally.volumes();
                looks[1] += culled.tally.primitives;
                let same = culled.inside == inside && culled.crossing == crossing;
                seen.differences += usize::from(!same);
            }
            seen.inside += inside.len();
            seen.crossing += crossing.len();
        }
        seen
    }

    fn table(&self) -> Table {
        let mut table = Table::new(
            "Frusta that look at a torus",
            [
                "tree",
                "views",
                "triangles inside",
                "triangles crossing",
                "nodes a view",
                "triangle tests a view",
            ],
        );
        for (family, looks) in FAMILIES.iter().zip(self.looks) {
            let [nodes, triangles] = looks.map(|n| n as f64 / self.count as f64);
            table.row([
                family.name().into(),
                self.count.into(),
                self.inside.into(),
                self.crossing.into(),
                nodes.into(),
                triangles.into(),
            ]);
        }
        table
    }
}

/// A pyramid's stump that looks towards the torus from near it. Its corners are worked out without
/// sines, so that they are the same everywhere.
fn any_frustum(random: &mut Random) -> Frustum {
    let eye = random.direction() * random.uniform(0.5, 3.0);
    let forward = (random.point(-0.5, 0.5) - eye).normalize();
    let right = forward.cross(random.direction()).normalize();
    let up = right.cross(forward);
    let (wide, high) = (random.uniform(0.2, 1.0), random.uniform(0.2, 1.0));
    let depths = [random.uniform(0.05, 0.5), random.uniform(2.0, 5.0)];
    let corners = std::array::from_fn(|i| {
        let [x, y] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]][i % 4];
        eye + (forward + right * (x * wide) + up * (y * high)) * depths[i / 4]
    });
    Frustum::new(corners).expect("a stump is convex")
}

/// Which triangles are inside and which cross, by looking at each.
fn one_by_one(mesh: &Mesh, place: &Pose, frustum: &Frustum) -> [Vec<u32>; 2] {
    let mut lists = [Vec::new(), Vec::new()];
    for i in 0..mesh.triangles().len() {
        match frustum.classify_triangle(place, mesh.triangle(i)) {
            View::Inside => lists[0].push(i as u32),
            View::Crossing => lists[1].push(i as u32),
            View::Outside => {}
        }
    }
    lists
}

/// Halvings and tests across one gap.
struct Told {
    what: &'static str,
    gap: f64,
    is_clear: bool,
    /// By family.
    halvings: [u64; 2],
    tests: [u64; 2],
}

/// Curves and patches across all gaps.
struct Near(Vec<Told>);

impl Near {
    fn new() -> Self {
        let mut random = Random::new(4);
        let place = Pose::new(random.rotation(), random.point(-1.0, 1.0)).expect("a rotation");
        let mut all = Vec::new();
        for gap in GAPS {
            all.push(Told::new("patches", gap, [&shell(1.0), &shell(1.0 + gap)], &place));
        }
        for gap in GAPS {
            all.push(Told::new("curves", gap, [&arc(0.0), &arc(gap)], &place));
        }
        Self(all)
    }

    fn table(&self) -> Table {
        let mut table = Table::new(
            "Bézier curves and patches told apart",
            ["what", "gap", "halvings, obb", "halvings, aabb", "box tests, obb", "box tests, aabb"],
        );
        for told in &self.0 {
            table.row([
                told.what.into(),
                told.gap.into(),
                told.halvings[0].into(),
                told.halvings[1].into(),
                told.tests[0].into(),
                told.tests[1].into(),
            ]);
        }
        table
    }

    fn chart(&self) -> Chart {
        let line = |what: &'static str, family: usize| {
            let told = self.0.iter().filter(move |told| told.what == what);
            let points = told.map(|told| [told.gap, told.halvings[family] as f64]).collect();
            Line::ours(format!("{what}, {}", FAMILIES[family].name()), points)
        };
        let lines =
            ["patches", "curves"].into_iter().flat_map(|what| [0, 1].map(|i| line(what, i)));
        Chart {
            name: "halvings",
            title: "Halvings until curves and patches are told apart".to_owned(),
            x: Axis::log("gap (radius of a patch = 1)"),
            y: Axis::log("halvings"),
            marks: Marks::Lines(lines.collect()),
            timed: false,
        }
    }
}

impl Told {
    fn new(what: &'static str, gap: f64, [a, b]: [&BezierPatch; 2], place: &Pose) -> Self {
        let answers = FAMILIES.map(|family| {
            let question =
                PatchQuestion { family, tolerance: TOLERANCE, ..PatchQuestion::default() };
            meet_patches(a, place, b, place, &question).expect("a sound tolerance")
        });
        Self {
            what,
            gap,
            is_clear: answers.iter().all(|answer| answer.closeness == Closeness::Clear),
            halvings: answers.each_ref().map(|answer| answer.subdivisions),
            tests: answers.each_ref().map(|answer| answer.tally.volumes()),
        }
    }
}

/// A quarter of a barrel, nearly: cubic along the arc, bent a little along the axis.
fn shell(radius: f64) -> BezierPatch {
    // The usual cubic for a quarter circle.
    let k = 0.552_284_749_8 * radius;
    let arc = [[radius, 0.0], [radius, k], [k, radius], [0.0, radius]];
    let row = |i: usize| {
        let bulge = if i == 1 || i == 2 { 1.2 } else { 1.0 };
        arc.map(|[x, y]| DVec3::new(bulge * x, bulge * y, 0.6 * i as f64))
    };
    BezierPatch::bicubic(std::array::from_fn(row)).expect("finite")
}

/// A curve in space, moved along the diagonal.
fn arc(lift: f64) -> BezierPatch {
    let points = [[0.0, 0.0, 0.0], [1.0, 2.0, 0.5], [2.0, -2.0, 1.0], [3.0, 0.5, 2.0]];
    let points = points.map(|p| DVec3::from_array(p) + DVec3::splat(lift));
    BezierPatch::curve(points.to_vec()).expect("finite")
}

fn claim(views: &Views, near: &Near) -> Claim {
    let [obb, aabb] = views.looks;
    let told = &near.0;
    let fewer = told.iter().filter(|told| told.halvings[0] < told.halvings[1]).count();
    let ratio = |what: &str| {
        let sum = |family: usize| {
            told.iter().filter(|t| t.what == what).map(|t| t.halvings[family]).sum::<u64>() as f64
        };
        sum(1) / sum(0)
    };
    Claim::gate(
        "OBB-S8-extend",
        "The box test extends to the view frustum and to curves and surfaces, and oriented boxes help there.",
    )
    .paper("no figure")
    .ours(format!(
        "frusta: {} differences from looking at every triangle in {} answers, AABB/OBB {:.2} nodes; curves and patches: fewer halvings in \
         {fewer} of {} pairs, AABB/OBB {:.2} (patches), {:.2} (curves)",
        views.differences,
        2 * views.count,
        aabb[0] as f64 / obb[0] as f64,
        told.len(),
        ratio("patches"),
        ratio("curves")
    ))
    .holds_if(
        views.differences == 0
            && views.crossing > 0
            && obb[0] < aabb[0]
            && fewer == told.len()
            && told.iter().all(|told| told.is_clear),
    )
}
