//! The ways to write an orientation.

use elbowroom_motion::body::Local;
use glam::{DMat3, DQuat, DVec3};

use super::model::Compiler;
use super::tree::{Files, Place};
use crate::error::Fault;
use crate::robot::about;

/// The attributes that turn something; where several are written, the first of these counts.
const KINDS: [&str; 5] = ["axisangle", "xyaxes", "zaxis", "euler", "quat"];

/// Looks up an attribute, with its defaults.
pub(super) type Lookup<'l, 'a> = &'l dyn Fn(&str) -> Option<(&'a str, Place)>;

/// `pos` and the orientation of an element.
pub(super) fn pose(
    lookup: Lookup<'_, '_>,
    compiler: &Compiler,
    files: &Files,
) -> Result<Local, Fault> {
    let translation = vector(lookup, "pos", files)?.unwrap_or(DVec3::ZERO);
    Ok(Local::from_rotation_translation(turn(lookup, compiler, files)?, translation))
}

/// Three numbers of an attribute.
pub(super) fn vector(
    lookup: Lookup<'_, '_>,
    name: &str,
    files: &Files,
) -> Result<Option<DVec3>, Fault> {
    Ok(exactly::<3>(lookup, name, files)?.map(DVec3::from_array))
}

/// Exactly `N` numbers of an attribute.
pub(super) fn exactly<const N: usize>(
    lookup: Lookup<'_, '_>,
    name: &str,
    files: &Files,
) -> Result<Option<[f64; N]>, Fault> {
    let Some((text, place)) = lookup(name) else { return Ok(None) };
    let values = files.numbers(place, name, text)?;
    let count = values.len();
    values
        .try_into()
        .map(Some)
        .map_err(|_| files.fault(place, format!("\"{name}\" has {count} numbers; it needs {N}")))
}

fn turn(lookup: Lookup<'_, '_>, compiler: &Compiler, files: &Files) -> Result<DQuat, Fault> {
    let Some(kind) = KINDS.into_iter().find(|kind| lookup(kind).is_some()) else {
        return Ok(DQuat::IDENTITY);
    };
    let no_direction = || {
        let place = lookup(kind).map(|(_, place)| place);
        let message = format!("\"{kind}\" has no direction: its numbers are 0 or parallel");
        place.map_or_else(|| Fault::whole(message.clone()), |place| files.fault(place, &message))
    };
    let unit = |v: DVec3| v.try_normalize().ok_or_else(no_direction);
    match kind {
        "quat" => {
            let [w, x, y, z] = exactly::<4>(lookup, kind, files)?.unwrap_or([1.0, 0.0, 0.0, 0.0]);
            let q = DQuat::from_xyzw(x, y, z, w);
            if q.length() > 0.0 && q.length().is_finite() {
                Ok(q.normalize())
            } else {
                Err(no_direction())
            }
        }
        "axisangle" => {
            let [x, y, z, angle] = exactly::<4>(lookup, kind, files)?.unwrap_or_default();
            Ok(about(unit(DVec3::new(x, y, z))?, compiler.radians(angle)))
        }
        "xyaxes" => {
            let [ax, ay, az, bx, by, bz] = exactly::<6>(lookup, kind, files)?.unwrap_or_default();
            let x = unit(DVec3::new(ax, ay, az))?;
            let y = DVec3::new(bx, by, bz);
            let y = unit(y - x * x.dot(y))?;
            Ok(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize())
        }
        "zaxis" => {
            let axis = vector(lookup, kind, files)?.unwrap_or(DVec3::Z);
            Ok(from_z(unit(axis)?))
        }
        _ => {
            let angles = exactly::<3>(lookup, kind, files)?.unwrap_or_default();
            Ok(euler(angles, compiler))
        }
    }
}

/// Turns about three axes; small letters are axes that turn along, capitals are axes that stand
/// still.
pub(super) fn euler(angles: [f64; 3], compiler: &Compiler) -> DQuat {
    let mut all = DQuat::IDENTITY;
    for (angle, axis) in angles.into_iter().zip(compiler.euler_sequence) {
        let direction = match axis.to_ascii_lowercase() {
            b'x' => DVec3::X,
            b'y' => DVec3::Y,
            _ => DVec3::Z,
        };
        let one = about(direction, compiler.radians(angle));
        all = if axis.is_ascii_lowercase() { all * one } else { one * all };
    }
    all.normalize()
}

/// The shortest turn of the z axis to a direction.
pub(super) fn from_z(direction: DVec3) -> DQuat {
    let across = DVec3::Z.cross(direction);
    let sine = across.length();
    let axis = if sine < 1e-10 { DVec3::X } else { across / sine };
    about(axis, libm::atan2(sine, direction.z))
}
