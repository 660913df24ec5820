//! Charts of the experiments with bounding cylinders.

use super::{Drawing, each, ours, paper};
use crate::{Axis, Bar, Chart, Marks, Report};

/// The paper's query times over that of the BCH of the contour, where it prints them: 4.63 and
/// 20.66 over 2.66.
const PRINTED: [(&str, f64); 3] =
    [("BCH contour", 1.0), ("OBB contour", 4.63 / 2.66), ("OBB projected", 20.66 / 2.66)];

pub(super) fn of(report: &Report) -> Vec<Chart> {
    match report.id {
        "bch-fig3" => fig3(report),
        "bch-fig6a" => fig6a(report),
        "bch-fig6b" => fig6b(report),
        "bch-table1" => table1(report),
        "bch-beyond" => beyond(report),
        _ => Vec::new(),
    }
}

fn fig3(report: &Report) -> Vec<Chart> {
    let build = |draw: Drawing| {
        draw.titled("Making seven structures")
            .axes(Axis::linear(""), Axis::log("time, ms"))
            .bars(&["structure"], &[ours("build time, ms", "one body")])
    };
    let query = |draw: Drawing| {
        let mut chart = draw
            .titled("Asking seven structures")
            .axes(Axis::linear(""), Axis::log("time over that of BCH contour").against(1.0))
            .bars(&["structure"], &[ours("query time over BCH contour", "here")]);
        if let Marks::Bars { groups, bars } = &mut chart.marks {
            let printed = |group: &String| {
                PRINTED.iter().find(|(name, _)| name == group).map(|&(_, ratio)| ratio)
            };
            bars.push(Bar::paper("paper", groups.iter().map(printed).collect()));
        }
        chart
    };
    let tests = |draw: Drawing| {
        draw.titled("Tests of a query by structure")
            .axes(Axis::linear(""), Axis::log("tests a query"))
            .bars(
                &["structure"],
                &[
                    ours("volumes compared a query", "volumes, colliding"),
                    ours("volumes, clear cases", "volumes, clear"),
                    ours("triangles or segments", "triangles or segments"),
                ],
            )
    };
    let overlap = |draw: Drawing| {
        draw.title("How much what one level has overlaps, contours")
            .axes(Axis::linear("level"), Axis::linear("sum of areas/area of union").against(1.0))
            .lines("level", &[ours("discs", "discs"), ours("boxes", "boxes")])
    };
    let seven = "Seven structures";
    let mut charts = Vec::new();
    charts.extend(each(report, seven, ["build", "build-cmu", "build-cmu200"], build));
    charts.extend(each(report, seven, ["query", "query-cmu", "query-cmu200"], query));
    charts.extend(each(report, seven, ["tests", "tests-cmu", "tests-cmu200"], tests));
    charts.extend(each(report, "How much what one level has", ["overlap"], overlap));
    charts
}

fn fig6a(report: &Report) -> Vec<Chart> {
    let means = |draw: Drawing| {
        draw.titled("Mean distance of the meshes where they stop")
            .axes(Axis::linear(""), Axis::linear("cm"))
            .bars(&["structure"], &[ours("mean, cm", "here"), paper("paper's mean, cm", "paper")])
    };
    let thresholds = |draw: Drawing| {
        draw.titled("What the threshold radius costs")
            .axes(Axis::log("threshold radius, cm"), Axis::log("BCH − OBB contour, mean, cm"))
            .lines("threshold, cm", &[ours("BCH − OBB contour, cm, mean", "farther off").fitted()])
    };
    let missed = |draw: Drawing| {
        draw.titled("Contacts that a disc of one radius misses")
            .axes(Axis::linear("radius, m"), Axis::linear("contacts missed"))
            .lines("radius, m", &[ours("contacts missed", "missed")])
    };
    let far = |draw: Drawing| {
        draw.titled("Distance at which a disc of one radius stops in time")
            .axes(Axis::linear("radius, m"), Axis::linear("mean distance, cm"))
            .lines("radius, m", &[ours(2, "distance of the meshes")])
    };
    let costs = "What the threshold radius costs";
    let discs = "Discs of one radius";
    let mut charts = Vec::new();
    charts.extend(each(report, "Least distance", ["means", "means-cmu", "means-cmu200"], means));
    charts.extend(each(
        report,
        costs,
        ["thresholds", "thresholds-cmu", "thresholds-cmu200"],
        thresholds,
    ));
    charts.extend(each(report, discs, ["missed", "missed-cmu", "missed-cmu200"], missed));
    charts.extend(each(report, discs, ["discs", "discs-cmu", "discs-cmu200"], far));
    charts
}

fn fig6b(report: &Report) -> Vec<Chart> {
    let level = || Axis::linear("levels looked at (0: one cylinder)");
    let distances = |draw: Drawing| {
        draw.titled("Distance of the meshes where they stop, by level")
            .axes(level(), Axis::linear("cm"))
            .lines("level", &[ours("median, cm", "median"), ours("mean, cm", "mean")])
    };
    let work = |draw: Drawing| {
        draw.titled("Work by level").axes(level(), Axis::log("number")).lines(
            "level",
            &[
                ours("nodes to reach, mean", "nodes to reach"),
                ours("circles compared, colliding cases", "circles compared"),
            ],
        )
    };
    let times = |draw: Drawing| {
        draw.titled("Query time by level")
            .axes(level(), Axis::linear("time over unlimited").against(1.0))
            .lines("level", &[ours("query time over unlimited", "a query")])
    };
    let direction = |draw: Drawing| {
        draw.titled("How much the distance depends on the direction of approach")
            .axes(level(), Axis::linear("deviation, cm"))
            .lines(
                "level",
                &[
                    ours("BCH contour: deviation, cm", "BCH contour"),
                    ours("OBB contour: deviation, cm", "OBB contour"),
                ],
            )
    };
    let least = "Least distance";
    let mut charts = Vec::new();
    charts.extend(each(report, least, ["levels", "levels-cmu", "levels-cmu200"], distances));
    charts.extend(each(report, least, ["work", "work-cmu", "work-cmu200"], work));
    charts.extend(each(report, least, ["times", "times-cmu", "times-cmu200"], times));
    let names = ["direction", "direction-cmu", "direction-cmu200"];
    charts.extend(each(report, "direction of approach", names, direction));
    charts
}

fn table1(report: &Report) -> Vec<Chart> {
    let radii = |draw: Drawing| {
        draw.titled("Radii of the smallest cylinders")
            .axes(Axis::linear(""), Axis::linear("radius, m"))
            .bars(
                &["body"],
                &[
                    ours("average, m", "average"),
                    paper("paper's average", "average"),
                    ours("median, m", "median"),
                    paper("paper's median", "median"),
                ],
            )
    };
    let volumes = |draw: Drawing| {
        draw.titled("Volumes over that of the mesh")
            .axes(Axis::linear(""), Axis::linear("volume/mesh").against(1.0))
            .bars(
                &["body", "shape"],
                &[
                    ours("average", "average"),
                    paper("paper's average", "average"),
                    ours("median", "median"),
                    paper("paper's median", "median"),
                ],
            )
    };
    let shares = |draw: Drawing| {
        let columns = ["woman, cylinder", "woman, BCH", "man, cylinder", "man, BCH"];
        draw.titled("Figure 7: how the volumes are spread over the poses")
            .axes(Axis::linear("share of poses below, %"), Axis::linear("volume/mesh"))
            .lines("poses below, %", &columns.map(|name| ours(name, name)))
    };
    let volume = "Volumes over that of the mesh";
    let mut charts = Vec::new();
    charts.extend(each(
        report,
        "Radii of the smallest",
        ["radii", "radii-cmu", "radii-cmu200"],
        radii,
    ));
    let is_table = |chart: &Chart| !chart.title.starts_with("Figure 7");
    charts.extend(
        each(report, volume, ["volumes", "volumes-cmu", "volumes-cmu200"], volumes)
            .filter(is_table),
    );
    charts.extend(each(report, "Figure 7", ["shares", "shares-cmu", "shares-cmu200"], shares));
    charts
}

fn beyond(report: &Report) -> Vec<Chart> {
    let children = |draw: Drawing| {
        draw.axes(Axis::linear("children of a node"), Axis::linear("number")).bars(
            &["children"],
            &[
                ours("nodes, mean", "nodes"),
                ours("circles compared a query", "circles compared a query"),
            ],
        )
    };
    let slices = |draw: Drawing| {
        draw.axes(Axis::linear(""), Axis::linear("cm; volume over that of one BCH")).bars(
            &["structure"],
            &[
                ours("mesh distance where they stop, mean, cm", "distance where they stop, cm"),
                ours("volume over that of one BCH", "volume"),
            ],
        )
    };
    let clip = |draw: Drawing| {
        draw.title("Circles that move over whole clips")
            .axes(Axis::log("poses a key"), Axis::log("over a BCH for every pose").against(1.0))
            .lines(
                "poses a key",
                &[
                    ours("bytes over a BCH for every pose, 4 cm", "bytes, 4 cm"),
                    ours("bytes over a BCH for every pose, 1 cm", "bytes, 1 cm"),
                    ours("area over projected triangles of the pose", "area/projected triangles"),
                ],
            )
    };
    let detail = |draw: Drawing| {
        draw.axes(Axis::linear("triangles"), Axis::linear("compared a query")).bars(
            &["triangles"],
            &[
                ours("circles compared", "circles, BCH contour"),
                ours("boxes compared", "boxes, OBB full"),
            ],
        )
    };
    let threshold = |draw: Drawing| {
        draw.title("Threshold radii: size and work of the BCH of the contour")
            .axes(Axis::log("threshold radius, cm"), Axis::log("number"))
            .lines(
                "threshold, cm",
                &[
                    ours("nodes, mean", "nodes").fitted(),
                    ours("circles compared a query", "circles compared a query").fitted(),
                ],
            )
    };
    let mut charts = Vec::new();
    charts.extend(each(report, "Two children and four", ["children"], children));
    charts.extend(each(report, "One BCH over all heights", ["slices"], slices));
    charts.extend(each(report, "Circles that move", ["clips"], clip));
    charts.extend(each(report, "Finer meshes", ["detail"], detail));
    charts.extend(each(report, "Threshold radii", ["thresholds"], threshold));
    charts
}
