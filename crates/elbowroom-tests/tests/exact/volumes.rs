//! Volumes: fits hold their points in exact arithmetic, tests never part what meets, and the kernel
//! counts what the paper counts.

mod contact;
mod fits;
mod meets;
mod sat;
mod shapes;
mod slack;
