//! Section 6: how tightness depends on size.
//!
//! The *tightness* τ of a volume is how far one of its points can be from the geometry in it, d the
//! diameter of that geometry. On an arc of radius r an oriented box has τ = r − r cos θ and d = 2 r
//! sin θ, so τ ≈ d²/8r; boxes along the axes and balls keep their proportions, so τ ∝ d. Hence m
//! oriented boxes cover a surface as tightly as about m² others.
//!
//! Source: Gottschalk, Lin and Manocha, *OBBTree*, 1996, section 6, Figures 3 and 4. Arcs,
//! rectangles of a sphere (cut by four great circles) and flat rectangles have closed forms for the
//! distance from a point; the volumes are those that the library fits to their triangles. Patches
//! are oblong: a square has no longest direction, so an oriented box may stand askew on it, which a
//! row shows.

use elbowroom::internal::bvh::{Config, NodeId, Tree};
use elbowroom::internal::volume::{Aabb, Fit, Obb, Spatial, Sphere};
use elbowroom_make::lat_long_sphere;
use glam::{DMat3, DVec2, DVec3};

use super::curve::Curve;
use super::farthest::{farthest_in_ball, farthest_in_box};
use super::grown::Grown;
use crate::random::Random;
use crate::{Cell, Claim, Context, Report, Table, Verdict};

pub(crate) fn run(context: &Context) -> Report {
    context.progress.ahead(3);
    context.progress.message("patches");
    let turn = Random::new(4).rotation();
    let series = [Series::arc(turn), Series::patch(turn, 2.0), Series::patch(turn, 1.0)];
    context.progress.inc(1);
    context.progress.message("flat patch, turned");
    let flat = Flat::measure(if context.quick { 500 } else { 20_000 });
    context.progress.inc(1);
    context.progress.message("covers");
    let cover = Cover::measure(context.quick);
    context.progress.inc(1);
    Report {
        charts: Vec::new(),
        id: "obbtree-tightness",
        title: "Tightness over diameter".to_owned(),
        what: "The paper argues with drawings that tightness falls with the square of the diameter for \
               oriented boxes and in proportion to it for boxes along the axes and balls. Here volumes are \
               fitted to ever smaller patches of known shape, and trees over a sphere are asked how \
               many nodes cover it to a given tightness."
            .to_owned(),
        tables: series.iter().map(Series::table).chain([flat.table(), cover.table()]).collect(),
        claims: vec![
            quadratic(&series[..2]),
            linear(&series[..2]),
            flat.claim(),
            cover.claim(),
        ],
        notes: vec![format!(
            "On square patches of the sphere τ of the oriented box is {:.2} times d²/8r at the smallest \
             and its slope {:.2}: the covariance has no longest direction in the patch, so rounding \
             chooses how the box stands.",
            series[2].last_over_formula(),
            series[2].slope(0),
        )],
    }
}

/// Half the angle over which the largest patch reaches from corner to corner; each next is half.
const HALF_ANGLE: f64 = 0.4;
const HALVINGS: i32 = 8;

/// One patch and its volumes' tightness.
struct Row {
    diameter: f64,
    /// Of the oriented box, the box along the axes, the ball.
    tightness: [f64; 3],
}

/// Ever smaller patches of one kind, with radius of curvature 1.
struct Series {
    name: String,
    rows: Vec<Row>,
}

impl Series {
    /// An arc in a plane, as a chain of segments.
    fn arc(turn: DMat3) -> Self {
        let row = |k: i32| {
            let half = HALF_ANGLE * libm::exp2(f64::from(-k));
            let arc = Arc { middle: DVec3::Z, along: DVec3::X, half };
            let points: Vec<DVec3> =
                (0..=64).map(|i| turn * arc.at(f64::from(i) / 32.0 - 1.0)).collect();
            let chain: Vec<[DVec3; 3]> = points.windows(2).map(|s| [s[0], s[1], s[1]]).collect();
            let back = turn.transpose();
            Row::measure(&chain, 2.0 * libm::sin(half), |p| arc.distance(back * p))
        };
        Self { name: "arc".to_owned(), rows: (0..HALVINGS).map(row).collect() }
    }

    /// A rectangle of the sphere, with this ratio of length to width.
    fn patch(turn: DMat3, aspect: f64) -> Self {
        let row = |k: i32| {
            let half = HALF_ANGLE * libm::exp2(f64::from(-k));
            let width = libm::tan(half) / (1.0 + aspect * aspect).sqrt();
            let patch = Patch { size: DVec2::new(aspect * width, width) };
            let triangles: Vec<[DVec3; 3]> =
                patch.triangles().into_iter().map(|t| t.map(|p| turn * p)).collect();
            let back = turn.transpose();
            Row::measure(&triangles, 2.0 * libm::sin(half), |p| patch.distance(back * p))
        };
        let name = format!("patch of a sphere, {aspect} : 1");
        Self { name, rows: (0..HALVINGS).map(row).collect() }
    }

    fn slope(&self, volume: usize) -> f64 {
        let points = self.rows.iter().map(|row| (row.diameter, row.tightness[volume])).collect();
        Curve { points }.slope().unwrap_or(f64::NAN)
    }

    /// τ/(d²/8r) of the oriented box on the smallest patch.
    fn last_over_formula(&self) -> f64 {
        self.rows.last().map_or(f64::NAN, Row::over_formula)
    }

    fn table(&self) -> Table {
        let mut table = Table::new(
            &format!("Tightness on ever smaller pieces: {}, radius 1", self.name),
            ["d", "τ obb", "τ aabb", "τ sphere", "τ obb/(d²/8r)", "τ aabb/d", "τ sphere/d"],
        );
        for row in &self.rows {
            let [obb, aabb, sphere] = row.tightness;
            let d = row.diameter;
            table.row(
                [d, obb, aabb, sphere, row.over_formula(), aabb / d, sphere / d].map(Cell::from),
            );
        }
        table
    }
}

impl Row {
    fn measure(triangles: &[[DVec3; 3]], diameter: f64, distance: impl Fn(DVec3) -> f64) -> Self {
        let obb = Obb::of_triangles(triangles, Fit::Hull);
        let aabb = Aabb::of_triangles(triangles, Fit::Hull).boxed();
        let sphere = Sphere::of_triangles(triangles, Fit::Hull);
        let tightness = [
            farthest_in_box(&obb, &distance),
            farthest_in_box(&aabb, &distance),
            farthest_in_ball(&sphere, &distance),
        ];
        Self { diameter, tightness }
    }

    fn over_formula(&self) -> f64 {
        self.tightness[0] / (self.diameter * self.diameter / 8.0)
    }
}

/// An arc of a circle of radius 1 around the origin.
struct Arc {
    /// The middle.
    middle: DVec3,
    /// The direction there.
    along: DVec3,
    /// Half its angle.
    half: f64,
}

impl Arc {
    /// A point of it, from one end at −1 to the other at 1.
    fn at(&self, place: f64) -> DVec3 {
        self.by_angle(self.half * place)
    }

    fn by_angle(&self, angle: f64) -> DVec3 {
        self.middle * libm::cos(angle) + self.along * libm::sin(angle)
    }

    fn distance(&self, point: DVec3) -> f64 {
        let angle = libm::atan2(point.dot(self.along), point.dot(self.middle));
        point.distance(self.by_angle(angle.clamp(-self.half, self.half)))
    }
}

/// The points of the unit sphere with |x/z| and |y/z| at most the size.
struct Patch {
    size: DVec2,
}

impl Patch {
    const CELLS: u32 = 32;

    fn triangles(&self) -> Vec<[DVec3; 3]> {
        let place = |i: u32| 2.0 * f64::from(i) / f64::from(Self::CELLS) - 1.0;
        let at =
            |i: u32, j: u32| (self.size * DVec2::new(place(i), place(j))).extend(1.0).normalize();
        let cells = (0..Self::CELLS).flat_map(|i| (0..Self::CELLS).map(move |j| (i, j)));
        cells
            .flat_map(|(i, j)| {
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                [[a, b, c], [a, c, d]]
            })
            .collect()
    }

    fn distance(&self, point: DVec3) -> f64 {
        let size = self.size;
        let inside = (point.x / point.z).abs() <= size.x && (point.y / point.z).abs() <= size.y;
        if point.z > 0.0 && inside {
            return (point.length() - 1.0).abs();
        }
        self.borders().iter().map(|arc| arc.distance(point)).fold(f64::INFINITY, f64::min)
    }

    /// The four sides, parts of great circles.
    fn borders(&self) -> [Arc; 4] {
        let side = |middle: DVec3, along: DVec3, length: f64| {
            // Where the side's middle is at distance 1, its plane z = 1 is at distance `middle.z`.
            let middle = middle.normalize();
            Arc { middle, along, half: libm::atan(length * middle.z) }
        };
        let DVec2 { x, y } = self.size;
        [
            side(DVec3::new(x, 0.0, 1.0), DVec3::Y, y),
            side(DVec3::new(-x, 0.0, 1.0), DVec3::Y, y),
            side(DVec3::new(0.0, y, 1.0), DVec3::X, x),
            side(DVec3::new(0.0, -y, 1.0), DVec3::X, x),
        ]
    }
}

fn quadratic(series: &[Series]) -> Claim {
    let good =
        |s: &Series| (s.slope(0) - 2.0).abs() <= 0.15 && (s.last_over_formula() - 1.0).abs() < 0.01;
    let show = |s: &Series| {
        let first = s.rows.first().map_or(f64::NAN, Row::over_formula);
        let last = s.last_over_formula();
        format!("{}: slope {:.3}, τ/(d²/8r) from {first:.4} to {last:.4}", s.name, s.slope(0))
    };
    Claim::gate(
        "OBB-S6-quadratic",
        "On gently curved pieces an oriented box's tightness falls with the square of the diameter.",
    )
    .paper("τ = d²/8r")
    .ours(series.iter().map(show).collect::<Vec<_>>().join("; "))
    .holds_if(series.iter().all(good))
}

fn linear(series: &[Series]) -> Claim {
    let slopes: Vec<f64> = series.iter().flat_map(|s| [s.slope(1), s.slope(2)]).collect();
    let show = |s: &Series| {
        format!("{}: slope {:.3} (aabb), {:.3} (sphere)", s.name, s.slope(1), s.slope(2))
    };
    Claim::gate(
        "OBB-S6-linear",
        "For boxes along the axes and balls tightness falls only in proportion to the diameter.",
    )
    .paper("slope 1")
    .ours(series.iter().map(show).collect::<Vec<_>>().join("; "))
    .holds_if(slopes.iter().all(|slope| (slope - 1.0).abs() <= 0.15))
}

/// τ/d of a flat patch that is turned through many directions.
struct Flat {
    turns: usize,
    /// Least, mean and largest, of the oriented box and of the box along the axes.
    aspects: [[f64; 3]; 2],
}

impl Flat {
    const SIZE: DVec2 = DVec2::new(0.5, 0.25);

    fn measure(turns: usize) -> Self {
        let mut random = Random::new(3);
        let mut aspects = [[f64::INFINITY, 0.0, 0.0]; 2];
        for k in 0..turns {
            // The first lies along the axes.
            let turn = if k == 0 { DMat3::IDENTITY } else { random.rotation() };
            for (spread, aspect) in aspects.iter_mut().zip(Self::aspect_ratios(turn)) {
                spread[0] = spread[0].min(aspect);
                spread[1] += aspect / turns as f64;
                spread[2] = spread[2].max(aspect);
            }
        }
        Self { turns, aspects }
    }

    fn aspect_ratios(turn: DMat3) -> [f64; 2] {
        let DVec2 { x, y } = Self::SIZE;
        let [a, b, c, d] =
            [(-x, -y), (x, -y), (x, y), (-x, y)].map(|(x, y)| turn * DVec3::new(x, y, 0.0));
        let triangles = [[a, b, c], [a, c, d]];
        let distance = |p: &DVec3| {
            let p = turn.transpose() * *p;
            p.distance(p.truncate().clamp(-Self::SIZE, Self::SIZE).extend(0.0))
        };
        // The distance from a convex set is convex: its largest value in a box is at a corner.
        let boxes = [
            Obb::of_triangles(&triangles, Fit::Triangles),
            Aabb::of_triangles(&triangles, Fit::Triangles).boxed(),
        ];
        boxes.map(|bounds| {
            let tightness = bounds.corners().iter().map(distance).fold(0.0, f64::max);
            tightness / (2.0 * Self::SIZE.length())
        })
    }

    fn table(&self) -> Table {
        let title = format!("τ/d of a flat 2 : 1 patch in {} positions", self.turns);
        let mut table = Table::new(&title, ["volume", "least", "mean", "largest"]);
        for (name, [least, mean, largest]) in ["obb", "aabb"].into_iter().zip(self.aspects) {
            table.row([name.into(), least.into(), mean.into(), largest.into()]);
        }
        table
    }

    fn claim(&self) -> Claim {
        let [[_, _, obb], [least, mean, largest]] = self.aspects;
        let holds = obb < 1e-14 && least < 0.01 && largest > 0.4;
        let verdict = match holds {
            true if largest > 0.9 => Verdict::Holds,
            true => Verdict::HoldsWithAnotherNumber,
            false => Verdict::DoesNotHold,
        };
        Claim::gate(
            "OBB-S6-orientation",
            "How flat a box along the axes is depends on how its patch lies; for an oriented box it does not.",
        )
        .paper("near 0 … near 1")
        .ours(format!(
            "τ/d from {least:.3} to {largest:.3}, mean {mean:.3} (aabb); at most {obb:.0e} (obb)"
        ))
        .verdict(verdict)
        .why(
            "A corner of the box is never as far from the patch as the patch's ends are from each other; \
             0 is where the patch lies along the axes.",
        )
    }
}

/// How many nodes of each tree cover a sphere to a given tightness.
struct Cover {
    triangles: usize,
    /// Bound and number of nodes: oriented boxes, boxes along the axes, balls.
    rows: Vec<(f64, [u64; 3])>,
}

impl Cover {
    fn measure(quick: bool) -> Self {
        let mesh = if quick { lat_long_sphere(101, 160) } else { lat_long_sphere(201, 320) };
        let config = Config::obbtree().with_fit(Fit::Triangles);
        let obb = Grown::<Obb>::new(&mesh, &config);
        let aabb = Grown::<Aabb>::new(&mesh, &config);
        let sphere = Grown::spheres(&mesh, &config);
        let tightness: [Vec<f64>; 3] = [
            obb.volumes.iter().map(box_to_sphere).collect(),
            aabb.volumes.iter().map(|bounds| box_to_sphere(&bounds.boxed())).collect(),
            sphere.volumes.iter().map(ball_to_sphere).collect(),
        ];
        let trees = [&obb.tree, &aabb.tree, &sphere.tree];
        let bounds = (0..10).map(|k| 0.32 * libm::exp2(-0.5 * f64::from(k)));
        let row = |bound: f64| {
            let count = |i: usize| cover(trees[i], &tightness[i], bound);
            Some((bound, [count(0)?, count(1)?, count(2)?]))
        };
        Self { triangles: mesh.triangles().len(), rows: bounds.filter_map(row).collect() }
    }

    /// The slope of one tree's number over that of oriented boxes.
    fn slope(&self, tree: usize) -> f64 {
        let points = self.rows.iter().map(|(_, n)| (n[0] as f64, n[tree] as f64)).collect();
        Curve { points }.slope().unwrap_or(f64::NAN)
    }

    fn table(&self) -> Table {
        let title = format!(
            "Nodes that cover a sphere of {} triangles to a tightness (to the whole sphere)",
            self.triangles
        );
        let mut table = Table::new(&title, ["τ at most", "obb", "aabb", "sphere"]);
        for &(bound, [obb, aabb, sphere]) in &self.rows {
            table.row([bound.into(), obb.into(), aabb.into(), sphere.into()]);
        }
        table
    }

    fn claim(&self) -> Claim {
        let slopes = [self.slope(1), self.slope(2)];
        Claim::gate(
            "OBB-S6-cover",
            "To cover a surface to a given tightness takes m oriented boxes but of order m² others.",
        )
        .paper("O(m), O(m²)")
        .ours(format!(
            "slope of one number over the other {:.2} (aabb), {:.2} (sphere), over {} bounds",
            slopes[0],
            slopes[1],
            self.rows.len()
        ))
        .holds_if(self.rows.len() >= 5 && slopes.iter().all(|slope| (slope - 2.0).abs() <= 0.3))
    }
}

/// How far a point of a box can be from the unit sphere.
fn box_to_sphere(bounds: &Obb) -> f64 {
    let outer = bounds.corners().iter().map(|corner| corner.length()).fold(0.0, f64::max);
    let origin = bounds.axes.transpose() * -bounds.center;
    let inner = origin.distance(origin.clamp(-bounds.half, bounds.half));
    (outer - 1.0).max(1.0 - inner)
}

/// How far a point of a ball can be from the unit sphere.
fn ball_to_sphere(ball: &Sphere) -> f64 {
    let middle = ball.center.length();
    (middle + ball.radius - 1.0).max(1.0 - (middle - ball.radius).max(0.0))
}

/// The smallest number of nodes, each within the bound, that have all primitives below them; none
/// if a leaf is not within it.
fn cover(tree: &Tree, tightness: &[f64], bound: f64) -> Option<u64> {
    let mut count = 0;
    let mut stack = vec![NodeId::ROOT];
    while let Some(node) = stack.pop() {
        if tightness[node.index()] <= bound {
            count += 1;
        } else {
            stack.extend(tree.children(node)?);
        }
    }
    Some(count)
}
