//! A robot's joint variables, and the pose that values for them mean.
//!
//! A joint may have several: each acts in the joint's frame as the ones before have left it, about
//! an anchor that may be off the origin, as in MJCF. One that mimics another has no value of its
//! own.

use glam::{DQuat, DVec3};

use super::local::{SkeletonPose, unit};
use super::rig::Rig;
use super::skeleton::JointId;

/// The kind of a joint variable: how the joint may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FreedomKind {
    /// Turns about the axis; one value, in radians.
    Hinge,
    /// Moves along the axis; one value.
    Slide,
    /// Turns in any way; four values, a quaternion x, y, z, w.
    Ball,
    /// Stands anywhere relative to the parent, whatever its rest; seven values, a translation x, y,
    /// z and a quaternion x, y, z, w.
    Free,
}

impl FreedomKind {
    /// The number of values that it takes.
    pub const fn width(self) -> usize {
        match self {
            Self::Hinge | Self::Slide => 1,
            Self::Ball => 4,
            Self::Free => 7,
        }
    }
}

/// A hinge or slide that goes where another one goes: `factor * value + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mimic {
    /// The freedom that is followed, by its place in [`Rig::freedoms`].
    pub of: usize,
    /// The factor of its value.
    pub factor: f64,
    /// The number added to the product.
    pub offset: f64,
}

/// A joint variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Freedom {
    /// The name in the file.
    pub name: String,
    /// The joint that it moves.
    pub joint: JointId,
    /// The kind of motion.
    pub kind: FreedomKind,
    /// The axis of a hinge or slide, in the joint's frame. Its length does not matter.
    pub axis: DVec3,
    /// The point, in the joint's frame, about which a hinge or ball turns.
    pub anchor: DVec3,
    /// The range of its values. Not enforced.
    pub range: Option<(f64, f64)>,
    /// The variable that it follows, if it has no value of its own.
    pub mimic: Option<Mimic>,
}

impl Rig {
    /// The number of values that [`Rig::pose_of`] takes.
    pub fn values_len(&self) -> usize {
        self.freedoms.iter().filter(|f| f.mimic.is_none()).map(|f| f.kind.width()).sum()
    }

    /// The pose that values of the joint variables mean: those of the first freedom, then of the
    /// second, and so on; mimics have none. Joints without a freedom are at rest.
    ///
    /// Ranges are not enforced: what lies beyond them is for the caller to judge.
    ///
    /// # Errors
    /// If there are too few or too many values, or one is not finite; names the freedom.
    pub fn pose_of(&self, values: &[f64]) -> Result<SkeletonPose, PoseError> {
        if values.len() != self.values_len() {
            let (expected, given) = (self.values_len(), values.len());
            return Err(PoseErrorKind::ValueCount { expected, given }.into());
        }
        let mut pose = self.rest_pose();
        let own = self.own_values(values)?;
        for (index, freedom) in self.freedoms.iter().enumerate() {
            let values = match freedom.mimic {
                None => own[index],
                Some(_) => &[self.followed(index, &own)?],
            };
            move_joint(freedom, values, &mut pose);
        }
        Ok(pose)
    }

    /// The values of each freedom; none for a mimic.
    fn own_values<'a>(&self, mut values: &'a [f64]) -> Result<Vec<&'a [f64]>, PoseError> {
        self.freedoms
            .iter()
            .map(|freedom| {
                if freedom.mimic.is_some() {
                    return Ok::<&[f64], _>(&[]);
                }
                let (own, rest) = values.split_at(freedom.kind.width());
                values = rest;
                if own.iter().any(|value| !value.is_finite()) {
                    return Err(PoseErrorKind::NonFinite { name: freedom.name.clone() }.into());
                }
                Ok(own)
            })
            .collect()
    }

    /// The value of a mimic, by way of what it follows.
    fn followed(&self, freedom: usize, own: &[&[f64]]) -> Result<f64, PoseError> {
        let bad = || PoseErrorKind::BadMimic { name: self.freedoms[freedom].name.clone() };
        let (mut factor, mut offset, mut at) = (1.0, 0.0, freedom);
        // No chain without a cycle is longer than there are freedoms.
        for _ in 0..=self.freedoms.len() {
            let followed = self.freedoms.get(at).ok_or_else(bad)?;
            if followed.kind.width() != 1 {
                return Err(bad().into());
            }
            let Some(mimic) = followed.mimic else {
                return Ok(factor * own[at][0] + offset);
            };
            offset += factor * mimic.offset;
            factor *= mimic.factor;
            at = mimic.of;
        }
        Err(bad().into())
    }
}

/// Moves a joint on from where earlier freedoms have left it.
fn move_joint(freedom: &Freedom, values: &[f64], pose: &mut SkeletonPose) {
    let Some(local) = pose.locals.get_mut(freedom.joint.index()) else { return };
    let axis = || freedom.axis.try_normalize().unwrap_or(DVec3::ZERO);
    let turn = match (freedom.kind, values) {
        (FreedomKind::Hinge, &[angle]) => {
            let (sin, cos) = (libm::sin(0.5 * angle), libm::cos(0.5 * angle));
            let DVec3 { x, y, z } = axis() * sin;
            DQuat::from_xyzw(x, y, z, cos)
        }
        (FreedomKind::Slide, &[distance]) => {
            local.translation += unit(local.rotation) * (axis() * distance);
            return;
        }
        (FreedomKind::Ball, &[x, y, z, w]) => unit(DQuat::from_xyzw(x, y, z, w)),
        (FreedomKind::Free, &[tx, ty, tz, x, y, z, w]) => {
            local.translation = DVec3::new(tx, ty, tz);
            local.rotation = unit(DQuat::from_xyzw(x, y, z, w));
            return;
        }
        _ => return,
    };
    let before = unit(local.rotation);
    let after = unit(before * turn);
    local.translation += before * freedom.anchor - after * freedom.anchor;
    local.rotation = after;
}

elbowroom::declare_error! {
    /// Why values make no pose.
    #[derive(Clone, Debug, PartialEq)]
    pub struct PoseError;

    /// What was wrong with the values of joint variables.
    #[derive(Clone, Debug, PartialEq)]
    pub enum PoseErrorKind {
        /// Too few or too many values.
        #[error(
            "{given} values were given, but the freedoms take {expected} (hinge and slide 1, ball \
             4, free 7, mimics none)"
        )]
        ValueCount {
            /// How many the freedoms take.
            expected: usize,
            /// How many there were.
            given: usize,
        },
        /// A value is NaN or infinite.
        #[error("a value of the freedom {name:?} is not finite")]
        NonFinite {
            /// The freedom's name.
            name: String,
        },
        /// A mimic follows itself, or something that has no single value.
        #[error("the freedom {name:?} follows itself, or nothing with a single value")]
        BadMimic {
            /// The freedom's name.
            name: String,
        },
    }
}
