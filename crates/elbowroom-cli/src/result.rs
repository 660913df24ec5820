//! What a check is about and what it came to: checks make it, outputs write it.

pub(crate) mod between;
pub(crate) mod cast;
pub(crate) mod frame;
pub(crate) mod incident;
pub(crate) mod options;
pub(crate) mod plan;
pub(crate) mod spans;
pub(crate) mod totals;
pub(crate) mod work;
