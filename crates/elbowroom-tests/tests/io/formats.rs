//! The other formats from outside: meshes, moving meshes, mocap, robots and crowds; good files, bad
//! files, any bytes, and the files that people use.

pub(crate) mod any_bytes;
mod bad_meshes;
mod bad_motion;
mod bad_robots;
mod common;
mod crowds;
mod good_meshes;
mod mjcf_contacts;
mod mocap;
mod moments;
mod moving;
mod real_files;
mod robots;
