//! Finer meshes of the same bodies: what the BCH of the contour feels of them, and what the full
//! OBB tree does.

use elbowroom::Mesh;
use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom_make::body::{Build, Gait, Move};
use elbowroom_motion::footprint::{
    BoxParts, BoxWork, Boxes, Footprint, FootprintConfig, Look, Work, ask_boxes,
};
use glam::{DVec2, DVec3};

use crate::bch::bodies::{people, posed_mesh};
use crate::bch::cases::{Case, turned, upright};
use crate::bch::structures::{ask_circles, mean};
use crate::claim::Verdict;
use crate::random::Random;
use crate::report::{Table, grouped};
use crate::rounds::Rounds;
use crate::{Claim, Context};

/// Some bodies of one fineness.
struct Fine {
    triangles: usize,
    circles: Vec<Footprint>,
    boxes: Vec<Boxes>,
}

pub(super) fn run(context: &Context) -> (Table, Claim) {
    context.progress.message("finer meshes");
    // Skins are made of up to 20,000 triangles; beyond, every triangle is cut into four.
    let (steps, count): (&[(u32, u32)], usize) = if context.quick {
        (&[(2850, 0), (2850, 1)], 8)
    } else {
        (&[(2850, 0), (12_500, 0), (12_500, 1), (12_500, 2)], 100)
    };
    let all: Vec<Fine> =
        steps.iter().map(|&(triangles, cuts)| Fine::new(triangles, cuts)).collect();
    let cases = colliding(&all[0], count);
    let tests: Vec<(f64, f64)> = all.iter().map(|fine| fine.tests(&cases)).collect();
    let rounds = fine_rounds(
        &all,
        &cases,
        if context.quick { 1 } else { 10 },
        if context.quick { 1 } else { 5 },
    );
    let nodes = |fine: &Fine| {
        (
            mean(fine.circles.iter().map(|f| f.tree().len() as f64)),
            mean(fine.boxes.iter().map(|b| b.tree().len() as f64)),
        )
    };
    let mut table = Table::new(
        "Finer meshes of the same bodies, colliding cases",
        [
            "triangles",
            "BCH contour: nodes",
            "circles compared",
            "query time over coarsest",
            "OBB full: nodes",
            "boxes compared",
            "OBB query time over coarsest",
        ],
    );
    for (index, fine) in all.iter().enumerate() {
        let (circles, boxes) = nodes(fine);
        table.row([
            fine.triangles.into(),
            circles.into(),
            tests[index].0.into(),
            rounds.ratio(2 * index, 0).median.into(),
            boxes.into(),
            tests[index].1.into(),
            rounds.ratio(2 * index + 1, 1).median.into(),
        ]);
    }
    let last = all.len() - 1;
    let (first_nodes, last_nodes) = (nodes(&all[0]), nodes(&all[last]));
    let grows = [last_nodes.0 / first_nodes.0, last_nodes.1 / first_nodes.1];
    let times = [rounds.ratio(2 * last, 0).median, rounds.ratio(2 * last + 1, 1).median];
    let flat = grows[0] <= 1.5 && times[0] <= 1.5;
    let claim = Claim::timed("BCH-S7-detail", "The BCH hardly feels a finer mesh, and the OBB tree does.")
        .paper("a suspicion")
        .ours(format!(
            "from {} to {} triangles the contour BCH has {:.2} times the nodes and takes {:.2} times as long to ask; the full OBB tree {:.1} times the nodes and {:.2} times as long",
            grouped(all[0].triangles as u64), grouped(all[last].triangles as u64), grows[0], times[0], grows[1], times[1]
        ))
        .why("A tree is deeper by one level for twice the triangles, and a query that ends with the first hit feels little more than the depth: the OBB tree pays in memory and in building first.")
        .verdict(match (flat, grows[1] > 2.0, times[1] > times[0]) {
            (true, true, true) => Verdict::Holds,
            (_, true, _) => Verdict::HoldsWithAnotherNumber,
            _ => Verdict::DoesNotHold,
        });
    (table, claim)
}

impl Fine {
    fn new(triangles: u32, cuts: u32) -> Self {
        let meshes: Vec<Mesh> = [Build::FEMALE, Build::MALE]
            .iter()
            .zip(people())
            .flat_map(|(build, person)| {
                let is_made = triangles == build.triangles;
                let rig =
                    if is_made { person.clone() } else { Build { triangles, ..*build }.rig() };
                let gait = Gait::of(&rig.skeleton, Move::Walk);
                [0.1, 0.6].into_iter().filter_map(move |share| {
                    let mut pose = rig.rest_pose();
                    let clip = &gait.as_ref()?.clip;
                    clip.sample(clip.start() + share * clip.seconds(), &mut pose);
                    let mesh = posed_mesh(&rig, &pose).ok()?;
                    Some((0..cuts).fold(mesh, |mesh, _| in_four(&mesh)))
                })
            })
            .collect();
        let config = FootprintConfig::default();
        Self {
            triangles: meshes.first().map_or(0, |mesh| mesh.triangles().len()),
            circles: meshes.iter().map(|mesh| Footprint::of_mesh(mesh, &config)).collect(),
            boxes: meshes
                .iter()
                .filter_map(|mesh| Boxes::of_mesh(mesh, BoxParts::Full).ok())
                .collect(),
        }
    }

    fn ask_circles(&self, case: &Case, work: &mut Work) {
        let (a, b) = (&self.circles[case.a], &self.circles[case.b]);
        std::hint::black_box(ask_circles(a, &case.at_a, b, &case.at_b, &Look::default(), work));
    }

    fn ask_boxes(&self, case: &Case, work: &mut BoxWork) {
        let (a, b) = (&self.boxes[case.a], &self.boxes[case.b]);
        std::hint::black_box(ask_boxes(a, &case.at_a, b, &case.at_b, &Look::default(), work));
    }

    /// Circles and boxes compared a query.
    fn tests(&self, cases: &[Case]) -> (f64, f64) {
        let (mut circles, mut boxes) = (Work::default(), BoxWork::default());
        for case in cases {
            self.ask_circles(case, &mut circles);
            self.ask_boxes(case, &mut boxes);
        }
        (circles.tests as f64 / cases.len() as f64, boxes.tests as f64 / cases.len() as f64)
    }
}

/// Circles and boxes of each fineness in turns.
fn fine_rounds(all: &[Fine], cases: &[Case], repeats: usize, rounds: usize) -> Rounds {
    let mut askers: Vec<Box<dyn FnMut() + '_>> = Vec::new();
    for fine in all {
        let (mut circles, mut boxes) = (Work::default(), BoxWork::default());
        askers.push(Box::new(move || {
            (0..repeats)
                .for_each(|_| cases.iter().for_each(|case| fine.ask_circles(case, &mut circles)));
        }));
        askers.push(Box::new(move || {
            (0..repeats)
                .for_each(|_| cases.iter().for_each(|case| fine.ask_boxes(case, &mut boxes)));
        }));
    }
    let mut contestants: Vec<&mut dyn FnMut()> =
        askers.iter_mut().map(|asker| &mut **asker as &mut dyn FnMut()).collect();
    Rounds::run(rounds, &mut contestants)
}

/// Pairs of the coarsest bodies that collide: the finer ones have nearly the same surface.
fn colliding(coarse: &Fine, count: usize) -> Vec<Case> {
    let models: Vec<Model> =
        coarse.boxes.iter().map(|boxes| Model::new(boxes.leaves().clone())).collect();
    let mut random = Random::new(0xde_7a11);
    let mut cases = Vec::new();
    while cases.len() < count {
        let [a, b] = [0; 2].map(|_| random.below(models.len() as u64) as usize);
        let at = DVec2::new(random.uniform(-0.9, 0.9), random.uniform(-0.9, 0.9));
        let (at_a, at_b) = (turned(0.0, DVec2::ZERO), turned(random.uniform(-3.2, 3.2), at));
        if query::intersects(&models[a], &upright(&at_a), &models[b], &upright(&at_b)) {
            cases.push(Case { a, b, at_a, at_b });
        }
    }
    cases
}

/// Every triangle cut into four at the middles of its edges.
fn in_four(mesh: &Mesh) -> Mesh {
    let mut vertices: Vec<DVec3> = mesh.vertices().to_vec();
    let mut middles = std::collections::HashMap::new();
    let mut triangles = Vec::with_capacity(4 * mesh.triangles().len());
    for &[p, q, r] in mesh.triangles() {
        let mut middle = |i: u32, j: u32| {
            *middles.entry((i.min(j), i.max(j))).or_insert_with(|| {
                vertices.push(0.5 * (vertices[i as usize] + vertices[j as usize]));
                vertices.len() as u32 - 1
            })
        };
        let (x, y, z) = (middle(p, q), middle(q, r), middle(r, p));
        triangles.extend([[p, x, z], [x, q, y], [z, y, r], [x, y, z]]);
    }
    Mesh::new(vertices, triangles).unwrap_or_else(|_| mesh.clone())
}
