//! Findings for programs: one JSON object, as `docs/crowd-json.md` and `docs/crowd.schema.json`
//! say.
//!
//! Fields may be added without a new schema version; none is renamed, removed or given another
//! meaning without one.

use std::io::{self, Write};

use elbowroom_motion::crowd::Detail;
use serde::Serialize;
use serde_json::Serializer;

use super::Report;
use super::cast::Character;
use super::findings::{Contact, Tally};
use crate::output::json_format::Shallow;
use crate::warnings::Warning;

const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Root<'a> {
    schema_version: u32,
    elbowroom_version: &'static str,
    /// Of all lengths.
    unit: &'static str,
    /// Null for the generated crowd.
    file: Option<&'a str>,
    people: usize,
    fps: f64,
    first_frame: i64,
    last_frame: i64,
    every: i64,
    frames_examined: usize,
    pairs_examined: u64,
    /// Whether there was a pair to examine, and all of the bodies was read.
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    nothing_examined: Option<&'static str>,
    warnings: &'a [Warning],
    /// What the file does not say and was assumed.
    assumed: &'a [String],
    density: DensityEntry<'a>,
    bodies: Vec<BodyEntry<'a>>,
    cylinders: CylinderEntry,
    judge: &'a str,
    touch: bool,
    methods: Vec<MethodEntry<'a>>,
    contacts: Vec<ContactEntry<'a>>,
}

#[derive(Serialize)]
struct DensityEntry<'a> {
    mean: f64,
    most: f64,
    most_frame: i64,
    most_id: i64,
    most_people: u32,
    people_by_others: &'a [u64],
}

#[derive(Serialize)]
struct BodyEntry<'a> {
    name: &'a str,
    walk: &'a str,
    stand: Option<&'a str>,
    stride: Option<f64>,
    people: usize,
}

#[derive(Serialize)]
struct CylinderEntry {
    parts: &'static str,
    split: &'static str,
    threshold: f64,
    /// Null for all levels.
    exact_level: Option<u32>,
}

#[derive(Serialize)]
struct MethodEntry<'a> {
    name: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    radius: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<u32>,
    listed: u64,
    found: u64,
    missed: u64,
    #[serde(rename = "false")]
    wrong: u64,
    pairs: usize,
    broad_pairs: u64,
    circle_tests: u64,
    mesh_tests: u64,
    seconds: f64,
    touching_by_others: &'a [u64],
}

#[derive(Serialize)]
struct ContactEntry<'a> {
    ids: [i64; 2],
    first_frame: i64,
    last_frame: i64,
    frames: u32,
    times: u32,
    seconds: f64,
    nearest: f64,
    nearest_frame: i64,
    x: f64,
    y: f64,
    parts: &'a [[String; 2]],
}

pub(super) fn write(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(&mut *out, Shallow::default());
    root(report).serialize(&mut serializer)?;
    writeln!(out)
}

fn root(report: &Report) -> Root<'_> {
    let Report { ways, cast, walkers, findings, warnings, assumed, is_whole, nothing } = report;
    let (most, most_frame, most_id) = findings.density.densest;
    let sum: f64 =
        findings.density.frames.iter().map(|frame| frame.mean * f64::from(frame.people)).sum();
    Root {
        schema_version: SCHEMA_VERSION,
        elbowroom_version: env!("CARGO_PKG_VERSION"),
        unit: "m",
        file: ways.path.as_deref(),
        people: walkers.len(),
        fps: ways.fps,
        first_frame: ways.frames[0],
        last_frame: ways.frames[ways.frames.len() - 1],
        every: ways.every,
        frames_examined: ways.frames.len(),
        pairs_examined: findings.pairs_examined,
        complete: *is_whole && nothing.is_none(),
        nothing_examined: *nothing,
        warnings,
        assumed,
        density: DensityEntry {
            mean: sum / findings.stances.max(1) as f64,
            most,
            most_frame,
            most_id,
            most_people: findings
                .density
                .frames
                .iter()
                .map(|frame| frame.people)
                .max()
                .unwrap_or(0),
            people_by_others: &findings.people_by_others,
        },
        bodies: (0..).zip(&cast.characters).map(|entry| body(report, entry)).collect(),
        cylinders: CylinderEntry {
            parts: cast.circles.parts_name(),
            split: cast.circles.split_name(),
            threshold: cast.circles.threshold(),
            exact_level: cast.circles.level,
        },
        judge: &findings.judge().method.name,
        touch: !findings.contacts.is_empty(),
        methods: findings.tallies.iter().map(|tally| method(report, tally)).collect(),
        contacts: findings.contacts.iter().map(|entry| contact(report, entry)).collect(),
    }
}

fn body<'a>(report: &Report, (index, character): (usize, &'a Character)) -> BodyEntry<'a> {
    let (walk, stand) = character.clips();
    let worn = report.walkers.iter().filter(|walker| report.cast.of(walker.id) == index);
    BodyEntry {
        name: &character.name,
        walk: walk.name(),
        stand: stand.map(elbowroom_motion::body::Clip::name),
        stride: character.stride,
        people: worn.count(),
    }
}

fn method<'a>(report: &Report, tally: &'a Tally) -> MethodEntry<'a> {
    let (kind, radius, level) = match tally.method.detail {
        Detail::Disk(radius) => ("disk", Some(radius), None),
        Detail::Level(level) => ("level", None, Some(level)),
        Detail::Full => ("full", None, None),
        Detail::Exact => ("exact", None, None),
        Detail::Camera { .. } | Detail::Density { .. } | Detail::Budget { .. } => {
            ("camera", None, None)
        }
    };
    MethodEntry {
        name: &tally.method.name,
        kind,
        radius,
        level,
        listed: tally.listed,
        found: tally.found,
        missed: report.findings.missed(tally),
        wrong: tally.wrong(),
        pairs: tally.pairs.len(),
        broad_pairs: tally.broad,
        circle_tests: tally.circle_tests,
        mesh_tests: tally.mesh_tests,
        seconds: tally.seconds,
        touching_by_others: &tally.touching_by_others,
    }
}

fn contact<'a>(report: &Report, contact: &'a Contact) -> ContactEntry<'a> {
    let Report { ways, walkers, .. } = report;
    ContactEntry {
        ids: contact.pair.map(|who| walkers[who as usize].id),
        first_frame: ways.frames[contact.first],
        last_frame: ways.frames[contact.last],
        frames: contact.frames,
        times: contact.times,
        seconds: f64::from(contact.frames) * ways.step_secs(),
        nearest: contact.nearest,
        nearest_frame: ways.frames[contact.nearest_frame],
        x: contact.at.x,
        y: contact.at.y,
        parts: &contact.parts,
    }
}
