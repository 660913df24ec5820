//! Winding numbers right beside a point of a triangle, on both of its sides.

use super::Body;
use super::fan::winding_towards;
use crate::internal::exact::{Dyadic, Point};
use crate::internal::query::winding::is_likely_inside;
use crate::internal::traverse::Workspace;

/// The distance beside a triangle at which an open surface is sampled, as a fraction of the
/// triangle's size.
const BESIDE: f64 = 1e-6;

/// The winding numbers of a body's surface behind and before a point of a triangle of another, or
/// of itself, given by positive weights of the corners. The point is to be on no triangle but such
/// as lie in the same plane. Of an open surface: 1 for what is likely within, else 0.
pub(crate) fn side_of_point(
    body: &Body,
    of: &Body,
    triangle: u32,
    weights: [i32; 3],
    workspace: &mut Workspace,
) -> [i32; 2] {
    if !body.shell.is_closed() {
        return estimate(body, of, triangle, weights, workspace);
    }
    let corners = of.corners(triangle);
    let [p, q, r] = [0, 1, 2].map(|i| corners[i].times(&Dyadic::from(weights[i])));
    let weight = Dyadic::from(weights.iter().sum::<i32>());
    let point = Point { at: p.plus(&q).plus(&r), weight };
    let (first, second) = (corners[1].minus(&corners[0]), corners[2].minus(&corners[0]));
    let normal = first.cross(&second).balanced();
    let (first, second) = (first.balanced(), second.balanced());
    [normal.negated(), normal]
        .map(|way| winding_towards(body, &point, [&way, &first, &second], workspace))
}

fn estimate(
    body: &Body,
    of: &Body,
    triangle: u32,
    weights: [i32; 3],
    workspace: &mut Workspace,
) -> [i32; 2] {
    let [a, b, c] = of.placed(triangle).points();
    let [p, q, r] = weights.map(f64::from);
    let point = a * (p / (p + q + r)) + b * (q / (p + q + r)) + c * (r / (p + q + r));
    let step = (b - a).cross(c - a).normalize_or_zero() * (BESIDE * (b - a).length());
    [point - step, point + step]
        .map(|beside| i32::from(is_likely_inside(body.model, body.pose, beside, workspace)))
}
