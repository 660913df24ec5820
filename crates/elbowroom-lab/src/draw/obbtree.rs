//! Charts of the experiments of *OBBTree*.

use super::{Column, Drawing, Read, each, ours, paper};
use crate::{Axis, Chart, Report};

pub(super) fn of(report: &Report) -> Vec<Chart> {
    match report.id {
        "obbtree-fits" => fits(report),
        "obbtree-table1" => table1(report),
        "obbtree-table2" => table2(report),
        "obbtree-tightness" => tightness(report),
        "obbtree-fig5" => fig5(report),
        "obbtree-fig6" => fig6(report),
        "obbtree-fig9" => fig9(report),
        "obbtree-close" => close(report),
        "obbtree-memory" => memory(report),
        _ => Vec::new(),
    }
}

fn fits(report: &Report) -> Vec<Chart> {
    let turned = |draw: Drawing| {
        draw.title("How far a dense square inside an ellipsoid turns its box")
            .axes(Axis::log("triangles inside"), Axis::linear("turned by, °"))
            .lines(
                "triangles inside",
                &[
                    ours("vertices: turned, °", "fitted to vertices"),
                    ours("triangles' area: turned, °", "to the triangles' area"),
                    ours("hull's area: turned, °", "to the hull's area"),
                ],
            )
    };
    let arc = |draw: Drawing| {
        draw.title("How far a dense arc on the hull turns the box")
            .axes(Axis::log("vertices on the arc"), Axis::linear("turned by, °"))
            .lines(
                "vertices on the arc",
                &[
                    ours("hull vertices: turned, °", "fitted to the hull's vertices"),
                    ours("hull's area: turned, °", "to the hull's area"),
                ],
            )
    };
    let rank = |draw: Drawing| {
        draw.axes(Axis::linear(""), Axis::linear("area or length, with/without").against(1.0))
            .bars(&["group", "stands"], &[ours("area or length, mean with/without", "mean")])
    };
    let building = |draw: Drawing| {
        draw.axes(Axis::log("triangles"), Axis::log("time, ms")).lines(
            "triangles",
            &[
                ours("time without hulls, ms", "without hulls").fitted(),
                ours("time with hulls, ms", "with hulls").fitted(),
            ],
        )
    };
    let depth = |draw: Drawing| {
        let y = Axis::linear("depth/log₂ n").against(1.0);
        // Two columns of one name: without hulls, then with.
        draw.axes(Axis::linear(""), y)
            .bars(&["model"], &[ours(4, "without hulls"), ours(7, "with hulls")])
    };
    let duel = |draw: Drawing| {
        draw.title("Box tests of trees cut at the median, over those of trees cut at the mean")
            .axes(Axis::linear(""), Axis::linear("box tests, median/mean").against(1.0))
            .bars(&["scene"], &[ours("median/mean", "median/mean")])
    };
    let mut charts = Vec::new();
    charts.extend(each(report, "A dense square inside", ["dense-inside"], turned));
    charts.extend(each(report, "A dense arc", ["dense-arc"], arc));
    charts.extend(each(report, "Groups of lower dimension", ["flat-groups"], rank));
    charts.extend(each(report, "Building trees", ["building"], building));
    charts.extend(each(report, "cut at the mean", ["depth"], depth).take(1));
    charts.extend(each(report, "The same queries on trees", ["mean-median"], duel));
    charts
}

fn table1(report: &Report) -> Vec<Chart> {
    let operations = |draw: Drawing| {
        let pairs = ["box–box", "box–rectangle", "rectangle–rectangle"];
        let both = |(i, pair): (usize, _)| [paper(1 + 2 * i, pair), ours(2 + 2 * i, pair)];
        let columns: Vec<Column> = (0..).zip(pairs).flat_map(both).collect();
        draw.title("Operations of one box test")
            .axes(Axis::linear(""), Axis::linear("operations"))
            .bars(&["operation"], &columns)
    };
    let leaving = |draw: Drawing| {
        draw.title("At which axis random boxes that are apart are told apart")
            .axes(
                Axis::linear("axis, in the order of the tests"),
                Axis::linear("share of pairs, %"),
            )
            .bars(&["axis"], &[ours("share, %", "leave here")])
    };
    let frames = |draw: Drawing| {
        draw.axes(Axis::linear(""), Axis::linear("operations"))
            .bars(&["by"], &[ours("multiply", "multiply"), ours("add", "add")])
    };
    let mut charts = Vec::new();
    charts.extend(each(report, "Table 1", ["operations"], operations));
    charts.extend(each(report, "Where separated pairs leave", ["leaving"], leaving));
    charts.extend(each(report, "The second box's axes", ["frames"], frames));
    charts
}

fn table2(report: &Report) -> Vec<Chart> {
    let times = |draw: Drawing| {
        draw.title("Time of one test: an HP 735/125 in 1996, and here")
            .axes(Axis::linear(""), Axis::log("time, µs"))
            .bars(
                &["method"],
                &[
                    paper("paper's time, µs", "paper, least"),
                    paper("paper's time, µs", "paper, most").read(Read::AfterDash),
                    ours("time apart, ns", "here, apart").times(1e-3),
                    ours("time overlapping, ns", "here, overlapping").times(1e-3),
                ],
            )
    };
    let ratios = |draw: Drawing| {
        draw.title("Time of one test over that of the separating axes")
            .axes(Axis::linear(""), Axis::log("times the axes'").against(1.0))
            .bars(
                &["method"],
                &[
                    ours("times the axes', apart", "apart"),
                    ours("times the axes', overlapping", "overlapping"),
                ],
            )
    };
    let mut charts = Vec::new();
    charts.extend(each(report, "Table 2", ["times"], times));
    charts.extend(each(report, "Table 2", ["over-axes"], ratios));
    charts
}

fn tightness(report: &Report) -> Vec<Chart> {
    let pieces = |draw: Drawing| {
        draw.axes(Axis::log("diameter of the piece, d"), Axis::log("tightness, τ")).lines(
            "d",
            &[
                ours("τ obb", "obb").fitted(),
                ours("τ aabb", "aabb").fitted(),
                ours("τ sphere", "sphere").fitted(),
            ],
        )
    };
    let cover = |draw: Drawing| {
        draw.title("Nodes that cover a sphere to a tightness")
            .axes(Axis::log("tightness at most, τ"), Axis::log("nodes"))
            .lines(
                "τ at most",
                &[
                    ours("obb", "obb").fitted(),
                    ours("aabb", "aabb").fitted(),
                    ours("sphere", "sphere").fitted(),
                ],
            )
    };
    let names = ["arc", "patch-oblong", "patch-square"];
    let mut charts = Vec::new();
    charts.extend(each(report, "Tightness on ever smaller pieces", names, pieces));
    charts.extend(each(report, "Nodes that cover", ["cover"], cover));
    charts
}

/// The four kinds of trees.
fn kinds(volumes: [&'static str; 4]) -> [Column; 4] {
    let names = ["obb (hull)", "obb (surface)", "aabb", "sphere"];
    std::array::from_fn(|i| ours(volumes[i], names[i]))
}

const VOLUMES: [&str; 4] = ["N_v obb (hull)", "N_v obb (surface)", "N_v aabb", "N_v sphere"];
const TRIANGLES: [&str; 4] = ["N_p obb (hull)", "N_p obb (surface)", "N_p aabb", "N_p sphere"];
const GAP: &str = "gap, ε (radius of the inner sphere = 1)";

fn fig5(report: &Report) -> Vec<Chart> {
    let turned = |draw: Drawing| {
        draw.title("Box tests over the gap, one sphere turned at random")
            .axes(Axis::log(GAP), Axis::log("box tests"))
            .lines("ε", &kinds(VOLUMES))
    };
    let triangles = |draw: Drawing| {
        draw.title("Triangle tests over the gap between two spheres")
            .axes(Axis::log(GAP), Axis::log("triangle tests"))
            .lines("ε", &kinds(TRIANGLES))
    };
    let mut charts = Vec::new();
    charts.extend(each(report, "not turned", ["triangle-tests"], triangles));
    charts.extend(each(report, "turned at random", ["box-tests-turned"], turned));
    charts
}

fn fig6(report: &Report) -> Vec<Chart> {
    let axis = || Axis::log("gap, ε (radius = 1)");
    let tests = |draw: Drawing| {
        draw.title("Box tests over the gap between spheres side by side")
            .axes(axis(), Axis::log("box tests"))
            .lines("ε", &kinds(VOLUMES))
    };
    let ratio = |draw: Drawing| {
        draw.title("What oriented boxes gain, side by side")
            .axes(axis(), Axis::linear("box tests, aabb/obb").against(1.0))
            .lines("ε", &[ours("N_v aabb/obb", "aabb/obb (hull)")])
    };
    let mut charts = Vec::new();
    charts.extend(each(report, "Tests over the gap", ["box-tests"], tests));
    charts.extend(each(report, "Tests over the gap", ["gain"], ratio));
    charts
}

fn fig9(report: &Report) -> Vec<Chart> {
    let levels = |draw: Drawing| {
        draw.title("Tightness of boxes around a torus, level by level")
            .axes(Axis::linear("level"), Axis::log("tightness, τ"))
            .lines(
                "level",
                &[
                    ours("τ obb", "obb, mean"),
                    ours("τ aabb", "aabb, mean"),
                    ours("largest τ obb", "obb, largest"),
                    ours("largest τ aabb", "aabb, largest"),
                ],
            )
    };
    let diameters = |draw: Drawing| {
        draw.title("Tightness of boxes around a torus over the diameter of their pieces")
            .axes(Axis::log("mean diameter, d (torus 1, tube 0.4)"), Axis::log("mean tightness, τ"))
            .lines(
                "d obb",
                &[ours("τ obb", "obb").over("d obb"), ours("τ aabb", "aabb").over("d aabb")],
            )
    };
    let mut charts = Vec::new();
    charts.extend(each(report, "Tightness by level", ["levels"], levels));
    charts.extend(each(report, "Tightness by level", ["diameters"], diameters));
    charts
}

fn close(report: &Report) -> Vec<Chart> {
    let growth = |draw: Drawing| {
        draw.title("What oriented boxes gain as the gap shrinks")
            .only("over", "ε")
            .axes(Axis::log("gap, ε"), Axis::linear("box tests, aabb/obb").against(1.0))
            .lines_by("scene", "value", ours("aabb/obb", ""))
    };
    let finer = |draw: Drawing| {
        draw.title("The largest gain of a sweep over ε, as meshes become finer")
            .axes(Axis::log("triangles"), Axis::log("largest aabb/obb"))
            .lines_by("scene", "triangles", ours("largest aabb/obb", "").fitted())
    };
    let operations = |draw: Drawing| {
        draw.axes(Axis::linear(""), Axis::linear("operations a test")).bars(
            &["scene"],
            &[
                ours("operations a test", "all operations"),
                ours("multiplications a test", "multiplications"),
            ],
        )
    };
    let clock = |draw: Drawing| {
        draw.axes(Axis::linear(""), Axis::log("time of a query, µs")).bars_by(
            "scene",
            "family",
            ours("time of a query, µs", ""),
        )
    };
    let equation = |draw: Drawing| {
        draw.title("The cost equation over the measured time")
            .axes(Axis::linear(""), Axis::linear("equation/time").against(1.0))
            .bars_by("scene", "family", ours("equation/time", ""))
    };
    let one = |draw: Drawing| {
        draw.axes(Axis::linear(""), Axis::linear("time, ns"))
            .bars(&["test"], &[ours("time, ns", "one test")])
    };
    let mut charts = Vec::new();
    charts.extend(each(report, "Growth of N_v", ["gain"], growth));
    charts.extend(each(report, "The largest ratio", ["finer"], finer));
    charts.extend(each(report, "Operations of box tests", ["operations"], operations));
    charts.extend(each(report, "Queries by the clock", ["clock"], clock));
    charts.extend(each(report, "Queries by the clock", ["equation"], equation));
    charts.extend(each(report, "One test alone", ["one-test"], one));
    charts
}

fn memory(report: &Report) -> Vec<Chart> {
    let models = |draw: Drawing| {
        draw.title("Memory of a tree of oriented boxes with its triangles")
            .axes(Axis::linear(""), Axis::linear("bytes a triangle"))
            .bars(&["model"], &[ours("together", "here"), paper("paper", "paper")])
    };
    let parts = |draw: Drawing| {
        draw.axes(Axis::linear(""), Axis::linear("bytes"))
            .bars(&["part"], &[ours("here", "here"), paper("paper", "paper")])
    };
    let families = |draw: Drawing| {
        draw.axes(Axis::linear(""), Axis::linear("bytes")).bars(
            &["family"],
            &[ours("volume", "a volume"), ours("tree, bytes/triangle", "tree, for a triangle")],
        )
    };
    let mut charts = Vec::new();
    charts.extend(each(report, "Nodes and bytes", ["models"], models));
    charts.extend(each(report, "Bytes of the parts", ["parts"], parts));
    charts.extend(each(report, "Bytes of one volume", ["families"], families));
    charts
}
