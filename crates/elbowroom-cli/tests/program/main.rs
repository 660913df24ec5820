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
mod lab_report;
mod make;
mod manual;
mod meanings;
mod output;
mod parts;
mod shots;
mod written;
