//! The five structures listed level by level.

use elbowroom_papers::grammar::Family;
use elbowroom_papers::obbtree::{Config, ObbTree};

/// Every node is within its parent's list, levels go down by one, and leaves hold everything once.
#[test]
fn a_tree_is_listed_whole() {
    let mesh = elbowroom_make::bumpy_sphere(6, 0.2, 3);
    let triangles = mesh.triangles().len();
    let levels = ObbTree::build(mesh, &Config::paper()).levels();
    let (mut children, mut held) = (vec![0; levels.nodes().len()], 0);
    for (index, node) in levels.nodes().iter().enumerate() {
        assert_eq!(node.parent.is_none(), index == 0);
        if let Some(parent) = node.parent {
            children[parent as usize] += 1;
            assert_eq!(levels.nodes()[parent as usize].level + 1, node.level);
        }
        held += if node.is_leaf { node.primitives as usize } else { 0 };
    }
    for (node, count) in levels.nodes().iter().zip(children) {
        assert_eq!(count, if node.is_leaf { 0 } else { 2 });
    }
    assert_eq!(held, triangles);
    for level in 0..=levels.deepest() {
        let cut = levels.cut(level).map(|node| node.primitives as usize).sum::<usize>();
        assert_eq!(cut, triangles, "level {level}");
    }
    assert_eq!(levels.cut(levels.deepest() + 1).count(), 0);
    let rows = levels.rows();
    assert_eq!(rows.iter().map(|row| row.nodes).sum::<usize>(), levels.nodes().len());
    assert_eq!(rows[0].families, [(Family::Obb, 1)]);
    assert!(rows[0].overlap.is_none() && rows[1].overlap.is_some_and(|it| it < 0.5));
}

/// The point of the OBBTree paper's section 6, on a ball: two levels halve the diameter of a node.
#[test]
fn tightness_falls_with_the_square_of_the_size_for_oriented_boxes_alone() {
    let ball = elbowroom_make::icosphere(24);
    let fall = |family| {
        let config = Config::paper().with_family(family);
        let rows = ObbTree::build(ball.clone(), &config).levels().rows();
        rows[8].tightness.unwrap() / rows[6].tightness.unwrap()
    };
    let (oriented, aligned, round) = (fall(Family::Obb), fall(Family::Aabb), fall(Family::Sphere));
    assert!(oriented < 0.35, "{oriented}");
    assert!(aligned > 0.4 && round > 0.4, "{aligned} {round}");
}

#[test]
fn every_family_is_measured() {
    let mesh = elbowroom_make::cuboid(glam::DVec3::new(1.0, 2.0, 3.0));
    let mut met = 0;
    for family in Family::ALL.into_iter().filter(|it| *it != Family::Cylinder) {
        let levels = ObbTree::build(mesh.clone(), &Config::paper().with_family(family));
        let rows = levels.levels().rows();
        let root = &levels.levels().nodes()[0].bound.unwrap().shape;
        // Whatever encloses the box is as large as it at least, and nothing but the ball is larger.
        let (volume, thickness) = (root.volume(), root.thickness());
        assert!(volume >= 48.0 * (1.0 - 1e-9), "{family:?} {volume}");
        assert!(family == Family::Sphere || volume <= 48.0 * (1.0 + 1e-9), "{family:?}");
        assert!(thickness >= 2.0 * (1.0 - 1e-9), "{family:?} {thickness}");
        assert_eq!(rows[0].tightness, Some(thickness));
        met += 1;
    }
    assert_eq!(met, 7);
}
