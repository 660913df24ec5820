//! `elbowroom cite`: the entry for a list of references.

use crate::messages;
use crate::outcome::Outcome;

/// Print how to cite this version, as BibTeX
#[derive(Debug, clap::Args)]
pub(crate) struct CiteArgs {}

/// The entry that CITATION.cff has, too.
pub(crate) fn run(_: &CiteArgs) -> Outcome {
    let version = env!("CARGO_PKG_VERSION");
    messages::say_out(&format!(
        "@software{{elbowroom,\n  \
           author  = {{{{The elbowroom developers}}}},\n  \
           title   = {{elbowroom: exact collision detection and metrics of interpenetration}},\n  \
           version = {{{version}}},\n  \
           note    = {{metrics as docs/score.md of this version defines them}}\n\
         }}"
    ));
    Outcome::Clean
}
