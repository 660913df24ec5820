//! The distance of the disks over time, and when they collide.

use crate::clips::findings::Findings;
use crate::output::picture::{Anchor, Axis, Frame, LEFT, Plane, RIGHT, Svg, WIDTH};

const HEIGHT: f64 = 190.0;
const HEAD: &str = "Distance between the disks over time, in metres; below 0 they overlap";

/// Draws from a height on; says where it ends.
pub(super) fn draw(svg: &mut Svg, y: f64, findings: &Findings) -> f64 {
    let (Some(first), Some(last)) = (findings.gaps.first(), findings.gaps.last()) else {
        return y;
    };
    svg.text("head", LEFT, y + 24.0, Anchor::Start, HEAD);
    let frame = Frame { x: LEFT, y: y + 38.0, width: WIDTH - LEFT - RIGHT, height: HEIGHT };
    let gaps = findings.gaps.iter().map(|gap| gap.1);
    let (low, high) = (gaps.clone().fold(0.0, f64::min), gaps.fold(0.0, f64::max));
    let room = 0.06 * (high - low);
    // The nearest approach is named below its dot.
    let below = 0.16 * (high - low);
    let across = Axis::exact((first.0, last.0), 10.0);
    let plane = Plane::new(frame, across, Axis::exact((low - below, high + room), 4.5));
    for contact in &findings.contacts {
        plane.band(svg, "hit", (contact.from, contact.to.min(plane.across.to)));
    }
    plane.draw(svg, ["seconds of the common clock", "metres"]);
    plane.line(svg, "axis", [plane.across.from, plane.across.to].map(|time| (time, 0.0)));
    plane.line(svg, "line", findings.gaps.iter().copied());
    if let Some(nearest) = &findings.nearest {
        let (x, y) = plane.at(nearest.time, nearest.gap);
        svg.circle("dot", (x, y), 4.0);
        let text = format!("{:.2} m at {:.2} s", nearest.gap, nearest.time);
        let is_right = x > frame.x + 0.8 * frame.width;
        let (x, anchor) = if is_right { (x - 8.0, Anchor::End) } else { (x + 8.0, Anchor::Start) };
        svg.text("label", x, y + 17.0, anchor, &text);
    }
    frame.y + frame.height + 36.0
}
