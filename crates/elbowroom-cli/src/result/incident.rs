//! Incidents: contacts merged over time, and the words for them.

use elbowroom::internal::query::{ContactKind, Inside, Through};
use elbowroom_motion::scene::{
    Beat, Incident, Incidents, ObjectId, Open, PartPair, Sighting, State,
};
use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::result::cast::Cast;
use crate::result::options;

/// The most incidents that are kept. One takes some 300 bytes, and 24 more for each pair of parts:
/// with five million, that is about 2 GB.
pub(crate) const MOST_INCIDENTS: usize = 5_000_000;

/// What incidents are ranked by, within contacts of interiors.
pub(crate) fn severity(cast: &Cast) -> &'static str {
    match (cast.wanted.depth, cast.wanted.places) {
        (true, _) => "depth",
        (false, true) => "length",
        (false, false) => "triangle_pairs",
    }
}

/// Which is a part of the other, as `a` or `b`.
pub(crate) fn inside(inside: Option<Inside>) -> Option<&'static str> {
    match inside? {
        Inside::First => Some("a"),
        Inside::Second => Some("b"),
        Inside::Each => None,
    }
}

/// Two parts that meet.
#[derive(Serialize)]
pub(crate) struct PartEntry<'a> {
    a: &'a str,
    b: &'a str,
    triangle_pairs: u64,
}

impl<'a> PartEntry<'a> {
    pub(crate) fn of(cast: &'a Cast, (a, b): (usize, usize), pair: &PartPair) -> Self {
        Self {
            a: &cast.entries[a].parts[pair.a as usize],
            b: &cast.entries[b].parts[pair.b as usize],
            triangle_pairs: pair.touching + pair.crossing,
        }
    }
}

/// An incident, for programs.
#[derive(Serialize)]
pub(crate) struct IncidentEntry<'a> {
    rank: usize,
    a: &'a str,
    b: &'a str,
    kind: &'static str,
    first: u32,
    last: u32,
    worst: u32,
    frames: u64,
    triangle_pairs: u64,
    crossing_pairs: u64,
    /// Those that meet at rest as well; of an object that meets itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    rest_pairs: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    through: Option<&'static str>,
    /// Of solids, and of estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth_certainty: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    normal: Option<[f64; 3]>,
    /// The parts that meet the most in the worst frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    worst_parts: Option<[&'a str; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartEntry<'a>>,
    series: Vec<(u32, Option<f64>, u64)>,
    series_every: u32,
}

fn certain(is_estimate: bool) -> &'static str {
    if is_estimate { "estimate" } else { "exact" }
}

/// Ranked incidents, for programs.
pub(crate) fn entries<'a>(
    cast: &'a Cast,
    ranked: &'a [Incident],
) -> impl Iterator<Item = IncidentEntry<'a>> {
    ranked.iter().enumerate().map(|(index, incident)| entry(cast, index + 1, incident))
}

fn entry<'a>(cast: &'a Cast, rank: usize, incident: &Incident) -> IncidentEntry<'a> {
    let Incident { worst, .. } = incident;
    let pair = (incident.a.index(), incident.b.index());
    let (a, b) = (&cast.entries[pair.0], &cast.entries[pair.1]);
    let beat = |beat: &Beat| (beat.frame, beat.depth, beat.triangle_pairs);
    IncidentEntry {
        rank,
        a: &a.name,
        b: &b.name,
        kind: worst.kind.name(),
        first: incident.first,
        last: incident.last,
        worst: worst.frame,
        frames: incident.frames,
        triangle_pairs: worst.triangle_pairs,
        crossing_pairs: worst.crossing_pairs,
        rest_pairs: (pair.0 == pair.1).then_some(worst.at_rest),
        distance: worst.distance,
        inside: inside(worst.inside),
        through: options::through(incident.through),
        certainty: (cast.wanted.is_solid() || worst.is_estimate)
            .then(|| certain(worst.is_estimate)),
        bound: Some(worst.bound).filter(|bound| *bound > 0.0),
        depth: worst.depth,
        depth_certainty: worst.depth.map(|_| certain(worst.depth_is_estimate)),
        volume: worst.volume,
        length: worst.length,
        point: worst.point.map(|point| point.to_array()),
        normal: worst.normal.map(|normal| normal.to_array()),
        worst_parts: worst_parts(cast, incident),
        parts: incident.parts.iter().map(|parts| PartEntry::of(cast, pair, parts)).collect(),
        series: incident.series.iter().map(beat).collect(),
        series_every: incident.series_every,
    }
}

/// The parts that meet the most in the worst frame, by name.
pub(crate) fn worst_parts<'a>(cast: &'a Cast, incident: &Incident) -> Option<[&'a str; 2]> {
    let (a, b) = (&cast.entries[incident.a.index()], &cast.entries[incident.b.index()]);
    let (i, j) = incident.worst.parts?;
    Some([a.parts.get(i as usize)?, b.parts.get(j as usize)?])
}

/// What incidents have come to, as it is kept in a file. Numbers are written so that they come back
/// bit for bit.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Saved {
    steps: u64,
    open: Vec<(u64, SavedIncident)>,
    finished: Vec<SavedIncident>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedIncident {
    pair: (u32, u32),
    frames: (u32, u32, u64),
    worst: SavedSighting,
    through: (bool, bool),
    parts: Vec<(u32, u32, u64, u64)>,
    series: Vec<(u32, Option<f64>, u64)>,
    series_every: u32,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedSighting {
    frame: u32,
    kind: u8,
    inside: Option<u8>,
    is_estimate: bool,
    #[serde(default)]
    bound: f64,
    pairs: (u64, u64),
    depth: Option<f64>,
    depth_is_estimate: bool,
    volume: Option<f64>,
    length: Option<f64>,
    distance: Option<f64>,
    point: Option<[f64; 3]>,
    normal: Option<[f64; 3]>,
    parts: Option<(u32, u32)>,
    at_rest: u64,
}

const KINDS: [ContactKind; 6] = [
    ContactKind::Clear,
    ContactKind::Clearance,
    ContactKind::Touching,
    ContactKind::Crossing,
    ContactKind::Containment,
    ContactKind::Duplicate,
];
const INSIDES: [Inside; 3] = [Inside::First, Inside::Second, Inside::Each];

impl Saved {
    pub(crate) fn of(incidents: &Incidents) -> Self {
        let State { steps, open, finished } = incidents.state();
        Self {
            steps,
            open: open.iter().map(|open| (open.last_step, saved(&open.incident))).collect(),
            finished: finished.iter().map(saved).collect(),
        }
    }

    /// Goes on from there; `None` if it makes no sense.
    pub(crate) fn resume(&self, gap: u32) -> Option<Incidents> {
        let open = self.open.iter().map(|(last_step, incident)| {
            Some(Open { incident: restored(incident)?, last_step: *last_step })
        });
        let open = open.collect::<Option<Vec<_>>>()?;
        let finished = self.finished.iter().map(restored).collect::<Option<Vec<_>>>()?;
        Some(Incidents::resume(gap, State { steps: self.steps, open, finished }))
    }
}

fn saved(incident: &Incident) -> SavedIncident {
    let worst = &incident.worst;
    let place = |inside: Inside| INSIDES.iter().position(|known| *known == inside);
    SavedIncident {
        pair: (incident.a.0, incident.b.0),
        frames: (incident.first, incident.last, incident.frames),
        worst: SavedSighting {
            frame: worst.frame,
            kind: KINDS.iter().position(|kind| *kind == worst.kind).unwrap_or_default() as u8,
            inside: worst.inside.and_then(place).map(|place| place as u8),
            is_estimate: worst.is_estimate,
            bound: worst.bound,
            pairs: (worst.triangle_pairs, worst.crossing_pairs),
            depth: worst.depth,
            depth_is_estimate: worst.depth_is_estimate,
            volume: worst.volume,
            length: worst.length,
            distance: worst.distance,
            point: worst.point.map(|point| point.to_array()),
            normal: worst.normal.map(|normal| normal.to_array()),
            parts: worst.parts,
            at_rest: worst.at_rest,
        },
        through: (incident.through.a_through_b, incident.through.b_through_a),
        parts: incident.parts.iter().map(|p| (p.a, p.b, p.touching, p.crossing)).collect(),
        series: incident.series.iter().map(|b| (b.frame, b.depth, b.triangle_pairs)).collect(),
        series_every: incident.series_every,
    }
}

fn restored(saved: &SavedIncident) -> Option<Incident> {
    let SavedSighting { frame, depth, volume, length, distance, parts, .. } = saved.worst;
    let inside = match saved.worst.inside {
        Some(place) => Some(*INSIDES.get(usize::from(place))?),
        None => None,
    };
    let part =
        |&(a, b, touching, crossing): &(u32, u32, u64, u64)| PartPair { a, b, touching, crossing };
    let beat = |&(frame, depth, triangle_pairs): &(u32, Option<f64>, u64)| Beat {
        frame,
        depth,
        triangle_pairs,
    };
    Some(Incident {
        a: ObjectId(saved.pair.0),
        b: ObjectId(saved.pair.1),
        first: saved.frames.0,
        last: saved.frames.1,
        frames: saved.frames.2,
        worst: Sighting {
            frame,
            kind: *KINDS.get(usize::from(saved.worst.kind))?,
            inside,
            is_estimate: saved.worst.is_estimate,
            bound: saved.worst.bound,
            triangle_pairs: saved.worst.pairs.0,
            crossing_pairs: saved.worst.pairs.1,
            depth,
            depth_is_estimate: saved.worst.depth_is_estimate,
            volume,
            length,
            distance,
            point: saved.worst.point.map(DVec3::from_array),
            normal: saved.worst.normal.map(DVec3::from_array),
            parts,
            at_rest: saved.worst.at_rest,
        },
        through: Through {
            a_through_b: saved.through.0,
            b_through_a: saved.through.1,
            ..Through::default()
        },
        parts: saved.parts.iter().map(part).collect(),
        series: saved.series.iter().map(beat).collect(),
        // Never zero: frames are divided by it.
        series_every: saved.series_every.max(1),
    })
}
