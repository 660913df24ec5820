//! How right each method is: what it finds and what it says in vain to the right, what it misses to
//! the left.

use super::class;
use crate::crowd::findings::{Findings, Tally, share};
use crate::messages::grouped;
use crate::output::picture::{Anchor, Axis, Frame, LEFT, RIGHT, Svg, WIDTH};

const ROW: f64 = 22.0;
/// Where names end and bars begin, and where bars end and numbers begin.
const NAMES: f64 = 148.0;
const NUMBERS: f64 = 640.0;

/// Draws from a height on; says where it ends.
pub(super) fn draw(svg: &mut Svg, y: f64, findings: &Findings) -> f64 {
    let judge = findings.judge();
    let head = format!(
        "How right each method is, against {}: pairs, summed over frames",
        judge.method.name
    );
    svg.text("head", LEFT, y + 24.0, Anchor::Start, &head);
    let tallies = &findings.tallies;
    let missed = tallies.iter().map(|tally| findings.missed(tally)).max().unwrap_or(0);
    let listed = tallies.iter().map(|tally| tally.listed).max().unwrap_or(0);
    let top = y + 62.0;
    let frame = Frame {
        x: NAMES,
        y: top,
        width: NUMBERS - NAMES - 14.0,
        height: ROW * tallies.len() as f64,
    };
    let across = Axis::exact((-(missed as f64), (listed as f64).max(1.0)), 5.0);
    let across = across.on(frame.x, frame.x + frame.width);
    across.draw_below(svg, frame, "");
    let zero = across.place(0.0);
    if missed > 0 {
        svg.text("label", zero - 8.0, y + 50.0, Anchor::End, "missed");
    }
    svg.text("label", zero + 8.0, y + 50.0, Anchor::Start, "found (full), false (pale)");
    svg.text("label", WIDTH - RIGHT - 140.0, y + 50.0, Anchor::End, "missed");
    svg.text("label", WIDTH - RIGHT, y + 50.0, Anchor::End, "of those listed, right");
    for (tally, row) in tallies.iter().zip(0..) {
        let y = top + ROW * f64::from(row);
        row_of(svg, findings, tally, (y, &across));
    }
    svg.line("axis", (zero, frame.y), (zero, frame.y + frame.height));
    frame.y + frame.height + 28.0
}

fn row_of(svg: &mut Svg, findings: &Findings, tally: &Tally, (y, across): (f64, &Axis)) {
    let class = class(findings, tally);
    let missed = findings.missed(tally);
    let bar = |from: f64, to: f64| {
        let (from, to) = (across.place(from), across.place(to));
        Frame { x: from, y: y + 4.0, width: to - from, height: ROW - 8.0 }
    };
    svg.text("label", NAMES - 10.0, y + 15.0, Anchor::End, &tally.method.name);
    let (found, listed) = (tally.found as f64, tally.listed as f64);
    svg.rect("away", bar(-(missed as f64), 0.0));
    svg.rect(class, bar(0.0, found));
    svg.rect(&format!("{class} false"), bar(found, listed));
    let percent = |share: Option<f64>| {
        share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
    };
    let text = format!("{} ({})", grouped(missed), percent(share(missed, findings.judge().listed)));
    svg.text("label", WIDTH - RIGHT - 140.0, y + 15.0, Anchor::End, &text);
    let text = format!("{} ({})", grouped(tally.found), percent(share(tally.found, tally.listed)));
    svg.text("label", WIDTH - RIGHT, y + 15.0, Anchor::End, &text);
}
