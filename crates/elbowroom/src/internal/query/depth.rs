//! How deep are two solids in each other?
//!
//! Penetration has several meanings, and an answer that does not say which one it is means nothing.
//! Here it is the *deepest point*:
//!
//! ```text
//!       ┌───────────┐ B          of all points of A's boundary inside B, the one that is farthest from B's
//!   A ──┼───p       │            boundary: |p − q|; and the same with A and B exchanged
//!       │   ┆       │
//!   ────┼───┘       │            the larger of the two is the depth of the pair
//!       └───q───────┘
//! ```
//!
//! It is the same whichever solid comes first, it is 0 exactly if interiors have nothing in common,
//! and it converges as meshes are refined: moving every point of both surfaces by no more than ε
//! changes it by no more than 2ε. It is a lower bound of how far one has to be moved to be free.
//! Two equal solids have no boundary inside each other; their depth is that of their deepest point
//! of all, the radius of the largest ball in them.
//!
//! The answer is a lower and an upper bound, no farther apart than a tolerance, that hold with all
//! roundings; the lower one is the depth of a point that is named. How they are found is in
//! `search.rs`, and the proof in `docs/notes/depth.md`.
//!
//! Meshes that are not closed enclose nothing for certain, and where a mesh meets itself, parts of
//! its triangles may be within its solid: what then follows is called an [estimate](Certainty).

mod field;
mod flood;
mod game;
mod near;
mod near_packed;
mod pile;
mod search;
mod slide;
mod surface;
mod translation;

use glam::DVec3;

pub(super) use field::Field;
pub(super) use flood::Flood;
use pile::Pile;
use search::{Measured, Search, run};
pub use slide::{Separation, separation};
use surface::{box_corners, seed_boundary, seed_box};
pub use translation::{MinimumTranslation, minimum_translation};

use super::collide::{TrianglePair, visit};
use super::solid::{Body, Certainty, solids};
use crate::internal::exact::Relation;
use crate::internal::exact::closest::Unit;
use crate::internal::geom::Aabb;
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;
use crate::interrupt::hold;

/// How far apart the bounds may be, as a part of the smaller model's size, unless something else is
/// said.
const TOLERANCE: f64 = 1e-4;

/// Where that is not fine enough to find anything: how much finer it is made.
const FINER: [f64; 4] = [1.0, 1e-3, 1e-6, 1e-9];

/// In the frame in which everything is measured, finer than this is rounding.
const FINEST: f64 = 1e-13;

/// The penetration depth of two solids, between bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Penetration {
    /// Lower bound of the depth: the larger of both directions.
    pub lower: f64,
    /// Upper bound of the depth.
    pub upper: f64,
    /// The depth of the first one's boundary in the second solid. The bounds of the deeper
    /// direction are within the tolerance; those of the other one hold, but may be farther apart,
    /// because its search ends when it cannot be the deeper one.
    pub a_in_b: DeepestPoint,
    /// The depth of the second one's boundary in the first solid.
    pub b_in_a: DeepestPoint,
    /// Whether the interiors meet. If they do not, all depths are zero exactly.
    pub is_overlap: bool,
    /// Whether both are the same solid; the depth is then that of all its points.
    pub is_same: bool,
    /// Whether the depth is exact: it is if both meshes are closed and do not meet themselves
    /// where it matters.
    pub certainty: Certainty,
    /// Whether the search ended before the bounds were within the tolerance. They hold
    /// nevertheless.
    pub is_loose: bool,
}

/// The deepest point of one boundary in a solid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DeepestPoint {
    /// Lower bound of the depth.
    pub lower: f64,
    /// Upper bound of the depth.
    pub upper: f64,
    /// A point as deep as the lower bound; `None` if none was found.
    pub site: Option<PenetrationSite>,
}

/// A point inside a solid and the nearest point of its boundary.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PenetrationSite {
    /// The triangle that has the point.
    pub triangle: u32,
    /// The point, in the world.
    pub point: DVec3,
    /// The nearest triangle of the solid's boundary.
    pub other: u32,
    /// The nearest point of that boundary: the end of the shortest way out.
    pub foot: DVec3,
}

/// Memory that is used again: of each surface in the other's solid.
#[derive(Default)]
struct Memory {
    pairs: Vec<TrianglePair>,
    floods: [Flood; 2],
    /// The vertices in the frame.
    points: [Vec<DVec3>; 2],
    inside: Vec<u32>,
    surfaces: [Pile<3>; 2],
    solids: [Pile<4>; 2],
}

/// The penetration depth of two placed solids: the deepest point, between bounds that are no
/// farther apart than a tolerance.
///
/// Without a tolerance it is 10⁻⁴ of the size of the smaller model (the diagonal of its bounds).
/// The same with the arguments swapped, bit for bit, but for the names. With a workspace that is
/// kept, nothing is allocated where the surfaces cross, but for coordinates of many digits.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::Pose;
/// use elbowroom::internal::query;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let box_ = Model::new(elbowroom_make::cuboid(DVec3::splat(0.5)));
/// let here = Pose::IDENTITY;
/// let mut workspace = Workspace::default();
/// let mut depth = |x: f64| {
///     let there = Pose::from_translation(DVec3::new(x, 0.01, 0.02)).expect("finite");
///     query::penetration(&box_, &here, &box_, &there, None, &mut workspace)
/// };
/// let overlapping = depth(0.75);
/// assert!(overlapping.lower <= 0.25 && 0.25 <= overlapping.upper);
/// assert!(overlapping.upper - overlapping.lower < 2e-4);
/// assert_eq!((depth(1.0).lower, depth(1.0).upper), (0.0, 0.0));
/// ```
pub fn penetration(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    tolerance: Option<f64>,
    workspace: &mut Workspace,
) -> Penetration {
    let mut memory: Box<Memory> = workspace.kept.take();
    let bodies = [Body::new(a, pose_a), Body::new(b, pose_b)];
    let depth = measure(bodies, tolerance, &mut memory, workspace);
    workspace.kept.put(memory);
    depth
}

fn measure(
    bodies: [Body; 2],
    tolerance: Option<f64>,
    memory: &mut Memory,
    workspace: &mut Workspace,
) -> Penetration {
    let certainty = Certainty::of(bodies[0].model).and(Certainty::of(bodies[1].model));
    let fields = bodies.map(Field::new);
    let OverlapState { both, same } = overlap(&fields, &mut memory.pairs, workspace);
    let mut depth =
        Penetration { is_overlap: both, is_same: same, certainty, ..Penetration::default() };
    if !both {
        return depth;
    }
    let scale = Scale::new(&bodies, tolerance);
    if !scale.is_usable() {
        // Beyond what f64 can measure: what is known is that they overlap.
        depth.lower = f64::MIN_POSITIVE;
        depth.upper = f64::MAX;
        depth.is_loose = true;
        return depth;
    }
    memory.place(&bodies, &scale, same);
    let mut is_doubtful = false;
    for finer in FINER {
        let scale = Scale { tolerance: (scale.tolerance * finer).max(FINEST), ..scale };
        let found = if same {
            all_points(&fields, &scale, memory, workspace)
        } else {
            boundaries(&fields, &scale, memory, workspace)
        };
        [depth.a_in_b, depth.b_in_a] = found.deepest;
        is_doubtful |= found.is_doubtful;
        depth.is_loose = found.is_loose;
        // If they overlap for certain, something is inside: it is less deep than the tolerance.
        let is_found = depth.a_in_b.site.is_some() || depth.b_in_a.site.is_some();
        if is_found || is_doubtful || !certainty.is_exact() {
            break;
        }
    }
    depth.lower = depth.a_in_b.lower.max(depth.b_in_a.lower).max(f64::MIN_POSITIVE);
    depth.upper = depth.a_in_b.upper.max(depth.b_in_a.upper).max(depth.lower);
    if is_doubtful && depth.certainty.is_exact() {
        depth.certainty = Certainty::Estimate(super::solid::Doubt::MeetsItself);
    }
    depth
}

impl Memory {
    /// Places all vertices, and finds out which parts of both surfaces may be inside the other
    /// solid, unless they are the same.
    fn place(&mut self, bodies: &[Body; 2], scale: &Scale, is_same: bool) {
        for own in 0..2 {
            let Body { model, pose, .. } = &bodies[own];
            let vertices = model.mesh().vertices().iter();
            self.points[own].clear();
            self.points[own].extend(vertices.map(|&v| scale.unit.enter(pose.apply(v))));
            if !is_same {
                self.floods[own].fill([&bodies[own], &bodies[1 - own]], &self.pairs, own == 1);
            }
        }
    }
}

/// What two solids have in common.
struct OverlapState {
    both: bool,
    same: bool,
}

/// Whether interiors meet; the pairs of triangles that meet are collected.
fn overlap(
    fields: &[Field; 2],
    pairs: &mut Vec<TrianglePair>,
    workspace: &mut Workspace,
) -> OverlapState {
    let [a, b] = fields.each_ref().map(|field| field.body);
    pairs.clear();
    let mut is_certain = false;
    // The visitor never breaks it off.
    let _ = visit(a.model, a.pose, b.model, b.pose, workspace, |pair| {
        // Around two triangles that cross and bound their solids, all is to be seen.
        is_certain = is_certain
            || (pair.relation == Relation::Crossing
                && fields[0].bounds(pair.a)
                && fields[1].bounds(pair.b));
        pairs.push(pair);
        // Also once for each surface, in other words.
        hold(pairs.len(), 2 * size_of::<TrianglePair>());
        std::ops::ControlFlow::Continue(())
    });
    if is_certain {
        return OverlapState { both: true, same: false };
    }
    let found = solids(a.model, a.pose, b.model, b.pose, workspace);
    OverlapState { both: found.both, same: found.is_same() }
}

/// The frame in which everything is measured, and how well.
struct Scale {
    unit: Unit,
    /// All of it in the frame.
    tolerance: f64,
    /// How far a placed point may be off, in the world.
    rounding: f64,
}

impl Scale {
    fn new(bodies: &[Body; 2], tolerance: Option<f64>) -> Self {
        let corners = bodies.iter().flat_map(|body| {
            box_corners(body.model.bounds()).map(|corner| body.pose.apply(corner))
        });
        let unit = Unit::around(corners);
        let size = |body: &Body| {
            let Aabb { min: low, max: high } = body.model.bounds();
            unit.enter_length(1.0) * (high * 0.5 - low * 0.5).length() * 2.0
        };
        let smaller = size(&bodies[0]).min(size(&bodies[1]));
        let asked = tolerance.filter(|tolerance| *tolerance >= 0.0);
        let tolerance = asked.map_or(TOLERANCE * smaller, |asked| unit.enter_length(asked));
        let reach = |body: &Body| body.model.reach() + body.pose.translation().abs().element_sum();
        let rounding = 32.0 * f64::EPSILON * (reach(&bodies[0]) + reach(&bodies[1]));
        Self { unit, tolerance, rounding }
    }

    fn is_usable(&self) -> bool {
        let unit = self.unit.enter_length(1.0);
        unit.is_normal() && self.tolerance.is_finite() && self.rounding.is_finite()
    }

    /// The tolerance, and what rounding does to a point, in the frame.
    fn precision(&self) -> [f64; 2] {
        [self.tolerance, self.unit.enter_length(self.rounding)]
    }

    /// Bounds in the world, with all roundings.
    fn deepest<const N: usize>(&self, search: &Search<N>) -> DeepestPoint {
        let site = |found: Measured| PenetrationSite {
            triangle: found.triangle,
            point: found.point,
            other: found.other,
            foot: found.foot,
        };
        let lost = self.rounding + self.unit.leave_length(FRAME);
        let lower = self.unit.leave_length(search.lower);
        let upper = self.unit.leave_length(search.upper.max(search.lower));
        DeepestPoint {
            lower: (lower * (1.0 - RELATIVE) - lost).max(0.0),
            upper: if upper > 0.0 { upper * (1.0 + RELATIVE) + lost } else { 0.0 },
            site: search.deepest.map(site),
        }
    }
}

/// What was measured is right to 2⁻³⁰ or to rounding, but for matrices that are not quite
/// rotations.
const RELATIVE: f64 = 4.0 * Pose::TOLERANCE;

/// A frame of size 2 rounds to less: 2⁻⁴⁵.
const FRAME: f64 = 1.0 / (1_u64 << 45) as f64;

/// What two searches found: of the first one's boundary, and of the second one's.
struct Outcome {
    deepest: [DeepestPoint; 2],
    is_doubtful: bool,
    is_loose: bool,
}

impl Outcome {
    fn of<const N: usize>(searches: &mut [Search<N>; 2], workspace: &mut Workspace) -> Self {
        let is_loose = !run(searches, workspace);
        Self {
            deepest: searches.each_ref().map(|search| search.scale.deepest(search)),
            is_doubtful: searches.iter().any(|search| search.is_doubtful),
            is_loose,
        }
    }
}

/// The deepest points of both boundaries in the other solid.
fn boundaries(
    fields: &[Field; 2],
    scale: &Scale,
    memory: &mut Memory,
    workspace: &mut Workspace,
) -> Outcome {
    let Memory { floods, points: [first, second], inside, surfaces: [pile, other], .. } = memory;
    let [a, b] = fields;
    let mut searches = [
        Search::new(b, scale, [first, second], pile),
        Search::new(a, scale, [second, first], other),
    ];
    for (own, search) in searches.iter_mut().enumerate() {
        seed_boundary(&fields[own], search, (&mut floods[own], inside), workspace);
    }
    Outcome::of(&mut searches, workspace)
}

/// The deepest of all points of either solid.
fn all_points(
    fields: &[Field; 2],
    scale: &Scale,
    memory: &mut Memory,
    workspace: &mut Workspace,
) -> Outcome {
    let Memory { points: [first, second], solids: [pile, other], .. } = memory;
    let [a, b] = fields;
    let corners = [b, a].map(|field| {
        let Body { model, pose, .. } = field.body;
        box_corners(model.bounds()).map(|corner| scale.unit.enter(pose.apply(corner)))
    });
    let mut searches = [
        Search::new(b, scale, [&corners[0], second], pile),
        Search::new(a, scale, [&corners[1], first], other),
    ];
    searches.iter_mut().for_each(seed_box);
    Outcome::of(&mut searches, workspace)
}
