//! Where on them objects meet.

use std::sync::Arc;

use elbowroom::Mesh;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{ContactKind, Mode, Neighbours, regions, self_triangle_pairs};
use elbowroom::internal::traverse::Workspace;
use elbowroom_motion::scene::{
    Content, Finder, Found, Object, ObjectId, Scene, Seek, Stage, Timing,
};
use glam::DVec3;

use super::common::{at, still};

fn found(seek: Seek, objects: Vec<Object>) -> (Found, Stage) {
    let scene = Scene::new(Timing::STILL, objects, &[]).unwrap();
    let mut stage = Stage::new();
    scene.at(0, &mut stage).unwrap();
    (Finder::new(seek).find(&scene, &stage).clone(), stage)
}

#[test]
fn a_meeting_says_where_if_asked() {
    let boxes = || {
        let left = still("left", 0.5, at(0.0, 0.0, 0.0));
        vec![left, still("right", 0.5, at(0.9, 0.2, 0.1)), still("far", 0.5, at(9.0, 0.0, 0.0))]
    };
    let (without, _) = found(Seek::default(), boxes());
    let (mut with, stage) = found(Seek { places: true, ..Seek::default() }, boxes());
    assert!(without.meetings.len() == 1 && without.meetings[0].place.is_none());
    let contact = Arc::make_mut(&mut with.meetings[0].contact);
    let place = contact.place.take().unwrap();
    // Pairs of triangles that are put together are listed, and tests of lists are not counted.
    assert!(without.work.triangle_tests > Some(0) && with.work.triangle_tests.is_none());
    with.work.triangle_tests = without.work.triangle_tests;
    assert_eq!(with, without, "asking where changes nothing else");
    let pieces: Vec<_> = stage.pieces().collect();
    let (a, b) = (pieces[0], pieces[1]);
    let all =
        regions(a.model(), a.placement(), b.model(), b.placement(), &mut Workspace::default());
    assert_eq!((place.regions, place.length), (Some(all.len() as u64), all[0].length));
    assert_eq!((place.point, place.normal), (all[0].point, all[0].normal));
    assert!(place.length > 1.0 && place.normal.dot(DVec3::X) > 0.5, "{place:?}");
}

/// What only touches is no place where touching does not count.
#[test]
fn touching_that_does_not_count_is_nowhere() {
    let boxes =
        || vec![still("low", 0.5, at(0.0, 0.0, 0.0)), still("high", 0.5, at(0.25, 0.0, 1.0))];
    let seek = Seek { places: true, ..Seek::default() };
    let (all, _) = found(seek, boxes());
    let place = all.meetings[0].place.as_deref().unwrap();
    assert_eq!((place.regions, place.area, place.normal), (Some(1), 0.75, DVec3::Z));
    assert_eq!(found(Seek { touching: false, ..seek }, boxes()).0.meetings, []);
}

/// An object of one part only is compared with itself, once if it stands still.
#[test]
fn an_object_of_one_part_may_meet_itself() {
    let two = elbowroom_make::icosphere(6);
    let shifted = two.vertices().iter().map(|&v| v + DVec3::new(0.7, 0.1, 0.2)).collect();
    let both = elbowroom_make::join(&[two.with_vertices(shifted).unwrap(), two]);
    let model = Arc::new(Model::new(both));
    let (pairs, _) = self_triangle_pairs(&model, Neighbours::Decide, &mut Workspace::default());
    let content = Content::Still { model, place: at(1.0, 2.0, 3.0) };
    let mut object = Object::new("both", content);
    object.with_itself = true;
    let mut cube = still("cube", 0.5, at(9.0, 0.0, 0.0));
    cube.with_itself = true;
    let scene = Scene::new(Timing::new(1.0, 0, 2), vec![object, cube], &[]).unwrap();
    let seek = Seek { most_listed: usize::MAX, places: true, ..Seek::default() };
    let (mut stage, mut finder) = (Stage::new(), Finder::new(seek));
    for frame in scene.timing().frames() {
        scene.at(frame, &mut stage).unwrap();
        let found = finder.find(&scene, &stage);
        assert_eq!((found.meetings.len(), found.pairs_examined), (1, 3));
        let meeting = &found.meetings[0];
        assert_eq!((meeting.a, meeting.b), (ObjectId(0), ObjectId(0)));
        // Two balls cross in one circle.
        let place = meeting.place.as_deref().expect("it was asked for");
        assert!(place.regions == Some(1) && place.length > 2.0, "{place:?}");
        assert_eq!(meeting.triangles, pairs);
        assert!(meeting.crossing > 40, "{}", meeting.crossing);
    }
}

/// Triangles that only touch join a region although they do not count; a region of them alone is
/// left out, unless objects meet nowhere else.
#[test]
fn regions_are_whole_where_touching_does_not_count() {
    let sheet = |x: f64, z: f64| {
        let corners = [[0.0, 0.3, 0.0], [1.0, 0.3, 0.0], [1.0, 0.3, 1.0], [0.0, 0.3, 1.0]];
        let moved = corners.map(|corner| DVec3::from_array(corner) * 2.0 + DVec3::new(x, 0.0, z));
        Mesh::new(moved.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap()
    };
    let cube = || still("cube", 1.0, at(0.0, 0.0, 0.0));
    // A sheet that cuts the cube, another whose edge lies on a side of it.
    let both = elbowroom_make::join(&[sheet(-0.5, -0.5), sheet(-3.0, -0.7)]);
    let sheets = || {
        let model = Arc::new(Model::new(both.clone()));
        Object::new("sheets", Content::Still { model, place: at(0.0, 0.0, 0.0) })
    };
    let seek = Seek { places: true, most_listed: usize::MAX, ..Seek::default() };
    let place = |touching| {
        let found = found(Seek { touching, ..seek }, vec![cube(), sheets()]).0;
        let met = found.meetings[0].clone();
        assert_eq!(met.triangles.len() as u64, met.triangle_pairs());
        (met.touching, met.place.clone().unwrap())
    };
    let ((touching, all), (none, some)) = (place(true), place(false));
    assert!(touching > 0 && none == 0, "{touching} {none}");
    assert_eq!((all.regions, some.regions), (Some(2), Some(1)));
    assert_eq!((all.point, all.length), (some.point, some.length));
    // Aligned boxes overlap as solids though their triangles only touch.
    let solid = Seek { mode: Mode::Solid, touching: false, ..seek };
    let boxes = vec![cube(), still("half", 1.0, at(1.0, 0.0, 0.0))];
    let met = &found(solid, boxes).0.meetings[0];
    assert_eq!((met.kind, met.triangle_pairs()), (ContactKind::Crossing, 0));
    assert!(met.place.as_deref().is_some_and(|place| place.regions >= Some(1)));
}
