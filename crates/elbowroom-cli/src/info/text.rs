//! A report for people.

use std::io::{self, Write};

use super::report::{
    Bounds, ClipReport, Content, FileReport, FramesReport, FreedomReport, Known, PartReport,
    RigReport, RigsReport, WaysReport,
};
use super::rows::{self, Side, cut};
use crate::messages::{count, grouped, printable, short};

/// Longer tables are cut unless `--all` is given.
const MOST_ROWS: usize = 24;
const MOST_RIGS: usize = 4;

pub(super) fn write(
    out: &mut dyn Write,
    report: &FileReport,
    behind_another: bool,
    all: bool,
) -> io::Result<()> {
    let Some(content) = &report.content else { return Ok(()) };
    if behind_another {
        writeln!(out)?;
    }
    writeln!(out, "{}: {}", printable(&report.path), report.format.unwrap_or_default())?;
    match content {
        Content::Rigs(rigs) => write_rigs(out, rigs, all)?,
        Content::Frames(frames) => write_frames(out, frames)?,
        Content::Trajectories(ways) => write_ways(out, ways)?,
    }
    // The head has said already what is assumed of units and axes.
    let assumed = |note: &&String| note.contains("--units") || note.contains("--up");
    for note in report.notes.iter().filter(|note| !assumed(note)) {
        writeln!(out, "  note: {}", printable(note))?;
    }
    Ok(())
}

fn by(source: &str) -> &'static str {
    match source {
        "given" => "as given",
        "file" => "known from the file",
        _ => "assumed",
    }
}

/// A fact, where it is known from, and how to say otherwise.
fn known(fact: &str, source: &str, switch: &str) -> String {
    let otherwise =
        if source == "assumed" { format!("; {switch} gives another") } else { String::new() };
    format!("{fact} ({}{otherwise})", by(source))
}

/// A unit by its name where it has one.
fn unit_name(metres: f64) -> String {
    let known = [
        (1.0, "metres"),
        (0.01, "centimetres"),
        (0.001, "millimetres"),
        (1000.0, "kilometres"),
        (0.0254, "inches"),
        (0.3048, "feet"),
    ];
    match known.iter().find(|(length, _)| *length == metres) {
        Some((_, name)) => (*name).to_owned(),
        None => format!("units of {} m", short(metres)),
    }
}

fn size(bounds: Option<&Bounds>) -> String {
    let Some(Bounds { low, high }) = bounds else { return String::new() };
    let side = |axis: usize| short_length(high[axis] - low[axis]);
    format!("{} × {} × {}", side(0), side(1), side(2))
}

/// Three digits that count.
fn short_length(metres: f64) -> String {
    match metres {
        0.0 => "0".to_owned(),
        m if !(1e-3..1e6).contains(&m) => format!("{m:.2e}"),
        m if m >= 100.0 => format!("{m:.0}"),
        m if m >= 10.0 => format!("{m:.1}"),
        m if m >= 0.1 => format!("{m:.2}"),
        m => format!("{m:.4}"),
    }
}

fn span(bounds: &Bounds) -> String {
    let axis = |i: usize| format!("{}..{}", short(bounds.low[i]), short(bounds.high[i]));
    format!("x {}, y {}, z {}", axis(0), axis(1), axis(2))
}

fn write_rigs(out: &mut dyn Write, report: &RigsReport, all: bool) -> io::Result<()> {
    let units = known(&unit_name(report.units.value), report.units.source, "--units");
    let up = format!("{} up", report.up.value.to_uppercase());
    writeln!(out, "  in {units}, {}", known(&up, report.up.source, "--up"))?;
    writeln!(out, "  {}", totals(report))?;
    if let Some(bounds) = &report.bounds {
        let what = if report.rigs.iter().any(|rig| !rig.parts.is_empty()) {
            "at rest, in metres"
        } else {
            "joints at rest, in metres"
        };
        writeln!(out, "  {what}: {} ({})", size(Some(bounds)), span(bounds))?;
    }
    let (shown, more) = cut(&report.rigs, all, MOST_RIGS);
    for rig in shown {
        write_rig(out, rig, report.rigs.len() > 1, all)?;
    }
    if more > 0 {
        writeln!(out, "\n  … and {} (--all shows them)", count(more as u64, "more rig"))?;
    }
    if report.groups.len() > 1 {
        let (shown, more) = cut(&report.groups, all, MOST_ROWS);
        let rows: Vec<Vec<String>> = shown
            .iter()
            .map(|group| vec![printable(&group.name), grouped(group.faces as u64)])
            .collect();
        writeln!(out)?;
        rows::write(out, &[("group", Side::Left), ("faces", Side::Right)], &rows)?;
        write_more(out, more)?;
    }
    Ok(())
}

fn write_more(out: &mut dyn Write, more: usize) -> io::Result<()> {
    if more == 0 {
        return Ok(());
    }
    writeln!(out, "  … and {} more (--all shows them)", grouped(more as u64))
}

/// How much there is of everything.
fn totals(report: &RigsReport) -> String {
    let sum = |of: fn(&RigReport) -> usize| report.rigs.iter().map(of).sum::<usize>() as u64;
    let parts = || report.rigs.iter().flat_map(|rig| &rig.parts);
    let triangles: usize = parts().map(|part| part.triangles).sum();
    let vertices: usize = parts().map(|part| part.vertices).sum();
    let mut said = Vec::new();
    if report.rigs.len() > 1 {
        said.push(count(report.rigs.len() as u64, "rig"));
    }
    let joints = sum(|rig| rig.joints.len());
    // The single joint of a plain mesh is ours, not the file's.
    if report.faces.is_none() {
        said.push(count(joints, "joint"));
        let parts = sum(|rig| rig.parts.len());
        said.push(if parts == 0 { "no mesh".to_owned() } else { count(parts, "part") });
    }
    if triangles > 0 {
        said.push(count(triangles as u64, "triangle"));
        let noun = if vertices == 1 { "vertex" } else { "vertices" };
        said.push(format!("{} {noun}", grouped(vertices as u64)));
    }
    if let Some(faces) = report.faces.filter(|&faces| faces != triangles) {
        said.push(format!("{} before cutting", count(faces as u64, "face")));
    }
    let clips = sum(|rig| rig.clips.len());
    if clips > 0 {
        said.push(count(clips, "clip"));
    }
    let values = sum(|rig| rig.freedoms.iter().map(|freedom| freedom.values).sum());
    if values > 0 {
        said.push(count(values, "joint value"));
    }
    let allowed = sum(|rig| rig.allowed_pairs.len());
    if allowed > 0 {
        said.push(format!("{} of joints that may touch", count(allowed, "pair")));
    }
    said.join(", ")
}

fn write_rig(out: &mut dyn Write, rig: &RigReport, named: bool, all: bool) -> io::Result<()> {
    if named {
        writeln!(out, "\n  rig {:?}: {}", rig.name, count(rig.joints.len() as u64, "joint"))?;
    }
    if !rig.parts.is_empty() {
        writeln!(out)?;
        let heads = [
            ("part", Side::Left),
            ("triangles", Side::Right),
            ("vertices", Side::Right),
            ("closed", Side::Left),
            ("size (m)", Side::Left),
            ("hangs on", Side::Left),
            ("besides", Side::Left),
        ];
        let (shown, more) = cut(&rig.parts, all, MOST_ROWS);
        let alone = rig.joints.len() == 1;
        let rows: Vec<Vec<String>> = shown.iter().map(|part| part_row(part, alone)).collect();
        rows::write(out, &heads, &rows)?;
        write_more(out, more)?;
    }
    if !rig.clips.is_empty() {
        writeln!(out)?;
        let heads = [
            ("clip", Side::Right),
            ("name", Side::Left),
            ("seconds", Side::Right),
            ("keys/s", Side::Right),
            ("frames", Side::Right),
            ("starts at", Side::Right),
            ("", Side::Left),
        ];
        let (shown, more) = cut(&rig.clips, all, MOST_ROWS);
        let is_only = rig.clips.len() == 1;
        let row = |(index, clip): (usize, &ClipReport)| clip_row(index, clip, is_only);
        let rows: Vec<Vec<String>> = shown.iter().enumerate().map(row).collect();
        rows::write(out, &heads, &rows)?;
        write_more(out, more)?;
    }
    if !rig.freedoms.is_empty() {
        writeln!(out)?;
        let heads = [
            ("joint variable", Side::Left),
            ("kind", Side::Left),
            ("from", Side::Right),
            ("to", Side::Right),
            ("follows", Side::Left),
        ];
        let (shown, more) = cut(&rig.freedoms, all, MOST_ROWS);
        let rows: Vec<Vec<String>> = shown.iter().map(freedom_row).collect();
        rows::write(out, &heads, &rows)?;
        write_more(out, more)?;
    }
    Ok(())
}

/// Whether a part is closed, and what keeps it open.
fn closed(part: &PartReport) -> String {
    if part.closed {
        return "yes".to_owned();
    }
    if part.closed_after_welding {
        return "after welding".to_owned();
    }
    let edges = [
        (part.open_edges, "open"),
        (part.flipped_edges, "flipped"),
        (part.branching_edges, "branching"),
    ];
    let edges: Vec<String> = edges
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| format!("{} {what}", grouped(*n as u64)))
        .collect();
    let plural = if edges.len() == 1 && edges[0].starts_with("1 ") { "edge" } else { "edges" };
    if edges.is_empty() { "no".to_owned() } else { format!("no: {} {plural}", edges.join(", ")) }
}

fn part_row(part: &PartReport, alone: bool) -> Vec<String> {
    let hold = match (&part.skin, &part.joint) {
        (Some(skin), _) => format!(
            "{}, at most {} per vertex",
            count(skin.joints as u64, "joint"),
            skin.most_influences
        ),
        (None, Some(joint)) if !alone => printable(joint),
        _ => String::new(),
    };
    let mut besides = Vec::new();
    besides.extend(part.primitive.map(str::to_owned));
    if !part.morphs.is_empty() {
        besides.push(count(part.morphs.len() as u64, "morph"));
    }
    if part.degenerate_triangles > 0 {
        besides.push(format!("{} degenerate", grouped(part.degenerate_triangles as u64)));
    }
    if let Some(skin) = part.skin.as_ref().filter(|skin| skin.renormalised_vertices > 0) {
        let vertices = grouped(skin.renormalised_vertices as u64);
        besides.push(format!("weights of {vertices} vertices did not add up to 1"));
    }
    vec![
        printable(&part.name),
        grouped(part.triangles as u64),
        grouped(part.vertices as u64),
        closed(part),
        size(part.bounds.as_ref()),
        hold,
        besides.join(", "),
    ]
}

/// With which clip is played by default, where there is a choice.
fn clip_row(index: usize, clip: &ClipReport, is_only: bool) -> Vec<String> {
    let default = if clip.default && !is_only { "played by default" } else { "" };
    let uneven = if clip.most_keys < 2 { String::new() } else { "uneven".to_owned() };
    let starts = if clip.start == 0.0 { String::new() } else { short(clip.start) };
    vec![
        index.to_string(),
        printable(&clip.name),
        format!("{:.2}", clip.seconds),
        clip.fps.map_or(uneven, short),
        clip.frames.map_or(String::new(), |frames| grouped(frames as u64)),
        starts,
        default.to_owned(),
    ]
}

fn freedom_row(freedom: &FreedomReport) -> Vec<String> {
    let end = |i: usize| match freedom.range {
        Some(range) => range[i].map_or("∞".to_owned(), short),
        None => String::new(),
    };
    let follows = freedom.mimics.as_deref().map_or(String::new(), printable);
    vec![printable(&freedom.name), freedom.kind.to_owned(), end(0), end(1), follows]
}

fn write_frames(out: &mut dyn Write, report: &FramesReport) -> io::Result<()> {
    let FramesReport { frames, fps, first_number, part, .. } = report;
    let rate = fps.map_or("a rate that the file does not state".to_owned(), |fps| {
        format!("{} per second, {:.2} s", short(fps), (*frames - 1) as f64 / fps)
    });
    writeln!(out, "  {} from number {first_number} on, {rate}", count(*frames as u64, "frame"))?;
    let units = known(&unit_name(report.units.value), report.units.source, "--units");
    writeln!(out, "  in {units}")?;
    let faces = grouped(part.triangles as u64);
    let vertices = grouped(part.vertices as u64);
    writeln!(out, "  {faces} triangles, {vertices} vertices, closed: {}", closed(part))?;
    if let Some(bounds) = &part.bounds {
        writeln!(out, "  first frame, in metres: {} ({})", size(Some(bounds)), span(bounds))?;
    }
    Ok(())
}

fn write_ways(out: &mut dyn Write, report: &WaysReport) -> io::Result<()> {
    let WaysReport { units, people, samples, first_frame, last_frame, fps, .. } = report;
    let Known { value, source } = units;
    writeln!(out, "  in {}", known(&unit_name(*value), source, "--units"))?;
    let noun = if *people == 1 { "person" } else { "people" };
    let seconds = (last_frame - first_frame) as f64 / fps.value;
    writeln!(
        out,
        "  {} {noun}, {}, frames {first_frame} to {last_frame} at {} per second ({}): {seconds:.1} s",
        grouped(*people as u64),
        count(*samples as u64, "sample"),
        short(fps.value),
        by(fps.source)
    )?;
    if let Some(bounds) = &report.bounds {
        writeln!(out, "  extent in metres: {} ({})", size(Some(bounds)), span(bounds))?;
    }
    if let Some(speed) = report.mean_speed {
        let headings = if report.headings { ", with headings" } else { "" };
        writeln!(out, "  mean speed: {speed:.2} m/s{headings}")?;
    }
    Ok(())
}
