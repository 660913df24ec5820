//! Findings for people: a table of contacts, and a line that says how much was examined.
//!
//! Frames in a row in which the same two objects meet in the same way share a line of the table. Where all
//! files lie in one directory, the table leaves it out of their names.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use crate::cast::Cast;
use crate::check::{Contact, Findings};
use crate::examine::Kind;
use crate::words::{count, grouped, printable};

/// Writes the table, if there is a contact, and the summary in any case.
pub(crate) fn write(out: &mut impl Write, cast: &Cast, findings: &Findings) -> io::Result<()> {
    if !findings.contacts.is_empty() {
        write_rows(out, cast, &runs(&findings.contacts))?;
        writeln!(out)?;
    }
    writeln!(out, "{}", summary(cast, findings))
}

/// Consecutive frames in which two objects meet in the same way.
struct Run {
    first: usize,
    last: usize,
    a: usize,
    b: usize,
    kind: Kind,
    fewest: u64,
    most: u64,
    /// Pairs of triangles over all its frames, by pair of parts.
    parts: HashMap<(u32, u32), u64>,
}

impl Run {
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
        let (frame, pairs) = (contact.frame, contact.touch.triangle_pairs);
        let index = latest.entry((contact.a, contact.b)).or_insert(usize::MAX);
        match runs.get_mut(*index) {
            Some(run) if run.last + 1 == frame && run.kind == contact.touch.kind => {
                run.last = frame;
                run.fewest = run.fewest.min(pairs);
                run.most = run.most.max(pairs);
                run.add_parts(contact);
            }
            _ => {
                *index = runs.len();
                let mut run = Run {
                    first: frame,
                    last: frame,
                    a: contact.a,
                    b: contact.b,
                    kind: contact.touch.kind,
                    fewest: pairs,
                    most: pairs,
                    parts: HashMap::new(),
                };
                run.add_parts(contact);
                runs.push(run);
            }
        }
    }
    runs
}

/// The cells of a line.
type Row = [String; 6];

fn head() -> Row {
    ["frames", "a", "b", "kind", "triangle pairs", "parts"].map(str::to_owned)
}

fn row(cast: &Cast, names: &[String], run: &Run) -> Row {
    [
        range(&run.first.to_string(), &run.last.to_string()),
        names[run.a].clone(),
        names[run.b].clone(),
        run.kind.name().to_owned(),
        range(&grouped(run.fewest), &grouped(run.most)),
        run.parts(cast),
    ]
}

fn range(low: &str, high: &str) -> String {
    if low == high { low.to_owned() } else { format!("{low}–{high}") }
}

/// The head and a line per run. Cells of text are aligned to the left, numbers to the right. There is no column for
/// frames where there is but one, and none for parts where they are not told apart.
///
/// The rows are made twice, to be measured and to be written, because there may be millions.
fn write_rows(out: &mut impl Write, cast: &Cast, runs: &[Run]) -> io::Result<()> {
    let names = short_names(cast);
    let rows = || std::iter::once(head()).chain(runs.iter().map(|run| row(cast, &names, run)));
    let mut widths = [0; 6];
    for row in rows() {
        for (width, cell) in widths.iter_mut().zip(&row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let first = usize::from(!cast.moves);
    let has_parts = cast.entries.iter().any(|entry| !entry.parts.is_empty());
    for row in rows() {
        let [text @ .., number, parts] = &row;
        for (cell, &width) in text.iter().zip(&widths).skip(first) {
            write!(out, "{cell:<width$}  ")?;
        }
        let width = widths[4];
        write!(out, "{number:>width$}")?;
        // The last column ends where its text does.
        if has_parts { writeln!(out, "  {parts}")? } else { writeln!(out)? }
    }
    Ok(())
}

fn summary(cast: &Cast, findings: &Findings) -> String {
    let objects = count(cast.entries.len() as u64, "object");
    let (frames, pairs) = (findings.frames_examined, findings.pairs_examined);
    let found = found(&findings.contacts);
    // People come and go, so frames may have different numbers of pairs.
    if pairs.is_multiple_of(frames.max(1)) {
        let pairs = count(pairs / frames.max(1), "pair");
        return format!("{objects}, {pairs} × {} examined: {found}", count(frames, "frame"));
    }
    let (pairs, frames) = (count(pairs, "pair"), count(frames, "frame"));
    format!("{objects}, {pairs} in {frames} examined: {found}")
}

fn found(contacts: &[Contact]) -> String {
    let total = contacts.len() as u64;
    let crossing = contacts.iter().filter(|c| c.touch.kind == Kind::Crossing).count() as u64;
    let contacts = count(total, "contact");
    match (crossing, total - crossing) {
        // Said where it could be misread: nothing here looks for one thing inside another.
        (0, 0) => "no contact between surfaces".to_owned(),
        (_, 0) => format!("{contacts} (crossing)"),
        (0, _) => format!("{contacts} (touching)"),
        (c, t) => format!("{contacts} ({} crossing, {} touching)", grouped(c), grouped(t)),
    }
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
    use std::rc::Rc;

    fn contact(frame: usize, b: usize, kind: Kind, triangle_pairs: u64) -> Contact {
        let parts = Box::new([]);
        let touch = Touch { kind, triangle_pairs, crossing_pairs: 0, parts, triangles: None };
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
        assert_eq!(found(&contacts), "6 contacts (5 crossing, 1 touching)");
        assert_eq!(found(&[]), "no contact between surfaces");
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
