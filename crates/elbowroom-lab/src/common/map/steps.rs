//! Two rigid bodies that move past each other and through each other in small steps.
//!
//! Steps are of a four-hundredth of a body's width. Fronts go on where the last traversal stopped;
//! a witness is the pair of triangles that met last.

use std::hint::black_box;

use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, Want, Witness, collide, intersects_again};
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::Family;
use elbowroom::{Aabb, Mesh, Pose};
use elbowroom_papers::grammar::Front;
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::{Coherent, collide_layered, collide_layered_again};
use glam::{DQuat, DVec3};

use super::super::turns::Turns;
use super::{Asked, Contest, asking};
use crate::sbbk::scene::sbbk;

pub(super) fn contests(quick: bool) -> Vec<Contest> {
    let ring = if quick {
        elbowroom_make::wrinkled_torus(24, 16)
    } else {
        elbowroom_make::wrinkled_torus(60, 50)
    };
    let bodies = [
        ("two heads in small steps", elbowroom_make::monkey_head(5)),
        ("two rings in small steps", ring),
    ];
    let steps = if quick { 20 } else { 400 };
    let rounds = if quick { 1 } else { 7 };
    let mut contests = Vec::new();
    for (scene, mesh) in &bodies {
        for asked in [Asked::Steps, Asked::StepsPairs] {
            contests.push(of(scene, mesh, asked, steps, rounds));
        }
    }
    contests
}

/// Places among the names.
const ROOT: usize = 0;
const WITNESS: usize = 5;

const NAMES: [&str; 6] = [
    "packed OBB, root",
    "OBB, root",
    "OBB, front",
    "SBBK, root",
    "SBBK, front",
    "packed OBB, witness",
];

/// Two bodies under all structures, and what they remember.
struct Pair {
    packed: Model,
    readable: Model,
    coherent: Coherent,
    layered: HybridTree,
    front: Front,
    witness: Witness,
    workspace: Workspace,
}

impl Pair {
    fn new(mesh: &Mesh) -> Self {
        let readable = Model::with_config(mesh.clone(), &Config::default());
        let aligned = Config::default().with_family(Family::Aabb);
        Self {
            packed: Model::new(mesh.clone()),
            coherent: Coherent::new(readable.clone(), readable.clone()),
            readable,
            layered: HybridTree::new(mesh.clone(), &sbbk(), &aligned),
            front: Front::default(),
            witness: Witness::default(),
            workspace: Workspace::default(),
        }
    }

    /// Nothing is remembered of the last way.
    fn forget(&mut self) {
        self.coherent.reset();
        self.front.reset();
        self.witness = Witness::default();
    }

    /// How many pairs meet, or, where only that is asked, whether one does.
    fn ask(&mut self, way: usize, there: &Pose, question: &CollisionRequest) -> u64 {
        let Self { packed, readable, coherent, layered, front, witness, workspace } = self;
        let here = Pose::IDENTITY;
        let answer = match way {
            0 => collide(packed, &here, packed, there, question, workspace),
            1 => collide(readable, &here, readable, there, question, workspace),
            2 => coherent.ask(&here, there, question),
            3 => collide_layered(layered, &here, layered, there, question, workspace),
            4 => collide_layered_again(layered, &here, layered, there, question, front, workspace),
            _ => {
                return u64::from(intersects_again(
                    packed, &here, packed, there, witness, workspace,
                ));
            }
        };
        answer.count()
    }
}

fn of(scene: &'static str, mesh: &Mesh, asked: Asked, steps: u32, rounds: usize) -> Contest {
    let is_whether = asked == Asked::Steps;
    let ask = if is_whether { Want::Any } else { Want::Count };
    let question = CollisionRequest { want: ask, ..CollisionRequest::default() };
    let ways = if is_whether { NAMES.len() } else { NAMES.len() - 1 };
    let Aabb { min: low, max: high } = mesh.bounds();
    let width = (high - low).max_element();
    // From beside each other into each other.
    let places: Vec<Pose> =
        (0..steps).map(|step| place(1.05 * width - f64::from(step) * width / 400.0)).collect();
    let mut pair = Pair::new(mesh);
    let mut walk = |way: usize| -> Vec<u64> {
        pair.forget();
        places.iter().map(|there| pair.ask(way, there, &question)).collect()
    };
    let answers: Vec<Vec<u64>> = (0..ways).map(&mut walk).collect();
    let same = answers.iter().flat_map(|one| one.iter().zip(&answers[0])).filter(|(a, b)| a == b);
    let equal = [same.count() as u64, (ways * places.len()) as u64];
    let contacts = answers[0].iter().filter(|&&count| count > 0).count() as u64;
    let turns = Turns::run(rounds, ways, |way| {
        asking(|| {
            black_box(walk(way));
        })
    });
    let own = if is_whether { WITNESS } else { ROOT };
    Contest { asked, scene, names: NAMES[..ways].to_vec(), turns, own, equal, contacts }
}

/// Turning a little on the way.
fn place(apart: f64) -> Pose {
    let turn = DQuat::from_xyzw(0.3 - 0.1 * apart, 0.2, 0.1 + 0.05 * apart, 1.0).normalize();
    Pose::from_quat(turn, DVec3::new(apart, 0.1, 0.05)).expect("finite")
}
