//! Findings for people: a table of contacts, and a line that says how much was examined.
//!
//! Frames in a row in which the same two objects meet in the same way share a line of the table. Where all
//! files lie in one directory, the table leaves it out of their names.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use elbowroom::query::{Inside, Kind, Through};
use elbowroom::scene::Overlap;

use crate::between;
use crate::cast::Cast;
use crate::check::{Contact, Findings};
use crate::meaning::{self, Place};
use crate::words::{count, grouped, printable, short};

/// Writes the table, if there is a contact, and the summary in any case.
pub(crate) fn write(out: &mut impl Write, cast: &Cast, findings: &Findings) -> io::Result<()> {
    if !findings.contacts.is_empty() {
        write_rows(out, cast, &runs(&findings.contacts))?;
        writeln!(out)?;
    }
    if let Some(passings) = &findings.between {
        between::write(out, cast, &short_names(cast), passings)?;
    }
    writeln!(out, "{}", summary(cast, findings))?;
    match deepest(cast, &findings.contacts) {
        Some(line) => writeln!(out, "{line}"),
        None => Ok(()),
    }
}

/// The deepest contact of all, and what deep means; nothing if nobody asked or nothing is deep.
fn deepest(cast: &Cast, contacts: &[Contact]) -> Option<String> {
    let overlap = |contact: &&Contact| overlap(contact).map_or(0.0, |overlap| overlap.depth);
    let worst = contacts.iter().max_by(|p, q| overlap(p).total_cmp(&overlap(q)))?;
    let found = self::overlap(worst).filter(|found| found.depth > 0.0)?;
    let names = short_names(cast);
    let frame = if cast.moves { format!(", frame {}", worst.frame) } else { String::new() };
    let unit = if cast.fps.is_some() { " m" } else { "" };
    Some(format!(
        "deepest: {}{unit} ({}, {}{frame}); depth is {}",
        deep(&found),
        names[worst.a],
        names[worst.b],
        meaning::DEPTH
    ))
}

fn overlap(contact: &Contact) -> Option<Overlap> {
    contact.touch.meaning.as_deref().and_then(|meaning| meaning.overlap)
}

/// A depth; one that is but likely is marked.
fn deep(overlap: &Overlap) -> String {
    marked(overlap, overlap.depth)
}

fn marked(overlap: &Overlap, value: f64) -> String {
    let mark = if overlap.certainty.is_exact() { "" } else { "~" };
    format!("{mark}{}", short(value))
}

/// Consecutive frames in which two objects meet in the same way.
struct Run {
    first: usize,
    last: usize,
    a: usize,
    b: usize,
    label: Label,
    through: Through,
    fewest: u64,
    most: u64,
    /// The smallest distance.
    distance: Option<f64>,
    /// Where they meet in the frame with the longest curve.
    place: Option<Place>,
    /// In the frame in which they are deepest, and the largest volume in any.
    overlap: Option<Overlap>,
    volume: f64,
    /// Pairs of triangles over all its frames, by pair of parts.
    parts: HashMap<(u32, u32), u64>,
}

/// How two objects meet, as one line of the table has it.
#[derive(Clone, Copy, PartialEq)]
struct Label {
    kind: Kind,
    inside: Option<Inside>,
    is_estimate: bool,
}

impl Label {
    fn of(contact: &Contact) -> Self {
        let meaning = contact.touch.meaning.as_deref();
        Self {
            kind: contact.touch.kind,
            inside: meaning.and_then(|meaning| meaning.inside),
            is_estimate: meaning.is_some_and(meaning::Meaning::is_estimate),
        }
    }

    fn text(self, through: Through) -> String {
        let kind = match self.inside {
            Some(Inside::First) => "a in b",
            Some(Inside::Second) => "b in a",
            _ => self.kind.name(),
        };
        let through = match meaning::through(through) {
            Some("a") => ", a through b",
            Some("b") => ", b through a",
            Some(_) => ", through each other",
            None => "",
        };
        format!("{kind}{through}{}", if self.is_estimate { " (estimate)" } else { "" })
    }
}

impl Run {
    fn new(contact: &Contact) -> Self {
        Self {
            first: contact.frame,
            last: contact.frame,
            a: contact.a,
            b: contact.b,
            label: Label::of(contact),
            through: Through::default(),
            fewest: u64::MAX,
            most: 0,
            distance: None,
            place: None,
            overlap: None,
            volume: 0.0,
            parts: HashMap::new(),
        }
    }

    fn add(&mut self, contact: &Contact) {
        let pairs = contact.touch.triangle_pairs;
        self.last = contact.frame;
        self.fewest = self.fewest.min(pairs);
        self.most = self.most.max(pairs);
        self.add_parts(contact);
        let Some(meaning) = contact.touch.meaning.as_deref() else { return };
        self.through.a_through_b |= meaning.through.a_through_b;
        self.through.b_through_a |= meaning.through.b_through_a;
        let is_nearer = |new: &f64| self.distance.is_none_or(|old| *new < old);
        let nearer = meaning.distance.filter(is_nearer);
        let is_longer = |new: &Place| self.place.is_none_or(|old| new.length > old.length);
        let is_shown = |new: &Place| nearer.is_some() || is_longer(new);
        self.place = meaning.place.filter(is_shown).or(self.place);
        self.distance = nearer.or(self.distance);
        if let Some(new) = meaning.overlap {
            self.volume = self.volume.max(new.volume);
            let is_deeper = self.overlap.is_none_or(|old| new.depth > old.depth);
            self.overlap = if is_deeper { Some(new) } else { self.overlap };
        }
    }

    fn add_parts(&mut self, contact: &Contact) {
        for pair in &contact.touch.parts {
            *self.parts.entry((pair.a, pair.b)).or_default() += pair.triangle_pairs;
        }
    }

    /// The parts that meet the most, in words.
    fn parts(&self, cast: &Cast) -> String {
        let mut ranked: Vec<_> = self.parts.iter().map(|(&pair, &count)| (count, pair)).collect();
        ranked.sort_unstable_by_key(|&(count, pair)| (std::cmp::Reverse(count), pair));
        let (a, b) = (&cast.entries[self.a].parts, &cast.entries[self.b].parts);
        let name = |&(_, (i, j)): &(u64, (u32, u32))| {
            format!("{}–{}", printable(&a[i as usize]), printable(&b[j as usize]))
        };
        let text = ranked.iter().take(PARTS_SHOWN).map(name).collect::<Vec<_>>().join(", ");
        match ranked.len().saturating_sub(PARTS_SHOWN) {
            0 => text,
            more => format!("{text}, {more} more"),
        }
    }
}

/// So many pairs of parts are named in a line; the JSON has all.
const PARTS_SHOWN: usize = 2;

fn runs(contacts: &[Contact]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut latest: HashMap<(usize, usize), usize> = HashMap::new();
    for contact in contacts {
        let index = latest.entry((contact.a, contact.b)).or_insert(usize::MAX);
        let begins = |run: &Run| run.last + 1 != contact.frame || run.label != Label::of(contact);
        if runs.get(*index).is_none_or(begins) {
            *index = runs.len();
            runs.push(Run::new(contact));
        }
        runs[*index].add(contact);
    }
    runs
}

/// The cells of a line.
type Row = [String; COLUMNS];
const COLUMNS: usize = 10;

fn head() -> Row {
    let names = [
        "frames",
        "a",
        "b",
        "kind",
        "distance",
        "depth",
        "volume",
        "triangle pairs",
        "point",
        "parts",
    ];
    names.map(str::to_owned)
}

/// Which columns are numbers, and aligned to the right.
const NUMBERS: [bool; COLUMNS] = [false, false, false, false, true, true, true, true, false, false];

/// Which columns there are: none for frames where there is but one, for distances, depths and points that nobody asked for, and for
/// parts where they are not told apart.
fn shown(cast: &Cast) -> [bool; COLUMNS] {
    let has_parts = cast.entries.iter().any(|entry| !entry.parts.is_empty());
    let (distance, point) = (cast.wanted.clearance.is_some(), cast.wanted.places);
    let depth = cast.wanted.depth;
    [cast.moves, true, true, true, distance, depth, depth, true, point, has_parts]
}

fn row(cast: &Cast, names: &[String], run: &Run) -> Row {
    let point = |place: Place| place.point.to_array().map(short).join(" ");
    [
        range(&run.first.to_string(), &run.last.to_string()),
        names[run.a].clone(),
        names[run.b].clone(),
        run.label.text(run.through),
        run.distance.map(short).unwrap_or_default(),
        run.overlap.as_ref().map(deep).unwrap_or_default(),
        run.overlap.map(|overlap| marked(&overlap, run.volume)).unwrap_or_default(),
        range(&grouped(run.fewest), &grouped(run.most)),
        run.place.map(point).unwrap_or_default(),
        run.parts(cast),
    ]
}

fn range(low: &str, high: &str) -> String {
    if low == high { low.to_owned() } else { format!("{low}–{high}") }
}

/// The head and a line per run.
///
/// The rows are made twice, to be measured and to be written, because there may be millions.
fn write_rows(out: &mut impl Write, cast: &Cast, runs: &[Run]) -> io::Result<()> {
    let names = short_names(cast);
    let rows = || std::iter::once(head()).chain(runs.iter().map(|run| row(cast, &names, run)));
    let mut widths = [0; COLUMNS];
    for row in rows() {
        for (width, cell) in widths.iter_mut().zip(&row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let shown = shown(cast);
    for row in rows() {
        let cell = |column: usize| {
            let (cell, width) = (&row[column], widths[column]);
            if NUMBERS[column] { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        };
        let cells = (0..COLUMNS).filter(|&column| shown[column]).map(cell);
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

fn summary(cast: &Cast, findings: &Findings) -> String {
    let objects = count(cast.entries.len() as u64, "object");
    let (frames, pairs) = (findings.frames_examined, findings.pairs_examined);
    let found = found(cast, &findings.contacts);
    let found = match &findings.between {
        Some(passings) => format!("{found}, {}", between::summary(passings)),
        None => found,
    };
    // People come and go, so frames may have different numbers of pairs.
    if pairs.is_multiple_of(frames.max(1)) {
        let pairs = count(pairs / frames.max(1), "pair");
        return format!("{objects}, {pairs} × {} examined: {found}", count(frames, "frame"));
    }
    let (pairs, frames) = (count(pairs, "pair"), count(frames, "frame"));
    format!("{objects}, {pairs} in {frames} examined: {found}")
}

fn found(cast: &Cast, contacts: &[Contact]) -> String {
    let of_kind = |kind| contacts.iter().filter(|c| c.touch.kind == kind).count() as u64;
    let kinds = [Kind::Duplicate, Kind::Containment, Kind::Crossing, Kind::Touching];
    let kinds = kinds.map(|kind| (kind.name(), of_kind(kind)));
    let there: Vec<_> = kinds.iter().filter(|(_, number)| *number > 0).collect();
    let contacts = count(there.iter().map(|(_, number)| number).sum(), "contact");
    let contacts = match &there[..] {
        // Said where it could be misread.
        [] if cast.wanted.is_solid() => "no contact between solids".to_owned(),
        [] => "no contact between surfaces".to_owned(),
        [(kind, _)] => format!("{contacts} ({kind})"),
        several => {
            let each = several.iter().map(|(kind, number)| format!("{} {kind}", grouped(*number)));
            format!("{contacts} ({})", each.collect::<Vec<_>>().join(", "))
        }
    };
    let Some(clearance) = cast.wanted.clearance else { return contacts };
    let unit = if cast.fps.is_some() { " m" } else { "" };
    let near = match of_kind(Kind::Clearance) {
        0 => "nothing else".to_owned(),
        near => format!("{} more", grouped(near)),
    };
    format!("{contacts}, {near} within {}{unit}", short(clearance))
}

/// The names of the objects without the directory that all their files share, fit for a line of text.
fn short_names(cast: &Cast) -> Vec<String> {
    let paths: Vec<&Path> = cast.entries.iter().filter_map(|o| o.path.as_deref()).collect();
    let shared = shared_directory(&paths).map(|directory| directory.display().to_string());
    let shorten = |name: &str| {
        let shared = shared.as_deref().unwrap_or_default();
        let short = name.strip_prefix(shared).unwrap_or(name);
        let short = short.trim_start_matches(std::path::MAIN_SEPARATOR);
        if shared.is_empty() || short.is_empty() { printable(name) } else { printable(short) }
    };
    cast.entries.iter().map(|object| shorten(&object.name)).collect()
}

fn shared_directory<'a>(paths: &[&'a Path]) -> Option<&'a Path> {
    let (first, others) = paths.split_first()?;
    let mut directories = first.ancestors().skip(1);
    directories.find(|directory| others.iter().all(|path| path.starts_with(directory)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examine::Touch;
    use crate::meaning::Wanted;
    use elbowroom::query::Mode;
    use std::rc::Rc;

    fn contact(frame: usize, b: usize, kind: Kind, triangle_pairs: u64) -> Contact {
        let parts = Box::new([]);
        let touch = Touch {
            kind,
            meaning: None,
            triangle_pairs,
            crossing_pairs: 0,
            parts,
            triangles: None,
        };
        Contact { frame, a: 0, b, touch: Rc::new(touch) }
    }

    #[test]
    fn frames_in_a_row_share_a_line() {
        let contacts = [
            contact(0, 1, Kind::Touching, 2),
            contact(1, 1, Kind::Crossing, 3),
            contact(1, 2, Kind::Crossing, 7),
            contact(2, 1, Kind::Crossing, 9),
            contact(2, 2, Kind::Crossing, 7),
            contact(4, 1, Kind::Crossing, 1),
        ];
        let runs: Vec<_> = runs(&contacts)
            .iter()
            .map(|run| (run.first, run.last, run.b, run.fewest, run.most))
            .collect();
        let expected = [(0, 0, 1, 2, 2), (1, 2, 1, 3, 9), (1, 2, 2, 7, 7), (4, 4, 1, 1, 1)];
        assert_eq!(runs, expected);
        let cast = |wanted| Cast {
            entries: Vec::new(),
            moves: true,
            fps: None,
            touching: crate::args::Touching::Count,
            wanted,
        };
        let plain = cast(Wanted::default());
        assert_eq!(found(&plain, &contacts), "6 contacts (5 crossing, 1 touching)");
        assert_eq!(found(&plain, &[]), "no contact between surfaces");
        let near =
            cast(Wanted { clearance: Some(0.5), mode: Mode::Solid, places: false, depth: false });
        assert_eq!(
            found(&near, &[contact(0, 1, Kind::Clearance, 0)]),
            "no contact between solids, 1 more within 0.5"
        );
    }

    #[test]
    fn names_lose_the_directory_they_share() {
        let shared = |paths: &[&str]| {
            let paths: Vec<&Path> = paths.iter().map(Path::new).collect();
            shared_directory(&paths).map(|p| p.display().to_string())
        };
        assert_eq!(shared(&["/x/y/a.obj", "/x/y/b.obj"]).as_deref(), Some("/x/y"));
        assert_eq!(shared(&["/x/y/a.obj", "/x/z/b.obj"]).as_deref(), Some("/x"));
        assert_eq!(shared(&["a.obj", "x/b.obj"]).as_deref(), Some(""));
        assert_eq!(shared(&[]), None);
        assert_eq!(printable("a\nb\u{1b}[31m"), "a\\nb\\u{1b}[31m");
    }
}
