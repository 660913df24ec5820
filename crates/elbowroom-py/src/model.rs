//! A mesh with its tree, rigid or deformable, and what can be asked of it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use elbowroom::{
    CcdOptions, Certainty, ClosestPoints, Doubt, Model as Engine, Neighbours, Pose, Posed,
    QueryOptions, Ray, Relation, RigidMotion, TrianglePair,
};
use glam::DVec3;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::results::Found;
use crate::work::{Answers, Places};
use crate::{arrays, errors, results, work};

type Value<'py> = Bound<'py, PyAny>;

/// A mesh with its bounding volume hierarchy.
#[pyclass(frozen, subclass, module = "elbowroom")]
pub(crate) struct Model {
    /// Replaced by a refit; queries that still run keep what they began with.
    engine: Mutex<Arc<Engine>>,
}

impl Model {
    pub(crate) fn new(engine: Engine) -> Self {
        Self::of_arc(Arc::new(engine))
    }

    pub(crate) fn of_arc(engine: Arc<Engine>) -> Self {
        Self { engine: Mutex::new(engine) }
    }

    fn lock(&self) -> MutexGuard<'_, Arc<Engine>> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn engine(&self) -> Arc<Engine> {
        Arc::clone(&self.lock())
    }

    fn ask<T: Send>(
        &self,
        other: &Bound<'_, Self>,
        pose: Option<&Value<'_>>,
        other_pose: Option<&Value<'_>>,
        query: impl Fn(Posed<'_>, Posed<'_>) -> T + Sync + Send,
    ) -> PyResult<Answers<T>> {
        let py = other.py();
        let places = Places::read(py, pose, other_pose)?;
        let (a, b) = (self.engine(), other.get().engine());
        places.ask(py, |pose_a, pose_b| query(a.at(pose_a), b.at(pose_b)))
    }

    fn about_points<T: Send>(
        &self,
        points: &Value<'_>,
        pose: Option<&Value<'_>>,
        query: impl Fn(Posed<'_>, DVec3) -> T + Sync + Send,
    ) -> PyResult<Vec<T>> {
        let py = points.py();
        let (points, pose) = (arrays::points(points, "points")?, one_pose(pose)?);
        if let Some(vertex) = points.iter().position(|point| !point.is_finite()) {
            let text = format!("point {vertex} is {}, which is not finite", points[vertex]);
            return Err(errors::new(py, "ArrayError", &text, &[]));
        }
        let engine = self.engine();
        work::many(py, points.len(), |i| query(engine.at(pose), points[i]))
    }
}

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (vertices, faces=None))]
    fn py_new(vertices: &Value<'_>, faces: Option<&Value<'_>>) -> PyResult<Self> {
        let mesh = read_mesh(vertices, faces)?;
        work::run(vertices.py(), || Self::new(Engine::new(mesh)))
    }

    /// The vertices, as a new array (N, 3) of doubles.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::vectors(py, self.engine().mesh().vertices().iter().copied())
    }

    /// The triangles, as a new array (M, 3) of vertex numbers.
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let engine = self.engine();
        let triangles = engine.mesh().triangles();
        PyArray1::from_vec(py, triangles.concat()).reshape([triangles.len(), 3])
    }

    /// The lower and the upper corner of the mesh's box, as an array (2, 3).
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (low, high) = self.engine().mesh().bounds();
        arrays::vectors(py, [low, high].into_iter())
    }

    #[getter]
    fn is_deformable(&self) -> bool {
        self.lock().is_deformable()
    }

    /// What the mesh is as a solid.
    fn solid_profile<'py>(&self, py: Python<'py>) -> PyResult<Value<'py>> {
        let engine = self.engine();
        let profile = work::run(py, || engine.solid_profile())?;
        let doubt = match profile.certainty {
            Certainty::Exact => None,
            Certainty::Estimate(doubt) => Some(doubt_text(doubt)),
        };
        let seams = profile.seams;
        let fields = (
            seams.is_closed(),
            seams.is_manifold(),
            seams.is_oriented(),
            seams.boundary,
            profile.components,
            doubt,
        );
        results::record(py, "SolidProfile", fields)
    }

    #[pyo3(signature = (other, pose=None, other_pose=None))]
    fn intersects<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let answers = self.ask(other, pose, other_pose, |a, b| a.intersects(b))?;
        results::values(other.py(), answers)
    }

    #[pyo3(signature = (other, pose=None, other_pose=None, *, solid=false, clearance=None))]
    fn contacts<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
        solid: bool,
        clearance: Option<f64>,
    ) -> PyResult<Value<'py>> {
        let mut options = QueryOptions::KIND.pairs();
        if solid {
            options = options.solid();
        }
        if let Some(clearance) = clearance {
            options = options.within(length("clearance", clearance)?);
        }
        let answers = self.ask(other, pose, other_pose, |a, b| {
            let found = a.query(b, &options);
            Found {
                pairs: found.pairs,
                kind: found.kind.unwrap_or_default(),
                inside: found.inside,
                is_exact: found.certainty.is_exact(),
            }
        })?;
        results::contacts(other.py(), &answers)
    }

    #[pyo3(signature = (other, pose=None, other_pose=None, *, solid=false))]
    fn regions<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
        solid: bool,
    ) -> PyResult<Value<'py>> {
        let options = QueryOptions::default().regions();
        let options = if solid { options.solid() } else { options };
        let answers = self.ask(other, pose, other_pose, |a, b| a.query(b, &options).regions)?;
        results::regions(other.py(), &answers)
    }

    #[pyo3(signature = (other, pairs, pose=None, other_pose=None))]
    fn contact_points<'py>(
        &self,
        other: &Bound<'py, Self>,
        pairs: &Value<'py>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let py = other.py();
        let (pose, other_pose) = (one_pose(pose)?, one_pose(other_pose)?);
        let (a, b) = (self.engine(), other.get().engine());
        let counts = (a.mesh().triangles().len(), b.mesh().triangles().len());
        let pairs: PyReadonlyArray2<'_, u32> =
            py.import("elbowroom._arrays")?.call_method1("pairs", (pairs, counts))?.extract()?;
        let rows = pairs.as_array();
        let pairs: Vec<_> = rows.outer_iter().map(|row| [row[0], row[1]]).collect();
        let relation = Relation::Crossing;
        let points = work::many(py, pairs.len(), |i| {
            let [first, second] = pairs[i];
            let pair = TrianglePair { a: first, b: second, relation };
            a.at(pose).contact_point(b.at(other_pose), pair)
        })?;
        let fields = (
            arrays::vectors(py, points.iter().map(|it| it.point))?,
            arrays::vectors(py, points.iter().map(|it| it.normal))?,
            PyArray1::from_vec(py, points.iter().map(|it| it.depth).collect()),
        );
        results::record(py, "ContactPoints", fields)
    }

    #[pyo3(signature = (other, pose=None, other_pose=None))]
    fn distance<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let answers = self.ask(other, pose, other_pose, |a, b| a.distance(b))?;
        results::values(other.py(), answers)
    }

    #[pyo3(signature = (other, pose=None, other_pose=None))]
    fn closest_points<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let closest = |a: Posed<'_>, b: Posed<'_>| -> ClosestPoints { a.closest_points(b) };
        let answers = self.ask(other, pose, other_pose, closest)?;
        results::closest_points(other.py(), &answers)
    }

    #[pyo3(signature = (other, clearance, pose=None, other_pose=None))]
    fn is_within<'py>(
        &self,
        other: &Bound<'py, Self>,
        clearance: f64,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let clearance = length("clearance", clearance)?;
        let answers = self.ask(other, pose, other_pose, |a, b| a.is_within(b, clearance))?;
        results::values(other.py(), answers)
    }

    #[pyo3(signature = (other, pose=None, other_pose=None))]
    fn penetration<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let answers = self.ask(other, pose, other_pose, |a, b| a.penetration(b))?;
        results::penetration(other.py(), &answers)
    }

    #[pyo3(signature = (other, pose=None, other_pose=None))]
    fn overlap<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let answers = self.ask(other, pose, other_pose, |a, b| a.overlap(b))?;
        results::overlap(other.py(), &answers)
    }

    #[pyo3(signature = (other, pose=None, other_pose=None))]
    fn minimum_translation<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let answers = self.ask(other, pose, other_pose, |a, b| a.minimum_translation(b))?;
        results::minimum_translation(other.py(), &answers)
    }

    #[pyo3(signature = (other, start, end, other_start=None, other_end=None, *, clearance=0.0, delta=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn time_of_impact<'py>(
        &self,
        other: &Bound<'py, Self>,
        start: &Value<'py>,
        end: &Value<'py>,
        other_start: Option<&Value<'py>>,
        other_end: Option<&Value<'py>>,
        clearance: f64,
        delta: Option<f64>,
    ) -> PyResult<Value<'py>> {
        let py = other.py();
        let mut options = CcdOptions::default().within(length("clearance", clearance)?);
        if let Some(delta) = delta {
            options = options.delta(length("delta", delta)?);
        }
        let starts = Places::read(py, Some(start), other_start)?;
        let ends = Places::read(py, Some(end), other_end.or(other_start))?;
        let (a, b) = (self.engine(), other.get().engine());
        let answers = Places::ask_motions(py, starts, ends, |[a0, a1], [b0, b1]| {
            let a = a.moving(RigidMotion::between(&a0, &a1));
            a.time_of_impact(b.moving(RigidMotion::between(&b0, &b1)), &options)
        })?;
        results::impacts(py, &answers)
    }

    #[pyo3(signature = (neighbours="decide"))]
    fn self_contacts<'py>(&self, py: Python<'py>, neighbours: &str) -> PyResult<Value<'py>> {
        let neighbours = match neighbours {
            "decide" => Neighbours::Decide,
            "skip" => Neighbours::Skip,
            "count" => Neighbours::Count,
            other => {
                return Err(PyValueError::new_err(format!(
                    "neighbours is {other:?}; give 'decide', 'skip' or 'count'"
                )));
            }
        };
        let engine = self.engine();
        let pairs = work::run(py, || engine.self_contacts(neighbours))?;
        results::record(py, "SelfContacts", results::pairs(py, &pairs)?)
    }

    #[pyo3(signature = (points, pose=None))]
    fn inside<'py>(
        &self,
        points: &Value<'py>,
        pose: Option<&Value<'py>>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let inside = self.about_points(points, pose, |model, point| model.contains(point))?;
        Ok(PyArray1::from_vec(points.py(), inside))
    }

    #[pyo3(signature = (points, pose=None))]
    fn winding<'py>(&self, points: &Value<'py>, pose: Option<&Value<'py>>) -> PyResult<Value<'py>> {
        let all = self.about_points(points, pose, |model, point| model.winding(point))?;
        results::windings(points.py(), &all)
    }

    #[pyo3(signature = (points, pose=None))]
    fn closest_point<'py>(
        &self,
        points: &Value<'py>,
        pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let py = points.py();
        let all = self.about_points(points, pose, |model, point| model.closest_point(point))?;
        let fields = (
            PyArray1::from_vec(
                py,
                all.iter().map(|it| it.map_or(f64::NAN, |it| it.distance)).collect(),
            ),
            arrays::vectors(py, all.iter().map(|it| it.map_or(DVec3::NAN, |it| it.point)))?,
            PyArray1::from_vec(
                py,
                all.iter().map(|it| it.map_or(-1, |it| i64::from(it.triangle))).collect(),
            ),
        );
        results::record(py, "ClosestPoint", fields)
    }

    #[pyo3(signature = (origins, directions, pose=None))]
    fn ray_cast<'py>(
        &self,
        origins: &Value<'py>,
        directions: &Value<'py>,
        pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let py = origins.py();
        let (engine, pose) = (self.engine(), one_pose(pose)?);
        let rays = arrays::rays(origins, directions, |origin, direction| {
            Ray::towards(origin, direction, &engine, &pose)
        })?;
        let hits = work::many(py, rays.len(), |i| {
            let hit = engine.at(pose).ray_cast(&rays[i])?;
            Some((hit, rays[i].from().distance(hit.point)))
        })?;
        let fields = (
            PyArray1::from_vec(
                py,
                hits.iter().map(|it| it.map_or(f64::INFINITY, |it| it.1)).collect(),
            ),
            arrays::vectors(py, hits.iter().map(|it| it.map_or(DVec3::NAN, |it| it.0.point)))?,
            PyArray1::from_vec(
                py,
                hits.iter().map(|it| it.map_or(-1, |it| i64::from(it.0.triangle))).collect(),
            ),
        );
        results::record(py, "RayHits", fields)
    }

    /// The tree as bytes, to be stored beside the mesh.
    fn tree_to_bytes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.engine().tree_to_bytes().map(|bytes| PyBytes::new(py, &bytes))
    }

    /// A model whose tree was stored by `tree_to_bytes`.
    #[classmethod]
    fn from_tree_bytes(
        _class: &Bound<'_, PyType>,
        vertices: &Value<'_>,
        faces: &Value<'_>,
        tree: &[u8],
    ) -> PyResult<Self> {
        let mesh = arrays::mesh(vertices, faces)?;
        let engine = Engine::with_tree_bytes(mesh, tree);
        engine.map(Self::new).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Value<'py>, Value<'py>)> {
        let py = slf.py();
        let model = slf.get();
        let (class, arrays) = (slf.get_type(), (model.vertices(py)?, model.faces(py)?));
        match model.tree_to_bytes(py).filter(|_| !model.is_deformable()) {
            Some(tree) => {
                let rebuild = class.getattr("from_tree_bytes")?;
                Ok((rebuild, (arrays.0, arrays.1, tree).into_pyobject(py)?.into_any()))
            }
            None => Ok((class.into_any(), arrays.into_pyobject(py)?.into_any())),
        }
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let engine = slf.get().engine();
        let mesh = engine.mesh();
        let (vertices, faces) = (mesh.vertices().len(), mesh.triangles().len());
        Ok(format!("{}({vertices} vertices, {faces} faces)", slf.get_type().name()?))
    }
}

/// A model whose vertices may move.
#[pyclass(frozen, extends = Model, module = "elbowroom")]
pub(crate) struct DeformableModel;

#[pymethods]
impl DeformableModel {
    #[new]
    #[pyo3(signature = (vertices, faces=None))]
    fn py_new(
        vertices: &Value<'_>,
        faces: Option<&Value<'_>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let mesh = read_mesh(vertices, faces)?;
        let model = work::run(vertices.py(), || Model::new(Engine::deformable(mesh)))?;
        Ok(PyClassInitializer::from(model).add_subclass(Self))
    }

    fn refit(slf: &Bound<'_, Self>, vertices: &Value<'_>) -> PyResult<()> {
        let py = slf.py();
        let points = arrays::points(vertices, "vertices")?;
        let model = slf.as_super().get();
        let refitted = py.detach(|| Arc::make_mut(&mut model.lock()).refit(&points));
        refitted.map_err(|error| errors::refit(py, &error))
    }
}

/// The mesh of two arrays, or of one object that has `vertices` and `faces`.
fn read_mesh(vertices: &Value<'_>, faces: Option<&Value<'_>>) -> PyResult<elbowroom::Mesh> {
    if let Some(faces) = faces {
        return arrays::mesh(vertices, faces);
    }
    let arrays = vertices.py().import("elbowroom._arrays")?;
    let (vertices, faces): (Value<'_>, Value<'_>) =
        arrays.call_method1("mesh_like", (vertices,))?.extract()?;
    arrays::mesh(&vertices, &faces)
}

/// A pose where a batch would make no sense.
pub(crate) fn one_pose(pose: Option<&Value<'_>>) -> PyResult<Pose> {
    match arrays::Poses::read(pose, "pose")? {
        arrays::Poses::One(pose) => Ok(pose),
        arrays::Poses::Many(_) => {
            Err(PyValueError::new_err("pose has to be one pose, (4, 4), here"))
        }
    }
}

/// A length that is not below zero.
pub(crate) fn length(name: &str, value: f64) -> PyResult<f64> {
    if value.is_finite() && value >= 0.0 {
        return Ok(value);
    }
    Err(PyValueError::new_err(format!("{name} is {value}; give a length of 0 or more")))
}

fn doubt_text(doubt: Doubt) -> String {
    match doubt {
        Doubt::Boundary(edges) => format!("{edges} boundary edges"),
        Doubt::Inconsistent(edges) => format!("{edges} edges wound against their neighbours"),
        Doubt::Unbalanced(edges) => format!("{edges} edges of uneven sides"),
        Doubt::NoSurface => "no surface".to_owned(),
        Doubt::MeetsItself => "it meets itself".to_owned(),
        _ => "it is not closed".to_owned(),
    }
}
