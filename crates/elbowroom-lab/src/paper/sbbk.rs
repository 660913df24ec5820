//! SBBK.

use super::{Paper, Row};

pub(super) const PAPER: Paper = Paper {
    name: "SBBK",
    prefix: "SBBK",
    title: "A Three-layer Hybrid Bounding Volume Hierarchy for Collision Detection",
    authors: "Y. Liu, H. Wang and P. Yang",
    appeared: "CENet 2017",
    did: "Puts three kinds of volumes into one tree: a sphere at the root, which throws out what is far away, boxes along the axes below \
          it, and k-DOPs, which fit best, at the bottom. It descends two trees at once and begins where the last frame's descent ended.",
    lost: "The helicopter, the curve of Diagram 1, the number k, the level at which one layer gives way to the next, and how k-DOPs \
           of turned bodies were compared.",
    rebuilt: "k is 18 unless said otherwise, layers are a parameter and can be chosen by the clock, which the paper leaves to the \
              future. A helicopter and a monkey's head are generated; where they are at hand, a real helicopter and the well-known \
              head are taken as well. Layered and plain trees share one topology, so that only the volumes differ.",
    rows: ROWS,
};

const ROWS: &[Row] = &[
    Row::new(
        "SBBK-S2-tight",
        "§2",
        "Tightness improves from sphere to AABB to OBB to k-DOP, the tightest of all",
    ),
    Row::new(
        "SBBK-S2-cost",
        "§2",
        "A test costs least for spheres, then AABB, then OBB, most for k-DOP",
    ),
    Row::new(
        "SBBK-S3-root",
        "§3.1",
        "A sphere at the root throws out most far pairs at the least cost",
    ),
    Row::new(
        "SBBK-S3-visits",
        "§3.1",
        "The tighter lower layer leaves fewer nodes and primitives to test",
    ),
    Row::new("SBBK-S3-soft", "§3.1", "Sphere, AABB and k-DOP follow a soft body, OBB does not"),
    Row::new("SBBK-S3-hybrids", "§2–3", "Layered trees beat single-family trees"),
    Row::new(
        "SBBK-S3-single",
        "§3.2",
        "One-sided descent of two full trees of n levels costs 2^(2n−1) − 1 tests",
    ),
    Row::new("SBBK-S3-both", "§3.2", "Descending both at once costs fewer"),
    Row::new("SBBK-S3-always", "§3.2", "Descending both at once is clearly less work"),
    Row::new("SBBK-F34-front", "Figures 3–4", "Starting from last frame's front saves visits"),
    Row::new("SBBK-F34-jump", "§3.2", "The front stays right however far the objects jump"),
    Row::new("SBBK-S3-queue", "§3.2", "A priority queue, deepest first, beats a linked list"),
    Row::new(
        "SBBK-F67-accuracy",
        "Figures 6–7",
        "SBBK reports the ball's contact with less overlap than AABB",
    ),
    Row::new("SBBK-T1-fps", "Table 1", "Helicopter and ball run 11 % faster"),
    Row::new("SBBK-T2-monkeys", "Table 2", "Two thousand falling heads take half the time"),
    Row::new("SBBK-D1-growth", "Diagram 1", "The gain grows with the number of objects"),
    Row::new("SBBK-S5-auto", "§5", "Choosing the layers by geometry would be faster still"),
];
