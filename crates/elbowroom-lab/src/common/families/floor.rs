//! Bodies on a floor: whether they may touch, by what they look like from above, and whether they
//! do.
//!
//! Footprints answer another question than trees in space: *clear* is certain, *may touch* is not.
//! So what they say is held against what is true, and their time against that of the packed tree
//! for a plain yes or no.

use std::hint::black_box;

use super::super::OWN;
use super::super::floor::{Above, Floored};
use super::super::scene::Scene;
use super::super::turns::{Secs, Turns};
use crate::{Claim, Table};
use elbowroom_papers::grammar::thread_secs;

const WAYS: [(&str, Option<Above>); 5] = [
    ("packed OBB in space", None),
    ("circles, contour", Some(Above::Contour)),
    ("circles, triangles", Some(Above::Triangles)),
    ("one circle", Some(Above::Whole)),
    ("boxes, contour", Some(Above::Boxes)),
];

/// Whether a structure says that the bodies of a question touch, or may.
fn is_said(bodies: &mut Floored, way: usize, question: usize) -> bool {
    match WAYS[way].1 {
        None => bodies.touch(question),
        Some(above) => bodies.may_touch(above, question),
    }
}

/// What came of it on a scene.
pub(super) struct Floor {
    name: &'static str,
    questions: usize,
    touching: u64,
    /// By structure: how often it says that they may touch, and how often it fails to though they
    /// do.
    says: [[u64; 2]; WAYS.len()],
    turns: Turns,
}

impl Floor {
    /// Nothing where there is no floor.
    pub(super) fn measure(scene: &Scene, rounds: usize) -> Option<Self> {
        let mut bodies = Floored::new(scene)?;
        let questions = scene.floor.len();
        let truth: Vec<bool> = (0..questions).map(|question| bodies.touch(question)).collect();
        let mut says = [[0; 2]; WAYS.len()];
        for (structure, [said, missed]) in says.iter_mut().enumerate() {
            for (question, &is_true) in truth.iter().enumerate() {
                let may = is_said(&mut bodies, structure, question);
                *said += u64::from(may);
                *missed += u64::from(is_true && !may);
            }
        }
        let turns = Turns::run(rounds, WAYS.len(), |structure| {
            let start = thread_secs();
            // Microseconds are too short for the clock.
            for _ in 0..4 {
                for question in 0..questions {
                    black_box(is_said(&mut bodies, structure, question));
                }
            }
            Secs { ask: thread_secs() - start, follow: 0.0 }
        });
        let touching = truth.iter().filter(|&&is_true| is_true).count() as u64;
        Some(Self { name: scene.name, questions, touching, says, turns })
    }
}

pub(super) fn table(floors: &[Floor]) -> Table {
    let mut table = Table::new(
        "Bodies on a floor: whether they touch, or may",
        [
            "scene",
            "structure",
            "questions",
            "touch",
            "said to touch, or that they may",
            "missed",
            "time over packed OBB's, median (range)",
        ],
    );
    for floor in floors {
        for (structure, (name, _)) in WAYS.into_iter().enumerate() {
            let [said, missed] = floor.says[structure];
            table.row([
                floor.name.into(),
                name.into(),
                floor.questions.into(),
                floor.touching.into(),
                said.into(),
                missed.into(),
                floor.turns.ratio(structure, 0, Secs::both).show(3).into(),
            ]);
        }
    }
    table
}

pub(super) fn claim(floors: &[Floor]) -> Claim {
    let missed: u64 = floors.iter().flat_map(|floor| floor.says).map(|[_, missed]| missed).sum();
    let touching: u64 = floors.iter().map(|floor| floor.touching).sum();
    let questions: usize = floors.iter().map(|floor| floor.questions).sum();
    let said = |structure: usize| floors.iter().map(|floor| floor.says[structure][0]).sum::<u64>();
    Claim::gate("COMMON-families-floor", "No footprint calls bodies clear that touch.")
        .paper(OWN)
        .ours(format!(
            "{missed} missed of {touching} contacts in {questions} questions; may touch: {} by contours, {} by one circle",
            said(1),
            said(3)
        ))
        .holds_if(missed == 0 && touching > 0 && (touching as usize) < questions)
        .why("A footprint holds all of a body, at whatever height; what it calls clear is clear.")
}
