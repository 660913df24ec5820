//! The start offsets at which they collide, as a strip.

use crate::clips::findings::Offsets;
use crate::output::picture::{Anchor, Axis, Frame, LEFT, Plane, RIGHT, Svg, WIDTH};

const HEIGHT: f64 = 30.0;

/// Draws from a height on; says where it ends.
pub(super) fn draw(svg: &mut Svg, y: f64, offsets: &Offsets) -> f64 {
    let share = 100.0 * offsets.seconds() / (offsets.to - offsets.from).max(f64::MIN_POSITIVE);
    let head = format!("Start offsets of B against A: at the red ones they collide ({share:.1} %)");
    svg.text("head", LEFT, y + 24.0, Anchor::Start, &head);
    let frame = Frame { x: LEFT, y: y + 60.0, width: WIDTH - LEFT - RIGHT, height: HEIGHT };
    let across = Axis::exact((offsets.from, offsets.to), 10.0);
    let plane = Plane::new(frame, across, Axis::exact((0.0, 1.0), 1.0));
    let across = &plane.across;
    across.draw_below(svg, frame, "seconds that B starts later than A");
    for interval in &offsets.intervals {
        plane.band(svg, "bar", (interval.from, interval.to));
    }
    svg.rect("axis", frame);
    let mark = |svg: &mut Svg, class: &str, offset: f64, text: &str, row: f64| {
        if !(across.from..=across.to).contains(&offset) {
            return;
        }
        let x = across.place(offset);
        svg.line(class, (x, frame.y - row - 8.0), (x, frame.y + frame.height));
        let is_right = x > frame.x + 0.7 * frame.width;
        let (x, anchor) = if is_right { (x - 5.0, Anchor::End) } else { (x + 5.0, Anchor::Start) };
        svg.text("label", x, frame.y - row, anchor, text);
    };
    mark(svg, "now", offsets.now, &format!("now {:.2} s", offsets.now), 4.0);
    if offsets.collides_now {
        let text = format!("nearest free {:.2} s", offsets.nearest_free);
        mark(svg, "free-line", offsets.nearest_free, &text, 17.0);
        let wait = offsets.now + offsets.smallest_wait;
        if wait != offsets.nearest_free {
            mark(svg, "free-line", wait, &format!("wait {:.2} s", offsets.smallest_wait), 17.0);
        }
    }
    frame.y + frame.height + 36.0
}
