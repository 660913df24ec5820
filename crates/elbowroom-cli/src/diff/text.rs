//! Changes for people: a table, the most urgent first, and a line of counts.

use std::io::{self, Write};

use super::compare::{Change, Episode, Verdict};
use super::report::{Incident, Report};
use crate::info::rows::{self, Side};
use crate::measure::{Scale, Unit};
use crate::messages::{fitted, grouped, printable};

const HEADS: [(&str, Side); 7] = [
    ("change", Side::Left),
    ("a", Side::Left),
    ("b", Side::Left),
    ("frames", Side::Left),
    ("kind", Side::Left),
    ("depth", Side::Right),
    ("what changed", Side::Left),
];

/// Writes what is not the same, or everything.
pub(super) fn write(
    out: &mut dyn Write,
    new: &Report,
    changes: &[Change<'_>],
    all: bool,
) -> io::Result<()> {
    let shown: Vec<&Change<'_>> =
        changes.iter().filter(|change| all || change.verdict != Verdict::Same).collect();
    if !shown.is_empty() {
        let unit = Unit::of_results(new.metres_per_unit);
        let depths = shown.iter().flat_map(|change| [&change.old, &change.new]);
        let depths = depths.flatten().filter_map(|episode| episode.largest(depth));
        let scale = unit.scale(depths.fold(0.0, f64::max), 1);
        let mut heads = HEADS;
        let head = scale.head(HEADS[5].0);
        heads[5].0 = &head;
        let rows: Vec<Vec<String>> = shown.iter().map(|change| row(change, &scale)).collect();
        rows::write(out, &heads, &rows)?;
        writeln!(out)?;
    }
    writeln!(out, "{}", summary(changes))
}

fn depth(incident: &Incident) -> Option<f64> {
    incident.depth
}

fn row(change: &Change<'_>, scale: &Scale) -> Vec<String> {
    let worst = change.worst();
    let parts = worst.parts.first().filter(|_| worst.a == worst.b);
    let who = |object: &str, part: Option<&String>| match part {
        Some(part) => format!("{}: {}", fitted(object), fitted(part)),
        None => fitted(object),
    };
    let both = |of: &dyn Fn(&Episode<'_>) -> String| {
        let [old, new] = [&change.old, &change.new].map(|it| it.as_ref().map(of));
        match (old, new) {
            (Some(old), Some(new)) if old != new => format!("{old} → {new}"),
            (old, new) => new.or(old).unwrap_or_default(),
        }
    };
    vec![
        change.verdict.name().to_owned(),
        who(&worst.a, parts.map(|parts| &parts.a)),
        who(&worst.b, parts.map(|parts| &parts.b)),
        both(&|episode| range(episode)),
        both(&|episode| printable(&episode.worst().kind)),
        both(&|episode| episode.largest(depth).map(|it| scale.number(it)).unwrap_or_default()),
        change.why.iter().map(|why| printable(why)).collect::<Vec<_>>().join(", "),
    ]
}

fn range(episode: &Episode<'_>) -> String {
    match (episode.first(), episode.last()) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}–{last}"),
    }
}

fn summary(changes: &[Change<'_>]) -> String {
    if changes.is_empty() {
        return "no incidents in either report".to_owned();
    }
    let count = |verdict| changes.iter().filter(|change| change.verdict == verdict).count() as u64;
    let all = Verdict::ALL.map(|verdict| (count(verdict), verdict.name()));
    let told = all.iter().filter(|(count, _)| *count > 0);
    told.map(|(count, name)| format!("{} {name}", grouped(*count))).collect::<Vec<_>>().join(", ")
}
