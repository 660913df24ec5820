//! Bodies that deform: every bound holds after every refit, and answers are those of brute force.

use elbowroom::internal::arch::SimdLevel;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, triangle_pairs};
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::{Aabb, Family, Kdop18};
use elbowroom::{Mesh, MeshErrorKind, Pose};
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::{LayerColumn, Layers};
use elbowroom_papers::sbbk::{collide_layered, intersects_layered, triangle_pairs_layered};
use elbowroom_testkit::brute::{Soup, all_pairs};
use elbowroom_testkit::data;
use elbowroom_testkit::oracle::PlainPose;
use elbowroom_testkit::random::Random;
use elbowroom_tests::common::{mesh, plain};
use glam::{DQuat, DVec3};

const HERE: Pose = Pose::IDENTITY;

/// Layerings that can follow, each family somewhere.
fn layerings() -> Vec<Layers> {
    let single = |family| Layers::single(family);
    [
        single(Family::Aabb),
        single(Family::Sphere),
        single(Family::Kdop14),
        single(Family::Kdop18),
        single(Family::Kdop24),
        single(Family::Kdop26),
        single(Family::Obb),
        Layers::sbbk(18, 1, 4),
        Layers::sbbk(26, 2, 3),
        Layers::hbbcd(1, 3),
        Layers::aabb_kdop(14, 3),
        Layers::new([(Family::Kdop24, 0), (Family::Sphere, 2), (Family::Aabb, 5)]),
        Layers::new([(Family::Obb, 0), (Family::Kdop18, 1), (Family::Sphere, 6)]),
    ]
    .map(|layering| layering.expect("good layers"))
    .into()
}

/// A square sheet of 2·n² triangles that waves as time goes on.
fn sheet(n: u32, time: f64) -> Soup {
    let vertices = (0..=n).flat_map(|i| {
        (0..=n).map(move |j| {
            let (x, y) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
            let z = 0.2 * (6.0 * x + 2.0 * time).sin() * (4.0 * y - time).cos();
            [x - 0.1 * z, y + 0.3 * z * x, z]
        })
    });
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let quads = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let triangles = quads.flat_map(|(i, j)| {
        [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]]
    });
    Soup { vertices: vertices.collect(), triangles: triangles.collect() }
}

fn points(soup: &Soup) -> Vec<DVec3> {
    soup.vertices.iter().map(|&v| DVec3::from_array(v)).collect()
}

fn soup_of(mesh: &Mesh) -> Soup {
    let vertices = mesh.vertices().iter().map(DVec3::to_array).collect();
    Soup { vertices, triangles: mesh.triangles().to_vec() }
}

fn checked(model: &HybridTree, what: &str) {
    model.validate().unwrap_or_else(|fault| panic!("{}, {what}: {fault}", model.layering()));
}

/// A waving sheet and a ball that breathes go through each other, and every layering sees what
/// brute force sees.
#[test]
fn a_waving_sheet_meets_a_breathing_ball_as_brute_force_says() {
    let ball = elbowroom_make::icosphere(6);
    let still = PlainPose::IDENTITY;
    let mut workspace = Workspace::default();
    let (mut pairs, mut clear) = (0, 0);
    let first = HybridTree::new(mesh(&sheet(14, 0.0)), &layerings()[0], &Config::default());
    let other = HybridTree::new(ball.clone(), &layerings()[0], &Config::default());
    let mut models: Vec<(HybridTree, HybridTree)> = layerings()
        .iter()
        .map(|layering| (first.with_layering(layering), other.with_layering(layering)))
        .collect();
    for frame in 0..12 {
        let time = f64::from(frame) * 0.7;
        let cloth = sheet(14, time);
        let radius = 0.25 + 0.1 * (3.0 * time).sin();
        let center = DVec3::new(0.5, 0.5, 0.1 * f64::from(frame) - 0.5);
        let moved: Vec<DVec3> = ball.vertices().iter().map(|&p| p * radius + center).collect();
        let body = ball.with_vertices(moved.clone()).expect("finite");
        let truth = all_pairs(&cloth, &still, &soup_of(&body), &still);
        for (a, b) in &mut models {
            a.refit(&points(&cloth)).expect("as many and finite");
            b.refit(&moved).expect("as many and finite");
            checked(a, "sheet");
            checked(b, "ball");
            let question = CollisionRequest::default();
            let answer = collide_layered(a, &HERE, b, &HERE, &question, &mut workspace);
            assert_eq!(plain(&answer.pairs), truth, "{}, frame {frame}", a.layering());
        }
        pairs += truth.len();
        clear += usize::from(truth.is_empty());
    }
    assert!(pairs > 300 && (1..11).contains(&clear), "{pairs} {clear}");
}

/// Bounds hold however large, small, far or crumpled a mesh becomes, and answers do not depend on
/// how it got there.
#[test]
fn bounds_hold_after_any_deformation() {
    let mut random = Random::new(17);
    let base = sheet(7, 0.0);
    let mut refits = 0;
    for layering in layerings() {
        for leaf in [1, 3] {
            let config = Config { leaf, ..Config::default().with_family(Family::Aabb) };
            let mut model = HybridTree::new(mesh(&base), &layering, &config);
            for (scale, far) in [
                (1.0, 0.0),
                (1e-3, 1e6),
                (1e150, 0.0),
                (1e-160, 0.0),
                (1e-310, 0.0),
                (1e306, 0.0),
                (2e307, 1.2e308),
                (0.0, 1.0),
                (1.0, 1e17),
            ] {
                let noise = |random: &mut Random| {
                    DVec3::from_array(std::array::from_fn(|_| random.uniform(-1.0, 1.0)))
                };
                let moved: Vec<DVec3> =
                    points(&base).iter().map(|&p| (p + noise(&mut random)) * scale + far).collect();
                model.refit(&moved).expect("finite");
                checked(&model, &format!("{scale} {far}"));
                // It meets itself, so no test may say otherwise.
                assert!(intersects_layered(&model, &HERE, &model, &HERE));
                refits += 1;
            }
        }
    }
    assert_eq!(refits, 13 * 2 * 9);
}

/// A box of a refitted column is the box of its triangles, and a k-DOP is wider by roundings only.
#[test]
fn refitted_volumes_are_tight() {
    let (base, moved) = (sheet(9, 0.0), sheet(9, 2.0));
    let mut boxes = HybridTree::new(
        mesh(&base),
        &Layers::single(Family::Aabb).expect("good"),
        &Config::default(),
    );
    let mut kdops = boxes.with_layering(&Layers::single(Family::Kdop18).expect("good"));
    boxes.refit(&points(&moved)).expect("finite");
    kdops.refit(&points(&moved)).expect("finite");
    let ([LayerColumn::Aabb(boxes)], [LayerColumn::Kdop18(slabs)]) =
        (boxes.layers().columns(), kdops.layers().columns())
    else {
        panic!("one layer each");
    };
    let moved = mesh(&moved);
    let mut seen = 0;
    for node in kdops.tree().nodes() {
        let corners: Vec<DVec3> =
            kdops.tree().members(node).iter().flat_map(|&i| moved.triangle(i as usize)).collect();
        assert_eq!(boxes.as_slice()[node.index()], Aabb::of_points(&corners));
        let (found, tight) = (slabs.as_slice()[node.index()], Kdop18::of_points(&corners));
        for (i, ([low, high], [least, most])) in found.slabs.iter().zip(tight.slabs).enumerate() {
            let wider = if i < 3 { 0.0 } else { 1e-14 };
            assert!(*low <= least && least - low <= wider && *high >= most && high - most <= wider);
        }
        seen += 1;
    }
    assert_eq!(seen, 2 * 162 - 1);
}

/// All volumes of a model, as bits.
fn bits(model: &HybridTree) -> Vec<u64> {
    let mut bits = Vec::new();
    for node in model.tree().nodes() {
        let at = model.layers().place(node);
        let volume = model.layers().columns()[at.layer as usize].boxed(at.slot);
        bits.extend(volume.center.to_array().map(f64::to_bits));
        bits.extend(volume.half.to_array().map(f64::to_bits));
        if let LayerColumn::Kdop18(slabs) = &model.layers().columns()[at.layer as usize] {
            let slabs = slabs.as_slice()[at.slot as usize].slabs;
            bits.extend(slabs.as_flattened().iter().map(|bound| bound.to_bits()));
        }
    }
    bits
}

/// Same bits on every instruction set and, with the feature `parallel`, on any number of threads.
#[test]
fn bits_do_not_depend_on_lanes_or_threads() {
    let moved = points(&sheet(60, 1.3));
    let mut compared = 0;
    for layering in layerings() {
        let mut model = HybridTree::new(mesh(&sheet(60, 0.0)), &layering, &Config::default());
        model.refit_on(&moved, SimdLevel::Portable).expect("finite");
        checked(&model, "portable");
        let first = bits(&model);
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_here()) {
            for threads in [1, 2, 5] {
                model.refit(&points(&sheet(60, 0.0))).expect("finite");
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let pool = pool.expect("threads");
                pool.install(|| model.refit_on(&moved, level)).expect("finite");
                assert!(bits(&model) == first, "{layering}, {level:?}, {threads} threads");
                compared += 1;
            }
        }
    }
    assert!(compared >= 13 * 3, "{compared}");
}

/// In one frame, a pair of triangles that SBBK tests is one that the tree of boxes tests as well.
#[test]
fn sbbk_never_tests_more_triangles_than_boxes_do() {
    let mut workspace = Workspace::default();
    let (mut queries, mut fewer, mut pairs) = (0, 0, [0; 2]);
    let bodies = [
        elbowroom_make::monkey_head(3),
        elbowroom_make::torus(0.8, 0.3, 30, 12),
        mesh(&sheet(16, 0.4)),
    ];
    let mut random = Random::new(8);
    for (i, body) in bodies.iter().enumerate() {
        let other = &bodies[(i + 1) % 3];
        let boxes = [body, other].map(|mesh| {
            HybridTree::new(
                mesh.clone(),
                &Layers::single(Family::Aabb).expect("good"),
                &Config::default(),
            )
        });
        for k in [14, 18, 24, 26] {
            let layering = Layers::sbbk(k, 1, 4).expect("good layers");
            let mut layered = boxes.clone().map(|model| model.with_layering(&layering));
            let mut boxes = boxes.clone();
            for _ in 0..12 {
                let mut unit = || random.uniform(-1.0, 1.0);
                let turn = DQuat::from_xyzw(unit(), unit(), unit(), unit()).normalize();
                let step = DVec3::new(unit(), unit(), unit()) * 0.7;
                let moved: Vec<DVec3> = other.vertices().iter().map(|&p| turn * p + step).collect();
                boxes[1].refit(&moved).expect("finite");
                layered[1].refit(&moved).expect("finite");
                let question = CollisionRequest::default();
                let [x, y] = [&boxes, &layered]
                    .map(|[a, b]| collide_layered(a, &HERE, b, &HERE, &question, &mut workspace));
                assert_eq!(x.pairs, y.pairs);
                assert!(y.tally.primitives <= x.tally.primitives, "{layering}");
                fewer += u32::from(y.tally.primitives < x.tally.primitives);
                queries += 1;
                pairs[0] += x.tally.primitives;
                pairs[1] += y.tally.primitives;
            }
        }
    }
    println!("pairs of triangles: AABB {}, SBBK {}, in {queries} queries", pairs[0], pairs[1]);
    assert!(queries == 144 && fewer > 70, "{queries} {fewer}");
}

/// Triangles that were copies when the tree was grown are not any more when one has moved.
#[test]
fn copies_that_part_are_told_apart() {
    let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let vertices = [triangle, triangle, triangle].concat();
    let both = Mesh::new(vertices.clone(), vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]]).expect("a mesh");
    for layering in layerings() {
        let mut soup = HybridTree::new(both.clone(), &layering, &Config::default());
        let one = soup.clone();
        assert_eq!(triangle_pairs_layered(&soup, &HERE, &one, &HERE).len(), 9);
        let mut moved = vertices.clone();
        for p in &mut moved[3..6] {
            *p += DVec3::Z;
        }
        soup.refit(&moved).expect("finite");
        checked(&soup, "parted");
        let found: Vec<u32> =
            triangle_pairs_layered(&soup, &HERE, &one, &HERE).iter().map(|p| p.a).collect();
        assert_eq!(found, [0, 0, 0, 2, 2, 2], "{layering}");
        soup.refit(&vertices).expect("finite");
        assert_eq!(triangle_pairs_layered(&soup, &HERE, &one, &HERE).len(), 9);
    }
}

#[test]
fn bad_vertices_are_refused_and_change_nothing() {
    let base = sheet(4, 0.0);
    let mut model = HybridTree::new(mesh(&base), &layerings()[7], &Config::default());
    let before = bits(&model);
    let error = model.refit(&points(&base)[1..]).unwrap_err();
    assert_eq!(error.kind(), &MeshErrorKind::WrongCount { given: 24, expected: 25 });
    assert!(error.to_string().contains("24 vertices"), "{error}");
    for bad in [f64::NAN, f64::INFINITY] {
        let mut vertices = points(&sheet(4, 1.0));
        vertices[7].y = bad;
        let error = model.refit(&vertices).unwrap_err();
        let is_it = matches!(error.kind(), MeshErrorKind::NonFinite { vertex: 7, axis: 1, .. });
        assert!(is_it, "{error}");
    }
    assert!(bits(&model) == before);
    assert_eq!(model.mesh(), &mesh(&base));
}

/// A vertex that no triangle names may be anywhere.
#[test]
fn stray_vertices_do_not_count() {
    let mut vertices = points(&sheet(5, 0.0));
    vertices.push(DVec3::splat(1e300));
    let strayed = Mesh::new(vertices.clone(), sheet(5, 0.0).triangles).expect("a mesh");
    for layering in layerings() {
        let mut model = HybridTree::new(strayed.clone(), &layering, &Config::default());
        model.refit(&vertices).expect("finite");
        checked(&model, "strayed");
        let above = Pose::from_translation(DVec3::Z * 0.5).expect("finite");
        assert!(triangle_pairs_layered(&model, &HERE, &model, &above).is_empty());
        assert!(model.bounds().max.max_element() < 2.0);
    }
}

/// Real cloth over two frames, refitted from one to the other: as packed trees of the second frame,
/// and as brute force where that ends in time.
#[test]
fn simulated_cloth_is_followed() {
    let Some(shared) = data::shared_dir() else {
        return data::skip_note("simulated_cloth_is_followed");
    };
    let (mut scenes, mut triangles, mut met) = (0, 0, 0);
    for scene in 0..data::cloth::SCENES.len() {
        let frames = data::cloth::load(&shared, scene);
        let bodies = data::cloth::bodies(&frames[0]);
        let part = |frame: &Soup, body: &[Vec<u32>]| {
            let pick = body.iter().flatten().map(|&i| frame.triangles[i as usize]);
            Soup { vertices: frame.vertices.clone(), triangles: pick.collect() }
        };
        let [cloth, rest] =
            [&bodies[..1], &bodies[1..]].map(|body| frames.each_ref().map(|f| part(f, body)));
        let layering = Layers::sbbk(18, 1, 5).expect("good layers");
        // Nearer than they ever get, so that there is something to find: the cloth is let sink in.
        let sunk = Pose::from_translation(DVec3::new(0.0, -0.01, 0.0)).expect("finite");
        let config = Config::default().with_family(Family::Aabb);
        let mut models =
            [&cloth, &rest].map(|frames| HybridTree::new(mesh(&frames[0]), &layering, &config));
        for (model, frames) in models.iter_mut().zip([&cloth, &rest]) {
            model.refit(&points(&frames[1])).expect("finite");
            checked(model, data::cloth::SCENES[scene].0);
        }
        let packed = [&cloth, &rest].map(|frames| Model::new(mesh(&frames[1])));
        for place in [HERE, sunk] {
            let found = triangle_pairs_layered(&models[0], &place, &models[1], &HERE);
            let expected = triangle_pairs(&packed[0], &place, &packed[1], &HERE);
            assert_eq!(found, expected, "{}", data::cloth::SCENES[scene].0);
            met += found.len();
        }
        if scene == 0 {
            let still = PlainPose::IDENTITY;
            let truth = all_pairs(&cloth[1], &still, &rest[1], &still);
            let found = triangle_pairs_layered(&models[0], &HERE, &models[1], &HERE);
            assert_eq!(plain(&found), truth);
        }
        triangles += models.iter().map(|model| model.mesh().triangles().len()).sum::<usize>();
        scenes += 1;
    }
    println!("{scenes} scenes, {triangles} triangles, {met} pairs met");
    assert!(scenes == 3 && triangles > 130_000 && met > 100, "{scenes} {triangles} {met}");
}
