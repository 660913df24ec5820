//! The parts of two solids of which one is not closed: what is likeliest.
//!
//! Triangles that cross are certain. Else, vertices that hang together clear of the other surface
//! are inside or outside together, by the view from one of them; and beside triangles that touch
//! the other surface, both sides are asked what they are in.

use super::{Body, Clear, Meeting, Solids, winding_of_vertex};
use crate::internal::query::collide::Known;
use crate::internal::query::winding::is_likely_inside;
use crate::internal::traverse::Workspace;

/// The number of touching triangles that are sampled on a surface.
const MOST_BESIDE: usize = 256;

/// How far beside a triangle, as a part of its size.
const BESIDE: f64 = 1e-3;

pub(super) fn solids(bodies: [Body; 2], known: Known, workspace: &mut Workspace) -> Solids {
    let found = Meeting::find(bodies, known, |_, _| true, workspace);
    let Some(meeting) = found else { return Solids::ALL };
    let mut seen = Solids::default();
    if meeting.met_by[0].is_empty() {
        note_apart(&bodies, &mut seen, workspace);
        return seen;
    }
    for own in 0..2 {
        note_clear(&meeting, own, &mut seen, workspace);
        note_beside(&meeting, own, &mut seen, workspace);
    }
    seen
}

fn note_clear(meeting: &Meeting, own: usize, seen: &mut Solids, workspace: &mut Workspace) {
    let [body, other] = [meeting.bodies[own], meeting.bodies[1 - own]];
    let mut clear = Clear::new(body, other, &meeting.met_by[own]);
    let mut roots: Vec<u32> = (0..)
        .zip(&body.shell.edges)
        .filter(|(edge, _)| !clear.met.contains_key(edge))
        .map(|(_, ends)| ends[0])
        .collect();
    for root in &mut roots {
        *root = clear.root(*root);
    }
    roots.sort_unstable();
    roots.dedup();
    for root in roots {
        note_both_sides(own, clear.number(root, workspace) > 0, seen);
    }
}

/// Surfaces that do not meet: a vertex speaks for its whole part.
fn note_apart(bodies: &[Body; 2], seen: &mut Solids, workspace: &mut Workspace) {
    for own in 0..2 {
        for &vertex in &bodies[own].shell.heads {
            let number = winding_of_vertex(&bodies[1 - own], &bodies[own], vertex, workspace);
            note_both_sides(own, number > 0, seen);
        }
    }
}

/// One side of a surface is within what it encloses, the other is not.
fn note_both_sides(own: usize, in_other: bool, seen: &mut Solids) {
    for in_own in [true, false] {
        let [a, b] = if own == 0 { [in_own, in_other] } else { [in_other, in_own] };
        seen.note(a, b);
    }
}

fn note_beside(meeting: &Meeting, own: usize, seen: &mut Solids, workspace: &mut Workspace) {
    let body = meeting.bodies[own];
    let mut touching: Vec<u32> = meeting.met_by[own].keys().copied().collect();
    touching.sort_unstable();
    let stride = touching.len().div_ceil(MOST_BESIDE).max(1);
    for &triangle in touching.iter().step_by(stride) {
        let [a, b, c] = body.placed(triangle).points();
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let size = (b - a).length().min((c - a).length()).min((c - b).length());
        for side in [1.0, -1.0] {
            let point = a / 3.0 + b / 3.0 + c / 3.0 + normal * (side * BESIDE * size);
            let [in_a, in_b] = meeting
                .bodies
                .map(|body| is_likely_inside(body.model, body.pose, point, workspace));
            seen.note(in_a, in_b);
        }
    }
}
