//! The folder of a report.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::book::{Book, chart_file, picture_file};
use super::{html, json, markdown};
use crate::lab::plot;
use crate::save::{self, Failure};

/// What programs read.
const JSON: &str = "report.json";
/// Where charts and pictures lie.
const INNER: [&str; 2] = ["charts", "pictures"];

/// All files. The page comes last: where it is, the rest is.
pub(super) fn write(book: &Book, folder: &Path) -> Result<(), Failure> {
    for inner in INNER {
        let path = folder.join(inner);
        fs::create_dir_all(&path).map_err(|error| save::unwritten(&path, &error))?;
    }
    let before = drawn_before(folder);
    let mut drawn = BTreeSet::new();
    for section in book.sections() {
        for chart in &section.report.charts {
            let name = chart_file(section, chart);
            save::write(&folder.join(&name), plot::svg(chart).as_bytes())?;
            drawn.insert(name);
        }
    }
    for picture in book.chapters.iter().flat_map(|chapter| &chapter.pictures) {
        let name = picture_file(picture);
        save::write(&folder.join(&name), &picture.png)?;
        drawn.insert(name);
    }
    for name in before.difference(&drawn) {
        // A drawing that nothing leads to does no harm.
        let _ = fs::remove_file(folder.join(name));
    }
    for (name, text) in [(JSON, json::text(book)), ("verdicts.json", json::verdicts(book))] {
        let path = folder.join(name);
        let text = text.map_err(|error| save::unwritten(&path, &error))?;
        save::write(&path, text.as_bytes())?;
    }
    save::write(&folder.join("README.md"), markdown::page(book).as_bytes())?;
    save::write(&folder.join("index.html"), html::page(book).as_bytes())
}

/// The drawings of the report that is in the folder already. Only what it names itself is taken for
/// its own.
fn drawn_before(folder: &Path) -> BTreeSet<String> {
    let text = fs::read(folder.join(JSON)).unwrap_or_default();
    let json: Value = serde_json::from_slice(&text).unwrap_or_default();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let charts = list(&json["experiments"]).into_iter().flat_map(|e| list(&e["chart_files"]));
    let papers = list(&json["papers"]).into_iter().flat_map(|paper| list(&paper["pictures"]));
    let pictures = papers.map(|picture| picture["file"].clone());
    let names = charts.chain(pictures).filter_map(|name| name.as_str().map(str::to_owned));
    names.filter(|name| is_inner(name)).collect()
}

/// Whether a name is that of a file in one of the folders, and leads nowhere else.
fn is_inner(name: &str) -> bool {
    name.split_once('/').is_some_and(|(folder, file)| {
        INNER.contains(&folder) && !file.contains(['/', '\\']) && file != ".."
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_drawings_of_an_earlier_report_are_its_own() {
        let desk = tempfile::tempdir().expect("a folder");
        let text = r#"{
            "experiments": [{ "chart_files": ["charts/a.svg", "../b", "charts/../c", "d.svg"] }],
            "papers": [{ "pictures": [{ "file": "pictures/e.png" }, { "file": "charts/.." }] }]
        }"#;
        assert!(drawn_before(desk.path()).is_empty(), "there is none");
        fs::write(desk.path().join(JSON), text).expect("a file");
        let names: Vec<String> = drawn_before(desk.path()).into_iter().collect();
        assert_eq!(names, ["charts/a.svg", "pictures/e.png"]);
        fs::write(desk.path().join(JSON), "no JSON").expect("a file");
        assert!(drawn_before(desk.path()).is_empty());
    }
}
