//! Many layered bodies with fronts: what touches is what touches without them, and what every two
//! say by themselves.

use std::sync::Arc;

use elbowroom::internal::broad_phase::Method;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{BodyId, CollisionRequest, Want, World};
use elbowroom::internal::volume::Family;
use elbowroom::{Mesh, Pose};
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::Layers;
use elbowroom_papers::sbbk::{HybridWorld, RefitError, intersects_layered};
use elbowroom_testkit::random::Random;
use glam::{DQuat, DVec3};

fn layerings() -> Vec<Layers> {
    let layerings = [
        Layers::sbbk(18, 1, 4),
        Layers::hbbcd(1, 3),
        Layers::aabb_kdop(14, 3),
        Layers::single(Family::Aabb),
    ];
    layerings.map(|layering| layering.expect("sound")).to_vec()
}

fn ball() -> Mesh {
    elbowroom_make::icosphere(2)
}

fn vector(random: &mut Random, reach: f64) -> DVec3 {
    DVec3::from_array([(); 3].map(|()| random.uniform(-reach, reach)))
}

fn place(random: &mut Random, reach: f64) -> Pose {
    let axis = (vector(random, 1.0) + DVec3::X * 1e-3).normalize();
    let turn = DQuat::from_axis_angle(axis, random.uniform(-3.0, 3.0));
    Pose::from_quat(turn, vector(random, reach)).expect("finite")
}

/// The ball, dented.
fn dented(random: &mut Random) -> Vec<DVec3> {
    let dent = vector(random, 1.0);
    ball()
        .vertices()
        .iter()
        .map(|&p| p * (0.6 + 0.4 * (p - dent).length_squared().min(1.5)))
        .collect()
}

/// Two worlds with the same bodies, one with fronts and one without.
struct Twins {
    fronts: HybridWorld,
    roots: HybridWorld,
    bodies: Vec<BodyId>,
}

impl Twins {
    fn add(&mut self, model: &Arc<HybridTree>, placement: Pose) {
        let ids = [&mut self.fronts, &mut self.roots]
            .map(|world| world.add(Arc::clone(model), placement));
        assert_eq!(ids[0], ids[1]);
        self.bodies.push(ids[0]);
    }

    fn each(&mut self, mut change: impl FnMut(&mut HybridWorld)) {
        change(&mut self.fronts);
        change(&mut self.roots);
    }
}

/// One body moves, deforms, goes, comes or becomes another.
fn change(twins: &mut Twins, models: &[Arc<HybridTree>], random: &mut Random) {
    let at = random.below(twins.bodies.len() as u64) as usize;
    let id = twins.bodies[at];
    match random.below(12) {
        0 => {
            twins.bodies.swap_remove(at);
            twins.each(|world| world.remove(id).expect("it is there"));
            twins.add(random.choice(models), place(random, 4.0));
        }
        1 => {
            let model = Arc::clone(random.choice(models));
            twins.each(|world| world.set_model(id, Arc::clone(&model)).expect("it is there"));
        }
        2..4 => {
            let vertices = dented(random);
            twins.each(|world| world.refit(id, &vertices).expect("as many as before"));
        }
        4 => {
            let jump = place(random, 4.0);
            twins.each(|world| world.set_pose(id, jump).expect("it is there"));
        }
        _ => {
            let before = *twins.fronts.pose(id).expect("it is there");
            let near = before.translation() + vector(random, 0.1);
            let moved = Pose::new(before.rotation(), near).expect("finite");
            twins.each(|world| world.set_pose(id, moved).expect("it is there"));
        }
    }
}

#[test]
fn worlds_with_fronts_say_what_worlds_without_say() {
    let layerings = layerings();
    let models: Vec<Arc<HybridTree>> = layerings
        .iter()
        .map(|layering| Arc::new(HybridTree::new(ball(), layering, &Config::default())))
        .collect();
    let mut random = Random::new(71);
    let mut twins = Twins {
        fronts: HybridWorld::with_fronts(),
        roots: HybridWorld::new().with_method(Method::Sweep),
        bodies: Vec::new(),
    };
    for body in 0..40 {
        twins.add(&models[body % models.len()], place(&mut random, 4.0));
    }
    let (mut touching, mut unasked, mut visits, mut checked) = (0, 0, [0_u64; 2], 0);
    for step in 0..200 {
        for _ in 0..6 {
            change(&mut twins, &models, &mut random);
        }
        let wanted = [Want::Any, Want::Count, Want::All][step / 7 % 3];
        let question = CollisionRequest { want: wanted, ..CollisionRequest::default() };
        let found = [&mut twins.fronts, &mut twins.roots].map(|world| world.step(&question));
        let of = |step: &elbowroom::internal::query::Step| -> Vec<_> {
            let told = step.touching.iter();
            told.map(|pair| (pair.a, pair.b, pair.answer.verdict, pair.answer.pairs.clone()))
                .collect()
        };
        assert_eq!(of(found[0]), of(found[1]), "step {step}");
        assert_eq!((found[0].examined, found[0].asked), (found[1].examined, found[1].asked));
        let pairs: Vec<_> = found[0].touching.iter().map(|pair| (pair.a, pair.b)).collect();
        assert!(pairs.is_sorted());
        touching += pairs.len();
        unasked += found[0].examined - found[0].asked;
        for (sum, step) in visits.iter_mut().zip(found) {
            *sum += step.tally.volumes();
        }
        if step % 50 == 0 {
            checked += every_two(&twins, &pairs);
        }
    }
    assert!(touching > 2_000 && unasked > 2_000, "{touching} touch, {unasked} unasked");
    assert!(checked == 4 * 40 * 39 / 2, "{checked}");
    let (count, size) = twins.fronts.fronts();
    assert!(count > 20 && size > 500, "{count} fronts of {size} pairs");
    assert_eq!(twins.roots.fronts(), (0, 0));
    println!("{touching} touched; visits with fronts and without: {visits:?}");
}

/// Asks about every two bodies by themselves; says how many that were.
fn every_two(twins: &Twins, pairs: &[(BodyId, BodyId)]) -> usize {
    let mut bodies = twins.bodies.clone();
    bodies.sort_unstable();
    let mut count = 0;
    for (place, &a) in bodies.iter().enumerate() {
        for &b in &bodies[place + 1..] {
            let world = &twins.fronts;
            let [x, y] =
                [a, b].map(|id| (world.model(id).expect("there"), world.pose(id).expect("there")));
            assert_eq!(intersects_layered(x.0, x.1, y.0, y.1), pairs.contains(&(a, b)));
            count += 1;
        }
    }
    count
}

#[test]
fn still_worlds_ask_nothing_and_errors_say_what_is_wrong() {
    let model = Arc::new(HybridTree::new(ball(), &layerings()[0], &Config::default()));
    let mut world = HybridWorld::with_fronts();
    let first = world.add(Arc::clone(&model), Pose::IDENTITY);
    let near = Pose::from_translation(DVec3::X * 1.5).expect("finite");
    let second = world.add(Arc::clone(&model), near);
    let question = CollisionRequest::default();
    let step = world.step(&question);
    assert_eq!((step.touching.len(), step.asked), (1, 1));
    let count = step.touching[0].answer.count();
    let step = world.step(&question);
    assert_eq!((step.touching.len(), step.asked, step.examined), (1, 0, 1));
    assert_eq!(step.touching[0].answer.count(), count);

    let few = world.refit(first, &[DVec3::ZERO]).expect_err("too few");
    assert!(matches!(few, RefitError::Vertices(_)) && few.to_string().contains("vert"), "{few}");
    let mut bad = ball().vertices().to_vec();
    bad[3].y = f64::NAN;
    assert!(matches!(world.refit(first, &bad), Err(RefitError::Vertices(_))));
    assert_eq!(world.step(&question).asked, 0, "nothing has changed");

    // The others keep the model as it was.
    let far: Vec<DVec3> = ball().vertices().iter().map(|&p| p - 9.0 * DVec3::X).collect();
    world.refit(first, &far).expect("sound");
    assert!(world.step(&question).touching.is_empty());
    assert_eq!(model.mesh().vertices(), ball().vertices());
    world.remove(second).expect("it is there");
    assert!(matches!(world.refit(second, &far), Err(RefitError::Body(_))));
    assert!(world.remove(second).is_err() && world.len() == 1);
}

/// Numbers at the ends of f64 neither panic nor hide a contact.
#[test]
fn huge_and_tiny_bodies() {
    let mut contacts = 0;
    for size in [1e-300, 1e-20, 1e20, 1e150, 5e307] {
        let corners = vec![DVec3::ZERO, DVec3::X * size, DVec3::Y * size];
        let mesh = Mesh::new(corners, vec![[0, 1, 2]]).expect("finite");
        for layering in layerings() {
            let model = Arc::new(HybridTree::new(mesh.clone(), &layering, &Config::default()));
            let mut world = HybridWorld::with_fronts();
            for at in [0.0, 0.25, 0.5] {
                let shift = Pose::from_translation(DVec3::X * (at * size)).expect("finite");
                world.add(Arc::clone(&model), shift);
            }
            for _ in 0..3 {
                contacts += world.step(&CollisionRequest::default()).touching.len();
            }
        }
    }
    assert_eq!(contacts, 5 * 4 * 3 * 3);
}

/// Rigid bodies have boxes as tight as those of a world of packed models, however they are turned.
#[test]
fn turned_bodies_have_tight_boxes() {
    // A cross of rods, whose turned box is far too large for it.
    let rod = |half: DVec3| elbowroom_make::cuboid(half);
    let cross = elbowroom_make::join(&[
        rod(DVec3::new(1.0, 0.1, 0.1)),
        rod(DVec3::new(0.1, 1.0, 0.1)),
        rod(DVec3::new(0.1, 0.1, 1.0)),
    ]);
    let layering = Layers::sbbk(18, 1, 4).expect("sound");
    let layered = Arc::new(HybridTree::new(cross.clone(), &layering, &Config::default()));
    let packed = Arc::new(Model::new(cross.clone()));
    let (mut soft, mut hard, mut random) = (HybridWorld::new(), World::new(), Random::new(3));
    let mut ids = Vec::new();
    for _ in 0..300 {
        let place = place(&mut random, 5.0);
        ids.push(soft.add(Arc::clone(&layered), place));
        hard.add(Arc::clone(&packed), place);
    }
    let question = CollisionRequest { want: Want::Any, ..CollisionRequest::default() };
    let pairs = |step: &elbowroom::internal::query::Step| -> Vec<_> {
        step.touching.iter().map(|pair| (pair.a, pair.b)).collect()
    };
    let (by_soft, by_hard) = (soft.step(&question).clone(), hard.step(&question).clone());
    assert_eq!(by_soft.examined, by_hard.examined);
    assert_eq!(pairs(&by_soft), pairs(&by_hard));
    // Refitted to where they are, they have the boxes of their boxes, and touch as before.
    for &id in &ids {
        soft.refit(id, cross.vertices()).expect("as many as before");
    }
    let loose = soft.step(&question).clone();
    assert_eq!(pairs(&loose), pairs(&by_hard));
    assert!(4 * loose.examined > 5 * by_hard.examined, "{} {}", loose.examined, by_hard.examined);
    assert!(by_hard.touching.len() > 100, "{}", by_hard.touching.len());
}

/// A refit that is refused leaves the body with its model; a model that comes later has a box of
/// its own.
#[test]
fn a_refused_refit_leaves_no_box_behind() {
    let layering = Layers::single(Family::Aabb).expect("sound");
    let model = |scale: f64| {
        let vertices = ball().vertices().iter().map(|&p| p * scale).collect();
        let mesh = Mesh::new(vertices, ball().triangles().to_vec()).expect("finite");
        Arc::new(HybridTree::new(mesh, &layering, &Config::default()))
    };
    let mut world = HybridWorld::new();
    let small = model(0.1);
    let first = world.add(Arc::clone(&small), Pose::IDENTITY);
    assert!(world.refit(first, &[]).is_err());
    assert!(Arc::ptr_eq(world.model(first).expect("it is there"), &small));
    drop(small);
    for _ in 0..20 {
        let there = Pose::from_translation(DVec3::X * 1.5).expect("finite");
        let large = world.add(model(2.0), there);
        let examined = world.step(&CollisionRequest::default()).examined;
        assert_eq!(examined, 1, "the box of the large one reaches the small one");
        world.remove(large).expect("it is there");
    }
}
