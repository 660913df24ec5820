//! Copies of objects share what is found of one of them, and say the same as if they did not.

use std::sync::Arc;

use elbowroom::Mesh;
use elbowroom::internal::model::Model;
use elbowroom_motion::scene::{Content, Finder, Meeting, Object, Scene, Seek, Stage, Timing};
use glam::DVec3;

use super::common::at;

fn ball() -> Arc<Model> {
    Arc::new(Model::new(elbowroom_make::icosphere(4)))
}

/// Three copies in one place, two in another, one that has a part of its own, and one that moves
/// through them; of one model, or each of its own.
fn scene(is_shared: bool) -> Scene {
    let model = ball();
    let model = || if is_shared { Arc::clone(&model) } else { ball() };
    let still = |name: &str, x: f64| {
        Object::new(name, Content::Still { model: model(), place: at(x, 0.1, 0.0) })
    };
    let mut parted = still("parted", 0.0);
    parted.parts = vec![("low".to_owned(), 0), ("high".to_owned(), 40)];
    let path = [-3.0, 0.6, 1.4].map(|x| at(x, 0.0, 0.3)).to_vec();
    let objects = vec![
        still("a", 0.0),
        Object::new("moves", Content::Moving { model: model(), path }),
        still("b", 0.0),
        still("far", 1.2),
        parted,
        still("c", 0.0),
        still("farther", 1.2),
    ];
    let allowed = [("b".to_owned(), "far".to_owned()), ("c".to_owned(), "moves".to_owned())];
    Scene::new(Timing::new(10.0, 0, 2), objects, &allowed).unwrap()
}

fn seeks() -> [Seek; 4] {
    let all = Seek { most_listed: usize::MAX, places: true, ..Seek::default() };
    [
        Seek::default(),
        all,
        Seek { clearance: Some(0.4), parts: false, ..all },
        Seek { mode: elbowroom::Mode::Solid, depth: true, touching: false, ..all },
    ]
}

#[test]
fn copies_share_what_is_found_and_say_the_same() {
    let (shared, plain) = (scene(true), scene(false));
    let (mut stage, mut other) = (Stage::new(), Stage::new());
    let (mut met, mut same) = (0, 0);
    for seek in seeks() {
        let (mut finder, mut apart) = (Finder::new(seek), Finder::new(seek));
        for frame in shared.timing().frames() {
            shared.at(frame, &mut stage).unwrap();
            plain.at(frame, &mut other).unwrap();
            let found = finder.find(&shared, &stage);
            assert_eq!(found, apart.find(&plain, &other), "{seek:?} {frame}");
            let are_one = |p: &Meeting, q: &Meeting| Arc::ptr_eq(&p.contact, &q.contact);
            let meetings = &found.meetings;
            for (i, p) in meetings.iter().enumerate() {
                same += meetings[..i].iter().filter(|&q| are_one(p, q)).count();
                // Two objects by themselves are found as they are among all.
                let pair = finder.find_pair(&shared, &stage, (p.a, p.b));
                assert_eq!(pair.as_slice(), std::slice::from_ref(p));
            }
            met += meetings.len();
        }
    }
    assert!(met > 150 && same > 80, "{met} {same}");
}

/// The search ends where there are more meetings than were to be found.
#[test]
fn too_many_meetings_end_the_search() {
    let (scene, mut stage) = (scene(true), Stage::new());
    scene.at(1, &mut stage).unwrap();
    let all = Finder::new(Seek::default()).find(&scene, &stage).meetings;
    let found =
        |most_meetings| Finder::new(Seek { most_meetings, ..Seek::default() }).find(&scene, &stage);
    let (enough, few) = (found(all.len()), found(all.len() - 1));
    assert!(all.len() > 10 && !enough.is_full && few.is_full);
    assert_eq!((enough.meetings, few.meetings.as_slice()), (all.clone(), &all[..all.len() - 1]));
}

/// Copies of one triangle meet in more pairs than are put together to regions.
#[test]
fn too_many_pairs_have_a_point_and_no_regions() {
    let many = |z: f64| {
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::new(0.3, 1.0, z)];
        let model = Arc::new(Model::new(Mesh::new(corners, vec![[0, 1, 2]; 1_500]).unwrap()));
        Object::new(format!("at {z}"), Content::Still { model, place: at(0.0, 0.0, 0.0) })
    };
    let scene = Scene::new(Timing::STILL, vec![many(0.0), many(1.0)], &[]).unwrap();
    let mut stage = Stage::new();
    scene.at(0, &mut stage).unwrap();
    let seek = Seek { places: true, most_listed: 10, ..Seek::default() };
    let found = Finder::new(seek).find(&scene, &stage);
    let [met] = found.meetings.as_slice() else { panic!("{found:?}") };
    let place = met.place.as_deref().expect("it was asked for");
    assert_eq!((met.triangle_pairs(), met.triangles.len()), (1_500 * 1_500, 10));
    assert_eq!((place.regions, place.length), (None, 0.0));
    // They have an edge in common.
    let at = place.point;
    assert!((0.0..=1.0).contains(&at.x) && at.y == 0.0 && at.z == 0.0, "{place:?}");
}
