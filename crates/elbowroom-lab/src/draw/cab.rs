//! Charts of the experiments of *CAB*.

use super::{Drawing, Read, each, ours, paper};
use crate::{Axis, Chart, Report};

pub(super) fn of(report: &Report) -> Vec<Chart> {
    match report.id {
        "cab-rule" => rule(report),
        "cab-tables" => together(report),
        _ => table(report),
    }
}

fn rule(report: &Report) -> Vec<Chart> {
    let takeover = |draw: Drawing| {
        draw.axes(Axis::linear("forearm / upper arm"), Axis::linear("angle, °")).lines(
            "forearm / upper arm",
            &[
                ours("first θ, °", "first angle found"),
                ours("acos(shorter / 2 longer), °", "acos(shorter / 2 longer)"),
            ],
        )
    };
    let volume = || Axis::linear("volume, CAB/covariance").against(1.0);
    let angle = |draw: Drawing| {
        draw.axes(Axis::linear("angle between the links, °"), volume())
            .lines("θ, °", &[ours("volume CAB/covariance", "links of 6:1")])
    };
    let both = [ours("mean", "mean"), ours("largest", "largest")];
    let shape = |draw: Drawing| {
        draw.title("Volume of CAB boxes over the shape of the links, bends from 5° to 175°")
            .axes(Axis::linear("length / width"), volume())
            .lines("length / width", &both)
    };
    let twist = |draw: Drawing| {
        draw.title("Volume of CAB boxes over the twist of the forearm, links 6 : 2 : 1")
            .axes(Axis::linear("twist, °"), volume())
            .lines("twist, °", &both)
    };
    let lazy = |draw: Drawing| {
        draw.title("Inner boxes refitted on demand, of all")
            .axes(Axis::linear(""), Axis::linear("share of all inner boxes"))
            .bars(&["scene"], &[ours("AABB*", "AABB*"), ours("OBB", "OBB"), ours("CAB", "CAB")])
    };
    let mut charts = Vec::new();
    charts.extend(each(report, "Where the endpoint vector", ["takeover"], takeover));
    charts.extend(each(report, "Links of 6:1", ["angle"], angle));
    charts.extend(each(report, "Over the shape of the links", ["shape"], shape));
    charts.extend(each(report, "Over the twist", ["twist"], twist));
    charts.extend(each(report, "Inner boxes refitted", ["lazy"], lazy));
    charts
}

/// One of Tables 1 to 5.
fn table(report: &Report) -> Vec<Chart> {
    let candidates = |draw: Drawing| {
        let columns = [
            ours("#coll", "pairs that boxes leave"),
            paper("paper's #coll", "pairs that boxes leave"),
            ours("#false", "of them false"),
            paper("paper's #false", "of them false"),
        ];
        draw.titled("Pairs of links that the boxes leave to the exact test")
            .axes(Axis::linear(""), Axis::log("pairs a frame"))
            .bars(&[""], &columns)
    };
    let times = |draw: Drawing| {
        let columns = [
            ours("update time / CAB", "update"),
            paper("paper's update", "update"),
            ours("test time / CAB", "box tests"),
            paper("paper's test", "box tests"),
            ours("total time / CAB", "all"),
            paper("paper's total", "all"),
        ];
        draw.titled("Times over those of CAB")
            .axes(Axis::linear(""), Axis::log("time over that of CAB").against(1.0))
            .bars(&[""], &columns)
    };
    let parts = |draw: Drawing| {
        let columns = [
            ours("update time", "update"),
            ours("test time", "box tests"),
            ours("query time", "exact queries"),
        ];
        draw.titled("Where the time goes")
            .axes(Axis::linear(""), Axis::log("time, ms"))
            .bars(&[""], &columns)
    };
    let growth = |draw: Drawing| {
        draw.axes(Axis::linear(""), Axis::linear("growth").against(1.0))
            .bars(&[""], &[ours("growth", "here"), paper("paper's growth", "paper")])
    };
    let beside = "Beside the paper";
    let mut charts = Vec::new();
    charts.extend(each(report, beside, ["candidates", "candidates-hand"], candidates));
    charts.extend(each(report, beside, ["over-cab", "over-cab-hand"], times));
    charts.extend(each(report, ", ours:", ["parts", "parts-hand", "parts-hand-itself"], parts));
    charts.extend(each(report, "from 3:1 to 6:1", ["growth"], growth));
    charts
}

fn together(report: &Report) -> Vec<Chart> {
    let counts = |draw: Drawing| {
        let columns = [
            ours("AABB⁺ #coll", "AABB⁺"),
            ours("AABB* #coll", "AABB*"),
            ours("OBB #coll", "OBB"),
            ours("CAB #coll", "CAB"),
            ours("contacts", "contacts"),
        ];
        draw.title("Pairs of links left to the exact test, all frames")
            .axes(Axis::linear("table"), Axis::log("pairs"))
            .bars(&["table"], &columns)
    };
    let ratio = || Axis::linear("ratio of times").against(1.0);
    let both = |key: &'static str, name: &'static str| {
        [ours(key, name), paper(key, name).read(Read::InBrackets)]
    };
    let update = |draw: Drawing| {
        let columns =
            [both("update time OBB/CAB", "OBB/CAB"), both("update time AABB*/CAB", "AABB*/CAB")];
        draw.title("Update of the boxes: time over that of CAB")
            .axes(Axis::linear("table"), ratio())
            .bars(&["table"], &columns.concat())
    };
    let total = |draw: Drawing| {
        let columns = [
            both("total time OBB/CAB", "OBB/CAB"),
            both("total time AABB*/CAB", "AABB*/CAB"),
            both("total time brute/CAB", "brute/CAB"),
        ];
        draw.title("All together: time over that of CAB")
            .axes(Axis::linear("table"), ratio())
            .bars(&["table"], &columns.concat())
    };
    let mut charts = Vec::new();
    charts.extend(each(report, "Counts", ["counts"], counts));
    charts.extend(each(report, "Times as ratios", ["update"], update));
    charts.extend(each(report, "Times as ratios", ["total"], total));
    charts
}
