//! On the ground: footprints, motions, crowds and scenes over frames.

mod crowd;
mod crowd_skinned;
mod footprint_bounds;
mod footprint_boxes;
mod footprint_packed;
mod footprints;
mod incidents;
mod motion_between;
mod motion_bodies;
mod motion_by_tree;
mod motion_contacts;
mod motion_graph;
mod motion_merged;
mod motion_offsets;
mod motion_queries;
mod motion_sequences;
mod motion_strides;
mod motion_traces;
mod refine;
mod scene;
mod slide;
