//! MJCF, the models of `MuJoCo`: bodies in a tree, with joints and shapes that touch.
//!
//! Every body becomes a joint of a skeleton, every shape (geom) that can touch something a part
//! that hangs on it, every joint a freedom. What floats freely (a top body with a free joint)
//! becomes a rig of its own; the world and all that stands on it is the first rig. Keyframes become
//! clips of one key.
//!
//! Read: `include`, `default` classes, `compiler` (angle, eulerseq, meshdir, assetdir, strippath,
//! autolimits), all ways to write an orientation, `fromto`, meshes from STL and OBJ, `frame`,
//! `replicate`, `attach`, hinge, slide, ball and free joints with `ref` and `range`, contact
//! `exclude`, contact masks, `filterparent`, keyframes. Shapes whose `contype` and `conaffinity`
//! are 0 never touch anything, and are left out with a note; so are height fields of PNG images,
//! flexes, composites and fits of a primitive to a mesh. Shapes of a `<pair>` are read whatever
//! their masks. Contact margins are noted. Elements and attributes that are not known, of what says
//! where things are, and `coordinate="global"` are refused. The rest of the file (actuators,
//! sensors, looks) says nothing about where things are.
//!
//! Source: the `MuJoCo` documentation, XML reference. We differ: the value of a freedom is the
//! distance from `ref`, 0 at rest, and its range is moved along; a plane is drawn as a slab, of 200
//! m where it has no size; a mesh is taken as it is, not by its hull; bodies of which some shapes
//! can touch by their masks and others cannot are compared with all their shapes, and a note says
//! so.
//!
//! Invariants: files are read only from the folder of the model unless the caller allows more; each
//! file once; nesting and copies are bounded, and so is what is decoded.

mod bodies;
mod built;
mod defaults;
mod height_field;
mod keys;
mod masks;
mod model;
mod orient;
mod rigs;
mod shapes;
mod tree;

use std::path::Path;

use crate::document::{Axis, Document, ReadOptions, Source, Units, Up};
use crate::error::{Fault, ParseError};
use bodies::Builder;
use model::Model;
use tree::Files;

/// Reads the bytes of an MJCF file that lies in `folder`.
///
/// # Errors
/// Names the line, in this file or in one that it includes, and what is wrong; so too for a mesh
/// that is missing or damaged.
///
/// # Example
/// ```
/// use elbowroom_io::{ReadOptions, mjcf};
///
/// let text = br#"<mujoco><worldbody><body name="arm"><joint name="elbow" axis="0 1 0"/>
///   <geom type="capsule" size="0.05" fromto="0 0 0 0.3 0 0"/></body></worldbody></mujoco>"#;
/// let document = mjcf::parse(text, None, &ReadOptions::default()).unwrap();
/// let robot = &document.rigs[0];
/// assert_eq!((robot.freedoms.len(), robot.parts.len()), (1, 1));
/// ```
pub fn parse(
    bytes: &[u8],
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Document, ParseError> {
    read(bytes, folder, options).map_err(|fault| fault.in_text(bytes))
}

fn read(bytes: &[u8], folder: Option<&Path>, options: &ReadOptions) -> Result<Document, Fault> {
    let mut files = Files::default();
    let model = Model::root(bytes, folder, options, &mut files)?;
    let mut builder = Builder::new(&files, options);
    builder.world(&model)?;
    let built = builder.finish();
    let mut notes = built.notes();
    let rigs = rigs::assemble(&model, built, &files, &mut notes)?;
    Ok(Document {
        rigs,
        units: Units { metres_per_unit: 1.0, source: Source::File },
        up: Up { axis: Axis::Z, source: Source::File },
        notes,
    })
}
