//! Parquet, column by column, as data frames read it: contacts, incidents, what is between frames, each in a file.
//!
//! Such a file cannot be cut back and gone on with, so rows are spooled beside it as lines while the work goes on, and the file is made of the spool at
//! the end. Rows are grouped by their number alone, so that the same rows make the same bytes, however often they were interrupted.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type as Schema;

use super::rows::{self, Cell, Columns, Type};
use super::tape::Tape;
use super::{Stream, beside};
use crate::account::Account;
use crate::cast::Cast;
use crate::record::Mark;
use crate::report::FrameReport;
use crate::save::{Draft, Failure};

/// So many rows are grouped, and held in memory while they are written.
const GROUP: usize = 1 << 16;

pub(super) struct Parquet {
    contacts: Table,
    between: Option<Table>,
    incidents: PathBuf,
}

/// A file and the rows that it will be made of.
struct Table {
    path: PathBuf,
    rows: PathBuf,
    spool: Tape,
    columns: Columns,
}

impl Table {
    fn open(path: PathBuf, columns: Columns, marks: Option<&[Mark]>) -> io::Result<Self> {
        let mut rows = path.clone().into_os_string();
        rows.push(".rows");
        let rows = PathBuf::from(rows);
        let (spool, _) = Tape::open(&rows, marks)?;
        Ok(Self { path, rows, spool, columns })
    }

    fn push(&mut self, row: &[Cell]) -> io::Result<()> {
        serde_json::to_writer(&mut self.spool, row)?;
        self.spool.write_all(b"\n")
    }

    /// Makes the file of all rows so far.
    fn make(&mut self, about: &[(&str, String)]) -> io::Result<()> {
        self.spool.flush()?;
        let lines = BufReader::new(File::open(&self.rows)?).lines();
        let row = |line: io::Result<String>| Ok(serde_json::from_str(&line?)?);
        write(&self.path, self.columns, about, lines.map(row))
    }
}

impl Parquet {
    pub(super) fn open(
        path: &Path,
        is_continuous: bool,
        marks: Option<&[Mark]>,
    ) -> io::Result<Self> {
        let contacts = Table::open(path.to_owned(), rows::CONTACTS, marks)?;
        let between =
            is_continuous.then(|| Table::open(beside(path, "between"), rows::BETWEEN, marks));
        Ok(Self { contacts, between: between.transpose()?, incidents: beside(path, "incidents") })
    }
}

impl Stream for Parquet {
    fn frame(&mut self, cast: &Cast, report: &FrameReport) -> io::Result<()> {
        for contact in &report.contacts {
            self.contacts.push(&rows::contact(cast, contact))?;
        }
        if let Some(between) = &mut self.between {
            for passing in &report.between {
                between.push(&rows::passing(cast, passing))?;
            }
        }
        Ok(())
    }

    fn settle(&mut self) -> io::Result<Vec<Mark>> {
        let tables = std::iter::once(&mut self.contacts).chain(&mut self.between);
        let marks = tables.map(|table| table.spool.settle()).collect::<io::Result<Vec<_>>>()?;
        Ok(marks.into_iter().flatten().collect())
    }

    fn end(&mut self, cast: &Cast, account: &Account) -> io::Result<()> {
        let counts = &account.counts;
        let about = [
            ("elbowroom.version", env!("CARGO_PKG_VERSION").to_owned()),
            ("elbowroom.complete", account.is_complete(cast).to_string()),
            ("elbowroom.frames_examined", counts.frames_examined.to_string()),
            ("elbowroom.pairs_examined", counts.pairs_examined.to_string()),
        ];
        for table in std::iter::once(&mut self.contacts).chain(&mut self.between) {
            table.make(&about)?;
        }
        let ranked = account.incidents.iter().enumerate();
        let ranked = ranked.map(|(index, incident)| Ok(rows::incident(cast, index, incident)));
        write(&self.incidents, rows::INCIDENTS, &about, ranked)?;
        // The rows are needed to go on; when all is done, nobody does.
        if !account.was_interrupted() {
            self.discard();
        }
        Ok(())
    }

    fn discard(&mut self) {
        self.contacts.spool.discard();
        self.between.iter_mut().for_each(|table| table.spool.discard());
    }
}

fn write(
    path: &Path,
    columns: Columns,
    about: &[(&str, String)],
    mut rows: impl Iterator<Item = io::Result<Vec<Cell>>>,
) -> io::Result<()> {
    let draft = Draft::new(path).map_err(failed)?;
    let about = about.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone()));
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(about.collect()))
        .build();
    let file = draft.file.try_clone()?;
    let mut writer = SerializedFileWriter::new(file, schema(columns)?, Arc::new(properties))
        .map_err(io::Error::other)?;
    loop {
        let group = rows.by_ref().take(GROUP).collect::<io::Result<Vec<_>>>()?;
        if group.is_empty() {
            break;
        }
        write_group(&mut writer, columns, &group).map_err(io::Error::other)?;
    }
    writer.close().map_err(io::Error::other)?;
    draft.finish().map_err(failed)
}

fn failed(failure: Failure) -> io::Error {
    match failure {
        Failure::Refused(refusal) => io::Error::other(refusal.problems.join("; ")),
        Failure::Unwritten(problem) => io::Error::other(problem),
    }
}

fn schema(columns: Columns) -> io::Result<Arc<Schema>> {
    let field = |(name, kind): &(&str, Type)| {
        let (physical, meaning) = match kind {
            Type::Whole => (Physical::INT64, ConvertedType::NONE),
            Type::Number => (Physical::DOUBLE, ConvertedType::NONE),
            Type::Text => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
        };
        Schema::primitive_type_builder(name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_converted_type(meaning)
            .build()
            .map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>();
    let schema = fields.and_then(|fields| {
        Schema::group_type_builder("schema").with_fields(fields).build().map(Arc::new)
    });
    schema.map_err(io::Error::other)
}

fn write_group(
    writer: &mut SerializedFileWriter<File>,
    columns: Columns,
    rows: &[Vec<Cell>],
) -> parquet::errors::Result<()> {
    let mut group = writer.next_row_group()?;
    for (index, (_, kind)) in columns.iter().enumerate() {
        let cells = || rows.iter().map(move |row| &row[index]);
        let levels: Vec<i16> = cells().map(|cell| i16::from(*cell != Cell::Empty)).collect();
        let Some(mut column) = group.next_column()? else { break };
        match kind {
            Type::Whole => {
                let values: Vec<i64> = cells().filter_map(whole).collect();
                column.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
            }
            Type::Number => {
                let values: Vec<f64> = cells().filter_map(number).collect();
                column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
            }
            Type::Text => {
                let values: Vec<ByteArray> = cells().filter_map(text).collect();
                column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
            }
        }
        column.close()?;
    }
    group.close()?;
    Ok(())
}

fn whole(cell: &Cell) -> Option<i64> {
    match cell {
        Cell::Whole(value) => Some(*value),
        _ => None,
    }
}

fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Number(value) => Some(*value),
        // A number without a fraction comes back from the spool as a whole one.
        Cell::Whole(value) => Some(*value as f64),
        _ => None,
    }
}

fn text(cell: &Cell) -> Option<ByteArray> {
    match cell {
        Cell::Text(text) => Some(ByteArray::from(text.as_str())),
        _ => None,
    }
}
