//! Charts of the experiments with motion clips.

use super::{Drawing, each, ours, paper};
use crate::{Axis, Chart, Report};

pub(super) fn of(report: &Report) -> Vec<Chart> {
    match report.id {
        "mobb-axis" => axis(report),
        "mobb-nmin" => nmin(report),
        "mobb-table1" | "mobb-table2" => table(report),
        "mobb-length" => length(report),
        "mobb-merge" => merge(report),
        _ => Vec::new(),
    }
}

fn axis(report: &Report) -> Vec<Chart> {
    let boxes = |draw: Drawing| {
        draw.titled("Boxes along the chord over boxes along the largest spread")
            .axes(Axis::linear("level"), Axis::linear("ratio").against(1.0))
            .lines(
                "level",
                &[
                    ours("area chord/spread", "area, chord/spread"),
                    ours("the same, loops", "the same, loops"),
                    ours("volume free/upright", "volume, UMOBB/MOBB"),
                ],
            )
    };
    each(report, "Boxes, level by level", ["levels", "levels-cmu"], boxes).collect()
}

fn nmin(report: &Report) -> Vec<Chart> {
    let samples = || Axis::log("samples in a leaf, at most");
    let tests = |draw: Drawing| {
        draw.titled("Tests over the size of leaves")
            .axes(samples(), Axis::linear("tests a query"))
            .lines(
                "at most",
                &[
                    ours("2-D tests a query", "2-D box tests"),
                    ours("sample tests a query", "sample tests"),
                ],
            )
    };
    let times = |draw: Drawing| {
        draw.titled("Time over the size of leaves (the paper's best is 10)")
            .axes(samples().against(10.0), Axis::linear("time, µs a query"))
            .lines("at most", &[ours("time a query (µs)", "MOBB")])
    };
    let leaves = "Samples in a leaf";
    let mut charts = Vec::new();
    charts.extend(each(report, leaves, ["tests", "tests-cmu"], tests));
    charts.extend(each(report, leaves, ["times", "times-cmu"], times));
    charts
}

fn table(report: &Report) -> Vec<Chart> {
    let samples = |draw: Drawing| {
        draw.titled("Sample tests a query")
            .axes(Axis::linear(""), Axis::log("sample tests a query"))
            .bars(&["method"], &[ours("samples", "here"), paper("samples, paper", "paper")])
    };
    let boxes = |draw: Drawing| {
        let columns = [
            ours("2-D", "2-D"),
            paper("2-D, paper", "2-D"),
            ours("3-D", "3-D"),
            paper("3-D, paper", "3-D"),
        ];
        draw.titled("Box tests a query")
            .axes(Axis::linear(""), Axis::linear("box tests a query"))
            .bars(&["method"], &columns)
    };
    let times = |draw: Drawing| {
        draw.titled("Time of a query over that of MOBB")
            .axes(Axis::linear(""), Axis::log("time over that of MOBB").against(1.0))
            .bars(&["method"], &[ours("time / MOBB", "here"), paper("time / MOBB, paper", "paper")])
    };
    let beside = ": tests and time a query";
    let mut charts = Vec::new();
    charts.extend(each(report, beside, ["samples", "samples-cmu"], samples));
    charts.extend(each(report, beside, ["boxes", "boxes-cmu"], boxes));
    charts.extend(each(report, beside, ["times", "times-cmu"], times));
    charts
}

fn length(report: &Report) -> Vec<Chart> {
    let secs = || Axis::log("seconds of both motions");
    let times = |draw: Drawing| {
        draw.titled("Time of a query over the length of the motions")
            .axes(secs(), Axis::log("time, µs"))
            .lines(
                "seconds",
                &[
                    ours("1 level time (µs)", "1 level").fitted(),
                    ours("MOBB time (µs)", "MOBB").fitted(),
                    ours("flat circles time (µs)", "flat circles").fitted(),
                    ours("plain search time (µs)", "plain search").fitted(),
                ],
            )
    };
    let tests = |draw: Drawing| {
        draw.titled("Sample tests over the length of the motions")
            .axes(secs(), Axis::log("sample tests a query"))
            .lines(
                "seconds",
                &[
                    ours("sample tests, 1 level", "1 level").fitted(),
                    ours("sample tests, MOBB", "MOBB").fitted(),
                ],
            )
    };
    let by = "by the length of both motions";
    let mut charts = Vec::new();
    charts.extend(each(report, by, ["times", "times-cmu"], times));
    charts.extend(each(report, by, ["tests", "tests-cmu"], tests));
    charts
}

fn merge(report: &Report) -> Vec<Chart> {
    let times = |draw: Drawing| {
        draw.axes(Axis::linear(""), Axis::log("time, µs")).bars(
            &["motions"],
            &[
                ours("merge time (µs)", "merging"),
                ours("rebuild time (µs)", "rebuilding"),
                ours("merged time (µs)", "a query, merged"),
                ours("rebuilt time (µs)", "a query, rebuilt"),
                ours("clip by clip time (µs)", "a query, clip by clip"),
            ],
        )
    };
    each(report, "Twenty clips", ["times"], times).collect()
}
