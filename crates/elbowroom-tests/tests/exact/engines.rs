//! One suite of cases, every engine: all families, fits, splits and traversals give the oracle's
//! answer.

use elbowroom::Relation;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, Verdict, Want, collide, intersects};
use elbowroom::internal::traverse::{Path, Rule, Workspace};
use elbowroom::internal::volume::Family;
use elbowroom_testkit::cases::{self, Case};
use elbowroom_tests::common::{Engine, configs, engines, mesh, placement, plain};

fn models(case: &Case, config: &Config) -> (Model, Model) {
    let model = |soup| {
        let model = Model::with_config(mesh(soup), config);
        model.validate().unwrap_or_else(|fault| panic!("{}, {config:?}: {fault}", case.name));
        model
    };
    (model(&case.a), model(&case.b))
}

#[test]
fn every_engine_passes_the_suite() {
    let mut workspace = Workspace::default();
    let mut runs = 0;
    for config in configs() {
        for rule in [Rule::Larger, Rule::First, Rule::Both] {
            let question = CollisionRequest {
                path: Path { rule, level: None },
                ..CollisionRequest::default()
            };
            let tally = cases::run(|case| {
                let (a, b) = models(case, &config);
                let (place_a, place_b) = (placement(&case.pose_a), placement(&case.pose_b));
                plain(&collide(&a, &place_a, &b, &place_b, &question, &mut workspace).pairs)
            });
            assert!(
                tally.cases >= 140 && tally.touching >= 690 && tally.crossing >= 75,
                "{tally:?}"
            );
            runs += 1;
        }
    }
    assert_eq!(runs, 3 * 24);
}

/// Packed trees, built directly and from every readable one.
#[test]
fn every_packed_engine_passes_the_suite() {
    let mut workspace = Workspace::default();
    let mut runs = 0;
    for engine in engines().into_iter().filter(|engine| !matches!(engine, Engine::Readable(_))) {
        let tally = cases::run(|case| {
            let [a, b] = [&case.a, &case.b].map(|soup| engine.checked_model(mesh(soup)));
            let (place_a, place_b) = (placement(&case.pose_a), placement(&case.pose_b));
            plain(
                &collide(&a, &place_a, &b, &place_b, &CollisionRequest::default(), &mut workspace)
                    .pairs,
            )
        });
        assert!(tally.cases >= 140 && tally.touching >= 690 && tally.crossing >= 75, "{tally:?}");
        runs += 1;
    }
    assert_eq!(runs, 25);
}

/// Whatever is asked, the answers fit together; and swapping the models swaps the answer.
#[test]
fn all_questions_agree() {
    let mut workspace = Workspace::default();
    let (mut contacts, mut clear) = (0, 0);
    let of_family = |family| Engine::Readable(Config::default().with_family(family));
    for engine in Family::ALL.map(of_family).into_iter().chain([Engine::Packed]) {
        for case in cases::load() {
            let [a, b] = [&case.a, &case.b].map(|soup| engine.model(mesh(soup)));
            let (place_a, place_b) = (placement(&case.pose_a), placement(&case.pose_b));
            let mut put = |ask_for| {
                let question = CollisionRequest { want: ask_for, ..CollisionRequest::default() };
                collide(&a, &place_a, &b, &place_b, &question, &mut workspace)
            };
            let all = put(Want::All);
            let count = put(Want::Count);
            let first = put(Want::First);
            let whether = put(Want::Any);
            let touching = all.pairs.iter().filter(|p| p.relation == Relation::Touching).count();
            assert_eq!((all.touching, all.count()), (touching as u64, all.pairs.len() as u64));
            assert_eq!((count.touching, count.crossing), (all.touching, all.crossing));
            assert!(count.pairs.is_empty() && whether.pairs.is_empty());
            assert_eq!(first.pairs.len(), usize::from(!all.pairs.is_empty()));
            assert!(first.pairs.iter().all(|pair| all.pairs.contains(pair)));
            for answer in [&count, &first, &whether] {
                assert_eq!(answer.verdict, all.verdict, "{}", case.name);
            }
            assert_eq!(intersects(&b, &place_b, &a, &place_a), all.is_contact());
            assert!(whether.tally.primitives <= all.tally.primitives);

            let swapped =
                collide(&b, &place_b, &a, &place_a, &CollisionRequest::default(), &mut workspace);
            let mut back: Vec<_> = swapped.pairs.iter().map(|p| (p.b, p.a, p.relation)).collect();
            back.sort_unstable();
            assert_eq!(back, all.pairs.iter().map(|p| (p.a, p.b, p.relation)).collect::<Vec<_>>());
            if all.is_contact() { contacts += 1 } else { clear += 1 }
        }
    }
    assert!(contacts > 500 && clear > 100, "{contacts} {clear}");
}

/// Models of two different families meet as boxes, with the same answer.
#[test]
fn families_mix() {
    let mut workspace = Workspace::default();
    let mut mixed = 0;
    for (i, first) in Family::ALL.into_iter().enumerate() {
        let second = Family::ALL[(i + 3) % Family::ALL.len()];
        let tally = cases::run(|case| {
            let model = |soup, family| {
                Model::with_config(mesh(soup), &Config::default().with_family(family))
            };
            let (a, b) = (model(&case.a, first), model(&case.b, second));
            let (place_a, place_b) = (placement(&case.pose_a), placement(&case.pose_b));
            plain(
                &collide(&a, &place_a, &b, &place_b, &CollisionRequest::default(), &mut workspace)
                    .pairs,
            )
        });
        mixed += tally.cases;
    }
    assert!(mixed >= 8 * 140);
}

/// A limited traversal says clear only when it is, and at full depth it says what the full one
/// says.
#[test]
fn coarse_answers_are_never_wrongly_clear() {
    let mut workspace = Workspace::default();
    let mut met = [0; 3];
    for family in Family::ALL {
        let config = Config::default().with_family(family);
        for case in cases::load() {
            let (a, b) = models(&case, &config);
            let (place_a, place_b) = (placement(&case.pose_a), placement(&case.pose_b));
            let truth = intersects(&a, &place_a, &b, &place_b);
            for level in 0..8 {
                let question = CollisionRequest {
                    want: Want::Any,
                    path: Path { rule: Rule::Larger, level: Some(level) },
                    margin: 0.0,
                };
                let verdict =
                    collide(&a, &place_a, &b, &place_b, &question, &mut workspace).verdict;
                match verdict {
                    Verdict::Clear => assert!(!truth, "{}: wrongly clear at {level}", case.name),
                    Verdict::Contact => assert!(truth, "{}: wrong contact at {level}", case.name),
                    Verdict::MayTouch => {}
                }
                met[verdict as usize] += 1;
            }
        }
    }
    assert!(met.iter().all(|&count| count > 300), "{met:?}");
}

/// A margin makes more work and never another answer.
#[test]
fn margins_change_the_work_only() {
    let mut workspace = Workspace::default();
    let mut grown = 0;
    for family in Family::ALL {
        let config = Config::default().with_family(family);
        for case in cases::load() {
            let (a, b) = models(&case, &config);
            let (place_a, place_b) = (placement(&case.pose_a), placement(&case.pose_b));
            let mut put = |margin| {
                let question = CollisionRequest { margin, ..CollisionRequest::default() };
                collide(&a, &place_a, &b, &place_b, &question, &mut workspace)
            };
            let (plain, wide) = (put(0.0), put(0.5));
            assert_eq!(plain.pairs, wide.pairs, "{}", case.name);
            assert!(wide.tally.volumes() >= plain.tally.volumes());
            for odd in [-1.0, f64::NEG_INFINITY, f64::NAN] {
                assert_eq!(put(odd), plain, "{}", case.name);
            }
            assert_eq!(put(f64::INFINITY).pairs, plain.pairs, "{}", case.name);
            grown += u32::from(wide.tally.volumes() > plain.tally.volumes());
        }
    }
    assert!(grown > 50, "{grown}");
}
