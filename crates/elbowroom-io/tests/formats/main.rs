//! The other formats from outside: meshes, moving meshes, mocap, robots and crowds; good files, bad files, any bytes, and the files that
//! people use.

mod any_bytes;
mod bad_meshes;
mod bad_motion;
mod bad_robots;
mod common;
mod crooked_values;
mod crowds;
mod good_meshes;
mod mocap;
mod mocap_values;
mod moments;
mod moving;
mod mujoco_values;
mod panda_values;
mod real_files;
mod robots;
