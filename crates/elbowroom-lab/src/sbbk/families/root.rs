//! What a sphere at the root does for pairs that are far apart.

use std::hint::black_box;

use elbowroom::Placement;
use elbowroom::descend::{Path, Rule, Workspace};
use elbowroom::model::Layered;
use elbowroom::query::{Question, Verdict as Told, ask_layered};
use elbowroom::tree::Layering;
use elbowroom::volume::Family;

use super::{Named, Part};
use crate::random::Random;
use crate::rounds::Rounds;
use crate::sbbk::scene::{COUNT, layered, sbbk, sound};
use crate::{Cell, Claim, Table};

/// Sphere, AABB, k-DOP and OBB at the root; below it all are as alike as can be.
fn layerings() -> [(&'static str, Layering); 4] {
    [
        ("sphere (SBBK)", sbbk()),
        ("AABB", sound(Layering::aabb_kdop(18, 4))),
        (
            "18-DOP",
            sound(Layering::new([(Family::Kdop18, 0), (Family::Aabb, 1), (Family::Kdop18, 4)])),
        ),
        ("OBB", sound(Layering::new([(Family::Obb, 0), (Family::Aabb, 1), (Family::Kdop18, 4)]))),
    ]
}

pub(super) fn run(models: &[Named], quick: bool) -> Part {
    let mesh = &models[0].mesh;
    let mut random = Random::new(8);
    // Three quarters are farther apart than they are wide.
    let places: Vec<Placement> = (0..if quick { 200 } else { 2000 })
        .map(|_| {
            let way = random.direction() * random.uniform(1.0, 8.0);
            Placement::new(random.rotation(), way).expect("a rotation")
        })
        .collect();
    let trees = layerings().map(|(_, layering)| layered(mesh, &layering));
    let far = |tree: &Layered| {
        let question = Question { path: Path { rule: Rule::Larger, level: Some(0) }, ..COUNT };
        let told = |there: &&Placement| {
            ask_layered(
                tree,
                &Placement::IDENTITY,
                tree,
                there,
                &question,
                &mut Workspace::default(),
            )
            .verdict
                == Told::Clear
        };
        places.iter().filter(told).count()
    };
    let rejected: Vec<usize> = trees.iter().map(far).collect();
    let mut workspaces = [(); 4].map(|()| Workspace::default());
    let ask_all = |tree: &Layered, workspace: &mut Workspace| {
        for there in &places {
            black_box(ask_layered(tree, &Placement::IDENTITY, tree, there, &COUNT, workspace));
        }
    };
    let rounds = {
        let [w0, w1, w2, w3] = &mut workspaces;
        let mut sphere = || ask_all(&trees[0], w0);
        let mut boxed = || ask_all(&trees[1], w1);
        let mut dop = || ask_all(&trees[2], w2);
        let mut turned = || ask_all(&trees[3], w3);
        Rounds::run(
            if quick { 5 } else { 9 },
            &mut [&mut sphere, &mut boxed, &mut dop, &mut turned],
        )
    };
    let mut table = Table::new(
        "Heads in a sparse scene, turned: what the root tells apart",
        ["root", "pairs", "apart at the root", "time, µs a query", "time over that with a sphere"],
    );
    for (place, (name, _)) in layerings().into_iter().enumerate() {
        let micros = 1e6 * rounds.secs(place).low / places.len() as f64;
        let cells: [Cell; 5] = [
            name.into(),
            places.len().into(),
            rejected[place].into(),
            micros.into(),
            rounds.least_ratio(place, 0).into(),
        ];
        table.row(cells);
    }
    let (dop, turned) = (rounds.least_ratio(2, 0), rounds.least_ratio(3, 0));
    let share = 100.0 * rejected[0] as f64 / places.len() as f64;
    let claim = Claim::timed("SBBK-S3-root", "A sphere at the root throws out most far pairs at the least cost.")
        .paper("no figure")
        .ours(format!(
            "{share:.0} % of the pairs are apart at the spheres, {} at AABBs, {} at 18-DOPs, {} at OBBs, of {}; time with an 18-DOP root {:.2} of that with a sphere, \
             with an OBB root {:.2}",
            rejected[1],
            rejected[2],
            rejected[3],
            places.len(),
            dop,
            turned
        ))
        .holds_if(share > 50.0 && dop > 1.0 && turned > 1.0)
        .why("Far pairs cost one test and the preparation of a query; near ones cost thousands of times more, so that a root changes a sparse scene little.");
    Part { tables: vec![table], claims: vec![claim] }
}
