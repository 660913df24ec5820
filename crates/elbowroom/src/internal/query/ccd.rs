//! Time of impact (continuous collision detection): the first contact of things that move from time
//! 0 to time 1.
//!
//! Two meshes whose vertices move in straight lines ([`SweptMesh`]), one such mesh with itself, or
//! two bodies that move as one piece each and turn ([`RigidMotion`]). What is told is never late:
//! there is no contact before it, and no contact is missed, however thin a wall or fast a bullet.
//! At the time told the two are at most δ apart. If they meet at time 0 already, the time is 0.
//!
//! The corners of a box around moving vertices move in straight lines, too: the box at time 0 and
//! the box at time 1, and between them what is between the two. Two such boxes overlap from one
//! time to another, which six divisions tell; what begins earliest is tested first, and what begins
//! later than the first contact so far is passed over. Pairs of triangles are decided by
//! [`triangles_meet`](crate::internal::exact::triangles_meet).
//!
//! Boxes that follow their vertices from the one end of a step to the other: Redon, Kim, Lin and
//! Manocha, *Fast continuous collision detection for articulated models*, 2005, have them as
//! intervals; here they are linear, which they are for linear vertices.
//!
//! Invariants: the time is the same, bit for bit, whatever the order of the meshes; of several
//! pairs that meet first at the same time, another may be named. A refit and a query of the first
//! contact allocate nothing when warm.

mod boxes;
mod descent;
mod motion;
mod rigid;
mod swept;

use glam::DVec3;

use crate::internal::exact::{Approach, Impact, Moving};

pub use descent::Steps;
pub use motion::{RigidMotion, RigidMotionError, RigidMotionErrorKind};
pub use rigid::{time_of_impact, time_of_impact_rigid};
pub use swept::SweptMesh;

use super::self_contacts::Neighbours;

/// Options of continuous collision detection: the tolerance, and the clearance that counts as
/// contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CcdOptions {
    /// The largest gap at the reported time, as a fraction of the size. The size is the largest
    /// extent of the space that the larger of the two sweeps, or of the larger body if they move
    /// rigidly. Values below 2⁻⁴⁰ count as 2⁻⁴⁰.
    pub delta: f64,
    /// The distance that counts as contact; zero is contact itself.
    pub clearance: f64,
}

impl Default for CcdOptions {
    /// Contact, to within 2⁻³⁰ of the size.
    fn default() -> Self {
        Self { delta: 1.0 / (1_u64 << 30) as f64, clearance: 0.0 }
    }
}

/// A part of a triangle. Corners count as in the mesh, and an edge goes from its corner to the
/// next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Feature {
    /// One of the three corners.
    Corner(u8),
    /// An edge, without its ends.
    Edge(u8),
    /// The face, without its edges.
    Face,
}

/// The time of impact of two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct TimeOfImpact {
    /// The time, no later than their first contact, from 0 to 1.
    pub time: f64,
    /// The triangle of the first mesh.
    pub a: u32,
    /// The triangle of the second mesh.
    pub b: u32,
    /// An upper bound of their distance at that time.
    pub separation: f64,
    /// The closest points of the two at that time, to rounding.
    pub points: [DVec3; 2],
    /// The part of each triangle that has its closest point.
    pub features: [Feature; 2],
}

/// The first contact of two meshes whose vertices move in straight lines.
///
/// ```
/// use elbowroom::Mesh;
/// use elbowroom::internal::query::{CcdOptions, Steps, SweptMesh, time_of_impact_swept};
/// use glam::DVec3;
///
/// let wall = Mesh::new(vec![DVec3::ZERO, DVec3::Y, DVec3::Z], vec![[0, 1, 2]])?;
/// let corners = [0.1, 0.2, 0.3].map(|y| DVec3::new(-4.0, y, y * y)).to_vec();
/// let mut bullet = SweptMesh::new(Mesh::new(corners.clone(), vec![[0, 1, 2]])?);
/// let beyond: Vec<DVec3> = corners.iter().map(|&p| p + 16.0 * DVec3::X).collect();
/// bullet.advance(&beyond)?;
/// let (wall, mut steps) = (SweptMesh::new(wall), Steps::default());
/// let found = time_of_impact_swept(&wall, &bullet, &CcdOptions::default(), &mut steps);
/// let since = found.expect("it goes through");
/// assert!(since.time <= 0.25 && since.time > 0.25 - 1e-6);
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
pub fn time_of_impact_swept(
    a: &SweptMesh,
    b: &SweptMesh,
    timing: &CcdOptions,
    steps: &mut Steps,
) -> Option<TimeOfImpact> {
    let approach = timing.approach(a, b);
    descent::first(a, b, &approach, steps)
}

/// All pairs of triangles that meet, each with the time of its first contact, ordered by the first
/// triangle and then by the second.
pub fn contacts_swept(
    a: &SweptMesh,
    b: &SweptMesh,
    timing: &CcdOptions,
    steps: &mut Steps,
) -> Vec<TimeOfImpact> {
    descent::all(a, b, &timing.approach(a, b), steps)
}

/// The first contact of a mesh with itself, if its vertices move in straight lines; the smaller
/// triangle comes first.
///
/// Neighbours are triangles that have a corner in common: by number, or at the same place at both
/// ends of the step. With [`Neighbours::Skip`] they are passed over; with [`Neighbours::Decide`],
/// what they do beyond their common corners counts, and corners and edges that have none in common
/// are asked. To count them as any other pair makes no sense here: they meet at time 0.
pub fn time_of_impact_self(
    mesh: &SweptMesh,
    neighbours: Neighbours,
    timing: &CcdOptions,
    steps: &mut Steps,
) -> Option<TimeOfImpact> {
    descent::first_within(mesh, neighbours, &timing.approach(mesh, mesh), steps)
}

/// All pairs of one mesh's triangles that meet, each with the time of its first contact, in order.
pub fn contacts_self(
    mesh: &SweptMesh,
    neighbours: Neighbours,
    timing: &CcdOptions,
    steps: &mut Steps,
) -> Vec<TimeOfImpact> {
    descent::all_within(mesh, neighbours, &timing.approach(mesh, mesh), steps)
}

impl CcdOptions {
    /// Sets the tolerance, as a fraction of the size.
    #[must_use]
    pub const fn delta(self, delta: f64) -> Self {
        Self { delta, ..self }
    }

    /// Counts a distance of at most a clearance as contact.
    #[must_use]
    pub const fn within(self, clearance: f64) -> Self {
        Self { clearance, ..self }
    }

    /// In lengths, for two meshes.
    fn approach(&self, a: &SweptMesh, b: &SweptMesh) -> Approach {
        let size = a.size().max(b.size());
        // The larger of NaN and a number is the number.
        let delta = self.delta.max(FINEST) * size;
        Approach { offset: self.clearance.max(0.0), delta, until: 1.0 }
    }
}

/// 2⁻⁴⁰: δ is at least so much of the size.
const FINEST: f64 = 1.0 / (1_u64 << 40) as f64;

impl TimeOfImpact {
    fn new(pair: [u32; 2], corners: &[[Moving; 3]; 2], impact: &Impact) -> Self {
        let Impact { time, separation, points } = *impact;
        let feature = |side: usize| feature(corners[side].map(|c| c.at(time)), points[side]);
        Self {
            time,
            a: pair[0],
            b: pair[1],
            separation,
            points,
            features: [feature(0), feature(1)],
        }
    }
}

/// Which part of a triangle a point is on, up to 2⁻³⁰ of its size.
fn feature(corners: [DVec3; 3], point: DVec3) -> Feature {
    let edge = |i: usize| corners[(i + 1) % 3] - corners[i];
    let size = (0..3).map(|i| edge(i).length()).fold(0.0, f64::max);
    let small = size / (1_u64 << 30) as f64;
    if let Some(i) = (0..3).find(|&i| corners[i].distance(point) <= small) {
        return Feature::Corner(i as u8);
    }
    let beside = |i: usize| edge(i).normalize_or_zero().cross(point - corners[i]).length();
    (0..3).find(|&i| beside(i) <= small).map_or(Feature::Face, |i| Feature::Edge(i as u8))
}
