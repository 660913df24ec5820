//! What an experiment gives: tables, charts and claims, as data.

use serde::{Deserialize, Serialize};

use crate::chart::Chart;
use crate::claim::Claim;
use crate::name::{self, Name};

/// What came of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The experiment's name, such as `obbtree-table1`.
    #[serde(deserialize_with = "name::kept")]
    pub id: Name,
    /// The subject of the experiment.
    pub title: String,
    /// What the paper did, and how it is rebuilt here.
    pub what: String,
    /// What was measured.
    pub tables: Vec<Table>,
    /// What was measured, to look at.
    pub charts: Vec<Chart>,
    /// What the paper says, and what of it holds.
    pub claims: Vec<Claim>,
    /// What a reader should know besides.
    pub notes: Vec<String>,
}

impl Report {
    /// The claims that had to hold and do not.
    pub fn failed(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(|claim| claim.failed())
    }
}

/// Numbers in rows and columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What the numbers are.
    pub title: String,
    /// The columns' names, with their unit; a column of times has the word "time" in its name.
    pub columns: Vec<String>,
    /// Each as long as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table.
    pub(crate) fn new<const N: usize>(title: &str, columns: [&str; N]) -> Self {
        Self {
            title: title.to_owned(),
            columns: columns.map(str::to_owned).to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        let cells = cells.into();
        debug_assert_eq!(cells.len(), self.columns.len(), "a row of {:?}", self.title);
        self.rows.push(cells);
    }
}

/// One place in a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// Words.
    Text(String),
    /// How many: exact, and the same in every run.
    Count(u64),
    /// How much.
    Number(f64),
    /// Nothing was measured here.
    Missing,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

impl From<u32> for Cell {
    fn from(count: u32) -> Self {
        Self::Count(u64::from(count))
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

/// What could not be measured is missing.
impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

/// A count in words, with commas between its thousands.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(
            [0, 999, 1000, 32_000, 1_050_000].map(grouped),
            ["0", "999", "1,000", "32,000", "1,050,000"]
        );
    }
}
