//! What the paper leaves to others: other cuts, finer meshes, slices, clips, and a pilot experiment
//! of its own.

mod clip;
mod detail;
mod kary;
mod slices;

use elbowroom::Mesh;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, Want, collide};
use elbowroom::internal::traverse::Workspace;
use elbowroom_motion::footprint::{BoxParts, Boxes, Cut, Footprint, FootprintConfig, Look, Parts};
use elbowroom_papers::bch::area::union_of_discs;
use glam::DVec3;
use kary::Kary;

use super::bodies::Bodies;
use super::cases::{Case, pairs, upright};
use super::structures::{CONTOUR, KINDS, Kind, Made, Of, Works, may_touch, mean};
use crate::claim::Verdict;
use crate::report::Table;
use crate::rounds::Rounds;
use crate::{Claim, Context, Report};

/// Threshold radii, in metres.
const THRESHOLDS: [f64; 6] = [0.0025, 0.005, 0.01, 0.02, 0.04, 0.08];

pub(crate) fn run(context: &Context) -> Report {
    let bodies = Bodies::generated(if context.quick { 6 } else { 100 });
    let (count, repeats, rounds) = if context.quick { (24, 1, 1) } else { (500, 20, 5) };
    let cases = pairs(&bodies, count, 0xf3_0001, |case| case.collides(&bodies));
    let times = Times { repeats, rounds };
    let (mut tables, mut claims) = (Vec::new(), Vec::new());
    let mut add = |(table, claim): (Table, Claim)| {
        tables.push(table);
        claims.push(claim);
    };
    add(four_ways(&bodies, &cases, &times));
    add(degenerate(&bodies, &cases, &times));
    add(covariance(&bodies, &cases, &times));
    add(slices::run(&bodies, context));
    add(clip::run(context));
    add(detail::run(context));
    tables.push(thresholds(&bodies, &cases, &times));
    Report {
        charts: Vec::new(),
        id: "bch-beyond",
        title: "Other cuts, finer meshes, slices and clips".into(),
        what: "What the paper chose and did not measure, what it suspects, and what it calls future work, on generated bodies and 500 colliding cases.".into(),
        tables,
        claims,
        notes: vec!["Heights of slabs are those of the floor; who stands higher would need slabs of their own height.".into()],
    }
}

/// Asks about a case, whatever comes of it.
type Asker<'a> = Box<dyn FnMut(&Case) + 'a>;

/// How often things are timed.
struct Times {
    repeats: usize,
    rounds: usize,
}

impl Times {
    /// Contestants that go through all cases.
    fn run(&self, cases: &[Case], askers: &mut [&mut dyn FnMut(&Case)]) -> Rounds {
        let mut all: Vec<Box<dyn FnMut() + '_>> = askers
            .iter_mut()
            .map(|asker| -> Box<dyn FnMut() + '_> {
                Box::new(move || {
                    (0..self.repeats).for_each(|_| cases.iter().for_each(&mut *asker));
                })
            })
            .collect();
        let mut contestants: Vec<&mut dyn FnMut()> =
            all.iter_mut().map(|asker| &mut **asker as &mut dyn FnMut()).collect();
        Rounds::run(self.rounds, &mut contestants)
    }
}

/// A tree of two and one of four children over the same pieces.
fn four_ways(bodies: &Bodies, cases: &[Case], times: &Times) -> (Table, Claim) {
    let made = |ways: usize| -> Vec<Kary> {
        let contour = |mesh: &Mesh| {
            let footprint = Footprint::of_mesh(mesh, &FootprintConfig::default());
            footprint.contour().map(|contour| Kary::new(contour, 0.01, ways))
        };
        bodies.poses.iter().filter_map(|posed| contour(&posed.mesh)).collect()
    };
    let trees = [made(2), made(4)];
    let mut tests = [0_u64; 2];
    let mut hits = [0_u64; 2];
    let mut stack = Vec::new();
    for case in cases {
        for (ways, trees) in trees.iter().enumerate() {
            let meets =
                trees[case.a].meets(&trees[case.b], &case.at_b, &mut stack, &mut tests[ways]);
            hits[ways] += u64::from(meets);
        }
    }
    let rounds = {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let mut ignored = [0; 2];
        let [count_2, count_4] = &mut ignored;
        let mut two = |case: &Case| {
            std::hint::black_box(trees[0][case.a].meets(
                &trees[0][case.b],
                &case.at_b,
                &mut first,
                count_2,
            ));
        };
        let mut four = |case: &Case| {
            std::hint::black_box(trees[1][case.a].meets(
                &trees[1][case.b],
                &case.at_b,
                &mut second,
                count_4,
            ));
        };
        times.run(cases, &mut [&mut two, &mut four])
    };
    let mut table = Table::new(
        "Two children and four, on contours",
        [
            "children",
            "nodes, mean",
            "area of the leaf discs, m²",
            "longer over shorter side of parts",
            "circles compared a query",
            "query time over two",
        ],
    );
    let mut longish = [0.0; 2];
    for (ways, trees) in trees.iter().enumerate() {
        let shapes: Vec<kary::Shape> = trees.iter().step_by(5).map(Kary::shape).collect();
        longish[ways] = mean(shapes.iter().map(|shape| shape.longish));
        table.row([
            (2 * (ways + 1)).into(),
            mean(shapes.iter().map(|shape| shape.nodes as f64)).into(),
            mean(shapes.iter().map(|shape| union_of_discs(&shape.leaves))).into(),
            longish[ways].into(),
            (tests[ways] as f64 / cases.len() as f64).into(),
            rounds.ratio(ways, 0).median.into(),
        ]);
    }
    let ratio = rounds.ratio(1, 0);
    let more = tests[1] as f64 / tests[0] as f64;
    let claim = Claim::timed("BCH-S3-binary", "Splitting in two suits discs better than splitting in four, which makes longer, thinner parts.")
        .paper("in words")
        .ours(format!(
            "four ways: {more:.2} times the circles compared, {} times the time; parts are {:.2} times as long as wide in the mean, in two {:.2} times",
            ratio.show(2), longish[1], longish[0]
        ))
        .verdict(match (longish[1] > longish[0], more > 1.0) {
            (true, true) => Verdict::Holds,
            (false, false) => Verdict::DoesNotHold,
            _ => Verdict::HoldsWithAnotherNumber,
        })
        .why(format!("Both trees answer alike ({} and {} of {} cases). Sides count up to ten times each other.", hits[0], hits[1], cases.len()));
    (table, claim)
}

/// Segments as triangles without area, and as thin ones.
fn degenerate(bodies: &Bodies, cases: &[Case], times: &Times) -> (Table, Claim) {
    let models = |width: f64| -> Vec<Model> {
        let model = |mesh: &Mesh| {
            let boxes = Boxes::of_mesh(mesh, BoxParts::Contour).ok()?;
            let leaves = boxes.leaves();
            let corners = (0..leaves.triangles().len()).flat_map(|index| {
                let [p, q, _] = leaves.triangle(index);
                let across = (q - p).cross(DVec3::Z).normalize_or_zero();
                [p, q, if width > 0.0 { 0.5 * (p + q) + width * across } else { q }]
            });
            let vertices: Vec<DVec3> = corners.collect();
            let triangles = (0..vertices.len() as u32 / 3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]);
            let mesh = Mesh::new(vertices.clone(), triangles.collect()).ok()?;
            Some(Model::with_config(mesh, &Config::rapid()))
        };
        bodies.poses.iter().filter_map(|posed| model(&posed.mesh)).collect()
    };
    // A hair, but far above rounding.
    let all = [models(0.0), models(1e-4)];
    let question = CollisionRequest { want: Want::Any, ..CollisionRequest::default() };
    let mut workspace = Workspace::default();
    let mut of_case = |models: &[Model], case: &Case| {
        collide(
            &models[case.a],
            &upright(&case.at_a),
            &models[case.b],
            &upright(&case.at_b),
            &question,
            &mut workspace,
        )
    };
    let (mut volumes, mut triangles, mut unlike) = ([0_u64; 2], [0_u64; 2], 0);
    for case in cases {
        let answers = [0, 1].map(|kind| of_case(&all[kind], case));
        unlike += u32::from(answers[0].is_contact() != answers[1].is_contact());
        for kind in [0, 1] {
            volumes[kind] += answers[kind].tally.volumes();
            triangles[kind] += answers[kind].tally.primitives;
        }
    }
    let rounds = {
        let (mut first, mut second) = (Workspace::default(), Workspace::default());
        let run = |models: &[Model], case: &Case, workspace: &mut Workspace| {
            let places = (upright(&case.at_a), upright(&case.at_b));
            std::hint::black_box(collide(
                &models[case.a],
                &places.0,
                &models[case.b],
                &places.1,
                &question,
                workspace,
            ));
        };
        let mut without = |case: &Case| run(&all[0], case, &mut first);
        let mut thin = |case: &Case| run(&all[1], case, &mut second);
        times.run(cases, &mut [&mut without, &mut thin])
    };
    let mut table = Table::new(
        "Contours as triangles, asked whether they meet",
        [
            "triangles",
            "boxes compared a query",
            "triangles compared a query",
            "query time over no area",
        ],
    );
    for (kind, name) in ["without area", "0.1 mm wide"].into_iter().enumerate() {
        let each = |count: u64| count as f64 / cases.len() as f64;
        table.row([
            name.into(),
            each(volumes[kind]).into(),
            each(triangles[kind]).into(),
            rounds.ratio(kind, 0).median.into(),
        ]);
    }
    let boxes = volumes[1] as f64 / volumes[0] as f64;
    let time = rounds.ratio(1, 0);
    let claim = Claim::timed("BCH-S4-degenerate", "Segments as triangles without area cost no more than thin triangles.")
        .paper("not significantly different")
        .ours(format!("thin over degenerate: {boxes:.2} times the boxes, {} times the time; {unlike} of {} answers differ", time.show(2), cases.len()))
        .verdict(match ((0.9..=1.1).contains(&boxes), (0.9..=1.1).contains(&time.median)) {
            (true, true) => Verdict::Holds,
            (true, false) | (false, true) => Verdict::HoldsWithAnotherNumber,
            _ => Verdict::DoesNotHold,
        })
        .why("Triangles without area are decided by exact tests of segments here, which no quick test comes before.");
    (table, claim)
}

/// Cut across the direction of largest spread, instead of across the longer side.
fn covariance(bodies: &Bodies, cases: &[Case], times: &Times) -> (Table, Claim) {
    let spread = Kind { name: "covariance", of: Of::Circles(Parts::Contour, Cut::Covariance) };
    let kinds = [KINDS[CONTOUR], spread];
    let made = kinds.map(|kind| kind.make_all(bodies));
    let mut tests = [0.0; 2];
    for (kind, made) in made.iter().enumerate() {
        let mut works = Works::default();
        for case in cases {
            may_touch(made, case, &Look::default(), &mut works);
        }
        tests[kind] = works.counts().0 as f64 / cases.len() as f64;
    }
    let asking = {
        let (mut first, mut second) = (Works::default(), Works::default());
        let mut by_side = |case: &Case| {
            std::hint::black_box(may_touch(&made[0], case, &Look::default(), &mut first));
        };
        let mut by_spread = |case: &Case| {
            std::hint::black_box(may_touch(&made[1], case, &Look::default(), &mut second));
        };
        times.run(cases, &mut [&mut by_side, &mut by_spread])
    };
    let building = {
        let make = |kind: &Kind| {
            for posed in bodies.poses.iter().step_by(4) {
                std::hint::black_box(kind.make(&posed.mesh));
            }
        };
        Rounds::run(times.rounds, &mut [&mut || make(&kinds[0]), &mut || make(&kinds[1])])
    };
    let nodes =
        made.each_ref().map(|made| mean(made.iter().map(|made: &Made| made.tree().len() as f64)));
    let mut table = Table::new(
        "Cut across the longer side, and across the largest spread",
        [
            "cut",
            "nodes, mean",
            "circles compared a query",
            "query time over longer side",
            "build time over longer side",
        ],
    );
    for (kind, name) in ["longer side", "largest spread"].into_iter().enumerate() {
        table.row([
            name.into(),
            nodes[kind].into(),
            tests[kind].into(),
            asking.ratio(kind, 0).median.into(),
            building.ratio(kind, 0).median.into(),
        ]);
    }
    let (ask, build) = (asking.ratio(1, 0), building.ratio(1, 0));
    let claim = Claim::timed("BCH-S6-covariance", "Splitting by covariance would be faster to ask and a little slower to make.")
        .paper("future work")
        .ours(format!(
            "{} times as long to ask, {} times to make; {:.1} circles compared instead of {:.1}, {:.0} nodes instead of {:.0}",
            ask.show(2), build.show(2), tests[1], tests[0], nodes[1], nodes[0]
        ))
        .verdict(match (ask.median < 1.0, tests[1] < tests[0]) {
            (true, true) => Verdict::Holds,
            (false, false) => Verdict::DoesNotHold,
            _ => Verdict::HoldsWithAnotherNumber,
        })
        .why("Both cut a body into as many pieces; those along the covariance overlap others a little more often, so that more circles are compared.");
    (table, claim)
}

/// What a threshold costs to ask.
fn thresholds(bodies: &Bodies, cases: &[Case], times: &Times) -> Table {
    let made: Vec<Vec<Made>> = THRESHOLDS
        .iter()
        .map(|&threshold| {
            let config = FootprintConfig { threshold, ..FootprintConfig::default() };
            let circles = |mesh| Made::Circles(Box::new(Footprint::of_mesh(mesh, &config)));
            bodies.poses.iter().map(|posed| circles(&posed.mesh)).collect()
        })
        .collect();
    let mut works = vec![Works::default(); made.len()];
    let mut askers: Vec<Asker> = made
        .iter()
        .map(|made| -> Asker {
            let mut works = Works::default();
            Box::new(move |case: &Case| {
                std::hint::black_box(may_touch(made, case, &Look::default(), &mut works));
            })
        })
        .collect();
    let mut contestants: Vec<&mut dyn FnMut(&Case)> =
        askers.iter_mut().map(|asker| &mut **asker as &mut dyn FnMut(&Case)).collect();
    let rounds = times.run(cases, &mut contestants);
    let mut table = Table::new(
        "Threshold radii, BCH contour, colliding cases",
        ["threshold, cm", "nodes, mean", "circles compared a query", "query time over 1 cm"],
    );
    for (index, made) in made.iter().enumerate() {
        for case in cases {
            may_touch(made, case, &Look::default(), &mut works[index]);
        }
        table.row([
            (100.0 * THRESHOLDS[index]).into(),
            mean(made.iter().map(|made| made.tree().len() as f64)).into(),
            (works[index].counts().0 as f64 / cases.len() as f64).into(),
            rounds.ratio(index, 2).median.into(),
        ]);
    }
    table
}
