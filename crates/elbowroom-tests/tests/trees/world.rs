//! Many bodies: the swarm with its known answers, a hundred thousand small ones, and worlds in
//! which bodies come, go and move, against asking about every two.

use std::sync::Arc;

use elbowroom::internal::broad_phase::Method;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{BodyId, CollisionRequest, Verdict, Want, World, intersects};
use elbowroom::internal::volume::Aabb;
use elbowroom::{Mesh, Pose};
use elbowroom_testkit::data;
use elbowroom_testkit::random::Random;
use elbowroom_tests::common::{mesh, placement};
use glam::{DQuat, DVec3};

const WHETHER: CollisionRequest = CollisionRequest {
    want: Want::Any,
    path: elbowroom::internal::traverse::Path {
        rule: elbowroom::internal::traverse::Rule::Larger,
        level: None,
    },
    margin: 0.0,
};

fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.unit(), random.unit(), random.unit())
}

fn turned(random: &mut Random, shift: DVec3) -> Pose {
    let v = vector(random) - 0.5;
    let turn = DQuat::from_xyzw(v.x, v.y, v.z, random.unit() - 0.5);
    Pose::from_quat(turn, shift).expect("a rotation")
}

fn tetrahedron(size: f64) -> Arc<Model> {
    let corners = vec![DVec3::ZERO, size * DVec3::X, size * DVec3::Y, size * DVec3::Z];
    let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    Arc::new(Model::new(Mesh::new(corners, triangles).expect("sound")))
}

/// The touching pairs, by number.
fn touching(world: &mut World, question: &CollisionRequest) -> Vec<(usize, usize)> {
    let step = world.step(question);
    step.touching.iter().map(|pair| (pair.a.number(), pair.b.number())).collect()
}

#[test]
fn swarm_of_suzannes() {
    let Some(shared) = data::shared_dir() else {
        data::skip_note("swarm_of_suzannes");
        return;
    };
    let swarm = data::swarm::load(&shared);
    let expected: Vec<(usize, usize)> =
        swarm.colliding.iter().map(|&(i, j, _)| (i as usize, j as usize)).collect();
    let suzanne = Arc::new(Model::new(mesh(&swarm.mesh)));
    for method in [Method::Auto, Method::Tree, Method::Sweep, Method::Grid] {
        let mut world = World::with_method(method);
        let ids: Vec<BodyId> = swarm
            .poses
            .iter()
            .map(|pose| world.add(Arc::clone(&suzanne), placement(pose)))
            .collect();
        assert_eq!(touching(&mut world, &WHETHER), expected);
        let step = world.last_step().clone();
        // 1,884 pairs have smallest boxes that overlap; ours are a little larger.
        assert!((1884..2200).contains(&step.examined), "{}", step.examined);
        assert_eq!(step.asked, step.examined);
        // Nothing moves: nothing is asked.
        assert_eq!(touching(&mut world, &WHETHER), expected);
        assert_eq!((world.last_step().examined, world.last_step().asked), (step.examined, 0));
        // One goes far away and comes back.
        let far = Pose::from_translation(DVec3::splat(1e6)).expect("finite");
        let (one, _) = expected[0];
        world.set_pose(ids[one], far).expect("it is there");
        let without: Vec<_> =
            expected.iter().copied().filter(|&(a, b)| a != one && b != one).collect();
        assert_eq!(touching(&mut world, &WHETHER), without);
        assert_eq!(world.last_step().asked, 0);
        world.set_pose(ids[one], placement(&swarm.poses[one])).expect("it is there");
        assert_eq!(touching(&mut world, &WHETHER), expected);
        assert!((1..60).contains(&world.last_step().asked), "{}", world.last_step().asked);
    }
    // The number of triangle pairs follows from poses that are rounded only once; it is close to
    // the published one, which is of vertices that are.
    let mut world = World::new();
    for pose in &swarm.poses {
        world.add(Arc::clone(&suzanne), placement(pose));
    }
    let count = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
    let found: u64 = world.step(&count).touching.iter().map(|pair| pair.answer.count()).sum();
    let published: usize = swarm.colliding.iter().map(|&(_, _, count)| count).sum();
    assert!(found.abs_diff(published as u64) <= 5, "{found} {published}");
}

/// The counts by two structures, and in the second step with a few that moved.
#[test]
fn a_hundred_thousand_bodies() {
    let model = tetrahedron(1.0);
    let mut results = Vec::new();
    for method in [Method::Auto, Method::Tree] {
        let mut random = Random::new(1);
        let mut world = World::with_method(method);
        let side = 100_000_f64.cbrt() * 1.1;
        let ids: Vec<BodyId> = (0..100_000)
            .map(|_| {
                let place = side * vector(&mut random);
                world.add(Arc::clone(&model), turned(&mut random, place))
            })
            .collect();
        let first = world.step(&WHETHER).clone();
        for id in ids.iter().step_by(1000) {
            let place = side * vector(&mut random);
            world.set_pose(*id, turned(&mut random, place)).expect("there");
        }
        let second = world.step(&WHETHER).clone();
        assert!(second.asked < 1000, "{}", second.asked);
        assert_eq!(world.broad().last_method(), Method::Tree);
        results.push((first, second));
    }
    assert_eq!(results[0], results[1]);
    let (first, second) = &results[0];
    assert_eq!((first.examined, first.touching.len()), (389_258, 108_771));
    assert_eq!((second.examined, second.touching.len()), (389_266, 108_777));
}

/// A small world beside a list of its bodies.
struct Twin {
    world: World,
    bodies: Vec<(BodyId, Arc<Model>, Pose)>,
}

impl Twin {
    fn expected(&self) -> Vec<(BodyId, BodyId)> {
        let mut pairs = Vec::new();
        for (i, (a, model, place)) in self.bodies.iter().enumerate() {
            for (b, other, there) in &self.bodies[i + 1..] {
                if intersects(model, place, other, there) {
                    pairs.push((*a.min(b), *a.max(b)));
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }
}

#[test]
fn bodies_come_and_go_and_move() {
    let models =
        [tetrahedron(1.0), tetrahedron(3.0), Arc::new(Model::new(elbowroom_make::icosphere(2)))];
    let mut random = Random::new(4);
    let mut gone = Vec::new();
    let mut twin = Twin { world: World::new(), bodies: Vec::new() };
    let (mut met, mut kept, mut asked) = (0, 0, 0);
    for _ in 0..150 {
        for _ in 0..*random.choice(&[0, 1, 1, 3, 20]) {
            let place = 7.0 * vector(&mut random);
            let place = turned(&mut random, place);
            let which = random.below(twin.bodies.len() as u64 + 1) as usize;
            match random.below(5) {
                0 if !twin.bodies.is_empty() => {
                    let (id, ..) = twin.bodies.swap_remove(which % twin.bodies.len());
                    twin.world.remove(id).expect("there");
                    gone.push(id);
                }
                1 | 2 if which < twin.bodies.len() => {
                    twin.bodies[which].2 = place;
                    twin.world.set_pose(twin.bodies[which].0, place).expect("there");
                }
                _ => {
                    let model = random.choice(&models);
                    let id = twin.world.add(Arc::clone(model), place);
                    twin.bodies.push((id, Arc::clone(model), place));
                }
            }
        }
        let expected = twin.expected();
        let step = twin.world.step(&WHETHER).clone();
        let found: Vec<_> = step.touching.iter().map(|pair| (pair.a, pair.b)).collect();
        assert_eq!(found, expected);
        assert!(step.touching.iter().all(|pair| pair.answer.verdict == Verdict::Contact));
        let pairs: Vec<_> = twin.world.pairs().collect();
        assert_eq!(pairs.len() as u64, step.examined);
        assert!(expected.iter().all(|pair| pairs.contains(pair)));
        assert_eq!(twin.world.len(), twin.bodies.len());
        met += found.len();
        kept += step.examined - step.asked;
        asked += step.asked;
        for &id in &gone {
            assert!(twin.world.pose(id).is_err() && twin.world.model(id).is_err());
            assert!(twin.world.bounds(id).is_err() && twin.world.remove(id).is_err());
            let error = twin.world.set_pose(id, Pose::IDENTITY).unwrap_err();
            assert_eq!(error.id(), id);
        }
    }
    println!("{met} contacts, {asked} asked, {kept} kept, {} gone", gone.len());
    assert!(met > 5_000 && asked > 5_000 && kept > 5_000 && gone.len() > 50);
    // Numbers were used again, and names were not.
    assert!(gone.iter().any(|old| twin.bodies.iter().any(|(id, ..)| id.number() == old.number())));
    let error = twin.world.remove(gone[0]).unwrap_err().to_string();
    assert!(error.contains("1st") && error.contains("removed"), "{error}");
}

/// Bodies under their numbers: neither the order of insertion nor earlier steps change them.
#[test]
fn history_does_not_show() {
    let model = Arc::new(Model::new(elbowroom_make::icosphere(1)));
    let mut random = Random::new(8);
    let places: Vec<Pose> = (0..200)
        .map(|_| {
            let place = 12.0 * vector(&mut random);
            turned(&mut random, place)
        })
        .collect();
    let all = CollisionRequest::default();
    let mut plain = World::new();
    for place in &places {
        plain.add(Arc::clone(&model), *place);
    }
    let expected = plain.step(&all).clone();
    assert!(expected.touching.len() > 100, "{}", expected.touching.len());
    for method in [Method::Tree, Method::Sweep, Method::Grid] {
        // Elsewhere first, then moved in another order, with steps of other questions in between.
        let mut world = World::with_method(method);
        let along = |i: u32| Pose::from_translation(DVec3::X * f64::from(i)).expect("finite");
        let ids: Vec<BodyId> = (0..200).map(|i| world.add(Arc::clone(&model), along(i))).collect();
        world.step(&WHETHER);
        let mut order: Vec<usize> = (0..200).collect();
        random.shuffle(&mut order);
        for (done, &i) in order.iter().enumerate() {
            world.set_pose(ids[i], places[i]).expect("there");
            if done % 50 == 0 {
                world.step(if done % 100 == 0 { &all } else { &WHETHER });
            }
        }
        let found = world.step(&all);
        assert_eq!(found.touching, expected.touching);
        assert_eq!(found.examined, expected.examined);
    }
}

#[test]
fn only_what_is_allowed() {
    let model = tetrahedron(2.0);
    let mut random = Random::new(5);
    let mut world = World::new();
    for _ in 0..100 {
        let place = 6.0 * vector(&mut random);
        world.add(Arc::clone(&model), turned(&mut random, place));
    }
    let all = touching(&mut world, &WHETHER);
    let is_odd = |a: BodyId, b: BodyId| (a.number() + b.number()) % 2 == 1;
    let odd: Vec<_> = all.iter().copied().filter(|(a, b)| (a + b) % 2 == 1).collect();
    assert!(odd.len() > 50 && all.len() > odd.len() + 50, "{} {}", odd.len(), all.len());
    for _ in 0..2 {
        let step = world.step_where(&WHETHER, is_odd);
        let found: Vec<_> = step.touching.iter().map(|p| (p.a.number(), p.b.number())).collect();
        assert_eq!(found, odd);
        assert_eq!(step.asked, 0);
        // What was not allowed is not known, and asked about when it is allowed again.
        assert_eq!(touching(&mut world, &WHETHER), all);
        assert!(world.last_step().asked > 50);
    }
}

#[test]
fn near_and_bounds() {
    let model = tetrahedron(1.0);
    let mut world = World::new();
    assert!(world.is_empty() && world.step(&WHETHER).touching.is_empty());
    let at = |x: f64| Pose::from_translation(DVec3::new(x, 0.0, 0.0)).expect("finite");
    let ids: Vec<BodyId> =
        (0..20).map(|i| world.add(Arc::clone(&model), at(f64::from(i) * 1.5))).collect();
    assert_eq!(world.bodies().collect::<Vec<_>>(), ids);
    let bounds = world.bounds(ids[3]).expect("there");
    assert!((bounds.min.x - 4.5).abs() < 1e-12 && (bounds.max.x - 5.5).abs() < 1e-12);
    let window = Aabb { min: DVec3::new(4.4, 0.1, 0.1), max: DVec3::new(7.6, 0.2, 0.2) };
    assert_eq!(world.near(&window), ids[3..6]);
    assert_eq!(world.pairs().next(), None);
    world.remove(ids[4]).expect("there");
    assert_eq!(world.near(&window), [ids[3], ids[5]]);
    // Beyond all numbers, bodies may be anywhere: they are examined, and found apart or not.
    let far = Pose::from_translation(DVec3::splat(f64::MAX)).expect("finite");
    let huge = Arc::new(Model::new(
        Mesh::new(vec![DVec3::ZERO, DVec3::X * f64::MAX, DVec3::Y * f64::MAX], vec![[0, 1, 2]])
            .expect("sound"),
    ));
    let (a, b) = (world.add(Arc::clone(&huge), far), world.add(huge, far));
    let step = world.step(&WHETHER);
    assert!(step.touching.iter().any(|pair| pair.a == a.min(b) && pair.b == a.max(b)));
}
