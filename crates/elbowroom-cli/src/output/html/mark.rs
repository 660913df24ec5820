//! The triangles that meet where an incident is worst.

use std::collections::{BTreeMap, BTreeSet};

use elbowroom::internal::query::TrianglePair;
use elbowroom_motion::scene::{Finder, Incident, Meeting, PartPair, Seek, Stage};
use serde::Serialize;

use super::stock::Stock;
use crate::result::plan::Plan;

/// Incidents that have triangles marked, and triangles of each side.
const MARKED: usize = 50;
const MARKS: usize = 10_000;

/// The most pairs of triangles that are listed to find them; of more pairs, the first.
const LISTED: usize = 100 * MARKS;

#[derive(Serialize)]
pub(super) struct Mark {
    incident: usize,
    frame: u32,
    a: String,
    b: String,
}

impl Mark {
    /// Incidents are numbered from 1.
    fn new(stock: &mut Stock, incident: usize, frame: u32, pairs: &[TrianglePair]) -> Self {
        let mut side = |which: fn(&TrianglePair) -> u32, name: &str| {
            let triangles: BTreeSet<u32> = pairs.iter().map(which).collect();
            let triangles: Vec<u32> = triangles.into_iter().take(MARKS).collect();
            stock.arrays.add(format!("mark/{incident}/{name}"), &triangles, Some(1))
        };
        let (a, b) = (side(|pair| pair.a, "a"), side(|pair| pair.b, "b"));
        Self { incident, frame, a, b }
    }
}

/// Marks of the worst incidents, frame by frame.
pub(super) fn of(stock: &mut Stock, plan: &Plan, incidents: &[Incident]) -> Vec<Mark> {
    let mut by_frame: BTreeMap<u32, Vec<(usize, &Incident)>> = BTreeMap::new();
    for (index, incident) in incidents.iter().enumerate().take(MARKED) {
        by_frame.entry(incident.worst.frame).or_default().push((index + 1, incident));
    }
    let (mut stage, mut marks) = (Stage::new(), Vec::new());
    let mut finder = Finder::new(Seek { most_listed: LISTED, ..Seek::default() });
    for (frame, worst) in by_frame {
        if plan.scene.at(frame, &mut stage).is_err() {
            continue;
        }
        for (number, incident) in worst {
            let found = finder.find_pair(&plan.scene, &stage, (incident.a, incident.b));
            let met = found.iter().find(|met| is_of(incident, met));
            let pairs = met.map(|met| met.triangles.as_slice()).unwrap_or_default();
            marks.push(Mark::new(stock, number, frame, pairs));
        }
    }
    marks
}

/// Whether a meeting is of the objects of an incident; of one object, of the same two parts.
fn is_of(incident: &Incident, met: &Meeting) -> bool {
    let parts = |parts: &[PartPair]| parts.first().map(|pair| (pair.a, pair.b));
    (met.a, met.b) == (incident.a, incident.b)
        && (met.a != met.b || parts(&met.parts) == parts(&incident.parts))
}
