//! What the report says by itself, in all its forms.

use elbowroom_lab::{EXPERIMENTS, Paper, Verdict};

use super::book::{self, Book, VERDICTS};
use super::number::duration;
use crate::messages::count;

pub(super) const TITLE: &str = "Five papers on collision detection, asked again";

pub(super) const OPENING: &str = "elbowroom finds where things touch or pass through each other, and it stands on five papers. Their authors measured what they \
    built, on machines that are gone and mostly with models and motions that are lost. Here every table, figure and claim of theirs is rebuilt, as far as that can be done, and \
    asked again: the paper's numbers beside ours, and a verdict on each thing that it says.";

pub(super) const HOW: [&str; 3] = [
    "A claim rests on counts, orderings and invariants wherever it can. Those are the same in every run, with any number of threads, on any set of instructions; if such a claim stops \
     holding, the tests fail.",
    "Times are told as ratios within one run, contestants in turns, in time of the thread alone. Machines are noisy, this one too: a claim that is marked as decided by the \
     clock may come out differently another time, and never fails a test. Absolute times say nothing about a paper's machine.",
    "Real people, motions and models stand beside the generated ones where they are at hand; claims about them have names of their own (cmu, shadow, suzanne, real).",
];

/// How tables are read, where there are any.
pub(super) const COLUMNS: &str =
    "Columns in italics, on a ground of their own, are the numbers that the paper prints.";

/// What a verdict means.
pub(super) fn meaning(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Holds) => "what was measured bears it out",
        Some(Verdict::HoldsWithAnotherNumber) => "in kind, but the figure is another",
        Some(Verdict::DoesNotHold) => "it does not, and the claim says why",
        Some(Verdict::NotTestable) => "what it takes to decide is missing",
        None => "no experiment of this report looks into it",
    }
}

/// How, where and when it was made.
pub(super) fn made(book: &Book) -> Vec<String> {
    let m = &book.machine;
    let cores = count(m.cores as u64, "core");
    let size = if book.quick { " --quick" } else { "" };
    let run = book.sections().count();
    let kept = book.sections().filter(|section| section.kept).count();
    let secs: f64 = book.sections().map(|section| section.secs).sum();
    let mut lines = vec![
        format!(
            "elbowroom {}, `elbowroom lab report{size}`, {} UTC.",
            env!("CARGO_PKG_VERSION"),
            book.date
        ),
        format!("{}, {cores}, {}, {}.", m.cpu, m.lanes, m.system),
        format!(
            "{} of {} experiments, which took {} together{}.",
            run,
            EXPERIMENTS.len(),
            duration(secs),
            if kept > 0 {
                format!(" ({kept} kept from an earlier run of the same program)")
            } else {
                String::new()
            }
        ),
    ];
    if book.quick {
        lines.push("This is the quick report: smaller scenes that decide the same claims. Sizes are said with each experiment.".to_owned());
    }
    lines.push(if book.has_data {
        "Real bodies were at hand; an experiment that misses one says so.".to_owned()
    } else {
        "No real bodies were at hand: what is generated counts alone.".to_owned()
    });
    lines
}

/// All claims in one sentence.
pub(super) fn in_all(book: &Book) -> String {
    let entries = book.chapters.iter().flat_map(|chapter| book.entries(chapter));
    let tally = book::tally(entries.map(|entry| entry.verdict()));
    let words = [
        "hold",
        "hold with another number",
        "do not hold",
        "cannot be tested",
        "are not decided here",
    ];
    let met: Vec<String> = (0..VERDICTS.len())
        .filter(|&i| tally[i] > 0)
        .map(|i| format!("{} {}", tally[i], words[i]))
        .collect();
    let all: usize = tally.iter().sum();
    let further: usize = book.chapters.iter().map(|chapter| Book::further(chapter).len()).sum();
    let besides = if further > 0 {
        format!(
            " {further} further checks, of the same claims on real bodies or of single tables, stand with the experiments."
        )
    } else {
        String::new()
    };
    let part = if book.partial { " (of a part of the experiments)" } else { "" };
    let failed = match book.failed() {
        0 => String::new(),
        n => format!(" {} that has to hold DOES NOT.", count(n as u64, "claim")),
    };
    format!("Of {}{part}, {}.{besides}{failed}", count(all as u64, "claim"), met.join(", "))
}

/// A paper's introduction.
pub(super) fn introduction(paper: &Paper) -> [(&'static str, &'static str); 3] {
    [("The idea", paper.did), ("Lost", paper.lost), ("Rebuilt", paper.rebuilt)]
}
