//! CAB.

use super::{Paper, Row};

pub(super) const PAPER: Paper = Paper {
    name: "CAB",
    prefix: "CAB",
    title: "CAB: Fast Update of OBB Trees for Collision Detection between Articulated Bodies",
    authors: "H. Schmidl, N. Walker and M. C. Lin",
    appeared: "Journal of Graphics Tools 2004",
    did: "Keeps a tree of oriented boxes over the links of a body that moves at its joints. Instead of asking statistics for the \
          axes of each box every frame, it takes them from the two boxes below by a rule of a few lines, and so refits in less than \
          half the time, with boxes that are a little larger.",
    lost: "All motions: ten thousand frames of two chains in four forms, four thousand of a hand with a ball. Of the obstacles \
           around the hand we know the number of pairs alone.",
    rebuilt: "Chains of eight links swing in a seeded simulation, and a hand plays with a ball. Sizes, gaps and speeds were tuned until \
              the counts came near to the printed ones: that they resemble them is a fit, not a prediction. What can be compared \
              is how the five ways stand to each other on one and the same motion. Where it is at hand, a real robot's hand plays too.",
    rows: ROWS,
};

const ROWS: &[Row] = &[
    Row::new(
        "CAB-S3-bound",
        "§3.2",
        "The two-axis rule gives an orthonormal frame and a box that contains both children",
    ),
    Row::new(
        "CAB-S3-axis",
        "§3.2, Figure 1b",
        "A longest child axis for small angles, the endpoint vector for large ones, is close to the principal axis",
    ),
    Row::new(
        "CAB-S3-sum",
        "§3.2 note",
        "The reviewer's sum axis gives slightly larger boxes and slightly slower queries",
    ),
    Row::new(
        "CAB-S3-elongated",
        "§3.1",
        "The method needs elongated links bent about an axis across them",
    ),
    Row::new("CAB-T15-truth", "Tables 1–5", "All methods find the same true hits"),
    Row::new("CAB-T15-same", "§4", "Covariance tree and CAB make exactly the same exact queries"),
    Row::new("CAB-T15-brute", "Tables 1–5", "Brute force asks every pair in every frame"),
    Row::new(
        "CAB-T15-filter",
        "Tables 1–5",
        "Oriented boxes filter far better than axis-aligned ones; eight-corner AABBs are the loosest",
    ),
    Row::new("CAB-T15-update", "Tables 1–5", "CAB refits faster than covariance"),
    Row::new(
        "CAB-T15-aabb",
        "§2, Tables 1–5",
        "CAB refits even faster than a tree of AABBs, and fitting to all vertices is hopeless",
    ),
    Row::new("CAB-T15-looser", "§4", "CAB's looser inner boxes cost some extra box tests"),
    Row::new(
        "CAB-T15-total",
        "abstract",
        "Twice as fast as existing techniques on average, in close proximity",
    ),
    Row::new(
        "CAB-T15-order",
        "Tables 1–5",
        "CAB is first, brute force loses to the three quick trees, AABB⁺ is last",
    ),
    Row::new(
        "CAB-T12-ratio",
        "Tables 1–2",
        "Oriented boxes depend less on how slender the links are",
    ),
    Row::new(
        "CAB-T3-nonconvex",
        "Table 3",
        "With hollow links AABBs stay the same, OBBs shrink, and the gap between AABB and CAB widens",
    ),
    Row::new(
        "CAB-T4-braid",
        "Table 4",
        "In braided chains the gain is smaller, AABB overtakes covariance, CAB still leads",
    ),
    Row::new(
        "CAB-S2-lazy",
        "§2",
        "Refitting only as deep as needed gives nothing when all boxes overlap",
    ),
    Row::new("CAB-T5-hand", "Table 5", "The lead persists with branching links"),
    Row::new("CAB-S4-realtime", "§4", "0.9–1.3 ms a frame, 3–4 % of a 30 Hz frame"),
];
