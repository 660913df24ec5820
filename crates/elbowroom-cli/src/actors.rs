//! Bodies that a command lends to those who have none: generated ones by name, or the first
//! character of a file.

use std::path::Path;

use elbowroom_io::{Axis, LEFT_OUT, ReadOptions};
use elbowroom_make::body::{female, male};
use elbowroom_motion::body::Rig;
use elbowroom_motion::space_time::Up;

use crate::load::{What, load};
use crate::messages::{Refusal, fitted, printable};
use crate::save::refusal;

/// A character in metres.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) rig: Rig,
    pub(crate) up: Axis,
    /// What its reader noted, with its name.
    pub(crate) notes: Vec<String>,
}

impl Body {
    fn made(rig: Rig) -> Self {
        Self { rig, up: Axis::Y, notes: Vec::new() }
    }
}

/// The body that is named: `make:man`, `make:woman`, or a file.
pub(crate) fn body_of(name: &str) -> Result<Body, Refusal> {
    match name {
        "make:man" => return Ok(Body::made(male())),
        "make:woman" => return Ok(Body::made(female())),
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
    let mut notes = document.notes;
    let mut rigs = document.rigs.into_iter().filter(has_skin);
    let rig = rigs.next().ok_or_else(|| refuse("holds no skin"))?;
    notes.extend(others_note(&rig.name, rigs.count()));
    let notes = notes.iter().map(|note| format!("{}: {note}", printable(name))).collect();
    rig.validate().map_err(|error| refuse(&error.to_string()))?;
    Ok(Body { rig, up: axis, notes })
}

/// A note on bodies of a file that are not taken, because a command takes one.
pub(crate) fn others_note(taken: &str, others: usize) -> Option<String> {
    (others > 0).then(|| {
        format!(
            "holds {} bodies; {:?} is taken, and the others are {LEFT_OUT}; name a file with one",
            others + 1,
            fitted(taken)
        )
    })
}

/// The axis by the name that the library has for it.
pub(crate) fn up(axis: Axis) -> Up {
    match axis {
        Axis::X => Up::X,
        Axis::Y => Up::Y,
        Axis::Z => Up::Z,
    }
}
