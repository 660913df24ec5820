//! What is found of two objects in one frame: one type from where it is found to where it is
//! written.

use std::ops::Deref;
use std::sync::Arc;

use super::object::ObjectId;
use super::overlap::PenetrationSummary;
use super::place::Place;
use elbowroom::internal::query::{Certainty, ContactKind, Inside, Through, TrianglePair};

/// Two parts of two objects that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartPair {
    /// The part of the first object, by its place in [`Scene::parts`](super::Scene::parts).
    pub a: u32,
    /// The part of the second.
    pub b: u32,
    /// How many pairs of their triangles touch.
    pub touching: u64,
    /// How many cross.
    pub crossing: u64,
}

/// Two objects that meet or are too near each other in a frame; or two parts of one, or one part
/// that meets itself. It derefs to its [`ContactSummary`].
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting {
    /// The frame.
    pub frame: u32,
    /// The object that comes first in the scene.
    pub a: ObjectId,
    /// The other.
    pub b: ObjectId,
    /// How they meet. Copies share it, and so do the frames of two objects that never move.
    pub contact: Arc<ContactSummary>,
}

impl Deref for Meeting {
    type Target = ContactSummary;

    fn deref(&self) -> &ContactSummary {
        &self.contact
    }
}

/// What two objects that meet are to each other, and what they have in common.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactSummary {
    /// What they are to each other. An object of several pieces is a part or a duplicate of
    /// another if all its pieces are; if only some are, the objects cross as solids, and touch
    /// or cross as surfaces.
    pub kind: ContactKind,
    /// Which is a part of the other, if one is.
    pub inside: Option<Inside>,
    /// Which goes right through the other, if that was asked for and they cross.
    pub through: Through,
    /// Whether this is exact: it is for surfaces, and for solids whose meshes are closed. Of a
    /// cylinder or ellipsoid only its enclosing mesh may meet; that is an estimate.
    pub certainty: Certainty,
    /// How far the shapes that were compared may reach beyond the true ones: more than 0 for
    /// cylinders and ellipsoids.
    pub bound: f64,
    /// How far apart their surfaces are, with a minus sign if one is within the other; `None`
    /// beyond the clearance, or if none was asked for.
    pub distance: Option<f64>,
    /// How many pairs of triangles touch.
    pub touching: u64,
    /// How many cross.
    pub crossing: u64,
    /// The parts that meet, those with the most pairs of triangles first; of objects that are only
    /// near each other, the two that are nearest. Where an object meets itself, one pair, the
    /// lower part first.
    pub parts: Vec<PartPair>,
    /// How many of the pairs of triangles already meet at rest, where an object meets itself; 1 for
    /// two parts that do not meet and are no nearer than at rest.
    pub at_rest: u64,
    /// The pairs of triangles in order, numbered by object, if they were asked for; cut off where
    /// there are too many.
    pub triangles: Vec<TrianglePair>,
    /// Where on them they meet, if it was asked for, or where they are nearest, if that is known.
    pub place: Option<Box<Place>>,
    /// How deep and how much they are in each other, if it was asked for and they have a point in
    /// common; `None` for one shell of a part and itself.
    pub overlap: Option<Box<PenetrationSummary>>,
}

impl ContactSummary {
    /// How many pairs of triangles meet.
    pub fn triangle_pairs(&self) -> u64 {
        self.touching + self.crossing
    }
}
