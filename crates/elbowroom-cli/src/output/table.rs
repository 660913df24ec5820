//! Findings for people: a table of incidents, the worst first, and a line that says how much was
//! examined.

use std::collections::HashMap;
use std::io::{self, Write};

use elbowroom::internal::query::{ContactKind, Inside};
use elbowroom_io::names;
use elbowroom_motion::scene::{Incident, PartPair, Sighting};

use crate::measure::{self, Scale};
use crate::messages::{count, fitted, grouped};
use crate::result::between;
use crate::result::cast::Cast;
use crate::result::options;
use crate::result::totals::{Account, Counts};

/// Writes the table, if there is an incident, and the summary in any case. A table has at most the
/// given number of lines; 0 means all.
pub(crate) fn write(
    out: &mut impl Write,
    cast: &Cast,
    account: &Account,
    top: usize,
) -> io::Result<()> {
    let most = if top == 0 { usize::MAX } else { top };
    let incidents = &account.incidents;
    if !incidents.is_empty() {
        write_rows(out, cast, &incidents[..incidents.len().min(most)])?;
        if let more @ 1.. = incidents.len().saturating_sub(most) {
            writeln!(out, "{} more; --top 0 shows all", grouped(more as u64))?;
        }
        writeln!(out)?;
    }
    let shown = &account.between[..account.between.len().min(most)];
    let more = account.counts.passings - shown.len() as u64;
    between::write(out, cast, &short_names(cast), (shown, more))?;
    writeln!(out, "{}", summary(cast, account))?;
    if let Some(work) = account.counts.work.filter(|_| cast.counts) {
        writeln!(out, "{}", work.words(cast.refit))?;
    }
    if let Some(line) = incidents.first().and_then(|worst| deepest(cast, worst)) {
        writeln!(out, "{line}")?;
    }
    // Where no length is told, its unit is of no interest.
    let wanted = &cast.wanted;
    let tells_lengths = wanted.clearance.is_some() || wanted.places || wanted.depth;
    if tells_lengths && cast.unit.name().is_none() {
        writeln!(out, "{}; --units gives it", measure::UNKNOWN)?;
    }
    Ok(())
}

/// The deepest contact of all, and what depth means. `None` if no depth was measured or all are 0.
fn deepest(cast: &Cast, worst: &Incident) -> Option<String> {
    worst.worst.depth.filter(|depth| *depth > 0.0)?;
    let names = short_names(cast);
    let frame = if cast.moves { format!(", frame {}", worst.worst.frame) } else { String::new() };
    let (mark, estimate) =
        if worst.worst.depth_is_estimate { ("~", "; ~ marks an estimate") } else { ("", "") };
    Some(format!(
        "deepest: {mark}{} ({}, {}{frame}); depth is {}{estimate}",
        cast.unit.text(worst.worst.depth.unwrap_or_default()),
        names[worst.a.index()],
        names[worst.b.index()],
        options::DEPTH
    ))
}

/// A depth or volume; one that is but likely is marked.
fn marked(sighting: &Sighting, value: Option<f64>, scale: &Scale) -> String {
    let mark = if sighting.depth_is_estimate { "~" } else { "" };
    value.map(|value| format!("{mark}{}", scale.number(value))).unwrap_or_default()
}

/// How the columns of numbers with a unit are shown: each in one unit, by its largest number.
struct Scales {
    distance: Scale,
    depth: Scale,
    volume: Scale,
    /// Empty if it is unknown.
    point_unit: String,
}

impl Scales {
    fn new(cast: &Cast, incidents: &[Incident]) -> Self {
        let largest = |of: fn(&Sighting) -> Option<f64>| {
            let sizes = incidents.iter().filter_map(|incident| of(&incident.worst)).map(f64::abs);
            sizes.fold(0.0, f64::max)
        };
        Self {
            distance: cast.unit.scale(largest(|worst| worst.distance), 1),
            depth: cast.unit.scale(largest(|worst| worst.depth), 1),
            volume: cast.unit.scale(largest(|worst| worst.volume), 3),
            point_unit: cast.unit.name().unwrap_or_default(),
        }
    }
}

/// How two objects meet where it is worst.
fn label(cast: &Cast, incident: &Incident) -> String {
    let worst = &incident.worst;
    let kind = match worst.inside {
        Some(Inside::First) => "a in b",
        Some(Inside::Second) => "b in a",
        _ => worst.kind.name(),
    };
    let through = match options::through(incident.through) {
        Some("a") => ", a through b",
        Some("b") => ", b through a",
        Some(_) => ", through each other",
        None => "",
    };
    let rest = if worst.at_rest > 0 { ", at rest too" } else { "" };
    let estimate = match (worst.is_estimate, worst.bound > 0.0) {
        (true, true) => format!(" (estimate ±{})", cast.unit.text(worst.bound)),
        (true, false) => " (estimate)".to_owned(),
        (false, _) => String::new(),
    };
    format!("{kind}{through}{rest}{estimate}")
}

/// The names of parts for people, by object; found out when they are first asked for.
#[derive(Default)]
struct PartNames(HashMap<usize, Vec<String>>);

impl PartNames {
    fn of(&mut self, cast: &Cast, object: usize, part: u32) -> String {
        let names = || names::without_namespaces(&cast.entries[object].parts);
        fitted(&self.0.entry(object).or_insert_with(names)[part as usize])
    }
}

/// The parts that meet the most, in words.
fn parts(cast: &Cast, names: &mut PartNames, incident: &Incident) -> String {
    let (a, b) = (incident.a.index(), incident.b.index());
    let mut name =
        |pair: &PartPair| format!("{}–{}", names.of(cast, a, pair.a), names.of(cast, b, pair.b));
    let shown = incident.parts.iter().take(PARTS_SHOWN);
    let text = shown.map(&mut name).collect::<Vec<_>>().join(", ");
    match incident.parts.len().saturating_sub(PARTS_SHOWN) {
        0 => text,
        more => format!("{text}, {more} more"),
    }
}

/// Pairs of parts that a line names; the JSON has all.
const PARTS_SHOWN: usize = 2;

/// The cells of a line.
type Row = [String; COLUMNS];
const COLUMNS: usize = 11;

fn head(scales: &Scales) -> Row {
    let point = match scales.point_unit.as_str() {
        "" => "point".to_owned(),
        unit => format!("point ({unit})"),
    };
    [
        "frames".to_owned(),
        "a".to_owned(),
        "b".to_owned(),
        "kind".to_owned(),
        "worst".to_owned(),
        scales.distance.head("distance"),
        scales.depth.head("depth"),
        scales.volume.head("volume"),
        "triangle pairs".to_owned(),
        point,
        "parts".to_owned(),
    ]
}

/// Which columns are numbers, and aligned to the right.
const NUMBERS: [bool; COLUMNS] =
    [false, false, false, false, true, true, true, true, true, false, false];

/// Which columns there are: none for frames where there is but one, for distances, depths and
/// points that were not asked for, and for parts where they are not told apart.
fn shown(cast: &Cast) -> [bool; COLUMNS] {
    let (moves, has_parts) = (cast.moves, cast.has_parts());
    let (distance, point) = (cast.wanted.clearance.is_some(), cast.wanted.places);
    let depth = cast.wanted.depth;
    [moves, true, true, true, moves, distance, depth, depth, true, point, has_parts]
}

fn row(
    cast: &Cast,
    (names, part_names): (&[String], &mut PartNames),
    scales: &Scales,
    incident: &Incident,
) -> Row {
    let worst = &incident.worst;
    let point = |point: glam::DVec3| measure::point(&cast.unit, point);
    [
        range(&incident.first.to_string(), &incident.last.to_string()),
        names[incident.a.index()].clone(),
        names[incident.b.index()].clone(),
        label(cast, incident),
        worst.frame.to_string(),
        worst.distance.map(|distance| scales.distance.number(distance)).unwrap_or_default(),
        marked(worst, worst.depth, &scales.depth),
        marked(worst, worst.volume, &scales.volume),
        grouped(worst.triangle_pairs),
        worst.point.map(point).unwrap_or_default(),
        parts(cast, part_names, incident),
    ]
}

fn range(low: &str, high: &str) -> String {
    if low == high { low.to_owned() } else { format!("{low}–{high}") }
}

/// The head and a line per incident.
///
/// The rows are made twice, to be measured and to be written, because there may be millions.
fn write_rows(out: &mut impl Write, cast: &Cast, incidents: &[Incident]) -> io::Result<()> {
    let (names, mut part_names) = (short_names(cast), PartNames::default());
    let scales = Scales::new(cast, incidents);
    let mut row = |index: usize| match index.checked_sub(1) {
        None => head(&scales),
        Some(index) => row(cast, (&names, &mut part_names), &scales, &incidents[index]),
    };
    let mut widths = [0; COLUMNS];
    for index in 0..=incidents.len() {
        for (width, cell) in widths.iter_mut().zip(&row(index)) {
            *width = cell.chars().count().max(*width);
        }
    }
    let shown = shown(cast);
    for row in (0..=incidents.len()).map(row) {
        let cell = |column: usize| {
            let (cell, width) = (&row[column], widths[column]);
            if NUMBERS[column] { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        };
        let cells = (0..COLUMNS).filter(|&column| shown[column]).map(cell);
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

fn summary(cast: &Cast, account: &Account) -> String {
    let counts = &account.counts;
    let objects = count(cast.entries.len() as u64, "object");
    let (frames, pairs) = (counts.frames_examined, counts.pairs_examined);
    if let Some(reason) = &account.nothing {
        return format!("{objects}, nothing examined: {reason}");
    }
    let found = found(cast, counts);
    let found = match counts.rest_left_out {
        0 => found,
        pairs => {
            let pairs = count(pairs, "triangle pair");
            let near = if cast.wanted.clearance.is_some() { " or are as near" } else { "" };
            format!("{found}; {pairs} left out that meet{near} at rest, too (--rest count)")
        }
    };
    let found = match cast.own_left_out {
        0 => found,
        pairs => {
            let pairs = count(pairs, "pair");
            format!("{found}; {pairs} of parts that are neighbours or may touch, not compared")
        }
    };
    let found = if account.is_continuous {
        format!("{found}, {}", between::summary(counts.passings, counts.unseen))
    } else {
        found
    };
    let of = if frames == cast.frames {
        count(frames, "frame")
    } else {
        format!("{} of {}", grouped(frames), count(cast.frames, "frame"))
    };
    if frames == 0 {
        return format!("{objects}, {of} examined: no result");
    }
    // People come and go, so frames may have different numbers of pairs.
    if pairs.is_multiple_of(frames.max(1)) {
        let pairs = count(pairs / frames.max(1), "pair");
        return format!("{objects}, {pairs} × {of} examined: {found}");
    }
    format!("{objects}, {} in {of} examined: {found}", count(pairs, "pair"))
}

fn found(cast: &Cast, counts: &Counts) -> String {
    let of_kind = |kind| counts.of_kind(kind);
    let kinds = [
        ContactKind::Duplicate,
        ContactKind::Containment,
        ContactKind::Crossing,
        ContactKind::Touching,
    ];
    let kinds = kinds.map(|kind| (kind.name(), of_kind(kind)));
    let there: Vec<_> = kinds.iter().filter(|(_, number)| *number > 0).collect();
    let contacts = count(there.iter().map(|(_, number)| number).sum(), "contact");
    // What is asked of different shells only.
    let is_partly = cast.warnings.iter().any(|warning| warning.kind == options::SELF);
    let contacts = match &there[..] {
        // Said where it could be misread.
        [] if cast.wanted.is_solid() && is_partly => {
            "no contact between solids, and none within one shell, as a surface".to_owned()
        }
        [] if cast.wanted.is_solid() => "no contact between solids".to_owned(),
        [] => "no contact between surfaces".to_owned(),
        [(kind, _)] => format!("{contacts} ({kind})"),
        several => {
            let each = several.iter().map(|(kind, number)| format!("{} {kind}", grouped(*number)));
            format!("{contacts} ({})", each.collect::<Vec<_>>().join(", "))
        }
    };
    let Some(clearance) = cast.wanted.clearance else { return contacts };
    let clearance = cast.unit.text(cast.unit.reported(clearance));
    let near = match of_kind(ContactKind::Clearance) {
        0 => "nothing else".to_owned(),
        near => format!("{} more", grouped(near)),
    };
    let of = if is_partly { " between different shells" } else { "" };
    format!("{contacts}, {near} within {clearance}{of}")
}

/// The names of the objects, fit for a line of text.
fn short_names(cast: &Cast) -> Vec<String> {
    cast.entries.iter().map(|object| fitted(&object.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::frame::{Ended, FrameReport};
    use crate::result::options::Wanted;
    use elbowroom::internal::query::Mode;
    use elbowroom_motion::scene::{ContactSummary, Found, Incidents, Meeting, ObjectId};

    fn contact(frame: u32, b: u32, kind: ContactKind, touching: u64) -> Meeting {
        let contact = ContactSummary { kind, touching, ..ContactSummary::default() };
        Meeting { frame, a: ObjectId(0), b: ObjectId(b), contact: contact.into() }
    }

    fn account(frames: u32, contacts: &[Meeting]) -> Account {
        let (mut counts, mut incidents) = (Counts::default(), Incidents::new(0));
        for frame in 0..frames {
            let meetings = contacts.iter().filter(|met| met.frame == frame).cloned().collect();
            let found = Found { meetings, pairs_examined: 3, ..Found::default() };
            incidents.frame(&found.meetings);
            counts.add(&FrameReport { frame: frame as usize, found, ..FrameReport::default() });
        }
        Account {
            counts,
            incidents: incidents.finish(),
            contacts: Vec::new(),
            is_continuous: false,
            between: Vec::new(),
            spans: crate::result::spans::Spans::default(),
            ended: Ended::Whole,
            nothing: None,
        }
    }

    fn cast(frames: u64, wanted: Wanted) -> Cast {
        let entry = |name: &str| crate::result::cast::Entry {
            name: name.to_owned(),
            path: None,
            vertices: 3,
            triangles: 1,
            form: crate::result::cast::Form::Model,
            parts: Vec::new(),
            plays: None,
        };
        Cast {
            entries: ["x", "y", "z"].map(entry).into(),
            moves: true,
            fps: None,
            zero: 0,
            touching: crate::args::Touching::Count,
            wanted,
            frames,
            range: [0, frames as u32 - 1, 1],
            gap: 0,
            up: elbowroom_io::Axis::Y,
            files: Vec::new(),
            unit: crate::measure::Unit::METRES,
            warnings: Vec::new(),
            assumed: Vec::new(),
            allows_left_out: false,
            own: None,
            own_left_out: 0,
            refit: crate::args::Refit::Auto,
            counts: false,
        }
    }

    #[test]
    fn the_worst_come_first_and_few_are_shown() {
        let contacts = [
            contact(0, 1, ContactKind::Touching, 2),
            contact(1, 1, ContactKind::Crossing, 3),
            contact(1, 2, ContactKind::Crossing, 7),
            contact(2, 1, ContactKind::Crossing, 9),
            contact(4, 1, ContactKind::Touching, 1),
        ];
        let account = account(5, &contacts);
        let text = |top| {
            let mut text = Vec::new();
            write(&mut text, &cast(5, Wanted::default()), &account, top).expect("in memory");
            String::from_utf8(text).expect("text")
        };
        let all = "\
frames  a  b  kind      worst  triangle pairs
0–2     x  y  crossing      2               9
1       x  z  crossing      1               7
4       x  y  touching      4               1

3 objects, 3 pairs × 5 frames examined: 5 contacts (3 crossing, 2 touching)
";
        assert_eq!(text(0), all);
        let one = text(1);
        assert!(one.contains("\n2 more; --top 0 shows all\n") && !one.contains("x  z"), "{one}");
    }

    #[test]
    fn nothing_is_said_with_care() {
        let plain = cast(1, Wanted::default());
        assert_eq!(found(&plain, &Counts::default()), "no contact between surfaces");
        let wanted = Wanted { clearance: Some(0.5), mode: Mode::Solid, ..Wanted::default() };
        let near = account(1, &[contact(0, 1, ContactKind::Clearance, 0)]);
        assert_eq!(
            found(&cast(1, wanted), &near.counts),
            "no contact between solids, 1 more within 50 cm"
        );
    }
}
