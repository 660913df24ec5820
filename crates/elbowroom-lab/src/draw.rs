//! Charts of the experiments' tables.
//!
//! An experiment gives its numbers as tables, the paper's beside ours. Which of them are worth a
//! picture, and in which form, is said here, paper by paper, by the names of tables and columns.
//! What no table holds, such as the values behind a mean, the experiment draws itself.
//!
//! Invariants:
//! * A chart is timed if a column of times is in it, by the same word that marks those columns for
//!   readers.
//! * A table that is not in a report, such as one about data that is absent, has no chart.

mod bch;
mod cab;
mod mobb;
mod obbtree;
mod sbbk;

use crate::chart::power;
use crate::{Axis, Bar, Cell, Chart, Line, Marks, Report, Spread, Table, Whose};

/// The charts of a report's tables.
pub(crate) fn of(report: &Report) -> Vec<Chart> {
    let paper = report.id.split_once('-').map_or(report.id, |(paper, _)| paper);
    match paper {
        "obbtree" => obbtree::of(report),
        "cab" => cab::of(report),
        "sbbk" => sbbk::of(report),
        "bch" => bch::of(report),
        "mobb" => mobb::of(report),
        _ => Vec::new(),
    }
}

/// The tables with these words in their title: one, or one for each origin of the bodies or
/// motions.
fn tables<'r>(report: &'r Report, words: &str) -> impl Iterator<Item = &'r Table> {
    report.tables.iter().filter(move |table| table.title.contains(words))
}

/// A chart for each table of such a title, as long as there are names.
fn each<const N: usize>(
    report: &Report,
    words: &str,
    names: [&'static str; N],
    draw: impl Fn(Drawing) -> Chart,
) -> impl Iterator<Item = Chart> {
    tables(report, words).zip(names).map(move |(table, name)| draw(Drawing::new(table, name)))
}

/// A column by its name, or by its place where several have one name.
#[derive(Clone, Copy, Debug)]
enum Key {
    Name(&'static str),
    Place(usize),
}

impl From<&'static str> for Key {
    fn from(name: &'static str) -> Self {
        Self::Name(name)
    }
}

impl From<usize> for Key {
    fn from(place: usize) -> Self {
        Self::Place(place)
    }
}

/// Which number of a cell: `2.9 (2.3)` has ours and the paper's, `45–105` two ends.
#[derive(Clone, Copy, Debug)]
enum Read {
    First,
    InBrackets,
    AfterDash,
}

/// A column that becomes a curve or bars of one colour.
#[derive(Clone, Copy, Debug)]
struct Column {
    key: Key,
    name: &'static str,
    whose: Whose,
    read: Read,
    /// The axis that a chart is drawn over, if that is not what the others are.
    over: Option<Key>,
    factor: f64,
    is_fitted: bool,
}

/// Measured.
fn ours(key: impl Into<Key>, name: &'static str) -> Column {
    Column {
        key: key.into(),
        name,
        whose: Whose::Ours,
        read: Read::First,
        over: None,
        factor: 1.0,
        is_fitted: false,
    }
}

/// Printed in the paper.
fn paper(key: impl Into<Key>, name: &'static str) -> Column {
    Column { whose: Whose::Paper, ..ours(key, name) }
}

impl Column {
    /// With the exponent of its power law.
    fn fitted(self) -> Self {
        Self { is_fitted: true, ..self }
    }

    fn over(self, key: impl Into<Key>) -> Self {
        Self { over: Some(key.into()), ..self }
    }

    /// In another unit.
    fn times(self, factor: f64) -> Self {
        Self { factor, ..self }
    }

    fn read(self, read: Read) -> Self {
        Self { read, ..self }
    }
}

/// A chart of a table in the making.
struct Drawing<'t> {
    table: &'t Table,
    rows: Vec<&'t [Cell]>,
    chart: Chart,
}

impl<'t> Drawing<'t> {
    /// The chart has the table's title if none is given.
    fn new(table: &'t Table, name: &'static str) -> Self {
        let chart = Chart {
            name,
            title: table.title.clone(),
            x: Axis::linear(""),
            y: Axis::linear(""),
            marks: Marks::Lines(Vec::new()),
            timed: false,
        };
        Self { table, rows: table.rows.iter().map(Vec::as_slice).collect(), chart }
    }

    fn title(mut self, title: &str) -> Self {
        title.clone_into(&mut self.chart.title);
        self
    }

    /// What is seen, and whose bodies or motions these are, if the table's title says it.
    fn titled(self, title: &str) -> Self {
        let origins =
            ["generated", "MakeHuman", "CMU", "shadow hand", "Suzanne", "real helicopter"];
        let table = &self.table.title;
        let origin = origins.iter().find_map(|origin| table.find(origin)).map(|at| &table[at..]);
        let origin = origin.and_then(|origin| origin.split([',', ':', '.']).next());
        match origin {
            Some(origin) => self.title(&format!("{title}: {origin}")),
            None => self.title(title),
        }
    }

    fn axes(mut self, x: Axis, y: Axis) -> Self {
        (self.chart.x, self.chart.y) = (x, y);
        self
    }

    /// Only the rows that have these words in a column.
    fn only(mut self, key: impl Into<Key>, words: &str) -> Self {
        if let Some(place) = self.place(key.into()) {
            self.rows.retain(|row| text(&row[place]) == words);
        }
        self
    }

    /// Curves over a column.
    fn lines(mut self, x: impl Into<Key>, columns: &[Column]) -> Chart {
        let x = x.into();
        let line = |column: &Column| {
            let over = self.column(&ours(column.over.unwrap_or(x), ""));
            let points = over.into_iter().zip(self.column(column));
            let points = points.filter_map(|(x, y)| Some([x?, y?])).collect();
            self.line(column.name.to_owned(), column.whose, points, column.is_fitted)
        };
        let lines = columns.iter().filter_map(line).collect();
        self.note_times(columns);
        self.finish(Marks::Lines(lines))
    }

    /// A curve for each of what a column names.
    fn lines_by(mut self, by: impl Into<Key>, x: impl Into<Key>, y: Column) -> Chart {
        let names = self.texts(&[by.into()]);
        let (xs, ys) = (self.column(&ours(x.into(), "")), self.column(&y));
        let line = |name: String| {
            let here = names.iter().zip(xs.iter().zip(&ys)).filter(|(other, _)| **other == name);
            let points = here.filter_map(|(_, (&x, &y))| Some([x?, y?])).collect();
            self.line(name, y.whose, points, y.is_fitted)
        };
        let lines = different(&names).into_iter().filter_map(line).collect();
        self.note_times(&[y]);
        self.finish(Marks::Lines(lines))
    }

    /// One point is no curve, but it may be all that a paper prints.
    fn line(
        &self,
        name: String,
        whose: Whose,
        mut points: Vec<[f64; 2]>,
        fit: bool,
    ) -> Option<Line> {
        let is_seen = |axis: &Axis, value: f64| value.is_finite() && (!axis.is_log || value > 0.0);
        points.retain(|p| is_seen(&self.chart.x, p[0]) && is_seen(&self.chart.y, p[1]));
        let least = if whose == Whose::Ours { 2 } else { 1 };
        let slope = if fit { power(&points) } else { None };
        (points.len() >= least).then_some(Line { name, points, whose, slope })
    }

    /// Bars for each row, which is named by some columns.
    fn bars(mut self, groups: &[&'static str], columns: &[Column]) -> Chart {
        let keys: Vec<Key> = groups.iter().map(|&name| Key::Name(name)).collect();
        let groups = self.texts(&keys);
        let bar = |column: &Column| {
            let heights = self.column(column);
            let is_any = heights.iter().any(Option::is_some);
            is_any.then(|| Bar { name: column.name.to_owned(), heights, whose: column.whose })
        };
        let bars = columns.iter().filter_map(bar).collect();
        self.note_times(columns);
        self.finish(Marks::Bars { groups, bars })
    }

    /// Bars in groups that one column names, of colours that another names.
    fn bars_by(mut self, group: &'static str, by: &'static str, value: Column) -> Chart {
        let (in_group, names) = (self.texts(&[group.into()]), self.texts(&[by.into()]));
        let (values, groups) = (self.column(&value), different(&in_group));
        let height = |group: &String, name: &String| {
            let here = |i: &usize| in_group[*i] == *group && names[*i] == *name;
            (0..values.len()).find(here).and_then(|i| values[i])
        };
        let bar = |name: String| {
            let heights = groups.iter().map(|group| height(group, &name)).collect();
            Bar { heights, name, whose: value.whose }
        };
        let bars = different(&names).into_iter().map(bar).collect();
        self.note_times(&[value]);
        self.finish(Marks::Bars { groups, bars })
    }

    /// The spread of some columns.
    fn boxes(mut self, columns: &[Column]) -> Chart {
        let spread = |column: &Column| {
            let values: Vec<f64> = self.column(column).into_iter().flatten().collect();
            Spread::of(column.name, &values)
        };
        let spreads = columns.iter().filter_map(spread).collect();
        self.note_times(columns);
        self.finish(Marks::Boxes(spreads))
    }

    /// Who has the least of some columns, among what another names.
    fn least(mut self, column: &'static str, who: &'static str, of: &[Column]) -> Chart {
        let (scenes, names) = (self.texts(&[column.into()]), self.texts(&[who.into()]));
        let columns = different(&scenes);
        let cell = |scene: &String, values: &[Option<f64>]| {
            let here = (0..values.len()).filter(|&i| scenes[i] == *scene);
            let mut here: Vec<(f64, &String)> =
                here.filter_map(|i| Some((values[i]?, &names[i]))).collect();
            here.sort_by(|a, b| a.0.total_cmp(&b.0));
            match here[..] {
                [(least, who), (second, other), ..] if second < 1.005 * least => {
                    (who.clone(), format!("{other} as good"))
                }
                [(least, who), (second, other), ..] if least > 0.0 => {
                    (who.clone(), format!("{:.2} × less than {other}", second / least))
                }
                [(_, who), ..] => (who.clone(), String::new()),
                [] => Default::default(),
            }
        };
        let row = |column: &Column| {
            let values = self.column(column);
            columns.iter().map(|scene| cell(scene, &values)).collect()
        };
        let cells = of.iter().map(row).collect();
        let rows = of.iter().map(|column| column.name.to_owned()).collect();
        self.note_times(of);
        self.finish(Marks::Map { columns: columns.clone(), rows, cells })
    }

    fn finish(mut self, marks: Marks) -> Chart {
        self.chart.marks = marks;
        self.chart
    }

    fn note_times(&mut self, columns: &[Column]) {
        let keys = columns.iter().flat_map(|column| column.over.into_iter().chain([column.key]));
        let places: Vec<usize> = keys.filter_map(|key| self.place(key)).collect();
        // Who stops in time was not timed.
        let is_time = |name: &str| name.replace("in time", "").contains("time");
        self.chart.timed |= places.iter().any(|&place| is_time(&self.table.columns[place]));
    }

    fn place(&self, key: Key) -> Option<usize> {
        let columns = &self.table.columns;
        let place = match key {
            Key::Name(name) => columns.iter().position(|column| column == name),
            Key::Place(place) => (place < columns.len()).then_some(place),
        };
        debug_assert!(place.is_some(), "{key:?} is no column of {:?}", self.table.title);
        place
    }

    fn column(&self, column: &Column) -> Vec<Option<f64>> {
        let Some(place) = self.place(column.key) else { return vec![None; self.rows.len()] };
        let value = |row: &&[Cell]| Some(number(&row[place], column.read)? * column.factor);
        self.rows.iter().map(value).map(|value| value.filter(|v| v.is_finite())).collect()
    }

    fn texts(&self, keys: &[Key]) -> Vec<String> {
        let places: Vec<usize> = keys.iter().filter_map(|&key| self.place(key)).collect();
        let name = |row: &&[Cell]| {
            places.iter().map(|&place| text(&row[place])).collect::<Vec<_>>().join(", ")
        };
        self.rows.iter().map(name).collect()
    }
}

/// Each once, in the order of their first places.
fn different(names: &[String]) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for name in names {
        if !seen.contains(name) {
            seen.push(name.clone());
        }
    }
    seen
}

fn text(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Number(number) => number.to_string(),
        Cell::Missing => String::new(),
    }
}

fn number(cell: &Cell, read: Read) -> Option<f64> {
    match cell {
        Cell::Text(text) => {
            let part = match read {
                Read::First => text.split([' ', '–']).next()?,
                Read::InBrackets => text.split_once('(')?.1.trim_end_matches(')'),
                Read::AfterDash => text.split_once('–')?.1,
            };
            part.parse().ok()
        }
        Cell::Count(count) => Some(*count as f64),
        Cell::Number(number) => Some(*number),
        Cell::Missing => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_words() {
        let cell = |words: &str| Cell::from(words);
        assert_eq!(number(&cell("2.94 (2.31)"), Read::First), Some(2.94));
        assert_eq!(number(&cell("2.94 (2.31)"), Read::InBrackets), Some(2.31));
        assert_eq!(number(&cell("45–105"), Read::First), Some(45.0));
        assert_eq!(number(&cell("45–105"), Read::AfterDash), Some(105.0));
        assert_eq!(number(&cell("–"), Read::First), None);
        assert_eq!(number(&cell("unlimited"), Read::First), None);
        assert_eq!(number(&Cell::Count(3), Read::First), Some(3.0));
    }

    #[test]
    fn a_column_of_times_makes_a_timed_chart() {
        let mut table = Table::new("t", ["n", "tests", "time, ms"]);
        for n in [1_u64, 2, 4] {
            table.row([n.into(), (n * n).into(), 0.5.into()]);
        }
        let chart = |column| {
            let axes = (Axis::log("n"), Axis::log("y"));
            Drawing::new(&table, "c").axes(axes.0, axes.1).lines("n", &[ours(column, "c").fitted()])
        };
        assert!(chart("time, ms").timed && !chart("tests").timed);
        let Marks::Lines(lines) = chart("tests").marks else { panic!("lines were asked for") };
        assert!((lines[0].slope.expect("three points") - 2.0).abs() < 1e-12);
    }
}
