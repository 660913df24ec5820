//! The public front: models at poses, deformable ones before and after refits, worlds, batches,
//! against all pairs of triangles.

use std::ops::ControlFlow;
use std::sync::Arc;

use elbowroom::{
    ContactKind, Mesh, Model, Pose, QueryOptions, Witness, World, contacts_batch, intersects_batch,
};
use elbowroom_tests::common::placement;
use glam::DVec3;

use crate::for_each_pair;
use crate::truth::{Scene, elsewhere, meeting, swapped};

/// The mesh elsewhere, so that every box changes with a refit.
fn deformed(mesh: &Mesh) -> Model {
    let mut model = Model::deformable(elsewhere(mesh));
    assert!(model.is_deformable());
    model.refit(mesh.vertices()).expect("as many vertices");
    model
}

#[test]
fn models_at_poses() {
    let (mut met, mut clear, mut near, mut round) = (0, 0, 0, 0);
    for_each_pair(0xf20a, 1, 40, |kind, pair, _| {
        let scene = Scene::new(pair);
        let truth = meeting(pair, &scene);
        let (here, there) = (placement(&pair.pose_a), placement(&pair.pose_b));
        let rigid = [&scene.a, &scene.b].map(|mesh| Model::new(mesh.clone()));
        let soft = [&scene.a, &scene.b].map(deformed);
        for [first, second] in [[&rigid[0], &rigid[1]], [&soft[0], &rigid[1]], [&soft[0], &soft[1]]]
        {
            let (a, b) = (first.at(here), second.at(there));
            let contacts = a.contacts(b);
            assert_eq!(contacts.pairs, truth, "{kind:?}, {pair:?}");
            assert_eq!(b.contacts(a).pairs, swapped(&truth), "{kind:?}");
            assert_eq!(contacts.is_contact, !truth.is_empty());
            assert_eq!(contacts.kind.is_some_and(ContactKind::is_contact), !truth.is_empty());
            assert_eq!(a.intersects(b), !truth.is_empty(), "{kind:?}");
            assert_eq!(a.contact_count(b), truth.len() as u64, "{kind:?}");
            let one = a.first_contact(b);
            assert!(one.map_or(truth.is_empty(), |pair| truth.contains(&pair)), "{kind:?}");
            let mut visited = Vec::new();
            let flow = a.visit_contacts(b, |pair| {
                visited.push(pair);
                ControlFlow::Continue(())
            });
            visited.sort_unstable();
            assert_eq!((flow, &visited), (ControlFlow::Continue(()), &truth), "{kind:?}");
            let mut witness = Witness::default();
            for _ in 0..2 {
                assert_eq!(a.intersects_again(b, &mut witness), !truth.is_empty());
            }
            let apart = a.distance(b);
            assert_eq!(apart == 0.0, !truth.is_empty(), "{kind:?}");
            assert!(a.is_within(b, apart) && b.closest_points_within(a, apart).is_some());
            assert_eq!(apart, rigid[0].at(here).distance(rigid[1].at(there)));
            let options = QueryOptions::KIND.within(2.0 * apart).regions();
            assert!(a.query(b, &options).is_near, "{kind:?}");
            near += usize::from(apart > 0.0);
        }
        let pairs = [(rigid[0].at(here), rigid[1].at(there)); 3];
        assert_eq!(intersects_batch(&pairs), [!truth.is_empty(); 3]);
        assert_eq!(contacts_batch(&pairs), vec![truth.clone(); 3]);
        met += truth.len();
        clear += usize::from(truth.is_empty());
        round += 1;
    });
    println!("{met} pairs of triangles met, {clear} pairs of soups are clear, {near} distances");
    assert!(met > round && 20 * clear > round && 20 * near > round, "{met} {clear} {near}");
}

/// At the origin deformable models are asked on their axis-aligned boxes.
#[test]
fn deformable_models_at_the_origin() {
    let (mut met, mut clear, mut round) = (0, 0, 0);
    for_each_pair(0xf20b, 1, 40, |kind, pair, _| {
        let pair = elbowroom_testkit::soups::Pair {
            a: pair.a.baked(&pair.pose_a),
            pose_a: elbowroom_testkit::oracle::PlainPose::IDENTITY,
            b: pair.b.baked(&pair.pose_b),
            pose_b: elbowroom_testkit::oracle::PlainPose::IDENTITY,
        };
        let scene = Scene::new(&pair);
        let truth = meeting(&pair, &scene);
        let (rigid, soft) = (Model::new(scene.a.clone()), deformed(&scene.b));
        assert_eq!(soft.contacts(&rigid).pairs, swapped(&truth), "{kind:?}");
        assert_eq!(rigid.contacts(&soft).pairs, truth, "{kind:?}");
        assert_eq!(rigid.intersects(&soft), !truth.is_empty(), "{kind:?}");
        let built = Model::new(scene.b.clone());
        let all = QueryOptions::ALL.solid();
        assert_eq!(rigid.query(&soft, &all).kind, rigid.query(&built, &all).kind, "{kind:?}");
        let neighbours = elbowroom::Neighbours::Decide;
        assert_eq!(soft.self_contacts(neighbours), built.self_contacts(neighbours), "{kind:?}");

        let mut world = World::new();
        let first = world.insert(Model::new(scene.a.clone()), Pose::IDENTITY);
        let shared = Arc::new(Model::deformable(scene.b.clone()));
        let second = world.insert(Arc::clone(&shared), Pose::IDENTITY);
        let far = 4.0 * (scene.a.bounds().max - scene.b.bounds().min).abs().max_element() + 1.0;
        let away: Vec<DVec3> = scene.b.vertices().iter().map(|p| p + far * DVec3::X).collect();
        world.refit(second, &away).expect("as many");
        assert!(world.contacts().is_empty(), "{kind:?}");
        world.refit(second, scene.b.vertices()).expect("as many");
        let lists: Vec<_> =
            world.contacts().iter().map(|c| (c.a, c.b, c.pairs().to_vec())).collect();
        let expected = (!truth.is_empty()).then(|| (first, second, truth.clone()));
        assert_eq!(lists, Vec::from_iter(expected), "{kind:?}");
        assert_eq!(shared.mesh().vertices(), scene.b.vertices(), "the shared model stays");
        met += truth.len();
        clear += usize::from(truth.is_empty());
        round += 1;
    });
    println!("{met} pairs of triangles met, {clear} pairs of soups are clear");
    assert!(met > round && 20 * clear > round, "{met} {clear}");
}
