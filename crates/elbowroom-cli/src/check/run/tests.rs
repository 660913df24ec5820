use std::sync::Arc;

use super::*;
use crate::args::Touching;
use crate::frames::Frames;
use crate::result::cast::Cast;
use elbowroom::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom_motion::scene::{Object, Scene, Timing};
use glam::DVec3;

const NO_LIMITS: Limits = Limits { contacts: usize::MAX, listed: usize::MAX };

/// All contacts, and how many pairs were examined.
#[derive(Debug)]
struct Findings {
    pairs_examined: u64,
    contacts: Vec<Meeting>,
}

fn check_within(limits: Limits, plan: &Plan) -> Result<Findings, Refusal> {
    let mut findings = Findings { pairs_examined: 0, contacts: Vec::new() };
    let stop = crate::stop::Stop::default();
    let how = How { from: 0, threads: None, quiet: true, stop: &stop };
    let ended = super::check_within(limits, plan, &how, &mut |report| {
        findings.pairs_examined += report.found.pairs_examined;
        findings.contacts.extend(report.found.meetings);
        Ok(())
    });
    match ended {
        Ok(Ended::Whole) => Ok(findings),
        Err(Halt::Refused(Outcome::Incomplete, refusal)) => Err(refusal),
        other => panic!("{other:?}"),
    }
}

fn cube() -> Arc<Model> {
    Arc::new(Model::new(elbowroom_make::cuboid(DVec3::ONE)))
}

fn shifted(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).expect("finite")
}

fn plan(objects: impl IntoIterator<Item = (Arc<Model>, Pose)>) -> Plan {
    let objects = objects.into_iter().enumerate().map(|(index, (model, place))| {
        Object::new(format!("object {index}"), Content::Still { model, place })
    });
    let scene = Scene::new(Timing::STILL, objects.collect(), &[]).expect("a scene");
    let cast = Cast {
        entries: Vec::new(),
        moves: false,
        fps: None,
        zero: 0,
        touching: Touching::Count,
        wanted: crate::result::options::Wanted::default(),
        frames: 1,
        range: [0, 0, 1],
        gap: 0,
        up: elbowroom_io::Axis::Y,
        files: Vec::new(),
        unit: crate::measure::Unit::METRES,
        warnings: Vec::new(),
        assumed: Vec::new(),
        allows_left_out: false,
        own: None,
        own_left_out: 0,
        refit: crate::args::Refit::Auto,
        counts: false,
    };
    let (frames, notes) = (Frames::all(0, 0), Vec::new());
    Plan { scene, cast, frames, continuous: false, notes, outside: None }
}

fn model(plan: &Plan, object: usize) -> &Model {
    match &plan.scene.objects()[object].content {
        Content::Still { model, .. } | Content::Moving { model, .. } => model,
        _ => unreachable!("all are rigid"),
    }
}

fn placement(plan: &Plan, object: usize, frame: usize) -> &Pose {
    match &plan.scene.objects()[object].content {
        Content::Still { place, .. } => place,
        Content::Moving { path, .. } => &path[frame.min(path.len() - 1)],
        _ => unreachable!("all are rigid"),
    }
}

fn who(contact: &Meeting) -> (usize, usize, usize) {
    (contact.frame as usize, contact.a.index(), contact.b.index())
}

/// The objects, of which the second moves.
fn moved(plan: Plan, path: Vec<Pose>) -> Plan {
    let frames = Frames::all(0, path.len() as u32 - 1);
    let mut path = Some(path);
    let objects = plan.scene.objects().iter().enumerate().map(|(index, object)| {
        let (Content::Still { model, .. } | Content::Moving { model, .. }) = &object.content else {
            unreachable!("all are rigid")
        };
        let (model, place) = (Arc::clone(model), *placement(&plan, index, 0));
        let content = match path.take_if(|_| index == 1) {
            Some(path) => Content::Moving { model, path },
            None => Content::Still { model, place },
        };
        Object::new(object.name.clone(), content)
    });
    let timing = Timing { last: frames.last, ..Timing::STILL };
    let scene = Scene::new(timing, objects.collect(), &[]).expect("a scene");
    Plan { scene, frames, ..plan }
}

/// Copies in one place: every pair is a contact.
fn copies(n: usize) -> Plan {
    let cube = cube();
    plan((0..n).map(|_| (Arc::clone(&cube), Pose::IDENTITY)))
}

/// A row of cubes and some copies, of which neighbours touch.
fn row(n: u32) -> Plan {
    let (one, other) = (cube(), cube());
    plan((0..n).map(|i| {
        let model = if i % 3 == 0 { &one } else { &other };
        (Arc::clone(model), shifted(f64::from(i * 7 % n / 2), f64::from(i % 2) * 1.5, 0.0))
    }))
}

#[test]
fn contacts_are_those_of_all_pairs_in_order() {
    let mut plan = row(40);
    let mut met = [0, 0];
    for poses in [None, Some((0..5).map(|i| shifted(f64::from(i * 4), 0.5, 0.25)).collect())] {
        let moves = poses.is_some();
        if let Some(path) = poses {
            plan = moved(plan, path);
        }
        let findings = check_within(NO_LIMITS, &plan).expect("no limits");
        let mut expected = Vec::new();
        for frame in 0..plan.frames.len() {
            for (a, b) in (0..40).flat_map(|a| (a + 1..40).map(move |b| (a, b))) {
                let (x, y) = (model(&plan, a), model(&plan, b));
                let (at_x, at_y) = (placement(&plan, a, frame), placement(&plan, b, frame));
                if query::intersects(x, at_x, y, at_y) {
                    let pairs = query::triangle_pairs(x, at_x, y, at_y).len() as u64;
                    expected.push(((frame, a, b), pairs));
                }
            }
        }
        let found: Vec<_> =
            findings.contacts.iter().map(|c| (who(c), c.triangle_pairs())).collect();
        assert_eq!(found, expected);
        assert_eq!(findings.pairs_examined, 780 * plan.frames.len() as u64);
        met[usize::from(moves)] = found.len();
    }
    assert!((100..600).contains(&met[0]) && met[1] > 4 * met[0], "{met:?}");
}

#[test]
fn what_copies_share_is_kept_once() {
    let mut plan = copies(4);
    plan.cast.wanted.triangles = true;
    let findings = check_within(NO_LIMITS, &plan).expect("no limits");
    assert_eq!(findings.contacts.len(), 6);
    let first = &findings.contacts[0].contact;
    assert!(findings.contacts.iter().all(|contact| Arc::ptr_eq(&contact.contact, first)));

    plan = moved(plan, vec![shifted(0.5, 0.25, 0.0), shifted(0.25, 0.5, 0.0)]);
    let findings = check_within(NO_LIMITS, &plan).expect("no limits");
    let found: Vec<_> = findings.contacts.iter().map(who).collect();
    let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let both = (0..2).flat_map(|frame| pairs.map(|(a, b)| (frame, a, b)));
    assert_eq!(found, both.collect::<Vec<_>>());
    let shared = |i: usize, j: usize| {
        Arc::ptr_eq(&findings.contacts[i].contact, &findings.contacts[j].contact)
    };
    // At rest in both frames; copies that the mover meets; what it meets in another frame.
    assert!(shared(1, 7) && shared(1, 5) && shared(3, 4));
    assert!(!shared(0, 6) && !shared(3, 9) && !shared(0, 3));
}

#[test]
fn too_many_contacts_are_refused() {
    let mut plan = copies(5);
    let within = |contacts, plan: &Plan| check_within(Limits { contacts, ..NO_LIMITS }, plan);
    assert_eq!(within(10, &plan).expect("10 contacts").contacts.len(), 10);
    let refusal = within(9, &plan).expect_err("10 contacts");
    assert_eq!(refusal.problems, ["there are more than 9 contacts, too many to keep"]);
    assert!(refusal.hint.contains("fewer objects at once"), "{}", refusal.hint);
    // The second object leaves the others in the second of three frames, and each frame counts by
    // itself.
    plan = moved(plan, [0.0, 9.0, 0.5].map(|x| shifted(x, 0.0, 0.0)).to_vec());
    assert_eq!(within(10, &plan).expect("26 contacts").contacts.len(), 26);
    assert!(within(9, &plan).is_err());
}

#[test]
fn too_many_triangles_are_refused() {
    let mut plan = copies(2);
    let within = |listed, plan: &Plan| check_within(Limits { listed, ..NO_LIMITS }, plan);
    let counted =
        within(0, &plan).expect("nothing is listed").contacts[0].triangle_pairs() as usize;
    assert!(counted > 12 && counted < 144, "{counted}");

    plan.cast.wanted.triangles = true;
    let findings = within(counted, &plan).expect("they fit");
    assert_eq!(findings.contacts[0].triangles.len(), counted);
    let refusal = within(counted - 1, &plan).expect_err("they do not fit");
    let problem = format!(
        "object 0 and object 1 meet in {counted} pairs of triangles, and at most {} can be listed",
        counted - 1
    );
    assert_eq!(refusal.problems, [problem]);
    assert!(refusal.hint.contains("leave out --triangles"), "{}", refusal.hint);

    // Cubes in the same place only touch, so that nothing is left to list.
    plan.cast.touching = Touching::Ignore;
    assert!(within(0, &plan).expect("nothing is listed").contacts.is_empty());

    // Another object that is no copy is a list more, and a frame has room of its own.
    plan.cast.touching = Touching::Count;
    plan = moved(copies(3), vec![Pose::IDENTITY; 2]);
    plan.cast.wanted.triangles = true;
    assert_eq!(within(3 * counted, &plan).expect("they fit").contacts.len(), 6);
    let refusal = within(3 * counted - 1, &plan).expect_err("they do not fit");
    let after = format!("after {} of others", 2 * counted);
    assert!(refusal.problems[0].contains(&after), "{:?}", refusal.problems);
}
