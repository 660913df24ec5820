//! When two triangles first meet.
//!
//! At first they are advanced as a whole, all nine pairs of corners at once. Where that does not
//! come to an end, each corner is asked with the other's face and each edge with each edge: two
//! triangles that do not meet yet come together in one of these fifteen.

use glam::DVec3;

use super::course::{Course, Outcome};
use super::{
    Approach, Impact, Moving, edges_from, is_after, nearest, sorted2, sorted3, vertex_from,
};
use crate::internal::exact::{PlacedTriangle, Relation, relate, relate_neighbours};
use crate::internal::math::pose::Pose;

/// The first time when two triangles meet. `None` if they do not, which is certain. The time is 0
/// if they meet at time 0 already.
///
/// Nothing may be nearer than the offset before a time `from`, or that time must be 0.
///
/// ```
/// use elbowroom::internal::exact::{Approach, Moving, triangles_meet};
/// use glam::DVec3;
///
/// let still = [DVec3::ZERO, DVec3::X, DVec3::Y].map(Moving::still);
/// let fall = |p: DVec3| Moving { start: p + DVec3::Z, end: p - DVec3::Z };
/// let falling = [DVec3::ZERO, DVec3::new(0.2, 0.2, -0.5), DVec3::Y].map(fall);
/// let impact = triangles_meet(still, falling, 0.0, &Approach::within(1e-9)).expect("it falls onto it");
/// assert!(impact.time <= 0.25 && impact.time > 0.25 - 1e-9);
/// ```
pub fn triangles_meet(
    a: [Moving; 3],
    b: [Moving; 3],
    from: f64,
    approach: &Approach,
) -> Option<Impact> {
    let (a, b) = (sorted3(a), sorted3(b));
    let is_swapped = is_after(&a, &b);
    let (a, b) = if is_swapped { (b, a) } else { (a, b) };
    first(a, b, from, approach).map(|impact| impact.swapped(is_swapped))
}

fn first(a: [Moving; 3], b: [Moving; 3], from: f64, approach: &Approach) -> Option<Impact> {
    let course = Course::new(a, b);
    let (at_a, at_b) = course.at(from);
    let normal = |[p, q, r]: [DVec3; 3]| (q - p).cross(r - p);
    let between = (at_b[0] + at_b[1] + at_b[2]) - (at_a[0] + at_a[1] + at_a[2]);
    if course.is_parted([between, normal(at_a), normal(at_b)], from, approach) {
        return None;
    }
    match course.first(from, approach, nearest::triangles, |_, _, _| None) {
        Outcome::Clear => None,
        Outcome::Impact(impact) => Some(impact),
        Outcome::Unfinished(impact) if impact.time == 0.0 && meet_at_start(&a, &b) => {
            Some(Impact { separation: 0.0, ..impact })
        }
        Outcome::Unfinished(impact) => by_parts(a, b, impact.time, approach, |_, _| false),
    }
}

fn meet_at_start(a: &[Moving; 3], b: &[Moving; 3]) -> bool {
    let [a, b] = [a, b].map(|t| PlacedTriangle::new(&Pose::IDENTITY, t.map(|corner| corner.start)));
    relate(&a, &b) != Relation::Apart
}

/// When two triangles with corners in common first meet beyond these: corners are in common if they
/// are at the same place at both ends, and what has such a corner with the other in common is left
/// out. At time 0 it is decided as [`relate_neighbours`] does.
pub fn neighbours_meet(a: [Moving; 3], b: [Moving; 3], approach: &Approach) -> Option<Impact> {
    let (a, b) = (sorted3(a), sorted3(b));
    let is_swapped = is_after(&a, &b);
    let (a, b) = if is_swapped { (b, a) } else { (a, b) };
    let start = |t: [Moving; 3]| t.map(|corner| corner.start);
    if relate_neighbours(start(a), start(b)) != Relation::Apart {
        let near = nearest::triangles(&start(a), &start(b));
        let impact = Impact { time: 0.0, separation: 0.0, points: near.points };
        return Some(impact.swapped(is_swapped));
    }
    by_parts(a, b, 0.0, approach, |p, q| p == q).map(|impact| impact.swapped(is_swapped))
}

/// The first of fifteen: corners and faces, edges and edges, but for those that have a corner in
/// common. Of two triangles in order.
#[cold]
fn by_parts(
    a: [Moving; 3],
    b: [Moving; 3],
    from: f64,
    approach: &Approach,
    are_one: impl Fn(&Moving, &Moving) -> bool,
) -> Option<Impact> {
    let mut best: Option<Impact> = None;
    let mut approach = *approach;
    let share = |some: &[Moving], others: &[Moving]| {
        some.iter().any(|p| others.iter().any(|q| are_one(p, q)))
    };
    let edges = |[p, q, r]: [Moving; 3]| [sorted2([p, q]), sorted2([q, r]), sorted2([r, p])];
    let mut offer = |found: &dyn Fn(&Approach) -> Option<Impact>| {
        if let Some(impact) = found(&approach)
            && best.is_none_or(|best| impact.time < best.time)
        {
            best = Some(impact);
            approach.until = impact.time;
        }
    };
    for corner in a.iter().filter(|corner| !share(&[**corner], &b)) {
        offer(&|approach| vertex_from(from, *corner, b, approach));
    }
    for corner in b.iter().filter(|corner| !share(&[**corner], &a)) {
        offer(&|approach| vertex_from(from, *corner, a, approach).map(|i| i.swapped(true)));
    }
    for p in edges(a) {
        for q in edges(b).into_iter().filter(|q| !share(&p, q)) {
            offer(&|approach| edges_from(from, p, q, approach));
        }
    }
    best
}
