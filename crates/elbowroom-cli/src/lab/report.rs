//! `elbowroom lab report`: every experiment, and all that came of it in one folder.
//!
//! In the folder lie a page that opens by itself (index.html), the same for programs (report.json),
//! charts/ and pictures/, and a summary for a code host (README.md, verdicts.json). Each
//! experiment's result is kept as soon as it is there, so that an interrupted report goes on.

/// Writes to a string, which takes what is written.
macro_rules! push {
    ($out:expr, $($what:tt)*) => {
        let _ = write!($out, $($what)*);
    };
}

mod book;
mod cache;
mod files;
mod html;
mod json;
mod machine;
mod markdown;
mod number;
mod prose;

use std::fs;
use std::time::Instant;

use elbowroom_lab::{Context, EXPERIMENTS, Experiment, PAPERS, Paper, Picture, SKETCHES, Silent};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use self::book::{Book, Chapter, Section};
use self::cache::{Asked, Cache, Kept};
use self::machine::Machine;
use super::Bar;
use super::args::LabReportArgs;
use super::folder::Folder;
use crate::messages;
use crate::outcome::Outcome;
use crate::save::Failure;

/// What no paper compares.
const OURS: &str = "Common ground";

pub(super) fn run(args: &LabReportArgs) -> Outcome {
    let experiments = match chosen(&args.only) {
        Ok(experiments) => experiments,
        Err(unknown) => {
            messages::error(&format!("there is no paper and no experiment {unknown:?}"));
            messages::hint("`elbowroom lab list` names them");
            return Outcome::BadInput;
        }
    };
    let folder = match Folder::find(args.data.as_deref()) {
        Ok(folder) => folder,
        Err(error) => return super::no_folder(&error),
    };
    // Better said now than after half an hour.
    if let Err(error) = fs::create_dir_all(&args.output) {
        messages::error(&format!("{}: cannot be made: {error}", args.output.display()));
        messages::hint("name another folder by --output");
        return Outcome::BadInput;
    }
    let machine = Machine::here();
    let cache = kept_in(args, &machine);
    let sections = run_all(&experiments, args, &folder, cache.as_ref());
    let book = bound(sections, args, &folder, machine);
    match files::write(&book, &args.output) {
        Ok(()) => {
            messages::say_out(&prose::in_all(&book));
            messages::say_out(&args.output.join("index.html").display().to_string());
            super::outcome_of(book.failed())
        }
        Err(Failure::Refused(refusal)) => {
            messages::refuse(&refusal);
            Outcome::Incomplete
        }
        Err(Failure::Unwritten(error)) => {
            messages::error(&error);
            messages::hint("results are kept: once there is room, the same command goes on");
            Outcome::Incomplete
        }
    }
}

/// The experiments that were asked for, in their order, or the first name that means nothing.
fn chosen(only: &[String]) -> Result<Vec<&'static Experiment>, String> {
    let fits = |name: &str, e: &Experiment| e.id == name || e.paper.eq_ignore_ascii_case(name);
    let unknown = only.iter().find(|name| !EXPERIMENTS.iter().any(|e| fits(name, e)));
    if let Some(unknown) = unknown {
        return Err(unknown.clone());
    }
    let is_wanted = |e: &&Experiment| only.is_empty() || only.iter().any(|name| fits(name, e));
    Ok(EXPERIMENTS.iter().filter(is_wanted).collect())
}

/// Where results are kept; nowhere, if that cannot be.
fn kept_in(args: &LabReportArgs, machine: &Machine) -> Option<Cache> {
    let folder = args.cache.clone().or_else(cache::of_the_system);
    let folder = folder.unwrap_or_else(|| args.output.join(".cache"));
    match Cache::open(folder.clone(), machine) {
        Ok(cache) => {
            messages::note(&format!("results are kept in {}", folder.display()));
            Some(cache)
        }
        Err(error) => {
            messages::note(&format!("{}: {error}; results are not kept", folder.display()));
            None
        }
    }
}

fn run_all(
    experiments: &[&'static Experiment],
    args: &LabReportArgs,
    folder: &Folder,
    cache: Option<&Cache>,
) -> Vec<Section> {
    let bars = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
    let all = bars.add(ProgressBar::new(experiments.len() as u64));
    let template = "lab report {bar:30} {pos}/{len} experiments, {elapsed} gone, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        all.set_style(style);
    }
    let mut sections = Vec::with_capacity(experiments.len());
    for &experiment in experiments {
        let kept =
            cache.filter(|_| !args.fresh).and_then(|c| c.get(experiment, args.quick, folder));
        let section = if let Some(kept) = kept {
            section(experiment, kept, true)
        } else {
            let bar = Bar(bars.add(Bar::new(experiment.id).0));
            let result = measured(experiment, args.quick, folder, &bar);
            bar.0.finish_and_clear();
            if let Some(cache) = cache {
                cache.put(experiment, args.quick, &result);
            }
            section(experiment, result, false)
        };
        sections.push(section);
        all.inc(1);
    }
    all.finish_and_clear();
    sections
}

fn measured(experiment: &Experiment, quick: bool, folder: &Folder, bar: &Bar) -> Kept {
    let (data, begin, ran) = (Asked::of(folder), Instant::now(), machine::now());
    let report = experiment.run(&Context { quick, progress: bar, data: &data });
    Kept { ran, secs: begin.elapsed().as_secs_f64(), asked: data.names(), report }
}

fn section(experiment: &'static Experiment, result: Kept, kept: bool) -> Section {
    let Kept { ran, secs, report, .. } = result;
    Section { experiment, report, ran, secs, kept }
}

/// Sections by paper.
fn bound(sections: Vec<Section>, args: &LabReportArgs, folder: &Folder, machine: Machine) -> Book {
    let mut chapters: Vec<Chapter> = PAPERS
        .iter()
        .map(|paper| Chapter { paper, sections: Vec::new(), pictures: Vec::new() })
        .collect();
    for section in sections {
        let name = section.experiment.paper;
        if let Some(chapter) = chapters.iter_mut().find(|chapter| chapter.paper.name == name) {
            chapter.sections.push(section);
        }
    }
    for chapter in &mut chapters {
        chapter.pictures = pictures(chapter, args.quick, folder);
    }
    chapters.retain(|chapter| !chapter.sections.is_empty());
    Book {
        quick: args.quick,
        partial: !args.only.is_empty(),
        date: machine::now(),
        machine,
        has_data: folder.is_there(),
        chapters,
    }
}

/// The pictures of a paper, where all that it says is told.
fn pictures(chapter: &Chapter, quick: bool, folder: &Folder) -> Vec<Picture> {
    let in_list = EXPERIMENTS.iter().filter(|e| e.paper == chapter.paper.name).count();
    if chapter.sections.is_empty() || chapter.sections.len() < in_list {
        return Vec::new();
    }
    let context = Context { quick, progress: &Silent, data: folder };
    let sketches = SKETCHES.iter().filter(|sketch| is_of(sketch.paper, chapter.paper));
    sketches.map(|sketch| sketch.draw(&context)).collect()
}

/// Whether a picture belongs to a paper. What is of no paper stands with what we compare ourselves.
fn is_of(name: &str, paper: &Paper) -> bool {
    name == paper.name || (paper.name == OURS && !PAPERS.iter().any(|other| other.name == name))
}
