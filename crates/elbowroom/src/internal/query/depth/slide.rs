//! How far a solid must be moved along a direction until it is free of another one.
//!
//! While the first solid moves along d, two triangles meet for an interval of the way. If they
//! cross at its beginning and bound their solids, the solids overlap as long as the triangles
//! cross, which is until the interval ends. So the way is walked from end to end:
//!
//! ```text
//!   s = 0 ──▶ the farthest end of all pairs that cross there ──▶ again … ──▶ nothing in common: free
//!             ├──── pair 1 ───┤
//!                        ├───── pair 2 ──────┤
//! ```
//!
//! Where nothing crosses, one is inside the other or they lie in common planes. Solids are then
//! asked exactly whether they overlap, and if they do, how deep: no translation that is shorter
//! than that parts them, so the next stop is so much farther on. Where that is next to nothing, a
//! small step is made all the same, and `lower` stays behind.
//!
//! Invariants: below `lower` they overlap, at `upper` they do not.

use std::ops::ControlFlow;

use glam::DVec3;

use super::super::collide::{TrianglePair, visit};
use super::super::solid::{Body, Certainty, solids};
use super::field::Field;
use super::penetration;
use crate::internal::exact::Relation;
use crate::internal::exact::closest::direction as unit_direction;
use crate::internal::geom::Aabb;
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;

/// The shortest move of the first solid along a direction that frees it from the second, between
/// bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Separation {
    /// Lower bound: moved by less than this, the solids overlap.
    pub lower: f64,
    /// Upper bound: moved by this, the solids do not overlap; at most they touch.
    pub upper: f64,
    /// The direction of the move, a unit vector.
    pub direction: DVec3,
    /// Whether both meshes are closed.
    pub certainty: Certainty,
}

/// The greatest number of stops on the way.
const STOPS: usize = 4096;

/// The shortest move of the first of two placed solids along a direction until their interiors have
/// nothing in common; zero if they have nothing in common where they are. `None` if the direction
/// is zero or not finite, or if the way ends beyond f64.
///
/// At `upper` they have nothing in common, which is decided exactly, and below `lower` they
/// overlap: so the smallest way is in between. A gap that is narrower than 10⁻⁹ of the models' size
/// may be passed over where surfaces cross: ends of intervals are rounded.
///
/// The bounds are within 10⁻⁹ of the size of each other, unless solids that overlap by less than
/// 10⁻⁵ of it slide along each other in common planes: often when they are about to part, so that
/// bounds are 10⁻⁵ apart; if it is on the way, `lower` stays there.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::Pose;
/// use elbowroom::internal::query;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let cube = Model::new(elbowroom_make::cuboid(DVec3::ONE));
/// let here = Pose::IDENTITY;
/// let there = Pose::from_translation(DVec3::new(1.5, 0.1, 0.2))?;
/// let mut workspace = Workspace::default();
/// let way = query::separation(&cube, &here, &cube, &there, DVec3::NEG_X, &mut workspace);
/// let way = way.expect("a direction");
/// assert!(way.lower <= 0.5 && 0.5 <= way.upper && way.upper - way.lower < 1e-6);
/// # Ok::<(), elbowroom::PoseError>(())
/// ```
pub fn separation(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    direction: DVec3,
    workspace: &mut Workspace,
) -> Option<Separation> {
    let direction = if direction.is_finite() { unit_direction(direction)? } else { return None };
    let [first, second] = [Body::new(a, pose_a), Body::new(b, pose_b)];
    let certainty = Certainty::of(a).and(Certainty::of(b));
    let fields = [first, second].map(Field::new);
    let slide = Slide::new(fields, direction)?;
    let (lower, upper) = slide.walk(workspace)?;
    Some(Separation { lower, upper, direction, certainty })
}

struct Slide<'a> {
    fields: [Field<'a>; 2],
    direction: DVec3,
    /// Ends of intervals are off by less.
    room: f64,
    /// The smallest step.
    step: f64,
    /// Beyond this, boxes around them are apart.
    end: f64,
}

impl<'a> Slide<'a> {
    fn new(fields: [Field<'a>; 2], direction: DVec3) -> Option<Self> {
        let [a, b] = fields.map(|field| {
            let Aabb { min: low, max: high } = field.body.model.bounds();
            let corners = (0..8).map(|i| {
                let pick = |axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
                field.body.pose.apply(DVec3::new(pick(0), pick(1), pick(2)))
            });
            corners
                .map(|corner| corner.dot(direction))
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                    (low.min(x), high.max(x))
                })
        });
        let reach = fields.iter().fold(0.0, |sum, field| {
            let Body { model, pose, .. } = field.body;
            sum + model.reach() + pose.translation().abs().element_sum()
        });
        let size = (a.1 - a.0) + (b.1 - b.0);
        let end = (b.1 - a.0).max(0.0) + 1e-6 * size + 1e-12 * reach;
        let room = 1e-10 * size + 1e-14 * reach;
        let slide = Self { fields, direction, room, step: 4e-6 * size + 4.0 * room, end };
        (end.is_finite() && room > 0.0).then_some(slide)
    }

    fn placed(&self, way: f64) -> Option<Pose> {
        let place = self.fields[0].body.pose;
        Pose::new(place.rotation(), place.translation() + self.direction * way).ok()
    }

    /// The bounds.
    fn walk(&self, workspace: &mut Workspace) -> Option<(f64, f64)> {
        let (mut at, mut lower) = (0.0, 0.0_f64);
        // Whether they overlap all the way from the beginning.
        let mut is_known = true;
        let mut pairs: Vec<TrianglePair> = Vec::new();
        for _ in 0..STOPS {
            let place = self.placed(at)?;
            let [first, second] = self.fields.map(|field| field.body);
            pairs.clear();
            // The visitor never breaks it off.
            let _ = visit(first.model, &place, second.model, second.pose, workspace, |pair| {
                pairs.push(pair);
                ControlFlow::Continue(())
            });
            let [a, b] = &self.fields;
            let bound = |pair: &&TrianglePair| a.bounds(pair.a) && b.bounds(pair.b);
            let crossing = pairs.iter().filter(|pair| pair.relation == Relation::Crossing);
            let crossing = crossing.filter(bound);
            let farthest = crossing.filter_map(|pair| self.end_of(pair)).fold(at, f64::max);
            if farthest > at {
                if is_known {
                    lower = lower.max(farthest - self.room);
                }
                at = farthest + self.room;
                continue;
            }
            if at > self.end {
                return Some((lower, at));
            }
            let found = solids(first.model, &place, second.model, second.pose, workspace);
            if !found.both {
                return Some((lower, at));
            }
            let [a, b] = [first.model, second.model];
            let depth = penetration(a, &place, b, second.pose, None, workspace).lower;
            if is_known {
                lower = lower.max(at + depth);
            }
            is_known &= depth >= self.step;
            at += depth.max(self.step);
        }
        // The greatest number of stops, and still not free: boxes around them are, at the end.
        Some((lower.min(self.end), self.end))
    }

    /// Where two triangles that meet part for good.
    fn end_of(&self, pair: &TrianglePair) -> Option<f64> {
        let [a, b] = self.fields.map(|field| field.body);
        let (p, q) = (a.placed(pair.a).points(), b.placed(pair.b).points());
        let mut last = None::<f64>;
        let mut note = |way: f64| {
            if way.is_finite() {
                last = Some(last.map_or(way, |last| last.max(way)));
            }
        };
        for i in 0..3 {
            if let Some(way) = pierce(p[i], self.direction, q) {
                note(way);
            }
            if let Some(way) = pierce(q[i], -self.direction, p) {
                note(way);
            }
            for j in 0..3 {
                let (own, other) = ([p[i], p[(i + 1) % 3]], [q[j], q[(j + 1) % 3]]);
                if let Some(way) = slide_edges(own, other, self.direction) {
                    note(way);
                }
            }
        }
        last
    }
}

/// How far outside a triangle or an edge still counts as on it.
const ON: f64 = 1e-12;

/// How far along a direction a point runs into a triangle.
fn pierce(point: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let (ab, ac, step) = (b - a, c - a, a - point);
    let normal = ab.cross(ac);
    let slope = normal.dot(direction);
    let way = normal.dot(step) / slope;
    let across = direction.cross(step);
    let (v, w) = (-ac.dot(across) / slope, ab.dot(across) / slope);
    // A direction within the plane gives NaN or infinity.
    (v >= -ON && w >= -ON && v + w <= 1.0 + ON).then_some(way)
}

/// How far along a direction one edge runs into another.
fn slide_edges([p, q]: [DVec3; 2], [r, s]: [DVec3; 2], direction: DVec3) -> Option<f64> {
    // p + x (q − p) + way d = r + y (s − r)
    let (own, other, step) = (q - p, s - r, r - p);
    let normal = own.cross(other);
    let slope = normal.dot(direction);
    let way = normal.dot(step) / slope;
    let rest = step - direction * way;
    let square = normal.length_squared();
    let x = rest.cross(other).dot(normal) / square;
    let y = rest.cross(own).dot(normal) / square;
    let is_on = |x: f64| (-ON..=1.0 + ON).contains(&x);
    (is_on(x) && is_on(y)).then_some(way)
}
