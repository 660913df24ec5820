//! MOBB.

use super::{Paper, Row};

pub(super) const PAPER: Paper = Paper {
    name: "MOBB",
    prefix: "MOBB",
    title: "Detecting Collisions in Graph-Driven Motion Synthesis",
    authors: "M. Sung, S. Chenney and M. Gleicher",
    appeared: "University of Wisconsin, Madison",
    did: "Asks whether two people who walk on one floor will run into each other, before they begin: a captured motion is a stack of disks \
          in space and time, and a tree of oriented boxes over it tells whether two stacks, each placed and started somewhere, meet. \
          Boxes upright in time are compared with boxes that are free to lean.",
    lost: "All motions: 51 short ones of a crowd, 14 long ones. How the crowd chose its motions is told in outline only.",
    rebuilt: "Gaits by rule and seeded walks of them, of the printed number and length; where they are at hand, as many CMU captures. Two \
              samples meet if they hold at a common time, which is the same from both sides.",
    rows: ROWS,
};

const ROWS: &[Row] = &[
    Row::new("MOBB-S3-exact", "§3", "The trees answer as the samples do"),
    Row::new(
        "MOBB-F1-crossing",
        "Figure 1",
        "Crossing the same place at another time is no collision",
    ),
    Row::new(
        "MOBB-S3-axis",
        "§3.1",
        "The chord from first to last sample is as good as second-order statistics",
    ),
    Row::new("MOBB-S3-nmin", "§3.1", "Ten samples per leaf are best"),
    Row::new("MOBB-S3-rule", "§3.1", "Best when one box test costs n_min/2 sample tests"),
    Row::new("MOBB-S3-leaf", "Figure 4", "A spatial test of leaf against inner node gives nothing"),
    Row::new(
        "MOBB-S4-tighter",
        "§4, Figure 5",
        "Free space-time boxes are tighter than those upright in time",
    ),
    Row::new("MOBB-S5-deeper", "§5", "Lower down the upright boxes fit as well"),
    Row::new("MOBB-S4-extent", "§4, Figure 6", "The printed extents bound a sample's disk"),
    Row::new("MOBB-T1-root", "§5", "Most queries end at the root in the crowd"),
    Row::new("MOBB-T1-shallow", "§5", "Short clips make trees of about three levels"),
    Row::new("MOBB-T1-gain", "Table 1", "Even then the tree halves the time"),
    Row::new("MOBB-T1-alike", "Table 1", "In the crowd the kind of tree matters little"),
    Row::new("MOBB-T1-counts", "Table 1", "Tests per query of the six methods"),
    Row::new(
        "MOBB-T2-gain",
        "Table 2, abstract",
        "On long clips the tree is an order of magnitude faster",
    ),
    Row::new(
        "MOBB-T2-best",
        "Table 2",
        "Upright boxes win by a little, nearly all-upright Hybrid 2 comes next",
    ),
    Row::new(
        "MOBB-T2-counts",
        "Table 2",
        "Tests per query of the six methods, all on the same queries",
    ),
    Row::new("MOBB-T2-cost", "§5", "3-D box tests cost clearly more than 2-D ones"),
    Row::new(
        "MOBB-T12-aligned",
        "Table 1 note",
        "Some free boxes come out upright and are tested as 2-D",
    ),
    Row::new("MOBB-S6-length", "§6", "The longer the clips, the more the tree gains"),
    Row::new(
        "MOBB-S6-short",
        "§6",
        "For short clips a search in time with direct comparison is likely fastest",
    ),
    Row::new(
        "MOBB-S6-merge",
        "§6",
        "Sequences should be tested with trees merged from the clips' trees",
    ),
];
