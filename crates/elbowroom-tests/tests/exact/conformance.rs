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
    let total = report.total();
    println!("{total:?}");
    // So that nothing is passed over unnoticed. New cases change these numbers.
    assert_eq!((report.cases, report.scenes), (191, 1793));
    assert_eq!((total.right, total.unanswered), (18_707, 0));
}
