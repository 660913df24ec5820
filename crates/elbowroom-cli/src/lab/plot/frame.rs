//! What is around the data: title, legend, axes.
//!
//! The legend stands above the data, never on it, in as many rows as it needs.

use std::ops::Range;

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::prelude::{Cartesian2d, SVGBackend};
use plotters::style::{Color, ShapeStyle};

use super::ink::{Ink, TEXT};
use super::scale::Scale;
use super::sheet::{At, Drawn, Letters, STEPS, Sheet, Side, steps, stroke};

/// In pixels.
pub(super) const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const MARGIN: f64 = 14.0;
const ROW: f64 = 17.0;
/// Below the title.
const HEAD: f64 = 36.0;
const TITLE: Letters = Letters { bold: true, ..Letters::of(14.0) };
pub(super) const SMALL: Letters = Letters { opacity: 0.9, ..Letters::of(11.0) };
const LABEL: Letters = Letters::of(12.0);
/// The widest name beside a bar.
const NAME: f64 = 190.0;

/// A direction as the library sees it: only the ticks that were chosen.
struct Numbers {
    range: Range<f64>,
    ticks: Vec<f64>,
}

impl Ranged for Numbers {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        (f64::from(from) + share * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

/// What is along an axis.
#[derive(Clone, Debug)]
pub(super) enum Along {
    Numbers(Scale),
    /// Side by side, each one step wide; upward they begin at the top.
    Names(Vec<String>),
}

impl Along {
    fn numbers(&self) -> Numbers {
        match self {
            Self::Numbers(scale) => {
                Numbers { range: scale.low..scale.high, ticks: scale.ticks.clone() }
            }
            Self::Names(names) => {
                Numbers { range: 0.0..names.len().max(1) as f64, ticks: Vec::new() }
            }
        }
    }

    fn label(&self, tick: f64) -> String {
        match self {
            Self::Numbers(scale) => scale.label(tick),
            Self::Names(_) => String::new(),
        }
    }

    /// How wide its labels are beside the data.
    fn width(&self) -> f64 {
        match self {
            Self::Numbers(scale) => {
                let widths = scale.ticks.iter().map(|&tick| SMALL.width(&self.label(tick)));
                widths.fold(10.0, f64::max) + 8.0
            }
            Self::Names(names) => {
                let widths = names.iter().map(|name| SMALL.width(name));
                widths.fold(10.0, f64::max).min(NAME) + 10.0
            }
        }
    }
}

/// A line of the legend.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) ink: Ink,
    pub(super) swatch: Swatch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Swatch {
    Line,
    Bar,
    Cell,
}

/// The parts of a chart that are not data.
#[derive(Clone, Debug)]
pub(super) struct Frame<'c> {
    pub(super) title: &'c str,
    pub(super) legend: Vec<Entry>,
    pub(super) across: Along,
    pub(super) upward: Along,
    /// What is measured along them.
    pub(super) labels: [&'c str; 2],
    /// The height of the data, if it matters.
    pub(super) height: Option<f64>,
}

/// Where data is drawn.
pub(super) struct Plane<'s, 'a> {
    pub(super) sheet: &'s Sheet<'a>,
    context: ChartContext<'s, SVGBackend<'a>, Cartesian2d<Numbers, Numbers>>,
}

impl Plane<'_, '_> {
    pub(super) fn at(&self, x: f64, y: f64) -> At {
        let (x, y) = self.context.backend_coord(&(x, y));
        [f64::from(x) / STEPS, f64::from(y) / STEPS]
    }
}

impl Frame<'_> {
    /// The size of the whole picture.
    pub(super) fn size(&self) -> [f64; 2] {
        let more = (self.rows().saturating_sub(2)) as f64 * ROW;
        let height = self.height.map_or(HEIGHT + more, |height| height + self.top() + self.below());
        [WIDTH, height]
    }

    /// The width left for data.
    pub(super) fn room(&self) -> f64 {
        WIDTH - self.left() - MARGIN
    }

    fn left(&self) -> f64 {
        let label = if self.labels[1].is_empty() { 0.0 } else { 20.0 };
        MARGIN + label + self.upward.width()
    }

    fn top(&self) -> f64 {
        HEAD + self.rows() as f64 * ROW + 8.0
    }

    fn below(&self) -> f64 {
        let label = if self.labels[0].is_empty() { 6.0 } else { 24.0 };
        let lines = match &self.across {
            Along::Numbers(_) => 1,
            Along::Names(names) => {
                let slot = self.slot(names.len());
                names.iter().map(|name| SMALL.lines(name, slot).len()).max().unwrap_or(1)
            }
        };
        label + 6.0 + 1.15 * SMALL.size * lines as f64
    }

    /// How wide the name of one of so many may be below the data.
    fn slot(&self, count: usize) -> f64 {
        self.room() / count.max(1) as f64 - 4.0
    }

    fn rows(&self) -> usize {
        self.places().last().map_or(0, |(_, row)| row + 1)
    }

    /// Where each entry of the legend begins, and in which row.
    fn places(&self) -> Vec<(f64, usize)> {
        let (mut x, mut row) = (MARGIN, 0);
        let place = |entry: &Entry| {
            let width = 30.0 + SMALL.width(&entry.name) + 16.0;
            if x > MARGIN && x + width > WIDTH {
                (x, row) = (MARGIN, row + 1);
            }
            let here = (x, row);
            x += width;
            here
        };
        self.legend.iter().map(place).collect()
    }

    pub(super) fn draw<'s, 'a>(&self, sheet: &'s Sheet<'a>) -> Drawn<Plane<'s, 'a>> {
        sheet.text(self.title, [MARGIN, 18.0], Side::Right, self.title_letters())?;
        for (entry, (x, row)) in self.legend.iter().zip(self.places()) {
            entry.draw(sheet, [x, HEAD + 8.0 + row as f64 * ROW])?;
        }
        let context = self.axes(sheet)?;
        let plane = Plane { sheet, context };
        // Where the library writes it, half of it would be outside.
        let middle = 0.5 * (self.top() + self.size()[1] - self.below());
        let letters = Letters { upright: true, ..LABEL };
        sheet.text(self.labels[1], [MARGIN, middle], Side::Middle, letters)?;
        self.names(&plane)?;
        Ok(plane)
    }

    /// Smaller where it would not fit.
    fn title_letters(&self) -> Letters {
        let fit = (WIDTH - 2.0 * MARGIN) / TITLE.width(self.title).max(1.0);
        Letters { size: TITLE.size * fit.clamp(0.6, 1.0), ..TITLE }
    }

    fn axes<'s, 'a>(
        &self,
        sheet: &'s Sheet<'a>,
    ) -> Drawn<ChartContext<'s, SVGBackend<'a>, Cartesian2d<Numbers, Numbers>>> {
        let mut context = ChartBuilder::on(&sheet.area)
            .margin_top(steps(self.top()))
            .margin_right(steps(MARGIN))
            .x_label_area_size(steps(self.below()))
            .y_label_area_size(steps(self.left()))
            .build_cartesian_2d(self.across.numbers(), self.upward.numbers())?;
        let line = |opacity: f64| ShapeStyle::from(&TEXT.mix(opacity)).stroke_width(stroke(1.0));
        let [across, upward] = [&self.across, &self.upward];
        let (x_label, y_label) = (|v: &f64| across.label(*v), |v: &f64| upward.label(*v));
        let mut mesh = context.configure_mesh();
        mesh.bold_line_style(line(0.13))
            .light_line_style(line(0.0))
            .axis_style(line(0.55))
            .label_style(SMALL.style(Side::Middle))
            .axis_desc_style(LABEL.style(Side::Middle))
            .set_all_tick_mark_size(steps(4.0))
            .x_label_formatter(&x_label)
            .y_label_formatter(&y_label)
            .x_desc(self.labels[0]);
        mesh.draw()?;
        Ok(context)
    }

    /// Names along an axis, which the library would write over one another.
    fn names(&self, plane: &Plane) -> Drawn {
        if let Along::Names(names) = &self.across {
            let slot = self.slot(names.len());
            let floor = plane.at(0.0, self.upward.numbers().range.start)[1];
            for (i, name) in names.iter().enumerate() {
                let lines = SMALL.lines(name, slot);
                let [x, _] = plane.at(i as f64 + 0.5, 0.0);
                let middle = floor + 6.0 + 0.575 * SMALL.size * lines.len() as f64;
                plane.sheet.lines(&lines, [x, middle], Side::Middle, SMALL)?;
            }
        }
        if let Along::Names(names) = &self.upward {
            let [left, _] = plane.at(self.across.numbers().range.start, 0.0);
            for (i, name) in names.iter().enumerate() {
                let lines = SMALL.lines(name, NAME);
                let [_, y] = plane.at(0.0, (names.len() - i) as f64 - 0.5);
                plane.sheet.lines(&lines, [left - 6.0, y], Side::Left, SMALL)?;
            }
        }
        Ok(())
    }
}

impl Entry {
    fn draw(&self, sheet: &Sheet, [x, y]: At) -> Drawn {
        let ink = self.ink;
        match self.swatch {
            Swatch::Line => {
                sheet.path(&[[x, y], [x + 24.0, y]], &ink.line(), 2.0)?;
                sheet.marker([x + 12.0, y], ink.place, ink.colour(), ink.line() == ink.colour())?;
            }
            Swatch::Bar => {
                let corners = [[x + 8.0, y - 5.0], [x + 24.0, y + 5.0]];
                sheet.rect(corners, &ink.area(), Some(ink.colour()))?;
            }
            Swatch::Cell => {
                let corners = [[x + 8.0, y - 5.0], [x + 24.0, y + 5.0]];
                sheet.rect(corners, &ink.colour().mix(super::marks::CELL), None)?;
            }
        }
        sheet.text(&self.name, [x + 30.0, y], Side::Right, SMALL)
    }
}
