//! The report for people: one HTML file that opens without a network.
//!
//! The page itself is built from `viewer/`; what is put into it is described in
//! docs/report-data.md. The summary holds incidents, counts and notes, with names as they are:
//! every `<` is written as an escape, so that no name can end the block. What is played ([`shot`])
//! stands beside it.

mod actor;
mod cache;
mod clip;
mod container;
mod figure;
mod mark;
pub(crate) mod own;
mod quantise;
mod shot;
pub(crate) mod stock;
mod troupe;

use std::io::{self, Write};

use elbowroom_io::{Axis, names};
use elbowroom_motion::scene::{Beat, Incident, PartPair};
use glam::DVec3;
use serde::Serialize;

use crate::args::Touching;
use crate::messages::{count, short};
use crate::result::cast::{Cast, Form};
use crate::result::options;
use crate::result::totals::Account;

use crate::result::spans::Spans;
pub(crate) use shot::container;

/// The page, with a marker where the data go.
const PAGE: &str = include_str!("../../assets/report.html");
const MARKER: &str = "<!--elbowroom:data-->";
const SCHEMA_VERSION: u32 = 1;
/// How many pairs of parts a page lists at most, of all incidents together: some 5 MB. A thousand
/// people in each other's way have more.
const MOST_PARTS: usize = 200_000;

#[derive(Serialize)]
struct Summary<'a> {
    schema_version: u32,
    program_version: &'static str,
    command: &'a str,
    title: String,
    complete: bool,
    files: Vec<FileEntry<'a>>,
    frames: Frames,
    fps: Option<f64>,
    /// That of the scene, in which all lengths of the page are; and the one in which results are
    /// written elsewhere.
    unit: Option<String>,
    metres_per_unit: Option<f64>,
    report_unit: Option<String>,
    up: &'static str,
    asked: Asked,
    severity: &'static str,
    counts: Counts,
    objects: Vec<ObjectEntry<'a>>,
    incidents: Vec<IncidentEntry>,
    notes: Vec<Note>,
}

#[derive(Serialize)]
struct FileEntry<'a> {
    path: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct Frames {
    first: u32,
    last: u32,
    step: u32,
    count: u64,
    /// The number of the frame at time 0; left out where it is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    zero: Option<i64>,
}

#[derive(Serialize)]
struct Asked {
    mode: &'static str,
    touching: &'static str,
    clearance: Option<f64>,
    depth: Option<&'static str>,
    gap: u32,
}

#[derive(Serialize)]
struct Counts {
    frames_examined: u64,
    pairs_examined: u64,
    contacts: u64,
}

#[derive(Serialize)]
struct ObjectEntry<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    kind: Form,
    triangles: usize,
    parts: &'a [String],
    /// What parts are called for people; left out where that is their name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    part_labels: Vec<String>,
}

#[derive(Serialize)]
struct IncidentEntry {
    id: usize,
    a: u32,
    b: u32,
    kind: &'static str,
    first: u32,
    last: u32,
    worst: u32,
    frames: u64,
    depth: Option<f64>,
    pairs: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<String>,
    parts: Vec<PartEntry>,
    point: Option<[f64; 3]>,
    normal: Option<[f64; 3]>,
    series: Vec<(u32, Option<f64>, u64)>,
    series_every: u32,
}

#[derive(Serialize)]
struct PartEntry {
    a: Option<u32>,
    b: Option<u32>,
    pairs: u64,
    /// First and last of each span of frames in which they meet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    spans: Vec<u32>,
}

#[derive(Serialize)]
struct Note {
    kind: &'static str,
    text: String,
}

/// Whether a file is a report of this program, of any version.
pub(crate) fn is_report(bytes: &[u8]) -> bool {
    let has = |within: &[u8], words: &str| {
        within.windows(words.len()).any(|window| window == words.as_bytes())
    };
    let head = &bytes[..bytes.len().min(2000)];
    has(head, "<meta name=\"generator\" content=\"elbowroom\">")
        && has(bytes, "<script type=\"application/json\" id=\"report\">")
}

/// Writes the page with its data.
pub(crate) fn write(
    out: &mut impl Write,
    cast: &Cast,
    account: &Account,
    (command, notes): (&str, &[String]),
    shot: Option<&[u8]>,
) -> io::Result<()> {
    let (before, after) = PAGE.split_once(MARKER).unwrap_or((PAGE, ""));
    let summary = serde_json::to_string(&summary(cast, account, command, notes))?;
    write!(out, "{before}<script type=\"application/json\" id=\"report\">")?;
    out.write_all(summary.replace('<', "\\u003c").as_bytes())?;
    out.write_all(b"</script>")?;
    if let Some(shot) = shot {
        out.write_all(b"<script type=\"application/octet-stream\" id=\"shot\">")?;
        out.write_all(shot)?;
        out.write_all(b"</script>")?;
    }
    out.write_all(after.as_bytes())
}

/// The name of an axis in a report, and its direction.
fn up_axis(axis: Axis) -> (&'static str, DVec3) {
    match axis {
        Axis::X => ("x", DVec3::X),
        Axis::Y => ("y", DVec3::Y),
        Axis::Z => ("z", DVec3::Z),
    }
}

fn summary<'a>(
    cast: &'a Cast,
    account: &Account,
    command: &'a str,
    notes: &[String],
) -> Summary<'a> {
    let files = cast.files.iter().map(|file| FileEntry {
        path: file.path.display().to_string(),
        status: if file.error.is_some() { "error" } else { "ok" },
        error: file.error.as_deref(),
    });
    let objects = cast.entries.iter().map(|entry| ObjectEntry {
        name: &entry.name,
        path: entry.path.as_ref().map(|path| path.display().to_string()),
        kind: entry.form,
        triangles: entry.triangles,
        parts: &entry.parts,
        part_labels: Some(names::without_namespaces(&entry.parts))
            .filter(|labels| *labels != entry.parts)
            .unwrap_or_default(),
    });
    let most = parts_of_each(account.incidents.iter().map(|incident| incident.parts.len()));
    let incidents = account.incidents.iter().enumerate();
    let [first, last, step] = cast.range;
    Summary {
        schema_version: SCHEMA_VERSION,
        program_version: env!("CARGO_PKG_VERSION"),
        command,
        title: title(cast),
        complete: account.is_complete(cast),
        files: files.collect(),
        frames: Frames {
            first,
            last,
            step,
            count: cast.frames,
            zero: Some(cast.zero).filter(|&zero| zero != 0),
        },
        fps: cast.fps,
        unit: cast.unit.scene_name(),
        metres_per_unit: cast.unit.scene_metres(),
        report_unit: cast.unit.name(),
        up: up_axis(cast.up).0,
        asked: Asked {
            mode: if cast.wanted.is_solid() { "solid" } else { "surface" },
            touching: match cast.touching {
                Touching::Count => "count",
                Touching::Ignore => "ignore",
            },
            clearance: cast.wanted.clearance,
            depth: cast.wanted.depth.then_some(options::DEPTH),
            gap: cast.gap,
        },
        severity: match crate::result::incident::severity(cast) {
            "triangle_pairs" => "pairs",
            other => other,
        },
        counts: Counts {
            frames_examined: account.counts.frames_examined,
            pairs_examined: account.counts.pairs_examined,
            contacts: account.counts.contacts(),
        },
        objects: objects.collect(),
        incidents: incidents
            .map(|(index, incident)| entry((cast, &account.spans), index + 1, incident, most))
            .collect(),
        notes: all_notes(cast, account, notes, most),
    }
}

/// What the page is called: the file, or how many there are.
fn title(cast: &Cast) -> String {
    match cast.files.as_slice() {
        [] => "the built-in scene".to_owned(),
        [only] => names::stem(&only.path),
        [one, two] => format!("{} and {}", names::stem(&one.path), names::stem(&two.path)),
        files => format!("{} files", files.len()),
    }
}

/// How many pairs of parts are listed of each incident, where all would be too many.
fn parts_of_each(parts: impl Iterator<Item = usize>) -> Option<usize> {
    let (count, all) = parts.fold((0, 0), |(count, all), more| (count + 1, all + more));
    (all > MOST_PARTS).then(|| (MOST_PARTS / count).max(4))
}

fn entry(
    (cast, spans): (&Cast, &Spans),
    id: usize,
    incident: &Incident,
    most: Option<usize>,
) -> IncidentEntry {
    let worst = &incident.worst;
    let has_parts =
        [incident.a, incident.b].map(|object| !cast.entries[object.index()].parts.is_empty());
    let part = |pair: &PartPair| PartEntry {
        a: has_parts[0].then_some(pair.a),
        b: has_parts[1].then_some(pair.b),
        pairs: pair.touching + pair.crossing,
        spans: spans.within(
            (incident.a.0, incident.b.0),
            (pair.a, pair.b),
            (incident.first, incident.last),
        ),
    };
    let mut worst_first: Vec<&PartPair> = incident.parts.iter().collect();
    // Stable: the others stay as they are, the most first.
    worst_first.sort_by_key(|pair| worst.parts != Some((pair.a, pair.b)));
    // A page draws the scene, so its lengths are in the scene's unit.
    let scene = |length: Option<f64>| length.map(|length| cast.unit.in_scene(length));
    let beat = |beat: &Beat| (beat.frame, scene(beat.depth), beat.triangle_pairs);
    let certainty = match (worst.is_estimate, worst.bound > 0.0) {
        (true, true) => {
            format!("estimate: ±{}, a curved shape", short(cast.unit.in_scene(worst.bound)))
        }
        (true, false) => "estimate: a mesh is not closed".to_owned(),
        (false, _) if worst.depth_is_estimate => {
            "estimate: the depth, because a mesh is not closed or meets itself".to_owned()
        }
        (false, _) => "exact".to_owned(),
    };
    IncidentEntry {
        id,
        a: incident.a.0,
        b: incident.b.0,
        kind: worst.kind.name(),
        first: incident.first,
        last: incident.last,
        worst: worst.frame,
        frames: incident.frames,
        depth: scene(worst.depth),
        pairs: worst.triangle_pairs,
        distance: scene(worst.distance),
        length: scene(worst.length),
        certainty: (cast.wanted.is_solid() || worst.is_estimate || worst.depth_is_estimate)
            .then_some(certainty),
        parts: worst_first.into_iter().take(most.unwrap_or(usize::MAX)).map(part).collect(),
        point: worst.point.map(|point| point.to_array().map(|value| cast.unit.in_scene(value))),
        normal: worst.normal.map(|normal| normal.to_array()),
        series: incident.series.iter().map(beat).collect(),
        series_every: incident.series_every,
    }
}

/// What was left out because it meets at rest, if anything was.
fn rest_note(account: &Account) -> Option<Note> {
    let pairs = account.counts.rest_left_out;
    (pairs > 0).then(|| Note {
        kind: "warning",
        text: format!(
            "{} left out because they meet at rest, too; --rest count counts them",
            count(pairs, "triangle pair")
        ),
    })
}

fn all_notes(cast: &Cast, account: &Account, notes: &[String], most: Option<usize>) -> Vec<Note> {
    let note = |text: &String| {
        let kind = if text.contains("not closed") { "open-mesh" } else { "other" };
        Note { kind, text: text.clone() }
    };
    let warning = |text: &String| Note { kind: "warning", text: text.clone() };
    let warnings = cast.warnings.iter().map(|warned| warning(&warned.text));
    let mut all: Vec<Note> = warnings.chain(notes.iter().map(note)).collect();
    all.extend(most.map(|most| Note {
        kind: "other",
        text: format!("of each incident only the {most} pairs of parts that do the most are listed; `--json` has all"),
    }));
    all.extend(
        account.nothing.iter().map(|reason| Note {
            kind: "warning",
            text: format!("nothing was examined: {reason}"),
        }),
    );
    all.extend(rest_note(account));
    all.extend(account.counts.unreadable.iter().map(|frame| Note {
        kind: "unreadable",
        text: format!("frame {}: {}", frame.frame, frame.error),
    }));
    if account.was_interrupted() {
        let after = account
            .counts
            .last_frame
            .map_or("the beginning".to_owned(), |frame| format!("frame {frame}"));
        all.push(Note { kind: "interrupted", text: format!("interrupted after {after}") });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_left_out_where_there_are_very_many() {
        let of_each = |incidents: usize, parts: usize| parts_of_each((0..incidents).map(|_| parts));
        assert_eq!(of_each(0, 0), None);
        assert_eq!(of_each(5_000, 40), None);
        assert_eq!(of_each(15_520, 35), Some(12));
        assert_eq!(of_each(300_000, 1), Some(4));
    }
}
