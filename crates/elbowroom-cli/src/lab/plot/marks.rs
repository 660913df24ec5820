//! What is on a chart: curves, bars, boxes, a map.

use elbowroom_lab::{Bar, Chart, Line, Spread, Whose};
use plotters::style::Color;

use super::frame::{Along, Entry, Frame, Plane, SMALL, Swatch};
use super::ink::{Ink, TEXT};
use super::scale::{Scale, short};
use super::sheet::{At, Drawn, Letters, Side};

/// How much of a winner's colour a cell of the map has: letters have to be read on it.
pub(super) const CELL: f64 = 0.35;
const VALUE: Letters = Letters { opacity: 0.85, ..Letters::of(9.5) };
/// In pixels: a bar that lies, and what is between groups.
const THICK: f64 = 14.0;
const APART: f64 = 12.0;

/// How values stand: upward over names, or rightward beside them where the names or numbers are too long for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    Standing,
    Lying,
}

/// Curves.
pub(super) fn lines<'c>(
    chart: &'c Chart,
    lines: &'c [Line],
) -> (Frame<'c>, impl Fn(&Plane) -> Drawn) {
    let values =
        |i: usize| lines.iter().flat_map(move |line| line.points.iter().map(move |p| p[i]));
    let across = Scale::of(&chart.x, values(0), false);
    let upward = Scale::of(&chart.y, values(1), false);
    let inks = Ink::of(lines.iter().map(|line| (line.name.as_str(), line.whose)));
    let legend = lines.iter().zip(&inks).map(|(line, &ink)| {
        let slope = line.slope.filter(|slope| slope.is_finite());
        let slope = slope.map_or(String::new(), |s| format!(" (slope {})", signed(s)));
        Entry {
            name: format!("{}{slope}", named(&line.name, line.whose)),
            ink,
            swatch: Swatch::Line,
        }
    });
    let frame = Frame {
        title: &chart.title,
        legend: legend.collect(),
        across: Along::Numbers(across.clone()),
        upward: Along::Numbers(upward.clone()),
        labels: [&chart.x.label, &chart.y.label],
        height: None,
    };
    let draw = move |plane: &Plane| {
        references(chart, [Some(&across), Some(&upward)], plane)?;
        for (line, ink) in lines.iter().zip(&inks) {
            let place = |p: &[f64; 2]| Some(plane.at(across.at(p[0])?, upward.at(p[1])?));
            let places: Vec<Option<At>> = line.points.iter().map(place).collect();
            // A curve is broken where it has no place.
            for run in places.split(Option::is_none) {
                let run: Vec<At> = run.iter().copied().flatten().collect();
                if run.len() > 1 {
                    plane.sheet.path(&run, &ink.line(), 2.0)?;
                }
            }
            // So many markers would hide the curve.
            if places.len() <= 60 {
                for at in places.into_iter().flatten() {
                    plane.sheet.marker(at, ink.place, ink.colour(), ink.whose == Whose::Ours)?;
                }
            }
        }
        Ok(())
    };
    (frame, draw)
}

/// Bars.
pub(super) fn bars<'c>(
    chart: &'c Chart,
    groups: &'c [String],
    bars: &'c [Bar],
) -> (Frame<'c>, impl Fn(&Plane) -> Drawn) {
    let heights = || bars.iter().flat_map(|bar| bar.heights.iter().take(groups.len()).flatten());
    let scale = Scale::of(&chart.y, heights().copied(), true);
    let inks = Ink::of(bars.iter().map(|bar| (bar.name.as_str(), bar.whose)));
    let legend = bars.iter().zip(&inks).map(|(bar, &ink)| Entry {
        name: named(&bar.name, bar.whose),
        ink,
        swatch: Swatch::Bar,
    });
    let widest = heights().map(|&h| VALUE.width(&short(h))).fold(0.0, f64::max);
    let (frame, lie, scale) =
        frame(chart, legend.collect(), groups.to_vec(), scale, bars.len(), widest);
    let draw = move |plane: &Plane| {
        value_reference(chart, lie, &scale, groups.len(), plane)?;
        let share = 0.8 / bars.len().max(1) as f64;
        for (i, group) in (0..groups.len()).enumerate() {
            for (j, (bar, ink)) in bars.iter().zip(&inks).enumerate() {
                let Some(height) = bar.heights.get(group).copied().flatten() else { continue };
                let Some(end) = scale.at(height) else { continue };
                let from = 0.1 + share * j as f64 + 0.04 * share;
                let across = [from, from + 0.92 * share].map(|a| i as f64 + a);
                let at = |a: f64, value: f64| lie.at(plane, groups.len(), a, value);
                let corners = [at(across[0], scale.base()), at(across[1], end)];
                plane.sheet.rect(corners, &ink.area(), Some(ink.colour()))?;
                let middle = at(0.5 * (across[0] + across[1]), end);
                lie.value(plane, middle, &short(height), end < scale.base())?;
            }
        }
        Ok(())
    };
    (frame, draw)
}

/// Where the quarters of many values end.
pub(super) fn boxes<'c>(
    chart: &'c Chart,
    spreads: &'c [Spread],
) -> (Frame<'c>, impl Fn(&Plane) -> Drawn) {
    let values = spreads.iter().flat_map(|spread| spread.quartiles);
    let scale = Scale::of(&chart.y, values, false);
    let names: Vec<String> = spreads.iter().map(|s| named(&s.name, s.whose)).collect();
    let (frame, lie, scale) = frame(chart, Vec::new(), names, scale, 1, 0.0);
    let draw = move |plane: &Plane| {
        value_reference(chart, lie, &scale, spreads.len(), plane)?;
        for (i, spread) in spreads.iter().enumerate() {
            let ink = Ink { place: 0, whose: spread.whose };
            let at = |a: f64, value: f64| lie.at(plane, spreads.len(), i as f64 + a, value);
            // What has no place on a logarithmic axis lies at its end.
            let ends = spread.quartiles.map(|value| scale.at(value).unwrap_or(scale.low));
            let [least, low, median, high, most] = ends;
            for [from, to] in [[least, low], [high, most]] {
                plane.sheet.path(&[at(0.5, from), at(0.5, to)], &ink.colour(), 1.3)?;
            }
            for end in [least, most] {
                plane.sheet.path(&[at(0.4, end), at(0.6, end)], &ink.colour(), 1.3)?;
            }
            let fill =
                if ink.whose == Whose::Ours { ink.colour().mix(0.35) } else { ink.area().mix(1.0) };
            plane.sheet.rect([at(0.28, low), at(0.72, high)], &fill, Some(ink.colour()))?;
            plane.sheet.path(&[at(0.28, median), at(0.72, median)], &TEXT, 2.0)?;
            let value = spread.quartiles[2];
            let [x, y] = at(0.72, median);
            match lie {
                Lie::Standing => {
                    plane.sheet.text(&short(value), [x + 4.0, y], Side::Right, VALUE)?;
                }
                Lie::Lying => plane.sheet.text(&short(value), [x, y + 6.0], Side::Middle, VALUE)?,
            }
        }
        Ok(())
    };
    (frame, draw)
}

/// Who wins where.
pub(super) fn map<'c>(
    chart: &'c Chart,
    columns: &'c [String],
    rows: &'c [String],
    cells: &'c [Vec<(String, String)>],
) -> (Frame<'c>, impl Fn(&Plane) -> Drawn) {
    let mut winners: Vec<&str> = Vec::new();
    for (winner, _) in cells.iter().flatten() {
        if !winner.is_empty() && !winners.contains(&winner.as_str()) {
            winners.push(winner);
        }
    }
    let inks = Ink::of(winners.iter().map(|winner| (*winner, Whose::Ours)));
    let legend = winners.iter().zip(&inks).map(|(winner, &ink)| Entry {
        name: (*winner).to_owned(),
        ink,
        swatch: Swatch::Cell,
    });
    let frame = Frame {
        title: &chart.title,
        legend: legend.collect(),
        across: Along::Names(columns.to_vec()),
        upward: Along::Names(rows.to_vec()),
        labels: [&chart.x.label, &chart.y.label],
        height: Some((44.0 * rows.len() as f64).max(60.0)),
    };
    let width = frame.room() / columns.len().max(1) as f64 - 6.0;
    let draw = move |plane: &Plane| {
        for (i, row) in cells.iter().take(rows.len()).enumerate() {
            for (j, (winner, word)) in row.iter().take(columns.len()).enumerate() {
                let (x, y) = (j as f64, (rows.len() - i) as f64);
                let Some(place) = winners.iter().position(|known| known == winner) else {
                    continue;
                };
                let [[left, top], [right, bottom]] = [plane.at(x, y), plane.at(x + 1.0, y - 1.0)];
                let corners = [[left + 1.0, top + 1.0], [right - 1.0, bottom - 1.0]];
                plane.sheet.rect(corners, &inks[place].colour().mix(CELL), None)?;
                let mut lines = VALUE.lines(winner, width);
                lines.extend(VALUE.lines(word, width));
                lines.truncate(3);
                let middle = [0.5 * (left + right), 0.5 * (top + bottom)];
                plane.sheet.lines(&lines, middle, Side::Middle, VALUE)?;
            }
        }
        Ok(())
    };
    (frame, draw)
}

/// The frame of values over names, or beside them.
fn frame(
    chart: &Chart,
    legend: Vec<Entry>,
    names: Vec<String>,
    scale: Scale,
    bars: usize,
    widest: f64,
) -> (Frame<'_>, Lie, Scale) {
    // For the numbers at the ends of bars, which boxes do not have.
    let [above, beside] = if widest > 0.0 { [0.05, widest / 450.0] } else { [0.0, 0.0] };
    let raised = scale.clone().with_room(above);
    let (count, bars) = (names.len().max(1) as f64, bars.max(1) as f64);
    let standing = Frame {
        title: &chart.title,
        legend,
        across: Along::Names(names),
        upward: Along::Numbers(raised.clone()),
        labels: [&chart.x.label, &chart.y.label],
        height: None,
    };
    let slot = standing.room() / count;
    let Along::Names(names) = &standing.across else { unreachable!("names, as made above") };
    let is_short = |name: &String| {
        let lines = SMALL.lines(name, slot - 4.0);
        lines.len() <= 3 && lines.iter().all(|line| SMALL.width(line) <= slot - 4.0)
    };
    if names.iter().all(is_short) && 0.8 * slot / bars >= widest {
        return (standing, Lie::Standing, raised);
    }
    let room = scale.with_room(beside);
    let lying = Frame {
        upward: standing.across.clone(),
        across: Along::Numbers(room.clone()),
        labels: [&chart.y.label, &chart.x.label],
        height: Some((count * (bars * THICK + APART)).max(60.0)),
        ..standing
    };
    (lying, Lie::Lying, room)
}

impl Lie {
    /// The place of a value of one of so many names; the name's place counts from the first.
    fn at(self, plane: &Plane, count: usize, name: f64, value: f64) -> At {
        match self {
            Self::Standing => plane.at(name, value),
            Self::Lying => plane.at(value, count as f64 - name),
        }
    }

    /// A number at the end of a bar.
    fn value(self, plane: &Plane, [x, y]: At, text: &str, is_below: bool) -> Drawn {
        let away = if is_below { -1.0 } else { 1.0 };
        match self {
            Self::Standing => plane.sheet.text(text, [x, y - 7.0 * away], Side::Middle, VALUE),
            Self::Lying => {
                let side = if is_below { Side::Left } else { Side::Right };
                plane.sheet.text(text, [x + 4.0 * away, y], side, VALUE)
            }
        }
    }
}

/// A thin line at what an axis is read against.
fn references(chart: &Chart, scales: [Option<&Scale>; 2], plane: &Plane) -> Drawn {
    for (i, (axis, scale)) in [&chart.x, &chart.y].into_iter().zip(scales).enumerate() {
        let Some(scale) = scale else { continue };
        let Some(at) = axis.reference.and_then(|value| scale.at(value)) else { continue };
        let Some(other) = scales[1 - i] else { continue };
        let ends = [other.low, other.high].map(|end| match i {
            0 => plane.at(at, end),
            _ => plane.at(end, at),
        });
        plane.sheet.path(&ends, &TEXT.mix(0.6), 1.0)?;
    }
    Ok(())
}

fn value_reference(chart: &Chart, lie: Lie, scale: &Scale, count: usize, plane: &Plane) -> Drawn {
    let Some(at) = chart.y.reference.and_then(|value| scale.at(value)) else { return Ok(()) };
    let ends = [0.0, count as f64].map(|name| lie.at(plane, count, name, at));
    plane.sheet.path(&ends, &TEXT.mix(0.6), 1.0)
}

/// The paper's are called so.
fn named(name: &str, whose: Whose) -> String {
    match whose {
        Whose::Paper if !name.contains("paper") => format!("{name} (paper)"),
        _ => name.to_owned(),
    }
}

fn signed(value: f64) -> String {
    format!("{value:.2}").replace('-', "−")
}
