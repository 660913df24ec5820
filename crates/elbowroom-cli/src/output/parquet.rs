//! Parquet, column by column, as data frames read it: contacts, incidents, what is between frames,
//! each in a file.
//!
//! Such a file cannot be cut back and gone on with, so rows are spooled beside it as lines while
//! the work goes on, and the file is made of the spool at the end. Rows are grouped by their number
//! alone, so that the same rows make the same bytes, however often they were interrupted. A group
//! is written column after column and so must be in memory as a whole: it is held as columns, where
//! what was not asked for takes two bytes, and is small.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::Field;
use parquet::schema::types::Type as Schema;

use super::rows::{self, Cell, Columns, Type};
use super::tape::{Tape, failed, named};
use super::{Stream, beside};
use crate::output::Mark;
use crate::result::cast::{Cast, Entry};
use crate::result::frame::FrameReport;
use crate::result::totals::Account;
use crate::save::Draft;

/// Rows in a group, which are held in memory until they are written: at most 3 MB.
const GROUP: usize = 1 << 13;

pub(super) struct Parquet {
    contacts: Table,
    between: Option<Table>,
    incidents: PathBuf,
}

/// A file and the rows that it will be made of.
struct Table {
    path: PathBuf,
    spool: Tape,
    columns: Columns,
}

impl Table {
    fn open(path: PathBuf, columns: Columns, marks: Option<&[Mark]>) -> io::Result<Self> {
        let (spool, _) = Tape::open(&rows_of(&path), marks)?;
        Ok(Self { path, spool, columns })
    }

    fn push(&mut self, row: &[Cell]) -> io::Result<()> {
        serde_json::to_writer(&mut self.spool, row)?;
        self.spool.write_all(b"\n")
    }

    /// Makes the file of all rows so far.
    fn make(&mut self, about: &[(&str, String)]) -> io::Result<()> {
        let lines = BufReader::new(self.spool.reader()?).lines();
        let row = |line: io::Result<String>| Ok(serde_json::from_str(&line?)?);
        write(&self.path, self.columns, about, lines.map(row))
    }
}

/// The file of each object, by the object's name.
fn paths(cast: &Cast) -> BTreeMap<&str, String> {
    let path = |entry: &Entry| entry.path.as_ref().map(|path| path.display().to_string());
    cast.entries.iter().filter_map(|entry| Some((entry.name.as_str(), path(entry)?))).collect()
}

/// What the spool of a file is called; it never gets there, but its draft is named after it.
pub(super) fn rows_of(path: &Path) -> PathBuf {
    let mut rows = path.to_owned().into_os_string();
    rows.push(".rows");
    rows.into()
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
        for contact in &report.found.meetings {
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

    fn keep(&mut self) {
        self.contacts.spool.keep();
        self.between.iter_mut().for_each(|table| table.spool.keep());
    }

    fn end(&mut self, cast: &Cast, account: &Account) -> io::Result<()> {
        let counts = &account.counts;
        let metres = cast.unit.metres().map(|metres| metres.to_string());
        let about = [
            ("elbowroom.version", env!("CARGO_PKG_VERSION").to_owned()),
            ("elbowroom.complete", account.is_complete(cast).to_string()),
            ("elbowroom.frames_examined", counts.frames_examined.to_string()),
            ("elbowroom.pairs_examined", counts.pairs_examined.to_string()),
            ("elbowroom.unit", cast.unit.name().unwrap_or_default()),
            ("elbowroom.metres_per_unit", metres.unwrap_or_default()),
            ("elbowroom.warnings", serde_json::to_string(&cast.warnings)?),
            ("elbowroom.assumed", serde_json::to_string(&cast.assumed)?),
            ("elbowroom.paths", serde_json::to_string(&paths(cast))?),
        ];
        for table in std::iter::once(&mut self.contacts).chain(&mut self.between) {
            table.make(&about)?;
        }
        let ranked = account.incidents.iter().enumerate();
        let ranked = ranked.map(|(index, incident)| Ok(rows::incident(cast, index, incident)));
        write(&self.incidents, rows::INCIDENTS, &about, ranked)?;
        // The rows are needed to go on; when all is done, they are not needed.
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

/// Writes a table from its rows.
pub(super) fn write(
    path: &Path,
    columns: Columns,
    about: &[(&str, String)],
    rows: impl Iterator<Item = io::Result<Vec<Cell>>>,
) -> io::Result<()> {
    let draft = Draft::new(path).map_err(failed)?;
    let file = draft.file.try_clone()?;
    fill(file, columns, about, rows).map_err(named(path))?;
    draft.finish().map_err(failed)
}

/// The columns of a table that was written so, by their names; a column that it does not have is
/// empty.
///
/// # Errors
/// If it cannot be read, or has none of the columns but the first.
pub(crate) fn read(path: &Path, columns: Columns) -> io::Result<Vec<Vec<Cell>>> {
    let file = File::open(path)?;
    let reader = SerializedFileReader::new(file).map_err(io::Error::other)?;
    let schema = reader.metadata().file_metadata().schema();
    let names: Vec<&str> = schema.get_fields().iter().map(|field| field.name()).collect();
    if let Some((missing, _)) = columns.iter().find(|(name, _)| !names.contains(name)) {
        return Err(io::Error::other(format!("has no column {missing}")));
    }
    let mut rows = Vec::new();
    for row in reader.get_row_iter(None).map_err(io::Error::other)? {
        let mut cells = vec![Cell::Empty; columns.len()];
        for (name, field) in row.map_err(io::Error::other)?.get_column_iter() {
            let place = columns.iter().position(|(known, _)| known == name);
            if let Some(place) = place {
                cells[place] = match field {
                    Field::Long(value) => Cell::Whole(*value),
                    Field::Double(value) => Cell::Number(*value),
                    Field::Str(text) => Cell::Text(text.clone()),
                    _ => Cell::Empty,
                };
            }
        }
        rows.push(cells);
    }
    Ok(rows)
}

fn fill(
    file: File,
    columns: Columns,
    about: &[(&str, String)],
    mut rows: impl Iterator<Item = io::Result<Vec<Cell>>>,
) -> io::Result<()> {
    let about = about.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone()));
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(about.collect()))
        .build();
    let mut writer = SerializedFileWriter::new(file, schema(columns)?, Arc::new(properties))
        .map_err(io::Error::other)?;
    let mut group = Group::new(columns);
    loop {
        for row in rows.by_ref().take(GROUP) {
            group.push(&row?);
        }
        if group.is_empty() {
            break;
        }
        group.write(&mut writer).map_err(io::Error::other)?;
    }
    writer.close().map_err(io::Error::other)?;
    Ok(())
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

/// The rows of a group, as columns.
struct Group {
    columns: Vec<Column>,
}

/// Which rows have a value, and the values.
struct Column {
    levels: Vec<i16>,
    values: Values,
}

enum Values {
    Whole(Vec<i64>),
    Number(Vec<f64>),
    /// Names come again and again; each is held once.
    Text(Vec<ByteArray>, HashMap<String, ByteArray>),
}

impl Group {
    fn new(columns: Columns) -> Self {
        let column = |(_, kind): &(&str, Type)| Column {
            levels: Vec::new(),
            values: match kind {
                Type::Whole => Values::Whole(Vec::new()),
                Type::Number => Values::Number(Vec::new()),
                Type::Text => Values::Text(Vec::new(), HashMap::new()),
            },
        };
        Self { columns: columns.iter().map(column).collect() }
    }

    fn is_empty(&self) -> bool {
        self.columns.iter().all(|column| column.levels.is_empty())
    }

    fn push(&mut self, row: &[Cell]) {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            column.levels.push(i16::from(*cell != Cell::Empty));
            match (&mut column.values, cell) {
                (Values::Whole(values), Cell::Whole(value)) => values.push(*value),
                (Values::Number(values), Cell::Number(value)) => values.push(*value),
                // A number without a fraction comes back from the spool as a whole one.
                (Values::Number(values), Cell::Whole(value)) => values.push(*value as f64),
                (Values::Text(values, names), Cell::Text(text)) => {
                    if !names.contains_key(text) {
                        names.insert(text.clone(), ByteArray::from(text.as_str()));
                    }
                    values.push(names[text].clone());
                }
                _ => debug_assert_eq!(*cell, Cell::Empty, "a cell of another type"),
            }
        }
    }

    /// Writes all rows, and is empty again.
    fn write(&mut self, writer: &mut SerializedFileWriter<File>) -> parquet::errors::Result<()> {
        let mut group = writer.next_row_group()?;
        for Column { levels, values } in &mut self.columns {
            let Some(mut column) = group.next_column()? else { break };
            let levels = std::mem::take(levels);
            match values {
                Values::Whole(values) => {
                    let values = std::mem::take(values);
                    column.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
                }
                Values::Number(values) => {
                    let values = std::mem::take(values);
                    column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
                }
                Values::Text(values, names) => {
                    let values = std::mem::take(values);
                    names.clear();
                    column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
                }
            }
            column.close()?;
        }
        group.close()?;
        Ok(())
    }
}
