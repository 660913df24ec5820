//! The five structures by name, as their configurations make them, on the suite of cases and on
//! made things: the answers are the truth's, and what was met is counted.

use std::sync::Arc;

use elbowroom::Pose;
use elbowroom_make::{Chain, chain};
use elbowroom_motion::Planar;
use elbowroom_motion::footprint::{Cut, Outline};
use elbowroom_motion::space_time::{TimeAxis, Tracked, Workspace, collide_brute};
use elbowroom_papers::bch::{self, CylinderHierarchy};
use elbowroom_papers::cab::{self, ArticulatedBody, CabHierarchy, RefitMethod};
use elbowroom_papers::grammar::{Family, Front, Path, Rule, Verdict};
use elbowroom_papers::mobb::{self, Kind, MobbTree, Placed, Question, Sample, Trace};
use elbowroom_papers::obbtree::{self, ObbTree};
use elbowroom_papers::sbbk::{self, HybridTree, LayerChoice};
use elbowroom_testkit::cases::{self, Tally};
use elbowroom_tests::common::{mesh, placement, plain};
use glam::{DAffine3, DVec2, DVec3};

fn met_all(tally: &Tally) {
    assert!(tally.cases >= 140 && tally.touching >= 690 && tally.crossing >= 75, "{tally:?}");
}

#[test]
fn obb_trees_pass_the_suite() {
    let paper = obbtree::Config::paper();
    let families = Family::ALL.map(|family| paper.with_family(family));
    let rapid = obbtree::Config::rapid();
    let rules = [Rule::First, Rule::Both].map(|rule| rapid.with_rule(rule));
    let mut runs = 0;
    for config in [paper, rapid].into_iter().chain(families).chain(rules) {
        let mut visited = 0;
        let tally = cases::run(|case| {
            let [a, b] = [&case.a, &case.b].map(|soup| ObbTree::build(mesh(soup), &config));
            let found = a.intersect(&placement(&case.pose_a), &b, &placement(&case.pose_b));
            assert_eq!(found.is_contact(), !found.pairs.is_empty(), "{}", case.name);
            // Copies of one triangle are tested once.
            assert!(found.nodes_visited() >= 1 && (found.is_clear() || found.tally.primitives > 0));
            visited += found.nodes_visited();
            plain(&found.pairs)
        });
        met_all(&tally);
        assert!(visited > 3 * tally.cases as u64, "{config:?}: {visited}");
        runs += 1;
    }
    assert_eq!(runs, 12);
}

#[test]
fn named_layers_pass_the_suite_from_the_root_and_from_a_front() {
    let mut runs = 0;
    for (name, layers) in LayerChoice::named() {
        let config = sbbk::Config { layers, ..sbbk::Config::paper() };
        let tally = cases::run(|case| {
            let [a, b] = [&case.a, &case.b].map(|soup| HybridTree::build(mesh(soup), &config));
            let (at, there) = (placement(&case.pose_a), placement(&case.pose_b));
            let found = a.intersect(&at, &b, &there);
            for mut front in [Front::default(), Front::default().without_raising()] {
                for _ in 0..3 {
                    let again = a.intersect_from(&mut front, &at, &b, &there);
                    assert_eq!(again.pairs, found.pairs, "{name}, {}", case.name);
                }
            }
            plain(&found.pairs)
        });
        met_all(&tally);
        runs += 1;
    }
    assert_eq!(runs, 13);
}

#[test]
fn a_level_limit_is_never_wrongly_clear() {
    let ball = elbowroom_make::bumpy_sphere(6, 0.2, 1);
    let tree = ObbTree::build(ball.clone(), &obbtree::Config::paper());
    let hybrid = HybridTree::build(ball, &sbbk::Config::paper());
    let mut met = [0; 3];
    for step in 0..40 {
        let beside = Pose::from_translation(DVec3::X * (1.6 + 0.04 * f64::from(step))).unwrap();
        let truth = tree.intersect(&beside, &tree, &Pose::IDENTITY);
        for level in [0, 2, 5, 40] {
            let path = Path { rule: Rule::Both, level: Some(level) };
            let found = [
                tree.intersect_by(path, &beside, &tree, &Pose::IDENTITY),
                hybrid.intersect_by(path, &beside, &hybrid, &Pose::IDENTITY),
            ];
            for found in found {
                assert!(!(found.is_clear() && truth.is_contact()), "{step} {level}");
                assert!(!(found.is_contact() && truth.is_clear()), "{step} {level}");
                met[found.verdict as usize] += 1;
            }
        }
    }
    assert!(met.iter().all(|count| *count > 20), "{met:?}");
}

/// A tolerance changes boxes and the work, never an answer; links of CAB and OBB are the same
/// candidates.
#[test]
fn bodies_of_links_answer_alike_whatever_their_boxes() {
    let rig = chain(&Chain::default());
    let body = Arc::new(ArticulatedBody::of_rig(&rig).unwrap());
    let mut configs: Vec<cab::Config> =
        RefitMethod::ALL.map(|method| cab::Config::paper().with_method(method)).to_vec();
    configs.push(cab::Config { parallel_tolerance: 0.3, ..cab::Config::paper() });
    let (mut pose, mut world) = (rig.rest_pose(), Vec::new());
    let mut frames = Vec::new();
    for frame in 0..24 {
        rig.clips[0].sample(f64::from(frame) / 8.0, &mut pose);
        rig.skeleton.world(&pose, &mut world);
        frames.push(world.clone());
    }
    let beside = DAffine3::from_translation(DVec3::X * 0.15);
    let (mut answers, mut work) = (Vec::new(), Vec::new());
    for config in &configs {
        let mut a = CabHierarchy::build(Arc::clone(&body), config);
        let mut b = CabHierarchy::build(Arc::clone(&body), config);
        let (mut pairs, mut tests) = (Vec::new(), (0, 0));
        for (frame, other) in frames.iter().zip(frames.iter().skip(5)) {
            a.update(frame).unwrap();
            b.update(&other.iter().map(|joint| beside * *joint).collect::<Vec<_>>()).unwrap();
            let found = a.intersect(&mut b);
            tests.0 += found.nodes_visited();
            tests.1 += found.tally.primitives;
            pairs.push(found.pairs);
        }
        answers.push(pairs);
        work.push(tests);
    }
    let touching = answers[0].iter().filter(|pairs| !pairs.is_empty()).count();
    assert!(touching > 2 && touching < answers[0].len(), "{touching}");
    assert!(answers.iter().all(|pairs| *pairs == answers[0]));
    let of = |method: &str| {
        let index = configs.iter().position(|config| config.method.name() == method);
        work[index.expect("a method")]
    };
    assert_eq!(of("cab").1, of("obb").1, "the same leaf boxes");
    assert!(of("aabb-corners").1 >= of("aabb-vertices").1 && of("brute").0 == 0);
    assert_ne!(work.last().unwrap().0, of("cab").0, "the tolerance is heeded");
}

/// Circles: every cut and both outlines are clear only where the bodies are, and whole contours are
/// the same.
#[test]
fn circles_are_never_wrongly_clear() {
    let person = elbowroom_make::body::male().parts[0].mesh.clone();
    let upright = person.vertices().iter().map(|p| DVec3::new(p.z, p.x, p.y));
    let person = person.with_vertices(upright.collect()).unwrap();
    let exact = ObbTree::build(person.clone(), &obbtree::Config::paper());
    let paper = bch::Config::paper();
    let mut configs = vec![paper, bch::Config { outline: Outline::Silhouette, ..paper }];
    configs
        .extend([Cut::Area, Cut::Center, Cut::Covariance].map(|cut| bch::Config { cut, ..paper }));
    let trees: Vec<CylinderHierarchy> =
        configs.iter().map(|config| CylinderHierarchy::build(&person, config)).collect();
    let roots = trees.iter().map(|tree| tree.footprint().whole().radius);
    assert!(
        roots.clone().all(|radius| (radius - trees[0].footprint().whole().radius).abs() < 1e-6)
    );
    let mut met = (0, 0);
    for step in 0..30 {
        let angle = 0.37 * f64::from(step);
        let shift = DVec2::from_angle(1.1 * angle) * (0.1 + 0.02 * f64::from(step));
        let at = Planar::from_angle(angle, shift).unwrap();
        let turned = glam::DMat3::from_rotation_z(0.0);
        let (cos, sin) = at.turn();
        let turn = glam::DMat3::from_cols(
            DVec3::new(cos, sin, 0.0),
            DVec3::new(-sin, cos, 0.0),
            turned.z_axis,
        );
        let pose = Pose::new(turn, shift.extend(0.0)).unwrap();
        let truth = exact.intersect(&Pose::IDENTITY, &exact, &pose).is_contact();
        met.0 += usize::from(truth);
        for tree in &trees {
            let found = tree.intersect(&Planar::IDENTITY, tree, &at, None);
            assert!(found.verdict != Verdict::Contact && !(truth && found.is_clear()), "{step}");
            met.1 += usize::from(found.is_clear());
        }
    }
    assert!(met.0 >= 3 && met.1 >= 20, "{met:?}");
}

#[test]
fn motions_answer_as_all_pairs_of_samples_do() {
    let walk = |turn: f64| {
        let sample = |k: u32| {
            let t = f64::from(k) / 30.0;
            Sample::new(1.2 * t, turn * libm::sin(2.0 * t), 0.3)
        };
        Trace::new(&(0..150).map(sample).collect::<Vec<_>>(), 1.0 / 30.0).unwrap()
    };
    let (first, second) = (walk(0.3), walk(-0.5));
    let mut configs: Vec<mobb::Config> = Kind::ALL.map(mobb::Config::paper).to_vec();
    configs.push(mobb::Config { axis: TimeAxis::Covariance, ..mobb::Config::paper(Kind::Mobb) });
    configs.push(mobb::Config { time_scale: 3.0, n_min: 4, ..mobb::Config::paper(Kind::Umobb) });
    let tracked =
        |trace: &Trace| Tracked::new(trace.clone(), mobb::Config::paper(Kind::Mobb)).unwrap();
    let (a, b) = (tracked(&first), tracked(&second));
    let trees: Vec<[MobbTree; 2]> = configs
        .iter()
        .map(|config| {
            [&first, &second].map(|it| MobbTree::with_config(it.clone(), *config).unwrap())
        })
        .collect();
    let (mut met, mut counts) = ([0; 2], vec![(0, 0); trees.len()]);
    for step in 0..40 {
        let angle = 0.3 * f64::from(step);
        let at = Planar::from_angle(angle, DVec2::new(3.0, 0.08 * f64::from(step) - 1.0)).unwrap();
        let there = Placed::new(at, 0.07 * f64::from(step) - 1.0).unwrap();
        let truth = collide_brute(&a, &Placed::ORIGIN, &b, &there, &Workspace::new());
        met[usize::from(truth)] += 1;
        let mut pairs = None;
        for ([one, two], count) in trees.iter().zip(&mut counts) {
            let found = one.intersect(&Placed::ORIGIN, two, &there);
            assert_eq!(found.is_contact(), truth, "{step}");
            assert_eq!(*pairs.get_or_insert_with(|| found.pairs.clone()), found.pairs, "{step}");
            let sooner = one.intersect_by(Question::first(), &Placed::ORIGIN, two, &there);
            assert!(sooner.is_contact() == truth && sooner.pairs.len() == usize::from(truth));
            *count = (count.0 + found.nodes_visited(), count.1 + found.tally.primitives);
        }
    }
    assert!(met.iter().all(|count| *count >= 5), "{met:?}");
    // Every parameter that changes no answer changes the work.
    let mut distinct = counts.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert!(distinct.len() >= 7, "{counts:?}");
}
