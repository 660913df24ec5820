//! Whatever the bytes are: a mesh whose corners exist and whose coordinates are finite, or an error
//! that says something.

use std::cell::Cell;

use super::common::binary_stl;
use elbowroom_io::{MeshFile, ParseError, obj, stl};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestRunner;

fn assert_sound(result: Result<MeshFile, ParseError>, bytes: &[u8]) {
    match result {
        Ok(file) => {
            let vertices = file.mesh.vertices();
            assert!(vertices.iter().all(|p| p.is_finite()));
            let in_range = |corner: &u32| (*corner as usize) < vertices.len();
            assert!(file.mesh.triangles().iter().flatten().all(in_range));
            assert!(file.faces > 0 && file.faces <= file.mesh.triangles().len());
            let mut next = 0;
            for part in &file.parts {
                assert!(part.first_face >= next && part.faces > 0);
                next = part.first_face + part.faces;
            }
            assert!(next <= file.faces);
            // A byte that is not UTF-8 becomes a character of three.
            let names: usize = file.parts.iter().map(|part| part.name.len()).sum();
            assert!(names <= 3 * bytes.len());
        }
        Err(error) => {
            assert!(!error.message().is_empty());
            assert!(error.message().len() < 400, "{error}");
            assert!(error.line().is_none_or(|line| line <= bytes.len() + 1));
            assert!(error.byte().is_none_or(|byte| byte < bytes.len()));
        }
    }
}

/// Whether either reader accepts the bytes.
fn read_as_both(bytes: &[u8]) -> bool {
    let results = [obj::parse(bytes), stl::parse(bytes)];
    let accepted = results.iter().any(Result::is_ok);
    for result in results {
        assert_sound(result, bytes);
    }
    accepted
}

const OBJ: &str = "# c\no a\nv 0 0 0 1 1 1\r\nv 1e3 -2.5 .5\nv 0 1 0\nf 1 2 3\ng b c\nf -1//2 \\\n -2//2 -3/1/1\nl 1 2\n";
const STL: &str = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n";

/// Files that read well, each to be spoilt.
fn good_files() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(OBJ.as_bytes().to_vec()),
        Just(STL.as_bytes().to_vec()),
        Just(binary_stl(3, &[[[1.5; 3]; 3]; 3])),
    ]
}

/// Words that mean something to a reader, in any order.
fn words() -> impl Strategy<Value = Vec<u8>> {
    let word = select(vec![
        "v",
        "f",
        "o",
        "g",
        "l",
        "p",
        "vt",
        "vn",
        "#",
        "\\\n",
        "\\",
        "\n",
        "\r",
        "\r\n",
        " ",
        "\t",
        "/",
        "//",
        "0",
        "1",
        "-1",
        "2",
        "3",
        "-9223372036854775808",
        "9223372036854775808",
        "1e308",
        "1e309",
        "-.5",
        "nan",
        "inf",
        "1/1",
        "1//1",
        "\u{feff}",
        "é",
        "solid",
        "facet normal 0 0 0",
        "outer loop",
        "vertex 0 0 0",
        "endloop",
        "endfacet",
        "endsolid",
    ]);
    vec((word, prop::bool::weighted(0.8)), 0..60).prop_map(|words| {
        let spaced = words.iter().flat_map(|(word, space)| [*word, if *space { " " } else { "" }]);
        spaced.collect::<String>().into_bytes()
    })
}

/// Runs `check` on 2000 inputs and says for how many it was true.
fn count<S: Strategy>(inputs: &S, check: impl Fn(S::Value) -> bool) -> usize {
    let held = Cell::new(0);
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) };
    let run = TestRunner::new(config).run(inputs, |input| {
        held.set(held.get() + usize::from(check(input)));
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    held.get()
}

#[test]
fn arbitrary_bytes() {
    let accepted = count(&vec(any::<u8>(), 0..400), |bytes| read_as_both(&bytes));
    assert_eq!(accepted, 0, "noise is no mesh");
}

#[test]
fn arbitrary_words() {
    let accepted = count(&words(), |bytes| read_as_both(&bytes));
    assert!(accepted < 1000, "{accepted}");
}

#[test]
fn spoilt_files() {
    let change = (any::<Index>(), any::<u8>());
    let inputs = (good_files(), vec(change, 0..6), option::of(any::<Index>()));
    let accepted = count(&inputs, |(mut bytes, changes, cut)| {
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        read_as_both(&bytes)
    });
    // The slightly spoilt are often still good, the cut ones hardly ever.
    assert!((200..1200).contains(&accepted), "{accepted}");
}

#[test]
fn headers_that_lie() {
    let count_or_truth = prop_oneof![any::<u32>().prop_map(Some), Just(None)];
    let inputs = (count_or_truth, 0_u32..4, prop_oneof![Just(0_usize), 1_usize..60]);
    let accepted = count(&inputs, |(lie, held, extra)| {
        let written = lie.unwrap_or(held);
        let mut bytes = binary_stl(written, &vec![[[1.0; 3]; 3]; held as usize]);
        bytes.resize(bytes.len() + extra, 0);
        let honest = 84 + 50 * u64::from(written) == bytes.len() as u64;
        let accepted = stl::parse(&bytes).is_ok();
        assert_eq!(accepted, honest && written > 0, "{written} {held} {extra}");
        accepted
    });
    // A true count (1/2), triangles at all (3/4), nothing behind them (1/2).
    assert!((200..600).contains(&accepted), "{accepted}");
}

#[test]
fn names_do_not_outgrow_the_file() {
    let mut bytes = b"v 0 0 0\no ".to_vec();
    bytes.extend(b"x".repeat(10_000));
    for group in 0..1000 {
        bytes.extend(format!("\ng {group}\nf 1").bytes());
    }
    let file = obj::parse(&bytes).unwrap();
    assert_eq!(file.parts.len(), 1000);
    assert_sound(Ok(file), &bytes);
}

#[test]
fn the_files_to_spoil_are_good() {
    assert_eq!(obj::parse(OBJ.as_bytes()).unwrap().faces, 2);
    assert_eq!(stl::parse(STL.as_bytes()).unwrap().faces, 1);
    assert_eq!(stl::parse(&binary_stl(3, &[[[1.5; 3]; 3]; 3])).unwrap().faces, 3);
}
