//! Errors of the engine as Python's exceptions, with the vertex or face that they are about.

use elbowroom::{
    BodyRefitError, BodyRefitErrorKind, MeshError, MeshErrorKind, PoseError, RayError, RefitError,
    RefitErrorKind,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Makes an exception of `elbowroom.errors`; values are attributes of it.
pub(crate) fn new(py: Python<'_>, class: &str, text: &str, at: &[(&str, usize)]) -> PyErr {
    let made = || -> PyResult<Bound<'_, PyAny>> {
        let values = PyDict::new(py);
        for (name, value) in at {
            values.set_item(name, value)?;
        }
        py.import("elbowroom.errors")?.getattr(class)?.call((text,), Some(&values))
    };
    made().map_or_else(|error| error, PyErr::from_value)
}

pub(crate) fn mesh(py: Python<'_>, error: &MeshError) -> PyErr {
    mesh_kind(py, error.kind(), &error.to_string())
}

fn mesh_kind(py: Python<'_>, kind: &MeshErrorKind, text: &str) -> PyErr {
    let at = match *kind {
        MeshErrorKind::NonFinite { vertex, .. } => vec![("vertex", vertex)],
        MeshErrorKind::IndexOutOfRange { face, .. }
        | MeshErrorKind::NoCorners { face }
        | MeshErrorKind::TooManyCorners { face, .. } => vec![("face", face)],
        _ => Vec::new(),
    };
    new(py, "MeshError", text, &at)
}

pub(crate) fn refit(py: Python<'_>, error: &RefitError) -> PyErr {
    match error.kind() {
        RefitErrorKind::Vertices { cause } => mesh(py, cause),
        _ => new(py, "MeshError", &error.to_string(), &[]),
    }
}

pub(crate) fn body_refit(py: Python<'_>, error: &BodyRefitError) -> PyErr {
    match error.kind() {
        BodyRefitErrorKind::Refit { cause } => refit(py, cause),
        _ => new(py, "UnknownNameError", &error.to_string(), &[]),
    }
}

/// The pose of a batch has a number, counted from 0.
pub(crate) fn pose(py: Python<'_>, error: &PoseError, number: Option<usize>) -> PyErr {
    match number {
        Some(number) => {
            new(py, "PoseError", &format!("pose {number}: {error}"), &[("pose", number)])
        }
        None => new(py, "PoseError", &error.to_string(), &[]),
    }
}

pub(crate) fn ray(py: Python<'_>, error: &RayError, number: usize) -> PyErr {
    new(py, "RayError", &format!("ray {number}: {error}"), &[("ray", number)])
}

/// An argument that is no array, and out of its range.
pub(crate) fn argument(py: Python<'_>, text: &str) -> PyErr {
    new(py, "ArgumentError", text, &[])
}

/// Files or options with which nothing can be examined.
pub(crate) fn input(py: Python<'_>, problems: Vec<String>, hint: &str) -> PyErr {
    let made = || -> PyResult<Bound<'_, PyAny>> {
        py.import("elbowroom.errors")?.getattr("InputError")?.call1((problems, hint))
    };
    made().map_or_else(|error| error, PyErr::from_value)
}

/// A body of a world that does not exist.
pub(crate) fn no_body(py: Python<'_>, name: &str) -> PyErr {
    new(py, "UnknownNameError", &format!("{name:?} is not in the world"), &[])
}
