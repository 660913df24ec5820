//! What may make a result mean something else than it seems to; above all, what could touch and was
//! not read.
//!
//! There is one rule for every command with an answer: something that could touch and was not read
//! is a warning of the kind [`LEFT_OUT`], or [`WINDING`] if it is there but encloses nothing; the
//! answer is not complete, and the exit code is 3 unless `--allow-left-out` takes the rest as all.

use std::collections::{BTreeSet, HashSet};

use serde::Serialize;

use crate::messages::{self, count};

/// The kind of warnings about what could touch and was not read.
pub(crate) const LEFT_OUT: &str = "left-out";

/// The kind of warnings about solids whose faces are wound so that they enclose nothing.
pub(crate) const WINDING: &str = "winding";

/// Something that may make a result mean something else than it seems to: a doubtful unit, a clip
/// without motion. Unlike a note it is part of the result: `--quiet` silences stderr, and the
/// outputs keep it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Warning {
    /// The subject of the warning, for programs.
    pub(crate) kind: &'static str,
    /// What was seen, and what to do, for people.
    pub(crate) text: String,
}

impl Warning {
    /// Whether something that could touch was not examined.
    fn is_missing(&self) -> bool {
        [LEFT_OUT, WINDING].contains(&self.kind)
    }
}

/// The switch of every command that reads files.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct LeftOutArgs {
    /// Take the result as complete though something that could touch was not examined
    ///
    /// Something in a file that this program does not read (a point cache, a height field of a PNG
    /// image, numbers of a sequence without a file) is a warning of the kind `left-out`. With
    /// --solid, a closed mesh whose faces are wound inside out is one of the kind `winding`. The
    /// exit code is then 3. With this option the warning stays, and the exit code is that of the
    /// rest.
    #[arg(long)]
    pub(crate) allow_left_out: bool,
}

impl LeftOutArgs {
    /// Whether a result is complete in spite of its warnings. Says what is missing if it is not.
    pub(crate) fn settle(self, warnings: &[Warning]) -> bool {
        let is_whole = missing(warnings, self.allow_left_out).is_none();
        if !is_whole {
            say_missing(warnings);
        }
        is_whole
    }
}

/// Notes on what is missing are warnings: what is clear without it need not be clear.
pub(crate) fn left_out(notes: &mut Vec<String>) -> Vec<Warning> {
    let missing = notes.extract_if(.., |note| note.contains(elbowroom_io::LEFT_OUT));
    missing.map(|text| Warning { kind: LEFT_OUT, text }).collect()
}

/// What files do not say and readers assumed, each once.
pub(crate) fn assumed<'a>(notes: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let assumed = notes.into_iter().filter(|note| note.contains(elbowroom_io::ASSUMED));
    let mut seen = HashSet::new();
    assumed.filter(|note| seen.insert(note.as_str())).cloned().collect()
}

/// How many kinds of things that could touch were not examined; `None` if none, or if that is
/// allowed.
pub(crate) fn missing(warnings: &[Warning], is_allowed: bool) -> Option<usize> {
    let missing = warnings.iter().filter(|warning| warning.is_missing()).count();
    (missing > 0 && !is_allowed).then_some(missing)
}

/// Says notes and warnings.
pub(crate) fn tell(notes: &[String], warnings: &[Warning]) {
    for note in notes {
        messages::note(note);
    }
    for warning in warnings {
        messages::warning(&warning.text);
    }
}

/// Says that a result is not complete, and what to do about it.
pub(crate) fn say_missing(warnings: &[Warning]) {
    let missing: Vec<&Warning> = warnings.iter().filter(|warning| warning.is_missing()).collect();
    let kinds: BTreeSet<&str> = missing.iter().map(|warning| warning.kind).collect();
    let kinds = kinds.into_iter().collect::<Vec<_>>().join(" and ");
    let what = count(missing.len() as u64, "warning");
    messages::error(&format!(
        "incomplete: something that could touch was not examined ({what} of the kind {kinds})"
    ));
    messages::hint("--allow-left-out takes the result of what was examined as complete");
}
