//! Copies of one triangle, brought together.
//!
//! No plane parts triangles whose boxes have one middle. Copies always have, and stay together down
//! to a leaf, where they share a record; what is left of them, and different triangles that no
//! plane can part, are sorted here.

use std::cmp::Ordering;

use glam::DVec3;

use super::corners::Corners;
use crate::internal::geom::mesh::Mesh;

/// Sorts triangles so that copies stand side by side, by ascending number; how many different ones
/// there are.
pub(super) fn gather<T: Copy>(
    mesh: &Mesh,
    items: &mut [T],
    corners: impl Fn(T) -> Corners,
) -> usize {
    let first = corners(items[0]);
    // A million copies need no million comparisons more than this.
    if items.iter().all(|&item| !are_different(mesh, &first, &corners(item))) {
        items.sort_unstable_by_key(|&item| corners(item).id());
        return 1;
    }
    items.sort_unstable_by(|&a, &b| compare(mesh, &corners(a), &corners(b)));
    1 + items
        .windows(2)
        .filter(|two| are_different(mesh, &corners(two[0]), &corners(two[1])))
        .count()
}

/// Where a sorted list is cut so that no copies are separated, as near to its middle as possible.
/// There are at least two different ones.
pub(super) fn middle_cut<T: Copy>(
    mesh: &Mesh,
    items: &[T],
    corners: impl Fn(T) -> Corners,
) -> usize {
    let differ = |at: usize| are_different(mesh, &corners(items[at - 1]), &corners(items[at]));
    let half = items.len() / 2;
    let above = (half.max(1)..items.len()).find(|&at| differ(at));
    let below = (1..half).rev().find(|&at| differ(at));
    match (below, above) {
        (Some(below), Some(above)) if half - below < above - half => below,
        (below, above) => above.or(below).expect("two are different"),
    }
}

/// Whether two triangles have different corners.
pub(super) fn are_different(mesh: &Mesh, a: &Corners, b: &Corners) -> bool {
    a.key() != b.key() || sorted(mesh, a) != sorted(mesh, b)
}

fn compare(mesh: &Mesh, a: &Corners, b: &Corners) -> Ordering {
    let by_corners = || {
        let (a, b) = (sorted(mesh, a), sorted(mesh, b));
        let pairs = a.iter().flatten().zip(b.iter().flatten());
        pairs.map(|(x, y)| x.total_cmp(y)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    a.key().cmp(&b.key()).then_with(by_corners).then_with(|| a.id().cmp(&b.id()))
}

/// The corners in an order of their own; zero has no sign.
fn sorted(mesh: &Mesh, corners: &Corners) -> [[f64; 3]; 3] {
    let plain = |corner: DVec3| corner.to_array().map(|x| x + 0.0);
    let mut three = mesh.triangle(corners.id() as usize).map(plain);
    let order = |a: &[f64; 3], b: &[f64; 3]| {
        let pairs = a.iter().zip(b);
        pairs.map(|(x, y)| x.total_cmp(y)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    three.sort_by(order);
    three
}
