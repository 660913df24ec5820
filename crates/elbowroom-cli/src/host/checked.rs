//! The result of a check that a caller keeps: tables, texts, and files when they are asked for.

use std::path::Path;

use elbowroom_motion::scene::{Found, Meeting};

use crate::host::Message;
use crate::messages::Refusal;
use crate::output::rows::{self, Cell, Columns, Type};
use crate::output::{self, Kind, html, json, table};
use crate::result::frame::FrameReport;
use crate::result::plan::Plan;
use crate::result::totals::Account;
use crate::save;

/// What a check found.
pub struct Checked {
    plan: Plan,
    account: Account,
    code: u8,
    messages: Vec<Message>,
    request: String,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    /// The name of the object.
    pub name: &'static str,
    /// The values, one for each row.
    pub values: Values,
}

/// The values of a column.
#[derive(Clone, Debug)]
pub enum Values {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Numbers; not a number where there is nothing.
    Number(Vec<f64>),
    /// Texts, if there are.
    Text(Vec<Option<String>>),
}

/// Columns of one length.
pub type Table = Vec<Column>;

/// Whole numbers that may be missing are told as numbers.
const MAY_BE_MISSING: &[&str] = &["regions"];

impl Checked {
    pub(super) fn new(
        plan: Plan,
        account: Account,
        code: u8,
        messages: Vec<Message>,
        request: String,
    ) -> Self {
        Self { plan, account, code, messages, request }
    }

    /// The exit code of the program: 0 no contact, 1 contacts, 3 incomplete.
    pub fn code(&self) -> u8 {
        self.code
    }

    /// What the program would have printed on stderr.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Contacts, by frame.
    pub fn contacts(&self) -> Table {
        let rows = self.account.contacts.iter().map(|it| rows::contact(&self.plan.cast, it));
        columns(rows::CONTACTS, rows)
    }

    /// For each contact its pairs of triangles, where they were asked for.
    pub fn triangles(&self) -> Vec<Vec<[u32; 2]>> {
        let listed = self.account.contacts.iter();
        let pairs = |met: &Meeting| met.triangles.iter().map(|pair| [pair.a, pair.b]).collect();
        listed.map(pairs).collect()
    }

    /// Incidents, the worst first.
    pub fn incidents(&self) -> Table {
        let all = self.account.incidents.iter().enumerate();
        let rows = all.map(|(index, it)| rows::incident(&self.plan.cast, index, it));
        columns(rows::INCIDENTS, rows)
    }

    /// What comes together between frames.
    pub fn between(&self) -> Table {
        let rows = self.account.between.iter().map(|it| rows::passing(&self.plan.cast, it));
        columns(rows::BETWEEN, rows)
    }

    /// The result as one JSON object.
    ///
    /// # Errors
    /// Never, as long as there is memory for it.
    pub fn json(&self) -> std::io::Result<Vec<u8>> {
        let mut text = Vec::new();
        json::write(&mut text, &self.plan.cast, &self.account)?;
        Ok(text)
    }

    /// The table that the program prints.
    ///
    /// # Errors
    /// Never, as long as there is memory for it.
    pub fn text(&self, top: usize) -> std::io::Result<Vec<u8>> {
        let mut text = Vec::new();
        table::write(&mut text, &self.plan.cast, &self.account, top)?;
        Ok(text)
    }

    /// The page.
    ///
    /// # Errors
    /// If it cannot be put together.
    pub fn page(&self) -> std::io::Result<Vec<u8>> {
        let mut text = Vec::new();
        let shot = html::container(&self.plan, &self.account.incidents);
        let notes = (self.request.as_str(), self.plan.notes.as_slice());
        html::write(&mut text, &self.plan.cast, &self.account, notes, shot.as_deref())?;
        Ok(text)
    }

    /// Writes a file by its ending, as `check -o` does.
    ///
    /// # Errors
    /// Names the file and what is wrong.
    pub fn save(&self, path: &Path) -> Result<(), String> {
        let text = |refusal: &Refusal| format!("{} ({})", refusal.text(), refusal.hint);
        let kind = output::kind(path).map_err(|refusal| text(&refusal))?;
        let unwritten = |error: std::io::Error| format!("{}: {error}", path.display());
        let whole = match kind {
            Kind::Json => self.json(),
            Kind::Html => self.page(),
            Kind::Ndjson | Kind::Csv | Kind::Parquet => return self.stream(kind, path),
        };
        let whole = whole.map_err(unwritten)?;
        save::write(path, &whole).map_err(save::Failure::text)
    }

    fn stream(&self, kind: Kind, path: &Path) -> Result<(), String> {
        let Self { plan, account, .. } = self;
        let unwritten = |error: std::io::Error| format!("{}: {error}", path.display());
        let stream = output::open(kind, path, &plan.cast, account.is_continuous, None);
        let Some(mut stream) = stream.map_err(unwritten)? else { return Ok(()) };
        let written = self.frames().try_for_each(|report| stream.frame(&plan.cast, &report));
        let written = written.and_then(|()| stream.end(&plan.cast, account));
        written.map_err(|error| {
            stream.discard();
            unwritten(error)
        })
    }

    /// The frames of which there is something to tell, as they were when they were examined.
    fn frames(&self) -> impl Iterator<Item = FrameReport> + '_ {
        let Account { counts, contacts, between, .. } = &self.account;
        let mut frames: Vec<usize> = contacts.iter().map(|met| met.frame as usize).collect();
        frames.extend(counts.unreadable.iter().map(|frame| frame.frame));
        // What comes together on the way to a frame comes with it.
        let at = |frame: f64| self.plan.frames.at_or_after(frame);
        frames.extend(between.iter().map(|passing| at(passing.frame)));
        frames.sort_unstable();
        frames.dedup();
        let of = move |frame: usize| {
            let meetings = contacts.iter().filter(|it| it.frame as usize == frame).cloned();
            Found { meetings: meetings.collect(), ..Found::default() }
        };
        frames.into_iter().map(move |frame| FrameReport {
            frame,
            found: of(frame),
            between: between.iter().filter(|it| at(it.frame) == frame).cloned().collect(),
            unreadable: counts
                .unreadable
                .iter()
                .find(|it| it.frame == frame)
                .map(|it| it.error.clone()),
        })
    }
}

fn columns(columns: Columns, rows: impl Iterator<Item = Vec<Cell>>) -> Table {
    let values = |(name, kind): &(&'static str, Type)| match kind {
        Type::Whole if !MAY_BE_MISSING.contains(name) => Values::Whole(Vec::new()),
        Type::Whole | Type::Number => Values::Number(Vec::new()),
        Type::Text => Values::Text(Vec::new()),
    };
    let mut table: Table =
        columns.iter().map(|column| Column { name: column.0, values: values(column) }).collect();
    for row in rows {
        for (column, cell) in table.iter_mut().zip(row) {
            match (&mut column.values, cell) {
                (Values::Whole(values), Cell::Whole(value)) => values.push(value),
                (Values::Number(values), Cell::Number(value)) => values.push(value),
                (Values::Number(values), Cell::Whole(value)) => values.push(value as f64),
                (Values::Text(values), Cell::Text(value)) => values.push(Some(value)),
                (Values::Number(values), _) => values.push(f64::NAN),
                (Values::Text(values), _) => values.push(None),
                (Values::Whole(_), cell) => unreachable!("{} is {cell:?}", column.name),
            }
        }
    }
    table
}
