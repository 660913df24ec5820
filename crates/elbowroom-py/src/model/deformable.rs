//! A model that deforms. Documentation comments are docstrings, as in `model.rs`.

use std::sync::Arc;

use elbowroom::Model as Engine;
use pyo3::prelude::*;

use super::Model;
use super::arguments::read_mesh;
use crate::{arrays, errors, work};

type Value<'py> = Bound<'py, PyAny>;

/// A model whose vertices may move: a skinned character, cloth, a soft body.
///
/// As :class:`Model`, and :meth:`refit` moves its vertices in a fraction of the time that a new model
/// takes. Answers are those of a new model of the same vertices.
///
/// Parameters
/// ----------
/// vertices : array_like of shape (N, 3)
///     The vertices, as for :class:`Model`.
/// faces : array_like of shape (M, 3), optional
///     Three vertex numbers for each triangle.
///
/// Raises
/// ------
/// MeshError, ArrayError
///     As for :class:`Model`.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> import elbowroom as er
/// >>> corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)
/// >>> floor = er.Model(corners, [[0, 1, 2]])
/// >>> cloth = er.DeformableModel(corners, [[0, 1, 2]])
/// >>> cloth.refit(corners + [0, 0, 0.5])
/// >>> cloth.distance(floor)
/// 0.5
#[pyclass(frozen, extends = Model, subclass, module = "elbowroom")]
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

    /// Moves the vertices. The faces stay.
    ///
    /// Queries that other threads still run go on with the vertices they began with.
    ///
    /// Parameters
    /// ----------
    /// vertices : array_like of shape (N, 3)
    ///     As many vertices as there are.
    ///
    /// Raises
    /// ------
    /// MeshError
    ///     If a vertex is not finite, or there are more or fewer of them. Then nothing has changed.
    /// ArrayError
    ///     If the array has a wrong shape or type.
    ///
    /// Examples
    /// --------
    /// >>> import elbowroom as er
    /// >>> cloth = er.DeformableModel([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> cloth.refit([[0, 0, 2], [1, 0, 2], [0, 1, 2]])
    /// >>> cloth.bounds
    /// array([[0., 0., 2.],
    ///        [1., 1., 2.]])
    #[pyo3(text_signature = "($self, vertices)")]
    fn refit(slf: &Bound<'_, Self>, vertices: &Value<'_>) -> PyResult<()> {
        let py = slf.py();
        let points = arrays::points(vertices, "vertices")?;
        let model = slf.as_super().get();
        let refitted = py.detach(|| Arc::make_mut(&mut model.lock()).refit(&points));
        refitted.map_err(|error| errors::refit(py, &error))
    }
}
