//! Figure 5: one sphere in another, as close as can be.
//!
//! Two concentric spheres of radius 1 and 1 + ε are near each other everywhere: the parallel close
//! proximity in which, the paper argues, box tests grow as 1/ε with oriented boxes and as 1/ε² with
//! boxes along the axes, until the trees have no more levels.
//!
//! Source: Gottschalk, Lin and Manocha, *OBBTree*, 1996, section 6, first experiment. The paper
//! does not say how its spheres are cut into 32,000 triangles; ours are cut by latitude and
//! longitude, and the outer is the inner, scaled. In the figure they are not turned against each
//! other: a triangle's middle lies up to 3·10⁻⁴ below its sphere, so turned spheres pass through
//! each other for smaller ε, and the gap that the figure is about is gone. Turned spheres are a
//! second table.

use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, Want, collide};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Mesh, Pose};
use elbowroom_make::lat_long_sphere;
use glam::DVec3;

use super::curve::Curve;
use super::grown::{KINDS, Work, mapped};
use crate::random::Random;
use crate::{Axis, Cell, Chart, Claim, Context, Line, Marks, Report, Table, Verdict};

/// From where a few boxes decide down to where even triangles' own boxes overlap. Denser where the
/// curve of the boxes along the axes rises.
const GAPS: [f64; 20] = [
    0.3, 0.2, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01, 0.005, 0.003, 0.001, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6,
    1e-6, 3e-7, 1e-7, 1e-8,
];
const QUICK_GAPS: [f64; 11] = [0.3, 0.2, 0.15, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4, 3e-6, 1e-6];

/// The straight part of a curve: beyond the start, where few boxes decide, and below the bend.
const FLOOR: f64 = 1000.0;
const SHARE: f64 = 1.0 / 3.0;

/// Where the kinds stand in [`KINDS`].
const HULL: usize = 0;
const SURFACE: usize = 1;
const AABB: usize = 2;
const SPHERE: usize = 3;

pub(crate) fn run(context: &Context) -> Report {
    let (gaps, ball) = if context.quick {
        (&QUICK_GAPS[..], lat_long_sphere(51, 80))
    } else {
        (&GAPS[..], lat_long_sphere(101, 160))
    };
    let turned = Pose::new(Random::new(5).rotation(), DVec3::ZERO).expect("a rotation");
    let figure = Figure::measure(context, gaps, &ball, &[Pose::IDENTITY, turned]);
    let checked = figure.check_against_queries(&ball);
    Report {
        charts: vec![figure.chart()],
        id: "obbtree-fig5",
        title: "Parallel close proximity: concentric spheres".to_owned(),
        what: format!(
            "The paper puts a sphere of radius 1 into one of radius 1 + ε, 32,000 triangles each, and \
             counts the box tests of a collision query with OBB trees and with AABB trees of the same \
             builder. Here both are cut by latitude and longitude into {} triangles. Trees are grown as the \
             paper says: boxes from the hull's area, also from the triangles' area; boxes along the axes; \
             and balls over the tree of the latter.",
            ball.triangles().len()
        ),
        tables: vec![
            figure.table(0, "Tests over the gap, not turned: the figure"),
            figure
                .table(1, "Tests over the gap, one sphere turned at random (they meet below 3e-4)"),
            figure.slopes(),
        ],
        claims: figure.claims(),
        notes: vec![
            format!(
                "The straight part of a curve is where it lies between {FLOOR} tests and a third of its \
                 level; the slopes are of least squares in the logarithms."
            ),
            format!("{checked} of the counts were compared with the tallies of queries: equal."),
        ],
    }
}

/// The work of every kind of tree at every gap.
struct Figure<'a> {
    gaps: &'a [f64],
    /// `[kind][gap][placement]`.
    work: Vec<Vec<Vec<Work>>>,
}

impl<'a> Figure<'a> {
    fn measure(context: &Context, gaps: &'a [f64], ball: &Mesh, places: &[Pose]) -> Self {
        context.progress.ahead(KINDS.len() as u64);
        let outer: Vec<Mesh> = gaps.iter().map(|gap| scaled(ball, 1.0 + gap)).collect();
        let work = KINDS.iter().map(|kind| {
            context.progress.message(kind.name);
            let work = kind.work(ball, &outer, places);
            context.progress.inc(1);
            work
        });
        Self { gaps, work: work.collect() }
    }

    fn curve(&self, kind: usize, place: usize) -> Curve {
        let counts: Vec<u64> = self.work[kind].iter().map(|at| at[place].volumes).collect();
        Curve::of_counts(self.gaps, &counts)
    }

    fn chart(&self) -> Chart {
        let line = |kind: usize| {
            let points = self.curve(kind, 0).points.into_iter().map(|(x, y)| [x, y]).collect();
            Line::ours(KINDS[kind].name, points).slope(Some(self.slope(kind)))
        };
        Chart {
            name: "box-tests",
            title: "Box tests over the gap between two spheres".to_owned(),
            x: Axis::log("gap (radius of the inner sphere = 1)"),
            y: Axis::log("box tests"),
            marks: Marks::Lines((0..KINDS.len()).map(line).collect()),
            timed: false,
        }
    }

    fn level_count(&self, kind: usize, place: usize) -> Option<u64> {
        self.work[kind].iter().map(|at| at[place].volumes).max()
    }

    /// The figure's own curve.
    fn slope(&self, kind: usize) -> f64 {
        self.curve(kind, 0).between(FLOOR, SHARE).slope().unwrap_or(f64::NAN)
    }

    fn primitives(&self, kind: usize, gap: usize) -> u64 {
        self.work[kind][gap][0].primitives
    }

    /// Whether a query for boxes makes as many tests as were counted here.
    ///
    /// # Panics
    /// If it does not.
    fn check_against_queries(&self, ball: &Mesh) -> usize {
        let gap = self.gaps.iter().position(|&gap| gap == 0.03).expect("in both sweeps");
        let outer = scaled(ball, 1.0 + self.gaps[gap]);
        let question = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
        // The hulls take far longer than all the rest together.
        let kinds = [SURFACE, AABB];
        for kind in kinds {
            let config = KINDS[kind].config.with_family(KINDS[kind].family);
            let [inner, outer] =
                [ball, &outer].map(|mesh| Model::with_config(mesh.clone(), &config));
            let here = &Pose::IDENTITY;
            let answer = collide(&inner, here, &outer, here, &question, &mut Workspace::default());
            let tally =
                Work { volumes: answer.tally.volumes(), primitives: answer.tally.primitives };
            assert_eq!(tally, self.work[kind][gap][0], "tests of a query, {}", KINDS[kind].name);
        }
        kinds.len()
    }

    fn table(&self, place: usize, title: &str) -> Table {
        let names = ["N_v", "N_p"]
            .iter()
            .flat_map(|n| KINDS.iter().map(move |k| format!("{n} {}", k.name)));
        let mut table = Table::new(title, ["ε"]);
        table.columns.extend(names);
        for (i, &gap) in self.gaps.iter().enumerate() {
            let at = |kind: usize| self.work[kind][i][place];
            let mut row = vec![Cell::Number(gap)];
            row.extend((0..KINDS.len()).map(|kind| Cell::Count(at(kind).volumes)));
            row.extend((0..KINDS.len()).map(|kind| Cell::Count(at(kind).primitives)));
            table.row(row);
        }
        table
    }

    fn slopes(&self) -> Table {
        let columns =
            ["curve", "turned", "from ε", "to ε", "points", "slope", "level", "last ratio"];
        let mut table =
            Table::new("Slopes of N_v over ε on the straight part, and levels", columns);
        for place in 0..2 {
            for (kind, name) in KINDS.iter().map(|kind| kind.name).enumerate() {
                let curve = self.curve(kind, place);
                let part = curve.between(FLOOR, SHARE);
                table.row([
                    name.into(),
                    ["no", "yes"][place].into(),
                    part.points.first().map(|p| p.0).into(),
                    part.points.last().map(|p| p.0).into(),
                    part.points.len().into(),
                    part.slope().into(),
                    self.level_count(kind, place).into(),
                    curve.last_ratio().into(),
                ]);
            }
        }
        table
    }

    fn claims(&self) -> Vec<Claim> {
        vec![
            self.slope_claim(
                "OBB-F5-slope-obb",
                "Box tests grow as 1/ε with oriented boxes.",
                HULL,
                (-1.3, -0.9),
                "≈ −1",
            ),
            self.slope_claim(
                "OBB-F5-slope-aabb",
                "Box tests grow as 1/ε² with boxes along the axes.",
                AABB,
                (-2.3, -1.7),
                "≈ −2",
            ),
            self.level(),
            self.same(),
            self.fewer_primitives(),
        ]
    }

    fn slope_claim(
        &self,
        id: &'static str,
        claim: &str,
        kind: usize,
        (low, high): (f64, f64),
        paper: &str,
    ) -> Claim {
        let slope = self.slope(kind);
        let more = match kind {
            HULL => format!("; boxes from the triangles' area {:.2}", self.slope(SURFACE)),
            _ => String::new(),
        };
        let ours = format!("{slope:.2}, between {low} and {high} wanted{more}");
        Claim::gate(id, claim).paper(paper).ours(ours).holds_if(low <= slope && slope <= high)
    }

    fn level(&self) -> Claim {
        let ratios = [HULL, SURFACE, AABB, SPHERE].map(|kind| self.curve(kind, 0).last_ratio());
        let [hull, surface, aabb, sphere] = ratios;
        // The largest ε at which a curve has come within 5 % of its level.
        let reached = |kind: usize| {
            let curve = self.curve(kind, 0);
            let near = |p: &&(f64, f64)| p.1 * 1.05 >= curve.level();
            curve.points.iter().find(near).map_or(f64::NAN, |p| p.0)
        };
        Claim::gate(
            "OBB-F5-level",
            "The curve of boxes along the axes levels off, that of oriented boxes at a much smaller ε.",
        )
        .paper("AABB shown, OBB said")
        .ours(format!(
            "last step × {hull:.3} (hull), {surface:.3} (surface), {aabb:.3} (aabb), {sphere:.3} \
             (sphere); within 5 % of the level from ε = {:.0e} (hull), {:.0e} (aabb), {:.0e} (sphere)",
            reached(HULL),
            reached(AABB),
            reached(SPHERE),
        ))
        .holds_if(ratios.iter().all(|ratio| *ratio < 1.05) && 10.0 * reached(HULL) <= reached(AABB))
    }

    fn same(&self) -> Claim {
        let ratio = self.curve(HULL, 0).level() / self.curve(AABB, 0).level();
        let near = (0.75..=1.33).contains(&ratio);
        let verdict = match ratio == 1.0 {
            true => Verdict::Holds,
            false if near => Verdict::HoldsWithAnotherNumber,
            false => Verdict::DoesNotHold,
        };
        Claim::gate("OBB-F5-same", "Both curves level off at the same height.")
            .paper("equal")
            .ours(format!("OBB/AABB {ratio:.3}, between 0.75 and 1.33 wanted"))
            .verdict(verdict)
            .why(
                "Both trees have as many nodes, but a level is a number of pairs, and which pairs \
                 overlap depends on how far the boxes of triangles reach beyond them.",
            )
    }

    fn fewer_primitives(&self) -> Claim {
        let gaps = 0..self.gaps.len();
        let others = |gap: usize| self.primitives(AABB, gap).min(self.primitives(SPHERE, gap));
        let fewer = gaps.clone().all(|gap| self.primitives(HULL, gap) <= others(gap));
        let free: Vec<f64> = gaps
            .filter(|&gap| self.primitives(HULL, gap) == 0 && others(gap) > 0)
            .map(|gap| self.gaps[gap])
            .collect();
        let range = match free[..] {
            [] => "no ε".to_owned(),
            [first, .., last] => format!("ε from {first} to {last}"),
            [only] => format!("ε = {only}"),
        };
        Claim::gate("OBB-F5-prims", "Oriented boxes also need asymptotically fewer triangle tests.")
            .paper("no figure")
            .ours(format!(
                "never more than the others: {}; none at all where the others need some: {range}",
                if fewer { "yes" } else { "no" }
            ))
            .holds_if(fewer && free.len() > 1)
    }
}

fn scaled(mesh: &Mesh, factor: f64) -> Mesh {
    mapped(mesh, |v| v * factor)
}
