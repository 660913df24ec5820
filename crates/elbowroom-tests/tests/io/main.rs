//! Files: meshes, characters, robots, motions and scenes, read and written.

mod articulated;
mod bounds;
mod clearances;
#[cfg(feature = "fbx")]
mod fbx;
mod formats;
mod gltf;
mod limits;
mod links;
mod primitives;
mod readers;
mod scenes;
mod two_person;
mod ufbx_frames;
mod writers;
