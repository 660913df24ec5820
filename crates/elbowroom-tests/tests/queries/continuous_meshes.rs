//! When moving meshes first meet: every pair of triangles, published steps of simulations, and
//! motions with known times.

use std::collections::HashSet;
use std::f64::consts::PI;

use elbowroom::internal::exact::{
    Approach, Moving, edge_meets_edge, triangles_meet, vertex_meets_face,
};
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{
    CcdOptions, Feature, Neighbours, RigidMotion, RigidMotionErrorKind, Steps, SweptMesh,
    TimeOfImpact, contacts_self, contacts_swept, intersects, time_of_impact, time_of_impact_rigid,
    time_of_impact_self, time_of_impact_swept,
};
use elbowroom::{Aabb, Mesh, Pose};
use elbowroom_make as make;
use elbowroom_testkit::data;
use elbowroom_testkit::data::ccd::{Kind, Query};
use elbowroom_testkit::random::Random;
use elbowroom_tests::common::mesh;
use glam::{DQuat, DVec3};

const HERE: Pose = Pose::IDENTITY;

/// A step of a mesh.
fn swept(start: &Mesh, end: &Mesh) -> SweptMesh {
    let mut swept = SweptMesh::new(start.clone());
    swept.advance(end.vertices()).expect("finite");
    swept
}

fn moved(mesh: &Mesh, by: impl Fn(DVec3) -> DVec3) -> Mesh {
    mesh.with_vertices(mesh.vertices().iter().map(|&p| by(p)).collect()).expect("finite")
}

fn random_vector(random: &mut Random, most: f64) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| random.uniform(-most, most)))
}

fn corners(swept: &SweptMesh, triangle: usize) -> [Moving; 3] {
    let named = swept.mesh().triangles()[triangle];
    named.map(|i| Moving { start: swept.start()[i as usize], end: swept.end()[i as usize] })
}

/// A crowd of crooked little bodies that fly through each other.
fn soup(random: &mut Random, triangles: usize) -> SweptMesh {
    let points = |random: &mut Random| -> Vec<DVec3> {
        (0..triangles)
            .flat_map(|_| {
                let middle = random_vector(random, 1.0);
                [0; 3].map(|_| middle + random_vector(random, 0.3))
            })
            .collect()
    };
    let (start, end) = (points(random), points(random));
    let named = (0..triangles as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let mut swept = SweptMesh::new(Mesh::new(start, named).expect("a soup"));
    swept.advance(&end).expect("finite");
    swept
}

#[test]
fn trees_find_what_all_pairs_find() {
    let (mut random, mut steps) = (Random::new(7), Steps::default());
    let (mut met, mut later) = (0, 0);
    for _ in 0..160 {
        let (a, b) = (soup(&mut random, 12), soup(&mut random, 9));
        let asked = CcdOptions::default();
        let delta = asked.delta * a.size().max(b.size());
        let mut expected = Vec::new();
        for i in 0..12 {
            for j in 0..9 {
                let approach = Approach::within(delta);
                if triangles_meet(corners(&a, i), corners(&b, j), 0.0, &approach).is_some() {
                    expected.push((i as u32, j as u32));
                }
            }
        }
        let all = contacts_swept(&a, &b, &asked, &mut steps);
        let found: Vec<(u32, u32)> = all.iter().map(|since| (since.a, since.b)).collect();
        assert_eq!(found, expected);
        let first = time_of_impact_swept(&a, &b, &asked, &mut steps).map(|since| since.time);
        let least = all.iter().map(|since| since.time).reduce(f64::min);
        assert_eq!(first, least);
        let swapped = time_of_impact_swept(&b, &a, &asked, &mut steps).map(|since| since.time);
        assert_eq!(first, swapped, "swapped");
        met += found.len();
        later += all.iter().filter(|since| since.time > 0.0).count();
    }
    println!("{met} pairs, {later} of them later than 0");
    assert!(met > 600 && later > 500, "{met} {later}");
}

/// Triangles are apart at all times before that which is told, and near at it.
#[test]
fn nothing_meets_before() {
    let mut random = Random::new(19);
    let at = |t: [Moving; 3], time: f64| {
        let points = t.map(|corner| corner.at(time)).to_vec();
        Model::new(Mesh::new(points, vec![[0, 1, 2]]).expect("finite"))
    };
    let (mut samples, mut pierced) = (0, 0);
    for _ in 0..4_000 {
        let [a, b] = [0; 2].map(|_| {
            [0; 3].map(|_| Moving {
                start: random_vector(&mut random, 1.0),
                end: random_vector(&mut random, 1.0),
            })
        });
        let impact = triangles_meet(a, b, 0.0, &Approach::within(1e-9));
        let until = impact.map_or(1.0, |impact| impact.time - 1e-7);
        for i in 0..4 {
            let time = until * f64::from(i) / 3.0;
            if until > 0.0 {
                assert!(
                    !intersects(&at(a, time), &HERE, &at(b, time), &HERE),
                    "{a:?} {b:?} {time}"
                );
                samples += 1;
            }
        }
        if let Some(impact) = impact {
            assert!(impact.separation <= 1e-9, "{impact:?}: {a:?} {b:?}");
            pierced += u32::from(impact.time == 0.0);
            let later = triangles_meet(b, a, 0.0, &Approach::within(1e-9)).expect("swapped");
            assert_eq!(
                (later.time, later.points),
                (impact.time, [impact.points[1], impact.points[0]])
            );
        }
    }
    println!("{samples} samples, {pierced} meet at once");
    assert!(samples > 8_000 && pierced > 300, "{samples} {pierced}");
}

#[test]
fn sizes_do_not_matter() {
    let mut random = Random::new(23);
    let mut met = 0;
    for _ in 0..300 {
        let c: [Moving; 4] = [0; 4].map(|_| {
            let mut integers = || DVec3::from_array([0; 3].map(|_| random.range(-4, 4) as f64));
            Moving { start: integers(), end: integers() }
        });
        let scaled = |s: f64| c.map(|c| Moving { start: c.start * s, end: c.end * s });
        let ask = |c: [Moving; 4], s: f64| {
            let approach = Approach::within(1e-9 * s);
            let edges = edge_meets_edge([c[0], c[1]], [c[2], c[3]], &approach);
            let turned = edge_meets_edge([c[3], c[2]], [c[1], c[0]], &approach);
            assert_eq!(edges.map(|i| i.time), turned.map(|i| i.time));
            let face = vertex_meets_face(c[0], [c[1], c[2], c[3]], &approach);
            let turned = vertex_meets_face(c[0], [c[3], c[1], c[2]], &approach);
            assert_eq!(face.map(|i| i.time), turned.map(|i| i.time));
            [edges.map(|i| i.time), face.map(|i| i.time)]
        };
        let plain = ask(c, 1.0);
        met += plain.iter().flatten().count();
        for power in [-1070, -700, 700, 1021] {
            let s = 2_f64.powi(power / 2) * 2_f64.powi(power - power / 2);
            let other = ask(scaled(s), s);
            for (p, q) in plain.iter().zip(other) {
                assert_eq!(p.is_some(), q.is_some(), "{power}: {c:?}");
                let apart = p.unwrap_or(0.0) - q.unwrap_or(0.0);
                assert!(apart.abs() < 1e-6, "{power}: {p:?} {q:?} {c:?}");
            }
        }
    }
    assert!(met > 60, "{met}");
    let odd = Moving { start: DVec3::NAN, end: DVec3::INFINITY };
    let _ = vertex_meets_face(odd, [odd; 3], &Approach::within(0.0));
    let _ = triangles_meet([odd; 3], [Moving::still(DVec3::ONE); 3], 0.0, &Approach::within(0.0));
}

#[test]
fn bullets_do_not_tunnel() {
    let wall = make::cuboid(DVec3::new(1e-6, 4.0, 4.0));
    let ball = make::icosphere(3);
    let ball = moved(&ball, |p| p * 0.01 + DVec3::new(-100.0, 0.3, 0.2));
    let mut steps = Steps::default();
    let mut random = Random::new(3);
    for speed in [150.0, 1e3, 1e6, 1e9] {
        let aside = random_vector(&mut random, 1.0) * DVec3::new(0.0, 1.0, 1.0);
        let flown = moved(&ball, |p| p + DVec3::X * speed + aside);
        let (bullet, still) = (swept(&ball, &flown), SweptMesh::new(wall.clone()));
        let since = time_of_impact_swept(&still, &bullet, &CcdOptions::default(), &mut steps);
        if speed == 150.0 {
            let since = since.expect("it hits the wall");
            assert!(since.time > 0.66 && since.time < 0.667, "{since:?}");
            assert!(since.separation < 1e-6, "{since:?}");
            assert!(matches!(since.features[0], Feature::Face), "{since:?}");
        } else {
            assert!(since.is_some(), "{speed}");
        }
        let past = moved(&ball, |p| p - DVec3::X * speed);
        assert_eq!(
            time_of_impact_swept(&still, &swept(&ball, &past), &CcdOptions::default(), &mut steps),
            None
        );
    }
}

/// Poles of two balls on one axis.
#[test]
fn balls_head_on() {
    let ball = make::lat_long_sphere(16, 24);
    let Aabb { min: low, max: high } = ball.bounds();
    let axis = (0..3).find(|&i| high[i] == 1.0 && low[i] == -1.0).expect("poles are corners");
    let way = DVec3::AXES[axis];
    let model = Model::new(ball);
    let mut random = Random::new(31);
    for _ in 0..40 {
        let gap = random.uniform(0.1, 5.0);
        let speeds = [random.uniform(0.0, 4.0), random.uniform(3.0, 9.0)];
        let start = Pose::from_translation(way * (2.0 + gap)).expect("finite");
        let spin = random.uniform(-9.0, 9.0);
        let motions = [
            RigidMotion::new(HERE).travelling(way * speeds[0]).expect("finite"),
            RigidMotion::new(start).travelling(-way * speeds[1]).expect("finite"),
        ];
        // A turn about the common axis leaves the poles where they are.
        let spinning = motions[1].turning(way, spin, start.translation()).expect("an axis");
        for second in [motions[1], spinning] {
            let found =
                time_of_impact(&model, &motions[0], &model, &second, &CcdOptions::default());
            let expected = gap / (speeds[0] + speeds[1]);
            if expected > 1.0 {
                assert_eq!(found, None);
                continue;
            }
            let since = found.expect("they meet");
            assert!(since.time <= expected + 1e-15, "late: {since:?} {expected}");
            assert!(since.time > expected - 1e-7, "early: {since:?} {expected}");
            assert!(
                matches!(since.features, [Feature::Corner(_), Feature::Corner(_)]),
                "{since:?}"
            );
        }
    }
}

#[test]
fn a_spinning_rod() {
    let rod = Mesh::new(
        vec![DVec3::X * 2.0, DVec3::new(-2.0, 0.0, 0.01), DVec3::new(-2.0, 0.0, -0.01)],
        vec![[0, 1, 2]],
    );
    let rod = Model::new(rod.expect("a mesh"));
    let wall = |height: f64| {
        let far = [
            DVec3::new(-9.0, height, -9.0),
            DVec3::new(9.0, height, -9.0),
            DVec3::new(0.0, height, 9.0),
        ];
        Model::new(Mesh::new(far.to_vec(), vec![[0, 1, 2]]).expect("a mesh"))
    };
    let still = RigidMotion::new(HERE);
    for (turns, height) in [(0.25, 1.0), (1.0, 1.7), (10.0, 1.99), (0.3, 1.9999), (-3.0, 0.5)] {
        let spin = still.turning(DVec3::Z * 7.0, turns * 2.0 * PI, DVec3::ZERO).expect("an axis");
        // The tip is there when its height is that of the wall; the other end of a rod that turns
        // back comes up first.
        let expected = (height / 2.0_f64).asin() / (2.0 * PI * f64::abs(turns));
        let found = time_of_impact(&rod, &spin, &wall(height), &still, &CcdOptions::default());
        let since = found.expect("it reaches the wall");
        assert!(
            since.time <= expected && since.time > expected - 3e-5,
            "{turns} {height}: {since:?} {expected}"
        );
        assert!(since.separation < 1e-8, "{since:?}");
        let clear = time_of_impact(&rod, &spin, &wall(2.001), &still, &CcdOptions::default());
        assert_eq!(clear, None, "{turns}");
    }
    let nowhere = still.turning(DVec3::ZERO, 1.0, DVec3::ZERO).unwrap_err();
    assert_eq!(nowhere.kind(), &RigidMotionErrorKind::NoAxis);
    assert!(still.travelling(DVec3::NAN).is_err());
}

/// Two heads that fly and turn: free at all sampled times before, in contact soon after.
#[test]
fn as_dense_samples_say() {
    let (mut random, mut steps) = (Random::new(5), Steps::default());
    let model = Model::new(make::monkey_head(1000));
    let mut both = [0; 2].map(|_| SweptMesh::new(model.mesh().clone()));
    let (mut met, mut clear, mut rounds) = (0, 0, 0);
    for _ in 0..30 {
        let motions = [0; 2].map(|_| {
            let place = Pose::from_quat(
                DQuat::from_axis_angle(random_vector(&mut random, 1.0).normalize(), 2.0),
                random_vector(&mut random, 2.4),
            )
            .expect("rigid");
            let motion = RigidMotion::new(place);
            let motion = motion.travelling(random_vector(&mut random, 3.0)).expect("finite");
            let axis = random_vector(&mut random, 1.0);
            motion.turning(axis, random.uniform(-4.0, 4.0), place.translation()).expect("an axis")
        });
        let at = |motion: &RigidMotion, time: f64| {
            let points = model.mesh().vertices().iter().map(|&p| motion.apply(p, time)).collect();
            Model::new(model.mesh().with_vertices(points).expect("finite"))
        };
        let meets =
            |time: f64| intersects(&at(&motions[0], time), &HERE, &at(&motions[1], time), &HERE);
        let [a, b] = &mut both;
        let found = time_of_impact_rigid(
            a,
            &motions[0],
            b,
            &motions[1],
            &CcdOptions::default(),
            &mut steps,
        );
        let swapped = time_of_impact_rigid(
            b,
            &motions[1],
            a,
            &motions[0],
            &CcdOptions::default(),
            &mut steps,
        );
        assert_eq!(found.map(|since| since.time), swapped.map(|since| since.time));
        let until = found.map_or(1.0, |since| since.time);
        for i in 0..40 {
            let time = until * f64::from(i) / 40.0;
            if time < until {
                assert!(!meets(time), "{time} < {found:?}");
                rounds += 1;
            }
        }
        match found {
            Some(since) => {
                assert!(since.separation < 1e-8, "{since:?}");
                // A scratch may be over soon; but mostly they go on into each other.
                met += u32::from(meets((since.time + 1e-6).min(1.0)));
            }
            None => clear += 1,
        }
    }
    println!("{met} met, {clear} clear, {rounds} samples");
    assert!(met >= 4 && clear >= 4 && rounds > 300, "{met} {clear} {rounds}");
}

#[test]
fn a_sheet_folds_onto_itself() {
    // Three strips in a row; the last one closes like a lid onto the first.
    let row = |x: f64, z: f64| [DVec3::new(x, 0.0, z), DVec3::new(x, 1.0, z)];
    let (flat, shut) = (
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (2.0, 1.0)],
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.2, -1.0)],
    );
    let points = |rows: [(f64, f64); 4]| -> Vec<DVec3> {
        rows.iter().flat_map(|&(x, z)| row(x, z)).collect()
    };
    let named = (0..3)
        .flat_map(|i| [[2 * i, 2 * i + 2, 2 * i + 1], [2 * i + 1, 2 * i + 2, 2 * i + 3]])
        .collect();
    let mut sheet = SweptMesh::new(Mesh::new(points(flat), named).expect("a sheet"));
    let mut steps = Steps::default();
    let asked = CcdOptions::default();
    for neighbours in [Neighbours::Skip, Neighbours::Decide] {
        assert_eq!(time_of_impact_self(&sheet, neighbours, &asked, &mut steps), None);
    }
    sheet.advance(&points(shut)).expect("finite");
    for neighbours in [Neighbours::Skip, Neighbours::Decide] {
        let since = time_of_impact_self(&sheet, neighbours, &asked, &mut steps).expect("it shuts");
        // The edge from (2, 1) to (0.2, −1) goes through the corner of the first strip, (1, 0), or
        // comes down on it at z = 0.
        assert!((since.time - 0.5).abs() < 0.1, "{since:?}");
        let all = contacts_self(&sheet, neighbours, &asked, &mut steps);
        let least = all.iter().map(|since: &TimeOfImpact| since.time).fold(1.0, f64::min);
        assert_eq!(least, since.time);
        assert!(all.iter().all(|since| since.a < since.b));
    }
    let bad = sheet.advance(&[DVec3::ZERO]).unwrap_err();
    assert!(bad.to_string().contains('1'), "{bad}");
}

/// Every pair that is known to meet in a step of a simulation is found from its two frames.
#[test]
fn steps_of_simulations() {
    let Some(shared) = data::shared_dir() else { return data::skip_note("steps_of_simulations") };
    let is_long = std::env::var_os("ELBOWROOM_LONG").is_some();
    let (mut known, mut scenes) = (0, 0);
    for index in 0..data::ccd::COUNT {
        let step = data::ccd::step(&shared, index);
        if !is_long && step.frames[0].triangles.len() > 30_000 {
            continue;
        }
        let [start, end] = step.frames.each_ref().map(mesh);
        let (both, mut steps) = (swept(&start, &end), Steps::default());
        let found = contacts_self(&both, Neighbours::Decide, &CcdOptions::default(), &mut steps);
        let pairs: HashSet<(u32, u32)> = found.iter().map(|since| (since.a, since.b)).collect();
        let mut around: Vec<Vec<u32>> = vec![Vec::new(); start.vertices().len()];
        for (i, named) in start.triangles().iter().enumerate() {
            for &vertex in named {
                around[vertex as usize].push(i as u32);
            }
        }
        let (mut truths, mut wrong, mut falsely, mut joined) = (0, 0, 0, 0);
        for (Query { kind, corners, is_contact }, named) in &step.queries {
            let [p, q, r, s] = corners.map(|[start, end]| Moving {
                start: DVec3::from_array(start),
                end: DVec3::from_array(end),
            });
            let approach = Approach::within(1e-9 * both.size());
            let impact = match kind {
                Kind::VertexFace => vertex_meets_face(p, [q, r, s], &approach),
                Kind::EdgeEdge => edge_meets_edge([p, q], [r, s], &approach),
            };
            if !is_contact {
                falsely += usize::from(impact.is_some());
                continue;
            }
            truths += 1;
            assert!(impact.is_some(), "{}: {kind:?} {named:?}", step.name);
            let with = |corners: &[u32]| -> Vec<u32> {
                let all = around[corners[0] as usize].iter().copied();
                all.filter(|&t| corners.iter().all(|c| start.triangles()[t as usize].contains(c)))
                    .collect()
            };
            let split = if *kind == Kind::VertexFace { 1 } else { 2 };
            // Copies of one vertex, as at a seam, are neighbours, which meet all the time.
            if corners[..split].iter().any(|corner| corners[split..].contains(corner)) {
                joined += 1;
                continue;
            }
            let (first, second) = (with(&named[..split]), with(&named[split..]));
            let is_found = first
                .iter()
                .any(|&a| second.iter().any(|&b| pairs.contains(&(a.min(b), a.max(b)))));
            wrong += usize::from(!is_found);
        }
        println!(
            "{}: {} queries, {truths} meet, {joined} of them at a seam, {wrong} not found, {falsely} false positives; {} pairs of triangles, {} of boxes compared, {} meet",
            step.name,
            step.queries.len(),
            steps.triangles,
            steps.boxes,
            found.len()
        );
        assert_eq!(wrong, 0, "{}", step.name);
        known += truths;
        scenes += 1;
    }
    let expected = if is_long { 188_436 } else { 24_092 };
    assert_eq!((known, scenes), (expected, if is_long { 4 } else { 2 }));
}
