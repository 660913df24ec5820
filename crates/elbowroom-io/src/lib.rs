//! Readers and writers of files: meshes ([`elbowroom::Mesh`]), rigs
//! ([`elbowroom_motion::body::Rig`]), clips, trajectories and scenes.
//!
//! Each format has a module with a `parse` from bytes; a bad file is refused with the place and
//! what to do about it. These functions choose the format by the ending of the name, or by content
//! if that is missing or wrong ([`formats`]):
//! * [`read_mesh`] reads a plain mesh: [`obj`], [`stl`], [`ply`], [`off`], [`threemf`];
//! * [`read_document`] reads all of these and formats with motion: [`gltf`], [`fbx`],
//!   [`biovision`], [`mjcf`], [`urdf`];
//! * [`VertexFrames`] reads vertices over time, frame by frame: numbered files ([`sequence`]) and
//!   [`npz`]; [`body_array`] those of several bodies in one array;
//! * [`read_trajectories`] reads the trajectories of people ([`trajectory`]), [`poses`] those of an
//!   object;
//! * [`read_shot`] makes a scene of any of these, [`read_scene`] one that a [`scene_file`]
//!   describes.
//!
//! Data that is in [`memory`] already can be named where a file can.
//!
//! Every file that a reader opens is [noted](opened), so that a program can refuse to write over
//! it.
//!
//! Writers: rigs by [`glb_out`]; plain meshes ([`MeshOut`]) by [`obj_out`], [`stl_out`],
//! [`ply_out`] and [`off_out`]; frames by [`npz_out`]; trajectories by [`trajectory_out`].
//!
//! Invariants of every reader here:
//! * Coordinates are the f64 nearest to what is written; nothing is welded, scaled, turned or
//!   dropped.
//! * Faces are numbered from 0 in file order, and triangles follow the order of their faces.
//! * Memory is at most a small multiple of the bytes read: a count in a header is compared with the
//!   size of the file, and never sizes an allocation before.
//! * Any bytes give a mesh or an error; no reader panics.

pub mod biovision;
pub mod body_array;
pub mod clip_choice;
mod document;
mod error;
#[cfg(feature = "fbx")]
pub mod fbx;
#[cfg(not(feature = "fbx"))]
#[path = "no_fbx.rs"]
pub mod fbx;
pub mod formats;
pub mod glb_out;
pub mod gltf;
pub mod limits;
pub mod memory;
mod mesh_file;
mod mesh_out;
pub mod mjcf;
pub mod names;
pub mod npz;
pub mod npz_out;
pub mod obj;
pub mod obj_out;
mod odd;
pub mod off;
pub mod off_out;
pub mod opened;
pub mod ply;
pub mod ply_out;
pub mod poses;
pub mod rate;
mod read;
pub mod retarget;
mod robot;
pub mod scene_file;
pub mod sequence;
mod shot;
pub mod split;
pub mod stl;
pub mod stl_out;
mod text;
pub mod threemf;
pub mod trajectory;
pub mod trajectory_out;
mod units;
pub mod urdf;
mod winding;
mod xml;

pub use document::{
    Axis, ChangeError, Document, FileFacts, FileOptions, ReadOptions, Source, Units, Up,
    read_document,
};
pub use error::{ParseError, ReadError};
pub use mesh_file::{Format, Ignored, MeshFile, Part};
pub use mesh_out::{Group, MeshOut, WriteError};
pub use odd::{ASSUMED, LEFT_OUT};
pub use read::{read_mesh, read_mesh_with};
pub use robot::TESSELLATION_ERROR;
pub use scene_file::{LeftOut, SceneFile, SceneFileError, read_scene, read_scene_partly};
pub use sequence::VertexFrames;
pub use shot::load::is_made;
pub use shot::{Asked, Doubt, Plays, Shot, read_shot};
pub use split::Split;
pub use trajectory::{read_trajectories, read_trajectories_with};
pub use units::{is_same_unit, parse_unit, unit_name};

/// The README's example, so that it keeps running.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
