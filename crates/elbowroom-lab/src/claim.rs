//! What a paper says, and what comes out.

use serde::{Deserialize, Serialize};

use crate::name::{self, Name};

/// One thing that a paper says, and what comes out here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The name, such as `OBB-T1-counts`: paper, place, subject.
    #[serde(deserialize_with = "name::kept")]
    pub id: Name,
    /// What is claimed, in one sentence.
    pub claim: String,
    /// The figure that the paper prints.
    pub paper: String,
    /// What was measured.
    pub ours: String,
    /// Whether that bears the claim out.
    pub verdict: Verdict,
    /// Whether the claim has to hold: it rests on counts, orderings or invariants alone.
    pub gate: bool,
    /// Whether the clock had a part in the measurement, so that it differs from run to run.
    pub timed: bool,
    /// What explains the outcome; may be empty.
    pub why: String,
}

impl Claim {
    /// A claim that rests on counts, and so has to hold.
    pub(crate) fn gate(id: &'static str, claim: &str) -> Self {
        Self { gate: true, timed: false, ..Self::timed(id, claim) }
    }

    /// A claim that rests on counts, but of scenes that the paper's are lost for: it need not hold.
    pub(crate) fn counted(id: &'static str, claim: &str) -> Self {
        Self { timed: false, ..Self::timed(id, claim) }
    }

    /// A claim that the clock decides.
    pub(crate) fn timed(id: &'static str, claim: &str) -> Self {
        Self {
            id,
            claim: claim.to_owned(),
            paper: String::new(),
            ours: String::new(),
            verdict: Verdict::NotTestable,
            gate: false,
            timed: true,
            why: String::new(),
        }
    }

    /// With the figure that the paper prints.
    pub(crate) fn paper(self, figure: impl Into<String>) -> Self {
        Self { paper: figure.into(), ..self }
    }

    /// With what was measured.
    pub(crate) fn ours(self, figure: impl Into<String>) -> Self {
        Self { ours: figure.into(), ..self }
    }

    /// With an explanation.
    pub(crate) fn why(self, why: impl Into<String>) -> Self {
        Self { why: why.into(), ..self }
    }

    /// With a verdict.
    pub(crate) fn verdict(self, verdict: Verdict) -> Self {
        Self { verdict, ..self }
    }

    /// The claim with a verdict: it holds, or it does not.
    pub(crate) fn holds_if(self, holds: bool) -> Self {
        self.verdict(if holds { Verdict::Holds } else { Verdict::DoesNotHold })
    }

    /// Whether the claim had to hold and does not.
    pub fn failed(&self) -> bool {
        self.gate && self.verdict == Verdict::DoesNotHold
    }
}

/// Whether what was measured bears a claim out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The claim holds.
    Holds,
    /// In kind, but the figure is another.
    HoldsWithAnotherNumber,
    /// The claim does not hold.
    DoesNotHold,
    /// The data that would decide is missing.
    NotTestable,
}

impl Verdict {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::HoldsWithAnotherNumber => "holds with another number",
            Self::DoesNotHold => "does not hold",
            Self::NotTestable => "not testable",
        }
    }
}
