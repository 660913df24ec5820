//! The fifteen directions: counts, completeness, symmetry, and infinite extents.

use std::cell::Cell;

use elbowroom::Pose;
use elbowroom::internal::volume::{Aabb, Meet, Obb, ObbPair, Rigid, Spatial, separated};
use elbowroom_papers::obbtree::{Counted, Operations};
use elbowroom_testkit::oracle::{PlainPose, Relation, relation};
use elbowroom_testkit::random::Random;
use glam::{DMat3, DVec3};

use super::shapes::{rotation, vector};

/// The operations for boxes of which some extents are known to be zero.
fn count(zeros_a: usize, zeros_b: usize) -> Operations {
    let operations = Cell::new(Operations::default());
    let number = |value: f64| Counted::new(value, &operations);
    let extents =
        |zeros: usize| [0, 1, 2].map(|i| if i < 3 - zeros { number(1.0) } else { Counted::ZERO });
    let boxes = ObbPair {
        r: DMat3::IDENTITY.to_cols_array_2d().map(|column| column.map(number)),
        t: [0.0; 3].map(number),
        a: extents(zeros_a),
        b: extents(zeros_b),
    };
    assert!(!separated::<Counted, false>(&boxes, Counted::ZERO));
    operations.get()
}

#[test]
fn table_1() {
    let [compare, abs] = [15, 24];
    assert_eq!(count(0, 0), Operations { compare, add: 60, multiply: 81, abs });
    assert_eq!(count(0, 1), Operations { compare, add: 50, multiply: 72, abs });
    assert_eq!(count(1, 0), Operations { compare, add: 50, multiply: 72, abs });
    assert_eq!(count(1, 1), Operations { compare, add: 40, multiply: 63, abs });
    // One axis of two segments has nothing left on the right but keeps its addition on the left.
    assert_eq!(count(2, 2), Operations { compare, add: 21, multiply: 45, abs });
}

#[test]
fn early_exit_stops_at_the_first_direction() {
    let operations = Cell::new(Operations::default());
    let number = |value: f64| Counted::new(value, &operations);
    let boxes = ObbPair {
        r: DMat3::IDENTITY.to_cols_array_2d().map(|column| column.map(number)),
        t: [9.0, 0.0, 0.0].map(number),
        a: [1.0; 3].map(number),
        b: [1.0; 3].map(number),
    };
    assert!(separated::<Counted, true>(&boxes, Counted::ZERO));
    assert_eq!(operations.get(), Operations { compare: 1, add: 3, multiply: 3, abs: 10 });
}

/// Orthogonal integer vectors of one length: with halves that are multiples of it, all corners are
/// integers, although the unit axes are not.
const FRAMES: [([[f64; 3]; 3], f64); 4] = [
    ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], 1.0),
    ([[1.0, 2.0, 2.0], [2.0, 1.0, -2.0], [-2.0, 2.0, -1.0]], 3.0),
    ([[2.0, 3.0, 6.0], [3.0, -6.0, 2.0], [6.0, 2.0, -3.0]], 7.0),
    ([[3.0, 4.0, 0.0], [-4.0, 3.0, 0.0], [0.0, 0.0, 5.0]], 5.0),
];

struct IntegerBox {
    obb: Obb,
    corners: [[f64; 3]; 8],
}

fn integer_box(spread: i64, random: &mut Random) -> IntegerBox {
    let (frame, length) = random.choice(&FRAMES);
    let columns = DMat3::from_cols_array_2d(frame);
    let columns = if columns.determinant() < 0.0 { -columns } else { columns };
    let mut integer = |low: i64, high: i64| random.range(low, high) as f64;
    let center = DVec3::from_array(std::array::from_fn(|_| integer(-spread, spread)));
    // Longer the smaller the frame's vectors are, so that boxes are of like size; zero is flat.
    let times = DVec3::from_array(std::array::from_fn(|_| integer(0, (8.0 / length) as i64 + 1)));
    let obb = Obb { center, axes: columns * (1.0 / length), half: times * *length };
    let exact = Obb { axes: columns, half: times, ..obb };
    IntegerBox { obb, corners: exact.corners().map(|c| c.to_array()) }
}

/// Whether boxes meet, by the rational oracle: two triangles of their surfaces do, or one is
/// within.
fn truly_meet(a: &IntegerBox, b: &IntegerBox) -> bool {
    let surface = |c: &[[f64; 3]; 8]| {
        let sides =
            [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 4, 5], [2, 3, 6, 7], [0, 2, 4, 6], [1, 3, 5, 7]];
        let quad = |i: [usize; 4]| [[c[i[0]], c[i[1]], c[i[2]]], [c[i[1]], c[i[3]], c[i[2]]]];
        sides.into_iter().flat_map(quad).collect::<Vec<_>>()
    };
    let at = PlainPose::IDENTITY;
    let (of_a, of_b) = (surface(&a.corners), surface(&b.corners));
    let touch = of_a
        .iter()
        .any(|s| of_b.iter().any(|t| !matches!(relation(s, &at, t, &at), Relation::Apart)));
    // Integers of this size are compared without rounding but for the axes', so the centre of a box
    // that is inside is inside by far more than that.
    touch || a.obb.contains(b.obb.center) || b.obb.contains(a.obb.center)
}

#[test]
fn agrees_with_the_oracle_on_integer_boxes() {
    let mut random = Random::new(81);
    let [mut meet, mut apart] = [0; 2];
    for _ in 0..1500 {
        let (a, b) = (integer_box(9, &mut random), integer_box(9, &mut random));
        let space = Rigid::common(60.0, 60.0, 0.0);
        let truth = truly_meet(&a, &b);
        assert_eq!(a.obb.may_meet(&b.obb, &space), truth, "{:?} {:?}", a.obb, b.obb);
        assert_eq!(b.obb.may_meet(&a.obb, &space), truth, "{:?} {:?}", b.obb, a.obb);
        if truth { meet += 1 } else { apart += 1 }
    }
    assert!(meet > 300 && apart > 300, "{meet} meet, {apart} are apart");
}

#[test]
fn order_does_not_matter() {
    let mut random = Random::new(82);
    let mut apart = 0;
    for _ in 0..5000 {
        let [a, b] = [(); 2].map(|()| Obb {
            center: vector(&mut random) * 3.0,
            axes: rotation(&mut random),
            half: vector(&mut random).abs() * 3.0,
        });
        let [p, q] = [(); 2]
            .map(|()| Pose::new(rotation(&mut random), vector(&mut random)).expect("a rotation"));
        let answer = a.may_meet(&b, &Rigid::new(&p, 9.0, &q, 9.0, 0.01));
        assert_eq!(answer, b.may_meet(&a, &Rigid::new(&q, 9.0, &p, 9.0, 0.01)));
        apart += usize::from(!answer);
    }
    assert!((1000..4000).contains(&apart), "{apart}");
}

/// An infinite extent is like one that is larger than the scene.
#[test]
fn infinite_extents() {
    let mut random = Random::new(83);
    let [mut meet, mut apart, mut exact] = [0; 3];
    for i in 0..6000 {
        let aligned = i % 3 == 0;
        let mut any_box = || Obb {
            center: vector(&mut random) * 3.0,
            axes: if aligned { DMat3::IDENTITY } else { rotation(&mut random) },
            half: vector(&mut random).abs(),
        };
        let (mut infinite, other) = (any_box(), any_box());
        let mut long = infinite;
        for axis in 0..=random.below(2) as usize {
            infinite.half[axis] = f64::INFINITY;
            long.half[axis] = 1e4;
        }
        let space = Rigid::common(9.0, 9.0, 0.0);
        let answer = infinite.may_meet(&other, &space);
        assert_eq!(answer, long.may_meet(&other, &space), "{infinite:?} {other:?}");
        assert_eq!(answer, other.may_meet(&infinite, &space), "{infinite:?} {other:?}");
        if answer {
            meet += 1;
        } else {
            apart += 1;
        }
        exact += usize::from(aligned && !answer);
    }
    assert!(meet > 1000 && apart > 1000 && exact > 500, "{meet} {apart} {exact}");
}

#[test]
fn rays_and_planes() {
    let cube = Aabb { min: DVec3::splat(-1.0), max: DVec3::ONE };
    let space = Rigid::common(100.0, 100.0, 0.0);
    let direction = DVec3::new(1.0, 2.0, 3.0);
    let through = Obb::ray(direction * 5.0, direction, 0.0);
    assert!(through.may_meet(&cube, &space) && cube.may_meet(&through, &space));
    let beside = Obb::ray(DVec3::new(5.0, 0.0, 0.0), DVec3::Y, 3.9);
    assert!(!beside.may_meet(&cube, &space) && !cube.may_meet(&beside, &space));
    assert!(Obb::ray(beside.center, DVec3::Y, 4.0).may_meet(&cube, &space));
    let ground = Obb::plane(DVec3::new(0.0, 0.0, -3.0), DVec3::Z, 1.9);
    assert!(!ground.may_meet(&cube, &space));
    assert!(Obb::plane(ground.center, DVec3::Z, 2.0).may_meet(&cube, &space));
    let slope = Obb::plane(DVec3::ZERO, direction, 0.0);
    assert!(slope.may_meet(&cube, &space) && slope.may_meet(&beside, &space));
}
