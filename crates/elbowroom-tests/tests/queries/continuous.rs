//! When moving corners first meet: against integers, and on published queries with known answers.

use elbowroom::internal::exact::{
    Approach, Impact, Moving, edge_meets_edge, edges_ever_meet, vertex_ever_meets_face,
    vertex_meets_face,
};
use elbowroom_testkit::data::ccd::{Kind, Query};
use elbowroom_testkit::random::Random;
use elbowroom_testkit::{data, moving};
use glam::DVec3;

fn corner([start, end]: moving::Moving) -> Moving {
    Moving { start: DVec3::from_array(start), end: DVec3::from_array(end) }
}

fn ask(kind: Kind, corners: &[moving::Moving; 4], approach: &Approach) -> Option<Impact> {
    let [p, q, r, s] = corners.map(corner);
    match kind {
        Kind::VertexFace => vertex_meets_face(p, [q, r, s], approach),
        Kind::EdgeEdge => edge_meets_edge([p, q], [r, s], approach),
    }
}

fn ever(kind: Kind, corners: &[moving::Moving; 4]) -> bool {
    let [p, q, r, s] = corners.map(corner);
    match kind {
        Kind::VertexFace => vertex_ever_meets_face(p, [q, r, s]),
        Kind::EdgeEdge => edges_ever_meet([p, q], [r, s]),
    }
}

fn truth(kind: Kind, corners: &[moving::Moving; 4]) -> moving::First {
    match kind {
        Kind::VertexFace => moving::vertex_face(corners),
        Kind::EdgeEdge => moving::edge_edge(corners),
    }
}

/// The largest extent of the corners and their paths.
fn size(corners: &[moving::Moving; 4]) -> f64 {
    let points: Vec<DVec3> = corners.iter().flatten().map(|&p| DVec3::from_array(p)).collect();
    let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    (high - low).max_element()
}

#[derive(Debug, Default)]
struct Count {
    queries: usize,
    contacts: usize,
    false_positives: usize,
    apart: usize,
    later: f64,
}

impl Count {
    fn check(&mut self, kind: Kind, corners: &[moving::Moving; 4], delta: f64) {
        let found = ask(kind, corners, &Approach::within(delta));
        let truth = truth(kind, corners);
        assert_eq!(ever(kind, corners), truth.is_some(), "{kind:?} {corners:?}");
        self.queries += 1;
        self.contacts += usize::from(truth.is_some());
        match (found, truth) {
            (None, Some(time)) => panic!("missed at {time:?}: {kind:?} {corners:?}"),
            (Some(found), Some([_, high])) => {
                assert!(found.time <= high, "late: {found:?}, {high}: {kind:?} {corners:?}");
                self.later = self.later.max(high - found.time);
            }
            (Some(_), None) => self.false_positives += 1,
            (None, None) => {}
        }
        if let Some(found) = found {
            let most = delta + size(corners) * 2_f64.powi(-40);
            if found.separation > most {
                self.apart += 1;
                println!("{} > {most}: {kind:?} {corners:?}", found.separation);
            }
        }
    }
}

#[test]
fn small_integers() {
    let mut random = Random::new(41);
    for kind in [Kind::VertexFace, Kind::EdgeEdge] {
        let mut count = Count::default();
        for i in 0..10_000 {
            let most = [1, 2, 3, 8, 100][i % 5];
            let mut corners: [moving::Moving; 4] = [[[0.0; 3]; 2]; 4]
                .map(|ends| ends.map(|p| p.map(|_: f64| random.range(-most, most) as f64)));
            match random.below(8) {
                // Coplanar all the time.
                0 => corners.iter_mut().flatten().for_each(|p| p[2] = 0.0),
                // No motion of some.
                1 => corners.iter_mut().skip(1).for_each(|ends| ends[1] = ends[0]),
                // A degenerate edge or face.
                2 => corners[3] = corners[2],
                // On one line.
                3 => corners.iter_mut().flatten().for_each(|p| *p = [p[0], p[0], 0.0]),
                _ => {}
            }
            count.check(kind, &corners, size(&corners) * 1e-9);
        }
        println!("{kind:?}: {count:?}");
        assert!(count.contacts > 2_500 && count.queries - count.contacts > 2_500, "{count:?}");
        assert_eq!(count.apart, 0);
    }
}

#[test]
fn published_queries() {
    let Some(shared) = data::shared_dir() else { return data::skip_note("published_queries") };
    let mut total = [0; 4];
    let mut run = |name: &str, queries: &[Query]| {
        let mut counts = [0; 4];
        for query in queries {
            let delta = size(&query.corners) * 1e-9;
            let found = ask(query.kind, &query.corners, &Approach::within(delta));
            let truth = truth(query.kind, &query.corners);
            assert_eq!(truth.is_some(), query.is_contact, "{name}: {query:?}");
            assert!(found.is_some() || !query.is_contact, "{name}: missed {query:?}");
            assert_eq!(ever(query.kind, &query.corners), query.is_contact, "{name}: {query:?}");
            if let (Some(found), Some([_, high])) = (found, truth) {
                assert!(found.time <= high, "{name}: late {query:?}");
            }
            if found.is_some_and(|f| f.separation > delta + size(&query.corners) * 2_f64.powi(-40))
            {
                counts[3] += 1;
            }
            counts[0] += 1;
            counts[1] += usize::from(query.is_contact);
            counts[2] += usize::from(found.is_some() && !query.is_contact);
        }
        println!("{name:40} queries, contacts, false positives, apart: {counts:?}");
        (0..4).for_each(|i| total[i] += counts[i]);
    };
    for (name, queries) in data::ccd::samples(&shared) {
        run(&name, &queries);
    }
    run("symbolic", &data::ccd::symbolic(&shared));
    println!("in all: {total:?}");
    assert_eq!(total[..2], [6_283, 369]);
    assert_eq!(total[3], 0);
}
