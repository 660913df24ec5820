//! The built program, as a user meets it. One test program, so that it is linked once.

mod bad_input;
mod check;
mod desk;
mod lab;
mod output;
