//! Files of any kind, posed frame by frame.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use elbowroom_io::rate::{USUAL_FPS, frame_span};
use elbowroom_io::{Asked, Axis, ReadOptions, Split, parse_unit, read_scene, read_shot};
use elbowroom_motion::scene::{ObjectId, Scene, Stage, Timing};
use glam::DVec3;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::{arrays, errors, work};

/// The objects of a file over its frames, in metres with Y up.
#[pyclass(frozen, module = "elbowroom._native")]
pub(crate) struct Shot {
    scene: Scene,
    stage: Mutex<Stage>,
    notes: Vec<String>,
}

/// Reads a file as one shot.
#[pyfunction]
#[pyo3(signature = (path, units=None, up=None, clip=None, fps=None, split=None))]
pub(crate) fn load(
    py: Python<'_>,
    path: PathBuf,
    units: Option<&str>,
    up: Option<&str>,
    clip: Option<String>,
    fps: Option<f64>,
    split: Option<&str>,
) -> PyResult<Shot> {
    let options = ReadOptions {
        units: units.map(unit).transpose()?,
        up: up.map(axis).transpose()?,
        split: split.map_or(Ok(Split::None), how_to_split)?,
        ..ReadOptions::default()
    };
    let read = work::call(py, || {
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
            let file = read_scene(&path, &options).map_err(|error| vec![error.to_string()])?;
            return Ok((file.scene, file.notes));
        }
        let asked = Asked { clip: clip.as_deref(), fps };
        let shot = read_shot(std::slice::from_ref(&path), &options, asked)
            .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        let rate = shot.fps.or(fps).unwrap_or(USUAL_FPS);
        let [from, to] = shot.span.unwrap_or_default();
        let (first, last) = frame_span(from, to, rate);
        // Frames count from 0 where a motion begins before time 0.
        let zero = if first < 0.0 { -first } else { 0.0 };
        #[expect(
            clippy::cast_sign_loss,
            reason = "they are not below 0, and casts hold at the end"
        )]
        let [first, last] = [first + zero, last + zero].map(|frame| frame as u32);
        let timing = Timing { fps: rate, first, last, zero: zero as i64 };
        let scene = Scene::new(timing, shot.objects, &[]);
        scene.map(|scene| (scene, shot.notes)).map_err(|error| vec![error.to_string()])
    })?;
    let (scene, notes) = read.map_err(|problems| errors::input(py, problems, ""))?;
    Ok(Shot { scene, stage: Mutex::new(Stage::new()), notes })
}

fn unit(name: &str) -> PyResult<f64> {
    parse_unit(name).ok_or_else(|| {
        PyValueError::new_err(format!("units is {name:?}; give m, cm, mm, km, in or ft"))
    })
}

fn axis(name: &str) -> PyResult<Axis> {
    match name.to_ascii_lowercase().as_str() {
        "x" => Ok(Axis::X),
        "y" => Ok(Axis::Y),
        "z" => Ok(Axis::Z),
        _ => Err(PyValueError::new_err(format!("up is {name:?}; give 'x', 'y' or 'z'"))),
    }
}

fn how_to_split(how: &str) -> PyResult<Split> {
    match how {
        "none" => Ok(Split::None),
        "shells" => Ok(Split::Shells),
        "groups" => Ok(Split::Groups),
        _ => {
            let text = format!("split is {how:?}; give 'shells', 'groups' or 'none'");
            Err(PyValueError::new_err(text))
        }
    }
}

impl Shot {
    fn object(&self, name: &str) -> Option<ObjectId> {
        self.scene.find(name)
    }

    fn found(&self, py: Python<'_>, name: &str) -> PyResult<ObjectId> {
        self.object(name).ok_or_else(|| {
            let names = self.names().join(", ");
            let text = format!("{name:?} is not in the shot; there are {names}");
            errors::new(py, "UnknownNameError", &text, &[])
        })
    }

    fn with_stage<T: Send>(
        &self,
        py: Python<'_>,
        frame: u32,
        look: impl FnOnce(&Stage) -> T + Send,
    ) -> PyResult<T> {
        let Timing { first, last, .. } = self.scene.timing();
        if !(first..=last).contains(&frame) {
            let text = format!("frame {frame}, and the shot has {first} to {last}");
            return Err(PyIndexError::new_err(text));
        }
        let posed = py.detach(|| {
            let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
            self.scene.at(frame, &mut stage).map(|()| look(&stage))
        });
        posed.map_err(|error| errors::input(py, vec![format!("frame {frame}: {error}")], ""))
    }
}

#[pymethods]
impl Shot {
    #[getter]
    fn names(&self) -> Vec<String> {
        self.scene.objects().iter().map(|object| object.name.clone()).collect()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// Frames in a second, and the first and the last frame.
    #[getter]
    fn timing(&self) -> (f64, u32, u32) {
        let Timing { fps, first, last, .. } = self.scene.timing();
        (fps, first, last)
    }

    /// The vertices of an object in a frame, (N, 3); `None` if it is not there.
    fn vertices<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        frame: u32,
    ) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let object = self.found(py, name)?;
        let points = self.with_stage(py, frame, |stage| {
            let (mut all, mut points) = (Vec::<DVec3>::new(), Vec::new());
            for piece in stage.pieces().filter(|piece| piece.object() == object) {
                piece.points(&mut points);
                all.append(&mut points);
            }
            all
        })?;
        let points = (!points.is_empty()).then(|| arrays::vectors(py, points.into_iter()));
        points.transpose()
    }

    /// The faces of an object, (M, 3), and the part of each.
    #[expect(clippy::type_complexity, reason = "two arrays")]
    fn faces<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        frame: u32,
    ) -> PyResult<(Bound<'py, PyArray2<u32>>, Bound<'py, PyArray1<u32>>)> {
        let object = self.found(py, name)?;
        let (faces, parts) = self.with_stage(py, frame, |stage| {
            let (mut faces, mut parts, mut points) = (Vec::new(), Vec::new(), Vec::new());
            let mut first = 0;
            for piece in stage.pieces().filter(|piece| piece.object() == object) {
                let own = piece.triangles();
                faces.extend(own.iter().map(|corners| corners.map(|corner| corner + first)));
                parts.extend((0..own.len() as u32).map(|triangle| piece.part_of(triangle)));
                piece.points(&mut points);
                first += points.len() as u32;
            }
            (faces, parts)
        })?;
        let count = faces.len();
        let faces = PyArray1::from_vec(py, faces.concat()).reshape([count, 3])?;
        Ok((faces, PyArray1::from_vec(py, parts)))
    }

    /// The names of an object's parts.
    fn parts(&self, py: Python<'_>, name: &str) -> PyResult<Vec<String>> {
        Ok(self.scene.parts(self.found(py, name)?).to_vec())
    }
}
