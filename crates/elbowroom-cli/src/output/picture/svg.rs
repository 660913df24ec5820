//! A writer of SVG that knows as much of it as our pictures need.
//!
//! Colours are classes, each for light and for dark. They are plain values and no variables, which some programs that draw SVG do not know.

use std::fmt::Write;

use super::Frame;
use crate::messages::printable;

const STYLE: &str = "\
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

/// What has been drawn.
#[derive(Debug)]
pub(crate) struct Svg {
    body: String,
    /// The classes that only this picture has.
    style: &'static str,
}

impl Svg {
    /// An empty picture with some classes of its own.
    pub(crate) fn new(style: &'static str) -> Self {
        Self { body: String::new(), style }
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

    /// Lines from point to point.
    pub(crate) fn path(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        let mut data = String::new();
        for (index, (x, y)) in points.into_iter().enumerate() {
            let _ = write!(data, "{}{x:.2} {y:.2}", if index == 0 { 'M' } else { 'L' });
        }
        if !data.is_empty() {
            self.put(format_args!("<path class=\"{class}\" d=\"{data}\"/>"));
        }
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
