//! What robot files share: other files beside them, simple solids, and who may touch whom.

pub(crate) mod adjacent;
pub(crate) mod beside;
pub(crate) mod budget;
pub(crate) mod solid;

pub use solid::TESSELLATION_ERROR;

use std::path::Path;

use glam::{DQuat, DVec3};

use crate::document::{Document, ReadOptions};
use crate::error::{Fault, ParseError};
use crate::{mjcf, urdf, xml};

/// Reads an `.xml` file: a robot, told by its first element.
///
/// # Errors
/// As the reader of its kind; or says that it is of neither.
pub(crate) fn parse(
    bytes: &[u8],
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Document, ParseError> {
    let first = || {
        let text = xml::text(bytes)?;
        let document = xml::parse(text)?;
        Ok(document.root_element().tag_name().name().to_owned())
    };
    match first().map_err(|fault: Fault| fault.in_text(bytes))?.as_str() {
        "mujoco" => mjcf::parse(bytes, folder, options),
        "robot" => urdf::parse(bytes, folder, options),
        other => {
            let message = format!(
                "an XML file of <{other}>, which is no robot: known are <mujoco> (MJCF) and <robot> (URDF)"
            );
            Err(Fault::whole(message).in_text(bytes))
        }
    }
}

/// A turn about a unit axis; sine and cosine are of one library, so that every system gives the
/// same bits.
pub(crate) fn about(axis: DVec3, angle: f64) -> DQuat {
    let xyz = axis * libm::sin(0.5 * angle);
    DQuat::from_xyzw(xyz.x, xyz.y, xyz.z, libm::cos(0.5 * angle))
}
