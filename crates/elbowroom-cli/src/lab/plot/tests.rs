//! Charts of every kind, odd ones among them, become pictures that can be read.

use elbowroom_lab::{Axis, Bar, Chart, Context, Line, Marks, NoData, Silent, Spread, Whose, find};

use super::svg;

fn axis(label: &str, is_log: bool) -> Axis {
    Axis { label: label.to_owned(), is_log, reference: None }
}

fn chart(is_log: bool, marks: Marks) -> Chart {
    let y = Axis { reference: Some(1.0), ..axis("tests & \"more\"", is_log) };
    let x = axis("gap < 1", is_log);
    Chart { name: "odd", title: "A < B & C".to_owned(), x, y, marks, timed: false }
}

fn line(name: &str, whose: Whose, points: &[[f64; 2]]) -> Line {
    Line { name: name.to_owned(), points: points.to_vec(), whose, slope: Some(-1.14) }
}

/// The text of a picture, without its tags. A small reader: tags match, attributes are quoted once
/// each, and `&` begins one of the five known names.
///
/// # Panics
/// If it is not well-formed.
fn text_of(xml: &str) -> String {
    let mut open: Vec<&str> = Vec::new();
    let mut text = String::new();
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        text.push_str(&rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "tags match");
            continue;
        }
        let is_closed = tag.ends_with('/');
        let (name, attributes) = tag.trim_end_matches('/').split_once(' ').unwrap_or((tag, ""));
        let parts: Vec<&str> = attributes.split('"').collect();
        assert_eq!(parts.len() % 2, 1, "quotation marks come in pairs: {tag}");
        let names: Vec<&str> = parts.iter().step_by(2).map(|name| name.trim()).collect();
        for (i, name) in names.iter().enumerate().take(names.len() - 1) {
            assert!(name.ends_with('=') && !names[..i].contains(name), "{tag}");
        }
        assert_eq!(names.last(), Some(&""), "{tag}");
        if !is_closed {
            open.push(name);
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "all is closed: {open:?}");
    for (at, _) in xml.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"];
        assert!(known.iter().any(|name| xml[at..].starts_with(name)), "{}", &xml[at..]);
    }
    assert!(!xml.contains("NaN") && !xml.contains("inf"), "{xml}");
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").replace("&quot;", "\"")
}

/// Whether all these words are in the picture's text, lines being broken anywhere between words.
fn assert_has(xml: &str, names: &[&str]) {
    let text = text_of(xml).split_whitespace().collect::<Vec<_>>().join(" ");
    for name in names {
        for word in name.split_whitespace() {
            assert!(text.contains(word), "{name} is not in {text}");
        }
    }
}

#[test]
fn every_series_is_named_and_the_papers_are_marked() {
    let points = [[1e-8, 1e6], [1e-3, 100.0], [0.1, 7.0]];
    let lines = vec![
        line("OBB & friends", Whose::Ours, &points),
        line("OBB & friends", Whose::Paper, &points),
        line("AABB", Whose::Ours, &points[1..]),
    ];
    let xml = svg(&chart(true, Marks::Lines(lines)));
    assert_has(
        &xml,
        &["OBB & friends", "AABB", "(paper)", "slope −1.14", "10⁻⁸", "gap < 1", "A < B & C"],
    );
    let dashed =
        ".p0-line{fill:none;stroke:#1F7FC4;stroke-width:2;stroke-linejoin:round;stroke-dasharray";
    assert!(xml.contains(dashed), "the paper's curve is dashed");
    assert_eq!(xml.matches("class=\"p0-line\"").count(), 2, "a curve and its place in the legend");
    assert!(xml.contains("prefers-color-scheme:dark") && xml.contains("viewBox=\"0 0 720 420\""));

    let groups = vec!["boxes".to_owned(), "balls".to_owned()];
    let bar = |name: &str, whose, heights: &[Option<f64>]| Bar {
        name: name.to_owned(),
        heights: heights.to_vec(),
        whose,
    };
    let bars = vec![
        bar("ours", Whose::Ours, &[Some(1.25), None]),
        bar("theirs", Whose::Paper, &[Some(2.5), Some(-1.0)]),
    ];
    let xml = svg(&chart(false, Marks::Bars { groups, bars }));
    assert_has(&xml, &["boxes", "balls", "ours", "theirs (paper)", "1.25", "2.5", "−1"]);
    assert!(xml.contains(".p1{fill:url(#hatch-1)"), "the paper's bars are hatched");
    assert_eq!(xml.matches("class=\"p1\"").count(), 3, "two bars and the legend");
    assert_eq!(xml.matches("<pattern id=\"hatch-1\"").count(), 1);

    let spread = |name: &str, whose| Spread {
        name: name.to_owned(),
        quartiles: [0.0, 1.0, 2.0, 3.0, 9.0],
        whose,
    };
    let spreads = vec![spread("cylinder", Whose::Ours), spread("cylinder", Whose::Paper)];
    for is_log in [false, true] {
        let xml = svg(&chart(is_log, Marks::Boxes(spreads.clone())));
        assert_has(&xml, &["cylinder", "cylinder (paper)"]);
    }

    let names = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    let cell = |who: &str, how: &str| (who.to_owned(), how.to_owned());
    let cells = vec![
        vec![cell("OBB", "3.1 times"), cell("k-DOP", "barely")],
        vec![cell("", ""), cell("OBB", "sure")],
    ];
    let (columns, rows) = (names(["near", "far"]), names(["small", "large"]));
    let xml = svg(&chart(false, Marks::Map { columns, rows, cells }));
    assert_has(
        &xml,
        &["near", "far", "small", "large", "OBB", "k-DOP", "3.1 times", "barely", "sure"],
    );
}

/// Long names beside lying bars.
#[test]
fn names_that_do_not_fit_stand_beside_their_bars() {
    let groups: Vec<String> =
        (0..30).map(|i| format!("a structure with a name that is long, number {i}")).collect();
    let heights = (0..30).map(|i| Some(f64::from(i) * 1e5)).collect();
    let bars = vec![Bar { name: "tests".to_owned(), heights, whose: Whose::Ours }];
    let chart = chart(false, Marks::Bars { groups, bars });
    let xml = svg(&chart);
    assert_has(&xml, &["structure", "number 29", "2,900,000"]);
    assert!(!xml.contains("viewBox=\"0 0 720 420\""), "it is higher");
    assert_eq!(xml, svg(&chart), "the same bytes");
}

#[test]
fn odd_charts_are_drawn() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1e308, -1e308, 1e-320, 3.0];
    let mut count = 0;
    for is_log in [false, true] {
        let mut marks = vec![
            Marks::Lines(Vec::new()),
            Marks::Lines(vec![line("", Whose::Ours, &[])]),
            Marks::Bars { groups: Vec::new(), bars: Vec::new() },
            Marks::Boxes(Vec::new()),
            Marks::Map { columns: Vec::new(), rows: Vec::new(), cells: Vec::new() },
        ];
        for a in odd {
            marks.push(Marks::Lines(vec![line("one", Whose::Paper, &[[a, a]])]));
            for b in odd {
                marks.push(Marks::Lines(vec![line("two", Whose::Ours, &[[a, b], [b, a]])]));
                let bars = vec![Bar {
                    name: "b".to_owned(),
                    heights: vec![Some(a), Some(b), None, Some(1.0)],
                    whose: Whose::Paper,
                }];
                let groups = vec!["g".to_owned(), "h".to_owned()];
                marks.push(Marks::Bars { groups, bars });
                let spread =
                    Spread { name: "s".to_owned(), quartiles: [a, a, b, b, a], whose: Whose::Ours };
                marks.push(Marks::Boxes(vec![spread]));
            }
        }
        for marks in marks {
            text_of(&svg(&chart(is_log, marks)));
            count += 1;
        }
    }
    assert_eq!(count, 2 * (5 + 9 + 3 * 81));
}

#[test]
fn a_real_chart_has_all_its_curves() {
    let figure = find("obbtree-fig6").expect("it is in the list");
    let report = figure.run(&Context { quick: true, progress: &Silent, data: &NoData });
    assert!(!report.charts.is_empty());
    for chart in &report.charts {
        let Marks::Lines(lines) = &chart.marks else { continue };
        let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
        assert_has(&svg(chart), &names);
    }
}
