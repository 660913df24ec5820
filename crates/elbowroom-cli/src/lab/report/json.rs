//! The report for programs: docs/lab-report.md says what is in it, docs/lab-report.schema.json how
//! it is shaped. Beside it, the verdicts alone.

use std::collections::BTreeMap;

use elbowroom_lab::{Report, Verdict};
use serde::Serialize;

use super::book::{Book, Chapter, Section, chart_file, picture_file};
use super::machine::Machine;

const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Object<'a> {
    schema_version: u32,
    elbowroom_version: &'static str,
    quick: bool,
    date: &'a str,
    machine: &'a Machine,
    data: bool,
    failed: usize,
    papers: Vec<PaperEntry<'a>>,
    experiments: Vec<ExperimentEntry<'a>>,
}

#[derive(Serialize)]
struct PaperEntry<'a> {
    name: &'static str,
    title: &'static str,
    authors: &'static str,
    appeared: &'static str,
    claims: Vec<ClaimEntry<'a>>,
    pictures: Vec<PictureEntry<'a>>,
}

#[derive(Serialize)]
struct ClaimEntry<'a> {
    id: &'a str,
    place: &'a str,
    says: &'a str,
    verdict: Option<Verdict>,
    experiment: Option<&'static str>,
}

#[derive(Serialize)]
struct PictureEntry<'a> {
    file: String,
    title: &'a str,
    caption: &'a str,
    size: [u32; 2],
}

#[derive(Serialize)]
struct ExperimentEntry<'a> {
    paper: &'static str,
    place: &'static str,
    ran: &'a str,
    secs: f64,
    chart_files: Vec<String>,
    #[serde(flatten)]
    report: &'a Report,
}

/// The file.
pub(super) fn text(book: &Book) -> Result<String, serde_json::Error> {
    let object = Object {
        schema_version: SCHEMA_VERSION,
        elbowroom_version: env!("CARGO_PKG_VERSION"),
        quick: book.quick,
        date: &book.date,
        machine: &book.machine,
        data: book.has_data,
        failed: book.failed(),
        papers: book.chapters.iter().map(|chapter| paper(book, chapter)).collect(),
        experiments: book.sections().map(experiment).collect(),
    };
    serde_json::to_string_pretty(&object).map(|text| text + "\n")
}

#[derive(Serialize)]
struct Summary<'a> {
    elbowroom_version: &'static str,
    quick: bool,
    date: &'a str,
    machine: &'a Machine,
    /// By claim.
    verdicts: BTreeMap<&'static str, Verdict>,
}

/// The verdicts alone: small enough to be kept with the sources, and to be compared.
pub(super) fn verdicts(book: &Book) -> Result<String, serde_json::Error> {
    let object = Summary {
        elbowroom_version: env!("CARGO_PKG_VERSION"),
        quick: book.quick,
        date: &book.date,
        machine: &book.machine,
        verdicts: book.claims().map(|(claim, _)| (claim.id, claim.verdict)).collect(),
    };
    serde_json::to_string_pretty(&object).map(|text| text + "\n")
}

fn paper<'a>(book: &'a Book, chapter: &'a Chapter) -> PaperEntry<'a> {
    let claims = book.entries(chapter).into_iter().map(|entry| ClaimEntry {
        id: entry.id,
        place: entry.place,
        says: entry.says,
        verdict: entry.verdict(),
        experiment: entry.decided.map(|(_, experiment)| experiment.id),
    });
    let pictures = chapter.pictures.iter().map(|picture| PictureEntry {
        file: picture_file(picture),
        title: &picture.title,
        caption: &picture.caption,
        size: picture.size,
    });
    PaperEntry {
        name: chapter.paper.name,
        title: chapter.paper.title,
        authors: chapter.paper.authors,
        appeared: chapter.paper.appeared,
        claims: claims.collect(),
        pictures: pictures.collect(),
    }
}

fn experiment(section: &Section) -> ExperimentEntry<'_> {
    ExperimentEntry {
        paper: section.experiment.paper,
        place: section.experiment.place,
        ran: &section.ran,
        secs: section.secs,
        chart_files: section.report.charts.iter().map(|c| chart_file(section, c)).collect(),
        report: &section.report,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use elbowroom_lab::PAPERS;
    use serde_json::Value;

    /// The report that is kept in docs/lab decides every claim of the papers, and what it shows is
    /// kept with it.
    #[test]
    fn the_kept_report_is_whole() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/lab"));
        let text = fs::read_to_string(folder.join("verdicts.json")).expect("it is kept");
        let json: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(json["quick"], false);
        let readme = fs::read_to_string(folder.join("README.md")).expect("it is kept");
        let mut count = 0;
        for row in PAPERS.iter().flat_map(|paper| paper.rows) {
            assert!(json["verdicts"][row.id].is_string(), "{} is not decided", row.id);
            assert!(readme.contains(&format!("`{}`", row.id)), "{} is not told", row.id);
            count += 1;
        }
        assert!(count >= 128, "only {count} claims");
        for link in readme.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let is_file = !link.starts_with('#');
            assert!(!is_file || folder.join(link).is_file(), "{link} is not kept");
        }
    }
}
