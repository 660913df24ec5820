//! The words for what comes together between two frames.
//!
//! From frame to frame vertices move in straight lines. What is told begins between two frames that
//! were examined, or in the later one; whether the two objects still meet there tells what stays
//! from what got through.

use std::io::{self, Write};

use serde::Serialize;

use crate::measure;
use crate::messages::{count, fitted, grouped};
use crate::result::cast::Cast;
use crate::result::frame::Passing;

/// A passing, for programs.
#[derive(Serialize)]
pub(crate) struct PassingEntry<'a> {
    frame: f64,
    a: &'a str,
    b: &'a str,
    /// `passes` if the two do not meet in the next frame, `begins` if they do.
    what: &'static str,
    point: [f64; 3],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartEntry<'a>>,
}

#[derive(Serialize)]
struct PartEntry<'a> {
    a: &'a str,
    b: &'a str,
}

pub(crate) fn what(passing: &Passing) -> &'static str {
    if passing.stays { "begins" } else { "passes" }
}

impl<'a> PassingEntry<'a> {
    pub(crate) fn of(cast: &'a Cast, passing: &Passing) -> Self {
        let (a, b) = (&cast.entries[passing.a], &cast.entries[passing.b]);
        let part =
            |&(i, j): &(u32, u32)| PartEntry { a: &a.parts[i as usize], b: &b.parts[j as usize] };
        Self {
            frame: passing.frame,
            a: &a.name,
            b: &b.name,
            what: what(passing),
            point: passing.point,
            parts: passing.parts.iter().map(part).collect(),
        }
    }
}

/// Pairs of parts that a line names; the JSON has all.
const PARTS_SHOWN: usize = 2;

/// A line for each, for people.
pub(crate) fn write(
    out: &mut impl Write,
    cast: &Cast,
    names: &[String],
    (all, more): (&[Passing], u64),
) -> io::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let cells = |passing: &Passing| {
        [
            format!("{:.3}", passing.frame),
            names[passing.a].clone(),
            names[passing.b].clone(),
            what(passing).to_owned(),
            measure::point(&cast.unit, passing.point.into()),
            parts(cast, passing),
        ]
    };
    let point = cast.unit.name().map_or("point".to_owned(), |unit| format!("point ({unit})"));
    let head = ["between frames", "a", "b", "what", &point, "parts"].map(str::to_owned);
    let rows: Vec<[String; 6]> = std::iter::once(head).chain(all.iter().map(cells)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..6).map(|column| width(column).unwrap_or_default()).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    if more > 0 {
        writeln!(out, "{} more; --top 0 shows all", grouped(more))?;
    }
    writeln!(out)
}

fn parts(cast: &Cast, passing: &Passing) -> String {
    let (a, b) = (&cast.entries[passing.a].parts, &cast.entries[passing.b].parts);
    let name =
        |&(i, j): &(u32, u32)| format!("{}–{}", fitted(&a[i as usize]), fitted(&b[j as usize]));
    let text = passing.parts.iter().take(PARTS_SHOWN).map(name).collect::<Vec<_>>().join(", ");
    match passing.parts.len().saturating_sub(PARTS_SHOWN) {
        0 => text,
        more => format!("{text}, {more} more"),
    }
}

/// How many there are, and how many of them no frame shows, in words.
pub(crate) fn summary(all: u64, unseen: u64) -> String {
    if all == 0 {
        return "no contact begins between frames".to_owned();
    }
    let begin = format!("{} between frames", count(all, "beginning"));
    if unseen == 0 { begin } else { format!("{begin}, {unseen} seen in no frame") }
}
