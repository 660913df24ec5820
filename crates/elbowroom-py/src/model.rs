//! A mesh with its tree, rigid or deformable, and what can be asked of it.
//!
//! The documentation comments are the docstrings that Python shows, in the style of NumPy; their
//! examples run in `python/tests/test_stubs.py`.

mod arguments;
mod deformable;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use elbowroom::internal::exact::{PlacedTriangle, relate};
use elbowroom::{
    Aabb, CcdOptions, Certainty, ClosestPoints, Doubt, Model as Engine, Neighbours, Posed,
    QueryOptions, Ray, RigidMotion, TrianglePair,
};
use glam::DVec3;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

pub(crate) use arguments::{length, one_pose, read_mesh};
pub(crate) use deformable::DeformableModel;

use crate::results::Found;
use crate::work::{Answers, Places};
use crate::{arrays, errors, results, work};

type Value<'py> = Bound<'py, PyAny>;

/// A triangle mesh with its bounding volume hierarchy: what all queries are about.
///
/// All answers are exact for the numbers given, in whatever unit they are: two triangles meet or they
/// do not, and touching counts as meeting. Coordinates are never rounded; 32-bit floats are exact as
/// doubles. A model does not change, can be asked from several threads at once and can be pickled.
///
/// Wherever a query takes a pose, it takes a batch of them, an array (P, 4, 4), on either side: then
/// every field of the answer is an array whose first axis is that of the poses. Batches run on all
/// cores, and give the same bits as single calls. Queries release the interpreter's lock, and Ctrl-C
/// ends them.
///
/// Parameters
/// ----------
/// vertices : array_like of shape (N, 3)
///     The vertices. Or, without ``faces``, anything that has ``vertices`` and ``faces`` (a
///     ``trimesh.Trimesh``, say), ``vertices`` and ``triangles``, or is a pair of both.
/// faces : array_like of shape (M, 3), optional
///     Three vertex numbers for each triangle, counted from 0. Quads (M, 4) and lists of polygons are
///     cut into triangles; answers name those triangles, which ``faces`` of the model has.
///
/// Raises
/// ------
/// MeshError
///     If a vertex is not finite, a face names a vertex that does not exist, or there is no face.
/// ArrayError
///     If an array has a wrong shape or type.
///
/// Examples
/// --------
/// >>> import elbowroom as er
/// >>> model = er.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
/// >>> model
/// Model(3 vertices, 1 faces)
/// >>> er.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 3]])
/// Traceback (most recent call last):
///     ...
/// elbowroom.errors.MeshError: corner 2 of face 0 names vertex 3, but there are only 3 (counted from 0)
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

    /// What is asked. While another thread refits the model, the interpreter's lock is given back.
    pub(crate) fn engine(&self, py: Python<'_>) -> Arc<Engine> {
        match self.engine.try_lock() {
            Ok(engine) => Arc::clone(&engine),
            Err(_) => py.detach(|| Arc::clone(&self.lock())),
        }
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
        let (a, b) = (self.engine(py), other.get().engine(py));
        places.ask(py, |pose_a, pose_b| query(a.at(pose_a), b.at(pose_b)))
    }

    fn about_points<T: Send>(
        &self,
        points: &Value<'_>,
        pose: Option<&Value<'_>>,
        query: impl Fn(Posed<'_>, DVec3) -> T + Sync + Send,
    ) -> PyResult<Vec<T>> {
        let py = points.py();
        let (points, pose) = (arrays::points(points, "points")?, one_pose(py, pose, "pose")?);
        if let Some(index) = points.iter().position(|point| !point.is_finite()) {
            let text = format!("point {index} is {}, which is not finite", points[index]);
            return Err(errors::new(py, "ArrayError", &text, &[]));
        }
        let engine = self.engine(py);
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

    /// The vertices: a new array (N, 3) of doubles, equal to what was given.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::vectors(py, self.engine(py).mesh().vertices().iter().copied())
    }

    /// The triangles: a new array (M, 3) of vertex numbers, of type uint32.
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let engine = self.engine(py);
        let triangles = engine.mesh().triangles();
        PyArray1::from_vec(py, triangles.concat()).reshape([triangles.len(), 3])
    }

    /// The box of the mesh, where it is given: a new array (2, 3), the lower corner first.
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let Aabb { min: low, max: high } = self.engine(py).mesh().bounds();
        arrays::vectors(py, [low, high].into_iter())
    }

    /// Whether the vertices may move: true of a :class:`DeformableModel`.
    #[getter]
    fn is_deformable(&self, py: Python<'_>) -> bool {
        self.engine(py).is_deformable()
    }

    /// What the mesh is as a solid: closed or open, in how many pieces.
    ///
    /// Worked out at the first call and kept. The answers about solids (``penetration``, ``overlap``,
    /// ``inside``, ``solid=True``) are exact if ``doubt`` is ``None``.
    ///
    /// Returns
    /// -------
    /// SolidProfile
    ///
    /// Examples
    /// --------
    /// >>> import elbowroom as er
    /// >>> model = er.Model(
    /// ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    /// ...     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    /// ... )
    /// >>> model.solid_profile().is_closed
    /// True
    #[pyo3(text_signature = "($self)")]
    fn solid_profile<'py>(&self, py: Python<'py>) -> PyResult<Value<'py>> {
        let engine = self.engine(py);
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

    /// Whether two models have a point in common; touching counts.
    ///
    /// The fastest question: it ends with the first two triangles that meet. Exact.
    ///
    /// Parameters
    /// ----------
    /// other : Model
    ///     The other model; it may be this one.
    /// pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where this model is; at the origin if left out. A rigid matrix that acts on columns.
    /// other_pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where the other model is. Of two batches, pose ``i`` goes with pose ``i``.
    /// solid : bool, default False
    ///     Compare the solids that the meshes enclose, so that a model inside another one intersects
    ///     it. Otherwise surfaces are compared, and it does not. Of meshes that are not closed this
    ///     is an estimate; :meth:`contacts` says so.
    ///
    /// Returns
    /// -------
    /// bool or numpy.ndarray
    ///     An array (P,) of bool for a batch of poses.
    ///
    /// Raises
    /// ------
    /// PoseError
    ///     If a pose is not rigid or not finite; its ``pose`` is the number in the batch.
    /// ArrayError
    ///     If an array has a wrong shape or type, or two batches have different lengths.
    ///
    /// Examples
    /// --------
    /// >>> import numpy as np
    /// >>> import elbowroom as er
    /// >>> model = er.Model(
    /// ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    /// ...     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    /// ... )
    /// >>> model.intersects(model)
    /// True
    /// >>> many = np.repeat(np.eye(4)[None], 3, axis=0)
    /// >>> many[:, 0, 3] = 0.5, 1.0, 1.5
    /// >>> model.intersects(model, other_pose=many)
    /// array([ True,  True, False])
    #[pyo3(signature = (other, pose=None, other_pose=None, *, solid=false))]
    fn intersects<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
        solid: bool,
    ) -> PyResult<Value<'py>> {
        let options = QueryOptions::default().solid();
        let answers = self.ask(other, pose, other_pose, |a, b| {
            if solid { a.query(b, &options).is_contact } else { a.intersects(b) }
        })?;
        results::values(other.py(), answers)
    }

    /// Every pair of triangles that meet, and what the two models are to each other.
    ///
    /// Exact. The pairs are in order, and are the same whichever model asks.
    ///
    /// Parameters
    /// ----------
    /// other : Model
    ///     The other model; it may be this one.
    /// pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where this model is; at the origin if left out. A rigid matrix that acts on columns.
    /// other_pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where the other model is. Of two batches, pose ``i`` goes with pose ``i``.
    /// solid : bool, default False
    ///     Let ``kind`` compare the solids that the meshes enclose: then a model inside another one is
    ///     ``"containment"``, and ``inside`` says which. The pairs are those of the surfaces always.
    /// clearance : float, optional
    ///     Call models ``"clearance"`` that do not meet but are as near as this length, or nearer; in
    ///     the unit of the vertices.
    ///
    /// Returns
    /// -------
    /// Contacts or BatchContacts
    ///     ``Contacts`` is true if the models are in contact; ``BatchContacts`` has one for each pose.
    ///
    /// Raises
    /// ------
    /// PoseError
    ///     If a pose is not rigid or not finite; its ``pose`` is the number in the batch.
    /// ArrayError
    ///     If an array has a wrong shape or type, or two batches have different lengths.
    /// ArgumentError
    ///     If the clearance is negative or not finite.
    ///
    /// Examples
    /// --------
    /// >>> import numpy as np
    /// >>> import elbowroom as er
    /// >>> model = er.Model(
    /// ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    /// ...     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    /// ... )
    /// >>> shift = np.eye(4)
    /// >>> shift[0, 3] = 0.25
    /// >>> contacts = model.contacts(model, other_pose=shift)
    /// >>> contacts.kind, len(contacts.pairs)
    /// ('crossing', 9)
    /// >>> a, b = contacts.pairs[0]
    #[pyo3(signature = (other, pose=None, other_pose=None, *, solid=false, clearance=None))]
    fn contacts<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
        solid: bool,
        #[pyo3(from_py_with = arrays::maybe_number)] clearance: Option<f64>,
    ) -> PyResult<Value<'py>> {
        let mut options = QueryOptions::KIND.pairs();
        if solid {
            options = options.solid();
        }
        if let Some(clearance) = clearance {
            options = options.within(length(other.py(), "clearance", clearance)?);
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

    /// The places where two surfaces meet: one for each group of triangles that hang together.
    ///
    /// Each has the curves in which the surfaces cross, a point, a normal and the triangles. Which
    /// triangles meet is exact; points, lengths and areas are rounded.
    ///
    /// Parameters
    /// ----------
    /// other : Model
    ///     The other model; it may be this one.
    /// pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where this model is; at the origin if left out. A rigid matrix that acts on columns.
    /// other_pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where the other model is. Of two batches, pose ``i`` goes with pose ``i``.
    ///
    /// Returns
    /// -------
    /// list of Region
    ///     The longest curve first. A list of such lists for a batch of poses.
    ///
    /// Raises
    /// ------
    /// PoseError
    ///     If a pose is not rigid or not finite; its ``pose`` is the number in the batch.
    /// ArrayError
    ///     If an array has a wrong shape or type, or two batches have different lengths.
    ///
    /// Examples
    /// --------
    /// >>> import numpy as np
    /// >>> import elbowroom as er
    /// >>> model = er.Model(
    /// ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    /// ...     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    /// ... )
    /// >>> shift = np.eye(4)
    /// >>> shift[:3, 3] = 0.25, 0.25, -0.5
    /// >>> [region] = model.regions(model, other_pose=shift)
    /// >>> region.crossing > 0 and region.length > 0
    /// True
    #[pyo3(signature = (other, pose=None, other_pose=None))]
    fn regions<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let options = QueryOptions::default().regions();
        let answers = self.ask(other, pose, other_pose, |a, b| a.query(b, &options).regions)?;
        results::regions(other.py(), &answers)
    }

    /// A point, a normal and a depth for pairs of triangles, such as those of :meth:`contacts`.
    ///
    /// Of each two triangles alone, not of the solids that they are part of. Whether they meet is
    /// exact; the rest is rounded.
    ///
    /// Parameters
    /// ----------
    /// other : Model
    ///     The other model; it may be this one.
    /// pairs : array_like of shape (K, 2)
    ///     A triangle of this model and one of the other.
    /// pose : array_like of shape (4, 4), optional
    ///     Where this model is; at the origin if left out.
    /// other_pose : array_like of shape (4, 4), optional
    ///     Where the other model is.
    ///
    /// Returns
    /// -------
    /// ContactPoints
    ///     For two triangles that do not meet: the middle between them, and no depth.
    ///
    /// Raises
    /// ------
    /// ArrayError
    ///     If a pair names a triangle that does not exist, or an array has a wrong shape or type.
    /// PoseError
    ///     If a pose is not rigid or not finite.
    ///
    /// Examples
    /// --------
    /// >>> import elbowroom as er
    /// >>> floor = er.Model([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    /// >>> pin = er.Model([[1, 1, -0.25], [0.5, 1, 1], [1.5, 1, 1]], [[0, 1, 2]])
    /// >>> points = floor.contact_points(pin, floor.contacts(pin).pairs)
    /// >>> points.normal.round(6), points.depth.round(6)
    /// (array([[0., 0., 1.]]), array([0.25]))
    #[pyo3(signature = (other, pairs, pose=None, other_pose=None))]
    fn contact_points<'py>(
        &self,
        other: &Bound<'py, Self>,
        pairs: &Value<'py>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let py = other.py();
        let pose = one_pose(py, pose, "pose")?;
        let other_pose = one_pose(py, other_pose, "other_pose")?;
        let (a, b) = (self.engine(py), other.get().engine(py));
        let counts = (a.mesh().triangles().len(), b.mesh().triangles().len());
        let pairs: PyReadonlyArray2<'_, u32> =
            py.import("elbowroom._arrays")?.call_method1("pairs", (pairs, counts))?.extract()?;
        let rows = pairs.as_array();
        let mut listed = arrays::reserved(rows.nrows())?;
        listed.extend(rows.outer_iter().map(|row| [row[0], row[1]]));
        let points = work::many(py, listed.len(), |i| {
            let [first, second] = listed[i];
            let placed_a = PlacedTriangle::new(&pose, a.mesh().triangle(first as usize));
            let placed_b = PlacedTriangle::new(&other_pose, b.mesh().triangle(second as usize));
            let relation = relate(&placed_a, &placed_b);
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

    /// How far apart two surfaces are, in the unit of the vertices.
    ///
    /// Zero exactly if they intersect; otherwise right to within 2⁻³⁰ of itself.
    ///
    /// Parameters
    /// ----------
    /// other : Model
    ///     The other model; it may be this one.
    /// pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where this model is; at the origin if left out. A rigid matrix that acts on columns.
    /// other_pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where the other model is. Of two batches, pose ``i`` goes with pose ``i``.
    /// solid : bool, default False
    ///     Give the distance a minus sign if one solid lies within the other and their surfaces do
    ///     not meet.
    ///
    /// Returns
    /// -------
    /// float or numpy.ndarray
    ///     An array (P,) for a batch of poses.
    ///
    /// Raises
    /// ------
    /// PoseError
    ///     If a pose is not rigid or not finite; its ``pose`` is the number in the batch.
    /// ArrayError
    ///     If an array has a wrong shape or type, or two batches have different lengths.
    ///
    /// Examples
    /// --------
    /// >>> import numpy as np
    /// >>> import elbowroom as er
    /// >>> model = er.Model(
    /// ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    /// ...     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    /// ... )
    /// >>> shift = np.eye(4)
    /// >>> shift[0, 3] = 1.5
    /// >>> model.distance(model, other_pose=shift)
    /// 0.5
    #[pyo3(signature = (other, pose=None, other_pose=None, *, solid=false))]
    fn distance<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
        solid: bool,
    ) -> PyResult<Value<'py>> {
        let options = QueryOptions::default().solid().distance();
        let answers = self.ask(other, pose, other_pose, |a, b| {
            let signed = || a.query(b, &options).distance;
            if solid { signed().unwrap_or(f64::INFINITY) } else { a.distance(b) }
        })?;
        results::values(other.py(), answers)
    }

    /// The two points of two surfaces that are nearest to each other, and their triangles.
    ///
    /// Parameters
    /// ----------
    /// other : Model
    ///     The other model; it may be this one.
    /// pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where this model is; at the origin if left out. A rigid matrix that acts on columns.
    /// other_pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where the other model is. Of two batches, pose ``i`` goes with pose ``i``.
    ///
    /// Returns
    /// -------
    /// ClosestPoints
    ///     Its fields are arrays for a batch of poses.
    ///
    /// Raises
    /// ------
    /// PoseError
    ///     If a pose is not rigid or not finite; its ``pose`` is the number in the batch.
    /// ArrayError
    ///     If an array has a wrong shape or type, or two batches have different lengths.
    ///
    /// Examples
    /// --------
    /// >>> import elbowroom as er
    /// >>> floor = er.Model([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    /// >>> above = er.Model([[1, 1, 2], [1, 1, 3], [2, 2, 3]], [[0, 1, 2]])
    /// >>> closest = floor.closest_points(above)
    /// >>> closest.distance, closest.point_a, closest.point_b
    /// (2.0, array([1., 1., 0.]), array([1., 1., 2.]))
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

    /// Whether two surfaces are as near as a clearance, or nearer.
    ///
    /// Faster than to compare the distance. Exact.
    ///
    /// Parameters
    /// ----------
    /// other : Model
    ///     The other model; it may be this one.
    /// clearance : float
    ///     A length of 0 or more, in the unit of the vertices.
    /// pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where this model is; at the origin if left out. A rigid matrix that acts on columns.
    /// other_pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where the other model is. Of two batches, pose ``i`` goes with pose ``i``.
    ///
    /// Returns
    /// -------
    /// bool or numpy.ndarray
    ///     An array (P,) of bool for a batch of poses.
    ///
    /// Raises
    /// ------
    /// ArgumentError
    ///     If the clearance is negative or not finite.
    /// PoseError
    ///     If a pose is not rigid or not finite; its ``pose`` is the number in the batch.
    /// ArrayError
    ///     If an array has a wrong shape or type, or two batches have different lengths.
    ///
    /// Examples
    /// --------
    /// >>> import numpy as np
    /// >>> import elbowroom as er
    /// >>> model = er.Model(
    /// ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    /// ...     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    /// ... )
    /// >>> shift = np.eye(4)
    /// >>> shift[0, 3] = 1.5
    /// >>> model.is_within(model, 0.5, other_pose=shift)
    /// True
    #[pyo3(signature = (other, clearance, pose=None, other_pose=None))]
    fn is_within<'py>(
        &self,
        other: &Bound<'py, Self>,
        #[pyo3(from_py_with = arrays::number)] clearance: f64,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let clearance = length(other.py(), "clearance", clearance)?;
        let answers = self.ask(other, pose, other_pose, |a, b| a.is_within(b, clearance))?;
        results::values(other.py(), answers)
    }

    /// How deep two solids are in each other, between two proved bounds.
    ///
    /// The depth is that of the deepest point of either boundary inside the other solid: its distance
    /// from the other boundary. All depths are 0 exactly if the solids do not overlap. ``is_exact`` is
    /// false if a mesh is not closed, since it then encloses nothing for certain.
    ///
    /// Parameters
    /// ----------
    /// other : Model
    ///     The other model; it may be this one.
    /// pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where this model is; at the origin if left out. A rigid matrix that acts on columns.
    /// other_pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where the other model is. Of two batches, pose ``i`` goes with pose ``i``.
    ///
    /// Returns
    /// -------
    /// Penetration
    ///     Its fields are arrays for a batch of poses.
    ///
    /// Raises
    /// ------
    /// PoseError
    ///     If a pose is not rigid or not finite; its ``pose`` is the number in the batch.
    /// ArrayError
    ///     If an array has a wrong shape or type, or two batches have different lengths.
    ///
    /// Examples
    /// --------
    /// >>> import numpy as np
    /// >>> import elbowroom as er
    /// >>> model = er.Model(
    /// ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    /// ...     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    /// ... )
    /// >>> shift = np.eye(4)
    /// >>> shift[0, 3] = 0.8
    /// >>> deep = model.penetration(model, other_pose=shift)
    /// >>> 0 < deep.lower <= deep.upper < 0.2
    /// True
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

    /// How much two solids share: a volume, and the areas of their boundaries in each other.
    ///
    /// With a bound of the rounding errors. ``is_exact`` is false if a mesh is not closed.
    ///
    /// Parameters
    /// ----------
    /// other : Model
    ///     The other model; it may be this one.
    /// pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where this model is; at the origin if left out. A rigid matrix that acts on columns.
    /// other_pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where the other model is. Of two batches, pose ``i`` goes with pose ``i``.
    ///
    /// Returns
    /// -------
    /// Overlap
    ///     Its fields are arrays for a batch of poses.
    ///
    /// Raises
    /// ------
    /// PoseError
    ///     If a pose is not rigid or not finite; its ``pose`` is the number in the batch.
    /// ArrayError
    ///     If an array has a wrong shape or type, or two batches have different lengths.
    ///
    /// Examples
    /// --------
    /// >>> import elbowroom as er
    /// >>> model = er.Model(
    /// ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    /// ...     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    /// ... )
    /// >>> shared = model.overlap(model)
    /// >>> abs(shared.volume - 1 / 6) <= shared.volume_error
    /// True
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

    /// The shortest translation of this model after which the two solids do not overlap.
    ///
    /// Between bounds: next to each other for convex solids, proved but farther apart for others.
    ///
    /// Parameters
    /// ----------
    /// other : Model
    ///     The other model; it may be this one.
    /// pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where this model is; at the origin if left out. A rigid matrix that acts on columns.
    /// other_pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where the other model is. Of two batches, pose ``i`` goes with pose ``i``.
    ///
    /// Returns
    /// -------
    /// MinimumTranslation
    ///     Add ``vector`` to the translation of this model, not of the other. Its fields are arrays
    ///     for a batch of poses.
    ///
    /// Raises
    /// ------
    /// PoseError
    ///     If a pose is not rigid or not finite; its ``pose`` is the number in the batch.
    /// ArrayError
    ///     If an array has a wrong shape or type, or two batches have different lengths.
    ///
    /// Examples
    /// --------
    /// >>> import numpy as np
    /// >>> import elbowroom as er
    /// >>> model = er.Model(
    /// ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    /// ...     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    /// ... )
    /// >>> shift = np.eye(4)
    /// >>> shift[0, 3] = 0.9
    /// >>> out = model.minimum_translation(model, pose=shift)
    /// >>> out.is_convex, bool(out.vector[0] > 0)
    /// (True, True)
    /// >>> shift[:3, 3] += out.vector * (1 + 1e-6)
    /// >>> model.intersects(model, pose=shift)
    /// False
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

    /// Which of two solids goes right through the other, as a bar goes through a plate.
    ///
    /// This model goes through the other if it comes out of it again: two of its vertices are outside
    /// and joined by its edges, but not by edges that are clear of the other. Both may.
    ///
    /// Parameters
    /// ----------
    /// other : Model
    ///     The other model; it may be this one.
    /// pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where this model is; at the origin if left out. A rigid matrix that acts on columns.
    /// other_pose : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where the other model is. Of two batches, pose ``i`` goes with pose ``i``.
    ///
    /// Returns
    /// -------
    /// Through
    ///     Its fields are arrays for a batch of poses.
    ///
    /// Raises
    /// ------
    /// PoseError
    ///     If a pose is not rigid or not finite; its ``pose`` is the number in the batch.
    /// ArrayError
    ///     If an array has a wrong shape or type, or two batches have different lengths.
    ///
    /// Examples
    /// --------
    /// >>> import elbowroom as er
    /// >>> faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
    /// >>> needle = er.Model([[0.2, 0.2, 9], [0.3, 0.2, -9], [0.2, 0.3, -9], [0.2, 0.2, -9]], faces)
    /// >>> solid = er.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces)
    /// >>> needle.through(solid)
    /// Through(a_through_b=True, b_through_a=False, is_exact=True)
    #[pyo3(signature = (other, pose=None, other_pose=None))]
    fn through<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let options = QueryOptions::KIND.solid().through();
        let answers = self.ask(other, pose, other_pose, |a, b| a.query(b, &options).through)?;
        results::through(other.py(), &answers)
    }

    /// When two moving models first touch, as a share of the motion.
    ///
    /// Each model moves from one pose to another: its origin in a straight line, and it turns evenly
    /// about its origin, the shorter way round. The time is never late: there is no contact before
    /// it, however thin or fast a model is.
    ///
    /// Parameters
    /// ----------
    /// other : Model
    ///     The other model; it may be this one.
    /// start, end : array_like of shape (4, 4) or (P, 4, 4)
    ///     Where this model is at time 0 and at time 1.
    /// other_start, other_end : array_like of shape (4, 4) or (P, 4, 4), optional
    ///     Where the other model is. It stays at the start without an end, and is at the origin
    ///     without either.
    /// clearance : float, default 0
    ///     Count models as touching that are as near as this length.
    /// delta : float, default 2**-30
    ///     How far apart the models may be at the time that is given, as a part of the size of the
    ///     larger one.
    ///
    /// Returns
    /// -------
    /// TimeOfImpact
    ///     ``time`` is infinite if they do not touch. Its fields are arrays for a batch of poses.
    ///
    /// Raises
    /// ------
    /// PoseError
    ///     If a pose is not rigid or not finite; its ``pose`` is the number in the batch.
    /// ArrayError
    ///     If an array has a wrong shape or type, or two batches have different lengths.
    /// ArgumentError
    ///     If the clearance or delta is negative or not finite.
    ///
    /// Examples
    /// --------
    /// >>> import numpy as np
    /// >>> import elbowroom as er
    /// >>> wall = er.Model([[0, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2]])
    /// >>> bullet = er.Model([[0, 0.1, 0.1], [0, 0.2, 0.1], [0, 0.1, 0.2]], [[0, 1, 2]])
    /// >>> start, end = np.eye(4), np.eye(4)
    /// >>> start[0, 3], end[0, 3] = -3, 9
    /// >>> round(bullet.time_of_impact(wall, start, end).time, 6)
    /// 0.25
    #[pyo3(signature = (other, start, end, other_start=None, other_end=None, *, clearance=0.0, delta=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn time_of_impact<'py>(
        &self,
        other: &Bound<'py, Self>,
        start: &Value<'py>,
        end: &Value<'py>,
        other_start: Option<&Value<'py>>,
        other_end: Option<&Value<'py>>,
        #[pyo3(from_py_with = arrays::number)] clearance: f64,
        #[pyo3(from_py_with = arrays::maybe_number)] delta: Option<f64>,
    ) -> PyResult<Value<'py>> {
        let py = other.py();
        let mut options = CcdOptions::default().within(length(py, "clearance", clearance)?);
        if let Some(delta) = delta {
            options = options.delta(length(py, "delta", delta)?);
        }
        let starts = Places::named(Some(start), other_start, ["start", "other_start"])?;
        let ends = Places::named(Some(end), other_end.or(other_start), ["end", "other_end"])?;
        let (a, b) = (self.engine(py), other.get().engine(py));
        let answers = Places::ask_motions(py, starts, ends, |[a0, a1], [b0, b1]| {
            let a = a.moving(RigidMotion::between(&a0, &a1));
            a.time_of_impact(b.moving(RigidMotion::between(&b0, &b1)), &options)
        })?;
        results::impacts(py, &answers)
    }

    /// Every pair of the model's own triangles that meet other than where they are joined.
    ///
    /// Exact. Vertices in the same place count as one, as along the seams of textured models.
    ///
    /// Parameters
    /// ----------
    /// neighbours : {"decide", "skip", "count"}
    ///     What happens with two triangles that share a corner. ``"decide"``: they count if they meet
    ///     beyond what they share, being folded onto each other, crossing, or copies. ``"skip"``: they
    ///     never count. ``"count"``: they always do.
    ///
    /// Returns
    /// -------
    /// SelfContacts
    ///
    /// Raises
    /// ------
    /// ArgumentError
    ///     If ``neighbours`` is something else.
    ///
    /// Examples
    /// --------
    /// A square, folded along its diagonal until one half lies on the other:
    ///
    /// >>> import elbowroom as er
    /// >>> folded = er.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.1, 0.1, 0]], [[0, 1, 2], [2, 1, 3]])
    /// >>> folded.self_contacts().pairs
    /// array([[0, 1]], dtype=uint32)
    #[pyo3(signature = (neighbours="decide"))]
    fn self_contacts<'py>(&self, py: Python<'py>, neighbours: &str) -> PyResult<Value<'py>> {
        let neighbours = match neighbours {
            "decide" => Neighbours::Decide,
            "skip" => Neighbours::Skip,
            "count" => Neighbours::Count,
            other => {
                let text =
                    format!("neighbours is {other:?}; give \"decide\", \"skip\" or \"count\"");
                return Err(errors::argument(py, &text));
            }
        };
        let engine = self.engine(py);
        let pairs = work::run(py, || engine.self_contacts(neighbours))?;
        results::record(py, "SelfContacts", results::pairs(py, &pairs)?)
    }

    /// Whether points are inside the solid or on its surface.
    ///
    /// Exact for closed meshes, by the winding number; an estimate for others, as :meth:`winding`
    /// says. On the surface is exact always.
    ///
    /// Parameters
    /// ----------
    /// points : array_like of shape (N, 3)
    ///     The points; a single one may be (3,).
    /// pose : array_like of shape (4, 4), optional
    ///     Where the model is; at the origin if left out.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray
    ///     (N,) of bool.
    ///
    /// Raises
    /// ------
    /// ArrayError
    ///     If a point is not finite, or an array has a wrong shape or type.
    /// PoseError
    ///     If the pose is not rigid or not finite.
    ///
    /// Examples
    /// --------
    /// >>> import elbowroom as er
    /// >>> model = er.Model(
    /// ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    /// ...     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    /// ... )
    /// >>> model.inside([[0.1, 0.1, 0.1], [0, 0, 0], [1, 1, 1]])
    /// array([ True,  True, False])
    #[pyo3(signature = (points, pose=None))]
    fn inside<'py>(
        &self,
        points: &Value<'py>,
        pose: Option<&Value<'py>>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let inside = self.about_points(points, pose, |model, point| model.contains(point))?;
        Ok(PyArray1::from_vec(points.py(), inside))
    }

    /// How often the surface winds around points, and which points are on it.
    ///
    /// The winding number is whole for closed meshes: 1 inside of a solid, 0 outside of it.
    ///
    /// Parameters
    /// ----------
    /// points : array_like of shape (N, 3)
    ///     The points; a single one may be (3,).
    /// pose : array_like of shape (4, 4), optional
    ///     Where the model is; at the origin if left out.
    ///
    /// Returns
    /// -------
    /// Windings
    ///
    /// Raises
    /// ------
    /// ArrayError
    ///     If a point is not finite, or an array has a wrong shape or type.
    /// PoseError
    ///     If the pose is not rigid or not finite.
    ///
    /// Examples
    /// --------
    /// >>> import elbowroom as er
    /// >>> model = er.Model(
    /// ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    /// ...     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    /// ... )
    /// >>> winding = model.winding([[0.1, 0.1, 0.1], [0, 0, 0], [1, 1, 1]])
    /// >>> winding.on_surface, winding.inside
    /// (array([False,  True, False]), array([ True,  True, False]))
    #[pyo3(signature = (points, pose=None))]
    fn winding<'py>(&self, points: &Value<'py>, pose: Option<&Value<'py>>) -> PyResult<Value<'py>> {
        let all = self.about_points(points, pose, |model, point| model.winding(point))?;
        results::windings(points.py(), &all)
    }

    /// The point of the surface that is nearest to each of some points.
    ///
    /// Parameters
    /// ----------
    /// points : array_like of shape (N, 3)
    ///     The points; a single one may be (3,).
    /// pose : array_like of shape (4, 4), optional
    ///     Where the model is; at the origin if left out.
    ///
    /// Returns
    /// -------
    /// ClosestPoint
    ///
    /// Raises
    /// ------
    /// ArrayError
    ///     If a point is not finite, or an array has a wrong shape or type.
    /// PoseError
    ///     If the pose is not rigid or not finite.
    ///
    /// Examples
    /// --------
    /// >>> import elbowroom as er
    /// >>> model = er.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> closest = model.closest_point([[0.25, 0.25, 2]])
    /// >>> closest.distance, closest.point
    /// (array([2.]), array([[0.25, 0.25, 0.  ]]))
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
                all.iter().map(|it| it.map_or(f64::INFINITY, |it| it.distance)).collect(),
            ),
            arrays::vectors(py, all.iter().map(|it| it.map_or(DVec3::NAN, |it| it.point)))?,
            PyArray1::from_vec(
                py,
                all.iter().map(|it| it.map_or(-1, |it| i64::from(it.triangle))).collect(),
            ),
        );
        results::record(py, "ClosestPoint", fields)
    }

    /// What each ray hits first.
    ///
    /// Rays that touch an edge or a corner hit. Whether a ray hits is exact for the segment from the
    /// origin past the model, whose end is rounded. Of several triangles hit at one point, the lowest
    /// number is given.
    ///
    /// Parameters
    /// ----------
    /// origins : array_like of shape (N, 3)
    ///     Where the rays begin; one (3,) for all of them is enough.
    /// directions : array_like of shape (N, 3)
    ///     Where they go, of any length but 0; one (3,) for all of them is enough.
    /// pose : array_like of shape (4, 4), optional
    ///     Where the model is; at the origin if left out.
    ///
    /// Returns
    /// -------
    /// RayHits
    ///     Distances are in the unit of the vertices, whatever the length of the directions.
    ///
    /// Raises
    /// ------
    /// RayError
    ///     If a ray is not finite or has no direction; its ``ray`` is the number of the ray.
    /// ArrayError
    ///     If an array has a wrong shape or type, or there are different numbers of both.
    /// PoseError
    ///     If the pose is not rigid or not finite.
    ///
    /// Examples
    /// --------
    /// >>> import elbowroom as er
    /// >>> model = er.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> hits = model.ray_cast([[0.25, 0.25, 3], [9, 9, 3]], [0, 0, -1])
    /// >>> hits.distance, hits.triangle
    /// (array([ 3., inf]), array([ 0, -1]))
    #[pyo3(signature = (origins, directions, pose=None))]
    fn ray_cast<'py>(
        &self,
        origins: &Value<'py>,
        directions: &Value<'py>,
        pose: Option<&Value<'py>>,
    ) -> PyResult<Value<'py>> {
        let py = origins.py();
        let (engine, pose) = (self.engine(py), one_pose(py, pose, "pose")?);
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

    /// The bounding volume hierarchy as bytes, to be stored beside the mesh.
    ///
    /// It is what a large model takes time to build. Pickle stores it as well.
    ///
    /// Returns
    /// -------
    /// bytes or None
    ///     ``None`` if a coordinate is beyond 2³⁰, where there is no such tree.
    ///
    /// Examples
    /// --------
    /// >>> import elbowroom as er
    /// >>> model = er.Model(
    /// ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    /// ...     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    /// ... )
    /// >>> tree = model.tree_to_bytes()
    /// >>> er.Model.from_tree_bytes(model.vertices, model.faces, tree)
    /// Model(4 vertices, 4 faces)
    #[pyo3(text_signature = "($self)")]
    fn tree_to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let engine = self.engine(py);
        let bytes = work::run(py, || engine.tree_to_bytes())?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// A model whose hierarchy was stored by :meth:`tree_to_bytes`.
    ///
    /// Parameters
    /// ----------
    /// vertices : array_like of shape (N, 3)
    ///     The vertices of the model that was stored.
    /// faces : array_like of shape (M, 3)
    ///     Its faces.
    /// tree : bytes
    ///     What :meth:`tree_to_bytes` returned.
    ///
    /// Returns
    /// -------
    /// Model
    ///
    /// Raises
    /// ------
    /// ArgumentError
    ///     If the bytes are not the hierarchy of this mesh, or come from another version.
    /// MeshError, ArrayError
    ///     As for :class:`Model`.
    #[staticmethod]
    fn from_tree_bytes(vertices: &Value<'_>, faces: &Value<'_>, tree: &[u8]) -> PyResult<Self> {
        let mesh = arrays::mesh(vertices, faces)?;
        let engine = Engine::with_tree_bytes(mesh, tree);
        engine.map(Self::new).map_err(|error| errors::argument(vertices.py(), &error.to_string()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Value<'py>> {
        let py = slf.py();
        let (model, class) = (slf.get(), slf.get_type());
        let (vertices, faces) = (model.vertices(py)?, model.faces(py)?);
        let plain = PyType::new::<Self>(py);
        let tree = if class.is(&plain) { model.tree_to_bytes(py)? } else { None };
        if let Some(tree) = tree {
            let rebuild = class.getattr("from_tree_bytes")?;
            return Ok((rebuild, (vertices, faces, tree)).into_pyobject(py)?.into_any());
        }
        // Classes of users' own may have an `__init__` of their own, and attributes.
        let make = py.import("copyreg")?.getattr("__newobj__")?;
        let state = slf.getattr_opt("__dict__")?;
        Ok((make, (class, vertices, faces), state).into_pyobject(py)?.into_any())
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let engine = slf.get().engine(slf.py());
        let mesh = engine.mesh();
        let (vertices, faces) = (mesh.vertices().len(), mesh.triangles().len());
        Ok(format!("{}({vertices} vertices, {faces} faces)", slf.get_type().name()?))
    }
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
