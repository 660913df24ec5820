//! When do a vertex and a face, two edges, or two triangles first meet, if their corners move in
//! straight lines?
//!
//! Between two sets of points whose corners move linearly, the part of a direction n that lies
//! between any corner of one and any corner of the other is linear in time. So a direction that
//! parts the two *now* parts them until a time that nine divisions tell:
//!
//! ```text
//!   n·(b − a)   ╲                    each line is a pair of corners; above zero all the way
//!               ─╲──────────         to t′, so nothing can meet before it
//!                 ╲________ t
//!              now  t′
//! ```
//!
//! From t′ on the next direction is looked for, across the closest points there. Either the two
//! come as near as δ, and that is the answer; or one direction lasts until the end, and they never
//! meet. Where faces turn quickly and come near slowly, such steps are short; then the time is also
//! carried forward to the next root of the cubic that tells when four corners are in one plane
//! (`cubic.rs`). Whether there is contact at all, and not only to within δ, integers decide
//! (`algebraic.rs`).
//!
//! Advancing along directions: Mirtich, *Impulse-based dynamic simulation of rigid body systems*,
//! 1996; with corners that move linearly: Tang, Kim and Manocha, *C2A: controlled conservative
//! advancement*, 2009. Signs of the cubic's Bernstein coefficients: Tang, Tong, Wang and Manocha,
//! *Fast and exact continuous collision detection with Bernstein sign classification*, 2014. Boxes
//! of parameters, which are not needed here, since a direction looks at all of a face at once: Wang
//! and others, *A large-scale benchmark and an inclusion-based algorithm for continuous collision
//! detection*, 2021.
//!
//! Invariants: no contact in exact arithmetic on the corners given is before the time that is told,
//! nor is any missed: the bounds hold whatever the directions are, which only cost time if they are
//! bad. Derivations: `docs/notes/continuous.md`.

mod algebraic;
mod course;
mod cubic;
mod nearest;
mod triangles;

use std::cmp::Ordering;

use glam::DVec3;

use course::Course;
pub use triangles::{neighbours_meet, triangles_meet};

/// A point that moves in a straight line, from time 0 to time 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moving {
    /// Where it is at time 0.
    pub start: DVec3,
    /// Where it is at time 1.
    pub end: DVec3,
}

impl Moving {
    /// A point that stays.
    pub fn still(point: DVec3) -> Self {
        Self { start: point, end: point }
    }

    /// Where it is at a time, rounded.
    pub fn at(&self, time: f64) -> DVec3 {
        course::between(self.start, self.end, time)
    }
}

/// What is asked of things that move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approach {
    /// How near counts as contact: zero, or a clearance.
    pub offset: f64,
    /// How much farther than that they may be from each other at the time that is told. What
    /// rounding cannot resolve, 2⁻⁴⁴ of the size of the things and their paths, is added.
    pub delta: f64,
    /// The end of the searched time, at most 1. Later contacts are ignored.
    pub until: f64,
}

impl Approach {
    /// Contact itself, to within a length.
    pub fn within(delta: f64) -> Self {
        Self { offset: 0.0, delta, until: 1.0 }
    }
}

/// The first contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// No later than the first contact.
    pub time: f64,
    /// The two are at most this far apart then.
    pub separation: f64,
    /// Where they are closest then, on the first and on the second, to rounding.
    pub points: [DVec3; 2],
}

impl Impact {
    fn swapped(self, is_swapped: bool) -> Self {
        let [p, q] = self.points;
        if is_swapped { Self { points: [q, p], ..self } } else { self }
    }
}

/// The first time when a vertex meets a face. `None` if it does not, which is certain.
///
/// The face may be degenerate, and everything may stand still. NaN and infinity have no meaning
/// here, and bring no panic.
///
/// ```
/// use elbowroom::internal::exact::{Approach, Moving, vertex_meets_face};
/// use glam::DVec3;
///
/// let face = [DVec3::ZERO, DVec3::X, DVec3::Y].map(Moving::still);
/// let at = |z: f64| DVec3::new(0.25, 0.25, z);
/// let bullet = Moving { start: at(3.0), end: at(-1.0) };
/// let impact = vertex_meets_face(bullet, face, &Approach::within(1e-9)).expect("it goes through");
/// assert!(impact.time <= 0.75 && impact.time > 0.75 - 1e-9);
/// let past = Moving { start: at(3.0) + DVec3::X, end: at(-1.0) + DVec3::X };
/// assert_eq!(vertex_meets_face(past, face, &Approach::within(1e-9)), None);
/// ```
pub fn vertex_meets_face(vertex: Moving, face: [Moving; 3], approach: &Approach) -> Option<Impact> {
    vertex_from(0.0, vertex, sorted3(face), approach)
}

/// The first time when two edges meet. `None` if they do not, which is certain.
///
/// ```
/// use elbowroom::internal::exact::{Approach, Moving, edge_meets_edge};
/// use glam::DVec3;
///
/// let still = [-DVec3::X, DVec3::X].map(Moving::still);
/// let way = DVec3::Z * 2.0;
/// let falling = [-DVec3::Y + DVec3::Z, DVec3::Y + DVec3::Z];
/// let falling = falling.map(|start| Moving { start, end: start - way });
/// let impact = edge_meets_edge(still, falling, &Approach::within(1e-9)).expect("they cross");
/// assert!(impact.time <= 0.5 && impact.time > 0.5 - 1e-9);
/// ```
pub fn edge_meets_edge(a: [Moving; 2], b: [Moving; 2], approach: &Approach) -> Option<Impact> {
    edges_from(0.0, sorted2(a), sorted2(b), approach)
}

/// Whether a vertex meets a face at any time from 0 to 1: exactly, where [`vertex_meets_face`] also
/// tells what comes within δ.
///
/// What that excludes costs no more; what it does not exclude is decided in integers, which takes
/// some hundred times as long. What is not finite meets nothing.
///
/// ```
/// use elbowroom::internal::exact::{Moving, vertex_ever_meets_face};
/// use glam::DVec3;
///
/// let face = [DVec3::ZERO, DVec3::X, DVec3::Y].map(Moving::still);
/// let falls = |end: f64| Moving { start: DVec3::new(0.25, 0.25, 1.0), end: DVec3::new(0.25, 0.25, end) };
/// assert!(vertex_ever_meets_face(falls(0.0), face));
/// assert!(!vertex_ever_meets_face(falls(1e-300), face));
/// ```
pub fn vertex_ever_meets_face(vertex: Moving, face: [Moving; 3]) -> bool {
    is_finite(&[vertex])
        && is_finite(&face)
        && vertex_meets_face(vertex, face, &Approach::within(0.0)).is_some()
        && algebraic::vertex_ever_meets_face(&vertex, &face)
}

/// Whether two edges meet at any time from 0 to 1: exactly, as [`vertex_ever_meets_face`] does.
pub fn edges_ever_meet(a: [Moving; 2], b: [Moving; 2]) -> bool {
    is_finite(&a)
        && is_finite(&b)
        && edge_meets_edge(a, b, &Approach::within(0.0)).is_some()
        && algebraic::edges_ever_meet(&a, &b)
}

fn is_finite(corners: &[Moving]) -> bool {
    corners.iter().all(|corner| corner.start.is_finite() && corner.end.is_finite())
}

/// A face whose corners are in order, from a time on.
fn vertex_from(
    from: f64,
    vertex: Moving,
    face: [Moving; 3],
    approach: &Approach,
) -> Option<Impact> {
    let course = Course::new([vertex], face);
    let nearest = nearest::point_triangle;
    course
        .first(from, approach, nearest, |a, b, m| Some(cubic::of_vertex_and_face(a, b, m)))
        .or_unfinished()
}

/// Edges whose corners are in order, from a time on.
fn edges_from(from: f64, a: [Moving; 2], b: [Moving; 2], approach: &Approach) -> Option<Impact> {
    let is_swapped = is_after(&a, &b);
    let (a, b) = if is_swapped { (b, a) } else { (a, b) };
    let outcome = Course::new(a, b)
        .first(from, approach, nearest::segments, |a, b, m| Some(cubic::of_edges(a, b, m)));
    outcome.or_unfinished().map(|impact| impact.swapped(is_swapped))
}

/// Whether corners in order come after others in an order that has nothing to do with how they are
/// numbered.
fn is_after(a: &[Moving], b: &[Moving]) -> bool {
    let unlike = a.iter().zip(b).find(|(p, q)| p != q);
    unlike.is_some_and(|(p, q)| precedes(q, p))
}

/// Whether a corner comes before another in an order that has nothing to do with how they are
/// numbered, so that no bit of an answer depends on that.
fn precedes(p: &Moving, q: &Moving) -> bool {
    let key = |p: &Moving| [p.start.x, p.start.y, p.start.z, p.end.x, p.end.y, p.end.z];
    key(p).partial_cmp(&key(q)) == Some(Ordering::Less)
}

fn sorted2([p, q]: [Moving; 2]) -> [Moving; 2] {
    if precedes(&q, &p) { [q, p] } else { [p, q] }
}

fn sorted3([p, q, r]: [Moving; 3]) -> [Moving; 3] {
    let [p, q] = sorted2([p, q]);
    let [q, r] = sorted2([q, r]);
    let [p, q] = sorted2([p, q]);
    [p, q, r]
}
