//! The bodies of a world by name, apart from Python.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

use elbowroom::{BodyId, ClosestPoints, Posed};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The name of a body, shared by all that say it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Name(pub(super) Arc<str>);

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl<'py> IntoPyObject<'py> for Name {
    type Target = PyString;
    type Output = Bound<'py, PyString>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Infallible> {
        Ok(PyString::new(py, &self.0))
    }
}

/// Two bodies, the one that came first in front.
pub(super) type Pair = (Name, Name);

#[derive(Clone, Default)]
pub(super) struct Bodies {
    pub(super) world: elbowroom::World,
    pub(super) by_name: HashMap<Name, BodyId>,
    pub(super) names: HashMap<BodyId, Name>,
}

impl Bodies {
    pub(super) fn name(&self, body: BodyId) -> Name {
        self.names[&body].clone()
    }

    pub(super) fn pair(&self, (a, b): (BodyId, BodyId)) -> Pair {
        (self.name(a), self.name(b))
    }

    pub(super) fn posed(&self, body: BodyId) -> Posed<'_> {
        self.world.posed(body).expect("names are of bodies that are there")
    }

    /// A world of the same bodies that has not been asked anything yet: what an interrupted question
    /// leaves behind need not be whole.
    pub(super) fn renew(&mut self) {
        let mut world = elbowroom::World::new();
        let mut names = HashMap::new();
        for body in self.world.bodies() {
            let posed = self.posed(body);
            let model = self.world.model(body).expect("it is among the bodies");
            let renewed = world.insert(Arc::clone(model), *posed.pose());
            let name = self.name(body);
            self.by_name.insert(name.clone(), renewed);
            names.insert(renewed, name);
        }
        (self.world, self.names) = (world, names);
    }

    /// The bodies that meet a model.
    pub(super) fn meeting(&self, posed: Posed<'_>) -> Vec<Name> {
        let near = self.world.bodies_in(&posed.bounds());
        let meeting = near.into_iter().filter(|&body| self.posed(body).intersects(posed));
        meeting.map(|body| self.name(body)).collect()
    }

    /// The body that is nearest to a model, of several the first.
    pub(super) fn nearest(&self, posed: Posed<'_>) -> Option<(Name, ClosestPoints)> {
        let mut best: Option<(BodyId, ClosestPoints)> = None;
        for body in self.world.bodies() {
            let limit = best.map_or(f64::INFINITY, |(_, best)| best.distance);
            let found = posed.closest_points_within(self.posed(body), limit);
            if let Some(found) = found.filter(|found| best.is_none() || found.distance < limit) {
                best = Some((body, found));
            }
            if best.is_some_and(|(_, best)| best.distance == 0.0) {
                break;
            }
        }
        best.map(|(body, found)| (self.name(body), found))
    }

    /// The two bodies that are nearest to each other, of several the first.
    pub(super) fn nearest_pair(&self) -> Option<(Pair, ClosestPoints)> {
        let bodies: Vec<_> = self.world.bodies().collect();
        let mut best: Option<((BodyId, BodyId), ClosestPoints)> = None;
        for (index, &a) in bodies.iter().enumerate() {
            for &b in &bodies[index + 1..] {
                let limit = best.map_or(f64::INFINITY, |(_, best)| best.distance);
                let found = self.posed(a).closest_points_within(self.posed(b), limit);
                if let Some(found) = found.filter(|found| best.is_none() || found.distance < limit)
                {
                    best = Some(((a, b), found));
                }
                if best.is_some_and(|(_, best)| best.distance == 0.0) {
                    return best.map(|(pair, found)| (self.pair(pair), found));
                }
            }
        }
        best.map(|(pair, found)| (self.pair(pair), found))
    }
}
