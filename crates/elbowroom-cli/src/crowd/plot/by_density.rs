//! What density does: the share of people who touch another, by how many are around them.

use std::f64::consts::PI;

use super::{class, legend, shown, wide};
use crate::crowd::findings::{Findings, share};
use crate::output::picture::{Anchor, Axis, LEFT, Plane, Svg};

const HEIGHT: f64 = 190.0;
/// Fewer people than this over all frames say nothing about a share.
const LEAST_PEOPLE: u64 = 50;

/// Draws from a height on; says where it ends.
pub(super) fn draw(svg: &mut Svg, y: f64, findings: &Findings) -> f64 {
    let people = &findings.people_by_others;
    let told: Vec<usize> =
        (0..people.len()).filter(|&others| people[others] >= LEAST_PEOPLE).collect();
    let (Some(&first), Some(&last)) = (told.first(), told.last()) else { return y };
    if first == last {
        return y;
    }
    let head = "Share of people who touch somebody, in %, by density around them";
    svg.text("head", LEFT, y + 24.0, Anchor::Start, head);
    let shown = shown(findings);
    let entries = shown.iter().map(|tally| (class(findings, tally), tally.method.name.as_str()));
    let frame = wide(legend(svg, y + 34.0, entries), HEIGHT);
    let per_area = |others: usize| others as f64 / PI;
    let across = Axis::exact((per_area(first), per_area(last)), 10.0);
    let plane = Plane::new(frame, across, Axis::exact((0.0, 100.0), 5.0));
    plane.draw(svg, ["others within 1 m, per m²", "%"]);
    for tally in shown {
        let class = class(findings, tally);
        let at = |&others: &usize| {
            let touching = share(tally.touching_by_others[others], people[others]).unwrap_or(0.0);
            plane.at(per_area(others), 100.0 * touching)
        };
        let points: Vec<(f64, f64)> = told.iter().map(at).collect();
        svg.path(&format!("{class}-line"), points.iter().copied());
        for point in points {
            svg.circle(class, point, 2.5);
        }
    }
    frame.y + frame.height + 36.0
}
