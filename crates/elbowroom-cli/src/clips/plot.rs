//! Findings as a picture: one SVG, light or dark as the reader's screen is.
//!
//! From the top: the distance over time, the start offsets as a strip, both paths from above, and
//! the boxes of both trees, level by level, in an oblique view of the ground and time. Nothing in
//! it moves and nothing is fetched.

mod boxes;
mod gaps;
mod paths;
mod strip;

use super::findings::Findings;
use super::side::Side;
use crate::output::picture::{Anchor, Frame, LEFT, RIGHT, Svg, WIDTH};

/// What is drawn here and nowhere else.
const STYLE: &str = "\
.a{fill:#2563eb}.b{fill:#d97706}
.a-line{stroke:#2563eb}.b-line{stroke:#d97706}
.a-line,.b-line{fill:none;stroke-width:1.6;stroke-linejoin:round}
.a-box,.b-box{fill:none;stroke-width:.8;stroke-opacity:.55}
.a-box{stroke:#2563eb}.b-box{stroke:#d97706}
.a-disk,.b-disk{stroke-width:.7;stroke-opacity:.35;fill-opacity:.06}
.a-disk{stroke:#2563eb;fill:#2563eb}.b-disk{stroke:#d97706;fill:#d97706}
.free-line{stroke:#15803d;stroke-width:1.5}.now{stroke:#111827;stroke-width:1.5;fill:none}
@media(prefers-color-scheme:dark){
.a{fill:#7aa2ff}.b{fill:#ffb454}
.a-line{stroke:#7aa2ff}.b-line{stroke:#ffb454}
.a-box{stroke:#7aa2ff}.b-box{stroke:#ffb454}
.a-disk{stroke:#7aa2ff;fill:#7aa2ff}.b-disk{stroke:#ffb454;fill:#ffb454}
.free-line{stroke:#4ade80}.now{stroke:#f3f4f6}
}
";

/// The classes of what belongs to the first motion and to the second.
const CLASSES: [&str; 2] = ["a", "b"];

pub(super) fn svg(sides: &[Side; 2], findings: &Findings) -> String {
    let mut svg = Svg::new(STYLE);
    let mut y = title(&mut svg, sides, findings);
    y = gaps::draw(&mut svg, y, findings);
    if let Some(offsets) = &findings.offsets {
        y = strip::draw(&mut svg, y, offsets);
    }
    y = paths::draw(&mut svg, y, sides, findings);
    y = boxes::draw(&mut svg, y, sides);
    svg.finish(WIDTH, y + 16.0, &title_of(sides))
}

/// What the picture is called.
pub(super) fn title_of(sides: &[Side; 2]) -> String {
    let [a, b] = sides;
    format!("{} and {}", a.name, b.name)
}

/// Who they are and what came of it.
fn title(svg: &mut Svg, sides: &[Side; 2], findings: &Findings) -> f64 {
    let verdict = match (findings.contacts.len(), &findings.nearest) {
        (0, None) => "never in motion at the same time".to_owned(),
        (0, Some(nearest)) => {
            format!("no collision: {:.2} m between the disks at the nearest", nearest.gap)
        }
        (1, _) => format!("one collision of {:.2} s", findings.seconds()),
        (n, _) => format!("{n} collisions, {:.2} s in all", findings.seconds()),
    };
    svg.text("title", LEFT, 30.0, Anchor::Start, &verdict);
    let mut x = LEFT;
    for (side, class) in sides.iter().zip(CLASSES) {
        let text = format!("{}  {}, {:.2} s", side.letter, side.name, side.trace().seconds());
        svg.rect(class, Frame { x, y: 43.0, width: 12.0, height: 12.0 });
        svg.text("label", x + 18.0, 53.5, Anchor::Start, &text);
        x += 0.5 * (WIDTH - LEFT - RIGHT);
    }
    64.0
}
