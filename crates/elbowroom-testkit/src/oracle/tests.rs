//! The oracle against hand-made triangles and against a second opinion that shares nothing with it.

use super::{PlainPose, Relation, decide, orient3d, place, relation, relation_in};
use crate::nasty::{Class, generate};
use crate::placed::Points;
use crate::random::Random;
use Relation::{Apart, Crossing, Touching};

type Triangle = [[f64; 3]; 3];
type Vector = [i64; 3];

const I: PlainPose = PlainPose::IDENTITY;
const FLOOR: Triangle = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

#[test]
fn definition_holds_on_hand_made_pairs() {
    let expected: [(Triangle, Relation); 12] = [
        ([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [9.0, 9.0, 1.0]], Crossing),
        ([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]], Touching),
        ([[1.0, 1.0, 1.0], [1.0, 2.0, 1.0], [2.0, 1.0, 1.0]], Apart),
        ([[1.0, 1.0, 0.0], [1.0, 2.0, 0.0], [2.0, 1.0, 0.0]], Touching),
        (FLOOR, Touching),
        // A segment through the interior crosses, along the plane it touches, off the triangle it
        // is apart.
        ([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]], Crossing),
        ([[1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [2.0, 1.0, 0.0]], Touching),
        ([[3.0, 3.0, -1.0], [3.0, 3.0, 1.0], [3.0, 3.0, 1.0]], Apart),
        // Through the edge and through a corner of the floor the interiors do not meet.
        ([[2.0, 2.0, -1.0], [2.0, 2.0, 1.0], [2.0, 2.0, 1.0]], Touching),
        ([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]], Touching),
        // A point can only touch.
        ([[1.0, 1.0, 0.0]; 3], Touching),
        ([[3.0, 3.0, 0.0]; 3], Apart),
    ];
    for (b, relation_expected) in expected {
        assert_eq!(relation(&FLOOR, &I, &b, &I), relation_expected, "{b:?}");
        assert_eq!(relation(&b, &I, &FLOOR, &I), relation_expected, "{b:?} swapped");
    }
}

#[test]
fn crossing_segments_touch() {
    let a = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]];
    let b = [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    assert_eq!(relation(&a, &I, &b, &I), Touching);
}

#[test]
fn one_unit_in_the_last_place_decides_at_any_size() {
    for scale in [5e-324, 1e-300, 1.0, 1e15, 1e300] {
        let a = FLOOR.map(|p| p.map(|x| x * scale));
        let mut b = [[scale, scale, 0.0], [scale, scale, scale], [2.0 * scale, scale, scale]];
        assert_eq!(relation(&a, &I, &b, &I), Touching, "{scale}");
        b[0][2] = 5e-324;
        assert_eq!(relation(&a, &I, &b, &I), Apart, "{scale}");
        b[0][2] = -5e-324;
        assert_eq!(relation(&a, &I, &b, &I), Crossing, "{scale}");
    }
}

#[test]
fn rotation_by_rounded_fractions_is_taken_as_it_is() {
    // 0.6² + 0.8² is not 1 in f64: the turned point (5, 0, 0) is not (3, 4, 0), and the oracle sees
    // it.
    let turned = PlainPose { r: [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]], t: [0.0; 3] };
    let point = [[5.0, 0.0, 0.0]; 3];
    let target = [[3.0, 4.0, 0.0]; 3];
    assert_eq!(turned.rounded(&point[0]), target[0]);
    assert_eq!(relation(&point, &turned, &target, &I), Apart);
    assert_eq!(relation(&point, &turned, &point, &turned), Touching);
}

#[test]
fn orientation_is_that_of_the_determinant() {
    let p = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let sign = |q: &[[f64; 3]; 4], pose: &PlainPose| {
        orient3d([(&q[0], pose), (&q[1], pose), (&q[2], pose), (&q[3], pose)])
    };
    assert_eq!(sign(&p, &I), 1);
    assert_eq!(sign(&[p[0], p[2], p[1], p[3]], &I), -1);
    assert_eq!(sign(&[p[0], p[1], p[2], [7.0, 8.0, 0.0]], &I), 0);
    assert_eq!(sign(&[p[0], p[1], p[2], [7e300, 8.0, 5e-324]], &I), 1);
    let far = PlainPose::at([1e300, -1e-300, 3.0]);
    assert_eq!(sign(&p, &far), 1);
}

#[test]
fn small_and_big_integers_agree_and_order_does_not_matter() {
    let mut random = Random::new(11);
    let mut met = [0; 3];
    let (mut small_points, mut in_small, mut overflowed) = (0, 0, 0);
    for round in 0..4000 {
        let case = generate(Class::ALL[round % Class::ALL.len()], &mut random);
        let corners = |a: &Triangle, pa: &PlainPose, b: &Triangle, pb: &PlainPose| {
            place([(&a[0], pa), (&a[1], pa), (&a[2], pa), (&b[0], pb), (&b[1], pb), (&b[2], pb)])
        };
        let points = corners(&case.a, &case.pose_a, &case.b, &case.pose_b);
        let found = decide(&points);
        met[found as usize] += 1;
        if let Points::Small(small) = &points {
            in_small += u32::from(relation_in(small).is_ok_and(|r| r == found));
            overflowed += u32::from(relation_in(small).is_err());
            small_points += 1;
        }
        assert_eq!(relation_in(&points.to_big()).ok(), Some(found));
        let (mut a, mut b) = (case.a, case.b);
        random.shuffle(&mut a);
        random.shuffle(&mut b);
        assert_eq!(decide(&corners(&b, &case.pose_b, &a, &case.pose_a)), found, "{case:?}");
    }
    assert!(met.iter().all(|&n| n > 300), "{met:?}");
    assert_eq!(in_small + overflowed, small_points);
    assert!(
        in_small > 2000 && overflowed > 200 && small_points < 4000,
        "{in_small} {overflowed} {small_points}"
    );
}

#[test]
fn second_opinion_agrees_on_integer_grids() {
    let mut random = Random::new(12);
    let mut met = [0; 3];
    for round in 0..30_000 {
        let size = [1, 2, 3, 5][round % 4];
        let mut point = || -> Vector { std::array::from_fn(|_| random.range(0, size)) };
        let (a, b) = ([point(), point(), point()], [point(), point(), point()]);
        let float = |t: [Vector; 3]| t.map(|p| p.map(|x| x as f64));
        let found = relation(&float(a), &I, &float(b), &I);
        assert_eq!(found, by_separation(&a, &b), "{a:?} {b:?}");
        met[found as usize] += 1;
    }
    assert_eq!(met, [14_730, 10_592, 4_678]);
}

/// The second opinion: directions that separate.
///
/// The Minkowski difference M of the triangles is a polytope; they share no point if a direction
/// has all of M on its positive side, and their relative interiors share none if a direction has M
/// on its closed positive side, but not all of M on the boundary. The facets of M within its affine
/// hull, and the offset of that hull from the origin, give finitely many directions that have to be
/// tried, depending on the dimension of M: products of two edges (3), products of an edge with such
/// a normal (2), the edge itself and the offset across it (1), the offset (0).
fn by_separation(a: &[Vector; 3], b: &[Vector; 3]) -> Relation {
    let edges: Vec<Vector> =
        [a, b].iter().flat_map(|t| [sub(t[1], t[0]), sub(t[2], t[1]), sub(t[0], t[2])]).collect();
    let offset = sub(a[0], b[0]);
    let mut directions = vec![offset];
    for &e in &edges {
        directions.push(e);
        directions.push(cross(e, cross(offset, e)));
        for &f in &edges {
            directions.push(cross(e, f));
            directions.extend(edges.iter().map(|&g| cross(g, cross(e, f))));
        }
    }
    let differences: Vec<Vector> =
        a.iter().flat_map(|&p| b.iter().map(move |&q| sub(p, q))).collect();
    let mut interiors_meet = true;
    for n in directions.into_iter().flat_map(|n| [n, n.map(|x| -x)]) {
        let low = differences.iter().map(|&d| dot(n, d)).min().expect("nine differences");
        let high = differences.iter().map(|&d| dot(n, d)).max().expect("nine differences");
        if low > 0 {
            return Apart;
        }
        interiors_meet &= !(low == 0 && high > 0);
    }
    let spanning: Vec<Vector> = edges.into_iter().chain([offset]).collect();
    let flat = spanning
        .iter()
        .all(|&u| spanning.iter().all(|&v| spanning.iter().all(|&w| dot(u, cross(v, w)) == 0)));
    if interiors_meet && !flat { Crossing } else { Touching }
}

fn sub(p: Vector, q: Vector) -> Vector {
    std::array::from_fn(|k| p[k] - q[k])
}

fn dot(p: Vector, q: Vector) -> i64 {
    (0..3).map(|k| p[k] * q[k]).sum()
}

fn cross(p: Vector, q: Vector) -> Vector {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        p[i] * q[j] - p[j] * q[i]
    })
}
