//! Bodies by name, and which of them meet.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use elbowroom::{BodyId, ClosestPoints, Posed, Ray};
use glam::DVec3;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::model::{Model, length, one_pose};
use crate::work::{Answers, Places};
use crate::{arrays, errors, results, work};

type Value<'py> = Bound<'py, PyAny>;

/// The name of a body, shared by all that say it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Name(Arc<str>);

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
type Pair = (Name, Name);

#[derive(Clone, Default)]
struct Bodies {
    world: elbowroom::World,
    by_name: HashMap<Name, BodyId>,
    names: HashMap<BodyId, Name>,
}

impl Bodies {
    fn name(&self, body: BodyId) -> Name {
        self.names[&body].clone()
    }

    fn pair(&self, (a, b): (BodyId, BodyId)) -> Pair {
        (self.name(a), self.name(b))
    }

    fn posed(&self, body: BodyId) -> Posed<'_> {
        self.world.posed(body).expect("names are of bodies that are there")
    }

    /// A world of the same bodies that has not been asked anything yet: what an interrupted question
    /// leaves behind need not be whole.
    fn renew(&mut self) {
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
    fn meeting(&self, posed: Posed<'_>) -> Vec<Name> {
        let near = self.world.bodies_in(&posed.bounds());
        let meeting = near.into_iter().filter(|&body| self.posed(body).intersects(posed));
        meeting.map(|body| self.name(body)).collect()
    }

    /// The body that is nearest to a model, of several the first.
    fn nearest(&self, posed: Posed<'_>) -> Option<(Name, ClosestPoints)> {
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
    fn nearest_pair(&self) -> Option<(Pair, ClosestPoints)> {
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

/// Many bodies by name.
#[pyclass(frozen, subclass, module = "elbowroom", name = "World")]
pub(crate) struct World {
    /// Copied by who changes it while somebody still asks. Locked without the interpreter's lock
    /// only, since whoever has it may wait for that.
    bodies: Mutex<Arc<Bodies>>,
}

impl World {
    fn lock(&self) -> MutexGuard<'_, Arc<Bodies>> {
        self.bodies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bodies(&self, py: Python<'_>) -> Arc<Bodies> {
        py.detach(|| Arc::clone(&self.lock()))
    }

    fn look<T: Send>(&self, py: Python<'_>, look: impl FnOnce(&Bodies) -> T + Send) -> T {
        py.detach(|| look(&self.lock()))
    }

    fn change<T: Send>(&self, py: Python<'_>, change: impl FnOnce(&mut Bodies) -> T + Send) -> T {
        py.detach(|| change(Arc::make_mut(&mut self.lock())))
    }

    /// Asks something that keeps what it found for the next time.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&mut Bodies) -> T + Send,
    ) -> PyResult<T> {
        let answer = work::run(py, || question(Arc::make_mut(&mut self.lock())));
        if answer.is_err() {
            self.change(py, Bodies::renew);
        }
        answer
    }

    fn ask_about<T: Send>(
        &self,
        model: &Bound<'_, Model>,
        pose: Option<&Value<'_>>,
        query: impl Fn(&Bodies, Posed<'_>) -> T + Sync + Send,
    ) -> PyResult<Answers<T>> {
        let py = model.py();
        let (places, engine) = (Places::read(py, pose, None)?, model.get().engine());
        let bodies = self.bodies(py);
        places.ask(py, |pose, _| query(&bodies, engine.at(pose)))
    }
}

#[pymethods]
impl World {
    #[new]
    fn py_new() -> Self {
        Self { bodies: Mutex::default() }
    }

    #[pyo3(signature = (name, model, pose=None))]
    fn add(&self, name: &str, model: &Bound<'_, Model>, pose: Option<&Value<'_>>) -> PyResult<()> {
        let py = model.py();
        let (pose, engine) = (one_pose(pose)?, model.get().engine());
        let name = Name(name.into());
        let is_new = self.change(py, |bodies| {
            if bodies.by_name.contains_key(&name) {
                return false;
            }
            let body = bodies.world.insert(engine, pose);
            bodies.by_name.insert(name.clone(), body);
            bodies.names.insert(body, name.clone());
            true
        });
        if is_new {
            return Ok(());
        }
        let text =
            format!("{:?} is in the world already; remove it first, or use another name", name.0);
        Err(PyValueError::new_err(text))
    }

    fn remove(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.change(py, |bodies| {
            let Some(body) = bodies.by_name.remove(name) else { return false };
            bodies.names.remove(&body);
            bodies.world.remove(body).is_ok()
        })
        .then_some(())
        .ok_or_else(|| errors::no_body(py, name))
    }

    fn set_pose(&self, py: Python<'_>, name: &str, pose: &Value<'_>) -> PyResult<()> {
        let pose = one_pose(Some(pose))?;
        self.change(py, |bodies| {
            let body = *bodies.by_name.get(name)?;
            bodies.world.set_pose(body, pose).ok()
        })
        .ok_or_else(|| errors::no_body(py, name))
    }

    /// Many at once: one call for each of 10⁵ bodies would cost more than the question.
    fn set_poses(&self, py: Python<'_>, names: Vec<String>, poses: &Value<'_>) -> PyResult<()> {
        let poses = arrays::Poses::read(Some(poses), "poses")?;
        if poses.count() != Some(names.len()) {
            let given =
                poses.count().map_or("one pose".to_owned(), |count| format!("{count} poses"));
            let text = format!("there are {} names and {given}; give as many of each", names.len());
            return Err(errors::new(py, "ArrayError", &text, &[]));
        }
        self.change(py, |bodies| {
            // All or nothing.
            let ids: Result<Vec<_>, usize> = names
                .iter()
                .enumerate()
                .map(|(index, name)| bodies.by_name.get(name.as_str()).copied().ok_or(index))
                .collect();
            for (index, body) in ids?.into_iter().enumerate() {
                let set = bodies.world.set_pose(body, poses.at(index));
                set.expect("names are of bodies that are there");
            }
            Ok(())
        })
        .map_err(|index: usize| errors::no_body(py, &names[index]))
    }

    fn refit(&self, name: &str, vertices: &Value<'_>) -> PyResult<()> {
        let py = vertices.py();
        let points = arrays::points(vertices, "vertices")?;
        let refitted = self.change(py, |bodies| {
            let body = *bodies.by_name.get(name)?;
            Some(bodies.world.refit(body, &points))
        });
        let refitted = refitted.ok_or_else(|| errors::no_body(py, name))?;
        refitted.map_err(|error| errors::body_refit(py, &error))
    }

    fn pose<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let pose = self.look(py, |bodies| {
            let body = *bodies.by_name.get(name)?;
            bodies.world.pose(body).ok().copied()
        });
        arrays::pose(py, &pose.ok_or_else(|| errors::no_body(py, name))?)
    }

    /// The model of a body; with the vertices of its last refit.
    fn model(&self, py: Python<'_>, name: &str) -> PyResult<Model> {
        let model = self.look(py, |bodies| {
            let body = bodies.by_name.get(name)?;
            bodies.world.model(*body).ok().map(Arc::clone)
        });
        model.map(Model::of_arc).ok_or_else(|| errors::no_body(py, name))
    }

    /// The names, in the order in which bodies came where none was removed.
    #[getter]
    fn names(&self, py: Python<'_>) -> Vec<Name> {
        self.look(py, |bodies| bodies.world.bodies().map(|body| bodies.name(body)).collect())
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.look(py, |bodies| bodies.world.len())
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> bool {
        self.look(py, |bodies| bodies.by_name.contains_key(name))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.__len__(py) {
            1 => "World(1 body)".to_owned(),
            count => format!("World({count} bodies)"),
        }
    }

    fn intersecting_pairs(&self, py: Python<'_>) -> PyResult<Vec<Pair>> {
        self.ask(py, |bodies| {
            let pairs = bodies.world.intersecting_pairs();
            pairs.into_iter().map(|pair| bodies.pair(pair)).collect()
        })
    }

    fn pairs_within(&self, py: Python<'_>, clearance: f64) -> PyResult<Vec<Pair>> {
        let clearance = length("clearance", clearance)?;
        self.ask(py, |bodies| {
            let pairs = bodies.world.pairs_within(clearance);
            pairs.into_iter().map(|pair| bodies.pair(pair)).collect()
        })
    }

    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Value<'py>> {
        let (names, offsets, pairs) = self.ask(py, |bodies| {
            let (mut ids, mut offsets, mut pairs) = (Vec::new(), vec![0_i64], Vec::new());
            for touching in bodies.world.contacts() {
                ids.push((touching.a, touching.b));
                pairs.extend_from_slice(touching.pairs());
                offsets.push(pairs.len() as i64);
            }
            let names: Vec<Pair> = ids.into_iter().map(|pair| bodies.pair(pair)).collect();
            (names, offsets, pairs)
        })?;
        let (triangles, crossing) = results::pairs(py, &pairs)?;
        let fields =
            (PyList::new(py, names)?, triangles, crossing, PyArray1::from_vec(py, offsets));
        results::record(py, "WorldContacts", fields)
    }

    /// Whether a model meets any body.
    #[pyo3(signature = (model, pose=None))]
    fn intersects<'py>(
        &self,
        model: &Bound<'py, Model>,
        pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let answers = self.ask_about(model, pose, |bodies, posed| {
            let near = bodies.world.bodies_in(&posed.bounds());
            near.into_iter().any(|body| bodies.posed(body).intersects(posed))
        })?;
        results::values(model.py(), answers)
    }

    /// The names of the bodies that a model meets.
    #[pyo3(signature = (model, pose=None))]
    fn meeting<'py>(
        &self,
        model: &Bound<'py, Model>,
        pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let py = model.py();
        match self.ask_about(model, pose, Bodies::meeting)? {
            Answers::One(names) => Ok(PyList::new(py, names)?.into_any()),
            Answers::Many(all) => Ok(PyList::new(py, all)?.into_any()),
        }
    }

    /// The body that is nearest to a model, and the closest points of model and body.
    #[pyo3(signature = (model, pose=None))]
    fn nearest<'py>(
        &self,
        model: &Bound<'py, Model>,
        pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let py = model.py();
        let closest =
            |found: Vec<ClosestPoints>| results::closest_points(py, &Answers::Many(found));
        match self.ask_about(model, pose, Bodies::nearest)? {
            Answers::One(None) => Ok(py.None().into_bound(py)),
            Answers::One(Some((name, found))) => {
                let closest = results::closest_points(py, &Answers::One(found))?;
                Ok((name, closest).into_pyobject(py)?.into_any())
            }
            // Without bodies there is nothing near for any of them.
            Answers::Many(all) if all.iter().any(Option::is_none) => Ok(py.None().into_bound(py)),
            Answers::Many(all) => {
                let (names, found): (Vec<_>, Vec<_>) = all.into_iter().flatten().unzip();
                Ok((names, closest(found)?).into_pyobject(py)?.into_any())
            }
        }
    }

    /// The two bodies that are nearest to each other; nothing of fewer than two.
    fn nearest_pair<'py>(&self, py: Python<'py>) -> PyResult<Value<'py>> {
        match self.ask(py, |bodies| bodies.nearest_pair())? {
            None => Ok(py.None().into_bound(py)),
            Some((pair, found)) => {
                let closest = results::closest_points(py, &Answers::One(found))?;
                Ok((pair, closest).into_pyobject(py)?.into_any())
            }
        }
    }

    /// Of each ray the first body that it hits.
    fn ray_cast<'py>(&self, origins: &Value<'py>, directions: &Value<'py>) -> PyResult<Value<'py>> {
        let py = origins.py();
        // A ray that passes the body which reaches farthest passes all of them.
        let far = self.look(py, |bodies| {
            let body = bodies.world.bodies().max_by(|&a, &b| {
                let far = |body| passing(DVec3::ZERO, DVec3::X, bodies.posed(body));
                far(a).total_cmp(&far(b))
            })?;
            let model = bodies.world.model(body).map(Arc::clone).ok()?;
            Some((model, *bodies.posed(body).pose()))
        });
        let rays = arrays::rays(origins, directions, |origin, direction| match &far {
            Some((model, pose)) => Ray::towards(origin, direction, model, pose),
            None => Ray::new(origin, origin + direction),
        })?;
        let bodies = self.bodies(py);
        let hits = work::many(py, rays.len(), |i| {
            let found = bodies.world.ray_cast(&rays[i])?;
            let distance = rays[i].from().distance(found.hit.point);
            Some((bodies.name(found.body), found.hit, distance))
        })?;
        let names = PyList::new(py, hits.iter().map(|it| it.as_ref().map(|it| it.0.clone())))?;
        let distances = hits.iter().map(|it| it.as_ref().map_or(f64::INFINITY, |it| it.2));
        let points = hits.iter().map(|it| it.as_ref().map_or(DVec3::NAN, |it| it.1.point));
        let triangles = hits.iter().map(|it| it.as_ref().map_or(-1, |it| i64::from(it.1.triangle)));
        let fields = (
            names,
            PyArray1::from_vec(py, distances.collect()),
            arrays::vectors(py, points)?,
            PyArray1::from_vec(py, triangles.collect()),
        );
        results::record(py, "WorldRayHits", fields)
    }
}

/// How far from its beginning a ray ends that passes a body.
fn passing(origin: DVec3, direction: DVec3, body: Posed<'_>) -> f64 {
    let ray = Ray::towards(origin, direction, body.model(), body.pose());
    ray.map_or(f64::INFINITY, |ray| ray.to().distance(ray.from()))
}
