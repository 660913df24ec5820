//! Two bodies over frames, measured frame by frame on all cores.

use elbowroom_motion::metrics::{Body, ClipBuilder, PairFrame, measure};
use glam::DVec3;
use numpy::{PyArray1, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::{arrays, errors, work};

/// Columns by frame, what the clip comes to, and the holes that were closed: their edges, lengths
/// and areas.
type Measured<'py> = (Bound<'py, PyDict>, Bound<'py, PyDict>, Vec<(usize, f64, f64)>);

/// A column and its cell in a frame.
type Column<T> = (&'static str, fn(&PairFrame) -> T);

/// The vertices of a body over frames, and the body.
struct Side<'py> {
    points: PyReadonlyArray3<'py, f64>,
    body: Body,
}

impl<'py> Side<'py> {
    fn new(
        points: PyReadonlyArray3<'py, f64>,
        first: &Bound<'py, PyAny>,
        faces: &Bound<'py, PyAny>,
        cap: bool,
    ) -> PyResult<Self> {
        let mesh = arrays::mesh(first, faces)?;
        let body = if cap { Body::capped(&mesh) } else { Body::new(&mesh) };
        Ok(Self { points, body })
    }

    fn frames(&self) -> usize {
        self.points.shape()[0]
    }
}

/// Measures two bodies in every frame; a body of one frame is the same in all.
#[pyfunction]
#[pyo3(signature = (a, first_a, faces_a, b, first_b, faces_b, cap, distance, gap))]
#[expect(clippy::too_many_arguments, reason = "arrays and what they are")]
pub(crate) fn measure_pair<'py>(
    py: Python<'py>,
    a: PyReadonlyArray3<'py, f64>,
    first_a: &Bound<'py, PyAny>,
    faces_a: &Bound<'py, PyAny>,
    b: PyReadonlyArray3<'py, f64>,
    first_b: &Bound<'py, PyAny>,
    faces_b: &Bound<'py, PyAny>,
    cap: bool,
    distance: bool,
    gap: u32,
) -> PyResult<Measured<'py>> {
    let sides = [Side::new(a, first_a, faces_a, cap)?, Side::new(b, first_b, faces_b, cap)?];
    let count = sides[0].frames().max(sides[1].frames());
    let views = sides.each_ref().map(|side| side.points.as_array());
    let bodies = sides.each_ref().map(|side| &side.body);
    let model = |side: usize, frame: usize| {
        let frame = frame.min(views[side].shape()[0] - 1);
        let rows = views[side].index_axis(numpy::ndarray::Axis(0), frame);
        let points: Vec<DVec3> =
            rows.outer_iter().map(|row| DVec3::new(row[0], row[1], row[2])).collect();
        bodies[side].at(&points)
    };
    let one = |frame: usize| Ok(measure(&model(0, frame)?, &model(1, frame)?, distance));
    let measured: Vec<Result<PairFrame, elbowroom_motion::metrics::FrameError>> =
        work::many(py, count, one)?;
    let mut frames = Vec::with_capacity(count);
    let mut clip = ClipBuilder::new(gap);
    for (at, frame) in measured.into_iter().enumerate() {
        let refuse = |error| errors::new(py, "MeshError", &format!("frame {at}: {error}"), &[]);
        let frame = frame.map_err(refuse)?;
        clip.push(&frame);
        frames.push(frame);
    }
    let caps = bodies.iter().filter_map(|body| body.caps());
    let caps = caps.flat_map(|caps| caps.loops.iter().map(|it| (it.edges, it.length, it.area)));
    let caps = caps.collect();
    Ok((columns(py, &frames)?, summary(py, &clip.finish())?, caps))
}

fn columns<'py>(py: Python<'py>, frames: &[PairFrame]) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    let truths: [Column<bool>; 3] = [
        ("contact", |frame| frame.contact),
        ("crossing", |frame| frame.crossing),
        ("exact", |frame| frame.certainty().is_exact()),
    ];
    for (name, of) in truths {
        let values: Vec<bool> = frames.iter().map(of).collect();
        columns.set_item(name, PyArray1::from_vec(py, values))?;
    }
    let numbers: [Column<f64>; 7] = [
        ("depth", |frame| frame.overlap.depth),
        ("depth_upper", |frame| frame.overlap.depth_upper),
        ("volume", |frame| frame.overlap.volume),
        ("volume_error", |frame| frame.overlap.volume_error),
        ("area_a", |frame| frame.overlap.areas[0]),
        ("area_b", |frame| frame.overlap.areas[1]),
        ("distance", |frame| frame.distance.unwrap_or(f64::NAN)),
    ];
    for (name, of) in numbers {
        let values: Vec<f64> = frames.iter().map(of).collect();
        columns.set_item(name, PyArray1::from_vec(py, values))?;
    }
    Ok(columns)
}

fn summary<'py>(
    py: Python<'py>,
    clip: &elbowroom_motion::metrics::ClipSummary,
) -> PyResult<Bound<'py, PyDict>> {
    let summary = PyDict::new(py);
    for (name, count) in [
        ("frames", clip.frames),
        ("contact_frames", clip.contact_frames),
        ("crossing_frames", clip.crossing_frames),
        ("estimated_frames", clip.estimated_frames),
        ("incidents", clip.incidents),
        ("incident_frames", clip.incident_frames),
        ("longest_incident", clip.longest_incident),
    ] {
        summary.set_item(name, count)?;
    }
    summary.set_item("worst_frame", clip.worst_frame)?;
    for (name, value) in [
        ("share_contact", clip.share_contact()),
        ("share_crossing", clip.share_crossing()),
        ("depth_mean", Some(clip.depth.all)),
        ("depth_mean_crossing", clip.depth.crossing),
        ("depth_max", Some(clip.depth.max)),
        ("depth_max_upper", Some(clip.depth_upper)),
        ("volume_mean", Some(clip.volume.all)),
        ("volume_mean_crossing", clip.volume.crossing),
        ("volume_max", Some(clip.volume.max)),
        ("volume_error_max", Some(clip.volume_error)),
        ("distance_min", clip.distance),
    ] {
        summary.set_item(name, value)?;
    }
    Ok(summary)
}
