//! Findings as a picture: one SVG, light or dark as the reader's screen is.
//!
//! From the top: the distance over time, the start offsets as a strip, both ways from above, and the boxes of both trees, level by level, in an oblique view of
//! the ground and time. Nothing in it moves and nothing is fetched.

mod axis;
mod boxes;
mod gaps;
mod paths;
mod strip;
mod svg;

use super::findings::Findings;
use super::side::Side;
use svg::{Anchor, Svg, escaped};

/// How wide the picture is, in points.
const WIDTH: f64 = 960.0;
/// Left and right of what is drawn.
const LEFT: f64 = 72.0;
const RIGHT: f64 = 28.0;

/// A rectangle of the picture, in points.
#[derive(Clone, Copy, Debug)]
struct Frame {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// The classes of what belongs to the first motion and to the second.
const CLASSES: [&str; 2] = ["a", "b"];

pub(super) fn svg(sides: &[Side; 2], findings: &Findings) -> String {
    let mut svg = Svg::new();
    let mut y = title(&mut svg, sides, findings);
    y = gaps::draw(&mut svg, y, findings);
    if let Some(offsets) = &findings.offsets {
        y = strip::draw(&mut svg, y, offsets);
    }
    y = paths::draw(&mut svg, y, sides, findings);
    y = boxes::draw(&mut svg, y, sides);
    let [a, b] = sides;
    svg.finish(WIDTH, y + 16.0, &format!("{} and {}", a.name, b.name))
}

/// A page around the picture.
pub(super) fn html(sides: &[Side; 2], svg: &str) -> String {
    let [a, b] = sides;
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{} and {}</title>\n\
         <style>body{{margin:0}}svg{{display:block;margin:auto;max-width:100%;height:auto}}\
         @media(prefers-color-scheme:dark){{body{{background:#15171c}}}}</style>\n</head>\n<body>\n{svg}</body>\n</html>\n",
        escaped(&a.name),
        escaped(&b.name)
    )
}

/// Who they are and what came of it.
fn title(svg: &mut Svg, sides: &[Side; 2], findings: &Findings) -> f64 {
    let verdict = match (findings.contacts.len(), &findings.nearest) {
        (0, None) => "never under way at the same time".to_owned(),
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
