//! The one entry: whatever is asked, the answers agree with each other, with the arguments swapped,
//! and wherever the two stand.

use elbowroom::internal::model::Model;
use elbowroom::internal::query::query;
use elbowroom::internal::query::{ContactKind, Contacts, Inside, Mode, QueryOptions};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Mesh, Pose};
use elbowroom_testkit::random::Random;
use glam::{DQuat, DVec3};

fn shapes() -> Vec<Model> {
    let open = |mesh: Mesh| {
        let triangles = mesh.triangles()[3..].to_vec();
        Mesh::new(mesh.vertices().to_vec(), triangles).expect("sound")
    };
    let meshes = [
        elbowroom_make::cuboid(DVec3::new(1.0, 0.6, 0.4)),
        elbowroom_make::icosphere(3),
        elbowroom_make::wrinkled_torus(16, 10),
        open(elbowroom_make::icosphere(2)),
        elbowroom_make::cuboid(DVec3::splat(0.2)),
    ];
    meshes.into_iter().map(Model::new).collect()
}

fn turn(random: &mut Random) -> DQuat {
    let axis = DVec3::from_array([(); 3].map(|()| random.uniform(-1.0, 1.0))) + DVec3::Z * 1e-3;
    DQuat::from_axis_angle(axis.normalize(), random.uniform(-3.0, 3.0))
}

fn place(random: &mut Random, reach: f64) -> Pose {
    let at = DVec3::from_array([(); 3].map(|()| random.uniform(-reach, reach)));
    Pose::from_quat(turn(random), at).expect("finite")
}

/// The answer seen the other way round.
fn swapped(reply: &Contacts) -> Contacts {
    let mut swapped = reply.clone();
    swapped.inside = reply.inside.map(|inside| match inside {
        Inside::First => Inside::Second,
        Inside::Second => Inside::First,
        Inside::Each => Inside::Each,
    });
    let through = &mut swapped.through;
    std::mem::swap(&mut through.a_through_b, &mut through.b_through_a);
    swapped
}

#[test]
fn answers_agree_with_each_other() {
    let shapes = shapes();
    let (mut random, mut workspace) = (Random::new(31), Workspace::default());
    let mut kinds = std::collections::BTreeMap::new();
    for round in 0..600_usize {
        let (a, b) = (&shapes[round % 5], &shapes[round / 5 % 5]);
        let here = place(&mut random, 0.1);
        let there = if round % 31 == 0 { here } else { place(&mut random, 1.6) };
        for mode in [Mode::Surface, Mode::Solid] {
            let mut ask =
                |ask: QueryOptions| query(a, &here, b, &there, &ask.mode(mode), &mut workspace);
            let clearance = 0.2;
            let all = ask(QueryOptions::ALL.within(clearance));
            let kind = all.kind.expect("asked for");
            assert_eq!((all.mode, kind.is_contact()), (mode, all.is_contact));
            assert_eq!(all.is_near, kind >= ContactKind::Clearance);
            // Less is asked, and the same is said.
            let whether = ask(QueryOptions::default().within(clearance));
            assert_eq!((whether.is_contact, whether.is_near), (all.is_contact, all.is_near));
            assert_eq!((whether.kind, whether.regions.len(), whether.pairs.len()), (None, 0, 0));
            assert_eq!(ask(QueryOptions::KIND.within(clearance)).kind, all.kind);
            // Distances.
            let distance = all.distance.expect("asked for");
            assert_eq!(distance == 0.0, !all.pairs.is_empty());
            assert_eq!(distance < 0.0, all.pairs.is_empty() && all.inside.is_some());
            for length in [0.0, distance.abs(), distance.abs().next_down(), 0.1, 0.5] {
                let near = ask(QueryOptions::default().within(length)).is_near;
                assert_eq!(near, all.is_contact || (length > 0.0 && distance.abs() <= length));
            }
            // Regions and spots.
            assert_eq!(all.regions.is_empty(), all.pairs.is_empty());
            let counted: u64 =
                all.regions.iter().map(|region| region.touching + region.crossing).sum();
            assert_eq!(counted, all.pairs.len() as u64);
            let spot = all.spot.expect("asked for");
            assert!(spot.point.is_finite() && (spot.normal.length() - 1.0).abs() < 1e-9);
            assert!(!all.through.a_through_b || kind == ContactKind::Crossing);
            *kinds.entry((mode == Mode::Solid, kind, all.certainty.is_exact())).or_insert(0) += 1;

            let other = query(
                b,
                &there,
                a,
                &here,
                &QueryOptions::ALL.mode(mode).within(clearance),
                &mut workspace,
            );
            let expected = swapped(&all);
            assert_eq!((other.kind, other.inside), (expected.kind, expected.inside));
            assert_eq!((other.through, other.distance), (expected.through, expected.distance));
            assert_eq!(other.regions.len(), expected.regions.len());
            if let (Some(x), Some(y)) = (other.regions.first(), all.regions.first()) {
                // A model and itself at one place have no order.
                assert_eq!(x.point, y.point);
                assert!(x.normal == -y.normal || kind == ContactKind::Duplicate);
            }
        }
    }
    println!("{kinds:?}");
    let count = |solid: bool, kind: ContactKind| -> i32 {
        [true, false].iter().filter_map(|exact| kinds.get(&(solid, kind, *exact))).sum()
    };
    for kind in
        [ContactKind::Clear, ContactKind::Clearance, ContactKind::Crossing, ContactKind::Duplicate]
    {
        assert!(count(false, kind) >= 5 && count(true, kind) >= 5, "{kind:?}: {kinds:?}");
    }
    assert!(count(true, ContactKind::Containment) >= 5, "{kinds:?}");
    assert!(kinds.iter().any(|(&(solid, _, exact), _)| solid && !exact));
}

/// Both are moved alike. Poses are rounded, so that distances change a little, and kinds only where
/// that matters.
#[test]
fn where_both_stand_does_not_matter() {
    let shapes = shapes();
    let (mut random, mut workspace) = (Random::new(37), Workspace::default());
    let mut compared = 0;
    for round in 0..300_usize {
        let (a, b) = (&shapes[round % 5], &shapes[round / 5 % 5]);
        let (here, there) = (place(&mut random, 0.1), place(&mut random, 1.6));
        let (rotation, step) = (turn(&mut random), 1e3 * place(&mut random, 1.0).translation());
        let moved = |placement: &Pose| {
            let rotation = glam::DMat3::from_quat(rotation);
            let turn = DQuat::from_mat3(&(rotation * placement.rotation())).normalize();
            Pose::from_quat(turn, rotation * placement.translation() + step).expect("finite")
        };
        for mode in [Mode::Surface, Mode::Solid] {
            let ask = QueryOptions::KIND.mode(mode).distance().within(0.2);
            let first = query(a, &here, b, &there, &ask, &mut workspace);
            let second = query(a, &moved(&here), b, &moved(&there), &ask, &mut workspace);
            let [x, y] = [&first, &second].map(|reply| reply.distance.expect("asked for"));
            assert!((x - y).abs() < 1e-11, "{x} {y}");
            let is_close = |length: f64| (x.abs() - length).abs() < 1e-10;
            if !(is_close(0.2) || (x != 0.0 && is_close(0.0))) {
                assert_eq!((first.kind, first.inside), (second.kind, second.inside));
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "{compared}");
}
