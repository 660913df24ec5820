//! The triangles that meet where an incident is worst.

use std::collections::{BTreeMap, BTreeSet};

use elbowroom::internal::query;
use elbowroom::internal::query::{Question, Want};
use elbowroom::internal::traverse::Workspace;
use elbowroom_motion::scene::{Finder, Incident, Meeting, PartPair, Seek, Stage};
use serde::Serialize;

use super::stock::Stock;
use crate::check::plan::Plan;

/// So many incidents have triangles marked, and so many triangles of each side.
const MARKED: usize = 50;
const MARKS: usize = 10_000;

#[derive(Serialize)]
pub(super) struct Mark {
    incident: usize,
    frame: u32,
    a: String,
    b: String,
}

impl Mark {
    /// Incidents are numbered from 1.
    fn new(stock: &mut Stock, incident: usize, frame: u32, pairs: &[[u32; 2]]) -> Self {
        let mut side = |which: usize, name: &str| {
            let triangles: BTreeSet<u32> = pairs.iter().map(|pair| pair[which]).collect();
            let triangles: Vec<u32> = triangles.into_iter().take(MARKS).collect();
            stock.arrays.add(format!("mark/{incident}/{name}"), &triangles, Some(1))
        };
        let (a, b) = (side(0, "a"), side(1, "b"));
        Self { incident, frame, a, b }
    }
}

/// Marks of the worst incidents.
pub(super) fn of(stock: &mut Stock, plan: &Plan, incidents: &[Incident]) -> Vec<Mark> {
    let of = if plan.is_plain() { of_plain } else { of_shot };
    of(stock, plan, incidents)
}

/// Of a shot, frame by frame.
fn of_shot(stock: &mut Stock, plan: &Plan, incidents: &[Incident]) -> Vec<Mark> {
    let mut by_frame: BTreeMap<u32, Vec<(usize, &Incident)>> = BTreeMap::new();
    for (index, incident) in incidents.iter().enumerate().take(MARKED) {
        by_frame.entry(incident.worst.frame).or_default().push((index + 1, incident));
    }
    let (mut stage, mut marks) = (Stage::new(), Vec::new());
    let mut finder = Finder::new(Seek { most_listed: MARKS, ..Seek::default() });
    for (frame, worst) in by_frame {
        if plan.scene.at(frame, &mut stage).is_err() {
            continue;
        }
        let found = finder.find(&plan.scene, &stage);
        for (number, incident) in worst {
            let met = found.meetings.iter().find(|met| is_of(incident, met));
            let pairs = met.map(|met| met.triangles.iter().map(|pair| [pair.a, pair.b]));
            let pairs: Vec<[u32; 2]> = pairs.into_iter().flatten().collect();
            marks.push(Mark::new(stock, number, frame, &pairs));
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

/// Of plain meshes. Where there are more pairs than can be listed, none are.
fn of_plain(stock: &mut Stock, plan: &Plan, incidents: &[Incident]) -> Vec<Mark> {
    let mut workspace = Workspace::default();
    let mut marks = Vec::new();
    for (index, incident) in incidents.iter().enumerate().take(MARKED) {
        if incident.worst.triangle_pairs > 100 * MARKS as u64 {
            continue;
        }
        let frame = incident.worst.frame;
        let [a, b] = [incident.a, incident.b].map(|object| plan.model(object.index()));
        let [place_a, place_b] =
            [incident.a, incident.b].map(|id| plan.placement(id.index(), frame as usize));
        let question = Question { ask: Want::All, ..Question::default() };
        let answer = query::ask(a, place_a, b, place_b, &question, &mut workspace);
        let pairs: Vec<[u32; 2]> = answer.pairs.iter().map(|pair| [pair.a, pair.b]).collect();
        marks.push(Mark::new(stock, index + 1, frame, &pairs));
    }
    marks
}
