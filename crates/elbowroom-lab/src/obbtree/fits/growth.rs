//! How long a tree takes to build, and how deep it grows.

use std::time::Instant;

use elbowroom::Mesh;
use elbowroom::internal::bvh::{Config, Stats, Tree, Triangles, grow};
use elbowroom::internal::volume::{Fit, Obb};
use elbowroom_make::{bumpy_sphere, landscape, lat_long_sphere, person, torus, wrinkled_torus};

use glam::DVec3;

use crate::rounds::{Rounds, Spread};
use crate::{Cell, Claim, Context, Table, Verdict};

/// Spheres of 10³, 10⁴, 10⁵ and 10⁶ triangles: bands and sectors.
const SPHERES: [(u32, u32); 4] = [(26, 20), (51, 100), (201, 250), (501, 1000)];

/// The models whose trees are measured, by name.
pub(super) fn models(context: &Context) -> Vec<(&'static str, Mesh)> {
    let mut models = vec![
        ("sphere", lat_long_sphere(26, 20)),
        ("torus", torus(1.0, 0.3, 40, 20)),
        ("wrinkled torus", wrinkled_torus(40, 20)),
        ("bumpy sphere", bumpy_sphere(8, 0.3, 7)),
        ("landscape", landscape(40, 25, 3)),
        ("person", person()),
    ];
    if !context.quick {
        models.extend([
            ("sphere, finer", lat_long_sphere(101, 160)),
            ("torus, finer", torus(1.0, 0.3, 200, 100)),
            ("wrinkled torus, finer", wrinkled_torus(100, 50)),
            ("bumpy sphere, finer", bumpy_sphere(40, 0.3, 7)),
            ("landscape, finer", landscape(200, 100, 3)),
        ]);
    }
    models
}

/// A horn along x whose rings shrink by half from one to the next: 2·rings·sectors triangles, as
/// many near the tip at every scale.
pub(super) fn horn(rings: u32, sectors: u32) -> Mesh {
    let mut vertices = Vec::new();
    let mut size = 1.0;
    for _ in 0..=rings {
        vertices.extend((0..sectors).map(|sector| {
            let angle = std::f64::consts::TAU * f64::from(sector) / f64::from(sectors);
            DVec3::new(1.0, 0.3 * libm::cos(angle), 0.3 * libm::sin(angle)) * size
        }));
        size *= 0.5;
    }
    let quads = (0..rings * sectors).map(|k| {
        let (ring, sector) = (k / sectors * sectors, k % sectors);
        let next = (sector + 1) % sectors;
        [ring + sector, ring + next, ring + sectors + sector, ring + sectors + next]
    });
    let triangles = quads.flat_map(|[a, b, c, d]| [[a, b, c], [c, b, d]]).collect();
    Mesh::new(vertices, triangles).expect("a horn is a mesh")
}

pub(super) fn tree(mesh: &Mesh, config: &Config) -> Tree {
    grow::<Obb>(&Triangles::new(mesh, config)).0
}

pub(super) fn run(context: &Context) -> (Vec<Table>, Claim) {
    context.progress.message("building trees");
    let plain = Config::obbtree().with_fit(Fit::Triangles);
    let (times, flat) = build_times(context, &plain);
    let (depths, [deepest, horn_depth]) = depths(context, &plain);
    let holds = deepest <= 3.0;
    let is_flat = flat.iter().all(|&most| most <= 2.0);
    let verdict = match (holds, is_flat) {
        (false, _) => Verdict::DoesNotHold,
        (true, true) => Verdict::Holds,
        (true, false) => Verdict::HoldsWithAnotherNumber,
    };
    let mut claim = Claim::gate(
        "OBB-S4-build",
        "Trees take n log n to build without and n log² n with hulls, and leaves are of the order of log n deep.",
    )
    .paper("the orders only")
    .ours(format!(
        "depth at most {deepest:.2} log₂ n, but {horn_depth:.2} log₂ n on a horn of shrinking rings; time over n log n varies {:.2} × without hulls, time over n log² n {:.2} × \
         with hulls, over the sizes of the table",
        flat[0], flat[1]
    ))
    .verdict(verdict)
    .why(
        "The depth of ordinary models is counted and has to be so; it is no bound, since a mean can lie far from the \
         middle, as the horn shows. Trees of \
         more than 20,000 triangles are timed once, so what else the machine does shows in their times.",
    );
    claim.timed = true;
    (vec![times, depths], claim)
}

/// The table, and how many times its least the time over its order is at most: without hulls, and
/// with.
fn build_times(context: &Context, plain: &Config) -> (Table, [f64; 2]) {
    let mut table = Table::new(
        "Building trees over spheres",
        [
            "triangles",
            "time without hulls, ms",
            "time/(n log₂ n), ns",
            "time with hulls, ms",
            "time/(n log₂² n), ns",
        ],
    );
    let (sizes, hull_sizes) = if context.quick { (2, 1) } else { (4, 3) };
    let mut orders = [Vec::new(), Vec::new()];
    for (place, (bands, sectors)) in SPHERES.into_iter().take(sizes).enumerate() {
        let mesh = lat_long_sphere(bands, sectors);
        let n = mesh.triangles().len();
        let log = libm::log2(n as f64);
        let secs = build(&mesh, plain);
        let with_hulls = (place < hull_sizes).then(|| build(&mesh, &plain.with_fit(Fit::Hull)));
        let order = secs * 1e9 / (n as f64 * log);
        let hull_order = with_hulls.map(|secs| secs * 1e9 / (n as f64 * log * log));
        orders[0].push(order);
        orders[1].extend(hull_order);
        table.row([
            Cell::from(n),
            (secs * 1e3).into(),
            order.into(),
            with_hulls.map(|secs| secs * 1e3).into(),
            hull_order.into(),
        ]);
    }
    let varies = orders.map(|values| {
        let spread = Spread::of(values);
        spread.high / spread.low
    });
    (table, varies)
}

/// Seconds to build a tree; large ones take long enough for a single try to tell.
fn build(mesh: &Mesh, config: &Config) -> f64 {
    let mut build = || {
        std::hint::black_box(tree(mesh, config));
    };
    if mesh.triangles().len() > 20_000 {
        let start = Instant::now();
        build();
        return start.elapsed().as_secs_f64();
    }
    Rounds::run(3, &mut [&mut build]).secs(0).median
}

/// The table, and the depth of the deepest tree in units of log₂ n: of the models, and of the horn.
fn depths(context: &Context, plain: &Config) -> (Table, [f64; 2]) {
    let mut table = Table::new(
        "Depth of trees cut at the mean",
        [
            "model",
            "triangles",
            "log₂ n",
            "depth without hulls",
            "depth/log₂ n",
            "mean leaf",
            "depth with hulls",
            "depth/log₂ n",
            "mean leaf",
        ],
    );
    let (mut deepest, mut horn_depth) = (0.0_f64, 0.0_f64);
    let horn = ("horn, a model made to be deep", horn(64, 16));
    for (name, mesh) in models(context).into_iter().chain([horn]) {
        let n = mesh.triangles().len();
        let log = libm::log2(n as f64);
        let mut row: Vec<Cell> = vec![name.into(), n.into(), log.into()];
        for fit in [Fit::Triangles, Fit::Hull] {
            let stats = Stats::of(&tree(&mesh, &plain.with_fit(fit)), size_of::<Obb>());
            let depth = f64::from(stats.depth) / log;
            let most = if name.starts_with("horn") { &mut horn_depth } else { &mut deepest };
            *most = most.max(depth);
            row.extend([stats.depth.into(), depth.into(), stats.mean_depth.into()]);
        }
        table.row(row);
    }
    (table, [deepest, horn_depth])
}
