//! What is warm allocates nothing: each kind of query, refit and pose, counted on the thread that
//! asks.

mod articulated;
mod batch;
mod body;
mod continuous;
mod counter;
mod crowd;
mod deformable;
mod depth;
mod distance;
mod footprint;
mod front;
mod motion;
mod query;
mod refit;
mod slide;
