//! Layered trees: every sequence of families gives the oracle's answer, and only the work differs.

use elbowroom::internal::bvh::Config;
use elbowroom::internal::query::{CollisionRequest, Verdict, Want};
use elbowroom::internal::traverse::{Path, Rule, Workspace};
use elbowroom::internal::volume::Family;
use elbowroom_papers::sbbk::{Costs, HybridTree, Purpose, RIGID, SOFT, choose, sample_placements};
use elbowroom_papers::sbbk::{Layers, LayersErrorKind};
use elbowroom_papers::sbbk::{collide_layered, intersects_layered};
use elbowroom_testkit::cases;
use elbowroom_tests::common::{mesh, placement, plain};

/// Every family that can be a layer.
const FAMILIES: [Family; 7] = [
    Family::Sphere,
    Family::Aabb,
    Family::Obb,
    Family::Kdop14,
    Family::Kdop18,
    Family::Kdop24,
    Family::Kdop26,
];

/// The paper's hybrids, single families, and sequences that no user would want.
fn layerings() -> Vec<Layers> {
    let mut layerings: Vec<_> = FAMILIES.map(|f| Layers::single(f).unwrap()).into();
    for k in [14, 18, 24, 26] {
        layerings.push(Layers::sbbk(k, 1, 2).unwrap());
        layerings.push(Layers::sbbk(k, 1, 4).unwrap());
        layerings.push(Layers::aabb_kdop(k, 2).unwrap());
    }
    layerings.push(Layers::hbbcd(1, 3).unwrap());
    layerings.push(Layers::s_aabb(1).unwrap());
    layerings.push(Layers::s_obb(2).unwrap());
    // Every family above every other one.
    for step in [1, 2, 3] {
        let order = (0..7).map(|i| (FAMILIES[(i * step) % 7], i as u32));
        layerings.push(Layers::new(order).unwrap());
        let back = (0..7).map(|i| (FAMILIES[6 - (i * step) % 7], 2 * i as u32));
        layerings.push(Layers::new(back).unwrap());
    }
    layerings
}

#[test]
fn every_layering_passes_the_suite() {
    let mut workspace = Workspace::default();
    let mut runs = 0;
    for (index, layering) in layerings().iter().enumerate() {
        let rule = [Rule::Larger, Rule::First, Rule::Both][index % 3];
        let question =
            CollisionRequest { path: Path { rule, level: None }, ..CollisionRequest::default() };
        let config = Config { leaf: 1 + index % 2, ..Config::default() };
        let tally = cases::run(|case| {
            let [a, b] = [&case.a, &case.b].map(|soup| {
                let model = HybridTree::new(mesh(soup), layering, &config);
                model
                    .validate()
                    .unwrap_or_else(|fault| panic!("{}, {layering}: {fault}", case.name));
                model
            });
            let (place_a, place_b) = (placement(&case.pose_a), placement(&case.pose_b));
            plain(&collide_layered(&a, &place_a, &b, &place_b, &question, &mut workspace).pairs)
        });
        assert!(tally.cases >= 140 && tally.touching >= 690 && tally.crossing >= 75, "{tally:?}");
        runs += 1;
    }
    assert_eq!(runs, 28);
}

/// Two models need not have the same layers.
#[test]
fn layerings_mix() {
    let mut workspace = Workspace::default();
    let layerings = layerings();
    let mut mixed = 0;
    for (i, first) in layerings.iter().enumerate() {
        let second = &layerings[(5 * i + 3) % layerings.len()];
        let tally = cases::run(|case| {
            let a = HybridTree::new(mesh(&case.a), first, &Config::default());
            let b = HybridTree::new(mesh(&case.b), second, &Config::default());
            let (place_a, place_b) = (placement(&case.pose_a), placement(&case.pose_b));
            plain(
                &collide_layered(
                    &a,
                    &place_a,
                    &b,
                    &place_b,
                    &CollisionRequest::default(),
                    &mut workspace,
                )
                .pairs,
            )
        });
        mixed += tally.cases;
    }
    assert!(mixed >= 28 * 140, "{mixed}");
}

/// Whatever is asked, the answers fit together; swapped arguments swap the answer; a level limit is
/// never wrongly clear.
#[test]
fn all_questions_agree() {
    let mut workspace = Workspace::default();
    let (mut contacts, mut clear, mut limited) = (0, 0, 0);
    for layering in layerings().iter().step_by(4) {
        for case in cases::load() {
            let [a, b] = [&case.a, &case.b]
                .map(|soup| HybridTree::new(mesh(soup), layering, &Config::default()));
            let (place_a, place_b) = (placement(&case.pose_a), placement(&case.pose_b));
            let mut put =
                |question| collide_layered(&a, &place_a, &b, &place_b, &question, &mut workspace);
            let of = |ask| CollisionRequest { want: ask, ..CollisionRequest::default() };
            let all = put(of(Want::All));
            let (count, first, whether) =
                (put(of(Want::Count)), put(of(Want::First)), put(of(Want::Any)));
            assert_eq!((count.touching, count.crossing), (all.touching, all.crossing));
            assert_eq!(first.pairs.len(), usize::from(!all.pairs.is_empty()));
            assert!(first.pairs.iter().all(|pair| all.pairs.contains(pair)));
            assert_eq!([count.verdict, first.verdict, whether.verdict], [all.verdict; 3]);
            assert_eq!(intersects_layered(&b, &place_b, &a, &place_a), all.is_contact());
            let wide = put(CollisionRequest { margin: 0.5, ..CollisionRequest::default() });
            assert_eq!(wide.pairs, all.pairs);
            assert!(wide.tally.volumes() >= all.tally.volumes());
            assert_eq!(
                put(CollisionRequest { margin: f64::NAN, ..CollisionRequest::default() }),
                all
            );
            for level in 0..4 {
                let path = Path { rule: Rule::Both, level: Some(level) };
                let coarse = put(CollisionRequest { want: Want::Any, path, margin: 0.0 });
                match coarse.verdict {
                    Verdict::Clear => assert!(!all.is_contact(), "{}: wrongly clear", case.name),
                    Verdict::Contact => assert!(all.is_contact(), "{}: wrong contact", case.name),
                    Verdict::MayTouch => limited += 1,
                }
            }
            if all.is_contact() { contacts += 1 } else { clear += 1 }
        }
    }
    assert!(contacts > 400 && clear > 80 && limited > 300, "{contacts} {clear} {limited}");
}

/// Chosen layers cost no more than the best that were made by hand, by the tests that are made
/// where they were not chosen for.
#[test]
fn chosen_layers_are_as_cheap_as_the_best_by_hand() {
    let bodies = [
        elbowroom_make::monkey_head(1),
        elbowroom_make::bumpy_sphere(6, 0.3, 2),
        elbowroom_make::wrinkled_torus(24, 10),
        elbowroom_make::landscape(14, 14, 3),
    ];
    let costs = Costs::default();
    let mut scenes = 0;
    for (i, first) in bodies.iter().enumerate() {
        for (second, is_turned, refits) in [((i + 1) % 4, true, 0.0), (i, false, 0.2)] {
            let [a, b] = [first, &bodies[second]]
                .map(|mesh| HybridTree::new(mesh.clone(), &layerings()[0], &Config::default()));
            let placements = sample_placements(&a, &b, 24, is_turned);
            let families: &[Family] = if is_turned { &RIGID } else { &SOFT };
            let purpose = Purpose { placements: &placements, refits, costs, families };
            let choice = choose(&a, &b, &purpose).expect("there are placements");
            // Others than those.
            let elsewhere = sample_placements(&a, &b, 17, is_turned);
            let mut workspace = Workspace::default();
            let mut cost = |layering: &Layers| {
                let (a, b) = (a.with_layering(layering), b.with_layering(layering));
                let mut sum = 0.0;
                for [place_a, place_b] in &elsewhere {
                    let question =
                        CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
                    let answer =
                        collide_layered(&a, place_a, &b, place_b, &question, &mut workspace);
                    sum += costs.of(&answer.tally, !is_turned);
                }
                let columns = a.layers().columns().iter().chain(b.layers().columns());
                let refit: f64 =
                    columns.map(|c| c.len() as f64 * costs.refit[c.family() as usize]).sum();
                sum / elsewhere.len() as f64 + refits * refit
            };
            let chosen = cost(&choice.layering);
            let mut hand: Vec<(f64, Layers)> = layerings()[..22]
                .iter()
                .filter(|layering| layering.runs().iter().all(|(f, _)| families.contains(f)))
                .map(|layering| (cost(layering), layering.clone()))
                .collect();
            hand.sort_by(|x, y| x.0.total_cmp(&y.0));
            println!(
                "scene {scenes}: {:.1} µs with {}; by hand {:.1} µs with {}; {:.3}",
                chosen * 1e-3,
                choice.layering,
                hand[0].0 * 1e-3,
                hand[0].1,
                chosen / hand[0].0
            );
            assert!(chosen <= 1.03 * hand[0].0, "scene {scenes}");
            scenes += 1;
        }
    }
    assert_eq!(scenes, 8);
}

/// Nothing to choose from, or nowhere to look, is no choice.
#[test]
fn nothing_is_chosen_from_nothing() {
    let model = HybridTree::new(elbowroom_make::icosphere(2), &layerings()[0], &Config::default());
    let placements = sample_placements(&model, &model, 3, true);
    let costs = Costs::default();
    let none = Purpose { placements: &[], refits: 0.0, costs, families: &RIGID };
    assert!(choose(&model, &model, &none).is_none());
    let nothing = Purpose { placements: &placements, families: &[], ..none };
    assert!(choose(&model, &model, &nothing).is_none());
    let cylinder = Purpose { placements: &placements, families: &[Family::Cylinder], ..none };
    assert!(choose(&model, &model, &cylinder).is_none());
    let sphere = Purpose { placements: &placements, families: &[Family::Sphere], ..none };
    assert_eq!(choose(&model, &model, &sphere).expect("one").layering, layerings()[0]);
}

#[test]
fn bad_layers_are_refused() {
    let kind = |runs: &[(Family, u32)]| {
        let error = Layers::new(runs.iter().copied()).unwrap_err();
        assert!(!error.to_string().is_empty());
        error.kind().clone()
    };
    let (sphere, aabb) = (Family::Sphere, Family::Aabb);
    assert_eq!(kind(&[]), LayersErrorKind::Empty);
    assert_eq!(kind(&[(aabb, 1)]), LayersErrorKind::Level { layer: 0, level: 1, least: 0 });
    assert_eq!(
        kind(&[(sphere, 0), (aabb, 3), (sphere, 3)]),
        LayersErrorKind::Level { layer: 2, level: 3, least: 4 }
    );
    assert_eq!(kind(&[(aabb, 0); 9]), LayersErrorKind::TooMany);
    let cylinder = LayersErrorKind::Family { layer: 0, family: Family::Cylinder };
    assert_eq!(kind(&[(Family::Cylinder, 0)]), cylinder);
    let error = Layers::sbbk(16, 1, 2).unwrap_err();
    assert_eq!(error.kind(), &LayersErrorKind::Directions { k: 16 });
    assert!(Layers::s_aabb(0).is_err() && Layers::hbbcd(2, 2).is_err());
    assert!(Layers::new(std::iter::repeat((aabb, 0))).is_err());
}
