//! The report for people, in Markdown: ratios, many bodies, building, work done.

use std::fmt::Write;

use crate::engine::{NAMES, is_rival};
use crate::record::Report;
use crate::spread::{digits, geometric_mean};
use crate::verdict::{Outcome, Row};

/// Everything.
pub(crate) fn markdown(report: &Report) -> String {
    let mut text = String::new();
    head(&mut text, report);
    let of = |words: &[&str]| -> Vec<&Outcome> {
        report.outcomes.iter().filter(|outcome| words.contains(&outcome.question)).collect()
    };
    let queries = of(&["boolean", "all", "distance"]);
    if !queries.is_empty() {
        text += "\n## Queries: a rival's time as a multiple of ours\n\n";
        ratios(&mut text, &queries);
        let counted: Vec<&Outcome> =
            queries.iter().copied().filter(|outcome| !outcome.aside).collect();
        if !counted.is_empty() {
            means(&mut text, &counted);
        }
        text += "\n## Work of a query, on average\n\n";
        work(&mut text, &queries);
    }
    let worlds = of(&["world"]);
    if !worlds.is_empty() {
        text += "\n## Many bodies, broad and narrow phase: milliseconds from poses to touching pairs\n\n";
        times(&mut text, &worlds, |secs, _| secs * 1e3);
    }
    let builds = of(&["build"]);
    if !builds.is_empty() {
        text += "\n## Building: microseconds a triangle\n\n";
        times(&mut text, &builds, |secs, size| secs * 1e6 / size as f64);
        text += "\n## Memory: bytes a triangle\n\n";
        bytes(&mut text, report);
    }
    text
}

fn head(text: &mut String, report: &Report) {
    let machine = &report.machine;
    let _ = writeln!(text, "# elbowroom and its rivals, {}\n", machine.date);
    let _ = writeln!(
        text,
        "{}, {}, {} cores; commit {}; {}; {}.",
        machine.cpu, machine.vectors, machine.cores, machine.commit, machine.rustc, machine.cxx
    );
    let _ =
        writeln!(text, "Single thread, thread CPU time. Built with: {}.", machine.flags.join("; "));
    let complaints = report.complaints();
    for (title, lines) in [
        ("**Ours is wrong**", &complaints),
        ("Absent", &report.absent),
        ("Broke down", &report.notes),
    ] {
        for line in lines {
            let _ = writeln!(text, "\n{title}: {line}");
        }
    }
    let unknown: Vec<&str> = report
        .outcomes
        .iter()
        .filter(|outcome| outcome.set == "unknown" && outcome.question != "build")
        .map(|outcome| outcome.workload.as_str())
        .collect();
    if !unknown.is_empty() {
        let _ = writeln!(
            text,
            "\nNo definition knows the bits of {}: answers are compared with ours only.",
            unknown.join(", ")
        );
    }
    text.push('\n');
    for (workload, title) in &report.titles {
        let _ = writeln!(text, "- {workload}: {title}");
    }
}

/// The engines that answered any of the questions, ours first.
fn present(outcomes: &[&Outcome]) -> Vec<&'static str> {
    let answered = |name: &&str| outcomes.iter().any(|outcome| outcome.row(name).is_some());
    NAMES.into_iter().filter(answered).collect()
}

fn line(text: &mut String, cells: &[String]) {
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

fn header(text: &mut String, first: &[&str], engines: &[&str]) {
    let cells: Vec<String> = first.iter().chain(engines).map(|&cell| cell.to_owned()).collect();
    line(text, &cells);
    line(text, &vec!["---".to_owned(); cells.len()]);
}

/// A row a question, a column an engine.
fn ratios(text: &mut String, outcomes: &[&Outcome]) {
    let engines = &present(outcomes)[1..];
    let first =
        ["workload", "bits", "question", "queries", "touching", "pairs", "ours, µs a query"];
    header(text, &first, engines);
    for outcome in outcomes {
        let Some(ours) = outcome.row("ours") else { continue };
        let is_all = outcome.question == "all";
        let right = match outcome.expected {
            Some(expected) if expected == ours.sum => " ✓",
            Some(_) => " ✗",
            None => "",
        };
        let pairs = if is_all { format!("{}{right}", ours.sum) } else { String::new() };
        let touching = if is_all || outcome.question == "distance" {
            String::new()
        } else {
            format!("{}{right}", ours.sum)
        };
        let mut cells = vec![
            outcome.workload.clone(),
            outcome.set.clone(),
            outcome.question.to_owned(),
            outcome.size.to_string(),
            touching,
            pairs,
            digits(ours.least_secs() * 1e6 / outcome.size as f64),
        ];
        cells.extend(engines.iter().map(|name| ratio(outcome, name)));
        line(text, &cells);
    }
}

fn ratio(outcome: &Outcome, engine: &str) -> String {
    let Some(row) = outcome.row(engine) else { return "–".to_owned() };
    let ratio = row.ratio.map_or_else(|| "–".to_owned(), |ratio| ratio.show());
    ratio + &blame(outcome, row)
}

/// How wrong it is, if it is.
fn blame(outcome: &Outcome, row: &Row) -> String {
    if row.wrong == 0 {
        return String::new();
    }
    let ours = outcome.row("ours").map_or(0, |ours| ours.sum);
    let off = i128::from(row.sum) - i128::from(ours);
    match outcome.question {
        "boolean" => format!(" **wrong {} of {}**", row.wrong, outcome.size),
        _ => format!(" **wrong by {off:+}**"),
    }
}

fn means(text: &mut String, outcomes: &[&Outcome]) {
    text.push_str("\nGeometric means over the rows above, W0 left out. A wrong answer may be a quick one, so both are shown.\n\n");
    let engines = &present(outcomes)[1..];
    header(text, &["engine", "rows", "mean", "least", "right rows", "mean of right rows"], &[]);
    for name in engines {
        let rows: Vec<&Row> = outcomes.iter().filter_map(|outcome| outcome.row(name)).collect();
        let ratio = |row: &&Row| row.ratio.map(|ratio| ratio.median);
        let all: Vec<f64> = rows.iter().filter_map(ratio).collect();
        let right: Vec<f64> = rows.iter().filter(|row| row.wrong == 0).filter_map(ratio).collect();
        let mean = |values: &[f64]| geometric_mean(values).map_or("–".to_owned(), digits);
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        line(
            text,
            &[
                (*name).to_owned(),
                all.len().to_string(),
                mean(&all),
                digits(least),
                right.len().to_string(),
                mean(&right),
            ],
        );
    }
}

/// Tests of volumes and triangles, for engines that count them.
fn work(text: &mut String, outcomes: &[&Outcome]) {
    let counts = |row: &Row| row.volume_tests + row.triangle_tests > 0;
    let engines: Vec<&str> = present(outcomes)
        .into_iter()
        .filter(|name| outcomes.iter().filter_map(|outcome| outcome.row(name)).any(counts))
        .collect();
    header(text, &["workload", "question"], &engines);
    for outcome in outcomes {
        let each = |tests: u64| digits(tests as f64 / outcome.size.max(1) as f64);
        let cell = |name: &&str| match outcome.row(name) {
            Some(row) if row.volume_tests > 0 => {
                format!(
                    "{} volumes, {} triangles",
                    each(row.volume_tests),
                    each(row.triangle_tests)
                )
            }
            Some(row) if row.triangle_tests > 0 => {
                format!("{} triangles", each(row.triangle_tests))
            }
            _ => "–".to_owned(),
        };
        let mut cells = vec![outcome.workload.clone(), outcome.question.to_owned()];
        cells.extend(engines.iter().map(cell));
        line(text, &cells);
    }
}

/// Best times in a unit, and the ratio to ours.
fn times(text: &mut String, outcomes: &[&Outcome], unit: impl Fn(f64, usize) -> f64) {
    let engines = present(outcomes);
    header(text, &["workload", "size", "touching"], &engines);
    for outcome in outcomes {
        let ours = outcome.row("ours");
        let touching = match (outcome.question, ours) {
            ("world", Some(ours)) => ours.sum.to_string(),
            _ => String::new(),
        };
        let mut cells = vec![outcome.workload.clone(), outcome.size.to_string(), touching];
        cells.extend(engines.iter().map(|name| {
            let Some(row) = outcome.row(name) else { return "–".to_owned() };
            let time = digits(unit(row.least_secs(), outcome.size));
            match row.ratio {
                Some(ratio) if *name != "ours" => {
                    format!("{time} = {}×{}", ratio.show(), blame(outcome, row))
                }
                _ => time,
            }
        }));
        line(text, &cells);
    }
}

fn bytes(text: &mut String, report: &Report) {
    let mut engines: Vec<&str> = vec!["ours", "ours: mesh"];
    engines.extend(NAMES.into_iter().filter(|name| is_rival(name)));
    engines.retain(|name| report.bytes.values().any(|bytes| bytes.contains_key(name)));
    header(text, &["workload"], &engines);
    for (workload, bytes) in &report.bytes {
        if !bytes.contains_key("ours") {
            continue;
        }
        let mut cells = vec![workload.clone()];
        cells.extend(
            engines.iter().map(|name| bytes.get(name).map_or("–".to_owned(), |&b| digits(b))),
        );
        line(text, &cells);
    }
}
