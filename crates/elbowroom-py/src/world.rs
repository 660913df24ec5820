//! Bodies by name, and which of them meet. Documentation comments are docstrings, as in `model.rs`.

mod bodies;

use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use elbowroom::{ClosestPoints, Posed, Ray};
use glam::DVec3;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use bodies::{Bodies, Name, Pair};

use crate::model::{Model, length, one_pose};
use crate::work::{Answers, Places};
use crate::{arrays, errors, results, work};

type Value<'py> = Bound<'py, PyAny>;

thread_local! {
    /// The worlds that this thread is asking, and has locked.
    static ASKED: RefCell<Vec<*const World>> = const { RefCell::new(Vec::new()) };
}

/// Takes a world off that list, also when a question is interrupted.
struct Asking;

impl Drop for Asking {
    fn drop(&mut self) {
        ASKED.with_borrow_mut(Vec::pop);
    }
}

/// Many bodies by name, and which of them meet: broad phase and narrow phase in one.
///
/// A body is a model at a pose; many bodies may share a model. What was found about two bodies is kept
/// as long as neither moves, so that a step costs what moves. Answers are exact, and do not depend on
/// earlier steps. Pairs are in the order in which bodies came. Can be used from several threads.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> import elbowroom as er
/// >>> model = er.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
/// >>> world = er.World()
/// >>> world.add("floor", model)
/// >>> pose = np.eye(4)
/// >>> pose[2, 3] = 5
/// >>> world.add("lamp", model, pose)
/// >>> world.intersecting_pairs()
/// []
/// >>> world.set_pose("lamp", np.eye(4))
/// >>> world.intersecting_pairs()
/// [('floor', 'lamp')]
#[pyclass(frozen, subclass, module = "elbowroom", name = "World")]
pub(crate) struct World {
    /// Copied by a change while a query still runs. Locked without the interpreter's lock only,
    /// because its holder may wait for that lock.
    bodies: Mutex<Arc<Bodies>>,
}

impl World {
    fn lock(&self) -> MutexGuard<'_, Arc<Bodies>> {
        self.bodies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A signal handler, or whatever else Python runs while this thread asks a question, would wait
    /// for the end of that question for ever.
    fn not_asking(&self) -> PyResult<()> {
        let here: *const Self = self;
        if ASKED.with_borrow(|asked| asked.contains(&here)) {
            let text = "the world is being asked by this very thread, which a signal interrupted";
            return Err(PyRuntimeError::new_err(text));
        }
        Ok(())
    }

    fn bodies(&self, py: Python<'_>) -> PyResult<Arc<Bodies>> {
        self.not_asking()?;
        Ok(py.detach(|| Arc::clone(&self.lock())))
    }

    fn look<T: Send>(&self, py: Python<'_>, look: impl FnOnce(&Bodies) -> T + Send) -> PyResult<T> {
        self.not_asking()?;
        Ok(py.detach(|| look(&self.lock())))
    }

    fn change<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut Bodies) -> T + Send,
    ) -> PyResult<T> {
        self.not_asking()?;
        Ok(py.detach(|| change(Arc::make_mut(&mut self.lock()))))
    }

    /// Asks something that keeps what it found for the next time.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&mut Bodies) -> T + Send,
    ) -> PyResult<T> {
        self.not_asking()?;
        let answer = work::run(py, || {
            let mut bodies = self.lock();
            ASKED.with_borrow_mut(|asked| asked.push(self));
            let _asking = Asking;
            question(Arc::make_mut(&mut bodies))
        });
        if answer.is_err() {
            self.change(py, Bodies::renew)?;
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
        let (places, engine) = (Places::read(py, pose, None)?, model.get().engine(py));
        let bodies = self.bodies(py)?;
        places.ask(py, |pose, _| query(&bodies, engine.at(pose)))
    }
}

#[pymethods]
impl World {
    #[new]
    fn py_new() -> Self {
        Self { bodies: Mutex::default() }
    }

    /// Adds a body.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     A name that no body has.
    /// model : Model
    ///     Its model, as it is now: a later ``refit`` of the model does not change the body.
    /// pose : array_like of shape (4, 4), optional
    ///     Where it is; at the origin if left out.
    ///
    /// Raises
    /// ------
    /// ArgumentError
    ///     If a body of this name is in the world already.
    /// PoseError, ArrayError
    ///     If the pose is not rigid, not finite, or no (4, 4) array of numbers.
    #[pyo3(signature = (name, model, pose=None))]
    fn add(&self, name: &str, model: &Bound<'_, Model>, pose: Option<&Value<'_>>) -> PyResult<()> {
        let py = model.py();
        let (pose, engine) = (one_pose(py, pose, "pose")?, model.get().engine(py));
        let name = Name(name.into());
        let is_new = self.change(py, |bodies| {
            if bodies.by_name.contains_key(&name) {
                return false;
            }
            let body = bodies.world.insert(engine, pose);
            bodies.by_name.insert(name.clone(), body);
            bodies.names.insert(body, name.clone());
            true
        })?;
        if is_new {
            return Ok(());
        }
        let text =
            format!("{:?} is in the world already; remove it first, or use another name", name.0);
        Err(errors::argument(py, &text))
    }

    /// Removes a body.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name of the body.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If no body has this name.
    fn remove(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.change(py, |bodies| {
            let Some(body) = bodies.by_name.remove(name) else { return false };
            bodies.names.remove(&body);
            bodies.world.remove(body).is_ok()
        })?
        .then_some(())
        .ok_or_else(|| errors::no_body(py, name))
    }

    /// Moves a body. A pose that it has already costs nothing.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name of the body.
    /// pose : array_like of shape (4, 4)
    ///     Where it is now.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If no body has this name.
    /// PoseError, ArrayError
    ///     If the pose is not rigid, not finite, or no (4, 4) array of numbers.
    fn set_pose(&self, py: Python<'_>, name: &str, pose: &Value<'_>) -> PyResult<()> {
        let pose = one_pose(py, Some(pose), "pose")?;
        self.change(py, |bodies| {
            let body = *bodies.by_name.get(name)?;
            bodies.world.set_pose(body, pose).ok()
        })?
        .ok_or_else(|| errors::no_body(py, name))
    }

    /// Moves many bodies in one call. If one name or pose is wrong, none is moved.
    ///
    /// Parameters
    /// ----------
    /// names : sequence of str
    ///     The names of P bodies.
    /// poses : array_like of shape (P, 4, 4)
    ///     Where they are now.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If no body has one of the names.
    /// PoseError, ArrayError
    ///     If a pose is not rigid or not finite, or there are not as many of them as names.
    ///
    /// Examples
    /// --------
    /// >>> import numpy as np
    /// >>> import elbowroom as er
    /// >>> model = er.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> world = er.World()
    /// >>> for name in "abc":
    /// ...     world.add(name, model)
    /// >>> poses = np.repeat(np.eye(4)[None], 3, axis=0)
    /// >>> poses[:, 2, 3] = 0, 1, 2
    /// >>> world.set_poses(world.names, poses)
    /// >>> world.intersecting_pairs()
    /// []
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
        })?
        .map_err(|index: usize| errors::no_body(py, &names[index]))
    }

    /// Moves the vertices of a body whose model is a :class:`DeformableModel`.
    ///
    /// Other bodies of the same model, and the model itself, stay as they are.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name of the body.
    /// vertices : array_like of shape (N, 3)
    ///     As many vertices as its model has.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If no body has this name.
    /// MeshError
    ///     If the model is not deformable, a vertex is not finite, or there are more or fewer of them.
    /// ArrayError
    ///     If the array has a wrong shape or type.
    fn refit(&self, name: &str, vertices: &Value<'_>) -> PyResult<()> {
        let py = vertices.py();
        let points = arrays::points(vertices, "vertices")?;
        let refitted = self.change(py, |bodies| {
            let body = *bodies.by_name.get(name)?;
            Some(bodies.world.refit(body, &points))
        })?;
        let refitted = refitted.ok_or_else(|| errors::no_body(py, name))?;
        refitted.map_err(|error| errors::body_refit(py, &error))
    }

    /// Where a body is, as a new array (4, 4).
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name of the body.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If no body has this name.
    fn pose<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let pose = self.look(py, |bodies| {
            let body = *bodies.by_name.get(name)?;
            bodies.world.pose(body).ok().copied()
        })?;
        arrays::pose(py, &pose.ok_or_else(|| errors::no_body(py, name))?)
    }

    /// The model of a body, with the vertices of its last refit.
    ///
    /// A new object; to refit it changes nothing in the world.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name of the body.
    ///
    /// Returns
    /// -------
    /// Model
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If no body has this name.
    fn model(&self, py: Python<'_>, name: &str) -> PyResult<Model> {
        let model = self.look(py, |bodies| {
            let body = bodies.by_name.get(name)?;
            bodies.world.model(*body).ok().map(Arc::clone)
        })?;
        model.map(Model::of_arc).ok_or_else(|| errors::no_body(py, name))
    }

    /// The names of the bodies, in the order in which they came if none was removed.
    #[getter]
    fn names(&self, py: Python<'_>) -> PyResult<Vec<Name>> {
        self.look(py, |bodies| bodies.world.bodies().map(|body| bodies.name(body)).collect())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.look(py, |bodies| bodies.world.len())
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        self.look(py, |bodies| bodies.by_name.contains_key(name))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(match self.__len__(py)? {
            1 => "World(1 body)".to_owned(),
            count => format!("World({count} bodies)"),
        })
    }

    /// Every two bodies that intersect; touching counts.
    ///
    /// The fastest question about all of them: it ends for two bodies with the first triangles that
    /// meet. Surfaces are compared: a body wholly inside another one does not intersect it.
    ///
    /// Returns
    /// -------
    /// list of tuple of str
    ///     The names of two bodies each, the one that came first in front.
    fn intersecting_pairs(&self, py: Python<'_>) -> PyResult<Vec<Pair>> {
        self.ask(py, |bodies| {
            let pairs = bodies.world.intersecting_pairs();
            pairs.into_iter().map(|pair| bodies.pair(pair)).collect()
        })
    }

    /// Every two bodies whose surfaces are as near as a clearance, or nearer.
    ///
    /// Parameters
    /// ----------
    /// clearance : float
    ///     A length of 0 or more, in the unit of the vertices.
    ///
    /// Returns
    /// -------
    /// list of tuple of str
    ///     The names of two bodies each.
    ///
    /// Raises
    /// ------
    /// ArgumentError
    ///     If the clearance is negative or not finite.
    fn pairs_within(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arrays::number)] clearance: f64,
    ) -> PyResult<Vec<Pair>> {
        let clearance = length(py, "clearance", clearance)?;
        self.ask(py, |bodies| {
            let pairs = bodies.world.pairs_within(clearance);
            pairs.into_iter().map(|pair| bodies.pair(pair)).collect()
        })
    }

    /// Every two bodies that intersect, with all pairs of triangles that meet.
    ///
    /// Returns
    /// -------
    /// WorldContacts
    ///
    /// Examples
    /// --------
    /// >>> import elbowroom as er
    /// >>> model = er.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> world = er.World()
    /// >>> world.add("floor", model)
    /// >>> world.add("carpet", model)
    /// >>> for contact in world.contacts():
    /// ...     print(contact.a, contact.b, contact.pairs)
    /// floor carpet [[0 0]]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Value<'py>> {
        let (names, offsets, pairs) = self.ask(py, |bodies| {
            let (mut ids, mut offsets, mut pairs) = (Vec::new(), vec![0_i64], Vec::new());
            for touching in bodies.world.contacts() {
                ids.push((touching.a, touching.b));
                pairs.extend_from_slice(touching.pairs());
                offsets.push(results::offset(pairs.len()));
            }
            let names: Vec<Pair> = ids.into_iter().map(|pair| bodies.pair(pair)).collect();
            (names, offsets, pairs)
        })?;
        let (triangles, crossing) = results::pairs(py, &pairs)?;
        let fields =
            (PyList::new(py, names)?, triangles, crossing, PyArray1::from_vec(py, offsets));
        results::record(py, "WorldContacts", fields)
    }

    /// Whether a model intersects any body; touching counts.
    ///
    /// Parameters
    /// ----------
    /// model : Model
    ///     A model that need not be in the world.
    /// pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where it is; at the origin if left out. A batch asks about each pose, on all cores.
    ///
    /// Returns
    /// -------
    /// bool or numpy.ndarray
    ///     An array (P,) of bool for a batch of poses.
    ///
    /// Raises
    /// ------
    /// PoseError, ArrayError
    ///     If a pose is not rigid or not finite, or the array has a wrong shape or type.
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

    /// The names of the bodies that a model intersects; touching counts.
    ///
    /// Parameters
    /// ----------
    /// model : Model
    ///     A model that need not be in the world.
    /// pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where it is; at the origin if left out. A batch asks about each pose, on all cores.
    ///
    /// Returns
    /// -------
    /// list of str
    ///     A list of such lists for a batch of poses.
    ///
    /// Raises
    /// ------
    /// PoseError, ArrayError
    ///     If a pose is not rigid or not finite, or the array has a wrong shape or type.
    ///
    /// Examples
    /// --------
    /// >>> import elbowroom as er
    /// >>> model = er.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> world = er.World()
    /// >>> world.add("floor", model)
    /// >>> world.meeting(model)
    /// ['floor']
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

    /// The body that is nearest to a model, and the closest points of both.
    ///
    /// Of several bodies at the same distance, the one that came first.
    ///
    /// Parameters
    /// ----------
    /// model : Model
    ///     A model that need not be in the world.
    /// pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where it is; at the origin if left out. A batch asks about each pose, on all cores.
    ///
    /// Returns
    /// -------
    /// tuple of (str, ClosestPoints) or None
    ///     Side ``a`` is the model, side ``b`` the body. For a batch of poses a list of names, and
    ///     ``ClosestPoints`` of arrays. ``None`` if the world has no bodies.
    ///
    /// Raises
    /// ------
    /// PoseError, ArrayError
    ///     If a pose is not rigid or not finite, or the array has a wrong shape or type.
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

    /// The two bodies that are nearest to each other, and their closest points.
    ///
    /// Returns
    /// -------
    /// tuple of (tuple of str, ClosestPoints) or None
    ///     ``None`` if the world has fewer than two bodies.
    fn nearest_pair<'py>(&self, py: Python<'py>) -> PyResult<Value<'py>> {
        match self.ask(py, |bodies| bodies.nearest_pair())? {
            None => Ok(py.None().into_bound(py)),
            Some((pair, found)) => {
                let closest = results::closest_points(py, &Answers::One(found))?;
                Ok((pair, closest).into_pyobject(py)?.into_any())
            }
        }
    }

    /// The first body that each ray hits.
    ///
    /// Parameters
    /// ----------
    /// origins : array_like of shape (N, 3)
    ///     Where the rays begin; one (3,) for all of them is enough.
    /// directions : array_like of shape (N, 3)
    ///     Where they go, of any length but 0; one (3,) for all of them is enough.
    ///
    /// Returns
    /// -------
    /// WorldRayHits
    ///
    /// Raises
    /// ------
    /// RayError
    ///     If a ray is not finite or has no direction; its ``ray`` is the number of the ray.
    /// ArrayError
    ///     If an array has a wrong shape or type, or there are different numbers of both.
    ///
    /// Examples
    /// --------
    /// >>> import elbowroom as er
    /// >>> model = er.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> world = er.World()
    /// >>> world.add("floor", model)
    /// >>> hits = world.ray_cast([[0.25, 0.25, 3], [9, 9, 3]], [0, 0, -1])
    /// >>> hits.name, hits.distance
    /// (['floor', None], array([ 3., inf]))
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
        })?;
        let rays = arrays::rays(origins, directions, |origin, direction| match &far {
            Some((model, pose)) => Ray::towards(origin, direction, model, pose),
            None => Ray::new(origin, origin + direction),
        })?;
        let bodies = self.bodies(py)?;
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
