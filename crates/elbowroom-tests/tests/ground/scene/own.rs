//! Objects that are compared with themselves, against every pair of triangles of posed vertices.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use elbowroom::internal::model::Model;
use elbowroom::internal::query::{
    ContactKind, Neighbours, TrianglePair, self_triangle_pairs, triangle_pairs,
};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Mesh, Pose};
use elbowroom_motion::body::{
    Clip, Hold, Influence, Interpolation, Joint, JointId, Local, Part, Poser, Rig, Skeleton, Skin,
    Target, Track,
};
use elbowroom_motion::scene::{
    Actor, Content, Finder, Found, Meeting, Motion, Object, ObjectId, Playback, Repeat, Rest,
    Scene, Seek, Stage, Timing,
};
use glam::{DAffine3, DQuat, DVec3};

/// Three joints along x, a unit apart: hip, knee, foot.
const JOINTS: [&str; 3] = ["hip", "knee", "foot"];

fn skin(mesh: &Mesh) -> Skin {
    let binds = (0..3).map(|j| DAffine3::from_translation(-DVec3::X * f64::from(j))).collect();
    let count = mesh.vertices().len() as u32;
    let joint = |x: f64| {
        if x < 0.75 {
            0
        } else if x < 1.75 {
            1
        } else {
            2
        }
    };
    let influence = |vertex: &DVec3| Influence { joint: joint(vertex.x), weight: 1.0 };
    let influences = mesh.vertices().iter().map(influence).collect();
    Skin::new((0..3).map(JointId).collect(), binds, (0..=count).collect(), influences).unwrap()
}

/// A tube along x.
pub(super) fn tube(radius: f64, from: f64, to: f64) -> Mesh {
    let (rings, sides) = (9_u32, 7_u32);
    let point = |ring: u32, side: u32| {
        let x = from + (to - from) * f64::from(ring) / f64::from(rings - 1);
        let angle = std::f64::consts::TAU * f64::from(side) / f64::from(sides);
        DVec3::new(x, radius * angle.cos(), radius * angle.sin())
    };
    let points = (0..rings).flat_map(|r| (0..sides).map(move |s| point(r, s))).collect();
    let corner = |ring: u32, side: u32| ring * sides + side % sides;
    let mut triangles = Vec::new();
    for ring in 0..rings - 1 {
        for side in 0..sides {
            let [a, b] = [corner(ring, side), corner(ring + 1, side)];
            let [c, d] = [corner(ring, side + 1), corner(ring + 1, side + 1)];
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    Mesh::new(points, triangles).unwrap()
}

pub(super) fn rig(meshes: Vec<(&str, Mesh)>) -> Rig {
    let joint = |j: usize| Joint {
        name: JOINTS[j].into(),
        parent: j.checked_sub(1).map(|parent| JointId(parent as u32)),
        rest: Local { translation: DVec3::X * f64::from(u8::from(j > 0)), ..Local::IDENTITY },
    };
    let mut rig = Rig::new("leg", Skeleton::new((0..3).map(joint).collect()).unwrap());
    for (name, mesh) in meshes {
        let skin = skin(&mesh);
        rig.parts.push(Part::new(name, mesh, Hold::Skinned(skin)));
    }
    // The foot comes up until it goes through the thigh.
    let turn = |angle: f64| DQuat::from_rotation_z(angle).to_array();
    let track = |joint: u32| Track {
        target: Target::Rotation(JointId(joint)),
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.0],
        values: [turn(0.0), turn(1.55)].concat(),
    };
    rig.clips.push(Clip::new("kick".into(), vec![track(1), track(2)]).unwrap());
    rig
}

pub(super) const LAST: u32 = 10;

pub(super) fn scene(rig: &Rig) -> Scene {
    let rig = Arc::new(rig.clone());
    let playback = Playback::new(Arc::new(rig.clips[0].clone()), Repeat::Hold);
    let actor = Actor { motion: Motion::Clip(playback), ..Actor::new(rig) };
    let mut object = Object::new("leg", Content::Actor(actor));
    object.with_itself = true;
    let timing = Timing::new(f64::from(LAST), 0, LAST);
    Scene::new(timing, vec![object], &[]).unwrap()
}

pub(super) fn found(scene: &Scene, frame: u32, finder: &mut Finder) -> Found {
    let mut stage = Stage::new();
    scene.at(frame, &mut stage).unwrap();
    finder.find(scene, &stage).clone()
}

/// Pairs of triangles by the names of their parts.
type ByParts = BTreeMap<[String; 2], u64>;

fn by_parts(scene: &Scene, found: &Found) -> ByParts {
    let names = scene.parts(ObjectId(0));
    let mut sums = ByParts::new();
    for meeting in &found.meetings {
        assert_eq!(meeting.parts.len(), 1, "one pair of parts a meeting");
        let pair = &meeting.parts[0];
        assert!(pair.a <= pair.b, "unordered: {pair:?}");
        let mut key = [pair.a, pair.b].map(|part| names[part as usize].clone());
        key.sort();
        let known = sums.insert(key, meeting.touching + meeting.crossing);
        assert!(known.is_none(), "each pair once");
    }
    sums
}

/// The joint of a triangle: the one of most of its corners.
pub(super) fn label(mesh: &Mesh, triangle: usize) -> usize {
    let corners = mesh
        .triangle(triangle)
        .map(|corner| if corner.x < 0.75 { 0 } else { 1 + usize::from(corner.x >= 1.75) });
    let most = (0..3).max_by_key(|j| {
        (corners.iter().filter(|corner| *corner == j).count(), std::cmp::Reverse(*j))
    });
    most.unwrap()
}

/// What a part is called.
pub(super) fn name(rig: &Rig, mesh: usize, joint: usize) -> String {
    match rig.parts.len() {
        1 => JOINTS[joint].to_owned(),
        _ => format!("{}/{}", rig.parts[mesh].name, JOINTS[joint]),
    }
}

/// The meshes of a rig as they stand in a frame.
pub(super) fn posed(rig: &Rig, frame: u32) -> Vec<Mesh> {
    let mut pose = rig.rest_pose();
    rig.clips[0].sample(f64::from(frame) / f64::from(LAST), &mut pose);
    let (mut poser, mut points) = (Poser::new(), Vec::new());
    poser.set(rig, &pose);
    let mesh = |part: usize| {
        poser.part(rig, part, &mut points);
        rig.parts[part].mesh.with_vertices(points.clone()).unwrap()
    };
    (0..rig.parts.len()).map(mesh).collect()
}

/// The same by brute force: every pair of posed triangles, those that hang together by corners left
/// out as the rule says.
fn truth(rig: &Rig, frame: u32) -> ByParts {
    let models: Vec<Model> = posed(rig, frame).into_iter().map(Model::new).collect();
    let label = |part: usize, triangle: u32| label(&rig.parts[part].mesh, triangle as usize);
    let name = |part: usize, joint: usize| name(rig, part, joint);
    let mut sums = ByParts::new();
    let mut add = |a: String, b: String| {
        let mut key = [a, b];
        key.sort();
        *sums.entry(key).or_default() += 1;
    };
    let here = Pose::IDENTITY;
    for (p, model) in models.iter().enumerate() {
        for (q, other) in models[..p].iter().enumerate() {
            for TrianglePair { a, b, .. } in triangle_pairs(model, &here, other, &here) {
                add(name(p, label(p, a)), name(q, label(q, b)));
            }
        }
        let mesh = &rig.parts[p].mesh;
        let shells = shells(mesh);
        let own = |i: u32, j: u32| {
            let (p_of, q_of) = (label(p, i), label(p, j));
            let shell = shells[i as usize];
            let of = |label_wanted: usize| {
                let all = 0..mesh.triangles().len() as u32;
                all.filter(|&t| shells[t as usize] == shell && label(p, t) == label_wanted)
                    .flat_map(|t| mesh.triangle(t as usize))
                    .map(|corner| corner.to_array().map(f64::to_bits))
                    .collect::<BTreeSet<_>>()
            };
            shell == shells[j as usize]
                && (p_of == q_of || of(p_of).intersection(&of(q_of)).next().is_some())
        };
        let (pairs, _) = self_triangle_pairs(model, Neighbours::Decide, &mut Workspace::default());
        for pair in pairs.iter().filter(|pair| !own(pair.a, pair.b)) {
            add(name(p, label(p, pair.a)), name(p, label(p, pair.b)));
        }
    }
    sums
}

/// By flooding over common corners.
pub(super) fn shells(mesh: &Mesh) -> Vec<usize> {
    let count = mesh.triangles().len();
    let mut shells = vec![usize::MAX; count];
    for start in 0..count {
        let mut waiting = vec![start];
        while let Some(triangle) = waiting.pop() {
            if shells[triangle] != usize::MAX {
                continue;
            }
            shells[triangle] = start;
            let corners = mesh.triangle(triangle);
            waiting.extend((0..count).filter(|&other| {
                shells[other] == usize::MAX
                    && mesh.triangle(other).iter().any(|corner| corners.contains(corner))
            }));
        }
    }
    shells
}

pub(super) fn rigs() -> Vec<Rig> {
    let body = || tube(0.2, 0.0, 2.6);
    // Wider, with a waist that goes through the body.
    let shirt = || {
        let mesh = tube(0.22, 0.2, 1.5);
        let shifted = mesh.vertices().iter().map(|&v| v + DVec3::Y * 0.05).collect();
        mesh.with_vertices(shifted).unwrap()
    };
    let joined = elbowroom_make::join(&[body(), shirt()]);
    vec![
        rig(vec![("body", body())]),
        rig(vec![("body", body()), ("shirt", shirt())]),
        rig(vec![("body", joined.clone())]),
        rig(vec![("body", joined), ("shoe", tube(0.25, 2.1, 2.4))]),
    ]
}

#[test]
fn meetings_by_parts_are_those_of_brute_force() {
    let (mut met, mut across, mut own) = (0, 0, 0);
    for rig in rigs() {
        let scene = scene(&rig);
        let mut finder = Finder::new(Seek::default());
        for frame in 0..=LAST {
            let found = found(&scene, frame, &mut finder);
            let sums = by_parts(&scene, &found);
            assert_eq!(sums, truth(&rig, frame), "frame {frame} of {} meshes", rig.parts.len());
            met += sums.len();
            across +=
                sums.keys().filter(|[a, b]| a.split('/').next() != b.split('/').next()).count();
            own += sums.keys().filter(|[a, b]| a == b).count();
            assert!(found.pairs_examined == 1 && found.part_pairs_examined > 0);
        }
    }
    assert!(met > 60 && across > 20 && own > 20, "{met} {across} {own}");
}

/// What meets at rest is told apart, or left out and counted; nothing else is.
#[test]
fn what_meets_at_rest_is_known_triangle_by_triangle() {
    let (mut known, mut fresh) = (0, 0);
    for rig in &rigs()[1..] {
        let scene = scene(rig);
        let ignore = Seek { rest: Rest::Ignore, ..Seek::default() };
        let (mut count, mut ignore) = (Finder::new(Seek::default()), Finder::new(ignore));
        for frame in 0..=LAST {
            let all = found(&scene, frame, &mut count);
            let some = found(&scene, frame, &mut ignore);
            let pairs =
                |found: &Found| found.meetings.iter().map(|m| m.touching + m.crossing).sum::<u64>();
            let at_rest: u64 = all.meetings.iter().map(|meeting| meeting.at_rest).sum();
            assert_eq!((all.rest_left_out, some.rest_left_out), (0, at_rest));
            assert_eq!(pairs(&all), pairs(&some) + at_rest, "frame {frame}");
            assert!(some.meetings.iter().all(|meeting| meeting.at_rest == 0));
            if frame == 0 {
                assert_eq!(pairs(&some), 0, "the first frame is the rest pose");
                assert!(pairs(&all) > 0);
            }
            known += at_rest;
            fresh += pairs(&some);
        }
    }
    assert!(known > 500 && fresh > 100, "{known} {fresh}");
}

/// Where and how deep, by parts: as of the same triangles in objects of their own.
#[test]
fn parts_have_a_place_and_a_depth() {
    let ball = |at: DVec3| {
        let mesh = elbowroom_make::icosphere(5);
        let moved = mesh.vertices().iter().map(|&v| 0.4 * v + at).collect();
        mesh.with_vertices(moved).unwrap()
    };
    let (a, b) = (ball(DVec3::ZERO), ball(DVec3::new(0.5, 0.1, 0.0)));
    let rig = rig(vec![("body", a.clone()), ("hat", b.clone())]);
    let seek = Seek { places: true, depth: true, ..Seek::default() };
    let own = scene(&rig);
    let own = found(&own, 0, &mut Finder::new(seek)).meetings;
    let still = |name: &str, mesh: Mesh| {
        let model = Arc::new(Model::new(mesh));
        Object::new(name, Content::Still { model, place: Pose::IDENTITY })
    };
    let apart = Scene::new(Timing::STILL, vec![still("body", a), still("hat", b)], &[]).unwrap();
    let apart = found(&apart, 0, &mut Finder::new(seek)).meetings;
    let hips: Vec<_> = own.iter().filter(|m| m.kind == ContactKind::Crossing).collect();
    assert!(!hips.is_empty() && apart.len() == 1, "{own:?}");
    let depth = |met: &Meeting| met.overlap.clone().unwrap();
    let (overlap, whole) = (depth(hips[0]), depth(&apart[0]));
    let place = hips[0].place.as_deref().unwrap();
    assert!((place.point - apart[0].place.as_deref().unwrap().point).length() < 0.5);
    assert!(overlap.depth > 0.0 && overlap.depth <= whole.depth_upper + 1e-9, "{overlap:?}");
    let sum: u64 = own.iter().map(|meeting| meeting.crossing).sum();
    assert_eq!(sum, apart[0].crossing);
}

#[test]
fn parts_that_are_all_neighbours_are_not_compared() {
    let rig = rig(vec![("body", tube(0.2, 0.0, 1.4))]);
    let found = found(&scene(&rig), LAST, &mut Finder::new(Seek::default()));
    assert_eq!((found.pairs_examined, found.part_pairs_examined), (0, 0));
}
