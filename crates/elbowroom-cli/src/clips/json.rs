//! Findings for programs: one JSON object, as `docs/clips-json.md` and `docs/clips.schema.json`
//! say.
//!
//! Fields may be added without a new schema version; none is renamed, removed or given another
//! meaning without one.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;

use super::findings::Offsets;
use super::method::Counts;
use super::side::Side;
use super::skins::Skins;
use super::{ClipsArgs, Report};
use crate::output::json_format::Shallow;
use crate::warnings::Warning;

const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Root<'a> {
    schema_version: u32,
    elbowroom_version: &'static str,
    /// Of all lengths.
    unit: &'static str,
    between: &'static str,
    /// Whether there was something to examine, and all of it was read.
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    nothing_examined: Option<&'static str>,
    warnings: &'a [Warning],
    /// What the files do not say and was assumed.
    assumed: &'a [String],
    motions: Vec<Motion<'a>>,
    collide: bool,
    contacts: Vec<Contact>,
    /// Null if there is no common moment.
    nearest: Option<Nearest>,
    /// With `--offsets`.
    #[serde(skip_serializing_if = "Option::is_none")]
    offsets: Option<OffsetEntry>,
    /// With `--exact`.
    #[serde(skip_serializing_if = "Option::is_none")]
    skins: Option<SkinEntry>,
    /// With `--counts`.
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<CountEntry>,
}

#[derive(Serialize)]
struct CountEntry {
    method: &'static str,
    nodes: [usize; 2],
    box_tests: u64,
    sample_tests: u64,
    /// With `--offsets` by a tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset_box_tests: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset_sample_tests: Option<u64>,
}

#[derive(Serialize)]
struct SkinEntry {
    touch: bool,
    contacts: Vec<SkinContact>,
    disk_pairs: u64,
    cleared_from_above: u64,
    compared: u64,
}

#[derive(Serialize)]
struct SkinContact {
    from: f64,
    to: f64,
    first_samples: [u32; 2],
    last_samples: [u32; 2],
}

#[derive(Serialize)]
struct Motion<'a> {
    path: &'a str,
    clip: &'a str,
    seconds: f64,
    samples: usize,
    step_secs: f64,
    least_radius: f64,
    greatest_radius: f64,
    x: f64,
    y: f64,
    degrees: f64,
    start: f64,
}

#[derive(Serialize)]
struct Contact {
    from: f64,
    to: f64,
    first_samples: [usize; 2],
    last_samples: [usize; 2],
}

#[derive(Serialize)]
struct Nearest {
    gap: f64,
    time: f64,
    samples: [usize; 2],
}

#[derive(Serialize)]
struct OffsetEntry {
    now: f64,
    collides_now: bool,
    from: f64,
    to: f64,
    smallest_wait: f64,
    nearest_free: f64,
    intervals: Vec<[f64; 2]>,
}

pub(super) fn write(out: &mut impl Write, args: &ClipsArgs, report: &Report) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(&mut *out, Shallow::default());
    root(args, report).serialize(&mut serializer)?;
    writeln!(out)
}

fn root<'a>(args: &ClipsArgs, report: &'a Report) -> Root<'a> {
    let Report { sides, findings, .. } = report;
    let contacts = findings.contacts.iter().map(|contact| Contact {
        from: contact.from,
        to: contact.to,
        first_samples: contact.first.into(),
        last_samples: contact.last.into(),
    });
    Root {
        schema_version: SCHEMA_VERSION,
        elbowroom_version: env!("CARGO_PKG_VERSION"),
        unit: "m",
        between: args.between.name(),
        complete: report.is_complete(args),
        nothing_examined: report.nothing,
        warnings: &report.warnings,
        assumed: &report.assumed,
        motions: sides.iter().map(motion).collect(),
        collide: !findings.contacts.is_empty(),
        contacts: contacts.collect(),
        nearest: findings.nearest.as_ref().map(|nearest| Nearest {
            gap: nearest.gap,
            time: nearest.time,
            samples: nearest.samples.into(),
        }),
        offsets: findings.offsets.as_ref().map(offsets),
        skins: findings.skins.as_ref().map(skins),
        counts: args.counts.then(|| counts(&findings.counts)),
    }
}

fn counts(counts: &Counts) -> CountEntry {
    CountEntry {
        method: counts.method.name(),
        nodes: counts.nodes,
        box_tests: counts.contacts.volumes,
        sample_tests: counts.contacts.samples,
        offset_box_tests: counts.offsets.map(|tests| tests.volumes),
        offset_sample_tests: counts.offsets.map(|tests| tests.samples),
    }
}

fn motion(side: &Side) -> Motion<'_> {
    let [least_radius, greatest_radius] = side.radii();
    Motion {
        path: &side.path,
        clip: &side.clip,
        seconds: side.trace().seconds(),
        samples: side.trace().len(),
        step_secs: side.trace().dt(),
        least_radius,
        greatest_radius,
        x: side.spot.x,
        y: side.spot.y,
        degrees: side.spot.degrees,
        start: side.placed.start(),
    }
}

fn offsets(offsets: &Offsets) -> OffsetEntry {
    OffsetEntry {
        now: offsets.now,
        collides_now: offsets.collides_now,
        from: offsets.from,
        to: offsets.to,
        smallest_wait: offsets.smallest_wait,
        nearest_free: offsets.nearest_free,
        intervals: offsets.intervals.iter().map(|interval| [interval.from, interval.to]).collect(),
    }
}

fn skins(skins: &Skins) -> SkinEntry {
    let contacts = skins.contacts.iter().map(|contact| SkinContact {
        from: contact.from,
        to: contact.to,
        first_samples: contact.first,
        last_samples: contact.last,
    });
    SkinEntry {
        touch: !skins.contacts.is_empty(),
        contacts: contacts.collect(),
        disk_pairs: skins.disks,
        cleared_from_above: skins.cleared,
        compared: skins.compared,
    }
}
