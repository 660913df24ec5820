//! Tables that data frames read: Parquet, read back by its own reader, against the same findings in
//! JSON.
#![cfg(feature = "parquet")]

use std::collections::BTreeMap;
use std::fs::File;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::{Value, json};

use crate::desk::Desk;

pub(crate) type Row = BTreeMap<String, Value>;

/// All rows of a file, what is empty left out; and what the file says about itself.
pub(crate) fn read(desk: &Desk, name: &str) -> (Vec<Row>, BTreeMap<String, String>) {
    let file = File::open(desk.path().join(name)).expect("a file");
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let about = reader.metadata().file_metadata().key_value_metadata().cloned().unwrap_or_default();
    let about = about.into_iter().filter_map(|pair| Some((pair.key, pair.value?)));
    let value = |field: &Field| match field {
        Field::Null => None,
        Field::Long(number) => Some(json!(number)),
        Field::Double(number) => Some(json!(number)),
        Field::Str(text) => Some(json!(text)),
        other => panic!("{name} has a value of another type: {other:?}"),
    };
    let rows = reader.get_row_iter(None).expect("rows").map(|row| {
        let row = row.expect("a row");
        let cells = row.get_column_iter();
        cells.filter_map(|(column, field)| Some((column.clone(), value(field)?))).collect()
    });
    (rows.collect(), about.collect())
}

/// A finding of the JSON report as a row: vectors by their numbers, lists left out but for the
/// first parts.
fn row(finding: &Value, columns: &[&str], fps: f64) -> Row {
    let field = |name: &str| finding.get(name).cloned();
    let axis = |vector: &str, axis: usize| finding.get(vector).map(|vector| vector[axis].clone());
    let parts = |side: &str| match (finding.get("worst_parts"), finding.get("parts")) {
        (Some(pair), _) => Some(pair[usize::from(side == "b")].clone()),
        (None, Some(parts)) => Some(parts[0][side].clone()),
        (None, None) => None,
    };
    let time =
        |frame: &str| finding.get(frame).and_then(Value::as_f64).map(|frame| json!(frame / fps));
    let cell = |column: &str| match column {
        "x" => axis("point", 0),
        "y" => axis("point", 1),
        "z" => axis("point", 2),
        "normal_x" => axis("normal", 0),
        "normal_y" => axis("normal", 1),
        "normal_z" => axis("normal", 2),
        "depth_x" => axis("depth_point", 0),
        "depth_y" => axis("depth_point", 1),
        "depth_z" => axis("depth_point", 2),
        "part_a" => parts("a"),
        "part_b" => parts("b"),
        "time" => time("frame"),
        "first_time" => time("first"),
        "last_time" => time("last"),
        "worst_time" => time("worst"),
        // The built-in scene is in metres.
        "unit" => Some(json!("m")),
        _ => field(column),
    };
    columns.iter().filter_map(|&name| Some((name.to_owned(), cell(name)?))).collect()
}

const CONTACTS: [&str; 32] = [
    "frame",
    "time",
    "a",
    "b",
    "kind",
    "triangle_pairs",
    "crossing_pairs",
    "part_a",
    "part_b",
    "distance",
    "inside",
    "through",
    "certainty",
    "x",
    "y",
    "z",
    "normal_x",
    "normal_y",
    "normal_z",
    "length",
    "regions",
    "depth",
    "depth_upper",
    "depth_x",
    "depth_y",
    "depth_z",
    "volume",
    "volume_error",
    "area_a",
    "area_b",
    "depth_certainty",
    "unit",
];

const INCIDENTS: [&str; 28] = [
    "rank",
    "a",
    "b",
    "kind",
    "first",
    "last",
    "worst",
    "frames",
    "first_time",
    "last_time",
    "worst_time",
    "triangle_pairs",
    "crossing_pairs",
    "part_a",
    "part_b",
    "distance",
    "inside",
    "through",
    "depth",
    "volume",
    "length",
    "x",
    "y",
    "z",
    "normal_x",
    "normal_y",
    "normal_z",
    "unit",
];

const BETWEEN: [&str; 11] =
    ["frame", "time", "a", "b", "what", "x", "y", "z", "part_a", "part_b", "unit"];

#[test]
fn what_is_read_back_from_parquet_is_what_json_says() {
    let desk = Desk::new();
    let cases: [&[&str]; 3] = [
        &["--frames", "0-60x3"],
        &["--frames", "20-50x5", "--depth", "--where", "--clearance", "5cm"],
        &["--frames", "20-50x2", "--continuous"],
    ];
    let (mut met, mut filled) = ([0; 3], BTreeMap::<String, usize>::new());
    for case in cases {
        let run = desk.run(&[&["check", "-q", "-o", "x.parquet", "-o", "x.json"], case].concat());
        assert_eq!(run.code, 1, "{}", run.err);
        let text = std::fs::read_to_string(desk.path().join("x.json")).expect("a file");
        let report: Value = serde_json::from_str(&text).expect("JSON");
        let fps = report["fps"].as_f64().expect("a rate");
        let mut tables = vec![
            ("x.parquet", "contacts", &CONTACTS[..]),
            ("x.incidents.parquet", "incidents", &INCIDENTS[..]),
        ];
        if case.contains(&"--continuous") {
            tables.push(("x.between.parquet", "between", &BETWEEN[..]));
        }
        for (place, (file, list, columns)) in tables.into_iter().enumerate() {
            let (rows, about) = read(&desk, file);
            let findings = report[list].as_array().expect("a list");
            let expected: Vec<Row> = findings.iter().map(|f| row(f, columns, fps)).collect();
            assert_eq!(rows.len(), expected.len(), "{file}");
            for (found, expected) in rows.iter().zip(&expected) {
                assert_eq!(found, expected, "{file}");
                for name in found.keys() {
                    *filled.entry(name.clone()).or_default() += 1;
                }
            }
            met[place] += rows.len();
            assert_eq!(about["elbowroom.complete"], "true");
            assert_eq!((&*about["elbowroom.unit"], &*about["elbowroom.warnings"]), ("m", "[]"));
            assert!(about["elbowroom.assumed"].starts_with('['), "{about:?}");
            assert_eq!(about["elbowroom.pairs_examined"], report["pairs_examined"].to_string());
        }
    }
    assert!(met[0] > 20 && met[1] > 2 && met[2] > 0, "{met:?}");
    for name in ["part_a", "depth", "depth_x", "distance", "x", "normal_z", "certainty", "what"] {
        assert!(filled.get(name).is_some_and(|&rows| rows > 0), "{name} is never filled");
    }
}
