//! Parts of one skin that do not meet, against every pair of posed triangles; and what is inside of
//! a part that is closed where it was cut.

use std::collections::{BTreeMap, BTreeSet};

use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::query::{Certainty, ContactKind, Mode};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Mesh, Pose};
use elbowroom_motion::body::Rig;
use elbowroom_motion::scene::{Finder, Found, ObjectId, Rest, Scene, Seek};
use glam::DVec3;

use super::own::{LAST, found, label, name, posed, rig, rigs, scene, shells, tube};

const CLEARANCE: f64 = 0.3;

/// Two parts by their names, in order.
type Key = [String; 2];

fn key(a: String, b: String) -> Key {
    let mut key = [a, b];
    key.sort();
    key
}

/// The least distance of the triangles of each two parts that are compared.
fn truth(rig: &Rig, frame: u32) -> BTreeMap<Key, f64> {
    let lone = |mesh: &Mesh| -> Vec<Model> {
        let alone = |t| Mesh::new(mesh.triangle(t).to_vec(), vec![[0, 1, 2]]).unwrap();
        (0..mesh.triangles().len()).map(|t| Model::new(alone(t))).collect()
    };
    let models: Vec<Vec<Model>> = posed(rig, frame).iter().map(lone).collect();
    let (mut least, mut workspace) = (BTreeMap::new(), Workspace::default());
    for p in 0..models.len() {
        let mesh = &rig.parts[p].mesh;
        let shells = shells(mesh);
        // The places where a joint has corners on a shell.
        let mut places: BTreeMap<(usize, usize), BTreeSet<[u64; 3]>> = BTreeMap::new();
        for (t, &shell) in shells.iter().enumerate() {
            let corners = mesh.triangle(t).map(|corner| corner.to_array().map(f64::to_bits));
            places.entry((shell, label(mesh, t))).or_default().extend(corners);
        }
        for q in 0..=p {
            for (i, first) in models[p].iter().enumerate() {
                let others = if p == q { i } else { models[q].len() };
                for (j, second) in models[q][..others].iter().enumerate() {
                    let (a, b) = (label(mesh, i), label(&rig.parts[q].mesh, j));
                    let is_one = p == q && shells[i] == shells[j] && {
                        let [of_a, of_b] = [a, b].map(|joint| &places[&(shells[i], joint)]);
                        a == b || of_a.intersection(of_b).next().is_some()
                    };
                    if is_one {
                        continue;
                    }
                    let here = Pose::IDENTITY;
                    let least = least.entry(key(name(rig, p, a), name(rig, q, b)));
                    let least = least.or_insert(f64::INFINITY);
                    let near = query::distance(first, &here, second, &here, *least, &mut workspace);
                    *least = near.map_or(*least, |near| near.distance.min(*least));
                }
            }
        }
    }
    least
}

fn near(scene: &Scene, found: &Found) -> BTreeMap<Key, f64> {
    let names = scene.parts(ObjectId(0));
    let near = found.meetings.iter().filter(|met| met.kind == ContactKind::Clearance);
    near.map(|met| {
        let [a, b] = [met.parts[0].a, met.parts[0].b].map(|part| names[part as usize].clone());
        (key(a, b), met.distance.unwrap())
    })
    .collect()
}

#[test]
fn distances_of_parts_are_those_of_brute_force() {
    let (mut met, mut within) = (0, 0);
    for rig in rigs() {
        let scene = scene(&rig);
        let seek = Seek { clearance: Some(CLEARANCE), places: true, ..Seek::default() };
        let mut finder = Finder::new(seek);
        for frame in [0, 3, 6, 8, LAST] {
            let found = found(&scene, frame, &mut finder);
            let expected = truth(&rig, frame);
            let expected = expected.iter().filter(|(_, d)| (0.0..=CLEARANCE).contains(*d));
            let expected: BTreeMap<_, _> = expected.filter(|(_, d)| **d > 0.0).collect();
            let rows = near(&scene, &found);
            assert_eq!(
                rows.keys().collect::<Vec<_>>(),
                expected.keys().copied().collect::<Vec<_>>(),
                "frame {frame}"
            );
            for (key, distance) in &rows {
                assert!((distance - expected[key]).abs() < 1e-12, "{key:?} in frame {frame}");
                within += usize::from(key[0].split('/').next() == key[1].split('/').next());
            }
            for meeting in found.meetings.iter().filter(|met| rows.len() == 1 && met.at_rest == 0) {
                assert!(meeting.distance.is_some());
            }
            met += rows.len();
        }
    }
    assert!(met > 30 && within > 10, "{met} {within}");
}

/// Nothing that is nearer than at rest is left out, and all else is.
#[test]
fn what_is_as_near_at_rest_is_known() {
    let (mut known, mut kept) = (0, 0);
    for rig in rigs() {
        let scene = scene(&rig);
        let seek = Seek { clearance: Some(CLEARANCE), ..Seek::default() };
        let ignore = Seek { rest: Rest::Ignore, ..seek };
        let (mut count, mut ignore) = (Finder::new(seek), Finder::new(ignore));
        let rest = truth(&rig, 0);
        for frame in 0..=LAST {
            let all = found(&scene, frame, &mut count);
            let some = near(&scene, &found(&scene, frame, &mut ignore));
            let marked: BTreeSet<Key> = all
                .meetings
                .iter()
                .filter(|met| met.kind == ContactKind::Clearance && met.at_rest > 0)
                .map(|met| {
                    let names = scene.parts(ObjectId(0));
                    let name = |part: u32| names[part as usize].clone();
                    key(name(met.parts[0].a), name(met.parts[0].b))
                })
                .collect();
            for (key, distance) in near(&scene, &all) {
                let is_nearer = distance < rest[&key] - 1e-4;
                assert_eq!(some.contains_key(&key), !marked.contains(&key), "{key:?} {frame}");
                if is_nearer {
                    assert!(some.contains_key(&key), "{key:?} is nearer in frame {frame}");
                    kept += 1;
                } else if distance >= rest[&key] {
                    assert!(marked.contains(&key), "{key:?} in frame {frame}");
                    known += 1;
                }
            }
            assert!(frame > 0 || some.is_empty(), "the first frame is the rest pose");
        }
    }
    assert!(known > 50 && kept > 10, "{known} {kept}");
}

/// A ball in one mesh with the leg that it is inside of: no surfaces meet, and as solids it is in.
#[test]
fn parts_are_closed_where_they_are_cut() {
    let ball = |at: DVec3| {
        let mesh = elbowroom_make::icosphere(3);
        let moved = mesh.vertices().iter().map(|&v| 0.05 * v + at).collect();
        mesh.with_vertices(moved).unwrap()
    };
    // Within the ring of the knee, which is wider than it is long.
    let wide = tube(0.6, 0.0, 2.6);
    let leg = rig(vec![("leg", elbowroom_make::join(&[wide, ball(DVec3::new(1.25, 0.0, 0.0))]))]);
    let scene = scene(&leg);
    let surface = found(&scene, 0, &mut Finder::new(Seek::default()));
    assert_eq!(surface.meetings, []);
    let seek = Seek { mode: Mode::Solid, depth: true, places: true, ..Seek::default() };
    let solid = found(&scene, 0, &mut Finder::new(seek));
    let [met] = solid.meetings.as_slice() else { panic!("{:?}", solid.meetings) };
    assert_eq!(met.kind, ContactKind::Crossing, "a shell of a part, not all of it");
    assert!(matches!(met.certainty, Certainty::Estimate(_)), "{met:?}");
    let overlap = met.overlap.as_deref().unwrap();
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 0.05_f64.powi(3);
    assert!((0.8 * volume..volume).contains(&overlap.volume), "{overlap:?}");
    assert!(overlap.depth > 0.1 && !overlap.is_certain(), "{overlap:?}");
    let names = scene.parts(ObjectId(0));
    assert_eq!([met.parts[0].a, met.parts[0].b].map(|p| names[p as usize].as_str()), ["knee"; 2]);
}

/// The foot in the thigh: as deep as it is in a thigh that was modelled with its ends closed, but
/// for the caps.
#[test]
fn a_foot_in_the_thigh_has_a_depth() {
    let leg = rig(vec![("leg", tube(0.2, 0.0, 2.6))]);
    let scene = scene(&leg);
    let seek = Seek { mode: Mode::Solid, depth: true, ..Seek::default() };
    let found = found(&scene, LAST, &mut Finder::new(seek));
    let crossing: Vec<_> =
        found.meetings.iter().filter(|met| met.kind == ContactKind::Crossing).collect();
    let [met] = crossing.as_slice() else { panic!("{:?}", found.meetings) };
    let overlap = met.overlap.as_deref().unwrap();
    assert!(overlap.depth > 0.05 && overlap.depth_upper < 0.21, "{overlap:?}");
    assert!(overlap.volume > 1e-3 && !overlap.is_certain(), "{overlap:?}");
}
