//! Rays against brute force with the rational oracle, for every family, and through seams.

mod common;

use elbowroom::descend::{Tally, Workspace};
use elbowroom::query::{Ray, RayErrorKind, RayHit, cast_all, cast_nearest};
use elbowroom::tree::Config;
use elbowroom::volume::Family;
use elbowroom::{Mesh, Model, Placement};
use elbowroom_testkit::brute::Soup;
use elbowroom_testkit::oracle::{Pose, Relation, relation};
use elbowroom_testkit::random::Random;
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

fn turned(random: &mut Random) -> Pose {
    let axis = DVec3::new(random.unit(), random.unit(), random.unit() + 0.1).normalize();
    let rotation = DMat3::from_axis_angle(axis, random.uniform(-3.0, 3.0));
    Pose {
        r: rotation.transpose().to_cols_array_2d(),
        t: std::array::from_fn(|_| random.uniform(-2.0, 2.0)),
    }
}

/// All casts agree with the oracle and with each other; the number of hits and the work by family.
fn check(
    soup: &Soup,
    models: &[Model],
    pose: &Pose,
    ray: &Ray,
    workspace: &mut Workspace,
) -> (Vec<RayHit>, Vec<[Tally; 2]>) {
    let segment = [ray.from(), ray.to(), ray.to()].map(|p| p.to_array());
    let expected: Vec<u32> = (0..soup.triangles.len())
        .filter(|&i| {
            relation(&soup.triangle(i), pose, &segment, &Pose::IDENTITY) != Relation::Apart
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

fn any_ray(random: &mut Random, soup: &Soup, placement: &Placement) -> Ray {
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
        let pose = if round % 2 == 0 { Pose::IDENTITY } else { turned(&mut random) };
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
            let (found, _) = check(&soup, &models, &Pose::IDENTITY, &ray, &mut workspace);
            assert!(found.iter().all(|hit| hit.fraction.is_finite() && hit.point.is_finite()));
            hits += found.len();
        }
    }
    assert!(hits > 80, "{hits}");
}

/// Every ray from outside a closed mesh to a point inside it must hit, also through edges and corners.
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
            let (hits, _) = cast_all(&model, &Placement::IDENTITY, &ray, &mut workspace);
            let (nearest, _) = cast_nearest(&model, &Placement::IDENTITY, &ray, &mut workspace);
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
        let (hits, _) = cast_all(&model, &Placement::IDENTITY, &ray, &mut Workspace::default());
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
    let here = Placement::IDENTITY;
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
