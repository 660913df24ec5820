//! A sheet to draw on, in pixels of a page on which it is shown at its own size.
//!
//! The library counts in whole steps. A sheet has ten of them to a pixel, so that curves are smooth at any size.

use std::io;

use plotters::coord::Shift;
use plotters::element::{PathElement, Polygon, Text};
use plotters::prelude::{DrawingArea, IntoDrawingArea, IntoFont, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle};

use super::ink::TEXT;

/// Steps of the library to a pixel.
pub(super) const STEPS: f64 = 10.0;

/// What the library takes a letter's height for, against what it writes.
const TALLER: f64 = 1.24;

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// Writing to memory does not fail, but the library's drawing may in principle.
pub(super) type Drawn<T = ()> = Result<T, plotters::drawing::DrawingAreaErrorKind<io::Error>>;

/// A place on the sheet.
pub(super) type At = [f64; 2];

pub(super) struct Sheet<'a> {
    pub(super) area: Area<'a>,
}

/// On which side of its place a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Middle,
    Right,
}

/// How letters look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letters {
    pub(super) size: f64,
    pub(super) bold: bool,
    pub(super) upright: bool,
    pub(super) opacity: f64,
}

impl Letters {
    pub(super) const fn of(size: f64) -> Self {
        Self { size, bold: false, upright: false, opacity: 1.0 }
    }

    pub(super) fn style(self, side: Side) -> TextStyle<'static> {
        let mut font = ("sans-serif", self.size * STEPS * TALLER).into_font();
        if self.bold {
            font = font.style(FontStyle::Bold);
        }
        if self.upright {
            font = font.transform(FontTransform::Rotate270);
        }
        let across = match side {
            Side::Left => HPos::Right,
            Side::Middle => HPos::Center,
            Side::Right => HPos::Left,
        };
        let color = TEXT.mix(self.opacity).to_backend_color();
        TextStyle { font, color, pos: Pos::new(across, VPos::Center) }
    }

    /// About how wide a text is; letters differ from one system to the next.
    pub(super) fn width(self, text: &str) -> f64 {
        0.56 * self.size * text.chars().count() as f64
    }

    /// Broken between words into lines of at most this width, where words allow.
    pub(super) fn lines(self, text: &str, width: f64) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            match lines.last_mut() {
                Some(line) if self.width(line) + self.width(word) + 0.6 * self.size <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }
}

impl<'a> Sheet<'a> {
    pub(super) fn new(out: &'a mut String, [width, height]: [f64; 2]) -> Self {
        let size = [width, height].map(|side| u32::try_from(steps(side)).unwrap_or(1));
        Self { area: SVGBackend::with_string(out, (size[0], size[1])).into_drawing_area() }
    }

    pub(super) fn text(&self, text: &str, [x, y]: At, side: Side, letters: Letters) -> Drawn {
        self.area.draw(&Text::new(text.to_owned(), (steps(x), steps(y)), letters.style(side)))
    }

    /// Lines of text around a middle line.
    pub(super) fn lines(
        &self,
        lines: &[String],
        [x, y]: At,
        side: Side,
        letters: Letters,
    ) -> Drawn {
        let pitch = 1.15 * letters.size;
        let first = y - 0.5 * pitch * (lines.len() as f64 - 1.0);
        for (i, line) in lines.iter().enumerate() {
            self.text(line, [x, first + pitch * i as f64], side, letters)?;
        }
        Ok(())
    }

    pub(super) fn path(&self, points: &[At], colour: &impl Color, width: f64) -> Drawn {
        let style = ShapeStyle::from(colour).stroke_width(stroke(width));
        let points: Vec<(i32, i32)> = points.iter().map(|&[x, y]| (steps(x), steps(y))).collect();
        self.area.draw(&PathElement::new(points, style))
    }

    pub(super) fn area(&self, points: &[At], colour: &impl Color) -> Drawn {
        let points: Vec<(i32, i32)> = points.iter().map(|&[x, y]| (steps(x), steps(y))).collect();
        self.area.draw(&Polygon::new(points, colour))
    }

    /// Filled, with an edge if a colour is named for it.
    pub(super) fn rect(
        &self,
        [[x0, y0], [x1, y1]]: [At; 2],
        fill: &impl Color,
        edge: Option<RGBColor>,
    ) -> Drawn {
        let corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]];
        self.area(&corners[..4], fill)?;
        edge.map_or(Ok(()), |edge| self.path(&corners, &edge, 1.0))
    }

    /// One of five shapes, full or only its edge.
    pub(super) fn marker(&self, [x, y]: At, shape: u8, colour: RGBColor, is_full: bool) -> Drawn {
        let corners: Vec<At> = match shape % 5 {
            0 => (0..12)
                .map(|i| libm::sincos(f64::from(i) * std::f64::consts::TAU / 12.0))
                .map(|(sin, cos)| [3.2 * cos, 3.2 * sin])
                .collect(),
            1 => vec![[-2.9, -2.9], [2.9, -2.9], [2.9, 2.9], [-2.9, 2.9]],
            2 => vec![[0.0, -3.9], [3.6, 2.7], [-3.6, 2.7]],
            3 => vec![[0.0, -4.1], [4.1, 0.0], [0.0, 4.1], [-4.1, 0.0]],
            _ => vec![[0.0, 3.9], [3.6, -2.7], [-3.6, -2.7]],
        };
        let mut corners: Vec<At> = corners.into_iter().map(|[a, b]| [x + a, y + b]).collect();
        if is_full {
            return self.area(&corners, &colour);
        }
        corners.push(corners[0]);
        self.path(&corners, &colour, 1.3)
    }
}

pub(super) fn steps(pixels: f64) -> i32 {
    (pixels * STEPS).round() as i32
}

pub(super) fn stroke(pixels: f64) -> u32 {
    u32::try_from(steps(pixels)).unwrap_or(1)
}
