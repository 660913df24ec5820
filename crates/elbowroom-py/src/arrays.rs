//! Arrays in and out. What is not an aligned array of doubles goes through `elbowroom._arrays` first,
//! which accepts everything that NumPy can read, and names what is wrong with the rest.

use elbowroom::{Mesh, Pose};
use glam::DVec3;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyUntypedArrayMethods};
use numpy::{PyReadonlyArray2, PyReadonlyArray3};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;

use crate::errors;

/// A number of an argument. Where there is none it is a TypeError, whatever the object itself raises.
pub(crate) fn number(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    value.extract().map_err(|error: PyErr| {
        let kind = value.get_type().name().map_or_else(|_| String::new(), |it| it.to_string());
        let refused = PyTypeError::new_err(format!("a {kind} is no number"));
        refused.set_cause(value.py(), Some(error));
        refused
    })
}

/// A number, or `None`.
pub(crate) fn maybe_number(value: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    if value.is_none() { Ok(None) } else { number(value).map(Some) }
}

fn python<'py>(
    function: &str,
    value: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    value.py().import("elbowroom._arrays")?.call_method1(function, (value, name))
}

/// An empty list with room for this many. An array may claim more than there is memory (one row,
/// repeated by a stride of 0): that is an exception, and not the end of the process.
pub(crate) fn reserved<T>(count: usize) -> PyResult<Vec<T>> {
    let mut list = Vec::new();
    if list.try_reserve_exact(count).is_ok() {
        return Ok(list);
    }
    let text = format!("there is no memory for {count} rows of {} bytes", size_of::<T>());
    Err(PyMemoryError::new_err(text))
}

fn doubles<'py>(value: &Bound<'py, PyAny>) -> Option<PyReadonlyArray2<'py, f64>> {
    // Of a masked array the entries that are masked must not be read.
    let array = value.cast_exact::<PyArray2<f64>>().ok()?;
    array.is_aligned().then(|| array.try_readonly().ok()).flatten()
}

/// Points, (N, 3).
pub(crate) fn points(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<DVec3>> {
    let direct = doubles(value).filter(|array| array.shape()[1] == 3);
    let array = match direct {
        Some(array) => array,
        None => python("points", value, name)?.extract()?,
    };
    let rows = array.as_array();
    let mut points = reserved(rows.nrows())?;
    if let Some(entries) = rows.as_slice() {
        points.extend(entries.chunks_exact(3).map(DVec3::from_slice));
    } else {
        points.extend(rows.outer_iter().map(|row| DVec3::new(row[0], row[1], row[2])));
    }
    Ok(points)
}

/// Triangles, (M, 3); also polygons of four corners and lists of polygons, which the mesh cuts up.
pub(crate) fn mesh(vertices: &Bound<'_, PyAny>, faces: &Bound<'_, PyAny>) -> PyResult<Mesh> {
    let py = vertices.py();
    let vertices = points(vertices, "vertices")?;
    let faces = python("faces", faces, "faces")?;
    let made = if let Ok(triangles) = faces.cast::<PyArray2<u32>>() {
        let triangles = triangles.try_readonly()?;
        let rows = triangles.as_array();
        let mut corners = reserved(rows.nrows())?;
        corners.extend(rows.outer_iter().map(|row| [row[0], row[1], row[2]]));
        py.detach(|| Mesh::new(vertices, corners))
    } else {
        let (corners, offsets): (Vec<u32>, Vec<usize>) = faces.extract()?;
        py.detach(|| {
            let polygons = offsets.windows(2).map(|pair| &corners[pair[0]..pair[1]]);
            Mesh::from_polygons(vertices, polygons)
        })
    };
    made.map_err(|error| errors::mesh(py, &error))
}

/// One pose, or many.
pub(crate) enum Poses {
    One(Pose),
    Many(Vec<Pose>),
}

impl Poses {
    pub(crate) fn read(value: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<Self> {
        let Some(value) = value else { return Ok(Self::One(Pose::IDENTITY)) };
        if let Some(one) = doubles(value).filter(|array| array.shape() == [4, 4]) {
            return Self::one(&one);
        }
        if let Some(many) = many_doubles(value) {
            return Self::many(&many);
        }
        let read = python("poses", value, name)?;
        match doubles(&read) {
            Some(one) => Self::one(&one),
            None => Self::many(&read.extract()?),
        }
    }

    /// How many there are; `None` if one is for all.
    pub(crate) fn count(&self) -> Option<usize> {
        match self {
            Self::One(_) => None,
            Self::Many(poses) => Some(poses.len()),
        }
    }

    /// One of them.
    pub(crate) fn at(&self, index: usize) -> Pose {
        match self {
            Self::One(pose) => *pose,
            Self::Many(poses) => poses[index],
        }
    }

    fn one(array: &PyReadonlyArray2<'_, f64>) -> PyResult<Self> {
        // The slice of ndarray is row by row; that of rust-numpy is column by column of an array that
        // is, which is a transposed rotation.
        let matrix = array.as_array();
        let pose = match matrix.as_slice() {
            Some(entries) => from_row_major(entries),
            None => from_row_major(&matrix.iter().copied().collect::<Vec<_>>()),
        };
        pose.map(Self::One).map_err(|error| errors::pose(array.py(), &error, None))
    }

    fn many(array: &PyReadonlyArray3<'_, f64>) -> PyResult<Self> {
        let py = array.py();
        let mut poses = reserved(array.shape()[0])?;
        let mut push = |entries: &[f64]| {
            let pose = from_row_major(entries);
            poses.push(pose.map_err(|error| errors::pose(py, &error, Some(poses.len())))?);
            Ok::<_, PyErr>(())
        };
        let matrices = array.as_array();
        if let Some(entries) = matrices.as_slice() {
            entries.chunks_exact(16).try_for_each(&mut push)?;
        } else {
            for matrix in matrices.outer_iter() {
                let mut entries = [0.0; 16];
                entries.iter_mut().zip(matrix).for_each(|(to, &from)| *to = from);
                push(&entries)?;
            }
        }
        Ok(Self::Many(poses))
    }
}

fn from_row_major(entries: &[f64]) -> Result<Pose, elbowroom::PoseError> {
    let mut matrix = [0.0; 16];
    matrix.copy_from_slice(entries);
    Pose::from_row_major(&matrix)
}

fn many_doubles<'py>(value: &Bound<'py, PyAny>) -> Option<PyReadonlyArray3<'py, f64>> {
    let array = value.cast_exact::<PyArray3<f64>>().ok()?;
    let fits = array.is_aligned() && array.shape()[1..] == [4, 4];
    fits.then(|| array.try_readonly().ok()).flatten()
}

/// Pairs of numbers, (K, 2).
pub(crate) fn pairs(
    py: Python<'_>,
    pairs: impl ExactSizeIterator<Item = [u32; 2]>,
) -> PyResult<Bound<'_, PyArray2<u32>>> {
    let rows = pairs.len();
    PyArray1::from_vec(py, pairs.flatten().collect()).reshape([rows, 2])
}

/// Vectors, (K, 3).
pub(crate) fn vectors(
    py: Python<'_>,
    vectors: impl ExactSizeIterator<Item = DVec3>,
) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let rows = vectors.len();
    let flat = vectors.flat_map(|vector| vector.to_array()).collect();
    PyArray1::from_vec(py, flat).reshape([rows, 3])
}

/// One vector, (3,).
pub(crate) fn vector(py: Python<'_>, vector: DVec3) -> Bound<'_, PyArray1<f64>> {
    PyArray1::from_slice(py, &vector.to_array())
}

/// A pose, (4, 4), row by row.
pub(crate) fn pose<'py>(py: Python<'py>, pose: &Pose) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (rotation, translation) = (pose.rotation().transpose(), pose.translation());
    let mut entries = [0.0; 16];
    for row in 0..3 {
        entries[4 * row..4 * row + 3].copy_from_slice(&rotation.col(row).to_array());
        entries[4 * row + 3] = translation[row];
    }
    entries[15] = 1.0;
    PyArray1::from_slice(py, &entries).reshape([4, 4])
}

/// Rays of origins and directions, each (K, 3), or one of either for all.
pub(crate) fn rays<E: std::borrow::Borrow<elbowroom::RayError>>(
    origins: &Bound<'_, PyAny>,
    directions: &Bound<'_, PyAny>,
    ray: impl Fn(DVec3, DVec3) -> Result<elbowroom::Ray, E>,
) -> PyResult<Vec<elbowroom::Ray>> {
    let py = origins.py();
    let (origins, directions) = (points(origins, "origins")?, points(directions, "directions")?);
    let count = match (origins.len(), directions.len()) {
        (a, b) if a == b => a,
        (a, 1) => a,
        (1, b) => b,
        (a, b) => {
            let text = format!(
                "there are {a} origins and {b} directions; give as many of each, or one of either"
            );
            return Err(errors::new(py, "ArrayError", &text, &[]));
        }
    };
    let of = |all: &[DVec3], index: usize| if all.len() == 1 { all[0] } else { all[index] };
    let mut rays = reserved(count)?;
    for index in 0..count {
        let made = ray(of(&origins, index), of(&directions, index));
        rays.push(made.map_err(|error| errors::ray(py, error.borrow(), index))?);
    }
    Ok(rays)
}
