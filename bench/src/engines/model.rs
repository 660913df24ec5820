//! `Model`, `query::collide` and `query::World`, as users call them, with a workspace that is kept.

use std::sync::Arc;

use elbowroom::Pose;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{
    CollisionRequest, CollisionResult, Want, World, collide, distance, intersects,
};
use elbowroom::internal::traverse::{Tally, Workspace};
use elbowroom_bench_protocol::files::{Mesh as FileMesh, Workload};
use elbowroom_bench_protocol::play::{Player, Ready, Tests, thread_secs};

use super::Placed;
use crate::Failure;

/// Models of one configuration.
pub(crate) struct Models {
    by_mesh: Vec<Arc<Model>>,
    queries: Vec<Placed>,
    bodies: Vec<Pose>,
    config: Config,
    source: FileMesh,
    triangles: u64,
    /// Whether pairs are listed, or only counted; then it answers nothing else.
    lists: bool,
    workspace: Workspace,
    tally: Tally,
}

impl Models {
    /// Builds a workload's models.
    pub(crate) fn new(workload: &Workload, config: &Config, lists: bool) -> Result<Self, Failure> {
        let grow = |mesh| Ok(Arc::new(grown(super::mesh(mesh)?, config)));
        let by_mesh: Vec<Arc<Model>> =
            workload.meshes.iter().map(grow).collect::<Result<_, Failure>>()?;
        for model in &by_mesh {
            probe(model);
        }
        Ok(Self {
            by_mesh,
            queries: super::placed(workload)?,
            bodies: workload.bodies.iter().map(super::placement).collect::<Result<_, _>>()?,
            config: *config,
            source: workload.meshes.first().cloned().unwrap_or_default(),
            triangles: super::triangles(workload),
            lists,
            workspace: Workspace::default(),
            tally: Tally::default(),
        })
    }

    fn ask(&mut self, query: usize, how_much: Want) -> CollisionResult {
        let ([a, b], [place_a, place_b]) = &self.queries[query];
        let question = CollisionRequest { want: how_much, ..CollisionRequest::default() };
        let (a, b) = (&self.by_mesh[*a], &self.by_mesh[*b]);
        let answer = collide(a, place_a, b, place_b, &question, &mut self.workspace);
        self.tally += answer.tally;
        answer
    }
}

/// The default model is made as users make it.
fn grown(mesh: elbowroom::Mesh, config: &Config) -> Model {
    if *config == Config::default() { Model::new(mesh) } else { Model::with_config(mesh, config) }
}

/// Asks a model once, against its own first triangle, so that whatever it puts off until then is
/// done.
fn probe(model: &Model) -> bool {
    let corners = model.mesh().triangle(0).to_vec();
    let here = Pose::IDENTITY;
    elbowroom::Mesh::new(corners, vec![[0, 1, 2]])
        .is_ok_and(|mesh| intersects(model, &here, &grown(mesh, model.config()), &here))
}

impl Player for Models {
    fn ready(&self) -> Ready {
        Ready { triangles: self.triangles, bytes: None }
    }

    fn queries(&self) -> usize {
        self.queries.len()
    }

    fn boolean(&mut self, query: usize) -> Option<bool> {
        self.lists.then(|| self.ask(query, Want::Any).is_contact())
    }

    fn all(&mut self, query: usize) -> Option<u64> {
        let how_much = if self.lists { Want::All } else { Want::Count };
        let answer = self.ask(query, how_much);
        Some(if self.lists { answer.pairs.len() as u64 } else { answer.count() })
    }

    fn distance(&mut self, query: usize) -> Option<f64> {
        if !self.lists {
            return None;
        }
        let ([a, b], [place_a, place_b]) = &self.queries[query];
        let (a, b) = (&self.by_mesh[*a], &self.by_mesh[*b]);
        let found = distance(a, place_a, b, place_b, f64::INFINITY, &mut self.workspace)?;
        Some(found.distance)
    }

    fn world(&mut self) -> Option<u64> {
        if !self.lists || self.bodies.is_empty() {
            return None;
        }
        let model = self.by_mesh.first()?;
        let mut world = World::new();
        for &place in &self.bodies {
            world.add(Arc::clone(model), place);
        }
        let whether = CollisionRequest { want: Want::Any, ..CollisionRequest::default() };
        Some(world.step(&whether).touching.len() as u64)
    }

    fn build(&mut self) -> Option<(f64, u64)> {
        let mesh = super::mesh(&self.source).ok().filter(|_| self.lists)?;
        let start = thread_secs();
        let model = grown(mesh, &self.config);
        let is_whole = probe(&model);
        let secs = thread_secs() - start;
        is_whole.then(|| (secs, model.mesh().triangles().len() as u64))
    }

    fn tests(&mut self) -> Tests {
        let tally = std::mem::take(&mut self.tally);
        Tests { volumes: tally.volumes(), triangles: tally.primitives }
    }
}
