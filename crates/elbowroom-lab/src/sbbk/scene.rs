//! What the experiments have in common: layers, models, places.

use std::ops::{ControlFlow, Range};

use elbowroom::internal::bvh::{Config, NodeId};
use elbowroom::internal::query::{CollisionRequest, Want};
use elbowroom::internal::traverse::{Judge, Path, Tally, Workspace, pair};
use elbowroom::internal::volume::Family;
use elbowroom::{Aabb, Mesh, Pose};
use elbowroom_motion::body::{Part, Rig};
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::LayeredPairs;
use elbowroom_papers::sbbk::Spaces;
use elbowroom_papers::sbbk::collide_layered;
use elbowroom_papers::sbbk::{Layers, LayersError};
use glam::{DQuat, DVec3};

use crate::Absent;
use crate::data::at_rest;

/// Layers that are known to be sound.
pub(crate) fn sound(layering: Result<Layers, LayersError>) -> Layers {
    layering.expect("layers that ascend")
}

/// The paper's own.
pub(crate) fn sbbk() -> Layers {
    sound(Layers::sbbk(18, 1, 4))
}

pub(super) fn aabb() -> Layers {
    sound(Layers::single(Family::Aabb))
}

/// A tree that is cut as boxes along the axes would cut it, whatever its layers, so that all that
/// are compared have the topology that suits the AABB tree.
pub(super) fn layered(mesh: &Mesh, layering: &Layers) -> HybridTree {
    HybridTree::new(mesh.clone(), layering, &Config::default().with_family(Family::Aabb))
}

pub(crate) fn at(place: DVec3) -> Pose {
    Pose::from_translation(place).expect("finite")
}

/// Counts everything.
pub(crate) const COUNT: CollisionRequest = CollisionRequest {
    want: Want::Count,
    path: Path { rule: elbowroom::internal::traverse::Rule::Larger, level: None },
    margin: 0.0,
};

/// The work of a query for all contacts, and how many there are.
pub(super) fn work(
    a: &HybridTree,
    place_a: &Pose,
    b: &HybridTree,
    place_b: &Pose,
    workspace: &mut Workspace,
) -> (Tally, u64) {
    let answer = collide_layered(a, place_a, b, place_b, &COUNT, workspace);
    (answer.tally, answer.count())
}

/// The generated helicopter, its parts as one mesh, and which triangles are the rotor's. It is
/// banked, so that its blades do not lie along the axes.
pub(crate) fn helicopter() -> (Mesh, Range<usize>) {
    let parts = at_rest(&elbowroom_make::helicopter(1)).expect("its parts are meshes");
    banked(&parts, 1, 1.0)
}

/// A real one: what turns above it is its rotor. As long as the generated one, so that the ball is
/// as large beside it.
pub(super) fn real_helicopter(rig: &Rig) -> Result<(Mesh, Range<usize>), Absent> {
    let parts = at_rest(rig)?;
    let is_rotor = |part: &Part| {
        let name = part.name.to_lowercase();
        !name.contains("back") && ["rotor", "propel"].iter().any(|word| name.contains(word))
    };
    let rotor = rig.parts.iter().position(is_rotor);
    let rotor =
        rotor.ok_or_else(|| Absent::new(format!("{}: no part is called a rotor", rig.name)))?;
    let width = |mesh: &Mesh| {
        let Aabb { min: low, max: high } = mesh.bounds();
        (high - low).max_element()
    };
    let ours = at_rest(&elbowroom_make::helicopter(1))?;
    Ok(banked(&parts, rotor, width(&ours[1]) / width(&parts[rotor])))
}

/// The parts as one mesh, scaled and banked, and the triangles of one of them.
fn banked(parts: &[Mesh], rotor: usize, scale: f64) -> (Mesh, Range<usize>) {
    let bank = DQuat::from_xyzw(0.07, 0.03, 0.12, 1.0).normalize();
    let whole = elbowroom_make::join(parts);
    let vertices = whole.vertices().iter().map(|&p| bank * (scale * p)).collect();
    let before: usize = parts[..rotor].iter().map(|part| part.triangles().len()).sum();
    let mesh = Mesh::new(vertices, whole.triangles().to_vec()).expect("turned and scaled");
    (mesh, before..before + parts[rotor].triangles().len())
}

/// A small ball.
pub(crate) fn ball(radius: f64, frequency: u32) -> Mesh {
    let ball = elbowroom_make::icosphere(frequency);
    let vertices = ball.vertices().iter().map(|&p| p * radius).collect();
    Mesh::new(vertices, ball.triangles().to_vec()).expect("finite")
}

/// The pairs of triangles whose leaves' volumes overlap: what an engine reports that goes by
/// volumes alone.
pub(super) fn reported(
    a: &HybridTree,
    place_a: &Pose,
    b: &HybridTree,
    place_b: &Pose,
) -> Vec<[u32; 2]> {
    let reach = |model: &HybridTree| {
        let Aabb { min: low, max: high } = model.bounds();
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
