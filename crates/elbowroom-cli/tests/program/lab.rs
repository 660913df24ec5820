//! `elbowroom lab`: the papers' experiments.

use crate::desk::Desk;

#[test]
fn experiments_are_listed() {
    let run = Desk::new().run(&["lab", "list"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    for word in ["OBBTree", "obbtree-table1", "obbtree-table2", "Table 1", "lab run"] {
        assert!(run.out.contains(word), "no {word:?} in {}", run.out);
    }
}

#[test]
fn a_report_has_tables_and_verdicts() {
    let desk = Desk::new();
    let run = desk.run(&["lab", "run", "obbtree-table1", "--quick"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    for line in [
        "  multiply             81    81         72    72          63    63",
        "✓ OBB-T1-counts  holds",
    ] {
        assert!(run.out.lines().any(|l| l == line), "no {line:?} in {}", run.out);
    }
    assert!(run.out.ends_with("all that have to hold do.\n"));
    assert_eq!(run, desk.run(&["lab", "run", "obbtree-table1", "--quick"]));
}

#[test]
fn json_is_one_object() {
    let run =
        Desk::new().run(&["lab", "run", "obbtree-table1", "obbtree-memory", "--quick", "--json"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let json = run.json();
    assert_eq!(json["schema_version"], 1);
    assert_eq!((&json["quick"], &json["failed"]), (&true.into(), &0.into()));
    let [table1, memory] = json["reports"].as_array().expect("a list").as_slice() else {
        panic!("not two reports: {json}");
    };
    assert_eq!(
        (&table1["id"], &memory["id"]),
        (&"obbtree-table1".into(), &"obbtree-memory".into())
    );
    assert_eq!(table1["tables"][0]["rows"][1][2], 60);
    assert_eq!(table1["claims"][1]["verdict"], "holds-with-another-number");
}

#[test]
fn an_unknown_name_is_refused_with_a_guess() {
    let desk = Desk::new();
    let run = desk.run(&["lab", "run", "obbtree-tabel1"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(
        run.err.contains("obbtree-tabel1") && run.err.contains("run obbtree-table1"),
        "{}",
        run.err
    );
    let run = desk.run(&["lab", "run", "quicksort", "obbtree-table1"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("lab list"), "{}", run.err);
    assert_eq!(desk.run(&["lab", "run"]).code, 2);
}
