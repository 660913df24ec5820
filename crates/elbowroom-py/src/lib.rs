//! The native part of the Python package `elbowroom`: glue between arrays and the engine, without
//! logic of its own. What users see is in `python/elbowroom`.

mod arrays;
mod errors;
mod model;
mod results;
mod work;
mod world;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::Model>()?;
    module.add_class::<model::DeformableModel>()?;
    module.add_class::<world::World>()?;
    Ok(())
}
