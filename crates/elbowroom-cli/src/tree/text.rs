//! Findings for people: tables by level, and two files side by side.

use std::io::{self, Write};

use elbowroom_papers::grammar::{Family, LevelRow};

use super::Findings;
use super::built::Planted;
use super::compare::{Comparison, Row};
use super::subject::Subject;
use crate::info::rows::{self, Side};
use crate::messages::{count, grouped, short};

/// With more kinds, their levels are not told one by one.
const MOST_TABLES: usize = 3;

pub(super) fn write(out: &mut dyn Write, findings: &Findings) -> io::Result<()> {
    let is_pair = findings.subjects.len() == 2;
    for (subject, trees) in findings.subjects.iter().zip(&findings.trees) {
        writeln!(out, "{}", about(subject))?;
        if trees.len() > 1 || is_pair {
            write_trees(out, trees)?;
        }
        if !is_pair && trees.len() <= MOST_TABLES {
            for tree in trees {
                write_levels(out, tree, findings.level)?;
            }
        }
    }
    if !is_pair && findings.trees.iter().any(|trees| trees.len() > MOST_TABLES) {
        writeln!(out, "up to {MOST_TABLES} kinds are told level by level; --json has all")?;
    }
    for comparison in &findings.comparisons {
        write_comparison(out, comparison)?;
    }
    let repeat = findings.repeat;
    let runs = if repeat == 1 {
        "of one run".to_owned()
    } else {
        format!("the best of up to {repeat} runs")
    };
    writeln!(out, "times are CPU time of one thread, {runs}")
}

/// A file in a line.
fn about(subject: &Subject) -> String {
    let mut parts = Vec::new();
    if let Some(mesh) = &subject.mesh {
        parts.push(count(mesh.triangles().len() as u64, "triangle"));
        if area(mesh) == 0.0 {
            parts.push("which have no area".to_owned());
        }
    }
    if let Some(body) = subject.body.as_ref().filter(|_| subject.is_joined()) {
        parts.push(count(body.links.links().len() as u64, "link"));
    }
    if let Some(trace) = &subject.trace {
        parts.push(format!("a motion of {}", count(trace.len() as u64, "sample")));
    }
    format!("{}: {}", subject.name, parts.join(", "))
}

fn area(mesh: &elbowroom::Mesh) -> f64 {
    let of = |index| {
        let [p, q, r] = mesh.triangle(index);
        (q - p).cross(r - p).length()
    };
    (0..mesh.triangles().len()).map(of).sum()
}

fn write_trees(out: &mut dyn Write, trees: &[Planted]) -> io::Result<()> {
    let heads = [
        ("kind", Side::Left),
        ("nodes", Side::Right),
        ("leaves", Side::Right),
        ("levels", Side::Right),
        ("bytes", Side::Right),
        ("build", Side::Right),
    ];
    let row = |tree: &Planted| {
        vec![
            tree.named.name.to_owned(),
            grouped(tree.levels.nodes().len() as u64),
            grouped(tree.leaves() as u64),
            grouped(tree.rows.len() as u64),
            grouped(tree.bytes() as u64),
            secs(tree.build_secs),
        ]
    };
    rows::write(out, &heads, &trees.iter().map(row).collect::<Vec<_>>())
}

fn write_levels(out: &mut dyn Write, tree: &Planted, level: Option<u32>) -> io::Result<()> {
    let nodes = count(tree.levels.nodes().len() as u64, "node");
    let leaves = if tree.leaves() == 1 {
        "1 leaf".to_owned()
    } else {
        format!("{} leaves", grouped(tree.leaves() as u64))
    };
    let bytes = grouped(tree.bytes() as u64);
    let build = secs(tree.build_secs);
    writeln!(out, "{}: {nodes}, {leaves}, {bytes} bytes, built in {build}", tree.named.name)?;
    let heads = [
        ("level", Side::Right),
        ("nodes", Side::Right),
        ("leaves", Side::Right),
        ("volumes", Side::Left),
        ("tightness", Side::Right),
        ("area", Side::Right),
        ("overlap", Side::Right),
        ("bytes", Side::Right),
    ];
    let row = |row: &LevelRow| {
        vec![
            row.level.to_string(),
            grouped(row.nodes as u64),
            grouped(row.leaves as u64),
            families(&row.families),
            row.tightness.map(short).unwrap_or_default(),
            row.area.map(short).unwrap_or_default(),
            row.overlap.map(|share| format!("{:.1} %", 100.0 * share)).unwrap_or_default(),
            grouped(row.bytes as u64),
        ]
    };
    let shown = tree.rows.iter().filter(|row| level.is_none_or(|level| row.level == level));
    rows::write(out, &heads, &shown.map(row).collect::<Vec<_>>())
}

/// One family by its name; several with how many of each.
fn families(all: &[(Family, usize)]) -> String {
    match all {
        [(family, _)] => family.name().to_owned(),
        several => {
            let each =
                several.iter().map(|(it, n)| format!("{} {}", grouped(*n as u64), it.name()));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}

fn write_comparison(out: &mut dyn Write, comparison: &Comparison) -> io::Result<()> {
    let Comparison { sort, questions, contacts, pairs, rows, notes, differences } = comparison;
    let plural = if *pairs == 1 { "pair" } else { "pairs" };
    writeln!(
        out,
        "{}, {} with contact, {} {plural} of {} in all",
        count(*questions as u64, "question"),
        grouped(*contacts as u64),
        grouped(*pairs),
        sort.pairs(),
    )?;
    let heads = [
        ("kind", Side::Left),
        ("visited", Side::Right),
        ("exact", Side::Right),
        ("not clear", Side::Right),
        ("build", Side::Right),
        ("all questions", Side::Right),
        ("× engine", Side::Right),
        ("volumes tested", Side::Left),
    ];
    let engine = rows.first().map_or(0.0, |row| row.query_secs);
    let cells = |row: &Row| {
        let work = row.work.as_ref();
        let tests = |(family, n): &(Family, u64)| format!("{} {}", grouped(*n), family.name());
        vec![
            row.name.to_owned(),
            work.map(|it| grouped(it.visited)).unwrap_or_default(),
            work.map(|it| grouped(it.primitives)).unwrap_or_default(),
            grouped(row.not_clear as u64),
            if row.build_secs > 0.0 { secs(row.build_secs) } else { String::new() },
            secs(row.query_secs),
            if engine > 0.0 { format!("{:.2}", row.query_secs / engine) } else { String::new() },
            work.map(|it| it.by_family.iter().map(tests).collect::<Vec<_>>().join(", "))
                .unwrap_or_default(),
        ]
    };
    rows::write(out, &heads, &rows.iter().map(cells).collect::<Vec<_>>())?;
    for note in notes {
        writeln!(out, "{note}")?;
    }
    if differences.is_empty() {
        writeln!(out, "every kind answers as the engine does")?;
    }
    Ok(())
}

/// Seconds for people.
pub(super) fn secs(secs: f64) -> String {
    match secs {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", 1e3 * s),
        s => format!("{:.1} µs", 1e6 * s),
    }
}
