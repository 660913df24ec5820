//! Scene files, as they are written and as they go wrong. One test program, so that it is linked
//! once.

mod bad_files;
mod common;
mod good_files;
mod kept;
mod real_files;
mod schema;
mod shots;
