//! The native part of the Python package `elbowroom`: glue between arrays and the engine, without
//! logic of its own. What users see is in `python/elbowroom`.

#![allow(
    clippy::doc_markdown,
    clippy::doc_link_with_quotes,
    reason = "doc comments are docstrings, in numpy's style"
)]
#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "a method of a type with a lifetime does not do for all lifetimes"
)]
#![allow(clippy::needless_pass_by_value, reason = "arguments from Python are extracted by value")]

mod arrays;
mod errors;
mod metrics;
mod model;
mod papers;
mod program;
mod results;
mod shot;
mod work;
mod world;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::Model>()?;
    module.add_class::<model::DeformableModel>()?;
    module.add_class::<world::World>()?;
    module.add_class::<program::Checks>()?;
    module.add_class::<shot::Shot>()?;
    module.add_function(wrap_pyfunction!(metrics::measure_pair, module)?)?;
    module.add_function(wrap_pyfunction!(shot::load, module)?)?;
    module.add_function(wrap_pyfunction!(program::main, module)?)?;
    module.add_function(wrap_pyfunction!(program::command, module)?)?;
    module.add_function(wrap_pyfunction!(program::check, module)?)?;
    papers::register(module)
}
