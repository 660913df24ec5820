//! Rays against brute force with the rational oracle, for every family, and through seams.

use dashu_int::IBig;
use dashu_int::ops::Abs;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Ray, RayErrorKind, RayHit, cast_all, cast_nearest};
use elbowroom::internal::traverse::{Tally, Workspace};
use elbowroom::internal::volume::Family;
use elbowroom::{Mesh, Pose};
use elbowroom_testkit::brute::Soup;
use elbowroom_testkit::oracle::{PlainPose, Relation, relation};
use elbowroom_testkit::random::Random;
use elbowroom_tests::common;
use glam::{DMat3, DVec3};

fn models(mesh: &Mesh) -> Vec<Model> {
    let config = |family| Config::default().with_family(family);
    Family::ALL.map(|family| Model::with_config(mesh.clone(), &config(family))).to_vec()
}

/// Triangles on a small grid, degenerate ones and copies among them.
fn grid_soup(random: &mut Random, triangles: usize) -> Soup {
    let mut soup = Vec::new();
    while soup.len() < triangles {
        let corner = std::array::from_fn(|_| random.range(0, 6) as f64);
        let near = |random: &mut Random| -> [f64; 3] {
            std::array::from_fn(|axis| corner[axis] + random.range(-1, 1) as f64)
        };
        soup.push([corner, near(random), near(random)]);
        if random.one_in(9) {
            soup.push(soup[random.below(soup.len() as u64) as usize]);
        }
    }
    Soup::from_triangles(&soup)
}

/// A torus of quads cut in two, closed.
fn torus(around: u32, along: u32) -> Mesh {
    let full = std::f64::consts::TAU;
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..around {
        for j in 0..along {
            let (u, v) =
                (full * f64::from(i) / f64::from(around), full * f64::from(j) / f64::from(along));
            let ring = 2.0 + 0.75 * v.cos();
            vertices.push(DVec3::new(ring * u.cos(), 0.75 * v.sin(), ring * u.sin()));
            let at = |i: u32, j: u32| (i % around) * along + j % along;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, c, b], [a, d, c]]);
        }
    }
    Mesh::new(vertices, triangles).unwrap()
}

fn turned(random: &mut Random) -> PlainPose {
    let axis = DVec3::new(random.unit(), random.unit(), random.unit() + 0.1).normalize();
    let rotation = DMat3::from_axis_angle(axis, random.uniform(-3.0, 3.0));
    PlainPose {
        r: rotation.transpose().to_cols_array_2d(),
        t: std::array::from_fn(|_| random.uniform(-2.0, 2.0)),
    }
}

/// All casts agree with the oracle and with each other; the number of hits and the work by family.
fn check(
    soup: &Soup,
    models: &[Model],
    pose: &PlainPose,
    ray: &Ray,
    workspace: &mut Workspace,
) -> (Vec<RayHit>, Vec<[Tally; 2]>) {
    let segment = [ray.from(), ray.to(), ray.to()].map(|p| p.to_array());
    let expected: Vec<u32> = (0..soup.triangles.len())
        .filter(|&i| {
            relation(&soup.triangle(i), pose, &segment, &PlainPose::IDENTITY) != Relation::Apart
        })
        .map(|i| i as u32)
        .collect();
    let placement = common::placement(pose);
    let mut answers = Vec::new();
    let mut tallies = Vec::new();
    for model in models {
        let (hits, all) = cast_all(model, &placement, ray, workspace);
        let mut triangles: Vec<u32> = hits.iter().map(|hit| hit.triangle).collect();
        triangles.sort_unstable();
        assert_eq!(triangles, expected, "{:?} {ray:?}", model.config().family);
        assert!(hits.is_sorted_by_key(|hit| (hit.fraction, hit.triangle)));
        for hit in &hits {
            assert!((0.0..=1.0).contains(&hit.fraction), "{hit:?}");
            assert_eq!(hit.point, ray.at(hit.fraction));
        }
        let (nearest, first) = cast_nearest(model, &placement, ray, workspace);
        assert_eq!(nearest, hits.first().copied(), "{:?} {ray:?}", model.config().family);
        assert!(first.volumes() <= all.volumes());
        tallies.push([all, first]);
        answers.push(hits);
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    (answers.swap_remove(0), tallies)
}

fn any_ray(random: &mut Random, soup: &Soup, placement: &Pose) -> Ray {
    let mut grid = || DVec3::from_array(std::array::from_fn(|_| random.range(-1, 7) as f64));
    let (mut from, mut to) = (grid(), grid());
    match random.below(5) {
        // Along a grid line or in a grid plane, which is full of triangles.
        0 => to[random.below(3) as usize] = from[random.below(3) as usize],
        // A point.
        1 => to = from,
        // From a corner of the soup to another.
        2 => {
            from = DVec3::from_array(*random.choice(&soup.vertices));
            to = DVec3::from_array(*random.choice(&soup.vertices));
        }
        3 => {
            from += DVec3::new(random.unit(), random.unit(), random.unit());
            to += DVec3::new(random.unit(), random.unit(), random.unit());
        }
        _ => {}
    }
    Ray::new(placement.apply(from), placement.apply(to)).unwrap()
}

#[test]
fn every_family_hits_what_the_oracle_says() {
    let mut random = Random::new(21);
    let mut workspace = Workspace::default();
    let (mut rays, mut struck, mut hits) = (0, 0, 0);
    for round in 0..8 {
        let soup = grid_soup(&mut random, 150);
        let models = models(&common::mesh(&soup));
        let pose = if round % 2 == 0 { PlainPose::IDENTITY } else { turned(&mut random) };
        for _ in 0..60 {
            let ray = any_ray(&mut random, &soup, &common::placement(&pose));
            let (found, _) = check(&soup, &models, &pose, &ray, &mut workspace);
            rays += 1;
            struck += usize::from(!found.is_empty());
            hits += found.len();
        }
    }
    println!("{rays} rays, {struck} of them struck, {hits} hits");
    assert_eq!(rays, 480);
    assert!(struck > 200 && rays - struck > 50 && hits > 600, "{struck} {hits}");
}

#[test]
fn any_size_is_cast_at() {
    let mut random = Random::new(22);
    let mut workspace = Workspace::default();
    let mut hits = 0;
    for scale in [5e-324, 2_f64.powi(-1000), 2_f64.powi(-500), 2_f64.powi(500), 2_f64.powi(1000)] {
        let mut soup = grid_soup(&mut random, 60);
        for vertex in &mut soup.vertices {
            *vertex = vertex.map(|x| x * scale);
        }
        let models = models(&common::mesh(&soup));
        let mut point =
            || DVec3::from_array(std::array::from_fn(|_| random.range(-1, 7) as f64 * scale));
        for _ in 0..30 {
            let ray = Ray::new(point(), point()).unwrap();
            let (found, _) = check(&soup, &models, &PlainPose::IDENTITY, &ray, &mut workspace);
            assert!(found.iter().all(|hit| hit.fraction.is_finite() && hit.point.is_finite()));
            hits += found.len();
        }
    }
    assert!(hits > 80, "{hits}");
}

/// Every ray from outside a closed mesh to a point inside it must hit, also through edges and
/// corners.
#[test]
fn no_ray_slips_through_a_seam() {
    let mesh = torus(24, 16);
    let model = Model::new(mesh.clone());
    let mut random = Random::new(23);
    let mut workspace = Workspace::default();
    let (mut rays, mut several) = (0, 0);
    for &[a, b, c] in mesh.triangles() {
        let [a, b, c] = [a, b, c].map(|i| mesh.vertices()[i as usize]);
        let share = random.unit();
        for target in [a, 0.5 * (a + b), b + (c - b) * share, (a + b + c) / 3.0] {
            // The ring inside the tube, and from there out through the target.
            let flat = DVec3::new(target.x, 0.0, target.z).normalize() * 2.0;
            let ray = Ray::new(flat + (target - flat) * 3.0, flat).unwrap();
            let (hits, _) = cast_all(&model, &Pose::IDENTITY, &ray, &mut workspace);
            let (nearest, _) = cast_nearest(&model, &Pose::IDENTITY, &ray, &mut workspace);
            assert!(!hits.is_empty(), "slipped through at {target}");
            assert_eq!(nearest, hits.first().copied());
            assert!(hits[0].point.distance(target) < 1e-9, "{hits:?} {target}");
            rays += 1;
            several += usize::from(hits.len() > 1);
        }
    }
    assert_eq!(rays, 4 * 768);
    println!("{rays} rays through seams, {several} met several triangles at once");
    assert!(several > 300, "{several}");
}

#[test]
fn points_segments_in_a_plane_and_ends() {
    let square = vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
    let model = Model::new(Mesh::new(square, vec![[0, 1, 2], [0, 2, 3]]).unwrap());
    let cast = |from: [f64; 3], to: [f64; 3]| {
        let ray = Ray::new(DVec3::from_array(from), DVec3::from_array(to)).unwrap();
        let (hits, _) = cast_all(&model, &Pose::IDENTITY, &ray, &mut Workspace::default());
        hits.iter().map(|hit| (hit.triangle, hit.fraction)).collect::<Vec<_>>()
    };
    // A point on the surface, on the seam, and beside it.
    assert_eq!(cast([0.75, 0.25, 0.0], [0.75, 0.25, 0.0]), [(0, 0.0)]);
    assert_eq!(cast([0.5, 0.5, 0.0], [0.5, 0.5, 0.0]), [(0, 0.0), (1, 0.0)]);
    assert_eq!(cast([0.5, 0.5, 1e-300], [0.5, 0.5, 1e-300]), []);
    // In the plane: in at the left edge, over the seam to the second.
    assert_eq!(cast([-1.0, 0.5, 0.0], [3.0, 0.5, 0.0]), [(1, 0.25), (0, 0.375)]);
    assert_eq!(cast([-1.0, 1.0, 0.0], [3.0, 1.0, 0.0]), [(1, 0.25), (0, 0.5)]);
    // Begins on the surface, ends on it, ends just before it.
    assert_eq!(cast([0.75, 0.25, 0.0], [0.75, 0.25, 2.0]), [(0, 0.0)]);
    assert_eq!(cast([0.75, 0.25, 2.0], [0.75, 0.25, 0.0]), [(0, 1.0)]);
    assert_eq!(cast([0.75, 0.25, 2.0], [0.75, 0.25, 5e-324]), []);
}

#[test]
fn the_door() {
    let kind = |from: DVec3, to: DVec3| Ray::new(from, to).unwrap_err().kind().clone();
    assert!(matches!(
        kind(DVec3::new(0.0, f64::NAN, 0.0), DVec3::ZERO),
        RayErrorKind::NonFinite { what: "beginning", axis: 1, .. }
    ));
    assert_eq!(
        kind(DVec3::ZERO, DVec3::new(0.0, 0.0, f64::INFINITY)),
        RayErrorKind::NonFinite { what: "end", axis: 2, value: f64::INFINITY }
    );
    let model = Model::new(torus(8, 8));
    let here = Pose::IDENTITY;
    let towards = |origin, way| Ray::towards(origin, way, &model, &here);
    assert_eq!(towards(DVec3::ZERO, DVec3::ZERO).unwrap_err().kind(), &RayErrorKind::NoDirection);
    assert_eq!(towards(DVec3::splat(1e308), DVec3::X).unwrap_err().kind(), &RayErrorKind::TooFar);
    // Passes the whole model from wherever it begins.
    let mut random = Random::new(24);
    let mut passed = 0;
    for _ in 0..200 {
        let origin = DVec3::from_array(std::array::from_fn(|_| random.uniform(-50.0, 50.0)));
        let inside = DVec3::new(2.0, 0.0, 0.0);
        let ray = towards(origin, (inside - origin) * 1e-200).unwrap();
        let (hits, _) = cast_all(&model, &here, &ray, &mut Workspace::default());
        // In and out again.
        assert!(hits.len() >= 2, "{ray:?} {hits:?}");
        passed += 1;
    }
    assert_eq!(passed, 200);
}

/// What the lab compares: oriented boxes keep a ray off more nodes than aligned ones do.
#[test]
fn oriented_boxes_need_fewer_tests_on_a_turned_torus() {
    let mesh = torus(96, 64);
    let models = models(&mesh);
    let mut random = Random::new(25);
    let mut workspace = Workspace::default();
    let mut work = vec![[Tally::default(); 2]; models.len()];
    let placement = common::placement(&turned(&mut random));
    let mut hits = 0;
    for _ in 0..300 {
        let mut point = || DVec3::from_array(std::array::from_fn(|_| random.uniform(-4.0, 4.0)));
        let ray = Ray::new(point(), point()).unwrap();
        for (model, work) in models.iter().zip(&mut work) {
            let (all, tally) = cast_all(model, &placement, &ray, &mut workspace);
            let (_, first) = cast_nearest(model, &placement, &ray, &mut workspace);
            work[0] += tally;
            work[1] += first;
            hits += all.len();
        }
    }
    for (model, [all, first]) in models.iter().zip(&work) {
        println!(
            "{:>9}: all {} volumes {} triangles; nearest {} {}",
            model.config().family.name(),
            all.volumes(),
            all.primitives,
            first.volumes(),
            first.primitives
        );
    }
    assert!(hits > 8 * 100, "{hits}");
    let of = |family| &work[Family::ALL.iter().position(|&f| f == family).unwrap()];
    assert!(of(Family::Obb)[0].primitives < of(Family::Aabb)[0].primitives);
    assert!(of(Family::Obb)[1].volumes() < of(Family::Obb)[0].volumes());
}

/// A number times 2^200, for which it must be whole.
fn whole(x: f64) -> IBig {
    IBig::try_from(x * 2_f64.powi(200)).unwrap()
}

/// How much of the segment lies on the side of the triangle's plane where it begins, exactly: a
/// numerator and a denominator, or none if its ends are not on different sides.
fn exact_fraction(triangle: &[[f64; 3]; 3], pose: &PlainPose, ray: &Ray) -> Option<[IBig; 2]> {
    let placed = triangle.map(|p| {
        let row =
            |i: usize| (0..3).fold(IBig::ZERO, |sum, j| sum + whole(pose.r[i][j]) * whole(p[j]));
        [0, 1, 2].map(|i| row(i) + (whole(pose.t[i]) << 200))
    });
    let minus = |p: &[IBig; 3]| [0, 1, 2].map(|i| &p[i] - &placed[0][i]);
    let (u, v) = (minus(&placed[1]), minus(&placed[2]));
    let [above, below] = [ray.from(), ray.to()].map(|end| {
        let w = minus(&end.to_array().map(|x| whole(x) << 200));
        (0..3).fold(IBig::ZERO, |sum, i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            sum + &w[i] * (&u[j] * &v[k] - &u[k] * &v[j])
        })
    });
    let apart =
        (above > IBig::ZERO && below < IBig::ZERO) || (above < IBig::ZERO && below > IBig::ZERO);
    apart.then(|| [above.clone().abs(), (above - below).abs()])
}

/// By how many roundings, relative to itself, a fraction is off.
fn roundings_off(fraction: f64, [part, all]: &[IBig; 2]) -> f64 {
    let error = (whole(fraction) * all - (part << 200)).abs() << 100;
    let share = (error / (part << 200)).to_f64().value();
    share / 2_f64.powi(100 - 53)
}

/// Two slivers, 10⁻⁵ long and 10⁻¹⁴ wide, whose planes are known to f64 only to five digits.
#[test]
fn slivers_keep_their_order() {
    let thin = 2.381_800_553_744_621e-15;
    let [one, two] = [1.000_000_000_000_000_2e-14, 2.000_000_000_000_000_3e-14];
    let soup = Soup::from_triangles(&[
        [[-1e-5, -thin, -two], [1e-5, 0.0, one], [-1e-5, thin, one]],
        [[1e-5, -thin, two], [0.0, 2.0 * thin, 0.0], [-2e-5, 2.0 * thin, one]],
    ]);
    let columns = DMat3::from_cols_array(&[
        0.414_437_005_849_102_9,
        0.856_965_548_532_779_7,
        -0.306_352_765_306_179_1,
        -0.502_673_191_791_142_6,
        -0.065_063_577_373_466_69,
        -0.862_024_589_645_720_3,
        -0.758_657_782_163_562_9,
        0.511_250_212_251_573_7,
        0.403_808_853_339_528_65,
    ]);
    let pose = PlainPose { r: columns.transpose().to_cols_array_2d(), t: [0.0; 3] };
    let ray = Ray::new(
        DVec3::new(
            1.926_376_283_616_385_4e-5,
            3.545_167_662_701_244_8e-6,
            4.042_181_006_740_271e-6,
        ),
        DVec3::new(
            -9.631_881_416_486_791e-6,
            -1.772_583_849_918_278_5e-6,
            -2.021_090_494_687_418_5e-6,
        ),
    )
    .unwrap();
    let models = models(&common::mesh(&soup));
    let (hits, _) = check(&soup, &models, &pose, &ray, &mut Workspace::default());
    let found: Vec<_> = hits.iter().map(|hit| (hit.triangle, hit.fraction)).collect();
    assert_eq!(found, [(0, 0.666_666_666_870_837_2), (1, 0.666_666_667_102_801)]);
}

/// Slivers that point along the ray, turned any way: every fraction is the exact one to within a
/// few roundings, where f64 alone would be off in the first digits.
#[test]
fn fractions_on_slivers_are_exact() {
    let mut random = Random::new(26);
    let mut workspace = Workspace::default();
    let (mut through, mut noisy, mut ordered, mut worst) = (0, 0, 0, 0.0_f64);
    for round in 0..1500 {
        let thin = 10_f64.powf(random.uniform(-13.0, -4.0));
        let size = 10_f64.powf(random.uniform(-5.0, 3.0));
        let mut at = |x: f64| {
            [x, random.range(-2, 2) as f64 * thin, random.range(-2, 2) as f64 * thin]
                .map(|x| x * size)
        };
        let ends = [at(2.0), at(-2.0)];
        let slivers: Vec<[[f64; 3]; 3]> = (0..6_u32)
            .map(|i| [0, 1, 2].map(|j| at(f64::from((7 * i + 3 * j) % 5) - 2.0)))
            .collect();
        let soup = Soup::from_triangles(&slivers);
        let mut pose = turned(&mut random);
        if round % 2 == 0 {
            pose.t = [0.0; 3];
        }
        let placement = common::placement(&pose);
        let [from, to] = ends.map(|p| placement.apply(DVec3::from_array(p)));
        let ray = Ray::new(from, to).unwrap();
        let models = models(&common::mesh(&soup));
        let (hits, _) = check(&soup, &models, &pose, &ray, &mut workspace);
        ordered += usize::from(hits.len() > 1);
        for hit in &hits {
            let triangle = soup.triangle(hit.triangle as usize);
            let Some(exact) = exact_fraction(&triangle, &pose, &ray) else { continue };
            let [a, b, c] = triangle.map(|p| placement.apply(DVec3::from_array(p)));
            let normal = (b - a).cross(c - a);
            let [above, below] = [from, to].map(|end| normal.dot(end - a));
            worst = worst.max(roundings_off(hit.fraction, &exact));
            through += 1;
            noisy += usize::from((above / (above - below) - hit.fraction).abs() > 1e-9);
        }
    }
    println!(
        "{through} through slivers, {noisy} of them noisy, {ordered} rays in order, {worst} roundings"
    );
    assert!(worst <= 4.0, "{worst}");
    assert!(through > 300 && noisy > 100 && ordered > 100, "{through} {noisy} {ordered}");
}

/// The fraction with the least denominator that is a number to within its rounding.
fn simplest(x: f64) -> (i64, i64) {
    let (mut n, mut m, mut rest) = ((1, 0), (0, 1), x);
    loop {
        let digit = rest.floor();
        n = (digit as i64 * n.0 + n.1, n.0);
        m = (digit as i64 * m.0 + m.1, m.0);
        if (n.0 as f64 / m.0 as f64 - x).abs() <= 4.0 * f64::EPSILON * x || rest == digit {
            return (n.0, m.0);
        }
        rest = 1.0 / (rest - digit);
    }
}

/// On a grid every fraction is a ratio of small numbers, so the oracle can say whether the triangle
/// is there and not a little before: also for rays in its plane, and for triangles that are
/// segments and points.
#[test]
fn fractions_on_the_grid_are_where_the_oracle_sees_them_first() {
    let mut random = Random::new(27);
    let mut workspace = Workspace::default();
    let (mut begun, mut later, mut within, mut degenerate) = (0, 0, 0, 0);
    for _ in 0..12 {
        let soup = grid_soup(&mut random, 150);
        let model = Model::new(common::mesh(&soup));
        for _ in 0..60 {
            let mut grid =
                || DVec3::from_array(std::array::from_fn(|_| random.range(-1, 7) as f64));
            let (from, mut to) = (grid(), grid());
            if random.one_in(2) {
                let axis = random.below(3) as usize;
                to[axis] = from[axis];
            }
            let ray = Ray::new(from, to).unwrap();
            let (hits, _) = cast_all(&model, &Pose::IDENTITY, &ray, &mut workspace);
            for hit in hits {
                let triangle = soup.triangle(hit.triangle as usize);
                let (n, m) = simplest(hit.fraction);
                assert!(m < 100_000, "{hit:?}");
                // Everything times m, and again, so that a little before is on the grid as well.
                let little = f64::from(1 << 16);
                let scale = m as f64 * little;
                let large = triangle.map(|p| p.map(|x| x * scale));
                let meets = |from: DVec3, to: DVec3| {
                    let segment = [from, to, to].map(|p| p.to_array());
                    relation(&large, &PlainPose::IDENTITY, &segment, &PlainPose::IDENTITY)
                        != Relation::Apart
                };
                let point = from * scale + (to - from) * (n as f64 * little);
                assert!(meets(point, point), "{hit:?} {ray:?} {triangle:?}");
                if n == 0 {
                    begun += 1;
                } else {
                    let before = point - (to - from);
                    assert!(!meets(from * scale, before), "{hit:?} {ray:?} {triangle:?}");
                    later += 1;
                }
                let [a, b, c] = triangle.map(DVec3::from_array);
                let normal = (b - a).cross(c - a);
                degenerate += usize::from(normal == DVec3::ZERO && n > 0);
                within += usize::from(
                    normal != DVec3::ZERO
                        && normal.dot(to - a) == 0.0
                        && normal.dot(from - a) == 0.0
                        && n > 0,
                );
            }
        }
    }
    println!(
        "{begun} at the beginning, {later} later: {within} within a plane, {degenerate} degenerate"
    );
    assert!(
        begun > 20 && later > 500 && within > 50 && degenerate > 50,
        "{begun} {later} {within} {degenerate}"
    );
}
