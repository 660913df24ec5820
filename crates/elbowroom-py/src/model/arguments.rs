//! Arguments that several methods of models and worlds take.

use elbowroom::Pose;
use pyo3::prelude::*;

use crate::{arrays, errors};

type Value<'py> = Bound<'py, PyAny>;

/// The mesh of two arrays, or of one object that has `vertices` and `faces`.
pub(crate) fn read_mesh(
    vertices: &Value<'_>,
    faces: Option<&Value<'_>>,
) -> PyResult<elbowroom::Mesh> {
    if let Some(faces) = faces {
        return arrays::mesh(vertices, faces);
    }
    let arrays = vertices.py().import("elbowroom._arrays")?;
    let (vertices, faces): (Value<'_>, Value<'_>) =
        arrays.call_method1("mesh_like", (vertices,))?.extract()?;
    arrays::mesh(&vertices, &faces)
}

/// A pose where a batch would make no sense.
pub(crate) fn one_pose(py: Python<'_>, pose: Option<&Value<'_>>, name: &str) -> PyResult<Pose> {
    match arrays::Poses::read(pose, name)? {
        arrays::Poses::One(pose) => Ok(pose),
        arrays::Poses::Many(poses) => {
            let text =
                format!("{name} has the shape ({}, 4, 4); give one pose, (4, 4)", poses.len());
            Err(errors::new(py, "ArrayError", &text, &[]))
        }
    }
}

/// A length that is not below zero.
pub(crate) fn length(py: Python<'_>, name: &str, value: f64) -> PyResult<f64> {
    if value.is_finite() && value >= 0.0 {
        return Ok(value);
    }
    Err(errors::argument(py, &format!("{name} is {value}; give a finite number of 0 or more")))
}
