//! Files that nest without end, or expand to far more than they are: refused with exit code 2,
//! never by a signal.

use std::io::Write as _;

use crate::desk::{Desk, obj};
use elbowroom_testkit::nesting::KINDS;
use glam::DVec3;

/// How deep things nest, by kind: as many files as overflowed the stack once, some of other kinds,
/// and within one file far more.
fn levels(kind: &str, files: usize) -> usize {
    match (kind, files) {
        ("MJCF includes", _) => 20_000,
        (_, 3..) => 500,
        // As many links as a robot may have.
        _ if kind.starts_with("URDF") => 50_000,
        _ => 200_000,
    }
}

#[test]
fn nothing_nests_too_deep_for_the_program() {
    let (mut refused, mut read) = (0, 0);
    for (kind, make) in KINDS {
        let desk = Desk::new();
        desk.put("other.obj", obj(&elbowroom_make::cuboid(DVec3::ONE)));
        let nested = make(levels(kind, make(2).files.len()));
        for (name, bytes) in &nested.files {
            desk.put(name, bytes);
        }
        let name = nested.files[0].0.as_str();
        let arguments = match name.rsplit_once('.') {
            Some((_, "toml")) => vec!["check", name],
            Some((_, "json")) => vec!["check", "other.obj", "other.obj", "--poses", name],
            _ => vec!["info", name],
        };
        // A signal would have no exit code, which `Desk` does not take.
        let run = desk.run(&arguments);
        assert!([0, 2].contains(&run.code), "{kind}: {run:?}");
        assert!(!run.err.contains("panicked"), "{kind}: {}", run.err);
        if run.code == 2 {
            assert!(run.err.contains(&format!("error: {name}")), "{kind}: {}", run.err);
            assert!(run.err.len() < 2000, "{kind}: {}", run.err);
            refused += 1;
        } else {
            read += 1;
        }
    }
    assert_eq!((refused, read), (16, 5));
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("memory takes what is written");
    encoder.finish().expect("memory takes what is written")
}

#[test]
fn a_bomb_is_refused_early_and_by_an_option_read() {
    let desk = Desk::new();
    desk.put("other.obj", obj(&elbowroom_make::cuboid(DVec3::ONE)));
    let comments = "# nothing\n".repeat(7 << 20);
    let mesh = obj(&elbowroom_make::cuboid(DVec3::splat(2.0)));
    desk.put("bomb.obj.gz", gzip((comments + &mesh).as_bytes()));
    for arguments in [&["check", "other.obj", "bomb.obj.gz"][..], &["info", "bomb.obj.gz"]] {
        let run = desk.run(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{run:?}");
        let expected = "bomb.obj.gz: decompresses to more than 64 MiB";
        assert!(run.err.contains(expected) && run.err.contains("--max-size"), "{}", run.err);
    }
    let run = desk.run(&["check", "other.obj", "bomb.obj.gz", "--max-size", "1GiB"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
    let run = desk.run(&["check", "other.obj", "bomb.obj.gz", "--max-size", "10MB"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("decompresses to more than 9.5 MiB"), "{}", run.err);
    let run = desk.run(&["info", "other.obj", "--max-size", "much"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("give a size, such as 512MiB or 4GiB"), "{}", run.err);
}
