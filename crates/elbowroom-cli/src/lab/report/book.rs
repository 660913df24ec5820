//! What a report tells, whatever its form.

use elbowroom_lab::{Claim, Experiment, PAPERS, Paper, Picture, Report, Verdict};

use super::machine::Machine;

/// All of it.
pub(super) struct Book {
    pub(super) quick: bool,
    /// Whether only a part of the experiments was asked for.
    pub(super) partial: bool,
    /// When it was put together.
    pub(super) date: String,
    pub(super) machine: Machine,
    /// Whether there was a folder of real bodies.
    pub(super) has_data: bool,
    /// One a paper, in the order of the list of papers; those without a section are left out.
    pub(super) chapters: Vec<Chapter>,
}

/// What is told of a paper.
pub(super) struct Chapter {
    pub(super) paper: &'static Paper,
    pub(super) sections: Vec<Section>,
    pub(super) pictures: Vec<Picture>,
}

/// What is told of an experiment.
pub(super) struct Section {
    pub(super) experiment: &'static Experiment,
    pub(super) report: Report,
    /// When it was measured.
    pub(super) ran: String,
    pub(super) secs: f64,
    /// Whether it was kept from an earlier run.
    pub(super) kept: bool,
}

/// Where a picture lies in the report's folder.
pub(super) fn picture_file(picture: &Picture) -> String {
    format!("pictures/{}.png", picture.name)
}

/// Where a chart lies in the report's folder.
pub(super) fn chart_file(section: &Section, chart: &elbowroom_lab::Chart) -> String {
    format!("charts/{}-{}.svg", section.experiment.id, chart.name)
}

/// One thing that a paper says, and what came of it.
pub(super) struct Entry<'a> {
    pub(super) id: &'static str,
    pub(super) place: &'a str,
    pub(super) says: &'a str,
    /// None where no experiment that was run decides it.
    pub(super) decided: Option<(&'a Claim, &'static Experiment)>,
}

impl Entry<'_> {
    pub(super) fn verdict(&self) -> Option<Verdict> {
        self.decided.map(|(claim, _)| claim.verdict)
    }
}

/// How often each verdict was given, in the order of [`VERDICTS`].
pub(super) type Tally = [usize; 5];

/// The verdicts, none last.
pub(super) const VERDICTS: [Option<Verdict>; 5] = [
    Some(Verdict::Holds),
    Some(Verdict::HoldsWithAnotherNumber),
    Some(Verdict::DoesNotHold),
    Some(Verdict::NotTestable),
    None,
];

/// A verdict in words.
pub(super) fn name(verdict: Option<Verdict>) -> &'static str {
    verdict.map_or("not decided here", Verdict::name)
}

/// A verdict as a sign, for those who do not see colours.
pub(super) fn sign(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Holds) => "✓",
        Some(Verdict::HoldsWithAnotherNumber) => "≈",
        Some(Verdict::DoesNotHold) => "✗",
        Some(Verdict::NotTestable) => "?",
        None => "·",
    }
}

impl Book {
    pub(super) fn sections(&self) -> impl Iterator<Item = &Section> {
        self.chapters.iter().flat_map(|chapter| &chapter.sections)
    }

    pub(super) fn claims(&self) -> impl Iterator<Item = (&Claim, &'static Experiment)> {
        self.sections().flat_map(|section| {
            section.report.claims.iter().map(|claim| (claim, section.experiment))
        })
    }

    /// Claims that have to hold and do not.
    pub(super) fn failed(&self) -> usize {
        self.sections().map(|section| section.report.failed().count()).sum()
    }

    /// All that the paper says. Where no list was written before, that is all that was examined.
    pub(super) fn entries<'a>(&'a self, chapter: &'a Chapter) -> Vec<Entry<'a>> {
        if chapter.paper.rows.is_empty() {
            let all = chapter.sections.iter().flat_map(|section| {
                let experiment = section.experiment;
                section.report.claims.iter().map(move |claim| (claim, experiment))
            });
            return all
                .map(|(claim, experiment)| Entry {
                    id: claim.id,
                    place: experiment.place,
                    says: &claim.claim,
                    decided: Some((claim, experiment)),
                })
                .collect();
        }
        let entry = |row: &'static elbowroom_lab::Row| Entry {
            id: row.id,
            place: row.place,
            says: row.says,
            decided: self.claims().find(|(claim, _)| claim.id == row.id),
        };
        chapter.paper.rows.iter().map(entry).collect()
    }

    /// What was looked into besides: the same on real bodies, for one.
    pub(super) fn further(chapter: &Chapter) -> Vec<&Claim> {
        let is_row = |id: &str| PAPERS.iter().any(|p| p.rows.iter().any(|row| row.id == id));
        let claims = chapter.sections.iter().flat_map(|section| &section.report.claims);
        claims.filter(|claim| !chapter.paper.rows.is_empty() && !is_row(claim.id)).collect()
    }
}

/// Counts verdicts.
pub(super) fn tally(verdicts: impl Iterator<Item = Option<Verdict>>) -> Tally {
    let mut tally = Tally::default();
    for verdict in verdicts {
        let place = VERDICTS.iter().position(|&other| other == verdict);
        tally[place.unwrap_or(VERDICTS.len() - 1)] += 1;
    }
    tally
}
