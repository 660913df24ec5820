//! Meshes that are made to break trees: right answers, bounded memory, no stack overflow.
//!
//! Everything here runs on a thread with little stack, so that recursion over deep trees would
//! show.

use elbowroom::internal::bvh::{Config, Split};
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{
    CollisionRequest, Neighbours, Want, collide, intersects, self_triangle_pairs, triangle_pairs,
};
use elbowroom::internal::traverse::{Path, Rule, Workspace};
use elbowroom::internal::volume::{Family, Fit};
use elbowroom::{Mesh, Pose};
use elbowroom_tests::common;
use glam::DVec3;

const HERE: Pose = Pose::IDENTITY;

fn with_little_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(test);
    thread.expect("a thread can be started").join().expect("the test passes");
}

fn count(a: &Model, b: &Model, place_b: &Pose) -> u64 {
    let question = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
    collide(a, &HERE, b, place_b, &question, &mut Workspace::default()).count()
}

fn shifted(shift: DVec3) -> Pose {
    Pose::from_translation(shift).expect("finite")
}

/// A flat strip of triangles along x, two to a unit.
fn strip(triangles: u32) -> Mesh {
    let vertices = (0..triangles + 2).map(|i| DVec3::new(f64::from(i / 2), f64::from(i % 2), 0.0));
    Mesh::new(vertices.collect(), (0..triangles).map(|i| [i, i + 1, i + 2]).collect()).unwrap()
}

fn repeated(triangle: [DVec3; 3], times: usize) -> Mesh {
    Mesh::new(triangle.to_vec(), vec![[0, 1, 2]; times]).unwrap()
}

#[test]
fn a_strip_of_a_million_triangles() {
    with_little_stack(|| {
        let long = Model::new(strip(1_000_000));
        assert_eq!(long.stats().nodes, 2 * 1_000_000 - 1);
        assert!(long.stats().depth <= 60, "{:?}", long.stats());
        let needle = Model::new(
            Mesh::new(
                vec![
                    DVec3::new(250_000.25, 0.25, -1.0),
                    DVec3::new(250_000.25, 0.25, 1.0),
                    DVec3::new(250_000.3, 0.25, 1.0),
                ],
                vec![[0, 1, 2]],
            )
            .unwrap(),
        );
        let pairs = triangle_pairs(&long, &HERE, &needle, &HERE);
        assert_eq!(pairs.len(), 1);
        assert_eq!(pairs[0].a, 500_000);
        assert!(!intersects(&long, &HERE, &needle, &shifted(DVec3::new(0.0, 2.0, 0.0))));

        // Side by side along the whole length: every triangle of one touches three or four of the
        // other.
        let beside = shifted(DVec3::new(0.0, 1.0, 0.0));
        assert!(intersects(&long, &HERE, &long, &beside));
        let short = Model::new(strip(2000));
        let brute = elbowroom_testkit::brute::all_pairs;
        let soup = |mesh: &Mesh| elbowroom_testkit::brute::Soup {
            vertices: mesh.vertices().iter().map(DVec3::to_array).collect(),
            triangles: mesh.triangles().to_vec(),
        };
        let hundred = Model::new(strip(100));
        let pose = elbowroom_testkit::oracle::PlainPose::at([0.0, 1.0, 0.0]);
        let truth = brute(
            &soup(short.mesh()),
            &elbowroom_testkit::oracle::PlainPose::IDENTITY,
            &soup(hundred.mesh()),
            &pose,
        );
        assert!(truth.len() > 100);
        assert_eq!(common::plain(&triangle_pairs(&short, &HERE, &hundred, &beside)), truth);
    });
}

#[test]
fn all_triangles_in_one_plane() {
    with_little_stack(|| {
        // Two grids in one tilted plane, one shifted by half a cell in it.
        let side = 60_u32;
        let at = |i: u32, j: u32, off: f64| {
            let (x, y) = (f64::from(i) + off, f64::from(j) + off);
            DVec3::new(x, y, x + 2.0 * y)
        };
        let grid = |off: f64| {
            let vertices =
                (0..=side).flat_map(|i| (0..=side).map(move |j| at(i, j, off))).collect();
            let cells = (0..side).flat_map(|i| (0..side).map(move |j| i * (side + 1) + j));
            let faces =
                cells.flat_map(|a| [[a, a + side + 1, a + side + 2], [a, a + side + 2, a + 1]]);
            Mesh::new(vertices, faces.collect()).unwrap()
        };
        let mut counts = Vec::new();
        for family in Family::ALL {
            let config = Config::default().with_family(family);
            let (a, b) =
                (Model::with_config(grid(0.0), &config), Model::with_config(grid(0.5), &config));
            a.validate().unwrap();
            counts.push(count(&a, &b, &HERE));
        }
        assert!(counts[0] > 7200 && counts.iter().all(|&c| c == counts[0]), "{counts:?}");
    });
}

#[test]
fn a_million_copies_of_one_triangle() {
    with_little_stack(|| {
        let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let many = repeated(triangle, 1_000_000);
        for family in [Family::Obb, Family::Aabb, Family::Sphere, Family::Kdop18] {
            for split in [Split::Mean, Split::Median, Split::Sah { bins: u32::MAX }] {
                let config = Config::default().with_family(family).with_split(split);
                let heap = Model::with_config(many.clone(), &config);
                assert_eq!(heap.stats().nodes, 1);
                let one = Model::new(repeated(triangle, 1));
                assert_eq!(count(&heap, &one, &HERE), 1_000_000);
                assert!(intersects(&heap, &HERE, &heap, &HERE));
                assert_eq!(count(&heap, &heap, &HERE), 1_000_000_000_000);
                assert_eq!(count(&heap, &heap, &shifted(DVec3::new(0.0, 0.0, 1e-300))), 0);
                let question =
                    CollisionRequest { want: Want::First, ..CollisionRequest::default() };
                let mut workspace = Workspace::default();
                let first = collide(&heap, &HERE, &heap, &HERE, &question, &mut workspace);
                assert_eq!((first.pairs.len(), first.tally.primitives), (1, 1));
            }
        }
        // With itself: all copies share their vertices, so there is nothing to list; and nothing to
        // wait for.
        let heap = Model::new(many);
        let (pairs, tally) =
            self_triangle_pairs(&heap, Neighbours::Skip, &mut Workspace::default());
        assert_eq!((pairs.len(), tally.primitives), (0, 1));
        let few = Model::new(repeated(triangle, 100));
        let (pairs, tally) =
            self_triangle_pairs(&few, Neighbours::Count, &mut Workspace::default());
        assert_eq!((pairs.len(), tally.primitives), (100 * 99 / 2, 1));

        let some = Model::new(repeated(triangle, 2000));
        let all = triangle_pairs(&some, &HERE, &some, &HERE);
        assert_eq!(all.len(), 4_000_000);
        assert!(all.is_sorted() && all[4_000_000 - 1].a == 1999);
    });
}

#[test]
fn one_vertex_over_and_over() {
    with_little_stack(|| {
        let point = DVec3::new(0.1, 0.2, 0.3);
        for family in Family::ALL {
            let config = Config::default().with_family(family);
            let points = Model::with_config(repeated([point; 3], 100_000), &config);
            points.validate().unwrap();
            assert_eq!(count(&points, &points, &HERE), 10_000_000_000);
            assert_eq!(count(&points, &points, &shifted(DVec3::splat(1e-9))), 0);
        }
    });
}

/// Triangles at x = 2.1^first, …, 2.1^last, as tall as they are far.
fn powers(exponents: std::ops::Range<i32>) -> Mesh {
    let corners = |x: f64| [DVec3::new(x, 0.0, 0.0), DVec3::new(x, x, 0.0), DVec3::new(x, 0.0, x)];
    let vertices: Vec<DVec3> = exponents.flat_map(|i| corners(2.1_f64.powi(i))).collect();
    let triangles = (0..vertices.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(vertices, triangles).unwrap()
}

/// Coordinates from 1e-300 to 1e300, cut in the middle of their range: each cut takes off the
/// largest triangle only, so the tree is a chain of two thousand levels.
#[test]
fn trees_thousands_of_levels_deep() {
    with_little_stack(|| {
        let mut deepest = 0;
        for family in Family::ALL {
            let config = Config::default().with_family(family).with_split(Split::Sah { bins: 2 });
            let chain = Model::with_config(powers(-920..920), &config);
            chain.validate().unwrap_or_else(|fault| panic!("{family:?}: {fault}"));
            assert!(chain.stats().depth > 1000, "{family:?}: {:?}", chain.stats());
            deepest = deepest.max(chain.stats().depth);
            // A floor under half of them meets each in an edge, and nothing of the others.
            let floor = [DVec3::ZERO, DVec3::new(1.5, 0.0, 0.0), DVec3::new(1.5, 1.5, 0.0)];
            let floor = Model::new(repeated(floor, 1));
            assert_eq!(count(&chain, &floor, &HERE), 921, "{family:?}");
            assert_eq!(count(&chain, &floor, &shifted(DVec3::new(0.0, 0.0, -1.0))), 0);

            // Each meets its own copy and no other.
            let short = Model::with_config(powers(-60..60), &config);
            assert!(short.stats().depth > 50, "{family:?}: {:?}", short.stats());
            assert_eq!(count(&short, &short, &HERE), 120, "{family:?}");
        }
        assert!(deepest > 1800, "{deepest}");
    });
}

#[test]
fn tiny_and_huge_models() {
    with_little_stack(|| {
        let mut met = 0;
        for scale in [1e-300, 1e-150, 1.0, 1e150, 1e300] {
            for family in Family::ALL {
                for fit in [Fit::Vertices, Fit::Triangles, Fit::Hull, Fit::Dito14] {
                    let config = Config::default().with_family(family).with_fit(fit);
                    let scaled = |mesh: &Mesh| {
                        let vertices = mesh.vertices().iter().map(|&v| v * scale * 0.01).collect();
                        Model::with_config(
                            Mesh::new(vertices, mesh.triangles().to_vec()).unwrap(),
                            &config,
                        )
                    };
                    let a = scaled(&strip(200));
                    a.validate().unwrap_or_else(|fault| panic!("{scale} {config:?}: {fault}"));
                    let up = shifted(DVec3::new(0.0, 0.0, 0.01 * scale));
                    assert!(!intersects(&a, &HERE, &a, &up), "{scale} {config:?}");
                    let along = shifted(DVec3::new(0.5 * 0.01 * scale, 0.0, 0.0));
                    assert!(intersects(&a, &HERE, &a, &along), "{scale} {config:?}");
                    for rule in [Rule::Larger, Rule::Both] {
                        let question = CollisionRequest {
                            want: Want::Count,
                            path: Path { rule, level: None },
                            margin: 0.0,
                        };
                        let answer =
                            collide(&a, &HERE, &a, &HERE, &question, &mut Workspace::default());
                        // Each with itself, and with the two before and the two after it.
                        assert_eq!(answer.count(), 200 + 2 * 199 + 2 * 198);
                        met += 1;
                    }
                }
            }
        }
        assert_eq!(met, 5 * 8 * 4 * 2);
    });
}
