//! Trees keep what they promise: after growing, in every way, and after refitting.

use elbowroom::Mesh;
use elbowroom::internal::bvh::{
    Column, Config, Failed, Fault, NodeId, Split, Triangles, grow, validate,
};
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Neighbours, self_triangle_pairs};
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::{
    Aabb, Cylinder, Family, Kdop14, Kdop18, Kdop26, Obb, Spatial, Sphere,
};
use elbowroom_make::{bumpy_sphere, icosphere, join, landscape, lat_long_sphere, person, torus};
use elbowroom_testkit::oracle::{PlainPose, Relation};
use elbowroom_tests::common;
use elbowroom_tests::common::configs;
use glam::DVec3;

fn meshes() -> Vec<(&'static str, Mesh)> {
    vec![
        ("icosphere", icosphere(6)),
        ("torus", torus(1.0, 0.3, 24, 12)),
        ("landscape", landscape(20, 15, 3)),
        ("person", person()),
        ("bumps", bumpy_sphere(5, 0.2, 9)),
    ]
}

#[test]
fn every_way_to_grow_keeps_its_promises() {
    let mut grown = 0;
    for (name, mesh) in meshes() {
        let n = mesh.triangles().len();
        for config in configs() {
            let model = Model::with_config(mesh.clone(), &config);
            model.validate().unwrap_or_else(|fault| panic!("{name}, {config:?}: {fault}"));
            let stats = model.stats();
            assert_eq!(stats.primitives, n);
            assert_eq!(stats.nodes, 2 * stats.leaves - 1, "{name}, {config:?}");
            assert!(stats.largest_leaf <= config.leaf, "{name}, {config:?}: {stats:?}");
            if config.leaf == 1 {
                assert_eq!(stats.leaves, n);
            }
            let logarithm = (n as f64).log2();
            assert!(f64::from(stats.depth) <= 3.0 * logarithm, "{name}, {config:?}: {stats:?}");
            if config.split == Split::Median && config.leaf == 1 {
                assert_eq!(f64::from(stats.depth), logarithm.ceil(), "{name}, {config:?}");
            }
            grown += 1;
        }
    }
    assert_eq!(grown, 5 * 24);
}

#[test]
fn growing_again_gives_the_same_tree() {
    for config in configs() {
        let (first, second) =
            (Model::with_config(person(), &config), Model::with_config(person(), &config));
        assert_eq!(first.tree(), second.tree());
    }
}

fn moved(mesh: &Mesh, seconds: f64) -> Mesh {
    let sway = |v: DVec3| v + DVec3::new((3.0 * v.y + seconds).sin(), 0.0, (2.0 * v.x).cos()) * 0.2;
    Mesh::new(mesh.vertices().iter().map(|&v| sway(v)).collect(), mesh.triangles().to_vec())
        .unwrap()
}

fn check_refit<V: Spatial>() {
    let mesh = person();
    let config = Config::default().with_family(V::FAMILY);
    let (tree, fitted) = grow::<V>(&Triangles::new(&mesh, &config));
    let source = Triangles::new(&mesh, &config);
    let mut column = Column::<V>::merged(&tree, &source);
    validate(&tree, &column, &source).unwrap();
    let area = |column: &Column<V>| column.volumes().iter().map(Spatial::area).sum::<f64>();
    assert!(
        area(&column) >= 0.999 * area(&fitted),
        "{:?}: merged is tighter than fitted",
        V::FAMILY
    );
    for frame in 0..3 {
        let mesh = moved(&mesh, f64::from(frame));
        let source = Triangles::new(&mesh, &config);
        // The old volumes no longer hold, and validation says so; the refitted ones do.
        assert!(matches!(validate(&tree, &column, &source), Err(Fault::Outside { .. })));
        column.refit(&tree, &source);
        validate(&tree, &column, &source)
            .unwrap_or_else(|fault| panic!("{:?}: {fault}", V::FAMILY));
        let tight = Column::<V>::fitted(&tree, &source);
        validate(&tree, &tight, &source).unwrap();
        assert!(area(&tight) <= 1.001 * area(&column));
    }
}

#[test]
fn columns_are_refitted() {
    check_refit::<Sphere>();
    check_refit::<Aabb>();
    check_refit::<Obb>();
    check_refit::<Kdop14>();
    check_refit::<Kdop18>();
    check_refit::<Kdop26>();
    check_refit::<Cylinder>();
}

#[test]
fn validation_notices_a_tree_of_something_else() {
    let (small, large) = (icosphere(2), icosphere(3));
    let config = Config::default();
    let (tree, column) = grow::<Obb>(&Triangles::new(&small, &config));
    let other = Triangles::new(&large, &config);
    assert_eq!(validate(&tree, &column, &other), Err(Fault::Order));
    let (other_tree, other_column) = grow::<Obb>(&other);
    assert_eq!(validate(&other_tree, &column, &other), Err(Fault::Column));
    assert_eq!(validate(&other_tree, &other_column, &other), Ok(()));
    let doubled = scaled(&large, 2.0);
    let outside = validate(&other_tree, &other_column, &Triangles::new(&doubled, &config));
    assert!(matches!(outside, Err(Fault::Outside { node: NodeId(0), .. })));
}

fn scaled(mesh: &Mesh, factor: f64) -> Mesh {
    Mesh::new(mesh.vertices().iter().map(|&v| v * factor).collect(), mesh.triangles().to_vec())
        .unwrap()
}

/// Triangles with one centre but of different sizes cannot be cut; by halving the list they can.
#[test]
fn indivisible_groups_are_leaves() {
    let mut vertices = Vec::new();
    for size in 1..=10 {
        let corners = [[0.0, 2.0, 0.0], [3.0, -1.0, 0.0], [-3.0, -1.0, 0.0]];
        vertices.extend(corners.map(|c| DVec3::from_array(c) * f64::from(size)));
    }
    let faces = (0..10).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let rings = Mesh::new(vertices, faces).unwrap();
    for split in [Split::Mean, Split::Median, Split::Sah { bins: 8 }] {
        let whole = Model::with_config(rings.clone(), &Config::default().with_split(split));
        assert_eq!((whole.stats().nodes, whole.stats().largest_leaf), (1, 10), "{split:?}");
        let halved = Config { failed: Failed::Halve, ..Config::default().with_split(split) };
        let halved = Model::with_config(rings.clone(), &halved);
        halved.validate().unwrap();
        assert_eq!((halved.stats().nodes, halved.stats().largest_leaf), (19, 1), "{split:?}");
    }
}

/// Self-collision of every family equals brute force over all pairs.
#[test]
fn self_collision_equals_brute_force() {
    // Two tori that go through each other in one mesh, and a triangle of each that repeats another.
    let ring = torus(1.0, 0.3, 10, 6);
    let shifted: Vec<DVec3> =
        ring.vertices().iter().map(|v| DVec3::new(v.x + 0.15, v.z, v.y)).collect();
    let second = Mesh::new(shifted, ring.triangles().to_vec()).unwrap();
    let both = join(&[ring, second]);
    let mut faces = both.triangles().to_vec();
    faces.extend([faces[3], faces[130]]);
    let mesh = Mesh::new(both.vertices().to_vec(), faces).unwrap();

    let plain = |i: usize| mesh.triangle(i).map(|v| v.to_array());
    let truth = |neighbours: Neighbours| {
        let mut pairs = Vec::new();
        for i in 0..mesh.triangles().len() {
            for j in i + 1..mesh.triangles().len() {
                let share = mesh.triangles()[i].iter().any(|v| mesh.triangles()[j].contains(v));
                if share && neighbours == Neighbours::Skip {
                    continue;
                }
                let relation = elbowroom_testkit::oracle::relation(
                    &plain(i),
                    &PlainPose::IDENTITY,
                    &plain(j),
                    &PlainPose::IDENTITY,
                );
                if relation != Relation::Apart {
                    pairs.push((i as u32, j as u32, relation));
                }
            }
        }
        pairs
    };
    for neighbours in [Neighbours::Skip, Neighbours::Count] {
        let truth = truth(neighbours);
        assert!(truth.len() > 40, "{}", truth.len());
        for family in Family::ALL {
            for leaf in [1, 4] {
                let config = Config { leaf, ..Config::default().with_family(family) };
                let model = Model::with_config(mesh.clone(), &config);
                let (pairs, tally) =
                    self_triangle_pairs(&model, neighbours, &mut Workspace::default());
                assert_eq!(common::plain(&pairs), truth, "{family:?}");
                assert!(tally.volumes() > 0 && tally.primitives >= truth.len() as u64);
            }
        }
    }
}

#[test]
fn a_lat_long_sphere_has_as_many_triangles_as_the_paper_s() {
    assert_eq!(lat_long_sphere(101, 160).triangles().len(), 32_000);
}
