//! Findings for people.

use std::io::{self, Write};

use super::Report;
use super::findings::{Contact, Tally, share};
use super::ways::people_text;
use crate::messages::{count, grouped, short};

/// More lines than that are for programs.
const MOST_LINES: usize = 12;
const MOST_PARTS: usize = 2;

pub(super) fn write(out: &mut impl Write, report: &Report) -> io::Result<()> {
    write_head(out, report)?;
    writeln!(out)?;
    write_methods(out, report)?;
    writeln!(out)?;
    write_contacts(out, report)
}

fn write_head(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let Report { ways, cast, walkers, findings, .. } = report;
    let there = walkers.iter().filter(|walker| walker.stances.iter().any(Option::is_some));
    let people = there.clone().count();
    let at_once = findings.density.frames.iter().map(|frame| frame.people).max().unwrap_or(0);
    writeln!(
        out,
        "{}: {} ({} at once at most), {} of {} to {} examined, {} per second",
        ways.name,
        people_text(people),
        grouped(u64::from(at_once)),
        count(ways.frames.len() as u64, "frame"),
        ways.frames[0],
        ways.frames[ways.frames.len() - 1],
        ways.rate_text()
    )?;
    let densest = findings.density.densest;
    let mean = share(
        findings.people_by_others.iter().zip(0..).map(|(people, others)| people * others).sum(),
        findings.stances,
    );
    let who = if densest.0 > 0.0 {
        format!(" (person {} in frame {})", densest.2, densest.1)
    } else {
        String::new()
    };
    writeln!(
        out,
        "Others within 1 m, per m²: {:.2} in the mean, {:.2} at most{who}",
        mean.unwrap_or(0.0) / std::f64::consts::PI,
        densest.0
    )?;
    let mut bodies = Vec::new();
    for (index, character) in cast.characters.iter().enumerate() {
        let worn = there.clone().filter(|walker| cast.of(walker.id) == index).count();
        let stride = character
            .stride
            .map_or("without a stride".to_owned(), |stride| format!("stride {stride:.2} m"));
        bodies.push(format!("{} ({worn}; {stride})", character.short_name()));
    }
    writeln!(out, "Bodies: {}", bodies.join(", "))?;
    // What the paper has goes without saying.
    if !cast.circles.is_usual() {
        writeln!(out, "Cylinders: {}", cast.circles.words())?;
    }
    Ok(())
}

fn write_methods(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let findings = &report.findings;
    let judge = findings.judge();
    let (what, judged) =
        if judge.method.is_exact() { ("exact", true) } else { (judge.method.name.as_str(), false) };
    writeln!(
        out,
        "Pairs that touch, summed over frames; found, missed and false against {what}{}",
        if judged { "" } else { ", the closest bound (no meshes were compared)" }
    )?;
    let width =
        findings.tallies.iter().map(|tally| tally.method.name.len()).max().unwrap_or(6).max(6);
    writeln!(
        out,
        "  {:width$}  {:>10}  {:>10}  {:>10}  {:>8}  {:>10}  {:>7}  {:>7}  {:>12}  {:>9}  {:>6}",
        "method",
        "listed",
        "found",
        "missed",
        "missed %",
        "false",
        "right %",
        "pairs",
        "circle tests",
        "meshes",
        "time"
    )?;
    let unit = findings.tallies[0].seconds.max(1e-9);
    for tally in &findings.tallies {
        write_method(out, report, tally, (width, unit))?;
    }
    writeln!(
        out,
        "  {} examined, summed over frames; time is in units of the first line, {:.1} µs per frame",
        count(findings.pairs_examined, "pair"),
        1e6 * unit / report.ways.frames.len() as f64
    )
}

fn write_method(
    out: &mut impl Write,
    report: &Report,
    tally: &Tally,
    (width, unit): (usize, f64),
) -> io::Result<()> {
    let findings = &report.findings;
    let percent =
        |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1}", 100.0 * share));
    let missed = findings.missed(tally);
    writeln!(
        out,
        "  {:width$}  {:>10}  {:>10}  {:>10}  {:>8}  {:>10}  {:>7}  {:>7}  {:>12}  {:>9}  {:>6.1}",
        tally.method.name,
        grouped(tally.listed),
        grouped(tally.found),
        grouped(missed),
        percent(share(missed, findings.judge().listed)),
        grouped(tally.wrong()),
        percent(share(tally.found, tally.listed)),
        grouped(tally.pairs.len() as u64),
        grouped(tally.circle_tests),
        grouped(tally.mesh_tests),
        tally.seconds / unit
    )
}

fn write_contacts(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let findings = &report.findings;
    let contacts = &findings.contacts;
    if let Some(reason) = report.nothing {
        return writeln!(out, "Nothing examined: {reason}.");
    }
    let is_exact = findings.judge().method.is_exact();
    let touch = if is_exact { "touch" } else { "may touch" };
    if contacts.is_empty() {
        return writeln!(
            out,
            "No pair {}.",
            if is_exact { "touches" } else { "touches, for certain" }
        );
    }
    let pairs = contacts.len() as u64;
    let verb = if pairs == 1 && is_exact { "touches" } else { touch };
    writeln!(
        out,
        "{} {verb}, for {} s in all; the longest:",
        count(pairs, "pair"),
        short(judge_secs(report))
    )?;
    writeln!(
        out,
        "  {:>13}  {:>15}  {:>7}  {:>5}  {:>9}  {:>16}  parts at the nearest",
        "who", "frames", "for s", "times", "nearest m", "where x, y"
    )?;
    for contact in contacts.iter().take(MOST_LINES) {
        write_contact(out, report, contact)?;
    }
    if contacts.len() > MOST_LINES {
        writeln!(out, "  and {} more; --json has them all", grouped(pairs - MOST_LINES as u64))?;
    }
    Ok(())
}

fn judge_secs(report: &Report) -> f64 {
    report.findings.judge().listed as f64 * report.ways.step_secs()
}

fn write_contact(out: &mut impl Write, report: &Report, contact: &Contact) -> io::Result<()> {
    let Report { ways, walkers, .. } = report;
    let [a, b] = contact.pair.map(|who| walkers[who as usize].id);
    let frames = format!("{}-{}", ways.frames[contact.first], ways.frames[contact.last]);
    let mut parts: Vec<String> =
        contact.parts.iter().take(MOST_PARTS).map(|[a, b]| format!("{a} & {b}")).collect();
    if contact.parts.len() > MOST_PARTS {
        parts.push(format!("{} more", contact.parts.len() - MOST_PARTS));
    }
    let line = format!(
        "  {:>13}  {frames:>15}  {:>7.2}  {:>5}  {:>9.2}  {:>7.1}, {:>7.1}  {}",
        format!("{a} & {b}"),
        f64::from(contact.frames) * ways.step_secs(),
        contact.times,
        contact.nearest,
        contact.at.x,
        contact.at.y,
        parts.join(", ")
    );
    writeln!(out, "{}", line.trim_end())
}
