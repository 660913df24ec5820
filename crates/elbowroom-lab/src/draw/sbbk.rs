//! Charts of the experiments of *SBBK*.

use super::{Drawing, each, ours, paper};
use crate::{Axis, Chart, Line, Marks, Report};

/// What the paper prints for its 2000 heads: 71.8 and 34.5 ms.
const HEADS: f64 = 2000.0;
const AABB_MS: f64 = 71.8;
const SBBK_MS: f64 = 34.5;

pub(super) fn of(report: &Report) -> Vec<Chart> {
    match report.id {
        "sbbk-families" => families(report),
        "sbbk-descent" => descent(report),
        "sbbk-front" => front(report),
        "sbbk-helicopter" => helicopter(report),
        "sbbk-monkeys" => monkeys(report),
        _ => Vec::new(),
    }
}

fn families(report: &Report) -> Vec<Chart> {
    let columns = ["sphere", "AABB", "OBB", "14-DOP", "18-DOP", "24-DOP", "26-DOP"];
    let tight = |draw: Drawing, model: &str| {
        draw.only("model", model)
            .title(&format!("Volume over that of the hull, by level: {model}"))
            .axes(Axis::linear("level"), Axis::log("volume/hull, mean").against(1.0))
            .lines("level", &columns.map(|family| ours(family, family)))
    };
    let one = |draw: Drawing| {
        draw.axes(Axis::linear(""), Axis::linear("time, ns")).bars(
            &["family"],
            &[ours("time turned, ns", "turned"), ours("time in one frame, ns", "in one frame")],
        )
    };
    let root = |draw: Drawing| {
        draw.title("Heads in a sparse scene: time by the volume at the root")
            .axes(Axis::linear(""), Axis::linear("time over that with a sphere").against(1.0))
            .bars(&["root"], &[ours("time over that with a sphere", "a query")])
    };
    let visits = |draw: Drawing| {
        draw.axes(Axis::linear(""), Axis::log("tests")).bars(
            &["model", "turned"],
            &[
                ours("N_v AABB", "volumes, AABB"),
                ours("N_v SBBK", "volumes, SBBK"),
                ours("N_p AABB", "triangles, AABB"),
                ours("N_p SBBK", "triangles, SBBK"),
            ],
        )
    };
    let refit = |draw: Drawing| {
        draw.axes(Axis::linear(""), Axis::linear("time, ns a node"))
            .bars(&["tree"], &[ours("time, ns a node", "a refit")])
    };
    let layers = "A model against itself";
    let times = |draw: Drawing| {
        draw.title("A model against itself: time over that of the best single family")
            .axes(Axis::linear(""), Axis::linear("time over the best single family's").against(1.0))
            .bars_by("scene", "layers", ours("time over the best single family's", ""))
    };
    let winners = |draw: Drawing| {
        draw.title("A model against itself: which layers need the least").least(
            "scene",
            "layers",
            &[
                ours("N_v", "volume tests"),
                ours("N_p", "triangle tests"),
                ours("time, µs a query", "time"),
            ],
        )
    };
    let mut charts = Vec::new();
    for (name, model) in [("tight-head", "head"), ("tight-ring", "ring")] {
        charts.extend(each(report, "Volume over that of the hull", [name], |draw| {
            tight(draw, model)
        }));
    }
    charts.extend(each(report, "One test alone", ["one-test"], one));
    charts.extend(each(report, "Heads in a sparse scene", ["root"], root));
    charts.extend(each(report, "AABB and SBBK over one topology", ["visits"], visits));
    charts.extend(each(report, "Refit of a body", ["refit"], refit));
    charts.extend(each(report, layers, ["layers"], times));
    charts.extend(each(report, layers, ["winners"], winners));
    charts
}

fn descent(report: &Report) -> Vec<Chart> {
    let complete = |draw: Drawing| {
        draw.title("Complete trees of n levels, all overlapping: pairs visited")
            .axes(Axis::linear("levels, n"), Axis::log("pairs visited"))
            .lines(
                "n",
                &[
                    ours("first", "the first, then the other"),
                    ours("both", "both at once"),
                    paper("printed for both", "both at once"),
                ],
            )
    };
    let near = |draw: Drawing| {
        draw.title("Volume tests of both at once over those of the larger first")
            .axes(Axis::linear("between centres"), Axis::linear("both/larger").against(1.0))
            .lines_by("scene", "between centres", ours("both/larger", ""))
    };
    let mut charts = Vec::new();
    charts.extend(each(report, "Complete trees", ["complete"], complete));
    charts.extend(each(report, "Models that come near", ["near"], near));
    charts
}

fn front(report: &Report) -> Vec<Chart> {
    let step = || Axis::log("step of a frame (the models are 2 wide)");
    let visits = |draw: Drawing| {
        draw.title("Visits from the last front over visits from the root")
            .axes(step(), Axis::linear("visits, front/root").against(1.0))
            .lines_by("rule", "step", ours("front/root", ""))
    };
    let times = |draw: Drawing| {
        draw.title("Time from the last front over time from the root")
            .axes(step(), Axis::linear("time, front/root").against(1.0))
            .lines_by("rule", "step", ours("time front/root", ""))
    };
    let first = |draw: Drawing| {
        draw.title("Visits until the first contact")
            .axes(Axis::linear("who is descended"), Axis::linear("visits"))
            .bars(
                &["rule"],
                &[
                    ours("visits root", "a stack from the root"),
                    ours("visits front", "the front, deepest first"),
                ],
            )
    };
    let queue = "A front put into a queue";
    let steps = |draw: Drawing| {
        draw.title("A front put into a queue and taken out, deepest first: work")
            .axes(Axis::log("pairs in the front"), Axis::log("comparisons or steps"))
            .lines("pairs", &["heap", "list", "buckets"].map(|name| ours(name, name).fitted()))
    };
    let clock = |draw: Drawing| {
        draw.title("A front put into a queue and taken out, deepest first: time")
            .axes(Axis::log("pairs in the front"), Axis::log("time, ns for each pair"))
            .lines(
                "pairs",
                &[
                    ours("time heap", "heap").fitted(),
                    ours("time list", "list").fitted(),
                    ours("time buckets", "buckets").fitted(),
                ],
            )
    };
    let mut charts = Vec::new();
    charts.extend(each(report, "Visits over the size of a step", ["visits"], visits));
    charts.extend(each(report, "Visits over the size of a step", ["times"], times));
    charts.extend(each(report, "Visits until the first contact", ["first-contact"], first));
    charts.extend(each(report, queue, ["queue"], steps));
    charts.extend(each(report, queue, ["queue-time"], clock));
    charts
}

fn helicopter(report: &Report) -> Vec<Chart> {
    let litres = |draw: Drawing| {
        draw.titled("Overlap of leaf volumes when volumes first report, 30 falls")
            .axes(Axis::linear(""), Axis::log("litres"))
            .boxes(&[ours("litres AABB", "AABB"), ours("litres SBBK", "SBBK")])
    };
    let work = |draw: Drawing| {
        draw.titled("Tests in all falls")
            .axes(Axis::linear(""), Axis::log("tests"))
            .bars(&["tree"], &[ours("N_v", "volumes"), ours("N_p", "triangles")])
    };
    let times = |draw: Drawing| {
        draw.titled("Time of detection")
            .axes(Axis::linear(""), Axis::linear("time, µs a frame"))
            .bars(&["tree"], &[ours("time, µs a frame", "a frame")])
    };
    let falls = "Detection in all falls";
    let mut charts = Vec::new();
    charts.extend(each(report, "First reports", ["overlap", "overlap-real"], litres));
    charts.extend(each(report, falls, ["tests", "tests-real"], work));
    charts.extend(each(report, falls, ["times", "times-real"], times));
    charts
}

fn monkeys(report: &Report) -> Vec<Chart> {
    let heads = || Axis::log("heads");
    let trees = ["AABB", "S-AABB", "SBBK", "SBBK, fronts", "packed OBB"];
    let diagram = |draw: Drawing| {
        let columns = [
            ours("time, ms a frame, AABB", trees[0]),
            ours("time, ms a frame, S-AABB", trees[1]),
            ours("time, ms a frame, SBBK", trees[2]),
            ours("time, ms a frame, SBBK, fronts", trees[3]),
            ours("time, ms a frame, packed OBB", trees[4]),
        ];
        let title = draw.table.title.replace(": times of detection, broad phase included", "");
        let mut chart = draw
            .title(&format!("Diagram 1: time of detection. {title}"))
            .axes(heads(), Axis::log("time, ms a frame"))
            .lines("heads", &columns);
        printed(&mut chart, &[("AABB", AABB_MS), ("SBBK", SBBK_MS)]);
        chart
    };
    let gain = |draw: Drawing| {
        let title = draw.table.title.replace(": times of detection, broad phase included", "");
        let columns =
            [ours("time AABB/SBBK", "AABB/SBBK"), ours("time AABB/S-AABB", "AABB/S-AABB")];
        let mut chart = draw
            .title(&format!("What SBBK gains over boxes alone. {title}"))
            .axes(heads(), Axis::linear("time over time").against(1.0))
            .lines("heads", &columns);
        printed(&mut chart, &[("AABB/SBBK", AABB_MS / SBBK_MS)]);
        chart
    };
    let work = |draw: Drawing| {
        let columns = [
            ours("N_v AABB", trees[0]),
            ours("N_v S-AABB", trees[1]),
            ours("N_v SBBK", trees[2]),
            ours("N_v SBBK, fronts", trees[3]),
            ours("N_v packed OBB", trees[4]),
        ];
        draw.only("turned", "yes")
            .titled("Volume tests over all frames, heads that tumble")
            .axes(heads(), Axis::log("volume tests"))
            .lines("heads", &columns)
    };
    let mut charts = Vec::new();
    let names = ["one-way", "tumbling", "one-way-suzanne", "tumbling-suzanne"];
    charts.extend(each(report, "times of detection", names, diagram));
    let names = ["gain", "gain-tumbling", "gain-suzanne", "gain-tumbling-suzanne"];
    charts.extend(each(report, "times of detection", names, gain));
    charts.extend(each(report, "Work over all frames", ["tests", "tests-suzanne"], work));
    charts
}

/// Adds what the paper prints for its one number of heads.
fn printed(chart: &mut Chart, values: &[(&str, f64)]) {
    if let Marks::Lines(lines) = &mut chart.marks {
        lines.extend(values.iter().map(|&(name, value)| Line::paper(name, vec![[HEADS, value]])));
    }
}
