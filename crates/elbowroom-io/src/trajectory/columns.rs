//! Which column of a table is what.

use glam::DVec3;

use super::not_a_number;
use crate::error::Fault;
use crate::text::{Word, counted, parse_f64, quote};
use crate::units::{is_same_unit, parse_unit};

/// What the comments in front of a table say.
#[derive(Default)]
pub(super) struct Comments {
    pub(super) fps: Option<f64>,
    pub(super) metres_per_unit: Option<f64>,
    names: Option<Result<Columns, Fault>>,
}

impl Comments {
    pub(super) fn line(&mut self, line: &[u8], offset: usize) {
        let text = String::from_utf8_lossy(line).to_lowercase();
        let text = text.trim_start_matches(['#', ' ', '\t']);
        for label in ["framerate", "frame rate", "frame_rate", "fps"] {
            if let Some((_, rest)) = text.split_once(label) {
                let number = rest.trim_start_matches([':', '=', ' ', '\t']);
                let number = number.split_ascii_whitespace().next().and_then(|n| n.parse().ok());
                self.fps = self.fps.or(number.filter(|fps: &f64| fps.is_finite() && *fps > 0.0));
            }
        }
        self.metres_per_unit = self.metres_per_unit.or(unit_of(text));
        let words: Vec<Word<'_>> = text
            .split(['\t', ' ', ',', ';'])
            .filter(|word| !word.is_empty())
            .map(|word| Word { offset, bytes: word.as_bytes() })
            .collect();
        if !Columns::are_named(&words) {
            return;
        }
        let columns = Columns::named(&words);
        if let Ok(columns) = &columns {
            self.metres_per_unit = columns.metres_per_unit.or(self.metres_per_unit);
        }
        self.names = Some(columns);
    }

    /// The columns that a comment names, or what is wrong with these names.
    pub(super) fn columns(&mut self) -> Option<Result<Columns, Fault>> {
        self.names.take()
    }
}

/// The kinds of table that differ in what they leave unsaid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Table,
    Obsmat,
}

/// Where each quantity stands in a line.
#[derive(Clone)]
pub(super) struct Columns {
    pub(super) layout: Layout,
    /// What the names of the columns say: `x/cm`.
    pub(super) metres_per_unit: Option<f64>,
    id: usize,
    frame: usize,
    x: usize,
    y: usize,
    z: Option<usize>,
    heading: Option<Heading>,
    /// x, y and z of the velocity.
    velocity: Option<[usize; 3]>,
    /// The unit of the positions of each line.
    unit: Option<usize>,
    /// What was not read though it may have been meant.
    pub(super) notes: Vec<String>,
}

#[derive(Clone, Copy)]
struct Heading {
    column: usize,
    radians_per_unit: f64,
}

pub(super) struct Sample {
    pub(super) id: i64,
    pub(super) frame: i64,
    pub(super) position: DVec3,
    pub(super) heading: Option<f64>,
    pub(super) velocity: Option<DVec3>,
    /// What a column beside the positions states.
    pub(super) metres_per_unit: Option<f64>,
}

/// What the number of a person is called.
const ID: [&str; 8] = ["id", "persid", "pers_id", "ped_id", "agent_id", "agent", "person", "pid"];

/// What the unit of the positions is called, where each line states it.
const UNIT: [&str; 4] = ["unit", "units", "length_unit", "xy_unit"];

/// What the number of a frame is called.
const FRAME: [&str; 5] = ["frame", "fr", "frame_id", "frameid", "framenumber"];

impl Columns {
    /// Whether a line names columns: those that no table can do without.
    fn are_named(cells: &[Word<'_>]) -> bool {
        let names: Vec<String> = cells.iter().map(|cell| name_and_unit(cell.bytes).0).collect();
        let has = |known: &[&str]| names.iter().any(|name| known.contains(&name.as_str()));
        has(&ID) && has(&FRAME) && has(&["x"]) && has(&["y"])
    }

    /// From a line of names.
    pub(super) fn named(cells: &[Word<'_>]) -> Result<Self, Fault> {
        let names: Vec<(String, Option<String>)> =
            cells.iter().map(|cell| name_and_unit(cell.bytes)).collect();
        let find =
            |known: &[&str]| names.iter().position(|(name, _)| known.contains(&name.as_str()));
        let needed = |known: &[&str]| {
            find(known).ok_or_else(|| {
                let offset = cells.first().map_or(0, |cell| cell.offset);
                let message =
                    format!("no column \"{}\"; the names should be like id,frame,x,y", known[0]);
                Fault::at(offset, message)
            })
        };
        let (x, y, z) = (needed(&["x"])?, needed(&["y"])?, find(&["z"]));
        let mut metres_per_unit = None;
        for column in [Some(x), Some(y), z].into_iter().flatten() {
            let own = length(&names[column], cells[column])?;
            if let (Some(known), Some(own)) = (metres_per_unit, own)
                && !is_same_unit(known, own)
            {
                let message = "this column has another unit than x; give all the same";
                return Err(Fault::at(cells[column].offset, message));
            }
            metres_per_unit = metres_per_unit.or(own);
        }
        let (heading, notes) = heading(&names, cells)?;
        Ok(Self {
            layout: Layout::Table,
            metres_per_unit,
            id: needed(&ID)?,
            frame: needed(&FRAME)?,
            x,
            y,
            z,
            heading,
            velocity: None,
            unit: find(&UNIT),
            notes,
        })
    }

    /// From the number of columns, where there are no names.
    pub(super) fn counted(cells: &[Word<'_>]) -> Result<Self, Fault> {
        let plain = Self {
            layout: Layout::Table,
            metres_per_unit: None,
            id: 0,
            frame: 1,
            x: 2,
            y: 3,
            z: None,
            heading: None,
            velocity: None,
            unit: None,
            notes: Vec::new(),
        };
        match cells.len() {
            4 => Ok(plain),
            5 => Ok(Self { z: Some(4), ..plain }),
            8 => Ok(Self {
                layout: Layout::Obsmat,
                id: 1,
                frame: 0,
                x: 2,
                y: 4,
                z: Some(3),
                velocity: Some([5, 7, 6]),
                ..plain
            }),
            other => {
                let found = counted(other, "column", "columns");
                let message = format!(
                    "{found} without names; known are id frame x y, id frame x y z, and the eight of obsmat: write a line of names like id,frame,x,y"
                );
                Err(Fault::at(cells.first().map_or(0, |cell| cell.offset), message))
            }
        }
    }

    /// Reads a line.
    pub(super) fn sample(&self, cells: &[Word<'_>], line: usize) -> Result<Sample, Fault> {
        let cell = |column: usize, what: &str| {
            cells.get(column).copied().ok_or_else(|| {
                let found = counted(cells.len(), "column", "columns");
                Fault::at(
                    line,
                    format!(
                        "the line has {found}, and no {what}; the file is truncated or damaged here"
                    ),
                )
            })
        };
        let number = |column: usize, what: &str| {
            let cell = cell(column, what)?;
            parse_f64(cell.bytes).filter(|v| v.is_finite()).ok_or_else(|| not_a_number(cell, what))
        };
        let whole = |column: usize, what: &str| {
            let cell = cell(column, what)?;
            // Some writers make floats of everything: 1.000000e+00.
            let value = parse_f64(cell.bytes).filter(|v| v.trunc() == *v && v.abs() < 1e15);
            value.map(|v| v as i64).ok_or_else(|| {
                Fault::at(
                    cell.offset,
                    format!("{what} {} is not a whole number", quote(cell.bytes)),
                )
            })
        };
        let z = self.z.map_or(Ok(0.0), |column| number(column, "z"))?;
        let heading = self.heading.map(|heading| {
            Ok::<_, Fault>(number(heading.column, "heading")? * heading.radians_per_unit)
        });
        let velocity = self.velocity.map(|[vx, vy, vz]| {
            Ok::<_, Fault>(DVec3::new(
                number(vx, "velocity")?,
                number(vy, "velocity")?,
                number(vz, "velocity")?,
            ))
        });
        let unit = self.unit.map(|column| {
            let cell = cell(column, "unit")?;
            let text = String::from_utf8_lossy(cell.bytes);
            let text = text.trim_matches('"').trim().to_lowercase();
            parse_unit(&text).filter(|_| text.parse::<f64>().is_err()).ok_or_else(|| {
                let message = format!(
                    "the unit {} of this line is not known; write m, cm, mm, km, in or ft",
                    quote(text.as_bytes())
                );
                Fault::at(cell.offset, message)
            })
        });
        Ok(Sample {
            id: whole(self.id, "id")?,
            frame: whole(self.frame, "frame")?,
            position: DVec3::new(number(self.x, "x")?, number(self.y, "y")?, z),
            heading: heading.transpose()?,
            velocity: velocity.transpose()?,
            metres_per_unit: unit.transpose()?,
        })
    }
}

/// The name of a column in small letters, and the unit behind it: `x/cm`, `x [cm]`, `x (cm)`.
fn name_and_unit(cell: &[u8]) -> (String, Option<String>) {
    let text = String::from_utf8_lossy(cell).trim_matches('"').trim().to_lowercase();
    let Some((name, unit)) = text.split_once(['/', '[', '(']) else { return (text, None) };
    let unit = unit.trim_matches([' ', ']', ')']).to_owned();
    (name.trim().to_owned(), Some(unit).filter(|unit| !unit.is_empty()))
}

/// What a comment like `unit: cm` states.
fn unit_of(text: &str) -> Option<f64> {
    let (_, rest) = text.split_once("unit")?;
    let rest = rest.strip_prefix('s').unwrap_or(rest).trim_start();
    let named = rest.strip_prefix([':', '='])?.split_ascii_whitespace().next()?;
    let named = named.trim_end_matches([',', ';', '.']);
    // A number there is a count of something as often as a length.
    parse_unit(named).filter(|_| named.parse::<f64>().is_err())
}

/// How many metres the unit of a coordinate is, if its name has one.
fn length((name, unit): &(String, Option<String>), cell: Word<'_>) -> Result<Option<f64>, Fault> {
    let Some(unit) = unit else { return Ok(None) };
    parse_unit(unit).map(Some).ok_or_else(|| {
        let message = format!(
            "the unit {unit:?} of the column {name} is not known; write m, cm, mm, km, in or ft"
        );
        Fault::at(cell.offset, message)
    })
}

/// Which column has the heading, in which unit; and a sentence on one whose unit is unknown.
fn heading(
    names: &[(String, Option<String>)],
    cells: &[Word<'_>],
) -> Result<(Option<Heading>, Vec<String>), Fault> {
    let find = |known: &[&str]| names.iter().position(|(name, _)| known.contains(&name.as_str()));
    let degree = 1_f64.to_radians();
    // Of a column without a unit: what its name means; JuPedSim writes ellipses, a and b with an
    // angle in degrees.
    let is_ellipse = find(&["a"]).is_some() && find(&["b"]).is_some();
    let known = [
        (find(&["heading", "yaw", "orientation", "heading_rad"]), Some(1.0)),
        (find(&["heading_deg"]), Some(degree)),
        (find(&["angle"]), is_ellipse.then_some(degree)),
    ];
    let found = known.into_iter().find_map(|(column, usual)| Some((column?, usual)));
    let Some((column, usual)) = found else { return Ok((None, Vec::new())) };
    let (name, unit) = &names[column];
    let radians_per_unit = match unit.as_deref() {
        Some("rad" | "radian" | "radians") => Some(1.0),
        Some("deg" | "degree" | "degrees" | "°") => Some(degree),
        None => usual,
        Some(unit) => {
            let message =
                format!("the unit {unit:?} of the column {name} is not known; write rad or deg");
            return Err(Fault::at(cells[column].offset, message));
        }
    };
    let heading = radians_per_unit.map(|radians_per_unit| Heading { column, radians_per_unit });
    let is_unread = heading.is_none();
    let note = format!(
        "the column {name} does not give its unit and is not read; people are assumed to face where they go, \
         call it heading_deg or heading_rad"
    );
    Ok((heading, is_unread.then_some(note).into_iter().collect()))
}
