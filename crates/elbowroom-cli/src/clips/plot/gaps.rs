//! The distance of the disks over time, and when they collide.

use crate::clips::findings::Findings;
use crate::output::picture::{Anchor, Axis, Frame, LEFT, RIGHT, Svg, WIDTH};

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
    let bottom = frame.y + frame.height;
    let across = Axis::new((first.0, last.0), (frame.x, frame.x + frame.width));
    let up = Axis::new((low - below, high + room), (bottom, frame.y));
    for contact in &findings.contacts {
        let (from, to) = (across.place(contact.from), across.place(contact.to.min(across.to)));
        svg.rect("hit", Frame { x: from, width: (to - from).max(0.8), ..frame });
    }
    up.draw_left(svg, frame);
    across.draw_below(svg, frame, "seconds of the common clock");
    svg.line("axis", (frame.x, up.place(0.0)), (frame.x + frame.width, up.place(0.0)));
    svg.path("line", findings.gaps.iter().map(|&(time, gap)| (across.place(time), up.place(gap))));
    if let Some(nearest) = &findings.nearest {
        let (x, y) = (across.place(nearest.time), up.place(nearest.gap));
        svg.circle("dot", (x, y), 4.0);
        let text = format!("{:.2} m at {:.2} s", nearest.gap, nearest.time);
        let is_right = x > frame.x + 0.8 * frame.width;
        let (x, anchor) = if is_right { (x - 8.0, Anchor::End) } else { (x + 8.0, Anchor::Start) };
        svg.text("label", x, y + 17.0, anchor, &text);
    }
    bottom + 36.0
}
