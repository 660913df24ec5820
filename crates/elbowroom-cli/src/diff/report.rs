//! A report of `elbowroom check --json`, as far as a comparison needs it.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::clock::Clock;
use crate::messages::{Refusal, printable};
use crate::output::json::SCHEMA_VERSION;
use crate::save::refusal;

const HINT: &str =
    "give two reports that `elbowroom check FILES --json` printed, the old one first";

/// What `check --json` prints; contacts are not read.
#[derive(Debug, Deserialize)]
pub(super) struct Report {
    #[serde(skip)]
    pub(super) path: PathBuf,
    schema_version: u32,
    unit: Option<String>,
    pub(super) metres_per_unit: Option<f64>,
    mode: String,
    touching: String,
    clearance: Option<f64>,
    /// Only of checks with `--self`.
    pub(super) rest: Option<String>,
    pub(super) frame_range: [u32; 3],
    pub(super) time_range: Option<[f64; 2]>,
    pub(super) gap: u32,
    complete: bool,
    nothing_examined: Option<String>,
    pub(super) interrupted_after: Option<i64>,
    incidents_found: u64,
    frames_unreadable: Vec<Unreadable>,
    objects: Vec<Object>,
    pub(super) incidents: Vec<Incident>,
}

#[derive(Debug, Deserialize)]
struct Unreadable {
    frame: u32,
}

#[derive(Debug, Deserialize)]
struct Object {
    name: String,
    triangles: u64,
}

/// An incident of a report.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Incident {
    pub(super) rank: u64,
    pub(super) a: String,
    pub(super) b: String,
    pub(super) kind: String,
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) worst: u32,
    pub(super) frames: u64,
    pub(super) triangle_pairs: u64,
    pub(super) distance: Option<f64>,
    pub(super) depth: Option<f64>,
    pub(super) length: Option<f64>,
    #[serde(default)]
    pub(super) parts: Vec<PartPair>,
}

/// Two parts that meet.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct PartPair {
    pub(super) a: String,
    pub(super) b: String,
}

impl Report {
    /// # Errors
    /// If it cannot be read, or is no report of a check.
    pub(super) fn read(path: &Path) -> Result<Self, Refusal> {
        let file = File::open(path);
        let file =
            file.map_err(|error| refusal(path, &format!("cannot be opened: {error}"), HINT))?;
        let read: Result<Self, _> = serde_json::from_reader(BufReader::new(file));
        let mut report = read
            .map_err(|error| refusal(path, &format!("is no report of a check: {error}"), HINT))?;
        path.clone_into(&mut report.path);
        report.validate().map_err(|what| refusal(path, &what, HINT))?;
        Ok(report)
    }

    fn validate(&self) -> Result<(), String> {
        if self.schema_version != SCHEMA_VERSION {
            let version = self.schema_version;
            return Err(format!(
                "has schema_version {version}, and {SCHEMA_VERSION} is read: check again"
            ));
        }
        let [first, last, step] = self.frame_range;
        if first > last || step == 0 {
            return Err(format!("has the impossible frame_range [{first}, {last}, {step}]"));
        }
        if self.time_range.is_some_and(|[from, to]| from > to) {
            return Err("has a time_range that ends before it begins".to_owned());
        }
        let wrong = self.incidents.iter().find(|incident| incident.first > incident.last);
        wrong.map_or(Ok(()), |incident| {
            Err(format!("has incident {} that ends before it begins", incident.rank))
        })
    }

    /// The name of its file.
    pub(super) fn name(&self) -> String {
        printable(&self.path.display().to_string())
    }

    pub(super) fn clock(&self, by_time: bool) -> Clock {
        Clock::new(self.frame_range, self.time_range.filter(|_| by_time))
    }

    pub(super) fn has(&self, object: &str) -> bool {
        self.objects.iter().any(|entry| entry.name == object)
    }

    pub(super) fn triangles(&self, object: &str) -> Option<u64> {
        self.objects.iter().find(|entry| entry.name == object).map(|entry| entry.triangles)
    }

    pub(super) fn unreadable(&self) -> impl Iterator<Item = u32> {
        self.frames_unreadable.iter().map(|entry| entry.frame)
    }

    /// Why something may be missing in it; `None` if it is complete.
    pub(super) fn incomplete(&self) -> Option<String> {
        if let Some(why) = &self.nothing_examined {
            return Some(printable(why));
        }
        if let Some(frame) = self.interrupted_after {
            return Some(match frame {
                ..0 => "the check was interrupted before its first frame".to_owned(),
                _ => format!("the check was interrupted after frame {frame}"),
            });
        }
        if (self.incidents.len() as u64) < self.incidents_found {
            return Some("it does not list all incidents".to_owned());
        }
        (!self.complete).then(|| "files or frames could not be read, or were left out".to_owned())
    }

    /// Gives all lengths in a unit of so many metres; both are known, or neither is.
    pub(super) fn convert_lengths(&mut self, metres: Option<f64>) {
        let (Some(from), Some(to)) = (self.metres_per_unit, metres) else { return };
        if from == to {
            return;
        }
        let factor = from / to;
        for incident in &mut self.incidents {
            for length in [&mut incident.distance, &mut incident.depth, &mut incident.length] {
                *length = length.map(|length| length * factor);
            }
        }
        self.metres_per_unit = metres;
    }
}

/// Two reports can be compared if they answer the same question in units that are known or equal.
///
/// # Errors
/// Says what differs.
pub(super) fn check_comparable(old: &Report, new: &Report) -> Result<(), Refusal> {
    let mut problems = Vec::new();
    let mut differ = |what: &str, old: &str, new: &str| {
        if old != new {
            problems.push(format!("{what}: `{old}` in the old report, `{new}` in the new one"));
        }
    };
    differ("mode", &old.mode, &new.mode);
    differ("touching", &old.touching, &new.touching);
    if let (Some(old), Some(new)) = (&old.rest, &new.rest) {
        differ("rest", old, new);
    }
    let unit = |report: &Report| report.unit.clone().unwrap_or_else(|| "unknown".to_owned());
    if old.metres_per_unit.is_some() != new.metres_per_unit.is_some() {
        differ("unit", &unit(old), &unit(new));
    }
    let clearance = |report: &Report| {
        report.clearance.map(|length| length * report.metres_per_unit.unwrap_or(1.0))
    };
    let same = match (clearance(old), clearance(new)) {
        (Some(old), Some(new)) => (old - new).abs() <= 1e-9 * old.abs().max(new.abs()),
        (old, new) => old.is_none() && new.is_none(),
    };
    if !same {
        let text = |report: &Report| match report.clearance {
            Some(length) => format!("{length} {}", report.unit.as_deref().unwrap_or_default()),
            None => "none".to_owned(),
        };
        differ("clearance", text(old).trim(), text(new).trim());
    }
    if old.time_range.is_some() != new.time_range.is_some() && old.moves() && new.moves() {
        let text = |report: &Report| if report.time_range.is_some() { "with" } else { "without" };
        differ("time of frames", text(old), text(new));
    }
    if problems.is_empty() {
        return Ok(());
    }
    let hint = "compare checks with the same options; run one of the two again".to_owned();
    Err(Refusal { problems, hint })
}

impl Report {
    /// Whether there is more than one frame.
    fn moves(&self) -> bool {
        self.frame_range[0] != self.frame_range[1]
    }
}
