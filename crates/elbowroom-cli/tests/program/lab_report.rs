//! `elbowroom lab report`: the folder that it writes.
#![cfg(feature = "lab")]

use std::fs;

use serde_json::Value;

use crate::desk::{Desk, Run, keeps_schema};

/// Two experiments that take no time, without real bodies, and with results kept on the desk.
const ASK: [&str; 11] = [
    "lab",
    "report",
    "--quick",
    "--only",
    "obbtree-table1",
    "--only",
    "obbtree-memory",
    "-o",
    "out",
    "--cache",
    "kept",
];

fn ask(desk: &Desk, more: &[&str]) -> Run {
    let mut command = desk.command(&[&ASK[..], more].concat());
    command.env("ELBOWROOM_DATA", "nowhere").output().expect("the program runs").into()
}

fn read(desk: &Desk, name: &str) -> String {
    fs::read_to_string(desk.path().join("out").join(name)).expect(name)
}

fn json(desk: &Desk) -> Value {
    serde_json::from_str(&read(desk, "report.json")).expect("JSON")
}

#[test]
fn a_report_is_a_page_a_readme_and_an_object() {
    let desk = Desk::new();
    let run = ask(&desk, &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.ends_with("index.html\n"), "{}", run.out);
    let (page, readme, json) = (read(&desk, "index.html"), read(&desk, "README.md"), json(&desk));
    keeps_schema(&json, "lab-report");
    assert_eq!((&json["quick"], &json["data"]), (&true.into(), &false.into()));
    let experiments = json["experiments"].as_array().expect("a list");
    assert_eq!(experiments.len(), 2);
    let verdicts: Value = serde_json::from_str(&read(&desk, "verdicts.json")).expect("JSON");
    let mut claims = 0;
    for claim in experiments.iter().flat_map(|e| e["claims"].as_array().expect("a list")) {
        let id = claim["id"].as_str().expect("a name");
        assert!(page.contains(&format!("id=\"{id}\"")), "{id} has no place on the page");
        assert!(page.contains(&format!("href=\"#{id}\"")), "{id} is not led to");
        assert_eq!(verdicts["verdicts"][id], claim["verdict"], "{id}");
        assert!(readme.contains(&format!("<a id=\"{}\"></a>", id.to_lowercase())), "{id}");
        claims += 1;
    }
    assert!(claims >= 5, "only {claims} claims");
    // Nothing is fetched and nothing is run.
    for word in ["<script", "src=\"http", "href=\"http", "url(", "@import"] {
        assert!(!page.contains(word), "{word} on the page");
    }
    for tag in ["section", "table", "details", "article", "figure", "dl", "ul", "p", "div"] {
        let (opened, closed) = (format!("<{tag}"), format!("</{tag}>"));
        let begins = |c: char| c == ' ' || c == '>';
        let opened = page
            .match_indices(&opened)
            .filter(|(at, _)| page[at + opened.len()..].starts_with(begins));
        assert_eq!(opened.count(), page.matches(&closed).count(), "{tag}");
    }
    for experiment in experiments {
        for chart in experiment["chart_files"].as_array().expect("a list") {
            let file = desk.path().join("out").join(chart.as_str().expect("a name"));
            assert!(file.is_file(), "{chart} is not there");
        }
    }
    // What the paper prints, and what comes out; with commas.
    assert!(page.contains("<td class=\"n theirs\">81</td>"), "the operations of the box test");
    for link in readme.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        let is_file = !link.starts_with('#');
        assert!(!is_file || desk.path().join("out").join(link).is_file(), "{link} is not there");
    }
}

#[test]
fn results_are_kept_until_they_are_asked_for_afresh() {
    let desk = Desk::new();
    assert_eq!(ask(&desk, &[]).code, 0);
    let first = json(&desk);
    let kept = desk.path().join("kept");
    let files: Vec<_> = fs::read_dir(&kept).expect("a folder").flatten().collect();
    assert_eq!(files.len(), 2);
    let again = ask(&desk, &[]);
    assert!(again.err.contains("kept"), "{}", again.err);
    assert_eq!(json(&desk)["experiments"], first["experiments"]);
    assert!(read(&desk, "index.html").contains("2 kept from an earlier run"));
    // What cannot be read is measured again, and so is all with --fresh.
    fs::write(files[0].path(), "{").expect("it can be spoiled");
    assert_eq!(ask(&desk, &[]).code, 0);
    assert!(read(&desk, "index.html").contains("1 kept from an earlier run"));
    assert_eq!(ask(&desk, &["--fresh"]).code, 0);
    assert!(!read(&desk, "index.html").contains("kept from an earlier run"));
}

#[test]
fn papers_and_experiments_are_known_by_name() {
    let desk = Desk::new();
    let run = desk.run(&["lab", "report", "--only", "quicksort", "-o", "out"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("quicksort") && run.err.contains("lab list"), "{}", run.err);
    assert!(!desk.path().join("out").exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_said() {
    let desk = Desk::new();
    desk.put("out", "a file");
    let run = ask(&desk, &[]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("out: cannot be made"), "{}", run.err);
}

/// What is left of a run's reports without all that the clock had a part in.
fn untimed(mut json: Value) -> Value {
    for report in json["reports"].as_array_mut().expect("a list") {
        for table in report["tables"].as_array_mut().expect("a list") {
            let names = table["columns"].as_array().expect("a list").clone();
            let is_timed = |name: &Value| name.as_str().is_some_and(|name| name.contains("time"));
            for row in table["rows"].as_array_mut().expect("a list") {
                let cells = row.as_array_mut().expect("a list").iter_mut().zip(&names);
                cells.filter(|(_, name)| is_timed(name)).for_each(|(cell, _)| *cell = Value::Null);
            }
        }
        for claim in report["claims"].as_array_mut().expect("a list") {
            if claim["timed"] == true {
                (claim["ours"], claim["verdict"]) = (Value::Null, Value::Null);
            }
        }
        report["charts"].as_array_mut().expect("a list").retain(|chart| chart["timed"] == false);
    }
    json
}

/// Packed trees are asked in batches, on the lanes that the machine has: what is counted must not
/// show which.
#[test]
fn counts_do_not_depend_on_lanes_or_runs() {
    let desk = Desk::new();
    let ask = ["lab", "run", "obbtree-fig6", "obbtree-memory", "cab-table1", "--quick", "--json"];
    let run = |lanes: Option<&str>| {
        let mut command = desk.command(&ask);
        if let Some(lanes) = lanes {
            command.env("ELBOWROOM_SIMD", lanes);
        }
        let run = Run::from(command.output().expect("the program runs"));
        assert_eq!(run.code, 0, "{}", run.err);
        untimed(run.json())
    };
    let here = run(None);
    assert_eq!(here, run(None));
    assert_eq!(here, run(Some("portable")));
    let numbers = here.to_string().matches(|c: char| c.is_ascii_digit()).count();
    assert!(numbers > 500, "only {numbers} digits to compare");
}
