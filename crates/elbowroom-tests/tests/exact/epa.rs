//! How deep convex shapes are in each other, against closed forms and against every direction that
//! can matter.

use elbowroom::Pose;
use elbowroom::internal::convex::gjk::{Points, Support, distance, overlap};
use elbowroom::internal::convex::shape::{Ball, Capsule, Corners, Placed};
use elbowroom::internal::convex::{BoxShape, ConvexPenetration, penetration};
use elbowroom_testkit::random::Random;
use glam::{DMat3, DQuat, DVec3};

fn vector(random: &mut Random, size: f64) -> DVec3 {
    let mut part = || random.uniform(-size, size);
    DVec3::new(part(), part(), part())
}

fn rotation(random: &mut Random) -> DQuat {
    let axis = vector(random, 1.0).try_normalize().unwrap_or(DVec3::X);
    DQuat::from_axis_angle(axis, random.uniform(-3.2, 3.2))
}

/// The answer in both orders, checked for all that must hold whatever the shapes are.
fn asked(a: &impl Support, b: &impl Support, size: f64) -> ConvexPenetration {
    let (found, swapped) = (penetration(a, b), penetration(b, a));
    for one in [found, swapped] {
        assert!(one.lower >= 0.0 && one.lower <= one.upper && one.upper.is_finite(), "{one:?}");
        assert!((one.direction.length() - 1.0).abs() < 1e-12, "{one:?}");
        assert!(one.point_a.is_finite() && one.point_b.is_finite(), "{one:?}");
        assert!(one.iterations < 300);
    }
    let slack = 1e-9 * size;
    assert!(found.lower <= swapped.upper + slack && swapped.lower <= found.upper + slack);
    if found.upper > 0.0 {
        // Along the direction the first shape ends where the second begins.
        let n = found.direction;
        let ends = a.support(n).dot(n);
        let begins = b.support(-n).dot(n) + found.upper;
        assert!(ends <= begins + 1e-12 * size, "{found:?}: {ends} {begins}");
        let across = found.point_a - found.point_b - found.upper * n;
        assert!(across.length() < 1e-5 * size, "{found:?}");
    }
    found
}

fn close(found: &ConvexPenetration, expected: f64, size: f64) {
    let room = 1e-9 * size;
    assert!(
        found.lower <= expected + room && expected <= found.upper + room,
        "{found:?} {expected}"
    );
    assert!(found.upper - found.lower <= room, "{found:?} is not {expected}");
}

#[test]
fn balls_and_capsules_have_closed_forms() {
    let mut random = Random::new(81);
    let (mut deep, mut apart) = (0, 0);
    for round in 0..3000 {
        let size = [1.0, 1e-6, 1e6][round % 3];
        let radius = |random: &mut Random| size * random.uniform(0.0, 1.0);
        let a = Ball { center: vector(&mut random, size), radius: radius(&mut random) };
        let b = Ball { center: vector(&mut random, size), radius: radius(&mut random) };
        let expected = (a.radius + b.radius - a.center.distance(b.center)).max(0.0);
        close(&asked(&a, &b, size), expected, size);
        let ends = [vector(&mut random, size), vector(&mut random, size)];
        let capsule = Capsule { ends, radius: radius(&mut random) };
        let along = ends[1] - ends[0];
        let part = ((a.center - ends[0]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let gap = (ends[0] + part * along).distance(a.center);
        let expected = (a.radius + capsule.radius - gap).max(0.0);
        close(&asked(&a, &capsule, size), expected, size);
        deep += usize::from(expected > 0.0);
        apart += usize::from(expected == 0.0);
    }
    assert!(deep > 1000 && apart > 500, "{deep} {apart}");
    // In one place, and touching.
    let ball = |x: f64| Ball { center: DVec3::X * x, radius: 1.0 };
    close(&asked(&ball(0.0), &ball(0.0), 1.0), 2.0, 1.0);
    close(&asked(&ball(0.0), &ball(2.0), 1.0), 0.0, 1.0);
    // Capsules that cross: by their segments, the radii and nothing else.
    let cross = |ends| Capsule { ends, radius: 0.25 };
    let (a, b) = (cross([-DVec3::X, DVec3::X]), cross([-DVec3::Y, DVec3::Y]));
    let found = asked(&a, &b, 1.0);
    close(&found, 0.5, 1.0);
    assert!(
        found.direction.abs_diff_eq(DVec3::Z, 1e-9) || found.direction.abs_diff_eq(-DVec3::Z, 1e-9)
    );
}

fn any_box(random: &mut Random, size: f64) -> BoxShape {
    let axes = match random.below(3) {
        0 => DMat3::IDENTITY,
        1 => DMat3::from_quat(DQuat::from_rotation_z(random.uniform(0.0, 1.0))),
        _ => DMat3::from_quat(rotation(random)),
    };
    let mut half = size * (vector(random, 0.5).abs() + DVec3::splat(0.1));
    if random.one_in(8) {
        half[random.below(3) as usize] = 0.0;
    }
    BoxShape { center: vector(random, 0.5 * size), axes, half }
}

/// The least overlap over the fifteen directions that can matter; negative where boxes are apart.
fn by_axes(a: &BoxShape, b: &BoxShape) -> f64 {
    let cols = |of: &BoxShape| [0, 1, 2].map(|i| of.axes.col(i));
    let mut axes = [cols(a), cols(b)].concat();
    for x in cols(a) {
        axes.extend(cols(b).map(|y| x.cross(y)).into_iter().filter(|z| z.length() > 1e-7));
    }
    let reach = |of: &BoxShape, n: DVec3| {
        (0..3).map(|i| of.half[i] * of.axes.col(i).dot(n).abs()).sum::<f64>()
    };
    axes.into_iter()
        .map(DVec3::normalize)
        .map(|n| reach(a, n) + reach(b, n) - (a.center - b.center).dot(n).abs())
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn boxes_are_as_deep_as_fifteen_axes_say() {
    let mut random = Random::new(82);
    let (mut deep, mut apart, mut flat, mut asks) = (0, 0, 0, 0);
    for round in 0..6000 {
        let size = [1.0, 1e-6, 1e6][round % 3];
        let (mut a, b) = (any_box(&mut random, size), any_box(&mut random, size));
        if random.one_in(10) {
            // Deep inside, or in the same place.
            a.center = b.center;
        }
        let expected = by_axes(&a, &b).max(0.0);
        let found = asked(&a, &b, size);
        close(&found, expected, size);
        deep += usize::from(expected > 1e-3 * size);
        apart += usize::from(expected == 0.0);
        flat += usize::from(expected > 0.0 && a.half.min_element() == 0.0);
        asks += found.iterations;
    }
    println!("{deep} deep, {apart} apart, {flat} flat, {asks} asked");
    assert!(deep > 2500 && apart > 1000 && flat > 200, "{deep} {apart} {flat}");
}

/// Two boxes that are nearly parallel, and plates or needles; the second is off by at most so much
/// of what makes them touch along each axis.
fn thin_boxes(random: &mut Random, spread: f64) -> [BoxShape; 2] {
    let mut power = |least: i64| 10.0_f64.powi(random.range(least, 0) as i32);
    let half_a = DVec3::new(power(-9), power(-9), power(-9));
    let half_b = DVec3::new(power(-9), power(-9), power(-9));
    let angle = power(-16);
    let turn = DMat3::from_quat(rotation(random));
    let axis = vector(random, 1.0).normalize_or(DVec3::X);
    let near = DMat3::from_quat(DQuat::from_axis_angle(axis, angle)) * turn;
    let a = BoxShape { center: DVec3::ZERO, axes: turn, half: half_a };
    let center = turn * (vector(random, spread) * (half_a + half_b));
    [a, BoxShape { center, axes: near, half: half_b }]
}

/// Thin shapes that overlap are never called apart, and hardly any that are apart are said to meet.
#[test]
fn thin_boxes_that_overlap_are_not_called_apart() {
    let mut random = Random::new(87);
    let (mut meeting, mut apart, mut missed) = (0, 0, 0);
    for round in 0..16_000 {
        let [a, b] = thin_boxes(&mut random, [1.0, 1.02, 1.0001, 1.5][round % 4]);
        let depth = by_axes(&a, &b);
        let found = [distance(&a, &b).distance == 0.0, overlap(&a, &b), overlap(&b, &a)];
        if depth > 1e-14 {
            assert_eq!(found, [true; 3], "{a:?} {b:?} {depth}");
            meeting += 1;
        } else if depth < -1e-13 {
            apart += 1;
            if found != [false; 3] {
                assert!(depth > -1e-6, "{a:?} {b:?} {depth}");
                missed += 1;
            }
        }
    }
    println!("{meeting} meet, {apart} are apart, {missed} of which are said to meet");
    assert!(meeting > 8000 && apart > 3000 && missed < 10, "{meeting} {apart} {missed}");
}

/// Nearly parallel, nearly flat, needles: the bounds still meet, however thin the faces in between
/// are.
#[test]
fn nearly_degenerate_boxes_are_decided() {
    let mut random = Random::new(86);
    let (mut deep, mut widest): (usize, f64) = (0, 0.0);
    for _ in 0..6000 {
        let [a, b] = thin_boxes(&mut random, 1.0);
        let found = asked(&a, &b, 1.0);
        widest = widest.max(found.upper - found.lower);
        let expected = by_axes(&a, &b).max(0.0);
        assert!(found.lower <= expected + 1e-9, "{a:?} {b:?} {found:?} {expected}");
        deep += usize::from(found.lower > 0.0);
    }
    println!("{deep} nearly degenerate, widest {widest:e}");
    assert!(deep > 3000 && widest < 1e-9, "{deep} {widest}");
}

#[test]
fn parallel_faces_and_touching() {
    let cube = |x: f64| BoxShape { center: DVec3::X * x, axes: DMat3::IDENTITY, half: DVec3::ONE };
    for (x, depth) in [(0.0, 2.0), (0.5, 1.5), (1.5, 0.5), (2.0, 0.0), (2.5, 0.0), (-1.0, 1.0)] {
        close(&asked(&cube(0.0), &cube(x), 1.0), depth, 1.0);
    }
    let point = [DVec3::ONE];
    close(&asked(&Points(&point), &Points(&point), 1.0), 0.0, 1.0);
    close(&asked(&Points(&point), &cube(0.0), 1.0), 0.0, 1.0);
    let inside = [DVec3::new(0.25, 0.0, 0.0)];
    close(&asked(&Points(&inside), &cube(0.0), 1.0), 0.75, 1.0);
    let square = [-DVec3::X, DVec3::X, DVec3::Y, -DVec3::Y];
    close(&asked(&Points(&square), &Points(&square), 1.0), 0.0, 1.0);
    let far = DVec3::splat(1e9);
    let moved = |shape: BoxShape| BoxShape { center: shape.center + far, ..shape };
    let found = penetration(&moved(cube(0.0)), &moved(cube(1.5)));
    assert!((found.upper - 0.5).abs() < 1e-4 && found.lower <= 0.5 && found.upper >= 0.5);
}

type Whole = [i64; 3];

fn minus(a: Whole, b: Whole) -> Whole {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Whole, b: Whole) -> Whole {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Whole, b: Whole) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The depth of two hulls of points with whole coordinates, in whole numbers up to the last root:
/// every face of the set of differences is spanned by differences within one or the other, so the
/// least over all such planes is the depth.
fn by_force(a: &[Whole], b: &[Whole]) -> f64 {
    let mut spans = Vec::new();
    for points in [a, b] {
        for (i, &p) in points.iter().enumerate() {
            spans.extend(points[..i].iter().map(|&q| minus(p, q)));
        }
    }
    let mut best = f64::INFINITY;
    for (i, &u) in spans.iter().enumerate() {
        for &v in &spans[..i] {
            let n = cross(u, v);
            if n == [0; 3] {
                continue;
            }
            let most = |points: &[Whole]| points.iter().map(|&p| dot(n, p)).max();
            let least = |points: &[Whole]| points.iter().map(|&p| dot(n, p)).min();
            let ends = [most(a).zip(least(b)), most(b).zip(least(a))];
            for (end, begin) in ends.into_iter().flatten() {
                best = best.min((end - begin) as f64 / (dot(n, n) as f64).sqrt());
            }
        }
    }
    // No plane at all: everything is in one line, which has no depth.
    if best == f64::INFINITY { 0.0 } else { best.max(0.0) }
}

#[test]
fn small_hulls_are_as_deep_as_brute_force_says() {
    let mut random = Random::new(83);
    let (mut deep, mut nothing, mut flat) = (0, 0, 0);
    for round in 0..4000 {
        let range = random.range(1, 4);
        let plane = round % 5 == 0;
        let mut points = |count: u64| -> Vec<Whole> {
            (0..count)
                .map(|_| {
                    [0, 1, 2].map(|i| if plane && i == 2 { 1 } else { random.range(-range, range) })
                })
                .collect()
        };
        let (count_a, count_b) = (1 + round % 7, 1 + round / 7 % 8);
        let (a, b) = (points(count_a), points(count_b));
        let expected = by_force(&a, &b);
        let real = |points: &[Whole]| -> Vec<DVec3> {
            points.iter().map(|p| DVec3::from_array(p.map(|x| x as f64))).collect()
        };
        let (a, b) = (real(&a), real(&b));
        let found = asked(&Points(&a), &Points(&b), range as f64);
        close(&found, expected, range as f64);
        deep += usize::from(expected > 0.0);
        nothing += usize::from(expected == 0.0);
        flat += usize::from(plane);
    }
    assert!(deep > 800 && nothing > 800 && flat == 800, "{deep} {nothing}");
}

/// Hulls of many points, placed: the translation parts them, and a slightly shorter one does not,
/// in any of many directions.
#[test]
fn placed_hulls_are_parted_by_their_depth() {
    let mut random = Random::new(84);
    let (mut deep, mut widest): (usize, f64) = (0, 0.0);
    for round in 0..1200 {
        let count = [5, 20, 200][round % 3];
        let mut ball = || -> Vec<DVec3> {
            (0..count).map(|_| vector(&mut random, 1.0).normalize_or_zero()).collect()
        };
        let [a, b] = [ball(), ball()].map(|points| Corners::of_points(&points).expect("points"));
        let place =
            Pose::from_quat(rotation(&mut random), vector(&mut random, 0.9)).expect("finite");
        let placed = Placed { shape: &b, pose: &place };
        let found = asked(&a, &placed, 1.0);
        widest = widest.max(found.upper - found.lower);
        if found.upper == 0.0 {
            continue;
        }
        deep += 1;
        let moved =
            |by: DVec3| Pose::new(place.rotation(), place.translation() + by).expect("finite");
        let out = moved(found.direction * (found.upper * (1.0 + 1e-9) + 1e-9));
        assert!(distance(&a, &Placed { shape: &b, pose: &out }).distance > 0.0);
        // As much less than it takes, so much is left: however little.
        let left = 10.0_f64.powi(random.range(-9, -2) as i32).min(found.lower);
        let nearly = moved(found.direction * (found.upper - left));
        close(&asked(&a, &Placed { shape: &b, pose: &nearly }, 1.0), left, 0.1);
        for _ in 0..20 {
            let n = vector(&mut random, 1.0).normalize_or_zero();
            let still = moved(n * (found.lower - 1e-9).max(0.0));
            assert_eq!(distance(&a, &Placed { shape: &b, pose: &still }).distance, 0.0);
        }
    }
    println!("{deep} deep, widest gap {widest:e}");
    assert!(deep > 800 && widest < 1e-9);
}

/// A smooth shape that does not say so.
struct Smooth(Ball);

impl Support for Smooth {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.0.support(direction)
    }
}

#[test]
fn smooth_shapes_end_with_honest_bounds() {
    let mut random = Random::new(85);
    let mut worst: f64 = 0.0;
    for round in 0..200 {
        let center = if round % 10 == 0 { DVec3::ZERO } else { vector(&mut random, 1.0) };
        let (a, b) = (Ball { center: DVec3::ZERO, radius: 1.0 }, Ball { center, radius: 0.7 });
        let expected = (1.7 - center.length()).max(0.0);
        let found = penetration(&Smooth(a), &Smooth(b));
        assert!(found.lower <= expected + 1e-12 && expected <= found.upper + 1e-12, "{found:?}");
        worst = worst.max(found.upper - found.lower);
    }
    println!("widest gap of smooth shapes {worst:e}");
    assert!(worst < 0.1);
}
