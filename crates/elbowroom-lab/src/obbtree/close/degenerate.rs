//! Points and segments for triangles.
//!
//! Models of points, of segments, of triangles and of all three, on small whole coordinates so that
//! they meet often, each against each, at rest and turned. Every family of volumes and every fit
//! has to give exactly the pairs that rational arithmetic gives by trying all.

use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::volume::{Family, Fit};
use elbowroom::{Mesh, Pose, Relation};
use elbowroom_testkit::brute::{Soup, all_pairs};
use elbowroom_testkit::oracle::{self, PlainPose};
use glam::{DMat3, DVec3};

use super::Part;
use crate::random::Random;
use crate::{Claim, Table};

/// Corners that differ: one, two, three, or any of these.
const KINDS: [(&str, Option<u64>); 4] =
    [("points", Some(1)), ("segments", Some(2)), ("triangles", Some(3)), ("mixed", None)];

/// Primitives of a model.
const COUNT: usize = 40;

pub(super) fn run(quick: bool) -> Part {
    let rounds = if quick { 1 } else { 8 };
    let mut random = Random::new(7);
    let mut table = Table::new(
        "Degenerate models against the rational oracle, all families and fits",
        ["models", "answers", "touching pairs", "crossing pairs", "differences"],
    );
    let (mut answers, mut differences, mut met) = (0, 0, 0);
    for (i, (name_a, corners_a)) in KINDS.into_iter().enumerate() {
        for (name_b, corners_b) in &KINDS[i..] {
            let mut sums = Sums::default();
            for _ in 0..rounds {
                let (a, b) = (soup(&mut random, corners_a), soup(&mut random, *corners_b));
                for pose in poses() {
                    sums.compare(&a, &b, &pose);
                }
            }
            let Sums { answers: n, touching, crossing, differences: wrong } = sums;
            table.row([
                format!("{name_a}–{name_b}").into(),
                n.into(),
                touching.into(),
                crossing.into(),
                wrong.into(),
            ]);
            answers += n;
            differences += wrong;
            met += touching + crossing;
        }
    }
    let claim = Claim::gate(
        "OBB-S7-degenerate",
        "Triangles with one or two distinct corners are handled: curves meet curves and surfaces correctly.",
    )
    .paper("no figure")
    .ours(format!("{differences} differences in {answers} answers with {met} true pairs"))
    .holds_if(differences == 0 && met > 100);
    Part { tables: vec![table], claims: vec![claim] }
}

fn soup(random: &mut Random, corners: Option<u64>) -> Soup {
    let triangles: Vec<_> = (0..COUNT)
        .map(|_| {
            let corners = corners.unwrap_or_else(|| 1 + random.below(3));
            let mut point = || [0; 3].map(|_| random.whole(0, 5) as f64);
            let [p, q, r] = [point(), point(), point()];
            match corners {
                1 => [p; 3],
                2 => [p, q, q],
                _ => [p, q, r],
            }
        })
        .collect();
    Soup::from_triangles(&triangles)
}

/// At rest, a step aside, and turned by a rotation that rounding has spoilt a little.
fn poses() -> [PlainPose; 3] {
    [
        PlainPose::IDENTITY,
        PlainPose::at([0.5, 0.0, -1.0]),
        PlainPose { r: [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]], t: [1.0, -2.0, 0.0] },
    ]
}

#[derive(Default)]
struct Sums {
    answers: u64,
    touching: u64,
    crossing: u64,
    differences: u64,
}

impl Sums {
    /// Asks every family and fit.
    fn compare(&mut self, a: &Soup, b: &Soup, pose: &PlainPose) {
        let truth = all_pairs(a, &PlainPose::IDENTITY, b, pose);
        let is_crossing =
            |pair: &&(u32, u32, oracle::Relation)| pair.2 == oracle::Relation::Crossing;
        let crossing = truth.iter().filter(is_crossing).count() as u64;
        self.crossing += crossing;
        self.touching += truth.len() as u64 - crossing;
        let rotation = DMat3::from_cols_array_2d(&pose.r).transpose();
        let place = Pose::new(rotation, DVec3::from_array(pose.t)).expect("a rotation");
        for config in configs() {
            let [a, b] = [a, b].map(|soup| Model::with_config(mesh(soup), &config));
            let found: Vec<_> = query::triangle_pairs(&a, &Pose::IDENTITY, &b, &place)
                .iter()
                .map(|pair| (pair.a, pair.b, named(pair.relation)))
                .collect();
            self.answers += 1;
            self.differences += u64::from(found != truth);
        }
    }
}

fn configs() -> impl Iterator<Item = Config> {
    let families = Family::ALL.map(|family| Config::default().with_family(family));
    families.into_iter().chain(Fit::ALL.map(|fit| Config::default().with_fit(fit)))
}

fn mesh(soup: &Soup) -> Mesh {
    let vertices = soup.vertices.iter().copied().map(DVec3::from_array).collect();
    Mesh::new(vertices, soup.triangles.clone()).expect("degenerate, but finite")
}

fn named(relation: Relation) -> oracle::Relation {
    match relation {
        Relation::Apart => oracle::Relation::Apart,
        Relation::Touching => oracle::Relation::Touching,
        Relation::Crossing => oracle::Relation::Crossing,
    }
}
