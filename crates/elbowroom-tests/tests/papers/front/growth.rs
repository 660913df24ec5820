//! What a front costs: where nothing moves, where objects part and meet again, and where it is
//! never raised.

use elbowroom::Pose;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, Want};
use elbowroom::internal::traverse::{Path, Rule};
use elbowroom::internal::volume::Family;
use elbowroom_papers::grammar::Front;
use elbowroom_papers::sbbk::Coherent;
use glam::DVec3;

use super::cut;

fn ball(family: Family) -> Model {
    Model::with_config(elbowroom_make::icosphere(5), &Config::default().with_family(family))
}

fn at(x: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, 0.1, 0.2)).expect("finite")
}

fn count(rule: Rule) -> CollisionRequest {
    CollisionRequest { want: Want::Count, path: Path { rule, level: None }, margin: 0.0 }
}

#[test]
fn what_does_not_move_costs_the_front() {
    for family in [Family::Aabb, Family::Obb, Family::Sphere] {
        for rule in [Rule::Larger, Rule::Both] {
            let model = ball(family);
            let mut pair = Coherent::new(model.clone(), model.clone());
            let question = count(rule);
            let from_root = pair.ask(&at(0.0), &at(1.9), &question).tally.volumes();
            let size = pair.front().len() as u64;
            assert!(size > 100 && size < from_root, "{size} of {from_root}");
            let mut visits = 0;
            for _ in 0..640 {
                visits += pair.ask(&at(0.0), &at(1.9), &question).tally.volumes();
            }
            // Now and then a pair above is tried in vain: seldom more than once in 32 times.
            let more = visits - 640 * pair.front().len() as u64;
            assert!(pair.front().len() as u64 <= size);
            assert!(
                more * 32 <= visits,
                "{family:?} {rule:?}: {more} of {visits} beyond the front"
            );
        }
    }
}

#[test]
fn objects_that_part_are_one_pair_again_and_meet_again() {
    for rule in [Rule::Larger, Rule::First, Rule::Both] {
        let model = ball(Family::Kdop18);
        let mut pair = Coherent::new(model.clone(), model.clone());
        let question = count(rule);
        let (mut largest, mut contacts) = (0, 0);
        for round in 0..4 {
            for step in 0..60 {
                // In, and stay there for a while.
                let x = 2.4 - 0.01 * f64::from(step.min(50));
                contacts += u32::from(pair.ask(&at(0.0), &at(x), &question).is_contact());
                largest = largest.max(pair.front().len());
            }
            for _ in 0..40 {
                assert!(!pair.ask(&at(0.0), &at(50.0), &question).is_contact());
            }
            assert_eq!(pair.front().len(), 1, "round {round}");
            assert_eq!(pair.ask(&at(0.0), &at(50.0), &question).tally.volumes(), 1);
        }
        cut::check(pair.front(), &model, &model);
        assert!(largest > 250 && contacts > 60, "{largest} pairs, {contacts} contacts");
    }
}

#[test]
fn without_raising_a_front_only_grows() {
    let model = ball(Family::Aabb);
    let mut raised = Coherent::new(model.clone(), model.clone());
    let never = Front::default().without_raising();
    let mut kept = Coherent::with_front(model.clone(), model.clone(), never);
    let (mut before, mut grown) = (0, 0);
    for step in 0..200 {
        // There and back, past each other.
        let x = 2.5 - 0.025 * f64::from(step);
        let question = count(Rule::Larger);
        let answers = [&mut raised, &mut kept].map(|pair| pair.ask(&at(0.0), &at(x), &question));
        assert_eq!(answers[0].count(), answers[1].count());
        assert!(kept.front().len() >= before);
        grown += u32::from(kept.front().len() > before);
        before = kept.front().len();
    }
    assert!(grown > 30, "it grew {grown} times");
    assert!(raised.front().len() * 50 < before, "{} and {before}", raised.front().len());
}

/// Broken off at the first contact, the front stays a cut, and goes on from there.
#[test]
fn a_descent_that_is_broken_off_leaves_a_good_front() {
    let model = ball(Family::Obb);
    let mut pair = Coherent::new(model.clone(), model.clone());
    let (mut contacts, mut visits) = (0, Vec::new());
    for step in 0..120 {
        let x = 2.3 - 0.005 * f64::from(step);
        let question = CollisionRequest { want: Want::Any, ..CollisionRequest::default() };
        let answer = pair.ask(&at(0.0), &at(x), &question);
        cut::check(pair.front(), &model, &model);
        let whole = pair.ask(&at(0.0), &at(x), &count(Rule::Larger));
        cut::check(pair.front(), &model, &model);
        assert_eq!(answer.verdict, whole.verdict);
        if answer.is_contact() {
            contacts += 1;
            visits.push(answer.tally.volumes() as f64 / whole.tally.volumes() as f64);
        }
    }
    let mean = visits.iter().sum::<f64>() / visits.len() as f64;
    assert!(contacts > 40 && mean < 0.7, "{contacts} contacts, {mean}");
}
