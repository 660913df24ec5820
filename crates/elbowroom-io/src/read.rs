//! Opens any file that is known, and chooses its reader by the ending of its name and by content.

use std::path::Path;

use crate::bytes::read_bytes;
use crate::document::{Document, ReadOptions, stem};
use crate::error::{Fault, ParseError, ReadError};
use crate::formats::{self, Found, Kind};
use crate::made::made;
use crate::mesh_in::read_mesh_with;
use crate::split::Split;
use crate::{biovision, fbx, gltf, mjcf, threemf, urdf, xml};

/// Reads the bytes of a file that lies in a folder, which is `None` when the bytes are all there
/// is.
type Parse = fn(&[u8], Option<&Path>, &ReadOptions) -> Result<Document, ParseError>;

/// Who reads a kind of file; `None` if it is a plain mesh or holds no document.
fn reader(kind: Kind) -> Option<Parse> {
    Some(match kind {
        Kind::Gltf => gltf::parse,
        Kind::Fbx => fbx::parse,
        Kind::ThreeMf => threemf::document,
        Kind::Bvh => biovision::parse,
        Kind::Robot => robot,
        Kind::Mjcf => mjcf::parse,
        Kind::Urdf => urdf::parse,
        _ => return None,
    })
}

/// Reads any file that is known, plain or packed with gzip (`.glb.gz`).
///
/// # Errors
/// Names the file, the place in it where there is one, what is wrong and what to do; also where the
/// options make no sense.
///
/// # Example
/// ```no_run
/// use elbowroom_io::{ReadOptions, read_document};
///
/// let document = read_document("walk.glb".as_ref(), &ReadOptions::default())?;
/// for clip in &document.rigs[0].clips {
///     println!("{}: {} s", clip.name(), clip.seconds());
/// }
/// # Ok::<(), elbowroom_io::ReadError>(())
/// ```
pub fn read_document(path: &Path, options: &ReadOptions) -> Result<Document, ReadError> {
    let own = options.of_file(path).and_then(|own| own.units);
    let given = own.into_iter().chain(options.units);
    if let Some(metres) = given.into_iter().find(|metres| !(metres.is_finite() && *metres > 0.0)) {
        let message = format!("a unit of {metres} m was asked for; a unit is longer than nothing");
        return Err(ReadError::file(path, message));
    }
    if let Some(made) = made(path) {
        return made?.told(path, options);
    }
    let Found { kind, note } = formats::find(path)?;
    let document = match reader(kind) {
        Some(parse) => {
            let bytes = read_bytes(path, options)?;
            let document = parse(&bytes, path.parent(), options);
            let mut document = document.map_err(|error| ReadError::content(path, error))?;
            document.notes.extend(note);
            match options.split {
                Split::Shells => document.into_shells(),
                Split::Objects if kind == Kind::ThreeMf => Ok(document.with_shells_note()),
                _ => Ok(document),
            }
            .map_err(|problem| ReadError::file(path, problem))?
        }
        None if kind.is_plain_mesh() => mesh_document(path, options)?,
        None => return Err(ReadError::file(path, no_document(kind))),
    };
    document.told(path, options)
}

/// What to do with a file that holds no mesh, or one that is read frame by frame.
fn no_document(kind: Kind) -> &'static str {
    match kind {
        Kind::Scene => "is a scene file, which stands alone; name the other files in it",
        Kind::Trajectories => {
            "holds no mesh; if it has trajectories of people, use `elbowroom crowd` or a scene file ([[crowd]])"
        }
        _ => "holds vertices over time (NPZ); give it a name that ends in .npz",
    }
}

/// A plain mesh file as a rig.
fn mesh_document(path: &Path, options: &ReadOptions) -> Result<Document, ReadError> {
    let file = read_mesh_with(path, options)?;
    Document::of_plain(&stem(path), file, options).map_err(|problem| ReadError::file(path, problem))
}

/// Reads an `.xml` file: a robot, told by its first element.
///
/// # Errors
/// As the reader of its kind; or says that it is of neither.
fn robot(
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
