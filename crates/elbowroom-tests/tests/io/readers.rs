//! The readers from outside: good files, bad files, any bytes.

mod any_bytes;
mod bad_files;
mod common;
mod good_files;
