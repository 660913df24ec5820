//! Bodies on a floor under all that can tell them apart: trees in space, and what they look like
//! from above.

use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::query::{CollisionRequest, Want};
use elbowroom::internal::traverse::Workspace;
use elbowroom_motion::footprint::{
    BoxParts, BoxWork, Boxes, Footprint, FootprintConfig, Look, Nearness, Parts, Work, ask,
    ask_boxes,
};

use super::scene::Scene;

/// What is seen from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Above {
    /// Circles around pieces of the contour.
    Contour,
    /// Circles around projected triangles.
    Triangles,
    /// One circle.
    Whole,
    /// Oriented boxes around pieces of the contour.
    Boxes,
}

/// The bodies of a scene, with memory for questions.
pub(super) struct Floored<'a> {
    scene: &'a Scene,
    models: Vec<Model>,
    /// By contour, triangles and whole.
    circles: [Vec<Footprint>; 3],
    boxes: Vec<Boxes>,
    workspace: Workspace,
    work: Work,
    box_work: BoxWork,
}

impl<'a> Floored<'a> {
    /// Nothing where there is no floor.
    pub(super) fn new(scene: &'a Scene) -> Option<Self> {
        if scene.floor.is_empty() {
            return None;
        }
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

    /// Whether the meshes of a question touch, by packed trees.
    pub(super) fn touch(&mut self, question: usize) -> bool {
        let asked = &self.scene.asks[question];
        let ([a, b], [place_a, place_b]) = (asked.bodies.map(|body| &self.models[body]), &asked.at);
        let whether = CollisionRequest { want: Want::Any, ..CollisionRequest::default() };
        query::collide(a, place_a, b, place_b, &whether, &mut self.workspace).is_contact()
    }

    /// Whether the bodies of a question may touch, from above.
    pub(super) fn may_touch(&mut self, above: Above, question: usize) -> bool {
        let [a, b] = self.scene.asks[question].bodies;
        let ([at_a, at_b], look) = (&self.scene.floor[question], Look::default());
        let nearness = match above {
            Above::Boxes => {
                ask_boxes(&self.boxes[a], at_a, &self.boxes[b], at_b, &look, &mut self.box_work)
            }
            above => {
                let circles = &self.circles[above as usize];
                ask(&circles[a], at_a, &circles[b], at_b, &look, &mut self.work)
            }
        };
        nearness == Nearness::MayTouch
    }
}
