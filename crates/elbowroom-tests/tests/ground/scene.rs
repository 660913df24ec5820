//! Scenes: objects over frames. One test program, so that it is linked once.

mod allowed;
mod bad_input;
mod bits;
mod common;
mod copies;
mod kinds;
mod meanings;
mod meetings;
mod near;
mod own;
mod places;
mod splits;
