//! Findings for programs: one JSON object, as `docs/tree.md` and `docs/tree.schema.json` say.
//!
//! Fields may be added without a new schema version; none is renamed, removed or given another
//! meaning without one.

use std::io::{self, Write};

use elbowroom_papers::grammar::{Family, LevelRow};
use serde::Serialize;
use serde_json::{Serializer, Value, json};

use super::Findings;
use super::built::Planted;
use super::compare::{Comparison, Row};
use super::kind::Sort;
use super::subject::Subject;
use crate::output::json_format::Shallow;

const SCHEMA_VERSION: u32 = 1;

pub(super) fn write(out: &mut dyn Write, findings: &Findings) -> io::Result<()> {
    let files = findings.subjects.iter().map(file).collect::<Vec<_>>();
    let each = findings.trees.iter().enumerate();
    let each = each.flat_map(|(index, trees)| trees.iter().map(move |it| (index, it)));
    let trees = each.map(|(file, it)| tree(file, it, findings.level)).collect::<Vec<_>>();
    let comparisons = findings.comparisons.iter().map(comparison).collect::<Vec<_>>();
    let report = json!({
        "schema_version": SCHEMA_VERSION,
        "elbowroom_version": env!("CARGO_PKG_VERSION"),
        "clock": "cpu",
        "repeat": findings.repeat,
        "complete": findings.complete,
        "warnings": findings.warnings,
        "files": files,
        "trees": trees,
        "comparisons": comparisons,
    });
    let mut serializer = Serializer::with_formatter(&mut *out, Shallow::default());
    report.serialize(&mut serializer)?;
    writeln!(out)
}

fn file(subject: &Subject) -> Value {
    json!({
        "path": subject.path.display().to_string(),
        "unit_metres": subject.metres,
        "triangles": subject.mesh.as_ref().map(|mesh| mesh.triangles().len()),
        "links": subject.body.as_ref().map(|body| body.links.links().len()),
        "samples": subject.trace.as_ref().map(elbowroom_motion::space_time::Trace::len),
    })
}

fn tree(file: usize, tree: &Planted, level: Option<u32>) -> Value {
    let shown = tree.rows.iter().filter(|row| level.is_none_or(|level| row.level == level));
    json!({
        "file": file,
        "kind": tree.named.name,
        "structure": tree.named.structure(),
        "nodes": tree.levels.nodes().len(),
        "leaves": tree.leaves(),
        "depth": tree.levels.deepest(),
        "bytes": tree.bytes(),
        "build_secs": tree.build_secs,
        "levels": shown.map(row).collect::<Vec<_>>(),
    })
}

fn row(row: &LevelRow) -> Value {
    json!({
        "level": row.level,
        "nodes": row.nodes,
        "leaves": row.leaves,
        "volumes": families(row.families.iter().map(|(family, n)| (*family, *n as u64))),
        "tightness": row.tightness,
        "area": row.area,
        "overlap": row.overlap,
        "bytes": row.bytes,
    })
}

fn families(all: impl Iterator<Item = (Family, u64)>) -> Value {
    all.map(|(family, n)| (family.name().to_owned(), Value::from(n))).collect()
}

fn comparison(comparison: &Comparison) -> Value {
    let of = match comparison.sort {
        Sort::Meshes => "meshes",
        Sort::Links => "links",
        Sort::Motions => "motions",
    };
    json!({
        "of": of,
        "questions": comparison.questions,
        "contacts": comparison.contacts,
        "pairs": comparison.pairs,
        "rows": comparison.rows.iter().map(kind).collect::<Vec<_>>(),
        "notes": comparison.notes,
        "differences": comparison.differences,
    })
}

fn kind(row: &Row) -> Value {
    let work = row.work.as_ref();
    json!({
        "kind": row.name,
        "build_secs": row.build_secs,
        "query_secs": row.query_secs,
        "visited": work.map(|it| it.visited),
        "primitive_tests": work.map(|it| it.primitives),
        "volume_tests": work.map(|it| families(it.by_family.iter().copied())),
        "not_clear": row.not_clear,
    })
}
