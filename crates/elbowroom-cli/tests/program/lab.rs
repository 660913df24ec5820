//! `elbowroom lab`: the papers' experiments.
#![cfg(feature = "lab")]

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

/// Bodies that lie in the folder of data are taken beside the generated ones.
#[test]
fn real_bodies_come_from_the_folder_of_data() {
    let desk = Desk::new();
    let meshes = desk.path().join("data/meshes");
    std::fs::create_dir_all(&meshes).expect("a folder");
    desk.put_obj("data/meshes/suzanne.obj", &elbowroom_make::monkey_head(2));
    let ask = ["lab", "run", "sbbk-monkeys", "--quick", "--json"];
    let claims = |run: &crate::desk::Run| -> Vec<String> {
        let json = run.json();
        let claims = json["reports"][0]["claims"].as_array().expect("a list").clone();
        claims.iter().map(|claim| claim["id"].as_str().expect("a name").to_owned()).collect()
    };
    let with = desk.run(&[&ask[..], &["--data", "data"]].concat());
    assert_eq!((with.code, with.err.as_str()), (0, ""));
    let real = "SBBK-T2-suzanne".to_owned();
    assert!(claims(&with).contains(&real), "{:?}", claims(&with));
    let mut command = desk.command(&ask);
    let by_variable = command.env("ELBOWROOM_DATA", desk.path().join("data")).output();
    assert!(claims(&by_variable.expect("the program runs").into()).contains(&real));
    let nowhere = desk.command(&ask).env("ELBOWROOM_DATA", "nowhere").output();
    let without = crate::desk::Run::from(nowhere.expect("the program runs"));
    assert!(without.code == 0 && !claims(&without).contains(&real));
    assert!(without.out.contains("--data"), "{}", without.out);
}

#[test]
fn a_folder_that_is_named_has_to_be_there() {
    let run = Desk::new().run(&["lab", "run", "obbtree-table1", "--quick", "--data", "nowhere"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("nowhere: is no directory"), "{}", run.err);
}

/// The robot's hand, where the data is there.
#[test]
fn the_shadow_hand_plays() {
    let Some(folder) = elbowroom_testkit::data::shared_dir() else {
        return elbowroom_testkit::data::skip_note("the_shadow_hand_plays");
    };
    let folder = folder.to_string_lossy();
    let run =
        Desk::new().run(&["lab", "run", "cab-table5", "--quick", "--json", "--data", &*folder]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let json = run.json();
    let claims = json["reports"][0]["claims"].as_array().expect("a list");
    for id in ["CAB-T5-counts", "CAB-T5-shadow-counts", "CAB-T5-itself-counts"] {
        let claim = claims.iter().find(|claim| claim["id"] == id).expect(id);
        assert_eq!((&claim["verdict"], &claim["gate"]), (&"holds".into(), &true.into()), "{id}");
    }
    let tables = json["reports"][0]["tables"].as_array().expect("a list");
    assert_eq!(tables.len(), 5, "two of the generated hand, three of the robot's");
}
