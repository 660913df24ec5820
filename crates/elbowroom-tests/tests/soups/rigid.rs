//! Rigid models: packed and readable trees, built, stored and loaded, serial and on threads.

use std::ops::ControlFlow;
use std::sync::Arc;

use elbowroom::internal::arch::SimdLevel;
use elbowroom::internal::bvh::{BuildConfig, Packed};
use elbowroom::internal::exact::{PlacedTriangle, relate};
use elbowroom::internal::model::MeshTopology;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{
    CollisionRequest, Neighbours, QueryOptions, Ray, TrianglePair, Want, Witness, all_nearer,
    cast_all, cast_nearest, collide, collide_self, distance, intersects_again, is_nearer, query,
    solids, visit, visit_self,
};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Aabb, Mesh, Pose, Relation};
use elbowroom_testkit::brute::candidates;
use elbowroom_testkit::oracle::{self, PlainPose, meet_beyond_shared};
use elbowroom_testkit::random::Random;
use elbowroom_testkit::soups::{Kind, Pair, pair};
use glam::DVec3;

use crate::for_each_pair;
use crate::truth::{Scene, meeting, swapped};
use elbowroom_tests::common::{configs, plain};

/// Ways to build a packed tree that take other paths through the builder.
fn build_configs() -> [BuildConfig; 5] {
    let base = BuildConfig::default();
    [
        base,
        BuildConfig { leaf: 1, ..base },
        BuildConfig { leaf: 7, join: 100.0, ..base },
        BuildConfig { few: 1, chunk: 16, ..base },
        BuildConfig { few: 8, chunk: 16, join: 0.0, ..base },
    ]
}

/// Models of a mesh by every way to make one, checked; the round chooses among many settings.
fn models(mesh: &Mesh, round: usize) -> Vec<(&'static str, Model)> {
    let config = configs()[round % configs().len()];
    let pattern = Arc::new(MeshTopology::new(shrunk(mesh)));
    let mut models = vec![
        ("packed", Model::new(mesh.clone())),
        ("packed from a readable tree", Model::packed_from(mesh.clone(), &config)),
        ("readable", Model::with_config(mesh.clone(), &config)),
        ("of a pattern", pattern.model(mesh.vertices().to_vec()).expect("finite")),
    ];
    let build = build_configs()[round % 5];
    if let Some(packed) = Packed::build_with(mesh, &build, SimdLevel::best()) {
        let bytes = packed.to_bytes(mesh);
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_here()) {
            let other = Packed::build_with(mesh, &build, level).expect("as large on each");
            assert!(other.to_bytes(mesh) == bytes, "{level:?} builds another tree");
        }
        let loaded = Packed::from_bytes(&bytes, mesh).expect("its own bytes");
        models.push(("stored and loaded", Model::from_packed(mesh.clone(), loaded)));
    }
    for (name, model) in &models {
        if let Some(packed) = model.packed() {
            packed.validate(mesh).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        }
        if *name != "packed" {
            model.validate().unwrap_or_else(|fault| panic!("{name}: {fault}"));
        }
    }
    models
}

/// Triangles elsewhere: a topology is made of them before its vertices move.
fn shrunk(mesh: &Mesh) -> Mesh {
    let vertices = mesh.vertices().iter().map(|&v| DVec3::new(v.y, v.x, v.z) * 0.5).collect();
    mesh.with_vertices(vertices).expect("finite")
}

/// Asks in every way whether, where and how often two models meet.
fn check_meeting(
    [a, b]: [&Model; 2],
    scene: &Scene,
    truth: &[TrianglePair],
    workspace: &mut Workspace,
) {
    let (place_a, place_b) = (&scene.place_a, &scene.place_b);
    let mut put = |what| {
        let question = CollisionRequest { want: what, ..CollisionRequest::default() };
        collide(a, place_a, b, place_b, &question, workspace)
    };
    assert_eq!(put(Want::All).pairs, truth);
    let crossing = truth.iter().filter(|pair| pair.relation == Relation::Crossing).count();
    let counted = put(Want::Count);
    assert_eq!(counted.crossing, crossing as u64);
    assert_eq!(counted.count(), truth.len() as u64);
    let first = put(Want::First).pairs;
    assert_eq!(first.len(), truth.len().min(1));
    assert!(first.iter().all(|pair| truth.contains(pair)));
    assert_eq!(put(Want::Any).is_contact(), !truth.is_empty());
    let mut seen = Vec::new();
    let flow = visit(a, place_a, b, place_b, workspace, |pair| {
        seen.push(pair);
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    seen.sort_unstable();
    assert_eq!(seen, truth);
    let other = collide(b, place_b, a, place_a, &CollisionRequest::default(), workspace);
    assert_eq!(other.pairs, swapped(truth));
    let mut witness = Witness::default();
    for _ in 0..2 {
        let again = intersects_again(a, place_a, b, place_b, &mut witness, workspace);
        assert_eq!(again, !truth.is_empty());
    }
}

#[test]
fn pairs_of_triangles() {
    let mut workspace = Workspace::default();
    let (mut met, mut crossed, mut asked, mut round) = (0, 0, 0, 0);
    for_each_pair(0x0051_7e57, 1, 40, |kind, pair, _| {
        let scene = Scene::new(pair);
        let truth = meeting(pair, &scene);
        let (models_a, models_b) = (models(&scene.a, round), models(&scene.b, round / 3));
        for (name, a) in &models_a {
            let b = models_b.iter().find(|(other, _)| other == name).unwrap_or(&models_b[0]);
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                check_meeting([a, &b.1], &scene, &truth, &mut workspace);
            }));
            assert!(result.is_ok(), "{name}, {kind:?}, round {round}: {pair:?}");
            asked += 1;
        }
        // Trees of different makes meet as well.
        check_meeting([&models_a[0].1, &models_b[2].1], &scene, &truth, &mut workspace);
        met += truth.len();
        crossed += truth.iter().filter(|pair| pair.relation == Relation::Crossing).count();
        round += 1;
    });
    println!("{asked} questions, {met} pairs of triangles met, {crossed} of them crossing");
    assert!(met > 4 * round && crossed > 3 * round && met > crossed, "{met} {crossed}");
    assert!(asked >= 4 * round, "{asked}");
}

/// Up to 5,000 triangles on a side: chunks, islands and builds on several threads.
#[test]
fn large_soups() {
    let mut workspace = Workspace::default();
    let (mut met, mut triangles, mut rounds) = (0, 0, 0);
    for_each_pair(0x1a_49e, 40, 5000, |kind, pair, _| {
        // All of these meet all others: millions of pairs.
        if matches!(kind, Kind::Dense | Kind::Lattice | Kind::Degenerate | Kind::Copies) {
            return;
        }
        let scene = Scene::new(pair);
        let truth = meeting(pair, &scene);
        let [a, b] = [&scene.a, &scene.b].map(|mesh| {
            let model = Model::new(mesh.clone());
            if let Some(packed) = model.packed() {
                packed.validate(mesh).unwrap_or_else(|fault| panic!("{kind:?}: {fault}"));
                let bytes = packed.to_bytes(mesh);
                for threads in [1, 3] {
                    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                    let other = pool.expect("threads").install(|| Packed::build(mesh));
                    assert!(other.expect("built before").to_bytes(mesh) == bytes, "{threads}");
                }
            }
            model
        });
        check_meeting([&a, &b], &scene, &truth, &mut workspace);
        met += truth.len();
        triangles += scene.a.triangles().len() + scene.b.triangles().len();
        rounds += 1;
    });
    println!("{rounds} pairs of soups of {triangles} triangles, {met} pairs met");
    assert!(rounds >= 10 && met > 5 * rounds && triangles > 1000 * rounds, "{met} {triangles}");
}

/// Nearest pairs, the clearance and all pairs within it, bit for bit those of brute force.
#[test]
fn distances() {
    let mut workspace = Workspace::default();
    let (mut apart, mut zero, mut listed, mut round) = (0, 0, 0, 0);
    for_each_pair(0xd157, 2, 16, |kind, pair, random| {
        let scene = Scene::new(pair);
        let gaps = scene.gaps();
        let least = gaps.iter().map(|gap| gap.distance).fold(f64::INFINITY, f64::min);
        let clearance = gaps[random.below(gaps.len() as u64) as usize].distance;
        let within: Vec<_> = gaps
            .iter()
            .filter(|gap| gap.distance <= clearance)
            .map(|gap| (gap.a, gap.b, gap.distance))
            .collect();
        for (name, a) in models(&scene.a, round) {
            let b = Model::new(scene.b.clone());
            let (here, there) = (&scene.place_a, &scene.place_b);
            let nearest = distance(&a, here, &b, there, f64::INFINITY, &mut workspace);
            let nearest = nearest.expect("nothing is farther than infinity");
            assert_eq!(nearest.distance, least, "{name}, {kind:?}, {pair:?}");
            let back = distance(&b, there, &a, here, f64::INFINITY, &mut workspace);
            assert_eq!(back.expect("as well").distance, least, "{name}, {kind:?}, {pair:?}");
            let limited = distance(&a, here, &b, there, 0.9 * least, &mut workspace);
            assert_eq!(limited.is_some(), least == 0.0, "{name}, {kind:?}");
            let near = all_nearer(&a, here, &b, there, clearance, &mut workspace);
            let near: Vec<_> = near.iter().map(|pair| (pair.a, pair.b, pair.distance)).collect();
            assert_eq!(near, within, "{name}, {kind:?}, {pair:?}");
            assert!(is_nearer(&a, here, &b, there, clearance, &mut workspace));
            let below = least.next_down();
            assert!(!is_nearer(&a, here, &b, there, below, &mut workspace), "{name}, {kind:?}");
        }
        if least > 0.0 {
            apart += 1;
        } else {
            zero += 1;
        }
        listed += within.len();
        round += 1;
    });
    println!("{apart} apart, {zero} in contact, {listed} pairs within a clearance");
    assert!(
        apart > round / 5 && zero > round / 5 && listed > 10 * round,
        "{apart} {zero} {listed}"
    );
}

/// What the oracle says of two triangles of one mesh, as far as it counts.
fn own(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3], neighbours: Neighbours) -> oracle::Relation {
    let counts = match neighbours {
        Neighbours::Decide => meet_beyond_shared(a, b),
        Neighbours::Skip => !a.iter().any(|p| b.contains(p)),
        Neighbours::Count => true,
    };
    if counts {
        oracle::relation(a, &PlainPose::IDENTITY, b, &PlainPose::IDENTITY)
    } else {
        oracle::Relation::Apart
    }
}

#[test]
fn one_soup_with_itself() {
    let mut workspace = Workspace::default();
    let (mut met, mut clear, mut round) = (0, 0, 0);
    for_each_pair(0x5e1f, 2, 24, |kind, pair, _| {
        let soup = &pair.a;
        let scene = Scene::new(pair);
        let neighbours = [Neighbours::Decide, Neighbours::Skip, Neighbours::Count][round % 3];
        let mut truth = Vec::new();
        for (i, j) in candidates(soup, &PlainPose::IDENTITY, soup, &PlainPose::IDENTITY) {
            if i < j {
                let [a, b] = [i, j].map(|index| soup.triangle(index as usize));
                match own(&a, &b, neighbours) {
                    oracle::Relation::Apart => {}
                    relation => truth.push((i, j, relation)),
                }
            }
        }
        for (name, model) in models(&scene.a, round) {
            let all = collide_self(&model, Want::All, neighbours, &mut workspace);
            assert_eq!(plain(&all.pairs), truth, "{name}, {kind:?}, {neighbours:?}, {soup:?}");
            for what in [Want::Any, Want::First, Want::Count] {
                let answer = collide_self(&model, what, neighbours, &mut workspace);
                assert_eq!(answer.is_contact(), !truth.is_empty(), "{name}, {kind:?}, {what:?}");
                if what == Want::Count {
                    assert_eq!(answer.count(), truth.len() as u64);
                }
            }
            let mut seen = 0;
            let flow = visit_self(&model, neighbours, &mut workspace, |_| {
                seen += 1;
                ControlFlow::Continue(())
            });
            assert!(flow.is_continue() && seen == truth.len(), "{name}, {kind:?}");
        }
        met += truth.len();
        clear += usize::from(truth.is_empty());
        round += 1;
    });
    println!("{met} pairs of triangles of one soup met, {clear} soups are clear of themselves");
    assert!(met > 4 * round && clear > round / 20, "{met} {clear}");
}

/// Rays from and to points around the soup, half of them aimed at a triangle.
#[test]
fn rays() {
    let mut workspace = Workspace::default();
    let (mut hits, mut misses, mut round) = (0, 0, 0);
    for_each_pair(0x4a7, 2, 40, |kind, pair, random| {
        let scene = Scene::new(pair);
        let Aabb { min: low, max: high } = scene.a.bounds();
        let size = (high - low).max_element().max(1e-9 * high.abs().max_element());
        let mut point = || {
            let at = DVec3::from_array(std::array::from_fn(|_| random.uniform(-1.0, 2.0)));
            low + at * size
        };
        let aimed = scene.a.triangle(round % scene.a.triangles().len());
        let middle = (aimed[0] + aimed[1] + aimed[2]) / 3.0;
        let (from, beyond) = (point(), point());
        let to = if round % 2 == 0 { from + 2.0 * (middle - from) } else { beyond };
        let Ok(ray) = Ray::new(from, to) else { return };
        let here = Pose::IDENTITY;
        let segment = PlacedTriangle::new(&here, [from, to, to]);
        let truth: Vec<u32> = (0..scene.a.triangles().len() as u32)
            .filter(|&index| {
                let triangle = PlacedTriangle::new(&here, scene.a.triangle(index as usize));
                relate(&segment, &triangle) != Relation::Apart
            })
            .collect();
        for (name, model) in models(&scene.a, round) {
            let (all, _) = cast_all(&model, &here, &ray, &mut workspace);
            let mut found: Vec<u32> = all.iter().map(|hit| hit.triangle).collect();
            found.sort_unstable();
            assert_eq!(found, truth, "{name}, {kind:?}, {ray:?} {pair:?}");
            let (nearest, _) = cast_nearest(&model, &here, &ray, &mut workspace);
            assert_eq!(nearest, all.first().copied(), "{name}, {kind:?}, {ray:?}");
        }
        hits += truth.len();
        misses += scene.a.triangles().len() - truth.len();
        round += 1;
    });
    println!("{hits} triangles hit, {misses} missed");
    assert!(hits > round / 2 && misses > 5 * round, "{hits} {misses}");
}

/// As solids, soups answer the same in both orders and contain what their surfaces say. Boxes,
/// which are closed, are exact.
#[test]
fn as_solids() {
    let mut workspace = Workspace::default();
    let (mut exact, mut estimated, mut contacts, mut round) = (0, 0, 0, 0);
    for_each_pair(0x50_11d, 4, 24, |kind, pair, _| {
        let scene = Scene::new(pair);
        let surfaces = !meeting(pair, &scene).is_empty();
        let [a, b] = [&scene.a, &scene.b].map(|mesh| Model::new(mesh.clone()));
        let (here, there) = (&scene.place_a, &scene.place_b);
        let one = solids(&a, here, &b, there, &mut workspace);
        let other = solids(&b, there, &a, here, &mut workspace);
        assert_eq!(
            (one.both, one.only_a, one.only_b, one.certainty.is_exact()),
            (other.both, other.only_b, other.only_a, other.certainty.is_exact()),
            "{kind:?}, {pair:?}"
        );
        let reply = query(&a, here, &b, there, &QueryOptions::KIND.solid(), &mut workspace);
        assert_eq!(reply.is_contact, surfaces || one.both, "{kind:?}, {pair:?}");
        if kind == Kind::Boxes {
            assert!(one.certainty.is_exact(), "{pair:?}");
            exact += 1;
        }
        estimated += u32::from(!one.certainty.is_exact());
        contacts += u32::from(reply.is_contact);
        round += 1;
    });
    println!("{exact} exact, {estimated} estimated, {contacts} contacts");
    assert!(exact >= round / 15 && estimated > round / 3 && contacts > round / 3, "{estimated}");
}

/// The smallest soups that a packed tree once answered wrongly, as they were found.
#[test]
fn once_missed() {
    let five = [
        [[3.322, 3.782, 3.636], [3.04, 3.694, 3.453], [3.042, 3.406, 3.703]],
        [[0.937, 2.5, 0.648], [0.458, 2.216, 0.648], [0.671, 2.267, 0.367]],
        [[1.162, 1.974, 3.385], [1.072, 2.329, 3.826], [1.015, 2.318, 3.487]],
        [[3.736, 3.01, 2.189], [3.54, 2.822, 2.248], [3.756, 3.027, 2.505]],
        [[0.105, 0.149, 4.054], [0.565, 0.294, 4.157], [0.123, -0.093, 3.827]],
    ];
    let one = [[[3.284, 3.636, 3.729], [3.046, 3.528, 3.741], [2.886, 3.48, 3.26]]];
    let soups = [&five[..], &one[..]].map(elbowroom_testkit::brute::Soup::from_triangles);
    let [a, b] = soups;
    let pair = Pair { a, pose_a: PlainPose::IDENTITY, b, pose_b: PlainPose::IDENTITY };
    let scene = Scene::new(&pair);
    let truth = meeting(&pair, &scene);
    assert_eq!(truth, [TrianglePair { a: 0, b: 0, relation: Relation::Crossing }]);
    let [a, b] = [&scene.a, &scene.b].map(|mesh| Model::new(mesh.clone()));
    check_meeting([&a, &b], &scene, &truth, &mut Workspace::default());
}

/// The trees of one soup are the same bytes however often they are built, and its copies, which no
/// cut can tell apart, are found together.
#[test]
fn many_copies() {
    let mut random = Random::new(0x00c0_b1e5);
    let mut workspace = Workspace::default();
    let mut met = 0;
    for most in [3, 40, 700] {
        let pair = pair(Kind::Copies, &mut random, most);
        let scene = Scene::new(&pair);
        let truth = meeting(&pair, &scene);
        let [a, b] = [&scene.a, &scene.b].map(|mesh| Model::new(mesh.clone()));
        check_meeting([&a, &b], &scene, &truth, &mut workspace);
        met += truth.len();
    }
    assert!(met > 0);
}
