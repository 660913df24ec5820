//! What a walk through a model found, and what it passed over.

use elbowroom_motion::body::{FreedomKind, Local, Part};
use glam::DVec3;

use super::masks::Mask;
use crate::text::counted;

/// A body, placed in its parent.
pub(super) struct Body {
    pub(super) name: String,
    /// `None` for the world alone, which is the first body.
    pub(super) parent: Option<usize>,
    pub(super) rest: Local,
}

/// A joint variable of a body.
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) body: usize,
    pub(super) kind: FreedomKind,
    pub(super) axis: DVec3,
    pub(super) anchor: DVec3,
    pub(super) range: Option<(f64, f64)>,
    /// The value at which the body stands as the file places it.
    pub(super) reference: f64,
}

/// A shape that a body holds, and what it can touch.
pub(super) struct Shape {
    pub(super) body: usize,
    pub(super) part: Part,
    pub(super) mask: Mask,
}

/// What was found, and what was passed over.
#[derive(Default)]
pub(super) struct Built {
    pub(super) bodies: Vec<Body>,
    pub(super) variables: Vec<Variable>,
    pub(super) shapes: Vec<Shape>,
    /// Pairs of bodies that may touch.
    pub(super) excluded: Vec<(usize, usize)>,
    /// Bodies of which shapes are to touch by a `<pair>`, whatever else is said.
    pub(super) paired: Vec<(usize, usize)>,
    pub(super) skipped: Skipped,
}

/// Counts of what was left out or stood in for.
#[derive(Default)]
pub(super) struct Skipped {
    pub(super) untouchable: usize,
    pub(super) unread: usize,
    pub(super) height_fields: usize,
    pub(super) height_field_surfaces: usize,
    pub(super) margins: usize,
    pub(super) paired: usize,
    pub(super) attached_keys: usize,
}

impl Built {
    /// A sentence for everything that was left out.
    pub(super) fn notes(&self) -> Vec<String> {
        let skipped = &self.skipped;
        let rows = [
            (
                skipped.untouchable,
                "cannot touch anything (contype and conaffinity 0) and are left out",
            ),
            (
                skipped.unread,
                "are flexes, composites, signed distance fields or fits to a mesh and are left out of the check",
            ),
            (
                skipped.height_fields,
                "are height fields of PNG images, which are not read, and are left out of the check",
            ),
            (
                skipped.height_field_surfaces,
                "of height fields, compared by surface; that nothing lies wholly below it is assumed unless --solid is given",
            ),
            (
                skipped.margins,
                "with a contact margin: contacts are where surfaces meet, and --clearance finds what is nearer",
            ),
            (
                skipped.paired,
                "touch nothing but the other of a <pair>, and are compared with everything",
            ),
        ];
        let mut notes: Vec<String> = rows
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", counted(count, "shape", "shapes")))
            .collect();
        if skipped.attached_keys > 0 {
            notes.push("the keyframes of attached models are left out".to_owned());
        }
        notes
    }
}
