//! Findings as a table for programs: a line for each examined frame.

use std::fmt::Write;

use super::Report;

pub(super) fn text(report: &Report) -> String {
    let Report { ways, findings, .. } = report;
    let mut text = String::from("frame,seconds,people,others_per_m2_mean,others_per_m2_most");
    for tally in &findings.tallies {
        let _ = write!(text, ",{}", tally.method.name.replace(' ', "_"));
    }
    text.push('\n');
    for (index, (&frame, crowding)) in ways.frames.iter().zip(&findings.density.frames).enumerate()
    {
        // A string takes what is written.
        let _ = write!(
            text,
            "{frame},{:.3},{},{:.3},{:.3}",
            ways.secs(frame),
            crowding.people,
            crowding.mean,
            crowding.most
        );
        for tally in &findings.tallies {
            let _ = write!(text, ",{}", tally.per_frame[index]);
        }
        text.push('\n');
    }
    text
}
