//! Findings as a picture: one SVG, light or dark as the reader's screen is.
//!
//! From the top: pairs that touch over time, how right each method is, the trajectories from above
//! with the places of contacts, how dense the crowd is, and what density does. Disks are brown,
//! levels are blue, the darker the finer, and meshes are red, throughout.

mod bars;
mod by_density;
mod map;
mod over_time;

use elbowroom_motion::crowd::Detail;

use super::Report;
use super::findings::{Findings, Tally};
use super::ways::people_text;
use crate::messages::{count, grouped, short};
use crate::output::picture::{Anchor, Entry, Frame, LEFT, Legend, RIGHT, Svg, Swatch, WIDTH};

/// What is drawn here and nowhere else.
const STYLE: &str = "\
.d0,.d1,.d2,.l0,.l1,.l2,.l3,.l4,.c,.e,.away{stroke:none}
.d0{fill:#d97706}.d1{fill:#92400e}.d2{fill:#c2a05a}
.l0{fill:#93c5fd}.l1{fill:#60a5fa}.l2{fill:#3b82f6}.l3{fill:#1d4ed8}.l4{fill:#1e3a8a}
.c{fill:#0f766e}.e{fill:#dc2626}.away{fill:#dc2626;fill-opacity:.3}
.d0-line{stroke:#d97706}.d1-line{stroke:#92400e}.d2-line{stroke:#c2a05a}
.l0-line{stroke:#93c5fd}.l1-line{stroke:#60a5fa}.l2-line{stroke:#3b82f6}.l3-line{stroke:#1d4ed8}.l4-line{stroke:#1e3a8a}
.c-line{stroke:#0f766e}.e-line{stroke:#dc2626}.mean-line{stroke:#374151}.most-line{stroke:#9ca3af}
.d0-line,.d1-line,.d2-line,.l0-line,.l1-line,.l2-line,.l3-line,.l4-line,.c-line,.e-line,.mean-line,.most-line{fill:none;stroke-width:1.5;stroke-linejoin:round}
.e-line{stroke-width:2.2}
.false{fill-opacity:.32}
.way{stroke:#6b7280;stroke-width:.7;stroke-opacity:.35;fill:none;stroke-linejoin:round}
.spot{fill:#dc2626;fill-opacity:.55}
@media(prefers-color-scheme:dark){
.d0{fill:#fbbf24}.d1{fill:#d08a4a}.d2{fill:#e3cc93}
.l0{fill:#3a63b8}.l1{fill:#3d7be6}.l2{fill:#5b95f5}.l3{fill:#93bbfd}.l4{fill:#cfe2ff}
.c{fill:#2dd4bf}.e{fill:#ff6b6b}.away{fill:#ff6b6b}
.d0-line{stroke:#fbbf24}.d1-line{stroke:#d08a4a}.d2-line{stroke:#e3cc93}
.l0-line{stroke:#3a63b8}.l1-line{stroke:#3d7be6}.l2-line{stroke:#5b95f5}.l3-line{stroke:#93bbfd}.l4-line{stroke:#cfe2ff}
.c-line{stroke:#2dd4bf}.e-line{stroke:#ff6b6b}.mean-line{stroke:#e5e7eb}.most-line{stroke:#7d8593}
.way{stroke:#9aa1ad}
.spot{fill:#ff6b6b}
}
";

pub(super) fn svg(report: &Report) -> String {
    let mut svg = Svg::new(STYLE);
    let mut y = title(&mut svg, report);
    y = over_time::draw_pairs(&mut svg, y, report);
    y = bars::draw(&mut svg, y, &report.findings);
    y = map::draw(&mut svg, y, report);
    y = over_time::draw_density(&mut svg, y, report);
    y = by_density::draw(&mut svg, y, &report.findings);
    svg.finish(WIDTH, y + 16.0, &report.ways.name)
}

/// Who they are and what came of it.
fn title(svg: &mut Svg, report: &Report) -> f64 {
    let Report { ways, walkers, findings, .. } = report;
    let pairs = findings.contacts.len() as u64;
    let is_exact = findings.judge().method.is_exact();
    let text = match (pairs, is_exact) {
        (0, _) => "no contact".to_owned(),
        (1, true) => "one pair touches".to_owned(),
        (_, true) => format!("{} pairs touch", grouped(pairs)),
        (_, false) => format!("{} may touch", count(pairs, "pair")),
    };
    let text = format!("{}: {text}", ways.name);
    svg.text("title", LEFT, 30.0, Anchor::Start, &text);
    let secs = findings.judge().listed as f64 * ways.step_secs();
    let text = format!(
        "{} in {}, {} per second: {} s of contact in all, summed over pairs",
        people_text(walkers.len()),
        count(ways.frames.len() as u64, "frame"),
        ways.rate_text(),
        short(secs)
    );
    svg.text("label", LEFT, 51.0, Anchor::Start, &text);
    58.0
}

/// The class of a method's colour.
fn class(findings: &Findings, tally: &Tally) -> &'static str {
    let detail = &tally.method.detail;
    let is_same = |other: &&Tally| {
        std::mem::discriminant(&other.method.detail) == std::mem::discriminant(detail)
    };
    let alike = findings.tallies.iter().filter(is_same);
    let index = alike.take_while(|other| other.method.name != tally.method.name).count();
    match detail {
        Detail::Disk(_) => ["d0", "d1", "d2"][index.min(2)],
        Detail::Level(_) => {
            // Spread evenly, so that few levels differ as clearly as many.
            let levels = findings.tallies.iter().filter(is_same).count();
            ["l0", "l1", "l2", "l3"]
                [(3 * index + levels.saturating_sub(1) / 2) / levels.saturating_sub(1).max(1)]
        }
        Detail::Full => "l4",
        Detail::Exact => "e",
        Detail::Camera { .. } | Detail::Density { .. } | Detail::Budget { .. } => "c",
    }
}

/// The methods that lines are drawn of: all would cover each other.
fn shown(findings: &Findings) -> Vec<&Tally> {
    let is_level = |tally: &&Tally| matches!(tally.method.detail, Detail::Level(_) | Detail::Full);
    let levels: Vec<&Tally> = findings.tallies.iter().filter(is_level).collect();
    let ends = [levels.first(), levels.last()];
    let is_end =
        |tally: &Tally| ends.iter().flatten().any(|end| end.method.name == tally.method.name);
    findings.tallies.iter().filter(|tally| !is_level(tally) || is_end(tally)).collect()
}

/// Names with their colours. Draws from a height on; returns where the frame below begins.
fn legend<'n>(svg: &mut Svg, y: f64, entries: impl Iterator<Item = (&'n str, &'n str)>) -> f64 {
    let entry = |(class, name): (&str, &str)| Entry {
        class: class.into(),
        name: name.into(),
        swatch: Swatch::Line,
    };
    let legend = Legend::new(entries.map(entry).collect(), WIDTH - LEFT - RIGHT);
    legend.draw(svg, (LEFT, y));
    y + legend.height() + 8.0
}

/// A row of the picture as wide as it is.
fn wide(y: f64, height: f64) -> Frame {
    Frame { x: LEFT, y, width: WIDTH - LEFT - RIGHT, height }
}
