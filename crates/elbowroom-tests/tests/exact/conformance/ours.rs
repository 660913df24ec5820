//! elbowroom as an engine of the conformance suite: the one place where its answers are plugged in.

use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::query::{Contacts, Inside, Neighbours, QueryOptions};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Mesh, Pose, Relation};
use elbowroom_testkit::conformance::{Body, Engine, Kind, Place, Side};
use glam::{DMat3, DVec3};

/// Answers by the library.
#[derive(Default)]
pub struct Ours {
    workspace: Workspace,
}

fn model(body: &Body) -> (Model, Pose) {
    let vertices = body.mesh.vertices.iter().map(|&v| DVec3::from_array(v)).collect();
    let mesh =
        Mesh::new(vertices, body.mesh.triangles.clone()).expect("the suite's meshes are sound");
    let rotation = DMat3::from_cols_array_2d(&body.pose.r).transpose();
    let placement = Pose::new(rotation, DVec3::from_array(body.pose.t));
    (Model::new(mesh), placement.expect("the suite's poses are rigid"))
}

fn kind(kind: query::ContactKind) -> Kind {
    match kind {
        query::ContactKind::Clear => Kind::Clear,
        query::ContactKind::Clearance => Kind::Clearance,
        query::ContactKind::Touching => Kind::Touching,
        query::ContactKind::Crossing => Kind::Crossing,
        query::ContactKind::Containment => Kind::Containment,
        query::ContactKind::Duplicate => Kind::Duplicate,
    }
}

fn side(a: bool, b: bool) -> Side {
    match (a, b) {
        (false, false) => Side::Neither,
        (true, false) => Side::A,
        (false, true) => Side::B,
        (true, true) => Side::Both,
    }
}

impl Ours {
    fn ask(&mut self, a: &Body, b: &Body, ask: QueryOptions) -> Contacts {
        let ((a, place_a), (b, place_b)) = (model(a), model(b));
        query::query(&a, &place_a, &b, &place_b, &ask, &mut self.workspace)
    }
}

impl Engine for Ours {
    fn meets(&mut self, a: &Body, b: &Body) -> Option<bool> {
        Some(self.ask(a, b, QueryOptions::default()).is_contact)
    }

    fn surface(&mut self, a: &Body, b: &Body, clearance: f64) -> Option<Kind> {
        self.ask(a, b, QueryOptions::KIND.within(clearance)).kind.map(kind)
    }

    fn solid(&mut self, a: &Body, b: &Body, clearance: f64) -> Option<Kind> {
        self.ask(a, b, QueryOptions::KIND.solid().within(clearance)).kind.map(kind)
    }

    fn solids_meet(&mut self, a: &Body, b: &Body) -> Option<bool> {
        Some(self.ask(a, b, QueryOptions::default().solid()).is_contact)
    }

    fn contains(&mut self, a: &Body, b: &Body) -> Option<Side> {
        let inside = self.ask(a, b, QueryOptions::KIND.solid()).inside;
        let is = |which| inside == Some(which) || inside == Some(Inside::Each);
        Some(side(is(Inside::Second), is(Inside::First)))
    }

    fn through(&mut self, a: &Body, b: &Body) -> Option<Side> {
        let ask = QueryOptions::KIND.solid().through();
        let through = self.ask(a, b, ask).through;
        Some(side(through.a_through_b, through.b_through_a))
    }

    fn is_closed(&mut self, body: &Body) -> Option<bool> {
        Some(query::profile(&model(body).0, &mut self.workspace).certainty.is_exact())
    }

    fn pairs(&mut self, a: &Body, b: &Body) -> Option<Vec<([u32; 2], bool)>> {
        let reply = self.ask(a, b, QueryOptions::default().pairs());
        let plain = reply.pairs.iter().map(|p| ([p.a, p.b], p.relation == Relation::Crossing));
        Some(plain.collect())
    }

    fn distance(&mut self, a: &Body, b: &Body) -> Option<f64> {
        self.ask(a, b, QueryOptions::default().distance()).distance
    }

    fn signed_distance(&mut self, a: &Body, b: &Body) -> Option<f64> {
        self.ask(a, b, QueryOptions::default().solid().distance()).distance
    }

    fn is_within(&mut self, a: &Body, b: &Body, length: f64) -> Option<bool> {
        Some(self.ask(a, b, QueryOptions::default().within(length)).is_near)
    }

    fn self_pairs(&mut self, body: &Body) -> Option<Vec<[u32; 2]>> {
        let (model, _) = model(body);
        let (pairs, _) =
            query::self_triangle_pairs(&model, Neighbours::default(), &mut self.workspace);
        Some(pairs.iter().map(|pair| [pair.a, pair.b]).collect())
    }

    fn place(&mut self, body: &Body, point: [f64; 3]) -> Option<Place> {
        let (model, placement) = model(body);
        let point = DVec3::from_array(point);
        let winding = query::winding(&model, &placement, point, &mut self.workspace);
        Some(match (winding.on_surface, winding.is_inside()) {
            (true, _) => Place::On,
            (_, true) => Place::Inside,
            _ => Place::Outside,
        })
    }
}
