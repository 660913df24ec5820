//! Overlapping boxes: every structure against comparing every two, on scenes of many kinds, while
//! boxes come, go and move.

use std::collections::BTreeMap;

use elbowroom::internal::broad_phase::{BoxPair, Broad, Method};
use elbowroom::internal::volume::Aabb;
use elbowroom_testkit::random::Random;
use glam::DVec3;

/// The kinds of scenes; each makes any number of boxes.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Dense,
    Sparse,
    Clusters,
    FarClusters,
    OneHuge,
    FewHuge,
    Decades,
    Equal,
    Line,
    Plane,
    Points,
    PointsOnALine,
    Lattice,
    Nested,
    Doubling,
    Tiny,
    Large,
    FarAway,
    Extreme,
    Thin,
}

const KINDS: [Kind; 20] = [
    Kind::Dense,
    Kind::Sparse,
    Kind::Clusters,
    Kind::FarClusters,
    Kind::OneHuge,
    Kind::FewHuge,
    Kind::Decades,
    Kind::Equal,
    Kind::Line,
    Kind::Plane,
    Kind::Points,
    Kind::PointsOnALine,
    Kind::Lattice,
    Kind::Nested,
    Kind::Doubling,
    Kind::Tiny,
    Kind::Large,
    Kind::FarAway,
    Kind::Extreme,
    Kind::Thin,
];

fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.unit(), random.unit(), random.unit())
}

fn sized(low: DVec3, size: DVec3) -> Aabb {
    Aabb { min: low, max: low + size }
}

/// The box with a number, one of many.
fn make(kind: Kind, index: usize, random: &mut Random) -> Aabb {
    let (place, size) = (vector(random), 0.2 + vector(random));
    match kind {
        Kind::Dense => sized(4.0 * place, size),
        Kind::Sparse => sized(25.0 * place, size),
        Kind::Clusters => sized(DVec3::splat((index % 5) as f64 * 20.0) + 3.0 * place, size),
        Kind::FarClusters => sized(DVec3::splat((index % 7) as f64 * 1e9) + 3.0 * place, size),
        Kind::OneHuge if index == 3 => sized(DVec3::splat(-50.0), DVec3::splat(100.0)),
        Kind::FewHuge if index % 16 == 3 => sized(30.0 * place - 5.0, 20.0 * size),
        Kind::OneHuge | Kind::FewHuge => sized(20.0 * place, size),
        Kind::Decades => {
            let scale = 10_f64.powf(random.uniform(-4.0, 1.0));
            sized(10.0 * place, scale * size)
        }
        Kind::Equal => sized(DVec3::ONE, DVec3::ONE),
        Kind::Line => sized(place * DVec3::new(80.0, 0.1, 0.1), size),
        Kind::Plane => sized(place * DVec3::new(15.0, 15.0, 0.0), size),
        Kind::Points => sized((4.0 * place).floor(), DVec3::ZERO),
        Kind::PointsOnALine => sized((40.0 * place.x).floor() * DVec3::Y, DVec3::ZERO),
        // Cubes that touch their neighbours exactly.
        Kind::Lattice => sized((5.0 * place).floor(), DVec3::ONE),
        Kind::Nested => sized(DVec3::splat(-(index as f64)), DVec3::splat(2.0 * index as f64)),
        // Each begins where the one before ends.
        Kind::Doubling => {
            let start = 2_f64.powf((index % 500) as f64);
            sized(DVec3::splat(start), DVec3::splat(start))
        }
        Kind::Tiny => sized(4e-9 * place, 1e-9 * size),
        Kind::Large => sized(4e9 * place, 1e9 * size),
        Kind::FarAway => sized(DVec3::splat(1e12) + 4.0 * place, size),
        Kind::Extreme => {
            let corner = |random: &mut Random| {
                let signs = vector(random).map(|x| if x < 0.5 { -1.0 } else { 1.0 });
                let exponent = random.range(-320, 308);
                signs * vector(random) * 10_f64.powi(exponent as i32)
            };
            let (a, b) = (corner(random), corner(random));
            let clamp = |v: DVec3| v.clamp(DVec3::splat(-f64::MAX), DVec3::splat(f64::MAX));
            if random.one_in(20) {
                return Aabb { min: DVec3::splat(-f64::MAX), max: DVec3::splat(f64::MAX) };
            }
            Aabb { min: clamp(a.min(b)), max: clamp(a.max(b)) }
        }
        Kind::Thin => {
            let mut size = DVec3::splat(0.1);
            size[index % 3] = 20.0;
            sized(20.0 * place, size)
        }
    }
}

fn overlap(a: &Aabb, b: &Aabb) -> bool {
    (0..3).all(|axis| a.min[axis] <= b.max[axis] && b.min[axis] <= a.max[axis])
}

fn brute(boxes: &BTreeMap<u32, Aabb>) -> Vec<BoxPair> {
    let mut pairs = Vec::new();
    for (&i, a) in boxes {
        for (&j, b) in boxes.range(i + 1..) {
            if overlap(a, b) {
                pairs.push((i, j));
            }
        }
    }
    pairs
}

/// All structures, and the one with margins.
fn structures() -> Vec<Broad> {
    let mut structures: Vec<Broad> = Method::ALL.map(Broad::new).into();
    structures.push(Broad::new(Method::Auto));
    structures.push(Broad::with_margin(Method::Tree, 0.1));
    structures.push(Broad::with_margin(Method::Auto, 1e300));
    structures
}

fn check(structures: &mut [Broad], boxes: &BTreeMap<u32, Aabb>, what: &str) -> usize {
    let expected = brute(boxes);
    for broad in structures {
        let found = broad.pairs().to_vec();
        assert_eq!(found, expected, "{what}, {:?}", broad.last_method());
        assert_eq!(broad.len(), boxes.len());
        broad.validate().unwrap_or_else(|fault| panic!("{what}: {fault}"));
    }
    expected.len()
}

#[test]
fn all_kinds_at_once() {
    let mut met = 0;
    for kind in KINDS {
        for count in [0, 1, 2, 9, 100, 400] {
            let mut random = Random::new(count as u64);
            let boxes: BTreeMap<u32, Aabb> =
                (0..count).map(|i| (i as u32, make(kind, i, &mut random))).collect();
            let mut structures = structures();
            for broad in &mut structures {
                for (&id, bounds) in &boxes {
                    broad.set(id, *bounds).expect("finite");
                }
            }
            let pairs = check(&mut structures, &boxes, &format!("{count} {kind:?}"));
            assert!(count < 400 || pairs > 5, "{kind:?}: {pairs}");
            met += pairs;
        }
    }
    println!("{met} pairs");
    assert!(met > 200_000, "{met}");
}

/// Adds, moves and removes, in steps of one box or many, with a look after each.
#[test]
fn boxes_come_and_go_and_move() {
    let (mut steps, mut met, mut trees) = (0, 0, 0);
    for kind in KINDS {
        let mut random = Random::new(7);
        let mut structures = structures();
        let mut boxes: BTreeMap<u32, Aabb> = BTreeMap::new();
        for step in 0..60 {
            let changes = *random.choice(&[1, 1, 2, 5, 60]);
            for _ in 0..changes {
                let id = random.below(150) as u32;
                if random.one_in(4) {
                    let was_there = boxes.remove(&id).is_some();
                    for broad in &mut structures {
                        assert_eq!(broad.remove(id), was_there);
                    }
                    continue;
                }
                let mut bounds = make(kind, id as usize, &mut random);
                if let Some(old) = boxes.get(&id).copied()
                    && random.one_in(2)
                {
                    // A small move.
                    let shift = 0.01 * (old.max - old.min);
                    bounds = Aabb { min: old.min + shift, max: old.max + shift };
                    if !bounds.min.is_finite() || !bounds.max.is_finite() {
                        bounds = old;
                    }
                }
                boxes.insert(id, bounds);
                for broad in &mut structures {
                    broad.set(id, bounds).expect("finite");
                    assert_eq!(broad.get(id), Some(&bounds));
                }
            }
            met += check(&mut structures, &boxes, &format!("{kind:?}, step {step}"));
            trees += usize::from(structures[3].last_method() == Method::Tree);
            steps += 1;
        }
    }
    println!("{steps} steps, {met} pairs, {trees} by a tree that was chosen");
    assert_eq!(steps, 1200);
    assert!(met > 300_000 && (400..1_100).contains(&trees), "{met} {trees}");
}

/// One at a time, with a look at the tree after each: sorted, nested and equal boxes must not make
/// it deep or wrong.
#[test]
fn trees_hold_after_every_operation() {
    let mut operations = 0;
    for kind in KINDS {
        for margin in [0.0, 0.5] {
            let mut broad = Broad::with_margin(Method::Tree, margin);
            let mut random = Random::new(3);
            // A first build, so that what follows is put in one by one.
            for id in 0..20 {
                broad.set(id, make(kind, id as usize, &mut random)).expect("finite");
            }
            broad.refresh();
            for id in 20..300 {
                broad.set(id, make(kind, id as usize, &mut random)).expect("finite");
                broad.refresh();
                broad.validate().unwrap_or_else(|fault| panic!("{kind:?} {id}: {fault}"));
                operations += 1;
            }
            let mut ids: Vec<u32> = (0..300).collect();
            random.shuffle(&mut ids);
            for id in ids {
                assert!(broad.remove(id) && !broad.remove(id));
                broad.refresh();
                broad.validate().unwrap_or_else(|fault| panic!("{kind:?} −{id}: {fault}"));
                operations += 1;
            }
            assert!(broad.is_empty() && broad.pairs().is_empty());
        }
    }
    assert_eq!(operations, 20 * 2 * 580);
}

#[test]
fn near_finds_what_comparing_all_finds() {
    let mut met = 0;
    for kind in KINDS {
        let mut random = Random::new(11);
        let boxes: Vec<Aabb> = (0..200).map(|i| make(kind, i, &mut random)).collect();
        for mut broad in structures() {
            for (id, bounds) in boxes.iter().enumerate() {
                broad.set(id as u32, *bounds).expect("finite");
            }
            let mut found = vec![7];
            for is_fresh in [false, true] {
                if is_fresh {
                    broad.refresh();
                }
                for query in boxes.iter().step_by(9) {
                    broad.near(query, &mut found);
                    let expected: Vec<u32> =
                        (0..200).filter(|&i| overlap(&boxes[i as usize], query)).collect();
                    assert_eq!(found, expected, "{kind:?}");
                    met += found.len();
                }
            }
        }
    }
    assert!(met > 50_000, "{met}");
}

#[test]
fn what_is_not_finite_is_refused() {
    let mut broad = Broad::default();
    broad.set(0, sized(DVec3::ZERO, DVec3::ONE)).expect("finite");
    for (bad, axis, words) in [
        (Aabb { min: DVec3::ZERO, max: DVec3::new(1.0, f64::INFINITY, 1.0) }, 1, "not finite"),
        (Aabb { min: DVec3::new(f64::NAN, 0.0, 0.0), max: DVec3::ONE }, 0, "not finite"),
        (Aabb { min: DVec3::Z, max: DVec3::new(1.0, 1.0, 0.5) }, 2, "swap"),
        (Aabb::of_points(&[]), 0, "not finite"),
    ] {
        let error = broad.set(1, bad).unwrap_err();
        assert_eq!(error.axis(), axis);
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!((broad.len(), broad.get(1)), (1, None));
    }
    assert!(!broad.remove(1) && !broad.remove(u32::MAX));
    assert!(broad.pairs().is_empty());
}

/// As many as a large scene has: three structures, one count; then some of them move.
#[test]
fn a_hundred_thousand() {
    let mut random = Random::new(1);
    let side = 100_000_f64.cbrt();
    let boxes: Vec<Aabb> = (0..100_000)
        .map(|_| sized(side * vector(&mut random), 0.5 + 0.5 * vector(&mut random)))
        .collect();
    let mut counts = Vec::new();
    for method in Method::ALL {
        let mut broad = Broad::new(method);
        for (id, bounds) in boxes.iter().enumerate() {
            broad.set(id as u32, *bounds).expect("finite");
        }
        let before = broad.pairs().to_vec();
        for id in (0..100_000).step_by(50) {
            let bounds = boxes[id as usize];
            broad.set(id, sized(bounds.min + 0.3, bounds.max - bounds.min)).expect("finite");
        }
        counts.push((before, broad.pairs().to_vec()));
        broad.validate().expect("a sound tree");
    }
    assert!(counts.iter().all(|pairs| *pairs == counts[0]));
    assert_eq!((counts[0].0.len(), counts[0].1.len()), (164_055, 163_962));
}
