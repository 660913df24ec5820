//! Oriented boxes around footprints: full and projected ones are exact, contours are bounds, at
//! every level.

use elbowroom::Mesh;
use elbowroom::internal::bvh::{Config, Triangles, validate};
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom_make::{cuboid, icosphere, torus};
use elbowroom_motion::footprint::{BoxParts, BoxWork, Boxes, Look, Nearness, ask_boxes};
use elbowroom_testkit::random::Random;
use elbowroom_tests::footprint_common::{people, placement};
use glam::{DVec2, DVec3};

const PARTS: [BoxParts; 3] = [BoxParts::Full, BoxParts::Contour, BoxParts::Projected];

fn flat(mesh: &Mesh) -> Mesh {
    let points = mesh.vertices().iter().map(|p| p.truncate().extend(0.0)).collect();
    mesh.with_vertices(points).expect("finite")
}

#[test]
fn full_and_projected_are_exact_and_contours_bound_them() {
    let meshes = people(3);
    let in_space: Vec<Model> = meshes.iter().cloned().map(Model::new).collect();
    let from_above: Vec<Model> = meshes.iter().map(|mesh| Model::new(flat(mesh))).collect();
    let boxes = PARTS.map(|parts| -> Vec<Boxes> {
        meshes.iter().map(|mesh| Boxes::of_mesh(mesh, parts).expect("a mesh")).collect()
    });
    let mut random = Random::new(4);
    let mut work = BoxWork::default();
    let (mut touching, mut over, mut clear, mut loose) = (0, 0, 0, 0);
    for _ in 0..1200 {
        let (i, j) = (random.below(6) as usize, random.below(6) as usize);
        let mut place = || {
            let at = DVec2::new(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5));
            Planar::from_angle(random.uniform(-4.0, 4.0), at).expect("a place")
        };
        let (a, b) = (place(), place());
        let meet = |models: &[Model]| {
            query::intersects(&models[i], &placement(&a), &models[j], &placement(&b))
        };
        let (full, seen) = (meet(&in_space), meet(&from_above));
        assert!(seen || !full);
        touching += u32::from(full);
        over += u32::from(seen && !full);
        for level in [Some(0), Some(1), Some(3), Some(6), None] {
            let look = Look { level, ..Look::default() };
            let answers = [0, 1, 2].map(|kind| {
                let (first, second) = (&boxes[kind][i], &boxes[kind][j]);
                let there = ask_boxes(first, &a, second, &b, &look, &mut work);
                assert_eq!(there, ask_boxes(second, &b, first, &a, &look, &mut work));
                there == Nearness::MayTouch
            });
            assert!((answers[0] || !full) && (answers[1] || !seen) && (answers[2] || !seen));
            clear += answers.iter().filter(|touch| !**touch).count();
            if level.is_none() {
                assert_eq!((answers[0], answers[2]), (full, seen));
                loose += u32::from(answers[1] && !seen);
            }
        }
        // The two see different parts from above.
        let look = Look::default();
        let mixed = [(0, 1), (1, 2), (2, 0)].map(|(m, n)| {
            ask_boxes(&boxes[m][i], &a, &boxes[n][j], &b, &look, &mut work) == Nearness::MayTouch
        });
        assert!(mixed.iter().all(|&touch| touch || !seen));
        assert!(mixed.iter().all(|&touch| !touch || seen), "{mixed:?}");
    }
    assert!(touching > 300 && over > 50 && clear > 2000, "{touching} {over} {clear}");
    assert!(loose <= 1 && work.tests > 100_000 && work.leaf_tests > 5000, "{loose} {work:?}");
}

#[test]
fn trees_are_sound_and_hold_what_they_say() {
    for mesh in people(1) {
        for parts in PARTS {
            let boxes = Boxes::of_mesh(&mesh, parts).expect("a mesh");
            assert_eq!(boxes.parts(), parts);
            let config = Config::rapid();
            let source = Triangles::new(boxes.leaves(), &config);
            validate(boxes.tree(), boxes.column(), &source).expect("a sound tree");
            let leaves = match parts {
                BoxParts::Contour => boxes.contour().expect("a contour").segments().count(),
                _ => mesh.triangles().len(),
            };
            assert_eq!(boxes.tree().len(), 2 * leaves - 1);
        }
        let raw = Boxes::new(mesh.vertices(), mesh.triangles(), BoxParts::Full).expect("a mesh");
        assert_eq!(raw.leaves(), &mesh);
        let error = Boxes::new(mesh.vertices(), &[[0, 1, u32::MAX]], BoxParts::Contour);
        assert!(error.is_err());
    }
}

#[test]
fn a_body_within_the_ring_of_another_is_found() {
    let (large, small) = (cuboid(DVec3::splat(4.0)), icosphere(4));
    let tyre = torus(4.0, 1.0, 64, 32);
    let lying = tyre.vertices().iter().map(|p| DVec3::new(p.x, -p.z, p.y)).collect();
    let tyre = tyre.with_vertices(lying).expect("a tyre that lies");
    let mut work = BoxWork::default();
    let mut ask = |a: &Mesh, b: &Mesh, x: f64, parts: BoxParts| {
        let [a, b] = [a, b].map(|mesh| Boxes::of_mesh(mesh, parts).expect("a mesh"));
        let place = Planar::from_angle(0.3, DVec2::new(x, 0.0)).expect("a place");
        let first = ask_boxes(&a, &Planar::IDENTITY, &b, &place, &Look::default(), &mut work);
        let back = ask_boxes(&b, &place, &a, &Planar::IDENTITY, &Look::default(), &mut work);
        assert_eq!(first, back);
        first == Nearness::MayTouch
    };
    for parts in [BoxParts::Contour, BoxParts::Projected] {
        assert!(ask(&large, &small, 0.0, parts) && ask(&large, &small, 4.9, parts));
        assert!(!ask(&large, &small, 12.0, parts));
        assert!(!ask(&tyre, &small, 0.0, parts) && ask(&tyre, &small, 2.9, parts));
    }
    // In space only surfaces count.
    assert!(!ask(&large, &small, 0.0, BoxParts::Full) && !ask(&tyre, &small, 0.0, BoxParts::Full));
}

#[test]
fn margins_are_kept() {
    let ball = icosphere(8);
    let mut work = BoxWork::default();
    for parts in PARTS {
        let boxes = Boxes::of_mesh(&ball, parts).expect("a mesh");
        let mut is_clear = |x: f64, margin: f64| {
            let place = Planar::from_angle(0.0, DVec2::new(x, 0.0)).expect("a place");
            let look = Look { margin, ..Look::default() };
            ask_boxes(&boxes, &Planar::IDENTITY, &boxes, &place, &look, &mut work)
                == Nearness::Clear
        };
        assert!(is_clear(2.2, 0.0) && is_clear(2.2, 0.19) && !is_clear(2.2, 0.25), "{parts:?}");
        assert!(!is_clear(1.9, 0.0));
    }
}
