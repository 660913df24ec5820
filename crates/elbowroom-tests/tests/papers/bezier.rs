//! Bézier patches and curves: nets, tessellation, and who is near whom.

use elbowroom::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::triangle_pairs;
use elbowroom::internal::volume::Family;
use elbowroom_papers::obbtree::{
    BezierErrorKind, BezierPatch, Closeness, Near, Nearness, PatchQuestion, meet_patches,
};
use elbowroom_testkit::random::Random;
use glam::{DMat3, DVec3};

fn point(random: &mut Random, half: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.uniform(-half, half)))
}

fn any_patch(random: &mut Random) -> BezierPatch {
    let degrees = [random.below(5) as usize, random.below(5) as usize];
    let count = (degrees[0] + 1) * (degrees[1] + 1);
    BezierPatch::new(degrees, (0..count).map(|_| point(random, 1.0)).collect()).unwrap()
}

/// The patch by Bernstein's polynomials: nothing that the library computes with.
fn bernstein(patch: &BezierPatch, u: f64, v: f64) -> DVec3 {
    let binomial = |n: usize, k: usize| {
        (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
    };
    let basis = |n: usize, k: usize, t: f64| {
        let power = |t: f64, n: usize| (0..n).fold(1.0, |product, _| product * t);
        binomial(n, k) * power(t, k) * power(1.0 - t, n - k)
    };
    let [m, n] = patch.degrees();
    let mut sum = DVec3::ZERO;
    for i in 0..=m {
        for j in 0..=n {
            sum += patch.control()[i * (n + 1) + j] * basis(m, i, u) * basis(n, j, v);
        }
    }
    sum
}

fn turned(random: &mut Random) -> Pose {
    let axis = point(random, 1.0).try_normalize().unwrap_or(DVec3::X);
    let rotation = DMat3::from_axis_angle(axis, random.uniform(-3.0, 3.0));
    Pose::new(rotation, point(random, 3.0)).unwrap()
}

/// The graph of a bicubic function over the unit square.
fn graph(heights: [[f64; 4]; 4], lift: f64) -> BezierPatch {
    BezierPatch::bicubic(std::array::from_fn(|i| {
        std::array::from_fn(|j| DVec3::new(i as f64 / 3.0, j as f64 / 3.0, heights[i][j] + lift))
    }))
    .unwrap()
}

#[test]
fn points_and_flatness_are_right() {
    let mut random = Random::new(41);
    let mut samples = 0;
    for _ in 0..200 {
        let patch = any_patch(&mut random);
        let [p00, p10] = [patch.point(0.0, 0.0), patch.point(1.0, 0.0)];
        let [p01, p11] = [patch.point(0.0, 1.0), patch.point(1.0, 1.0)];
        for _ in 0..20 {
            let (u, v) = (random.unit(), random.unit());
            let exact = bernstein(&patch, u, v);
            assert!(patch.point(u, v).abs_diff_eq(exact, 1e-14), "{patch:?} at {u} {v}");
            let flat = if u > v {
                p00 + (p10 - p00) * (u - v) + (p11 - p00) * v
            } else {
                p00 + (p01 - p00) * (v - u) + (p11 - p00) * u
            };
            assert!(exact.distance(flat) <= patch.flatness() + 1e-14, "{patch:?} at {u} {v}");
            samples += 1;
        }
    }
    assert_eq!(samples, 4000);
}

#[test]
fn flatness_scales_with_the_patch() {
    let patch = shell(1.0);
    let mut sizes = 0;
    for exponent in [-1000, -600, -300, 300, 600, 1000] {
        let scale = 2_f64.powi(exponent);
        let control = patch.control().iter().map(|&p| p * scale).collect();
        let sized = BezierPatch::new([3, 3], control).unwrap();
        assert_eq!(sized.flatness(), patch.flatness() * scale);
        let grid = |patch: &BezierPatch, tolerance: f64| {
            patch.tessellate(tolerance).unwrap().triangles().to_vec()
        };
        assert_eq!(grid(&sized, 1e-3 * scale), grid(&patch, 1e-3));
        sizes += 1;
    }
    assert_eq!(sizes, 6);
}

#[test]
fn tessellations_keep_the_tolerance() {
    let mut random = Random::new(42);
    let (mut segments, mut triangles) = (0, 0);
    for round in 0..60 {
        let patch = any_patch(&mut random);
        let tolerance = [0.1, 0.01, 0.002][round % 3];
        let mesh = patch.tessellate(tolerance).unwrap();
        let is_curve = patch.degrees().contains(&0);
        // The grid is regular, so a vertex tells its parameters.
        let [degree_u, degree_v] = patch.degrees();
        let row = match (degree_u, degree_v) {
            (_, 0) => 1,
            (0, _) => mesh.vertices().len() as u32,
            _ => mesh.triangles()[0][1],
        };
        let rows = mesh.vertices().len() as u32 / row;
        let share = |i: u32, n: u32| if n > 1 { f64::from(i) / f64::from(n - 1) } else { 0.0 };
        for (i, corners) in mesh.triangles().iter().enumerate() {
            assert_eq!(is_curve, corners[1] == corners[2] || corners[0] == corners[1]);
            let weights = [random.unit(), random.unit(), random.unit()];
            let total: f64 = weights.iter().sum();
            let (mut at, mut u, mut v) = (DVec3::ZERO, 0.0, 0.0);
            for (corner, weight) in corners.iter().zip(weights) {
                at += mesh.vertices()[*corner as usize] * (weight / total);
                u += share(corner / row, rows) * (weight / total);
                v += share(corner % row, row) * (weight / total);
            }
            let off = at.distance(bernstein(&patch, u, v));
            assert!(off <= tolerance + 1e-12, "{off} of {tolerance} in triangle {i}: {patch:?}");
        }
        if is_curve {
            segments += mesh.triangles().len();
        } else {
            triangles += mesh.triangles().len();
        }
    }
    println!("{segments} segments, {triangles} triangles");
    assert!(segments > 50 && triangles > 1000);
    let point = BezierPatch::curve(vec![DVec3::ONE]).unwrap().tessellate(1.0).unwrap();
    assert_eq!(point.triangles(), [[0, 0, 0]]);
    let line = BezierPatch::curve(vec![DVec3::ZERO, DVec3::X]).unwrap().tessellate(1e-9).unwrap();
    assert_eq!(line.triangles(), [[0, 1, 1]]);
    let bent = BezierPatch::curve(vec![DVec3::ZERO, DVec3::X, DVec3::Y]).unwrap();
    let error = bent.tessellate(1e-300).unwrap_err();
    assert!(matches!(error.kind(), BezierErrorKind::TooFine { .. }), "{error}");
}

/// The least distance of two parts, searched on ever finer grids around the best.
fn least_distance(
    a: &BezierPatch,
    place_a: &Pose,
    b: &BezierPatch,
    place_b: &Pose,
    near: &Near,
) -> f64 {
    let spans = [near.a.u, near.a.v, near.b.u, near.b.v];
    let mut center = spans.map(|[from, to]| 0.5 * (from + to));
    let mut half = spans.map(|[from, to]| 0.5 * (to - from));
    let mut least = f64::INFINITY;
    for _ in 0..12 {
        let mut best = (f64::INFINITY, center);
        for i in 0..625 {
            let step = |axis: usize| f64::from(i / 5_i32.pow(axis as u32) % 5 - 2) / 2.0;
            let at: [f64; 4] = std::array::from_fn(|axis| {
                (center[axis] + half[axis] * step(axis)).clamp(spans[axis][0], spans[axis][1])
            });
            let p = place_a.apply(a.point(at[0], at[1]));
            let q = place_b.apply(b.point(at[2], at[3]));
            if p.distance(q) < best.0 {
                best = (p.distance(q), at);
            }
        }
        least = least.min(best.0);
        center = best.1;
        half = half.map(|h| 0.6 * h);
    }
    least
}

/// Two graphs over the same square meet exactly if their difference somewhere is the lift.
#[test]
fn graphs_meet_where_their_difference_says() {
    let mut random = Random::new(43);
    let (mut clear, mut within, mut places) = (0, 0, 0);
    for _ in 0..12 {
        let mut heights =
            || std::array::from_fn(|_| std::array::from_fn(|_| random.uniform(-0.5, 0.5)));
        let (f, g): ([[f64; 4]; 4], [[f64; 4]; 4]) = (heights(), heights());
        let place = turned(&mut random);
        let (low_patch, high_patch) = (graph(f, 0.0), graph(g, 0.0));
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for i in 0..=100 {
            for j in 0..=100 {
                let (u, v) = (f64::from(i) / 100.0, f64::from(j) / 100.0);
                let difference = low_patch.point(u, v).z - high_patch.point(u, v).z;
                least = least.min(difference);
                most = most.max(difference);
            }
        }
        for (lift, meets) in [
            (most + 0.05, false),
            (0.5 * (least + most), true),
            (most - 0.01, true),
            (least + 0.01, true),
            (least - 0.05, false),
        ] {
            let lifted = graph(g, lift);
            for family in Family::ALL {
                let question =
                    PatchQuestion { family, tolerance: 2e-3, ..PatchQuestion::default() };
                let found = meet_patches(&low_patch, &place, &lifted, &place, &question).unwrap();
                assert!(found.finished, "{family:?}");
                let expected = if meets { Closeness::Within } else { Closeness::Clear };
                assert_eq!(found.closeness, expected, "{family:?} at {lift} of {least}..{most}");
                assert_eq!(found.near.is_empty(), !meets);
                clear += u32::from(!meets);
                within += u32::from(meets);
                // One of the places is examined closely.
                if let Some(near) = found.near.get(found.near.len() / 2) {
                    let least = least_distance(&low_patch, &place, &lifted, &place, near);
                    assert!(least <= 2e-3, "{least} at {near:?}");
                    places += 1;
                }
            }
            assert_eq!(tessellations_meet(&low_patch, &lifted, &place), meets);
        }
    }
    assert_eq!((clear, within), (12 * 2 * 8, 12 * 3 * 8));
    assert_eq!(places, within);
}

fn tessellations_meet(a: &BezierPatch, b: &BezierPatch, place: &Pose) -> bool {
    let model = |patch: &BezierPatch| Model::new(patch.tessellate(1e-3).unwrap());
    !triangle_pairs(&model(a), place, &model(b), place).is_empty()
}

/// A quarter of a cylinder, nearly: cubic along the arc, bent a little along the axis.
fn shell(radius: f64) -> BezierPatch {
    let k = 0.552_284_749_8 * radius;
    let arc = [[radius, 0.0], [radius, k], [k, radius], [0.0, radius]];
    BezierPatch::bicubic(std::array::from_fn(|i| {
        let bulge = if i == 1 || i == 2 { 1.2 } else { 1.0 };
        std::array::from_fn(|j| DVec3::new(arc[j][0] * bulge, arc[j][1] * bulge, 0.6 * i as f64))
    }))
    .unwrap()
}

fn compare(name: &str, a: &BezierPatch, b: &BezierPatch, place: &Pose) -> Vec<Nearness> {
    let answers: Vec<Nearness> = Family::ALL
        .iter()
        .map(|&family| {
            let question = PatchQuestion { family, tolerance: 1e-3, ..PatchQuestion::default() };
            meet_patches(a, place, b, place, &question).unwrap()
        })
        .collect();
    for (family, answer) in Family::ALL.iter().zip(&answers) {
        println!(
            "{name:>16} {:>9}: {:?}, {} subdivisions, {} volumes, {} triangles, {} places",
            family.name(),
            answer.closeness,
            answer.subdivisions,
            answer.tally.volumes(),
            answer.tally.primitives,
            answer.near.len()
        );
    }
    answers
}

/// The paper's expectation for curved surfaces, at equal tolerance.
#[test]
fn oriented_boxes_need_fewer_subdivisions() {
    let mut random = Random::new(44);
    let of = |answers: &[Nearness], family| {
        let place = Family::ALL.iter().position(|&f| f == family).unwrap();
        (answers[place].subdivisions, answers[place].tally.volumes())
    };
    let place = turned(&mut random);
    let mut compared = 0;
    for gap in [0.1, 0.03, 0.01, 0.003] {
        let answers = compare(&format!("shells {gap}"), &shell(1.0), &shell(1.0 + gap), &place);
        assert!(answers.iter().all(|answer| answer.closeness == Closeness::Clear));
        let (obb, aabb) = (of(&answers, Family::Obb), of(&answers, Family::Aabb));
        assert!(obb.0 < aabb.0 && obb.1 < aabb.1, "{gap}: {obb:?} {aabb:?}");
        compared += 1;
    }
    let arc = |lift: f64| {
        let points = [[0.0, 0.0, 0.0], [1.0, 2.0, 0.5], [2.0, -2.0, 1.0], [3.0, 0.5, 2.0]];
        BezierPatch::curve(points.map(|p| DVec3::from_array(p) + DVec3::splat(lift)).to_vec())
            .unwrap()
    };
    for gap in [0.03, 0.01, 0.003] {
        let answers = compare(&format!("curves {gap}"), &arc(0.0), &arc(gap), &place);
        assert!(answers.iter().all(|answer| answer.closeness == Closeness::Clear));
        let (obb, aabb) = (of(&answers, Family::Obb), of(&answers, Family::Aabb));
        assert!(obb.0 < aabb.0 && obb.1 < aabb.1, "{gap}: {obb:?} {aabb:?}");
        compared += 1;
    }
    assert_eq!(compared, 7);
}

#[test]
fn limits_are_kept_and_said() {
    let (shell, here) = (shell(1.0), Pose::IDENTITY);
    let ask =
        |question: PatchQuestion| meet_patches(&shell, &here, &shell, &here, &question).unwrap();
    let few = ask(PatchQuestion { pairs: 10, ..PatchQuestion::default() });
    assert_eq!((few.closeness, few.finished, few.tally.volumes()), (Closeness::Unknown, false, 10));
    let shallow = ask(PatchQuestion { levels: 3, ..PatchQuestion::default() });
    assert_eq!((shallow.closeness, shallow.finished), (Closeness::Unknown, false));
    assert!(shallow.subdivisions <= 14, "{}", shallow.subdivisions);
    // Finer than rounding: nothing can be flat, and that is said instead of guessed.
    let question = PatchQuestion { tolerance: 1e-300, pairs: 10_000, ..PatchQuestion::default() };
    let fine = ask(question);
    assert_eq!((fine.closeness, fine.finished), (Closeness::Unknown, false));
    let same = ask(PatchQuestion { tolerance: 0.05, ..PatchQuestion::default() });
    assert_eq!((same.closeness, same.finished), (Closeness::Within, true));
    assert!(same.near.len() > 8, "{}", same.near.len());
    // The highest degrees take their room and no more.
    let mut random = Random::new(45);
    let wild = |random: &mut Random| {
        BezierPatch::new([32, 32], (0..33 * 33).map(|_| point(random, 1.0)).collect()).unwrap()
    };
    let (a, b) = (wild(&mut random), wild(&mut random));
    let question = PatchQuestion { tolerance: 1e-9, ..PatchQuestion::default() };
    let answer = meet_patches(&a, &here, &b, &here, &question).unwrap();
    println!("degree 32: {:?} {} {:?}", answer.closeness, answer.subdivisions, answer.tally);
    assert!(answer.subdivisions <= (1 << 22) / 1089);
}

#[test]
fn any_size_is_answered() {
    let here = Pose::IDENTITY;
    let mut met = [0; 2];
    for scale in [2_f64.powi(-1000), 2_f64.powi(-300), 2_f64.powi(300), 2_f64.powi(1000)] {
        let sized = |radius: f64| {
            let patch = shell(radius);
            BezierPatch::new([3, 3], patch.control().iter().map(|&p| p * scale).collect()).unwrap()
        };
        for family in Family::ALL {
            let question =
                PatchQuestion { family, tolerance: 0.01 * scale, ..PatchQuestion::default() };
            let clear = meet_patches(&sized(1.0), &here, &sized(1.1), &here, &question).unwrap();
            assert_eq!(clear.closeness, Closeness::Clear, "{family:?} {scale}");
            let within = meet_patches(&sized(1.0), &here, &sized(1.0), &here, &question).unwrap();
            assert_eq!(within.closeness, Closeness::Within, "{family:?} {scale}");
            met[0] += 1;
            met[1] += within.near.len();
        }
    }
    assert!(met[0] == 32 && met[1] > 100, "{met:?}");
}

#[test]
fn the_door() {
    let kind = |degrees, control| BezierPatch::new(degrees, control).unwrap_err().kind().clone();
    assert_eq!(
        kind([3, 3], vec![DVec3::ZERO; 15]),
        BezierErrorKind::WrongCount { expected: 16, given: 15 }
    );
    assert_eq!(kind([33, 0], vec![DVec3::ZERO; 34]), BezierErrorKind::DegreeTooHigh { degree: 33 });
    let bad = vec![DVec3::ZERO, DVec3::new(0.0, 0.0, f64::NEG_INFINITY)];
    assert_eq!(
        kind([1, 0], bad),
        BezierErrorKind::NonFinite { index: 1, axis: 2, value: f64::NEG_INFINITY }
    );
    assert!(matches!(
        BezierPatch::curve(vec![]).unwrap_err().kind(),
        BezierErrorKind::WrongCount { expected: 1, given: 0 }
    ));
    let (shell, here) = (shell(1.0), Pose::IDENTITY);
    let mut refused = 0;
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let question = PatchQuestion { tolerance, ..PatchQuestion::default() };
        let error = meet_patches(&shell, &here, &shell, &here, &question).unwrap_err();
        assert!(matches!(error.kind(), BezierErrorKind::BadTolerance { .. }), "{error}");
        assert!(shell.tessellate(tolerance).is_err());
        refused += 1;
    }
    assert_eq!(refused, 4);
}
