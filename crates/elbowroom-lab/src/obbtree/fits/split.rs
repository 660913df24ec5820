//! Cuts at the mean against cuts at the median.

use elbowroom::internal::bvh::{Config, Split, Stats};
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, Want, collide};
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::{Fit, Obb};
use elbowroom::{Mesh, Pose};
use elbowroom_make::{
    bumpy_sphere, icosphere, landscape, lat_long_sphere, person, torus, wrinkled_torus,
};
use glam::{DQuat, DVec3};

use super::super::grown::mapped;
use super::grid;
use super::growth::{horn, models, tree};
use crate::rounds::Rounds;
use crate::{Claim, Context, Table};

pub(super) fn run(context: &Context) -> (Vec<Table>, Claim) {
    context.progress.message("mean against median");
    let mean = Config::obbtree().with_fit(Fit::Triangles);
    let median = mean.with_split(Split::Median);
    let (depths, unbalanced) = balance(context, &median);
    let (duel, wins) = duel([mean, median]);
    let claim = Claim::gate(
        "OBB-S4-median",
        "Cuts at the median give balanced trees, but no cut is best in all cases.",
    )
    .paper("none")
    .ours(format!(
        "{unbalanced} trees cut at the median are deeper than ⌈log₂ n⌉; the mean makes fewer box tests in {} scenes, \
         the median in {}",
        wins[0], wins[1]
    ))
    .holds_if(unbalanced == 0 && wins.iter().all(|&wins| wins > 0))
    .why(
        "By the number of box tests, which no clock can blur. Evenly made models favour the mean; where a sheet is much \
         finer in one corner, its mean lies far to the coarse side of its median.",
    );
    (vec![depths, duel], claim)
}

/// The table, and how many trees are not as shallow as can be.
fn balance(context: &Context, median: &Config) -> (Table, u32) {
    let mut table = Table::new(
        "Depth of trees cut at the median",
        ["model", "triangles", "⌈log₂ n⌉", "depth", "largest leaf"],
    );
    let mut unbalanced = 0;
    for (name, mesh) in models(context) {
        let n = mesh.triangles().len();
        let least = n.next_power_of_two().trailing_zeros();
        let stats = Stats::of(&tree(&mesh, median), size_of::<Obb>());
        unbalanced += u32::from(stats.depth != least);
        table.row([
            name.into(),
            n.into(),
            least.into(),
            stats.depth.into(),
            stats.largest_leaf.into(),
        ]);
    }
    (table, unbalanced)
}

struct Scene {
    name: &'static str,
    meshes: [Mesh; 2],
    place: Pose,
}

fn scenes() -> Vec<Scene> {
    let shift =
        |x, y, z| Pose::from_translation(DVec3::new(x, y, z)).expect("a shift is a placement");
    let turned = |axis: DVec3, angle: f64, at: DVec3| {
        Pose::from_quat(DQuat::from_axis_angle(axis, angle), at).expect("a turn is a placement")
    };
    let scene = |name, a: Mesh, b: Mesh, place| Scene { name, meshes: [a, b], place };
    let sphere = || lat_long_sphere(51, 100);
    vec![
        scene(
            "spheres, one within the other by 0.01",
            sphere(),
            mapped(&sphere(), |p| p * 1.01),
            Pose::IDENTITY,
        ),
        scene(
            "spheres side by side, 0.001 apart",
            sphere(),
            sphere(),
            shift(1.1553, 1.1553, 1.1553),
        ),
        scene("spheres that overlap", sphere(), sphere(), shift(1.2, 0.3, 0.4)),
        scene(
            "linked tori that cross",
            torus(1.0, 0.3, 100, 50),
            torus(1.0, 0.3, 100, 50),
            turned(DVec3::X, 1.6, DVec3::new(0.45, 0.0, 0.01)),
        ),
        scene(
            "torus on a landscape",
            landscape(80, 60, 3),
            mapped(&wrinkled_torus(100, 50), |p| p * 0.3),
            shift(0.1, 0.2, 0.1),
        ),
        scene(
            "bumpy spheres",
            bumpy_sphere(20, 0.3, 7),
            bumpy_sphere(20, 0.3, 8),
            shift(1.7, 0.1, 0.2),
        ),
        scene(
            "people shoulder to shoulder",
            person(),
            person(),
            turned(DVec3::Y, 0.4, DVec3::new(0.45, 0.0, 0.02)),
        ),
        scene(
            "horns, tip in tip",
            horn(24, 32),
            horn(24, 32),
            turned(DVec3::Y, 3.0, DVec3::new(1e-6, 0.0, 1e-7)),
        ),
        scene(
            "sphere in a sheet fine in one corner",
            sheet(64),
            icosphere(22),
            turned(DVec3::Y, 0.7, DVec3::new(0.9, 0.0, 0.1)),
        ),
        scene(
            "torus through a sheet fine in one corner",
            torus(1.0, 0.3, 64, 64),
            sheet(64),
            turned(DVec3::Y, 0.7, DVec3::new(0.9, 0.0, 0.1)),
        ),
        scene("person on a landscape", landscape(80, 60, 3), person(), shift(0.3, -0.1, 0.2)),
    ]
}

/// A square of side 1 in 2·cells² triangles, whose lines stand as fourth powers: the finer the
/// nearer to one corner.
fn sheet(cells: u32) -> Mesh {
    let place = |k: u32| {
        let part = f64::from(k) / f64::from(cells);
        part * part * part * part
    };
    grid(cells, |i, j| DVec3::new(place(i), place(j), 0.0))
}

/// The table, and in how many scenes each of the two makes fewer box tests.
fn duel(configs: [Config; 2]) -> (Table, [u32; 2]) {
    let mut table = Table::new(
        "The same queries on trees cut at the mean and at the median",
        [
            "scene",
            "contacts",
            "box tests, mean",
            "box tests, median",
            "median/mean",
            "triangle tests, mean",
            "triangle tests, median",
            "time median/time mean",
        ],
    );
    let mut wins = [0; 2];
    for Scene { name, meshes, place } in scenes() {
        let models = configs
            .map(|config| meshes.each_ref().map(|mesh| Model::with_config(mesh.clone(), &config)));
        let question = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
        let query = |[a, b]: &[Model; 2]| {
            collide(a, &Pose::IDENTITY, b, &place, &question, &mut Workspace::default())
        };
        let answers = models.each_ref().map(query);
        let tests = answers.each_ref().map(|answer| answer.tally.volumes());
        wins[0] += u32::from(tests[0] < tests[1]);
        wins[1] += u32::from(tests[1] < tests[0]);
        let mut passes =
            models.each_ref().map(|models| move || drop(std::hint::black_box(query(models))));
        let [mean, median] = &mut passes;
        let rounds = Rounds::run(5, &mut [mean, median]);
        debug_assert_eq!(
            answers[0].count(),
            answers[1].count(),
            "an answer does not depend on the tree"
        );
        table.row([
            name.into(),
            answers[0].count().into(),
            tests[0].into(),
            tests[1].into(),
            (tests[1] as f64 / tests[0] as f64).into(),
            answers[0].tally.primitives.into(),
            answers[1].tally.primitives.into(),
            rounds.ratio(1, 0).median.into(),
        ]);
    }
    (table, wins)
}
