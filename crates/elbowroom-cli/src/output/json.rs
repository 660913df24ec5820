//! Findings for programs: one JSON object.
//!
//! Fields may be added without a new schema version; none is renamed, removed or given another
//! meaning without one. One line per object and per contact keeps the text fit for `grep` and
//! `diff`.

use std::io::{self, Write};

use elbowroom::internal::query::TrianglePair;
use elbowroom_motion::scene::{ContactSummary, Meeting, PenetrationSummary};
use serde::Serialize;
use serde_json::Serializer;

use crate::args::{Rest, Touching};
use crate::measure::UNKNOWN;
use crate::output::json_format::Shallow;
use crate::result::between::PassingEntry;
use crate::result::cast::Cast;
use crate::result::frame::Passing;
use crate::result::incident::{self, IncidentEntry, PartEntry};
use crate::result::options;
use crate::result::totals::{Account, Unreadable};
use crate::result::work::WorkSum;
use crate::warnings::Warning;

pub(crate) const SCHEMA_VERSION: u32 = 2;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    #[serde(flatten)]
    ending: Ending<'a>,
    incidents: Vec<IncidentEntry<'a>>,
    contacts: Contacts<'a>,
    /// What comes together between frames; left out if it was not examined.
    #[serde(skip_serializing_if = "Option::is_none")]
    between: Option<Vec<PassingEntry<'a>>>,
}

/// What is known before anything was examined.
#[derive(Serialize)]
pub(crate) struct Header<'a> {
    schema_version: u32,
    elbowroom_version: &'static str,
    /// The unit of lengths; areas are in its square, volumes in its cube. Null if it is unknown.
    unit: Option<String>,
    metres_per_unit: Option<f64>,
    /// Left out where the unit is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit_note: Option<&'static str>,
    /// Whether boundaries are compared, or what they enclose.
    mode: &'static str,
    touching: &'static str,
    /// How near is too near; left out where only contact counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    clearance: Option<f64>,
    /// What depth means; left out where it was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth_means: Option<&'static str>,
    /// Whether what meets at rest counts, where objects are compared with themselves; left out if
    /// none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<&'static str>,
    /// Frames in a second; left out where frames have no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    fps: Option<f64>,
    /// How many frames were to be examined.
    frames_asked: u64,
    /// The first of them, the last, and every how many.
    frame_range: [u32; 3],
    /// When the first and the last of them are, in seconds of the files' time; left out where
    /// frames have no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_range: Option<[f64; 2]>,
    /// What incidents are ranked by, and which contacts they join.
    severity: &'static str,
    gap: u32,
    /// What may make the result mean something else than it seems to.
    warnings: &'a [Warning],
    /// What the files do not say and was assumed.
    assumed: &'a [String],
    files: Vec<FileEntry<'a>>,
    objects: Vec<ObjectEntry<'a>>,
}

/// How it ended, and how much was examined.
#[derive(Serialize)]
pub(crate) struct Ending<'a> {
    complete: bool,
    /// Why nothing was examined; left out if something was.
    #[serde(skip_serializing_if = "Option::is_none")]
    nothing_examined: Option<&'a str>,
    /// The last frame that was examined; left out unless it was interrupted.
    #[serde(skip_serializing_if = "Option::is_none")]
    interrupted_after: Option<i64>,
    frames_examined: u64,
    pairs_examined: u64,
    /// Pairs of parts of objects that are compared with themselves, and pairs of triangles that
    /// were left out because they meet at rest; left out if none is compared so.
    #[serde(skip_serializing_if = "Option::is_none")]
    part_pairs_examined: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rest_pairs_left_out: Option<u64>,
    /// Pairs of parts that are neighbours or may touch, and are compared in no frame; left out
    /// like these.
    #[serde(skip_serializing_if = "Option::is_none")]
    part_pairs_left_out: Option<u64>,
    contacts_found: u64,
    incidents_found: u64,
    frames_unreadable: &'a [Unreadable],
    /// With `--counts`.
    #[serde(skip_serializing_if = "Option::is_none")]
    work: Option<WorkEntry>,
}

/// What finding took.
#[derive(Serialize)]
struct WorkEntry {
    refit: &'static str,
    link_pairs: u64,
    /// Null where they are not counted.
    box_tests: Option<u64>,
    pairs_left: u64,
    triangle_tests: Option<u64>,
}

impl WorkEntry {
    fn of(cast: &Cast, work: &WorkSum) -> Self {
        let &WorkSum { box_tests, link_pairs, pairs_left, triangle_tests } = work;
        let refit = cast.refit.name();
        Self { refit, link_pairs, box_tests, pairs_left, triangle_tests }
    }
}

/// A file that was named.
#[derive(Serialize)]
struct FileEntry<'a> {
    path: String,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct ObjectEntry<'a> {
    name: &'a str,
    /// Null for a generated object.
    path: Option<String>,
    vertices: usize,
    triangles: usize,
    /// The clip that it plays; left out where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    clip: Option<&'a str>,
    /// The frames a second of the file, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    clip_fps: Option<f64>,
    /// When its motion begins and ends, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    clip_range: Option<[f64; 2]>,
}

/// Made into entries one by one while they are written: there may be millions.
struct Contacts<'a> {
    cast: &'a Cast,
    contacts: &'a [Meeting],
}

impl Serialize for Contacts<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.contacts.iter().map(|contact| entry(self.cast, contact)))
    }
}

/// One contact.
#[derive(Serialize)]
pub(crate) struct ContactEntry<'a> {
    frame: u32,
    a: &'a str,
    b: &'a str,
    kind: &'static str,
    triangle_pairs: u64,
    crossing_pairs: u64,
    /// Those that meet at rest as well; of an object that meets itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    rest_pairs: Option<u64>,
    #[serde(flatten)]
    more: MoreEntry,
    /// The parts that meet, the most pairs of triangles first; left out where parts are not told
    /// apart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    triangles: Option<Pairs<'a>>,
}

/// Pairs of triangles, each as two numbers.
struct Pairs<'a>(&'a [TrianglePair]);

impl Serialize for Pairs<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|pair| [pair.a, pair.b]))
    }
}

/// What is told only where it was asked for and is known.
#[derive(Serialize)]
struct MoreEntry {
    /// With a clearance: how far apart the surfaces are, below zero if one is inside the other;
    /// left out beyond the clearance.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
    /// Which is a part of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<&'static str>,
    /// Which goes right through the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    through: Option<&'static str>,
    /// Of solids, and of estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<String>,
    /// How far the shapes that were compared may reach beyond the true ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<[f64; 3]>,
    /// A unit vector from the first towards the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    normal: Option<[f64; 3]>,
    /// Of the longest curve in which they meet.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    regions: Option<u64>,
    #[serde(flatten)]
    overlap: Option<OverlapEntry>,
}

/// How deep and how much two objects are in each other.
#[derive(Serialize)]
struct OverlapEntry {
    /// At least so deep, and at most.
    depth: f64,
    depth_upper: f64,
    /// The deepest point, if a boundary is inside the other solid.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth_point: Option<[f64; 3]>,
    volume: f64,
    volume_error: f64,
    area_a: f64,
    area_b: f64,
    depth_certainty: String,
}

impl OverlapEntry {
    fn of(overlap: &PenetrationSummary) -> Self {
        Self {
            depth: overlap.depth,
            depth_upper: overlap.depth_upper,
            depth_point: overlap.deepest.map(|[point, _]| point.to_array()),
            volume: overlap.volume,
            volume_error: overlap.volume_error,
            area_a: overlap.areas[0],
            area_b: overlap.areas[1],
            depth_certainty: options::depth_certainty(overlap),
        }
    }
}

impl MoreEntry {
    fn of(cast: &Cast, contact: &ContactSummary) -> Self {
        let place = contact.place.as_deref();
        let is_within = contact.bound > 0.0 && !contact.certainty.is_exact();
        Self {
            distance: contact.distance,
            inside: incident::inside(contact.inside),
            through: options::through(contact.through),
            certainty: options::certainty_words(&cast.wanted, contact),
            bound: is_within.then_some(contact.bound),
            point: place.map(|place| place.point.to_array()),
            normal: place.map(|place| place.normal.to_array()),
            length: place.map(|place| place.length),
            regions: place.and_then(|place| place.regions),
            overlap: contact.overlap.as_deref().map(OverlapEntry::of),
        }
    }
}

/// Writes the object and a line end.
pub(crate) fn write(out: &mut impl Write, cast: &Cast, account: &Account) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(&mut *out, Shallow::default());
    report(cast, account).serialize(&mut serializer)?;
    writeln!(out)
}

fn report<'a>(cast: &'a Cast, account: &'a Account) -> Report<'a> {
    let passing = |passing: &Passing| PassingEntry::of(cast, passing);
    let between = || account.between.iter().map(passing).collect();
    Report {
        header: Header::of(cast),
        ending: Ending::of(cast, account),
        incidents: incident::entries(cast, &account.incidents).collect(),
        contacts: Contacts { cast, contacts: &account.contacts },
        between: account.is_continuous.then(between),
    }
}

impl<'a> Header<'a> {
    pub(crate) fn of(cast: &'a Cast) -> Self {
        let objects = cast.entries.iter().map(|object| ObjectEntry {
            name: &object.name,
            path: object.path.as_ref().map(|path| path.display().to_string()),
            vertices: object.vertices,
            triangles: object.triangles,
            clip: object.plays.as_ref().and_then(|plays| plays.clip.as_deref()),
            clip_fps: object.plays.as_ref().and_then(|plays| plays.fps),
            clip_range: object.plays.as_ref().map(|plays| plays.span),
        });
        let files = cast.files.iter().map(|file| FileEntry {
            path: file.path.display().to_string(),
            ok: file.error.is_none(),
            error: file.error.as_deref(),
        });
        Self {
            schema_version: SCHEMA_VERSION,
            elbowroom_version: env!("CARGO_PKG_VERSION"),
            unit: cast.unit.name(),
            metres_per_unit: cast.unit.metres(),
            unit_note: cast.unit.name().is_none().then_some(UNKNOWN),
            mode: if cast.wanted.is_solid() { "solid" } else { "surface" },
            touching: match cast.touching {
                Touching::Count => "count",
                Touching::Ignore => "ignore",
            },
            clearance: cast.wanted.clearance.map(|length| cast.unit.reported(length)),
            depth_means: cast.wanted.depth.then_some(options::DEPTH),
            rest: cast.own.map(|rest| match rest {
                Rest::Count => "count",
                Rest::Ignore => "ignore",
            }),
            fps: cast.fps,
            frames_asked: cast.frames,
            frame_range: cast.range,
            time_range: cast
                .time(cast.range[0] as usize)
                .zip(cast.time(cast.range[1] as usize))
                .map(<[f64; 2]>::from),
            severity: incident::severity(cast),
            gap: cast.gap,
            warnings: &cast.warnings,
            assumed: &cast.assumed,
            files: files.collect(),
            objects: objects.collect(),
        }
    }
}

impl<'a> Ending<'a> {
    pub(crate) fn of(cast: &Cast, account: &'a Account) -> Self {
        let counts = &account.counts;
        let interrupted = account.was_interrupted().then_some(counts.last_frame);
        Self {
            complete: account.is_complete(cast),
            nothing_examined: account.nothing.as_deref(),
            // Before the first frame there is none.
            interrupted_after: interrupted.map(|last| last.map_or(-1, whole)),
            frames_examined: counts.frames_examined,
            pairs_examined: counts.pairs_examined,
            part_pairs_examined: cast.own.map(|_| counts.part_pairs_examined),
            rest_pairs_left_out: cast.own.map(|_| counts.rest_left_out),
            part_pairs_left_out: cast.own.map(|_| cast.own_left_out),
            contacts_found: counts.contacts(),
            incidents_found: account.incidents.len() as u64,
            frames_unreadable: &counts.unreadable,
            work: counts.work.filter(|_| cast.counts).map(|work| WorkEntry::of(cast, &work)),
        }
    }
}

fn whole(frame: usize) -> i64 {
    i64::try_from(frame).unwrap_or(i64::MAX)
}

/// A contact, for programs.
pub(crate) fn entry<'a>(cast: &'a Cast, contact: &'a Meeting) -> ContactEntry<'a> {
    let (a, b) = (contact.a.index(), contact.b.index());
    let parts = contact.parts.iter().map(|parts| PartEntry::of(cast, (a, b), parts));
    ContactEntry {
        frame: contact.frame,
        a: &cast.entries[a].name,
        b: &cast.entries[b].name,
        kind: contact.kind.name(),
        triangle_pairs: contact.triangle_pairs(),
        crossing_pairs: contact.crossing,
        rest_pairs: (a == b).then_some(contact.at_rest),
        more: MoreEntry::of(cast, contact),
        parts: parts.collect(),
        triangles: cast.wanted.triangles.then_some(Pairs(&contact.triangles)),
    }
}
