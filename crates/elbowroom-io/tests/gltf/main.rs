//! glTF in and GLB out, from outside: good files, bad files, any bytes, the files that people use, and three.js as the judge.

mod any_bytes;
mod bad_files;
mod common;
mod good_files;
mod outside_judges;
mod real_files;
mod written_files;
