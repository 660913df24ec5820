//! The suite is right, and the runner notices what is wrong.

use super::{Tally, compare, format, load, run};
use crate::brute::all_pairs;
use crate::oracle::Relation;
use std::collections::BTreeMap;

#[test]
fn expected_lists_are_the_oracles() {
    let tally = run(|case| all_pairs(&case.a, &case.pose_a, &case.b, &case.pose_b));
    println!("{tally:?}");
    assert_eq!(tally, Tally { cases: 141, pairs: 2845, touching: 697, crossing: 79 });
}

#[test]
fn expected_lists_are_the_oracles_with_the_meshes_swapped() {
    let tally = run(|case| {
        let pairs = all_pairs(&case.b, &case.pose_b, &case.a, &case.pose_a);
        pairs.into_iter().map(|(j, i, relation)| (i, j, relation)).collect()
    });
    assert!(tally.cases >= 60);
}

#[test]
fn every_theme_has_cases() {
    let mut themes = BTreeMap::new();
    for case in load() {
        *themes.entry(case.theme).or_insert(0) += 1;
    }
    println!("{themes:?}");
    let wanted = [
        "apart",
        "copies",
        "coplanar",
        "crossing",
        "degenerate",
        "far",
        "nested",
        "scale",
        "shared",
        "touching",
    ];
    assert_eq!(themes.keys().map(String::as_str).collect::<Vec<_>>(), wanted);
    assert!(themes.values().all(|&n| n >= 5), "{themes:?}");
}

#[test]
fn a_wrong_engine_is_named_case_by_case() {
    let cases = load();
    let (_, silent) = compare(&cases, |_| Vec::new());
    let with_contact = cases.iter().filter(|c| !c.expected.is_empty()).count();
    assert_eq!(silent.len(), with_contact);
    let (_, loud) = compare(&cases, |case| {
        let mut pairs = case.expected.clone();
        pairs.extend(case.expected.first());
        pairs
    });
    assert_eq!(loud.len(), with_contact);
    let (_, blunt) = compare(&cases, |case| {
        case.expected.iter().map(|&(i, j, _)| (i, j, Relation::Touching)).collect()
    });
    let with_crossing =
        cases.iter().filter(|c| c.expected.iter().any(|p| p.2 == Relation::Crossing)).count();
    assert_eq!(blunt.len(), with_crossing);
    assert!(silent.iter().all(|line| line.contains(" / ") && line.contains("missing [(")));
}

#[test]
fn malformed_cases_are_refused_by_name() {
    let mesh = r#"{"mesh":{"vertices":[[0,0,0]],"triangles":[[0,0,0]]}}"#;
    let case = |a: &str, rest: &str| {
        format!(r#"{{"about":"x","cases":[{{"name":"n","shows":"s","a":{a},"b":{mesh},{rest}}}]}}"#)
    };
    assert!(format::parse("t", &case(mesh, r#""expected":[]"#)).is_ok());
    let wrong = [
        (case(mesh, r#""expected":[[0,1,"touching"]]"#), "cannot be"),
        (case(mesh, r#""expected":[[0,0,"apart"]]"#), "cannot be"),
        (case(mesh, r#""expected":[[0,0,"touching"],[0,0,"crossing"]]"#), "twice"),
        (case(mesh, r#""expected":[],"pose_a":{"r":[1,0,0,0,1,0,0,0,2]}"#), "rotation"),
        (case(mesh, r#""expected":[],"pose_b":{"r":[1,0,0,0,1,0,0,0,-1]}"#), "mirrors"),
        (case(mesh, r#""expected":[],"colour":1"#), "colour"),
        (
            case(r#"{"mesh":{"vertices":[[0,0,0]],"triangles":[[0,0,1]]}}"#, r#""expected":[]"#),
            "not there",
        ),
        (case(r#"{"mesh":{"vertices":[],"triangles":[]}}"#, r#""expected":[]"#), "no triangle"),
        (
            case(
                r#"{"strip":{"origin":[0,0,0],"along":[1,0,0],"across":[0,1,0],"count":4000000000}}"#,
                r#""expected":[]"#,
            ),
            "more than a case",
        ),
    ];
    for (text, problem) in wrong {
        let message = format::parse("t", &text).expect_err(problem);
        assert!(
            message.starts_with(r#"t.json, case "n""#) && message.contains(problem),
            "{message}"
        );
    }
}
