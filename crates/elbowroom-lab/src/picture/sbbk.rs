//! Scenes of SBBK: layers of balls, boxes along the axes and k-DOPs over one tree.

use std::ops::ControlFlow;
use std::sync::Arc;

use elbowroom::internal::bvh::{Config, NodeId};
use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::query::{CollisionRequest, Want, World};
use elbowroom::internal::traverse::{Judge, Path, Workspace, pair};
use elbowroom::internal::volume::Family;
use elbowroom::{Aabb, Mesh, Pose};
use elbowroom_make::{helicopter as generated_helicopter, icosphere, join, monkey_head};
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::LayeredPairs;
use elbowroom_papers::sbbk::Layers;
use elbowroom_papers::sbbk::Spaces;
use glam::DVec3;

use super::canvas::Canvas;
use super::lens::{Camera, Lens};
use super::pick::{color, layered, nodes};
use super::stage::{Body, Shape, Stage, Tint};
use super::text::{STRIP, above};
use super::{WHOLE, ink};
use crate::Context;
use crate::data::{HELICOPTER, SUZANNE, at_rest};
use crate::random::Random;

/// A tree that boxes along the axes cut, under the paper's layers.
fn sbbk(mesh: &Mesh) -> HybridTree {
    let layering = Layers::sbbk(18, 1, 4).expect("layers that ascend");
    HybridTree::new(mesh.clone(), &layering, &Config::default().with_family(Family::Aabb))
}

/// A mesh of the folder, brought to the size and the middle of another.
fn real(context: &Context, name: &str, like: &Mesh) -> Option<Mesh> {
    let rig = context.data.rig(name).ok()?;
    let mesh = join(&at_rest(&rig).ok()?);
    let of = |mesh: &Mesh| {
        let Aabb { min: low, max: high } = mesh.bounds();
        (0.5 * (low + high), (high - low).length())
    };
    let ((from, size), (to, wanted)) = (of(&mesh), of(like));
    let vertices = mesh.vertices().iter().map(|&p| to + (p - from) * (wanted / size)).collect();
    mesh.with_vertices(vertices).ok()
}

fn monkey(context: &Context) -> (Mesh, &'static str) {
    let generated = monkey_head(5);
    match real(context, SUZANNE, &generated) {
        Some(mesh) => (mesh, "Suzanne"),
        None => (generated, "A generated monkey's head"),
    }
}

/// §3.1: the layers of a head, level by level.
pub(super) fn head(context: &Context, canvas: &mut Canvas) -> String {
    let (mesh, whose) = monkey(context);
    let model = sbbk(&mesh);
    let levels = [0, 1, 2, 3, 4, 6];
    let shapes = |level: u32| nodes(model.tree(), level).map(|node| layered(&model, node));
    let all: Vec<DVec3> = levels
        .iter()
        .flat_map(|&level| shapes(level))
        .flat_map(|(shape, _)| shape.points())
        .collect();
    for (cell, level) in WHOLE.grid(3, 2).into_iter().zip(levels) {
        let lens =
            Lens::fitted(&Camera::y_up(28.0, 12.0), all.iter().copied(), cell.below(STRIP), 4.0);
        let mut stage = Stage::new(canvas, lens);
        stage.solid(&mesh, ink::STONE);
        let fill = if level < 2 { 0.16 } else { 0.26 };
        let shapes: Vec<(Shape, Tint)> = shapes(level)
            .map(|(shape, family)| (shape, Tint::new(color(family), fill, 1.0)))
            .collect();
        stage.volumes(&shapes);
        canvas.clip(cell);
        let name = match level {
            0 => "SPHERE",
            1..4 => "AABB",
            _ => "18-DOP",
        };
        above(canvas, cell, &format!("{name} LEVEL {level}"));
    }
    format!(
        "{whose} of {} triangles under the layers of SBBK: a ball at the root, boxes along the axes on levels 1 to 3, 18-DOPs below. Made with model::HybridTree and \
         Layers::sbbk(18, 1, 4).",
        mesh.triangles().len()
    )
}

/// Where a traversal of two trees stopped, in the first.
struct Front<'a> {
    pairs: LayeredPairs<'a>,
    stopped: Vec<NodeId>,
}

impl Judge for Front<'_> {
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        let may = self.pairs.may_meet(a, b);
        if !may {
            self.stopped.push(a);
        }
        may
    }

    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.pairs.is_first_larger(a, b)
    }

    fn leaves(&mut self, a: NodeId, _: NodeId) -> ControlFlow<()> {
        self.stopped.push(a);
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The nodes of the first model at which a query of both stops, each once.
fn front(a: &HybridTree, b: &HybridTree, place_b: &Pose) -> Vec<NodeId> {
    let reach = |model: &HybridTree| {
        let Aabb { min: low, max: high } = model.bounds();
        2.0 * low.abs().max(high.abs()).element_sum()
    };
    let spaces = Spaces::new(&Pose::IDENTITY, reach(a), place_b, reach(b), 0.0);
    let pairs = LayeredPairs { a: a.layered_tree(), b: b.layered_tree(), spaces: &spaces };
    let mut front = Front { pairs, stopped: Vec::new() };
    // Nothing breaks the traversal.
    let _ = pair(a.tree(), b.tree(), Path::default(), &mut front, &mut Workspace::default());
    front.stopped.sort_unstable();
    front.stopped.dedup();
    front.stopped
}

/// How far a ball falls until it would touch: a little less. It stays where nothing is below it.
fn fallen(mesh: &Mesh, ball: &Mesh, from: DVec3, most: f64) -> DVec3 {
    let [mesh, ball] = [mesh, ball].map(|mesh| Model::new(mesh.clone()));
    let touches = |way: f64| {
        let at = Pose::from_translation(from - DVec3::Y * way).expect("finite");
        query::intersects(&mesh, &Pose::IDENTITY, &ball, &at)
    };
    let steps = (0..200).map(|step| most * f64::from(step) / 200.0);
    let way = steps.take_while(|&way| !touches(way)).last().unwrap_or(0.0);
    from - DVec3::Y * if touches(way + most / 200.0) { way } else { 0.0 }
}

/// §4.1: the helicopter, the ball, and the front of their traversal.
pub(super) fn helicopter(context: &Context, canvas: &mut Canvas) -> String {
    let parts = at_rest(&generated_helicopter(1)).unwrap_or_default();
    let generated = join(&parts);
    let (mesh, whose) = match real(context, HELICOPTER, &generated) {
        Some(mesh) => (mesh, "An AW101"),
        None => (generated, "A generated helicopter"),
    };
    let ball = icosphere(10);
    let ball =
        ball.with_vertices(ball.vertices().iter().map(|&p| p * 0.42).collect()).unwrap_or(ball);
    let Aabb { min: low, max: high } = mesh.bounds();
    let place = fallen(&mesh, &ball, DVec3::new(0.55 * high.x, high.y + 0.5, 0.0), high.y - low.y);
    let at = Pose::from_translation(place).expect("finite");
    let [model, other] = [&mesh, &ball].map(sbbk);
    let nodes = front(&model, &other, &at);
    let camera = Camera::y_up(50.0, 22.0);
    let all: Vec<DVec3> = mesh.vertices().iter().copied().chain([place + DVec3::Y * 0.5]).collect();
    let lens = Lens::fitted(&camera, all.iter().copied(), WHOLE, 30.0);
    let mut stage = Stage::new(canvas, lens);
    let floor = low.y;
    let bodies =
        [Body::new(&mesh, &Pose::IDENTITY, ink::STONE), Body::new(&ball, &at, ink::SECOND)];
    stage.bodies(&bodies, |p| DVec3::new(p.x, floor, p.z), 9);
    let shapes: Vec<(Shape, Tint)> = nodes
        .iter()
        .map(|&node| layered(&model, node))
        .map(|(shape, family)| (shape, Tint::new(color(family), 0.10, 1.0)))
        .collect();
    stage.volumes(&shapes);
    format!(
        "{whose} of {} triangles, a ball that falls onto it, and the front of their query: the {} volumes of the helicopter at which the descent stopped, boxes along the axes blue, \
         18-DOPs violet. Far from the ball a few large ones do. Made with model::HybridTree and descend::pair.",
        mesh.triangles().len(),
        nodes.len()
    )
}

/// §4.2: heads that fall together.
pub(super) fn monkeys(context: &Context, canvas: &mut Canvas) -> String {
    const HEADS: usize = 64;
    let (mesh, whose) = monkey(context);
    let model = Arc::new(Model::new(mesh.clone()));
    let mut random = Random::new(0x5bb4);
    let mut world = World::new();
    let mut places = Vec::new();
    for head in 0..HEADS {
        // Four layers of four by four, shaken.
        let cell = DVec3::new((head % 4) as f64, (head / 16) as f64, (head / 4 % 4) as f64);
        let place = (cell - DVec3::new(1.5, 0.0, 1.5)) * DVec3::new(2.5, 2.2, 2.5);
        let turn = random.rotation();
        let placement = Pose::new(turn, place + random.point(-0.55, 0.55)).expect("a rotation");
        places.push((placement, world.add(Arc::clone(&model), placement)));
    }
    let step = world.step(&CollisionRequest { want: Want::Any, ..CollisionRequest::default() });
    let touches = |id| step.touching.iter().any(|pair| pair.a == id || pair.b == id);
    let all: Vec<DVec3> = places
        .iter()
        .flat_map(|(place, _)| mesh.vertices().iter().step_by(7).map(|&p| place.apply(p)))
        .collect();
    let lens = Lens::fitted(&Camera::y_up(32.0, 24.0), all.iter().copied(), WHOLE, 18.0);
    let mut stage = Stage::new(canvas, lens);
    let low = all.iter().map(|p| p.y).fold(f64::INFINITY, f64::min) - 0.4;
    let bodies: Vec<Body> = places
        .iter()
        .map(|(place, id)| {
            Body::new(&mesh, place, if touches(*id) { ink::CONTACT } else { ink::STONE })
        })
        .collect();
    stage.bodies(&bodies, |p| DVec3::new(p.x, low, p.z), 14);
    let touching = places.iter().filter(|(_, id)| touches(*id)).count();
    format!(
        "{HEADS} heads that fall together, in one frame. {whose} of {} triangles; the {touching} that touch another are red, in {} pairs. Found by query::World.",
        mesh.triangles().len(),
        step.touching.len()
    )
}
