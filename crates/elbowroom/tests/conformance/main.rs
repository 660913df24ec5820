//! The conformance suite: what an answer means, question by question.

#![allow(unreachable_pub, reason = "the engine is shared with the bench")]

mod ours;

use elbowroom_testkit::conformance::{Asked, run};
use ours::Ours;

#[test]
fn no_answer_is_wrong() {
    let report = run(&mut Ours::default());
    println!("{} cases, {} scenes", report.cases, report.scenes);
    for (question, Asked { right, wrong, unanswered }) in &report.asked {
        println!("{question:>16}: {right:5} right, {wrong} wrong, {unanswered:5} not answered");
    }
    for failure in &report.failures {
        println!("{failure:#?}");
    }
    assert!(report.failures.is_empty(), "{} answers are wrong", report.failures.len());
    let unanswered = |question: &str| report.asked[question].unanswered;
    // What is plugged in is answered; a question that is plugged in later must not fall back.
    for question in ["meets", "pairs", "crossing_pairs", "pair_list", "closed"] {
        assert_eq!(unanswered(question), 0, "{question}");
    }
    let total = report.total();
    println!("{total:?}");
    // So that nothing is passed over unnoticed. Whoever adds cases or plugs in an answer changes these.
    assert_eq!((report.cases, report.scenes), (191, 1794));
    assert_eq!((total.right, total.unanswered), (8553, 10155));
}
