//! elbowroom as an engine of the conformance suite: the one place where its answers are plugged in.
//!
//! A question without an answer here is not answered yet; the test counts them.

use elbowroom::descend::Workspace;
use elbowroom::query::{Neighbours, collide, collide_self, touches};
use elbowroom::{Mesh, Model, Placement, Relation};
use elbowroom_testkit::conformance::{Body, Engine, Kind};
use glam::{DMat3, DVec3};

/// Answers by the library.
#[derive(Default)]
pub struct Ours {
    workspace: Workspace,
}

fn model(body: &Body) -> (Model, Placement) {
    let vertices = body.mesh.vertices.iter().map(|&v| DVec3::from_array(v)).collect();
    let mesh =
        Mesh::new(vertices, body.mesh.triangles.clone()).expect("the suite's meshes are sound");
    let rotation = DMat3::from_cols_array_2d(&body.pose.r).transpose();
    let placement = Placement::new(rotation, DVec3::from_array(body.pose.t));
    (Model::new(mesh), placement.expect("the suite's poses are rigid"))
}

impl Engine for Ours {
    fn meets(&mut self, a: &Body, b: &Body) -> Option<bool> {
        let ((a, place_a), (b, place_b)) = (model(a), model(b));
        Some(touches(&a, &place_a, &b, &place_b))
    }

    /// What is clear may be within the clearance, and what touches may be a duplicate.
    fn surface(&mut self, a: &Body, b: &Body, clearance: f64) -> Option<Kind> {
        let ((a, place_a), (b, place_b)) = (model(a), model(b));
        let pairs = collide(&a, &place_a, &b, &place_b);
        let is_crossing = pairs.iter().any(|pair| pair.relation == Relation::Crossing);
        match (pairs.is_empty(), is_crossing) {
            (true, _) => (clearance == 0.0).then_some(Kind::Clear),
            (_, true) => Some(Kind::Crossing),
            _ if a.mesh().triangles().len() != b.mesh().triangles().len() => Some(Kind::Touching),
            _ => None,
        }
    }

    fn is_closed(&mut self, body: &Body) -> Option<bool> {
        Some(model(body).0.mesh().welded().seams().is_closed())
    }

    fn pairs(&mut self, a: &Body, b: &Body) -> Option<Vec<([u32; 2], bool)>> {
        let ((a, place_a), (b, place_b)) = (model(a), model(b));
        let pairs = collide(&a, &place_a, &b, &place_b);
        let plain = pairs.iter().map(|p| ([p.a, p.b], p.relation == Relation::Crossing));
        Some(plain.collect())
    }

    fn is_within(&mut self, a: &Body, b: &Body, length: f64) -> Option<bool> {
        // At no distance, being near is to touch.
        (length == 0.0).then(|| self.meets(a, b))?
    }

    /// Neighbours are passed over, so that only meshes whose neighbours do not matter are answered.
    fn self_pairs(&mut self, body: &Body) -> Option<Vec<[u32; 2]>> {
        let (model, _) = model(body);
        let (pairs, _) = collide_self(&model, Neighbours::Skip, &mut self.workspace);
        let triangles = model.mesh().triangles();
        let shares = |i: usize, j: usize| triangles[i].iter().any(|v| triangles[j].contains(v));
        let neighbours = (0..triangles.len()).any(|i| (0..i).any(|j| shares(i, j)));
        (!neighbours).then(|| pairs.iter().map(|pair| [pair.a, pair.b]).collect())
    }
}
