//! The three methods against each other and against separating axes in integers.

use dashu_int::IBig;
use elbowroom_testkit::random::Random;
use glam::{DMat3, DQuat, DVec3};

use super::edges::surfaces_meet;
use super::linear::{HalfSpace, boxes_overlap, common_point};
use elbowroom::internal::convex::BoxShape;
use elbowroom::internal::convex::gjk::{Points, Support, distance, overlap};

/// Numbers of the test boxes are multiples of this, so that they are integers when scaled.
const GRID: f64 = 1.0 / (1_u64 << 50) as f64;

fn on_grid(v: DVec3) -> DVec3 {
    (v / GRID).round() * GRID
}

fn random_vector(random: &mut Random) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.uniform(-1.0, 1.0)))
}

fn random_axes(random: &mut Random) -> DMat3 {
    let quat = loop {
        let [x, y, z, w] = std::array::from_fn(|_| random.uniform(-1.0, 1.0));
        let quat = DQuat::from_xyzw(x, y, z, w);
        if (0.1..1.0).contains(&quat.length()) {
            break quat.normalize();
        }
    };
    let axes = DMat3::from_quat(quat);
    DMat3::from_cols(on_grid(axes.x_axis), on_grid(axes.y_axis), on_grid(axes.z_axis))
}

fn random_box(random: &mut Random) -> BoxShape {
    let axes = match random.below(4) {
        0 => DMat3::IDENTITY,
        1 => DMat3::from_cols(-DVec3::Y, DVec3::X, DVec3::Z),
        _ => random_axes(random),
    };
    let mut half = (random_vector(random).abs() * 64.0).ceil() / 64.0;
    if random.one_in(10) {
        half[random.below(3) as usize] = 0.0;
    }
    BoxShape { center: on_grid(1.25 * random_vector(random)), axes, half }
}

type Big = [IBig; 3];

fn big(v: DVec3) -> Big {
    v.to_array().map(|x| IBig::from((x / GRID) as i64))
}

fn cross(u: &Big, v: &Big) -> Big {
    let at = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
    [at(1, 2), at(2, 0), at(0, 1)]
}

fn dot(u: &Big, v: &Big) -> IBig {
    &u[0] * &v[0] + &u[1] * &v[1] + &u[2] * &v[2]
}

fn size(x: IBig) -> IBig {
    if x < IBig::ZERO { -x } else { x }
}

/// Separating axes in integers. The axes of a test box are not quite orthogonal, so it is truly a
/// skew box whose faces are normal to the cross products of its edges; this is its exact answer.
fn boxes_meet_exactly(a: &BoxShape, b: &BoxShape) -> bool {
    let columns = |m: DMat3| [m.x_axis, m.y_axis, m.z_axis].map(big);
    let (u, v) = (columns(a.axes), columns(b.axes));
    let (a_half, b_half) = (big(a.half), big(b.half));
    // The axes carry one factor of the grid more than the centres.
    let one = IBig::from(1_u64 << 50);
    let (from, to) = (big(a.center), big(b.center));
    let off: Big = std::array::from_fn(|k| (&to[k] - &from[k]) * &one);
    let mut axes: Vec<Big> = Vec::new();
    for i in 0..3 {
        axes.push(cross(&u[i], &u[(i + 1) % 3]));
        axes.push(cross(&v[i], &v[(i + 1) % 3]));
        axes.extend((0..3).map(|j| cross(&u[i], &v[j])));
    }
    axes.iter().all(|axis| {
        let reach = |edges: &[Big; 3], half: &Big| -> IBig {
            (0..3).fold(IBig::ZERO, |sum, k| sum + size(dot(axis, &edges[k])) * &half[k])
        };
        size(dot(axis, &off)) <= reach(&u, &a_half) + reach(&v, &b_half)
    })
}

/// How far the boxes are apart along the axis that separates them most; how deep they overlap,
/// negative.
fn clearance(a: &BoxShape, b: &BoxShape) -> f64 {
    let columns = |m: DMat3| [m.x_axis, m.y_axis, m.z_axis];
    let (u, v) = (columns(a.axes), columns(b.axes));
    let mut axes: Vec<DVec3> = u.into_iter().chain(v).collect();
    axes.extend(u.iter().flat_map(|u| v.map(|v| u.cross(v))).filter(|axis| axis.length() > 1e-6));
    let along = |axis: DVec3| {
        let axis = axis.normalize();
        let reach = |shape: &BoxShape| {
            columns(shape.axes)
                .iter()
                .zip(shape.half.to_array())
                .map(|(e, h)| (axis.dot(*e) * h).abs())
                .sum::<f64>()
        };
        axis.dot(b.center - a.center).abs() - reach(a) - reach(b)
    };
    axes.into_iter().map(along).fold(f64::NEG_INFINITY, f64::max)
}

fn holds(shape: &BoxShape, point: DVec3) -> bool {
    (shape.local(point).abs() - shape.half).max_element() < 1e-12
}

fn is_within(inner: &BoxShape, outer: &BoxShape) -> bool {
    (0..8).all(|bits| (outer.local(inner.corner(bits)).abs() - outer.half).max_element() < -1e-9)
}

/// The distance is proved: its points belong to the boxes, and a plane that far separates them.
fn check_distance(a: &BoxShape, b: &BoxShape) -> f64 {
    let found = distance(a, b);
    assert!(holds(a, found.point_a) && holds(b, found.point_b), "{a:?} {b:?} {found:?}");
    assert!(found.iterations < 30, "{a:?} {b:?} {found:?}");
    let between = found.point_a - found.point_b;
    assert!((between.length() - found.distance).abs() < 1e-13, "{a:?} {b:?} {found:?}");
    if found.distance > 0.0 {
        let direction = between.normalize();
        let gap = direction.dot(a.support(-direction) - b.support(direction));
        // The direction is as good as the difference of two points of size 1 that are so near.
        let allowed = 1e-12 + 2e-15 / found.distance;
        assert!((gap - found.distance).abs() < allowed, "{gap} {found:?}");
    }
    found.distance
}

#[test]
fn all_methods_agree_with_the_exact_answer() {
    let mut random = Random::new(61);
    let (mut meeting, mut apart, mut nested, mut unclear) = (0, 0, 0, 0);
    for round in 0..30_000 {
        let a = random_box(&mut random);
        let mut b = random_box(&mut random);
        if round % 5 == 0 {
            b.half *= 0.25;
            b.center = a.center;
        }
        if clearance(&a, &b).abs() < 1e-9 {
            unclear += 1;
            continue;
        }
        let expected = boxes_meet_exactly(&a, &b);
        assert_eq!(expected, clearance(&a, &b) < 0.0);
        for (a, b) in [(&a, &b), (&b, &a)] {
            assert_eq!(overlap(a, b), expected, "GJK on {a:?} {b:?}");
            assert_eq!(check_distance(a, b) == 0.0, expected, "GJK on {a:?} {b:?}");
            let common = boxes_overlap(a, b, round);
            assert_eq!(common.is_some(), expected, "linear programming on {a:?} {b:?}");
            assert!(common.is_none_or(|point| holds(a, point) && holds(b, point)), "{a:?} {b:?}");
        }
        let within = is_within(&a, &b) || is_within(&b, &a);
        assert_eq!(surfaces_meet(&a, &b), expected && !within, "edges and faces of {a:?} {b:?}");
        assert_eq!(surfaces_meet(&b, &a), expected && !within);
        nested += u32::from(within);
        meeting += u32::from(expected);
        apart += u32::from(!expected);
    }
    assert!(meeting + apart >= 20_000, "{meeting} {apart}");
    assert!(
        meeting > 8000 && apart > 8000 && nested > 1000 && unclear < 500,
        "{meeting} {apart} {nested} {unclear}"
    );
}

fn cube_at(center: DVec3) -> BoxShape {
    BoxShape { center, axes: DMat3::IDENTITY, half: DVec3::ONE }
}

#[test]
fn known_distances() {
    let a = cube_at(DVec3::ZERO);
    let turned = DMat3::from_rotation_z(std::f64::consts::FRAC_PI_4);
    let root_2 = 2_f64.sqrt();
    let cases = [
        // Face to face, edge to edge, corner to corner.
        (cube_at(DVec3::new(5.0, 0.5, -0.25)), 3.0),
        (cube_at(DVec3::new(5.0, 6.0, 0.5)), 5.0),
        (cube_at(DVec3::new(3.0, 4.0, 4.0)), 3.0),
        // Edge to face.
        (BoxShape { axes: turned, ..cube_at(DVec3::new(4.0, 0.0, 0.0)) }, 3.0 - root_2),
        // A corner on the long diagonal to a face, and a flat box, a segment, a point.
        (BoxShape { half: DVec3::new(1.0, 1.0, 0.0), ..cube_at(DVec3::new(0.0, 0.0, 3.0)) }, 2.0),
        (
            BoxShape { half: DVec3::new(0.0, 5.0, 0.0), ..cube_at(DVec3::new(2.0, 0.0, 2.0)) },
            root_2,
        ),
        (BoxShape { half: DVec3::ZERO, ..cube_at(DVec3::new(2.0, 3.0, 3.0)) }, 3.0),
    ];
    for (b, expected) in cases {
        for (a, b) in [(&a, &b), (&b, &a)] {
            let found = check_distance(a, b);
            assert!((found - expected).abs() < 1e-14, "{found} {expected} {b:?}");
            assert!(!overlap(a, b));
        }
    }
}

/// Touching counts, for GJK and linear programming, at a face, an edge and a corner.
#[test]
fn touching_is_overlap() {
    let a = cube_at(DVec3::ZERO);
    for center in
        [DVec3::new(2.0, 0.5, 0.25), DVec3::new(2.0, 2.0, 0.5), DVec3::splat(2.0), DVec3::ZERO]
    {
        let b = cube_at(center);
        assert!(overlap(&a, &b) && overlap(&b, &a), "{center}");
        assert_eq!(distance(&a, &b).distance, 0.0);
        assert!(boxes_overlap(&a, &b, 7).is_some() && boxes_overlap(&b, &a, 7).is_some());
        assert!(surfaces_meet(&a, &b) && surfaces_meet(&b, &a));
    }
}

#[test]
fn points_and_boxes_give_the_same_distance() {
    let mut random = Random::new(62);
    let mut apart = 0;
    for _ in 0..2000 {
        let (a, b) = (random_box(&mut random), random_box(&mut random));
        let corners =
            |shape: &BoxShape| -> [DVec3; 8] { std::array::from_fn(|bits| shape.corner(bits)) };
        let (p, q) = (corners(&a), corners(&b));
        let (by_box, by_points) = (distance(&a, &b), distance(&Points(&p), &Points(&q)));
        assert!((by_box.distance - by_points.distance).abs() < 1e-13, "{by_box:?} {by_points:?}");
        apart += u32::from(by_box.distance > 0.0);
    }
    assert!((500..1500).contains(&apart), "{apart}");
}

/// A shape that is all corners: GJK must end on it as well.
struct Ball(DVec3, f64);

impl Support for Ball {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.0 + self.1 * direction.normalize_or(DVec3::X)
    }
}

#[test]
fn round_shapes_end_too() {
    let mut random = Random::new(63);
    let mut near = 0;
    for _ in 0..2000 {
        let a = Ball(random_vector(&mut random), random.uniform(0.1, 1.0));
        let b = Ball(2.0 * random_vector(&mut random), random.uniform(0.1, 1.0));
        let expected = (a.0.distance(b.0) - a.1 - b.1).max(0.0);
        let found = distance(&a, &b);
        assert!((found.distance - expected).abs() < 1e-6, "{found:?} {expected}");
        if expected > 0.1 {
            assert!(
                (found.distance - expected).abs() < 1e-11 && found.iterations < 100,
                "{found:?}"
            );
            near += 1;
        }
        if (a.0.distance(b.0) - a.1 - b.1).abs() > 1e-6 {
            assert_eq!(overlap(&a, &b), expected == 0.0);
        }
    }
    assert!(near > 500, "{near}");
}

/// Random half-spaces that all contain, or by construction cannot contain, a common point.
#[test]
fn many_half_spaces() {
    let mut random = Random::new(64);
    let room = (DVec3::splat(-2.0), DVec3::splat(2.0));
    let (mut yes, mut no) = (0, 0);
    for seed in 0..500 {
        let inside = random_vector(&mut random);
        let mut half_spaces: Vec<HalfSpace> = (0..=random.below(60))
            .map(|_| {
                let normal = random_vector(&mut random).normalize();
                HalfSpace { normal, offset: normal.dot(inside) + random.uniform(0.0, 0.3) }
            })
            .collect();
        let towards = random_vector(&mut random);
        let found = common_point(&mut half_spaces, room, towards, seed).expect("the point inside");
        let violated = |p: DVec3| half_spaces.iter().map(move |h| h.normal.dot(p) - h.offset);
        assert!(violated(found).fold(found.abs().max_element() - 2.0, f64::max) < 1e-12);
        assert!(towards.dot(found) > towards.dot(inside) - 1e-12, "the point is extreme");
        yes += 1;
        let first = half_spaces[0];
        half_spaces.push(HalfSpace { normal: -first.normal, offset: -first.offset - 1e-9 });
        for seed in 0..5 {
            assert_eq!(common_point(&mut half_spaces, room, towards, seed), None);
            no += 1;
        }
    }
    assert_eq!((yes, no), (500, 2500));
}
