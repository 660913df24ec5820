//! Bodies that a command lends to those who have none: generated ones by name, or the first
//! character of a file.

use std::path::Path;

use elbowroom_io::{Axis, ReadOptions};
use elbowroom_make::body::{female, male};
use elbowroom_motion::body::Rig;
use elbowroom_motion::space_time::Up;

use crate::load::{What, load};
use crate::messages::Refusal;
use crate::save::refusal;

/// A character in metres.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) rig: Rig,
    pub(crate) up: Axis,
}

/// The body that is named: `make:man`, `make:woman`, or a file.
pub(crate) fn body_of(name: &str) -> Result<Body, Refusal> {
    match name {
        "make:man" => return Ok(Body { rig: male(), up: Axis::Y }),
        "make:woman" => return Ok(Body { rig: female(), up: Axis::Y }),
        _ => {}
    }
    let path = Path::new(name);
    let hint = "name a character with a skin: make:man, make:woman, or a .glb, .gltf or .fbx";
    let refuse = |problem: &str| refusal(path, problem, hint);
    let loaded = load(path, &ReadOptions::default())
        .map_err(|problem| Refusal { problems: vec![problem], hint: hint.to_owned() })?;
    let What::Document(document, _) = loaded.what else {
        return Err(refuse("holds no character"));
    };
    let document = document.to_metres().map_err(|error| refuse(&error.to_string()))?;
    let axis = document.up.axis;
    let has_skin = |rig: &Rig| rig.parts.iter().any(|part| !part.mesh.triangles().is_empty());
    let rig = document.rigs.into_iter().find(has_skin).ok_or_else(|| refuse("holds no skin"))?;
    rig.validate().map_err(|error| refuse(&error.to_string()))?;
    Ok(Body { rig, up: axis })
}

/// The axis by the name that the library has for it.
pub(crate) fn up(axis: Axis) -> Up {
    match axis {
        Axis::X => Up::X,
        Axis::Y => Up::Y,
        Axis::Z => Up::Z,
    }
}
