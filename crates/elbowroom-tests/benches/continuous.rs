//! How long it takes to tell since when: single queries, a pair of skinned people from frame to
//! frame, and one of them with itself.
//!
//!     cargo bench -p elbowroom --bench continuous
//!
//! Queries are the published ones where the data is present, and random ones. The two people walk
//! through each other; what the step costs is told apart: posing is not counted, moving the boxes
//! is, and the search is. Times are those of this thread's work, the best of some rounds.

use std::hint::black_box;
use std::time::Instant;

use elbowroom::internal::exact::{Approach, Impact, Moving, edge_meets_edge, vertex_meets_face};
use elbowroom::internal::query::{
    CcdOptions, Neighbours, Steps, SweptMesh, contacts_swept, time_of_impact_self,
    time_of_impact_swept,
};
use elbowroom_make::body;
use elbowroom_motion::body::{Poser, Rig};
use elbowroom_testkit::data::ccd::{self, Kind, Query};
use elbowroom_testkit::data::shared_dir;
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DVec3};

const ROUNDS: usize = 9;

/// The best of some rounds, in seconds.
fn best<T>(mut call: impl FnMut() -> T) -> f64 {
    let round = |_| {
        let start = Instant::now();
        black_box(call());
        start.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

struct Asked {
    kind: Kind,
    corners: [Moving; 4],
    approach: Approach,
}

impl Asked {
    fn new(query: &Query) -> Self {
        let corner = |[start, end]: [[f64; 3]; 2]| Moving {
            start: DVec3::from_array(start),
            end: DVec3::from_array(end),
        };
        let corners = query.corners.map(corner);
        let ends = corners.iter().flat_map(|c| [c.start, c.end]);
        let (low, high) = ends.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
            (low.min(p), high.max(p))
        });
        let approach = Approach::within(1e-9 * (high - low).max_element());
        Self { kind: query.kind, corners, approach }
    }

    fn ask(&self) -> Option<Impact> {
        let [p, q, r, s] = self.corners;
        match self.kind {
            Kind::VertexFace => vertex_meets_face(p, [q, r, s], &self.approach),
            Kind::EdgeEdge => edge_meets_edge([p, q], [r, s], &self.approach),
        }
    }
}

fn queries(name: &str, queries: &[Query]) {
    for kind in [Kind::VertexFace, Kind::EdgeEdge] {
        let chosen: Vec<&Query> = queries.iter().filter(|query| query.kind == kind).collect();
        if chosen.is_empty() {
            continue;
        }
        let asked: Vec<Asked> = chosen.iter().map(|query| Asked::new(query)).collect();
        let found = asked.iter().map(|asked| asked.ask().is_some());
        let (mut met, mut falsely, mut missed) = (0, 0, 0);
        for (found, query) in found.zip(&chosen) {
            met += usize::from(query.is_contact);
            falsely += usize::from(found && !query.is_contact);
            missed += usize::from(!found && query.is_contact);
        }
        let seconds = best(|| asked.iter().filter(|asked| asked.ask().is_some()).count());
        let count = asked.len() as f64;
        println!(
            "{name:22} {kind:?}: {:7} queries, {met:6} meet, {missed} missed, {falsely:4} false positives, \
             {:8.1} ns each, {:6.2} million a second",
            asked.len(),
            1e9 * seconds / count,
            1e-6 * count / seconds
        );
    }
}

fn random(count: usize) -> Vec<Query> {
    let mut random = Random::new(1);
    let query = |i: usize| {
        let kind = if i.is_multiple_of(2) { Kind::VertexFace } else { Kind::EdgeEdge };
        let corners =
            [[[0.0; 3]; 2]; 4].map(|e| e.map(|p| p.map(|_: f64| random.uniform(-1.0, 1.0))));
        let mut query = Query { kind, corners, is_contact: false };
        query.is_contact = Asked::new(&query).ask().is_some();
        query
    };
    (0..count).map(query).collect()
}

/// The skin of a person in a frame of a walk, somewhere.
fn skin(rig: &Rig, frame: u32, place: &DAffine3) -> Vec<DVec3> {
    let walk = rig.clips.first().expect("people walk");
    let (mut poser, mut pose, mut points) = (Poser::new(), rig.rest_pose(), Vec::new());
    walk.sample((walk.start() + f64::from(frame) / 30.0) % walk.end(), &mut pose);
    poser.set_placed(rig, &pose, place);
    poser.part(rig, 0, &mut points);
    points
}

/// Two people who walk into each other, 1.2 m a second each.
fn people() {
    let rigs = [body::male(), body::female()];
    let place = |side: usize, frame: u32| {
        let way = 0.04 * f64::from(frame) - 1.0;
        let turn = if side == 0 { 0.0 } else { std::f64::consts::PI };
        DAffine3::from_rotation_y(turn) * DAffine3::from_translation(DVec3::new(0.12, 0.0, way))
    };
    let skins = |frame: u32| [0, 1].map(|side| skin(&rigs[side], frame, &place(side, frame)));
    let mut swept = [0, 1].map(|i| SweptMesh::new(rigs[i].parts[0].mesh.clone()));
    let (asked, mut steps) = (CcdOptions::default(), Steps::default());
    println!(
        "\ntwo people, {} triangles each, µs a step of 1/30 s:",
        swept[0].mesh().triangles().len()
    );
    println!(
        "frame   move boxes   first contact   all contacts   itself   boxes  triangles  first"
    );
    for frame in (6..40).step_by(3) {
        let (from, to) = (skins(frame), skins(frame + 1));
        let refit = best(|| (0..2).for_each(|i| swept[i].set(&from[i], &to[i]).expect("finite")));
        let [a, b] = &swept;
        let own = best(|| time_of_impact_self(a, Neighbours::Skip, &asked, &mut steps));
        let all = best(|| contacts_swept(a, b, &asked, &mut steps).len());
        let first = best(|| time_of_impact_swept(a, b, &asked, &mut steps));
        let since = time_of_impact_swept(a, b, &asked, &mut steps);
        let when = since.map_or("never".to_owned(), |since| format!("{:.4}", since.time));
        println!(
            "{frame:5} {:12.1} {:15.1} {:14.1} {:8.1} {:7} {:10}  {when}",
            1e6 * refit,
            1e6 * first,
            1e6 * all,
            1e6 * own,
            steps.boxes,
            steps.triangles
        );
    }
}

fn main() {
    queries("random", &random(100_000));
    if let Some(shared) = shared_dir() {
        let samples: Vec<Query> =
            ccd::samples(&shared).into_iter().flat_map(|(_, queries)| queries).collect();
        queries("handcrafted samples", &samples);
        for index in 0..ccd::COUNT {
            let step = ccd::step(&shared, index);
            let all: Vec<Query> = step.queries.iter().map(|(query, _)| *query).collect();
            queries(step.name, &all);
        }
    }
    people();
}
