//! Charts and pictures: axes, legends, and the SVG that they are written as.
//!
//! A picture is one SVG, light or dark as the reader's screen is, alone or with a page around it.
//! Nothing in it moves and nothing is fetched.
#![cfg_attr(
    not(feature = "lab"),
    expect(dead_code, unused_imports, reason = "the lab's charts have more parts than others")
)]

mod axis;
mod fit;
mod legend;
mod number;
mod plane;
mod svg;

use std::path::Path;

pub(crate) use axis::Axis;
pub(crate) use legend::{Entry, Legend, Swatch};
pub(crate) use number::figure;
pub(crate) use plane::Plane;
pub(crate) use svg::{Anchor, LETTERS, Letters, Svg};

use svg::escaped;

/// How wide a picture is, in points.
pub(crate) const WIDTH: f64 = 960.0;
/// Left and right of what is drawn.
pub(crate) const LEFT: f64 = 72.0;
pub(crate) const RIGHT: f64 = 28.0;

/// A rectangle of the picture, in points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// In which form it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Picture {
    Svg,
    Html,
}

impl Picture {
    /// By the ending of a name; none if it is no picture's.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match ending.as_str() {
            "svg" => Some(Self::Svg),
            "html" | "htm" => Some(Self::Html),
            _ => None,
        }
    }

    /// The text of the file.
    pub(crate) fn file(self, title: &str, svg: String) -> String {
        match self {
            Self::Svg => svg,
            Self::Html => html(title, &svg),
        }
    }
}

/// A page around the picture.
fn html(title: &str, svg: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
         <style>body{{margin:0}}svg{{display:block;margin:auto;max-width:100%;height:auto}}\
         @media(prefers-color-scheme:dark){{body{{background:#15171c}}}}</style>\n</head>\n<body>\n{svg}</body>\n</html>\n",
        escaped(title)
    )
}
