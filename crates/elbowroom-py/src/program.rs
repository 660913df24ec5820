//! The program inside the interpreter: commands, checks, and the program itself.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use elbowroom_cli::host::{Call, Checked, Message, OnProgress, Reply, ShouldStop, Table, Values};
use elbowroom_io::memory::{FrameSource, Frames, Memory};
use glam::DVec3;
use numpy::PyArray1;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::{arrays, errors, work};

type Value<'py> = Bound<'py, PyAny>;

/// Exit code, what was printed, and messages.
type Ran<'py> = (u8, Bound<'py, PyBytes>, Vec<(String, String)>);

/// Runs the program as a process of its own would: its output is that of this process. Gives the exit
/// code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| {
        let code = elbowroom_cli::run_with(args);
        // The only way to look at an exit code is to compare it.
        (0..=u8::MAX).find(|&number| code == number.into()).unwrap_or(2)
    })
}

/// Runs a command and gives its exit code, what it printed, and its messages.
#[pyfunction]
#[pyo3(signature = (args, memory=None))]
pub(crate) fn command<'py>(
    py: Python<'py>,
    args: Vec<OsString>,
    memory: Option<&Bound<'py, PyDict>>,
) -> PyResult<Ran<'py>> {
    let memory = memory.map(read_memory).transpose()?.unwrap_or_default();
    let call =
        Call { args, memory, should_stop: Some(Box::new(work::should_stop)), ..Call::default() };
    let Reply { code, out, messages } = work::call(py, || call.run())?;
    Ok((code, PyBytes::new(py, &out), pairs(messages)))
}

/// Checks files and data in memory.
#[pyfunction]
#[pyo3(signature = (args, memory, request, progress=None))]
pub(crate) fn check(
    py: Python<'_>,
    args: Vec<OsString>,
    memory: &Bound<'_, PyDict>,
    request: String,
    progress: Option<Py<PyAny>>,
) -> PyResult<Checks> {
    let memory = read_memory(memory)?;
    let checked = work::call(py, || {
        let on_progress = progress.map(|progress| -> OnProgress {
            Box::new(move |done, all| work::report(&progress, done, all))
        });
        let should_stop: ShouldStop = Box::new(work::should_stop);
        Call { args, memory, request, should_stop: Some(should_stop), on_progress }.check()
    })?;
    checked.map(|checked| Checks { checked }).map_err(|reply| refused(py, &reply))
}

/// Why there is no result, as an exception.
fn refused(py: Python<'_>, reply: &Reply) -> PyErr {
    let of = |kind: &str| -> Vec<String> {
        let of_kind = reply.messages.iter().filter(|message| message.kind == kind);
        of_kind.map(|message| message.text.clone()).collect()
    };
    errors::input(py, of("error"), &of("hint").join("; "))
}

fn pairs(messages: Vec<Message>) -> Vec<(String, String)> {
    messages.into_iter().map(|message| (message.kind, message.text)).collect()
}

/// Arrays by name: `{"name": {"vertices": …, "faces": …, …}}`, or bytes in the place of a file.
fn read_memory(given: &Bound<'_, PyDict>) -> PyResult<Memory> {
    let mut memory = Memory::default();
    for (name, entry) in given {
        let name: String = name.extract()?;
        if let Ok(bytes) = entry.cast::<PyBytes>() {
            memory.add_bytes(&name, bytes.as_bytes().to_vec());
            continue;
        }
        let entry = entry.cast_into::<PyDict>()?;
        let get = |key: &str| entry.get_item(key).map(|value| value.filter(|it| !it.is_none()));
        let of = |key: &str| get(key)?.ok_or_else(|| PyOSError::new_err(key.to_owned()));
        let vertices = of("vertices")?;
        let mesh = arrays::mesh(&vertices.get_item(0)?, &of("faces")?)?;
        let count = vertices.len()?;
        let parts = match get("parts")? {
            Some(parts) => parts.extract()?,
            None => Vec::new(),
        };
        let source = Arc::new(ArrayFrames { name: name.clone(), array: vertices.unbind() });
        let frames = Frames {
            mesh,
            count,
            source,
            fps: get("fps")?.map(|fps| fps.extract()).transpose()?,
            first_number: get("first_frame")?.map_or(Ok(0), |first| first.extract())?,
            parts,
        };
        memory.add(&name, frames);
    }
    Ok(memory)
}

/// Vertices over time in an array, which is read frame by frame where it lies.
#[derive(Debug)]
struct ArrayFrames {
    name: String,
    array: Py<PyAny>,
}

impl FrameSource for ArrayFrames {
    fn read(&self, frame: usize, out: &mut Vec<DVec3>) -> Result<(), String> {
        Python::attach(|py| {
            let vertices = self.array.bind(py).get_item(frame);
            let points = vertices.and_then(|it| arrays::points(&it, &self.name));
            *out = points.map_err(|error| error.value(py).to_string())?;
            Ok(())
        })
    }
}

/// What a check found.
#[pyclass(frozen, module = "elbowroom._native")]
pub(crate) struct Checks {
    checked: Checked,
}

#[pymethods]
impl Checks {
    #[getter]
    fn exit_code(&self) -> u8 {
        self.checked.code()
    }

    /// Lines that the program would have printed on stderr, each with its kind.
    #[getter]
    fn messages(&self) -> Vec<(String, String)> {
        pairs(self.checked.messages().to_vec())
    }

    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns(py, py.detach(|| self.checked.contacts()))
    }

    fn incidents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns(py, py.detach(|| self.checked.incidents()))
    }

    fn between<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns(py, py.detach(|| self.checked.between()))
    }

    /// For each contact its pairs of triangles.
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let lists = self.checked.triangles();
        let lists = lists.iter().map(|list| arrays::pairs(py, list.iter().copied()));
        PyList::new(py, lists.collect::<PyResult<Vec<_>>>()?)
    }

    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &py.detach(|| self.checked.json())?))
    }

    fn text<'py>(&self, py: Python<'py>, top: usize) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &py.detach(|| self.checked.text(top))?))
    }

    fn page<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &py.detach(|| self.checked.page())?))
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.checked.save(&path)).map_err(PyOSError::new_err)
    }
}

/// A table as a dict of columns.
fn columns(py: Python<'_>, table: Table) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for column in table {
        let values: Value<'_> = match column.values {
            Values::Whole(values) => PyArray1::from_vec(py, values).into_any(),
            Values::Number(values) => PyArray1::from_vec(py, values).into_any(),
            Values::Text(values) => PyList::new(py, values)?.into_any(),
        };
        all.set_item(column.name, values)?;
    }
    Ok(all)
}
