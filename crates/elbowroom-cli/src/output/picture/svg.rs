//! A writer of SVG that knows as much of it as our pictures need.
//!
//! Colours are classes, each for light and for dark. They are plain values, because some programs
//! that draw SVG do not know variables.

use std::borrow::Cow;
use std::fmt::Write;

use super::Frame;
use crate::messages::printable;

const STYLE: &str = "\
svg:root{color-scheme:light dark}
svg{font-family:system-ui,sans-serif;font-size:12px}
.paper{fill:#fff}
text{fill:#374151}
.title{font-size:18px;font-weight:600;fill:#111827}
.head{font-size:14px;font-weight:600;fill:#111827}
.line{stroke:#374151;fill:none;stroke-width:1.6;stroke-linejoin:round}
.grid{stroke:#e5e7eb;stroke-width:1;fill:none}.axis{stroke:#6b7280;stroke-width:1;fill:none}
.hit{fill:#dc2626;fill-opacity:.22}.bar{fill:#dc2626;fill-opacity:.75}
.hit-line{stroke:#dc2626;stroke-width:3;fill:none;stroke-linecap:round;stroke-linejoin:round}
.dot{fill:#dc2626}
@media(prefers-color-scheme:dark){
.paper{fill:#15171c}
text{fill:#c3c8d1}
.title,.head{fill:#f3f4f6}
.line{stroke:#c3c8d1}
.grid{stroke:#2b2f38}.axis{stroke:#8b919c}
.hit{fill:#ff6b6b}.bar{fill:#ff6b6b}.hit-line{stroke:#ff6b6b}.dot{fill:#ff6b6b}
}
";

/// Which point of a text is named.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// Letters of one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letters(pub(crate) f64);

/// Those of labels.
pub(crate) const LETTERS: Letters = Letters(12.0);

impl Letters {
    /// About how wide a text is; letters differ from one system to the next.
    pub(crate) fn width(self, text: &str) -> f64 {
        0.55 * self.0 * text.chars().count() as f64
    }

    /// A text broken between words into lines of at most this width, where words allow.
    pub(crate) fn lines(self, text: &str, width: f64) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            match lines.last_mut() {
                Some(line) if self.width(line) + self.width(word) + 0.55 * self.0 <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }
}

/// What has been drawn.
#[derive(Debug)]
pub(crate) struct Svg {
    body: String,
    /// The classes that only this picture has.
    style: Cow<'static, str>,
}

impl Svg {
    /// An empty picture with some classes of its own.
    pub(crate) fn new(style: impl Into<Cow<'static, str>>) -> Self {
        Self { body: String::new(), style: style.into() }
    }

    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        // A string takes what is written.
        let _ = self.body.write_fmt(element);
        self.body.push('\n');
    }

    pub(crate) fn rect(&mut self, class: &str, frame: Frame) {
        let Frame { x, y, width, height } = frame;
        self.put(format_args!(
            "<rect class=\"{class}\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\"/>"
        ));
    }

    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.put(format_args!(
            "<line class=\"{class}\" x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\"/>"
        ));
    }

    pub(crate) fn circle(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        self.put(format_args!(
            "<circle class=\"{class}\" cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\"/>"
        ));
    }

    pub(crate) fn text(&mut self, class: &str, x: f64, y: f64, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escaped(text);
        self.put(format_args!(
            "<text class=\"{class}\" x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    /// Lines of text around a place.
    pub(crate) fn lines(
        &mut self,
        class: &str,
        (x, y): (f64, f64),
        anchor: Anchor,
        Letters(size): Letters,
        lines: &[String],
    ) {
        let pitch = 1.15 * size;
        let first = y + 0.35 * size - 0.5 * pitch * (lines.len() as f64 - 1.0);
        for (line, row) in lines.iter().zip(0..) {
            self.text(class, x, first + pitch * f64::from(row), anchor, line);
        }
    }

    /// Text that reads upward, around a place. No text draws nothing.
    pub(crate) fn upright(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        if !text.is_empty() {
            self.put(format_args!("<g transform=\"translate({x:.2} {y:.2}) rotate(-90)\">"));
            self.text(class, 0.0, 0.0, Anchor::Middle, text);
            self.put(format_args!("</g>"));
        }
    }

    /// Lines from point to point.
    pub(crate) fn path(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        self.outline(class, points, "");
    }

    /// Several lines from point to point, as one element.
    pub(crate) fn paths<L: IntoIterator<Item = (f64, f64)>>(
        &mut self,
        class: &str,
        lines: impl IntoIterator<Item = L>,
    ) {
        let mut data = String::new();
        for line in lines {
            for (index, (x, y)) in line.into_iter().enumerate() {
                let _ = write!(data, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' });
            }
        }
        if !data.is_empty() {
            self.put(format_args!("<path class=\"{class}\" d=\"{data}\"/>"));
        }
    }

    /// What is drawn next belongs to a level of a tree, whose deepest drawn level is known, until
    /// [`end`](Self::end).
    pub(crate) fn begin_level(&mut self, level: u32, last: u32) {
        self.put(format_args!("<g data-level=\"{level}\" data-last=\"{last}\">"));
    }

    pub(crate) fn end(&mut self) {
        self.put(format_args!("</g>"));
    }

    /// A polygon.
    pub(crate) fn area(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        self.outline(class, points, "Z");
    }

    fn outline(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64)>, close: &str) {
        let mut data = String::new();
        for (index, (x, y)) in points.into_iter().enumerate() {
            let _ = write!(data, "{}{x:.2} {y:.2}", if index == 0 { 'M' } else { 'L' });
        }
        if !data.is_empty() {
            self.put(format_args!("<path class=\"{class}\" d=\"{data}{close}\"/>"));
        }
    }

    /// One of five shapes around a point.
    pub(crate) fn marker(&mut self, class: &str, shape: u8, (x, y): (f64, f64)) {
        let corners: &[(f64, f64)] = match shape % 5 {
            0 => return self.circle(class, (x, y), 3.0),
            1 => &[(-2.7, -2.7), (2.7, -2.7), (2.7, 2.7), (-2.7, 2.7)],
            2 => &[(0.0, -3.6), (3.3, 2.5), (-3.3, 2.5)],
            3 => &[(0.0, -3.8), (3.8, 0.0), (0.0, 3.8), (-3.8, 0.0)],
            _ => &[(0.0, 3.6), (3.3, -2.5), (-3.3, -2.5)],
        };
        self.area(class, corners.iter().map(|(a, b)| (x + a, y + b)));
    }

    /// A pattern of slanted lines on a pale ground of the same colour, to fill a class with.
    pub(crate) fn hatch(&mut self, id: &str, colour: &str) {
        self.put(format_args!(
            "<pattern id=\"{id}\" patternUnits=\"userSpaceOnUse\" width=\"5\" height=\"5\" \
             patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\" fill=\"{colour}\" \
             fill-opacity=\".15\"/><rect width=\"1.6\" height=\"5\" fill=\"{colour}\"/></pattern>"
        ));
    }

    pub(crate) fn finish(self, width: f64, height: f64, title: &str) -> String {
        let (title, Self { body, style }) = (escaped(title), self);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n\
             <title>{title}</title>\n<style>\n{STYLE}{style}</style>\n\
             <rect class=\"paper\" width=\"{width:.0}\" height=\"{height:.0}\"/>\n{body}</svg>\n"
        )
    }
}

/// Text that is nothing but text.
pub(crate) fn escaped(text: &str) -> String {
    // A control is no character of XML, not even as a reference.
    printable(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
