//! What is on a chart: curves, bars, boxes, a map.

use elbowroom_lab::{Bar, Chart, Line, Spread, Whose};

use super::ink::Ink;
use super::layout::{Layout, finish};
use crate::output::picture::{
    Anchor, Axis, Entry, Frame, LETTERS, Letters, Plane, Svg, Swatch, figure,
};

/// Numbers at bars and words in cells.
const VALUE: Letters = Letters(9.5);
/// In pixels: a lying bar, and what is between groups of them.
const THICK: f64 = 14.0;
const APART: f64 = 12.0;
/// A curve with more points has no markers, which would hide it.
const MOST_MARKERS: usize = 60;

/// Curves.
pub(super) fn lines(chart: &Chart, lines: &[Line]) -> String {
    let values = |i: usize, reference: Option<f64>| {
        lines.iter().flat_map(move |line| line.points.iter().map(move |p| p[i])).chain(reference)
    };
    let across = Axis::fit(chart.x.is_log, values(0, chart.x.reference), false);
    let up = Axis::fit(chart.y.is_log, values(1, chart.y.reference), false);
    let inks = Ink::of(lines.iter().map(|line| (line.name.as_str(), line.whose)));
    let legend = lines.iter().zip(&inks).map(|(line, ink)| {
        let slope = line.slope.filter(|slope| slope.is_finite());
        let slope = slope.map(|slope| format!(" (slope {slope:.2})").replace('-', "−"));
        let name = named(&line.name, line.whose) + &slope.unwrap_or_default();
        Entry { class: ink.class(), name, swatch: Swatch::Marked(ink.place) }
    });
    let labels = [chart.x.label.as_str(), &chart.y.label];
    let layout = Layout::new(&chart.title, legend.collect(), [across, up], labels);
    let (mut svg, plane, height) = layout.begin(&inks, None);
    let (Frame { x, y, width, .. }, bottom) = (plane.frame, plane.frame.y + plane.frame.height);
    if let Some(at) = chart.x.reference.and_then(|value| plane.across.find(value)) {
        svg.line("axis", (at, y), (at, bottom));
    }
    if let Some(at) = chart.y.reference.and_then(|value| plane.up.find(value)) {
        svg.line("axis", (x, at), (x + width, at));
    }
    for (line, ink) in lines.iter().zip(&inks) {
        let place = |p: &[f64; 2]| Some((plane.across.find(p[0])?, plane.up.find(p[1])?));
        let places: Vec<Option<(f64, f64)>> = line.points.iter().map(place).collect();
        // A curve is broken where it has no place.
        for run in places.split(Option::is_none).filter(|run| run.len() > 1) {
            svg.path(&format!("{}-line", ink.class()), run.iter().copied().flatten());
        }
        if places.len() <= MOST_MARKERS {
            for at in places.into_iter().flatten() {
                svg.marker(&format!("{}-mark", ink.class()), ink.place, at);
            }
        }
    }
    finish(svg, height, &chart.title)
}

/// Bars.
pub(super) fn bars(chart: &Chart, groups: &[String], bars: &[Bar]) -> String {
    let heights = || bars.iter().flat_map(|bar| bar.heights.iter().take(groups.len()).flatten());
    let values = heights().copied().chain(chart.y.reference);
    let scale = Axis::fit(chart.y.is_log, values, true);
    let inks = Ink::of(bars.iter().map(|bar| (bar.name.as_str(), bar.whose)));
    let legend = bars.iter().zip(&inks).map(|(bar, ink)| Entry {
        class: ink.class(),
        name: named(&bar.name, bar.whose),
        swatch: Swatch::Area,
    });
    let widest = heights().map(|&h| VALUE.width(&figure(h))).fold(0.0, f64::max);
    let mut beds = Beds::new(chart, legend.collect(), groups, scale, (bars.len(), widest), &inks);
    let share = 0.8 / bars.len().max(1) as f64;
    for (j, (bar, ink)) in bars.iter().zip(&inks).enumerate() {
        for (i, &height) in bar.heights.iter().take(groups.len()).enumerate() {
            let Some((height, end)) = height.and_then(|h| Some((h, beds.values().find(h)?))) else {
                continue;
            };
            let from = i as f64 + 0.1 + share * (j as f64 + 0.04);
            let to = from + 0.92 * share;
            let base = beds.values().base();
            beds.rect(&ink.class(), (from, to), (base, end));
            let is_below = if beds.is_lying { end < base } else { end > base };
            beds.number(0.5 * (from + to), end, &figure(height), is_below);
        }
    }
    finish(beds.svg, beds.height, &chart.title)
}

/// Where the quarters of many values end.
pub(super) fn boxes(chart: &Chart, spreads: &[Spread]) -> String {
    let values = spreads.iter().flat_map(|spread| spread.quartiles).chain(chart.y.reference);
    let scale = Axis::fit(chart.y.is_log, values, false);
    let names: Vec<String> = spreads.iter().map(|s| named(&s.name, s.whose)).collect();
    let inks: Vec<Ink> =
        spreads.iter().map(|spread| Ink { place: 0, whose: spread.whose }).collect();
    let mut beds = Beds::new(chart, Vec::new(), &names, scale, (1, 0.0), &inks);
    for (i, (spread, ink)) in spreads.iter().zip(&inks).enumerate() {
        let (middle, class) = (i as f64 + 0.5, ink.class());
        // What has no place on a logarithmic axis lies at its end.
        let values = beds.values();
        let low_end = values.place(values.from);
        let [least, low, median, high, most] =
            spread.quartiles.map(|value| values.find(value).unwrap_or(low_end));
        let whisker = format!("{class}-mark");
        for (from, to) in [(least, low), (high, most)] {
            beds.path(&whisker, [(middle, from), (middle, to)]);
        }
        for end in [least, most] {
            beds.path(&whisker, [(middle - 0.1, end), (middle + 0.1, end)]);
        }
        let (left, right) = (middle - 0.22, middle + 0.22);
        let pale = if spread.whose == Whose::Ours { " pale" } else { "" };
        beds.rect(&format!("{class}{pale}"), (left, right), (low, high));
        beds.path("median", [(left, median), (right, median)]);
        let text = figure(spread.quartiles[2]);
        let (end, y) = beds.at(right, median);
        let Frame { x, y: top, width, height } = beds.plane.frame;
        let above = (y + 3.5).min(top + height - 3.0);
        let (x, y, anchor) = if beds.is_lying {
            (end, y + 9.0, Anchor::Middle)
        } else if end + VALUE.width(&text) < x + width {
            (end + 4.0, above, Anchor::Start)
        } else {
            (beds.at(left, median).0 - 4.0, above, Anchor::End)
        };
        beds.svg.text("value", x, y, anchor, &text);
    }
    finish(beds.svg, beds.height, &chart.title)
}

/// Who wins where.
pub(super) fn map(
    chart: &Chart,
    columns: &[String],
    rows: &[String],
    cells: &[Vec<(String, String)>],
) -> String {
    let mut winners: Vec<&str> = Vec::new();
    for (winner, _) in cells.iter().flatten() {
        if is_winner(winner) && !winners.contains(&winner.as_str()) {
            winners.push(winner);
        }
    }
    let inks = Ink::of(winners.iter().map(|winner| (*winner, Whose::Ours)));
    let cell = |ink: &Ink| format!("{} cell", ink.class());
    let legend = winners.iter().zip(&inks).map(|(winner, ink)| Entry {
        class: cell(ink),
        name: (*winner).to_owned(),
        swatch: Swatch::Area,
    });
    let axes = [Axis::names(columns), Axis::names(rows)];
    let labels = [chart.x.label.as_str(), &chart.y.label];
    let layout = Layout::new(&chart.title, legend.collect(), axes, labels);
    let high = (44.0 * rows.len() as f64).max(60.0);
    let (mut svg, plane, height) = layout.begin(&inks, Some(high));
    let [width, tall] = [plane.across.scale(), plane.up.scale()];
    for (i, row) in cells.iter().take(rows.len()).enumerate() {
        for (j, (winner, word)) in row.iter().take(columns.len()).enumerate() {
            let (x, y) = plane.at(j as f64, i as f64);
            if let Some(place) = winners.iter().position(|known| known == winner) {
                let frame =
                    Frame { x: x + 1.0, y: y + 1.0, width: width - 2.0, height: tall - 2.0 };
                svg.rect(&cell(&inks[place]), frame);
            }
            let mut lines = VALUE.lines(winner, width - 4.0);
            lines.extend(VALUE.lines(word, width - 4.0));
            lines.truncate(3);
            let middle = (x + 0.5 * width, y + 0.5 * tall);
            svg.lines("value", middle, Anchor::Middle, VALUE, &lines);
        }
    }
    finish(svg, height, &chart.title)
}

/// A dash stands where a contestant took no part.
fn is_winner(name: &str) -> bool {
    !name.is_empty() && name != "–"
}

/// Names with values: upright over the names, or lying beside them where the names or the numbers
/// are too long for that.
struct Beds {
    svg: Svg,
    plane: Plane,
    height: f64,
    is_lying: bool,
}

impl Beds {
    /// The layout for `bars` bars a name, where `widest` is the width of the widest number at the
    /// ends of bars, 0 if there are no numbers.
    fn new(
        chart: &Chart,
        legend: Vec<Entry>,
        names: &[String],
        scale: Axis,
        (bars, widest): (usize, f64),
        inks: &[Ink],
    ) -> Self {
        let [above, beside] = if widest > 0.0 { [0.05, widest / 450.0] } else { [0.0, 0.0] };
        let axes = [Axis::names(names), scale.clone().with_room(above)];
        let [x, y] = [chart.x.label.as_str(), chart.y.label.as_str()];
        let standing = Layout::new(&chart.title, legend.clone(), axes, [x, y]);
        let (count, bars) = (names.len().max(1) as f64, bars.max(1) as f64);
        let slot = standing.room() / count;
        let is_short = |name: &String| {
            let lines = LETTERS.lines(name, slot - 4.0);
            lines.len() <= 3 && lines.iter().all(|line| LETTERS.width(line) <= slot - 4.0)
        };
        let is_lying = !names.iter().all(is_short) || 0.8 * slot / bars < widest;
        let (svg, plane, height) = if is_lying {
            let axes = [scale.with_room(beside), Axis::names(names)];
            let high = (count * (bars * THICK + APART)).max(60.0);
            Layout::new(&chart.title, legend, axes, [y, x]).begin(inks, Some(high))
        } else {
            standing.begin(inks, None)
        };
        let mut beds = Self { svg, plane, height, is_lying };
        if let Some(at) = chart.y.reference.and_then(|value| beds.values().find(value)) {
            beds.path("axis", [(0.0, at), (count, at)]);
        }
        beds
    }

    /// The axis of the values.
    fn values(&self) -> &Axis {
        if self.is_lying { &self.plane.across } else { &self.plane.up }
    }

    /// The point of a place among the names and of a place along the values.
    fn at(&self, name: f64, value: f64) -> (f64, f64) {
        if self.is_lying {
            (value, self.plane.up.place(name))
        } else {
            (self.plane.across.place(name), value)
        }
    }

    fn path(&mut self, class: &str, ends: [(f64, f64); 2]) {
        let points = ends.map(|(name, value)| self.at(name, value));
        self.svg.path(class, points);
    }

    fn rect(&mut self, class: &str, names: (f64, f64), values: (f64, f64)) {
        let ((x0, y0), (x1, y1)) = (self.at(names.0, values.0), self.at(names.1, values.1));
        let (width, height) = ((x1 - x0).abs(), (y1 - y0).abs());
        self.svg.rect(class, Frame { x: x0.min(x1), y: y0.min(y1), width, height });
    }

    /// A number at the end of a bar, which may point to the left or downward.
    fn number(&mut self, name: f64, end: f64, text: &str, is_below: bool) {
        let (x, y) = self.at(name, end);
        match (self.is_lying, is_below) {
            (true, false) => self.svg.text("value", x + 4.0, y + 3.5, Anchor::Start, text),
            (true, true) => self.svg.text("value", x - 4.0, y + 3.5, Anchor::End, text),
            (false, false) => self.svg.text("value", x, y - 4.0, Anchor::Middle, text),
            (false, true) => self.svg.text("value", x, y + 11.0, Anchor::Middle, text),
        }
    }
}

/// The paper's are called so.
fn named(name: &str, whose: Whose) -> String {
    match whose {
        Whose::Paper if !name.contains("paper") => format!("{name} (paper)"),
        _ => name.to_owned(),
    }
}
