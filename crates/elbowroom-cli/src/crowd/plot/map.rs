//! The trajectories from above, and where people touch.

use glam::DVec2;

use super::wide;
use crate::crowd::Report;
use crate::crowd::findings::CELL;
use crate::crowd::walk::Walker;
use crate::messages::short;
use crate::output::picture::{Anchor, LEFT, Plane, Svg};

const MOST_HEIGHT: f64 = 520.0;
/// Points of a way that are nearer to each other than this, in points of the picture, are one.
const LEAST_STEP: f64 = 1.5;
/// The largest spot, in points.
const LARGEST: f64 = 9.0;

/// Draws from a height on; says where it ends.
pub(super) fn draw(svg: &mut Svg, y: f64, report: &Report) -> f64 {
    let Some((low, high)) = bounds(&report.walkers) else { return y };
    let plane = Plane::map(wide(y + 38.0, MOST_HEIGHT), low, high);
    let most = report.findings.cells.values().copied().max().unwrap_or(0);
    let head = if most == 0 {
        "From above, in metres: the ways".to_owned()
    } else {
        let secs = short(f64::from(most) * report.ways.step_secs());
        format!(
            "From above, in metres: the ways, and where pairs touch (the largest spot: {secs} s in {CELL} m square)"
        )
    };
    svg.text("head", LEFT, y + 24.0, Anchor::Start, &head);
    plane.draw(svg, ["", ""]);
    let at = |point: DVec2| plane.at(point.x, point.y);
    for walker in &report.walkers {
        draw_way(svg, walker, at);
    }
    // Areas are as times, and no spot hides its neighbours by much.
    let largest = (2.0 * CELL * plane.across.scale()).clamp(3.0, LARGEST);
    for (&(column, row), &frames) in &report.findings.cells {
        let center = (DVec2::new(column as f64, row as f64) + 0.5) * CELL;
        let share = (f64::from(frames) / f64::from(most)).sqrt();
        svg.circle("spot", at(center), (largest * share).max(0.8));
    }
    plane.frame.y + plane.frame.height + 30.0
}

/// A line for each stretch in which a person was seen.
fn draw_way(svg: &mut Svg, walker: &Walker, at: impl Fn(DVec2) -> (f64, f64)) {
    for stretch in walker.stances.split(Option::is_none) {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for stance in stretch.iter().flatten() {
            let (x, y) = at(stance.at);
            let is_far = |&(p, q): &(f64, f64)| (p - x).hypot(q - y) >= LEAST_STEP;
            if points.last().is_none_or(is_far) {
                points.push((x, y));
            }
        }
        if points.len() > 1 {
            svg.path("way", points);
        }
    }
}

/// A box around all trajectories, never flat.
fn bounds(walkers: &[Walker]) -> Option<(DVec2, DVec2)> {
    let places = walkers.iter().flat_map(|walker| walker.stances.iter().flatten());
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for stance in places {
        low = low.min(stance.at);
        high = high.max(stance.at);
    }
    let room = DVec2::splat(0.02 * (high - low).max_element() + 0.5);
    low.is_finite().then_some((low - room, high + room))
}
