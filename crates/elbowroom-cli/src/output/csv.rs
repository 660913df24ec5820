//! Comma-separated values (RFC 4180, but for line ends, which are `\n`): contacts as they are
//! found; beside them incidents, and what is between frames.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::rows::{self, Cell, Columns};
use super::tape::{Tape, failed, named};
use super::{Stream, beside};
use crate::output::Mark;
use crate::result::cast::Cast;
use crate::result::frame::FrameReport;
use crate::result::totals::Account;
use crate::save::Draft;

pub(super) struct Csv {
    contacts: Tape,
    between: Option<Tape>,
    incidents: PathBuf,
}

impl Csv {
    pub(super) fn open(
        path: &Path,
        is_continuous: bool,
        marks: Option<&[Mark]>,
    ) -> io::Result<Self> {
        let open = |path: &Path, columns: Columns| {
            let (mut tape, is_new) = Tape::open(path, marks)?;
            if is_new {
                write_head(&mut tape, columns)?;
            }
            Ok::<_, io::Error>(tape)
        };
        let contacts = open(path, rows::CONTACTS)?;
        let between = is_continuous.then(|| open(&beside(path, "between"), rows::BETWEEN));
        Ok(Self { contacts, between: between.transpose()?, incidents: beside(path, "incidents") })
    }
}

impl Stream for Csv {
    fn frame(&mut self, cast: &Cast, report: &FrameReport) -> io::Result<()> {
        for contact in &report.found.meetings {
            write_row(&mut self.contacts, &rows::contact(cast, contact))?;
        }
        if let Some(between) = &mut self.between {
            for passing in &report.between {
                write_row(between, &rows::passing(cast, passing))?;
            }
        }
        Ok(())
    }

    fn settle(&mut self) -> io::Result<Vec<Mark>> {
        let tapes = std::iter::once(&mut self.contacts).chain(&mut self.between);
        let marks = tapes.map(Tape::settle).collect::<io::Result<Vec<_>>>()?;
        Ok(marks.into_iter().flatten().collect())
    }

    fn keep(&mut self) {
        self.contacts.keep();
        self.between.iter_mut().for_each(Tape::keep);
    }

    fn end(&mut self, cast: &Cast, account: &Account) -> io::Result<()> {
        let mut draft = Draft::new(&self.incidents).map_err(failed)?;
        write_incidents(&mut draft.file, cast, account).map_err(named(&self.incidents))?;
        draft.finish().map_err(failed)?;
        // What was asked for by name comes last: where it is, the rest is.
        self.between.iter_mut().try_for_each(Tape::finish)?;
        self.contacts.finish()
    }

    fn discard(&mut self) {
        self.contacts.discard();
        self.between.iter_mut().for_each(Tape::discard);
    }
}

/// Writes a table from its rows.
pub(super) fn write(
    path: &Path,
    columns: Columns,
    rows: &mut dyn Iterator<Item = io::Result<Vec<Cell>>>,
) -> io::Result<()> {
    let mut draft = Draft::new(path).map_err(failed)?;
    let mut out = BufWriter::new(&mut draft.file);
    write_head(&mut out, columns)?;
    for row in rows {
        write_row(&mut out, &row?).map_err(named(path))?;
    }
    out.flush().map_err(named(path))?;
    drop(out);
    draft.finish().map_err(failed)
}

fn write_incidents(out: &mut impl Write, cast: &Cast, account: &Account) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    write_head(&mut out, rows::INCIDENTS)?;
    for (index, incident) in account.incidents.iter().enumerate() {
        write_row(&mut out, &rows::incident(cast, index, incident))?;
    }
    out.flush()
}

fn write_head(out: &mut impl Write, columns: Columns) -> io::Result<()> {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    writeln!(out, "{}", names.join(","))
}

fn write_row(out: &mut impl Write, row: &[Cell]) -> io::Result<()> {
    for (index, cell) in row.iter().enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        match cell {
            Cell::Empty => {}
            Cell::Whole(value) => write!(out, "{value}")?,
            // As many digits as it takes to read the same number back.
            Cell::Number(value) => write!(out, "{value:?}")?,
            Cell::Text(text) => write_text(out, text)?,
        }
    }
    out.write_all(b"\n")
}

/// What a spreadsheet takes for the beginning of a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Text, quoted where it must be. Before what a spreadsheet would compute an apostrophe makes it
/// text there; names are from files, and files from anywhere.
fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    if text.starts_with(FORMULA) {
        return write_text(out, &format!("'{text}"));
    }
    if text.contains(['"', ',', '\n', '\r']) {
        write!(out, "\"{}\"", text.replace('"', "\"\""))
    } else {
        out.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_break_a_line_is_quoted() {
        let row = [
            Cell::Text("a,b".to_owned()),
            Cell::Text("say \"hi\"\n".to_owned()),
            Cell::Empty,
            Cell::Whole(-3),
            Cell::Number(1e-7),
            Cell::Number(0.1),
            Cell::Text("=1+1".to_owned()),
            Cell::Text("@a,b".to_owned()),
            Cell::Text("a=b-c".to_owned()),
            Cell::Number(-0.5),
        ];
        let mut text = Vec::new();
        write_row(&mut text, &row).expect("written to memory");
        let text = String::from_utf8(text).expect("text");
        assert_eq!(text, "\"a,b\",\"say \"\"hi\"\"\n\",,-3,1e-7,0.1,'=1+1,\"'@a,b\",a=b-c,-0.5\n");
    }
}
