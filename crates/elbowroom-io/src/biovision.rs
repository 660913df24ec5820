//! Biovision (`.bvh`): a skeleton and its motion, as motion capture is passed around.
//!
//! `HIERARCHY` nests joints in braces, each with the `OFFSET` to its parent and the `CHANNELS` that
//! each frame gives for it, in any order and any number; `MOTION` is a table of one line a frame,
//! in degrees and the units of the offsets. Rotations apply in the order in which their channels
//! are listed: the first is outermost.
//!
//! Source: the Biovision format as described by Jeff Lander, Working with motion capture file
//! formats, 1998. We differ: numbers are words, so a frame may be broken over lines; several roots
//! are allowed; joints of one name are told apart by a number behind it. Position channels
//! are added to the offset of a root, as the format says, and take the place of the offset
//! elsewhere, as exporters mean it.
//!
//! Why not a library: `bvh_anim` is unfinished since 2019, and the others drag a build system along
//! or say no line.
//!
//! The file says neither its unit nor which way is up. The unit is assumed to be the common one
//! that makes the skeleton nearest to 1.7 m tall.
//!
//! Invariants: the skeleton has the joints in file order; the clip has a key for each frame; memory
//! is bounded by the words that are there, whatever the number of frames in the header.

mod hierarchy;
mod motion;

use std::path::Path;

use elbowroom_motion::body::{JointId, Rig};
use glam::DVec3;

use crate::document::{Axis, Document, ReadOptions, Source, Units, Up};
use crate::error::{Fault, ParseError};
use crate::text::{Words, byte_order_mark};
use hierarchy::Hierarchy;

/// A skeleton and its motion as one file gives them.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Motion {
    /// The joints, and one clip unless the file has no frames or no channels.
    pub rig: Rig,
    /// Where each chain ends: the last joint and the point in its frame (`End Site`).
    pub ends: Vec<(JointId, DVec3)>,
    /// How many frames the file has, the first among them.
    pub frames: usize,
    /// Seconds from frame to frame.
    pub frame_secs: f64,
    /// How far frame 1 is from frame 0, in radians a joint, where frame 0 stands apart from the
    /// motion: a rest pose put in front.
    pub rest_frame: Option<f64>,
    /// What was odd and how it was read.
    pub notes: Vec<String>,
}

/// Reads the bytes of a Biovision file; `skip_rest_frame` leaves out the first frame where it is a
/// rest pose.
///
/// # Errors
/// Names the line and what is wrong with it.
///
/// # Example
/// ```
/// let text = b"HIERARCHY\nROOT Hips {\n OFFSET 0 0 0\n CHANNELS 1 Yrotation\n End Site { OFFSET 0 9 0 }\n}
/// MOTION\nFrames: 2\nFrame Time: 0.5\n0\n90\n";
/// let motion = elbowroom_io::biovision::read(text, false).unwrap();
/// assert_eq!((motion.frames, motion.rig.clips[0].seconds()), (2, 0.5));
/// ```
pub fn read(bytes: &[u8], skip_rest_frame: bool) -> Result<Motion, ParseError> {
    read_text(bytes, skip_rest_frame).map_err(|fault| fault.in_text(bytes))
}

/// Reads the bytes of a Biovision file as a document.
///
/// # Errors
/// Names the line and what is wrong with it.
pub fn parse(
    bytes: &[u8],
    _folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Document, ParseError> {
    let motion = read(bytes, options.skip_rest_frame)?;
    let metres_per_unit = guess_unit(&motion);
    Ok(Document {
        rigs: vec![motion.rig],
        units: Units { metres_per_unit, source: Source::Assumed },
        up: Up { axis: Axis::Y, source: Source::Assumed },
        notes: motion.notes,
    })
}

fn read_text(text: &[u8], skip_rest_frame: bool) -> Result<Motion, Fault> {
    if text.is_empty() {
        return Err(Fault::whole("the file is empty; export the motion again"));
    }
    if text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff") {
        return Err(Fault::at(0, "the text is UTF-16; save it as UTF-8"));
    }
    let mut words = Words::new(text, byte_order_mark(text), text.len());
    let Hierarchy { skeleton, channels, ends, notes } = hierarchy::read(&mut words, text.len())?;
    let mut motion = Motion {
        rig: Rig::new("motion", skeleton),
        ends,
        frames: 0,
        frame_secs: 0.0,
        rest_frame: None,
        notes,
    };
    motion::read(&mut words, text.len(), &channels, skip_rest_frame, &mut motion)?;
    Ok(motion)
}

/// Metres, centimetres, millimetres, inches and the unit of the CMU captures (1/0.45 inches).
const COMMON_UNITS: [f64; 5] = [1.0, 0.01, 0.001, 0.0254, 0.0254 / 0.45];

/// The common unit in which the skeleton at rest is nearest to a person of 1.7 m, by ratio.
fn guess_unit(motion: &Motion) -> f64 {
    let mut world = Vec::new();
    motion.rig.skeleton.world(&motion.rig.skeleton.rest_pose(), &mut world);
    let joints = world.iter().map(|joint| joint.translation);
    let ends = motion
        .ends
        .iter()
        .map(|&(JointId(joint), end)| world[joint as usize].transform_point3(end));
    let points: Vec<DVec3> = joints.chain(ends).collect();
    let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    let height = (high.y - low.y).abs();
    if !(height.is_finite() && height > 0.0) {
        return 1.0;
    }
    let off = |unit: f64| (height * unit / 1.7).ln().abs();
    COMMON_UNITS.into_iter().min_by(|&a, &b| off(a).total_cmp(&off(b))).unwrap_or(1.0)
}
