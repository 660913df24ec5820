use std::collections::HashMap;

use elbowroom_testkit::random::Random;

use super::*;
use crate::internal::exact::{side, turn};

fn bits(p: DVec3) -> [u64; 3] {
    (p + DVec3::ZERO).to_array().map(f64::to_bits)
}

/// Asserts that the hull is a closed surface of input points with none of them above, and gives its
/// triangles.
fn check_solid(points: &[DVec3]) -> Vec<[DVec3; 3]> {
    let Hull::Solid(triangles) = hull(points) else { panic!("{:?} is flat", hull(points)) };
    let input: std::collections::HashSet<_> = points.iter().map(|&p| bits(p)).collect();
    let mut edges: HashMap<_, i32> = HashMap::new();
    let mut corners = std::collections::HashSet::new();
    for t in &triangles {
        assert!((0..3).any(|axis| turn(axis, *t) != Sign::Zero), "{t:?} is degenerate");
        for i in 0..3 {
            let (from, to) = (bits(t[i]), bits(t[(i + 1) % 3]));
            assert!(input.contains(&from), "{} is no input point", t[i]);
            corners.insert(from);
            assert_eq!(edges.insert((from, to), 1), None, "two faces share a directed edge");
        }
        if points.len() <= 2000 {
            assert!(points.iter().all(|&p| side([t[0], t[1], t[2], p]) != Sign::Positive));
        }
    }
    assert!(edges.keys().all(|&(from, to)| edges.contains_key(&(to, from))), "an edge is open");
    assert_eq!(corners.len() + triangles.len(), edges.len() / 2 + 2, "Euler");
    triangles
}

/// The planes of all facets, by testing all triples; each as the set of points in it.
fn facets_by_force(points: &[DVec3]) -> Vec<Vec<usize>> {
    let mut facets = Vec::new();
    let n = points.len();
    for a in 0..n {
        for b in a + 1..n {
            for c in b + 1..n {
                let signs: Vec<Sign> =
                    (0..n).map(|d| side([points[a], points[b], points[c], points[d]])).collect();
                let both = signs.contains(&Sign::Positive) && signs.contains(&Sign::Negative);
                if !both && signs.iter().any(|&sign| sign != Sign::Zero) {
                    facets.push((0..n).filter(|&d| signs[d] == Sign::Zero).collect());
                }
            }
        }
    }
    facets.sort();
    facets.dedup();
    facets
}

/// Small integers meet every coincidence: duplicates, lines, planes, points within edges.
#[test]
fn small_integers_agree_with_brute_force() {
    let mut random = Random::new(31);
    let (mut solids, mut flats, mut shared) = (0, 0, 0);
    for round in 0..400 {
        let reach = 1 + round % 3;
        let n = 4 + random.below(12);
        let points: Vec<DVec3> = (0..n)
            .map(|_| DVec3::from_array(std::array::from_fn(|_| random.range(-reach, reach) as f64)))
            .collect();
        let expected = facets_by_force(&points);
        if expected.is_empty() {
            assert!(!matches!(hull(&points), Hull::Solid(_)));
            flats += 1;
            continue;
        }
        let triangles = check_solid(&points);
        let mut found: Vec<Vec<usize>> = triangles
            .iter()
            .map(|t| {
                (0..points.len())
                    .filter(|&d| side([t[0], t[1], t[2], points[d]]) == Sign::Zero)
                    .collect()
            })
            .collect();
        found.sort();
        found.dedup();
        assert_eq!(found, expected, "{points:?}");
        solids += 1;
        shared += usize::from(found.len() < triangles.len());
    }
    assert!(solids > 350 && flats > 3 && shared > 200, "{solids} {flats} {shared}");
}

/// More of them than brute force can judge.
#[test]
fn many_small_integers_stay_inside() {
    let mut random = Random::new(36);
    let mut faces = 0;
    for round in 0..400 {
        let reach = 1 + round % 7;
        let points: Vec<DVec3> = (0..20 + random.below(60))
            .map(|_| DVec3::from_array(std::array::from_fn(|_| random.range(-reach, reach) as f64)))
            .collect();
        faces += check_solid(&points).len();
    }
    assert!(faces > 400 * 20, "{faces}");
}

#[test]
fn cubes_with_everything_inside_and_on_them() {
    for n in [2, 3, 6] {
        let grid: Vec<DVec3> = (0..n * n * n)
            .map(|i| DVec3::new(f64::from(i % n), f64::from(i / n % n), f64::from(i / n / n)))
            .collect();
        let triangles = check_solid(&grid);
        let area: f64 = triangles.iter().map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum();
        assert!((area - 6.0 * f64::from((n - 1) * (n - 1))).abs() < 1e-12);
    }
    // The corners alone, each many times.
    let corners: Vec<DVec3> =
        (0..800).map(|i: u32| [i, i >> 1, i >> 2].map(|bit| f64::from(bit & 1)).into()).collect();
    assert_eq!(check_solid(&corners).len(), 12);
    assert_eq!(hull(&corners).corners().len(), 8);
}

#[test]
fn spheres() {
    let mut random = Random::new(32);
    let on_sphere = |random: &mut Random| loop {
        let p = DVec3::from_array(std::array::from_fn(|_| random.uniform(-1.0, 1.0)));
        if (0.1..1.0).contains(&p.length()) {
            return p.normalize();
        }
    };
    let points: Vec<DVec3> = (0..2000).map(|_| on_sphere(&mut random)).collect();
    assert_eq!(check_solid(&points).len(), 2 * 2000 - 4);
    let points: Vec<DVec3> = (0..5000).map(|_| on_sphere(&mut random)).collect();
    let triangles = check_solid(&points);
    assert_eq!(triangles.len(), 2 * 5000 - 4);
    for _ in 0..200_000 {
        let [a, b, c] = *random.choice(&triangles);
        assert_ne!(side([a, b, c, *random.choice(&points)]), Sign::Positive);
    }
}

/// Hulls are equal at every size that f64 has, and with sizes mixed.
#[test]
fn extreme_sizes() {
    let mut random = Random::new(33);
    let unit: Vec<DVec3> = (0..300)
        .map(|_| DVec3::from_array(std::array::from_fn(|_| random.uniform(-1.0, 1.0))))
        .collect();
    let plain = check_solid(&unit).len();
    for scale in [2_f64.powi(1023), 2_f64.powi(-900)] {
        let scaled: Vec<DVec3> = unit.iter().map(|&p| p * scale).collect();
        assert_eq!(check_solid(&scaled).len(), plain);
    }
    let mut mixed = Vec::new();
    for _ in 0..60 {
        let mut any = || random.uniform(-1.0, 1.0) * 10_f64.powi(random.range(-300, 300) as i32);
        mixed.push(DVec3::new(any(), any(), any()));
    }
    assert!(check_solid(&mixed).len() > 4);
    let tiny = DVec3::from_array([f64::from_bits(1); 3]);
    assert_eq!(hull(&[tiny, DVec3::ZERO, tiny]), Hull::Segment([DVec3::ZERO, tiny]));
}

#[test]
fn flat_inputs_keep_their_dimension() {
    assert_eq!(hull(&[DVec3::ONE]), Hull::Point(DVec3::ONE));
    assert_eq!(hull(&[DVec3::ZERO, -DVec3::ZERO]), Hull::Point(DVec3::ZERO));
    let direction = DVec3::new(-1.0, 3.0, 0.0);
    let line: Vec<DVec3> =
        [0.0, 7.0, -2.0, 5.0, 7.0].iter().map(|&t| DVec3::Z + t * direction).collect();
    let Hull::Segment(ends) = hull(&line) else { panic!("{:?}", hull(&line)) };
    assert_eq!(ends, [line[2], line[1]], "from low to high along the longest axis");
    for axis in 0..3 {
        // A tilted plane, seen edge-on along one axis.
        let mut grid = Vec::new();
        for i in 0..7 {
            for j in 0..5 {
                let mut p = DVec3::splat(f64::from(i) + 4.0);
                p[axis] = f64::from(j);
                p[(axis + 1) % 3] *= -2.0;
                grid.push(p);
            }
        }
        Random::new(34).shuffle(&mut grid);
        let Hull::Polygon(corners) = hull(&grid) else { panic!("{:?}", hull(&grid)) };
        assert_eq!(corners.len(), 4, "{corners:?}");
        for i in 0..4 {
            let [p, q, r] = [0, 1, 2].map(|k| corners[(i + k) % 4]);
            assert_eq!((q - p).dot(r - q), 0.0, "the corners are in order");
        }
    }
}

/// A thin sliver: 0.1, 0.2, … are not quite collinear in f64, and the hull knows.
#[test]
fn nearly_collinear_is_not_collinear() {
    let points: Vec<DVec3> =
        (0..40).map(|i| DVec3::new(0.1, 0.7, 0.3) * (f64::from(i) * 0.1)).collect();
    match hull(&points) {
        Hull::Segment(_) | Hull::Point(_) => panic!("rounding set these points off the line"),
        Hull::Polygon(corners) => assert!(corners.len() >= 3),
        Hull::Solid(_) => assert!(check_solid(&points).len() >= 4),
    }
}

/// Fans of hundreds of faces with hundreds of points that wait, on circles, lines and planes that
/// meet in rims and axes: bisection must find every one of them.
#[test]
fn large_fans_lose_no_point() {
    let mut random = Random::new(35);
    // Points of circles with whole coordinates, so that they are exactly coplanar and collinear.
    let circle: Vec<(i64, i64)> = (-65..=65)
        .flat_map(|x| (-65..=65).map(move |y| (x, y)))
        .filter(|(x, y)| x * x + y * y == 65 * 65)
        .collect();
    assert_eq!(circle.len(), 36);
    let mut faces = 0;
    for round in 0..60 {
        let mut points = Vec::new();
        for &(x, y) in &circle {
            let [x, y] = [x as f64, y as f64];
            for z in [-40.0, 40.0, random.range(-40, 40) as f64] {
                points.push(DVec3::new(x, y, z));
            }
            if round % 2 == 0 {
                // The axis, a second drum across, and a cone.
                points.push(DVec3::new(0.0, 0.0, random.range(-60, 60) as f64));
                points.push(DVec3::new(0.5 * x, random.range(-1, 1) as f64 * 64.0, 0.5 * y));
                points.push(DVec3::new(x, y, 0.0) * 0.5 + DVec3::Z * 50.0);
            }
        }
        random.shuffle(&mut points);
        faces += check_solid(&points).len();
    }
    assert!(faces > 60 * 100, "{faces}");
}
