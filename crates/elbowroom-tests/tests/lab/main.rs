//! The experiments of the papers.

mod experiments;
mod pictures;
