//! Everything is a bound: no kind, level, slab, interval or moving circle says clear where the
//! exact meshes meet.
//!
//! The long run, three million placements: `cargo test --release -p elbowroom-tests --test ground
//! footprint_bounds:: -- --ignored`.

use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::{Mesh, Pose};
use elbowroom_make::body::{female, male};
use elbowroom_motion::body::Poser;
use elbowroom_motion::footprint::{
    Cut, Footprint, FootprintConfig, Look, Nearness, Parts, Work, ask,
};
use elbowroom_papers::bch::{
    Animated, AnimatedConfig, Sliced, Slices, Stand, ask_sliced, ask_standing,
};
use elbowroom_testkit::random::Random;
use glam::{DMat3, DVec2, DVec3};

/// Poses of a clip, this many to a second, upright along z and near the origin.
fn clip(woman: bool, number: usize, count: usize, per_second: f64) -> (Mesh, Vec<Vec<DVec3>>) {
    let rig = if woman { female() } else { male() };
    let clip = &rig.clips[number % rig.clips.len()];
    let (mut poser, mut pose) = (Poser::default(), rig.rest_pose());
    let mut middle = None;
    let poses = (0..count).map(|k| {
        let mut points = Vec::new();
        clip.sample(clip.start() + k as f64 / per_second, &mut pose);
        rig.posed(&pose, 0, &mut poser, &mut points);
        let mean = points.iter().sum::<DVec3>() / points.len() as f64;
        let middle = *middle.get_or_insert(mean);
        points.iter().map(|p| DVec3::new(p.x - middle.x, middle.z - p.z, p.y)).collect()
    });
    let poses: Vec<Vec<DVec3>> = poses.collect();
    (rig.parts[0].mesh.with_vertices(poses[0].clone()).expect("a pose"), poses)
}

fn people() -> Vec<Mesh> {
    let of = |woman, number| {
        let (mesh, poses) = clip(woman, number, 9, 6.0);
        [0, 4, 8].map(|k: usize| mesh.with_vertices(poses[k].clone()).expect("a pose"))
    };
    [of(false, 0), of(true, 1)].concat()
}

fn configs() -> Vec<FootprintConfig> {
    let base = FootprintConfig::default();
    let cut = |parts, cut| FootprintConfig { parts, cut, ..base };
    vec![
        base,
        cut(Parts::Contour, Cut::Center),
        cut(Parts::Contour, Cut::Covariance),
        FootprintConfig { holes: false, ..base },
        FootprintConfig { threshold: 0.05, ..base },
        cut(Parts::Triangles, Cut::Centroid),
        cut(Parts::Triangles, Cut::Covariance),
        cut(Parts::Whole, Cut::Centroid),
    ]
}

fn place(random: &mut Random, reach: f64) -> Planar {
    let at = DVec2::new(random.uniform(-reach, reach), random.uniform(-reach, reach));
    Planar::from_angle(random.uniform(-4.0, 4.0), at).expect("a place")
}

fn placement(at: &Planar, floor: f64) -> Pose {
    let (cos, sin) = at.turn();
    let turn = DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
    Pose::new(turn, at.translation().extend(floor)).expect("a turn about z")
}

/// This many poses of all kinds, each at a level; the exact meshes are asked where footprints say
/// clear.
fn placements(count: u32) {
    let meshes = people();
    let models: Vec<Model> = meshes.iter().map(|mesh| Model::new(mesh.clone())).collect();
    let kinds: Vec<Vec<Footprint>> = configs()
        .iter()
        .map(|config| meshes.iter().map(|mesh| Footprint::of_mesh(mesh, config)).collect())
        .collect();
    let slices = Slices::new(&[0.4, 0.85, 1.35]).expect("heights");
    let sliced: Vec<Sliced> = meshes
        .iter()
        .map(|mesh| Sliced::of_mesh(mesh, &slices, &FootprintConfig::default()))
        .collect();
    let mut random = Random::new(101);
    let mut work = Work::default();
    let (mut clear, mut copies, mut by_slabs, mut by_height) = (0, 0, 0, 0);
    for round in 0..count {
        let i = random.below(6) as usize;
        // Every third time a copy of the same body.
        let j = if round % 3 == 0 { i } else { random.below(6) as usize };
        let (a, b) = (place(&mut random, 0.45), place(&mut random, 0.45));
        let floor = if random.one_in(2) { 0.0 } else { random.uniform(-2.0, 2.0) };
        let level = if random.one_in(2) { None } else { Some(random.below(11) as u32) };
        let look = Look { level, margin: 0.0 };
        let (on_a, on_b) = (Stand { at: a, floor: 0.0 }, Stand { at: b, floor });
        let kind = random.choice(&kinds);
        let whole = ask_standing(&kind[i], &on_a, &kind[j], &on_b, &look, &mut work);
        let slabs = ask_sliced(&sliced[i], &on_a, &sliced[j], &on_b, &look, &mut work);
        let flat = ask(&kind[i], &a, &kind[j], &b, &look, &mut work);
        assert!(flat != Nearness::Clear || whole == Nearness::Clear);
        if whole == Nearness::Clear || slabs == Nearness::Clear {
            let (at_a, at_b) = (placement(&a, 0.0), placement(&b, floor));
            let meet = query::intersects(&models[i], &at_a, &models[j], &at_b);
            assert!(!meet, "{level:?} {whole:?} {slabs:?} at {a:?} and {b:?}, {floor} above");
            clear += 1;
            copies += u32::from(i == j);
            by_slabs += u32::from(whole == Nearness::MayTouch);
            by_height += u32::from(flat == Nearness::MayTouch && whole == Nearness::Clear);
        }
    }
    let share = |met: u32| f64::from(met) / f64::from(count);
    let met = [clear, copies, by_slabs, by_height];
    assert!(share(clear) > 0.2 && share(copies) > 0.05, "{met:?}");
    assert!(share(by_slabs) > 0.02 && share(by_height) > 0.01, "{met:?}");
}

#[test]
fn nobody_who_touches_is_called_clear() {
    placements(100_000);
}

#[test]
#[ignore = "minutes; the command is above"]
fn nobody_who_touches_is_called_clear_in_three_million_placements() {
    placements(3_000_000);
}

#[test]
fn bodies_that_just_touch() {
    // Slid together until the exact meshes meet: the last bit of the shift decides.
    let meshes = people();
    let models: Vec<Model> = meshes.iter().map(|mesh| Model::new(mesh.clone())).collect();
    let kinds: Vec<Vec<Footprint>> = configs()
        .iter()
        .map(|config| meshes.iter().map(|mesh| Footprint::of_mesh(mesh, config)).collect())
        .collect();
    let slices = Slices::new(&[0.1, 0.9]).expect("heights");
    let config = FootprintConfig::default();
    let sliced: Vec<Sliced> =
        meshes.iter().map(|mesh| Sliced::of_mesh(mesh, &slices, &config)).collect();
    let mut random = Random::new(102);
    let mut work = Work::default();
    let mut met = 0;
    for round in 0..150 {
        let i = random.below(6) as usize;
        let j = if round % 2 == 0 { i } else { random.below(6) as usize };
        let (turn, aside) = (random.uniform(-4.0, 4.0), random.uniform(-0.2, 0.2));
        let at = |x: f64| Planar::from_angle(turn, DVec2::new(x, aside)).expect("a place");
        let meet = |x: f64| {
            query::intersects(&models[i], &Pose::IDENTITY, &models[j], &placement(&at(x), 0.0))
        };
        let (mut near, mut far) = (0.0, 3.0);
        if !meet(near) {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (near + far);
            if meet(middle) { near = middle } else { far = middle }
        }
        let (here, there) = (Stand::default(), Stand { at: at(near), floor: 0.0 });
        for level in [Some(0), Some(3), Some(7), None] {
            let look = Look { level, margin: 0.0 };
            for kind in &kinds {
                let said = ask(&kind[i], &here.at, &kind[j], &there.at, &look, &mut work);
                assert_eq!(said, Nearness::MayTouch);
            }
            let said = ask_sliced(&sliced[i], &here, &sliced[j], &there, &look, &mut work);
            assert_eq!(said, Nearness::MayTouch);
        }
        met += 1;
    }
    assert!(met > 100, "{met}");
}

#[test]
fn intervals_bound_what_is_between_their_poses() {
    let mut random = Random::new(103);
    let mut work = Work::default();
    let (mut held, mut touching, mut clear) = (0, 0, 0);
    let (other, _) = clip(true, 2, 1, 10.0);
    let other_model = Model::new(other.clone());
    let here = Footprint::of_mesh(&other, &FootprintConfig::default());
    for (woman, number) in [(false, 0), (true, 1)] {
        let (mesh, poses) = clip(woman, number, 4, 30.0);
        let slices: Vec<&[DVec3]> = poses.iter().map(|pose| &pose[..]).collect();
        for config in [0, 4, 5, 7].map(|k| configs()[k]) {
            let swept = Footprint::of_poses(&slices, mesh.triangles(), &config);
            for _ in 0..30 {
                let (k, share) = (random.below(3) as usize, random.unit());
                let points: Vec<DVec3> =
                    poses[k].iter().zip(&poses[k + 1]).map(|(p, q)| p.lerp(*q, share)).collect();
                let (low, high) = swept.height();
                let tree = swept.tree();
                let leaves = || tree.nodes().filter(|&node| tree.is_leaf(node));
                for p in points.iter().step_by(17) {
                    assert!(low <= p.z + 1e-12 && p.z <= high + 1e-12);
                    let p = p.truncate();
                    let within = swept.contour().is_some_and(|contour| contour.contains(p))
                        || leaves().any(|leaf| {
                            let circle = &swept.column()[leaf];
                            p.distance(circle.center) <= circle.radius
                        });
                    assert!(within, "{p} at {share} after {k}");
                    held += 1;
                }
                let model = Model::new(mesh.with_vertices(points).expect("between two poses"));
                for _ in 0..8 {
                    let at = place(&mut random, 0.7);
                    let meet = query::intersects(
                        &other_model,
                        &Pose::IDENTITY,
                        &model,
                        &placement(&at, 0.0),
                    );
                    let level = if random.one_in(2) { None } else { Some(random.below(9) as u32) };
                    let look = Look { level, margin: 0.0 };
                    let said = ask(&here, &Planar::IDENTITY, &swept, &at, &look, &mut work);
                    assert!(!(meet && said == Nearness::Clear));
                    touching += u32::from(meet);
                    clear += u32::from(said == Nearness::Clear);
                }
            }
        }
    }
    assert!(held > 15_000 && touching > 150 && clear > 150, "{held} {touching} {clear}");
}

#[test]
fn moving_circles_hold_their_triangles_at_all_times() {
    let mut random = Random::new(104);
    let mut held = 0;
    for (woman, number, poses_per_key) in
        [(false, 0, 8), (true, 1, 5), (true, 0, 1), (false, 1, 100)]
    {
        let (mesh, poses) = clip(woman, number, 24, 30.0);
        let slices: Vec<&[DVec3]> = poses.iter().map(|pose| &pose[..]).collect();
        let config = AnimatedConfig { poses_per_key, ..AnimatedConfig::default() };
        let moving = Animated::new(&slices, mesh.triangles(), &config).expect("a clip");
        assert_eq!(moving.keys().last(), Some(&23));
        for round in 0..40 {
            // At every pose, then between them.
            let (k, share) = match round {
                0..23 => (round, 0.0),
                23 => (22, 1.0),
                _ => (random.below(23) as usize, random.unit()),
            };
            let time = k as f64 + share;
            let at = moving.at(time);
            let tree = at.tree();
            let point = |c: u32| poses[k][c as usize].lerp(poses[k + 1][c as usize], share);
            for node in tree.nodes() {
                let circle = &at.column()[node];
                for &triangle in tree.members(node).iter().step_by(3) {
                    for p in mesh.triangles()[triangle as usize].map(point) {
                        let gap = p.truncate().distance(circle.center) - circle.radius;
                        assert!(gap <= 1e-15, "{gap:e} at {time}");
                        assert!(at.height().0 <= p.z + 1e-12 && p.z <= at.height().1 + 1e-12);
                        held += 1;
                    }
                }
            }
        }
    }
    assert!(held > 1_000_000, "{held}");
}
