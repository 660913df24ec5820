//! Who meets whom, against the truth.

use std::collections::BTreeMap;
use std::sync::Arc;

use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::{Mesh, Pose, Relation};
use elbowroom_motion::scene::{
    Actor, Axes, ContactSummary, Content, Finder, Meeting, Motion, Object, ObjectId, Playback,
    Repeat, Scene, Seek, Stage, Timing, Whereabouts,
};
use elbowroom_testkit::brute::{Soup, all_pairs};
use elbowroom_testkit::oracle::{PlainPose, Relation as Truth};
use glam::DVec3;

use super::common::{arm, at, points_of, still};

/// A few people around the origin, each in their own clip.
fn people() -> Scene {
    let [man, woman] = [elbowroom_make::body::male(), elbowroom_make::body::female()].map(Arc::new);
    let objects = (0..5_u32).map(|i| {
        let rig = if i % 2 == 0 { &man } else { &woman };
        let clip = Arc::new(rig.clips[i as usize].clone());
        let start_secs = -0.3 * f64::from(i);
        let playback = Playback { start_secs, ..Playback::new(clip, Repeat::Loop) };
        let place = DVec3::new(0.4 * f64::from(i), 0.0, 0.2 * f64::from(i % 2));
        let place = Axes::Y_UP.placed(place, f64::from(i), 1.0 + 0.02 * f64::from(i));
        let actor = Actor {
            motion: Motion::Clip(playback),
            whereabouts: Whereabouts::Fixed(place),
            ..Actor::new(Arc::clone(rig))
        };
        Object::new(format!("person {i}"), Content::Actor(actor))
    });
    let mut objects: Vec<Object> = objects.collect();
    objects.push(still("box", 0.3, at(0.9, 0.2, 0.1)));
    objects.push(still("far", 0.3, at(90.0, 0.2, 0.1)));
    Scene::new(Timing::new(5.0, 0, 6), objects, &[]).unwrap()
}

/// The mesh of an object as it is on a stage.
fn mesh_of(stage: &Stage, object: u32) -> Mesh {
    let mut triangles = Vec::new();
    let mut base = 0;
    for piece in stage.pieces().filter(|piece| piece.object().0 == object) {
        let mesh = piece.model().mesh();
        assert_eq!(piece.first_triangle() as usize, triangles.len());
        triangles.extend(mesh.triangles().iter().map(|t| t.map(|corner| corner + base)));
        base += mesh.vertices().len() as u32;
    }
    Mesh::new(points_of(stage, object), triangles).unwrap()
}

#[test]
fn meetings_are_those_of_all_pairs() {
    let scene = people();
    let (mut stage, mut finder) =
        (Stage::new(), Finder::new(Seek { most_listed: usize::MAX, ..Seek::default() }));
    let mut counter = Finder::new(Seek::default());
    let here = Pose::IDENTITY;
    let (mut met, mut clear) = (0, 0);
    for frame in scene.timing().frames() {
        scene.at(frame, &mut stage).unwrap();
        let found = finder.find(&scene, &stage).clone();
        assert_eq!((found.present, found.pairs_examined, found.cut), (7, 21, None));
        let models: Vec<Model> = (0..7).map(|object| Model::new(mesh_of(&stage, object))).collect();
        let mut meetings = found.meetings.iter();
        for (a, b) in (0..7).flat_map(|a| (a + 1..7).map(move |b| (a, b))) {
            let truth = query::triangle_pairs(&models[a], &here, &models[b], &here);
            if truth.is_empty() {
                clear += 1;
                continue;
            }
            met += 1;
            let meeting = meetings.next().expect("a meeting");
            assert_eq!((meeting.a.index(), meeting.b.index()), (a, b));
            assert_eq!(meeting.triangles, truth);
            assert_eq!(meeting.touching + meeting.crossing, truth.len() as u64);
        }
        assert!(meetings.next().is_none());
        // Counting finds the same without listing.
        let counted = counter.find(&scene, &stage);
        let bare = found.meetings.iter().map(|meeting| {
            let triangles = Vec::new();
            let contact = ContactSummary { triangles, ..(*meeting.contact).clone() };
            Meeting { contact: contact.into(), ..meeting.clone() }
        });
        assert_eq!(counted.meetings, bare.collect::<Vec<_>>());
    }
    assert!(met > 20 && clear > 40, "{met} {clear}");
}

#[test]
fn parts_are_summed_up_and_the_most_come_first() {
    let scene = people();
    let mut stage = Stage::new();
    let mut finder = Finder::new(Seek { most_listed: usize::MAX, ..Seek::default() });
    let mut several = 0;
    for frame in scene.timing().frames() {
        scene.at(frame, &mut stage).unwrap();
        for meeting in &finder.find(&scene, &stage).meetings {
            let part = |object: ObjectId, triangle: u32| {
                let piece = stage.pieces().find(|piece| piece.object() == object).unwrap();
                piece.part_of(triangle)
            };
            let mut sums: BTreeMap<(u32, u32), u64> = BTreeMap::new();
            for pair in &meeting.triangles {
                *sums.entry((part(meeting.a, pair.a), part(meeting.b, pair.b))).or_default() += 1;
            }
            let listed: BTreeMap<_, _> =
                meeting.parts.iter().map(|p| ((p.a, p.b), p.touching + p.crossing)).collect();
            assert_eq!(listed, sums);
            let counts: Vec<_> = meeting.parts.iter().map(|p| p.touching + p.crossing).collect();
            assert!(counts.is_sorted_by(|a, b| a >= b), "{counts:?}");
            several += usize::from(counts.len() > 3);
        }
    }
    assert!(several > 5, "{several}");
}

/// A cube and an arm, small enough for the oracle.
#[test]
fn rigid_pieces_agree_with_the_oracle() {
    let rig = Arc::new(arm(1.0));
    let clip = Arc::new(rig.clips[0].clone());
    let motion = Motion::Clip(Playback::new(clip, Repeat::Hold));
    let actor = Actor { motion, ..Actor::new(rig) };
    let objects =
        vec![Object::new("arm", Content::Actor(actor)), still("cube", 0.25, at(1.5, 0.5, 0.0))];
    let scene = Scene::new(Timing::new(20.0, 0, 20), objects, &[]).unwrap();
    let mut stage = Stage::new();
    let mut finder = Finder::new(Seek { most_listed: 1000, ..Seek::default() });
    let mut seen = [0, 0];
    for frame in scene.timing().frames() {
        scene.at(frame, &mut stage).unwrap();
        let found = finder.find(&scene, &stage);
        let mut truth = Vec::new();
        let cube = stage.pieces().last().unwrap();
        for piece in stage.pieces().take(2) {
            let (a, b) = (placed(&piece), placed(&cube));
            for (i, j, relation) in all_pairs(&a.0, &a.1, &b.0, &b.1) {
                truth.push((i + piece.first_triangle(), j, relation == Truth::Crossing));
            }
        }
        let listed: Vec<_> = found
            .meetings
            .iter()
            .flat_map(|meeting| &meeting.triangles)
            .map(|pair| (pair.a, pair.b, pair.relation == Relation::Crossing))
            .collect();
        assert_eq!(listed, truth, "frame {frame}");
        seen[usize::from(!truth.is_empty())] += 1;
    }
    assert!(seen[0] >= 3 && seen[1] >= 5, "{seen:?}");
}

fn placed(piece: &elbowroom_motion::scene::Piece<'_>) -> (Soup, PlainPose) {
    let mesh = piece.model().mesh();
    let soup = Soup {
        vertices: mesh.vertices().iter().map(DVec3::to_array).collect(),
        triangles: mesh.triangles().to_vec(),
    };
    let (r, t) = (piece.placement().rotation(), piece.placement().translation());
    (soup, PlainPose { r: [0, 1, 2].map(|i| r.row(i).to_array()), t: t.to_array() })
}

#[test]
fn touching_may_be_left_out_and_lists_are_cut() {
    let objects = || vec![still("a", 1.0, at(0.0, 0.0, 0.0)), still("b", 1.0, at(2.0, 0.0, 0.0))];
    let scene = Scene::new(Timing::STILL, objects(), &[]).unwrap();
    let mut stage = Stage::new();
    scene.at(0, &mut stage).unwrap();
    let count = |seek| Finder::new(seek).find(&scene, &stage).clone();
    let all = count(Seek::default());
    assert_eq!((all.meetings.len(), all.meetings[0].crossing), (1, 0));
    assert!(all.meetings[0].touching > 4);
    let few = count(Seek { most_listed: 3, ..Seek::default() });
    assert_eq!((few.cut, few.meetings[0].triangles.len()), (Some((ObjectId(0), ObjectId(1))), 3));
    assert_eq!(few.meetings[0].touching, all.meetings[0].touching);
    let none = count(Seek { touching: false, ..Seek::default() });
    assert_eq!((none.meetings.len(), none.pairs_examined), (0, 1));
}

#[test]
fn a_stage_that_was_not_set_is_empty() {
    let scene = people();
    let mut finder = Finder::new(Seek::default());
    let found = finder.find(&scene, &Stage::new());
    assert_eq!((found.present, found.pairs_examined, found.meetings.len()), (0, 0, 0));
}
