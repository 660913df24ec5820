//! What a search for the deepest point begins with: the triangles of a surface that are cut or
//! wholly inside, or all of a box.
//!
//! Each corner gets a hint, a triangle of the other boundary that may be the nearest: at first
//! those that cut triangles meet; then from corner to corner, each time downhill from what is near
//! a neighbour. Hints only bound, so that a bad one costs time and nothing else.

use glam::DVec3;

use super::field::Field;
use super::flood::Flood;
use super::pile::{NONE, Seed};
use super::search::Search;
use crate::internal::geom::Aabb;
use crate::internal::traverse::Workspace;

/// Adds all of a boundary that may be inside another solid.
pub(super) fn seed_boundary(
    own: &Field,
    search: &mut Search<3>,
    (flood, inside): (&mut Flood, &mut Vec<u32>),
    workspace: &mut Workspace,
) {
    let other = search.field;
    let shell = own.body.shell;
    for triangle in flood.cut().filter(|&triangle| own.may_bound(triangle)) {
        let mut met = flood.met_by(triangle).iter().map(|&(_, met)| met);
        let met = met.find(|&met| other.may_bound(met));
        let corners = shell.corners[triangle as usize];
        if let Some(met) = met {
            for corner in corners {
                search.suggest(corner, met);
            }
        }
        search.is_doubtful |= !own.bounds(triangle);
        search.seed(Seed { corners, triangle, met: met.unwrap_or(NONE), is_cut: true });
    }
    inside.clear();
    inside.extend(flood.within());
    inside.retain(|&triangle| {
        let corner = shell.corners[triangle as usize][0];
        flood.number(&own.body, &other.body, corner, workspace) > 0 && own.may_bound(triangle)
    });
    let mut are_doubtful = inside.iter().map(|&triangle| !own.bounds(triangle));
    search.is_doubtful = search.is_doubtful || are_doubtful.any(|is_doubtful| is_doubtful);
    seed_inside(own, search, inside, workspace);
}

/// Adds the triangles that are wholly inside: each takes over what is near its neighbours, by
/// vertex.
fn seed_inside(
    own: &Field,
    search: &mut Search<3>,
    inside: &mut Vec<u32>,
    workspace: &mut Workspace,
) {
    let shell = own.body.shell;
    while !inside.is_empty() {
        let before = inside.len();
        inside.retain(|&triangle| {
            let corners = shell.corners[triangle as usize];
            let near = corners.map(|corner| search.pile.hints[corner as usize].near);
            if near == [NONE; 3] {
                return true;
            }
            for (corner, own) in corners.into_iter().zip(near) {
                if search.pile.hints[corner as usize].most == f64::INFINITY {
                    search.descend(corner, if own == NONE { near } else { [own; 3] });
                }
            }
            search.seed(Seed { corners, triangle, met: NONE, is_cut: false });
            false
        });
        // A part that is wholly inside has no neighbours that are cut.
        if inside.len() == before {
            let corner = shell.corners[inside[0] as usize][0];
            let point = own.body.pose.apply(own.body.model.mesh().vertices()[corner as usize]);
            let found = search.field.nearest(point, f64::INFINITY, workspace);
            let Some(found) = found else { return };
            search.suggest(corner, found.triangle);
        }
    }
}

/// The corners of a model's box, by bits.
pub(super) fn box_corners(Aabb { min: low, max: high }: Aabb) -> [DVec3; 8] {
    std::array::from_fn(|i| {
        let pick = |axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
        DVec3::new(pick(0), pick(1), pick(2))
    })
}

/// Adds all of a box: six simplices, each along three edges from one corner to the opposite one
/// (Kuhn).
pub(super) fn seed_box(search: &mut Search<4>) {
    let field = search.field;
    let Some(near) = field.body.shell.faces().find(|&triangle| field.may_bound(triangle)) else {
        return;
    };
    for corner in 0..8 {
        search.suggest(corner, near);
    }
    for [x, y] in [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]] {
        let corners = [0, 1 << x, 1 << x | 1 << y, 7];
        search.seed(Seed { corners, triangle: near, met: NONE, is_cut: true });
    }
}
