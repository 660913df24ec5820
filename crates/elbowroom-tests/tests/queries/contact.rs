//! Contact points and normals: known ones, and what must hold for every pair that meets.

use elbowroom::internal::exact::{PlacedTriangle, Relation, relate};
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{
    ContactPoint, TrianglePair, contact, contact_of_triangles, triangle_pairs,
};
use elbowroom::{Mesh, Pose};
use elbowroom_testkit::nasty::{Class, PairCase, generate};
use elbowroom_testkit::oracle::PlainPose;
use elbowroom_testkit::random::Random;
use glam::{DMat3, DVec3};

fn vec(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn placement(pose: &PlainPose) -> Pose {
    let rotation = DMat3::from_cols_array_2d(&pose.r).transpose();
    Pose::new(rotation, DVec3::from_array(pose.t)).expect("generated poses are rigid")
}

fn relation(a: [DVec3; 3], b: [DVec3; 3]) -> Relation {
    let placed = |t| PlacedTriangle::new(&Pose::IDENTITY, t);
    relate(&placed(a), &placed(b))
}

fn assert_contact(found: ContactPoint, point: DVec3, normal: DVec3, depth: f64) {
    assert!(found.point.abs_diff_eq(point, 1e-12), "{found:?}, not {point}");
    assert!(found.normal.abs_diff_eq(normal, 1e-12), "{found:?}, not {normal}");
    assert!((found.depth - depth).abs() < 1e-12, "{found:?}, not {depth}");
}

#[test]
fn known_contacts() {
    let floor = [DVec3::ZERO, vec(4.0, 0.0, 0.0), vec(0.0, 4.0, 0.0)];
    // A pin that goes a quarter through: the middle of the common segment is where it stands.
    let pin = [vec(1.0, 1.0, -0.25), vec(0.5, 1.0, 1.0), vec(1.5, 1.0, 1.0)];
    assert_contact(contact_of_triangles(floor, pin), vec(1.0, 1.0, 0.0), DVec3::Z, 0.25);
    // It touches.
    let tip = pin.map(|p| p + vec(0.0, 0.0, 0.25));
    assert_contact(contact_of_triangles(floor, tip), vec(1.0, 1.0, 0.0), DVec3::Z, 0.0);
    // In one plane: the centroid of the common polygon, here the unit square.
    let over = [vec(1.0, 1.0, 0.0), vec(1.0, -3.0, 0.0), vec(-3.0, 1.0, 0.0)];
    let flat = contact_of_triangles(floor, over);
    assert_eq!((flat.normal.abs(), flat.depth), (DVec3::Z, 0.0));
    assert!(flat.point.abs_diff_eq(vec(0.5, 0.5, 0.0), 1e-12), "{flat:?}");
    // Side by side in one plane: they part within it.
    let beside = [DVec3::ZERO, vec(4.0, 0.0, 0.0), vec(0.0, -4.0, 0.0)];
    assert_contact(contact_of_triangles(floor, beside), vec(2.0, 0.0, 0.0), -DVec3::Y, 0.0);
    // Crossing segments, a point on a face, collinear segments, two points.
    let [east, north] = [[-DVec3::X, DVec3::X, DVec3::X], [-DVec3::Y, DVec3::Y, DVec3::Y]];
    let crossed = contact_of_triangles(east, north);
    assert_eq!((crossed.point, crossed.normal.abs(), crossed.depth), (DVec3::ZERO, DVec3::Z, 0.0));
    let on_face = contact_of_triangles([vec(1.0, 1.0, 0.0); 3], floor);
    assert_eq!((on_face.normal.abs(), on_face.depth), (DVec3::Z, 0.0));
    let further = [DVec3::ZERO, vec(3.0, 0.0, 0.0), DVec3::ZERO];
    let in_line = contact_of_triangles(east, further);
    assert_eq!((in_line.point, in_line.depth), (vec(0.5, 0.0, 0.0), 0.0));
    assert!(in_line.normal.x.abs() < 1e-15 && in_line.normal.is_normalized(), "{in_line:?}");
    let points = contact_of_triangles([DVec3::ONE; 3], [DVec3::ONE; 3]);
    assert_eq!((points.point, points.depth), (DVec3::ONE, 0.0));
    assert!(points.normal.is_normalized());
    // Apart: the middle between, no depth.
    let above = floor.map(|p| p + vec(0.0, 0.0, 2.0));
    let apart = contact_of_triangles(floor, above);
    assert_eq!((apart.point.z, apart.normal, apart.depth), (1.0, DVec3::Z, 0.0));
}

#[test]
fn models_are_looked_at_where_they_stand() {
    let floor = vec![DVec3::ZERO, vec(4.0, 0.0, 0.0), vec(0.0, 4.0, 0.0)];
    let pin = vec![vec(1.0, 1.0, -0.25), vec(0.5, 1.0, 1.0), vec(1.5, 1.0, 1.0)];
    let floor = Model::new(Mesh::new(floor, vec![[0, 1, 2]]).unwrap());
    let pin = Model::new(Mesh::new(pin, vec![[0, 1, 2]]).unwrap());
    let quarter = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
    let placed = Pose::new(quarter, vec(10.0, 20.0, 30.0)).unwrap();
    let pairs = triangle_pairs(&floor, &placed, &pin, &placed);
    assert_eq!(pairs.len(), 1);
    let found = contact(&floor, &placed, &pin, &placed, pairs[0]);
    assert_contact(found, vec(9.0, 21.0, 30.0), DVec3::Z, 0.25);
}

/// The distance of a point from a triangle, by bisection over barycentric coordinates in a frame of
/// ordinary size: slow, and nothing like what the library does.
fn distance_by_search(point: DVec3, triangle: [DVec3; 3]) -> f64 {
    let at = |s: f64, t: f64| {
        triangle[0] + (triangle[1] - triangle[0]) * s + (triangle[2] - triangle[0]) * t
    };
    let best_t = |s: f64| {
        // Convex in t: ternary search.
        let (mut low, mut high) = (0.0, 1.0 - s);
        for _ in 0..100 {
            let (one, other) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if at(s, one).distance(point) < at(s, other).distance(point) {
                high = other;
            } else {
                low = one;
            }
        }
        [0.0, low, 1.0 - s].iter().map(|&t| at(s, t).distance(point)).fold(f64::INFINITY, f64::min)
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let (one, other) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if best_t(one) < best_t(other) {
            high = other;
        } else {
            low = one;
        }
    }
    [0.0, low, 1.0].iter().map(|&s| best_t(s)).fold(f64::INFINITY, f64::min)
}

/// x · 2^exponent, for any exponent that f64 numbers have.
fn scaled(x: DVec3, exponent: i32) -> DVec3 {
    let half = exponent / 2;
    x * 2_f64.powi(half) * 2_f64.powi(exponent - half)
}

/// The exponent by which the largest coordinate comes to about 1.
fn exponent(points: &[DVec3]) -> i32 {
    let size = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    if size > 0.0 { -(size.log2().floor() as i32) } else { 0 }
}

/// Brings points into a frame of ordinary size, by powers of two, and a length along with them.
fn in_unit_frame(points: &[DVec3], length: f64) -> (Vec<DVec3>, f64) {
    let first = exponent(points);
    let unit: Vec<DVec3> = points.iter().map(|&p| scaled(p, first)).collect();
    let moved: Vec<DVec3> = unit.iter().map(|&p| p - unit[0]).collect();
    let second = exponent(&moved);
    let length = scaled(scaled(DVec3::X * length, first), second).x;
    (moved.iter().map(|&p| scaled(p, second)).collect(), length)
}

fn check(case: &PairCase, met: &mut [u64; 3], searched: &mut u64, parted: &mut u64) {
    let (place_a, place_b) = (placement(&case.pose_a), placement(&case.pose_b));
    let model = |t: [[f64; 3]; 3]| {
        Model::new(Mesh::new(t.map(DVec3::from_array).to_vec(), vec![[0, 1, 2]]).unwrap())
    };
    let (a, b) = (model(case.a), model(case.b));
    let truth = {
        let place = |m: &Model, p| PlacedTriangle::new(p, m.mesh().triangle(0));
        relate(&place(&a, &place_a), &place(&b, &place_b))
    };
    met[truth as usize] += 1;
    let pair = TrianglePair { a: 0, b: 0, relation: truth };
    let found = contact(&a, &place_a, &b, &place_b, pair);
    let back = contact(&b, &place_b, &a, &place_a, pair);
    assert!(found.point.is_finite() && found.depth.is_finite(), "{found:?} {case:?}");
    assert!((found.normal.length() - 1.0).abs() < 1e-12, "{found:?} {case:?}");
    let bits = |v: DVec3| v.to_array().map(f64::to_bits);
    assert_eq!(bits(found.point), bits(back.point), "{case:?}");
    assert_eq!(found.depth.to_bits(), back.depth.to_bits(), "{case:?}");
    let world = |m: &Model, p: &Pose| m.mesh().triangle(0).map(|v| p.apply(v));
    let (world_a, world_b) = (world(&a, &place_a), world(&b, &place_b));
    let as_set = |mut t: [DVec3; 3]| {
        t.sort_by(|p, q| p.to_array().partial_cmp(&q.to_array()).unwrap());
        t
    };
    if as_set(world_a) == as_set(world_b) {
        assert_eq!(found.normal, back.normal, "{case:?}");
    } else {
        assert_eq!(found.normal, -back.normal, "{case:?}");
    }
    if truth == Relation::Touching {
        assert_eq!(found.depth, 0.0);
    }
    let finite = world_a.iter().chain(&world_b).all(|p| p.is_finite());
    if truth != Relation::Apart && finite && found.point.abs().max_element() < f64::MAX / 8.0 {
        *searched += 1;
        within_tolerance(found.point, world_a, world_b, case);
    }
    if truth == Relation::Crossing && finite {
        *parted += u64::from(parts(found, world_a, world_b));
    }
}

/// 10⁻¹² of the extent and 16 roundings of the largest coordinate, as documented.
fn within_tolerance(point: DVec3, a: [DVec3; 3], b: [DVec3; 3], case: &PairCase) {
    let largest = a.iter().chain(&b).map(|p| p.abs().max_element()).fold(0.0, f64::max);
    // The last summand is the step between the smallest numbers.
    let rounding = 16.0 * f64::EPSILON * largest + 5e-324;
    let (unit, rounding) = in_unit_frame(&[point, a[0], a[1], a[2], b[0], b[1], b[2]], rounding);
    let extent = unit.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    for triangle in [[unit[1], unit[2], unit[3]], [unit[4], unit[5], unit[6]]] {
        let distance = distance_by_search(unit[0], triangle);
        assert!(
            distance <= 2e-12 * extent + rounding,
            "{distance} of {extent}, rounding {rounding}: {point} {case:?}"
        );
    }
}

/// Whether a little more than the depth along the normal parts them.
fn parts(found: ContactPoint, a: [DVec3; 3], b: [DVec3; 3]) -> bool {
    let moved = b.map(|p| p + found.normal * found.depth * (1.0 + 1e-9));
    moved.iter().all(|p| p.is_finite()) && relation(a, moved) != Relation::Crossing
}

#[test]
fn every_pair_that_meets_keeps_the_promises() {
    let mut random = Random::new(8);
    let (mut met, mut searched, mut parted) = ([0; 3], 0, 0);
    for class in Class::ALL {
        for _ in 0..120 {
            check(&generate(class, &mut random), &mut met, &mut searched, &mut parted);
        }
    }
    println!("apart, touching, crossing {met:?}; points searched {searched}; parted {parted}");
    assert_eq!(met.iter().sum::<u64>(), 120 * 25);
    assert!(met.iter().all(|&n| n > 400), "{met:?}");
    assert!(searched > 2000, "{searched}");
    // Where coordinates are coarse, as 10¹⁵ from the origin, a move by the depth is rounded away.
    assert!(parted > met[2] * 4 / 5, "{parted} of {met:?}");
}

#[test]
fn crossing_pairs_part_along_the_normal() {
    let mut random = Random::new(9);
    let (mut crossing, mut less_would_not_do) = (0, 0);
    while crossing < 2000 {
        let case = generate(Class::Random, &mut random);
        let (a, b) = (case.a.map(DVec3::from_array), case.b.map(DVec3::from_array));
        if relation(a, b) != Relation::Crossing {
            continue;
        }
        crossing += 1;
        let found = contact_of_triangles(a, b);
        assert!(parts(found, a, b), "{found:?} {case:?}");
        let almost = ContactPoint { depth: found.depth * (1.0 - 1e-6), ..found };
        less_would_not_do += u32::from(!parts(almost, a, b));
        // No random direction does it with less.
        for _ in 0..8 {
            let way = vec(
                random.uniform(-1.0, 1.0),
                random.uniform(-1.0, 1.0),
                random.uniform(-1.0, 1.0),
            );
            let Some(way) = way.try_normalize() else { continue };
            let shorter = ContactPoint { normal: way, depth: found.depth * 0.999, ..found };
            assert!(!parts(shorter, a, b), "{way} parts {case:?}");
        }
    }
    assert_eq!(less_would_not_do, 2000);
}
