//! A program that was built without something says so, and how to come by it.
#![cfg(not(feature = "lab"))]

use crate::desk::Desk;

#[test]
fn says_how_to_come_by_it() {
    let run = Desk::new().run(&["lab", "run", "obbtree-fig5", "--quick"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("cargo run --release -- lab run obbtree-fig5 --quick"), "{}", run.err);
}

#[cfg(not(feature = "fbx"))]
#[test]
fn files_that_cannot_be_read_are_said_to_be() {
    let desk = Desk::new();
    desk.put("man.fbx", "; FBX 7.3.0 project file\n");
    let run = desk.run(&["check", "man.fbx"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(
        run.err.contains("man.fbx: this program reads no FBX") && run.err.contains("feature `fbx`"),
        "{}",
        run.err
    );
}

#[cfg(not(feature = "papers"))]
#[test]
fn trees_say_how_to_come_by_them() {
    let run = Desk::new().run(&["tree", "part.stl", "--kind", "sbbk"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    let again = "cargo run --release -- tree part.stl --kind sbbk";
    assert!(run.err.contains("feature `papers`") && run.err.contains(again), "{}", run.err);
}
