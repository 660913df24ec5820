//! A list of poses in JSON: `[pose, pose, …]`, each 16 numbers row by row, or 4 rows of 4.
//!
//! The list is checked while it is read, so that a problem is reported with its line, the number of
//! the pose and, where it lies in one, the entry.

use std::cell::Cell;
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use elbowroom::Pose;
use serde::de::{DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};

use crate::text::counted;

/// Reads a list of at least one pose.
///
/// # Errors
/// A message that names the file, the place in it and the pose.
pub fn read(path: &Path) -> Result<Vec<Pose>, String> {
    let name = path.display();
    crate::opened::note(path);
    let file = File::open(path).map_err(|error| format!("{name}: cannot be read: {error}"))?;
    parse(BufReader::new(file)).map_err(|problem| format!("{name}{problem}"))
}

/// The message begins with the place, ready to follow the name of the file.
fn parse(input: impl Read) -> Result<Vec<Pose>, String> {
    let at = Cell::new(At::Start);
    let mut json = serde_json::Deserializer::from_reader(input);
    let poses = List(&at).deserialize(&mut json);
    let poses = poses.and_then(|poses| json.end().map(|()| poses));
    let poses = poses.map_err(|error| describe(&error, at.get()))?;
    if poses.is_empty() {
        return Err(": the list of poses is empty, so there is no frame to examine".to_owned());
    }
    Ok(poses)
}

/// How far the reader has come.
#[derive(Clone, Copy)]
enum At {
    Start,
    Pose(usize),
    Entry(usize, usize),
    End,
}

fn describe(error: &serde_json::Error, at: At) -> String {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let place = format!(" at line {line} column {column}");
    let text = text.strip_suffix(&place).unwrap_or(&text);
    let at = match at {
        At::Start => "the list of poses".to_owned(),
        At::Pose(pose) => format!("pose {pose}"),
        At::Entry(pose, entry) => {
            format!("pose {pose}, entry ({}, {})", entry / 4, entry % 4)
        }
        At::End => "after the list of poses".to_owned(),
    };
    // A file that cannot be read to its end has no line.
    if line == 0 { format!(": {at}: {text}") } else { format!(":{line}:{column}: {at}: {text}") }
}

struct List<'a>(&'a Cell<At>);

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = Vec<Pose>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = Vec<Pose>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of poses, [pose, pose, ...]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut poses = Vec::new();
        self.0.set(At::Pose(0));
        while let Some(pose) = list.next_element_seed(PoseSeed(self.0, poses.len()))? {
            poses.push(pose);
            self.0.set(At::Pose(poses.len()));
        }
        self.0.set(At::End);
        Ok(poses)
    }
}

/// The pose of this number.
struct PoseSeed<'a>(&'a Cell<At>, usize);

impl<'de> DeserializeSeed<'de> for PoseSeed<'_> {
    type Value = Pose;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Pose, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for PoseSeed<'_> {
    type Value = Pose;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pose, which is 16 numbers or 4 rows of 4")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Pose, A::Error> {
        let Self(at, pose) = self;
        let mut matrix = Matrix::default();
        loop {
            at.set(At::Entry(pose, matrix.filled.min(15)));
            let Some(part) = list.next_element_seed(Part(at, pose, &mut matrix))? else {
                break;
            };
            matrix.parts += 1;
            matrix.rows += usize::from(part == PartKind::Row);
        }
        at.set(At::Pose(pose));
        matrix.finish().map_err(A::Error::custom)
    }
}

/// The entries met so far, and whether they came in rows.
#[derive(Default)]
struct Matrix {
    entries: [f64; 16],
    filled: usize,
    parts: usize,
    rows: usize,
}

impl Matrix {
    fn push(&mut self, value: f64) -> Result<(), String> {
        let Some(entry) = self.entries.get_mut(self.filled) else {
            return Err("more than 16 numbers; a pose is 16 numbers or 4 rows of 4".to_owned());
        };
        *entry = value;
        self.filled += 1;
        Ok(())
    }

    fn finish(&self) -> Result<Pose, String> {
        let shape = (self.parts, self.rows, self.filled);
        if shape != (16, 0, 16) && shape != (4, 4, 16) {
            let found = if self.rows == 0 {
                counted(self.filled, "number", "numbers")
            } else {
                format!("{} numbers in {} rows", self.filled, self.rows)
            };
            return Err(format!("{found}; a pose is 16 numbers or 4 rows of 4"));
        }
        Pose::from_row_major(&self.entries).map_err(|error| error.to_string())
    }
}

#[derive(PartialEq)]
enum PartKind {
    Number,
    Row,
}

/// A number, or a row of four.
struct Part<'a>(&'a Cell<At>, usize, &'a mut Matrix);

impl<'de> DeserializeSeed<'de> for Part<'_> {
    type Value = PartKind;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<PartKind, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part<'_> {
    type Value = PartKind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or a row of 4 numbers")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<PartKind, E> {
        self.2.push(value).map_err(E::custom)?;
        Ok(PartKind::Number)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<PartKind, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<PartKind, E> {
        self.visit_f64(value as f64)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<PartKind, A::Error> {
        let Self(at, pose, matrix) = self;
        let first = matrix.filled;
        while let Some(value) = row.next_element()? {
            matrix.push(value).map_err(A::Error::custom)?;
            at.set(At::Entry(pose, matrix.filled.min(15)));
        }
        let found = matrix.filled - first;
        if found != 4 {
            at.set(At::Pose(pose));
            let row = matrix.parts;
            let message = format!(
                "row {row} has {}, where 4 are needed",
                counted(found, "number", "numbers")
            );
            return Err(A::Error::custom(message));
        }
        Ok(PartKind::Row)
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    const SHIFT: &str = "[1,0,0,5, 0,1,0,-6.5e0, 0,0,1,7, 0,0,0,1]";
    const ROWS: &str = "[[1,0,0,5], [0,1,0,-6.5], [0,0,1,7], [0,0,0,1]]";

    #[test]
    fn both_shapes_mean_the_same() {
        let poses = parse(format!(" [{SHIFT},\n{ROWS}] \n").as_bytes()).unwrap();
        assert_eq!(poses.len(), 2);
        assert_eq!(poses[0], poses[1]);
        assert_eq!(poses[0].translation().to_array(), [5.0, -6.5, 7.0]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let cases = [
            ("", ": the list of poses: EOF"),
            ("{}", ": the list of poses: invalid type: map, expected a list of poses"),
            ("7", ": the list of poses: invalid type: integer `7`"),
            ("[]", ": the list of poses is empty"),
            ("[1,0,0,5, 0,1,0,6, 0,0,1,7, 0,0,0,1]", ": pose 0: invalid type: integer `1`"),
            ("[{\"a\":1,\"a\":2}]", ": pose 0: invalid type: map"),
            ("[[1,0,0]]", ": pose 0: 3 numbers; a pose is 16"),
            ("[[[1,0,0,0],[0,1,0,0],[0,0,1,0]]]", ": pose 0: 12 numbers in 3 rows"),
            ("[[[1,0,0,0],[0,1,0]]]", ": pose 0: row 1 has 3 numbers"),
            ("[[1,0,0,0,\n0,1e999]]", "pose 0, entry (1, 1): number out of range"),
            ("[[[1,0,0,0],[0,-1e999,0,0]]]", "pose 0, entry (1, 1): number out of range"),
            ("[[1,0,NaN]]", "pose 0, entry (0, 2): expected value"),
            ("[[1,0,null]]", "pose 0, entry (0, 2): invalid type: null, expected a number"),
            ("[[1,0,0,[0]]]", ": pose 0: row 3 has 1 number,"),
            ("[SHIFT,", "pose 1: EOF"),
            ("[SHIFT,\nSHIFT] x", ": after the list of poses: trailing"),
            ("[SHIFT,[2,0,0,0, 0,2,0,0, 0,0,2,0, 0,0,0,1]]", "pose 1: the matrix is"),
            ("[SHIFT,[1,0,0,0, 0,1,0,0, 0,0,1,0, 9,0,0,1]]", "pose 1: entry (3, 0) of"),
            ("[SHIFT,[-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]]", "pose 1: the matrix mirrors"),
            ("[[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1, 0]]", "pose 0, entry (3, 3): more than 16"),
        ];
        let mut met = 0;
        for (text, expected) in cases {
            let message = parse(text.replace("SHIFT", SHIFT).as_bytes()).unwrap_err();
            assert!(message.contains(expected), "{text}: {message}");
            let line = 1 + text.matches('\n').count();
            let placed = message.starts_with(&format!(":{line}:"));
            assert!(placed || text == "[]", "{text}: {message}");
            met += 1;
        }
        assert_eq!(met, 20);
    }

    #[test]
    fn deep_nesting_is_refused() {
        let deep = "[".repeat(1_000_000);
        assert!(parse(deep.as_bytes()).unwrap_err().contains("pose 0"));
    }
}
