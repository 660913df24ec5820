//! BCH.

use super::{Paper, Row};

pub(super) const PAPER: Paper = Paper {
    name: "BCH",
    prefix: "BCH",
    title: "Hierarchical Structures for Collision Checking between Virtual Characters",
    authors: "S. A. Stüvel, N. Magnenat-Thalmann, D. Thalmann, A. Egges and A. F. van der Stappen",
    appeared: "Computer Animation and Virtual Worlds 2014",
    did: "Looks at people in a crowd from above and replaces the one cylinder around each of them by a tree of cylinders over their \
          outline, so that they may come as close as people do. Seven structures are compared: how long they take to make and to ask, \
          how near they let people come, how much room they take.",
    lost: "Both characters, their poses and the captured motion behind them.",
    rebuilt: "A woman and a man of our own, of 2,848 triangles each, in 100 poses of gaits by rule; where they are at hand, a woman and a \
              man of MakeHuman in frames of CMU captures as well. Nothing slides in steps: the way to the first contact is worked \
              out, and the area of a union of discs is exact.",
    rows: ROWS,
};

const ROWS: &[Row] = &[
    Row::new(
        "BCH-S3-partition",
        "§3",
        "Children partition their parent's part, and a volume clear of a query proves the part clear",
    ),
    Row::new("BCH-S3-single", "§3.1, §5.1", "Depth 0 is the single cylinder"),
    Row::new("BCH-S3-binary", "§3.1", "Splitting in two suits discs better than splitting in four"),
    Row::new(
        "BCH-F3-build",
        "Figure 3 left",
        "One cylinder builds fastest, projected triangles before contours, contours too slow to rebuild for many characters",
    ),
    Row::new("BCH-F3-contour", "§4.2", "The contour BCH answers faster than the contour OBB tree"),
    Row::new(
        "BCH-F3-projected",
        "§4.2",
        "The contour BCH answers about 8 × faster than the OBB tree that is quickest to build",
    ),
    Row::new(
        "BCH-F3-turnover",
        "§4.2",
        "On projected triangles the OBB tree wins by more than two, with trees of equal size",
    ),
    Row::new("BCH-F3-overlap", "§4.2", "Discs of one level overlap more than boxes of one level"),
    Row::new(
        "BCH-F3-centre",
        "§4.2",
        "Centre or centroid makes no difference in time, the centroid tree is smaller",
    ),
    Row::new(
        "BCH-S3-hypothesis",
        "§3.2",
        "OBB on projected triangles: slower to query than contour, quicker to build, perhaps quicker to query than full",
    ),
    Row::new(
        "BCH-S4-degenerate",
        "§4.2",
        "Segments as degenerate triangles cost no more than thin proper triangles",
    ),
    Row::new(
        "BCH-S4-cache",
        "§4.1",
        "Repeating one case is about 15 % faster than cycling through all",
    ),
    Row::new("BCH-S4-worst", "§4.1", "Colliding cases are the worst case"),
    Row::new(
        "BCH-F6a-order",
        "Figure 6a",
        "Characters may come much closer than with one cylinder",
    ),
    Row::new("BCH-F6a-threshold", "§5.1", "The BCH's extra distance reflects its threshold radius"),
    Row::new(
        "BCH-F6b-depth",
        "Figure 6b",
        "Deeper is closer, apart from single cases, and depth 9 is within 1 % of unlimited",
    ),
    Row::new("BCH-S5-limit", "§5.1", "A depth limit makes queries faster"),
    Row::new(
        "BCH-S4-obb-lod",
        "§4.2",
        "Coarse OBB levels have corners that would show, coarse discs do not",
    ),
    Row::new(
        "BCH-T1-radii",
        "Table 1",
        "Smallest cylinders of walking people have radii of 0.3–0.4 m",
    ),
    Row::new(
        "BCH-S5-radius",
        "§5.2",
        "A radius of 0.25 m misses contacts, much more than 0.40 m wastes room",
    ),
    Row::new(
        "BCH-T1-volume",
        "Table 1, Figure 7",
        "A cylinder holds about seven times the body's volume, the BCH much less",
    ),
    Row::new("BCH-T1-spread", "Table 1", "The BCH's volume depends less on the pose"),
    Row::new(
        "BCH-S7-fixed",
        "§7",
        "A fixed radius that ignores the pose must miss contacts in a dense crowd",
    ),
    Row::new("BCH-S7-detail", "§7", "The BCH hardly feels a finer mesh, the OBB tree does"),
    Row::new(
        "BCH-S6-covariance",
        "§6",
        "Splitting by covariance would query faster and build a little slower",
    ),
    Row::new(
        "BCH-S6-clip",
        "§6",
        "Cylinders animated over a whole clip would store less than a BCH per pose and allow interpolation",
    ),
    Row::new("BCH-S6-slices", "§6", "A BCH per slice of height fits more closely"),
];
