//! Every class gives what it promises, and meets the relations it is there for.

use super::{Class, generate};
use crate::oracle::{PlainPose, Relation, relation};
use crate::random::Random;
use std::collections::BTreeMap;

const PER_CLASS: usize = 400;

fn rotation_error(pose: &PlainPose) -> f64 {
    let r = &pose.r;
    let mut worst: f64 = 0.0;
    for i in 0..3 {
        for j in 0..3 {
            let dot: f64 = (0..3).map(|k| r[i][k] * r[j][k]).sum();
            worst = worst.max((dot - f64::from(u8::from(i == j))).abs());
        }
    }
    let minor = |i: usize, j: usize| r[1][i] * r[2][j] - r[1][j] * r[2][i];
    let det = r[0][0] * minor(1, 2) - r[0][1] * minor(0, 2) + r[0][2] * minor(0, 1);
    worst.max((det - 1.0).abs())
}

#[test]
fn known_relations_are_the_oracles_and_every_class_meets_its_relations() {
    let mut random = Random::new(21);
    let mut known = [0; 3];
    let mut table = BTreeMap::new();
    for class in Class::ALL {
        let met: &mut [usize; 3] = table.entry(class).or_default();
        for _ in 0..PER_CLASS {
            let case = generate(class, &mut random);
            let found = relation(&case.a, &case.pose_a, &case.b, &case.pose_b);
            met[found as usize] += 1;
            if let Some(expected) = case.known {
                assert_eq!(found, expected, "{class:?} {case:?}");
                known[expected as usize] += 1;
            }
            for pose in [&case.pose_a, &case.pose_b] {
                assert!(rotation_error(pose) < 1e-14, "{class:?} {pose:?}");
            }
        }
    }
    for (class, met) in &table {
        println!("{class:?}: apart, touching, crossing {met:?}");
        let [apart, touching, crossing] = *met;
        match class {
            Class::SharedVertex | Class::SegmentTriangle | Class::VertexOnFace => {
                assert!(touching > 50 && crossing > 20);
            }
            Class::SharedEdge | Class::Identical => assert_eq!(touching, PER_CLASS),
            Class::CoplanarTilted
            | Class::CoplanarAxis
            | Class::PointTriangle
            | Class::SegmentSegment => {
                assert!(apart > 50 && touching > 100);
                assert_eq!(crossing, 0);
            }
            Class::EdgeOnEdge => assert_eq!(apart, 0),
            Class::Random | Class::Known | Class::Sliver | Class::Floor => {
                assert!(apart > 30 && crossing > 5);
            }
            _ => assert!(apart > 20 && touching > 20 && crossing > 20, "{class:?} {met:?}"),
        }
    }
    assert!(known.iter().all(|&n| n > 200), "{known:?}");
}

#[test]
fn same_seed_gives_same_pairs() {
    let draw = || {
        let mut random = Random::new(22);
        Class::ALL.map(|class| format!("{:?}", generate(class, &mut random)))
    };
    assert_eq!(draw(), draw());
    assert_ne!(draw()[0], format!("{:?}", generate(Class::Random, &mut Random::new(23))));
}

#[test]
fn relations_sort_from_apart_to_crossing() {
    assert!(Relation::Apart < Relation::Touching && Relation::Touching < Relation::Crossing);
}
