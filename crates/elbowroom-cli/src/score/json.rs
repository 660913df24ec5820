//! Scores for programs: one JSON object, as `docs/score.md` and `docs/score.schema.json` say.
//!
//! Fields may be added without a new schema version; none is renamed, removed or given another
//! meaning without one.

use std::io::{self, Write};

use elbowroom_motion::metrics::set::{Dimension, Estimate, FIGURES};
use serde::Serialize;
use serde_json::{Map, Serializer, Value, json};

use super::ScoreArgs;
use super::rows::{CLIPS, UNIT};
use super::set::Set;
use super::table::About;
use crate::outcome::Outcome;
use crate::output::json_format::Shallow;
use crate::output::rows::Cell;

const SCHEMA_VERSION: u32 = 1;

pub(super) fn write(
    out: &mut dyn Write,
    args: &ScoreArgs,
    about: &About,
    rows: &[Vec<Cell>],
    sets: (&Set, Option<&Set>),
) -> io::Result<()> {
    let (set, against) = sets;
    let clips: Vec<Value> = rows.iter().map(|row| clip(row)).collect();
    let report = json!({
        "schema_version": SCHEMA_VERSION,
        "elbowroom_version": about.version,
        "unit": UNIT,
        "options": about.options,
        "seed": args.seed,
        "complete": about.outcome == Outcome::Clean,
        "pairs": set.rows,
        "frames_examined": set.frames,
        "estimated_frames": set.estimated,
        "failed": set.failed,
        "assumed": about.assumed,
        "clips": clips,
        "set": figures(set),
        "reference": against.map(|against| json!({
            "path": about.reference,
            "pairs": against.rows,
            "frames_examined": against.frames,
            "set": figures(against),
            "difference": differences(set, against),
        })),
    });
    let mut serializer = Serializer::with_formatter(&mut *out, Shallow::default());
    report.serialize(&mut serializer)?;
    writeln!(out)
}

fn clip(row: &[Cell]) -> Value {
    let value = |cell: &Cell| match cell {
        Cell::Empty => Value::Null,
        Cell::Whole(value) => json!(value),
        Cell::Number(value) => json!(value),
        Cell::Text(text) => json!(text),
    };
    let fields = CLIPS.iter().zip(row).map(|((name, _), cell)| ((*name).to_owned(), value(cell)));
    Value::Object(fields.collect::<Map<_, _>>())
}

fn figures(set: &Set) -> Vec<Value> {
    let one = |at: usize| {
        let Estimate { clips, mean, interval, max } = set.figures[at];
        json!({
            "metric": FIGURES[at].name,
            "unit": unit(FIGURES[at].dimension),
            "pairs": clips,
            "mean": mean,
            "low": interval.map(|ends| ends[0]),
            "high": interval.map(|ends| ends[1]),
            "max": max,
        })
    };
    (0..FIGURES.len()).map(one).collect()
}

fn differences(set: &Set, against: &Set) -> Value {
    let one = |at: usize| (FIGURES[at].name.to_owned(), json!(set.less(against, at)));
    Value::Object((0..FIGURES.len()).map(one).collect())
}

fn unit(dimension: Dimension) -> Option<&'static str> {
    match dimension {
        Dimension::None => None,
        Dimension::Length => Some("cm"),
        Dimension::Volume => Some("cm3"),
    }
}
