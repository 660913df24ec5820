//! Footprints are bounds: no kind of circles, no level and no rounding says clear where the meshes
//! meet.

use elbowroom::internal::bvh::NodeId;
use elbowroom::internal::geom::Contour;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::{Mesh, Pose};
use elbowroom_make::body::{female, male};
use elbowroom_make::{cuboid, icosphere, torus};
use elbowroom_motion::body::{Poser, Rig};
use elbowroom_motion::footprint::{
    Cut, Footprint, FootprintConfig, Look, Nearness, Parts, Work, ask,
};
use elbowroom_testkit::random::Random;
use glam::{DMat3, DVec2, DVec3};

/// People in the middle of what they do, standing upright along z.
fn people(each: usize) -> Vec<Mesh> {
    let pose_of = |rig: &Rig, k: usize| {
        let mut poser = Poser::default();
        let mut pose = rig.rest_pose();
        let clip = &rig.clips[k % rig.clips.len()];
        let (from, to) = (clip.start(), clip.end());
        clip.sample(from + (to - from) * (0.37 * k as f64).fract(), &mut pose);
        let mut points = Vec::new();
        rig.posed(&pose, 0, &mut poser, &mut points);
        // Where a clip has taken them does not matter here.
        let middle = points.iter().sum::<DVec3>() / points.len() as f64;
        let upright = |p: &DVec3| DVec3::new(p.x - middle.x, middle.z - p.z, p.y);
        let points = points.iter().map(upright).collect();
        rig.parts[0].mesh.with_vertices(points).expect("a pose is finite")
    };
    let rigs = [male(), female()];
    rigs.iter().flat_map(|rig| (0..each).map(move |k| pose_of(rig, k))).collect()
}

fn configs() -> Vec<FootprintConfig> {
    let base = FootprintConfig::default();
    let cut = |parts, cut| FootprintConfig { parts, cut, ..base };
    vec![
        base,
        cut(Parts::Contour, Cut::Center),
        cut(Parts::Contour, Cut::Covariance),
        FootprintConfig { holes: false, ..base },
        FootprintConfig { threshold: 0.05, ..base },
        cut(Parts::Triangles, Cut::Centroid),
        cut(Parts::Triangles, Cut::Center),
        cut(Parts::Whole, Cut::Centroid),
    ]
}

fn placement(planar: &Planar) -> Pose {
    let (cos, sin) = planar.turn();
    let turn = DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
    Pose::new(turn, planar.translation().extend(0.0)).expect("a turn about z")
}

#[test]
fn nobody_who_touches_is_called_clear() {
    let meshes = people(3);
    let models: Vec<Model> = meshes.iter().map(|mesh| Model::new(mesh.clone())).collect();
    let footprints: Vec<Vec<Footprint>> = configs()
        .iter()
        .map(|config| meshes.iter().map(|mesh| Footprint::of_mesh(mesh, config)).collect())
        .collect();
    let mut random = Random::new(11);
    let mut work = Work::default();
    let (mut touching, mut clear, mut wrong_way, mut bumps) = (0, 0, 0, 0);
    for _ in 0..2000 {
        let (i, j) = (random.below(6) as usize, random.below(6) as usize);
        let mut place = |reach: f64| {
            let at = DVec2::new(random.uniform(-reach, reach), random.uniform(-reach, reach));
            Planar::from_angle(random.uniform(-4.0, 4.0), at).expect("a place")
        };
        let (a, b) = (place(0.5), place(0.5));
        let meet = query::intersects(&models[i], &placement(&a), &models[j], &placement(&b));
        touching += u32::from(meet);
        for kind in &footprints {
            // Deeper looks see more room, but for single cases: circles of children stick out of
            // their parent's.
            let mut was_clear = false;
            for level in [Some(0), Some(1), Some(3), Some(6), Some(9), None] {
                let look = Look { level, margin: 0.0 };
                let there = ask(&kind[i], &a, &kind[j], &b, &look, &mut work);
                let back = ask(&kind[j], &b, &kind[i], &a, &look, &mut work);
                assert_eq!(there, back);
                let is_clear = there == Nearness::Clear;
                assert!(!(meet && is_clear), "level {level:?} at {a:?} and {b:?}");
                bumps += u32::from(was_clear && !is_clear);
                was_clear |= is_clear;
                clear += u32::from(is_clear);
                wrong_way += u32::from(!meet && !is_clear);
            }
        }
    }
    assert!(bumps < clear / 1000, "{bumps} of {clear}");
    assert!(touching > 500 && clear > 10_000 && wrong_way > 1000, "{touching} {clear} {wrong_way}");
}

#[test]
fn circles_hold_what_is_below_them() {
    let mut seen = 0;
    for mesh in people(2) {
        for config in configs() {
            let footprint = Footprint::of_mesh(&mesh, &config);
            let tree = footprint.tree();
            for node in tree.nodes() {
                let circle = &footprint.column()[node];
                if config.parts == Parts::Contour {
                    assert!(tree.is_leaf(node) || circle.radius >= config.threshold);
                } else {
                    for &triangle in tree.members(node) {
                        for corner in mesh.triangle(triangle as usize) {
                            let gap = corner.truncate().distance(circle.center) - circle.radius;
                            assert!(gap <= 1e-15, "{gap:e}");
                            seen += 1;
                        }
                    }
                }
            }
            let whole = footprint.whole();
            for &vertex in mesh.vertices() {
                assert!(vertex.truncate().distance(whole.center) <= whole.radius + 1e-15);
            }
            // Leaves cover the contour: walk along it.
            let Some(contour) = footprint.contour() else { continue };
            let leaves: Vec<_> = tree.nodes().filter(|&node| tree.is_leaf(node)).collect();
            for [p, q] in contour.segments() {
                for share in [0.0, 0.25, 0.5, 0.77, 1.0] {
                    let point = p.lerp(q, share);
                    let holds = |&node: &NodeId| {
                        let circle = &footprint.column()[node];
                        point.distance(circle.center) <= circle.radius
                    };
                    assert!(leaves.iter().any(holds));
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 100_000, "{seen}");
}

#[test]
fn silhouettes_are_the_unions_of_all_triangles() {
    for mesh in people(4) {
        let flat: Vec<DVec2> = mesh.vertices().iter().map(|p| p.truncate()).collect();
        let by_edges = Contour::of(&flat, mesh.triangles());
        let by_all = Contour::of_all(&flat, mesh.triangles());
        assert!((by_edges.area() - by_all.area()).abs() < 1e-7);
        let apart = |a: &Contour, b: &Contour| {
            let gap = |p: DVec2, [q, r]: [DVec2; 2]| {
                let share = ((p - q).dot(r - q) / (r - q).length_squared()).clamp(0.0, 1.0);
                p.distance(q.lerp(r, share))
            };
            let nearest =
                |p: DVec2| b.segments().map(|edge| gap(p, edge)).fold(f64::INFINITY, f64::min);
            a.rings().iter().flatten().map(|&p| nearest(p)).fold(0.0, f64::max)
        };
        assert!(apart(&by_edges, &by_all) < by_all.margin());
        assert!(apart(&by_all, &by_edges) < by_all.margin());
        assert!(by_edges.strays().is_empty(), "{:?}", by_edges.strays());
        for &p in &flat {
            let near = by_edges.contains(p)
                || by_edges.segments().any(|[q, r]| {
                    let share = ((p - q).dot(r - q) / (r - q).length_squared()).clamp(0.0, 1.0);
                    p.distance(q.lerp(r, share)) <= by_edges.margin()
                });
            assert!(near, "{p}");
        }
    }
}

#[test]
fn a_body_within_the_ring_of_another_is_found() {
    let large = cuboid(DVec3::splat(4.0));
    let small = icosphere(4);
    let config = FootprintConfig::default();
    let (large, small) = (Footprint::of_mesh(&large, &config), Footprint::of_mesh(&small, &config));
    let mut work = Work::default();
    let mut at = |x: f64, a: &Footprint, b: &Footprint| {
        let place = Planar::from_angle(0.3, DVec2::new(x, 0.0)).expect("a place");
        let first = ask(a, &Planar::IDENTITY, b, &place, &Look::default(), &mut work);
        assert_eq!(first, ask(b, &place, a, &Planar::IDENTITY, &Look::default(), &mut work));
        first
    };
    assert_eq!(at(0.0, &large, &small), Nearness::MayTouch);
    assert_eq!(at(5.0, &large, &small), Nearness::MayTouch);
    assert_eq!(at(12.0, &large, &small), Nearness::Clear);
    // In the hole of a tyre there is room, unless holes do not count.
    let tyre = torus(4.0, 1.0, 64, 32);
    let flat = tyre.vertices().iter().map(|p| DVec3::new(p.x, -p.z, p.y)).collect();
    let tyre = tyre.with_vertices(flat).expect("a tyre that lies");
    let ring = Footprint::of_mesh(&tyre, &config);
    assert_eq!(ring.contour().map(|contour| contour.rings().len()), Some(2));
    assert_eq!(at(0.0, &ring, &small), Nearness::Clear);
    assert_eq!(at(2.9, &ring, &small), Nearness::MayTouch);
    let filled = Footprint::of_mesh(&tyre, &FootprintConfig { holes: false, ..config });
    assert_eq!(at(0.0, &filled, &small), Nearness::MayTouch);
}

#[test]
fn level_0_is_the_single_cylinder() {
    let meshes = people(2);
    let whole = FootprintConfig { parts: Parts::Whole, ..FootprintConfig::default() };
    for mesh in &meshes {
        let one = Footprint::of_mesh(mesh, &whole);
        let tree = Footprint::of_mesh(mesh, &FootprintConfig::default());
        assert_eq!(one.tree().len(), 1);
        assert!(one.whole().center.distance(tree.whole().center) < 1e-5);
        assert!((one.whole().radius - tree.whole().radius).abs() < 1e-5);
        assert!((0.2..0.8).contains(&one.whole().radius), "{}", one.whole().radius);
    }
}
