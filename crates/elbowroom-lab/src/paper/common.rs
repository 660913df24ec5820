//! What no paper compares.

use super::Paper;

pub(super) const PAPER: Paper = Paper {
    name: "Common ground",
    prefix: "COMMON",
    title: "All structures on common ground",
    authors: "",
    appeared: "",
    did: "Each paper measures its own structure on its own scenes. Here every family of volumes meets every scene: how many tests it \
          makes, how long they take, what it costs to make, to keep and to refit; whether costs measured alone predict the time of a \
          query; how all that grows; and which structure wins where.",
    lost: "Nothing: there was nothing before.",
    rebuilt: "The scenes are those of the papers, as rebuilt above. The library's own defaults follow from what comes out.",
    rows: &[],
};
