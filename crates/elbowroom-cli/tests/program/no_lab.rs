//! A program that was built without the lab says so, and how to come by it.
#![cfg(not(feature = "lab"))]

use crate::desk::Desk;

#[test]
fn says_how_to_come_by_it() {
    let run = Desk::new().run(&["lab", "run", "obbtree-fig5", "--quick"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("cargo run --release -- lab run obbtree-fig5 --quick"), "{}", run.err);
}
