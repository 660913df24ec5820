//! Changes for programs: one JSON object.

use std::io::{self, Write};

use serde::Serialize;

use super::compare::{Change, Episode, Verdict};
use super::report::Report;
use super::{SCHEMA_VERSION, print};

#[derive(Serialize)]
struct Comparison<'a> {
    schema_version: u32,
    elbowroom_version: &'static str,
    old: String,
    new: String,
    /// Metres in a unit of lengths; null if it is not known.
    metres_per_unit: Option<f64>,
    tolerance_percent: f64,
    /// Whether the new check looked at everything that the old one found, and is complete.
    complete: bool,
    /// Why not.
    warnings: &'a [String],
    counts: Counts,
    changes: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Counts {
    new: usize,
    worse: usize,
    not_examined: usize,
    better: usize,
    gone: usize,
    same: usize,
}

#[derive(Serialize)]
struct Entry<'a> {
    change: &'static str,
    a: &'a str,
    b: &'a str,
    /// The two parts, of an object with itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<[&'a str; 2]>,
    why: &'a [String],
    old: Option<Sums<'a>>,
    new: Option<Sums<'a>>,
}

/// The incidents of one report together.
#[derive(Serialize)]
struct Sums<'a> {
    ranks: Vec<u64>,
    first: u32,
    last: u32,
    worst: u32,
    frames: u64,
    kind: &'a str,
    triangle_pairs: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
}

impl<'a> Sums<'a> {
    fn of(episode: &Episode<'a>) -> Self {
        let worst = episode.worst();
        let pairs = episode.incidents.iter().map(|incident| incident.triangle_pairs);
        Self {
            ranks: episode.incidents.iter().map(|incident| incident.rank).collect(),
            first: episode.first(),
            last: episode.last(),
            worst: worst.worst,
            frames: episode.frames(),
            kind: &worst.kind,
            triangle_pairs: pairs.max().unwrap_or_default(),
            depth: episode.largest(|incident| incident.depth),
            length: episode.largest(|incident| incident.length),
            distance: episode
                .largest(|incident| incident.distance.map(|distance| -distance))
                .map(|distance| -distance),
        }
    }
}

pub(super) fn write(
    out: impl Write,
    (old, new): (&Report, &Report),
    changes: &[Change<'_>],
    warnings: &[String],
    tolerance_percent: f64,
) -> io::Result<()> {
    let count = |verdict| changes.iter().filter(|change| change.verdict == verdict).count();
    let comparison = Comparison {
        schema_version: SCHEMA_VERSION,
        elbowroom_version: env!("CARGO_PKG_VERSION"),
        old: old.path.display().to_string(),
        new: new.path.display().to_string(),
        metres_per_unit: new.metres_per_unit,
        tolerance_percent,
        complete: warnings.is_empty(),
        warnings,
        counts: Counts {
            new: count(Verdict::New),
            worse: count(Verdict::Worse),
            not_examined: count(Verdict::NotExamined),
            better: count(Verdict::Better),
            gone: count(Verdict::Gone),
            same: count(Verdict::Same),
        },
        changes: changes.iter().map(entry).collect(),
    };
    print(out, &comparison)
}

fn entry<'a>(change: &'a Change<'a>) -> Entry<'a> {
    let worst = change.worst();
    let parts = worst.parts.first().filter(|_| worst.a == worst.b);
    Entry {
        change: change.verdict.name(),
        a: &worst.a,
        b: &worst.b,
        parts: parts.map(|parts| [parts.a.as_str(), parts.b.as_str()]),
        why: &change.why,
        old: change.old.as_ref().map(Sums::of),
        new: change.new.as_ref().map(Sums::of),
    }
}
