//! The built program, as a user meets it. One test program, so that it is linked once.

mod bad_input;
mod between;
mod check;
mod clips;
mod convert;
mod crowd;
mod depth;
mod desk;
mod guides;
mod info;
mod interrupted;
mod known;
mod lab;
mod lab_report;
mod make;
mod manual;
mod meanings;
mod no_lab;
mod output;
mod parts;
mod played;
mod primitives;
mod shots;
mod tables;
mod view;
mod written;
