//! Where on them objects meet.

use std::sync::Arc;

use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Neighbours, collide_self, regions};
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
    assert_eq!((without.meetings.len(), without.meetings[0].place), (1, None));
    let place = with.meetings[0].place.take().unwrap();
    assert_eq!(with, without, "asking where changes nothing else");
    let pieces: Vec<_> = stage.pieces().collect();
    let (a, b) = (pieces[0], pieces[1]);
    let all =
        regions(a.model(), a.placement(), b.model(), b.placement(), &mut Workspace::default());
    assert_eq!((place.regions, place.length), (all.len() as u64, all[0].length));
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
    let place = all.meetings[0].place.unwrap();
    assert_eq!((place.regions, place.area, place.normal), (1, 0.75, DVec3::Z));
    assert_eq!(found(Seek { touching: false, ..seek }, boxes()).0.meetings, []);
}

/// An object of one part only is compared with itself, once if it stands still.
#[test]
fn an_object_of_one_part_may_meet_itself() {
    let two = elbowroom_make::icosphere(6);
    let shifted = two.vertices().iter().map(|&v| v + DVec3::new(0.7, 0.1, 0.2)).collect();
    let both = elbowroom_make::join(&[two.with_vertices(shifted).unwrap(), two]);
    let model = Arc::new(Model::new(both));
    let (pairs, _) = collide_self(&model, Neighbours::Decide, &mut Workspace::default());
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
        let place = meeting.place.expect("it was asked for");
        assert!(place.regions == 1 && place.length > 2.0, "{place:?}");
        assert_eq!(meeting.triangles, pairs);
        assert!(meeting.crossing > 40, "{}", meeting.crossing);
    }
}
