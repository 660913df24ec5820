//! Lines over time: pairs that touch, and how dense the crowd is.

use super::{class, legend, shown, wide};
use crate::crowd::Report;
use crate::output::picture::{Anchor, Axis, LEFT, Plane, Svg};

const HEIGHT: f64 = 210.0;
const DENSITY_HEIGHT: f64 = 120.0;
/// As many points as there is room for; more are averaged.
const MOST_POINTS: usize = 420;

/// Draws from a height on; says where it ends.
pub(super) fn draw_pairs(svg: &mut Svg, y: f64, report: &Report) -> f64 {
    let findings = &report.findings;
    svg.text("head", LEFT, y + 24.0, Anchor::Start, "Pairs that touch at once, over time");
    let shown = shown(findings);
    let entries = shown.iter().map(|tally| (class(findings, tally), tally.method.name.as_str()));
    let y = legend(svg, y + 34.0, entries);
    let lines: Vec<(&str, Vec<f64>)> = shown
        .iter()
        .map(|tally| {
            let counts = tally.per_frame.iter().map(|&pairs| f64::from(pairs));
            (class(findings, tally), counts.collect())
        })
        .collect();
    draw(svg, y, HEIGHT, report, &lines, "pairs")
}

/// Draws from a height on; says where it ends.
pub(super) fn draw_density(svg: &mut Svg, y: f64, report: &Report) -> f64 {
    let head = "Density over time: others within 1 m of a person, per m²";
    svg.text("head", LEFT, y + 24.0, Anchor::Start, head);
    let frames = &report.findings.density.frames;
    let lines = vec![
        ("most", frames.iter().map(|frame| frame.most).collect()),
        ("mean", frames.iter().map(|frame| frame.mean).collect()),
    ];
    let names = [("most", "around the most crowded"), ("mean", "mean of all")];
    let y = legend(svg, y + 34.0, names.into_iter());
    draw(svg, y, DENSITY_HEIGHT, report, &lines, "per m²")
}

fn draw(
    svg: &mut Svg,
    y: f64,
    height: f64,
    report: &Report,
    lines: &[(&str, Vec<f64>)],
    unit: &str,
) -> f64 {
    let ways = &report.ways;
    let frame = wide(y, height);
    let times: Vec<f64> = ways.frames.iter().map(|&frame| ways.secs(frame)).collect();
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else { return y };
    let lines: Vec<(&str, Vec<(f64, f64)>)> =
        lines.iter().map(|(class, values)| (*class, averaged(&times, values))).collect();
    let points = lines.iter().flat_map(|(_, points)| points);
    let most = points.map(|point| point.1).fold(0.0, f64::max);
    let up = Axis::exact((0.0, 1.05 * most.max(0.5)), height / 42.0);
    let plane = Plane::new(frame, Axis::exact((first, last), 10.0), up);
    plane.draw(svg, ["seconds from the first frame of the file", unit]);
    for (class, points) in lines {
        plane.line(svg, &format!("{class}-line"), points);
    }
    frame.y + frame.height + 36.0
}

/// Means of as many neighbours as it takes.
fn averaged(times: &[f64], values: &[f64]) -> Vec<(f64, f64)> {
    let run = times.len().div_ceil(MOST_POINTS).max(1);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    times.chunks(run).zip(values.chunks(run)).map(|(t, v)| (mean(t), mean(v))).collect()
}
