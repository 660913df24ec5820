//! Which column of a table is what.

use glam::DVec3;

use super::not_a_number;
use crate::error::Fault;
use crate::text::{Word, counted, parse_f64, quote};

/// What the comments in front of a table say.
#[derive(Default)]
pub(super) struct Comments {
    pub(super) fps: Option<f64>,
    pub(super) metres_per_unit: Option<f64>,
    names: Option<Columns>,
}

impl Comments {
    pub(super) fn line(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line).to_lowercase();
        let text = text.trim_start_matches(['#', ' ', '\t']);
        for label in ["framerate", "frame rate", "frame_rate", "fps"] {
            if let Some((_, rest)) = text.split_once(label) {
                let number = rest.trim_start_matches([':', '=', ' ', '\t']);
                let number = number.split_ascii_whitespace().next().and_then(|n| n.parse().ok());
                self.fps = self.fps.or(number.filter(|fps: &f64| fps.is_finite() && *fps > 0.0));
            }
        }
        let words: Vec<Word<'_>> = text
            .split(['\t', ' ', ',', ';'])
            .filter(|word| !word.is_empty())
            .map(|word| Word { offset: 0, bytes: word.as_bytes() })
            .collect();
        if let Ok(columns) = Columns::named(&words) {
            self.metres_per_unit = columns.metres_per_unit.or(self.metres_per_unit);
            self.names = Some(columns);
        }
    }

    pub(super) fn columns(&self) -> Option<Columns> {
        self.names.clone()
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
}

impl Columns {
    /// From a line of names.
    pub(super) fn named(cells: &[Word<'_>]) -> Result<Self, Fault> {
        let names: Vec<(String, Option<f64>)> =
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
        let heading = find(&["heading", "yaw", "orientation", "heading_rad"])
            .map(|column| Heading { column, radians_per_unit: 1.0 })
            .or_else(|| {
                let column = find(&["heading_deg"])?;
                Some(Heading { column, radians_per_unit: 1_f64.to_radians() })
            });
        let x = needed(&["x"])?;
        Ok(Self {
            layout: Layout::Table,
            metres_per_unit: names[x].1,
            id: needed(&[
                "id", "persid", "pers_id", "ped_id", "agent_id", "agent", "person", "pid",
            ])?,
            frame: needed(&["frame", "fr", "frame_id", "frameid", "framenumber"])?,
            x,
            y: needed(&["y"])?,
            z: find(&["z"]),
            heading,
            velocity: None,
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
        Ok(Sample {
            id: whole(self.id, "id")?,
            frame: whole(self.frame, "frame")?,
            position: DVec3::new(number(self.x, "x")?, number(self.y, "y")?, z),
            heading: heading.transpose()?,
            velocity: velocity.transpose()?,
        })
    }
}

/// The name of a column in small letters, and the unit behind it: `x/cm`, `x [cm]`, `x_cm`.
fn name_and_unit(cell: &[u8]) -> (String, Option<f64>) {
    let text = String::from_utf8_lossy(cell).trim_matches('"').trim().to_lowercase();
    let Some((name, unit)) = text.split_once(['/', '[', '(']) else { return (text, None) };
    let metres = match unit.trim_matches([' ', ']', ')']) {
        "m" => Some(1.0),
        "cm" => Some(0.01),
        "mm" => Some(0.001),
        _ => None,
    };
    (name.trim().to_owned(), metres)
}
