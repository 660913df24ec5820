//! Reports for people: tables with their numbers in line, then one paragraph a claim.

use std::io::{self, Write};

use elbowroom_lab::{Cell, Claim, EXPERIMENTS, Experiment, Report, Table, Verdict};

use crate::messages::{count, grouped};

/// Where running text is broken.
const WIDTH: usize = 96;

/// One line an experiment.
pub(super) fn list(out: &mut dyn Write) -> io::Result<()> {
    let widest =
        |of: fn(&Experiment) -> &str| EXPERIMENTS.iter().map(|e| width(of(e))).max().unwrap_or(0);
    let (ids, places) = (widest(|e| e.id), widest(|e| e.place));
    let mut paper = "";
    for e in EXPERIMENTS {
        if e.paper != paper {
            paper = e.paper;
            writeln!(out, "{paper}")?;
        }
        writeln!(out, "  {}  {}  {}", padded(e.id, ids), padded(e.place, places), e.title)?;
    }
    writeln!(out, "\nRun one with `elbowroom lab run ID`, or `all`; --quick takes seconds.")
}

/// All that came of an experiment.
pub(super) fn report(
    out: &mut dyn Write,
    experiment: &Experiment,
    report: &Report,
) -> io::Result<()> {
    writeln!(out, "{}: {}", report.id, report.title)?;
    writeln!(out, "{}, {}\n", experiment.paper, experiment.place)?;
    paragraph(out, "", "", &report.what)?;
    for table in &report.tables {
        writeln!(out)?;
        write_table(out, table)?;
    }
    writeln!(out, "\nWhat the paper says, and what comes out")?;
    for claim in &report.claims {
        writeln!(out)?;
        write_claim(out, claim)?;
    }
    if !report.notes.is_empty() {
        writeln!(out)?;
    }
    for note in &report.notes {
        paragraph(out, "Note: ", "      ", note)?;
    }
    writeln!(out, "\n{}", tally([report]))
}

/// One line for all reports together.
pub(super) fn summary(out: &mut dyn Write, reports: &[Report]) -> io::Result<()> {
    let experiments = count(reports.len() as u64, "experiment");
    writeln!(out, "\nIn all: {experiments}, {}", tally(reports))
}

/// How many claims there are, and how many of each verdict.
fn tally<'a>(reports: impl IntoIterator<Item = &'a Report>) -> String {
    let claims: Vec<&Claim> = reports.into_iter().flat_map(|report| &report.claims).collect();
    let verdicts = [
        (Verdict::Holds, "as printed"),
        (Verdict::HoldsWithAnotherNumber, "with another number"),
        (Verdict::DoesNotHold, "not"),
        (Verdict::NotTestable, "could not be tested"),
    ];
    let met = verdicts.map(|(verdict, name)| {
        let met = claims.iter().filter(|claim| claim.verdict == verdict).count();
        (met > 0).then(|| format!("{met} {name}"))
    });
    let met: Vec<String> = met.into_iter().flatten().collect();
    let failed = claims.iter().filter(|claim| claim.failed()).count();
    let gates = match failed {
        0 => "all that have to hold do".to_owned(),
        n => format!("{n} of those that have to hold DO NOT"),
    };
    format!("{}: {}; {gates}.", count(claims.len() as u64, "claim"), met.join(", "))
}

fn write_claim(out: &mut dyn Write, claim: &Claim) -> io::Result<()> {
    let sign = match claim.verdict {
        Verdict::Holds => '✓',
        Verdict::HoldsWithAnotherNumber => '≈',
        Verdict::DoesNotHold => '✗',
        Verdict::NotTestable => '?',
    };
    let clock = if claim.timed { " (by the clock)" } else { "" };
    let failed = if claim.failed() { " BUT HAS TO" } else { "" };
    writeln!(out, "{sign} {}  {}{failed}{clock}", claim.id, claim.verdict.name())?;
    paragraph(out, "    ", "    ", &claim.claim)?;
    paragraph(out, "    paper  ", "           ", &claim.paper)?;
    paragraph(out, "    here   ", "           ", &claim.ours)?;
    if !claim.why.is_empty() {
        paragraph(out, "    ", "    ", &claim.why)?;
    }
    Ok(())
}

fn write_table(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    writeln!(out, "{}", table.title)?;
    let shown: Vec<Vec<String>> =
        table.rows.iter().map(|row| row.iter().map(show).collect()).collect();
    let columns: Vec<Layout> =
        (0..table.columns.len()).map(|column| Layout::of(table, &shown, column)).collect();
    let heads = columns.iter().map(|column| column.head.len()).max().unwrap_or(0);
    for line in 0..heads {
        // Short heads stand at the bottom, next to their numbers.
        let cells = columns.iter().map(|column| {
            let from = heads - column.head.len();
            line.checked_sub(from).map_or("", |i| &column.head[i])
        });
        write_row(out, &columns, cells)?;
    }
    let rules: Vec<String> = columns.iter().map(|column| "─".repeat(column.width)).collect();
    write_row(out, &columns, rules.iter().map(String::as_str))?;
    for row in &shown {
        write_row(out, &columns, row.iter().map(String::as_str))?;
    }
    Ok(())
}

/// How a column is set.
struct Layout {
    head: Vec<String>,
    width: usize,
    /// Words begin in line; numbers end in line.
    is_text: bool,
}

impl Layout {
    fn of(table: &Table, shown: &[Vec<String>], column: usize) -> Self {
        let widest = shown.iter().map(|row| width(&row[column])).max().unwrap_or(0);
        let head = wrapped(&table.columns[column], widest.max(9));
        let width = head.iter().map(|line| width(line)).max().unwrap_or(0).max(widest);
        let is_text =
            !table.rows.iter().any(|row| matches!(row[column], Cell::Count(_) | Cell::Number(_)));
        Self { head, width, is_text }
    }
}

fn write_row<'a>(
    out: &mut dyn Write,
    columns: &[Layout],
    cells: impl Iterator<Item = &'a str>,
) -> io::Result<()> {
    let mut line = String::new();
    for (column, cell) in columns.iter().zip(cells) {
        let blank = " ".repeat(column.width - width(cell));
        let (before, after) = if column.is_text { ("", &*blank) } else { (&*blank, "") };
        line.extend(["  ", before, cell, after]);
    }
    writeln!(out, "{}", line.trim_end())
}

fn show(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(n) => grouped(*n),
        Cell::Number(x) => number(*x),
        Cell::Missing => "–".to_owned(),
    }
}

/// Four digits that matter.
#[expect(clippy::cast_sign_loss, reason = "magnitudes are never negative")]
fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_owned()
    } else if !(1e-4..1e7).contains(&size) {
        format!("{x:.2e}")
    } else if size >= 1000.0 {
        let sign = if x < 0.0 { "-" } else { "" };
        format!("{sign}{}", grouped(size.round() as u64))
    } else {
        let powers = [100.0, 10.0, 1.0, 0.1, 0.01, 0.001];
        let decimals = powers.iter().position(|&power| size >= power).unwrap_or(powers.len()) + 1;
        format!("{x:.decimals$}")
    }
}

fn paragraph(out: &mut dyn Write, first: &str, rest: &str, text: &str) -> io::Result<()> {
    for (i, line) in wrapped(text, WIDTH - width(first)).iter().enumerate() {
        writeln!(out, "{}{line}", if i == 0 { first } else { rest })?;
    }
    Ok(())
}

/// Words in lines of at most this many characters, unless a word is longer.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line from the start");
        if line.is_empty() {
            line.push_str(word);
        } else if width(line) + 1 + width(word) <= most {
            line.extend([" ", word]);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// Characters, which is what a terminal counts for all that is written here.
fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_show_what_matters() {
        let shown =
            [0.0, 1.0, 12.345, 0.012_34, 31_157.4, 1e-9, 2.5e8, -3.25, f64::NAN].map(number);
        let expected =
            ["0", "1.000", "12.35", "0.01234", "31,157", "1.00e-9", "2.50e8", "-3.250", "NaN"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn columns_stand_in_line() {
        let rows = vec![
            vec![Cell::Text("a–b".to_owned()), Cell::Count(7), Cell::Missing],
            vec![Cell::Text("c".to_owned()), Cell::Count(32_000), Cell::Number(0.5)],
        ];
        let columns = ["pair", "tests of two boxes", "ratio"].map(str::to_owned).to_vec();
        let mut out = Vec::new();
        let table = Table { title: "Work".to_owned(), columns, rows };
        write_table(&mut out, &table).expect("memory takes what is written");
        let text = String::from_utf8(out).expect("it is text");
        let expected = "\
Work
         tests of
  pair  two boxes   ratio
  ────  ─────────  ──────
  a–b           7       –
  c        32,000  0.5000
";
        assert_eq!(text, expected);
    }

    #[test]
    fn long_words_stay_whole() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("Schifffahrt", 3), ["Schifffahrt"]);
        assert_eq!(wrapped("", 3), [""]);
    }
}
