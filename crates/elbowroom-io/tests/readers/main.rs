//! The readers from outside: good files, bad files, any bytes, and the files that people use.

mod any_bytes;
mod bad_files;
mod common;
mod good_files;
mod real_files;
