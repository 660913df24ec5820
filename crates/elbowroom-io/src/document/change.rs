//! Baking in what a document says about its units and its up axis.
//!
//! Metres go into every length: vertices, morphs, rest translations, translation tracks, the
//! translations of inverse binds, measures of primitives, ranges of slides. A turn goes into one
//! more joint, behind the others, that all roots hang on: clips, skins and joint variables stay as
//! they are, and so do the numbers of all joints.

use elbowroom::Mesh;
use elbowroom_motion::body::{
    Clip, ClipError, Freedom, FreedomKind, Hold, Joint, JointId, Local, Part, Primitive, Rig,
    Skeleton, Skin, Target,
};
use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::{Axis, Document, Units, Up};

/// Why a document cannot be changed: a number would leave the range of f64, or a count that of u32.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeError(String);

impl std::fmt::Display for ChangeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ChangeError {}

pub(super) fn because(error: &dyn std::error::Error) -> ChangeError {
    ChangeError(error.to_string())
}

impl Axis {
    /// The axis as a vector.
    pub fn vector(self) -> DVec3 {
        match self {
            Self::X => DVec3::X,
            Self::Y => DVec3::Y,
            Self::Z => DVec3::Z,
        }
    }
}

impl Document {
    /// The document with lengths in metres.
    ///
    /// # Errors
    /// If a length becomes too large for a number.
    pub fn to_metres(mut self) -> Result<Self, ChangeError> {
        let factor = self.units.metres_per_unit;
        if factor != 1.0 {
            self.rigs =
                self.rigs.iter().map(|rig| scaled(rig, factor)).collect::<Result<_, _>>()?;
            self.units = Units { metres_per_unit: 1.0, ..self.units };
        }
        Ok(self)
    }

    /// The document with another axis up, turned about the axis that is neither the old nor the new
    /// one.
    ///
    /// # Errors
    /// If there are too many joints for one more.
    pub fn turned(mut self, axis: Axis) -> Result<Self, ChangeError> {
        if axis != self.up.axis {
            let arc = DQuat::from_rotation_arc(self.up.axis.vector(), axis.vector());
            let exact = turn(self.up.axis, axis);
            for rig in &mut self.rigs {
                if is_still(rig) {
                    for part in &mut rig.parts {
                        part.mesh = mapped(&part.mesh, |vertex| exact * vertex)?;
                    }
                } else {
                    rig.skeleton = hung(&rig.skeleton, arc)?;
                }
            }
            self.up = Up { axis, ..self.up };
        }
        Ok(self)
    }
}

/// The quarter turn that takes one axis to another and leaves the third alone, without rounding.
pub(crate) fn turn(from: Axis, to: Axis) -> DMat3 {
    let (from, to) = (from.vector(), to.vector());
    if from == to {
        return DMat3::IDENTITY;
    }
    let image = |axis: DVec3| {
        if axis == from {
            to
        } else if axis == to {
            -from
        } else {
            axis
        }
    };
    DMat3::from_cols(image(DVec3::X), image(DVec3::Y), image(DVec3::Z))
}

/// Whether a rig is meshes where their file puts them. Their vertices can be turned without
/// rounding, which the rotation of a joint cannot: a face that touched another would cross it or
/// come off.
fn is_still(rig: &Rig) -> bool {
    let is_plain = |part: &Part| {
        !matches!(part.hold, Hold::Skinned(_)) && part.morphs.is_empty() && part.primitive.is_none()
    };
    rig.clips.is_empty()
        && rig.freedoms.is_empty()
        && rig.skeleton.joints().iter().all(|joint| joint.rest == Local::IDENTITY)
        && rig.parts.iter().all(is_plain)
}

/// A skeleton whose roots hang on one more joint.
fn hung(skeleton: &Skeleton, turn: DQuat) -> Result<Skeleton, ChangeError> {
    let top = JointId(skeleton.len() as u32);
    let mut joints = skeleton.joints().to_vec();
    for joint in &mut joints {
        joint.parent = joint.parent.or(Some(top));
    }
    let rest = Local { rotation: turn, ..Local::IDENTITY };
    joints.push(Joint { name: "up".to_owned(), parent: None, rest });
    Skeleton::new(joints).map_err(|error| because(&error))
}

fn scaled(rig: &Rig, factor: f64) -> Result<Rig, ChangeError> {
    let mut joints = rig.skeleton.joints().to_vec();
    for joint in &mut joints {
        joint.rest.translation *= factor;
    }
    let skeleton = Skeleton::new(joints).map_err(|error| because(&error))?;
    let mut out = Rig::new(rig.name.clone(), skeleton);
    out.parts = rig.parts.iter().map(|part| scaled_part(part, factor)).collect::<Result<_, _>>()?;
    out.clips = rig
        .clips
        .iter()
        .map(|clip| scaled_clip(clip, factor))
        .collect::<Result<_, _>>()
        .map_err(|error| because(&error))?;
    out.freedoms =
        (0..rig.freedoms.len()).map(|index| scaled_freedom(&rig.freedoms, index, factor)).collect();
    out.allowed.clone_from(&rig.allowed);
    Ok(out)
}

fn scaled_part(part: &Part, factor: f64) -> Result<Part, ChangeError> {
    let mut out = part.clone();
    out.mesh = scaled_mesh(&part.mesh, factor)?;
    for offset in out.morphs.iter_mut().flat_map(|morph| &mut morph.offsets) {
        *offset *= factor;
    }
    if let Hold::Skinned(skin) = &part.hold {
        out.hold = Hold::Skinned(scaled_skin(skin, factor)?);
    }
    if let Some((local, primitive)) = &mut out.primitive {
        local.translation *= factor;
        *primitive = scaled_primitive(*primitive, factor);
    }
    Ok(out)
}

fn scaled_mesh(mesh: &Mesh, factor: f64) -> Result<Mesh, ChangeError> {
    mapped(mesh, |vertex| in_metres(vertex, factor))
}

/// Converts lengths, given the metres of their unit, to metres. Millimetres and the like are
/// divided, not multiplied: 700 / 1000 is the number that 0.7 is read as, and 700 × 0.001 is not.
fn in_metres(length: DVec3, factor: f64) -> DVec3 {
    let in_a_metre = factor.recip().round();
    if in_a_metre > 1.0 && 1.0 / in_a_metre == factor {
        length / in_a_metre
    } else {
        length * factor
    }
}

fn mapped(mesh: &Mesh, map: impl Fn(DVec3) -> DVec3) -> Result<Mesh, ChangeError> {
    let vertices = mesh.vertices().iter().map(|&vertex| map(vertex)).collect();
    mesh.with_vertices(vertices).map_err(|error| because(&error))
}

fn scaled_skin(skin: &Skin, factor: f64) -> Result<Skin, ChangeError> {
    // Where p = A·q + t in the old unit, s·p = A·(s·q) + s·t in the new one.
    let scaled = |bind: &DAffine3| DAffine3 { translation: bind.translation * factor, ..*bind };
    let inverse_binds = skin.inverse_binds().iter().map(scaled).collect();
    let mut offsets = vec![0];
    let mut influences = Vec::new();
    for vertex in 0..skin.vertices_len() as u32 {
        influences.extend_from_slice(skin.influences(vertex));
        offsets.push(influences.len() as u32);
    }
    Skin::new(skin.joints().to_vec(), inverse_binds, offsets, influences)
        .map(|new| new.with_blend(skin.blend()))
        .map_err(|error| because(&error))
}

fn scaled_primitive(primitive: Primitive, factor: f64) -> Primitive {
    let long = |length| length * factor;
    match primitive {
        Primitive::Sphere { radius } => Primitive::Sphere { radius: long(radius) },
        Primitive::Capsule { radius, half_length } => {
            Primitive::Capsule { radius: long(radius), half_length: long(half_length) }
        }
        Primitive::Cylinder { radius, half_length } => {
            Primitive::Cylinder { radius: long(radius), half_length: long(half_length) }
        }
        Primitive::Cuboid { half } => Primitive::Cuboid { half: half * factor },
        Primitive::Ellipsoid { half } => Primitive::Ellipsoid { half: half * factor },
        Primitive::HalfSpace => Primitive::HalfSpace,
    }
}

fn scaled_clip(clip: &Clip, factor: f64) -> Result<Clip, ClipError> {
    let mut tracks = clip.tracks().to_vec();
    for track in &mut tracks {
        if matches!(track.target, Target::Translation(_)) {
            track.values.iter_mut().for_each(|value| *value *= factor);
        }
    }
    clip.with_tracks(tracks)
}

fn scaled_freedom(freedoms: &[Freedom], index: usize, factor: f64) -> Freedom {
    // How many new units one unit of a freedom's value is.
    let of = |freedom: &Freedom| if freedom.kind == FreedomKind::Slide { factor } else { 1.0 };
    let mut out = freedoms[index].clone();
    let own = of(&out);
    out.anchor *= factor;
    out.range = out.range.map(|(low, high)| (low * own, high * own));
    if let Some(mimic) = &mut out.mimic {
        mimic.offset *= own;
        mimic.factor *= own / freedoms.get(mimic.of).map_or(1.0, of);
    }
    out
}
