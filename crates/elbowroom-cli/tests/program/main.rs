//! The built program, as a user meets it. One test program, so that it is linked once.

mod bad_input;
mod between;
mod check;
mod clips;
mod convert;
mod crowd;
mod depth;
mod desk;
mod info;
mod interrupted;
mod lab;
mod make;
mod manual;
mod meanings;
mod output;
mod parts;
mod played;
mod shots;
mod view;
mod written;
