//! Lines over time: pairs that touch, and how dense the crowd is.

use super::{class, legend, shown, wide};
use crate::crowd::Report;
use crate::output::picture::{Anchor, Axis, LEFT, Svg};

const HEIGHT: f64 = 210.0;
const DENSITY_HEIGHT: f64 = 120.0;
/// As many points as there is room for; more are averaged.
const MOST_POINTS: usize = 420;

/// Draws from a height on; says where it ends.
pub(super) fn draw_pairs(svg: &mut Svg, y: f64, report: &Report) -> f64 {
    let findings = &report.findings;
    svg.text("head", LEFT, y + 24.0, Anchor::Start, "Pairs that touch at once, over time");
    let shown = shown(findings);
    let entries: Vec<_> =
        shown.iter().map(|tally| (class(findings, tally), tally.method.name.clone())).collect();
    legend(svg, y + 44.0, &entries);
    let lines: Vec<(&str, Vec<f64>)> = shown
        .iter()
        .map(|tally| {
            let counts = tally.per_frame.iter().map(|&pairs| f64::from(pairs));
            (class(findings, tally), counts.collect())
        })
        .collect();
    draw(svg, y + 56.0, HEIGHT, report, &lines)
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
    let mut x = LEFT;
    for (class, name) in names {
        svg.line(&format!("{class}-line"), (x, y + 40.0), (x + 14.0, y + 40.0));
        svg.text("label", x + 20.0, y + 44.0, Anchor::Start, name);
        x += 40.0 + 6.6 * name.len() as f64;
    }
    draw(svg, y + 56.0, DENSITY_HEIGHT, report, &lines)
}

fn draw(svg: &mut Svg, y: f64, height: f64, report: &Report, lines: &[(&str, Vec<f64>)]) -> f64 {
    let ways = &report.ways;
    let frame = wide(y, height);
    let times: Vec<f64> = ways.frames.iter().map(|&frame| ways.secs(frame)).collect();
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else { return y };
    let lines: Vec<(&str, Vec<(f64, f64)>)> =
        lines.iter().map(|(class, values)| (*class, averaged(&times, values))).collect();
    let points = lines.iter().flat_map(|(_, points)| points);
    let most = points.map(|point| point.1).fold(0.0, f64::max);
    let bottom = frame.y + frame.height;
    let across = Axis::new((first, last), (frame.x, frame.x + frame.width));
    let up = Axis::new((0.0, 1.05 * most.max(0.5)), (bottom, frame.y));
    up.draw_left(svg, frame);
    across.draw_below(svg, frame, "seconds from the first frame of the file");
    for (class, points) in lines {
        svg.path(
            &format!("{class}-line"),
            points.into_iter().map(|(time, value)| (across.place(time), up.place(value))),
        );
    }
    bottom + 36.0
}

/// Means of as many neighbours as it takes.
fn averaged(times: &[f64], values: &[f64]) -> Vec<(f64, f64)> {
    let run = times.len().div_ceil(MOST_POINTS).max(1);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    times.chunks(run).zip(values.chunks(run)).map(|(t, v)| (mean(t), mean(v))).collect()
}
