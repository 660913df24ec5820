//! Exact answers: triangles, volumes and kernels against rational arithmetic, and the conformance
//! suite.

mod adversarial;
mod batches;
mod benchmarks;
mod conformance;
mod engines;
mod epa;
mod oracle;
mod volumes;
