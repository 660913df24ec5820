//! What our own generators make, where a file could be named: `make:man`.

use std::path::Path;

use elbowroom::Mesh;
use elbowroom_motion::body::{Hold, Joint, JointId, Local, Part, Rig, Skeleton};
use glam::DVec3;

use crate::document::{Document, Source};
use crate::error::ReadError;

/// What our own makes are called: `make:man`.
const MAKE: &str = "make:";

/// What can be made.
const MADE: [&str; 4] = ["man", "woman", "cube", "ball"];

/// Whether a name means something of our own making.
pub fn is_made(name: &str) -> bool {
    name.starts_with(MAKE)
}

/// What our own generators make, if that is what the name means.
pub(crate) fn made(path: &Path) -> Option<Result<Document, ReadError>> {
    let what = path.to_str()?.strip_prefix(MAKE)?;
    let rig = match what {
        "man" => elbowroom_make::body::male(),
        "woman" => elbowroom_make::body::female(),
        "cube" => of_mesh(what, elbowroom_make::cuboid(DVec3::splat(0.5)))?,
        "ball" => {
            let ball = elbowroom_make::icosphere(8);
            let halved = ball.vertices().iter().map(|&vertex| 0.5 * vertex).collect();
            of_mesh(what, Mesh::new(halved, ball.triangles().to_vec()).ok()?)?
        }
        _ => {
            let known = MADE.map(|name| format!("{MAKE}{name}")).join(", ");
            let message = format!("nothing of this name is made; there are {known}");
            return Some(Err(ReadError::file(path, message)));
        }
    };
    let mut document = Document::assumed(vec![rig]);
    document.units.source = Source::File;
    document.up.source = Source::File;
    Some(Ok(document))
}

fn of_mesh(name: &str, mesh: Mesh) -> Option<Rig> {
    let joint = Joint { name: name.to_owned(), parent: None, rest: Local::IDENTITY };
    let mut rig = Rig::new(name, Skeleton::new(vec![joint]).ok()?);
    rig.parts.push(Part::new(name, mesh, Hold::Rigid(JointId(0))));
    Some(rig)
}
