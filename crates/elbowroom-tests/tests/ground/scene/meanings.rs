//! What objects are to each other: kinds, solids, clearance, and objects of several pieces.

use std::sync::Arc;

use elbowroom::Mesh;
use elbowroom::internal::query::{ContactKind, Inside, Mode};
use elbowroom_motion::body::{Hold, Joint, JointId, Local, Part, Rig, Skeleton};
use elbowroom_motion::scene::{
    Actor, Content, Finder, Meeting, Object, Scene, Seek, Stage, Timing, Whereabouts,
};
use glam::{DAffine3, DVec3};

use super::common::{at, still};

const SOLID: Seek = Seek {
    mode: Mode::Solid,
    clearance: None,
    touching: true,
    parts: true,
    most_meetings: usize::MAX,
    most_listed: 0,
    places: false,
    through: false,
    depth: false,
    rest: elbowroom_motion::scene::Rest::Count,
};

fn meetings(seek: Seek, objects: Vec<Object>, allowed: &[(&str, &str)]) -> Vec<Meeting> {
    let allowed: Vec<_> = allowed.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect();
    let scene = Scene::new(Timing::STILL, objects, &allowed).unwrap();
    let mut stage = Stage::new();
    scene.at(0, &mut stage).unwrap();
    let mut finder = Finder::new(seek);
    let first = finder.find(&scene, &stage).meetings.clone();
    assert_eq!(finder.find(&scene, &stage).meetings, first, "what is remembered is the same");
    first
}

/// Cubes on one joint, each a piece: where they are, and half how large.
fn cubes(name: &str, parts: &[(f64, f64)]) -> Object {
    let joint = |index: usize| Joint {
        name: format!("joint{index}"),
        parent: (index > 0).then_some(JointId(0)),
        rest: Local::IDENTITY,
    };
    let joints = (0..parts.len()).map(joint).collect();
    let mut rig = Rig::new(name, Skeleton::new(joints).unwrap());
    for (index, &(x, half)) in parts.iter().enumerate() {
        let mesh = elbowroom_make::cuboid(DVec3::splat(half));
        let moved = mesh.vertices().iter().map(|&v| v + DVec3::X * x).collect();
        let mesh = Mesh::new(moved, mesh.triangles().to_vec()).unwrap();
        rig.parts.push(Part::new(format!("part{index}"), mesh, Hold::Rigid(JointId(index as u32))));
    }
    let whereabouts = Whereabouts::Fixed(DAffine3::IDENTITY);
    let actor = Actor { whereabouts, ..Actor::new(Arc::new(rig)) };
    Object::new(name, Content::Actor(actor))
}

#[test]
fn kinds_of_surfaces_and_solids() {
    let (c, s) = (Some(Inside::First), Some(Inside::Second));
    // How far the second is, how large; as surfaces, as solids, and which is inside.
    let cases = [
        (1.0, 0.5, Some(ContactKind::Touching), Some(ContactKind::Touching), None),
        (0.5, 0.5, Some(ContactKind::Touching), Some(ContactKind::Crossing), None),
        (0.0, 0.5, Some(ContactKind::Duplicate), Some(ContactKind::Duplicate), None),
        (0.0, 0.25, None, Some(ContactKind::Containment), s),
        (0.0, 0.75, None, Some(ContactKind::Containment), c),
        (0.25, 0.25, Some(ContactKind::Touching), Some(ContactKind::Containment), s),
        (1.5, 0.5, None, None, None),
    ];
    let mut met = 0;
    for (x, half, surfaces, solids, inside) in cases {
        let both = || vec![still("a", 0.5, at(0.0, 0.0, 0.0)), still("b", half, at(x, 0.0, 0.0))];
        let found = meetings(Seek::default(), both(), &[]);
        assert_eq!(found.first().map(|meeting| meeting.kind), surfaces, "{x} {half}");
        let found = meetings(SOLID, both(), &[]);
        let (kind, which) = found.first().map_or((None, None), |m| (Some(m.kind), m.inside));
        let inside = inside.filter(|_| solids == Some(ContactKind::Containment));
        assert_eq!((kind, which), (solids, inside), "{x} {half}");
        // What only touches can be left out, and nothing else is.
        let ignoring = meetings(Seek { touching: false, ..SOLID }, both(), &[]);
        let rest = solids.filter(|&kind| kind > ContactKind::Touching);
        assert_eq!(ignoring.first().map(|meeting| meeting.kind), rest, "{x} {half}");
        // Surfaces in line only touch: what they enclose says whether that is all.
        let ignoring = meetings(Seek { touching: false, ..Seek::default() }, both(), &[]);
        let rest = rest.filter(|_| surfaces.is_some());
        assert_eq!(ignoring.first().map(|meeting| meeting.kind), rest, "{x} {half}");
        met += 1;
    }
    assert_eq!(met, 7);
}

#[test]
fn what_is_near_has_a_distance() {
    let gap = |x: f64| vec![still("a", 0.5, at(0.0, 0.0, 0.0)), still("b", 0.5, at(x, 0.75, 0.0))];
    let near = |clearance, x| {
        meetings(Seek { clearance: Some(clearance), ..Seek::default() }, gap(x), &[])
    };
    assert_eq!(near(0.24, 1.25), []);
    let [meeting] = &near(0.25, 1.25)[..] else { panic!("one meeting, at the very distance") };
    assert_eq!((meeting.kind, meeting.distance), (ContactKind::Clearance, Some(0.25)));
    // The parts that are nearest are named.
    assert_eq!((meeting.touching, meeting.crossing, meeting.parts.len()), (0, 0, 1));
    let place = meeting.place.as_deref().unwrap();
    assert_eq!((place.point.x, place.normal, place.regions), (0.625, DVec3::X, Some(0)));
    assert_eq!(near(0.25, 0.9)[0].distance, Some(0.0));
    assert_eq!(near(f64::MAX, 1e300).len(), 1);
    assert_eq!(near(f64::NAN, 1.25), []);
    // Inside, not touching: the distance has a minus sign, and is known as far as the clearance.
    let nested = || vec![still("a", 0.25, at(0.0, 0.0, 0.0)), still("b", 0.5, at(0.0, 0.0, 0.0))];
    let within = |clearance| {
        meetings(Seek { clearance: Some(clearance), ..SOLID }, nested(), &[])[0].distance
    };
    assert_eq!((within(0.25), within(0.2)), (Some(-0.25), None));
}

#[test]
fn objects_of_several_pieces_are_judged_as_a_whole() {
    let pair = |parts: &[(f64, f64)], others: &[(f64, f64)]| {
        let objects = || vec![cubes("a", parts), cubes("b", others)];
        let [surface, solid] = [Seek::default(), SOLID]
            .map(|seek| meetings(seek, objects(), &[]).first().map(|m| (m.kind, m.inside)));
        (surface, solid)
    };
    let (two, wide) = ([(0.0, 0.25), (2.0, 0.25)], [(0.0, 0.5), (2.0, 0.5)]);
    let same = Some((ContactKind::Duplicate, None));
    assert_eq!(pair(&two, &two), (same, same));
    assert_eq!(pair(&two, &[two[1], two[0]]), (same, same), "in another order");
    assert_eq!(pair(&two, &wide), (None, Some((ContactKind::Containment, Some(Inside::First)))));
    assert_eq!(pair(&wide, &two), (None, Some((ContactKind::Containment, Some(Inside::Second)))));
    // One of two is the same, or within: as a whole they are neither.
    let touching = Some((ContactKind::Touching, None));
    let crossing = Some((ContactKind::Crossing, None));
    assert_eq!(pair(&two, &[two[0], (5.0, 0.25)]), (touching, crossing));
    assert_eq!(pair(&two, &[(0.0, 0.5), (5.0, 0.5)]), (None, crossing));
    // All of the first is there in the second: a part of it as a solid, as a surface it lies on it.
    assert_eq!(
        pair(&two[..1], &two),
        (touching, Some((ContactKind::Containment, Some(Inside::First))))
    );
    // Each half in another piece; and one in the other where that one is in the first again.
    assert_eq!(pair(&[(0.0, 0.5), (2.0, 0.25)], &[(0.0, 0.25), (2.0, 0.5)]), (None, crossing));
}

#[test]
fn parts_that_may_touch_may_be_near() {
    let objects =
        || vec![cubes("a", &[(0.0, 0.5), (2.0, 0.5)]), cubes("b", &[(1.1, 0.3), (3.0, 0.25)])];
    let seek = Seek { clearance: Some(0.3), ..Seek::default() };
    let distance = |allowed: &[(&str, &str)]| {
        let found = meetings(seek, objects(), allowed);
        found.first().map(|m| (m.distance.unwrap() * 100.0).round())
    };
    assert_eq!(distance(&[]), Some(10.0));
    assert_eq!(distance(&[("a/joint1", "b/joint0")]), Some(25.0));
    assert_eq!(distance(&[("a/joint1", "b"), ("a", "b/joint0")]), None);
    // Inside what it may touch, nothing is.
    let nested = || vec![still("a", 0.25, at(0.0, 0.0, 0.0)), still("b", 0.5, at(0.0, 0.0, 0.0))];
    assert_eq!(meetings(SOLID, nested(), &[]).len(), 1);
    assert_eq!(meetings(SOLID, nested(), &[("a", "b")]).len(), 0);
}

#[test]
fn open_meshes_are_estimated() {
    let ball = elbowroom_make::icosphere(8);
    let open = Mesh::new(ball.vertices().to_vec(), ball.triangles()[1..].to_vec()).unwrap();
    let model = Arc::new(elbowroom::internal::model::Model::new(open));
    let objects = || {
        let place = at(0.0, 0.0, 0.0);
        let ball = Object::new("ball", Content::Still { model: Arc::clone(&model), place });
        vec![ball, still("cube", 0.1, place)]
    };
    assert_eq!(meetings(Seek::default(), objects(), &[]), []);
    let [meeting] = &meetings(SOLID, objects(), &[])[..] else { panic!("one meeting") };
    assert_eq!((meeting.kind, meeting.inside), (ContactKind::Containment, Some(Inside::Second)));
    assert!(!meeting.certainty.is_exact());
}
