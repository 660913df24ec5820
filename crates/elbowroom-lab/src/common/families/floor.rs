//! Bodies on a floor: whether they may touch, by what they look like from above, and whether they do.
//!
//! Footprints answer another question than trees in space: *clear* is certain, *may touch* is not. So what they say is held against what is true, and their
//! time against that of the packed tree for a plain yes or no.

use std::hint::black_box;

use elbowroom::Model;
use elbowroom::descend::Workspace;
use elbowroom::footprint::{
    BoxParts, BoxWork, Boxes, Footprint, FootprintConfig, Look, Nearness, Parts, Work, ask,
    ask_boxes,
};
use elbowroom::query::{Ask, Question};

use super::super::OWN;
use super::super::scene::Scene;
use super::super::turns::{Secs, Turns};
use crate::clock::thread_secs;
use crate::{Claim, Table};

const NAMES: [&str; 5] = [
    "packed OBB in space",
    "circles, contour",
    "circles, triangles",
    "one circle",
    "boxes, contour",
];

/// The structures around the bodies of a scene.
struct Bodies<'a> {
    scene: &'a Scene,
    models: Vec<Model>,
    circles: [Vec<Footprint>; 3],
    boxes: Vec<Boxes>,
    workspace: Workspace,
    work: Work,
    box_work: BoxWork,
}

impl<'a> Bodies<'a> {
    fn new(scene: &'a Scene) -> Option<Self> {
        let meshes = &scene.meshes;
        let circles = [Parts::Contour, Parts::Triangles, Parts::Whole].map(|parts| {
            let config = FootprintConfig { parts, ..FootprintConfig::default() };
            meshes.iter().map(|mesh| Footprint::of_mesh(mesh, &config)).collect()
        });
        let boxes = meshes.iter().map(|mesh| Boxes::of_mesh(mesh, BoxParts::Contour).ok());
        Some(Self {
            scene,
            models: meshes.iter().cloned().map(Model::new).collect(),
            circles,
            boxes: boxes.collect::<Option<_>>()?,
            workspace: Workspace::default(),
            work: Work::default(),
            box_work: BoxWork::default(),
        })
    }

    /// Whether a structure says that the bodies of a question touch, or may.
    fn says(&mut self, structure: usize, question: usize) -> bool {
        let asked = &self.scene.asks[question];
        let [at_a, at_b] = &self.scene.floor[question];
        let [a, b] = asked.bodies;
        let look = Look::default();
        let nearness = match structure {
            0 => {
                let whether = Question { ask: Ask::Whether, ..Question::default() };
                let [place_a, place_b] = &asked.at;
                let (a, b) = (&self.models[a], &self.models[b]);
                let workspace = &mut self.workspace;
                return elbowroom::query::ask(a, place_a, b, place_b, &whether, workspace)
                    .is_contact();
            }
            4 => ask_boxes(&self.boxes[a], at_a, &self.boxes[b], at_b, &look, &mut self.box_work),
            kind => {
                let circles = &self.circles[kind - 1];
                ask(&circles[a], at_a, &circles[b], at_b, &look, &mut self.work)
            }
        };
        nearness == Nearness::MayTouch
    }
}

/// What came of it on a scene.
pub(super) struct Floor {
    name: &'static str,
    questions: usize,
    touching: u64,
    /// By structure: how often it says that they may touch, and how often it fails to though they do.
    says: [[u64; 2]; NAMES.len()],
    turns: Turns,
}

impl Floor {
    /// Nothing where there is no floor.
    pub(super) fn measure(scene: &Scene, rounds: usize) -> Option<Self> {
        let questions = scene.floor.len();
        if questions == 0 {
            return None;
        }
        let mut bodies = Bodies::new(scene)?;
        let truth: Vec<bool> = (0..questions).map(|question| bodies.says(0, question)).collect();
        let mut says = [[0; 2]; NAMES.len()];
        for (structure, [said, missed]) in says.iter_mut().enumerate() {
            for (question, &is_true) in truth.iter().enumerate() {
                let may = bodies.says(structure, question);
                *said += u64::from(may);
                *missed += u64::from(is_true && !may);
            }
        }
        let turns = Turns::run(rounds, NAMES.len(), |structure| {
            let start = thread_secs();
            // Microseconds are too short for the clock.
            for _ in 0..4 {
                for question in 0..questions {
                    black_box(bodies.says(structure, question));
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
        for (structure, name) in NAMES.into_iter().enumerate() {
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
