//! glTF in and GLB out, from outside: good files, bad files, any bytes, the files that people use,
//! and three judges: the standard, three.js, the validator.

mod any_bytes;
mod bad_files;
mod by_the_standard;
mod common;
mod compressed;
mod good_files;
mod outside_judges;
mod real_files;
mod standard;
mod written_files;
