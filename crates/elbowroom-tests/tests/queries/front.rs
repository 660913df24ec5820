//! What the front promises beyond the answers: poses that compose, refusals, worlds, rays.

use elbowroom::{CcdOptions, Mesh, Model, Pose, Ray, RefitErrorKind, RigidMotion, World};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DMat4, DQuat, DVec3};

fn pose(random: &mut Random, size: f64) -> Pose {
    let mut part = || random.uniform(-1.0, 1.0);
    let turn = DQuat::from_xyzw(part(), part(), part(), part() + 1e-3);
    Pose::from_quat(turn, DVec3::new(part(), part(), part()) * size).expect("finite")
}

#[test]
fn poses_compose_and_invert() {
    let mut random = Random::new(71);
    for _ in 0..1000 {
        let (a, b, point) =
            (pose(&mut random, 9.0), pose(&mut random, 9.0), DVec3::new(1.0, 2.0, 3.0));
        assert!((a * b).apply(point).abs_diff_eq(a.apply(b.apply(point)), 1e-13));
        assert!(a.inverse().apply(a.apply(point)).abs_diff_eq(point, 1e-13));
        assert!((a * a.inverse()).translation().length() < 1e-13);
        assert_eq!(Pose::try_from(DMat4::from(a)), Ok(a));
        assert_eq!(Pose::try_from(DAffine3::from(a)), Ok(a));
    }
    // A long chain of products stays a rotation.
    let mut chain = Pose::IDENTITY;
    let step = pose(&mut random, 0.1);
    for _ in 0..100_000 {
        chain = chain * step;
    }
    assert!(chain.deviation() < 1e-9 && chain.translation().is_finite());
    // The matrix of the limit of what is let in composes, too.
    let worst = Pose::new(glam::DMat3::IDENTITY * (1.0 + 5e-10), DVec3::ZERO).expect("within");
    assert!((worst * worst * worst).deviation() < 1e-9);
    let far = Pose::from_translation(DVec3::splat(f64::MAX)).expect("finite");
    assert!((far * far).translation().is_finite());
    assert!(Pose::try_from(DMat4::from_scale(DVec3::splat(2.0))).is_err());
}

#[test]
fn models_refuse_what_does_not_fit() {
    let mesh = elbowroom_make::icosphere(2);
    let mut rigid = Model::new(mesh.clone());
    assert_eq!(rigid.refit(mesh.vertices()).unwrap_err().kind(), &RefitErrorKind::Rigid);
    let mut soft = Model::deformable(mesh.clone());
    let mut bad = mesh.vertices().to_vec();
    bad[3].y = f64::NAN;
    let error = soft.refit(&bad).unwrap_err().to_string();
    assert!(error.contains("y of vertex 3"), "{error}");
    let error = soft.refit(&bad[1..]).unwrap_err().to_string();
    assert!(error.contains("vertices were given"), "{error}");
    // Nothing has changed.
    assert_eq!(soft.mesh(), &mesh);
    let mut world = World::new();
    let stiff = world.insert(rigid.clone(), Pose::IDENTITY);
    let error = world.refit(stiff, mesh.vertices()).unwrap_err().to_string();
    assert!(error.contains("Model::deformable"), "{error}");
    world.remove(stiff).expect("it is there");
    assert!(world.refit(stiff, mesh.vertices()).is_err());
    assert!(soft.intersects(&rigid));
    let bytes = rigid.tree_to_bytes().expect("small");
    assert!(Model::with_tree_bytes(elbowroom_make::icosphere(3), &bytes).is_err());
}

#[test]
fn a_world_finds_what_every_pair_says() {
    let mut random = Random::new(72);
    let models =
        [3, 4].map(|n| std::sync::Arc::new(Model::new(elbowroom_make::bumpy_sphere(n, 0.3, 5))));
    let mut world = World::new();
    let bodies: Vec<_> = (0..60)
        .map(|i| world.insert(std::sync::Arc::clone(&models[i % 2]), pose(&mut random, 4.0)))
        .collect();
    let (mut met, mut hits, mut near) = (0, 0, 0);
    for _ in 0..4 {
        for &body in bodies.iter().step_by(7) {
            world.set_pose(body, pose(&mut random, 4.0)).expect("there");
        }
        let all = |world: &World, is: &dyn Fn(elbowroom::Posed, elbowroom::Posed) -> bool| {
            let mut found = Vec::new();
            for (i, &a) in bodies.iter().enumerate() {
                for &b in &bodies[i + 1..] {
                    if is(world.posed(a).expect("there"), world.posed(b).expect("there")) {
                        found.push((a, b));
                    }
                }
            }
            found
        };
        let meeting = all(&world, &|a, b| a.intersects(b));
        assert_eq!(world.intersecting_pairs(), meeting);
        let listed: Vec<_> = world.contacts().iter().map(|pair| (pair.a, pair.b)).collect();
        assert_eq!(listed, meeting);
        let within = all(&world, &|a, b| a.is_within(b, 0.5));
        assert_eq!(world.pairs_within(0.5), within);
        assert!(world.pairs_within(f64::NAN).is_empty());
        for _ in 0..20 {
            let [from, to] = [(); 2].map(|()| pose(&mut random, 8.0).translation());
            let ray = Ray::new(from, to).expect("finite");
            let firsts = bodies.iter().filter_map(|&body| {
                let hit = world.posed(body).expect("there").ray_cast(&ray)?;
                Some((body, hit))
            });
            let best =
                firsts.min_by(|(a, x), (b, y)| x.fraction.total_cmp(&y.fraction).then(a.cmp(b)));
            assert_eq!(world.ray_cast(&ray).map(|first| (first.body, first.hit)), best);
            hits += usize::from(best.is_some());
        }
        met += meeting.len();
        near += within.len() - meeting.len();
    }
    assert!(met > 20 && hits > 20 && near > 20, "{met} {hits} {near}");
}

#[test]
fn bounds_hold_what_is_placed() {
    let mut random = Random::new(73);
    let model = Model::new(elbowroom_make::torus(2.0, 0.5, 24, 12));
    for _ in 0..200 {
        let at = pose(&mut random, 9.0);
        let bounds = model.at(at).bounds();
        for &vertex in model.mesh().vertices() {
            let placed = at.apply(vertex);
            assert!(placed.cmpge(bounds.min).all() && placed.cmple(bounds.max).all());
        }
    }
}

#[test]
fn motions_between_poses_arrive() {
    let mut random = Random::new(74);
    let (ball, wall) = (
        Model::new(elbowroom_make::icosphere(2)),
        Model::new(elbowroom_make::cuboid(DVec3::new(0.01, 5.0, 5.0))),
    );
    let mut hits = 0;
    for _ in 0..100 {
        let (from, to) = (pose(&mut random, 5.0), pose(&mut random, 5.0));
        let motion = RigidMotion::between(&from, &to);
        for point in [DVec3::ZERO, DVec3::X, DVec3::ONE] {
            assert!(motion.apply(point, 0.0).abs_diff_eq(from.apply(point), 1e-12));
            assert!(motion.apply(point, 1.0).abs_diff_eq(to.apply(point), 1e-12));
        }
        let impact = ball.moving(motion).time_of_impact(&wall, &CcdOptions::default());
        if ball.at(from).intersects(&wall) {
            assert_eq!(impact.map(|impact| impact.time), Some(0.0));
        } else if let Some(impact) = impact {
            hits += 1;
            // A step of a thousandth before it nothing meets.
            let before = (impact.time - 1e-3).max(0.0);
            let place = |t: f64| motion.apply(DVec3::ZERO, t);
            assert!(place(before).x.abs() > 0.9, "{}", place(before));
        } else {
            assert!(!ball.at(to).intersects(&wall));
        }
    }
    assert!(hits > 10, "{hits}");
}

#[test]
fn f32_coordinates_are_widened_exactly() {
    let points = [[0.1_f32, 0.2, 0.3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mesh = Mesh::from_f32(&points, vec![[0, 1, 2]]).expect("sound");
    assert_eq!(mesh.vertices()[0].to_array(), points[0].map(f64::from));
    assert!(Mesh::from_f32(&[[f32::NAN; 3]], vec![[0, 0, 0]]).is_err());
}
