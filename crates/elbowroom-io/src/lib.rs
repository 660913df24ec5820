//! Readers and writers of files: meshes ([`elbowroom::Mesh`]), rigs
//! ([`elbowroom_motion::body::Rig`]), clips, trajectories and scenes.
//!
//! ```
//! use elbowroom::Model;
//!
//! let file = elbowroom_io::obj::parse(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")?;
//! assert!(Model::new(file.mesh.clone()).intersects(&Model::new(file.mesh)));
//!
//! // A bad file is refused with its place, and with what to do about it.
//! let error = elbowroom_io::obj::parse(b"v 0 0 0\nf 1 1 7\n").expect_err("no seventh vertex");
//! assert_eq!(error.line(), Some(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A tour
//! Each format has a module with a `parse` from bytes. These functions choose the format by the
//! ending of the name, or by content if that is missing or wrong ([`formats`]):
//!
//! | you have | call | formats |
//! |---|---|---|
//! | a plain mesh | [`read_mesh`] | [`obj`], [`stl`], [`ply`], [`off`], [`threemf`] |
//! | a mesh, a character, a robot or motion capture | [`read_document`] | all of these, [`gltf`], [`fbx`], [`biovision`], [`mjcf`], [`urdf`] |
//! | vertices over time | [`VertexFrames`] | numbered files ([`sequence`]), [`npz`] |
//! | several bodies over time in one array | [`body_array`] | NPY, NPZ |
//! | trajectories of people | [`read_trajectories`] | [`trajectory`] |
//! | poses of an object over time | [`poses`] | JSON |
//! | a shot of any of these | [`read_shot`] | all |
//! | a scene file | [`read_scene`] | [`scene_file`] |
//! | data in memory | [`memory`] | named where a file can be named |
//!
//! | you write | with |
//! |---|---|
//! | rigs with clips | [`glb_out`] |
//! | plain meshes ([`MeshOut`]) | [`obj_out`], [`stl_out`], [`ply_out`], [`off_out`] |
//! | frames of vertices | [`npz_out`] |
//! | trajectories | [`trajectory_out`] |
//!
//! Every file that a reader opens is [noted](opened), so that a program can refuse to write over
//! it.
//!
//! `docs/limits.md` in the repository lists how deep, how many and how large the contents of a file
//! may be; `docs/glossary.md` maps the words of the field and of the papers to ours.
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
mod bytes;
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
mod made;
pub mod memory;
mod mesh_file;
mod mesh_in;
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
};
pub use error::{ParseError, ReadError};
pub use made::is_made;
pub use mesh_file::{Format, Ignored, MeshFile, Part};
pub use mesh_in::{read_mesh, read_mesh_with};
pub use mesh_out::{Group, MeshOut, WriteError};
pub use odd::{ASSUMED, LEFT_OUT};
pub use read::read_document;
pub use robot::TESSELLATION_ERROR;
pub use scene_file::{LeftOut, SceneFile, SceneFileError, read_scene, read_scene_partly};
pub use sequence::VertexFrames;
pub use shot::{Asked, Doubt, Plays, Shot, read_shot};
pub use split::Split;
pub use trajectory::{read_trajectories, read_trajectories_with};
pub use units::{is_same_unit, parse_unit, unit_name};

/// The README's example, so that it keeps running.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
