//! What the experiments have in common: layers, models, places.

use std::ops::{ControlFlow, Range};

use elbowroom::body::Poser;
use elbowroom::descend::{Judge, LayeredPairs, Path, Tally, Workspace, pair};
use elbowroom::model::Layered;
use elbowroom::query::{Ask, Question, ask_layered};
use elbowroom::tree::{Config, Layering, LayeringError, NodeId};
use elbowroom::volume::{Family, Spaces};
use elbowroom::{Mesh, Placement};
use glam::{DQuat, DVec3};

/// Layers that are known to be sound.
pub(super) fn sound(layering: Result<Layering, LayeringError>) -> Layering {
    layering.expect("layers that ascend")
}

/// The paper's own.
pub(super) fn sbbk() -> Layering {
    sound(Layering::sbbk(18, 1, 4))
}

pub(super) fn aabb() -> Layering {
    sound(Layering::single(Family::Aabb))
}

/// A tree that is cut as boxes along the axes would cut it, whatever its layers, so that all that are compared have the
/// topology that suits the AABB tree.
pub(super) fn layered(mesh: &Mesh, layering: &Layering) -> Layered {
    Layered::new(mesh.clone(), layering, &Config::default().with_family(Family::Aabb))
}

pub(super) fn at(place: DVec3) -> Placement {
    Placement::from_translation(place).expect("finite")
}

/// Counts everything.
pub(super) const COUNT: Question = Question {
    ask: Ask::Count,
    path: Path { rule: elbowroom::descend::Rule::Larger, level: None },
    margin: 0.0,
};

/// The work of a query for all contacts, and how many there are.
pub(super) fn work(
    a: &Layered,
    place_a: &Placement,
    b: &Layered,
    place_b: &Placement,
    workspace: &mut Workspace,
) -> (Tally, u64) {
    let answer = ask_layered(a, place_a, b, place_b, &COUNT, workspace);
    (answer.tally, answer.count())
}

/// The generated helicopter, its parts as one mesh, and which triangles are the rotor's. It is banked, so that its blades do not lie along the axes.
pub(super) fn helicopter() -> (Mesh, Range<usize>) {
    let rig = elbowroom_make::helicopter(1);
    let (pose, mut poser) = (rig.rest_pose(), Poser::default());
    let bank = DQuat::from_xyzw(0.07, 0.03, 0.12, 1.0).normalize();
    let parts: Vec<Mesh> = (0..rig.parts.len())
        .map(|part| {
            let mut vertices = Vec::new();
            rig.posed(&pose, part, &mut poser, &mut vertices);
            let vertices = vertices.into_iter().map(|p| bank * p).collect();
            Mesh::new(vertices, rig.parts[part].mesh.triangles().to_vec()).expect("a posed part")
        })
        .collect();
    let hull = parts[0].triangles().len();
    (elbowroom_make::join(&parts), hull..hull + parts[1].triangles().len())
}

/// A small ball.
pub(super) fn ball(radius: f64, frequency: u32) -> Mesh {
    let ball = elbowroom_make::icosphere(frequency);
    let vertices = ball.vertices().iter().map(|&p| p * radius).collect();
    Mesh::new(vertices, ball.triangles().to_vec()).expect("finite")
}

/// The pairs of triangles whose leaves' volumes overlap: what an engine reports that goes by volumes alone.
pub(super) fn reported(
    a: &Layered,
    place_a: &Placement,
    b: &Layered,
    place_b: &Placement,
) -> Vec<[u32; 2]> {
    let reach = |model: &Layered| {
        let (low, high) = model.bounds();
        // Twice as far as the vertices, which no ball around them reaches beyond.
        2.0 * low.abs().max(high.abs()).element_sum()
    };
    let spaces = Spaces::new(place_a, reach(a), place_b, reach(b), 0.0);
    let pairs = LayeredPairs { a: a.layered_tree(), b: b.layered_tree(), spaces: &spaces };
    let mut reports = Reports { pairs, found: Vec::new() };
    // Nothing breaks the descent.
    let _ = pair(a.tree(), b.tree(), Path::default(), &mut reports, &mut Workspace::default());
    reports.found
}

struct Reports<'a> {
    pairs: LayeredPairs<'a>,
    found: Vec<[u32; 2]>,
}

impl Judge for Reports<'_> {
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        self.pairs.may_meet(a, b)
    }

    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.pairs.is_first_larger(a, b)
    }

    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()> {
        for &first in self.pairs.a.tree.members(a) {
            self.found.extend(self.pairs.b.tree.members(b).iter().map(|&second| [first, second]));
        }
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
